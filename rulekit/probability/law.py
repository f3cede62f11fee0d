"""From cards moved to what is counted: the dynamic programme over classes of cards.

Given how many cards of which kind lie where, every choice of the cards themselves is equally likely. The number of ways
to choose them with given counts is a product of one polynomial for each class of cards that nothing asked tells apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.chain import MOST_CELLS, Chain
from rulekit.probability.combinations import Integers, runs
from rulekit.probability.crowd import DONE, REACHED, TAKEN, Crowd, grouped, joined, summed
from rulekit.probability.program import Program
from rulekit.probability.rows import Axis, CardClass, FirstTurn, Shuffle, Value, distinct, walk
from rulekit.probability.spread import Spread
from rulekit.probability.until import compositions, taken_until
from rulekit.probability.ways import Part, Tally, Vector, folded, laws_of, shift_into, ways
from rulekit.rules import TooMany

LARGEST_FLOAT = 1e290
MOST_SORTS = 3


class Law:
    """Work out what is counted from the states of a chain.

    Attributes:
        axes: What is asked.
        cells: Number of cells of the largest table, worked out beforehand.
        parts: For each kind of cards that is told apart here the parts that must be told apart.
    """

    def __init__(self, chain: Chain, program: Program, axes: Sequence[Axis]) -> None:
        """Prepare a question.

        Args:
            chain: The states, already run.
            program: The program with all counters that the axes read; the chain may know fewer.
            axes: What is asked; each names values of the program.
        """
        self.chain, self.know = chain, chain.know
        self.program = program
        self.axes = tuple(axes)
        self.shape = tuple(_most(self.program, axis) + 1 for axis in self.axes)
        counted = [[v for v in axis.of if v.of in ("counter", "features")] for axis in self.axes]
        piles = [p for p in self.know.piles if any(p in v.piles for values in counted for v in values)]
        deferred = chain.deferred.to if chain.deferred else None
        signs = {p: tuple(p in v.piles for values in counted for v in values) for p in piles}
        self.groups = tuple(dict.fromkeys(signs.values()))
        self.group_of = {self.know.piles.index(p): self.groups.index(sign) for p, sign in signs.items()}
        self.deferred = self.group_of.get(self.know.piles.index(deferred), -1) if deferred is not None else -1
        self.members = tuple(tuple(p for p in piles if signs[p] == sign) for sign in self.groups)
        self._make_tallies(counted)
        sorts = self._sorts()
        kinds = self._told_apart() if sorts is None else [(sort,) for sort in range(len(sorts))]
        classes = sorts or [[number for kind in alike for number in self.know.kinds[kind]] for alike in kinds]
        self.sorts = sorts
        self.parts = tuple(map(self.parts_of, classes))
        self.counting = [kind for kind, parts in enumerate(self.parts) if any(part.counts for part in parts)]
        self.spread = Spread(self.know, kinds, self.counting, self.group_of, len(self.groups))
        self.cells = 0
        self._kept: dict[int, NDArray[Any]] = {}
        self._reach: Vector | None = None

    def _sorts(self) -> list[list[int]] | None:
        """Sort the classes by what they count, where a deferred row needs them apart and they are few."""
        if self.chain.deferred is None or not self.groups:
            return None
        sorts: dict[Any, list[int]] = {}
        for number in self.know.kinds[0]:
            sorts.setdefault(self._sign(self.program.classes[number]), []).append(number)
        return list(sorts.values()) if len(sorts) <= MOST_SORTS else None

    def _told_apart(self) -> tuple[tuple[int, ...], ...]:
        """Put kinds of the chain together that hold nothing but cards that count alike here."""
        alike: dict[Any, list[int]] = {}
        for kind, numbers in enumerate(self.know.kinds):
            signs = {self._sign(self.program.classes[number]) for number in numbers}
            alike.setdefault(signs.pop() if len(signs) == 1 else kind, []).append(kind)
        return tuple(map(tuple, alike.values()))

    def _make_tallies(self, counted: list[list[Value]]) -> None:
        self.tallies: list[Tally] = []
        self.reads: list[tuple[Value, int]] = []
        places = sorted({self.program.counter(v.name) for values in counted for v in values if v.of == "counter"})
        for number, (axis, values) in enumerate(zip(self.axes, counted, strict=True)):
            counters = [v for v in values if v.of == "counter"]
            if counters:
                bound = sum(self.program.totals[self.program.counter(v.name)] for v in counters)
                high = min(bound, self.shape[number] - 1)
                self.reads += [(v, len(self.tallies)) for v in counters]
                self.tallies.append(Tally(number, high, axis.high is not None))
            for value in (v for v in values if v.of == "features"):
                self._features(number, value, places)

    def _features(self, number: int, value: Value, counters: Sequence[int]) -> None:
        """Count different features: as parts that each have one of their own if they do, else feature by feature."""
        alike: dict[int, set[Any]] = {}
        for kind, numbers in enumerate(self.know.kinds):
            for one in (self.program.classes[each] for each in numbers):
                for bit in _bits(one.features & value.features):
                    shared = (one.features & value.features) != bit
                    alike.setdefault(bit, set()).add((kind, shared, tuple(one.adds[place] for place in counters)))
        apart = all(len(ways) == 1 and not next(iter(ways))[1] for ways in alike.values())
        if apart and self.chain.deferred is None:
            self.reads.append((value, len(self.tallies)))
            high = min(len(alike), self.shape[number] - 1)
            self.tallies.append(Tally(number, high, self.axes[number].high is not None))
            return
        for bit in sorted(alike):
            self.reads.append((Value("features", "", value.piles, bit), len(self.tallies)))
            self.tallies.append(Tally(number, 1))

    def parts_of(self, numbers: Iterable[int]) -> tuple[Part, ...]:
        """Sort classes into the parts that the tallies tell apart."""
        sizes: dict[Any, int] = {}
        for one in (self.program.classes[number] for number in numbers):
            sign = self._sign(one)
            sizes[sign] = sizes.get(sign, 0) + one.size
        return tuple(Part(size, adds, once) for (adds, once, _), size in sizes.items())

    def _sign(self, one: CardClass) -> tuple[tuple[Vector, ...], tuple[Vector, ...], int | None]:
        """Return what a card of a class adds in each group, what the first of them adds, and what keeps it apart."""
        adds, once = [], []
        for piles in self.members:
            add, first = [0] * len(self.tallies), [0] * len(self.tallies)
            for value, tally in self.reads:
                if piles[0] in value.piles and value.of == "counter":
                    add[tally] += one.adds[self.program.counter(value.name)]
                elif piles[0] in value.piles and one.features & value.features:
                    first[tally] = 1
            adds.append(tuple(add))
            once.append(tuple(first))
        return tuple(adds), tuple(once), self._mark(one) if any(map(any, once)) else None

    def _mark(self, one: CardClass) -> int:
        """Return the features that keep a class apart from others with the same tallies."""
        return one.features & sum({value.features for value, _ in self.reads if value.of == "features"})

    # answering

    def at(self, states: Sequence[Crowd]) -> tuple[NDArray[Any], int | None]:
        """Return the joint distribution of the axes over some states.

        Args:
            states: States with their probabilities, in several crowds.

        Returns:
            A float64 array with one dimension for each axis, and None; or Python integers and what they are divided by.

        Raises:
            TooMany: If a table has more than 20,000,000 cells.
        """
        self._count_cells(self._limits(states))
        pieces = self._pieces(joined(states, self.know.columns.width))
        if not self.chain.floats:
            return self._joined(list(pieces))
        found = np.zeros(self.shape, np.float64)
        for places, law in pieces:
            self._place(found, places, law)
        return found, None

    def _count_cells(self, limits: Vector) -> None:
        cells = math.prod(limit + 1 for limit in limits) * math.prod(tally.high + 1 for tally in self.tallies)
        cells = max(cells, math.prod(self.shape))
        if self.chain.deferred is not None and self.deferred >= 0:
            goal = self.chain.deferred.goal
            cells *= goal if isinstance(goal, int) else 1
        self.cells = max(self.cells, cells)
        if cells > MOST_CELLS:
            raise TooMany(
                f"this question needs {cells:,} cells, the limit is {MOST_CELLS:,}.",
                "Count fewer things at once, or use simulate(...).",
            )

    def _limits(self, states: Iterable[Crowd]) -> Vector:
        """Return the largest number of cards in each group, those of a deferred row not among them."""
        most = (0,) * len(self.groups)
        for crowd in states:
            if len(crowd) and most:
                most = tuple(map(max, most, self.spread.moved(crowd).max(1).tolist()))
        return most

    def _places(self, crowd: Crowd) -> Integers:
        """Return what of each axis can be read off a state: numbers of cards, registers, whether the game was lost."""
        plain = [tuple(v for v in axis.of if v.of not in ("counter", "features")) for axis in self.axes]
        return np.array([self.know.total(values, crowd) for values in plain])

    def _pieces(self, crowd: Crowd) -> Iterator[tuple[Vector, NDArray[Any]]]:
        """Give tables over the tallies, each with where it begins on the axes, and with its probability in it."""
        if not len(crowd):
            return
        if any(value.of in ("library", "cards") for axis in self.axes for value in axis.of):
            crowd = self.know.sized(crowd)
        places = self._places(crowd)
        if self.chain.deferred is not None and self.sorts is None:
            yield from self._deferred(places, crowd)
            return
        spread = self.spread.of(places, crowd) if self.sorts is None else self._by_sorts(self.sorts, places, crowd)
        first, group = grouped(spread.cells[: len(self.axes)])
        tables = self._of_kinds(group, spread, len(first))
        for place, table in zip(first, tables, strict=True):
            yield tuple(spread.cells[: len(self.axes), place].tolist()), table

    def _by_sorts(self, sorts: list[list[int]], places: Integers, crowd: Crowd) -> Crowd:
        """Say of which sorts the cards are that a deferred row took, and those of the groups (`Spread.of`)."""
        row, classes = self.chain.deferred, self.program.classes
        if row is None or not isinstance(row.goal, int):
            raise TypeError("only a chain with a deferred row has cards whose number is open.")
        place = self.program.counter(row.counter)
        deck = [(classes[number].adds[place], sort, classes[number].size)
                for sort, numbers in enumerate(sorts) for number in numbers]  # fmt: skip
        keys = np.array([*places, *self.spread.moved(crowd), crowd.cells[TAKEN], crowd.cells[REACHED]])
        merged = Crowd.of(keys, crowd.weights).merged()
        pending = [(n, reached == DONE) for n, reached in merged.cells[-2:].T.tolist()]
        taken = compositions(deck, row.goal, set(pending), self.number_type(self.program.size, 1))
        sizes = np.array([sum(classes[number].size for number in numbers) for numbers in sorts])[:, None]
        found = []
        for key, (counts, number, below) in taken.items():
            mine = merged.at(np.flatnonzero([each == key for each in pending]))
            which, each = runs(np.full(len(mine), counts.shape[1]))
            counts, shares = counts[:, each], self._divided(number, below)[each]
            known = np.zeros((len(sorts), len(self.groups), len(each)), np.int64)
            if self.deferred >= 0:
                known[:, self.deferred] = counts
            ahead, hidden = mine.cells[: len(places), which], mine.cells[len(places) : -2, which]
            flat = known.reshape(len(sorts) * len(self.groups), -1)
            cells = np.concatenate([ahead, flat, sizes - counts, hidden])
            found.append(self.spread.drawn(len(places), Crowd.of(cells, mine.weights[which] * shares)))
        return joined(found, len(found[0].cells)).merged()

    def _deferred(self, places: Integers, crowd: Crowd) -> Iterator[tuple[Vector, NDArray[Any]]]:
        row = self.chain.deferred
        if row is None or not isinstance(row.goal, int):
            raise TypeError("only a chain with a deferred row has cards whose number is open.")
        values: dict[int, list[int]] = {}
        for number in self.know.kinds[0]:
            values.setdefault(self.program.classes[number].adds[self.program.counter(row.counter)], []).append(number)
        parts = [(value, part) for value, numbers in values.items() for part in self.parts_of(numbers)]
        kind = self.number_type(self.program.size, len(self.groups) + 1)
        keys = np.array([*places, *self.spread.moved(crowd), crowd.cells[TAKEN], crowd.cells[REACHED]])
        merged = Crowd.of(keys, crowd.weights).merged()
        sorted_out = []
        for column, weight in zip(merged.cells.T.tolist(), merged.weights.tolist(), strict=True):
            *numbers, taken, reached = column
            pending = (taken, reached == DONE) if reached else None
            sorted_out.append((tuple(numbers[: len(self.axes)]), (tuple(numbers[len(self.axes) :]), pending), weight))
        wanted = {key for _, key, _ in sorted_out}
        laws = taken_until(parts, row.goal, self.deferred, self.tallies, wanted, kind)
        shares = {key: self._divided(*laws[key]) for key in wanted}
        for start, key, weight in sorted_out:
            yield start, shares[key] * weight

    def _divided(self, law: NDArray[Any], below: int) -> NDArray[Any]:
        """Return numbers of ways as probabilities."""
        if not self.chain.floats:
            return np.array([Fraction(int(number), below) for number in law.ravel()], object).reshape(law.shape)
        if law.dtype == object:
            return np.array([int(number) / below for number in law.ravel()]).reshape(law.shape)
        return law / float(below)  # an older NumPy makes Python objects of what a large integer divides

    def number_type(self, cards: int, groups: int) -> Any:
        """Return the type for tables of numbers of ways: float64 as long as they are far from overflow."""
        small = self.chain.floats and cards * math.log10(groups + 1) < math.log10(LARGEST_FLOAT)
        return np.float64 if small else object

    # several kinds

    def _of_kinds(self, group: Integers, spread: Crowd, groups: int) -> NDArray[Any]:
        """Mix, over how many cards of each kind lie where, what they add up to, for each group of states.

        One kind after the other is summed out: the one with the largest tables by one product of matrices, the others
        by moving tables along the tallies.
        """
        laws, numbers = [], []
        for place, kind in enumerate(self.counting):
            first, number = grouped(spread.cells[self.spread.rows(len(self.axes), place)])
            laws.append(self._laws(kind, spread.cells[self.spread.rows(len(self.axes), place)][:, first]))
            numbers.append(number)
        order = sorted(range(len(laws)), key=lambda place: np.count_nonzero(laws[place]))
        shape = [tally.high + 1 for tally in self.tallies]
        keys = np.array([group, *(numbers[place] for place in order)])
        if not order:
            total = summed(spread.weights, group, groups)
            return total.reshape(groups, *(1 for _ in shape))
        keys, tables = _largest_summed_out(keys, spread.weights, laws[order[-1]])
        for place in reversed(order[:-1]):
            keys, tables = self._summed_out(keys, tables, laws[place])
        found = np.zeros((groups, *shape), tables.dtype)
        found[keys[0]] = tables.reshape(-1, *shape)
        return found

    def _summed_out(self, keys: Integers, tables: NDArray[Any], law: NDArray[Any]) -> tuple[Integers, NDArray[Any]]:
        """Move tables by what cards of a kind (the last of the keys) add, and add them up over how many there are."""
        first, into = grouped(keys[:-1])
        order = np.argsort(into, kind="stable")
        starts = np.searchsorted(into[order], np.arange(len(first)))
        number, tables = keys[-1][order], tables[order]
        shape = [tally.high + 1 for tally in self.tallies]
        after = np.zeros((len(first), *shape), tables.dtype)
        for cell in np.flatnonzero((law != 0).any(0)).tolist():
            moved = np.add.reduceat(tables * law[number, cell][:, None], starts).reshape(-1, *shape)
            shift_into(after, moved, (0, *map(int, np.unravel_index(cell, shape))), 1, 1, self.tallies)
        return keys[:-1, first], after.reshape(len(first), -1)

    def _laws(self, kind: int, moved: Integers) -> NDArray[Any]:
        """Return, for numbers of cards of a kind in each group (columns), the law of what they add to the tallies."""
        parts = self.parts[kind]
        size = sum(part.size for part in parts)
        number_type = self.number_type(size, len(self.groups))
        if kind not in self._kept:
            counted = [part for part in parts if part.counts]
            reach = tuple(min(sum(part.size for part in counted), most) for most in self._furthest())
            table = ways(counted, reach, self.tallies, number_type)
            shape = (*table.shape[: len(reach)], *(tally.high + 1 for tally in self.tallies))
            self._kept[kind] = np.zeros(shape, number_type)
            self._kept[kind][tuple(map(slice, table.shape))] = table
        rest = sum(part.size for part in parts if not part.counts)
        return laws_of(self._kept[kind], rest, size, moved, self.chain.floats)

    def _furthest(self) -> Vector:
        """Return the largest number of cards in each group at any mark; they become fewer by a shuffle alone."""
        if self._reach is None:
            back = any(isinstance(row, Shuffle) for row in walk(distinct(self.program.rows)))
            marks = list(self.chain.marks.values())[0 if back else -1 :]
            crowds = {id(crowd): crowd for mark in marks for crowd in mark}
            reach = list(self._limits(crowds.values()))
            if self.deferred >= 0:
                reach[self.deferred] += max(int(crowd.cells[TAKEN].max(initial=0)) for crowd in crowds.values())
            self._reach = tuple(reach)
        return self._reach

    # putting together

    def _place(self, found: NDArray[Any], places: Vector, law: NDArray[Any]) -> None:
        law = self._by_axes(law)
        for number, (start, size) in enumerate(zip(places, found.shape, strict=True)):
            room = max(1, size - start)
            if law.shape[number] > room:
                law = folded(law, number, room)
        cells = tuple(
            slice(min(p, n - s), min(p, n - s) + s) for p, n, s in zip(places, found.shape, law.shape, strict=True)
        )
        found[cells] += law

    def _by_axes(self, law: NDArray[Any]) -> NDArray[Any]:
        """Sum the tallies of each axis, so that the array has one dimension for each axis."""
        for number in range(len(self.axes)):
            mine = [place for place, tally in enumerate(self.tallies) if tally.axis == number]
            if not mine:
                law = np.expand_dims(law, number)
                continue
            for _ in mine[1:]:
                law = _merged(law, number)
        return law

    def _joined(self, pieces: list[tuple[Vector, NDArray[Any]]]) -> tuple[NDArray[Any], int]:
        """Add up exact fractions: Python integers, and what they are divided by."""
        found = np.zeros(self.shape, object)
        for places, law in pieces:
            self._place(found, places, law)
        filled = np.nonzero(found)
        numbers = [Fraction(number) for number in found[filled]]
        below = math.lcm(*{number.denominator for number in numbers})
        whole = np.zeros(self.shape, object)
        for place, number in zip(zip(*filled, strict=True), numbers, strict=True):
            whole[place] = number.numerator * (below // number.denominator)
        return whole, below


def _most(program: Program, axis: Axis) -> int:
    if axis.high is not None and any(isinstance(each, FirstTurn) and each.name == axis.name for each in program.axes):
        return axis.high  # the chain itself writes this register
    bounds = [program.largest(value) for value in axis.of]
    bound = sum(b for b in bounds if b is not None)
    if axis.high is None:
        return bound
    return axis.high if None in bounds else min(axis.high, bound)


def _bits(mask: int) -> list[int]:
    return [1 << bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def _merged(law: NDArray[Any], axis: int) -> NDArray[Any]:
    """Replace two neighbouring dimensions by one for their sum."""
    first, second = law.shape[axis], law.shape[axis + 1]
    shape = [*law.shape[:axis], first + second - 1, *law.shape[axis + 2 :]]
    after = np.zeros(shape, law.dtype)
    before: tuple[Any, ...] = (slice(None),) * axis
    for step in range(second):
        after[(*before, slice(step, step + first))] += law[(*before, slice(None), step)]
    return after


def _largest_summed_out(keys: Integers, weights: NDArray[Any], law: NDArray[Any]) -> tuple[Integers, NDArray[Any]]:
    """Sum over the last of the keys, the place of a law, by one product of matrices."""
    first, into = grouped(keys[:-1])
    mixed = summed(weights, into * len(law) + keys[-1], len(first) * len(law)).reshape(len(first), len(law))
    return keys[:-1, first], mixed @ law
