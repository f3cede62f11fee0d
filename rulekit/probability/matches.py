"""Simulations whose trials are games on the board: a source of answers, as trials of a program are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from fractions import Fraction
from typing import cast

import numpy as np

from rulekit.cards.deck import Deck
from rulekit.cards.pool import CardPool
from rulekit.cards.whole import whole_number
from rulekit.engine.game import Game
from rulekit.probability.condition import Condition
from rulekit.probability.distribution import Distribution
from rulekit.probability.drafts import Question
from rulekit.probability.estimate import Estimate
from rulekit.probability.games import Games, Match, Played, play_games
from rulekit.probability.packed import Numbers
from rulekit.probability.plan import Plan
from rulekit.probability.policies import Policies, policies_of
from rulekit.probability.program import Program
from rulekit.probability.question import Count
from rulekit.probability.recorded import Recorded
from rulekit.probability.weighted import Span
from rulekit.probability.workers import Progress, in_order, key_of, shares, shown, trial_of
from rulekit.rules import BadData

BLOCK = 8
MOST_TRIALS = 1 << 24


class Matches:
    """Play games and answer from what was counted in them.

    The games depend on what is played, the policies and the seed alone: each has random streams of its own.

    Attributes:
        matches: For each deck that may be the one what is played with it.
        seed: The seed.
        asked: Number of games that were asked for.
        trials: Number of games that were played, less if it was interrupted.
    """

    is_exact = False

    def __init__(self, question: Question, matches: Sequence[Match], trials: int, seed: int) -> None:
        """Prepare games; `play` plays them."""
        trials = whole_number("trials", trials, 1, MOST_TRIALS)
        self.matches, self.seed, self.asked, self.trials = tuple(matches), seed, trials, 0
        self._sizes = shares([part.weight for part in question.parts], trials)
        self._found: list[list[Numbers]] = [[] for _ in matches]

    def play(
        self,
        progress: bool | Callable[[Progress], None] = False,
        executor: Executor | None = None,
    ) -> None:
        """Play the games; the keyboard's interrupt ends it with what has been done by then.

        Args:
            progress: True for a bar in the terminal or below the cell, or a function that is called after each block.
            executor: Who plays; None: this process.

        Raises:
            KeyboardInterrupt: If nothing has been done yet.
        """
        works = [
            (part, Games(match, first, min(BLOCK, size - first)))
            for part, (match, size) in enumerate(zip(self.matches, self._sizes, strict=True))
            for first in range(0, size, BLOCK)
        ]
        works.sort(key=lambda each: each[1].first / self._sizes[each[0]])  # each part in its share, also if interrupted
        with shown(progress, self.asked) as tell:
            try:
                done = in_order(play_games, [work for _, work in works], len(works), executor, workers=1)
                for (part, _), found in zip(works, done, strict=True):
                    self._found[part].append(found)
                    self.trials += len(found)
                    if tell:
                        tell(self._progress())
            except KeyboardInterrupt:
                if not self._in_shares():
                    raise

    def _in_shares(self) -> int:
        """Leave out the games by which a part is ahead of its share, and return how many there are then."""
        ends = self._played_sizes()
        done = min(Fraction(end, size) for end, size in zip(ends, self._sizes, strict=True) if size)
        kept = [int(done * size) for size in self._sizes]
        self._found = [
            [np.concatenate(found)[:end]] if end else [] for found, end in zip(self._found, kept, strict=True)
        ]
        self.trials = sum(kept)
        return self.trials

    def _progress(self) -> Progress:
        name = next(iter(self.matches[0].part.asked))
        value = self.matches[0].part.asked[name].axes[0].of[0]
        place = self.matches[0].values.index(value)
        counts = np.bincount(np.concatenate([part[:, -1, place] for found in self._found for part in found]))
        one = Distribution([Span(name, 0, counts.size)], counts, None, self.trials, self.seed)
        return Progress(self.trials, self.asked, name, cast("Estimate", one.mean()))

    @property
    def method(self) -> str:
        """How many games were played, by whom, and with which seed."""
        given = self.matches[0].policies.items()
        who = ", ".join(f"the {side} {each if isinstance(each, str) else each.__name__}" for side, each in given)
        text = f"Played on the board: {self.trials:,} games, seed {self.seed}, {who}."
        if self.trials < self.asked:
            text += f" Interrupted before the {self.asked:,} games that were asked for."
        return text

    def knows(self, part: int) -> bool:
        """Tell whether a part has games; of few, a deck that is unlikely may have none."""
        return bool(self._found[part])

    def distribution(self, program: Program, turn: int, part: int = 0) -> Distribution:
        """Return how often each point on the axes of a program came up at the end of a turn."""
        recorded = self._recorded(part)
        values = recorded.axes(program, turn)
        counts = np.zeros(program.shape, np.int64)
        np.add.at(counts, tuple(values), 1)
        spans = [Span(axis.name, 0, size) for axis, size in zip(program.axes, program.shape, strict=True)]
        return Distribution(spans, counts, None, len(recorded.numbers), self.seed)

    def _recorded(self, part: int) -> Recorded:
        match = self.matches[part]
        empty = np.zeros((0, match.turns + 1, len(match.values)), np.int64)
        return Recorded(match.values, np.concatenate([empty, *self._found[part]]))

    def _played_sizes(self) -> list[int]:
        return [sum(map(len, found)) for found in self._found]

    def example(self, program: Program, turn: int, condition: Condition, part: int = 0) -> int | None:
        """Return the number of the first game in which a condition on the axes held then, or None if it never did."""
        values = self._recorded(part).axes(program, turn)
        named = dict(zip([axis.name for axis in program.axes], values, strict=True))
        found = np.flatnonzero(np.broadcast_to(condition.holds(named), values[0].shape))
        return sum(self._played_sizes()[:part]) + int(found[0]) if len(found) else None

    def game(self, question: Question, trial: int) -> Game:
        """Play a game again, and return it with its path.

        Raises:
            BadData: If no such game was played.
        """
        part, number = trial_of(trial, self._played_sizes(), "games")
        *_, last = Played(self.matches[part], number).turns()
        return last


def matches_of(
    question: Question, count: Count, policy: Policies, against: Deck | None, seed: int, pool: CardPool | None
) -> list[Match]:
    """Return what is played for each deck that may be the one.

    Raises:
        BadData: The plan draws in each turn although whole games are played, or the opponent's deck is no deck.
    """
    decks = getattr(question.deck, "decks", None) or {question.deck: 1}
    plan = question.plan
    if against is not None:
        if not isinstance(against, Deck):
            raise BadData(f"the opponent plays a Deck, not {type(against).__name__}.", key="against")
        plan = _without_draw_step(plan)
    policies, parts = policies_of(policy), len(question.parts)
    keys = [(key_of(seed, part), key_of(seed, parts + part)) for part in range(parts)]
    turns = question.turns
    return [
        Match(deck, plan, count, turns, pool, against, policies, *pair) for deck, pair in zip(decks, keys, strict=True)
    ]


def _without_draw_step(plan: Plan) -> Plan:
    """Leave out the draw of each turn, which the draw step of a game does (504.1)."""
    usual = Plan().each_turn(draw=1).steps[0]
    for step in plan.steps:
        if step.skips_first and step != usual:
            raise BadData(
                "in a whole game the draw step draws one card in each turn.", key="plan", text=str(step),
                instead="each_turn(draw=1) or no draw; each_turn('draw a card') for one more.",
            )  # fmt: skip
    return replace(plan, steps=tuple(step for step in plan.steps if step != usual))
