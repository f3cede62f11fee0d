"""Texts that nobody has seen before, played: what a sentence says is what happens."""

from __future__ import annotations

import pytest

from rulekit.scenarios.scenario import Scenario

SPHINX = "a source deals damage to this creature → that source's controller mills that many cards"
BEAST = (
    "this creature or another creature you control enters → that creature fights target creature an opponent controls"
)
GETH = (
    "{X}{B}: Put target artifact or creature card with mana value X from an opponent's graveyard onto the battlefield "
    "under your control tapped. Then that player mills X cards."
)
MANY = "As long as an opponent has eight or more cards in their graveyard, this creature gets +2/+1."
CONFUSION = (
    "Target player mills X cards. If this spell was cast from a graveyard, that player mills twice that many cards "
    "instead."
)
ANGEL = "If damage would be dealt to you, prevent that damage and mill twice that many cards."
HORROR = "this enters → return target permanent to its owner's hand, then that player discards a card"
LESSER = (
    "you sacrifice a creature → you may return target creature card with lesser mana value from your graveyard to the "
    "battlefield tapped"
)
EACH = "Wrecking deals damage to each player equal to the number of lands that player controls."
UNLESS = "Destroy target artifact. Its controller may mill three cards. If they don't, Wrecking deals 3 damage to them."


def played(kind: str, *abilities: tuple[str, str], given: str, do: str, expect: str) -> str:
    """Play a scenario with a card of our own called Wrecking; the status, with what differs."""
    size = ", power: 3, toughness: 4" if "Creature" in kind else ""
    texts = ", ".join(f'{{{sort}: "{text}"}}' for sort, text in abilities)
    text = f"""
title: A text of our own
rules: ["608.2c"]
given:
  players: [Alice, Bob, Carol]
  cards: {{Wrecking: {{cost: "{{X}}{{R}}", types: {kind}{size}, abilities: [{texts}]}}}}
{given}
do: [{do}]
expect: {{{expect}}}"""
    result = Scenario.read_text(text).play()
    return " ".join([result.status, *(f"{each.expected}, but {each.found}" for each in result.differences)])


@pytest.mark.parametrize(
    ("kind", "abilities", "given", "do", "expect"),
    [
        ("Sorcery", [("spell", UNLESS)], "  Alice: {hand: [Wrecking]}\n  Bob: {battlefield: [Sol Ring]}",
         "{cast: Wrecking, x: 0, targets: [Sol Ring]}, resolve, choose: no", "Bob.life: 17, Bob.graveyard: [Sol Ring]"),
        ("Sorcery", [("spell", CONFUSION), ("keyword", "flashback {X}{R}")],
         "  Alice: {graveyard: [Wrecking]}", "{cast: Wrecking, from: graveyard, x: 3, targets: [Carol]}, resolve",
         "Carol.graveyard: 6"),
        ("Creature — Sphinx", [("triggered", SPHINX)],
         "  Alice: {battlefield: [Wrecking]}\n  Bob: {hand: [Lightning Bolt]}",
         "pass, {cast: Lightning Bolt, targets: [Wrecking]}, resolve all", "Bob.graveyard: 4, Alice.graveyard: 0"),
        ("Creature — Beast", [("triggered", BEAST)],
         "  Alice: {battlefield: [Wrecking], hand: [Memnite]}\n  Bob: {battlefield: [Hill Giant]}",
         "cast: Memnite, resolve all", "Memnite.zone: graveyard, Wrecking.zone: battlefield"),
        ("Artifact", [("activated", GETH)],
         "  Alice: {battlefield: [Wrecking]}\n  Bob: {graveyard: [Hill Giant]}",
         "{activate: Wrecking, x: 4, targets: [Hill Giant]}, resolve",
         "Hill Giant.controller: Alice, Hill Giant.tapped: true, Bob.graveyard: 4, Carol.graveyard: 0"),
        ("Creature — Rogue", [("static", MANY)],
         "  Alice: {battlefield: [Wrecking]}\n  Bob: {graveyard: [7 Island]}\n  Carol: {graveyard: [7 Island]}",
         "expect: {Wrecking.power: 3}, instruct: {mill: 1, player: Carol}", "Wrecking.power: 5"),
        ("Creature — Horror", [("triggered", HORROR)],
         "  Alice: {hand: [Wrecking, Plains]}\n  Bob: {battlefield: [Hill Giant], hand: [Island]}",
         "{cast: Wrecking, x: 0}, resolve, choose: Hill Giant, resolve, choose: Island",
         "Bob.graveyard: [Island], Bob.hand: [Hill Giant], Alice.hand: [Plains]"),
        ("Sorcery", [("spell", EACH)],
         "  Alice: {hand: [Wrecking], battlefield: [Island]}\n  Bob: {battlefield: [Forest, Forest]}",
         "{cast: Wrecking, x: 0}, resolve", "Alice.life: 19, Bob.life: 18, Carol.life: 20"),
        ("Artifact", [("activated", "{5}, Exile this card from your graveyard: You gain 3 life.")],
         "  Alice: {graveyard: [Wrecking]}", "{activate: Wrecking, from: graveyard}, resolve",
         "Alice.life: 23, Wrecking.zone: exile"),
        ("Artifact", [("activated", "{5}, Exile this artifact: You gain 3 life.")],
         "  Alice: {battlefield: [Wrecking]}", "{activate: Wrecking}, resolve", "Alice.life: 23, Wrecking.zone: exile"),
        ("Sorcery", [("spell", "Each opponent mills a card. Exile Wrecking. Wrecking deals 2 damage to them.")],
         "  Alice: {hand: [Wrecking]}", "{cast: Wrecking, x: 0}, resolve", "Alice.life: 20, Bob.life: 18"),
        ("Enchantment", [("triggered", LESSER)],
         "  Alice: {battlefield: [Wrecking, Altar of Dementia, Craw Wurm], graveyard: [Hill Giant]}",
         "{activate: Altar of Dementia, sacrifice: Craw Wurm, targets: [Bob]}, resolve, choose: yes",
         "Hill Giant.zone: battlefield"),
        ("Creature — Angel", [("static", ANGEL)],
         "  Alice: {battlefield: [Wrecking]}\n  Bob: {hand: [Lightning Bolt]}",
         "pass, {cast: Lightning Bolt, targets: [Alice]}, resolve", "Alice.life: 20, Alice.graveyard: 6"),
    ],
)  # fmt: skip
def test_a_sentence_does_what_it_says(
    kind: str, abilities: list[tuple[str, str]], given: str, do: str, expect: str
) -> None:
    assert "passed" == played(kind, *abilities, given=given, do=do, expect=expect)
