"""The log in words: every kind of event has a sentence, and a line says what a judge would say."""

from __future__ import annotations

import re

from rulekit.engine import sentences, telling
from rulekit.engine.events import KINDS, Event
from rulekit.engine.game import Game
from rulekit.engine.moments import moments
from rulekit.engine.position import position
from rulekit.engine.state import State
from tests.conftest import ROOT


def said(event: Event, state: State) -> str:
    return telling.tell(event, state)


def numbered(state: State, name: str) -> int:
    return next(number for number in state.objects if state.name(number) == name)


def test_every_kind_of_event_that_the_engine_logs_has_a_sentence() -> None:
    sources = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "rulekit" / "engine").rglob("*.py"))]
    logged = {kind for source in sources for kind in re.findall(r'Event\(\s*"([a-z ]+)"', source)}

    assert "milled" in logged
    assert set() == (logged | set(KINDS)) - sentences.KINDS_TOLD


def test_a_mill_is_told_with_its_number_and_its_cards() -> None:
    game = Game.of(Bob={"library": ["Island", "2 Forest"]}).do("mill", "Bob", 10)

    assert [("701.17a", "Bob mills 3 cards: Island, Forest ×2")] == telling.told_log(game.state)


def test_a_card_that_was_never_there_before_is_put_there_and_does_not_return() -> None:
    """A milled creature was on no battlefield, and a creature that a position begins with in no hand."""
    game = Game.of(Alice={"graveyard": ["Hill Giant"]}, Bob={"battlefield": ["Wind Drake"]})
    up = game.do("put onto the battlefield", (numbered(game.state, "Hill Giant"),))
    back = game.do("return to hand", (numbered(game.state, "Wind Drake"),))

    assert "Hill Giant is put onto the battlefield" == telling.told_log(up.state)[-1][1]
    assert "Wind Drake is put into Bob's hand" == telling.told_log(back.state)[-1][1]


def test_a_move_that_another_line_tells_is_not_told_twice() -> None:
    game = Game.of(Bob={"library": ["Island"]}).do("mill", "Bob", 1)

    assert ["moved", "milled"] == [event.kind for event in game.log]
    assert ["milled"] == [event.kind for event in telling.told(game.log)]


def test_creatures_of_one_name_are_told_apart_by_their_controllers() -> None:
    state = position(Alice={"battlefield": ["Grizzly Bears"]}, Bob={"battlefield": ["Grizzly Bears"]})
    mine, yours = state.permanents("Alice"), state.permanents("Bob")
    event = Event("blocks", "Bob", tuple(yours), to=next(mine))

    assert "Bob's Grizzly Bears blocks Alice's Grizzly Bears" == said(event, state)


def test_cards_of_one_name_are_told_apart_by_their_labels() -> None:
    first, second = ({"card": "Grizzly Bears", "as": label} for label in ("big bears", "small bears"))
    state = position(Alice={"battlefield": [first, second]})

    assert "Grizzly Bears (big bears) dies" == said(Event("dies", "Alice", tuple(state.permanents())[:1]), state)


def test_words_agree_in_number() -> None:
    state = position(Alice={"battlefield": ["Forest", "Island"]})
    forest, island = numbered(state, "Forest"), numbered(state, "Island")

    assert "Forest untaps" == said(Event("untapped", "Alice", (forest,)), state)
    assert "Forest, Island are exiled" == said(
        Event("exiled", objects=(forest, island)), state.but(objects=_in_exile(state))
    )
    assert "Forest gets a +1/+1 counter" == said(
        Event("counters", "Alice", (forest,), n=1, detail=(("kind", "+1/+1"),)), state
    )
    assert "2 charge counters are removed from Island" == said(
        Event("counters removed", "Alice", (island,), n=2, detail=(("kind", "charge"),)), state
    )


def _in_exile(state: State) -> dict[int, object]:
    return {number: thing.but(zone="exile") for number, thing in state.objects.items()}


def test_a_replaced_event_says_what_would_have_happened_and_what_changed_it() -> None:
    state = position()
    event = Event("replaced", "Bob", n=5, detail=(("by", "Bruvac"), ("text", "twice that many"), ("what", "milled")))

    assert "Bob would mill 5 cards, but Bruvac changes that: twice that many" == said(event, state)


def test_neighbours_that_come_from_one_thing_stand_in_one_group() -> None:
    """Combat damage destroys both creatures: two lines of state-based actions (704.3)."""
    game = Game.of(Alice={"battlefield": ["Grizzly Bears"]}, Bob={"battlefield": ["Grizzly Bears"]})
    while game.state.turn.step != "combat damage" and game.decision is not None:
        wanted = game.decision.options[-1 if game.decision.kind in ("attack", "block") else 0]
        game = game.decide(wanted)
    groups = telling.grouped(game.state, game.log)

    assert ["Alice's Grizzly Bears is destroyed", "Bob's Grizzly Bears is destroyed"] == [
        said(event, game.state) for event in groups[-1].events
    ]
    assert "state-based actions" in telling.text(game.state, game.log)


def test_a_text_in_braces_is_told_as_it_is() -> None:
    state = position(Alice={"battlefield": ["Forest"]})
    event = Event("ability triggered", "Alice", (1,), detail=(("text", "add {G} <b>|(x|y)"),), names=("Forest",))

    assert "Forest triggers: add {G} <b>|(x|y)" == said(event, state)


def test_every_moment_shows_the_state_right_after_its_event() -> None:
    """701.17a: two mills, one after the other."""
    game = Game.of(Bob={"library": ["Island", "Forest", "Swamp"]}).do("mill", "Bob", 1).do("mill", "Bob", 2)
    seen = [(each.event.kind if each.event else "", len(each.state.zone("library", "Bob"))) for each in moments(game)]

    assert [("", 3), ("moved", 2), ("milled", 2), ("", 2), ("moved", 0), ("milled", 0), ("", 0)] == seen


def test_the_last_moment_is_the_game_itself() -> None:
    game = Game.of(Alice={"battlefield": ["Grizzly Bears"]}, Bob={"battlefield": ["Grizzly Bears"]})
    for _ in range(8):
        assert game.decision is not None
        game = game.decide(game.decision.options[-1 if game.decision.kind in ("attack", "block") else 0])
    last = moments(game)[-1]

    assert game.state == last.state
    assert game is last.game
    assert all(each.state == each.game.state for each in moments(game) if each.rest)


def test_what_is_said_of_others_is_said_to_you() -> None:
    assert "you mill three cards" == sentences.spoken_to("you mills three cards")
    assert "if you have it, you search" == sentences.spoken_to("if you has it, you searches")
