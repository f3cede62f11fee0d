"""Hostile input and bad luck: long and turned-around names, a cache that is cut off, no home, Ctrl-C."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from rulekit import Card, CardPool, Deck, Scenario
from rulekit.cards import kept
from rulekit.cards.deck import DeckWarning
from rulekit.engine.text import read_card
from rulekit.rules import BadData
from rulekit.scenarios.scenario import BANK
from tests.conftest import ROOT

LONG = "x" * 10_000
STEERING = ["\u202eIsland", "\u2066Island\u2069", "Island\x1b[31m"]
WITHOUT_WIDTH = ["Is\u200bland", "\ufeffIsland", "Is\u00adland"]
SCENARIO = """\
title: {title}
rules: ["701.17a"]
given:
  players: [Alice, {player}]
  {player}: {{library: ["{card}"]}}
do: [{{instruct: {{mill: 1, player: {player}}}}}]
expect: {{{player}.graveyard: ["{card}"]}}
"""
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")


def scenario(title: str = "One", player: str = "Bob", card: str = "Island") -> Scenario:
    return Scenario.read_text(SCENARIO.format(title=title, player=player, card=card))


# -------------------------------------------------------------------- names


def test_a_line_with_a_name_of_10000_characters_is_told_and_the_others_are_read() -> None:
    with pytest.warns(DeckWarning, match="longer than 400"):
        deck = Deck.read(f"4 {LONG}\n1 Forest")

    assert {"Forest": 1} == dict(deck.main)


@pytest.mark.parametrize(
    "names", [{"title": LONG}, {"player": f'"{LONG}"'}, {"card": LONG}], ids=["title", "player", "card"]
)
def test_a_scenario_with_a_name_of_10000_characters_plays_or_is_refused_at_its_line(names: dict[str, str]) -> None:
    started = time.process_time()
    try:
        status = scenario(**names).play().status
    except BadData as refusal:
        status = str(refusal.line)

    assert status in ("passed", "1", "4", "5", "6")
    assert 5 > time.process_time() - started


@pytest.mark.parametrize("name", STEERING, ids=ascii)
def test_a_line_of_a_deck_with_signs_that_steer_what_is_shown_is_another_card(name: str) -> None:
    assert "Island" not in Deck.read(f"1 Forest\n4 {name}").main


@pytest.mark.parametrize("name", WITHOUT_WIDTH, ids=ascii)
def test_signs_without_width_that_pages_put_between_letters_change_no_card_of_a_deck(name: str) -> None:
    deck = Deck.read(f"1 Forest\n4 {name}")

    assert ({"Forest": 1, "Island": 4}, ()) == (dict(deck.main), tuple(deck.unknown))


@pytest.mark.parametrize("name", STEERING + WITHOUT_WIDTH, ids=ascii)
def test_a_card_of_a_scenario_whose_name_has_signs_that_nobody_sees_is_another_card(name: str) -> None:
    with pytest.raises(BadData) as refusal:
        scenario(card=name.replace("\x1b", "\\x1b"))
    assert "Did you mean 'Island'?" in str(refusal.value)
    assert all(sign.isprintable() or sign == "\n" for sign in str(refusal.value))


@pytest.mark.parametrize("sign", ["\u200b", "\u202e", "\u2066", "\u00ad"], ids=ascii)
def test_a_text_with_signs_that_nobody_sees_is_not_understood_by_luck(sign: str) -> None:
    card = Card.from_catalogue(
        "Odd", {"types": "Artifact", "abilities": [{"triggered": f"this ent{sign}ers → you mill 2"}]}
    )

    assert "not understood" == read_card(card).status


def test_a_text_of_10000_words_is_read_in_bounded_time() -> None:
    started = time.process_time()
    texts = [
        "w " * 10_000,
        "creatures you control get +1/+1 and " * 1_000,
        "mill " * 10_000,
        '"' * 10_000,
        "{T}" * 5_000,
    ]

    assert {"not understood"} == {read_card(Card("Long", "", "Artifact", text)).status for text in texts}
    assert 20 > time.process_time() - started


# -------------------------------------------------------------------- bad luck


def run(program: str, **own: str) -> subprocess.CompletedProcess[str]:
    """Run a program apart, with an environment that differs in some variables; one that is "" is not set."""
    there = {name: value for name, value in ({**os.environ, **own}).items() if value}
    call = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(call, cwd=ROOT, env=there, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture
def card_file(tmp_path: Path) -> Path:
    path = tmp_path / "cards.json"
    entry = {"name": "One", "layout": "normal", "type_line": "Artifact", "mana_cost": "{1}", "oracle_text": ""}
    path.write_text(json.dumps([entry]), encoding="utf-8")
    return path


@posix
def test_a_cache_that_was_killed_in_the_middle_of_writing_is_never_read(tmp_path: Path, card_file: Path) -> None:
    home = tmp_path / "cache"
    read = f"from rulekit import CardPool\nprint(list(CardPool.read({str(card_file)!r})))"
    dying = f"import os, signal\nos.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n{read}"

    assert -signal.SIGKILL == run(dying, XDG_CACHE_HOME=str(home)).returncode
    assert 1 == len([path for path in home.rglob("*") if path.is_file()])
    for _ in range(2):
        done = run(read, XDG_CACHE_HOME=str(home))
        assert ("['One']\n", "") == (done.stdout, done.stderr)


@pytest.mark.parametrize("failure", [KeyboardInterrupt, OSError])
def test_what_ends_the_writing_of_a_kept_file_leaves_none_behind(
    failure: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise failure

    monkeypatch.setattr(kept, "place", lambda name: tmp_path / "folder" / name)
    monkeypatch.setattr(os, "replace", fails)
    with contextlib.suppress(KeyboardInterrupt):
        kept.write("one", b"whole")

    assert [] == list((tmp_path / "folder").iterdir())


@posix
@pytest.mark.parametrize("home", ["", "/dev/null"])
def test_without_a_home_everything_works(card_file: Path, home: str) -> None:
    program = f"""
        from rulekit import CardPool, Deck, Plan, exact, question
        assert ["One"] == list(CardPool.read({str(card_file)!r}))
        assert "passed" == question("mill/701.17b-library-runs-out").play().status
        plan = Plan().on_turn(1, "mill 1")
        print(exact(Deck.read("4 Island\\n4 Filler"), plan, count=["land"], turns=1).p("land = 1", turn=1))
    """
    done = run(program, HOME=home, XDG_CACHE_HOME="", XDG_CONFIG_HOME="")

    assert ("0.5\n", "") == (done.stdout, done.stderr)


@posix
def test_ctrl_c_while_scenarios_are_checked_ends_at_once_and_leaves_no_process(tmp_path: Path) -> None:
    first = tmp_path / "a.yaml"
    first.write_text(
        scenario(title="Fails at once").text.replace("graveyard: [Island]", "graveyard: 2"), encoding="utf-8"
    )
    call = [sys.executable, "-m", "rulekit.cli", "check", str(first), str(BANK / "equip")]
    with subprocess.Popen(
        call, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert b"failed" in process.stdout.readline()  # the first is played, the others are not
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=30)

    assert (130, b"\nStopped.\n") == (process.returncode, told)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"type_line": 7}, "its type_line is no text"),
        ({"card_faces": [None]}, "its card_faces is no list of objects"),
        ({"card_faces": [{"type_line": "Artifact"}]}, "one of its card_faces has no name"),
        ({"card_faces": [{"name": "One", "mana_cost": [1]}]}, "its mana_cost is no text"),
        ({"colors": "G"}, "its colors is no list of texts"),
        ({"promo_types": [["playtest"]]}, "its promo_types is no list of texts"),
        ({"foreignData": [1]}, "its foreignData is no list of objects"),
        ({"identifiers": "7"}, "its identifiers are no object"),
    ],
)
@pytest.mark.parametrize("form", ["Scryfall", "MTGJSON"])
def test_a_card_with_a_value_of_another_kind_is_refused_by_name_and_key(
    form: str, wrong: dict[str, object], says: str, tmp_path: Path
) -> None:
    entry = {"name": "Odd Bear", "type_line": "Artifact", **wrong}
    data = [entry] if form == "Scryfall" else {"data": {"Odd Bear": [entry]}}
    (tmp_path / "cards.json").write_text(json.dumps(data), encoding="utf-8")

    with pytest.raises(BadData, match="entry 1, 'Odd Bear', is no card: " + says):
        CardPool.read(tmp_path / "cards.json", use_cache=False)
