"""What is known of the cards in all states of the exact evaluator's chain, and what looking at them shows.

A state holds, for each pile, how many cards of each kind are known to lie there and how many *hidden* cards nobody has
looked at; hidden cards and the unknown part of the library are one pool, in random order. An opening hand after
mulligans, and the cards that it put on the bottom, stay one of many (`hands.Hands`) until somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.combinations import Integers, parted
from rulekit.probability.crowd import (
    BOTTOM,
    CARD,
    DEALT,
    LEFT,
    LOST,
    REST,
    SENT,
    TAKEN,
    TOP,
    Columns,
    Crowd,
    Numbered,
    Variants,
    joined,
)
from rulekit.probability.hands import NOTHING, Hands, opening
from rulekit.probability.kinds import minus, one_of, splits
from rulekit.probability.program import Program
from rulekit.probability.rows import Amount, Mulligan, Until, Value
from rulekit.probability.ways import Vector


class Knowledge:
    """Read states, look at cards, and take cards from the library.

    Attributes:
        program: What is run.
        floats: Whether probabilities are float64; else exact fractions.
        kinds: For each kind the numbers of its classes; no row treats two classes of a kind differently.
        sizes: Number of cards of each kind.
        piles: The piles of the program.
        names: The registers.
        deferred: The `Until` row whose cards are counted as taken, if there is one.
        columns: What stands where in a state.
        tops, bottoms: What is known on top (kinds of cards) and on the bottom (blocks: cards of each kind, shuffled).
        sents: The piles to which cards went that an opening hand had put on the bottom, the uppermost first.
        dealts: The opening hands that may have been kept.
    """

    def __init__(
        self, program: Program, floats: bool, kinds: tuple[Vector, ...], names: tuple[str, ...], deferred: Until | None
    ) -> None:
        """Know nothing yet; see the attributes."""
        self.program, self.floats, self.kinds, self.names, self.deferred = program, floats, kinds, names, deferred
        self.sizes = tuple(sum(program.classes[number].size for number in kind) for kind in kinds)
        self.piles = program.piles
        self.none: Vector = (0,) * len(kinds)
        self.columns = Columns(len(self.piles), len(kinds), len(names))
        width = 1 + len(kinds)
        self.tops = Numbered(lambda top: (len(top), *map(top.count, range(len(kinds)))), width)
        self.bottoms = Numbered(lambda blocks: (sum(map(sum, blocks)), *map(sum, zip(*blocks, strict=True))), width)
        self.sents = Numbered(lambda sent: (len(sent), *map(sent.count, range(len(self.piles)))), 1 + len(self.piles))
        self.dealts = Numbered(self._of_dealt, width + len(self.piles))
        self._pools, self._hands = slice(1, width), width
        self._known: dict[Any, dict[Vector, Variants]] = {}

    def _of_dealt(self, dealt: Hands) -> Vector:
        """Return how many cards are on the bottom, how many of each kind were looked at, and the most in each hand."""
        left = NOTHING if dealt.left is None else dealt.left
        total = (NOTHING,) * len(self.kinds) if dealt.total is None else dealt.total
        most = int(dealt.hands.sum(0).max())
        return (left, *total, *(most if pile == dealt.pile else 0 for pile in range(len(self.piles))))

    def adds(self, kind: int, counter: str) -> int:
        """Return what a card of a kind adds to a counter that some row reads."""
        return self.program.classes[self.kinds[kind][0]].adds[self.program.counter(counter)] if self.kinds[kind] else 0

    def features(self, kind: int) -> int:
        """Return the features of a card of a kind, as far as some row reads them."""
        return self.program.classes[self.kinds[kind][0]].features if self.kinds[kind] else 0

    def numbers(self, values: Iterable[Any]) -> NDArray[Any]:
        """Return probabilities as an array of the type that is used."""
        return np.array(list(values), np.float64 if self.floats else object)

    def share(self, part: int, whole: int) -> Any:
        """Return a share as the kind of number that is used."""
        return part / whole if self.floats else Fraction(part, whole)

    # variants of a state

    def branched(self, crowd: Crowd, rows: list[int], variants: Callable[..., Variants], *more: Any) -> Crowd:
        """Let states become one of several, by a few of their numbers.

        Args:
            crowd: The states.
            rows: Where these numbers stand.
            variants: Gives for `more` and such numbers the chance of each variant, and what it adds to the column.
            more: What else the variants hang on.
        """
        known = self._known.setdefault((variants.__name__, more), {})
        return crowd.branched(crowd.cells[rows], partial(variants, *more), known)

    def _same(self) -> Variants:
        return self.numbers([1]), np.zeros((self.columns.width, 1), np.int64)

    def variant(self, *changes: tuple[int, int]) -> Variants:
        """Return one thing that happens for certain: what is added where."""
        shares, steps = self._same()
        for row, step in changes:
            steps[row] += step
        return shares, steps

    def named(self, top: Vector, bottom: tuple[Vector, ...]) -> tuple[tuple[int, int], ...]:
        """Return what is added to a column where cards on top and on the bottom are known."""
        return (TOP, self.tops.number(top)), (BOTTOM, self.bottoms.number(bottom))

    def forgotten(self, crowd: Crowd) -> Crowd:
        """Shuffle the whole library, from which no card has gone."""
        return crowd.changed(TOP, 0).changed(BOTTOM, 0).changed(REST, self.program.size)

    def deal(self, row: Mulligan, crowd: Crowd) -> Crowd:
        """Draw opening hands with mulligans: which, stays open."""
        counters = {keep.counter for keep in row.keep} | {surplus.counter for surplus in row.away}
        adds = tuple(tuple((each, self.adds(kind, each)) for each in counters) for kind in range(len(self.kinds)))
        dealt = opening(row, self.piles.index(row.to), self.sizes, adds, self.floats)
        crowd = self.forgotten(crowd).changed(DEALT, self.dealts.number(dealt))
        crowd.cells[REST] -= row.size
        return crowd

    def sized(self, crowd: Crowd) -> Crowd:
        """Tell opening hands apart by how many cards they put on the bottom."""
        if not (self.dealts.sums(crowd.cells[DEALT])[0] == NOTHING).any():
            return crowd
        return self.branched(crowd, [DEALT], self._told_apart, Hands.lefts)

    def pooled(self, crowd: Crowd) -> Crowd:
        """Tell opening hands apart by the cards that were looked at, so that it is known what the others are."""
        if not (self.dealts.sums(crowd.cells[DEALT])[1] == NOTHING).any():
            return crowd
        return self.branched(crowd, [DEALT], self._told_apart, Hands.totals)

    def _told_apart(self, by: Callable[[Hands], Integers], number: int) -> Variants:
        if not number:
            return self._same()
        dealt = self.dealts.things[number]
        found = list(dealt.sorted_by(by(dealt)))
        if len(found) == 1:
            return self._same()
        steps = np.zeros((self.columns.width, len(found)), np.int64)
        steps[DEALT] = [self.dealts.number(each) - number for _, each in found]
        return self.numbers(share for share, _ in found), steps

    def resolved(self, crowd: Crowd) -> Crowd:
        """Say of each state which opening hand was kept and what lies on the bottom."""
        if not crowd.cells[DEALT].any():
            return crowd
        return self.branched(crowd, [DEALT, SENT, BOTTOM], self._resolution)

    def _resolution(self, number: int, sent: int, bottom: int) -> Variants:
        if not number:
            return self._same()
        dealt, piles = self.dealts.things[number], self.sents.things[sent]
        steps = np.zeros((self.columns.width, len(dealt.shares)), np.int64)
        steps[self.columns.known(dealt.pile)] += dealt.hands
        for pile, kinds in zip(piles, dealt.orders, strict=False):
            np.add.at(steps, (self.columns.known(pile).start + kinds, np.arange(len(kinds))), 1)
        steps[DEALT], steps[SENT] = -number, -sent
        under = self.bottoms.things[bottom]
        for place, order in enumerate(dealt.orders[len(piles) :].T.tolist()):
            blocks = tuple(one_of(self.none, kind) for kind in order if kind != NOTHING)
            steps[BOTTOM, place] = self.bottoms.number((*blocks, *under)) - bottom
        return dealt.shares, steps

    # reading

    def pool(self, crowd: Crowd) -> Integers:
        """Return how many cards of each kind are hidden or in the unknown part of the library (`pooled`)."""
        dealt = crowd.cells[DEALT]
        return np.asarray(self.unknown(crowd) - (self.dealts.sums(dealt)[self._pools] if dealt.any() else 0))

    def unknown(self, crowd: Crowd) -> Integers:
        """Return how many cards of each kind are nowhere known, those of an opening hand among them."""
        cells = crowd.cells
        left = np.array(self.sizes)[:, None] - cells[self.columns.others] - cells[self.columns.found]
        for pile in range(len(self.piles)):
            left = left - cells[self.columns.known(pile)]
        for things, row in ((self.tops, TOP), (self.bottoms, BOTTOM)):
            if cells[row].any():
                left = left - things.sums(cells[row])[1:]
        return np.asarray(left)

    def library(self, crowd: Crowd) -> Integers:
        """Return the number of cards in the library (`sized`)."""
        cells = crowd.cells
        found: Integers = cells[REST]
        for things, row, sign in (
            (self.tops, TOP, 1), (self.bottoms, BOTTOM, 1), (self.dealts, DEALT, 1), (self.sents, SENT, -1),
        ):  # fmt: skip
            if cells[row].any():
                found = found + sign * things.sums(cells[row])[0]
        return found

    def cards_in(self, piles: Iterable[int], crowd: Crowd) -> Integers:
        """Return the number of cards in some piles, those of a deferred row not among them.

        An opening hand that is open counts with the most cards that it may hold (`sized`: with its cards).
        """
        cells, found = crowd.cells, np.zeros(len(crowd), np.int64)
        sent = self.sents.sums(cells[SENT])[1:] if cells[SENT].any() else None
        dealt = self.dealts.sums(cells[DEALT])[self._hands :] if cells[DEALT].any() else None
        for pile in piles:
            found += cells[self.columns.known(pile)].sum(0) + cells[self.columns.hidden + pile]
            for more in (sent, dealt):
                if more is not None:
                    found += more[pile]
        return found

    def value(self, value: Value, crowd: Crowd) -> Integers:
        """Read a value off each state (`revealed` for it)."""
        cells = crowd.cells
        if value.of == "library":
            return self.library(crowd)
        if value.of == "lost":
            return np.asarray((cells[LOST] > 0).astype(np.int64))
        if value.of == "register":
            there = value.name in self.names
            row = self.columns.registers + self.names.index(value.name) if there else 0
            return np.asarray(cells[row] if there else np.zeros_like(cells[row]))
        piles = [self.piles.index(pile) for pile in value.piles if pile in self.piles]
        if value.of == "cards":
            taken = self.deferred is not None and self.deferred.to in value.piles
            return np.asarray(self.cards_in(piles, crowd) + (cells[TAKEN] if taken else 0))
        held = np.zeros((len(self.kinds), len(crowd)), np.int64)
        for pile in piles:
            held += cells[self.columns.known(pile)]
        kinds = range(len(self.kinds))
        if value.of == "counter":
            return np.asarray(np.array([self.adds(kind, value.name) for kind in kinds]) @ held)
        found = np.zeros(len(crowd), np.int64)
        for bit in range(value.features.bit_length()):
            having = [kind for kind in kinds if self.features(kind) & value.features & 1 << bit]
            found += held[having].any(0)
        return found

    def total(self, values: tuple[Value, ...], crowd: Crowd) -> Integers:
        """Return the sum of values in each state (`revealed` for them)."""
        return sum((self.value(value, crowd) for value in values), np.zeros(len(crowd), np.int64))

    def amount(self, n: int | Amount, crowd: Crowd) -> Integers:
        """Work out an amount in each state (`revealed` for its values)."""
        if isinstance(n, int):
            return np.full(len(crowd), n)
        top, below = n.times.numerator * self.total(n.of, crowd), n.times.denominator
        whole = n.factor * (-(-top // below) if n.up else top // below)
        return np.where(whole >= 1, np.maximum(0, whole + n.plus), 0)

    # looking

    def revealed(self, values: tuple[Value, ...], crowd: Crowd) -> Crowd:
        """Look at the hidden cards of the piles in which values count, and tell apart what else they read."""
        if any(value.of in ("library", "cards") for value in values):
            crowd = self.sized(crowd)
        named = {pile for value in values if value.of in ("counter", "features") for pile in value.piles}
        return self.opened([place for place, pile in enumerate(self.piles) if pile in named], crowd)

    def opened(self, piles: list[int], crowd: Crowd) -> Crowd:
        """Look at the hidden cards of piles, and at the opening hand if it lies there."""
        if piles and crowd.cells[DEALT].any():
            asked = np.asarray(self.sents.sums(crowd.cells[SENT])[[1 + pile for pile in piles]].any(0))
            for number in np.unique(crowd.cells[DEALT]).tolist():
                if number and self.dealts.things[number].pile in piles:
                    asked |= crowd.cells[DEALT] == number
            there, other = crowd.split(asked)
            crowd = joined([self.resolved(there), other], self.columns.width)
        for pile in piles:
            if crowd.cells[self.columns.hidden + pile].any():
                crowd = self._opened(pile, crowd)
        return crowd

    def _opened(self, pile: int, crowd: Crowd) -> Crowd:
        crowd = self.pooled(crowd)
        row = self.columns.hidden + pile
        closed, other = crowd.split(crowd.cells[row] > 0)
        which, parts, shares = parted(self.pool(closed), closed.cells[row], self.floats)
        seen = closed.at(which).times(shares)
        seen.cells[self.columns.known(pile)] += parts
        seen.cells[row] = 0
        return joined([other, seen], self.columns.width)

    # taking

    def hid(self, n: int, pile: int, crowd: Crowd) -> Crowd:
        """Move cards that nobody looks at from unknown parts of libraries that are large enough."""
        crowd = crowd.copied()
        crowd.cells[REST] -= n
        crowd.cells[self.columns.hidden + pile] += n
        return crowd

    def taken(self, pile: int, crowd: Crowd) -> Crowd:
        """Move cards (LEFT) that nobody looks at: known ones from the top, then hidden ones, then the bottom."""
        into = self.columns.known(pile).start
        if crowd.cells[TOP].any():
            crowd = self.branched(crowd, [TOP, LEFT], self._off_top, into)
        crowd = crowd.copied()
        cells = crowd.cells
        blind = np.minimum(cells[LEFT], cells[REST])
        cells[REST] -= blind
        cells[LEFT] -= blind
        cells[self.columns.hidden + pile] += blind
        if not cells[LEFT].any():
            return crowd
        deep, done = crowd.split(cells[LEFT] > 0)
        deep = self.sized(deep)
        if deep.cells[DEALT].any():
            deep = self.branched(deep, [DEALT, SENT, LEFT], self._sent_to, pile)
        return joined([done, self._from_bottom(into, deep)], self.columns.width)

    def seen(self, crowd: Crowd) -> Crowd:
        """Take cards (LEFT) and look at them; they lie nowhere yet (`Columns.others`)."""
        into = self.columns.others.start
        if crowd.cells[TOP].any():
            crowd = self.branched(crowd, [TOP, LEFT], self._off_top, into)
        crowd = self.pooled(crowd)
        n = np.minimum(crowd.cells[LEFT], crowd.cells[REST])
        which, parts, shares = parted(self.pool(crowd), n, self.floats)
        crowd = crowd.at(which).times(shares)
        crowd.cells[self.columns.others] += parts
        crowd.cells[REST] -= n[which]
        crowd.cells[LEFT] -= n[which]
        deep, done = crowd.split(crowd.cells[LEFT] > 0)
        return joined([done, self._from_bottom(into, self.resolved(deep))], self.columns.width)

    def _from_bottom(self, into: int, crowd: Crowd) -> Crowd:
        if crowd.cells[BOTTOM].any():
            crowd = self.branched(crowd, [BOTTOM, LEFT], self._off_bottom, into)
        return crowd.changed(LEFT, 0)

    def _off_top(self, into: int, top: int, left: int) -> Variants:
        kinds = self.tops.things[top]
        taken = kinds[:left]
        changes = [(into + kind, 1) for kind in taken]
        return self.variant((TOP, self.tops.number(kinds[left:]) - top), (LEFT, -len(taken)), *changes)

    def _sent_to(self, pile: int, number: int, sent: int, left: int) -> Variants:
        if not number:
            return self._same()
        piles = self.sents.things[sent]
        taken = min(left, self.dealts.things[number].left - len(piles))
        return self.variant((SENT, self.sents.number((*piles, *(pile,) * taken)) - sent), (LEFT, -taken))

    def _off_bottom(self, into: int, bottom: int, left: int) -> Variants:
        """Take cards of the bottom: of a block that is not taken whole each part is as likely as any other."""
        blocks = self.bottoms.things[bottom]
        taken = np.zeros(len(self.kinds), np.int64)
        while blocks and left >= sum(blocks[0]):
            taken, left, blocks = taken + blocks[0], left - sum(blocks[0]), blocks[1:]
        parts = splits(blocks[0], left) if blocks and left else ((1, self.none),)
        total = sum(ways for ways, _ in parts)
        steps = np.zeros((self.columns.width, len(parts)), np.int64)
        for place, (_, part) in enumerate(parts):
            steps[into : into + len(part), place] = taken + part
            rest = (minus(blocks[0], part), *blocks[1:]) if any(part) else blocks
            steps[BOTTOM, place] = self.bottoms.number(rest) - bottom
        return self.numbers(self.share(ways, total) for ways, _ in parts), steps

    def next(self, crowd: Crowd) -> Crowd:
        """Take the next card of each library, which is not empty, and look at it (CARD); it lies nowhere yet."""
        top, other = crowd.split(crowd.cells[TOP] > 0)
        rest, deep = other.split(other.cells[REST] > 0)
        rest = self.pooled(rest)
        which, parts, shares = parted(self.pool(rest), np.ones(len(rest), np.int64), self.floats)
        rest = rest.at(which).times(shares)
        rest.cells[REST] -= 1
        rest.cells[CARD] = parts.argmax(0)
        top = self.branched(top, [TOP], self._next_of_top)
        deep = self.branched(self.resolved(deep), [BOTTOM], self._next_of_bottom)
        return joined([top, rest, deep], self.columns.width)

    def _next_of_top(self, top: int) -> Variants:
        kinds = self.tops.things[top]
        return self.variant((TOP, self.tops.number(kinds[1:]) - top), (CARD, kinds[0]))

    def below(self, bottom: int) -> Iterator[tuple[Any, int, int]]:
        """Give the kinds that the uppermost card on the bottom may be of: chance, kind, and what is left there."""
        block, *rest = self.bottoms.things[bottom]
        for kind, number in enumerate(block):
            if number:
                left = minus(block, one_of(self.none, kind))
                under = self.bottoms.number((left, *rest) if any(left) else tuple(rest))
                yield self.share(number, sum(block)), kind, under

    def _next_of_bottom(self, bottom: int) -> Variants:
        found = list(self.below(bottom))
        steps = np.zeros((self.columns.width, len(found)), np.int64)
        steps[CARD] = [kind for _, kind, _ in found]
        steps[BOTTOM] = [under - bottom for _, _, under in found]
        return self.numbers(share for share, _, _ in found), steps
