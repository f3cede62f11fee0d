"""Cards taken until their values add up: how many, and what they count, where values of several sizes add.

The cards taken are n - 1 cards whose values stay below the goal and one more card that reaches it. For each class that
the last card may be of, the others are chosen from the rest of the deck.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.chain import Vector
from rulekit.probability.law import Law, Part, Tally, choices, ways

Laws = dict[Any, tuple[NDArray[Any], Any]]


def deferred_laws(law: Law, moves: set[Vector], pendings: set[Any]) -> Laws:
    """Return what is counted when a deferred `Until` took n cards, its probability included.

    Args:
        law: The question.
        moves: Numbers of hidden cards in each group, the cards of the row not among them.
        pendings: For each the number n of cards taken and whether they reached the goal; None before that row.

    Returns:
        For each pair of these a table over the tallies and what it is divided by.
    """
    row, program = law.chain.deferred, law.program
    if row is None or not isinstance(row.goal, int):
        raise TypeError("only a chain with a deferred row has cards whose number is open.")
    place = program.counter(row.counter)
    values: dict[int, list[int]] = {}
    for number in law.chain.kinds[0]:
        values.setdefault(program.classes[number].adds[place], []).append(number)
    parts = [(value, part) for value, numbers in values.items() for part in law.parts_of(numbers)]
    limits = tuple(max(column) for column in zip(*moves, strict=True)) if law.groups else ()
    most = max((pending[0] for pending in pendings if pending), default=0)
    deck = [_beside(law, value, part) for value, part in parts]
    tallies = [Tally(-1, row.goal - 1, folds=False), *law.tallies]
    size = program.size
    kind = law.number_type(size, len(limits) + 1)

    short = ways(deck, (most, *limits), tallies, kind)
    ends = [(value, part, _without(deck, which)) for which, (value, part) in enumerate(parts) if value]
    reached = [(value, part, ways(rest, (most, *limits), tallies, kind)) for value, part, rest in ends]
    laws: Laws = {}
    for moved in moves:
        for pending in pendings:
            n, done = pending or (0, False)
            if done:
                below = size * choices(size - 1, (n - 1, *moved))
                laws[moved, pending] = (_reached(law, reached, n, moved, row.goal), below)
            else:
                laws[moved, pending] = (np.asarray(_cell(short, (n, *moved)).sum(0)), choices(size, (n, *moved)))
    return laws


def _reached(law: Law, ends: list[tuple[int, Part, NDArray[Any]]], n: int, moved: Vector, goal: int) -> NDArray[Any]:
    """Add up, over what the last card may be, the ways in which it is the one that reaches the goal."""
    shape = [tally.high + 1 for tally in law.tallies]
    found = np.zeros(shape, ends[0][2].dtype)
    for value, part, table in ends:
        before = _cell(table, (n - 1, *moved))[max(0, goal - value) :].sum(0)
        one = tuple(int(group == law.deferred) for group in range(len(law.groups)))
        law.shift(found, np.asarray(before), part.tallies(one) if law.groups else (), part.size)
    return found


def _cell(table: NDArray[Any], at: Vector) -> NDArray[Any]:
    if any(place >= size for place, size in zip(at, table.shape, strict=False)):
        return np.zeros(table.shape[len(at) :], table.dtype)
    return np.asarray(table[at])


def _beside(law: Law, value: int, part: Part) -> Part:
    """Give a part a group for the cards taken and a tally for what they add up to."""
    taken = part.adds[law.deferred] if law.deferred >= 0 else (0,) * len(law.tallies)
    first = part.once[law.deferred] if law.deferred >= 0 else (0,) * len(law.tallies)
    adds = ((value, *taken), *((0, *group) for group in part.adds))
    once = ((0, *first), *((0, *group) for group in part.once))
    return replace(part, adds=adds, once=once)


def _without(deck: list[Part], which: int) -> list[Part]:
    """Return the deck without one card of a part."""
    left = [replace(part, size=part.size - (place == which)) for place, part in enumerate(deck)]
    return [part for part in left if part.size]
