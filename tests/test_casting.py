"""Casting step by step: how mana symbols will be paid is announced before targets are chosen (601.2b, 107.4)."""

from __future__ import annotations

from typing import Any

import pytest

from rulekit.engine.game import Game


def announced(card: str, lands: list[str], life: int = 20) -> Game:
    """Return the game in which Alice has begun to cast a card that her lands pay for."""
    alice: dict[str, Any] = {"hand": [card], "battlefield": lands, "mana": "lands", "life": life}
    game = Game.of(Alice=alice, Bob={"battlefield": ["Grizzly Bears", "Hill Giant"]})
    assert game.decision is not None
    return game.decide(next(option for option in game.decision.options if getattr(option, "kind", "") == "cast"))


def finished(game: Game) -> Game:
    """Return the game after the first option was taken until somebody has priority."""
    while game.decision is not None and game.decision.kind != "priority":
        game = game.decide(game.decision.options[0])
    return game


def test_phyrexian_symbols_are_announced_before_targets() -> None:
    """601.2b comes before 601.2c"""
    game = announced("Dismember", ["Swamp"] * 3)
    assert game.decision is not None
    assert ("pay cost", "601.2b") == (game.decision.kind, game.decision.step)
    assert ("{1}{B}{B}", "{1}{B} and 2 life", "{1} and 4 life") == game.offered()
    chosen = game.decide(game.decision.options[0])
    assert chosen.decision is not None
    assert "601.2c" == chosen.decision.step


@pytest.mark.parametrize(("place", "life", "tapped"), [(0, 20, 3), (1, 18, 2), (2, 16, 1)])
def test_what_was_announced_is_what_is_paid(place: int, life: int, tapped: int) -> None:
    """107.4f: each symbol is paid with its color or with 2 life"""
    game = announced("Dismember", ["Swamp"] * 3)
    assert game.decision is not None
    end = finished(game.decide(game.decision.options[place])).state
    assert life == end.players["Alice"].life
    assert tapped == sum(end.objects[number].tapped for number in end.permanents("Alice"))


@pytest.mark.parametrize(("lands", "life"), [(["Swamp"], 20), (["Swamp"] * 3, 1)])
def test_one_way_to_pay_is_not_asked(lands: list[str], life: int) -> None:
    """One Swamp pays only {1}; a player with 1 life pays none (119.4)"""
    game = announced("Dismember", lands, life)
    assert game.decision is not None
    assert "601.2c" == game.decision.step


def test_a_monocolored_hybrid_symbol_is_announced() -> None:
    """107.4e: with four Plains {2/W}{2/W}{2/W} is {W}{W}{W} or {2}{W}{W}"""
    game = announced("Spectral Procession", ["Plains"] * 4)
    assert game.decision is not None
    assert ("{W}{W}{W}", "{2}{W}{W}") == game.offered()
    assert 4 == sum(event.kind == "mana ability" for event in finished(game.decide(game.decision.options[1])).log)
