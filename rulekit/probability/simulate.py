"""Trials by the million: seeds, progress, interruption, any executor, an example and its cards."""

from __future__ import annotations

import math
import os
import secrets
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from rulekit.probability.answer import Answer
from rulekit.probability.asked import axes_of
from rulekit.probability.condition import Condition
from rulekit.probability.dealing import Dealt, dealt
from rulekit.probability.distribution import Distribution, Span
from rulekit.probability.estimate import Estimate
from rulekit.probability.packed import CELL_BITS, Numbers, Packed
from rulekit.probability.packing import looked_at, pack
from rulekit.probability.plan import Plan
from rulekit.probability.playing import Player, player
from rulekit.probability.program import Program
from rulekit.probability.programs import Question, question_of
from rulekit.probability.question import Count
from rulekit.probability.replay import game_of
from rulekit.probability.rows import Add, Axis, Coin, FirstTurn, Row, When
from rulekit.rules import BadData, TooMany

if TYPE_CHECKING:
    from rulekit.cards.pool import CardPool
    from rulekit.engine.game import Game

Parts: TypeAlias = Sequence[tuple[Fraction, Program]]
Counted: TypeAlias = tuple[Numbers, Numbers]

SMALLEST_BLOCK = 1 << 16
LARGEST_BLOCK = 1 << 22
MOST_BLOCKS = 256
WAITING = 2
MOST_CELLS = 1 << 22
MOST_CELLS_AT_ONCE = 1 << 18
MOST_TRIALS = 1 << 48


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
    def each(cls, packed: Packed) -> list[Table]:
        """Make a table for each axis."""
        fields = zip(packed.shifts, packed.widths, packed.program.shape, strict=True)
        return [cls((k,), shift, (width,), (size,)) for k, (shift, width, size) in enumerate(fields)]

    @property
    def bits(self) -> int:
        """Number of bits."""
        return sum(self.widths)

    @property
    def is_wide(self) -> bool:
        """Whether the places are too many to have one counter each."""
        return self.bits > MOST_CELLS_AT_ONCE.bit_length()

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


def play_work(work: _Work) -> Counted:
    """Play trials and count them.

    Returns:
        The places of the tables, one behind the other, that came up, and how often.
    """
    who = player(work.packed)
    if work.tables[0].is_wide:
        return merged(np.unique(cells, return_counts=True) for cells in _cells(who, work))
    starts = _starts(work.packed, work.tables)
    filled = np.zeros(starts[-1], np.int64)
    fields = np.array(
        [(each.shift, each.bits, (1 << each.bits) - 1, start) for each, start in zip(work.tables, starts, strict=False)]
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


def _cells(who: Player, work: _Work) -> Iterator[Numbers]:
    """Play trials and yield their cells, as many at a time as are best played at once."""
    for first in range(work.first, work.first + work.trials, who.most):
        yield who.play(min(who.most, work.first + work.trials - first), first, work.key)


def _starts(packed: Packed, tables: Sequence[Table]) -> list[int]:
    """Return where each table begins if they lie one behind the other, and the end."""
    return [0, *accumulate(len(packed.turns) << each.bits for each in tables)]


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
    return mine.of == other.of and (mine.high is None or (other.high is not None and other.high <= mine.high))


class Trials:
    """Play trials of a program, or of a mixture of programs, and answer from them.

    The trials depend on the programs and the seed alone: not on the size of blocks, the executor, the number of
    workers, the machine, or whether machine code or NumPy plays them. What is asked later is counted in the same
    trials, played again.

    Attributes:
        parts: For each deck that may be the one its weight and its program, whose axes are all that will ever be asked.
        seed: The seed.
        asked: Number of trials that were asked for.
        trials: Number of trials that were played, less if it was interrupted.
        executor: Who plays; None: threads of this process, which also answer later questions if it is closed by then.
        workers: Number of these threads; None: one for each processor.
        turns: The turns that are counted at once; None: all. Others are counted when they are asked for.
    """

    is_exact = False

    def __init__(
        self,
        parts: Parts,
        trials: int,
        seed: int,
        executor: Executor | None = None,
        workers: int | None = None,
        turns: tuple[int, ...] | None = None,
    ) -> None:
        """Prepare trials; `play` plays them."""
        if not 1 <= trials <= MOST_TRIALS:
            raise BadData(f"the number of trials is from 1 to {MOST_TRIALS:,}, not {trials:,}.", key="trials")
        self.parts, self.seed, self.asked, self.trials = tuple(parts), seed, trials, 0
        self.executor, self.workers, self.turns = executor, workers, turns
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
        packed = [
            pack(_fitting(program), self.turns, looked)
            for (_, program), looked in zip(self.parts, self._looked, strict=True)
        ]
        tables = [_first_tables(each) for each in packed]
        filled = [np.zeros(_starts(*pair)[-1], np.int64) for pair in zip(packed, tables, strict=True)]
        works = self._works(packed, tables, range(len(packed)))
        with _shown(progress, self.asked) as tell:
            try:
                for place, (places, numbers) in enumerate(in_order(works, self.executor, self.workers), 1):
                    filled[(place - 1) % len(packed)][places] += numbers
                    if place % len(packed) == 0:
                        self._played = place // len(packed)
                        self.trials = sum(self._size(part, self._played) for part in range(len(packed)))
                        tell(self._progress(packed[0], tables[0][0], filled[0]))
            except KeyboardInterrupt:
                if not self._played:
                    raise
        for part, each in enumerate(packed):
            self._keep(each, tables[part], filled[part], part)

    def _works(self, packed: Sequence[Packed], tables: Sequence[Sequence[Table]], parts: Sequence[int]) -> list[_Work]:
        """Return the work of all rounds; in each round there is a block of every part."""
        works = []
        for k in range(self._played or self._rounds):
            for each, mine, part in zip(packed, tables, parts, strict=True):
                first, end = self._size(part, k), self._size(part, k + 1)
                works.append(_Work(each, tuple(mine), first, end - first, self._keys[part]))
        return works

    def _size(self, part: int, rounds: int) -> int:
        """Return how many trials of a part are played in a number of rounds."""
        return self._sizes[part] * rounds // self._rounds

    def _keep(self, packed: Packed, tables: Sequence[Table], filled: Numbers, part: int) -> None:
        known = self._known(packed.program, part)
        starts = _starts(packed, tables)
        for table, start, end in zip(tables, starts, starts[1:], strict=False):
            axes = tuple(packed.program.axes[k] for k in table.axes)
            known.append(Counts(axes, packed.turns, table.dense(filled[start:end])))

    def _known(self, program: Program, part: int) -> list[Counts]:
        return self._counts.setdefault((part, _without_adds(program.rows)), [])

    def _progress(self, packed: Packed, table: Table, filled: Numbers) -> Progress:
        axis, last = packed.program.axes[0], packed.turns[-1]
        mine = filled[: len(packed.turns) << table.bits][-1 << table.bits :]
        together = tuple(packed.program.axes[k] for k in table.axes)
        counts = cast("Numbers", Counts(together, (last,), table.dense(mine)).of([axis], last))
        one = Distribution([Span(axis.name, 0, counts.size)], counts, None, int(counts.sum()), self.seed)
        return Progress(self.trials, self.asked, axis.name, cast("Estimate", one.mean()))

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
        known = self._known(program, part)
        found = next((counts for each in known if (counts := each.of(program.axes, turn)) is not None), None)
        if found is None:
            self._count(program, turn, part)
            found = known[-1].of(program.axes, turn)
        counts = cast("Numbers", found)
        spans = [Span(axis.name, 0, size) for axis, size in zip(program.axes, counts.shape, strict=True)]
        return Distribution(spans, counts, None, self._size(part, self._played), self.seed)

    def _count(self, program: Program, turn: int, part: int) -> None:
        """Play the trials of a part again and count other things in them."""
        packed = self._packed(program, part)
        table = Table.together(packed)
        if math.prod(table.sizes) > MOST_CELLS:
            raise TooMany(
                f"this question counts {math.prod(table.sizes):,} cells at once, the limit is {MOST_CELLS:,}.",
                "Count fewer things at once, or compare with smaller numbers.",
            )
        if len(packed.turns) << table.bits > MOST_CELLS_AT_ONCE:
            packed = self._packed(program, part, (turn,))
        works = self._works([packed], [[table]], [part])
        if table.is_wide:
            counted = merged(in_order(works, self._open_executor(), self.workers))
            self._known(program, part).append(Counts(program.axes, packed.turns, table.spread(counted)))
            return
        filled = np.zeros(_starts(packed, [table])[-1], np.int64)
        for places, numbers in in_order(works, self._open_executor(), self.workers):
            filled[places] += numbers
        self._keep(packed, [table], filled, part)

    def _open_executor(self) -> Executor | None:
        """Return the executor, or None if it has been closed since the trials were played."""
        if self.executor is not None:
            try:
                self.executor.submit(int).result()
            except Exception:  # noqa: BLE001 - every executor says in its own way that it is closed
                self.executor = None
        return self.executor

    def _packed(self, program: Program, part: int, turns: tuple[int, ...] | None = None) -> Packed:
        unseen = looked_at(program) - self._looked[part]
        if unseen:
            raise BadData(f"the trials did not look at the cards in {', '.join(sorted(unseen))}.", key="axes")
        return pack(program, turns, self._looked[part])

    def example(self, program: Program, turn: int, condition: Condition, part: int = 0) -> int | None:
        """Return the number of the first trial in which a condition on the axes held then, or None if it never did."""
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

    def game(self, question: Question, trial: int) -> Game:
        """Deal a trial again as a game on the board, see `replay`."""
        return game_of(question.parts[trial % len(self.parts)].draft, self.dealt(trial))


def play_trials(
    program: Program | Parts,
    trials: int = 100_000,
    seed: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
    executor: Executor | None = None,
    workers: int | None = None,
    turns: tuple[int, ...] | None = None,
) -> Trials:
    """Play trials of a program.

    Args:
        program: The program, with all axes that will be asked; or a mixture: weights and programs.
        trials: Number of trials, at least 1.
        seed: A whole number of at least 0; None: one is drawn, and told by the answer.
        progress: True for a bar in the terminal, or a function that is called with a `Progress` now and then.
        executor: Any executor of the kind of `concurrent.futures`; None: threads of this process.
        workers: Number of these threads; None: one for each processor.
        turns: The turns that are counted at once; None: all. Others are counted when they are asked for.

    Returns:
        The trials; those done by then if the keyboard interrupted it.

    Raises:
        BadData: If a number is out of range.
        TooMany: If the program counts too many things.
    """
    parts = ((Fraction(1), program),) if isinstance(program, Program) else program
    played = Trials(parts, trials, secrets.randbits(32) if seed is None else seed, executor, workers, turns)
    played.play(progress)
    return played


def simulate(
    deck: Any,
    plan: Plan,
    count: Count = (),
    turns: int | None = None,
    *,
    trials: int = 100_000,
    seed: int | None = None,
    progress: bool | Callable[[Progress], None] = False,
    executor: Executor | None = None,
    workers: int | None = None,
    pool: CardPool | None = None,
) -> Answer:
    """Answer a question about a plan by playing trials.

    Args:
        deck: A Deck, or a mixture of decks (`Deck.mixture`).
        plan: What is done to its library.
        count: What is counted, as for `exact`.
        turns: The last turn; without, the last that the plan names, or 12 if something goes on for good.
        trials: Number of trials, at least 1; `Estimate.trials_for` says how many an error needs.
        seed: A whole number of at least 0; the same seed gives the same trials everywhere. Without, one is drawn
            and told.
        progress: True for a bar in the terminal, or a function that is called with a `Progress` now and then.
        executor: Any executor of the kind of `concurrent.futures`; without, threads of this process.
        workers: Number of these threads; without, one for each processor.
        pool: Where cards are looked up; without, what the deck knows of its cards.

    Returns:
        An answer that is asked by condition and turn; from the trials done by then if the keyboard interrupted it.

    Raises:
        BadData: Something is not understood, impossible, or cannot be said by a library program.
        Unknown: A name that nothing has.
        TooMany: Too many things are counted at once.
    """
    question = question_of(deck, plan, count, turns, pool)
    parts = [(each.weight, each.draft.program(axes_of(each.asked, each.asked))) for each in question.parts]
    return Answer(question, play_trials(parts, trials, seed, progress, executor, workers))


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


def _fitting(program: Program) -> Program:
    """Leave out the last axes where all do not fit in the number of a cell; they are counted when asked for."""
    widths = [(size - 1).bit_length() for size in program.shape]
    fitting = [axis for k, axis in enumerate(program.axes) if sum(widths[: k + 1]) <= CELL_BITS]
    return replace(program, axes=tuple(fitting))


def _without_adds(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """Leave out what changes nothing but registers: the trials are the same without it."""
    found: list[Row] = []
    for row in rows:
        if isinstance(row, Coin | When):
            found.append(replace(row, then=_without_adds(row.then), otherwise=_without_adds(row.otherwise)))
        elif not isinstance(row, Add):
            found.append(row)
    return tuple(found)


def _first_tables(packed: Packed) -> list[Table]:
    """Choose what is counted at once: all axes together if the table is small enough, else each alone."""
    together = Table.together(packed)
    return [together] if len(packed.turns) << together.bits <= MOST_CELLS_AT_ONCE else Table.each(packed)


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
