"""The bank: every scenario of the package is played and ends as it expects."""

from __future__ import annotations

import pytest

from rulekit.scenarios.scenario import BANK, Scenario

FILES = {file.relative_to(BANK).as_posix(): file for file in sorted(BANK.rglob("*.yaml"))}


@pytest.mark.parametrize("path", FILES)
def test_a_scenario_ends_as_it_expects(path: str) -> None:
    result = Scenario.read(FILES[path]).play()

    assert not result.counts_as_failed, str(result)


def test_the_bank_is_whole() -> None:
    """The bank holds at least what it began with."""
    topics = {topic: sum(path.startswith(f"{topic}/") for path in FILES) for topic in ("mill", "gift", "equip")}

    assert topics["mill"] >= 79
    assert topics["gift"] >= 76
    assert topics["equip"] >= 98


def test_every_scenario_has_a_question_an_answer_and_known_rules() -> None:
    for path, file in FILES.items():
        scenario = Scenario.read(file)
        assert scenario.question, path
        assert scenario.answer, path
        assert () == scenario.warnings
