"""From cards moved to what is counted: the dynamic programme over classes of cards.

Given how many cards of which kind lie where, every choice of the cards themselves is equally likely. The number of ways
to choose them with given counts is a product of one polynomial for each class of cards that nothing asked tells apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.chain import MOST_CELLS, Chain, State, Weights
from rulekit.probability.program import Program
from rulekit.probability.rows import Axis, CardClass, Value
from rulekit.probability.until import taken_until
from rulekit.probability.ways import Part, Tally, Vector, choices, convolved, folded, ways
from rulekit.rules import TooMany

LARGEST_FLOAT = 1e290


class Law:
    """Work out what is counted from the states of a chain.

    Attributes:
        axes: What is asked.
        cells: Number of cells of the largest table, worked out beforehand.
        parts: For each kind of cards the parts that must be told apart.
    """

    def __init__(self, chain: Chain, axes: Sequence[Axis]) -> None:
        """Prepare a question.

        Args:
            chain: The states, already run.
            axes: What is asked; each names values of the program.
        """
        self.chain = chain
        self.program: Program = chain.program
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
        self._count_cells(states)
        whole = not self.chain.floats
        found = np.zeros(self.shape, np.float64)
        pieces: list[tuple[Any, Vector, NDArray[Any]]] = []
        for config, members in self._configs(states).items():
            laws = self._laws(config, {moved for moved, _, _, _ in members}, {pending for _, _, pending, _ in members})
            for moved, places, pending, weight in members:
                law, below = laws[moved, pending]
                if whole:
                    pieces.append((weight / below, places, law))
                elif law.dtype == object:
                    shares = np.array([float(Fraction(ways) / below) for ways in law.ravel()]).reshape(law.shape)
                    self._place(found, places, shares * weight)
                else:
                    self._place(found, places, law * (weight / below))
        return self._joined(pieces) if whole else (found, None)

    def _count_cells(self, states: Weights) -> None:
        limits = self._limits(states)
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
        limits = [0] * len(self.groups)
        for state in states:
            for group in range(len(self.groups)):
                total = sum(state.hidden[p] + sum(state.known[p]) for p, g in self.group_of.items() if g == group)
                limits[group] = max(limits[group], total)
        return tuple(limits)

    def _configs(self, states: Weights) -> dict[Any, list[tuple[Vector, Vector, Any, Any]]]:
        """Sort states by what is known: how many cards of each kind lie in each group, and what the pool holds."""
        configs: dict[Any, list[tuple[Vector, Vector, Any, Any]]] = {}
        kinds = range(len(self.chain.kinds))
        for state, weight in states.items():
            known = [[0] * len(kinds) for _ in self.groups]
            moved = [0] * len(self.groups)
            for pile, group in self.group_of.items():
                moved[group] += state.hidden[pile]
                for kind in kinds:
                    known[group][kind] += state.known[pile][kind]
            places = tuple(self._blind(axis, state) for axis in self.axes)
            config = (tuple(map(tuple, known)), self.chain.pool(state)) if self.groups else ((), ())
            configs.setdefault(config, []).append((tuple(moved), places, state.pending, weight))
        return configs

    def _blind(self, axis: Axis, state: State) -> int:
        values = (value for value in axis.of if value.of not in ("counter", "features"))
        return sum(self.chain.value(state, value) for value in values)

    def _laws(self, config: Any, moves: set[Vector], pendings: set[Any]) -> dict[Any, tuple[NDArray[Any], Any]]:
        known, pool = config
        if not self.groups and pendings == {None}:
            one = np.ones((1,) * len(self.tallies), object if not self.chain.floats else np.float64)
            return {(moved, None): (one, 1) for moved in moves}
        if pendings != {None}:
            return self._deferred(moves, pendings)
        limits = tuple(max(column) for column in zip(*moves, strict=True))
        if len(self.parts) == 1 and not any(map(any, known)):
            return self._of_one_kind(self.parts[0], moves, limits)
        table = self._of_kinds(known, pool, limits)
        total = sum(pool)
        return {(moved, None): (table[moved], choices(total, moved)) for moved in moves}

    def _deferred(self, moves: set[Vector], pendings: set[Any]) -> dict[Any, Any]:
        row = self.chain.deferred
        if row is None or not isinstance(row.goal, int):
            raise TypeError("only a chain with a deferred row has cards whose number is open.")
        values: dict[int, list[int]] = {}
        for number in self.chain.kinds[0]:
            values.setdefault(self.program.classes[number].adds[self.program.counter(row.counter)], []).append(number)
        parts = [(value, part) for value, numbers in values.items() for part in self.parts_of(numbers)]
        kind = self.number_type(self.program.size, len(self.groups) + 1)
        return taken_until(parts, row.goal, self.deferred, self.tallies, moves, pendings, kind)

    def _of_one_kind(self, parts: tuple[Part, ...], moves: set[Vector], limits: Vector) -> dict[Any, Any]:
        dull = [part for part in parts if not part.counts]
        counted = [part for part in parts if part.counts]
        size = sum(part.size for part in parts)
        rest = sum(part.size for part in dull)
        table = ways(counted, limits, self.tallies, self.number_type(size, len(limits)))
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

    def number_type(self, cards: int, groups: int) -> Any:
        """Return the type for tables of numbers of ways: float64 as long as they are far from overflow."""
        small = self.chain.floats and cards * math.log10(groups + 1) < math.log10(LARGEST_FLOAT)
        return np.float64 if small else object

    def _of_kinds(self, known: tuple[Vector, ...], pool: Vector, limits: Vector) -> NDArray[Any]:
        """Count the ways to fill the groups from the pool, of several kinds, beside the cards that are known."""
        tables = []
        for kind, parts in enumerate(self.parts):
            held = tuple(group[kind] for group in known)
            top = tuple(min(limit, pool[kind]) for limit in limits)
            reach = tuple(h + t for h, t in zip(held, top, strict=True))
            size = sum(part.size for part in parts)
            every = ways(parts, reach, self.tallies, self.number_type(self.program.size, len(limits)))
            scaled = every[tuple(slice(h, None) for h in held)].copy()
            for taken in np.ndindex(*scaled.shape[: len(limits)]):
                if sum(taken) <= pool[kind]:
                    below = choices(size, tuple(h + t for h, t in zip(held, taken, strict=True)))
                    scaled[taken] = scaled[taken] * self._ratio(choices(pool[kind], taken), below)
                else:
                    scaled[taken] = scaled[taken] * 0
            tables.append(scaled)
        tables.sort(key=lambda table: -int(np.count_nonzero(table)))
        joined = tables[0]
        for table in tables[1:]:
            joined = convolved(joined, table, limits, self.tallies)
        return _padded(joined, limits)

    def _ratio(self, part: int, whole: int) -> Any:
        return part / whole if self.chain.floats else Fraction(part, whole)

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

    def _joined(self, pieces: list[tuple[Any, Vector, NDArray[Any]]]) -> tuple[NDArray[Any], int]:
        exact = [(Fraction(weight), places, law) for weight, places, law in pieces]
        inner = math.lcm(*(n.denominator for _, _, law in exact for n in law.ravel() if isinstance(n, Fraction)), 1)
        below = math.lcm(*(weight.denominator for weight, _, _ in exact), 1)
        found = np.zeros(self.shape, object)
        for weight, places, law in exact:
            whole = _integers(law, inner)
            self._place(found, places, whole * int(weight * below))
        return found, below * inner


def _most(program: Program, axis: Axis) -> int:
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


def _padded(table: NDArray[Any], limits: Vector) -> NDArray[Any]:
    wide = [max(0, limit + 1 - size) for limit, size in zip(limits, table.shape, strict=False)]
    return np.pad(table, [(0, each) for each in wide] + [(0, 0)] * (table.ndim - len(limits)), constant_values=0)


def _integers(law: NDArray[Any], scale: int) -> NDArray[Any]:
    return np.array([int(number * scale) for number in law.ravel()], object).reshape(law.shape)
