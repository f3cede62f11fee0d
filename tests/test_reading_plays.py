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
COMING = "Create two 1/1 white Soldier creature tokens. Destroy all other creatures."
BOOMING = (
    "Put target creature card from a graveyard onto the battlefield under your control. That creature deals damage "
    "equal to its power to each other creature."
)
HERD = "{0}: Target creature gets +1/+1 until end of turn for each other creature you control."
FALTER = "{0}: Creatures with power 3 or less can't block this turn."
LURE = "{0}: Creatures your opponents control attack this turn if able."
BY_KIND = (
    "Choose creature or land. Reveal the top two cards of your library. Put all cards of the chosen type revealed this "
    "way into your hand and the rest into your graveyard."
)
BURIED = "Search your library for up to two creature cards, put them into your graveyard, then shuffle."
DROWN = (
    "Choose one — • Counter target spell with mana value 9. • Destroy target creature with mana value less than or "
    "equal to the number of cards in its controller's graveyard."
)
SWEPT = (
    "Return target creature to its owner's hand. If that creature is attacking, you may put it on top of its owner's "
    "library instead."
)
ONE_GRAVEYARD = "{0}: Exile two target cards from a single graveyard."
FIGHT = (
    "this enters → choose up to one target creature you don't control. Wrecking gets +2/+0 until end of turn. Then you "
    "may have Wrecking fight that creature."
)
FOUND = (
    "this enters → you may search your library for an artifact card, reveal it, then shuffle. Put that card into your "
    "hand if you control a Goblin. Otherwise, put that card on top of your library."
)
RUSH = "Wrecking has haste as long as an opponent has 10 or less life."

POND = "As this land enters, you may pay 2 life. If you don't, it enters tapped."
JAIL = "this enters → exile target creature an opponent controls until this enchantment leaves the battlefield"
ONCE_MORE = (
    "this enters → you may cast target instant card from your graveyard without paying its mana cost. If that spell "
    "would be put into your graveyard, exile it instead."
)
BITE = (
    "Destroy target artifact. Target creature you control deals damage equal to its power to target creature you don't "
    "control."
)
BITES = (
    "Each of two target creatures you control deals damage equal to their power to target creature you don't control."
)
SHOT = "{T}: Wrecking deals damage equal to its power to target creature."
HIT_AND_MILLED = "{T}: Wrecking deals damage equal to its power to target player. That player mills that many cards."
COME_AND_MILLED = "this enters → it deals 2 damage to target opponent. That player mills that many cards"
LAST_SHOT = "another creature you control dies → Wrecking deals damage equal to that creature's power to any target"
GROWTH = (
    "Destroy target artifact. Target creature gets +X/+0 until end of turn, where X is its power. Put X +1/+1 counters "
    "on target land, where X is its mana value."
)
ONE_BY_ONE = (
    "Look at the top three cards of your library. Put one of them into your hand, put one of them on the bottom of "
    "your library, and exile one of them. You may play the exiled card this turn."
)
MILLED_TWICE = (
    "Mill three cards. Put one of them into your hand. You may put a land card from among them on the bottom of your "
    "library."
)
KEPT = "you sacrifice another creature → exile it. If that creature was a token, put a +1/+1 counter on this creature"
SHOWN = (
    "this creature attacks → defending player reveals cards from the top of their library until they reveal a land "
    "card. The creature gets +1/+0 until end of turn for each card revealed this way"
)
SHOWN_AND_PUT = (
    "this creature attacks → reveal the top card of your library. If it's a creature card, put it onto the "
    "battlefield. That creature gains haste until end of turn"
)


def played(kind: str, *abilities: tuple[str, str], given: str, do: str, expect: str) -> str:
    """Play a scenario with a card of our own called Wrecking; the status, with what differs."""
    size = ", power: 3, toughness: 4" if "Creature" in kind else ""
    texts = ", ".join(f'{{{sort}: "{text}"}}' for sort, text in abilities)
    text = f"""
title: A text of our own
rules: ["608.2c"]
given:
  players: [Alice, Bob, Carol]
  cards:
    Wrecking: {{cost: "{{X}}{{R}}", types: {kind}{size}, abilities: [{texts}]}}
    Flashed: {{cost: "{{0}}", types: Creature — Bear, power: 2, toughness: 2, abilities: [{{keyword: flash}}]}}
    Grove: {{types: Land — Forest}}
    Pond: {{types: Land — Island, abilities: [{{static: "{POND}"}}]}}
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
         "{illegal: {activate: Wrecking, x: 3, targets: [Hill Giant]}, because: \"601.2c\"}, "
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
        ("Sorcery", [("spell", COMING)], "  Alice: {hand: [Wrecking]}\n  Bob: {battlefield: [Hill Giant]}",
         "{cast: Wrecking, x: 0}, resolve", "Alice.battlefield: 2, Bob.battlefield: 0"),
        ("Sorcery", [("spell", BOOMING)],
         "  Alice: {hand: [Wrecking], graveyard: [Hill Giant]}\n  Bob: {battlefield: [Grizzly Bears]}",
         "{cast: Wrecking, x: 0, targets: [Hill Giant]}, resolve",
         "Hill Giant.zone: battlefield, Grizzly Bears.zone: graveyard"),
        ("Artifact", [("activated", HERD)], "  Alice: {battlefield: [Wrecking, Grizzly Bears, Hill Giant]}",
         "{activate: Wrecking, targets: [Grizzly Bears]}, resolve", "Grizzly Bears.power: 3"),
        ("Creature — Lhurgoyf", [("static", "Wrecking's power is equal to the number of artifacts you control.")],
         "  Alice: {battlefield: [Wrecking, Sol Ring]}", "pass", "Wrecking.power: 1, Wrecking.toughness: 4"),
        ("Artifact", [("activated", FALTER)],
         "  Alice: {battlefield: [Wrecking, Craw Wurm]}\n  Bob: {hand: [Flashed]}",
         "{activate: Wrecking}, resolve, pass, {cast: Flashed}, resolve, {attack: {Craw Wurm: Bob}}, "
         "{illegal: {block: {Flashed: Craw Wurm}}}", "Flashed.zone: battlefield"),
        ("Artifact", [("activated", LURE)],
         "  Alice: {battlefield: [Wrecking]}\n  Bob: {battlefield: [Hill Giant]}",
         "{activate: Wrecking}, resolve, {go to: Bob precombat main}, {attack: {}}", "Hill Giant.tapped: false"),
        ("Sorcery", [("spell", BY_KIND)], "  Alice: {hand: [Wrecking], library: [Forest, Hill Giant, Island]}",
         "{cast: Wrecking, x: 0}, resolve, choose: land",
         "Alice.hand: [Forest], Alice.graveyard: [Wrecking, Hill Giant]"),
        ("Sorcery", [("spell", BURIED)], "  Alice: {hand: [Wrecking], library: [Forest, Hill Giant, Memnite]}",
         "{cast: Wrecking, x: 0}, resolve, choose: Memnite, choose: Hill Giant",
         "Hill Giant.zone: graveyard, Memnite.zone: graveyard, Alice.library: [Forest]"),
        ("Sorcery", [("spell", DROWN)],
         "  Alice: {hand: [Wrecking]}\n  Bob: {battlefield: [Hill Giant, Grizzly Bears], graveyard: [Island, Island]}",
         "{illegal: {cast: Wrecking, x: 0, modes: [2], targets: [Hill Giant]}}, "
         "{cast: Wrecking, x: 0, modes: [2], targets: [Grizzly Bears]}, resolve", "Grizzly Bears.zone: graveyard"),
        ("Artifact", [("activated", ONE_GRAVEYARD)],
         "  Alice: {battlefield: [Wrecking], graveyard: [Island]}\n  Bob: {graveyard: [Forest, Plains]}",
         "{illegal: {activate: Wrecking, targets: [Forest, Island]}}, {activate: Wrecking, targets: [Forest, Plains]}, "
         "resolve", "Alice.graveyard: [Island], Bob.graveyard: 0"),
        ("Creature — Archer", [("triggered", FIGHT)],
         "  Alice: {hand: [Wrecking]}\n  Bob: {battlefield: [Hill Giant]}",
         "{cast: Wrecking, x: 0}, resolve, choose: Hill Giant, resolve, choose: yes", "Hill Giant.zone: graveyard"),
        ("Artifact", [("triggered", FOUND)], "  Alice: {hand: [Wrecking], library: [Forest, Sol Ring]}",
         "{cast: Wrecking, x: 0}, resolve, resolve, choose: yes, choose: Sol Ring",
         "Alice.library: [Sol Ring, Forest]"),
        ("Enchantment", [("static", "Red spells cost {2} more to cast.")],
         "  Alice: {battlefield: [Wrecking]}\n  Bob: {hand: [Lightning Bolt], mana: \"{R}\"}",
         "pass", "legal: {Bob: {lacks: [cast Lightning Bolt]}}"),
        ("Enchantment", [("static", "Red spells you cast cost {2} more to cast.")],
         "  Alice: {battlefield: [Wrecking]}\n  Bob: {hand: [Lightning Bolt], mana: \"{R}\"}",
         "pass", "legal: {Bob: {has: [cast Lightning Bolt]}}"),
        ("Creature — Bear", [("static", RUSH)],
         "  Alice: {battlefield: [Wrecking]}\n  Bob: {life: 12}\n  Carol: {life: 11}",
         "expect: {Wrecking.keywords: {lacks: [haste]}}, instruct: {deal damage: 1, to: Carol}",
         "Wrecking.keywords: {has: [haste]}"),
        ("Artifact", [("activated", "Exhaust — {0}: Draw a card.")], "  Alice: {battlefield: [Wrecking]}",
         "{activate: Wrecking}, resolve, {go to: Alice next upkeep}, {illegal: {activate: Wrecking}}",
         "Alice.hand: 1"),
        ("Sorcery", [("spell", "Search your library for a basic Forest or Plains card, put it into your hand, then "
                      "shuffle.")],
         "  Alice: {hand: [Wrecking], library: [Grove, Plains]}",
         "{cast: Wrecking, x: 0}, resolve, expect: {decision: {options: [Plains]}}, choose: Plains",
         "Alice.hand: [Plains], Alice.library: [Grove]"),
        ("Instant", [("spell", SWEPT)],
         "  Alice: {hand: [Wrecking]}\n  Bob: {battlefield: [Grizzly Bears], library: [Island]}",
         "{go to: Bob precombat main}, {attack: {Grizzly Bears: Alice}}, pass, pass, "
         "{cast: Wrecking, x: 0, targets: [Grizzly Bears]}, resolve, choose: no", "Bob.hand: {has: [Grizzly Bears]}"),
        ("Sorcery", [("spell", "Wrecking deals X damage divided as you choose among up to two targets.")],
         "  Alice: {hand: [Wrecking]}",
         "{illegal: {cast: Wrecking, x: 1, targets: [Bob, Carol]}}, {cast: Wrecking, x: 1, targets: [Carol]}, resolve",
         "Bob.life: 20, Carol.life: 19"),
        ("Enchantment", [("triggered", JAIL)], "  Alice: {hand: [Wrecking]}\n  Bob: {battlefield: [Hill Giant]}",
         "{cast: Wrecking, x: 0}, resolve, resolve, expect: {Hill Giant.zone: exile}, instruct: {destroy: Wrecking}",
         "Hill Giant.zone: battlefield, Hill Giant.controller: Bob"),
        ("Enchantment", [("triggered", JAIL)], "  Alice: {hand: [Wrecking]}\n  Bob: {battlefield: [Hill Giant]}",
         "{cast: Wrecking, x: 0}, resolve, instruct: {destroy: Wrecking}, resolve", "Hill Giant.zone: battlefield"),
        ("Artifact", [("activated", "{0}: Draw a card.")], "  Alice: {hand: [Pond, Wrecking]}",
         "{play: Pond}, choose: no", "Pond.tapped: true, Alice.life: 20"),
        ("Artifact", [("activated", "{0}: Draw a card.")], "  Alice: {hand: [Pond, Wrecking]}",
         "{play: Pond}, choose: yes", "Pond.tapped: false, Alice.life: 18"),
        ("Creature — Wizard", [("triggered", ONCE_MORE)],
         "  Alice: {hand: [Wrecking], graveyard: [Lightning Bolt]}",
         "{cast: Wrecking, x: 0}, resolve, resolve, choose: yes, choose: Bob, resolve",
         "Bob.life: 17, Lightning Bolt.zone: exile"),
        ("Sorcery", [("spell", "Each player chooses a creature they control, then sacrifices the rest.")],
         "  Alice: {hand: [Wrecking], battlefield: [Grizzly Bears, Hill Giant, Sol Ring]}\n"
         "  Bob: {battlefield: [Craw Wurm, Memnite]}",
         "{cast: Wrecking, x: 0}, resolve, choose: Hill Giant, choose: Memnite",
         "Alice.battlefield: [Hill Giant, Sol Ring], Bob.battlefield: [Memnite]"),
        ("Enchantment", [("triggered", "a creature enters under your control, if it was cast from your hand → you gain "
                          "1 life")],
         "  Alice: {battlefield: [Wrecking], hand: [Memnite, Grizzly Bears]}",
         "{instruct: {create: Wolf, player: Alice}}, {cast: Grizzly Bears}, resolve all", "Alice.life: 21"),
        ("Sorcery", [("spell", BITE)],
         "  Alice: {hand: [Wrecking], battlefield: [Hill Giant]}\n  Bob: {battlefield: [Craw Wurm, Sol Ring]}",
         "{cast: Wrecking, x: 0, targets: [Sol Ring, Hill Giant, Craw Wurm]}, resolve",
         "events: [{damage: 3, from: Hill Giant, to: Craw Wurm}]"),
        ("Sorcery", [("spell", BITES)],
         "  Alice: {hand: [Wrecking], battlefield: [Hill Giant, Grizzly Bears]}\n  Bob: {battlefield: [Craw Wurm]}",
         "{cast: Wrecking, x: 0, targets: [Hill Giant, Grizzly Bears, Craw Wurm]}, resolve",
         "events: [{damage: 3, from: Hill Giant, to: Craw Wurm}, {damage: 2, from: Grizzly Bears, to: Craw Wurm}]"),
        ("Creature — Archer", [("activated", SHOT)],
         "  Alice: {battlefield: [Wrecking]}\n  Bob: {battlefield: [Craw Wurm]}",
         "{activate: Wrecking, targets: [Craw Wurm]}, resolve", "events: [{damage: 3, from: Wrecking, to: Craw Wurm}]"),
        ("Creature — Archer", [("activated", HIT_AND_MILLED)],
         "  Alice: {battlefield: [Wrecking]}", "{activate: Wrecking, targets: [Carol]}, resolve",
         "Carol.life: 17, Carol.graveyard: 3"),
        ("Creature — Archer", [("triggered", COME_AND_MILLED)],
         "  Alice: {hand: [Wrecking]}", "{cast: Wrecking, x: 0}, resolve, choose: Carol, resolve",
         "Carol.life: 18, Carol.graveyard: 2, Alice.graveyard: 0"),
        ("Creature — Archer", [("triggered", LAST_SHOT)],
         "  Alice: {battlefield: [Wrecking, Craw Wurm]}\n  Bob: {battlefield: [Hill Giant]}",
         "instruct: {destroy: Craw Wurm}, choose: Bob, resolve", "Bob.life: 14"),
        ("Sorcery", [("spell", GROWTH)],
         "  Alice: {hand: [Wrecking], battlefield: [Hill Giant, Forest]}\n  Bob: {battlefield: [Sol Ring]}",
         "{cast: Wrecking, x: 0, targets: [Sol Ring, Hill Giant, Forest]}, resolve",
         "Hill Giant.power: 6, Forest.counters: {}"),
        ("Sorcery", [("spell", ONE_BY_ONE)],
         "  Alice: {hand: [Wrecking], library: [Memnite, Island, Lightning Bolt, Forest]}",
         "{cast: Wrecking, x: 0}, resolve, choose: Lightning Bolt, choose: Island, {cast: Memnite, from: exile}",
         "Alice.hand: [Lightning Bolt], Alice.library: [Forest, Island]"),
        ("Sorcery", [("spell", MILLED_TWICE)], "  Alice: {hand: [Wrecking], library: [Memnite, Island, Swamp, Forest]}",
         "{cast: Wrecking, x: 0}, resolve, choose: Memnite, choose: Swamp",
         "Alice.hand: [Memnite], Alice.library: [Forest, Swamp], Alice.graveyard: [Wrecking, Island]"),
        ("Creature — Rogue", [("triggered", KEPT)],
         "  Alice: {battlefield: [Wrecking, Altar of Dementia, {card: Wolf, token: true}, Hill Giant]}",
         "{activate: Altar of Dementia, sacrifice: Wolf, targets: [Bob]}, resolve all, "
         "{activate: Altar of Dementia, sacrifice: Hill Giant, targets: [Bob]}, resolve all",
         "Wrecking.counters: {+1/+1: 1}, Alice.exile: [Hill Giant], Bob.graveyard: 5"),
        ("Creature — Rogue", [("triggered", SHOWN)],
         "  Alice: {battlefield: [Wrecking]}\n  Bob: {library: [Memnite, Hill Giant, Island, Forest]}",
         "{attack: {Wrecking: Bob}}, resolve", "Wrecking.power: 6, Bob.library: 4"),
        ("Creature — Rogue", [("triggered", SHOWN_AND_PUT)],
         "  Alice: {battlefield: [Wrecking], library: [Hill Giant]}", "{attack: {Wrecking: Bob}}, resolve",
         "Hill Giant.keywords: {has: [haste]}, Wrecking.keywords: {lacks: [haste]}"),
    ],
)  # fmt: skip
def test_a_sentence_does_what_it_says(
    kind: str, abilities: list[tuple[str, str]], given: str, do: str, expect: str
) -> None:
    assert "passed" == played(kind, *abilities, given=given, do=do, expect=expect)
