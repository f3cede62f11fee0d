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
DENSE, SPARSE = 1 << 18, 32  # up to so much room, or so much for each key, keys are counted and not sorted
Variants = tuple[NDArray[Any], Integers]


class Columns:
    """Say what stands where in the column of a state.

    REST: unknown cards in the library. TOP and BOTTOM: number of what is known there (`Numbered`). DEALT: number of the
    opening hands that it may be (`hands.Hands`), 0 if the hand is nothing apart. SENT: number of the piles to which
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
        rows: A row for each state, so that states can be picked out fast.
        weights: The probabilities: float64, or objects (fractions).
    """

    __slots__ = ("rows", "weights")

    def __init__(self, rows: NDArray[np.int32], weights: NDArray[Any]) -> None:
        """Hold states."""
        self.rows, self.weights = rows, weights

    @classmethod
    def of(cls, cells: Integers, weights: NDArray[Any]) -> Crowd:
        """Return states that are given as columns."""
        return cls(np.ascontiguousarray(cells.T, np.int32), weights)

    @property
    def cells(self) -> NDArray[np.int32]:
        """The same numbers as a column for each state (`Columns`); what is written there is written in the state."""
        return self.rows.T

    def __len__(self) -> int:
        return len(self.weights)

    def at(self, places: Integers) -> Crowd:
        """Return the states at some places."""
        return Crowd(self.rows.take(places, 0), self.weights.take(places))

    def times(self, shares: Any) -> Crowd:
        """Return the same states with other probabilities."""
        return Crowd(self.rows, self.weights * shares)

    def copied(self) -> Crowd:
        """Return the same states, for changes that others do not see."""
        return Crowd(self.rows.copy(), self.weights)

    def changed(self, row: int, values: Any) -> Crowd:
        """Return states in which one number is another."""
        crowd = self.copied()
        crowd.cells[row] = values
        return crowd

    def merged(self) -> Crowd:
        """Add up the probabilities of states that are the same."""
        if len(self) < 2:
            return self
        first, group = grouped(self.cells)
        if len(first) == len(self):
            return self
        return Crowd(self.rows.take(first, 0), summed(self.weights, group, len(first)))

    def split(self, mask: NDArray[np.bool_]) -> tuple[Crowd, Crowd]:
        """Return the states where a mask holds, and the others."""
        there = np.flatnonzero(mask)
        if 0 < len(there) < len(self):
            return self.at(there), self.at(np.flatnonzero(~mask))
        nobody = Crowd(self.rows[:0], self.weights[:0])
        return (self, nobody) if len(there) else (nobody, self)

    def branched(
        self, ids: Integers, variants: Callable[..., Variants], known: dict[tuple[int, ...], Variants]
    ) -> Crowd:
        """Let states become one of several, by a few of their numbers.

        Args:
            ids: The numbers (first axis) of each state.
            variants: Gives for such numbers the chance of each variant, and what it adds to the column.
            known: Keeps what `variants` gave.
        """
        if not len(self):
            return self
        first, group = grouped(ids)
        keys = list(map(tuple, ids[:, first].T.tolist()))
        for key in keys:
            if key not in known:
                known[key] = variants(*key)
        found = [known[key] for key in keys]
        shares, steps = np.concatenate([each[0] for each in found]), np.concatenate([each[1] for each in found], 1)
        counts = np.array([len(each[0]) for each in found])
        places, turn = runs(counts[group])
        chosen = (np.cumsum(counts) - counts)[group][places] + turn
        rows = self.rows.take(places, 0)
        rows += np.ascontiguousarray(steps.T, np.int32).take(chosen, 0)
        return Crowd(rows, self.weights.take(places) * shares.take(chosen))


class Grown:
    """Changes of states that are added up before there are columns for them.

    Attributes:
        places: The number of the state for each change.
        times: For each kind of change (first axis) how often it happens.
        steps: For each kind of change (first axis) what it adds to a column.
        chances: How likely each is.
    """

    def __init__(self, places: Integers, times: Integers, steps: Integers, chances: NDArray[Any]) -> None:
        """Hold changes; see the attributes."""
        self.places, self.times, self.steps, self.chances = places, times, steps, chances

    def of(self, crowd: Crowd) -> Crowd:
        """Return the states after the changes, those that are the same added up."""
        if not len(self.places):
            return crowd.at(self.places)
        most = self.times.max(1)[:, None] * self.steps
        cells = crowd.cells.astype(np.int64, "C")
        low = cells.min(1) + np.minimum(most, 0).sum(0)
        spans = (cells.max(1) + np.maximum(most, 0).sum(0) - low + 1).tolist()
        key, room = np.zeros(len(crowd), np.int64), 1
        moves = np.zeros(len(self.steps), np.int64)
        for row, span in enumerate(spans):
            if span > 1:
                key, moves = key * span + (cells[row] - low[row]), moves * span + self.steps[:, row]
                room *= span
        weights = crowd.weights.take(self.places) * self.chances
        if room >= WIDEST_KEY:
            after = crowd.at(self.places)
            after.cells[:] += self.steps.T @ self.times
            return Crowd(after.rows, weights).merged()
        first, group = _by_key(key.take(self.places) + moves @ self.times, room)
        after = crowd.at(self.places[first])
        after.cells[:] += self.steps.T @ self.times[:, first]
        return Crowd(after.rows, summed(weights, group, len(first)))


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
        return Crowd(np.zeros((0, width), np.int32), np.zeros(0))
    rows = np.concatenate([crowd.rows for crowd in filled])
    return Crowd(rows, np.concatenate([crowd.weights for crowd in filled]))


def grouped(rows: NDArray[Any]) -> tuple[Integers, Integers]:
    """Sort columns of integers into groups of the same.

    Returns:
        A place where each group stands, and for each column the number of its group.
    """
    rows = rows.astype(np.int64, "C")
    low = rows.min(1)
    key, room = np.zeros(rows.shape[1], np.int64), 1
    for row, span in enumerate((rows.max(1) - low + 1).tolist()):
        if span == 1:
            continue
        if room * span >= WIDEST_KEY:
            key, room = _renumbered(key)
        key, room = key * span + (rows[row] - low[row]), room * span
    return _by_key(key, room)


def _by_key(key: Integers, room: int) -> tuple[Integers, Integers]:
    """Sort places into groups by a key from 0 up to some room (`grouped`)."""
    if room > max(DENSE, SPARSE * len(key)):
        key, room = _renumbered(key)
    there = np.zeros(room, np.bool_)
    there[key] = True
    found = np.flatnonzero(there)
    rank = np.empty(room, np.int32)
    rank[found] = np.arange(len(found))
    group = rank[key].astype(np.int64)
    first = np.empty(len(found), np.int64)
    first[group] = np.arange(len(key))
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
