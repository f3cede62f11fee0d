"""Cards taken until their values add up: how many, and what they count, where values of several sizes add.

The cards taken are n - 1 cards whose values stay below the goal and one more card that reaches it. For each class that
the last card may be of, the others are chosen from the rest of the deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.combinations import Integers
from rulekit.probability.ways import Part, Tally, Vector, choices, shift_into, ways

Laws = dict[Any, tuple[NDArray[Any], Any]]


def taken_until(
    parts: Sequence[tuple[int, Part]],
    goal: int,
    group: int,
    tallies: Sequence[Tally],
    wanted: set[tuple[Vector, Any]],
    kind: Any,
) -> Laws:
    """Return what is counted when n cards were taken until their values reached a goal, that chance included.

    Args:
        parts: The deck: what a card adds to the goal, and the cards that do and that nothing asked tells apart.
        goal: What the values must reach.
        group: The group of piles in which the cards taken are counted, or -1.
        tallies: What is asked.
        wanted: Numbers of cards in each group, those taken not among them; and the number n of cards taken and whether
            they reached the goal, None if none were taken.
        kind: Type of the tables: np.float64, or object for Python integers.

    Returns:
        For each of those that are wanted a table over the tallies and what it is divided by.
    """
    limits = tuple(max(column) for column in zip(*(moved for moved, _ in wanted), strict=True))
    most = max((pending[0] for _, pending in wanted if pending), default=0)
    deck = [_beside(value, part, group, len(tallies)) for value, part in parts]
    wide = [Tally(-1, goal - 1, folds=False), *tallies]
    size = sum(part.size for _, part in parts)
    short = ways(deck, (most, *limits), wide, kind)
    ends = [(value, part, _without(deck, which)) for which, (value, part) in enumerate(parts) if value]
    reached = [(value, part, ways(rest, (most, *limits), wide, kind)) for value, part, rest in ends]
    nothing = (0,) * len(tallies)
    one = tuple(int(each == group) for each in range(len(limits)))
    laws: Laws = {}
    for moved, pending in wanted:
        n, done = pending or (0, False)
        if not done:
            laws[moved, pending] = (np.asarray(_cell(short, (n, *moved)).sum(0)), choices(size, (n, *moved)))
            continue
        found = np.zeros([tally.high + 1 for tally in tallies], kind)
        for value, part, table in reached:
            before = np.asarray(_cell(table, (n - 1, *moved))[max(0, goal - value) :].sum(0))
            shift_into(found, before, part.tallies(one) if limits else nothing, part.size, 0, tallies)
        laws[moved, pending] = (found, size * choices(size - 1, (n - 1, *moved)))
    return laws


def compositions(
    deck: Sequence[tuple[int, int, int]], goal: int, pendings: set[tuple[int, bool]], kind: Any
) -> dict[tuple[int, bool], tuple[Integers, NDArray[Any], int]]:
    """Return of what sorts n cards are that were taken until their values reached a goal, that chance included.

    Args:
        deck: For each class of cards what one adds to the goal, its sort (0, 1, ...), and how many there are.
        goal: What the values must reach.
        pendings: The numbers n of cards taken, and whether they reached the goal.
        kind: Type of the numbers of ways: np.float64, or object for Python integers.

    Returns:
        For each of them the numbers of cards of each sort (first axis), in how many ways, and out of how many.
    """
    sorts = 1 + max(sort for _, sort, _ in deck)
    most, size = max(n for n, _ in pendings), sum(number for _, _, number in deck)
    counts = [Tally(-1, sum(number for _, which, number in deck if which == sort)) for sort in range(sorts - 1)]
    units = [tuple(int(sort == each) for each in range(sorts - 1)) for sort in range(sorts)]
    parts = [Part(number, ((value, *units[sort]),), ((0,) * sorts,)) for value, sort, number in deck]
    wide = [Tally(-1, goal - 1, folds=False), *counts]
    short = ways(parts, (most,), wide, kind)
    reached = [(each, ways(_without(parts, which), (most,), wide, kind)) for which, each in enumerate(deck) if each[0]]
    found = {}
    for n, done in pendings:
        into = np.zeros([tally.high + 1 for tally in counts], kind)
        if not done:
            shift_into(into, np.asarray(_cell(short, (n,)).sum(0)), (0,) * len(counts), 1, 0, counts)
        for (value, sort, number), table in reached if done else ():
            before = np.asarray(_cell(table, (n - 1,))[max(0, goal - value) :].sum(0))
            shift_into(into, before, units[sort], number, 0, counts)
        cells = np.atleast_1d(into)  # with one sort there is nothing to tell them by
        there = np.nonzero(cells)
        first = np.array(there, np.int64)[: len(counts)]
        below = size * choices(size - 1, (n - 1,)) if done else choices(size, (n,))
        found[n, done] = (np.array([*first, n - first.sum(0)]), cells[there], below)
    return found


def _cell(table: NDArray[Any], at: Vector) -> NDArray[Any]:
    if any(place >= size for place, size in zip(at, table.shape, strict=False)):
        return np.zeros(table.shape[len(at) :], table.dtype)
    return np.asarray(table[at])


def _beside(value: int, part: Part, group: int, tallies: int) -> Part:
    """Give a part a group for the cards taken and a tally for what they add up to."""
    taken = part.adds[group] if group >= 0 else (0,) * tallies
    first = part.once[group] if group >= 0 else (0,) * tallies
    adds = ((value, *taken), *((0, *group) for group in part.adds))
    once = ((0, *first), *((0, *group) for group in part.once))
    return replace(part, adds=adds, once=once)


def _without(deck: list[Part], which: int) -> list[Part]:
    """Return the deck without one card of a part."""
    left = [replace(part, size=part.size - (place == which)) for place, part in enumerate(deck)]
    return [part for part in left if part.size]
