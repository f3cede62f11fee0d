"""The answer to a question about a plan: exact or simulated, asked by name, turn and condition."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rulekit.cards.whole import is_whole
from rulekit.probability.asked import (
    LOST_TURN,
    axes_of,
    by_name,
    capped,
    condition_said,
    first_turns,
    growing,
    numbers_said,
    rewritten,
    settled,
    watching,
)
from rulekit.probability.condition import Condition, read_condition, unknown_count
from rulekit.probability.distribution import Distribution, average, shown
from rulekit.probability.drafts import Part, Question
from rulekit.probability.estimate import Estimate
from rulekit.probability.program import Program
from rulekit.probability.question import ALWAYS, NAMED
from rulekit.probability.rows import Axis
from rulekit.probability.tables import some_of
from rulekit.probability.weighted import Number, Span
from rulekit.rules import BadData, TooMany

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

    from rulekit.engine.game import Game

HOW_MANY = {
    "": "How many",
    "at least": "At least how many",
    "at most": "At most how many",
    "survival": "More than how many",
}


class NothingKnown(UserWarning):
    """Warn that a number depends on cards of which nothing is known but their names."""


class Source(Protocol):
    """Where numbers come from: the exact evaluator, or trials."""

    @property
    def method(self) -> str:
        """Which method was used and why."""

    @property
    def is_exact(self) -> bool:
        """Whether the numbers are exact."""

    def knows(self, part: int) -> bool:
        """Tell whether anything is known of a part; of few trials a deck that is unlikely may have none."""

    def distribution(self, program: Program, turn: int, part: int = 0) -> Distribution:
        """Return the joint distribution of the axes of a program of one part at the mark of a turn."""

    def example(self, program: Program, turn: int, condition: Condition, part: int = 0) -> int | None:
        """Return the number of a trial in which a condition on the axes held then, or None if there was none."""

    def game(self, question: Question, trial: int) -> Game:
        """Return a trial as a game on the board, see `replay`."""


class Answer:
    """Answer questions about a plan by name, turn and condition.

    Attributes:
        question: What was asked.
        source: Where the numbers come from.
    """

    def __init__(self, question: Question, source: Source) -> None:
        """Hold a question and the source of its numbers."""
        self.question = question
        self.source = source
        self._kept: dict[Any, Distribution] = {}
        self._programs: dict[Any, Program] = {}
        self._warned = False

    @property
    def names(self) -> tuple[str, ...]:
        """The numbers that can be asked."""
        return tuple(self.question.parts[0].asked)

    @property
    def method(self) -> str:
        """Which method was used and why, in one line, and what the answer depends on."""
        return " ".join((self.source.method, *self.question.notes))

    @property
    def turns(self) -> int:
        """The last turn."""
        return self.question.turns

    # asked

    def p(self, condition: str | Condition, turn: int | None = None) -> Number:
        """Return the probability that a condition holds at the end of a turn.

        Args:
            condition: NAME OP NUMBER joined by and, or, not, as "land >= 3 and creature >= 4"; the names are the counts
                asked, and library, hand, graveyard and lost (0 or 1).
            turn: The turn, 0 for before the first; the last without.

        Returns:
            A float, or a Fraction if the answer is in fractions, or an Estimate if it was simulated.

        Raises:
            BadData: If the condition cannot be read or there is no such turn.
            Unknown: If it names something that was not counted.
        """
        read = read_condition(condition, self.names)
        self._warn(read.names)
        at = self._turn(turn)
        numbers = []
        for number, part in self._known_parts():
            asked = rewritten(read, part.asked)
            numbers.append(self._joint(number, capped(asked, axes_of(read.names, part.asked)), at).p(asked))
        return self._mixed_number(numbers)

    def distribution(self, name: str | Sequence[str], turn: int | None = None) -> Distribution:
        """Return the distribution of a number, or of several together, at the end of a turn."""
        names = self._known((name,) if isinstance(name, str) else tuple(name))
        at = self._turn(turn)
        found = []
        for number, part in self._known_parts():
            joint = self._joint(number, axes_of(names, part.asked), at)
            found.append(by_name(joint, names, part.asked))
        return self._mixed(found).titled(f"{self.said(names)} {at_turn(at)}")

    def first_turn(self, condition: str | Condition) -> Distribution:
        """Return the distribution of the first turn at whose end a condition holds.

        Returns:
            A distribution over the turns from 1 on; what does not happen by the last turn is missing from it.
        """
        read = read_condition(condition, self.names)
        found = [self._first_turn(number, rewritten(read, part.asked)) for number, part in self._known_parts()]
        return self._mixed(found).titled(f"First turn with {self.said(read)}")

    def lost_by(self, turn: int | None = None) -> Number:
        """Return the probability that by the end of a turn the player drew from an empty library (704.5b)."""
        return self.p("lost = 1", turn)

    def mean(self, name: str, turn: int | None = None) -> Number:
        """Return the mean of a number at the end of a turn."""
        self._warn(self._known((name,)))
        return self.distribution(name, turn).mean()

    def example(self, condition: str | Condition, turn: int | None = None) -> int:
        """Return the number of a trial in which a condition held at the end of a turn.

        Raises:
            BadData: If the answer is exact (it has no trials), or in no trial did it hold.
        """
        if self.source.is_exact:
            raise BadData("an exact answer has no trials; simulate(...) has.", key="example")
        read = read_condition(condition, self.names)
        at = self._turn(turn)
        found = None
        for number, part in self._known_parts():
            asked = rewritten(read, part.asked)
            program = self._program(number, capped(asked, axes_of(read.names, part.asked)))
            found = self.source.example(program, at, asked, number)
            if found is not None:
                break
        if found is None:
            said = f"in no trial was {self.said(read)} {at_turn(at)}."
            raise BadData(said, key="example", instead="Play more trials, or take another seed.")
        return found

    # shown

    def said(self, what: str | Sequence[str] | Condition) -> str:
        """Say a name, several or a condition, that milled cards are counted where they are, and what is not known."""
        asked = self.question.parts[0].asked
        if isinstance(what, str):
            name = self._name(what)
            what = (name,) if name else read_condition(what, self.names)
        names, text = (
            (what.names, condition_said(what, asked))
            if isinstance(what, Condition)
            else (what, numbers_said(what, asked))
        )
        untold = self._untold(names)
        return f"{text} (nothing is known of {some_of(untold)})" if untold else text

    def frame(self) -> pandas.DataFrame:
        """Return a frame with a row for each turn, name and value that has a probability.

        Returns:
            Columns turn, name, value, probability, and for a simulated answer low, high, times and trials.
        """
        import pandas

        self._warn(self.names)
        frames = []
        for turn in range(self.turns + 1):
            for name in self.names:
                one = self.distribution(name, turn).to_pandas().rename(columns={name: "value"})
                one.insert(0, "name", name)
                one.insert(0, "turn", turn)
                frames.append(one)
        return pandas.concat(frames, ignore_index=True)

    def plot(
        self,
        what: str | Sequence[str] | None = None,
        turn: int | None = None,
        ax: Axes | None = None,
        view: str = "",
        label: str = "",
        title: str = "",
    ) -> Axes:
        """Draw a number at the end of a turn, the first turn of a condition, or how the library shrinks.

        Args:
            what: A name or two (drawn at the end of `turn`), or a condition (drawn as the first turn with it; with the
                view "survival" the chance that it has not happened yet). Without: library size by turn as a heat map.
            turn: The turn for names; the last without.
            ax: Axes to draw on; new ones without.
            view: "", "at least", "at most" or "survival".
            label: Name in the legend.
            title: The question in your words; it is made of `what` without.

        Returns:
            The axes.
        """
        if what is None or (turn is None and what == "library" and not view):
            from rulekit.widgets import charts

            by_turn = {each: self.distribution("library", each) for each in range(1, self.turns + 1)}
            return charts.plot_by_turn(by_turn, ax, title or "How many cards are left in the library after each turn?")
        if not isinstance(what, str) or what in self.names:
            asks = f"{HOW_MANY.get(view, '')}: {self.said(what)} {at_turn(self._turn(turn))}?"
            return self.distribution(what, turn).titled(title or asks).plot(ax, view, label)
        said = self.said(what)
        asks = f"How long until {said}?" if view == "survival" else f"In which turn is {said} for the first time?"
        return self.first_turn(what).titled(title or asks).plot(ax, view, label)

    def summary(self) -> pandas.DataFrame:
        """Return a frame with the mean of each number at the end of each turn, and the chance to have lost by then."""
        import pandas

        rows = []
        for turn in range(self.turns + 1):
            means = {name: float(self.mean(name, turn)) for name in self.names if name != "lost"}
            rows.append({"turn": turn, **means, "lost": float(self.lost_by(turn))})
        return pandas.DataFrame(rows)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        title, *lines = self._lines()
        rows = "".join(f"<p>{escape(line)}</p>" for line in lines)
        return f"<div><p><strong>{escape(title)}</strong></p>{rows}</div>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from rulekit.widgets import view

        return view.forms(self, str(self), self._repr_html_())

    # inside

    def _lines(self) -> list[str]:
        means = ", ".join(f"{name} {self._mean_said(name)}" for name in self.names)
        asked = f"May be asked, with the mean {at_turn(self.turns)}: {means}."
        return [f"Answer for turns 0 to {self.turns}", asked, self.method]

    def _mean_said(self, name: str) -> str:
        """Return a mean as text, of what is lost as its probability, and what a cut-off distribution leaves out."""
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                mean = shown(self.lost_by()) if name == "lost" else average(self.distribution(name).mean())
            except TooMany:
                return "(too many cells)"
        return " ".join([mean, *(f"({each.message})" for each in told)])

    def _untold(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the cards of which nothing is known, if one of these numbers goes by more than names."""
        described = any(name not in ALWAYS and not NAMED.match(name) for name in names)
        return self.question.unknown if described else ()

    def _warn(self, names: Iterable[str]) -> None:
        """Say once, of numbers that have no place for words themselves, that they depend on cards of no known kind."""
        untold = self._untold(names)
        if untold and not self._warned:
            self._warned = True
            text = (
                f"nothing is known of {some_of(untold)}: no description but their names fits them."
                " Read the deck with card data: Deck.read(..., pool=CardPool.read(FILE))."
            )
            warnings.warn(text, NothingKnown, stacklevel=_outside())

    def _turn(self, turn: int | None) -> int:
        if turn is None:
            return self.turns
        if not is_whole(turn) or not 0 <= turn <= self.turns:
            raise BadData(
                f"there is no turn {turn!r} in this answer.",
                key="turn",
                instead=f"0 to {self.turns} may be asked.",
            )
        return int(turn)

    def _name(self, said: str) -> str | None:
        return next((known for known in self.names if known.casefold() == said.strip().casefold()), None)

    def _known(self, names: Iterable[str]) -> tuple[str, ...]:
        found = []
        for name in names:
            match = self._name(name)
            if match is None:
                raise unknown_count(name, self.names)
            found.append(match)
        if len(set(found)) < len(found) or not found:
            raise BadData("a distribution is of one or more different counts.", key="name", text=", ".join(found))
        return tuple(found)

    def _known_parts(self) -> list[tuple[int, Part]]:
        return [each for each in enumerate(self.question.parts) if self.source.knows(each[0])]

    def _joint(self, number: int, axes: tuple[Axis, ...], turn: int) -> Distribution:
        key = (number, axes, turn)
        if key not in self._kept:
            self._kept[key] = self.source.distribution(self._program(number, axes), turn, number)
        return self._kept[key]

    def _program(self, number: int, axes: tuple[Axis, ...]) -> Program:
        if (number, axes) not in self._programs:
            self._programs[number, axes] = self.question.parts[number].draft.program(axes)
        return self._programs[number, axes]

    def _most(self, number: int, axes: Sequence[Axis]) -> dict[str, int]:
        """Return the largest number of each axis that is not cut off."""
        shape = self._program(number, tuple(axes)).shape if axes else ()
        return {axis.name: size - 1 for axis, size in zip(axes, shape, strict=True) if axis.high is None}

    def _first_turn(self, number: int, condition: Condition) -> Distribution:
        part = self.question.parts[number]
        needed = [axis for axis in axes_of(self.names, part.asked) if axis.name in condition.names]
        condition = settled(condition, self._most(number, needed))
        axes = capped(condition, needed)
        program = self._program(number, axes)
        up, down = growing(program, axes)
        if self.source.is_exact and condition.lasting(up, down):
            by = [self._joint(number, axes, turn).p(condition) for turn in range(1, self.turns + 1)]
            return Distribution.first_time(by)
        watched = watching(program, condition, axes)
        if self.source.is_exact:  # what the axes say is asked of lost games alone, and often there are none
            turns = self.source.distribution(replace(watched, axes=watched.axes[:2]), self.turns, number)
            if turns.p(read_condition(f"{LOST_TURN} <= {self.turns}", turns.names)) == 0:
                return first_turns(turns, condition, self.turns)
        return first_turns(self.source.distribution(watched, self.turns, number), condition, self.turns)

    def _mixed(self, found: Sequence[Distribution]) -> Distribution:
        if len(found) == 1:
            return found[0]
        if self.source.is_exact:
            return Distribution.mix(zip([part.weight for part in self.question.parts], found, strict=True))
        return _summed(found)

    def _mixed_number(self, numbers: Sequence[Number]) -> Number:
        if len(numbers) == 1:
            return numbers[0]
        estimates = [number for number in numbers if isinstance(number, Estimate)]
        if estimates:
            return Estimate.of_hits(
                sum(round(each * each.trials) for each in estimates), sum(each.trials for each in estimates)
            )
        weighted = [part.weight * number for part, number in zip(self.question.parts, numbers, strict=True)]
        return sum(weighted[1:], weighted[0])


def _outside() -> int:
    """Return how far up whoever asks is, from the caller of this."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "rulekit":
        level, frame = level + 1, frame.f_back
    return level


def at_turn(turn: int) -> str:
    """Say when: at the end of a turn, or before the first."""
    return f"at the end of turn {turn}" if turn else "before turn 1"


def _summed(found: Sequence[Distribution]) -> Distribution:
    """Add the tallies of runs with different decks."""
    first = found[0]
    shape = [max(sizes) for sizes in zip(*(each.weights.shape for each in found), strict=True)]
    total = np.zeros(shape, np.int64)
    for each in found:
        total[tuple(slice(0, size) for size in each.weights.shape)] += each.weights
    spans = [Span(axis.name, axis.start, size) for axis, size in zip(first.axes, shape, strict=True)]
    return Distribution(spans, total, None, sum(each.trials or 0 for each in found), first.seed)
