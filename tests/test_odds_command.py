"""The command rulekit odds: plans and questions in a terminal."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from math import comb

import pytest

from rulekit.cli import main


@pytest.fixture
def deck(tmp_path):
    file = tmp_path / "deck.txt"
    file.write_text("24 Island\n20 Grizzly Bears\n16 Lightning Bolt\n", encoding="utf-8")
    return str(file)


def said(capsys, *words, status=0):
    assert status == main(["odds", *words])
    return capsys.readouterr()


def test_the_first_command_of_the_readme_prints_the_exact_tables(deck, capsys):
    out = said(capsys, deck, "--draw", "7", "--mill", "10", "--count", "land", "--count", "creature").out

    assert f"{100 * comb(24, 4) * comb(36, 6) / comb(60, 10):.1f} %" in out
    assert "land and creature milled at the end of turn 1" in out
    assert "Exact: a fixed number of cards moves" in out


def test_a_simulation_tells_its_trials_seed_and_error(deck, capsys):
    out = said(capsys, deck, "--mill", "10", "--count", "land", "--simulate", "10000", "--seed", "1").out

    assert "simulated, 10,000 trials, 95 % intervals" in out
    assert "seed 1" in out
    assert " ± " in out


def test_what_goes_on_turn_by_turn(deck, capsys):
    words = ("--draw", "7", "--each-turn", "draw 1", "--each-turn", "mill 10; chance 0.7; from turn 4", "--turns", "9")
    out = said(capsys, deck, *words, "--first-turn", "library = 0", "--ask", "library <= 3", "--turn", "8").out

    lost = sum(comb(5, k) * 0.7**k * 0.3 ** (5 - k) for k in range(5, 6))
    assert f"library <= 3: {100 * lost:.1f} %" in out
    assert "First turn with library = 0" in out


def test_what_is_known_of_the_library_and_who_controls_a_permanent(deck, capsys):
    known = said(capsys, deck, "--mill", "1", "--known-top", "Island", "--count", "land", "--ask", "land = 1").out
    words = ("--mill", "2", "--permanent", "Bruvac the Grandiloquent", "--ask", "library = 56")
    theirs = said(capsys, deck, *words).out
    ours = said(capsys, deck, *words[:2], "--permanent", f"{words[3]}; by player", *words[4:]).out

    assert "land = 1: 100.0 %" in known
    assert "library = 56: 100.0 %" in theirs
    assert "library = 56: 0.0 %" in ours


def test_games_are_played_by_policies_against_another_deck(deck, capsys):
    words = ("--draw", "7", "--turns", "1", "--simulate", "3", "--seed", "1", "--ask", "library = 52")
    found = said(
        capsys, deck, *words, "--policy", "player=eager", "--policy", "opponent=passive", "--against", deck
    ).out

    assert "(3 trials)" in found


def test_json_is_one_object_and_csv_a_table(deck, capsys):
    found = json.loads(said(capsys, deck, "--mill", "2", "--count", "land", "--ask", "land = 2", "--json").out)
    rows = list(csv.DictReader(io.StringIO(said(capsys, deck, "--mill", "2", "--count", "land", "--csv").out)))

    assert comb(24, 2) / comb(60, 2) == pytest.approx(found["probabilities"]["land = 2"])
    assert [[0], [1], [2]] == [point for point, _ in found["distributions"][0]["outcomes"]]
    assert {"turn", "name", "value", "probability"} == set(rows[0])


def test_a_chart_becomes_a_file(deck, capsys, tmp_path):
    for ending, start in ((".png", b"\x89PNG"), (".svg", b"<?xml")):
        said(capsys, deck, "--mill", "2", "--count", "land", "--plot", str(tmp_path / f"chart{ending}"))

        assert (tmp_path / f"chart{ending}").read_bytes().startswith(start)


def test_permanents_and_hands_can_be_said(deck, capsys):
    words = ("--hand", "7", "--keep", "2 to 5 lands", "--on-turn", "2: mill 3", "--turns", "2")
    out = said(
        capsys, deck, *words, "--permanent", "Bruvac the Grandiloquent; from turn 2", "--ask", "graveyard = 6"
    ).out

    assert "graveyard = 6: 100.0 %" in out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--mill", "-1"], "at least 0"),
        (["--each-turn", "mill 2; often"], "often"),
        (["--each-turn", "mill 2; chance 1.5"], "between 0 and 1"),
        (["--on-turn", "mill 2"], "names the turn first"),
        (["--on-turn", "2: mill 2; from turn 3"], "from turn"),
        (["--keep", "2 to 5 lands"], "--hand"),
        (["--seed", "1"], "--simulate"),
        (["--policy", "eager"], "--simulate"),
        (["--simulate", "10", "--policy", "eagr"], "eager"),
        (["--simulate", "10", "--policy", "both=eager"], "player=eager"),
        (["--mill", "2", "--simulate", "0"], "trials"),
        (["--count", "lnd"], "lnd"),
        (["--ask", "lnd = 1"], "lnd"),
        (["--mill", "2", "--plot", "chart.gif"], ".png"),
        (["--permanent", "Bruvac the Grandiloquent; chance 0.5"], "chance"),
        (["--each-turn", "draw 0"], "says what is done"),
        (["--on-turn", "1:"], "says what is done"),
        (["--free", "1"], "--hand"),
        (["--down-to", "5"], "--hand"),
        (["--ask", "land >="], "compares a count"),
        (["--ask", ""], "compares a count"),
        (["--given", "land"], "compares a count"),
        (["--ask", "library"], "NAME OP NUMBER"),
    ],
)
def test_what_is_wrong_is_told_without_a_traceback(deck, capsys, words, says):
    err = said(capsys, deck, *words, status=2).err

    assert says in err
    assert "Traceback" not in err


def test_a_deck_that_is_not_there_is_told(capsys, tmp_path):
    assert "there is no such file" in said(capsys, str(tmp_path / "none.txt"), status=2).err


def test_two_decks_are_compared(deck, capsys, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("17 Swamp\n43 Grizzly Bears\n", encoding="utf-8")
    words = (deck, str(other), "--mill", "10", "--count", "land", "--plot", str(tmp_path / "chart.png"))
    out = said(capsys, *words).out
    rows = json.loads(said(capsys, *words, "--ask", "land = 0", "--json").out)["answers"][0]["rows"]

    assert f"{100 * comb(17, 4) * comb(43, 6) / comb(60, 10):.1f} %" in out
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    assert {"deck": comb(36, 10) / comb(60, 10), "other": comb(43, 10) / comb(60, 10)} == pytest.approx(
        {row["label"]: row["probability"] for row in rows}
    )


def test_what_was_seen_of_an_unknown_deck_changes_its_weights(deck, capsys, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("12 Island\n48 Grizzly Bears\n", encoding="utf-8")
    words = (deck, str(other), "--weight", "1", "--weight", "3", "--seen", "Island", "--mill", "1", "--count", "land")
    found = json.loads(said(capsys, *words, "--ask", "land = 1", "--fractions", "--json").out)

    # seen in proportion: 1 * 24 against 3 * 12
    assert {"deck": 0.4, "other": 0.6} == pytest.approx(found["weights"])
    assert "7/25" == found["probabilities"]["land = 1"]["fraction"]  # 2/5 of 24/60 and 3/5 of 12/60


def test_a_number_of_cards_is_varied(deck, capsys):
    words = (deck, "--mill", "1", "--ask", "land = 1", "--vary", "land", "--over", "20 to 30 by 5")
    rows = list(csv.DictReader(io.StringIO(said(capsys, *words, "--csv").out)))

    assert {"20": 20 / 60, "25": 25 / 60, "30": 30 / 60} == pytest.approx(
        {row["land"]: float(row["probability"]) for row in rows}
    )
    assert "30       50.0 %" in said(capsys, *words).out


def test_a_card_says_what_happens_and_what_that_takes_for_granted_is_told(deck, capsys):
    words = (deck, "--from-card", "Ruin Crab", "--assume", "ruin_crab_chance=1/2", "--turns", "1", "--lost")
    out = said(capsys, *words, "--ask", "graveyard = 3").out
    told = json.loads(said(capsys, *words, "--json").out)

    assert "graveyard = 3: 50.0 %" in out
    assert "lost = 1: 0.0 %" in out
    assert "ruin_crab_chance = '1/2' (given)" in out
    assert "1/2" == told["assumptions"]["ruin_crab_chance"]


def test_what_is_counted_need_not_be_said_twice(deck, capsys):
    out = said(capsys, deck, "--mill", "1", "--ask", "land = 1").out

    assert "land = 1: 40.0 %" in out
    assert "land at the end" not in out


def test_a_trial_is_dealt_on_the_board(deck, capsys):
    words = (deck, "--mill", "3", "--count", "land", "--simulate", "200", "--seed", "1")
    out = said(capsys, *words, "--watch", "land = 3").out
    number = out.partition("Trial ")[2].partition(",")[0]

    assert "the player mills three cards: Island ×3" in out.replace("3 cards", "three cards")
    assert out.partition("Trial ")[2] == said(capsys, *words, "--watch", number).out.partition("Trial ")[2]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--weight", "1", "--weight", "2"], "each DECK has one weight"),
        (["--weight", "much"], "a weight is a number"),
        (["--seen", "Forest"], "Forest"),
        (["--vary", "land", "--ask", "land = 1"], "--over"),
        (["--vary", "land", "--over", "30-20", "--ask", "land = 1"], "smaller first"),
        (["--vary", "land", "--over", "20-21"], "--ask"),
        (["--assume", "ruin_crab_times=2"], "--from-card"),
        (["--from-card", "Ruin Crab", "--assume", "crab=2"], "ruin_crab"),
        (["--from-card", "Ruin Crab", "--assume", "crab"], "ruin_crab_times=2"),
        (["--bottom", "land"], "--hand"),
        (["--watch", "3"], "--simulate"),
        (["--simulate", "10", "--fractions"], "--simulate"),
        (["--simulate", "10", "--watch", "10"], "10"),
        (["--given", "land = 1", "--first-turn", "library = 0"], "--first-turn"),
        (["--given", "land = 1", "--by-turn"], "--by-turn"),
        (["--given", "land = 1", "--csv"], "--csv"),
        (["--given", "land = 9", "--mill", "3", "--count", "land"], "probability 0"),
        (["--view", "at most"], "--plot"),
        (["--view", "at most", "--ask", "land = 1", "--plot", "chart.png"], "--count"),
        (["--take-out"], "--seen"),
        (["--versus", "--count", "land", "--vary", "land", "--over", "1-2", "--ask", "land = 1"], "one plan"),
        (["--versus", "--given", "land = 1", "--count", "land"], "one deck"),
        (["--versus", "--together", "--count", "land"], "one deck"),
    ],
)
def test_what_cannot_be_asked_together_is_told(deck, capsys, words, says):
    assert says in said(capsys, deck, *words, status=2).err


def test_several_decks_need_a_question_that_is_asked_of_each(deck, capsys):
    assert "--ask" in said(capsys, deck, deck, status=2).err
    assert "--ask" in said(capsys, deck, deck, "--first-turn", "library = 0", status=2).err


@pytest.mark.parametrize("last", [["--each-turn", "draw 1"], ["--on-turn", "1: draw 1"]])
@pytest.mark.parametrize("first", [["--mill", "60"], ["--on-turn", "1: mill 60"], ["--each-turn", "mill 60"]])
def test_steps_are_carried_out_in_the_order_in_which_they_are_written(deck, capsys, first, last):
    """Whoever draws after all 60 cards were milled loses, whoever draws before does not (704.5b)."""
    assert "lost = 1: 100.0 %" in said(capsys, deck, *first, *last, "--turns", "1", "--lost").out
    assert "lost = 1: 0.0 %" in said(capsys, deck, *last, *first, "--turns", "1", "--lost").out


def test_plans_are_compared_side_by_side(deck, capsys):
    words = (deck, "--mill", "10", "--versus", "--on-turn", "3: mill 20", "--ask", "land = 0")
    rows = json.loads(said(capsys, *words, "--json").out)["answers"][0]["rows"]
    out = said(capsys, *words).out

    ten, twenty = (comb(36, n) / comb(60, n) for n in (10, 20))
    expected = [
        *(("plan 1", turn, ten) for turn in (1, 2, 3)),
        ("plan 2", 1, 1),
        ("plan 2", 2, 1),
        ("plan 2", 3, twenty),
    ]
    assert [each[:2] for each in expected] == [(row["label"], row["turn"]) for row in rows]
    assert [each[2] for each in expected] == pytest.approx([row["probability"] for row in rows])
    assert "plan 2: Plan, on the draw\n  turn 3: mill 20\n" in out


def test_each_deck_may_have_a_plan_of_its_own(deck, capsys, tmp_path):
    other = tmp_path / "other.txt"
    other.write_text("17 Swamp\n43 Grizzly Bears\n", encoding="utf-8")
    words = ("--draw", "7", "--versus", "--draw", "6", "--count", "land in hand", "--turn", "0", "--json")
    (found,) = json.loads(said(capsys, deck, str(other), *words).out)["answers"]

    none = {row["label"]: row["probability"] for row in found["rows"] if row["land in hand"] == 0}
    assert {"deck": comb(36, 7) / comb(60, 7), "other": comb(43, 6) / comb(60, 6)} == pytest.approx(none)
    assert "before turn 1" in found["question"]
    assert "no pairs" in said(capsys, deck, deck, str(other), *words, status=2).err


def test_a_chance_can_be_asked_of_those_games_in_which_something_else_holds(deck, capsys):
    words = (deck, "--draw", "7", "--mill", "10", "--count", "land", "--given", "land in hand = 0", "--ask", "land = 0")
    found = json.loads(said(capsys, *words, "--fractions", "--json").out)
    seen = json.loads(said(capsys, *words, "--simulate", "20000", "--seed", "1", "--json").out)

    expected = Fraction(comb(29, 10), comb(53, 10))
    (shown,) = found["distributions"]
    assert str(expected) == found["probabilities"]["land = 0"]["fraction"]
    assert {"value": float(expected), "fraction": str(expected)} == dict(map(repr_first, shown["outcomes"]))[0]
    assert shown["title"].endswith("given land in hand = 0")
    assert seen["probabilities"]["land = 0"]["trials"] < 20000


def repr_first(outcome):
    (value,), number = outcome
    return value, number


def test_what_was_seen_may_be_in_the_library_no_more(deck, capsys):
    words = (deck, "--seen", "Island", "--mill", "1", "--ask", "land = 1", "--fractions", "--json")

    assert "2/5" == json.loads(said(capsys, *words).out)["probabilities"]["land = 1"]["fraction"]
    assert "23/59" == json.loads(said(capsys, *words, "--take-out").out)["probabilities"]["land = 1"]["fraction"]


def test_counts_are_told_together_and_so_is_what_can_always_be_asked(deck, capsys):
    counts = [word for name in ("land", "creature", "Hand") for word in ("--count", name)]
    found = json.loads(said(capsys, deck, "--draw", "7", "--mill", "2", *counts, "--together", "--json").out)

    joint = found["distributions"][0]
    assert ["land", "creature", "hand"] == joint["names"]
    assert 24 * 20 / comb(60, 2) == pytest.approx({tuple(point): p for point, p in joint["outcomes"]}[1, 1, 7])


def test_means_and_chances_are_told_turn_by_turn(deck, capsys):
    words = (deck, "--each-turn", "mill 3", "--turns", "2", "--count", "land", "--ask", "land = 0", "--by-turn")
    turns = json.loads(said(capsys, *words, "--json").out)["by_turn"]

    assert [0, 1, 2] == [each["turn"] for each in turns]
    assert [0, 3 * 24 / 60, 6 * 24 / 60] == pytest.approx([each["means"]["land"] for each in turns])
    assert [1, *(comb(36, n) / comb(60, n) for n in (3, 6))] == pytest.approx(
        [each["probabilities"]["land = 0"] for each in turns]
    )
    assert "   2            54.00          0.00               6.00          2.40" in said(capsys, *words).out


def test_a_question_need_not_be_of_what_is_counted(deck, capsys):
    assert "land = 1: 40.0 %" in said(capsys, deck, "--mill", "1", "--count", "creature", "--ask", "land = 1").out


@pytest.mark.parametrize("words", [["--ask", "land >= 2"], ["--count", "land", "--view", "at least"], ["--lost"]])
def test_a_chart_shows_the_first_question(deck, capsys, tmp_path, words):
    said(capsys, deck, "--each-turn", "mill 2", "--turns", "3", *words, "--plot", str(tmp_path / "chart.png"))
    said(capsys, deck, "--each-turn", "mill 2", "--turns", "3", "--plot", str(tmp_path / "library.png"))

    assert (tmp_path / "chart.png").read_bytes() != (tmp_path / "library.png").read_bytes()


def test_standard_input_is_one_deck(deck, capsys):
    assert "one deck list" in said(capsys, "-", "-", "--count", "land", status=2).err
