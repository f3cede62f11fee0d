"""The terminal command: what it prints, and the status it ends with."""

from __future__ import annotations

import argparse
import gzip
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rulekit import cli
from rulekit.commands import lab
from rulekit.rules import BadData, Illegal, RulekitError, TooMany, Unknown
from tests.conftest import ROOT

REFUSALS = [
    Illegal("702.6a", "Alice cannot activate equip in Bob's end step.", ["pass"]),
    BadData("no permanent is called 'bear'.", file="doubled.yaml", line=14, key="attack"),
    Unknown("card", "Grizly Bears", ["Grizzly Bears"]),
    TooMany("this question needs 41,000,000 cells, the limit is 20,000,000."),
]


def failing(failure: BaseException) -> Callable[[argparse.Namespace], int]:
    def run(options: argparse.Namespace) -> int:
        raise failure

    return run


@pytest.mark.parametrize("name", cli.NAMES)
def test_each_command_has_help_with_an_example_and_exit_statuses(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        cli.main([name, "--help"])

    told = capsys.readouterr().out
    assert f"\n  rulekit {name}" in told
    assert "\nexit status:\n  0    done\n" in told
    assert "\n  130 " in told


def test_every_command_is_told() -> None:
    modules = (ROOT / "rulekit" / "commands").glob("*.py")
    there = {path.stem for path in modules if "\ndef run(" in path.read_text(encoding="utf-8")}

    assert there == set(cli.NAMES)


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: type(refusal).__name__)
def test_a_refusal_is_printed_without_a_traceback(
    refusal: RulekitError, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lab, "run", failing(refusal))

    assert cli.main(["lab"]) == 2
    assert f"{refusal}\n" == capsys.readouterr().err


def test_ctrl_c_ends_with_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(lab, "run", failing(KeyboardInterrupt()))

    assert cli.main(["lab"]) == 130
    assert "Traceback" not in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lab, "run", failing(PermissionError(13, "Permission denied", "odds.csv")))

    assert cli.main(["lab"]) == 2
    assert "odds.csv" in capsys.readouterr().err


def test_a_command_that_is_none_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(["lob"])

    assert set(cli.NAMES) <= set(re.findall(r"\w+", capsys.readouterr().err))


def test_a_reader_who_has_seen_enough_causes_no_traceback() -> None:
    program = (
        "import sys\nfrom rulekit import cli\nfrom rulekit.commands import lab\n"
        "lab.run = lambda options: print('a line\\n' * 100_000) or 0\nsys.exit(cli.main(['lab']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()

        assert process.stderr.read() == ""


def ended(words: list[str], program: str, **own: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process whose streams and modules a line of Python has changed."""
    call = [sys.executable, "-c", f"import os, sys\n{program}\nfrom rulekit.cli import main\nsys.exit(main())", *words]
    return subprocess.run(
        call, cwd=ROOT, env={**os.environ, **own}, capture_output=True, encoding="utf-8", check=False, timeout=60
    )


@pytest.mark.parametrize(
    "words", [["rule", "701.17b"], ["check", "--list"], ["deck", "-"], ["play", "mill/701.17b-library-runs-out"]]
)
def test_closed_streams_cause_no_traceback(words: list[str]) -> None:
    done = ended(words, "sys.stdout = sys.stdin = None")

    assert done.returncode == (2 if words[0] == "deck" else 0)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_bars_are_printed_where_a_terminal_has_no_such_signs(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text("24 Island\n36 Grizzly Bears\n")
    done = ended(["deck", str(tmp_path / "deck.txt")], "", PYTHONIOENCODING=encoding)

    assert (0, "") == (done.returncode, done.stderr)
    assert ("█" if encoding == "utf-8" else "#") * 24 in done.stdout


def test_what_goes_to_a_file_is_utf_8_whatever_the_system_prefers(tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text("4 Lim-Dûl's Vault\n", encoding="utf-8")
    words = ["deck", str(tmp_path / "deck.txt"), "--list"]
    done = ended(words, "", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", PYTHONIOENCODING="")

    assert "Lim-Dûl's Vault" in done.stdout


def test_letters_lose_their_accents_before_they_are_lost() -> None:
    cli._open_streams()

    assert b"Lim-Dul +/- ## ?" == "Lim-Dûl ± ██ 猫".encode("ascii", "rulekit.plain")


@pytest.mark.parametrize(("name", "module"), [("cards --catalogue", "tqdm"), ("odds -", "numpy")])
def test_what_is_not_installed_is_named_with_how_to_get_it(name: str, module: str) -> None:
    done = ended(
        name.split(), f"sys.modules[{module!r}] = None\nsys.stdin = __import__('io').TextIOWrapper(open(0, 'rb'))"
    )

    assert done.returncode == 2
    assert f"pip install {module}" in done.stderr or "no card in this list" in done.stderr
    assert "Traceback" not in done.stderr


STEERING = """\
title: "\\e[31mred \\u202eturned"
question: "\\e[31mred"
rules: ["701.17a"]
tags: ["\\e[31mred"]
given:
  players: [Alice, "B\\e[31mob"]
  "B\\e[31mob": {library: [Island]}
do: [{instruct: {mill: 1, player: "B\\e[31mob"}}]
expect: {"B\\e[31mob.graveyard": [Forest]}
"""


@pytest.mark.parametrize(
    "words", [["check"], ["check", "--list"], ["play"], ["cards", "--unread"], ["cards", "--card"]]
)
def test_texts_that_steer_a_terminal_are_shown_as_they_are_written(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "Odd \x1b[31m\u202e"
    card = {
        "name": name,
        "layout": "normal",
        "type_line": "Artifact",
        "mana_cost": "{1}",
        "oracle_text": "\x1b[31mFoo.",
    }
    (tmp_path / "cards").write_text(json.dumps([card]), encoding="utf-8")
    (tmp_path / "steering.yaml").write_text(STEERING, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("next\nlog\n"))
    file = tmp_path / ("cards" if words[0] == "cards" else "steering.yaml")
    cli.main([words[0], str(file), *words[1:], *[name] * ("--card" in words)])
    said = capsys.readouterr()

    assert "\\x1b[31m" in said.out
    assert not {"\x1b", "\u202e"} & set(said.out + said.err)


@pytest.mark.parametrize("kind", ["a folder", "missing", "binary", "empty", "unreadable", "in a circle", "a device"])
@pytest.mark.parametrize("name", ["cards", "check", "deck", "odds", "play"])
def test_a_file_that_is_none_is_refused_in_a_few_lines_without_a_traceback(
    name: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path(os.devnull) if kind == "a device" else tmp_path / "odd.yaml"
    if kind == "a folder":
        file.mkdir()
    elif kind == "in a circle":
        file.symlink_to(file)
    elif kind not in ("missing", "a device"):
        file.write_bytes(bytes(range(256)) * 4 if kind == "binary" else b"" if kind == "empty" else b"4 Island")
    if kind == "unreadable":
        file.chmod(0)
        if os.access(file, os.R_OK):
            pytest.skip("who runs the tests may read everything")
    status = cli.main([name, str(file)])
    said = capsys.readouterr()

    assert status in ((1, 2) if name == "check" else (2,))
    assert len(said.out.splitlines()) + len(said.err.splitlines()) <= 12
    assert "Traceback" not in said.out + said.err
    assert "\x1b" not in said.out + said.err, "colour is for terminals alone"


PROGRAM = "import sys\nfrom rulekit.cli import main\nprint('ready', file=sys.stderr, flush=True)\nsys.exit(main())"
LONG = ("--draw", "7", "--each-turn", "draw 1", "--each-turn", "mill 3; chance 0.7", "--turns", "12", "--seed", "1")
posix = pytest.mark.skipif(os.name == "nt", reason="Ctrl-C cannot be sent to one process on Windows")


def stopped(
    words: list[str], enough: Callable[[str], bool], tmp_path: Path, program: str = PROGRAM
) -> tuple[int, str, str]:
    """Send Ctrl-C to a command, once what it has told on its error output is enough; give status, output, errors."""
    told = tmp_path / "told"
    with (
        told.open("w") as errors,
        subprocess.Popen(
            [sys.executable, "-c", program, *words], stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT
        ) as process,
    ):
        end = time.monotonic() + 60
        while not enough(told.read_text()) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    return process.returncode, out, told.read_text()


@posix
def test_ctrl_c_in_the_middle_of_a_simulation_prints_what_was_played_and_leaves_nothing(tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text("24 Island\n36 Grizzly Bears\n")
    words = ["odds", str(deck), *LONG, "--count", "land", "--simulate", "200000000"]
    program = PROGRAM.replace("sys.exit", "sys.stderr.isatty = lambda: True\nsys.exit")  # so that progress is told
    status, out, errors = stopped(words, lambda told: "±" in told, tmp_path, program)

    assert 130 == status
    assert "Interrupted before the 200,000,000 trials that were asked for." in out
    assert "Traceback" not in errors


@posix
@pytest.mark.parametrize("seconds", [0.1, 0.5, 1.5])
def test_ctrl_c_at_any_moment_ends_with_130_and_without_a_traceback(seconds: float, tmp_path: Path) -> None:
    """The moments are counted from when Python has loaded the command: before that nothing of ours runs."""
    started: list[float] = []

    def enough(told: str) -> bool:
        if "ready" in told and not started:
            started.append(time.monotonic())
        return bool(started) and time.monotonic() > started[0] + seconds

    status, _, errors = stopped(["check"], enough, tmp_path)

    assert 130 == status
    assert "Stopped." in errors
    assert "Traceback" not in errors


CARD = {
    "name": "Ruin Crab", "layout": "normal", "type_line": "Creature — Crab", "mana_cost": "{U}",
    "power": "0", "toughness": "3", "oracle_text": "When this creature enters, mill two cards.",
}  # fmt: skip
FILES = {
    **dict.fromkeys(("deck.txt", "mine.txt", "control.txt", "mill.txt"), "24 Island\n36 Grizzly Bears\n"),
    **dict.fromkeys(("theirs.txt", "combo.txt"), "4 Island\n16 Forest\n4 Ruin Crab\n36 Grizzly Bears\n"),
    "commander.cod": '<cockatrice_deck><zone name="main"><card number="4" name="Island"/></zone></cockatrice_deck>',
    "mill.dek": '<Deck><Cards CatID="1" Quantity="4" Sideboard="false" Name="Island"/></Deck>',
    "oracle-cards.json": json.dumps([CARD]),
    "MagicCompRules.txt": "701.17d An official wording.\n",
}  # fmt: skip
QUESTION = (ROOT / "rulekit/scenarios/bank/mill/701.17b-library-runs-out.yaml").read_text(encoding="utf-8")
EXAMPLES = [
    (name, line)
    for name, command in zip(cli.NAMES, cli.commands(), strict=True)
    for line in command.EXAMPLES.replace("\\\n", " ").splitlines()
    if name != "lab"
]


@pytest.mark.parametrize(("name", "line"), EXAMPLES, ids=[line.strip() for _, line in EXAMPLES])
def test_every_example_of_a_help_text_can_be_typed(
    name: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for file, text in FILES.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    (tmp_path / "oracle-cards.json.gz").write_bytes(gzip.compress(FILES["oracle-cards.json"].encode()))
    (tmp_path / "scenarios").mkdir()
    for scenario in ("my-scenario.yaml", "scenarios/one.yaml"):
        (tmp_path / scenario).write_text(QUESTION, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"4 Island\n" if name == "deck" else b"next\nlog\n")))
    command, *words = shlex.split(line.rpartition("|")[2], comments=True)
    words = ["2" if word == "100" and "--policy" in words else word for word in words]
    words = words[: words.index(">")] if ">" in words else words

    assert "rulekit" == command
    assert 0 == cli.main(words), capsys.readouterr()
    assert capsys.readouterr().out
