"""Study the rules of Magic: The Gathering and the odds of decks."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulekit.cards.card import Card as Card
    from rulekit.cards.deck import Deck as Deck
    from rulekit.cards.pool import CardPool as CardPool
    from rulekit.engine.game import Game as Game
    from rulekit.probability.distribution import Distribution as Distribution
    from rulekit.probability.estimate import Estimate as Estimate
    from rulekit.probability.exact import exact as exact
    from rulekit.probability.plan import Plan as Plan
    from rulekit.probability.replay import replay as replay
    from rulekit.probability.simulate import simulate as simulate
    from rulekit.probability.sweep import compare as compare
    from rulekit.probability.sweep import sweep as sweep
    from rulekit.probability.sweep import varied as varied
    from rulekit.scenarios.questions import about as about
    from rulekit.scenarios.questions import named as question
    from rulekit.scenarios.scenario import Scenario as Scenario
    from rulekit.widgets.board import Board as Board
    from rulekit.widgets.equip_lab import EquipLab as EquipLab
    from rulekit.widgets.gift_lab import GiftLab as GiftLab
    from rulekit.widgets.mill_lab import MillLab as MillLab
    from rulekit.widgets.odds_lab import OddsLab as OddsLab
    from rulekit.widgets.progress import ProgressBar as ProgressBar
    from rulekit.widgets.quiz import Question as Question
    from rulekit.widgets.quiz import Quiz as Quiz
    from rulekit.widgets.trainer import Trainer as Trainer

__version__ = "0.1.0"
__all__ = [
    "Board",
    "Card",
    "CardPool",
    "Deck",
    "Distribution",
    "EquipLab",
    "Estimate",
    "Game",
    "GiftLab",
    "MillLab",
    "OddsLab",
    "Plan",
    "ProgressBar",
    "Question",
    "Quiz",
    "Scenario",
    "Trainer",
    "about",
    "compare",
    "exact",
    "question",
    "replay",
    "simulate",
    "sweep",
    "varied",
]

# Each is imported when it is first asked for: the rules alone need no widget, and no number library.
_PLACES = {
    "Board": ("rulekit.widgets.board", "Board"),
    "Card": ("rulekit.cards.card", "Card"),
    "CardPool": ("rulekit.cards.pool", "CardPool"),
    "Deck": ("rulekit.cards.deck", "Deck"),
    "Distribution": ("rulekit.probability.distribution", "Distribution"),
    "EquipLab": ("rulekit.widgets.equip_lab", "EquipLab"),
    "Estimate": ("rulekit.probability.estimate", "Estimate"),
    "Game": ("rulekit.engine.game", "Game"),
    "GiftLab": ("rulekit.widgets.gift_lab", "GiftLab"),
    "MillLab": ("rulekit.widgets.mill_lab", "MillLab"),
    "OddsLab": ("rulekit.widgets.odds_lab", "OddsLab"),
    "Plan": ("rulekit.probability.plan", "Plan"),
    "ProgressBar": ("rulekit.widgets.progress", "ProgressBar"),
    "Question": ("rulekit.widgets.quiz", "Question"),
    "Quiz": ("rulekit.widgets.quiz", "Quiz"),
    "Scenario": ("rulekit.scenarios.scenario", "Scenario"),
    "Trainer": ("rulekit.widgets.trainer", "Trainer"),
    "about": ("rulekit.scenarios.questions", "about"),
    "compare": ("rulekit.probability.sweep", "compare"),
    "exact": ("rulekit.probability.exact", "exact"),
    "question": ("rulekit.scenarios.questions", "named"),
    "replay": ("rulekit.probability.replay", "replay"),
    "simulate": ("rulekit.probability.simulate", "simulate"),
    "sweep": ("rulekit.probability.sweep", "sweep"),
    "varied": ("rulekit.probability.sweep", "varied"),
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'rulekit' has no attribute {name!r}")
    module, inside = _PLACES[name]
    return getattr(import_module(module), inside)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
