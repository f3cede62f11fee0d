"""Many trials of a program side by side, as arrays: the state of each, and the rows that look at no card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.desk import PLACES
from rulekit.probability.integers import WORD
from rulekit.probability.packed import TO_BOTTOM, Arrays, Code, Numbers, Term, Words
from rulekit.probability.word_arrays import Narrow, Small, U, below, chance_of, mix, narrow_for
from rulekit.probability.words import ODD

Bytes: TypeAlias = NDArray[np.uint8]
Some: TypeAlias = slice | Numbers


MOST_SMALL = 32767


def some_of(numbers: Numbers, count: int) -> Some:
    """Return increasing numbers below a count as what is quickest to index by: a slice if they are all."""
    return slice(None) if len(numbers) == count else numbers


@dataclass(frozen=True)
class Sums:
    """Say what cards add to a sum.

    Attributes:
        table: What a card of each class adds.
        last: What a card of the last class adds.
        steps: What a card of a class up to one adds more than one of the next: each such number, with its classes.
    """

    table: Numbers
    last: int
    steps: tuple[tuple[int, tuple[int, ...]], ...]

    def rows(self) -> int:
        """Return with how many numbers of cards the sum is made."""
        return sum(len(rows) for _, rows in self.steps)

    def of(self, hits: Narrow, size: int | NDArray[Any]) -> Numbers:
        """Return the sum in each of many trials.

        Args:
            hits: Array (classes - 1, trials): the number of cards of classes up to each.
            size: Number of cards.
        """
        total = np.full(hits.shape[1], size * np.int64(self.last)) if self.last or not self.steps else None
        for factor, rows in self.steps:
            wide = np.uint16 if hits.itemsize == 1 else np.int64
            part = hits[rows[0]] if len(rows) == 1 else hits[list(rows)].sum(0, wide)
            more = part.astype(np.int64)
            more *= factor
            if total is None:
                total = more
            else:
                total += more
        return np.zeros(hits.shape[1], np.int64) if total is None else total


def sums_of(table: Numbers) -> Sums:
    """Return what cards add to a sum."""
    more = (table[:-1] - table[1:]).tolist()
    steps = {each: tuple(k for k, one in enumerate(more) if one == each) for each in more if each}
    return Sums(table, int(table[-1]), tuple(steps.items()))


def least(number: int | Numbers, library: Small) -> int | Numbers:
    """Return how many cards there are up to a number; one number if that is the same in all trials."""
    if isinstance(number, int):
        number = min(number, MOST_SMALL)
        if number <= library.min(initial=MOST_SMALL):
            return number
    return np.minimum(number, library)


def wide(count: int | Numbers) -> int | Numbers:
    """Return numbers of cards as numbers that can be multiplied by weights."""
    return count if isinstance(count, int) else count.astype(np.int64)


class SideBySide:
    """Hold the state of trials, with the names that `desk` gives its numbers.

    The pool has a row for each class but the last one: how many of the cards in an unknown order are of a class up to
    this one. Its place r is the r-th card in the order of the classes. Cards known on top lie in `deck`.

    Trials whose game is lost wait for the next mark; `late` are those whose loss nobody has looked at yet. Behind the
    mark they are over: `ended` keeps the numbers of their cells, what they do no longer counts, and once they are many
    they are taken out; `place` keeps which trials the others are.
    """

    place: Numbers
    s: Words
    pos: Small
    top: Small
    beyond: Small
    above: Small
    head: Small
    tail: Small
    counted: Numbers
    tally: Numbers
    waiting: NDArray[np.bool_]
    lost: NDArray[np.bool_]
    late: NDArray[np.bool_]
    over: NDArray[np.bool_]
    registers: Numbers
    seen: Words
    filled: Small
    waits: Numbers
    happens: NDArray[np.bool_]

    def __init__(self, arrays: Arrays, most: int) -> None:
        """Make room for a number of trials.

        Args:
            arrays: The program.
            most: Most trials that are played at once.
        """
        weights, tally_weights = (
            np.append(each, np.zeros((PLACES + 1) * arrays.classes - len(each), np.int64))  # one pile that is none
            for each in (arrays.weights, arrays.tally_weights)
        )
        p = self.p = arrays._replace(weights=weights, tally_weights=tally_weights)
        self.rows: list[list[int]] = p.rows.tolist()
        self.jumps = any(row[0] in (Code.COIN, Code.WHEN, Code.JUMP) for row in self.rows)
        self.chances = [chance_of(*each) for each in p.chances[:, :2].tolist()]
        known = most if self.has_known() else 0
        self.deck = np.zeros((known, len(p.deck)), np.uint8)
        self.ring = np.zeros((known, len(p.bottom)), np.uint8)
        sizes = np.bincount(p.deck[p.known : p.top], minlength=p.classes)
        self.upto = np.cumsum(sizes)[: p.classes - 1 if p.looks else 0].astype(narrow_for(p.cards))[:, None]
        self.slots = np.cumsum([p.back >> pile & 1 for pile in range(PLACES)]) - 1
        self.stored = np.zeros((most, p.back.bit_count(), p.cards), np.uint8)
        self.words, self.spare = np.empty((2, most), U)
        self.streams = np.arange(most, dtype=U) * U(ODD)
        self.nothing = np.zeros(most, np.int64)
        self.nothing.flags.writeable = False
        self.out = np.zeros((p.marks, most), np.int64).T
        self.ended = np.zeros(most, np.int64)

    def begin(self, trials: int, first: int, key: int) -> None:
        """Lay out the decks."""
        p, n = self.p, trials
        self.pool: Narrow = np.empty((len(self.upto), n), self.upto.dtype)
        self.pool[:] = self.upto
        if len(self.ring):
            self.ring[:n, : p.below] = p.bottom[: p.below]
            self.deck[:n, p.start : p.known] = p.deck[p.start : p.known]
        self.place, self.begun, self.recorded_up_to = np.arange(n), n, 0
        self.s = mix(self.streams[:n] + U(key + first * ODD & WORD), spare=self.spare[:n])
        self.pos, self.top, self.beyond = (np.full(n, each, np.int16) for each in (p.start, p.top, p.top))
        self.above = self.head = self.tail = self.nothing.view(np.int16)[:n]
        if len(self.ring):
            known = (p.known - p.start, 0, p.below)
            self.above, self.head, self.tail = (np.full(n, each, np.int16) for each in known)
        self.tally = np.zeros(n, np.int64) if p.full else self.nothing[:n]
        self.counted = np.full(n, p.cell)
        self.uncounted: dict[int, tuple[Sums, Narrow]] = {}
        self.waiting, self.gone = np.ones((n, len(p.firsts)), bool), 0
        self.lost, self.late, self.over = np.zeros((3, n), bool)
        self.registers = np.zeros((n, len(p.register_weights)), np.int64)
        listed = PLACES if p.full else 0
        self.seen, self.filled = np.zeros((n, listed), U), np.zeros((n, listed), np.int16)
        self.waits, self.happens = np.zeros(n if self.jumps else 0, np.int64), np.ones(n, bool)

    @property
    def cell(self) -> Numbers:
        """The numbers of the cells."""
        for sums, cards in self.uncounted.values():
            self.counted += sums.of(cards[:-1], cards[-1])
        self.uncounted.clear()
        return self.counted

    def count_later(self, pile: int, sums: Sums, hits: Narrow, size: int | NDArray[Any]) -> None:
        """Let cards of the pool that all trials put on one pile be counted when next the number of a cell is asked for.

        Up to then no card comes back into the pool: the numbers stay narrow ones.
        """
        if pile not in self.uncounted:
            self.uncounted[pile] = (sums, np.zeros((len(hits) + 1, hits.shape[1]), hits.dtype))
        cards = self.uncounted[pile][1]
        cards[:-1] += hits
        if sums.last:
            cards[-1] += np.asarray(size, hits.dtype)

    def has_known(self) -> bool:
        """Tell whether any card in the library can ever be a known one."""
        kinds = {row[0] for row in self.rows}
        sent = any(row[8] == TO_BOTTOM for row in self.rows if row[0] == Code.UNTIL)
        return sent or bool(self.p.known or kinds & {Code.MULLIGAN, Code.LOOK})

    def here(self, q: int) -> Some:
        """Return the trials that have come to a row."""
        going = self.waits <= q if self.jumps else None
        if self.lost.any():
            going = ~self.lost if going is None else going & ~self.lost
        return slice(None) if going is None or going.all() else np.flatnonzero(going)

    def leave(self, lost: Numbers) -> None:
        """Let trials be over, and take all that are out when they are a quarter."""
        self.over[lost] = True
        self.gone += len(lost)
        if 4 * self.gone < len(self.over):
            return
        left, _ = np.flatnonzero(~self.over), self.cell
        self.gone, self.pool = 0, self.pool.take(left, 1)
        for name in SideBySide.__annotations__:
            if (each := getattr(self, name)).size:
                setattr(self, name, each[: len(left)] if each.base is self.nothing else each.take(left, 0))

    def numbered(self, mine: Some) -> Numbers:
        """Return trials by their numbers."""
        return np.arange(len(self.pos)) if isinstance(mine, slice) else mine

    def library(self, mine: Some) -> Small:
        """Count the cards in the library."""
        left: Small = self.top[mine] - self.pos[mine]
        return left + self.tail[mine] - self.head[mine] if len(self.ring) else left

    def total(self, which: int, mine: Some) -> Numbers:
        """Read a sum of values."""
        shift, mask, tally_shift, tally_mask, first, last = self.p.sums[which].tolist()
        total: Numbers = (self.cell[mine] >> shift & mask) + (self.tally[mine] >> tally_shift & tally_mask)
        for kind, piles, mask_place in self.p.terms[first:last].tolist():
            if kind == Term.LIBRARY:
                total = total + self.library(mine)
            elif kind == Term.LOST:
                total = total + (self.lost[mine] | self.late[mine])
            elif kind == Term.REGISTER:
                total = total + self.registers[mine, piles]
            else:
                total = total + self.features_seen(mine, piles, self.p.masks[mask_place])
        return total

    def features_seen(self, mine: Some, piles: int, mask: np.uint64) -> Numbers:
        """Count the features of a mask among the cards in a set of piles."""
        found = np.zeros(len(self.pos[mine]), U)
        for pile in range(PLACES):
            if piles >> pile & 1:
                found |= self.seen[mine, pile]
        found &= mask
        count = np.zeros(len(found), np.int64)
        while found.any():
            count += found != 0
            found &= found - U(1) * (found != 0)
        return count

    def number(self, row: list[int], mine: Some) -> int | Numbers:
        """Work out the number of a row; one number if it is the same in all trials."""
        if row[2] < 0:
            return row[1]
        which, numerator, denominator, up, factor, plus = self.p.amounts[row[2]].tolist()
        total = self.total(which, mine) * numerator + (denominator - 1 if up else 0)
        total = total // denominator * factor
        return np.asarray(np.maximum(total + plus * (total >= 1), 0))

    def skip(self, row: list[int], mine: Some, number: int | Numbers) -> None:
        """Move cards that nobody looks at."""
        count = least(number, self.library(mine))
        if row[7]:
            self.counted[mine] += wide(count) * row[7]
        if row[8]:
            self.tally[mine] += wide(count) * row[8]
        if len(self.ring):
            known = np.minimum(count, self.above[mine])
            self.above[mine] -= known
            self.pos[mine] += known
            unseen = np.minimum(count - known, self.top[mine] - self.pos[mine])
            self.head[mine] += count - known - unseen
            count = unseen
        self.top[mine] -= count

    def settle(self, mine: Numbers) -> None:
        """Decide which cards of the pools are those that moved unseen, and take them out."""
        while len(some := mine[self.beyond[mine] > self.top[mine]]):
            left = self.beyond[some] - self.pos[some] - self.above[some]
            self.s[some], place = below(self.s[some], left.astype(U))
            self.beyond[some] -= 1
            self.pool[:, some] -= place.astype(self.pool.dtype) < self.pool[:, some]

    def put_on_top(self, mine: Numbers, cards: Bytes) -> None:
        """Put a card before the first of each deck."""
        self.pos[mine] -= 1
        self.deck[self.place[mine], self.pos[mine]] = cards

    def put_in(self, mine: Numbers, cards: Bytes) -> None:
        """Put a card into each pool."""
        _ = self.cell
        self.pool[:, mine] += np.arange(len(self.pool))[:, None] >= cards

    def put_below(self, mine: Numbers, cards: Bytes) -> None:
        """Put a card on the bottom of each library."""
        self.ring[self.place[mine], self.tail[mine] & self.ring.shape[1] - 1] = cards
        self.tail[mine] += 1

    def shuffle(self, piles: int, mine: Numbers) -> None:
        """Put the known cards and those of piles into the unknown part."""
        self.settle(mine)
        while len(some := mine[self.above[mine] > 0]):
            self.above[some] -= 1
            self.put_in(some, self.deck[self.place[some], self.pos[some] + self.above[some]])
        while len(some := mine[self.head[mine] < self.tail[mine]]):
            self.put_in(some, self.ring[self.place[some], self.head[some] & self.ring.shape[1] - 1])
            self.pos[some] -= 1
            self.head[some] += 1
        for pile in range(PLACES):
            if piles >> pile & 1:
                self.return_pile(pile, mine)

    def return_pile(self, pile: int, mine: Numbers) -> None:
        """Put the cards of one pile into the unknown part."""
        filled = self.filled[mine, pile]
        most = int(filled.max(initial=0))
        cards = np.ascontiguousarray(self.stored[self.place[mine], self.slots[pile], :most].T)
        there = np.arange(most)[:, None] < filled
        gain, tally = np.zeros((2, len(mine)), np.int64)
        for each, held in zip(cards, there, strict=True):
            change = np.where(held, np.int64(pile), PLACES) * self.p.classes + each
            gain += self.p.weights.take(change)
            tally += self.p.tally_weights.take(change)
        self.cell[mine] -= gain
        self.tally[mine] -= tally
        for card in range(len(self.pool)):
            self.pool[card, mine] += ((cards <= card) & there).sum(0, self.pool.dtype)
        self.pos[mine] -= filled
        self.filled[mine, pile] = 0
        self.seen[mine, pile] = U(0)
