"""rulekit play: what is typed, what is printed, and how it ends."""

from __future__ import annotations

import contextlib
import io
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulekit import cli
from rulekit.scenarios.scenario import Scenario
from tests.conftest import ROOT

MILL_TEN = """\
title: Milling ten with three left
rules: ["701.17b"]
question: What is milled?
answer: The three that there are.
given:
  Alice: {hand: [Glimpse the Unthinkable]}
  Bob: {library: [3 Island]}
do:
  - cast: Glimpse the Unthinkable
    targets: [Bob]
  - resolve
expect: {Bob.library: 0, Bob.graveyard: 3}
"""
CAST, AT_ALICE, AT_BOB = "2", "1", "2"  # the options: pass, cast; Alice, Bob
Played = Callable[..., str]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mill-ten.yaml"
    path.write_text(MILL_TEN, encoding="utf-8")
    return path


@pytest.fixture
def played(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Played:
    """Type lines, and get what was printed."""

    def play(*typed: str) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        assert cli.main(["play", str(file)]) == 0
        return capsys.readouterr().out

    return play


def test_it_opens_with_the_question_the_position_and_a_numbered_list(played: Played) -> None:
    said = played()

    assert "What is milled?" in said
    assert "library 3: Island ×3" in said
    assert "Alice has priority (117.1).\n  1  pass\n  2  cast Glimpse the Unthinkable\n" in said
    assert "The three that there are." not in said


def test_enter_follows_the_scenario_to_its_answer(played: Played) -> None:
    said = played("", "", "", "")

    assert "> Alice begins to cast Glimpse the Unthinkable (601.2a)" in said
    assert "701.17a  Bob mills 3 cards: Island ×3" in said
    assert "graveyard 3: Island ×3" in said
    assert "The scenario ends here.\nThe three that there are.\n701.17b  " in said


def test_a_number_decides_otherwise_and_undo_leads_back(played: Played) -> None:
    said = played(CAST, AT_ALICE, "all", "next", "undo", "undo", "undo", AT_BOB, "next")

    assert "Alice mills 10 cards: Filler ×10" in said
    assert "The scenario does not go this way." in said
    assert "Bob mills 3 cards: Island ×3" in said.partition("The scenario does not go this way.")[2]


def test_undo_at_the_beginning_changes_nothing(played: Played) -> None:
    assert "This is the beginning." in played("undo")


def test_why_tells_the_chain_of_causes_with_the_rules(played: Played) -> None:
    said = played("", "", "", "log")
    (number,) = {line.split()[0] for line in said.splitlines() if "Bob mills 3" in line}

    causes = played("", "", "", f"why {number}").rpartition("  1  pass\n")[2]
    assert "Alice casts Glimpse the Unthinkable, targeting Bob (601.2i)" in causes
    assert "(701.17a)" in causes


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("99", "there is no option 99 here.\n  Possible: 1 to 2."),
        ("0", "there is no option 0 here."),
        ("9" * 4000, "there is no option 9"),
        ("why 1", "Nothing has happened yet."),
        ("why me", "the log has no line 'me'"),
        ("udno", "Did you mean 'undo'?"),
        ("save", "there is no name of a file"),
        ("\x1b]0;title\x07", "no word is called"),
    ],
)
def test_what_cannot_be_done_is_told_and_it_goes_on(played: Played, typed: str, told: str) -> None:
    said = played(typed, "", "")

    assert told in said
    assert "Alice casts Glimpse the Unthinkable, targeting Bob" in said
    assert "\x1b" not in said


def test_a_game_is_saved_as_a_scenario_that_passes_and_no_file_is_lost(
    played: Played, file: Path, tmp_path: Path
) -> None:
    new = tmp_path / "at-alice.yaml"
    said = played(CAST, AT_ALICE, "all", f"save {new}", f"save {new}", f"save {file}")

    assert said.count(f"Written: {new}") == 2
    assert f"{file} is there already." in said
    assert MILL_TEN == file.read_text(encoding="utf-8")
    assert Scenario.read(new).play().status == "passed"
    assert "Alice.library: 10" in new.read_text(encoding="utf-8")


def test_a_question_of_the_bank_is_found_by_its_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\nnever read\n"))

    assert cli.main(["play", "mill/701.17b-library-runs-out"]) == 0
    assert cli.main(["play", "mill/701.17b-library-runs-uot"]) == 2
    assert "Did you mean 'mill/701.17b-library-runs-out'" in capsys.readouterr().err


def test_a_scenario_that_does_not_come_out_says_so_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(MILL_TEN.replace("Bob.library: 0", "Bob.library: 1"), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n" * 4))

    assert cli.main(["play", str(wrong)]) == 0
    assert "line 12: expected Bob.library: 1; found Bob.library: 0" in capsys.readouterr().out


@pytest.mark.parametrize(("terminal", "coloured"), [(True, True), (False, False)])
def test_there_is_colour_only_on_a_terminal(
    played: Played, monkeypatch: pytest.MonkeyPatch, terminal: bool, coloured: bool
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WT_SESSION", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)

    assert coloured == ("\x1b[1m" in played("quit"))


@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
def test_ctrl_c_at_the_prompt_ends_without_a_traceback(file: Path) -> None:
    words = [sys.executable, "-m", "rulekit.cli", "play", str(file)]
    with subprocess.Popen(
        words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        seen = b""
        while b"Alice>" not in seen:
            seen += process.stdout.read(1)
        while process.poll() is None:  # one that comes just before the reading begins is only seen after it
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(1)
        told = process.stderr.read()

    assert process.returncode == 130
    assert told == b"\nStopped.\n"


def test_input_that_is_no_text_is_refused_like_any_other_word(file: Path) -> None:
    words = [sys.executable, "-m", "rulekit.cli", "play", str(file)]
    done = subprocess.run(words, cwd=ROOT, input=b"\xff\xfe\n\xff 1\n2\n", capture_output=True, check=False, timeout=60)

    assert (0, b"") == (done.returncode, done.stderr)
    assert b"target 1 of Glimpse the Unthinkable" in done.stdout
