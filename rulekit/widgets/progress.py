"""How far a simulation is, shown while it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from rulekit.widgets.html import Html, el, joined
from rulekit.widgets.view import Shown

if TYPE_CHECKING:
    from rulekit.probability.workers import Progress

WAITING = "Here the trials are counted while they are played."


class ProgressBar(Shown):
    """A bar to display before a simulation and to hand to it: `simulate(..., progress=bar)`.

    It shows how many trials are played and the estimate so far with its error. A page without a kernel says what is
    shown here, since what came of the trials stands in the answer.
    """

    def __init__(self) -> None:
        """Make a bar on which nothing has been played yet."""
        self._widget: ipywidgets.HTML | None = None
        self._shows = el("p", WAITING)

    def __call__(self, now: Progress) -> None:
        """Show how far a simulation is."""
        text = f"{now.done:,} of {now.trials:,} trials; mean {now.name} {now.estimate.short()}"
        bar = el("progress", text, value=now.done, max=now.trials, aria_label="trials played")
        self._shows = el("p", joined((bar, text), " "))
        if self._widget is not None:
            self._widget.value = self._shows

    def _live(self) -> Any:
        if self._widget is None:
            self._widget = ipywidgets.HTML(self._shows)
        return self._widget

    def _still(self) -> Html:
        return el("p", WAITING)

    def _text(self) -> str:
        return WAITING
