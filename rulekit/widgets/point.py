"""What a question is about: its own words, beside the words for what can be predicted; no rule of the game."""

from __future__ import annotations

import re

ABOUT: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("when (?:do|does|is|are|can|will)", ("time",)),
    ("whose turn|next turn|extra turn|turns", ("active", "next turn", "number")),
    ("how (big|large|strong)|power|bonus|what (is|are|has)|does it do", ("power", "toughness", "keywords")),
    ("fly|flies|flying|hexproof|indestructible|haste|trample|flashback", ("keywords",)),
    ("draw|hand|how many cards|gift", ("hand",)),
    ("mill|librar|dredge|revealed|are left|go where", ("library", "graveyard")),
    ("lose|win|danger", ("lost", "won")),
    ("life|lose|gain|damage|deal|poison|take|how much|happens to", ("life", "poison")),
    ("whose|who|whom|control", ("controller",)),
    ("counter", ("counters",)),
    ("untap|tapped", ("tapped",)),
    ("phase|return|come back|comes back|meanwhile", ("phased out", "zone")),
    ("mana value", ("mana value",)),
    ("mana", ("mana",)),
    ("where|attach|equip|carry|carries|wear|fall|stay|come off|unattach|enchant", ("attached to",)),
    ("where|what (becomes|happens)|happens to|die|survive|live|destroy|sacrific|exile", ("zone", "graveyard", "exile")),
    ("get|gift|create|how many|left|die|put onto|position|return|sacrific|what happens", ("battlefield",)),
    ("trigger", ("triggers",)),
    ("stack|asked", ("stack", "decision")),
    ("play|use|cast|again", ("legal",)),
)  # fmt: skip
"""Beginnings of words in a question, and the keys of a scenario's expectations that answer what is worded so."""

DULL = ("decision", "stack", "priority", "mana", "owner")  # asked only if there is nothing else, or if asked about
DEEDS = {
    "cast": "cast|promise|target|counter|return|copy|name",
    "activate": "equip|activat|use|target|attach|carry|pay|shoot|throw|fortify|make|put|move|reconfigure|return",
    "attack": "attack", "block": "block", "play": "play", "suspend": "suspend|do so", "companion": "get",
}  # fmt: skip
MAY = r"\b(may|can|could|legal|allowed|possible)\b"
PRONOUN = r"\b(he|she|it|they|him|them)\b"
TRIGGER = r"(?<!the )(?<!'s )(?<!whose )\btriggers?\b"  # not "the trigger" or "Alice's trigger", which is already there
WHETHER = re.compile(rf"\b(do|does|which)\b[^,]*{TRIGGER}|\bwhat triggers\b|\bis there an?\b.* trigger\b")
HOW_OFTEN = re.compile(rf"\bhow often\b.*{TRIGGER}|\bhow many triggers\b")
WHEN = re.compile(r"\bwhen\b")
JUST_MAY = r"\b(may|can|could) (alice|bob|carol|dave|he|she|they)( do (it|so|that))?\?|\b(legal|allowed|possible)\b"


def asked(question: str) -> tuple[str, ...]:
    """Return the sentences of a question that ask something; all of it if none does."""
    every = re.split(r"(?<=[.?!])\s+", " ".join(question.split()).casefold())
    return tuple(each for each in every if each.endswith("?")) or tuple(every)


def asks_whether_legal(question: str, deed: str) -> bool:
    """Return whether a question asks if somebody may do something.

    Args:
        question: The question of a scenario.
        deed: The kind of step: "cast", "activate" ...
    """
    asking = [each for each in asked(question) if re.search(MAY, each)]
    return any(re.search(JUST_MAY, each) or re.search(_beginning(DEEDS.get(deed, deed)), each) for each in asking)


def asks_of_triggers(question: str) -> str:
    """Return "whether" or "how often" for a question that asks if or how often abilities trigger, "" for any other."""
    asking = [each for each in asked(question) if not WHEN.search(each)]
    if any(HOW_OFTEN.search(each) for each in asking):
        return "how often"
    return "whether" if any(WHETHER.search(each) for each in asking) else ""


def topics(question: str) -> tuple[tuple[str, ...], ...]:
    """Return the keys that each thing asked for can be found under, in the order in which a question asks."""
    asking = " ".join(asked(question))
    found = [(match.start(), keys) for words, keys in ABOUT if (match := re.search(_beginning(words), asking))]
    return tuple(keys for _, keys in sorted(found, key=lambda each: each[0]))


def names_it(question: str, name: str) -> bool:
    """Return whether a question asks about something, at least by a word of its name; "it" may be all that it names."""
    asking = " ".join(asked(question))
    asking = question.casefold() if re.search(PRONOUN, asking) else asking
    return any(re.search(_beginning(re.escape(word)), asking) for word in re.findall(r"\w{3,}", name.casefold()))


def meant_by_it(question: str, names: list[str]) -> list[str]:
    """Return what a question is about that names nothing where it asks: for "its" what it has named last, else all."""
    whole = question.casefold()
    places = {name: [whole.rfind(word) for word in re.findall(r"\w{3,}", name.casefold())] for name in names}
    named = [name for name in names if max(places[name], default=-1) >= 0]
    if re.search(r"\b(its?|they|their|them)\b", " ".join(asked(question))):
        return sorted(named, key=lambda name: max(places[name]))[-1:]
    return named


def _beginning(words: str) -> str:
    return rf"\b(?:{words})"
