"""The terminal command: what it prints, and the status it ends with."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable

import pytest

from rulekit import cli
from rulekit.commands import lab
from rulekit.rules import BadData, Illegal, RulekitError, TooMany, Unknown

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


@pytest.mark.parametrize("command", cli.COMMANDS, ids=lambda command: command.__name__)
def test_each_command_has_help_with_an_example(command: cli.Command, capsys: pytest.CaptureFixture[str]) -> None:
    name = command.__name__.rpartition(".")[2]

    with pytest.raises(SystemExit, match="0"):
        cli.main([name, "--help"])

    assert f"\n  rulekit {name}" in capsys.readouterr().out


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

    assert "lab" in capsys.readouterr().err


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
