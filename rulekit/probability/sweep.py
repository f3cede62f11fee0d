"""The same question of many decks: a number of copies varied, or decks and plans side by side."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulekit.cards.deck import Deck
from rulekit.cards.whole import is_whole
from rulekit.probability import tables
from rulekit.probability.answer import Answer, NothingKnown, at_turn
from rulekit.probability.condition import read_condition
from rulekit.probability.distribution import Distribution, shown
from rulekit.probability.estimate import Estimate
from rulekit.probability.exact import exact
from rulekit.probability.plan import Plan
from rulekit.probability.programs import nameless
from rulekit.probability.question import ALWAYS, Count, described, fits
from rulekit.probability.weighted import Number
from rulekit.rules import BadData

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

Ask = Callable[..., Answer]
MOST_COMPARED = 7
_COMPARED = re.compile(r"(?P<name>[^=<>!≤≥≠()]+?)\s*(?:==|!=|<=|>=|=|<|>|≤|≥|≠)\s*[+-]?\d+")
_JOINTS = re.compile(r"^(?:\s*(?:and|or|not)\b)+\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Sweep:
    """The answers to one question for several numbers of cards.

    Attributes:
        question: The question.
        vary: What was varied.
        numbers: For each number of cards the answer.
    """

    question: str
    vary: str
    numbers: tuple[tuple[int, Number], ...]

    def best(self) -> int:
        """Return the number of cards with the highest answer, the smallest of several."""
        return max(self.numbers, key=lambda pair: (float(pair[1]), -pair[0]))[0]

    def frame(self) -> pandas.DataFrame:
        """Return a frame with a row for each number of cards."""
        import pandas

        return pandas.DataFrame([{self.vary: number, **_columns(value, self.unit)} for number, value in self.numbers])

    @property
    def unit(self) -> str:
        """What the answers are: "probability", or "value" if they are numbers that a function gave, such as means."""
        values = [value for _, value in self.numbers]
        shares = all(value.share if isinstance(value, Estimate) else 0 <= value <= 1 for value in values)
        return "probability" if shares else "value"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the answers against the number of cards; returns the axes."""
        from rulekit.widgets import charts

        return charts.plot_curve({"": self.numbers}, f"number of {self.vary}", self.question, self.unit, ax)

    def _rows(self) -> tuple[list[str], list[list[str]], list[float]]:
        top = max(float(value) for _, value in self.numbers) or 1.0
        say = shown if self.unit == "probability" else tables.number
        rows = [[str(number), say(value)] for number, value in self.numbers]
        return [self.vary, self.unit], rows, [float(value) / top for _, value in self.numbers]

    def __str__(self) -> str:
        return f"{self.question}\n{tables.text_table(*self._rows())}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return tables.html_table(self.question, *self._rows())


@dataclass(frozen=True)
class Compared:
    """The answers to one question for several decks or plans.

    Attributes:
        question: The question.
        by_turn: For each label pairs of turn and probability, if a condition was asked.
        values: For each label the distribution, if a count was asked.
    """

    question: str
    by_turn: Mapping[str, tuple[tuple[int, Number], ...]]
    values: Mapping[str, Distribution]

    def frame(self) -> pandas.DataFrame:
        """Return a frame with a row for each label and turn, or for each label and value."""
        import pandas

        if self.values:
            frames = []
            for label, found in self.values.items():
                one = found.to_pandas()
                one.insert(0, "label", label)
                frames.append(one)
            return pandas.concat(frames, ignore_index=True)
        rows = [
            {"label": label, "turn": turn, **_columns(value)}
            for label, pairs in self.by_turn.items()
            for turn, value in pairs
        ]
        return pandas.DataFrame(rows)

    def plot(self, ax: Axes | None = None, view: str = "") -> Axes:
        """Draw the answers beside each other; returns the axes."""
        from rulekit.widgets import charts

        if self.values:
            return charts.plot_comparison(self.values, ax, view, self.question)
        return charts.plot_curve(self.by_turn, "turn", self.question, ax=ax)

    def _rows(self) -> tuple[list[str], list[list[str]]]:
        labels = list(self.values or self.by_turn)
        if self.values:
            found = {label: each.outcomes() for label, each in self.values.items()}
            first = self.values[labels[0]].names[0]
        else:
            found = {label: dict(pairs) for label, pairs in self.by_turn.items()}
            first = "turn"
        keys = sorted({key for each in found.values() for key in each})
        rows = [[str(key), *(shown(found[label].get(key, 0.0)) for label in labels)] for key in keys]
        return [first, *labels], rows

    def __str__(self) -> str:
        return f"{self.question}\n{tables.text_table(*self._rows())}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return tables.html_table(self.question, *self._rows())


def sweep(
    deck: Deck,
    plan: Plan,
    *,
    vary: str,
    over: Iterable[int],
    question: str | Callable[[Answer], Number],
    count: Count | None = None,
    turn: int | None = None,
    turns: int | None = None,
    ask: Ask = exact,
) -> Sweep:
    """Ask one question of a deck with different numbers of cards of a kind.

    Args:
        deck: The deck; it keeps its size (`varied`).
        plan: What is done to it.
        vary: The kind, in the words of rules text: "land", "named Ruin Crab".
        over: The numbers.
        question: A condition, asked at the end of `turn`; or a function from an answer to a number.
        count: What is counted; without, what the condition compares.
        turn: The turn; the last without.
        turns: The last turn; see `exact`.
        ask: `exact`, or a function like it, such as simulate with its trials and seed filled in.

    Returns:
        The answers, as text, table, frame and chart.

    Raises:
        BadData: There is no number, the deck cannot have so many, or the question is not understood.
    """
    if not isinstance(deck, Deck):
        raise BadData(
            f"a sweep varies a Deck, not {type(deck).__name__}.", key="deck", instead="compare(...) takes mixtures."
        )
    numbers = tuple(over)
    if not numbers:
        raise BadData("a sweep goes over at least one number.", key="over", instead="range(20, 29).")
    counted = counted_in(question) if count is None and isinstance(question, str) else count or ()
    found = []
    for number in numbers:
        answer = ask(varied(deck, vary, number), plan, counted, turns if turns is not None else turn or None)
        value = question(answer) if callable(question) else _told(answer, question, turn)
        found.append((number, value))
    name = getattr(question, "__name__", "").replace("<lambda>", "")
    asked = answer.said(question) if isinstance(question, str) else name or "the question"
    when = "" if turn is None else f" {at_turn(turn)}"
    return Sweep(f"{asked}{when}, by number of {vary}", vary, tuple(found))


def compare(
    *decks: Any,
    plan: Plan | None = None,
    question: str,
    count: Count | None = None,
    turn: int | None = None,
    turns: int | None = None,
    labels: Iterable[str] = (),
    ask: Ask = exact,
) -> Compared:
    """Ask one question of several decks, or of several plans.

    Args:
        decks: Decks, or pairs of a deck and its own plan; two to seven.
        plan: What is done to the decks that come without a plan.
        question: A condition, or what is counted.
        count: What is counted; without, what the question names.
        turn: The turn at whose end it is asked, 0 for before the first; without, the last for a count, and each for a
            condition.
        turns: The last turn; without, the last one that any of the plans has, see `exact`.
        labels: What each is called; without, the names of the decks.
        ask: `exact`, or a function like it.

    Returns:
        The answers, as text, table, frame and chart.

    Raises:
        BadData: There are too few or too many decks, or one has no plan.
    """
    pairs = [each if isinstance(each, tuple) else (each, plan) for each in decks]
    if not 2 <= len(pairs) <= MOST_COMPARED or any(each[1] is None for each in pairs):
        raise BadData(f"2 to {MOST_COMPARED} decks are compared, each with a plan.", key="compare")
    names = list(labels) or [getattr(one, "name", "") or f"deck {i + 1}" for i, (one, _) in enumerate(pairs)]
    if len(names) != len(pairs) or len(set(names)) < len(names):
        names = [f"deck {i + 1}" for i in range(len(pairs))]
    compared = _COMPARED.search(question) is not None
    counted = count if count is not None else counted_in(question)
    ends = [done.last_turn() for _, done in pairs if isinstance(done, Plan)]
    last = turns or turn or max(ends, default=1)
    answers = {name: ask(one, done, counted, last) for name, (one, done) in zip(names, pairs, strict=True)}
    if not compared:
        values = {name: answer.distribution(question, turn) for name, answer in answers.items()}
        return Compared(max((each.title for each in values.values()), key=len), {}, values)
    asked = range(1, last + 1) if turn is None else (turn,)
    by_turn = {name: tuple((at, _told(answer, question, at)) for at in asked) for name, answer in answers.items()}
    said = max(answers.values(), key=lambda each: len(each.question.unknown)).said(question)
    return Compared(f"{said} {'at the end of each turn' if turn is None else at_turn(turn)}", by_turn, {})


def _told(answer: Answer, question: str, turn: int | None) -> Number:
    """Return a probability without a warning: what is not known of the cards stands in the title."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NothingKnown)
        return answer.p(question, turn)


def varied(deck: Deck, kind: str, number: int) -> Deck:
    """Return a deck of the same size with so many cards of a kind.

    Cards are exchanged one by one, each time of the name with the most copies: a card of the kind for one of the
    others, or the other way round.

    Args:
        deck: The deck.
        kind: The kind, in the words of rules text.
        number: Number of cards of it, at least 0.

    Raises:
        BadData: The deck has no card of the kind to add, or no other card to take out.
    """
    cards = {name: deck.cards.get(name) or nameless(name) for name in deck.main}
    term = described(kind, cards.values())
    main = dict(deck.main)
    mine = [name for name, card in cards.items() if fits(term, card)]
    others = [name for name in main if name not in mine]
    have = sum(main[name] for name in mine)
    total = sum(main.values())
    if not is_whole(number) or not 0 <= number <= total:
        raise BadData(f"a deck of {total} cards has 0 to {total} {kind}, not {number!r}.", key="vary")
    if (number > have and not mine) or (number < have and not others):
        raise BadData(f"this deck has no card that could be exchanged to reach {number} {kind}.", key="vary")
    gains, loses = (mine, others) if number > have else (others, mine)
    for _ in range(abs(number - have)):
        main[max(loses, key=lambda name: main[name])] -= 1
        main[max(gains, key=lambda name: main[name])] += 1
    named = f"{deck.name or 'deck'} with {number} {kind}"
    return deck.replaced({name: copies for name, copies in main.items() if copies}, named)


def counted_in(question: str) -> tuple[str, ...]:
    """Return what a condition compares, or the text itself if it is none, without what can always be asked.

    Args:
        question: A condition, such as "land >= 3 and library <= 40", or a count, such as "land".

    Raises:
        BadData: It is a condition and cannot be read.
    """
    found = [_JOINTS.sub("", match["name"]).strip() for match in _COMPARED.finditer(question)]
    names = dict.fromkeys(" ".join(name.split()) for name in found or [question])
    if found:
        read_condition(question, names)
    return tuple(name for name in names if name not in ALWAYS)


def _columns(value: Number, unit: str = "probability") -> dict[str, Any]:
    columns: dict[str, Any] = {unit: float(value)}
    if isinstance(value, Estimate):
        columns |= {"low": value.low, "high": value.high, "trials": value.trials}
    return columns
