"""Trials by the million: blocks, seeds, progress, interruption, executors, examples."""

from __future__ import annotations

import os
import secrets
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from rulekit.probability.condition import Condition
from rulekit.probability.distribution import Distribution, Span
from rulekit.probability.estimate import Estimate
from rulekit.probability.packing import Numbers, Packed, looked_at, pack
from rulekit.probability.playing import player
from rulekit.probability.program import Program
from rulekit.probability.replay import Dealt, dealt
from rulekit.probability.rows import Axis, FirstTurn
from rulekit.rules import BadData, TooMany

Parts: TypeAlias = Sequence[tuple[Fraction, Program]]

SMALLEST_BLOCK = 1 << 16
LARGEST_BLOCK = 1 << 22
MOST_BLOCKS = 256
WAITING = 2
MOST_BITS = 19
MOST_CELLS_AT_ONCE = 1 << 18
MOST_TRIALS = 1 << 48


@dataclass(frozen=True)
class Table:
    """Say which axes are counted together, and where each lies in the place of a cell.

    Attributes:
        axes: Places of the axes among those of the program.
        fields: For each axis its lowest bit in the number of a cell, its mask, and its lowest bit in a place.
        sizes: Number of values of each axis.
        bits: Number of bits of a place.
    """

    axes: tuple[int, ...]
    fields: tuple[tuple[int, int, int], ...]
    sizes: tuple[int, ...]
    bits: int

    @classmethod
    def of(cls, packed: Packed, axes: Iterable[int]) -> Table:
        """Make the table of some axes of a program."""
        chosen = tuple(axes)
        widths = [packed.widths[k] for k in chosen]
        fields = [(packed.shifts[k], (1 << packed.widths[k]) - 1, sum(widths[i + 1 :])) for i, k in enumerate(chosen)]
        return cls(chosen, tuple(fields), tuple(packed.program.shape[k] for k in chosen), sum(widths))

    def empty(self, turns: int) -> Numbers:
        """Return a table in which nothing is counted yet."""
        return np.zeros((turns, 1 << self.bits), np.int64)

    def dense(self, counted: Numbers) -> Numbers:
        """Return what was counted with one dimension for the turns and one for each axis."""
        widths = [mask + 1 for _, mask, _ in self.fields]
        shaped = counted.reshape(len(counted), *widths)
        return np.ascontiguousarray(shaped[(slice(None), *(slice(0, size) for size in self.sizes))])


@dataclass(frozen=True)
class Progress:
    """Say how far a simulation is.

    Attributes:
        done: Trials played.
        trials: Trials asked for.
        name: The first number that is counted.
        estimate: Its mean at the last turn so far, with its error.
    """

    done: int
    trials: int
    name: str
    estimate: Estimate


@dataclass(frozen=True)
class _Work:
    """Trials of one part of a mixture that somebody plays: the unit that is sent to an executor."""

    packed: Packed
    tables: tuple[Table, ...]
    first: int
    trials: int
    key: int


Counted: TypeAlias = list[tuple[Numbers, Numbers]]


def play_work(work: _Work) -> Counted:
    """Play trials and count them.

    Returns:
        For each table the places that came up, and how often.
    """
    who = player(work.packed)
    turns = len(work.packed.turns)
    tables = [table.empty(turns) for table in work.tables]
    fields = [np.array(table.fields, np.int64).reshape(-1, 3) for table in work.tables]
    for first in range(work.first, work.first + work.trials, who.most):
        cells = who.play(min(who.most, work.first + work.trials - first), first, work.key)
        for table, filled, each in zip(work.tables, tables, fields, strict=True):
            who.count(cells, filled, each, table.bits)
    found = [np.flatnonzero(filled) for filled in tables]
    return [(places, filled.ravel()[places]) for places, filled in zip(found, tables, strict=True)]


def key_of(seed: int, part: int = 0) -> int:
    """Return the key of the random streams of a seed, and of a part of a mixture.

    Raises:
        BadData: The seed is below 0.
    """
    if seed < 0:
        raise BadData(f"a seed is a whole number of at least 0, not {seed}.", key="seed")
    return int(np.random.SeedSequence(seed, spawn_key=(part,)).generate_state(1, np.uint64)[0])


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
    return mine.of == other.of and (mine.high is None or other.high is not None and other.high <= mine.high)


class Trials:
    """Play trials of a program, or of a mixture of programs, and answer from them.

    The trials depend on the programs and the seed alone: not on the size of blocks, the executor, the number of workers,
    the machine, or whether machine code or NumPy plays them. What is asked later is counted in the same trials, played
    again.

    Attributes:
        parts: For each deck that may be the one its weight and its program, whose axes are all that will ever be asked.
        seed: The seed.
        asked: Number of trials that were asked for.
        trials: Number of trials that were played, less if it was interrupted.
        executor: Who plays; None: threads of this process.
        workers: Number of these threads; None: one for each processor.
    """

    is_exact = False

    def __init__(
        self, parts: Parts, trials: int, seed: int, executor: Executor | None = None, workers: int | None = None
    ) -> None:
        """Prepare trials; `play` plays them."""
        if not 1 <= trials <= MOST_TRIALS:
            raise BadData(f"the number of trials is from 1 to {MOST_TRIALS:,}, not {trials:,}.", key="trials")
        self.parts, self.seed, self.asked, self.trials = tuple(parts), seed, trials, 0
        self.executor, self.workers = executor, workers
        self._sizes = _shares([weight for weight, _ in self.parts], trials)
        block = min(max(SMALLEST_BLOCK, trials // MOST_BLOCKS), LARGEST_BLOCK)
        self._rounds, self._played = -(-trials // block), 0
        self._looked = [looked_at(program) for _, program in self.parts]
        self._keys = [key_of(seed, part) for part in range(len(self.parts))]
        self._counts: dict[object, list[Counts]] = {}

    # playing

    def play(self, progress: bool | Callable[[Progress], None] = False) -> None:
        """Play the trials; the keyboard's interrupt ends it with what has been done by then.

        Args:
            progress: True for a bar in the terminal, or a function that is called after each block.

        Raises:
            KeyboardInterrupt: If nothing has been done yet.
        """
        packed = [pack(program, None, looked) for (_, program), looked in zip(self.parts, self._looked, strict=True)]
        tables = [_first_tables(each) for each in packed]
        with _shown(progress, self.asked) as tell:
            try:
                for filled in self._rounds_of(packed, tables, self._rounds):
                    self._played += 1
                    self.trials = sum(self._size(part, self._played) for part in range(len(self.parts)))
                    tell(self._progress(packed[0], tables[0], filled[0]))
            except KeyboardInterrupt:
                if not self._played:
                    raise
        self._keep(packed, tables, filled)

    def _rounds_of(
        self, packed: Sequence[Packed], tables: Sequence[Sequence[Table]], rounds: int
    ) -> Iterator[list[list[Numbers]]]:
        """Play rounds, in each a block of every part, and yield what was counted so far after each round."""
        works = [
            _Work(each, tuple(tables[part]), self._size(part, k), self._size(part, k + 1) - self._size(part, k), key)
            for k in range(rounds)
            for part, (each, key) in enumerate(zip(packed, self._keys, strict=True))
        ]
        filled = [[table.empty(len(each.turns)) for table in mine] for each, mine in zip(packed, tables, strict=True)]
        for place, counted in enumerate(in_order(works, self.executor, self.workers)):
            part = place % len(packed)
            for table, (places, numbers) in zip(filled[part], counted, strict=True):
                table.reshape(-1)[places] += numbers
            if part == len(packed) - 1:
                yield filled

    def _size(self, part: int, rounds: int) -> int:
        return self._sizes[part] * rounds // self._rounds

    def _keep(
        self, packed: Sequence[Packed], tables: Sequence[Sequence[Table]], filled: Sequence[Sequence[Numbers]]
    ) -> None:
        for part, each in enumerate(packed):
            known = self._counts.setdefault((part, each.program.rows), [])
            for table, numbers in zip(tables[part], filled[part], strict=True):
                axes = tuple(each.program.axes[k] for k in table.axes)
                known.append(Counts(axes, each.turns, table.dense(numbers)))

    def _progress(self, packed: Packed, tables: Sequence[Table], filled: Sequence[Numbers]) -> Progress:
        axis = packed.program.axes[0]
        counts = Counts(
            tuple(packed.program.axes[k] for k in tables[0].axes), packed.turns[-1:], tables[0].dense(filled[0][-1:])
        ).of([axis], packed.turns[-1])
        assert counts is not None
        one = Distribution([Span(axis.name, 0, len(counts))], counts, None, int(counts.sum()), self.seed)
        mean = one.mean()
        assert isinstance(mean, Estimate)
        return Progress(self.trials, self.asked, axis.name, mean)

    # answering

    @property
    def method(self) -> str:
        """How many trials were played, and with which seed."""
        text = f"Simulated: {self.trials:,} trials, seed {self.seed}."
        if self.trials < self.asked:
            text += f" Interrupted before the {self.asked:,} trials that were asked for."
        return text

    def distribution(self, program: Program, turn: int, part: int = 0) -> Distribution:
        """Return how often each point on the axes of a program came up at the mark of a turn.

        Args:
            program: The program of a part with other axes, or with rows between that move nothing.
            turn: The turn.
            part: Which part it belongs to.

        Raises:
            TooMany: If too many things are counted at once.
        """
        known = self._counts.setdefault((part, program.rows), [])
        counts = next((found for each in known if (found := each.of(program.axes, turn)) is not None), None)
        if counts is None:
            known.append(self._count(program, turn, part))
            counts = known[-1].of(program.axes, turn)
            assert counts is not None
        spans = [Span(axis.name, 0, size) for axis, size in zip(program.axes, counts.shape, strict=True)]
        return Distribution(spans, counts, None, self._size(part, self._played), self.seed)

    def _count(self, program: Program, turn: int, part: int) -> Counts:
        """Play the trials of a part again and count other things in them."""
        packed = self._packed(program, part)
        table = Table.of(packed, range(len(program.axes)))
        if table.bits > MOST_BITS:
            raise TooMany(
                f"this question counts {1 << table.bits:,} cells at once, the limit is {1 << MOST_BITS:,}.",
                "Count fewer things at once, or compare with smaller numbers.",
            )
        if len(program.turns) << table.bits > MOST_CELLS_AT_ONCE:
            packed = self._packed(program, part, (turn,))
        works = [
            _Work(
                packed, (table,), self._size(part, k), self._size(part, k + 1) - self._size(part, k), self._keys[part]
            )
            for k in range(self._played)
        ]
        filled = table.empty(len(packed.turns))
        for ((places, numbers),) in in_order(works, self.executor, self.workers):
            filled.reshape(-1)[places] += numbers
        return Counts(program.axes, packed.turns, table.dense(filled))

    def _packed(self, program: Program, part: int, turns: tuple[int, ...] | None = None) -> Packed:
        unseen = looked_at(program) - self._looked[part]
        if unseen:
            raise BadData(f"the trials did not look at the cards in {', '.join(sorted(unseen))}.", key="axes")
        return pack(program, turns, self._looked[part])

    def example(self, program: Program, turn: int, condition: Condition, part: int = 0) -> int | None:
        """Return the number of the first trial in which a condition on the axes held then, or None if there was none."""
        packed = self._packed(program, part, (turn,))
        who, size = player(packed), self._size(part, self._played)
        for first in range(0, size, who.most):
            cells = who.play(min(who.most, size - first), first, self._keys[part])[:, 0]
            fields = zip(program.axes, packed.shifts, packed.widths, strict=True)
            values = {axis.name: cells >> shift & (1 << width) - 1 for axis, shift, width in fields}
            found = np.flatnonzero(np.broadcast_to(condition.holds(values), cells.shape))
            if len(found):
                return (first + int(found[0])) * len(self.parts) + part
        return None

    def dealt(self, trial: int) -> Dealt:
        """Deal a trial again, card by card.

        Args:
            trial: Its number, as `example` gives it. With several parts they are numbered in turn.

        Raises:
            BadData: If no such trial was played.
        """
        number, part = divmod(trial, len(self.parts))
        if not 0 <= number < self._size(part, self._played):
            raise BadData(f"there is no trial {trial:,} among the {self.trials:,} trials.", key="trial")
        return dealt(self.parts[part][1], self._keys[part], number, self._looked[part])


def play_trials(
    program: Program | Parts,
    trials: int = 100_000,
    seed: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
    executor: Executor | None = None,
    workers: int | None = None,
) -> Trials:
    """Play trials of a program.

    Args:
        program: The program, with all axes that will be asked; or a mixture: weights and programs.
        trials: Number of trials, at least 1.
        seed: A whole number of at least 0; None: one is drawn, and told by the answer.
        progress: True for a bar in the terminal, or a function that is called with a `Progress` now and then.
        executor: Any executor of the kind of `concurrent.futures`; None: threads of this process.
        workers: Number of these threads; None: one for each processor.

    Returns:
        The trials; those done by then if the keyboard interrupted it.

    Raises:
        BadData: If a number is out of range.
        TooMany: If the program counts too many things.
    """
    parts = ((Fraction(1), program),) if isinstance(program, Program) else program
    played = Trials(parts, trials, secrets.randbits(32) if seed is None else seed, executor, workers)
    played.play(progress)
    return played


def in_order(works: Sequence[_Work], executor: Executor | None = None, workers: int | None = None) -> Iterator[Counted]:
    """Have work done and yield the results in order; nothing is left running when this is closed or interrupted."""
    threads = min(workers or _processors(), len(works))
    if executor is None and (threads < 2 or sys.platform == "emscripten"):
        yield from map(play_work, works)
        return
    pool = executor or ThreadPoolExecutor(threads)
    most = len(works) if executor else threads + WAITING
    waiting: deque[Future[Counted]] = deque()
    try:
        for work in works:
            waiting.append(pool.submit(play_work, work))
            if len(waiting) >= most:
                yield waiting[0].result()
                waiting.popleft()
        while waiting:
            yield waiting[0].result()
            waiting.popleft()
    finally:
        wait([each for each in waiting if not each.cancel()])
        if executor is None:
            pool.shutdown()


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _shares(weights: Sequence[Fraction], trials: int) -> list[int]:
    """Share trials out by weights, the largest remainders first."""
    total = sum(weights)
    if not weights or total <= 0 or any(weight < 0 for weight in weights):
        raise BadData("a mixture needs weights of at least 0, not all 0.", key="parts")
    exact = [Fraction(weight) * trials / total for weight in weights]
    shares = [int(each) for each in exact]
    for part in sorted(range(len(shares)), key=lambda k: shares[k] - exact[k])[: trials - sum(shares)]:
        shares[part] += 1
    return shares


def _first_tables(packed: Packed) -> list[Table]:
    """Choose what is counted at once: all axes together if the table is small enough, else each alone."""
    every = range(len(packed.program.axes))
    if len(packed.turns) << packed.bits <= MOST_CELLS_AT_ONCE:
        return [Table.of(packed, every)]
    return [Table.of(packed, (axis,)) for axis in every]


@contextmanager
def _shown(progress: bool | Callable[[Progress], None], trials: int) -> Iterator[Callable[[Progress], None]]:
    """Give the function that is told of progress."""
    if callable(progress):
        yield progress
    elif progress and sys.stderr.isatty():
        from tqdm import tqdm

        with tqdm(total=trials, unit=" trials", unit_scale=True) as bar:

            def tell(now: Progress) -> None:
                bar.set_postfix_str(f"{now.name} {now.estimate.short()}", refresh=False)
                bar.update(now.done - bar.n)

            yield tell
    else:
        yield lambda _: None
