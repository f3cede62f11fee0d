"""Rules text into abilities, by the phrases that words declare, and abilities into text again.

A text is read paragraph by paragraph; what a paragraph is (a list of keywords, "cost: effect", "when event, effect", a
static statement, what a spell does) is tried in turn. A sentence is understood only if every word of it is accounted
for; reminder text in parentheses is apart. Where a sentence is not understood the reading says at which words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import import_module
from itertools import groupby
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine import flow
from rulekit.engine.abilities import WORDS, Ability, Term, walk, word
from rulekit.engine.antecedents import resolved
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR, Unread, in_order, joined, listed, replaced, tokens
from rulekit.engine.objects import GRANTER
from rulekit.engine.saying import say_ability
from rulekit.engine.statements import for_players
from rulekit.rules import nearest

VERSION = 1  # of the reader: what it makes of a text may be kept under the text and this number
MOST_TOKENS = 400  # of a paragraph; longer ones are not understood
MOST_LENGTH = 20_000  # characters of a text that are looked at
TARGETS = ("target", "target player")
SPELLS = ("Instant", "Sorcery")
IT = Term("it")
BASIC_MANA = {"Plains": "W", "Island": "U", "Swamp": "B", "Mountain": "R", "Forest": "G"}
EVERYWHERE = ("battlefield", "hand", "graveyard", "library", "exile", "stack")

WORD_MODULES = (
    "nouns",
    "costs",
    "sagas",
    "keywords",
    "trigger_events",
    "replacements",
    "changes",
    "statements",
    "instructions",
)

Words = tuple[str, ...]


@dataclass(frozen=True)
class Sentence:
    """One sentence of a text.

    Attributes:
        text: As printed.
        unread: The first phrase that could not be read; "" if the sentence is understood.
        expected: What could have stood there: words, or sorts in braces.
        known: Every word with which something could have begun there.
    """

    text: str
    unread: str = ""
    expected: tuple[str, ...] = ()
    known: frozenset[str] = field(default=frozenset(), compare=False, repr=False)

    @property
    def understood(self) -> bool:
        """Whether every word of it is accounted for."""
        return not self.unread

    @property
    def near(self) -> tuple[str, ...]:
        """What could have been meant by the first word that could not be read."""
        return nearest(self.unread.split(" ")[0], sorted(self.known))


@dataclass(frozen=True)
class CardReading:
    """What was made of the text of a card, of all its faces."""

    name: str
    abilities: tuple[Ability, ...]
    sentences: tuple[Sentence, ...]

    @property
    def status(self) -> str:
        """Say "understood", "partly" or "not understood"."""
        good = sum(sentence.understood for sentence in self.sentences)
        if good == len(self.sentences):
            return "understood"
        return "partly" if good else "not understood"


@lru_cache(maxsize=1)
def load_words() -> None:
    """Import every module that declares words, so that texts can be read."""
    for name in WORD_MODULES:
        import_module(f"rulekit.engine.{name}")


# ---------------------------------------------------------------- lists, costs, abilities within abilities

GRAMMAR.joints["cost"] = ((",", "and"), (",",), ("and",))
GRAMMAR.rule("costs", "{costs:cost+}", lambda costs: costs)
GRAMMAR.sayers["costs"] = lambda costs: ", ".join(GRAMMAR.say(cost) for cost in costs)
GRAMMAR.joints["keyword"] = ((",",), (";",), (",", "and"), ("and",))
GRAMMAR.rule("keyword line", "{keywords:keyword+}", lambda keywords: keywords)
GRAMMAR.rule("keyword", "protection from {one:quality} and from {two:quality}",
             lambda one, two: (Term("protection", (one,)), Term("protection", (two,))))  # fmt: skip
GRAMMAR.joints["granted"] = ((",", "and"), (",",), ("and",), (",", "or"), ("or",))
GRAMMAR.rule("abilities", "{abilities:granted+}", lambda abilities: abilities)
GRAMMAR.rule("granted", "{keyword:keyword}", lambda keyword: _expanded(keyword, True))
GRAMMAR.rule("granted", "{quoted:quoted}", lambda quoted: quoted)
GRAMMAR.sayers["abilities"] = lambda abilities: listed([_say_granted(ability) for ability in abilities])


def _say_granted(ability: Ability) -> str:
    """Say an ability as it stands in a list of what something has."""
    return text_of(ability) if ability.kind == "keyword" or ability.keyword else f'"{text_of(ability)}"'


def _expanded(keywords: Any, permanent: bool) -> tuple[Ability, ...]:
    from rulekit.engine.keywords import expand

    terms = keywords if isinstance(keywords, tuple) else (keywords,)
    return tuple(ability for term in terms for ability in expand(term, permanent))


@GRAMMAR.lexer("quoted")
def _quoted(words: Words, place: int) -> list[tuple[Any, int]]:
    """Read an ability between quotation marks."""
    if place >= len(words) or words[place] != '"' or '"' not in words[place + 1 :]:
        return []
    end = words.index('"', place + 1)
    try:
        return [(_of_its_own(words[place + 1 : end]), end + 1)]
    except Unread:
        return []


def _of_its_own(words: Words) -> tuple[Ability, ...]:
    """Read an ability that stands within another, with targets of its own."""
    text = joined(words)
    words = tuple(GRANTER if word == "~" else word for word in words)
    return tuple(replace(_numbered(each, 0)[0], text=each.text or text) for each in _paragraph(words, False, ()))


@GRAMMAR.lexer("token abilities")
def _token_abilities(words: Words, place: int) -> list[tuple[Any, int]]:
    """Read what abilities a token is created with, as the lines of its text."""
    found = []
    for abilities, end in GRAMMAR.prefixes("abilities", words, place):
        found.append(("\n".join(text_of(ability) for ability in abilities), end))
    return found


# ---------------------------------------------------------------- paragraphs

_PARENTHESES = re.compile(r"\s*\(([^()]*)\)")
_MODIFIERS: dict[str, dict[str, Any]] = {
    "only as a sorcery": {"timing": "sorcery"},
    "from your graveyard": {"zones": ("graveyard",)},
    "only when you could cast an instant": {"timing": "instant"},
    "in every zone": {"zones": EVERYWHERE},
    "X can't be 0": {"cost": (Term("X is not 0"),)},
}
_RESTRICTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("activate [this ability] only as a sorcery", {"timing": "sorcery"}),
    ("activate [this ability] only any time you could cast a sorcery", {"timing": "sorcery"}),
    ("activate [this ability] only as an instant", {"timing": "instant"}),
    ("activate [this ability] only any time you could cast an instant", {"timing": "instant"}),
    ("activate [this ability] only once each turn", {"limit": 1}),
    ("activate [this ability] only once", {"limit": 1}),
    ("activate [this ability] no more than twice each turn", {"limit": 2}),
    ("this ability triggers only once each turn", {"limit": 1}),
    ("do this only once each turn", {"limit": 1}),
    ("X can't be 0", {"cost": (Term("X is not 0"),)}),
)
for _said, _meant in _RESTRICTIONS:
    GRAMMAR.rule("restriction", _said, lambda meant=_meant: meant)
GRAMMAR.rule("restriction", "this ability costs {symbols:symbols} less to activate",
             lambda symbols: {"cost": (Term("costs less", (symbols, 1)),)})  # fmt: skip
GRAMMAR.rule("restriction", "this ability costs {symbols:symbols} less to activate {times:for each}",
             lambda symbols, times: {"cost": (Term("costs less", (symbols, times)),)})  # fmt: skip
GRAMMAR.rule(
    "restriction", "activate [this ability] only if {condition:condition}", lambda condition: {"condition": condition}
)
GRAMMAR.rule("restriction", "activate [this ability] only during your turn", lambda: {"condition": Term("your turn")})
GRAMMAR.rule("restriction", "{one:restriction} and only if {condition:condition}",
             lambda one, condition: one | {"condition": condition})  # fmt: skip
GRAMMAR.rule("restriction", "{one:restriction} and only once each turn", lambda one: one | {"limit": 1})


def _paragraph(words: Words, spell: bool, modifiers: tuple[str, ...], permanent: bool = True) -> tuple[Ability, ...]:
    """Read one paragraph.

    Args:
        words: Its tokens.
        spell: Whether it stands on an instant or sorcery.
        modifiers: What stood in parentheses and counts.
        permanent: Whether it stands on a permanent card.

    Returns:
        Its abilities.

    Raises:
        Unread: It is not understood.
    """
    load_words()
    if len(words) > MOST_TOKENS:
        raise Unread(words, 0, ("a shorter text",))
    while words and words[-1] == ".":
        words = words[:-1]
    furthest: Unread | None = None
    for read in _ways(words, spell):
        try:
            abilities = read(words, permanent)
        except Unread as unread:
            furthest = unread.further(furthest)
        else:
            return tuple(_modified(ability, modifiers) for ability in abilities)
    raise furthest or Unread(words, 0, ())


def _ways(words: Words, spell: bool) -> Iterator[Any]:
    """Yield the readers that may fit a paragraph, by what stands in it."""
    first = words[0].lower() if words else ""
    outside = _outside_quotes(words)
    if "→" in outside:
        yield _arrow
        return
    if first in ("when", "whenever", "at"):
        yield _triggered
    if first.upper() in CHAPTERS:
        yield _chapter
    if ":" in outside:
        yield _activated
        return
    yield _keywords
    if first == "as":
        yield _additional_cost
    if first in ("you", "if"):
        yield _alternative_cost
    yield _replacement
    if spell:
        yield _spell
    yield _static


def _outside_quotes(words: Words) -> Words:
    inside, found = False, []
    for each in words:
        inside ^= each == '"'
        found.append("" if inside else each)
    return tuple(found)


def _shifted(unread: Unread, words: Words, by: int) -> Unread:
    return Unread(words, unread.place + by, unread.expected, unread.known)


def _part(sort: str, words: Words, start: int, end: int) -> Any:
    """Read a part of a paragraph as one thing of a sort."""
    try:
        return GRAMMAR.read(sort, words[start:end])
    except Unread as unread:
        raise _shifted(unread, words, start) from None


def _keywords(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read a list of keywords; restrictions may follow one that is an activated ability."""
    end = words.index(".") if "." in words else len(words)
    found = _expanded(_part("keyword line", words, 0, end), permanent)
    while end < len(words):
        stop = words.index(".", end + 1) if "." in words[end + 1 :] else len(words)
        fields: dict[str, Any] = _part("restriction", words, end + 1, stop)
        if len(found) != 1 or found[0].kind != "activated":
            raise Unread(words, end + 1, ())
        found = (_restricted(found[0], fields),)
        end = stop
    return found


def _restricted(ability: Ability, fields: dict[str, Any]) -> Ability:
    fields = dict(fields)
    if "cost" in fields:
        fields["cost"] = ability.cost + fields["cost"]
    return replace(ability, **fields)


def _effects(words: Words, start: int) -> tuple[tuple[Term, ...], dict[str, Any]]:
    """Read the sentences of an effect, and the restrictions that stand behind them."""
    fields: dict[str, Any] = {}
    end = len(words)
    while True:
        last = max((place for place in range(start, end) if words[place] == "."), default=None)
        if last is None:
            break
        try:
            more: dict[str, Any] = GRAMMAR.read("restriction", words[last + 1 : end])
            fields |= more | {"cost": more.get("cost", ()) + fields.get("cost", ())}
        except Unread:
            break
        end = last
    does = _at(_part("effects", words, start, end), start)
    if any(_unplayable(term) for term in walk(does)):
        raise Unread(words, start, ())
    return flow.with_process(does), fields


def _unplayable(term: Term) -> bool:
    """Return whether the words of an effect fit together but say something that the game cannot do as it is said."""
    return term.op == "permit" and any(inner.op == "some of" for inner in term.walk())


def _at(value: Any, offset: int) -> Any:
    """Move the places of targets by an offset."""
    if isinstance(value, Term):
        args = tuple(_at(arg, offset) for arg in value.args)
        if value.op in TARGETS:
            args = (value.args[0] + offset, *args[1:])
        return Term(value.op, args)
    if isinstance(value, tuple):
        return tuple(_at(part, offset) for part in value)
    return value


def _trigger(event: Term, condition: Term | None, words: Words, start: int) -> tuple[Ability, ...]:
    does, fields = _effects(words, start)
    return (Ability("triggered", rule="603", event=event, condition=condition, effect=does, **fields),)


def _arrow(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "event → effect", with an "if" before the arrow or behind it."""
    arrow = _outside_quotes(words).index("→")
    try:
        return _trigger(_part("event", words, 0, arrow), None, words, arrow + 1)
    except Unread as unread:
        for place in range(arrow):
            if words[place : place + 2] == (",", "if"):
                event = _part("event", words, 0, place)
                return _trigger(event, _part("condition", words, place + 2, arrow), words, arrow + 1)
        raise unread


def _triggered(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "when event, [if condition,] effect"."""
    furthest: Unread | None = None
    for event, end in GRAMMAR.prefixes("event", words):
        if end >= len(words) or words[end] != ",":
            continue
        openings = [(None, end + 1)]
        if words[end + 1 : end + 2] == ("if",):
            openings = [(condition, stop + 1) for condition, stop in GRAMMAR.prefixes("condition", words, end + 2)
                        if words[stop : stop + 1] == (",",)] + openings  # fmt: skip
        for condition, start in openings:
            try:
                return _trigger(event, condition, words, start)
            except Unread as unread:
                furthest = unread.further(furthest)
    if furthest is not None:
        raise furthest
    return (_part("event", words, 0, len(words)),)  # says how far the event could be read


CHAPTERS = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7}


def _chapter(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "I, II — effect", a chapter ability of a Saga (714.2)."""
    dash = words.index("—") if "—" in words else 0
    numbers = tuple(CHAPTERS[word] for word in words[:dash] if word in CHAPTERS)
    if not dash or len(numbers) != (dash + 1) // 2:
        raise Unread(words, 1, ("—",))
    start = dash + 1
    for _, end in GRAMMAR.prefixes("flavor word", words, start):  # the name of the chapter
        start = end + 1
    does, fields = _effects(words, start)
    return (Ability("triggered", rule="714.2", event=Term("chapter", (numbers,)), effect=does, **fields),)


def _activated(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "cost: effect"."""
    colon = _outside_quotes(words).index(":")
    cost = _part("costs", words, 0, colon)
    does, fields = _effects(words, colon + 1)
    fields["cost"] = cost + fields.get("cost", ())
    loyalty = any(term.op == "loyalty" for term in cost)
    adds = any(term.op.startswith("add ") for term in does)
    mana = adds and not loyalty and not any(term.op in TARGETS for term in walk(does))
    ability = Ability("activated", rule="605" if mana else "606" if loyalty else "602", effect=does, mana=mana,
                      loyalty=loyalty, zones=_zones(cost + does), **fields)  # fmt: skip
    return (ability,)


def _zones(terms: tuple[Term, ...]) -> tuple[str, ...]:
    """Return where an ability works that moves its own card out of a zone: there only (113.6m)."""
    for term in walk(terms):
        if term.op == "this in":
            return (str(term.args[0]),)
    return ("battlefield",)


def _additional_cost(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "as an additional cost to cast this spell, cost"."""
    opening = tokens("as an additional cost to cast this spell ,")
    if tuple(word.lower() for word in words[: len(opening)]) != tuple(word.lower() for word in opening):
        raise Unread(words, 1, ("an additional cost to cast this spell, {costs}",))
    cost = _part("costs", words, len(opening), len(words))
    return (Ability("additional cost", rule="601.2b", cost=cost, zones=("stack",)),)


def _alternative_cost(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "[if condition,] you may cost rather than pay this spell's mana cost"."""
    read = _part("alternative", words, 0, len(words))
    condition, cost = read
    return (Ability("alternative cost", rule="118.9", cost=cost, condition=condition, zones=("hand",)),)


for _whose in ("this spell 's", "~ 's", "its"):
    GRAMMAR.rule("alternative", f"you may {{cost:costs}} rather than pay {_whose} mana cost", lambda cost: (None, cost))
    GRAMMAR.rule("alternative",
                 f"if {{condition:condition}} , you may {{cost:costs}} rather than pay {_whose} mana cost",
                 lambda condition, cost: (condition, cost))  # fmt: skip


def _replacement(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read a replacement or prevention effect."""
    ability: Ability = _part("replacement", words, 0, len(words))
    return (ability,)


def _spell(words: Words, permanent: bool) -> tuple[Ability, ...]:
    does, fields = _effects(words, 0)
    if fields:
        raise Unread(words, len(words) - 1, ())
    return (Ability("spell", rule="113.3a", effect=does, zones=("stack",)),)


# ---------------------------------------------------------------- static statements


@word("statement", op="apply", rule="611.3")
def _apply(frame: Frame, subject: Term | None = None, changes: tuple[Term, ...] = ()) -> None:
    """Change how objects are seen; `layers` carries it out."""


def _applied(subject: Term, changes: tuple[Term, ...]) -> tuple[Term, ...]:
    parts = subject.args[0] if subject.op == "together" else (subject,)
    players = [part for part in parts if WORDS[part.op].sort == "players"]
    others = tuple(part for part in parts if part not in players)
    found = tuple(term for who in players for change in changes for term in for_players(change, who))
    if others:
        found += (Term("apply", (others[0] if len(others) == 1 else Term("together", (others,)), changes)),)
    return found


GRAMMAR.joints["static"] = ((",", "and"), ("and",))
GRAMMAR.rule("static", "{subject:recipients} {changes:change+}", _applied)
GRAMMAR.rule("static", "{rule:rule}", lambda rule: (rule,))
Said = tuple["Term | None", tuple[Term, ...]]  # a condition, and what holds while it does


def _while(condition: Term, what: tuple[Term, ...]) -> Said:
    """Say that something holds while a condition does; "it" is what the condition is about."""
    return condition, _about(what, next(_subjects((condition,)), None))


def _behind(what: tuple[Term, ...], condition: Term) -> Said:
    """Say a condition behind what holds; "it" is what the statement is about."""
    subject = next(_subjects(what), None)
    return (condition if subject is None else replaced(condition, IT, subject)), what


def _about(what: tuple[Term, ...], subject: Term | None) -> tuple[Term, ...]:
    """Put what is spoken of in the place of the pronoun that statements are about."""
    return tuple(
        Term("apply", (subject, term.args[1]))
        if subject is not None and term.op == "apply" and term.args[0].op in ("it", "that")
        else term
        for term in what
    )


def _subjects(terms: tuple[Term, ...]) -> Iterator[Term]:
    for term in walk(terms):
        about = term.args[0] if term.op in ("is", "attached", "apply") else None
        if isinstance(about, Term) and about.op not in ("it", "that"):
            yield about


def _one_more(before: tuple[Said, ...], said: Said) -> tuple[Said, ...]:
    """Join statements; in a later one "it" is what the one before is about."""
    subject = next(_subjects(before[-1][1]), None)
    condition, what = said
    if subject is not None and condition is not None:
        condition = replaced(condition, IT, subject)
    return (*before, (condition, _about(what, subject)))


GRAMMAR.rule("statement", "{what:static+}", lambda what: (None, _about(what, next(_subjects(what), None))))
GRAMMAR.rule("statement", "as long as {condition:condition} , {what:static+}", _while)
GRAMMAR.rule("statement", "if {condition:condition} , {what:static+}", _while)
GRAMMAR.rule("statement", "{what:static+} (as long as|if) {condition:condition}", _behind)
GRAMMAR.rule("statement", "during your turn , {what:static+}", lambda what: (Term("your turn"), what))
GRAMMAR.rule("statement", "{what:static+} during your turn", lambda what: (Term("your turn"), what))
GRAMMAR.rule("statement", "{said:statement} , where X is {n:amount}", in_order(flow.where_x))
GRAMMAR.rule("statements", "{said:statement}", lambda said: (said,))
for _joint in (".", ";"):
    GRAMMAR.rule("statements", f"{{before:statements}} {_joint} {{said:statement}}", _one_more)


def _static(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read static statements; each with a condition of its own is an ability of its own."""
    statements: tuple[Said, ...] = _part("statements", words, 0, len(words))
    for condition, what in statements:
        subjects = [term.args[0] for term in what if term.op == "apply"]
        unclear = condition is not None and any(term.op in ("it", "that") for term in condition.walk())
        if unclear or any(subject.op in ("it", "that") for subject in subjects):
            raise Unread(words, 0, ("what the pronoun means",))
    found = []
    for condition, same in groupby(statements, key=lambda said: said[0]):
        effect = tuple(term for _, what in same for term in what)
        found.append(Ability("static", rule="113.3d", condition=condition, effect=effect, zones=_static_zones(effect)))
    return tuple(found)


def _static_zones(effect: tuple[Term, ...]) -> tuple[str, ...]:
    """Return where a static ability works: what it says of its own spell works on the stack (113.6d)."""
    own = (change for term in effect if term.op == "apply" and term.args[0] == Term("this") for change in term.args[1])
    return next((facts["own_zones"] for change in own if "own_zones" in (facts := WORDS[change.op].facts)),
                ("battlefield",))  # fmt: skip


# ---------------------------------------------------------------- cards


def _named(text: str, card: Card | None) -> str:
    """Put ~ where a text speaks of its own card by name."""
    if card is None:
        return text
    names = [card.name, card.name.removeprefix("A-")]
    for cut in (", ", " of ", " the "):
        if cut in names[-1]:
            names.append(names[-1].partition(cut)[0])
    if "Legendary" in card.types.supertypes:
        names.append(names[1].partition(" ")[0].rstrip(","))
    for name in dict.fromkeys(names):
        if len(name) > 2:
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "~", text)
    return text


def _lines(text: str) -> list[str]:
    """Return the paragraphs of a text; the modes of a list belong to what stands before them."""
    found: list[str] = []
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith(("•", "+ {")) and found:
            found[-1] += " " + line
        elif line:
            found.append(line)
    return found


def _counts(inside: str) -> list[str]:
    """Return the parts of what stands in parentheses that count; none if it is reminder text."""
    parts = [part.strip() for part in inside.split(",")]
    return parts if all(part in _MODIFIERS for part in parts) else []


def _without_reminders(line: str) -> tuple[str, tuple[str, ...]]:
    """Return a paragraph without what stands in parentheses, and those parts of it that count."""
    modifiers: list[str] = []
    for inside in _PARENTHESES.findall(line):
        modifiers += _counts(inside)
    return _PARENTHESES.sub("", line).strip(), tuple(modifiers)


def _modified(ability: Ability, modifiers: tuple[str, ...]) -> Ability:
    for modifier in modifiers:
        ability = _restricted(ability, _MODIFIERS[modifier])
    return ability


_ABILITY_WORD = re.compile(r"^[A-Z\"][^.:—\"]{1,45} — (?=\S)")


def _read_line(line: str, spell: bool, permanent: bool) -> tuple[tuple[Ability, ...], tuple[Sentence, ...]]:
    """Read a paragraph with its sentences; an ability word before a dash means nothing (207.2c)."""
    text, modifiers = _without_reminders(line)
    if not text:
        return (), ()
    words = tokens(text)
    try:
        return _paragraph(words, spell, modifiers, permanent), _all_understood(text)
    except Unread as first:
        unread = first
        rest = _ABILITY_WORD.sub("", text)
        if rest != text:
            try:
                return _paragraph(tokens(rest), spell, modifiers, permanent), _all_understood(text)
            except Unread as later:
                unread = _shifted(later, words, len(words) - len(later.words))
        return (Ability("unread", text=text),), _told(text, words, unread)


_SENTENCE = re.compile(r'(?<=[.;])\s+(?=(?:[^"]*"[^"]*")*[^"]*$)')


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE.split(text) if part]


def _all_understood(text: str) -> tuple[Sentence, ...]:
    return tuple(Sentence(sentence) for sentence in _sentences(text))


def _told(text: str, words: Words, unread: Unread) -> tuple[Sentence, ...]:
    """Tell for each sentence of a paragraph whether it is understood, by where the reading stopped."""
    found = []
    start = 0
    for sentence in _sentences(text):
        length = len(tokens(sentence))
        if unread.place < start + length or (unread.place == len(words) and start + length == len(words)):
            here = max(unread.place, start)
            phrase = joined(words[here : min(here + 8, start + length)]) or "(the end)"
            if unread.place >= start or not _reads_alone(sentence):
                known = (unread.expected, unread.known) if unread.place >= start else ((), frozenset())
                found.append(Sentence(sentence, phrase, *known))
                start += length
                continue
        found.append(Sentence(sentence))
        start += length
    return tuple(found)


def _reads_alone(sentence: str) -> bool:
    words = tokens(sentence)
    try:
        _spell(words[:-1] if words[-1:] == (".",) else words, False)
    except Unread:
        return False
    return True


@lru_cache(maxsize=16384)
def read_card(card: Card) -> CardReading:
    """Read the text of a card, of each of its faces.

    Returns:
        Its abilities (of the front face where there are several) and, sentence by sentence, what was understood.
    """
    if not card.faces:
        abilities, sentences = _read_text(card)
        return CardReading(card.full_name, abilities, sentences)
    readings = [_read_text(face) for face in card.faces]
    first = readings[0][0] if card.layout != "split" else tuple(a for abilities, _ in readings for a in abilities)
    return CardReading(card.full_name, first, tuple(s for _, sentences in readings for s in sentences))


def _read_text(card: Card) -> tuple[tuple[Ability, ...], tuple[Sentence, ...]]:
    spell = any(kind in card.types.types for kind in SPELLS)
    abilities: list[Ability] = []
    sentences: list[Sentence] = []
    slots = 0
    text = card.text if isinstance(card.text, str) else ""
    for line in _lines(text[:MOST_LENGTH]):
        named = _named(line, card)
        found, told = _read_line(named, spell, not spell)
        for ability in found:
            numbered, used = _numbered(ability, slots if ability.kind == "spell" else 0)
            slots = used if ability.kind == "spell" else slots
            abilities.append(_worded(numbered, named, line))
        sentences += told
    if len(text) > MOST_LENGTH:
        sentences.append(Sentence(text[MOST_LENGTH:][:100], text[MOST_LENGTH:][:40]))
    return (*_one_spell(abilities), *_intrinsic(card, abilities), *_lore(card)), tuple(sentences)


def _worded(ability: Ability, line: str, printed: str = "") -> Ability:
    """Return an ability with its normal wording, and with what is printed on the card."""
    plain = _PARENTHESES.sub(lambda found: found[0] if _counts(found[1]) else "", line)
    plain = plain.replace("~", "this").strip().rstrip(".")
    printed = _without_reminders(printed)[0] if printed else plain
    ability = replace(ability, text=ability.text or plain, printed=printed)
    return replace(ability, text=text_of(ability))


def _one_spell(abilities: list[Ability]) -> list[Ability]:
    """Join what the paragraphs of an instant or sorcery tell it to do, in their order (608.2c)."""
    parts = [ability for ability in abilities if ability.kind == "spell" and not ability.keyword]
    if len(parts) < 2:
        return abilities
    said, printed = ". ".join(part.text for part in parts), "\n".join(part.printed for part in parts)
    whole = replace(parts[0], text=said, printed=printed, effect=tuple(term for part in parts for term in part.effect))
    return [whole if ability is parts[0] else ability for ability in abilities if ability not in parts[1:]]


def _lore(card: Card) -> tuple[Ability, ...]:
    """Return that a Saga enters with a lore counter (714.3a)."""
    if "Saga" not in card.types.subtypes:
        return ()
    (ability,) = _paragraph(tokens("~ enters with a lore counter on it"), False, ())
    return (replace(ability, text="this enters with a lore counter on it", rule="714.3a"),)


def _intrinsic(card: Card, abilities: list[Ability]) -> list[Ability]:
    """Return the mana abilities of basic land types that the text does not show (305.6)."""
    found = []
    for kind, symbol in BASIC_MANA.items():
        if kind in card.types.subtypes:
            (ability,) = _paragraph(tokens(f"{{T}}: add {{{symbol}}}"), False, ())
            if ability not in abilities:
                found.append(replace(ability, text=f"{{T}}: add {{{symbol}}}", rule="305.6"))
    return found


def _numbered(ability: Ability, first: int) -> tuple[Ability, int]:
    """Give the targets of an ability their numbers, in the order of the text; the first is `first`."""
    places = sorted({term.args[0] for term in ability.terms() if term.op in TARGETS})
    slots = {place: first + index for index, place in enumerate(places)}

    def at(value: Any) -> Any:
        if isinstance(value, Term):
            args = tuple(at(arg) for arg in value.args)
            return Term(value.op, (slots[value.args[0]], *args[1:]) if value.op in TARGETS else args)
        return tuple(at(part) for part in value) if isinstance(value, tuple) else value

    ability = resolved(ability)
    changed = replace(ability, cost=at(ability.cost), event=at(ability.event), condition=at(ability.condition),
                      effect=at(ability.effect))  # fmt: skip
    return changed, first + len(places)


@lru_cache(maxsize=65536)
def abilities_of(card: Card) -> tuple[Ability, ...]:
    """Return the abilities that a card's text gives, sentences that are not understood among them as such."""
    return read_card(card).abilities


# ---------------------------------------------------------------- single texts


def read_filter(text: str) -> Term:
    """Read a description such as "nontoken creature an opponent controls".

    Raises:
        Unread: It is none.
    """
    load_words()
    found: Term = GRAMMAR.read("filter", text)
    return found


def read_effect(text: str) -> tuple[Term, ...]:
    """Read what a spell or ability would do, such as "mill three cards, then draw a card".

    Raises:
        Unread: It is not understood.
    """
    load_words()
    return _numbered(_spell(tokens(text.rstrip(". ")), False)[0], 0)[0].effect


def read_ability(
    text: str, card: Card | None = None, spell: bool = False, permanent: bool = True
) -> tuple[Ability, ...]:
    """Read one ability, or a list of keywords, such as "ward {2}".

    Args:
        text: One paragraph.
        card: The card whose name may stand in it.
        spell: Whether it says what an instant or sorcery does.
        permanent: Whether a keyword in it stands on a permanent card.

    Raises:
        Unread: It is not understood.
    """
    line, modifiers = _without_reminders(_named(text, card))
    try:
        abilities = _paragraph(tokens(line), spell, modifiers, permanent)
    except Unread:
        without_word = _ABILITY_WORD.sub("", line)
        if without_word == line:
            raise
        abilities = _paragraph(tokens(without_word), spell, modifiers, permanent)
    return tuple(_worded(_numbered(ability, 0)[0], line) for ability in abilities)


def reads_as_clause(text: str) -> bool:
    """Return whether words of a text can be read by themselves: as an effect, an event, a condition, a cost, a noun."""
    words = tokens(text.strip(" ."))
    for sort in ("effects", "deed done+", "event", "condition", "costs", "objects", "keyword line"):
        try:
            GRAMMAR.read(sort, words)
        except Unread:
            continue
        return True
    return False


@lru_cache(maxsize=65536)
def text_of(ability: Ability) -> str:
    """Say an ability in its normal wording; reading that again gives an equal ability.

    What the normal wording cannot say without a loss is said as it was read.
    """
    if ability.keyword or ability.kind in ("unread", "keyword"):
        return ability.text
    try:
        said = say_ability(ability)
        again = _paragraph(tokens(said), ability.kind == "spell", ())
    except (LookupError, Unread):
        return ability.text
    return said if tuple(_numbered(each, 0)[0] for each in again) == (ability,) else ability.text
