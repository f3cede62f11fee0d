"""A number that is dragged, with a label that belongs to it: what ipywidgets' own slider lacks."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from rulekit.widgets.html import printable


class Slider(anywidget.AnyWidget):
    """A slider for a whole number.

    While something is worked out for one number, the page keeps only the latest one that comes meanwhile.

    Attributes:
        value: The number.
        min: The least number.
        max: The greatest number.
        description: The label.
        asked: The number that was chosen in the page.
        turn: How many numbers were chosen in the page.
        done: How many of them have been answered.
    """

    _esm = Path(__file__).with_name("slider.js")
    _css = Path(__file__).with_name("slider.css")
    value = traitlets.Int(0).tag(sync=True)
    min = traitlets.Int(0).tag(sync=True)
    max = traitlets.Int(100).tag(sync=True)
    description = traitlets.Unicode("").tag(sync=True)
    asked = traitlets.Int(0).tag(sync=True)
    turn = traitlets.Int(0).tag(sync=True)
    done = traitlets.Int(0).tag(sync=True)

    def __init__(self, words: str, value: int, low: int, high: int) -> None:
        """Make a slider.

        Args:
            words: Its label.
            value: The number at first.
            low: The least number.
            high: The greatest number.
        """
        super().__init__(description=printable(words), min=low, max=high, value=value, asked=value)
        self.observe(self._answer, "turn")

    @traitlets.validate("value")
    def _within(self, proposal: traitlets.Bunch) -> int:
        """Return the nearest number that may be chosen, as ipywidgets' controls do."""
        return int(min(max(proposal["value"], self.min), self.max))

    def _answer(self, _: object) -> None:
        try:
            self.value = self.asked
        finally:
            self.done = self.turn
