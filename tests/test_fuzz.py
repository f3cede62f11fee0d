"""`python3 start.py fuzz`: what it feeds is read today, and what it says when it cannot run or finds something.

What coverage leads it to is random bytes; here are inputs of the right form with wrong things in them (hypothesis).
"""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulekit import CardPool, Deck, Plan, Scenario, exact, simulate
from rulekit.cli import main
from rulekit.engine.text import read_card
from rulekit.rules import RulekitError
from tests import fuzz

STATISTICS = "stat::number_of_executed_units: 1234\n"


@pytest.fixture
def atheris(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if it were installed."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)


def ends(monkeypatch: pytest.MonkeyPatch, status: int, said: str = "") -> None:
    """Let each target end with a status."""
    done = CompletedProcess([], status, "", f"{said}\n{STATISTICS}")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)


@pytest.mark.parametrize("name", fuzz.TARGETS)
def test_what_it_begins_with_is_read_or_refused(name: str) -> None:
    assert fuzz.SEEDS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in [*fuzz.SEEDS[name], b"", b"\xff\x00"]:
            try:
                fuzz.TARGETS[name](seed)
            except RulekitError:
                continue


def test_without_atheris_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    assert 2 == fuzz.main([])
    assert "pip install atheris" in capsys.readouterr().out


@pytest.mark.usefixtures("atheris")
def test_a_target_that_is_none_is_answered_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        fuzz.main(["dance"])

    assert ", ".join(fuzz.TARGETS) in capsys.readouterr().err


@pytest.mark.usefixtures("atheris")
def test_a_finding_is_told_with_what_was_said_and_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ends(monkeypatch, 77, "KeyError: 'deck'")

    assert 1 == fuzz.main(["deck", "--seconds", "1"])
    assert "deck           1234 inputs  failed" in (said := capsys.readouterr().out)
    assert "KeyError: 'deck'" in said


@pytest.mark.usefixtures("atheris")
def test_nothing_found_is_a_pass_for_each_target(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ends(monkeypatch, 0)

    assert 0 == fuzz.main([])
    assert [f"{name:<9}      1234 inputs  passed" for name in fuzz.TARGETS] == capsys.readouterr().out.splitlines()


# -------------------------------------------------------------------- the right form with wrong things in it

MOST_SECONDS = 20
some = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def answered(asked: Callable[[], object]) -> None:
    """Ask for something; an answer and a refusal are both right, if they come soon."""
    started = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with suppress(RulekitError):
            asked()
    assert MOST_SECONDS > time.process_time() - started


BANK = [path.read_text(encoding="utf-8").splitlines() for path in sorted(fuzz.BANK.rglob("*.yaml"))]
WORDS = sorted({word for lines in BANK for line in lines for word in line.split()})
VALUES = st.one_of(
    st.sampled_from(WORDS), st.sampled_from(["", "[]", "{}", "-1", "0", "10000000000", "null", "yes", "1.5", "'"]),
    st.text(max_size=8),
)  # fmt: skip
EDITS = st.lists(st.tuples(st.floats(0, 1), st.sampled_from(["drop", "twice", "swap", "word"]), VALUES), max_size=3)


def edited(lines: list[str], edits: list[tuple[float, str, str]]) -> str:
    """Return a scenario with lines left out, doubled or exchanged, and words put in the place of others."""
    lines = list(lines)
    for place, kind, value in edits:
        at = int(place * (len(lines) - 1))
        words = lines[at].split(" ")
        if kind == "word":
            words[int(place * 1e6) % len(words)] = value
            lines[at] = " ".join(words)
        elif kind == "swap":
            lines[at], lines[at - 1] = lines[at - 1], lines[at]
        else:
            lines[at : at + 1] = [] if kind == "drop" and len(lines) > 1 else [lines[at]] * 2
    return "\n".join(lines)


@some
@given(st.sampled_from(BANK), EDITS)
def test_a_scenario_with_wrong_words_and_lines_is_played_or_refused(
    lines: list[str], edits: list[tuple[float, str, str]]
) -> None:
    answered(lambda: Scenario.read_text(edited(lines, edits)).play())


ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6), st.just("{1}{U/B}")),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=6,
)
SOUND: dict[str, Any] = {
    "name": "Odd Bear", "layout": "normal", "type_line": "Creature — Bear", "mana_cost": "{1}{G}", "power": "2",
    "toughness": "2", "oracle_text": "Mill two cards.", "colors": ["G"], "loyalty": "3", "promo_types": ["a"],
    "card_faces": [{"name": "One", "type_line": "Instant", "mana_cost": "{U}", "oracle_text": "Draw a card."}] * 2,
    "object": "card", "mtgo_id": 1, "set_type": "core", "color_indicator": ["U"], "produced_mana": ["G"],
    "type": "Creature — Bear", "manaCost": "{1}{G}", "text": "Mill two cards.", "types": ["Creature"], "side": "a",
    "identifiers": {"mtgoId": "7"}, "foreignData": [{"name": "Bär", "faceName": "Bär"}], "printed_name": "Bär",
}  # fmt: skip
ENTRIES = st.builds(
    lambda kept, changed: {key: value for key, value in SOUND.items() if key in kept} | changed,
    st.sets(st.sampled_from(sorted(SOUND))).map(lambda kept: {*kept, "name"}),
    st.dictionaries(st.sampled_from(sorted(SOUND)), ANYTHING, max_size=2),
)


@some
@given(
    st.one_of(
        st.lists(ENTRIES, max_size=3),
        st.builds(lambda each: {"data": {"Odd Bear": each}}, st.one_of(ENTRIES, st.lists(ENTRIES, max_size=2))),
        ANYTHING,
    )
)
def test_card_data_with_wrong_values_is_read_or_refused(data: Any) -> None:
    def read() -> None:
        pool = CardPool.read(file.name, use_cache=False)
        assert all(read_card(pool[name]).name for name in pool)

    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
        json.dump(data, file)
        file.flush()
        answered(read)


STEPS = st.one_of(
    st.sampled_from([
        "mill 2", "mill half your library, rounded up", "mill cards until 1 land card", "draw 2", "scry 2", "surveil 1",
        "shuffle your library", "each opponent mills X cards", "mill 0", "exile the top card of your library",
        "put the top card of your library on the bottom", "reveal cards until a land card", "mill 1000",
    ]),
    st.lists(st.sampled_from(["mill", "draw", "cards", "land", "until", "2", "then", "each player"])).map(" ".join),
    st.text(max_size=10),
)  # fmt: skip
HOW = st.fixed_dictionaries(
    {},
    optional={
        "chance": st.one_of(st.floats(), st.sampled_from(["1/3", "2", "x", 0, 1])),
        "from_turn": st.integers(-1, 4), "to_turn": st.integers(0, 4), "every": st.integers(0, 3),
        "by": st.sampled_from(["player", "opponent", "nobody"]), "keep": st.sampled_from(["land", "", "?"]),
        "enough": st.integers(-1, 3),
    },
)  # fmt: skip
HANDS = st.sampled_from(["", "1 to 2 lands", "at least 1 nonland card", "5 to 2 lands", "exactly 0 lands", "?"])
COUNTED = st.sampled_from(
    ["land", "land in hand", "total mana value", "card types in graveyard", "named Island", "lnd", ""]
)
ASKED = st.sampled_from(
    ["land >= 1", "library = 0", "hand > 2 and not (lost = 1)", "hits != 1", "land", "((", "hand < 1 or"]
)


@some
@given(st.lists(st.tuples(STEPS, HOW), max_size=3), st.integers(0, 8), HANDS, COUNTED, ASKED, st.booleans())
def test_a_plan_with_wrong_words_and_numbers_is_answered_or_refused(
    steps: list[tuple[str, dict[str, Any]]], size: int, hands: str, counted: str, asked: str, played: bool
) -> None:
    def ask() -> None:
        plan = Plan().opening_hand(size, keep=hands, down_to=1)
        for text, how in steps:
            plan = plan.each_turn(text, **how)
        deck = Deck.read("4 Island\n6 Filler")
        if played:
            answer = simulate(deck, plan, count=[counted], turns=3, trials=20, seed=1)
        else:
            answer = exact(deck, plan, count=[counted], turns=3)
        assert 0 <= float(answer.p(asked)) <= 1 + 1e-9
        assert float(answer.first_turn(asked).missing) <= 1 + 1e-9

    answered(ask)


FLAGS = [
    "--on-the-play",
    "--lost",
    "--fractions",
    "--csv",
    "--json",
    "--by-turn",
    "--together",
    "--take-out",
    "--versus",
]
TAKING = {
    "--draw": ["7", "0", "-1", "61", "x"], "--hand": ["7", "2", "0", "40"], "--keep": ["2 to 5 lands", "", "?"],
    "--down-to": ["1", "9"], "--free": ["1", "-1"], "--bottom": ["lands above 3", "?"], "--mill": ["3", "60", "-2"],
    "--on-turn": ["1: mill 2", "2: draw 1; chance 1/2", "mill 2", "0: mill 1", ": "],
    "--each-turn": ["draw 1", "mill 3; from turn 2", "mill half your library", "draw 0", "; chance 1"],
    "--permanent": ["Bruvac the Grandiloquent", "Nothing", "Bruvac the Grandiloquent; by nobody"],
    "--from-card": ["Ruin Crab", "Island", "Glimpse the Unthinkable"], "--assume": ["ruin_crab_times=2", "x", "x=1"],
    "--known-top": ["Island", "Nothing"], "--known-bottom": ["Grizzly Bears"], "--weight": ["1", "-1", "0", "x"],
    "--seen": ["Island", "Nothing"], "--vary": ["land", "?"], "--over": ["20-22", "2-1", "0 to 60 by 30", "x"],
    "--count": ["land", "land in hand", "hand", "lnd", "total mana value"], "--given": ["hand > 2", "land = 1", "x"],
    "--ask": ["land = 1", "hand > 3 and not lost = 1", "land", "library =", ""], "--watch": ["1", "land = 1", "-1"],
    "--first-turn": ["library = 0", "land >= 3", "x"], "--turn": ["0", "1", "9", "-1"], "--turns": ["3", "0", "201"],
    "--simulate": ["30", "0", "-5", "x"], "--seed": ["1", "-1"], "--policy": ["eager", "opponent=random", "a=b"],
    "--plot": ["chart.gif", "/nowhere/chart.png"], "--view": ["at least", "x"],
}  # fmt: skip
OPTIONS = st.one_of(
    st.sampled_from(FLAGS).map(lambda flag: [flag]),
    st.sampled_from(sorted(TAKING)).flatmap(
        lambda name: st.sampled_from(TAKING[name]).map(lambda value: [name, value])
    ),
)


@some
@given(st.integers(0, 2), st.lists(OPTIONS, max_size=7))
def test_any_words_behind_rulekit_odds_end_with_an_answer_or_a_refusal(others: int, options: list[list[str]]) -> None:
    told, errors = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(told), redirect_stderr(errors):
        deck = Path(folder) / "deck.txt"
        deck.write_text("24 Island\n36 Grizzly Bears\n", encoding="utf-8")
        try:
            status = main(["odds", *[str(deck)] * (others + 1), *(word for each in options for word in each)])
        except SystemExit as end:  # argparse refuses so
            status = int(end.code or 0)

    assert status in (0, 2)
    assert bool(errors.getvalue()) >= (status == 2)
    assert "Traceback" not in told.getvalue() + errors.getvalue()
