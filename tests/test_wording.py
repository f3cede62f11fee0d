"""Abilities as text again: the normal wording that each has, and that it reads as the ability that it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.engine.abilities import Ability, abilities_in
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.paragraphs import normal_wording
from rulekit.engine.text import abilities_of, load_words, read_ability, read_card

CATALOGUE = CardPool.catalogue()

load_words()


@pytest.fixture(scope="module")
def oracle(shared_data: Path) -> CardPool:
    return CardPool.read(shared_data / "oracle_mill_gift_equip.json", use_cache=False)


def of_cards_understood(pool: CardPool) -> Iterator[tuple[str, bool, Ability]]:
    """Each ability of each card of a pool that is understood, with the card's name and whether it is a spell."""
    for card in (pool[name] for name in pool):
        if read_card(card).status == "understood":
            for face in card.faces or (card,):
                spell = bool({"Instant", "Sorcery"} & set(face.types.types))
                yield from ((card.name, spell, ability) for ability in abilities_of(face))


def test_no_ability_of_a_card_that_is_understood_lacks_a_normal_wording(oracle: CardPool) -> None:
    """None falls back on the words that it was read from, nor does one that another grants."""
    lacking = [(name, each.words) for pool in (oracle, CATALOGUE) for name, _, ability in of_cards_understood(pool)
               for each in _with_granted(ability) if not (each.keyword or each.kind == "keyword")
               and not normal_wording(each)]  # fmt: skip

    assert [] == lacking


def _with_granted(ability: Ability) -> list[Ability]:
    """The ability and those that it grants; of an effect that it lets apply for a turn it says everything itself."""
    return [each for each in abilities_in(ability) if each is ability or each.kind != "replacement"]


def test_every_ability_of_an_official_card_reads_as_itself_when_it_is_said(oracle: CardPool) -> None:
    """Our normal wording of an ability gives an equal ability, for all cards understood."""
    different = [(name, ability.text) for name, spell, ability in of_cards_understood(oracle)
                 if ability not in read_ability(ability.text, spell=spell, permanent=not spell)]  # fmt: skip

    assert [] == different


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Creatures you control gain trample and get +X/+X until end of turn, where X is the number of lands you "
         "control.", "Until end of turn, creatures you control gain trample and get +X/+X, where X is the number of "
         "lands you control."),
        ("Search your library for a basic land card, put that card onto the battlefield tapped, then shuffle.",
         "search your library for a basic land card. put it onto the battlefield tapped. shuffle"),
        ("Mill a card. If a land card was milled this way, you gain 1 life. Otherwise, draw a card.",
         "mill a card. draw a card. if a land card was milled this way, gain 1 life instead"),
    ],
)  # fmt: skip
def test_equal_abilities_are_said_alike_however_they_were_written(one: str, other: str) -> None:
    (first,), (second,) = (abilities_of(Card("Odd", "{1}", "Sorcery", text)) for text in (one, other))

    assert first == second
    assert first.text == second.text != ""


def test_equal_granted_abilities_have_the_same_words_whichever_card_grants_them() -> None:
    """What is remembered of one effect is looked up by what it does, so its words must not be those of another card."""
    texts = (f'Equipped creature has "{said}: Draw a card."\nEquip {{1}}' for said in ("{T}, Sacrifice ~", "{T}, "
             "Sacrifice this Equipment"))  # fmt: skip
    granted = [
        each.words
        for name, text in zip(("One Blade", "Another Blade"), texts, strict=True)
        for ability in abilities_of(Card(name, "{1}", "Artifact — Equipment", text.replace("~", name)))
        for each in abilities_in(ability)
        if each.kind == "activated" and not each.keyword
    ]

    assert "{T}, sacrifice ~: draw a card" == granted[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Whenever an opponent mills a land card, draw a card.", "whenever an opponent mills a land card, draw a card"),
        ("If a player would mill one or more cards, that player draws that many cards instead.",
         "if a player would mill one or more cards, that player draws that many cards instead"),
        ("Whenever an opponent draws a card, they may pay {2}. If they don't, they mill two cards.",
         "whenever an opponent draws a card, that player may pay {2}. if they don't, that player mills two cards"),
        ("{G}: Put a +1/+1 counter on Odd.", "{G}: put a +1/+1 counter on this"),
        ("{1}: Exile target card from a graveyard.", "{1}: exile target card from a graveyard"),
    ],
)  # fmt: skip
def test_an_ability_is_said_as_a_player_would(text: str, said: str) -> None:
    assert [said] == [ability.text for ability in abilities_of(Card("Odd", "{1}", "Artifact", text))]


@pytest.mark.parametrize("name", list(CATALOGUE))
def test_what_an_ability_says_reads_as_that_ability(name: str) -> None:
    card = CATALOGUE[name]
    for face in card.faces or (card,):
        spell = bool({"Instant", "Sorcery"} & set(face.types.types))
        for ability in abilities_of(face):
            assert ability in read_ability(ability.text, spell=spell, permanent=not spell), ability.text


def test_the_normal_wording_is_ours() -> None:
    (crab,) = (ability for ability in abilities_of(CATALOGUE["Ruin Crab"]))

    assert "whenever a land you control enters, each opponent mills three cards" == crab.text


def test_every_declared_phrase_of_a_slotless_word_reads_as_that_word() -> None:
    for op in ("your turn", "it was done", "until end of turn", "each opponent", "defending player"):
        for rule in GRAMMAR.spoken[op]:
            if all(isinstance(element, str) for element in rule.elements):
                sort = {"until end of turn": "duration", "each opponent": "players", "defending player": "players"}
                assert op == GRAMMAR.read(sort.get(op, "condition"), " ".join(map(str, rule.elements))).op
