"""Understood means run: a random tenth of all cards that are called understood is played, whatever each can do."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.engine.abilities import WORDS
from rulekit.engine.events import Run, Table
from tests.card_runs import cards_known, run_card, told, understood
from tests.card_table import table

LEFT = 0.05  # of what the cards can do at most so much may be beyond what the table can set up


def test_a_random_tenth_of_the_cards_understood_does_what_it_says(
    shared_data: Path, record_property: Callable[[str, object], None]
) -> None:
    seed = int(os.environ["RULEKIT_SEED"])
    cards = cards_known()
    results = [run_card(card, seed) for card in understood(random.Random(seed).sample(cards, len(cards) // 10))]
    record_property("told", f"seed {seed} (RULEKIT_SEED={seed} takes the same): {told(results)}")
    violations = [found for ran in results for found in ran.violations]
    left = sum(len(ran.not_set_up) for ran in results)

    assert [] == violations, f"seed {seed}"
    assert left <= LEFT * (left + sum(len(ran.ran) for ran in results)), told(results)


def test_a_legendary_card_is_the_only_one_of_its_name_on_its_side_of_the_table() -> None:
    """704.5j: otherwise it would have to be asked which one stays."""
    game = table(CardPool.catalogue()["Jace Beleren"], where="battlefield")
    mine = [game.state.name(number) for number in game.state.permanents("Alice")]

    assert 1 == mine.count("Jace Beleren")


def test_what_a_card_cannot_be_made_to_do_is_listed() -> None:
    never = "At the beginning of your upkeep, if you have 500 or more life, you win the game."
    ran = run_card(Card("Odd Wish", "{U}", "Enchantment", never + "\n{1}: Draw a card."))

    assert ["cast Odd Wish", "{1}: Draw a card."] == ran.ran
    assert [never] == ran.not_set_up


def test_a_card_that_breaks_a_rule_of_the_game_is_told_with_the_way_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgets_a_card(t: Table, who: tuple[str, ...], n: int) -> Run[None]:
        top = t.state.zone("library", who[0])[0]
        t.state = t.state.but(objects={n: thing for n, thing in t.state.objects.items() if n != top})
        return
        yield

    monkeypatch.setitem(WORDS, "draw", replace(WORDS["draw"], body=forgets_a_card))
    ran = run_card(Card("Hole", "{B}", "Sorcery", "Target player draws a card."))

    (told_of,) = ran.violations
    assert "objects without a zone" in told_of
    assert "cast" in told_of


LANDS = "Whenever a nonbasic land an opponent controls enters, you gain 1 life."
ROGUES = "Whenever an artifact you control enters, put a +1/+1 counter on target Rogue you control."
AIMLESS = "When Lookout enters, you may draw a card. When you do, counter target spell with mana value 17."


@pytest.mark.parametrize("text", [LANDS, ROGUES, AIMLESS])
@pytest.mark.parametrize("seed", [1, 33])
def test_what_an_ability_waits_for_is_tried_first(text: str, seed: int) -> None:
    """A later trigger without a target does not undo the one before it."""
    ran = run_card(Card("Lookout", "{U}", "Creature — Rogue", text, power=1, toughness=2), seed)

    assert [] == ran.not_set_up
