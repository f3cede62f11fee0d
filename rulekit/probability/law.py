"""From cards moved to what is counted: the dynamic programme over classes of cards.

Given how many cards of which kind lie where, every choice of the cards themselves is equally likely. The number of ways
to choose them with given counts is a product of one polynomial for each class of cards that nothing asked tells apart.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.chain import CELLS_OF_A_STEP, MOST_CELLS, Chain
from rulekit.probability.program import Program
from rulekit.probability.rows import Axis, CardClass, FirstTurn, Value
from rulekit.probability.states import State, Weights
from rulekit.probability.until import taken_until
from rulekit.probability.ways import Part, Tally, Vector, choices, folded, shift_into, ways
from rulekit.rules import TooMany

LARGEST_FLOAT = 1e290


class Law:
    """Work out what is counted from the states of a chain.

    Attributes:
        axes: What is asked.
        cells: Number of cells of the largest table, worked out beforehand.
        parts: For each kind of cards the parts that must be told apart.
    """

    def __init__(self, chain: Chain, program: Program, axes: Sequence[Axis]) -> None:
        """Prepare a question.

        Args:
            chain: The states, already run.
            program: The program with all counters that the axes read; the chain may know fewer.
            axes: What is asked; each names values of the program.
        """
        self.chain = chain
        self.program = program
        self.axes = tuple(axes)
        self.shape = tuple(_most(self.program, axis) + 1 for axis in self.axes)
        counted = [[v for v in axis.of if v.of in ("counter", "features")] for axis in self.axes]
        piles = [p for p in chain.piles if any(p in v.piles for values in counted for v in values)]
        deferred = chain.deferred.to if chain.deferred else None
        signs = {p: tuple(p in v.piles for values in counted for v in values) for p in piles}
        self.groups = tuple(dict.fromkeys(signs.values()))
        self.group_of = {chain.piles.index(p): self.groups.index(sign) for p, sign in signs.items()}
        self.deferred = self.group_of.get(chain.piles.index(deferred), -1) if deferred is not None else -1
        self.members = tuple(tuple(p for p in piles if signs[p] == sign) for sign in self.groups)
        self._make_tallies(counted)
        self.parts = tuple(self.parts_of(kind) for kind in chain.kinds)
        self.cells = 0
        self._kept: dict[Vector, NDArray[Any]] = {}
        self._spreads: dict[Any, tuple[tuple[tuple[Vector, ...], Any], ...]] = {}
        self._laws: dict[int, NDArray[Any]] = {}
        self._reach: Vector | None = None

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
        for kind, numbers in enumerate(self.chain.kinds):
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

    def parts_of(self, kind: Iterable[int]) -> tuple[Part, ...]:
        """Sort classes into the parts that the tallies tell apart."""
        sizes: dict[Any, int] = {}
        for number in kind:
            one = self.program.classes[number]
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
            mark = self._mark(one) if any(map(any, once)) else None
            key = (tuple(adds), tuple(once), mark)
            sizes[key] = sizes.get(key, 0) + one.size
        return tuple(Part(size, adds, once) for (adds, once, _), size in sizes.items())

    def _mark(self, one: CardClass) -> int:
        """Return the features that keep a class apart from others with the same tallies."""
        return one.features & sum({value.features for value, _ in self.reads if value.of == "features"})

    # answering

    def at(self, states: Weights) -> tuple[NDArray[Any], int | None]:
        """Return the joint distribution of the axes over some states.

        Args:
            states: States with their probabilities.

        Returns:
            A float64 array with one dimension for each axis, and None; or Python integers and what they are divided by.

        Raises:
            TooMany: If a table has more than 20,000,000 cells.
        """
        self._count_cells(self._limits(states))
        pieces = self._pieces(states)
        if not self.chain.floats:
            return self._joined(list(pieces))
        found = np.zeros(self.shape, np.float64)
        for places, law, weight in pieces:
            self._place(found, places, law * weight)
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

    def _limits(self, states: Iterable[State]) -> Vector:
        """Return the largest number of cards in each group."""
        moves = {self._moved(state) for state in states}
        return tuple(map(max, zip(*moves, strict=True))) if moves else (0,) * len(self.groups)

    def _moved(self, state: State) -> Vector:
        """Return the number of cards in each group, those of a deferred row not among them."""
        moved = [0] * len(self.groups)
        hidden, known = state.hidden, state.known
        for pile, group in self.group_of.items():
            moved[group] += hidden[pile] + sum(known[pile])
        return tuple(moved)

    def _places(self, state: State) -> Vector:
        """Return what of each axis can be read off a state: numbers of cards, registers, whether the game was lost."""
        return tuple(
            sum(self.chain.value(state, value) for value in axis.of if value.of not in ("counter", "features"))
            for axis in self.axes
        )

    def _pieces(self, states: Weights) -> Iterator[tuple[Vector, NDArray[Any], Any]]:
        """Give tables over the tallies, each with where it begins on the axes and its probability."""
        sorted_out: dict[Vector, dict[Any, Any]] = {}
        deferred = self.chain.deferred is not None
        several = len(self.parts) > 1 and bool(self.groups)
        spread = 0
        for state, weight in states.items():
            held = sorted_out.setdefault(self._places(state), {})
            if several:
                for key, share in self._spread(state):
                    held[key] = held.get(key, 0) + weight * share
                    spread += 1
                if spread * CELLS_OF_A_STEP > MOST_CELLS:
                    raise TooMany(
                        f"this question needs more than {MOST_CELLS // CELLS_OF_A_STEP:,} ways to say of what kinds "
                        f"cards are ({MOST_CELLS:,} cells).",
                        "Count fewer things at once, or use simulate(...).",
                    )
            else:
                one = (self._moved(state), state.pending)
                held[one] = held.get(one, 0) + weight
        if several:
            for places, held in sorted_out.items():
                yield places, self._of_kinds(held), 1
            return
        keys = {key for held in sorted_out.values() for key in held}
        laws = self._deferred(keys) if deferred else self._of_one_kind({moved for moved, _ in keys})
        for places, held in sorted_out.items():
            for key, weight in held.items():
                law, below = laws[key]
                yield places, self._divided(law, below), weight

    def _divided(self, law: NDArray[Any], below: int) -> NDArray[Any]:
        """Return numbers of ways as probabilities."""
        if not self.chain.floats:
            return np.array([Fraction(int(number), below) for number in law.ravel()], object).reshape(law.shape)
        if law.dtype == object:
            return np.array([int(number) / below for number in law.ravel()]).reshape(law.shape)
        return law / float(below)  # an older NumPy makes Python objects of what a large integer divides

    def _deferred(self, keys: set[tuple[Vector, Any]]) -> dict[Any, tuple[NDArray[Any], int]]:
        row = self.chain.deferred
        if row is None or not isinstance(row.goal, int):
            raise TypeError("only a chain with a deferred row has cards whose number is open.")
        values: dict[int, list[int]] = {}
        for number in self.chain.kinds[0]:
            values.setdefault(self.program.classes[number].adds[self.program.counter(row.counter)], []).append(number)
        parts = [(value, part) for value, numbers in values.items() for part in self.parts_of(numbers)]
        kind = self.number_type(self.program.size, len(self.groups) + 1)
        moves, pendings = {moved for moved, _ in keys}, {pending for _, pending in keys}
        return taken_until(parts, row.goal, self.deferred, self.tallies, moves, pendings, kind)

    def _of_one_kind(self, moves: set[Vector]) -> dict[Any, tuple[NDArray[Any], int]]:
        """Count ways where no row tells cards apart; parts that add to nothing fill up what is left."""
        parts = self.parts[0]
        size = sum(part.size for part in parts)
        if not self.groups:
            return {(moved, None): (np.ones((1,) * len(self.tallies), self.number_type(size, 0)), 1) for moved in moves}
        limits = tuple(max(column) for column in zip(*moves, strict=True))
        rest = sum(part.size for part in parts if not part.counts)
        table = self._ways([part for part in parts if part.counts], limits)
        groups = len(limits)
        laws = {}
        for moved in moves:
            part = table[tuple(slice(0, number + 1) for number in moved)]
            spare = np.zeros(part.shape[:groups], part.dtype)
            for taken in np.ndindex(*part.shape[:groups]):
                left = tuple(m - t for m, t in zip(moved, taken, strict=True))
                if sum(left) <= rest:
                    spare[taken] = choices(rest, left)
            summed = np.tensordot(spare, part, axes=(range(groups), range(groups)))
            laws[moved, None] = (np.asarray(summed), choices(size, moved))
        return laws

    def _ways(self, parts: list[Part], limits: Vector) -> NDArray[Any]:
        """Count ways once for all turns if they are few; else for the limits of one."""
        if len(limits) == 1:
            limits = self._furthest()
        if limits not in self._kept:
            self._kept[limits] = ways(parts, limits, self.tallies, self.number_type(self.program.size, len(limits)))
        return self._kept[limits]

    def number_type(self, cards: int, groups: int) -> Any:
        """Return the type for tables of numbers of ways: float64 as long as they are far from overflow."""
        small = self.chain.floats and cards * math.log10(groups + 1) < math.log10(LARGEST_FLOAT)
        return np.float64 if small else object

    # several kinds

    def _spread(self, state: State) -> tuple[tuple[tuple[Vector, ...], Any], ...]:
        """Give each way in which the hidden cards of the groups may be of some kinds, with its probability.

        Returns:
            For each way the number of cards of each kind in each group (kind, then group), those known among them.
        """
        kinds = range(len(self.parts))
        known = [[0] * len(self.groups) for _ in kinds]
        hidden = [0] * len(self.groups)
        for pile, group in self.group_of.items():
            hidden[group] += state.hidden[pile]
            for kind in kinds:
                known[kind][group] += state.known[pile][kind]
        key = (tuple(map(tuple, known)), self.chain.pool(state), tuple(hidden))
        if key not in self._spreads:
            self._spreads[key] = tuple(self._split(*key))
        return self._spreads[key]

    def _split(
        self, known: tuple[Vector, ...], pool: Vector, hidden: Vector
    ) -> Iterator[tuple[tuple[Vector, ...], Any]]:
        begun: list[tuple[tuple[Vector, ...], Vector, Any]] = [((), pool, 1)]
        for number in hidden:
            begun = [
                ((*parts, part), tuple(map(operator.sub, left, part)), share * chance)
                for parts, left, share in begun
                for chance, part in self.chain.split(left, number)
            ]
        for parts, _, share in begun:
            by_kind = zip(*parts, strict=True)
            yield tuple(tuple(map(operator.add, *each)) for each in zip(known, by_kind, strict=True)), share

    def _of_kinds(self, held: dict[tuple[Vector, ...], Any]) -> NDArray[Any]:
        """Mix, over how many cards of each kind lie where, what they add up to.

        One kind after the other is summed out: the one with the largest tables by one product of matrices, the others
        by moving tables along the tallies.
        """
        order = sorted(range(len(self.parts)), key=lambda kind: int(np.count_nonzero(self._table(kind))))
        tables = [self._table(kind) for kind in order]
        rows = self._summed_out(held, order, tables[-1])
        for place in range(len(order) - 2, -1, -1):
            after: dict[tuple[Vector, ...], NDArray[Any]] = {}
            for key, law in rows.items():
                part = tables[place][key[place]]
                into = after.setdefault(key[:place], np.zeros([t.high + 1 for t in self.tallies], law.dtype))
                for steps in zip(*(index.tolist() for index in np.nonzero(part)), strict=True):
                    shift_into(into, law, steps, part[steps], 0, self.tallies)
            rows = after
        return rows[()]

    def _summed_out(
        self, held: dict[tuple[Vector, ...], Any], order: Sequence[int], table: NDArray[Any]
    ) -> dict[tuple[Vector, ...], NDArray[Any]]:
        groups = len(self.groups)
        inner = table.shape[:groups]
        flat = table.reshape(math.prod(inner), -1)
        starts: dict[tuple[Vector, ...], int] = {}
        entries = []
        for key, weight in held.items():
            turned = tuple(key[kind] for kind in order)
            row = starts.setdefault(turned[:-1], len(starts))
            entries.append((row, int(np.ravel_multi_index(turned[-1], inner)), weight))
        weights = np.zeros((len(starts), len(flat)), table.dtype)
        for row, column, weight in entries:
            weights[row, column] += weight
        laws = weights @ flat
        return {key: laws[row].reshape(table.shape[groups:]) for key, row in starts.items()}

    def _table(self, kind: int) -> NDArray[Any]:
        """Return, for each number of cards of a kind in each group, the law of what they add to the tallies."""
        if kind not in self._laws:
            parts = self.parts[kind]
            size = sum(part.size for part in parts)
            reach = tuple(min(size, most) for most in self._furthest())
            law = ways(parts, reach, self.tallies, self.number_type(size, len(reach)))
            shares = np.zeros(law.shape, np.float64 if self.chain.floats else object)
            for taken in np.ndindex(*law.shape[: len(reach)]):
                if sum(taken) <= size:
                    shares[taken] = self._divided(np.asarray(law[taken]), choices(size, taken))
            self._laws[kind] = shares
        return self._laws[kind]

    def _furthest(self) -> Vector:
        """Return the largest number of cards in each group at any mark."""
        if self._reach is None:
            self._reach = self._limits(state for mark in self.chain.marks.values() for state in mark)
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

    def _joined(self, pieces: list[tuple[Vector, NDArray[Any], Any]]) -> tuple[NDArray[Any], int]:
        """Add up exact fractions: Python integers, and what they are divided by."""
        found = np.zeros(self.shape, object)
        for places, law, weight in pieces:
            self._place(found, places, law * weight)
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
