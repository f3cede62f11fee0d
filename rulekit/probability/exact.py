"""Exact answers: a chain over the cards moved, then what they count; says which method it used."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulekit.probability.chain import Chain
from rulekit.probability.condition import Condition
from rulekit.probability.distribution import Distribution, Span
from rulekit.probability.law import Law
from rulekit.probability.program import Program
from rulekit.probability.rows import Axis, FirstTurn, register


class Exact:
    """Work out distributions of programs, and remember what was worked out.

    Attributes:
        fractions: Whether probabilities are exact fractions; else float64.
    """

    is_exact = True

    def __init__(self, fractions: bool = False) -> None:
        """Make an evaluator that has worked out nothing yet."""
        self.fractions = fractions
        self._chains: dict[Any, Chain] = {}
        self._first: Chain | None = None

    def chain(self, program: Program) -> Chain:
        """Return the states of a program, worked out once for all questions with the same rows and cards."""
        firsts = tuple(axis for axis in program.axes if isinstance(axis, FirstTurn))
        key = (program.rows, program.classes, program.top, program.bottom, firsts)
        if key not in self._chains:
            self._chains[key] = Chain(program, not self.fractions)
        self._first = self._first or self._chains[key]
        return self._chains[key]

    @property
    def method(self) -> str:
        """Which method was used and why."""
        chain = self._first
        if chain is None:
            return "Exact."
        if chain.deferred is not None:
            how = (
                "cards are taken until values of several sizes add up: their number by the dynamic programme over sums"
            )
        elif chain.looks:
            kinds = len(chain.kinds)
            how = f"rows look at cards: a chain over {chain.most_states:,} states that tell {kinds} kinds apart"
        elif chain.most_states > 1:
            why = "chance decides how many cards move" if chain.chances else "the number of cards moved varies"
            how = f"{why} and no row looks at them: a chain over {chain.most_states:,} states"
        else:
            how = "a fixed number of cards moves: closed form"
        return f"Exact: {how}; counts by the hypergeometric law, class by class."

    def distribution(self, program: Program, turn: int) -> Distribution:
        """Return the joint distribution of the axes of a program at the mark of a turn.

        Raises:
            TooMany: If it would need more than 20,000,000 cells.
        """
        chain = self.chain(program)
        end = program.turns[-1] + 1
        axes = [
            axis if isinstance(axis, Axis) else Axis(axis.name, (register(axis.name),), end) for axis in program.axes
        ]
        weights, below = Law(chain, axes).at(chain.marks[turn])
        spans = [Span(axis.name, 0, size) for axis, size in zip(axes, weights.shape, strict=True)]
        return Distribution(spans, weights, below)

    def example(self, program: Program, turn: int, condition: Condition) -> int | None:
        """Return None: an exact answer has no trials."""
        return None


def evaluate(program: Program, as_fractions: bool = False) -> dict[int, Distribution]:
    """Return, for each turn marked in a program, the exact joint distribution of its axes.

    Args:
        program: What is done to one library and what is recorded.
        as_fractions: Give integers over one denominator instead of float64.

    Raises:
        TooMany: If it would need more than 20,000,000 cells.
    """
    exact = Exact(as_fractions)
    return {turn: exact.distribution(program, turn) for turn in program.turns}


def as_chance(chance: float | Fraction | str) -> Fraction:
    """Return a probability as the fraction that was meant: 0.7 is 7/10."""
    return Fraction(str(chance)) if isinstance(chance, float) else Fraction(chance)
