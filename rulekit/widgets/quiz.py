"""Questions to be answered: predict, see what happens step by step, then change one thing; a set keeps score."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import ipywidgets

from rulekit.engine import telling
from rulekit.rules import BadData, Unknown
from rulekit.scenarios.run import begin
from rulekit.scenarios.scenario import Scenario
from rulekit.widgets import view
from rulekit.widgets.asks import Ask, asks, played
from rulekit.widgets.board import Board
from rulekit.widgets.html import Html, el, html, printable
from rulekit.widgets.panel import WIDE, Panel, choice, shown, table
from rulekit.widgets.variations import Outcome, outcome, variations

UNSAID = "?"
MOST_OFFERED = 12


class Question(Panel):
    """One scenario as a question.

    Attributes:
        scenario: The scenario.
        asks: What can be predicted.
        revealed: Whether the answer has been shown.
        score: How many predictions were right and how many there were, once the answer has been shown.
    """

    def __init__(self, scenario: Scenario) -> None:
        """Make a question.

        Args:
            scenario: Where question, position, steps and answer come from.
        """
        super().__init__()
        self.scenario = scenario
        run = played(scenario)
        self.asks = asks(scenario, run)
        self.revealed = False
        self.score: tuple[int, int] | None = None
        self._controls = [self._control(place, ask) for place, ask in enumerate(self.asks, 1)]
        self._status = shown("")
        self._answer = ipywidgets.VBox()
        self._reveal = self.button("Show what happens", self.reveal, "rk-reveal")
        self._varied = shown("")
        self._variations = variations(scenario, run)
        self._outcomes: dict[str, Outcome] = {}

    def _control(self, place: int, ask: Ask) -> Any:
        style = {"style": WIDE, "layout": {"width": "auto", "max_width": "100%", "align_self": "flex-start"}}
        words = printable(f"Your prediction: {ask.words}" if ask.check else f"Your prediction of {place}: {ask.asks}")
        if ask.options:
            return ipywidgets.Dropdown(options=(UNSAID, *ask.options), description=words, **style)
        return ipywidgets.Text(placeholder="a number", description=words, continuous_update=False, **style)

    # ---------------------------------------------------------------- what the person does

    def predict(self, *answers: object) -> Question:
        """Say what will happen, in the order of `asks`; the question itself is returned.

        Raises:
            BadData: More answers than questions, or one that cannot be an answer.
        """
        if len(answers) > len(self.asks):
            raise BadData(f"this question asks {len(self.asks)} things, not {len(answers)}.", key="predict")
        for ask, control, answer in zip(self.asks, self._controls, answers, strict=False):
            said = {True: "yes", False: "no"}.get(answer, str(answer)) if isinstance(answer, bool) else str(answer)
            if ask.options and said not in ask.options:
                raise BadData(f"{said!r} is no answer to: {ask.words}.", key="predict", instead=ask.options)
            control.value = said
        return self

    def predictions(self) -> tuple[str, ...]:
        """Return what was predicted, "" where nothing was said."""
        return tuple("" if control.value in (UNSAID, "") else control.value.strip() for control in self._controls)

    def reveal(self) -> None:
        """Show what happens step by step, the answer with its rules, and what was right."""
        result = self.scenario.play()
        said = self.predictions()
        self.score = (sum(ask.answer == one for ask, one in zip(self.asks, said, strict=True)), len(self.asks))
        self.revealed = True
        self._status.value = self._verdict()
        board = [Board(result, title="What happens")] if result.game is not None else []
        vary = [self.button(name, partial(self.vary, name), "rk-vary") for name in self._offered()]
        head = [shown(el("p", el("b", "Now change one thing:")))] if vary else []
        self._answer.children = (
            *board, shown(self._answer_html()), *head, ipywidgets.HBox(vary, layout={"flex_flow": "row wrap"}),
            self._varied,
        )  # fmt: skip

    def vary(self, name: str) -> dict[str, str]:
        """Run a variation, show what is different, and return what is then true by question.

        Raises:
            Unknown: No variation is called so.
        """
        if name not in self._variations:
            raise Unknown("variation", name, self._variations)
        there = self._outcome(name)
        asked = [ask for ask in self.asks if ask.check is not None and not ask.when]
        found = {ask.words: ask.found(there.game) for ask in asked}
        rows: list[tuple[object, ...]] = [(ask.words, ask.answer, found[ask.words]) for ask in asked]
        notes = [el("p", f"The steps go no further than this: {there.stopped}")] if there.stopped else []
        notes += [el("p", f"{view.upper(each)}.".replace("..", ".")) for each in there.refused]
        log = el("details", el("summary", "What happens then"), view.log_html(there.game.state, there.game.log))
        told = table(f"If {name}:", ("", "before", "now"), rows) if rows else el("p", f"If {name}:")
        self._varied.value = el("div", told, *notes, log, style=view.LINES)
        return found

    def _outcome(self, name: str) -> Outcome:
        """Return what becomes of a variation, which is played once."""
        if name not in self._outcomes:
            self._outcomes[name] = outcome(self._variations[name])
        return self._outcomes[name]

    def _offered(self) -> list[str]:
        """Return the variations that are offered: what would stop in the middle is not."""
        return [name for name in self._variations if not self._outcome(name).stopped][:MOST_OFFERED]

    @property
    def variations(self) -> tuple[str, ...]:
        """What can be changed."""
        return tuple(self._variations)

    # ---------------------------------------------------------------- what is shown

    def _parts(self) -> tuple[Any, ...]:
        return (
            shown(self._question_html()), ipywidgets.VBox(self._asked()), self._reveal, self._status, self._answer,
        )  # fmt: skip

    def _asked(self) -> list[Any]:
        """Return the controls; what is tried, which is long, stands above the one that asks about it."""
        rows: list[Any] = []
        for place, (ask, control) in enumerate(zip(self.asks, self._controls, strict=True), 1):
            tried = [] if ask.check else [shown(el("p", f"{place}. {view.upper(ask.told)}."))]
            rows += [*tried, control]
        return rows

    def _question_html(self) -> Html:
        state = begin(self.scenario.given).state
        asked = el("p", el("b", self.scenario.question or self.scenario.title))  # a title often tells the answer
        return el("div", asked, view.state_html(state), style=view.LINES)

    def _verdict(self) -> Html:
        items = []
        for ask, said in zip(self.asks, self.predictions(), strict=True):
            verdict = "not predicted" if not said else "right" if said == ask.answer else f"not {said}"
            items.append(el("li", f"{ask.said}: {ask.answer} ({verdict})"))
        return el("div", el("ul", *items), role="status", style=view.LINES) if items else html("")

    def _answer_html(self) -> Html:
        rules = [el("li", el("b", rule), f": {telling.paraphrase(rule)}") for rule in self.scenario.rules]
        title = el("p", el("b", self.scenario.title))
        answer = el("p", el("b", "Answer: "), self.scenario.answer)
        return el("div", title, answer, el("ul", *rules), style=view.LINES)

    def _still(self) -> Html:
        asked = el("ul", *(el("li", f"{ask.words}?".replace("??", "?")) for ask in self.asks))
        answers = el("ul", *(el("li", f"{ask.said}: {ask.answer}") for ask in self.asks))
        inside = [answers if self.asks else "", self._answer_html()]
        predict = [el("p", "Predict:"), asked] if self.asks else []
        return el("div", self._question_html(), *predict, el("details", el("summary", "What happens"), *inside))

    def _text(self) -> str:
        lines = [view.scenario_text(self.scenario)]
        lines += [f"predict: {ask.words} -> {ask.answer}" for ask in self.asks]
        return printable("\n".join(lines))


class Quiz(Panel):
    """Several questions, one after another, with a score.

    Attributes:
        questions: The questions.
        place: Which one is seen, counted from 0.
    """

    def __init__(self, scenarios: Iterable[Scenario], title: str = "") -> None:
        """Make a quiz.

        Args:
            scenarios: The questions, as `rulekit.about(tag=..., rule=...)` finds them.
            title: What it is called.

        Raises:
            BadData: There is no question.
        """
        super().__init__()
        self.questions = tuple(Question(scenario) for scenario in scenarios)
        if not self.questions:
            raise BadData("there is no question about this.", key="quiz")
        self.title = title
        self.place = 0
        self._which = choice("Question", [(f"{n} of {len(self.questions)}", n - 1) for n in self._numbers()])
        self.watch(self._choose, self._which)
        self._score = shown("")
        self._seen = ipywidgets.VBox()
        for question in self.questions:
            question._reveal.on_click(self.guarded(self._count))
        self._show()

    def _numbers(self) -> range:
        return range(1, len(self.questions) + 1)

    def _choose(self) -> None:
        self.place = self._which.value
        self._show()

    def next(self) -> None:
        """See the next question."""
        self._which.value = (self.place + 1) % len(self.questions)

    def score(self) -> tuple[int, int]:
        """Return how many predictions were right, and how many were asked for, of all questions answered so far."""
        answered = [question.score for question in self.questions if question.score is not None]
        return sum(right for right, _ in answered), sum(of for _, of in answered)

    def _count(self) -> None:
        right, of = self.score()
        done = sum(question.revealed for question in self.questions)
        words = f"{right} of {of} predictions right, {done} of {len(self.questions)} questions answered."
        self._score.value = el("div", words, role="status", class_="rk-score")

    def _show(self) -> None:
        self._seen.children = (self.questions[self.place]._live(),)
        self._count()

    def _parts(self) -> tuple[Any, ...]:
        title = [shown(el("p", el("b", self.title)))] if self.title else []
        return (*title, self._which, self._score, self._seen, self.button("Next question", self.next, "rk-next"))

    def _still(self) -> Html:
        items = [
            el("details", el("summary", f"Question {n}"), question._still())
            for n, question in zip(self._numbers(), self.questions, strict=True)
        ]
        return el("div", el("p", el("b", self.title)) if self.title else "", *items)

    def _text(self) -> str:
        lines = [self.title] if self.title else []
        lines += [f"{n}. {each.scenario.title} ({', '.join(each.scenario.rules)})"
                  for n, each in enumerate(self.questions, 1)]  # fmt: skip
        return printable("\n".join(lines))
