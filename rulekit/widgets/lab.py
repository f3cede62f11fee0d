"""What a lab is: controls, what follows from them by the rules in words and tables, and a board to step through it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Self

import ipywidgets
import traitlets

from rulekit.engine import telling
from rulekit.engine.game import Game
from rulekit.rules import BadData, Illegal, Unknown
from rulekit.widgets import view
from rulekit.widgets.board import Board
from rulekit.widgets.html import Html, el, html, joined, printable
from rulekit.widgets.panel import Panel, shown, table
from rulekit.widgets.turns import TURN

NARROW = 12  # characters; a column of a table as text is not made narrower


@dataclass(frozen=True)
class Grid:
    """A table of words and numbers.

    Attributes:
        caption: What it shows.
        head: The names of the columns.
        rows: What stands in each row, the name of the row first.
    """

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def html(self) -> Html:
        """Return it as HTML."""
        return el("div", table(self.caption, self.head, list(self.rows)), style="overflow-x:auto;margin-top:8px")

    def text(self) -> str:
        """Return it as text, its columns below one another, cells in several lines where they are long."""
        widths = [max(len(line[place]) for line in (self.head, *self.rows)) for place in range(len(self.head))]
        while sum(widths) + 2 * len(widths) > view.WIDTH and max(widths) > NARROW:
            widths[widths.index(max(widths))] -= 1
        lines = [line for row in (self.head, *self.rows) for line in _cells(row, widths)]
        return "\n".join([self.caption, *("  " + line for line in lines)])


def _cells(row: tuple[str, ...], widths: list[int]) -> list[str]:
    """Return a row as lines of text."""
    cells = [textwrap.wrap(cell, width) or [""] for cell, width in zip(row, widths, strict=True)]
    return [
        "  ".join(each.ljust(width) for each, width in zip(line, widths, strict=True)).rstrip()
        for line in zip_longest(*cells, fillvalue="")
    ]


@dataclass(frozen=True)
class Findings:
    """What follows from the controls of a lab.

    Attributes:
        sentences: What is to be said, the most important first.
        grids: Tables.
        games: Games to be stepped through, named.
        refusals: What the rules refuse.
        about: Rules that speak of it, besides those that are cited.
    """

    sentences: tuple[str, ...] = ()
    grids: tuple[Grid, ...] = ()
    games: tuple[tuple[str, Game], ...] = ()
    refusals: tuple[Illegal, ...] = ()
    about: tuple[str, ...] = ()

    def rules(self) -> tuple[str, ...]:
        """Return the rules that it is about or that logs and refusals cite, as far as the index knows them."""
        cited = [refusal.rule for refusal in self.refusals] + list(self.about)
        cited += [rule for _, game in self.games for rule, _ in telling.told_log(game.state)]
        return tuple(rule for rule in dict.fromkeys(cited) if telling.paraphrase(rule))

    def head_html(self) -> Html:
        """Return sentences, refusals and tables as HTML."""
        said = el("div", *(el("p", sentence) for sentence in self.sentences), role="status")
        refused = [el("p", el("b", f"Refused ({each.rule}): "), each.message) for each in self.refusals]
        return el("div", said, *refused, *(grid.html() for grid in self.grids), style=view.LINES)

    def rules_html(self) -> Html:
        """Return what the rules say, folded away."""
        items = [el("li", el("b", rule), f": {telling.paraphrase(rule)}") for rule in self.rules()]
        return (
            el("details", el("summary", "The rules, in our words"), el("ul", *items), style=view.LINES)
            if items
            else html("")
        )

    def logs_html(self) -> Html:
        """Return what happens in each game, folded away."""
        return joined(
            el("details", el("summary", _happens(name)), view.log_html(game.state, game.log))
            for name, game in self.games
        )

    def text(self) -> str:
        """Return all of it as text, with what happens in each game."""
        parts = [textwrap.fill(sentence, view.WIDTH) for sentence in self.sentences]
        parts += [textwrap.fill(f"Refused ({each.rule}): {each.message}", view.WIDTH) for each in self.refusals]
        parts += [grid.text() for grid in self.grids]
        parts += [
            f"{textwrap.fill(_happens(name), view.WIDTH)}\n{view.log_text(game.state, game.log)}"
            for name, game in self.games
        ]
        parts += [f"Rules: {', '.join(self.rules())}"] if self.rules() else []
        return "\n\n".join(parts)


def _happens(name: str) -> str:
    return f"What happens: {name}" if name else "What happens"


class Bench(Panel):
    """Controls that have names; a subclass has `run`, which shows what follows from them.

    Attributes:
        controls: The controls by name; `set` changes them.
    """

    def __init__(self, controls: dict[str, Any]) -> None:
        """Hold controls.

        Args:
            controls: The controls by name, with the values that they have at first.
        """
        super().__init__()
        self.controls = controls
        self._usual = {name: control.value for name, control in controls.items()}
        self._held = False
        self.watch(self._changed, *controls.values())

    def run(self) -> None:
        """Show what follows from the controls."""
        raise NotImplementedError

    def _prepare(self) -> None:
        """Bring the controls in line with each other, before anything is found."""

    def value(self, name: str) -> Any:
        """Return the value of a control."""
        return self.controls[name].value

    def set(self, **values: Any) -> Self:
        """Change controls, and return the lab itself.

        Raises:
            Unknown: No control is called so.
            BadData: A control cannot have this value.
        """
        with TURN:
            before = {name: self.value(name) for name in values if name in self.controls}
            try:
                self._assign(values)
                self.run()
            except Exception:
                self._assign(before)
                self.run()
                raise
        return self

    def _assign(self, values: dict[str, Any]) -> None:
        self._held = True
        try:
            for name in values:
                if name not in self.controls:
                    raise Unknown("control", name, self.controls)
            self._prepare()
            for name in self.controls:
                if name in values:
                    self._put(name, values[name])
                    self._prepare()
        finally:
            self._held = False

    def _put(self, name: str, value: Any) -> None:
        control = self.controls[name]
        value = tuple(value) if isinstance(value, list) else value
        try:
            control.value = value
        except traitlets.TraitError:
            raise BadData(f"{value!r} cannot be chosen.", key=name, instead=_choices(control)) from None
        if control.value != value:
            raise BadData(f"{value!r} is out of range.", key=name, instead=f"{control.min} to {control.max}.")

    def _changed(self) -> None:
        if not self._held:
            self.run()

    @property
    def code(self) -> str:
        """The line of code that makes this lab as it is now."""
        values = {name: self.value(name) for name in self.controls if self.value(name) != self._usually(name)}
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in values.items())})"

    def _usually(self, name: str) -> Any:
        """Return the value that a control has if nobody changes it."""
        return self._usual[name]


class Lab(Bench):
    """Controls, and what follows from them; a subclass has `_find`.

    Attributes:
        findings: What follows from them now.
        board: The games of the findings, to be stepped through.
    """

    def __init__(self, controls: dict[str, Any], **values: Any) -> None:
        """Make a lab.

        Args:
            controls: The controls by name, with the values that they have at first.
            values: Other values for some of them.
        """
        super().__init__(controls)
        self.findings = Findings()
        self.board: Board | None = None
        self._code, self._seen, self._rules = shown(""), shown(""), shown("")
        self._place = ipywidgets.VBox()
        self.set(**values)

    def _find(self) -> Findings:
        """Return what follows from the controls."""
        raise NotImplementedError

    def run(self) -> None:
        """Find what follows from the controls, and show it.

        Raises:
            BadData, Unknown: What stands in the controls cannot be; nothing is shown then.
        """
        self._held = True
        try:
            self._prepare()
        finally:
            self._held = False
        self._show(Findings())
        self._show(self._find())

    def _show(self, findings: Findings) -> None:
        self.findings = findings
        head, rules = findings.head_html(), findings.rules_html()
        # the board first: who has read the new answers and presses a button must not meet the old games
        self._show_games(findings)
        self._code.value = el("div", "In code: ", el("code", self.code), style=view.LINES)
        self._seen.value = head
        self._rules.value = rules

    def _show_games(self, findings: Findings) -> None:
        games = [game for _, game in findings.games]
        if games and self.board is None:
            self.board = Board(games[0], title=self.title)
        if games and self.board is not None:
            self.board.show(*games, names=[name for name, _ in findings.games])
        self._place.children = (self.board,) if games else ()

    @property
    def title(self) -> str:
        """What stands above the board."""
        return "Step through it"

    # ---------------------------------------------------------------- the three forms

    def _parts(self) -> tuple[Any, ...]:
        return (*self._groups(), self._code, self._seen, self._place, self._rules)

    def _groups(self) -> Iterable[Any]:
        """Return the controls as they stand in the page."""
        yield ipywidgets.HBox(list(self.controls.values()), layout={"flex_flow": "row wrap"})

    def _still(self) -> Html:
        found = self.findings
        return el("div", el("p", el("code", self.code)), found.head_html(), found.logs_html(), found.rules_html())

    def _text(self) -> str:
        return printable(f"{self.code}\n\n{self.findings.text()}")


def _choices(control: Any) -> tuple[str, ...]:
    options = getattr(control, "options", ())
    return tuple(str(option[1] if isinstance(option, tuple) else option) for option in options)


def offer(control: Any, words: str, options: tuple[str, ...], seen: bool = True) -> None:
    """Give a control a label and options; what was chosen stays chosen if it can.

    Args:
        control: The control.
        words: The label.
        options: At least one.
        seen: Whether it is shown at all.
    """
    chosen = control.value
    control.layout.display = None if seen else "none"
    control.description = printable(words)
    if tuple(control.options) != options:
        control.options = options
        control.value = chosen if chosen in options else options[0]
