"""A slow oracle: carry a library program out, card by card, in every way in which chance may decide."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

from rulekit.probability.program import Program
from rulekit.probability.rows import (
    BOTTOM,
    TOP,
    Amount,
    FirstTurn,
    Mark,
    Shuffle,
)


def every_order(program: Program) -> dict[int, dict[tuple[int, ...], Fraction]]:
    """The distribution of the axes at each mark, by trying every way."""
    found: dict[int, Counter] = {turn: Counter() for turn in program.turns}
    path: list[tuple[int, int]] = []
    while True:
        trial = Trial(program, path)
        trial.run(program.rows)
        for turn, cell in trial.cells.items():
            found[turn][cell] += trial.weight
        while path and path[-1][0] + 1 == path[-1][1]:
            path.pop()
        if not path:
            return {turn: dict(cells) for turn, cells in found.items()}
        path[-1] = (path[-1][0] + 1, path[-1][1])


class Trial:
    """One way to carry a program out; `path` holds which option was taken at each choice."""

    def __init__(self, program, path):
        self.program, self.path, self.depth = program, path, 0
        self.weight = Fraction(1)
        self.top, self.bottom = list(program.top), list(program.bottom)
        self.pool = Counter({number: one.size for number, one in enumerate(program.classes)})
        self.pool.subtract(self.top + self.bottom)
        self.piles = {pile: [] for pile in program.piles}
        self.registers = Counter()
        self.lost = self.late = False
        self.cells = {}
        self.firsts = {}

    def choose(self, options):
        """One of several (option, weight) pairs with a weight above 0."""
        options = [(option, weight) for option, weight in options if weight]
        if len(options) == 1:
            return options[0][0]
        if self.depth == len(self.path):
            self.path.append((0, len(options)))
        option, weight = options[self.path[self.depth][0]]
        self.depth += 1
        self.weight *= Fraction(weight) / sum(weight for _, weight in options)
        return option

    @property
    def size(self):
        return len(self.top) + self.pool.total() + len(self.bottom)

    def next(self):
        if self.top:
            return self.top.pop(0)
        if self.pool.total():
            number = self.choose(sorted(self.pool.items()))
            self.pool[number] -= 1
            return number
        return self.bottom.pop(0)

    def value(self, value):
        cards = [number for pile in value.piles for number in self.piles.get(pile, ())]
        if value.of == "counter":
            return sum(self.adds(number, value.name) for number in cards)
        if value.of == "features":
            found = 0
            for number in cards:
                found |= self.program.classes[number].features
            return (found & value.features).bit_count()
        simple = {
            "library": self.size,
            "cards": len(cards),
            "register": self.registers[value.name],
            "lost": int(self.lost or self.late),
        }
        return simple[value.of]

    def adds(self, number, counter):
        return self.program.classes[number].adds[self.program.counters.index(counter)]

    def total(self, values):
        return sum(self.value(value) for value in values)

    def amount(self, n):
        if not isinstance(n, Amount):
            return n
        exact = n.times * self.total(n.of)
        whole = n.factor * (math.ceil(exact) if n.up else math.floor(exact))
        return max(0, whole + n.plus) if whole >= 1 else 0

    def run(self, rows):
        for row in rows:
            if isinstance(row, Mark):
                self.check(row)
                self.mark(row.turn)
            elif not self.lost:
                getattr(self, type(row).__name__.lower())(row)

    def mark(self, turn):
        cell = []
        for axis in self.program.axes:
            total = self.total(axis.of)
            if isinstance(axis, FirstTurn):
                if total >= axis.low and (axis.high is None or total <= axis.high):
                    self.firsts.setdefault(axis.name, turn)
                cell.append(self.firsts.get(axis.name, self.program.turns[-1] + 1))
            else:
                cell.append(total if axis.high is None else min(total, axis.high))
        self.cells[turn] = tuple(cell)

    def move(self, row):
        while True:
            n = self.amount(row.n)
            short = row.draw and n > self.size
            moved = [self.next() for _ in range(min(n, self.size))]
            self.piles[row.to] += moved
            masks = [self.program.classes[number].features & row.again for number in moved]
            pairs = any(masks[i] & masks[j] for i in range(len(masks)) for j in range(i))
            if short:
                self.late, self.lost = self.late or row.later, self.lost or not row.later
            if short or not pairs:
                return

    def check(self, row):
        self.lost = self.lost or self.late

    def until(self, row):
        goal, total, taken = self.amount(row.goal), 0, []
        while total < goal and self.size and (row.most is None or len(taken) < row.most):
            taken.append(self.next())
            total += self.adds(taken[-1], row.counter)
        hits = [number for number in taken if self.adds(number, row.counter)]
        others = [number for number in taken if not self.adds(number, row.counter)]
        low = []
        for cards, to in ((others, row.to), (hits, row.found or row.to)):
            if to == BOTTOM:
                low += cards
            else:
                self.piles[to] += cards
        while low:
            number = self.choose(sorted(Counter(low).items()))
            low.remove(number)
            self.bottom.append(number)

    def coin(self, row):
        heads = self.choose([(True, row.chance), (False, 1 - row.chance)])
        self.run(row.then if heads else row.otherwise)

    def when(self, row):
        total = self.total(row.of)
        inside = total >= row.low and (row.high is None or total <= row.high)
        self.run(row.then if inside else row.otherwise)

    def add(self, row):
        self.registers[row.register] = max(0, self.registers[row.register] + self.amount(row.n))

    def shuffle(self, row):
        cards = [*self.top, *self.bottom]
        for pile in row.back:
            cards += self.piles.get(pile, [])
            self.piles[pile] = []
        self.pool.update(cards)
        self.top, self.bottom = [], []

    def look(self, row):
        seen = [self.next() for _ in range(min(self.amount(row.n), self.size, 32))]
        table = row.sends[min(self.total(row.by), len(row.sends) - 1)]
        places = [table[number] for number in seen]
        if row.pick:
            wanted = sorted((row.pick.order.index(n), i) for i, n in enumerate(seen) if n in row.pick.order)
            for _, i in wanted[: row.pick.most]:
                places[i] = row.pick.to
        for number, place in zip(seen, places, strict=True):
            if place == BOTTOM:
                self.bottom.append(number)
            elif place != TOP:
                self.piles[place].append(number)
        self.top = [number for number, place in zip(seen, places, strict=True) if place == TOP] + self.top

    def mulligan(self, row):
        for taken in range(row.free + row.size - row.down_to + 1):
            self.shuffle(Shuffle())
            hand = [self.next() for _ in range(row.size)]
            sums = [(keep, sum(self.adds(number, keep.counter) for number in hand)) for keep in row.keep]
            if all(s >= keep.low and (keep.high is None or s <= keep.high) for keep, s in sums):
                break
            if taken < row.free + row.size - row.down_to:
                self.pool.update(hand)
        for _ in range(max(0, taken - row.free)):
            chosen = self.choose(sorted(Counter(self.surplus(row, hand)).items()))
            hand.remove(chosen)
            self.bottom.append(chosen)
        self.piles[row.to] += hand

    def surplus(self, row, hand):
        for surplus in row.away:
            if sum(self.adds(number, surplus.counter) for number in hand) > surplus.above:
                matching = [number for number in hand if self.adds(number, surplus.counter)]
                if matching:
                    return matching
        return hand
