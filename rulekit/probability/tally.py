"""Tallies of trials: which bits of the numbers of cells are counted, the work of counting them, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from rulekit.probability.packed import Numbers, Packed
from rulekit.probability.playing import Player, player
from rulekit.probability.rows import Axis, FirstTurn

Counted: TypeAlias = tuple[Numbers, Numbers]

MOST_CELLS_AT_ONCE = 1 << 18
SHARE_OF_SEVERAL = 4


@dataclass(frozen=True)
class Table:
    """Say which bits of the number of a cell are counted, at all turns: those of all axes together, or of one.

    Attributes:
        axes: Places of the axes among those of the program.
        shift: The lowest of the bits.
        widths: Number of bits of each axis.
        sizes: Number of values of each axis.
    """

    axes: tuple[int, ...]
    shift: int
    widths: tuple[int, ...]
    sizes: tuple[int, ...]

    @classmethod
    def together(cls, packed: Packed) -> Table:
        """Make the table of all axes."""
        return cls(tuple(range(len(packed.widths))), 0, packed.widths, packed.program.shape)

    @classmethod
    def several(cls, packed: Packed) -> list[Table]:
        """Make tables of as many neighbouring axes as have so few places that their counters stay at hand."""
        tables: list[Table] = []
        for k, (shift, width, size) in enumerate(zip(packed.shifts, packed.widths, packed.program.shape, strict=True)):
            if tables and len(packed.turns) << tables[-1].bits + width <= MOST_CELLS_AT_ONCE // SHARE_OF_SEVERAL:
                last = tables.pop()
                tables.append(cls((*last.axes, k), last.shift, (*last.widths, width), (*last.sizes, size)))
            else:
                tables.append(cls((k,), shift, (width,), (size,)))
        return tables

    @property
    def bits(self) -> int:
        """Number of bits."""
        return sum(self.widths)

    @property
    def is_wide(self) -> bool:
        """Whether the places are too many to have one counter each."""
        return self.bits > MOST_CELLS_AT_ONCE.bit_length()

    def fits(self, turns: int) -> bool:
        """Tell whether so many turns can be counted at once."""
        return turns << self.bits <= MOST_CELLS_AT_ONCE

    def spread(self, counted: Counted) -> Numbers:
        """Return what was counted at one turn, by places, with one dimension for the turn and one for each axis."""
        places, numbers = counted
        filled = np.zeros((1, *self.sizes), np.int64)
        shifts = [sum(self.widths[:k]) for k in range(len(self.widths))]
        at = [places >> shift & (1 << width) - 1 for shift, width in zip(shifts, self.widths, strict=True)]
        filled[0][tuple(at)] = numbers
        return filled

    def dense(self, counted: Numbers) -> Numbers:
        """Return what was counted, flat, with one dimension for the turns and one for each axis."""
        shaped = counted.reshape(-1, *(1 << width for width in reversed(self.widths)))
        turned = shaped.transpose(0, *range(len(self.axes), 0, -1))
        return np.ascontiguousarray(turned[(slice(None), *(slice(size) for size in self.sizes))])


@dataclass(frozen=True)
class Work:
    """Trials of one part of a mixture that somebody plays: the unit that is sent to an executor."""

    packed: Packed
    tables: tuple[Table, ...]
    first: int
    trials: int
    key: int


def play_work(work: Work) -> Counted:
    """Play trials and count them.

    Returns:
        The places of the tables, one behind the other, that came up, and how often.
    """
    who = player(work.packed)
    if work.tables[0].is_wide:
        return merged(np.unique(cells, return_counts=True) for cells in _cells(who, work))
    begins = starts(work.packed, work.tables)
    filled = np.zeros(begins[-1], np.int64)
    fields = np.array(
        [(each.shift, each.bits, (1 << each.bits) - 1, start) for each, start in zip(work.tables, begins, strict=False)]
    )
    for cells in _cells(who, work):
        who.count(cells, filled, fields)
    places = np.flatnonzero(filled)
    return places, filled[places]


def merged(counted: Iterable[Counted]) -> Counted:
    """Add up what was counted at several times."""
    places, numbers = (np.concatenate(each) for each in zip(*counted, strict=True))
    found, which = np.unique(places, return_inverse=True)
    return found, np.bincount(which, numbers, len(found)).astype(np.int64)


def _cells(who: Player, work: Work) -> Iterator[Numbers]:
    """Play trials and yield their cells, as many at a time as are best played at once."""
    for first in range(work.first, work.first + work.trials, who.most):
        yield who.play(min(who.most, work.first + work.trials - first), first, work.key)


def starts(packed: Packed, tables: Sequence[Table]) -> list[int]:
    """Return where each table begins if they lie one behind the other, and the end."""
    return [0, *accumulate(len(packed.turns) << each.bits for each in tables)]


@dataclass(frozen=True)
class Counts:
    """What was counted of one program.

    Attributes:
        axes: The axes that were counted together.
        turns: The turns at which they were counted.
        table: int64 array with one dimension for the turns and one for each axis.
    """

    axes: tuple[Axis | FirstTurn, ...]
    turns: tuple[int, ...]
    table: Numbers

    def place(self, axis: Axis | FirstTurn) -> int:
        """Return which axis knows all that another one tells, the same one if it is here; -1 if there is none."""
        if axis in self.axes:
            return self.axes.index(axis)
        return next((k for k, mine in enumerate(self.axes) if _holds(mine, axis)), -1)

    def of(self, axes: Sequence[Axis | FirstTurn], turn: int) -> Numbers | None:
        """Return the counts of some of the axes at one turn, or None if they are not all here.

        Values of an axis that is cut at a lower number are counted as this number.
        """
        places = [self.place(axis) for axis in axes]
        if turn not in self.turns or -1 in places or len(set(places)) < len(places):
            return None
        counts: Numbers = self.table[self.turns.index(turn)]
        counts = counts.sum(axis=tuple(k for k in range(len(self.axes)) if k not in places))
        order = [sorted(places).index(place) for place in places]
        counts = counts.transpose(order)
        for k, axis in enumerate(axes):
            if isinstance(axis, Axis) and axis.high is not None and axis.high + 1 < counts.shape[k]:
                rest = counts.take(range(axis.high, counts.shape[k]), k).sum(axis=k, keepdims=True)
                counts = np.concatenate([counts.take(range(axis.high), k), rest], axis=k)
        return np.array(counts)


def _holds(mine: Axis | FirstTurn, other: Axis | FirstTurn) -> bool:
    """Tell whether an axis knows all that another one tells."""
    if isinstance(mine, FirstTurn) or isinstance(other, FirstTurn):
        return mine == other
    return mine.of == other.of and (mine.high is None or (other.high is not None and other.high <= mine.high))


def first_tables(packed: Packed) -> list[Table]:
    """Choose what is counted at once: all axes together if the table is small enough, else some of them together."""
    together = Table.together(packed)
    return [together] if together.fits(len(packed.turns)) else Table.several(packed)
