"""Who plays the trials: machine code where there is llvmlite, else NumPy; both play the same."""

from __future__ import annotations

import os
import warnings
from functools import cache
from threading import Lock, local
from typing import Protocol

import numpy as np

from rulekit.probability import abreast, kernel, vectors
from rulekit.probability.desk import layout
from rulekit.probability.integers import WORD
from rulekit.probability.native import compiled
from rulekit.probability.packed import Numbers, Packed
from rulekit.probability.translation import Function

SWITCH = "RULEKIT_NUMBA"
MOST_AT_ONCE = 1 << 13
MOST_CELLS = 1 << 16
GIVEN_BACK = 1 << 22

_compiling = Lock()
_latest = local()  # a block of trials is often followed by one of the same program


class Player(Protocol):
    """Play trials of one program and count their cells."""

    most: int

    def play(self, trials: int, first: int, key: int) -> Numbers:
        """Return the cells of at most `most` trials, an int64 array (trials, turns) that the next call writes over."""

    def count(self, cells: Numbers, table: Numbers, fields: Numbers) -> None:
        """Add cells to a table, see `kernel.count`."""


def player(packed: Packed) -> Player:
    """Return the fastest player that there is: the one that this thread had last, if that plays the same program."""
    kind = Compiled if machine_code() else Vectors
    kept: tuple[Packed, Player] | None = getattr(_latest, "kept", None)
    if kept is None or kept[0] is not packed or type(kept[1]) is not kind:
        kept = _latest.kept = (packed, kind(packed))
    return kept[1]


def machine_code() -> list[Function]:
    """Return the compiled functions that play trials and count them; none if they cannot be had or are switched off.

    `RULEKIT_NUMBA=0` in the environment switches them off.
    """
    if os.environ.get(SWITCH) == "0":
        return []
    with _compiling:
        return _compiled_once()


@cache
def _compiled_once() -> list[Function]:
    try:
        return compiled((abreast.play, kernel.count), (*abreast.APART, *kernel.APART))
    except ImportError:
        return []
    except (RuntimeError, OSError) as failure:
        warnings.warn(f"trials are played by NumPy, slower: {failure}", RuntimeWarning, stacklevel=2)
        return []


class Compiled:
    """Play trials by machine code."""

    def __init__(self, packed: Packed) -> None:
        """Lay out a program."""
        turns = len(packed.turns)
        self.most = max(1, min(MOST_AT_ONCE, MOST_CELLS // max(1, turns)))
        self._play, self._count = machine_code()
        program, places = layout(packed.arrays)
        self._program = np.array([number & WORD for number in program], np.uint64)
        self._desk = np.zeros(places, np.int64)
        self._turns, self._cells = turns, np.zeros(self.most * turns, np.int64)

    def play(self, trials: int, first: int, key: int) -> Numbers:
        """Play trials, see `Player`."""
        self._play(
            self._program.ctypes.data, self._desk.ctypes.data, self._cells.ctypes.data, trials, first & WORD, key
        )
        return self._cells[: self._turns * trials].reshape(self._turns, trials).T

    def count(self, cells: Numbers, table: Numbers, fields: Numbers) -> None:
        """Count cells, see `Player`."""
        by_turn = np.ascontiguousarray(cells.T)
        self._count(by_turn.ctypes.data, table.ctypes.data, fields.ctypes.data, *cells.shape, len(fields))


class Vectors:
    """Play trials by NumPy."""

    def __init__(self, packed: Packed) -> None:
        """Make room for trials.

        A large array that is given back at once lets the C library of Linux keep what smaller ones give back, instead
        of asking the system for each of them anew (mallopt(3), M_MMAP_THRESHOLD): up to a third of a trial's time.
        """
        np.empty(GIVEN_BACK, np.uint8)
        self.most = vectors.side_by_side(packed.arrays)
        self._trials = vectors.Trials(packed.arrays, self.most)

    def play(self, trials: int, first: int, key: int) -> Numbers:
        """Play trials, see `Player`."""
        return self._trials.play(trials, first, key)

    def count(self, cells: Numbers, table: Numbers, fields: Numbers) -> None:
        """Count cells, see `Player`."""
        vectors.count(cells, table, fields)
