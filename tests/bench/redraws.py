"""Redraws: from a change in the odds lab to its new numbers, plans of fifty turns."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping
from typing import Any

from rulekit.rules import TooMany
from rulekit.widgets.odds_lab import OddsLab
from tests.plans import LONG, LONGEST, SIZES

TURNS = 50
CHANGES = 7
COUNTS = ("land", "creature", "total mana value")


def measure() -> None:
    """Print the median and the best time of some changes of each plan, for each deck and count."""
    for cards, deck in SIZES.items():
        for plan, values in {**LONG, **LONGEST}.items():
            told = [f"{count} {_told(deck, count, values)}" for count in COUNTS]
            print(f"  {cards:3} cards, {plan:35} " + "; ".join(told), flush=True)


def _told(deck: str, count: str, values: Mapping[str, Any]) -> str:
    """Change the turn from which a plan goes on, so that all of its turns are worked out anew."""
    seconds = []
    try:
        lab = OddsLab(deck=deck, count=count, turns=TURNS, **values)
        for first in range(2, 2 + CHANGES):
            began = time.perf_counter()
            lab.set(first=first)
            seconds.append(1000 * (time.perf_counter() - began))
    except TooMany:
        return "refused"
    return f"{statistics.median(seconds):.0f} ms (best {min(seconds):.0f})"


if __name__ == "__main__":
    measure()
