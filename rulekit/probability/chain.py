"""The exact evaluator's chain: how many cards go where, row by row, and what is known of them.

Rows that look at no card only need numbers: every order of the library is equally likely, so which cards were moved
does not matter before somebody asks. Rows that do look tell some *kinds* of cards apart; a kind is a set of classes
that no row treats differently. All states are carried through a row together (`crowd`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rulekit.probability.combinations import runs
from rulekit.probability.crowd import DONE, LEFT, LOST, REACHED, REST, SHORT, TAKEN, TOP, Crowd, joined
from rulekit.probability.kinds import deferrable, keeps_all, looks_at_cards, seen_of
from rulekit.probability.knowledge import Knowledge
from rulekit.probability.packed import AT_ONCE, LATER
from rulekit.probability.program import Program
from rulekit.probability.rows import (
    Add,
    Check,
    Coin,
    FirstTurn,
    Look,
    Mark,
    Move,
    Mulligan,
    Row,
    Shuffle,
    Until,
    When,
    distinct,
    values_of,
    walk,
)
from rulekit.probability.walks import again, look, shuffle, until
from rulekit.rules import TooMany

MOST_CELLS = 20_000_000
CELLS_OF_A_STATE = 100
CELLS_OF_A_STEP = 10


class Chain:
    """Run a program over all states at once.

    Attributes:
        program: What is run.
        floats: Whether probabilities are float64; else exact fractions.
        know: What is known of the cards, and what the states mean.
        deferred: The `Until` row whose composition is worked out at the marks, if there is one.
        looks: Whether any row looks at cards.
        chances: Whether any coin is tossed.
        marks: For each turn marked the states then, in several crowds.
        most_states: Largest number of states at any moment.
    """

    def __init__(self, program: Program, floats: bool) -> None:
        """Run a program.

        Args:
            program: What is run.
            floats: Whether probabilities are float64; else exact fractions.

        Raises:
            TooMany: More states than fit.
        """
        self.program = program
        self.floats = floats
        every = tuple(walk(distinct(program.rows)))
        self.firsts = tuple(axis for axis in program.axes if isinstance(axis, FirstTurn))
        looking: list[Row | FirstTurn] = list(
            dict.fromkeys(row for row in (*every, *self.firsts) if looks_at_cards(row))
        )
        self.deferred = deferrable(program, every, looking)
        self.looks = bool(looking)
        self.chances = any(isinstance(row, Coin) and 0 < row.chance < 1 for row in every)
        adding = [row.register for row in every if isinstance(row, Add)]
        names = tuple(dict.fromkeys([*adding, *(axis.name for axis in self.firsts)]))
        kinds = self._kinds([row for row in looking if row is not self.deferred])
        self.know = Knowledge(program, floats, kinds, names, self.deferred)
        self.marks: dict[int, list[Crowd]] = {}
        self.most_states = 1
        self._steps = 0
        self._finished: list[Crowd] = []
        self._run(program.rows, self._start())

    def _kinds(self, looking: list[Row | FirstTurn]) -> tuple[tuple[int, ...], ...]:
        program = self.program
        fixed = set(program.top) | set(program.bottom)
        groups: dict[Any, list[int]] = {}
        for number in range(len(program.classes)):
            if program.classes[number].size:
                seen = tuple(seen_of(program, row, number) for row in looking)
                groups.setdefault((number if number in fixed else -1, seen), []).append(number)
        return tuple(map(tuple, groups.values())) or ((),)

    def _start(self) -> Crowd:
        program, know = self.program, self.know
        kind_of = {number: kind for kind, numbers in enumerate(know.kinds) for number in numbers}
        top = tuple(kind_of[number] for number in program.top)
        bottom = tuple(tuple(int(kind_of[number] == kind) for kind in range(len(know.kinds)))
                       for number in program.bottom)  # fmt: skip
        rest = (REST, program.size - len(top) - len(bottom))
        first = know.columns.registers
        registers = [(first + know.names.index(axis.name), program.turns[-1] + 1) for axis in self.firsts]
        shares, cells = know.variant(rest, *know.named(top, bottom), *registers)
        return Crowd.of(cells, shares)

    # carrying out

    def _run(self, rows: tuple[Row, ...], live: Crowd) -> Crowd:
        for row in rows:
            if isinstance(row, Check | Mark) and live.cells[LOST].any():
                live = self._settled(live.changed(LOST, np.minimum(live.cells[LOST], AT_ONCE)))
            if isinstance(row, Mark):
                live = self._watch_for(row.turn, live)
                self.marks[row.turn] = [live, *self._finished]
            elif isinstance(row, Coin | When):
                live = self._branch(row, live)
            elif len(live) and not isinstance(row, Check):
                live = self._settled(self._row(row, live))
        return live

    def _row(self, row: Row, live: Crowd) -> Crowd:
        know = self.know
        if isinstance(row, Mulligan):
            return self._opening(row, live)
        if isinstance(row, Shuffle):
            return self._merged(shuffle(know, row, live))
        live = know.revealed(values_of(row), live)
        if isinstance(row, Move):
            return again(know, row, live, self._merged) if row.again else self._move(row, live)
        if isinstance(row, Until):
            return self._defer(row, live) if row is self.deferred else until(know, row, live, self._merged)
        if isinstance(row, Look):
            return look(know, row, live, self._merged)
        if isinstance(row, Add):
            place = know.columns.registers + know.names.index(row.register)
            n = row.n if isinstance(row.n, int) else know.amount(row.n, live)
            return self._merged(live.changed(place, np.maximum(0, live.cells[place] + n)))
        return live

    def _opening(self, row: Mulligan, live: Crowd) -> Crowd:
        if not keeps_all(row):
            return self._merged(self.know.deal(row, live))
        return self._move(Move(row.size, row.to), self.know.forgotten(live))

    def _move(self, row: Move, live: Crowd) -> Crowd:
        know = self.know
        if isinstance(row.n, int) and (live.cells[REST] >= row.n).all() and not live.cells[TOP].any():
            return know.hid(row.n, know.piles.index(row.to), live)
        live = live.changed(LEFT, know.amount(row.n, live))
        deep = live.cells[LEFT] > live.cells[REST]
        if row.draw and deep.any():
            short, enough = live.split(deep)
            short = know.sized(short)
            lost = LATER if row.later else AT_ONCE
            short.cells[LOST] = np.where(short.cells[LEFT] > know.library(short), lost, short.cells[LOST])
            live = joined([enough, short], know.columns.width)
        moved = know.taken(know.piles.index(row.to), live)
        return self._merged(moved)

    def _defer(self, row: Until, live: Crowd) -> Crowd:
        """Take every possible number of cards; how likely each is, is worked out where it is asked (`law`)."""
        goal = self.know.amount(row.goal, live)
        rest = live.cells[REST]
        most = np.where(goal > 0, rest if row.most is None else np.minimum(row.most, rest), 0)
        places, n = runs(most + 1)  # the last of them takes all and does not reach the goal
        after = live.at(places)
        short = n == most[places]
        n = np.where(short, most[places], n + 1)
        after.cells[REST] -= n
        after.cells[TAKEN] = n
        after.cells[REACHED] = np.where(n == 0, 0, np.where(short, SHORT, DONE))
        return self._merged(after)

    def _branch(self, row: Coin | When, live: Crowd) -> Crowd:
        if isinstance(row, Coin):
            chance: Any = float(row.chance) if self.floats else row.chance
            nobody = live.at(np.zeros(0, np.int64))
            then = live.times(chance) if chance else nobody
            other = live.times(1 - chance) if chance != 1 else nobody
        else:
            live = self._merged(self.know.revealed(row.of, live))
            then, other = live.split(self._inside(row, live))
        crowds = [self._run(row.then, then), self._run(row.otherwise, other)]
        return self._merged(joined(crowds, self.know.columns.width))

    def _inside(self, range_: When | FirstTurn, live: Crowd) -> Any:
        total = self.know.total(range_.of, live)
        return (total >= range_.low) & (total <= (total if range_.high is None else range_.high))

    def _watch_for(self, turn: int, live: Crowd) -> Crowd:
        """Note the turn in the register of each first turn that has come (`FirstTurn`), in lost games too."""
        width = self.know.columns.width
        for axis in self.firsts:
            live = self._noted(axis, turn, live)
            if self._finished:
                self._finished = [self._noted(axis, turn, joined(self._finished, width))]
        return live

    def _noted(self, axis: FirstTurn, turn: int, crowd: Crowd) -> Crowd:
        place = self.know.columns.registers + self.know.names.index(axis.name)
        waiting, other = crowd.split(crowd.cells[place] > turn)
        waiting = self.know.revealed(axis.of, waiting)
        waiting = waiting.changed(place, np.where(self._inside(axis, waiting), turn, waiting.cells[place]))
        return self._merged(joined([other, waiting], self.know.columns.width))

    def _settled(self, live: Crowd) -> Crowd:
        """Put lost games aside."""
        lost = live.cells[LOST] == AT_ONCE
        if not lost.any():
            return live
        finished, live = live.split(lost)
        self._finished = [*self._finished, finished]
        return live

    # how much it is

    def _merged(self, crowd: Crowd) -> Crowd:
        """Add up states that are the same, and refuse too many of them."""
        self._steps += len(crowd)
        if self._steps * CELLS_OF_A_STEP > MOST_CELLS:
            raise TooMany(
                f"this question needs more than {MOST_CELLS // CELLS_OF_A_STEP:,} steps from state to state "
                f"({MOST_CELLS:,} cells), because its rows look at {len(self.know.kinds)} kinds of cards.",
                "Ask for fewer turns or fewer things at once, or use simulate(...).",
            )
        return self._counted(crowd.merged())

    def _counted(self, crowd: Crowd) -> Crowd:
        self.most_states = max(self.most_states, len(crowd) + sum(map(len, self._finished)))
        if self.most_states * CELLS_OF_A_STATE > MOST_CELLS:
            raise TooMany(
                f"this plan leads to more than {MOST_CELLS // CELLS_OF_A_STATE:,} states "
                f"({MOST_CELLS:,} cells), because its rows look at {len(self.know.kinds)} kinds of cards.",
                "Let fewer rows look at cards, or use simulate(...).",
            )
        return crowd
