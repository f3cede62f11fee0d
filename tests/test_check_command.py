"""rulekit check: what it prints, and the status it ends with."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulekit import cli
from rulekit.rules import BadData
from rulekit.scenarios.scenario import BANK, Scenario
from tests.conftest import ROOT

GOOD = "title: Twenty life\nrules: ['103.4']\ntags: [life]\nexpect: {Bob.life: 20}\n"
BAD = GOOD.replace("20", "19")
DISPUTED = f"{BAD}disputed: 103.4 says twenty\n"
UNREADABLE = "titel: Twenty life\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with scenarios of every kind, some of them deep inside."""
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "good.yaml").write_text(GOOD, encoding="utf-8")
    (deep / "bad.yml").write_text(BAD, encoding="utf-8")
    (deep / "disputed.yaml").write_text(DISPUTED, encoding="utf-8")
    (deep / "unreadable.yaml").write_text(UNREADABLE, encoding="utf-8")
    (deep / "notes.txt").write_text("no scenario", encoding="utf-8")
    return tmp_path


def test_the_last_line_counts_and_the_status_tells(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 1 == cli.main(["check", str(folder)])
    assert "1 passed, 2 failed" == capsys.readouterr().out.splitlines()[-1]

    assert 0 == cli.main(["check", str(folder / "good.yaml")])
    assert "1 passed, 0 failed" == capsys.readouterr().out.splitlines()[-1]


def test_a_failure_is_printed_with_file_expected_and_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["check", str(folder)])

    printed = capsys.readouterr().out
    assert f"{folder / 'a' / 'b' / 'bad.yml'}: failed" in printed
    assert "line 4, expected: Bob.life: 19" in printed
    assert "found: Bob.life: 20" in printed
    assert "'titel'" in printed
    assert "disputed: 103.4 says twenty" in printed
    assert f"{folder / 'good.yaml'}" not in printed


def test_json_is_one_object(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 1 == cli.main(["check", "--json", str(folder)])

    told = json.loads(capsys.readouterr().out)
    assert {"passed": 1, "failed": 2} == {key: told[key] for key in ("passed", "failed")}
    assert ["bad.yml", "disputed.yaml", "unreadable.yaml", "good.yaml"] == [
        Path(r["file"]).name for r in told["results"]
    ]
    assert ["failed", "disputed", "unreadable", "passed"] == [result["status"] for result in told["results"]]
    assert {"file", "status", "expected", "found", "log", "warnings"} == set(told["results"][0])
    assert (["Bob.life: 19"], ["Bob.life: 20"]) == (told["results"][0]["expected"], told["results"][0]["found"])


def test_a_scenario_is_listed_with_title_rules_and_tags(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == cli.main(["check", "--list", str(folder / "good.yaml")])

    printed = capsys.readouterr().out
    assert "Twenty life" in printed
    assert "rules: 103.4" in printed
    assert "tags: life" in printed


@pytest.mark.parametrize(("option", "word"), [("--tag", "gift"), ("--rule", "701.17d")])
def test_a_tag_and_a_rule_select(option: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["check", "--list", option, word])

    titles = sum(not line.startswith(" ") for line in capsys.readouterr().out.splitlines())
    scenarios = [Scenario.read(file) for file in BANK.rglob("*.yaml")]
    assert titles == sum(word in (*each.tags, *each.rules) for each in scenarios)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["no-such-file.yaml"], "there is no such file"),
        (["--tag", "gfit"], "gift"),
        (["--tag", "gift", "--rule", "199.9"], "no scenario is about gift and 199.9"),
    ],
)
def test_nothing_to_check_ends_with_2_and_says_why(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 2 == cli.main(["check", *words])
    assert told in capsys.readouterr().err


def test_a_folder_without_scenarios_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 2 == cli.main(["check", str(tmp_path)])
    assert "no scenario in this folder" in capsys.readouterr().err


def test_an_unknown_option_ends_with_2() -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(["check", "--jsno"])


def test_a_rule_that_the_index_lacks_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(GOOD.replace("103.4", "199.9z"), encoding="utf-8")

    assert 0 == cli.main(["check", str(file)])
    captured = capsys.readouterr()
    assert "odd.yaml:2: rules: the index of rules has no 199.9z." in captured.err
    assert "1 passed, 0 failed" == captured.out.splitlines()[-1]


@pytest.mark.parametrize(("odd", "near"), [("701.17z", "701.17d"), ("601.99", "601.7")])
def test_a_rule_that_the_index_lacks_is_a_mistake_in_the_bank_of_the_package(odd: str, near: str) -> None:
    """It is told with its line, its key and the nearest numbers that exist."""
    text = GOOD.replace("103.4", odd)
    elsewhere = Scenario.read_text(text, "mine.yaml")
    with pytest.raises(BadData) as refused:
        Scenario.read_text(text, "ours.yaml", strict=True)

    (told,) = elsewhere.warnings
    assert told.startswith(f"mine.yaml:2: rules: the index of rules has no {odd}. Did you mean ")
    assert near in told
    assert f"ours.yaml:2: rules: the index of rules has no {odd}. Did you mean " in str(refused.value)
    assert told in str(elsewhere.play())


def test_a_file_named_twice_is_checked_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["check", str(folder / "good.yaml"), str(folder / "good.yaml")])

    assert "1 passed, 0 failed" == capsys.readouterr().out.splitlines()[-1]


def test_names_with_any_signs_are_files_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = tmp_path / "a folder — with [signs]" / "Fire ∕∕ Ice.yaml"
    odd.parent.mkdir()
    shutil.copy(BANK / "mill" / "107.1a-half-a-library-rounded-down.yaml", odd)

    assert 0 == cli.main(["check", str(odd.parent)])
    assert "1 passed, 0 failed" == capsys.readouterr().out.splitlines()[-1]


def test_a_scenario_on_which_rulekit_breaks_does_not_hide_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(scenario: Scenario) -> None:
        raise KeyError(scenario.title)

    monkeypatch.setattr(Scenario, "play", broken)

    assert 1 == cli.main(["check", str(folder)])
    captured = capsys.readouterr().out
    assert "rulekit itself failed, please report it: KeyError" in captured
    assert "0 passed, 4 failed" == captured.splitlines()[-1]


def test_a_scenario_that_reads_an_ability_first_of_all_is_read() -> None:
    """In a process of its own: nothing that reads texts has been imported by another scenario."""
    file = ROOT / "rulekit" / "scenarios" / "bank" / "equip" / "702.21a-ward-is-for-opponents.yaml"
    words = [sys.executable, "-m", "rulekit.cli", "check", str(file)]

    assert "1 passed" in subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
