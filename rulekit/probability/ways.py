"""Number of ways to choose cards for several groups of piles, by what they add up to."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.combinations import Integers, multinomial, over

AT_ONCE = 1_000_000  # cells
Vector = tuple[int, ...]


@dataclass(frozen=True)
class Part:
    """Cards that nothing asked tells apart.

    Attributes:
        size: Number of cards.
        adds: For each group of piles and each tally, what one card there adds.
        once: For each group and each tally, what the first such card there adds (different features).
    """

    size: int
    adds: tuple[Vector, ...]
    once: tuple[Vector, ...]

    @property
    def counts(self) -> bool:
        """Whether the cards add to any tally."""
        return any(map(any, self.adds)) or any(map(any, self.once))

    def tallies(self, moved: Vector) -> Vector:
        """Return what so many cards, in each group, add to each tally."""
        totals = []
        for tally in range(len(self.adds[0]) if self.adds else 0):
            total = sum(number * add[tally] for number, add in zip(moved, self.adds, strict=True))
            total += max((one[tally] for number, one in zip(moved, self.once, strict=True) if number), default=0)
            totals.append(total)
        return tuple(totals)


@dataclass(frozen=True)
class Tally:
    """Something that is added up for an axis: a counter, or whether a feature is there.

    Attributes:
        axis: Number of the axis.
        high: Largest number that is told apart.
        folds: Whether larger numbers are counted as `high`; else they are left out.
    """

    axis: int
    high: int
    folds: bool = True


def ways(parts: Iterable[Part], limits: Vector, tallies: Sequence[Tally], kind: Any) -> NDArray[Any]:
    """Count the ways to choose cards for several groups by what they add up to.

    Args:
        parts: The cards to choose from.
        limits: Largest number of cards in each group.
        tallies: What is added up.
        kind: Type of the numbers: np.float64, or object for Python integers.

    Returns:
        Array with a dimension for each group (its number of cards) and for each tally.
    """
    groups = len(limits)
    table = np.zeros((1,) * (groups + len(tallies)), kind)
    table[...] = 1
    for part in parts:
        steps = [(moved, part.tallies(moved)) for moved in _vectors(part.size, limits)]
        reach = [min(limit, size - 1 + part.size) for limit, size in zip(limits, table.shape, strict=False)]
        for place, tally in enumerate(tallies):
            most = max((add[place] for _, add in steps), default=0)
            reach.append(min(tally.high, table.shape[groups + place] - 1 + most))
        after = np.zeros([high + 1 for high in reach], kind)
        for moved, add in steps:
            number: Any = choices(part.size, moved)
            shift_into(after, table, (*moved, *add), float(number) if kind is np.float64 else number, groups, tallies)
        table = after
    return table


def shift_into(
    after: NDArray[Any], table: NDArray[Any], steps: Vector, times: Any, groups: int, tallies: Sequence[Tally]
) -> None:
    """Add a multiple of a table to another, moved along each dimension; a tally that folds keeps all at its end."""
    into, out = [], []
    for place, step in enumerate(steps):
        room = after.shape[place] - step
        tally = tallies[place - groups] if place >= groups else None
        if room < table.shape[place] and tally is not None and tally.folds and after.shape[place] == tally.high + 1:
            table = folded(table, place, max(room, 1))
            step = min(step, tally.high)
        room = after.shape[place] - step
        if room <= 0:
            return
        size = min(room, table.shape[place])
        into.append(slice(step, step + size))
        out.append(slice(0, size))
    after[tuple(into)] += table[tuple(out)] * times


def _vectors(size: int, limits: Vector) -> Iterator[Vector]:
    for moved in product(*(range(min(size, limit) + 1) for limit in limits)):
        if sum(moved) <= size:
            yield moved


def choices(size: int, moved: Vector) -> int:
    """Return the number of ways to choose so many of `size` cards for each group."""
    number = 1
    for each in moved:
        number *= math.comb(size, each)
        size -= each
    return number


def folded(law: NDArray[Any], axis: int, room: int) -> NDArray[Any]:
    """Shorten an axis: what lies beyond its new end is counted at the end."""
    kept = law.take(range(room), axis).copy()
    last = [slice(None)] * law.ndim
    last[axis] = slice(room - 1, room)
    kept[tuple(last)] = law.take(range(room - 1, law.shape[axis]), axis).sum(axis, keepdims=True)
    return kept


def laws_of(table: NDArray[Any], rest: int, size: int, moved: Integers, floats: bool) -> NDArray[Any]:
    """Return the laws of what cards add to the tallies.

    Args:
        table: Ways to choose of the cards that count, by their number in each group and what they add (`ways`).
        rest: Number of cards that add nothing.
        size: Number of all cards.
        moved: Numbers of cards in each group (columns).
        floats: Whether probabilities are float64; else fractions.

    Returns:
        For each column the probability of each cell of the tallies, flat.
    """
    groups = len(moved)
    flat = table.reshape(math.prod(table.shape[:groups]), -1)
    counted = np.indices(table.shape[:groups]).reshape(groups, 1, -1)
    in_floats = table.dtype != object
    laws = np.zeros((moved.shape[1], flat.shape[1]), np.float64 if floats else object)
    total = multinomial(size, moved, in_floats)
    for begin in range(0, moved.shape[1], step := max(1, AT_ONCE // counted.shape[2])):
        columns = slice(begin, begin + step)
        spare = multinomial(rest, moved[:, columns, None] - counted, in_floats)
        found = spare @ flat
        shares = over(found, total[columns, None], in_floats)
        laws[columns] = shares.astype(np.float64) if floats else shares
    return laws
