"""Simulations: the same whoever plays, later questions from the same trials, progress, interruption, memory."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from rulekit import Deck, Estimate, Plan, exact, replay, simulate
from rulekit.probability import simulate as simulation
from rulekit.probability import tally
from rulekit.probability.condition import read_condition
from rulekit.probability.playing import SWITCH, machine_code
from rulekit.probability.program import Program
from rulekit.probability.rows import (
    LIBRARY,
    Axis,
    CardClass,
    Coin,
    Mark,
    Move,
    Until,
    cards_in,
    counted,
)
from rulekit.probability.simulate import play_trials
from rulekit.rules import BadData, TooMany
from tests.conftest import ROOT, unavailable
from tests.work_items import WORK, closed_form

TRIALS = 50_000
SEED = 20261129
DECK = "24 Island\n36 Lightning Bolt"


def program():
    """Ten cards milled with chance 0.7 in each of three turns, then until the third land."""
    hit = Coin(Fraction(7, 10), (Move(10, "milled"),))
    rows = [row for turn in (1, 2, 3) for row in (Move(1, "hand", draw=True), hit, Mark(turn))]
    return Program(
        (CardClass(24, (1,)), CardClass(36, (0,))),
        (*rows, Until("land", 3, "milled"), Mark(4)),
        (
            Axis("land", (counted("land", "milled"),)),
            Axis("milled", (cards_in("milled"),)),
            Axis("library", (LIBRARY,)),
        ),
        ("land",),
    )


def tallies(trials):
    one = program()
    return [trials.distribution(one, turn).weights for turn in one.turns]


@pytest.fixture(scope="module")
def expected():
    return tallies(play_trials(program(), TRIALS, SEED, workers=1))


def same(expected, found):
    return all(np.array_equal(a, b) for a, b in zip(expected, found, strict=True))


@pytest.mark.parametrize("workers", [1, 2, 3, 8])
@pytest.mark.parametrize("block", [7_000, 10_001, 1 << 16])
def test_tallies_do_not_depend_on_blocks_and_threads(monkeypatch, expected, workers, block):
    monkeypatch.setattr(simulation, "SMALLEST_BLOCK", block)

    assert same(expected, tallies(play_trials(program(), TRIALS, SEED, workers=workers)))


def test_tallies_are_the_same_without_machine_code(monkeypatch, expected):
    if not machine_code():
        unavailable("there is no llvmlite, or RULEKIT_NUMBA=0 switches it off")
    monkeypatch.setenv(SWITCH, "0")

    assert [] == machine_code()
    assert same(expected, tallies(play_trials(program(), TRIALS, SEED)))


def test_tallies_are_the_same_from_a_pool_of_processes(monkeypatch, expected):
    monkeypatch.setattr(simulation, "SMALLEST_BLOCK", 10_001)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        trials = play_trials(program(), TRIALS, SEED, executor=pool)

        assert same(expected, tallies(trials))


def test_tallies_are_the_same_from_a_dask_cluster_of_two_workers(monkeypatch, expected):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(simulation, "SMALLEST_BLOCK", 10_001)
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50)
    with cluster, distributed.Client(cluster) as client, client.get_executor() as pool:
        trials = play_trials(program(), TRIALS, SEED, executor=pool)

        assert same(expected, tallies(trials))


def test_later_questions_are_answered_when_the_executor_is_closed():
    one = program()
    with ThreadPoolExecutor(1) as pool:
        trials = play_trials(one, 1000, SEED, executor=pool, turns=(4,))

    found = trials.distribution(one, 2).weights

    np.testing.assert_array_equal(play_trials(one, 1000, SEED).distribution(one, 2).weights, found)


def test_tallies_are_the_same_in_another_process(expected):
    code = (
        "from tests.test_simulate import *\n"
        "print([int((w * range(1, w.shape[-1] + 1)).sum()) for w in tallies(play_trials(program(), TRIALS, SEED))])"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert str([int((w * range(1, w.shape[-1] + 1)).sum()) for w in expected]) == found.strip()


def test_other_seeds_give_other_trials_and_the_same_seed_the_same():
    one = program()
    found = [play_trials(one, 1000, seed).distribution(one, 4).weights for seed in (1, 2, 1)]

    assert not np.array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_without_a_seed_one_is_drawn_and_told():
    one = program()
    trials = play_trials(one, 1000)

    again = play_trials(one, 1000, trials.seed)

    assert f"Simulated: 1,000 trials, seed {trials.seed}." == trials.method
    np.testing.assert_array_equal(again.distribution(one, 4).weights, trials.distribution(one, 4).weights)


def test_the_first_trials_of_a_longer_run_are_those_of_a_shorter_one():
    one = program()
    trials = play_trials(one, 1000, 7), play_trials(one, 3000, 7)

    assert trials[0].dealt(999) == trials[1].dealt(999)
    with pytest.raises(BadData, match="there is no trial 1,000 among the 1,000 trials"):
        trials[0].dealt(1000)


def test_questions_asked_later_are_answered_from_the_same_trials():
    one = program()
    trials = play_trials(one, 20_000, 8)
    land, _, library = one.axes

    alone = trials.distribution(replace(one, axes=(land,)), 4)
    cut = trials.distribution(replace(one, axes=(library, replace(land, high=3))), 4)
    turned = trials.distribution(replace(one, axes=(library, land)), 4)

    np.testing.assert_array_equal(turned.weights.sum(axis=0), alone.weights)
    np.testing.assert_array_equal(turned.weights[:, :3], cut.weights[:, :3])
    np.testing.assert_array_equal(turned.weights[:, 3:].sum(axis=1), cut.weights[:, 3])
    assert 20_000 == int(cut.weights.sum())


def test_turns_that_were_not_counted_at_once_are_counted_when_asked_for():
    one = program()
    expected = play_trials(one, 5_000, 9).distribution(one, 2).weights

    found = play_trials(one, 5_000, 9, turns=(4,)).distribution(one, 2).weights

    np.testing.assert_array_equal(expected, found)


def test_many_things_counted_at_once_are_counted_by_cells_that_come_up(monkeypatch):
    one = program()
    expected = play_trials(one, 5_000, 9).distribution(one, 3).weights
    monkeypatch.setattr(tally, "MOST_CELLS_AT_ONCE", 1 << 8)

    found = play_trials(one, 5_000, 9).distribution(one, 3).weights

    np.testing.assert_array_equal(expected, found)


def test_too_many_things_at_once_are_refused_with_the_number_and_a_way_out(monkeypatch):
    one = program()
    monkeypatch.setattr(tally, "MOST_CELLS_AT_ONCE", 1 << 8)
    monkeypatch.setattr(simulation, "MOST_CELLS", 1 << 8)
    trials = play_trials(one, 100, 9)

    with pytest.raises(TooMany, match=r"counts 93,025 cells at once, the limit is 256\.\n  Count fewer"):
        trials.distribution(one, 3)


def test_what_the_trials_did_not_look_at_cannot_be_asked_later():
    one = program()
    trials = play_trials(one, 100, 9)
    asked = replace(one, axes=(Axis("land in hand", (counted("land", "hand"),)),))

    with pytest.raises(BadData, match="did not look at the cards in hand"):
        trials.distribution(asked, 3)


@pytest.mark.parametrize("name", ["W1", "W4"])
def test_intervals_hold_the_true_number_about_as_often_as_they_say(name):
    """95 % of 300 are 285; fewer than 272 or more than 296 has a chance below one in a thousand."""
    one = WORK[name]
    last = one.turns[-1]
    cell, true = max(closed_form(name).items(), key=lambda pair: pair[1])

    held = 0
    for seed in range(300):
        found = play_trials(one, 2_000, seed, workers=1).distribution(one, last)
        estimate = Estimate.of_hits(int(found.weights[cell]), 2_000)
        held += estimate.holds(true)

    assert 272 <= held <= 296


def test_progress_tells_how_far_it_is_with_the_estimate_and_its_error(monkeypatch):
    monkeypatch.setattr(simulation, "SMALLEST_BLOCK", 10_000)
    told = []

    play_trials(program(), TRIALS, SEED, progress=told.append)

    assert [10_000, 20_000, 30_000, 40_000, 50_000] == [each.done for each in told]
    assert {TRIALS} == {each.trials for each in told}
    assert {"land"} == {each.name for each in told}
    assert all(each.estimate.error > 0 and each.estimate.trials == each.done for each in told)
    assert told[-1].estimate.error < told[0].estimate.error


def test_progress_of_a_mixture_is_about_all_its_decks():
    few, many = (Deck({"Island": lands, "Grizzly Bears": 60 - lands}) for lands in (6, 54))
    plan = Plan().on_turn(1, "reveal cards until a land card is revealed, then put them into the graveyard")
    told = []

    simulate(Deck.mixture({few: 0.5, many: 0.5}), plan, turns=1, trials=40_000, seed=SEED, progress=told.append)

    mean = 60 - (61 / 7 + 61 / 55) / 2  # negative hypergeometric: (N + 1) / (K + 1) cards down to the first land
    assert ("library", 40_000, 40_000) == (told[-1].name, told[-1].done, told[-1].estimate.trials)
    assert abs(told[-1].estimate - mean) < 2 * told[-1].estimate.error


def test_progress_is_a_bar_in_a_terminal_and_nothing_elsewhere(monkeypatch, capsys):
    play_trials(program(), 1000, SEED, progress=True)
    assert "" == capsys.readouterr().err

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    play_trials(program(), 1000, SEED, progress=True)

    shown = capsys.readouterr().err
    assert "1.00k/1.00k" in shown
    assert "land" in shown
    assert "±" in shown


def test_progress_is_a_bar_below_the_cell_in_a_notebook(monkeypatch):
    told = []
    monkeypatch.setattr("IPython.get_ipython", lambda: SimpleNamespace(kernel=object()))
    monkeypatch.setattr("IPython.display.display", told.append)

    play_trials(program(), 1000, SEED, progress=True)

    (bar,) = told
    assert "1,000 of 1,000 trials; mean land" in bar._live().value
    assert "±" in bar._live().value


@pytest.mark.parametrize("workers", [1, 3])
def test_an_interrupt_gives_what_was_done_and_leaves_nothing_running(monkeypatch, workers):
    monkeypatch.setattr(simulation, "SMALLEST_BLOCK", 5_000)
    before = threading.active_count()

    def interrupt(progress):
        if progress.done >= 15_000:
            raise KeyboardInterrupt

    trials = play_trials(program(), TRIALS, SEED, progress=interrupt, workers=workers)

    assert 15_000 == trials.trials
    assert "Simulated: 15,000 trials" in trials.method
    assert "Interrupted before the 50,000 trials that were asked for." in trials.method
    assert same(tallies(play_trials(program(), 15_000, SEED)), tallies(trials))
    assert before == threading.active_count()


def test_an_error_of_whoever_is_told_of_progress_leaves_nothing_running(monkeypatch):
    monkeypatch.setattr(simulation, "SMALLEST_BLOCK", 500)
    before = threading.active_count()

    with pytest.raises(ZeroDivisionError) as raised:
        play_trials(program(), TRIALS, SEED, progress=lambda progress: progress.done / 0, workers=2)

    assert raised
    assert before == threading.active_count()


def test_what_is_no_executor_is_refused():
    with pytest.raises(BadData, match="'threads' is no executor"):
        play_trials(program(), 1000, SEED, executor="threads")


def test_an_interrupt_of_a_pool_calls_back_what_has_not_begun(monkeypatch):
    monkeypatch.setattr(simulation, "SMALLEST_BLOCK", 500)
    with ThreadPoolExecutor(1) as pool:
        trials = play_trials(program(), TRIALS, SEED, progress=_interrupt, executor=pool)

        assert 500 == trials.trials
        assert pool.submit(int).result(timeout=5) == 0


@pytest.mark.parametrize(("blocks", "whole"), [(2, 2), (3, 2), (5, 4)])
def test_an_interrupt_between_the_decks_of_a_mixture_leaves_out_the_round_that_is_not_whole(monkeypatch, blocks, whole):
    monkeypatch.setattr(simulation, "SMALLEST_BLOCK", 5_000)
    decks = {Deck({"Island": lands, "Grizzly Bears": 60 - lands}): lands for lands in (20, 30)}
    asked = partial(simulate, Deck.mixture(decks), Plan().on_turn(1, "mill 10"), ["land"], turns=1, seed=SEED)

    answer = asked(trials=TRIALS, executor=_Stopped(blocks))

    done = whole * 5_000 // 2
    assert f"Simulated: {done:,} trials" in answer.method
    assert answer.frame().equals(asked(trials=done).frame())


class _Stopped(Executor):
    """An executor of which the keyboard's interrupt comes instead of a result, after a number of them."""

    def __init__(self, results):
        self.results = results

    def submit(self, does, *what):
        self.results -= 1
        future = Future()
        if self.results < 0:
            future.set_exception(KeyboardInterrupt())
        else:
            future.set_result(does(*what))
        return future


def _interrupt(_progress):
    raise KeyboardInterrupt


def test_an_interrupt_before_anything_is_done_is_an_interrupt():
    class Never(ThreadPoolExecutor):
        def submit(self, *_):
            raise KeyboardInterrupt

    with Never(1) as pool, pytest.raises(KeyboardInterrupt):
        play_trials(program(), TRIALS, SEED, executor=pool)


def test_a_mixture_shares_its_trials_out_by_weight():
    few, many = (
        Program(
            (CardClass(lands, (1,)), CardClass(60 - lands, (0,))),
            (Move(10, "milled"), Mark(1)),
            (Axis("land", (counted("land", "milled"),)),),
            ("land",),
        )
        for lands in (20, 28)
    )
    trials = play_trials([(Fraction(1, 4), few), (Fraction(3, 4), many)], 100_001, 3)

    found = [trials.distribution(each, 1, part) for part, each in enumerate((few, many))]

    assert [25_000, 75_001] == [each.trials for each in found]
    for each, lands in zip(found, (20, 28), strict=True):
        assert abs(each.mean() - 10 * lands / 60) < 2 * each.mean().error
    number = trials.example(many, 1, read_condition("land = 10", ("land",)), 1)
    assert 10 == trials.dealt(number).marks[1]["land"]


@pytest.mark.parametrize("how", [{}, {"policy": "passive"}])
def test_a_deck_that_gets_none_of_a_few_trials_is_not_asked(how):
    sure, unlikely = Deck({"Island": 60}), Deck({"Grizzly Bears": 60})
    mixture = Deck.mixture({unlikely: 1, sure: 99})

    answer = simulate(mixture, Plan().on_turn(1, "mill 3"), ["land"], turns=1, trials=4, seed=SEED, **how)

    assert (1, 4) == (answer.p("land = 3"), answer.p("land = 3").trials)
    assert 3 == answer.mean("land")
    assert {1: 1} == answer.first_turn("land = 3").outcomes()
    assert {4} == set(answer.frame()["trials"])


def test_games_that_are_interrupted_are_of_each_deck_by_its_weight():
    sure, unlikely = Deck({"Island": 60}), Deck({"Grizzly Bears": 60})
    mixture = Deck.mixture({unlikely: 1, sure: 3})

    def interrupt(progress):
        if progress.done >= 24:
            raise KeyboardInterrupt

    answer = simulate(
        mixture, Plan().on_turn(1, "mill 3"), ["land"], 1, trials=400, seed=1, policy="passive", progress=interrupt
    )

    found = answer.p("land = 3")
    assert f"{found.trials} games" in answer.method
    assert abs(found * found.trials - 3 / 4 * found.trials) < 1  # shares by weight, to whole games
    assert 8 < found.trials <= 24


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"trials": 0}, "0 stands where a whole number from 1 to"),
        ({"trials": -5}, "-5 stands where a whole number from 1 to"),
        ({"trials": 1e6}, "1000000.0 stands where a whole number from 1 to"),
        ({"trials": "5"}, "'5' stands where a whole number from 1 to"),
        ({"seed": -1}, "at least 0, not -1"),
        ({"seed": 1.5}, "at least 0, not 1.5"),
        ({"workers": 0}, "0 stands where a whole number from 1 to"),
        ({"workers": 1.5}, "1.5 stands where a whole number from 1 to"),
    ],
)
def test_numbers_out_of_range_and_what_is_no_whole_number_are_refused(numbers, message):
    with pytest.raises(BadData, match=message):
        play_trials(program(), **({"trials": 10, "seed": 1} | numbers))


@pytest.mark.parametrize("trial", [-1, 10, 1.0, "1"])
def test_a_trial_that_there_is_not_is_refused(trial):
    answer = simulate(Deck.read(DECK), Plan().draw(7), turns=1, trials=10, seed=1)

    with pytest.raises(BadData, match="trial"):
        replay(answer, trial)


def test_whole_numbers_of_numpy_are_whole_numbers():
    expected, found = (play_trials(program(), kind(1000), kind(SEED), workers=kind(1)) for kind in (int, np.int64))

    assert same(tallies(expected), tallies(found))


def test_a_simulated_plan_agrees_with_the_exact_answer_and_says_its_error():
    deck = Deck.read(DECK)
    plan = (
        Plan()
        .opening_hand(7, mulligan="london", keep="2 to 5 lands", down_to=5)
        .each_turn(draw=1)
        .each_turn("mill 10", chance=0.7, from_turn=3)
        .on_turn(2, "reveal cards until 4 land cards are revealed, then put them into the graveyard")
    )
    question = {"count": ["land", "land in hand", "total mana value"], "turns": 6}
    sure = exact(deck, plan, **question)

    found = simulate(deck, plan, **question, trials=200_000, seed=11)

    for condition, turn in (("land >= 8", 4), ("land in hand <= 2", 0), ("library = 0", 6), ("lost = 1", 6)):
        estimate = found.p(condition, turn=turn)
        assert isinstance(estimate, Estimate)
        assert abs(estimate - sure.p(condition, turn=turn)) <= 2.5 * estimate.error
    both = "land >= 8 and total mana value < 6"
    assert abs(found.p(both, 5) - sure.p(both, 5)) < 0.005
    assert 1e-4 < found.first_turn("library = 0").compare(sure.first_turn("library = 0")).p_value
    trial = found.example("land = 0", turn=3)
    assert 0 == found.source.dealt(trial).marks[3]["land"]


SHORT = "play_trials(program(), {trials}, SEED)"
LONG = (
    "simulate(Deck.read('24 Forest\\n36 Grizzly Bears'), Plan().opening_hand(7, mulligan='london', keep='2 to 5 lands')"
    ".each_turn(draw=1).each_turn('mill 10', chance=0.7, from_turn=4), ['land', 'creature', 'total mana value'], 12,"
    " trials={trials}, seed=SEED)"
)


@pytest.mark.parametrize("machine_code", ["1", "0"])
@pytest.mark.parametrize(("run", "trials"), [(SHORT, 1_000_000), (LONG, 200_000)])
def test_a_run_adds_little_memory_however_many_trials_it_has(run, trials, machine_code):
    """Less than 16 MiB; machine code and tables are there after the first thousand trials."""
    resource = pytest.importorskip("resource")
    code = (
        "import resource\n"
        "from tests.test_simulate import *\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"{run.format(trials=1000)}\n"
        "before = peak()\n"
        f"{run.format(trials=trials)}\n"
        "print(peak() - before)\n"
    )
    assert resource
    env = os.environ | {"RULEKIT_NUMBA": machine_code}
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, env=env)

    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kibibytes elsewhere
    assert int(found.stdout) * unit < 16 * 2**20
