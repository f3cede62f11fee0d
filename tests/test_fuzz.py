"""`python3 start.py fuzz`: what it feeds is read today, and what it says when it cannot run or finds something."""

from __future__ import annotations

import importlib.util
import subprocess
import warnings
from subprocess import CompletedProcess

import pytest

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
