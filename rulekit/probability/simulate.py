"""Trials by the million: seeds, progress, interruption, any executor, an example and its cards."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from rulekit.cards.whole import whole_number
from rulekit.engine.text import read_card
from rulekit.probability.answer import Answer
from rulekit.probability.asked import axes_of
from rulekit.probability.condition import Condition
from rulekit.probability.dealing import Dealt, dealt
from rulekit.probability.distribution import Distribution
from rulekit.probability.drafts import Draft, Question
from rulekit.probability.estimate import Estimate
from rulekit.probability.matches import Matches, matches_of
from rulekit.probability.packed import CELL_BITS, Numbers, Packed
from rulekit.probability.packing import looked_at, pack
from rulekit.probability.plan import Plan
from rulekit.probability.playing import machine_code, player
from rulekit.probability.policies import Policies
from rulekit.probability.program import Program
from rulekit.probability.programs import nameless, question_of
from rulekit.probability.question import Count
from rulekit.probability.replay import game_of
from rulekit.probability.spoken import waits_for_a_step
from rulekit.probability.tables import some_of
from rulekit.probability.tally import Counts, Table, Work, first_tables, merged, play_work, starts
from rulekit.probability.weighted import Span
from rulekit.probability.workers import (
    MOST_THREADS,
    MOST_TRIALS,
    Progress,
    in_order,
    key_of,
    shares,
    shown,
    trial_of,
)
from rulekit.rules import BadData, TooMany

if TYPE_CHECKING:
    from rulekit.cards.deck import Deck
    from rulekit.cards.pool import CardPool
    from rulekit.engine.game import Game

Parts: TypeAlias = Sequence[tuple[Fraction, Program]]

SMALLEST_BLOCK = 1 << 16
LARGEST_BLOCK = 1 << 17  # in threads: what is waited for after an interrupt, and between two words of progress
LARGEST_SENT_BLOCK = 1 << 22
MOST_BLOCKS = 256
MOST_CELLS = 1 << 22


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
        workers: Number of these threads; None: one for each processor, without machine code a single one.
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
        trials = whole_number("trials", trials, 1, MOST_TRIALS)
        self.parts, self.seed, self.asked = tuple(parts), seed, trials
        self.executor, self.turns = executor, turns
        self.workers = None if workers is None else whole_number("workers", workers, 1, MOST_THREADS)
        self._sizes = shares([weight for weight, _ in self.parts], trials)
        largest = LARGEST_SENT_BLOCK if executor else LARGEST_BLOCK
        block = min(max(SMALLEST_BLOCK, trials // MOST_BLOCKS), largest)
        self._rounds, self._played = -(-trials // block), 0
        self._looked = [looked_at(program) for _, program in self.parts]
        self._keys = [key_of(seed, part) for part in range(len(self.parts))]
        self._counts: dict[object, list[Counts]] = {}

    # playing

    def _threads(self) -> int | None:
        """Return how many threads play: without machine code one, as calls of NumPy wait for one another."""
        return self.workers or (None if self.executor or machine_code() else 1)

    def play(self, progress: bool | Callable[[Progress], None] = False) -> None:
        """Play the trials; the keyboard's interrupt ends it with what has been done by then.

        Args:
            progress: True for a bar in the terminal or below the cell, or a function that is called after each block.

        Raises:
            KeyboardInterrupt: If nothing has been done yet.
        """
        packed = [
            pack(_fitting(program), self.turns, looked)
            for (_, program), looked in zip(self.parts, self._looked, strict=True)
        ]
        tables = [first_tables(each) for each in packed]
        filled = [np.zeros(starts(*pair)[-1], np.int64) for pair in zip(packed, tables, strict=True)]
        works = self._works(packed, tables, range(len(packed)), self._rounds)
        latest: list[tuple[Numbers, Numbers]] = []  # of a round that is not whole yet
        done = in_order(play_work, works, self._rounds * len(packed), self.executor, self._threads())
        with shown(progress, self.asked) as tell, closing(done):
            try:
                for places, numbers in done:
                    filled[len(latest)][places] += numbers
                    latest.append((places, numbers))
                    if len(latest) == len(packed):
                        self._played, latest = self._played + 1, []
                        if tell:
                            tell(self._progress(packed, [first for first, *_ in tables], filled))
            except KeyboardInterrupt:
                if not self._played:
                    raise
        for counted, (places, numbers) in zip(filled, latest, strict=False):
            counted[places] -= numbers
        for part, each in enumerate(packed):
            self._keep(each, tables[part], filled[part], part)

    def _works(
        self, packed: Sequence[Packed], tables: Sequence[Sequence[Table]], parts: Sequence[int], rounds: int
    ) -> Iterator[Work]:
        """Give the work of rounds; in each round there is a block of every part."""
        for k in range(rounds):
            for each, mine, part in zip(packed, tables, parts, strict=True):
                first, end = self._size(part, k), self._size(part, k + 1)
                yield Work(each, tuple(mine), first, end - first, self._keys[part])

    def _size(self, part: int, rounds: int) -> int:
        """Return how many trials of a part are played in a number of rounds."""
        return self._sizes[part] * rounds // self._rounds

    def _played_sizes(self) -> list[int]:
        return [self._size(part, self._played) for part in range(len(self.parts))]

    def _keep(self, packed: Packed, tables: Sequence[Table], filled: Numbers, part: int) -> None:
        known = self._known(packed.program, part)
        begins = starts(packed, tables)
        for table, start, end in zip(tables, begins, begins[1:], strict=False):
            axes = tuple(packed.program.axes[k] for k in table.axes)
            known.append(Counts(axes, packed.turns, table.dense(filled[start:end])))

    def _known(self, program: Program, part: int) -> list[Counts]:
        return self._counts.setdefault((part, program.rows), [])

    def _progress(self, packed: Sequence[Packed], tables: Sequence[Table], filled: Sequence[Numbers]) -> Progress:
        found = [_first_axis(*each) for each in zip(packed, tables, filled, strict=True)]
        counts = np.zeros(max(each.size for each in found), np.int64)
        for each in found:
            counts[: each.size] += each
        name = packed[0].program.axes[0].name
        one = Distribution([Span(name, 0, counts.size)], counts, None, self.trials, self.seed)
        return Progress(self.trials, self.asked, name, cast("Estimate", one.mean()))

    # answering

    @property
    def trials(self) -> int:
        """How many trials were played."""
        return sum(self._played_sizes())

    @property
    def method(self) -> str:
        """How many trials were played, and with which seed."""
        text = f"Simulated: {self.trials:,} trials, seed {self.seed}."
        if self.trials < self.asked:
            text += f" Interrupted before the {self.asked:,} trials that were asked for."
        return text

    def knows(self, part: int) -> bool:
        """Tell whether a part has trials; of few, a deck that is unlikely may have none."""
        return self._size(part, self._played) > 0

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
        if not table.fits(len(packed.turns)):
            packed = self._packed(program, part, (turn,))
        works = self._works([packed], [[table]], [part], self._played)
        done = in_order(play_work, works, self._played, self._open_executor(), self._threads())
        if table.is_wide:
            counted = merged(done)
            self._known(program, part).append(Counts(program.axes, packed.turns, table.spread(counted)))
            return
        filled = np.zeros(starts(packed, [table])[-1], np.int64)
        for places, numbers in done:
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
                return sum(self._played_sizes()[:part]) + first + int(found[0])
        return None

    def dealt(self, trial: int) -> Dealt:
        """Deal a trial again, card by card.

        Args:
            trial: Its number from 0, as `example` gives it; of a mixture those of the first deck come first.

        Raises:
            BadData: If no such trial was played.
        """
        part, number = trial_of(trial, self._played_sizes(), "trials")
        return dealt(self.parts[part][1], self._keys[part], number, self._looked[part])

    def game(self, question: Question, trial: int) -> Game:
        """Deal a trial again as a game on the board, see `replay`."""
        part, _ = trial_of(trial, self._played_sizes(), "trials")
        return game_of(question.parts[part].draft, self.dealt(trial))


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
        progress: True for a bar in the terminal or below the cell, or a function that is called with a `Progress` now
            and then.
        executor: Any executor of the kind of `concurrent.futures`; None: threads of this process.
        workers: Number of these threads; None: one for each processor, without machine code a single one.
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
    policy: Policies | None = None,
    against: Deck | None = None,
) -> Answer:
    """Answer a question about a plan by playing trials.

    With a `policy` the trials are games on the board: what the plan says is carried out there, everything triggers,
    and the policy answers where somebody must choose; the opponent, who has no deck then, can't lose. With a deck
    `against` these are whole games, in which the policies play lands, cast spells and attack; each turn has its draw
    step then, whether or not the plan says so, and what else the plan says is done in the player's first main phase.

    Args:
        deck: A Deck, or a mixture of decks (`Deck.mixture`).
        plan: What is done to its library.
        count: What is counted, as for `exact`.
        turns: The last turn; without, the last that the plan names, or 12 if something goes on for good.
        trials: Number of trials, at least 1; `Estimate.trials_for` says how many an error needs.
        seed: A whole number of at least 0; the same seed gives the same trials everywhere. Without, one is drawn
            and told.
        progress: True for a bar in the terminal or below the cell, or a function that is called with a `Progress` now
            and then.
        executor: Any executor of the kind of `concurrent.futures`; without, threads of this process.
        workers: Number of these threads; without, one for each processor, or a single one without machine code.
        pool: Where cards are looked up; without, what the deck knows of its cards.
        policy: Who answers: "passive", "eager", "random", or a function of the game and dice that returns an answer;
            for both players as {"player": ..., "opponent": ...}, who is passive if left out.
        against: The deck of the opponent, for whole games.

    Returns:
        An answer that is asked by condition and turn; from the trials done by then if the keyboard interrupted it.

    Raises:
        BadData: Something is not understood, impossible, or cannot be said by a library program.
        Unknown: A name that nothing has.
        TooMany: Too many things are counted at once.
    """
    if policy is not None or against is not None:
        return _played(deck, plan, count, turns, pool, policy or "passive", against, trials, seed, progress, executor)
    question = question_of(deck, plan, count, turns, pool)
    parts = [(each.weight, each.draft.program(axes_of(each.asked, each.asked))) for each in question.parts]
    return Answer(question, play_trials(parts, trials, seed, progress, executor, workers))


def _played(
    deck: Any,
    plan: Plan,
    count: Count,
    turns: int | None,
    pool: CardPool | None,
    policy: Policies,
    against: Deck | None,
    trials: int,
    seed: int | None,
    progress: bool | Callable[[Progress], None],
    executor: Executor | None,
) -> Answer:
    """Answer by games on the board."""
    question = question_of(deck, plan, count, turns, pool, traced=False)
    seed = secrets.randbits(32) if seed is None else seed
    matches = matches_of(question, count, policy, against, seed, pool)
    question = replace(question, notes=(*question.notes, *_left_out(question, matches[0].rival)))
    source = Matches(question, matches, trials, seed)
    source.play(progress, executor)
    return Answer(question, source)


def _left_out(question: Question, rival: Draft | None) -> Iterator[str]:
    """Tell what is left out of games: of the cards, and of the permanents if no deck of an opponent makes turns."""
    there = dict.fromkeys(card for part in question.parts for _, card in part.draft.permanents)
    waiting = [card.name for card in there if rival is None and waits_for_a_step(card)]
    if waiting:
        yield (
            f"What {', '.join(waiting)} would do as a step begins is left out: the turns of a plan alone have no steps,"
            " those of whole games (against=...) have."
        )
    theirs = [card for card, _ in rival.cards] if rival is not None else []
    if unknown := [card.name for card in theirs if card == nameless(card.name)]:
        yield f"Nothing is known of {some_of(unknown)} in the opponent's deck."
    cards = dict.fromkeys([*(card for part in question.parts for card, _ in part.draft.cards), *theirs])
    if unread := [card.name for card in cards if not all(each.understood for each in read_card(card).sentences)]:
        yield f"Not all that {some_of(unread)} would do is understood; what is not is left out."


def _fitting(program: Program) -> Program:
    """Leave out the last axes where all do not fit in the number of a cell; they are counted when asked for."""
    widths = [(size - 1).bit_length() for size in program.shape]
    fitting = [axis for k, axis in enumerate(program.axes) if sum(widths[: k + 1]) <= CELL_BITS]
    return replace(program, axes=tuple(fitting))


def _first_axis(packed: Packed, table: Table, filled: Numbers) -> Numbers:
    """Return how often each value of the first axis came up at the last turn."""
    last = packed.turns[-1]
    mine = filled[: len(packed.turns) << table.bits][-1 << table.bits :]
    together = tuple(packed.program.axes[k] for k in table.axes)
    return cast("Numbers", Counts(together, (last,), table.dense(mine)).of([packed.program.axes[0]], last))
