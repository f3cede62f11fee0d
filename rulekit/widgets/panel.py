"""What all labs share: controls with labels, errors that are shown, and three forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ipywidgets

from rulekit.rules import RulekitError
from rulekit.widgets import view
from rulekit.widgets.html import Html, el, html, printable
from rulekit.widgets.turns import TURN

WIDE = {"description_width": "initial"}
STYLE = (  # the arrow of ipywidgets is dark in the dark theme too
    'body[data-jp-theme-light="false"] .rk-panel .widget-dropdown > select { background-image: url("data:image/svg+xml,'
    "%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E"
    "%3Cpath d='M4 7l5 5 5-5' fill='none' stroke='%23d0d0d0' stroke-width='2'/%3E%3C/svg%3E\"); } "
    ".rk-panel .rk-below { flex-direction: column; } .rk-panel .rk-below > .widget-label { text-align: left; } "
    ".rk-panel .rk-below > :not(.widget-label) { width: 100%; } "
    ".rk-panel .widget-text input[type=number] { flex: 0 1 8em; width: 8em; }"
)
FITTING = {"width": "auto", "max_width": "100%", "align_self": "flex-start"}


class Panel(view.Shown):
    """A lab or a quiz: a box of controls and HTML; an error in a callback is shown in it.

    A subclass makes its controls in `__init__`, and has `_parts` (what stands in the box), `_still` and `_text`.
    """

    def __init__(self) -> None:
        """Make the place for errors."""
        self.error = ipywidgets.HTML()
        self._box: ipywidgets.VBox | None = None

    def _parts(self) -> tuple[Any, ...]:
        """Return the widgets of the box, in order."""
        raise NotImplementedError

    def _live(self) -> ipywidgets.VBox:
        if self._box is None:
            style = ipywidgets.HTML(f"<style>{STYLE}</style>", layout={"display": "none"})
            self._box = ipywidgets.VBox([*self._parts(), self.error, style])
            self._box.add_class("rk-panel")
        return self._box

    def guarded(self, act: Callable[[], object]) -> Callable[..., None]:
        """Return a callback that shows what goes wrong, which JupyterLab would show nowhere."""

        def callback(*_: Any) -> None:
            with TURN:
                self.error.value = ""
                try:
                    act()
                except RulekitError as refusal:
                    self.error.value = alert(str(refusal))
                except Exception as failure:  # noqa: BLE001 - anything at all must be seen
                    self.error.value = alert(f"rulekit failed here: {type(failure).__name__}: {failure}")

        return callback

    def button(self, words: str, act: Callable[[], object], mark: str = "") -> ipywidgets.Button:
        """Return a button in words.

        Args:
            words: What stands on it.
            act: What it does.
            mark: A class by which it can be found in the page.
        """
        button = ipywidgets.Button(description=printable(words), layout={"width": "auto", "align_self": "flex-start"})
        button.on_click(self.guarded(act))
        if mark:
            button.add_class(mark)
        return button

    def watch(self, act: Callable[[], object], *controls: Any) -> None:
        """Let something be done whenever the value of a control changes."""
        for control in controls:
            control.observe(self.guarded(act), "value")


def alert(text: str) -> str:
    """Return an error as HTML."""
    return el("p", text, role="alert", style="border:2px solid #D55E00;padding:4px 8px;white-space:pre-wrap")


def whole(words: str, value: int, low: int = 0, high: int = 999) -> ipywidgets.BoundedIntText:
    """Return a control for a number.

    Args:
        words: Its label.
        value: The number at first.
        low: The least number.
        high: The greatest number.
    """
    layout = {"width": "auto", "max_width": "100%"}
    return ipywidgets.BoundedIntText(value, min=low, max=high, description=printable(words), style=WIDE, layout=layout)


def choice(words: str, options: Any, value: Any = None) -> ipywidgets.Dropdown:
    """Return a control for one of several.

    Args:
        words: Its label.
        options: Texts, or pairs of a text and a value.
        value: What is chosen at first; the first option without.
    """
    control = ipywidgets.Dropdown(options=options, description=printable(words), style=WIDE, layout=FITTING)
    if value is not None:
        control.value = value
    return control


def tick(words: str, value: bool = False) -> ipywidgets.Checkbox:
    """Return a box to be ticked."""
    return ipywidgets.Checkbox(value, description=printable(words), indent=False, layout={"width": "auto"})


def shown(inside: object) -> ipywidgets.HTML:
    """Return HTML as a widget."""
    return ipywidgets.HTML(html(inside))


def table(caption: str, head: tuple[str, ...], rows: list[tuple[object, ...]]) -> Html:
    """Return a table whose first column names its rows.

    Args:
        caption: What it shows.
        head: The names of the columns.
        rows: What stands in each row.
    """
    cells = {"style": view.CELL}
    body = [
        el("tr", el("th", first, scope="row", **cells), *(el("td", each, **cells) for each in rest))
        for first, *rest in rows
    ]
    columns = el("tr", *(el("th", each, scope="col", **cells) for each in head))
    head_row, rows_below = el("thead", columns), el("tbody", *body)
    told = el("caption", caption, style="text-align:left;white-space:nowrap")
    return el("table", told, head_row, rows_below, style="border-collapse:collapse")
