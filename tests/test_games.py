"""Simulations by games on the board: policies answer, and what comes of it is what formulas and rules say."""

from __future__ import annotations

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor

import pytest

from rulekit import Card, CardPool, Deck, Plan, exact, replay, simulate
from rulekit.probability import games, matches
from rulekit.probability.policies import eager
from rulekit.rules import BadData, TooMany, Unknown

TRIALS = 120
VICTIM = Deck({"Island": 24, "Grizzly Bears": 36})
LANDS = Deck({"Island": 60})
MILL = Deck({"Island": 22, "Ruin Crab": 4, "Thought Scour": 4})
CRAB = Plan().draw(7).permanent("Ruin Crab")
IMPS = Deck({"Stinkweed Imp": 2, "Island": 19})
DREDGE = Plan().known(top=["Stinkweed Imp"]).on_turn(1, "mill a card").on_turn(1, draw=2)


def drawn(answer, names=("library", "hand"), turn=None):
    return answer.distribution(list(names), turn).outcomes()


def mill_deck(seed=3, **how):
    """The mill deck against somebody who does nothing."""
    who = {"opponent": "eager"}
    return simulate(VICTIM, Plan().draw(7), ["land"], 4, policy=who, against=MILL, trials=16, seed=seed, **how)


def third_option(game, dice):
    """Take the last option, whatever is asked."""
    return game.decision.options[-1]


def never_passes(game, dice):
    """Activate what can be activated, for ever."""
    if game.action is None:
        actions = [each for each in game.decision.options if each.kind == "activate"]
        return actions[0] if actions else game.decision.options[0]
    return game.decision.options[-1]


# whole games


def test_a_crab_mills_three_for_each_land_of_its_controller():
    """The opponent begins, plays an Island in each turn, and controls the Crab from the player's first turn on."""
    answer = simulate(VICTIM, CRAB, ["land"], 5, policy={"opponent": "eager"}, against=LANDS, trials=4, seed=1)

    assert [53 - turn - 3 * (turn - 1) for turn in range(1, 6)] == [answer.mean("library", t) for t in range(1, 6)]


def test_what_a_crab_mills_follows_the_exact_law():
    answer = simulate(VICTIM, CRAB, ["land"], 3, policy={"opponent": "eager"}, against=LANDS, trials=TRIALS, seed=1)
    law = exact(VICTIM, Plan().draw(7).each_turn(draw=1).each_turn("mill 3", from_turn=2), ["land"], 3)

    assert 1e-3 < answer.distribution("land", 3).compare(law.distribution("land", 3)).p_value
    assert 1e-3 < answer.first_turn("land >= 2").compare(law.first_turn("land >= 2")).p_value


def test_each_turn_draws_a_card_whether_or_not_the_plan_says_so():
    said = [Plan().draw(7), Plan().draw(7).each_turn(draw=1)]
    found = [simulate(LANDS, plan, turns=3, against=LANDS, trials=2, seed=1).mean("library", 3) for plan in said]

    assert [50, 50] == found


def test_whoever_plays_first_skips_the_first_draw():
    answer = simulate(LANDS, Plan(on_the_play=True).draw(7), turns=3, against=LANDS, trials=2, seed=1)

    assert [53, 52, 51] == [answer.mean("library", turn) for turn in (1, 2, 3)]


def test_whoever_cannot_draw_has_lost_and_nothing_goes_on():
    answer = simulate(Deck({"Island": 9}), Plan().draw(7), ["land in hand"], 5, against=LANDS, trials=3, seed=1)

    assert [0, 0, 1, 1] == [answer.lost_by(turn) for turn in (1, 2, 3, 5)]
    assert {(0, 7): 1.0} == drawn(answer, ("library", "land in hand"), 5)


def test_an_eager_player_plays_a_land_in_each_turn():
    """Draws one and plays one, where a passive player discards down to seven cards."""
    eager_one, passive_one = (
        simulate(LANDS, Plan().draw(7), [], 4, policy=each, against=LANDS, trials=2, seed=1)
        for each in ("eager", "passive")
    )

    assert [(7, 0)] * 4 == [(eager_one.mean("hand", t), eager_one.mean("graveyard", t)) for t in range(1, 5)]
    assert [(7, t) for t in range(1, 5)] == [
        (passive_one.mean("hand", t), passive_one.mean("graveyard", t)) for t in range(1, 5)
    ]


def test_an_eager_player_casts_creatures_and_attacks_with_them():
    """Memnites cost nothing: those of turn 1 attack from turn 2 on, 1 damage each, in 4 turns at most 20 and more."""
    memnites = Deck({"Memnite": 60})
    answer = simulate(memnites, Plan(on_the_play=True).draw(7), [], 4, policy="eager", against=LANDS, trials=1, seed=1)

    life = {turn: [] for turn in range(1, 8)}
    for game in replay(answer, 0).path():
        life.setdefault(game.state.turn.number, []).append(game.state.players["an opponent"].life)

    assert [20, 20, 13, 13, 5] == [life[turn][-1] for turn in range(1, 6)]


def test_a_mill_deck_ends_games_and_each_can_be_played_again():
    answer = mill_deck()
    trial = answer.example("land >= 3")

    game = replay(answer, trial)

    milled = {n for event in game.log if event.kind == "milled" for n in event.objects}
    lands = sum(game.state.look(n).is_a("land") for n in game.state.zone("graveyard", "the player") if n in milled)
    assert 3 <= lands
    assert 100 < len(game.path())


# choices


def test_dredging_may_be_done_again_where_another_imp_was_milled():
    """The second draw is dredged too if the other Imp was among the five of twenty cards that the first one milled."""
    answer = simulate(IMPS, DREDGE, turns=1, policy="eager", trials=300, seed=1)

    assert {10, 14} == set(answer.distribution("library").outcomes())
    assert abs(answer.p("library = 10") - 5 / 20) < 4 * (0.25 * 0.75 / 300) ** 0.5


def test_who_declines_does_not_dredge():
    answer = simulate(IMPS, DREDGE, turns=1, policy="passive", trials=5, seed=1)

    assert {(18, 2): 1.0} == drawn(answer)


@pytest.mark.parametrize(
    "text",
    [
        "scry 2. Then draw a card",
        "look at the top card of your library. You may put it on the bottom of your library. Draw a card",
        "look at the top card of your library. If it's a land card, you may put it into your hand",
    ],
)
def test_what_a_plan_keeps_on_top_is_kept_by_the_plan_and_not_by_the_policy(text):
    plan = Plan().draw(7).each_turn(text, keep="land", enough=3)
    law = exact(VICTIM, plan, ["land in hand"], 2)
    answer = simulate(VICTIM, plan, ["land in hand"], 2, policy="passive", trials=250, seed=2)

    assert 1e-3 < answer.distribution("land in hand", 2).compare(law.distribution("land in hand", 2)).p_value


def test_chances_and_mulligans_are_those_of_the_plan():
    plan = Plan().opening_hand(7, keep="2 to 5 lands", down_to=5).each_turn("mill 4", chance="1/3")
    law = exact(VICTIM, plan, ["land in hand"], 3)
    answer = simulate(VICTIM, plan, ["land in hand"], 3, policy="passive", trials=250, seed=2)

    for names in ("hits", "land in hand", "hand"):
        assert 1e-3 < answer.distribution(names, 3).compare(law.distribution(names, 3)).p_value


def test_permanents_come_and_go_as_the_plan_says():
    plan = Plan().permanent("Bruvac the Grandiloquent", from_turn=2, to_turn=3).each_turn("mill a card")
    answer = simulate(LANDS, plan, turns=4, policy="passive", trials=1, seed=1)

    assert [1, 3, 5, 6] == [answer.mean("graveyard", turn) for turn in range(1, 5)]


def test_what_a_plan_says_of_each_player_is_done_though_the_opponent_has_no_deck_to_draw_from():
    """Seven cards of 60 are drawn before turn 1, and each turn takes three more."""
    plan = Plan().draw(7).each_turn("each player draws a card").each_turn("each player mills two cards")
    answer = simulate(LANDS, plan, turns=4, policy="passive", trials=1, seed=1)

    assert [53 - 3 * turn for turn in range(5)] == [answer.mean("library", turn) for turn in range(5)]


def test_what_triggers_does_so():
    """A milled Narcomoeba may be put onto the battlefield."""
    deck = Deck({"Narcomoeba": 4, "Island": 4})
    plan = Plan().on_turn(1, "mill 8")
    yes, no = (
        simulate(deck, plan, ["creature in graveyard"], 1, policy=each, trials=2, seed=1)
        for each in ("eager", "passive")
    )

    assert (0, 4) == (yes.mean("creature in graveyard"), no.mean("creature in graveyard"))


def test_what_waits_for_a_step_of_the_turn_is_told_to_be_left_out_where_turns_have_none():
    tide = Card.from_catalogue("Tide", {"types": "Enchantment", "text": "At the beginning of your upkeep, scry 1."})
    plan = Plan().permanent(tide).on_turn(1, "mill a card")

    alone = simulate(LANDS, plan, turns=1, policy="passive", trials=1, seed=1)
    whole = simulate(LANDS, plan, turns=1, policy="passive", against=LANDS, trials=1, seed=1)

    assert "What Tide would do as a step begins is left out" in alone.method
    assert "left out" not in whole.method


def test_what_is_not_understood_of_a_permanent_is_told_to_be_left_out():
    riddle = Card("Riddle", "{2}", "Enchantment", "Ponder the mill.")
    answer = simulate(LANDS, Plan().permanent(riddle).each_turn("mill 1"), turns=1, policy="passive", trials=1, seed=1)

    assert "Of Riddle this is not understood and left out: Ponder the mill." in answer.method


def test_what_is_not_known_or_not_understood_of_the_cards_of_both_decks_is_told():
    riddle = Card("Riddle", "{2}", "Sorcery", "Ponder the mill.")
    mine = Deck({"Riddle": 4, "Island": 36})
    theirs = Deck({"Nobody Printed This": 4, "Island": 36})
    answer = simulate(mine, Plan(), turns=1, pool=CardPool([riddle]), against=theirs, trials=1, seed=1)

    assert "Not all that Riddle would do is understood; what is not is left out." in answer.method
    assert "Nothing is known of Nobody Printed This in the opponent's deck." in answer.method


def test_a_draw_in_the_upkeep_is_not_the_first_of_the_draw_step():
    """504.1: both are there from the first main phase on; then two cards for the upkeep's, one in the draw step."""
    texts = (
        "At the beginning of your upkeep, draw a card.",
        "If you would draw a card except the first one you draw in each of your draw steps, draw two cards instead.",
    )
    plan = Plan().draw(7)
    for text in texts:
        plan = plan.permanent(Card(f"Says {text}", "{2}", "Enchantment", text), controller="player")
    answer = simulate(LANDS, plan, turns=3, policy="passive", against=LANDS, trials=1, seed=1)

    assert [53, 52, 52 - 3, 52 - 6] == [answer.mean("library", turn) for turn in range(4)]


def test_a_card_that_was_shuffled_back_is_no_milled_card_any_more():
    plan = Plan().on_turn(1, "mill 10").on_turn(1, "shuffle your graveyard into your library").on_turn(1, draw=10)
    answer = simulate(LANDS, plan, ["land", "land in hand"], 1, policy="passive", trials=2, seed=1)

    assert (0, 10) == (answer.mean("land"), answer.mean("land in hand"))


# the same everywhere


def test_games_depend_on_the_seed_alone(monkeypatch):
    one = drawn(mill_deck())
    monkeypatch.setattr(matches, "BLOCK", 3)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        other = drawn(mill_deck(executor=pool))

    assert one == other
    assert one != drawn(mill_deck(seed=4))


def test_games_with_a_policy_of_ones_own_are_the_same_from_a_dask_cluster(monkeypatch):
    distributed = pytest.importorskip("distributed")

    def first_option(game, dice):
        return game.decision.options[0]

    def found(**how):
        return drawn(simulate(MILL, Plan().draw(7), [], 2, policy=first_option, against=MILL, trials=4, seed=5, **how))

    monkeypatch.setattr(matches, "BLOCK", 2)
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50)
    with cluster, distributed.Client(cluster) as client, client.get_executor() as pool:
        assert found() == found(executor=pool)


def test_a_match_of_which_something_was_worked_out_already_can_be_sent():
    """An executor sends what waits whenever it finds the time, with whatever was asked of the match meanwhile."""
    match = games.Match(VICTIM, CRAB, ["land"], 3, None, LANDS, {"opponent": "eager"}, 5, 7)
    before = match.values, match.part.draft.program((games.LIBRARY_AXIS,))

    sent = pickle.loads(pickle.dumps(match))

    assert match == sent
    assert before == (sent.values, sent.part.draft.program((games.LIBRARY_AXIS,)))


def test_dice_of_a_policy_come_from_the_seed():
    plan = Plan().draw(7)
    found = [drawn(simulate(MILL, plan, [], 3, policy="random", against=MILL, trials=6, seed=s)) for s in (1, 1, 2)]

    assert found[0] == found[1] != found[2]


def test_a_mixture_of_decks_is_played_by_weight():
    decks = Deck.mixture({Deck({"Island": 20}): 3, Deck({"Swamp": 20}): 1})
    answer = simulate(decks, Plan().draw(7), ["named Swamp in hand"], 1, policy="passive", trials=20, seed=1)

    assert 5 / 20 == answer.p("named Swamp in hand = 7")
    assert {"Swamp"} == {
        state.name(n) for state in [replay(answer, answer.example("named Swamp in hand = 7")).state]
        for n in state.zone("hand", "the player")
    }  # fmt: skip


# progress, interruption, errors


def test_progress_is_told_and_an_interrupt_returns_what_is_done():
    told = []

    def stop(now):
        told.append(now.done)
        if now.done >= 16:
            raise KeyboardInterrupt

    answer = simulate(LANDS, Plan().draw(7), turns=1, policy="passive", trials=100, seed=1, progress=stop)

    assert [8, 16] == told
    assert "16 games" in answer.method
    assert "Interrupted before the 100 games" in answer.method


def test_any_function_may_be_a_policy():
    answer = simulate(IMPS, DREDGE, turns=1, policy=third_option, trials=5, seed=1)

    assert {(18, 2): 1.0} == drawn(answer)
    assert "third_option" in answer.method


def test_a_game_that_never_ends_is_left(monkeypatch):
    monkeypatch.setattr(games, "MOST_ANSWERS", 60)

    with pytest.raises(TooMany):
        simulate(LANDS, Plan().draw(7), turns=50, policy=never_passes, against=LANDS, trials=1, seed=1)


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"policy": "greedy"}, Unknown),
        ({"policy": {"enemy": "eager"}}, Unknown),
        ({"policy": 7}, BadData),
        ({"against": "60 Island"}, BadData),
        ({"policy": eager, "trials": 0}, BadData),
    ],
)
def test_what_is_no_policy_is_refused(how, error):
    with pytest.raises(error):
        simulate(LANDS, Plan().draw(7), turns=1, seed=1, **how)


def test_a_draw_that_the_draw_step_cannot_do_is_refused():
    with pytest.raises(BadData):
        simulate(LANDS, Plan().draw(7).each_turn(draw=2), turns=1, against=LANDS, trials=1, seed=1)


def test_a_trial_that_was_not_played_is_refused():
    with pytest.raises(BadData):
        replay(simulate(LANDS, Plan().draw(7), turns=1, policy="passive", trials=2, seed=1), 2)
