"""Replacement and prevention effects: in words, one after another, and each once (614, 615, 616)."""

from __future__ import annotations

import pytest

from rulekit.engine.events import Decision, Event, Table
from rulekit.engine.game import Game
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.replacing import as_it_will_be, replaced
from rulekit.engine.state import State
from rulekit.engine.text import load_words

load_words()

WORDINGS = [
    ("if an opponent would mill one or more cards, they mill twice that many instead",
     "if an opponent would mill one or more cards, instead they mill twice that many cards"),
    ("if an opponent would mill one or more cards, they mill that many plus 4 instead",
     "if an opponent would mill one or more cards, they mill that many cards plus four instead"),
    ("if an effect would create one or more tokens under your control, it creates twice that many instead",
     "if an effect would create one or more tokens under your control, it creates twice that many of those tokens"
     " instead"),
    ("if an effect would put one or more counters on a permanent you control, it puts twice that many instead",
     "if an effect would put one or more counters on a permanent you control, it puts twice that many of those counters"
     " on that permanent instead"),
    ("artifacts, creatures and lands your opponents control enter tapped",
     "artifacts, creatures, and lands your opponents control enter the battlefield tapped"),
    ("you may have this creature enter as a copy of any creature on the battlefield",
     "you may have this creature enter the battlefield as a copy of any creature on the battlefield"),
    ("if you would draw a card while your library has no cards in it, you win the game instead",
     "if you would draw a card while your library has no cards in it, instead you win the game"),
    ("if a nontoken creature an opponent controls would die, exile it instead and you gain 2 life",
     "if a nontoken creature an opponent controls would die, exile it instead. you gain 2 life"),
]  # fmt: skip


@pytest.mark.parametrize(("short", "printed"), WORDINGS)
def test_the_catalogues_and_the_printed_wording_are_the_same_effect(short, printed):
    """614.1a"""
    assert GRAMMAR.read("replacement", short) == GRAMMAR.read("replacement", printed)


def run(state: State, event: Event, answers: tuple[object, ...] = ()) -> tuple[Event | None, list[Decision], Table]:
    """Let effects change an event; returns it, what was asked, and the table."""
    table = Table(state)
    steps = replaced(table, event)
    asked: list[Decision] = []
    todo = list(answers)
    try:
        decision = next(steps)
        while True:
            asked.append(decision)
            decision = steps.send(todo.pop(0))
    except StopIteration as done:
        return done.value, asked, table


def numbers(state: State, name: str) -> list[int]:
    """Return the objects of a name."""
    return [number for number in state.objects if state.name(number) == name]


def test_an_event_that_nothing_replaces_is_itself():
    event = Event("milled", "Bob", n=2)

    assert (event, []) == run(Game.of(Alice={"battlefield": ["Grizzly Bears"]}).state, event)[:2]


def test_what_is_asked_is_which_source_comes_first():
    """616.1: the affected player chooses"""
    state = Game.of(Alice={"battlefield": ["Bruvac the Grandiloquent", "The Water Crystal"]}).state
    (bruvac,), (crystal,) = numbers(state, "Bruvac the Grandiloquent"), numbers(state, "The Water Crystal")
    doubled_first, (asked,), _ = run(state, Event("milled", "Bob", n=3), (bruvac,))
    doubled_last, _, _ = run(state, Event("milled", "Bob", n=3), (crystal,))

    assert ("Bob", (bruvac, crystal)) == (asked.player, asked.options)
    assert (3 * 2 + 4, (3 + 4) * 2) == (doubled_first.n, doubled_last.n)


def test_effects_that_do_the_same_are_not_asked_about():
    """616.1e leaves a choice that makes no difference"""
    state = Game.of(
        Alice={"battlefield": ["Anointed Procession", "Doubling Season", "Anointed Procession"]},
    ).state
    bear = numbers(Game.of(Alice={"hand": ["Grizzly Bears"]}).state, "Grizzly Bears")
    card = Game.of(Alice={"hand": ["Grizzly Bears"]}).state.objects[bear[0]].card
    event, asked, _ = run(state, Event("token created", "Alice", n=1, detail=(("tokens", ((card, 1),)),)))

    assert [] == asked
    assert (2**3, ((card, 2**3),)) == (event.n, event.get("tokens"))


def test_each_effect_has_its_line_in_the_log_and_causes_what_it_does_instead():
    """614.6"""
    game = Game.of(Alice={"battlefield": ["Notion Thief"]}).do("draw", ("Bob",), 1)
    (told,) = [event for event in game.log if event.kind == "replaced"]
    (drew,) = [event for event in game.log if event.kind == "drew"]

    assert ("Alice", told.number) == (drew.player, drew.cause)
    assert "Notion Thief" == told.get("by")


def test_a_permanent_is_judged_as_it_would_be_on_the_battlefield():
    """614.12: under whose control, and with which characteristics"""
    state = Game.of(Alice={"battlefield": ["Kismet"]}, Bob={"hand": ["Grizzly Bears"]}).state
    (bears,) = numbers(state, "Grizzly Bears")
    moving = Event("moved", "Bob", (bears,), to="battlefield")
    as_hers, _, _ = run(state, _moving(state, bears, "Alice"))
    as_his, _, _ = run(state, _moving(state, bears, "Bob"))

    assert (None, True) == (as_hers.get("tapped"), as_his.get("tapped"))
    assert "battlefield" == as_it_will_be(state, moving).objects[bears].zone
    assert "hand" == state.objects[bears].zone


def _moving(state: State, number: int, under: str) -> Event:
    from rulekit.engine.events import Move

    thing = state.objects[number]
    move = Move(number, None, thing.owner, thing.zone, "battlefield")
    return Event("moved", thing.owner, (number,), to="battlefield", moves=(move,)).with_detail(under=under)


def test_loyalty_counters_are_put_like_others():
    """306.5b, 122.6a"""
    doubled = Game.of(Alice={"battlefield": ["Doubling Season"], "hand": ["Jace Beleren"]}).state
    plain = Game.of(Alice={"hand": ["Jace Beleren"]}).state
    found = [run(state, _moving(state, numbers(state, "Jace Beleren")[0], "Alice"))[0] for state in (doubled, plain)]

    assert [(("loyalty", 2 * 3),), (("loyalty", 3),)] == [event.get("counters") for event in found]


def test_a_copy_is_asked_about_before_everything_else_and_then_judged_as_what_it_became():
    """616.1c, 616.2"""
    state = Game.of(
        Alice={"hand": ["Copy Enchantment"], "battlefield": ["The Mindskinner"]}, Bob={"battlefield": ["Kismet"]}
    ).state
    (copy,) = numbers(state, "Copy Enchantment")
    skinner, kismet = numbers(state, "The Mindskinner")[0], numbers(state, "Kismet")[0]
    as_creature, _, _ = run(state, _moving(state, copy, "Alice"), ("yes", skinner))
    as_kismet, _, _ = run(state, _moving(state, copy, "Alice"), ("yes", kismet))
    as_itself, (may,), _ = run(state, _moving(state, copy, "Alice"), ("no",))

    assert True is as_creature.get("tapped")
    assert None is as_kismet.get("tapped")
    assert (None, "may") == (as_itself.get("copies"), may.kind)


def test_what_cannot_happen_is_not_replaced_either():
    """614.17"""
    state = Game.of(Alice={"battlefield": ["Stranglehold"]}).state

    assert None is run(state, Event("searched", "Bob"))[0]
    assert "searched" == run(state, Event("searched", "Alice"))[0].kind


def test_prevented_damage_still_does_the_rest_of_the_effect():
    """615.5: also where a source other than a creature deals it"""
    game = Game.of(Alice={"battlefield": ["The Mindskinner", "Prodigal Pyromancer"]}, Bob={}, Carol={})
    (pyromancer,) = numbers(game.state, "Prodigal Pyromancer")
    after = game.do("deal damage", 2, ("Bob",), (pyromancer,), False).state

    assert (20, 18, 18) == (after.players["Bob"].life, *(len(after.zone("library", who)) for who in ("Bob", "Carol")))


def test_prevention_that_is_switched_off_prevents_nothing():
    """615.12"""
    game = Game.of(Alice={"battlefield": ["White Knight", "Grizzly Bears"]}, Bob={"battlefield": ["Scathe Zombies"]})
    knight, zombies = numbers(game.state, "White Knight")[0], numbers(game.state, "Scathe Zombies")[0]
    event = Event("damage", None, (knight,), 2, source=zombies, to=knight)
    prevented, _, _ = run(game.state, event)
    free = game.do(*_damage_cannot_be_prevented()).state

    assert None is prevented
    assert event == run(free, event)[0]


def _damage_cannot_be_prevented():
    from rulekit.engine.text import read_effect

    (term,) = read_effect("damage can't be prevented this turn")
    return (term.op, *term.args)


def test_the_chain_of_causes_goes_through_every_effect_that_changed_the_event():
    """614.6, 616.1f"""
    game = Game.of(Alice={"battlefield": ["Bruvac the Grandiloquent", "Undead Alchemist"]})
    (alchemist,) = numbers(game.state, "Undead Alchemist")
    after = game.do("deal damage", 4, ("Bob",), (alchemist,), True)
    (milled,) = [event for event in after.log if event.kind == "milled"]

    assert ["Undead Alchemist", "Bruvac the Grandiloquent", None] == [event.get("by") for event in after.why(milled)]
    assert 2 * 4 == milled.n


def test_why_goes_through_every_effect_that_changed_an_event() -> None:
    game = Game.of(
        Alice={"battlefield": ["Bruvac the Grandiloquent", "The Water Crystal"]}, Bob={"library": ["20 Island"]}
    )
    game = game.do("mill", "Bob", 1)
    game = game.decide(game.decision.options[0])
    milled = next(event for event in game.log if event.kind == "milled")

    assert ["Bruvac the Grandiloquent", "The Water Crystal"] == [each.get("by") for each in game.why(milled)[:-1]]
    assert milled.n == 1 * 2 + 4
