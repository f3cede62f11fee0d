"""A trial of a simulation as a game: the same cards in the same order, drawn and milled on the board."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from rulekit.cards.deck import Deck
from rulekit.engine.abilities import Term
from rulekit.engine.game import Game
from rulekit.engine.text import load_words
from rulekit.probability.programs import nameless
from rulekit.probability.rows import Mark, Move
from rulekit.rules import BadData

if TYPE_CHECKING:
    from rulekit.probability.dealing import Dealt, Step

PLAYER = "Bob"
WORDS = {"hand": "draw", "milled": "mill"}
STAYS = ("top", "bottom")  # moves within the library


def game_of(dealt: Dealt, deck: Deck) -> Game:
    """Return a game in which the cards of a trial are drawn and milled.

    The library is given in the order in which its cards leave it, so that nothing need be looked at or shuffled.

    Args:
        dealt: The trial.
        deck: The deck, which knows its cards.

    Raises:
        BadData: Something else than draws and mills moved cards in it.
    """
    load_words()
    gone = [each.card for step in dealt.steps for each in step.moved if each.to not in STAYS]
    game = Game.of(Bob={"library": [deck.cards.get(name) or nameless(name) for name in (*gone, *dealt.library)]})
    when = "before turn 1"
    for step in dealt.steps:
        if isinstance(step.row, Mark):
            when = f"turn {step.row.turn + 1}"
            continue
        for to, number in _moves(step):
            word = WORDS[to]
            said = f"{when}: {word} {number}" + (f", after mulligans: {len(step.looks)}" if step.looks else "")
            game = game.instruct(Term(word, ((PLAYER,), number)), words=said)
    return game


def _moves(step: Step) -> list[tuple[str, int]]:
    """Return to which pile how many cards of the library go, in order; a draw from too few counts those it lacks."""
    row = step.row
    found = [
        (to, len(tuple(cards)))
        for to, cards in groupby(each.to for each in step.moved if each.to not in STAYS)
    ]  # fmt: skip
    strange = [to for to, _ in found if to not in WORDS]
    if strange or (found and not getattr(row, "draw", True) and found[0][0] == "hand"):
        raise BadData(
            "this game has more in it than draws and mills, and the board cannot show it.", text=str(row), key="watch"
        )
    if isinstance(row, Move) and row.draw and isinstance(row.n, int) and row.n:
        return [("hand", row.n)]
    return found
