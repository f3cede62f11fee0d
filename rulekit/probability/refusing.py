"""What is told of a step of a plan that cannot be carried out: where its text stopped, and what can be said instead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.engine.parsing import Unread
from rulekit.engine.text import CardReading
from rulekit.probability.spoken import Unsaid
from rulekit.probability.unseen import Refused
from rulekit.rules import BadData, did_you_mean

SAYS = "mill, draw, exile, reveal, put, look at, scry, surveil, shuffle, repeat"
"""What a step of a plan can do with a library, in one word each."""

EXAMPLES = (
    "mill 10",
    "draw two cards",
    "each opponent mills half their library, rounded down",
    "target player mills two cards, then draws a card",
    "exile the top three cards of your library",
    "put the top four cards of your library into your graveyard",
    "reveal cards from the top of your library until you reveal a land card, then put those cards into your graveyard",
    "mill cards equal to the number of cards in your hand",
    "shuffle your graveyard into your library",
    "mill two cards. If two cards that share a color were milled this way, repeat this process",
    "scry 2",
    "surveil 2",
    "look at the top three cards of your library. Put one of them into your hand and the rest into your graveyard",
    "exile cards from the top of your library until you exile a nonland card",
    "put the top card of your library on the bottom of your library",
    "mill three cards. Draw a card for each land card milled this way",
    "if there are seven or more cards in your graveyard, draw a card",
)
"""Steps that are read, one of each kind; those that look at cards need `keep=`."""

_FOUND = (
    "exile cards from the top of your library until you exile a nonland card with mana value 3 or less. Put that card"
    " into your hand and the rest on the bottom of your library in a random order"
)
INSTEAD = {
    "cycling": "draw a card",
    "cycle": "draw a card",
    "dredge": "mill 3",
    "explore": "reveal the top card of your library. If it's a land card, put it into your hand. Otherwise, you may put"
    " it into your graveyard",
    "discover": _FOUND,
    "cascade": _FOUND.replace("Put that card into your hand and", "Put that card onto the battlefield and"),
    "connive": "draw a card",
    "connives": "draw a card",
    "learn": "draw a card",
    "manifest": "exile the top card of your library face down",
    "cloak": "exile the top card of your library face down",
    "seek": "reveal cards from the top of your library until you reveal a nonland card. Put that card into your hand,"
    " then shuffle",
}
"""What a step says in place of a keyword that does something to a library, as far as a library program can do it."""

ACTING = ("triggered", "activated")
"""The kinds of abilities that do something by themselves, as a step of a plan does."""

_LOOKS = ("scry", "surveil", "look at")
_WAITS = ("when ", "whenever ", "at the beginning ", "at the end ")
_SHOWN_EXAMPLES = 3
SHORT = 6  # words behind which no keyword alone is meant
_SHOWN_WORDS = 8
_SHOWN_BEHIND = 5
_COMMON = frozenset(
    re.findall(r"\w+", "a, the, of, your, card, then, into, and, from, this, that, to, if, two, three, four")
)


def nothing_replaced(card: Card | str, reading: CardReading, unread: str) -> BadData:
    """Return why a permanent is refused that has no replacement effect, and what can be said instead.

    Args:
        card: The card, or the name that stands in the plan.
        reading: What is read of its text.
        unread: The sentences that are not understood.
    """
    name, written = (card, repr(card)) if isinstance(card, str) else (card.name, "card")
    if any(ability.kind in ACTING for ability in reading.abilities):
        why = "what it does stands in a plan as a step."
        instead = (
            f"Plan.from_cards([{written}]) writes it as one; simulate(..., policy='eager', against=deck) plays it in"
            " whole games."
        )
    elif unread:
        why = f"this is not understood: {unread}"
        instead = "What it does can be a step, such as each_turn('mill two cards')."
    else:
        why = "a library program asks for nothing else of a permanent."
        instead = "Let games be played, in which it applies: simulate(..., policy='eager')."
    return BadData(f"{name} has no replacement effect; {why}", key="permanent", instead=instead)


@contextmanager
def telling(text: str, pool: CardPool | None = None) -> Iterator[None]:
    """Tell what is wrong with a text of a plan.

    Args:
        text: The text that is read and carried out inside.
        pool: Where names are looked up beside the catalogue, for whoever writes a name in the place of what it does.

    Raises:
        BadData: It is not understood, or no library program can say it.
    """
    try:
        yield
    except Unread as unread:
        raise BadData(_stopped(text, unread), key="plan", text=text, instead=_instead(text, unread, pool)) from None
    except Refused as refused:
        unsaid = isinstance(refused, Unsaid)
        what = "no step of a plan can say this" if unsaid else "no library program can say this"
        ways = [] if unsaid else ["Let games be played: simulate(..., policy='eager')."]
        ways += [_of_keyword(text)] * bool(_of_keyword(text))
        ways += [] if "keep=" in str(refused) else [_examples(text)]
        raise BadData(f"{what}, because {refused}.", key="plan", text=text, instead="\n  ".join(ways)) from None


def _stopped(text: str, unread: Unread) -> str:
    """Say up to where a text is understood."""
    read, rest = _parted(text, unread)
    near = did_you_mean(unread.near)
    if rest.lower().startswith(_WAITS):
        return f"'{_start(rest)}' waits for something; a plan says itself in which turns: each_turn, on_turn."
    if not rest:
        return f"it ends too soon: behind '{_end(read)}' something is missing."
    if _begins(unread):
        behind = f" behind '{_end(read)}'" if read else ""
        return f"no instruction that is known{behind} begins with '{_start(rest)}'.{near}"
    return f"it is understood up to '{_end(read)}', and not from '{_start(rest)}' on.{near}"


def _begins(unread: Unread) -> bool:
    """Return whether an instruction had to begin where the text stopped."""
    return not unread.place or bool({"{effect}", "{effects}"} & set(unread.expected))


def _parted(text: str, unread: Unread) -> tuple[str, str]:
    """Part a text, as it was written, where it stopped."""
    at = 0
    for word in unread.words[: unread.place]:
        found = text.lower().find(word.lower(), at)
        at = found + len(word) if found >= 0 else at
    return text[:at].strip(), text[at:].strip(" .")


def _start(text: str) -> str:
    """Give the first words of a text."""
    words = text.split()
    return " ".join(words[:_SHOWN_BEHIND]) + " ..." * (len(words) > _SHOWN_BEHIND)


def _end(text: str) -> str:
    """Give the last words of a text."""
    words = text.split()
    return "... " * (len(words) > _SHOWN_BEHIND) + " ".join(words[-_SHOWN_BEHIND:])


def _instead(text: str, unread: Unread, pool: CardPool | None) -> str:
    """Say what can stand where a text stopped, and steps that are read."""
    read, rest = _parted(text, unread)
    for cards in (pool, CardPool.catalogue()):
        if cards is not None and (name := cards.name_of(rest)):
            return f"'{name}' is a card: Plan.from_cards([{name!r}]) reads what it does.\n  {_examples(text)}"
    if keyword := _of_keyword(rest):
        return keyword
    words = [each for each in unread.expected if re.fullmatch(r"[\w' ]{2,}", each) and each != "'s"]
    if _begins(unread) or not words:
        return _examples(f"{text} {' '.join(unread.near)}")
    more = " and others" if len(words) > _SHOWN_WORDS else ""
    return f"Behind '{_end(read)}' there can stand: {', '.join(words[:_SHOWN_WORDS])}{more}.\n  {_examples(text)}"


def _of_keyword(text: str) -> str:
    """Say what to write in place of a keyword that a short text is about, empty if there is none."""
    words = text.lower().split()
    word = next((each for each in words if each in INSTEAD), "")
    if not word or len(words) > SHORT:
        return ""
    return f"Write what '{word}' does to the library, as far as a program can say it: '{INSTEAD[word]}'."


def _examples(text: str) -> str:
    """Say what a step can do, with the examples that are most like a text."""
    said = _content(text)
    ranked = sorted(EXAMPLES, key=lambda each: -len(said & _content(each)))
    shown = [f"'{each}'" + " with keep='land'" * each.startswith(_LOOKS) for each in ranked[:_SHOWN_EXAMPLES]]
    return f"A step says what a card would say of a library ({SAYS}), such as\n    " + "\n    ".join(shown)


def _content(text: str) -> set[str]:
    """Give the words of a text that say something, without the ending of a plural."""
    return {word.removesuffix("s") for word in re.findall(r"[a-z]+", text.lower())} - _COMMON
