"""Triggered abilities: what can be waited for in words, what is looked at, and in which order they wait (603)."""

from __future__ import annotations

import pytest

from rulekit.engine import triggers
from rulekit.engine.abilities import Term
from rulekit.engine.events import Event
from rulekit.engine.game import Game
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.once import Once
from rulekit.engine.state import Memory, State, Waiting
from rulekit.engine.text import load_words, read_ability, read_effect
from rulekit.scenarios.scenario import Scenario

load_words()

WORDINGS = [
    ("this enters", "when this creature enters the battlefield"),
    ("a land you control enters", "whenever a land you control enters the battlefield"),
    ("this enters or dies", "when this creature enters or dies"),
    ("another creature dies", "whenever another creature is put into a graveyard from the battlefield"),
    ("equipped creature deals combat damage to a player", "whenever equipped creature deals combat damage to a player"),
    ("one or more cards leave your graveyard", "whenever one or more cards leave your graveyard"),
    ("beginning of your upkeep", "at the beginning of your upkeep"),
    ("beginning of each end step", "at the beginning of each player's end step"),
    ("you draw your second card each turn", "whenever you draw your second card each turn"),
    ("you give a gift", "whenever you give a gift"),
    ("a permanent becomes untapped", "whenever a permanent becomes untapped"),
    ("this becomes the target of a spell", "whenever this creature becomes the target of a spell"),
    ("a player mills one or more creature cards", "whenever a player mills one or more creature cards"),
    ("you sacrifice another permanent", "whenever you sacrifice another permanent"),
    ("this attacks", "whenever this creature attacks"),
    ("you attack with one or more creatures", "whenever you attack with one or more creatures"),
    ("you cast a creature spell", "whenever you cast a creature spell"),
    ("an opponent loses life", "whenever an opponent loses life"),
    ("this leaves the battlefield", "when this permanent leaves the battlefield"),
    (
        "this Equipment becomes unattached from a permanent",
        "whenever this Equipment becomes unattached from a permanent",
    ),
]


@pytest.mark.parametrize(("short", "printed"), WORDINGS)
def test_the_catalogues_and_the_printed_wording_are_the_same_event(short, printed):
    """113.3c"""
    assert GRAMMAR.read("event", short) == GRAMMAR.read("event", printed)


@pytest.mark.parametrize("short", [short for short, _ in WORDINGS])
def test_an_event_that_is_said_again_is_the_same_event(short):
    event = GRAMMAR.read("event", short)

    assert event == GRAMMAR.read("event", GRAMMAR.say(event))


def waits(game: Game) -> list[str]:
    """Return the names of the objects on the stack, the one that resolves first standing first."""
    return [game.state.name(number) for number in game.state.stack]


def test_what_nothing_watches_is_not_looked_at(monkeypatch):
    game = Game.of(Alice={"battlefield": ["Grizzly Bears", "Island"]}, Bob={"graveyard": ["Narcomoeba"]})
    looked: list[int] = []
    monkeypatch.setattr(State, "look", lambda state, number: looked.append(number))

    after = triggers.triggered(game.state, Event("tapped", "Alice", game.state.battlefield[:1]), game.state)

    assert game.state is after
    assert [] == looked


def test_a_card_in_a_graveyard_is_looked_at_only_for_what_it_can_wait_for_there():
    """113.6k"""
    game = Game.of(Bob={"graveyard": ["Stitcher's Supplier"], "library": ["Narcomoeba", "Island"]})

    milled = game.do("mill", ("Bob",), 1)

    assert ["Narcomoeba trigger"] == waits(milled)


def test_triggers_of_one_object_wait_as_they_are_printed_and_of_several_as_these_came():
    """603.3b leaves the order to their controller; this is the usual one"""
    game = Game.of(
        Alice={"battlefield": ["Mindcrank", "Syr Konrad, the Grim", "Grizzly Bears"], "library": ["Island"] * 9},
        Bob={"library": ["Island"] * 9},
    )
    bears = next(n for n in game.state.battlefield if game.state.name(n) == "Grizzly Bears")
    state = triggers.triggered(game.state, Event("life lost", "Bob", n=1, number=0), game.state)
    both = game.do("destroy", (bears,)).state

    assert ["Mindcrank"] == [waiting.name for waiting in state.waiting]
    assert ["Syr Konrad, the Grim trigger"] == [both.name(number) for number in both.stack]
    assert sorted(waiting.order for waiting in state.waiting) == [waiting.order for waiting in state.waiting]


def test_each_trigger_has_its_line_in_the_log_caused_by_the_event():
    """603.2"""
    game = Game.of(Alice={"battlefield": ["Soul Warden"]}).do("create", ("Alice",), 1, _bear(), False, False)
    told = next(event for event in game.log if event.kind == "ability triggered")

    assert "603.2" == told.rule
    assert "moved" == game.log[told.cause].kind
    assert ("Soul Warden",) == told.names


def _bear():
    return read_effect("create a 2/2 green Bear creature token")[0].args[2]


def test_a_delayed_trigger_triggers_once():
    """603.7b"""
    (ability,) = read_ability("at the beginning of each end step, you gain 1 life")
    game = Game.of()
    waiting = Waiting(ability, Memory("Alice", 0), -1, "a promise")
    state = game.state.but(delayed=(waiting,), turn=game.state.turn.but(step="end"))

    once = triggers.triggered(state, Event("step", "Alice", number=0), state)
    twice = triggers.triggered(once, Event("step", "Alice", number=1), once)

    assert 1 == len(once.waiting)
    assert () == once.delayed
    assert once is twice


def test_a_delayed_trigger_with_a_duration_goes_on_until_its_turn_is_over():
    """603.7b"""
    (ability,) = read_ability("whenever a creature dies, you gain 1 life")
    game = Game.of(Alice={"battlefield": ["Grizzly Bears", "Hill Giant"]})
    waiting = Waiting(ability, Memory("Alice", 0), -1, "a promise", until=("end of turn", game.state.turn.number))
    state = game.state.but(delayed=(waiting,))
    later = state.but(turn=state.turn.but(number=state.turn.number + 1))
    nothing = Event("shuffled", "Alice", number=0)

    assert (waiting,) == triggers.triggered(state, nothing, state).delayed
    assert () == triggers.triggered(later, nothing, later).delayed


def test_what_a_delayed_trigger_speaks_of_was_fixed_as_it_was_created():
    """603.7c"""
    (ability,) = read_ability("at the beginning of each end step, that player draws a card")
    game = Game.of()
    waiting = Waiting(ability, Memory("Alice", 0, said=(("player", ("Bob",)),)), -1, "a promise")
    state = game.state.but(delayed=(waiting,), turn=game.state.turn.but(step="end"))

    (found,) = triggers.triggered(state, Event("step", "Alice", number=0), state).waiting

    assert ("Bob",) == dict(found.memory.said)["player"]


def test_a_promise_reaches_the_trigger_of_the_permanent_but_not_its_targets():
    """400.7d"""
    game = Game.of(Alice={"hand": ["Octomancer"]})
    (action,) = [option for option in game.decision.options if option.kind == "cast"]
    game = game.decide(action).decide("Bob")
    for _ in range(2):
        game = game.decide(next(option for option in game.decision.options if option.kind == "pass"))
    item = game.state.objects[game.state.stack[0]]

    assert ("Bob", ()) == (item.cast.promised, item.cast.targets)


def test_a_thing_is_worked_out_once():
    calls: list[tuple[int, ...]] = []
    once = Once(lambda thing: calls.append(thing) or len(thing))
    first = (1, 2, 3)
    alike = (*first[:1], *first[1:])

    assert [3, 3, 3] == [once(first), once(first), once(alike)]
    assert 2 == len(calls)


def test_an_ability_that_triggers_only_once_each_turn_does_so():
    """603.2h"""
    game = Game.of(Alice={"battlefield": ["Grizzly Bears"]})
    (bears,) = game.state.battlefield
    (ability,) = read_ability("whenever you gain life, draw a card. this ability triggers only once each turn")
    granted = game.instruct(Term("continuous", ((bears,), (Term("has", ((ability,),)),), None))).state
    first = triggers.triggered(granted, Event("life gained", "Alice", n=1, number=90), granted)
    second = triggers.triggered(first, Event("life gained", "Alice", n=1, number=91), first)
    later = second.but(turn=second.turn.but(number=second.turn.number + 1))

    assert (1, 1) == (len(first.waiting), len(second.waiting))
    assert 2 == len(triggers.triggered(later, Event("life gained", "Alice", n=1, number=92), later).waiting)


def sources(game):
    """The sources of the abilities on the stack, the one that resolves first standing first."""
    return [game.state.objects[number].memory.this for number in game.state.stack]


def landfall(*battlefield):
    """A game in which Alice has played a land, and is asked in which order what waited for it resolves."""
    game = Game.of(Alice={"hand": ["Island"], "battlefield": list(battlefield)})
    crabs = list(game.state.permanents("Alice"))
    return game.decide(next(option for option in game.decision.options if option.kind == "play")), crabs


def test_triggers_that_say_the_same_are_told_apart_by_whose_they_are():
    """603.3b: of two Crabs without a label the one that came first is the first"""
    game, crabs = landfall("Ruin Crab", "Ruin Crab")
    first, second = game.offered()

    assert first.replace("(1 of 2)", "(2 of 2)") == second != first
    assert tuple(crabs) == game.decision.about
    assert crabs == sources(game.decide(game.decision.options[0]))
    assert crabs[::-1] == sources(game.decide(game.decision.options[1]))


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("crabs", [("Ruin Crab", "Ruin Crab"), ({"card": "Ruin Crab", "as": "old"}, "Ruin Crab")])
def test_a_written_game_puts_triggers_that_say_the_same_in_the_same_order(place, crabs):
    """The step names whose trigger it is, so that played again the same one resolves first."""
    game, _ = landfall(*crabs)
    game = game.decide(game.decision.options[place])
    written = Scenario.from_game(game)
    again = written.play()

    assert "passed" == again.status
    assert sources(game) == sources(again.game)
    assert 2 == len(set(written.do[1].value))


def test_of_two_triggers_of_two_objects_each_can_be_named():
    """Two Crabs with two abilities each: label and words together mean one of the four"""
    text = """
title: Four at once
rules: ["603.3b"]
given:
  cards:
    Twin Crab:
      cost: "{U}"
      types: Creature — Crab
      power: 0
      toughness: 3
      abilities:
        - triggered: a land you control enters → each opponent mills a card
        - triggered: a land you control enters → you gain 1 life
  Alice: {hand: [Island], battlefield: [{card: Twin Crab, as: left}, {card: Twin Crab, as: right}]}
do:
  - play: Island
  - choose: ["right: gain 1 life", "left: mills a card", "right: mills a card", "left: gain 1 life"]
  - resolve
  - expect: {Alice.life: 21, Bob.library: 20}
  - resolve
  - expect: {Alice.life: 21, Bob.library: 19}
  - resolve
  - expect: {Alice.life: 21, Bob.library: 18}
  - resolve
expect: {Alice.life: 22, Bob.library: 18}
"""
    played = Scenario.read_text(text).play()
    state = played.game.state
    resolved = [event for event in played.game.log if event.kind == "put on the stack"]
    put = [state.get(event.objects[0]).memory.this for event in resolved][::-1]
    called = [state.get(number).label for number in put]

    assert "passed" == played.status, str(played)
    assert ["right", "left", "right", "left"] == called
    assert "passed" == Scenario.from_game(played.game).play().status
