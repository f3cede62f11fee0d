"""Casting step by step: how mana symbols will be paid is announced before targets are chosen (601.2b, 107.4)."""

from __future__ import annotations

from typing import Any

import pytest

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.engine.game import Action, Game
from rulekit.engine.mana import bills, forms
from rulekit.engine.position import position
from rulekit.rules import Illegal
from rulekit.scenarios.scenario import Scenario
from rulekit.scenarios.writing import text_of

WELL = Card("Hungry Well", None, "Land", "{T}, Pay 1 life: Add {B}.")
FILTER = Card("Bitter Filter", "{2}", "Artifact", "{B/P}, {T}: Add {U}{U}.")


def at(alice: dict[str, Any], *own: Card) -> Game:
    """Return a game in which Alice has what is given, and Bob two creatures."""
    bob = {"battlefield": ["Grizzly Bears", "Hill Giant"]}
    cards = CardPool(own) | CardPool.catalogue()
    return Game(position(Alice={"mana": "lands", **alice}, Bob=bob, cards=cards))


def begun(game: Game, kind: str = "cast") -> Game:
    """Return the game in which the first action of a kind that is offered has begun."""
    assert game.decision is not None
    return game.decide(next(option for option in game.decision.options if getattr(option, "kind", "") == kind))


def announced(card: str, lands: list[str], life: int = 20, mana: str = "lands") -> Game:
    """Return the game in which Alice has begun to cast a card that her lands pay for."""
    return begun(at({"hand": [card], "battlefield": lands, "mana": mana, "life": life}))


def finished(game: Game) -> Game:
    """Return the game after the first option was taken until somebody has priority."""
    while game.decision is not None and game.decision.kind != "priority":
        game = game.decide(game.decision.options[0])
    return game


def step(game: Game) -> str:
    """Return the step of casting in which something is asked."""
    assert game.decision is not None
    return game.decision.step


def test_phyrexian_symbols_are_announced_before_targets() -> None:
    """601.2b comes before 601.2c"""
    game = announced("Dismember", ["Swamp"] * 3)

    assert game.decision is not None
    assert ("pay cost", "601.2b", "601.2b") == (game.decision.kind, game.decision.rule, game.decision.step)
    assert ("{1}{B}{B}", "{1}{B} and 2 life", "{1} and 4 life") == game.offered()
    assert "601.2c" == step(game.decide("{1}{B}{B}"))


@pytest.mark.parametrize(
    ("way", "life", "tapped"), [("{1}{B}{B}", 20, 3), ("{1}{B} and 2 life", 18, 2), ("{1} and 4 life", 16, 1)]
)
def test_what_was_announced_is_what_is_paid(way: str, life: int, tapped: int) -> None:
    """107.4f: each symbol is paid with its color or with 2 life"""
    end = finished(announced("Dismember", ["Swamp"] * 3).decide(way)).state

    assert life == end.players["Alice"].life
    assert tapped == sum(end.objects[number].tapped for number in end.permanents("Alice"))


@pytest.mark.parametrize(("lands", "life"), [(["Swamp"], 20), (["Swamp"] * 3, 1)])
def test_one_way_to_pay_is_not_asked(lands: list[str], life: int) -> None:
    """One Swamp pays only {1}; a player with 1 life pays none (119.4)"""
    assert "601.2c" == step(announced("Dismember", lands, life))


def test_where_all_mana_is_there_only_the_life_is_asked() -> None:
    """107.4f; {2/W} is the same to who can pay any mana"""
    assert ("{1}{B}{B}", "{1}{B} and 2 life", "{1} and 4 life") == announced("Dismember", [], mana="any").offered()
    assert (
        18 == finished(announced("Dismember", [], mana="any").decide("{1}{B} and 2 life")).state.players["Alice"].life
    )
    assert announced("Spectral Procession", [], mana="any").state.stack


def test_a_monocolored_hybrid_symbol_is_announced() -> None:
    """107.4e: with four Plains {2/W}{2/W}{2/W} is {W}{W}{W} or {2}{W}{W}"""
    game = announced("Spectral Procession", ["Plains"] * 4)

    assert ("{W}{W}{W}", "{2}{W}{W}") == game.offered()
    assert 4 == sum(event.kind == "mana ability" for event in finished(game.decide("{2}{W}{W}")).log)


def test_a_way_that_cannot_be_paid_is_refused_and_changes_nothing() -> None:
    """119.4, 733.1"""
    game = announced("Dismember", ["Swamp"] * 3, life=3)

    with pytest.raises(Illegal) as refusal:
        game.decide("{1} and 4 life")

    assert "119.4" == refusal.value.rule
    assert "{1}{B} and 2 life" in refusal.value.instead
    assert ("{1}{B}{B}", "{1}{B} and 2 life") == game.offered()
    assert 3 == game.undo().state.players["Alice"].life


@pytest.mark.parametrize(
    ("cost", "ways"),
    [
        ("1 B/P B/P", ["1 B B", "1 B P", "1 P P"]),
        ("2/W 2/W", ["W W", "2 W", "4"]),
        ("X R/P", ["X R", "X P"]),
        ("W/U/P", ["W/U", "P"]),
        ("2 W/U", ["2 W/U"]),
        ("G/P 2/G", ["G G", "2 G", "G P", "2 P"]),
    ],
)
def test_each_announced_cost_leaves_no_choice_of_life(cost: str, ways: list[str]) -> None:
    """601.2b: each half of each symbol (107.4e, 107.4f), the least life and then the least mana first"""
    found = forms(cost.split())

    assert sorted(ways) == sorted(" ".join(form) for form in found)
    assert [form.count("P") for form in found] == sorted(form.count("P") for form in found)
    assert [1] * len(ways) == [len(bills(form)) for form in found]


def test_life_that_makes_mana_cannot_pay_for_a_symbol_as_well() -> None:
    """119.4: a Well's {B} takes 1 life, a symbol 2; of 3 life 1 + 1 + 1 can be paid, 1 + 1 + 2 and 1 + 4 cannot"""
    game = begun(at({"hand": ["Dismember"], "battlefield": ["Hungry Well"] * 3, "life": 3}, WELL))

    assert "601.2c" == step(game)
    assert 0 == finished(game).state.players["Alice"].life


def test_a_well_more_than_there_is_life_makes_no_mana() -> None:
    """118.3: with 2 life two Wells are used, and Dismember needs a third mana or 2 life more"""
    game = at({"hand": ["Dismember"], "battlefield": ["Hungry Well"] * 3, "life": 2}, WELL)

    assert "cast Dismember" not in game.offered()


def test_a_mana_ability_asks_too() -> None:
    """605.3a: it is activated as 602.2b says, so that its symbols are announced"""
    game = at({"battlefield": ["Bitter Filter", "Swamp"]}, FILTER)
    artifact = next(iter(game.state.permanents("Alice")))
    game = game.decide(Action("activate", artifact, 0))

    assert ("{B}", "2 life") == game.offered()
    assert 18 == game.decide("2 life").state.players["Alice"].life
    assert 20 == finished(game.decide("{B}")).state.players["Alice"].life


@pytest.mark.parametrize("way", ["{1}{B}{B}", "{1}{B} and 2 life", "{1} and 4 life"])
def test_a_written_game_says_how_it_was_paid(way: str) -> None:
    """The step names the way, and played again it ends alike."""
    written = Scenario.from_game(finished(announced("Dismember", ["Swamp"] * 3).decide(way)))

    assert way == written.do[0].beside["paying"]
    assert "passed" == written.play().status
    assert written.do == Scenario.read_text(text_of(written)).do


STEP = """
title: A Dismember
rules: ["107.4f"]
given:
  Alice: {{life: {life}, mana: lands, hand: [Dismember], battlefield: [3 Swamp]}}
  Bob: {{battlefield: [Grizzly Bears]}}
do:
  - {{cast: Dismember, targets: [Grizzly Bears]{said}}}
expect: {{Alice.life: {left}}}
"""


@pytest.mark.parametrize(
    ("said", "life", "left"),
    [
        ("", 20, 20),
        (', paying: "{1}{B}{B}"', 20, 20),
        (", paying: 2 life", 20, 18),
        (", paying: [its mana cost, 4 life]", 20, 16),
        (', paying: "{1} and 4 life"', 4, 0),
    ],
)
def test_a_step_says_how_symbols_are_paid(said: str, life: int, left: int) -> None:
    """What says nothing pays with mana where that can be."""
    assert "passed" == Scenario.read_text(STEP.format(said=said, life=life, left=left)).play().status


@pytest.mark.parametrize(
    ("said", "life", "told"),
    [
        ("4 life", 3, "119.4"),
        ("6 life", 20, "601.2b"),
        ("{2}{B} and 2 life", 20, "{1}{B} and 2 life"),
    ],
)
def test_a_step_that_names_no_way_is_told_which_there_are(said: str, life: int, told: str) -> None:
    """The refusal names its rule and what may be announced."""
    result = Scenario.read_text(STEP.format(said=f', paying: "{said}"', life=life, left=life)).play()

    assert "failed" == result.status
    assert told in str(result)
    assert "{1}{B}{B}" in str(result)
