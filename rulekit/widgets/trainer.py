"""The question trainer: questions about a topic or a rule, in an order that is mixed, with a score."""

from __future__ import annotations

import hashlib
from typing import Any

import ipywidgets

from rulekit.rules import BadData
from rulekit.scenarios.questions import about
from rulekit.scenarios.scenario import Scenario
from rulekit.widgets.html import Html, el, printable
from rulekit.widgets.panel import WIDE, Panel, choice, shown, whole
from rulekit.widgets.quiz import Quiz

ANY = "any topic"
TOPICS = (ANY, "mill", "gift", "equip")


class Trainer(Panel):
    """Questions of the bank about a topic or a rule: predict, see what happens, change one thing, keep score.

    Attributes:
        quiz: The questions that are asked now.
        found: How many questions there are about this.
    """

    def __init__(self, topic: str = ANY, rule: str = "", number: int = 10, round: int = 1) -> None:  # noqa: A002
        """Make a trainer.

        Args:
            topic: "any topic", "mill", "gift" or "equip".
            rule: A rule that decides the answer, "701.17" with all below it; any if left out.
            number: How many questions, 1 to 50.
            round: Which of the mixed orders, from 1: the same round has the same questions.

        Raises:
            BadData: There is no such question, or no such topic.
        """
        super().__init__()
        if topic not in TOPICS:
            raise BadData(f"{topic!r} is no topic.", key="topic", instead=TOPICS)
        self._topic = choice("Topic", TOPICS, topic)
        self._rule = ipywidgets.Text(
            rule, description="Rule, such as 701.17", continuous_update=False, style=WIDE, layout={"width": "auto"}
        )
        self._number = whole("Questions", number, 1, 50)
        self._round = whole("Round", round, 1, 9999)
        self._told, self._place = shown(""), ipywidgets.VBox()
        self.watch(self._begin, self._topic, self._rule, self._number, self._round)
        self._begin()

    def _begin(self) -> None:
        """Choose the questions that the controls say, and begin with the first one.

        Raises:
            BadData: There is none; what was asked before stays.
        """
        topic, rule = self._topic.value, self._rule.value.strip()
        every = about("" if topic == ANY else topic, rule)
        if not every:
            said = f"no question about {topic} is decided by rule {rule}."
            raise BadData(said, key="rule", instead="another one, or the beginning of its number: 701.17")
        self.found = len(every)
        self.quiz = Quiz(sorted(every, key=self._place_of)[: self._number.value])
        self._told.value = el("div", f"{self.sentence} There are {self.found} about this.")
        self._place.children = (self.quiz._live(),)

    def _place_of(self, scenario: Scenario) -> bytes:
        """Return the place of a question in this round, which stays as it is when others are added."""
        return hashlib.sha256(f"{self._round.value} {scenario.title}".encode()).digest()

    @property
    def sentence(self) -> str:
        """What is asked, in words."""
        rule = self._rule.value.strip()
        about_rule = f", decided by rule {rule}" if rule else ""
        asked = f"{len(self.quiz.questions)} questions about {self._topic.value}{about_rule}"
        return f"{asked}, round {self._round.value}."

    def another_round(self) -> None:
        """Ask other questions about the same."""
        self._round.value += 1

    # ---------------------------------------------------------------- the three forms

    def _parts(self) -> tuple[Any, ...]:
        controls = (self._topic, self._rule, self._number, self._round)
        again = self.button("Another round", self.another_round, "rk-round")
        return (
            ipywidgets.HBox(controls, layout={"flex_flow": "row wrap"}), self._told, self._place, again,
        )  # fmt: skip

    def _still(self) -> Html:
        return el("div", el("p", self.sentence), self.quiz._still())

    def _text(self) -> str:
        return printable(f"{self.sentence}\n{self.quiz}")
