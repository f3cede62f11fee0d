"""All states of the exact evaluator's chain at one moment: a column of integers for each, and their probabilities.

Rows change the columns of all states together. Things that are no numbers (an order of known cards) are numbered where
they first occur (`Numbered`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.combinations import Integers, runs

REST, TOP, BOTTOM, DEALT, SENT, LOST, TAKEN, REACHED, LEFT, GOAL, CARD, SEEN = range(12)
FIXED = 12
NOT_TAKEN, SHORT, DONE = range(3)  # of REACHED
WIDEST_KEY = 1 << 62
DENSE = 1 << 14
Variants = tuple[NDArray[Any], Integers]


class Columns:
    """Say what stands where in the column of a state.

    REST: unknown cards in the library. TOP and BOTTOM: number of what is known there (`Numbered`). DEALT: number of the
    opening hands that it may be (`hands.Dealt`), 0 if the hand is nothing apart. SENT: number of the piles to which
    cards went that such a hand had put on the bottom. LOST: 0, or AT_ONCE, or LATER. TAKEN and REACHED: number of
    cards that the deferred `Until` took, and whether it reached its goal. What the row under way needs: LEFT, cards
    that it has still to take; GOAL, what they must add up to; CARD, kind of the latest; SEEN, number of those seen in
    order.

    Then the known cards of each kind for each pile, the cards of each pile that nobody has looked at, the registers,
    and what the row under way has seen (twice a number for each kind: others, and those that it looks for).
    """

    def __init__(self, piles: int, kinds: int, registers: int) -> None:
        """Lay out columns."""
        self.piles, self.kinds = piles, kinds
        self.hidden = FIXED + piles * kinds
        self.registers = self.hidden + piles
        seen = self.registers + registers
        self.others, self.found = slice(seen, seen + kinds), slice(seen + kinds, seen + 2 * kinds)
        self.width = seen + 2 * kinds

    def known(self, pile: int) -> slice:
        """Return where the known cards of each kind of a pile stand."""
        return slice(FIXED + pile * self.kinds, FIXED + (pile + 1) * self.kinds)


class Crowd:
    """States with their probabilities.

    Attributes:
        cells: A column for each state (`Columns`).
        weights: The probabilities: float64, or objects (fractions).
    """

    __slots__ = ("cells", "weights")

    def __init__(self, cells: Integers, weights: NDArray[Any]) -> None:
        """Hold states."""
        self.cells, self.weights = cells, weights

    def __len__(self) -> int:
        return len(self.weights)

    def at(self, places: Any) -> Crowd:
        """Return the states at some places, or where a mask says so."""
        return Crowd(self.cells[:, places], self.weights[places])

    def times(self, shares: Any) -> Crowd:
        """Return the same states with other probabilities."""
        return Crowd(self.cells, self.weights * shares)

    def changed(self, row: int, values: Any) -> Crowd:
        """Return states in which one number is another."""
        cells = self.cells.copy()
        cells[row] = values
        return Crowd(cells, self.weights)

    def merged(self) -> Crowd:
        """Add up the probabilities of states that are the same."""
        if len(self) < 2:
            return self
        first, group = grouped(self.cells)
        if len(first) == len(self):
            return self
        return Crowd(self.cells[:, first], summed(self.weights, group, len(first)))

    def split(self, mask: NDArray[np.bool_]) -> tuple[Crowd, Crowd]:
        """Return the states where a mask holds, and the others."""
        return self.at(mask), self.at(~mask)

    def branched(self, rows: Sequence[int | Integers], variants: Callable[..., Variants]) -> Crowd:
        """Let states become one of several, by a few of their numbers.

        Args:
            rows: The numbers: places in the columns, or an array with one for each state.
            variants: Gives for such numbers the chance of each variant, and what it adds to the column.
        """
        if not len(self):
            return self
        ids = np.array([self.cells[row] if isinstance(row, int) else row for row in rows])
        first, group = grouped(ids)
        found = [variants(*ids[:, place].tolist()) for place in first]
        shares, steps = np.concatenate([each[0] for each in found]), np.concatenate([each[1] for each in found], 1)
        counts = np.array([len(each[0]) for each in found])
        places, turn = runs(counts[group])
        chosen = (np.cumsum(counts) - counts)[group][places] + turn
        return Crowd(self.cells[:, places] + steps[:, chosen], self.weights[places] * shares[chosen])


class Numbered:
    """Give numbers to things in the order in which they come; 0 is the empty tuple."""

    def __init__(self, sums: Callable[[Any], Sequence[int]], width: int) -> None:
        """Begin with the empty tuple.

        Args:
            sums: Gives integers that say of a thing what is asked of all of them together.
            width: How many integers.
        """
        self.things: list[Any] = [()]
        self._numbers: dict[Hashable, int] = {(): 0}
        self._of, self._width = sums, width
        self._sums = np.zeros((1, width), np.int64)

    def number(self, thing: Hashable) -> int:
        """Return the number of a thing."""
        if thing not in self._numbers:
            self._numbers[thing] = len(self.things)
            self.things.append(thing)
        return self._numbers[thing]

    def sums(self, numbers: Integers) -> Integers:
        """Return the integers of the things with some numbers, as columns."""
        if len(self._sums) < len(self.things):
            more = [self._of(thing) for thing in self.things[len(self._sums) :]]
            self._sums = np.concatenate([self._sums, np.array(more, np.int64).reshape(-1, self._width)])
        return self._sums[numbers].T


def joined(crowds: Iterable[Crowd], width: int) -> Crowd:
    """Return the states of several crowds in one; the same state may stand there twice."""
    filled = [crowd for crowd in crowds if len(crowd)]
    if len(filled) == 1:
        return filled[0]
    if not filled:
        return Crowd(np.zeros((width, 0), np.int64), np.zeros(0))
    cells = np.concatenate([crowd.cells for crowd in filled], 1)
    return Crowd(cells, np.concatenate([crowd.weights for crowd in filled]))


def grouped(rows: Integers) -> tuple[Integers, Integers]:
    """Sort columns of integers into groups of the same.

    Returns:
        A place where each group stands, and for each column the number of its group.
    """
    count = rows.shape[1]
    key, room = np.zeros(count, np.int64), 1
    low = rows.min(1)
    spans = (rows.max(1) - low + 1).tolist()
    for row, span in enumerate(spans):
        if span == 1:
            continue
        if room * span >= WIDEST_KEY:
            key, room = _renumbered(key)
        key, room = key * span + (rows[row] - low[row]), room * span
    if room > max(DENSE, 4 * count):
        key, room = _renumbered(key)
    there = np.zeros(room, np.bool_)
    there[key] = True
    group = (np.cumsum(there) - 1)[key]
    first = np.empty(int(np.count_nonzero(there)), np.int64)
    first[group] = np.arange(count)
    return first, group


def _renumbered(key: Integers) -> tuple[Integers, int]:
    found, place = np.unique(key, return_inverse=True)
    return place.reshape(-1).astype(np.int64), len(found)


def summed(weights: NDArray[Any], group: Integers, groups: int) -> NDArray[Any]:
    """Add up the weights of each group."""
    if weights.dtype != object:
        return np.bincount(group, weights, groups)
    found = np.zeros(groups, object)
    np.add.at(found, group, weights)
    return found
