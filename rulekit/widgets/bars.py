"""Probabilities as bars in the page, which can be pressed: a row for each value, a bar for each distribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from rulekit.widgets.html import printable

if TYPE_CHECKING:
    from rulekit.probability.distribution import Distribution

LEAST = 1e-6  # what is less likely at both ends is not drawn


class Bars(anywidget.AnyWidget):
    """Distributions of one number beside each other.

    Attributes:
        data: What the page shows: title, name of the number, names of the series, rows.
    """

    _esm = Path(__file__).with_name("bars.js")
    _css = Path(__file__).with_name("bars.css")
    data = traitlets.Dict().tag(sync=True)

    def __init__(self, pressed: Callable[[int], object], does: str = "watch a game with") -> None:
        """Make bars without anything to show.

        Args:
            pressed: What is done with a value that is pressed.
            does: What that is, in words before the value.
        """
        self._does = does
        super().__init__(data={"does": does, "title": "", "name": "", "series": [], "rows": []})
        self._pressed = pressed
        self.on_msg(self._told)

    def show(self, title: str, several: Mapping[str, Distribution]) -> None:
        """Show distributions of the same number.

        Args:
            title: The question.
            several: At least one, by name.
        """
        rows = rows_of(several)
        name = next(iter(several.values())).names[0]
        self.data = {
            "does": self._does, "title": printable(title), "name": printable(name),
            "series": [printable(each) for each in several],
            "rows": [
                {"value": str(value), "parts": [{"p": float(p), "text": text} for p, text in parts]}
                for value, parts in rows
            ],
        }  # fmt: skip

    def _told(self, _: Any, message: Mapping[str, Any], __: Any) -> None:
        self._pressed(int(message["value"]))


def rows_of(several: Mapping[str, Distribution]) -> list[tuple[int, list[tuple[float, str]]]]:
    """Return for each value that is likely enough the probability in each distribution, as number and as text.

    Args:
        several: Distributions of one number each.
    """
    from rulekit.probability.distribution import shown

    found = [(each, each.outcomes()) for each in several.values()]
    values = sorted({value for _, outcomes in found for value, p in outcomes.items() if float(p) >= LEAST})

    def part(each: Distribution, outcomes: Mapping[int, Any], value: int) -> tuple[float, str]:
        p = outcomes[value] if value in outcomes else each.p(f"{each.names[0]} = {value}")  # a sample says how sure
        return float(p), shown(p)

    return [(value, [part(*each, value) for each in found]) for value in values]
