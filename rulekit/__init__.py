"""Study the rules of Magic: The Gathering and the odds of decks."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulekit.cards.card import Card as Card
    from rulekit.cards.deck import Deck as Deck
    from rulekit.cards.pool import CardPool as CardPool
    from rulekit.engine.game import Game as Game
    from rulekit.scenarios.questions import about as about
    from rulekit.scenarios.questions import named as question
    from rulekit.scenarios.scenario import Scenario as Scenario
    from rulekit.widgets.board import Board as Board
    from rulekit.widgets.quiz import Question as Question
    from rulekit.widgets.quiz import Quiz as Quiz

__version__ = "0.1.0"
__all__ = ["Board", "Card", "CardPool", "Deck", "Game", "Question", "Quiz", "Scenario", "about", "question"]

# Each is imported when it is first asked for: the rules alone need no widget, and no number library.
_PLACES = {
    "Board": ("rulekit.widgets.board", "Board"),
    "Card": ("rulekit.cards.card", "Card"),
    "CardPool": ("rulekit.cards.pool", "CardPool"),
    "Deck": ("rulekit.cards.deck", "Deck"),
    "Game": ("rulekit.engine.game", "Game"),
    "Question": ("rulekit.widgets.quiz", "Question"),
    "Quiz": ("rulekit.widgets.quiz", "Quiz"),
    "Scenario": ("rulekit.scenarios.scenario", "Scenario"),
    "about": ("rulekit.scenarios.questions", "about"),
    "question": ("rulekit.scenarios.questions", "named"),
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'rulekit' has no attribute {name!r}")
    module, inside = _PLACES[name]
    return getattr(import_module(module), inside)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
