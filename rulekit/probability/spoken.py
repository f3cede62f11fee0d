"""The texts of a plan: read as rules text, and refused where nothing stands in front of them that they speak of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import WORDS, Term, walk
from rulekit.engine.text import abilities_of, read_effect
from rulekit.probability.unseen import Refused

_PRONOUNS = ("it", "that", "them", "those")
_ELSEWHERE = {
    "later": "it waits for a later time; a plan says the turn itself: each_turn, on_turn",
    "modes": "it is for the player to choose a mode; write down the one that is chosen",
    "extra turn": "it brings another turn; a plan says itself what is done in how many turns",
    "win the game": "it ends the game",
    "lose the game": "it ends the game",
}


class Unsaid(Refused):
    """Something that no step of a plan can say, whether a program or games carry it out."""


def read_step(text: str) -> tuple[Term, ...]:
    """Read what is done in a turn of a plan.

    Args:
        text: Instructions in the words of rules text.

    Returns:
        Its effects.

    Raises:
        Unread: It is not understood.
        Unsaid: It waits, ends the game, or speaks of something that nothing in it names.
    """
    effects = read_effect(text)
    for term in walk(effects):
        if term.op in _ELSEWHERE:
            raise Unsaid(_ELSEWHERE[term.op])
        if term.op == "X":
            raise Unsaid("it does not say what X is")
        if WORDS[term.op].sort == "amount" and Term("this") in term.args:
            raise Unsaid("it speaks of the card that has it, and a step of a plan is on no card")
    first = next((term for term in _own(effects[:1]) if term.op in _PRONOUNS), None)
    if first is not None:
        raise Unsaid(f"'{first.op}' is something that is not named before")
    return effects


def waits_for_a_step(card: Card) -> bool:
    """Return whether an ability of a permanent waits for a step of the turn to begin, such as the upkeep (603.6)."""
    events = [ability.event for ability in abilities_of(card) if ability.event is not None]
    return any(term.op == "it begins" for event in events for term in event.walk())


def _own(value: Any) -> Iterator[Term]:
    """Yield the terms of an effect without the effects that it holds."""
    if isinstance(value, tuple):
        for part in value:
            yield from _own(part)
    elif isinstance(value, Term):
        yield value
        for arg in value.args:
            if not (isinstance(arg, tuple) and any(isinstance(e, Term) and WORDS[e.op].sort == "effect" for e in arg)):
                yield from _own(arg)
