"""Setting up a position by the names of cards."""

from __future__ import annotations

from typing import Any

import pytest

from rulekit.cards.pool import CardPool
from rulekit.engine.game import Game
from rulekit.engine.position import mana_in, position
from rulekit.engine.state import State
from rulekit.rules import BadData, RulekitError, TooMany, Unknown


def names(state: State, zone: str, player: str = "") -> list[str]:
    return [state.name(number) for number in state.zone(zone, player)]


def test_what_is_not_said_has_its_usual_value() -> None:
    """103.4: twenty life."""
    state = position()

    assert ("Alice", "Bob") == state.in_game
    assert ["Filler"] * 20 == names(state, "library", "Bob")
    assert (20, "any") == (state.players["Bob"].life, state.players["Bob"].mana)
    assert ("Alice", "precombat main", 1) == (state.turn.active, state.turn.step, state.turn.number)
    assert "Alice" == state.priority
    assert () == state.battlefield


def test_a_library_lies_with_its_top_card_first() -> None:
    state = position(Bob={"library": ["Island", "2 Forest"]})

    assert ["Island", "Forest", "Forest"] == names(state, "library", "Bob")
    assert (0, 0) == state.players["Bob"].unknown


def test_a_permanent_lies_as_it_is_said_to() -> None:
    axe = {"card": "Bonesplitter", "as": "axe", "attached to": "bears"}
    bears = {"card": "Grizzly Bears", "as": "bears", "owner": "Bob", "tapped": True, "counters": {"+1/+1": 2}}
    state = position(Alice={"battlefield": [axe, bears]})

    first, second = (state.objects[number] for number in state.battlefield)
    assert second.number == first.attached_to
    assert ("bears", "Bob", "Alice", True) == (second.label, second.owner, second.controller, second.tapped)
    assert (6, 4) == (state.look(second.number).power, state.look(second.number).toughness)


def test_a_planeswalker_has_its_printed_loyalty_if_nothing_else_is_said() -> None:
    """306.5b"""
    printed, said = (
        position(Bob={"battlefield": [entry]}).objects
        for entry in ("Jace Beleren", {"card": "Jace Beleren", "loyalty": 7})
    )

    assert 3 == next(thing.count("loyalty") for thing in printed.values() if thing.zone == "battlefield")
    assert 7 == next(thing.count("loyalty") for thing in said.values() if thing.zone == "battlefield")


def test_a_planeswalker_that_is_given_as_a_card_has_its_printed_loyalty_too() -> None:
    """306.5b, 704.5i: without any it would be put into the graveyard at once."""
    jace = CardPool.catalogue()["Jace Beleren"]
    state = Game.of(Alice={"battlefield": [jace], "hand": [jace]}).state

    assert [(("loyalty", 3),)] == [state.objects[number].counters for number in state.battlefield]
    assert [()] == [state.objects[number].counters for number in state.zone("hand", "Alice")]


def test_a_face_down_permanent_is_a_two_two_of_no_color() -> None:
    """708.2a"""
    state = position(Alice={"battlefield": [{"card": "Serra Angel", "facedown": True}]})
    seen = state.look(state.battlefield[0])

    assert (2, 2, (), (), 0, "") == (
        seen.power,
        seen.toughness,
        seen.colors,
        seen.abilities,
        seen.mana_value,
        seen.name,
    )


def test_a_back_face_on_the_battlefield_is_up() -> None:
    """712.8d; its mana value is that of the front (202.3b)."""
    state = position(Alice={"battlefield": ["Persistent Nightmare"], "graveyard": ["Startled Awake"]})
    seen = state.look(state.battlefield[0])

    assert ("Persistent Nightmare", 4) == (seen.name, seen.mana_value)
    assert ["Startled Awake"] == names(state, "graveyard", "Alice")


@pytest.mark.parametrize(("name", "text"), [("Treasure", "mana"), ("Wolf", "")])
def test_tokens_stand_by_their_names(name: str, text: str) -> None:
    """111.10; or as a card of the catalogue creates them."""
    state = position(Alice={"battlefield": [{"card": name, "token": True}]})
    thing = state.objects[state.battlefield[0]]

    assert ("token", name) == (thing.kind, state.name(thing.number))
    assert thing.card is not None
    assert text in thing.card.text


@pytest.mark.parametrize(
    ("text", "mana"),
    [
        ("{2}{U}", ("U", "C", "C")),
        ("{W}{U}{B}{R}{G}{C}", tuple("WUBRGC")),
        ("{10}", ("C",) * 10),
        ("{G}{W}", ("W", "G")),
    ],
)
def test_an_amount_of_mana_is_read_symbol_by_symbol(text: str, mana: tuple[str, ...]) -> None:
    assert mana == mana_in(text)


@pytest.mark.parametrize("text", ["", "2U", "{X}", "{W/U}", "{2}{Q}", "{-1}", "{9999}", "{U", "{2} {U}"])
def test_what_is_no_amount_of_mana_is_refused(text: str) -> None:
    with pytest.raises(BadData, match="no amount of mana"):
        mana_in(text)


@pytest.mark.parametrize(
    ("given", "refusal", "told"),
    [
        ({"players": ("Alice", "Bob"), "Bop": {}}, Unknown, "'Bob'"),
        ({"players": ("Alice", "Alice")}, BadData, "different names"),
        ({"players": ("Alice",)}, BadData, "2 to 8 players"),
        ({"step": "untap"}, BadData, "'untap'"),
        ({"Bob": {"libary": []}}, BadData, "'libary'"),
        ({"Bob": {"life": "many"}}, BadData, "a number must stand"),
        ({"Bob": {"life": True}}, BadData, "a number must stand"),
        ({"Bob": {"library": "Island"}}, BadData, "a list must stand"),
        ({"Bob": {"hand": ["Grizly Bears"]}}, Unknown, "'Grizzly Bears'"),
        ({"Bob": {"hand": [7]}}, BadData, "no entry of a zone"),
        ({"Bob": {"hand": [{"as": "bears"}]}}, BadData, "the card is missing"),
        ({"Bob": {"hand": [{"card": "Island", "tapped": True}]}}, BadData, "of a permanent only"),
        ({"Bob": {"hand": [{"card": "Island", "count": 0}]}}, TooMany, "1 to 1,000"),
        ({"Bob": {"hand": ["1000 Island"] * 6}}, TooMany, "5,000 objects"),
        ({"Bob": {"battlefield": [{"card": "Bonesplitter", "attached to": "bear"}]}}, Unknown, "'bear'"),
        ({"Bob": {"battlefield": [{"card": "Island", "owner": "Carol"}]}}, Unknown, "'Carol'"),
        ({"Bob": {"counters": {"poison": -1}}}, BadData, "no number of counters"),
    ],
)
def test_what_may_not_stand_in_a_position_is_refused(given: dict[str, Any], refusal: type, told: str) -> None:
    with pytest.raises(RulekitError) as refused:
        position(**given)

    assert refusal is type(refused.value)
    assert told in str(refused.value)


def test_a_game_begins_at_a_position() -> None:
    game = Game.of(players=("Alice", "Bob", "Carol"), active="Carol", Carol={"hand": ["Island"]})

    assert game.decision is not None
    assert ("Carol", "priority") == (game.decision.player, game.decision.kind)
