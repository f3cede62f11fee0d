"""Cards of the unknown part of many libraries taken in step: the k-th card of each trial in the same call of NumPy."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.packed import GROUP, Arrays, Code, Numbers, Words
from rulekit.probability.side_by_side import Bytes, SideBySide, Some, Sums, sums_of
from rulekit.probability.word_arrays import Narrow, Places, U

MOST_STEPS = 16
FEWEST_STEPS = 6
Held = TypeVar("Held", "Took", "Hands")


@dataclass(frozen=True)
class Adds:
    """Say what the cards add that a row takes.

    Attributes:
        total: Sums of the local table.
        gain: What they add to the number of the cell if all go to the pile of the row.
        tally: The same for the tally.
        each: Whether that is better summed up card by card than class by class.
    """

    total: Sums
    gain: Sums
    tally: Sums
    each: bool


@dataclass
class Took:
    """Hold what a row took in each of some trials.

    Attributes:
        size: Number of cards; one number if it is the same in all trials.
        total: Their sum in the local table, if the row asks for it.
        gain: What they add to the number of the cell if all go to the pile of the row.
        tally: The same for the tally.
        features: Their features.
        cards: uint8 array (cards + 1, trials): their classes; no rows where nobody needs them.
        before: The pools before.
        counted: Whether what they add to the number of the cell is counted already.
    """

    size: Any
    total: Numbers
    gain: Numbers
    tally: Numbers
    features: Words
    cards: Bytes
    before: Narrow
    counted: bool = False

    def only(self, some: Numbers) -> Took:
        """Leave out all trials but some."""
        return of_some(self, some)


@dataclass
class Hands:
    """Cards of the unknown part that are being taken in step.

    Attributes:
        who: Which of the trials that the row takes cards in these are.
        lanes: Which of all trials.
        s: The random streams.
        pool: The pools, see `SideBySide`.
        hit: Where the last card of each trial was of a class up to each.
        left: Number of cards in the pool at first; one number if it is the same in all trials.
        last: Number of steps after which it ends; one number if it is the same in all trials.
        shut: All bits where it has ended, else 0; None while it goes on everywhere.
        size: Number of cards that were taken, if it ends at a sum.
        total: Their sum, if it ends at one.
        goal: Sum at which it ends.
    """

    who: Some
    lanes: Some
    s: Words
    pool: Narrow
    hit: NDArray[np.bool_]
    left: Any
    last: Any
    shut: Narrow | None = None
    size: Any = None
    total: Any = None
    goal: Any = None


def of_some(held: Held, some: Numbers) -> Held:
    """Leave out all trials but some; arrays have their numbers along the last axis."""
    mine = (getattr(held, each.name) for each in fields(held))
    return type(held)(*(each.take(some, -1) if np.ndim(each) else each for each in mine))


class Picks(SideBySide):
    """Hold the state of trials, and take cards of the unknown parts."""

    def __init__(self, arrays: Arrays, most: int) -> None:
        """Make room for a number of trials; see `SideBySide`."""
        super().__init__(arrays, most)
        self._adds: dict[tuple[int, int], Adds] = {}
        room = slice(most if arrays.looks else 0)
        self.places = Places(self.words[room], self.spare[room], arrays.product, arrays.limit)

    def adds(self, row: list[int]) -> Adds:
        """Return what cards add that a row takes."""
        local, pile = row[6] if row[0] in (Code.UNTIL, Code.MULLIGAN) else 0, row[3]
        if (local, pile) not in self._adds:
            p, classes = self.p, self.p.classes
            total = sums_of(p.local[local * classes : (local + 1) * classes])
            gain, tally = (
                sums_of(each[pile * classes : (pile + 1) * classes]) for each in (p.weights, p.tally_weights)
            )
            steps = total.rows() + len(gain.steps) + p.full * (len(tally.steps) + classes)
            self._adds[local, pile] = Adds(total, gain, tally, steps > MOST_STEPS)
        return self._adds[local, pile]

    def take_unknown(self, row: list[int], mine: Some, most: Any, goal: Any, each: bool, later: bool = False) -> Took:
        """Take cards of the unknown part in step.

        Args:
            row: The row.
            mine: The trials.
            most: Most cards, no more than there are.
            goal: Sum at which it ends; None if there is none.
            each: Whether the cards are needed one by one.
            later: Whether they all go to the pile of the row, and may be counted later.
        """
        adds = self.adds(row)
        before = self.pool[:, mine].copy() if isinstance(mine, slice) else self.pool.take(mine, 1)
        size = same_in_all(most)
        hands = self.hands(adds, mine, size, goal, before)
        steps = size if isinstance(size, int) else int(size.max(initial=0))
        n, rows = before.shape[1], steps + 1 if each or adds.each else 0
        nothing, cards = self.nothing[:n], np.zeros((rows, n), np.uint8)
        if goal is not None:
            size = np.zeros(n, before.dtype)
        took = Took(size, nothing, nothing, nothing, nothing.view(U), cards, before)
        self.take_all(adds, hands, took, steps)
        self.pos[mine] += took.size
        if later and isinstance(mine, slice) and not (adds.each or self.p.full):
            took.counted = True
            self.count_later(row[3], adds.gain, before - self.pool, took.size)
        else:
            self.sum_up(row, mine, took)
        return took

    def take_all(self, adds: Adds, hands: Hands, took: Took, steps: int) -> None:
        """Take cards until all trials are done."""
        for step in range(0, steps, GROUP):
            hands = self.going_on(hands, took, steps - step)
            if not len(hands.s):
                break
            count = min(GROUP, steps - step)
            going = None if hands.shut is None else hands.shut == 0
            left = hands.left - step
            if not isinstance(left, int) and left.min() < 1:
                left = np.maximum(left, 1)
            if hands.size is None:
                places = self.places.draw(hands.s, left, hands.last - step, count, going)
            else:
                places = self.places.draw(hands.s, left, GROUP, GROUP, going)
            for i in range(count):
                self.pick(adds, hands, took, places[i], step + i)
        self.keep(hands, took)

    def hands(self, adds: Adds, mine: Some, last: Any, goal: Any, before: Narrow) -> Hands:
        """Lay out the cards that come next."""
        left = same_in_all(self.beyond[mine] - self.pos[mine])
        pool, s = (self.pool, self.s) if isinstance(mine, slice) else (before.copy(), self.s[mine])
        hands = Hands(slice(None), mine, s, pool, np.empty(pool.shape, bool), left, last)
        if np.ndim(last):
            hands.last = last = last.astype(pool.dtype)
            self.shut(hands, last == 0)
            if ((last == 0) | (last == last.max(initial=0))).all():
                hands.last = int(last.max(initial=0))
        if goal is not None:
            beyond = int(np.abs(adds.total.table).max()) * (self.p.cards + 2) + 1
            kind = next(each for each in (np.int8, np.int16, np.int64) if beyond < np.iinfo(each).max)
            hands.size, hands.total = np.zeros(len(s), pool.dtype), np.zeros(len(s), kind)
            hands.goal = np.asarray(same_in_all(np.minimum(goal, beyond)), kind)
            self.shut(hands, np.broadcast_to(hands.goal <= 0, len(s)))
        return hands

    def shut(self, hands: Hands, ending: NDArray[np.bool_]) -> None:
        """Let trials be done: a place with all its bits set is behind all cards."""
        ended = np.negative(ending.astype(hands.pool.dtype))
        hands.shut = ended if hands.shut is None else np.bitwise_or(hands.shut, ended, out=hands.shut)

    def going_on(self, hands: Hands, took: Took, steps: int) -> Hands:
        """Leave out trials that are done once they are more than half, if enough steps are still to come."""
        if hands.shut is None or steps < FEWEST_STEPS or 2 * np.count_nonzero(hands.shut) <= len(hands.shut):
            return hands
        self.keep(hands, took)
        every = np.arange(len(hands.s))
        hands.who = every if isinstance(hands.who, slice) else hands.who
        hands.lanes = every if isinstance(hands.lanes, slice) else hands.lanes
        return of_some(hands, np.flatnonzero(hands.shut == 0))

    def pick(self, adds: Adds, hands: Hands, took: Took, places: Narrow, step: int) -> None:
        """Take the next card of each pool."""
        hit: NDArray[np.bool_] = hands.hit
        card = self.nothing[:0]
        if hands.shut is not None:
            places |= hands.shut
        np.less(places, hands.pool, out=hit)
        hands.pool -= hit.view(np.uint8) if hands.pool.itemsize == 1 else hit.astype(hands.pool.dtype)
        if len(took.cards):
            card = np.subtract(np.uint8(len(hit)), np.add.reduce(hit.view(np.uint8), 0, np.uint8))
            took.cards[step, hands.who] = card
        if hands.goal is not None:
            self.add_up(adds.total, hands, card)
        if np.ndim(hands.last):
            self.shut(hands, hands.last <= step + 1)

    def add_up(self, sums: Sums, hands: Hands, card: NDArray[Any]) -> None:
        """Add the next card to the sum at which it ends."""
        total, going = hands.total, hands.shut == 0
        hands.size += going
        if sums.rows() > MOST_STEPS:
            total += sums.table.take(card).astype(total.dtype) * going
        else:
            if sums.last:
                total += going * total.dtype.type(sums.last)
            for factor, rows in sums.steps:
                for each in rows:
                    hit = hands.hit[each].view(np.int8)
                    total += hit if factor == 1 else hit * total.dtype.type(factor)
        self.shut(hands, total >= hands.goal)

    def keep(self, hands: Hands, took: Took) -> None:
        """Keep what was taken."""
        if not isinstance(hands.lanes, slice):
            self.s[hands.lanes] = hands.s
            self.pool[:, hands.lanes] = hands.pool
        if hands.size is not None:
            took.size[hands.who] = hands.size

    def sum_up(self, row: list[int], mine: Some, took: Took) -> None:
        """Sum up what the cards add that were taken."""
        adds, hits = self.adds(row), took.before - self.pool[:, mine]
        asked = {"gain": adds.gain}
        if row[0] == Code.MULLIGAN or (row[0] == Code.UNTIL and len(self.ring)):
            asked["total"] = adds.total
        if self.p.full:
            asked["tally"] = adds.tally
        for name, sums in asked.items():
            setattr(took, name, one_by_one(sums.table, took) if adds.each else sums.of(hits, took.size))
        if self.p.full:
            took.features = self.features_of(took, hits, adds.each)

    def features_of(self, took: Took, hits: Narrow, each: bool) -> Words:
        """Return the features of the cards that were taken."""
        found, features = np.zeros(hits.shape[1], U), self.p.features
        if each:
            for i, cards in enumerate(took.cards[: np.max(took.size, initial=0)]):
                found |= features.take(cards) * (took.size > i)
            return found
        size = np.broadcast_to(np.asarray(took.size, hits.dtype), hits.shape[1])
        upto = np.vstack([np.zeros_like(size), hits, size])
        for card in np.flatnonzero(features).tolist():
            found |= features[card] * (upto[card + 1] > upto[card])
        return found


def one_by_one(table: Numbers, took: Took) -> Numbers:
    """Sum up what the cards add that were taken, card by card."""
    total = np.zeros(took.cards.shape[1], np.int64)
    for i, cards in enumerate(took.cards[: np.max(took.size, initial=0)]):
        total += table.take(cards) * (took.size > i)
    return total


def same_in_all(numbers: Any) -> Any:
    """Return the one number of which an array has nothing but copies, as an int; else the array."""
    if not np.ndim(numbers):
        return int(numbers)
    return int(numbers[0]) if len(numbers) and (numbers == numbers[0]).all() else numbers
