"""What a plan does to a deck, before it is asked what is counted: the draft of library programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulekit.cards.card import Card
from rulekit.probability.asked import Asked
from rulekit.probability.plan import Opening, Permanent, Plan, Step
from rulekit.probability.program import Program
from rulekit.probability.question import Counts
from rulekit.probability.rows import (
    Add,
    Axis,
    CardClass,
    Coin,
    FirstTurn,
    Mulligan,
    Row,
    Until,
    When,
    distinct,
    mapped,
    values_of,
    walk,
)
from rulekit.probability.unseen import OPPONENT, PLAYER, Sorted

Axes = tuple[Axis | FirstTurn, ...]


@dataclass(frozen=True)
class Said:
    """One thing that a plan says is done.

    Attributes:
        what: The opening hand, or a step of the plan.
        turn: The turn; 0 is before the first.
        rows: Places of its rows among those of the draft.
        in_draw_step: Whether it is done in the draw step: the first draw of each turn (504.1).
    """

    what: Opening | Step
    turn: int
    rows: range
    in_draw_step: bool = False


@dataclass(frozen=True)
class Draft:
    """A deck and what is done to it, from which a program is made for each question.

    Attributes:
        cards: The different cards of the library and how many of each, in the order of the deck.
        rows: What is done.
        said: What the plan says, from which the rows come, in order.
        permanents: What is on the battlefield, and when.
        counts: What the rows and the question may count.
        top: Places in `cards` of the known cards on top.
        bottom: Likewise at the bottom.
    """

    cards: tuple[tuple[Card, int], ...]
    rows: tuple[Row | Sorted, ...]
    said: tuple[Said, ...]
    permanents: tuple[tuple[Permanent, Card], ...]
    counts: Counts
    top: tuple[int, ...] = ()
    bottom: tuple[int, ...] = ()

    def program(self, axes: Axes, rows: tuple[Row, ...] | None = None) -> Program:
        """Return the program that records some axes.

        Args:
            axes: What is recorded.
            rows: What is done in place of the rows of the draft.

        Raises:
            TooMany: The library has more cards or more different ones than a program holds.
        """
        done = self._sorted() if rows is None else rows
        read = {value.name for axis in axes for value in axis.of if value.of == "register"}
        read |= {value.name for row in walk(distinct(done)) for value in values_of(row) if value.of == "register"}
        done = _without(done, read)
        counters = tuple(name for name in self.counts.counters if name in _counters(done, axes))
        classes = tuple(self._class(card, number, counters) for card, number in self.cards)
        return Program(classes, done, axes, counters, tuple(self.counts.features), self.top, self.bottom)

    def there(self, turn: int) -> tuple[tuple[Card, str], ...]:
        """Return the permanents that are on the battlefield in a turn, and who controls each."""
        return tuple((card, side(each.controller)) for each, card in self.permanents if is_there(each, turn))

    def _class(self, card: Card, number: int, counters: Sequence[str]) -> CardClass:
        adds = tuple(self.counts.counters[name](card) for name in counters)
        bits = sum(1 << place for place, has in enumerate(self.counts.features.values()) if has(card))
        return CardClass(number, adds, bits, (card.name,) * number)

    def _sorted(self) -> tuple[Row, ...]:
        """Put the destination of each card of the deck into the rows that sort by card."""

        def whole(row: Any) -> Row:
            if isinstance(row, Sorted):
                return row.look([card for card, _ in self.cards])
            if isinstance(row, Coin | When):
                then, otherwise = (tuple(map(whole, rows)) for rows in (row.then, row.otherwise))
                return replace(row, then=then, otherwise=otherwise)
            found: Row = row
            return found

        return mapped(self.rows, whole)


@dataclass(frozen=True)
class Part:
    """One deck that may be the one.

    Attributes:
        weight: How likely it is.
        draft: What is done to it.
        asked: What the names mean for it.
    """

    weight: Fraction
    draft: Draft
    asked: dict[str, Asked]


@dataclass(frozen=True)
class Question:
    """What was asked of which deck.

    Attributes:
        parts: The decks that may be the one.
        turns: The last turn.
        plan: What is done.
        deck: The deck, or the mixture of decks.
        notes: What the answer depends on and does not know, as sentences.
        unknown: Names of cards of which nothing else is known.
    """

    parts: tuple[Part, ...]
    turns: int
    plan: Plan
    deck: Any
    notes: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def side(who: str) -> str:
    """Return the name of a player in the games of plans: "player" or "opponent"."""
    return OPPONENT if who == "opponent" else PLAYER


def is_there(each: Permanent, turn: int) -> bool:
    """Tell whether a permanent of a plan is on the battlefield in a turn."""
    return each.first <= turn and (each.last is None or turn <= each.last)


def _counters(rows: tuple[Row, ...], axes: Axes) -> set[str]:
    names = set()
    every = tuple(walk(distinct(rows)))
    for row in every:
        if isinstance(row, Until):
            names.add(row.counter)
        if isinstance(row, Mulligan):
            names |= {keep.counter for keep in row.keep} | {surplus.counter for surplus in row.away}
    read = [value for thing in (*every, *axes) for value in values_of(thing)]
    return names | {value.name for value in read if value.of == "counter"}


def _without(rows: tuple[Row, ...], registers: set[str]) -> tuple[Row, ...]:
    """Leave out what is added to registers that nothing reads."""

    def bare(row: Row) -> Row:
        if isinstance(row, Coin | When):
            return replace(row, then=_without(row.then, registers), otherwise=_without(row.otherwise, registers))
        return row

    return mapped([row for row in rows if not isinstance(row, Add) or row.register in registers], bare)
