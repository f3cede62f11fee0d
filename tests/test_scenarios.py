"""The bank: every scenario of the package is played and ends as it expects."""

from __future__ import annotations

from functools import cache

import pytest

from rulekit import rules
from rulekit.cards.pool import CardPool
from rulekit.engine.text import abilities_of
from rulekit.scenarios.report import Result
from rulekit.scenarios.scenario import BANK, Scenario

FILES = {file.relative_to(BANK).as_posix(): file for file in sorted(BANK.rglob("*.yaml"))}


@cache
def _played(path: str) -> Result:
    return Scenario.read(FILES[path]).play()


@pytest.mark.parametrize("path", FILES)
def test_a_scenario_ends_as_it_expects(path: str) -> None:
    result = _played(path)

    assert not result.counts_as_failed, str(result)


@pytest.mark.parametrize("path", FILES)
def test_the_game_of_a_scenario_is_written_as_a_scenario_that_passes(path: str) -> None:
    """Written as a file from its first position, its actions and answers, and read and played again."""
    game = _played(path).game
    assert game is not None

    assert "passed" == Scenario.from_game(game).play().status


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


REFUSALS = (  # the table of refusals in the description of the format, one number for each class
    "601.2c", "702.6a", "702.6c", "702.6e", "702.16b", "702.18a", "702.11b", "702.11c", "118.3", "701.17b", "702.174a",
    "301.5d", "601.3", "602.5", "702.151a", "302.6", "702.16f", "702.9b", "509.1b", "508.1c", "701.17c", "702.26b",
)  # fmt: skip


@cache
def _cast() -> frozenset[tuple[str, bool]]:
    """Return the names of the spells that are cast in the bank, each with whether something was promised."""
    found = set()
    for path in FILES:
        game = _played(path).game
        log = game.log if game is not None else ()
        promised = {event.objects[0] for event in log if event.kind == "gift promised"}
        found |= {(event.names[0], event.objects[0] in promised) for event in log if event.kind == "cast"}
    return frozenset(found)


GIFTS = tuple(
    name
    for name in CardPool.catalogue()
    if any(ability.keyword == "gift" for ability in abilities_of(CardPool.catalogue().find(name)))
)


@pytest.mark.parametrize("name", GIFTS)
def test_a_gift_card_is_cast_with_its_promise_and_without(name: str) -> None:
    """702.174a"""
    assert {(name, True), (name, False)} <= _cast()


def test_each_class_of_refusals_is_asked_about() -> None:
    cited = {step.beside.get("because") for file in FILES.values() for step in Scenario.read(file).do}

    assert set() == set(REFUSALS) - cited


STEPS_OF_CASTING = {"601.2b", "601.2c", "601.2d", "601.2g", "601.2h"}


def test_what_is_asked_while_casting_or_activating_names_its_step_and_a_rule() -> None:
    """601.2, 602.2; what is paid as something resolves is paid by 118.12, its symbols as 107.4e and 107.4f say."""
    begun, stacked, paid = ("cast", "activate"), set(), set()
    for path in list(FILES)[::5]:
        game = _played(path).game
        for each in game.path() if game is not None else ():
            asked = each.decision
            if asked is None or each.action is None:
                continue
            assert rules.known(asked.rule), (path, asked)
            if getattr(each.action, "kind", "") in begun and asked.step:
                stacked.add(asked.step)
            elif asked.kind == "pay cost":
                paid.add(asked.rule)

    assert STEPS_OF_CASTING >= stacked
    assert {"601.2b", "601.2c", "601.2h"} <= stacked
    assert {"118.12", "605.3a", "107.4e", "107.4f"} >= paid - {"601.2g", "601.2h"}
