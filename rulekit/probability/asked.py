"""What is asked of a program: named numbers, and conditions on them, in terms of its axes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.condition import Condition
from rulekit.probability.distribution import Distribution
from rulekit.probability.program import Program
from rulekit.probability.rows import LOST, Add, Axis, FirstTurn, Mark, Row, Shuffle, When, register, walk
from rulekit.probability.weighted import Span

FIRST = "first turn"
LOST_TURN = "turn lost"


@dataclass(frozen=True)
class Asked:
    """A number that can be asked by its name.

    Attributes:
        name: How a condition calls it.
        axes: What a program records for it.
        total: If not None, the number is this less the sum of the axes (cards that are still in the library).
        when: If given, the number is 1 where this condition on the axes holds, else 0.
        milled: Whether it counts milled cards though the name does not say so.
    """

    name: str
    axes: tuple[Axis, ...]
    total: int | None = None
    when: Condition | None = None
    milled: bool = False

    @property
    def plain(self) -> bool:
        """Whether the number is what its only axis records."""
        return self.total is None and self.when is None

    def values(self, grid: Mapping[str, NDArray[np.int64]]) -> NDArray[np.int64]:
        """Return the number for each point of a grid of axis values."""
        if self.when is not None:
            return np.asarray(self.when.holds(grid), np.int64)
        total = sum((grid[axis.name] for axis in self.axes), np.zeros((), np.int64))
        return total if self.total is None else self.total - total

    def as_condition(self, compared: Condition) -> Condition:
        """Return a comparison of the number as a condition on its axes."""
        if self.when is not None:
            yes, no = (bool(compared.holds({self.name: value})) for value in (1, 0))
            if yes == no:
                return _always(self.axes[0].name, yes)
            return self.when if yes else Condition("not", parts=(self.when,))
        if self.total is None:
            return replace(compared, name=self.axes[0].name)
        turned = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(compared.operator, compared.operator)
        return replace(compared, name=self.axes[0].name, operator=turned, number=self.total - compared.number)


def numbers_said(names: Sequence[str], asked: Mapping[str, Asked]) -> str:
    """Say of which cards some named numbers are."""
    if all(asked[name].milled for name in names):
        return f"{' and '.join(names)} milled"
    return " and ".join(f"{name} milled" if asked[name].milled else name for name in names)


def condition_said(condition: Condition, asked: Mapping[str, Asked]) -> str:
    """Say a condition, and if it is on milled cards that it is."""
    milled = any(asked[name].milled for name in condition.names)
    return f"{condition} among milled cards" if milled else str(condition)


def rewritten(condition: Condition, asked: Mapping[str, Asked]) -> Condition:
    """Return a condition on named numbers as one on the axes that record them."""
    if condition.kind == "compare":
        return asked[condition.name].as_condition(condition)
    return replace(condition, parts=tuple(rewritten(part, asked) for part in condition.parts))


def settled(condition: Condition, most: Mapping[str, int]) -> Condition:
    """Return the same condition with "at most" and "at least" where a number is the smallest or largest there is.

    Args:
        condition: Compares counts, none of which is below 0.
        most: The largest number that a count can be, as far as that is known.
    """
    if condition.kind != "compare":
        return replace(condition, parts=tuple(settled(part, most) for part in condition.parts))
    number, sign = condition.number, condition.operator
    if number == 0 and sign in ("=", "!="):
        return replace(condition, operator="<=" if sign == "=" else ">", number=0)
    if number == most.get(condition.name) and sign in ("=", "!="):
        return replace(condition, operator=">=" if sign == "=" else "<")
    return condition


def axes_of(names: Iterable[str], asked: Mapping[str, Asked]) -> tuple[Axis, ...]:
    """Return the axes that some named numbers need, each once."""
    return tuple(dict.fromkeys(axis for name in names for axis in asked[name].axes))


def capped(condition: Condition, axes: Iterable[Axis]) -> tuple[Axis, ...]:
    """Return axes that tell apart no more than a condition on them does."""
    found = []
    for axis in axes:
        high = max((*condition.numbers(axis.name), -1)) + 1
        found.append(replace(axis, high=high if axis.high is None else min(axis.high, high)))
    return tuple(found)


def by_name(found: Distribution, names: Iterable[str], asked: Mapping[str, Asked]) -> Distribution:
    """Turn a distribution over axes into one over the numbers asked, in their order."""
    wanted = [asked[name] for name in names]
    if all(each.plain for each in wanted):
        order = [found.names.index(each.axes[0].name) for each in wanted]
        spans = [
            Span(each.name, found.axes[i].start, found.axes[i].size) for each, i in zip(wanted, order, strict=True)
        ]
        return _like(found, spans, found.weights.transpose(order).copy())
    grids = np.meshgrid(*(np.array(axis.values) for axis in found.axes), indexing="ij")
    grid = dict(zip(found.names, grids, strict=True))
    columns = [np.broadcast_to(each.values(grid), found.weights.shape) for each in wanted]
    lows = [int(column.min()) for column in columns]
    spans = [Span(w.name, low, int(c.max()) - low + 1) for w, low, c in zip(wanted, lows, columns, strict=True)]
    filled = np.zeros([span.size for span in spans], found.weights.dtype)
    np.add.at(filled, tuple((c - low).ravel() for c, low in zip(columns, lows, strict=True)), found.weights.ravel())
    return _like(found, spans, filled)


def growing(program: Program, axes: Iterable[Axis]) -> tuple[list[str], list[str]]:
    """Return the names of the axes whose numbers never fall, and of those that never rise, whatever happens."""
    back = {pile for row in walk(program.rows) if isinstance(row, Shuffle) for pile in row.back}
    up, down = [], []
    for axis in axes:
        kinds = {value.of for value in axis.of}
        piles = {pile for value in axis.of for pile in value.piles}
        if kinds <= {"cards", "counter", "features", "lost"} and not piles & back:
            up.append(axis.name)
        if kinds == {"library"} and not back:
            down.append(axis.name)
    return up, down


def watching(program: Program, condition: Condition, axes: Iterable[Axis]) -> Program:
    """Return the program that also remembers the first turn, from 1 on, at whose end a condition on its axes holds.

    Rows of a lost game do nothing, so the turn in which it was lost is asked apart (`first_turns`).

    Args:
        program: What is done.
        condition: Compares axes by their names.
        axes: These axes.

    Returns:
        The program with the axes "first turn" (the turn, or 0 if there was none so far), "turn lost", and those given.
    """
    known = {axis.name: axis for axis in axes}
    rows: list[Row] = []
    for row in program.rows:
        if isinstance(row, Mark) and row.turn > 0:
            found = (Add(FIRST, row.turn),)
            rows.append(When((register(FIRST),), 0, 0, _when(condition, known, found, ())))
        rows.append(row)
    last = program.turns[-1]
    asked: tuple[Axis | FirstTurn, ...] = (
        Axis(FIRST, (register(FIRST),), last),
        FirstTurn(LOST_TURN, (LOST,), 1),
        *axes,
    )
    return replace(program, rows=tuple(rows), axes=asked)


def first_turns(found: Distribution, condition: Condition, last: int) -> Distribution:
    """Return the distribution of the first turn from what a watching program recorded at the last turn."""

    def first(turn: int, lost: int, *values: int) -> int:
        if turn:
            return turn
        frozen = lost <= last and condition.holds(dict(zip(found.names[2:], values, strict=True)))
        return max(1, lost) if frozen else last + 1

    turns = found.map(first, "turn")
    weights = np.zeros(last, turns.weights.dtype)
    for (turn,), weight in turns.points():
        if turn <= last:
            weights[turn - 1] = weight
    late = f"later than turn {last}"
    return Distribution([Span("turn", 1, last)], weights, turns.denominator, turns.trials, turns.seed, "", late)


def _when(
    condition: Condition, axes: Mapping[str, Axis], then: tuple[Row, ...], other: tuple[Row, ...]
) -> tuple[Row, ...]:
    if condition.kind == "not":
        return _when(condition.parts[0], axes, other, then)
    if condition.kind in ("and", "or"):
        rows = then if condition.kind == "and" else other
        for part in reversed(condition.parts):
            rows = _when(part, axes, rows, other) if condition.kind == "and" else _when(part, axes, then, rows)
        return rows
    values, number = axes[condition.name].of, condition.number
    ranges = {"=": (number, number), "!=": (number, number), ">=": (number, None), ">": (number + 1, None)}
    low, high = ranges.get(condition.operator, (0, number - (condition.operator == "<")))
    if condition.operator == "!=":
        then, other = other, then
    if high is not None and high < low:
        return other
    return (When(values, max(low, 0), high, then, other),)


def _always(name: str, yes: bool) -> Condition:
    return Condition("compare", name, ">=" if yes else "<", 0)


def _like(found: Distribution, spans: list[Span], weights: NDArray[np.float64]) -> Distribution:
    return Distribution(spans, weights, found.denominator, found.trials, found.seed, found.title, found.beyond)
