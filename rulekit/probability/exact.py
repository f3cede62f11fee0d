"""Exact answers: a chain over the cards moved, then what they count; says which method it used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rulekit.cards.pool import CardPool
from rulekit.probability.answer import Answer
from rulekit.probability.chain import Chain
from rulekit.probability.condition import Condition
from rulekit.probability.distribution import Distribution
from rulekit.probability.drafts import Question
from rulekit.probability.law import Law
from rulekit.probability.plan import Plan
from rulekit.probability.program import Program
from rulekit.probability.programs import question_of
from rulekit.probability.question import Count
from rulekit.probability.rows import (
    LIBRARY,
    Amount,
    Axis,
    CardClass,
    Coin,
    FirstTurn,
    Look,
    Move,
    Mulligan,
    Row,
    Shuffle,
    Until,
    Value,
    When,
    distinct,
    mapped,
    register,
    values_of,
    walk,
)
from rulekit.probability.weighted import Span
from rulekit.rules import BadData

if TYPE_CHECKING:
    from rulekit.engine.game import Game

KEPT = 4  # chains
LIBRARY_AXIS = Axis("library", (LIBRARY,))


def with_few_piles(program: Program) -> Program:
    """Return a program in which piles that nothing tells apart are one, so that its chain has fewer states."""
    rows = distinct(program.rows)
    values = [value for thing in (*walk(rows), *program.axes) for value in values_of(thing)]
    back = [row.back for row in walk(rows) if isinstance(row, Shuffle)]
    signs = {pile: tuple(pile in piles for piles in (*(v.piles for v in values), *back)) for pile in program.piles}
    first = {sign: pile for pile, sign in reversed(signs.items())}
    called = {pile: first[sign] for pile, sign in signs.items()}
    renamed = mapped(program.rows, lambda row: _renamed(row, called))
    return replace(program, rows=renamed, axes=tuple(_read(axis, called) for axis in program.axes))


def skeleton(program: Program) -> Program:
    """Return what the chain of a program depends on: its rows, and of its cards what they look at."""
    firsts = tuple(axis for axis in program.axes if isinstance(axis, FirstTurn))
    rows = tuple(walk(distinct(program.rows)))
    values = [value for thing in (*rows, *firsts) for value in values_of(thing)]
    names = {value.name for value in values if value.of == "counter"}
    mask = 0
    for value in values:
        mask |= value.features
    for row in rows:
        names |= {row.counter} if isinstance(row, Until) else set()
        mask |= row.again if isinstance(row, Move) else 0
        if isinstance(row, Mulligan):
            names |= {keep.counter for keep in row.keep} | {surplus.counter for surplus in row.away}
    kept = [place for place, name in enumerate(program.counters) if name in names]
    classes = tuple(
        CardClass(one.size, tuple(one.adds[place] for place in kept), one.features & mask) for one in program.classes
    )
    counters = tuple(program.counters[place] for place in kept)
    features = program.features[: mask.bit_length()]
    axes = firsts or (LIBRARY_AXIS,)
    return replace(program, classes=classes, counters=counters, features=features, axes=axes)


def _renamed(row: Row, called: Mapping[str, str]) -> Row:
    """Put other names of piles into a row."""
    if isinstance(row, Coin | When):
        then, otherwise = (tuple(_renamed(each, called) for each in rows) for rows in (row.then, row.otherwise))
        row = replace(row, then=then, otherwise=otherwise)
        if isinstance(row, Coin):
            return row
    if isinstance(row, Move | Mulligan):
        row = replace(row, to=called[row.to])
    elif isinstance(row, Until):
        found = None if row.found is None else called.get(row.found, row.found)
        row = replace(row, to=called.get(row.to, row.to), found=found)
    elif isinstance(row, Shuffle):
        row = replace(row, back=tuple(dict.fromkeys(called.get(pile, pile) for pile in row.back)))
    elif isinstance(row, Look):
        sends = tuple(tuple(called.get(place, place) for place in table) for table in row.sends)
        pick = row.pick and replace(row.pick, to=called[row.pick.to])
        row = replace(row, sends=sends, pick=pick)
    named: Row = _read(row, called)
    return named


def _read(thing: Any, called: Mapping[str, str]) -> Any:
    """Put other names of piles into the values that a row or an axis reads."""

    def value(old: Value) -> Value:
        return replace(old, piles=tuple(dict.fromkeys(called[pile] for pile in old.piles if pile in called)))

    changed = {name: tuple(map(value, getattr(thing, name))) for name in ("of", "by") if hasattr(thing, name)}
    for name in ("n", "goal"):
        amount = getattr(thing, name, None)
        if isinstance(amount, Amount):
            changed[name] = replace(amount, of=tuple(map(value, amount.of)))  # type: ignore[assignment]
    return replace(thing, **changed) if changed else thing


@lru_cache(maxsize=KEPT)
def _chain(program: Program, floats: bool) -> Chain:
    """Run a chain; the latest are kept, because often only what is counted changes from one question to the next."""
    return Chain(program, floats)


class Exact:
    """Work out distributions of programs, and remember what was worked out.

    Attributes:
        fractions: Whether probabilities are exact fractions; else float64.
    """

    is_exact = True

    def __init__(self, fractions: bool = False) -> None:
        """Make an evaluator that has worked out nothing yet."""
        self.fractions = fractions
        self._chains: dict[Program, Chain] = {}
        self._laws: dict[Program, Law] = {}
        self._first: Chain | None = None
        self._latest: tuple[Program, Law] | None = None

    def chain(self, program: Program) -> Chain:
        """Return the states of a program, worked out once for all questions with the same rows and cards."""
        bare = skeleton(program)
        if bare not in self._chains:
            self._chains[bare] = _chain(bare, not self.fractions)
        chain = self._chains[bare]
        if self._first is None or chain.most_states > self._first.most_states:
            self._first = chain
        return chain

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
            kinds = len(chain.know.kinds)
            how = f"rows look at cards: a chain over {chain.most_states:,} states that tell {kinds} kinds apart"
        elif chain.most_states > 1:
            why = "chance decides how many cards move" if chain.chances else "the number of cards moved varies"
            how = f"{why} and no row looks at them: a chain over {chain.most_states:,} states"
        else:
            how = "a fixed number of cards moves: closed form"
        return f"Exact: {how}; counts by the hypergeometric law, class by class."

    def knows(self, _part: int) -> bool:
        """Tell that every part is known."""
        return True

    def distribution(self, program: Program, turn: int, part: int = 0) -> Distribution:
        """Return the joint distribution of the axes of a program at the mark of a turn.

        Raises:
            TooMany: If it would need more than 20,000,000 cells.
        """
        if self._latest is None or self._latest[0] is not program:  # the same question is often asked of every turn
            self._latest = (program, self._law(with_few_piles(program)))
        law = self._latest[1]
        weights, below = law.at(law.chain.marks[turn])
        spans = [Span(axis.name, 0, size) for axis, size in zip(law.axes, weights.shape, strict=True)]
        return Distribution(spans, weights, below)

    def _law(self, program: Program) -> Law:
        if program in self._laws:
            return self._laws[program]
        end = program.turns[-1] + 1
        axes = [
            axis if isinstance(axis, Axis) else Axis(axis.name, (register(axis.name),), end) for axis in program.axes
        ]
        self._laws[program] = Law(self.chain(program), program, axes)
        return self._laws[program]

    def example(self, program: Program, turn: int, condition: Condition, part: int = 0) -> int | None:
        """Return None: an exact answer has no trials."""
        return None

    def game(self, question: Question, trial: int) -> Game:
        """Refuse: an exact answer has no trials."""
        raise BadData("an exact answer has no trials; simulate(...) has.", key="replay")


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


def exact(
    deck: Any,
    plan: Plan,
    count: Count = (),
    turns: int | None = None,
    *,
    as_fractions: bool = False,
    pool: CardPool | None = None,
) -> Answer:
    """Answer a question about a plan exactly.

    Args:
        deck: A Deck, or a mixture of decks (`Deck.mixture`).
        plan: What is done to its library.
        count: What is counted: descriptions ("land", "creature card with mana value 3 or less", "named Narcomoeba",
            "total mana value", "card types in graveyard"), or functions of a Card; "in hand", "in graveyard", "in
            exile" or "in library" says where, else cards that were milled are counted. Library, hand and graveyard can
            always be asked.
        turns: The last turn; without, the last that the plan names, or 12 if something goes on for good.
        as_fractions: Answer in fractions instead of float64.
        pool: Where cards are looked up; without, what the deck knows of its cards.

    Returns:
        An answer that is asked by condition and turn.

    Raises:
        BadData: Something is not understood, impossible, or cannot be said by a library program.
        Unknown: A name that nothing has.
        TooMany: It would need more than 20,000,000 cells.
    """
    answer = Answer(question_of(deck, plan, count, turns, pool), Exact(as_fractions))
    for part in answer.question.parts:
        answer.source.distribution(part.draft.program((LIBRARY_AXIS,)), answer.turns)
    return answer
