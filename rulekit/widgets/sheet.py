"""The answer sheet: one page with the position, what was done, what happened by which rule, and the answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rulekit.engine import telling
from rulekit.engine.game import Game
from rulekit.rules import EDITION, BadData
from rulekit.widgets import view
from rulekit.widgets.frames import answer_words
from rulekit.widgets.html import Html, el, joined, printable
from rulekit.widgets.picture import Picture, picture

STYLE = (
    "body{font-family:sans-serif;max-width:50em;margin:2em auto;padding:0 1em;line-height:1.4;overflow-wrap:anywhere}"
    "h1{font-size:1.4em}h2{font-size:1.15em}caption{white-space:normal!important}"
    "table{border-collapse:collapse;width:100%}td,th{border:1px solid;padding:3px 8px;text-align:left;"
    "vertical-align:top}h2{break-after:avoid}tr,li{break-inside:avoid}@media print{body{margin:0;max-width:none}}"
)
_SPECIAL = re.compile(r"([\\`*_\[\]|#~])")


def question_of(shown: Any) -> tuple[Game, str, str]:
    """Return the game of what can be shown on a board, with the question and the answer that belong to it.

    Args:
        shown: A Game, a scenario (its steps are carried out) or the result of one.

    Raises:
        BadData: It is none of these, or the scenario could not begin.
    """
    if isinstance(shown, Game):
        return shown, "", ""
    result = shown.play() if hasattr(shown, "play") else shown
    game, scenario = getattr(result, "game", None), getattr(result, "scenario", None)
    if not isinstance(game, Game):
        raise BadData("a board shows a game or a scenario.", text=repr(shown))
    if scenario is None:
        return game, "", ""
    return game, scenario.question or scenario.title, scenario.answer


@dataclass(frozen=True)
class Sheet(view.Shown):
    """A game as one page, to be printed or pasted.

    Attributes:
        game: The game, from its beginning on.
        question: The question, or "".
        answer: The answer in words, or "".
    """

    game: Game
    question: str = ""
    answer: str = ""

    @property
    def title(self) -> str:
        """The question, or what there is instead of one."""
        return self.question or "A game on the board"

    def done(self) -> Iterator[str]:
        """Yield what the players did, one text for each answer; passes in a row are one."""
        passing: list[str] = []
        for game in self.game.path()[1:]:
            decision = game.before.decision if game.before is not None else None
            if decision is None:
                continue
            said, rule = answer_words(decision, game.given)
            if rule == "117.3d":
                passing.append(decision.player)
                continue
            if passing:
                yield _passing(passing)
                passing = []
            if said:  # state-based actions that come first are nobody's deed
                yield said
        if passing:
            yield _passing(passing)

    def rules(self) -> tuple[str, ...]:
        """Return the rules of the log that the index knows, in the order in which they first come up."""
        cited = dict.fromkeys(rule for rule, _ in telling.told_log(self.game.state))
        return tuple(rule for rule in cited if telling.paraphrase(rule))

    @property
    def markdown(self) -> str:
        """The page as Markdown; signs that mean something there are marked as plain text."""
        state = self.game.state
        lines = [f"# {_plain(self.title)}", "", "## Position", "", *_position(picture(self.game.path()[0].state))]
        lines += ["", "## What is done", "", *(f"{n}. {_plain(each)}" for n, each in enumerate(self.done(), 1))]
        lines += ["", "## What happens", "", "| rule | what happens |", "| --- | --- |"]
        lines += [f"| {rule} | {_plain(view.upper(said))} |" for rule, said in telling.told_log(state)]
        lines += ["", "## How it stands", "", *_position(picture(state))]
        if self.answer:
            lines += ["", "## Answer", "", _plain(self.answer)]
        lines += ["", "## The rules", ""]
        lines += [f"- **{rule}**: {_plain(telling.paraphrase(rule))}" for rule in self.rules()]
        lines += ["", f"Rule numbers of the edition of {EDITION}, in the words of rulekit; unofficial.", ""]
        return "\n".join(lines)

    @property
    def page(self) -> str:
        """The page as an HTML file of its own."""
        head = joined([el("meta", charset="utf-8"), el("title", self.title), el("style", STYLE)])
        return f"<!doctype html>\n{el('html', el('head', head), el('body', self._inside('h1', 'h2')), lang='en')}\n"

    def files(self) -> list[dict[str, str]]:
        """Return the page as two files, to be kept: name, kind and text of each."""
        return [
            {"name": "answer-sheet.md", "kind": "text/markdown", "text": self.markdown},
            {"name": "answer-sheet.html", "kind": "text/html", "text": self.page},
        ]

    def _inside(self, first: str, second: str) -> Html:
        state = self.game.state
        rows = [
            el("tr", el("td", view.rule_html(rule)), el("td", view.upper(said)))
            for rule, said in telling.told_log(state)
        ]
        head = el("tr", el("th", "rule", scope="col"), el("th", "what happens", scope="col"))
        answer = [el(second, "Answer"), el("p", self.answer)] if self.answer else []
        rules = [el("li", el("b", rule), f": {telling.paraphrase(rule)}") for rule in self.rules()]
        return joined(
            [
                el(first, self.title), el(second, "Position"), view.board_table(picture(self.game.path()[0].state)),
                el(second, "What is done"), el("ol", *(el("li", each) for each in self.done())),
                el(second, "What happens"), el("table", el("thead", head), el("tbody", *rows)),
                el(second, "How it stands"), view.board_table(picture(state)), *answer,
                el(second, "The rules"), el("ul", *rules),
                el("p", f"Rule numbers of the edition of {EDITION}, in the words of rulekit; unofficial."),
            ]
        )  # fmt: skip

    def _still(self) -> Html:
        return el("div", self._inside("p", "p"))

    def _text(self) -> str:
        return self.markdown


def _plain(text: str) -> str:
    """Return a text as it stands in Markdown without meaning anything there."""
    one_line = " ".join(printable(text).split())
    return _SPECIAL.sub(r"\\\1", one_line).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _position(seen: Picture) -> list[str]:
    lines = [f"{_plain(view.upper(seen.moment))}; {_plain(seen.priority)}.", ""]
    if seen.stack.count:
        lines.append(f"- stack: {_plain(view.zone_text(seen.stack))}")
    for seat in seen.seats:
        lines.append(f"- {_plain(seat.name)} ({_plain(', '.join(seat.facts))})")
        lines += [
            f"  - {zone.name} ({zone.count}): {_plain(view.zone_text(zone))}" for zone in seat.zones if zone.count
        ]
    return lines


def _passing(players: Iterable[str]) -> str:
    """Return who passed: "Alice passes", "Alice, Bob and Carol pass"."""
    *others, last = dict.fromkeys(players)
    return f"{', '.join(others)} and {last} pass" if others else f"{last} passes"
