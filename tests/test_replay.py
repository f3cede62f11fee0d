"""Trials dealt again: card by card they add up to what was counted, and as games on the board they end alike."""

from __future__ import annotations

from collections import Counter

import pytest

from rulekit import Board, Deck, Plan, exact, replay, simulate
from rulekit.rules import BadData
from tests.plans import COLOSSUS, COUNT, DECK, PLANS, TURNS

PLAYER = "the player"
SEEN = ["creature in graveyard", "land in hand", "total mana value in exile", "total mana value in graveyard"]
GAMES = 12


def cards(state, zone, kind=""):
    return [n for n in state.zone(zone, PLAYER) if not kind or state.look(n).is_a(kind)]


def counted(state):
    """What lies on the table, counted there."""
    return {
        "library": len(cards(state, "library")),
        "hand": len(cards(state, "hand")),
        "graveyard": len(cards(state, "graveyard")),
        "lost": int(state.players[PLAYER].lost),
        "creature in graveyard": len(cards(state, "graveyard", "creature")),
        "land in hand": len(cards(state, "hand", "land")),
        "total mana value in exile": sum(state.look(n).mana_value for n in cards(state, "exile")),
        "total mana value in graveyard": sum(state.look(n).mana_value for n in cards(state, "graveyard")),
    }


def marked(dealt, turn):
    """What the trial recorded at the end of a turn."""
    return {name: dealt.marks[turn][name] for name in ("library", "hand", "graveyard", "lost", *SEEN)}


def by_turn(game):
    """The last game of each turn in which something was done."""
    return {each.state.turn.number: each for each in game.path()}


@pytest.mark.parametrize("name", ["chances of several things", "graveyard replaced", "known cards", "losing"])
def test_the_first_2000_trials_dealt_again_add_up_to_the_tally(name):
    answer = simulate(DECK, PLANS[name], COUNT, TURNS, trials=2_000, seed=3)
    names = ["library", "land in hand", "creature in graveyard"]

    marks = [answer.source.dealt(trial).marks[TURNS] for trial in range(2_000)]

    found = answer.distribution(names, TURNS)
    assert Counter(tuple(each[name] for name in names) for each in marks) == {
        point: number for point, number in found.points() if number
    }


@pytest.mark.parametrize("name", PLANS)
def test_a_trial_as_a_game_shows_the_counts_of_the_trial_at_the_end_of_each_turn(name):
    answer = simulate(DECK, PLANS[name], SEEN, TURNS, trials=200, seed=5)

    for trial in range(GAMES):
        dealt = answer.source.dealt(trial)
        for turn, game in by_turn(replay(answer, trial)).items():
            assert marked(dealt, turn) == counted(game.state), f"trial {trial}, turn {turn}"


def test_a_text_is_finished_before_a_draw_from_an_empty_library_has_lost_the_game():
    """It is looked at once the text is done (704.3): of 12 cards 7 and 3 are gone, 2 are drawn, 3 return."""
    text = "draw four cards, then shuffle your graveyard into your library"
    plan = Plan().draw(7).on_turn(1, "mill 3").on_turn(2, text).on_turn(2, "mill two cards")
    answer = simulate(Deck({"Island": 12}), plan, [], 2, trials=5, seed=1)

    game = replay(answer, 3)

    assert 1 == answer.lost_by(2) == exact(Deck({"Island": 12}), plan, [], 2).lost_by(2)
    for zone, cards in (("library", 3), ("graveyard", 0), ("hand", 9)):
        assert cards == answer.mean(zone) == exact(Deck({"Island": 12}), plan, [], 2).mean(zone)
        assert cards == len(game.state.zone(zone, "the player"))
    assert game.state.players["the player"].lost


@pytest.mark.parametrize("imps", [1, 20])
def test_nobody_dredges_in_a_trial_dealt_again(imps):
    deck = Deck({"Stinkweed Imp": imps, "Island": 40 - imps})

    game = replay(simulate(deck, Plan().each_turn(draw=1).each_turn("mill 3"), turns=9, trials=1, seed=100), 0)

    assert (4, 9, 27) == tuple(len(cards(game.state, zone)) for zone in ("library", "hand", "graveyard"))


def test_a_card_that_shuffles_itself_into_the_library_does_so_in_the_game():
    answer = simulate(COLOSSUS, Plan().draw(2).each_turn("mill three cards"), SEEN, 3, trials=200, seed=5)

    for trial in range(2 * GAMES):
        dealt = answer.source.dealt(trial)
        for turn, game in by_turn(replay(answer, trial)).items():
            assert marked(dealt, turn) == counted(game.state), f"trial {trial}, turn {turn}"


def test_the_library_lies_in_the_order_in_which_its_cards_leave_it():
    answer = simulate(DECK, PLANS["a fixed mill"], SEEN, 2, trials=10, seed=1)

    first, *later = replay(answer, 4).path()
    lying = [first.state.name(n) for n in first.state.zone("library", PLAYER)]
    gone = [name for game in later for event in game.log[len(game.before.log) :] for name in event.names
            if event.kind in ("drew", "milled")]  # fmt: skip

    assert 19 == len(gone)
    assert lying[:19] == gone


def test_each_thing_that_the_plan_says_is_a_game_of_the_path():
    answer = simulate(DECK, Plan().draw(7).each_turn(draw=1).on_turn(2, "mill ten cards"), [], 3, trials=1, seed=1)

    said = [game.given.words for game in replay(answer, 0).path()[1:]]

    assert ["opening hand", "turn 1: draw a card", "turn 2: draw a card", "turn 2: mill ten cards",
            "turn 3: draw a card"] == said  # fmt: skip


def test_whoever_draws_from_an_empty_library_has_lost_the_game():
    answer = simulate(Deck({"Island": 10}), Plan().draw(7).each_turn(draw=2), [], 4, trials=1, seed=1)

    game = replay(answer, 0)

    assert game.state.over
    assert ["lost"] == [event.kind for event in game.log if event.rule == "704.5b"]
    assert 2 == game.state.turn.number


def test_a_game_of_a_mixture_has_the_cards_of_its_deck():
    decks = Deck.mixture({Deck({"Island": 20}): 1, Deck({"Swamp": 20}): 1})
    answer = simulate(decks, Plan().draw(7), ["named Swamp in hand"], 1, trials=20, seed=1)
    trial = answer.example("named Swamp in hand = 7")

    state = replay(answer, trial).state

    assert {"Swamp"} == {state.name(n) for n in cards(state, "hand")}


@pytest.mark.parametrize("how", [{}, {"policy": "passive"}])
def test_all_trials_of_a_mixture_dealt_again_add_up_to_the_tally(how):
    decks = Deck.mixture({Deck.read("24 Island\n36 Opt"): 1, Deck.read("10 Island\n50 Opt"): 3, DECK: 2})
    plan = Plan().on_turn(1, "mill 5")

    answer = simulate(decks, plan, ["land in graveyard"], turns=1, trials=40, seed=3, **how)

    games = [replay(answer, trial) for trial in range(40)]
    found = Counter(len(cards(game.state, "graveyard", "land")) for game in games)
    assert {lands: number for (lands,), number in answer.distribution("land in graveyard").points() if number} == found
    for lands in found:
        trial = answer.example(f"land in graveyard = {lands}")
        assert lands == len(cards(games[trial].state, "graveyard", "land"))
    with pytest.raises(BadData, match=r"no trial 40 among the 40 .*\n.*0 to 39"):
        replay(answer, 40)


def test_only_an_answer_has_trials():
    with pytest.raises(BadData, match="not of Plan"):
        replay(Plan(), 0)


def test_the_board_shows_a_trial():
    answer = simulate(DECK, PLANS["mulligans"], SEEN, TURNS, trials=50, seed=5)

    game = replay(answer, 7)

    assert counted(game.state) == counted(Board(game).frames[-1].state)


def test_an_exact_answer_and_a_trial_that_was_not_played_are_refused():
    with pytest.raises(BadData):
        replay(exact(DECK, PLANS["a fixed mill"]), 0)
    with pytest.raises(BadData):
        replay(simulate(DECK, PLANS["a fixed mill"], trials=10, seed=1), 10)


def test_a_card_that_was_taken_of_those_looked_at_is_taken_again():
    looks = (
        "look at the top three cards of your library. Put one of them into your hand and the rest into your graveyard"
    )
    plan = Plan().draw(2).on_turn(1, looks, keep="land", enough=2)
    answer = simulate(DECK, plan, ["land in hand"], 1, trials=60, seed=3)

    hands = Counter(
        sum(state.look(n).is_a("land") for n in cards(state, "hand"))
        for state in (replay(answer, trial).state for trial in range(60))
    )

    assert hands == {k: round(60 * p) for k, p in answer.distribution("land in hand").outcomes().items()}
