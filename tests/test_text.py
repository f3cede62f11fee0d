"""The reader of rules text: what is read, what is refused and where, two wordings of one card, and hostile text."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.commands.cards import shares
from rulekit.engine.abilities import Ability, Term, walk
from rulekit.engine.parsing import Unread
from rulekit.engine.text import abilities_of, load_words, read_ability, read_card, read_effect, read_filter
from rulekit.scenarios.scenario import Scenario

CATALOGUE = CardPool.catalogue()
WHOLE = {"gift": 25 / 27, "dredge": 12 / 14, "mill": 0.45, "equipment": 0.55}  # of the groups of the data
CLAUSES = {"gift": 25 / 27, "dredge": 1.0, "mill": 0.97, "equipment": 0.98}
IN_A_MOMENT = 5  # seconds for any text at all

load_words()


@pytest.fixture(scope="module")
def oracle(shared_data: Path) -> CardPool:
    return CardPool.read(shared_data / "oracle_mill_gift_equip.json", use_cache=False)


def only(card: Card, kind: str) -> Ability:
    """The one ability of a kind that a card has."""
    (found,) = (ability for ability in abilities_of(card) if ability.kind == kind)
    return found


def sword(text: str) -> Card:
    return Card("My Blade", "{2}", "Artifact — Equipment", text)


# ---------------------------------------------------------------- what is read


def test_every_sentence_of_every_card_of_the_catalogue_is_understood() -> None:
    unread = {
        name: sentence.unread
        for name in CATALOGUE
        for sentence in read_card(CATALOGUE[name]).sentences
        if not sentence.understood
    }

    assert {} == unread


def test_a_card_of_ones_own_is_played_as_printed() -> None:
    blade = sword(
        "Equipped creature gets +1/+1.\nWhenever equipped creature deals combat damage to a player, that player mills "
        "two cards.\nEquip {1}"
    )

    assert ["static", "triggered", "activated"] == [ability.kind for ability in abilities_of(blade)]
    assert (Term("mill", (Term("that player"), 2)),) == only(blade, "triggered").effect
    assert ("equip", "sorcery") == (only(blade, "activated").keyword, only(blade, "activated").timing)
    assert "understood" == read_card(blade).status


def test_abilities_typed_one_after_another_in_one_line_are_those_of_a_card_with_lines_of_their_own() -> None:
    lines = (
        "Equipped creature gets +1/+1.",
        "Whenever equipped creature deals combat damage to a player, that player mills two cards.",
        "Equip {1}",
    )

    assert read_card(sword(" ".join(lines))).status == "understood"
    assert abilities_of(sword("\n".join(lines))) == abilities_of(sword(" ".join(lines)))


def test_a_delayed_trigger_in_a_line_is_no_ability_of_its_own() -> None:
    text = "{T}: Frobnicate target creature. Whenever that creature dies this turn, draw a card."

    assert len(abilities_of(Card("Odd", "{1}", "Artifact", text))) == 1


def test_what_is_not_understood_keeps_its_own_words() -> None:
    first, second = "Frobnicate all creatures.", "Vex each opponent."

    assert [first] == [ability.text for ability in abilities_of(Card("One", "{1}", "Artifact", first))]
    assert [second] == [ability.text for ability in abilities_of(Card("Two", "{1}", "Artifact", second))]


@pytest.mark.parametrize(
    "modes",
    [
        "• Target player mills three cards.\n• Destroy target artifact.",
        "• Draw a card.\n• Target player mills three cards.\n• You gain 3 life.",
    ],
)
def test_modes_are_read_one_by_one(modes: str) -> None:
    (spell,) = abilities_of(Card("Charm", "{U}", "Instant", f"Choose one —\n{modes}"))
    (choice,) = spell.effect

    assert (1, 1) == choice.args[:2]
    assert modes.count("•") == len(choice.args[2])


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        ("Target player mills two cards. Odd deals 2 damage to them.", "target player"),
        ("Target opponent discards a card, then Odd deals 2 damage to them.", "target player"),
        ("Each opponent mills a card. Odd deals 1 damage to them.", "that player"),
        ("Destroy target artifact. Its controller may mill three cards. If they don't, Odd deals 3 damage to them.",
         "that player"),
        ("Each player mills a card. Tap all creatures. Odd deals 1 damage to each of them.", "them"),
    ],
)  # fmt: skip
def test_damage_to_them_goes_to_whoever_was_spoken_of_last(text: str, whom: str) -> None:
    damage = next(
        term for term in walk(only(Card("Odd", "{R}", "Sorcery", text), "spell").effect) if term.op == "deal damage"
    )

    assert whom == damage.args[1].op


@pytest.mark.parametrize(
    ("text", "op", "whom"),
    [
        ("Choose target creature. Mill three cards, then put a +1/+1 counter on that creature.", "put counters", "it"),
        ("Mill three cards. Put that card into your hand.", "return to hand", "milled"),
        (
            "Sacrifice a creature. Odd deals damage equal to that creature's power to any target.",
            "size of",
            "those done",
        ),
        ("Target opponent loses 1 life and mills a card, then you gain 1 life.", "mill", "target player"),
        ("Target opponent mills a card and discards a card, then you draw a card.", "discard", "target player"),
    ],
)
def test_whoever_or_whatever_was_meant_is_meant(text: str, op: str, whom: str) -> None:
    (does,) = (term for term in walk(only(Card("Odd", "{R}", "Sorcery", text), "spell").effect) if term.op == op)

    assert whom in [arg.op for arg in does.args if isinstance(arg, Term)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Each creature deals 1 damage to its controller.", "Alice.life: 19, Bob.life: 18"),
        ("Create an X/X green Ooze creature token, where X is the greatest toughness among creatures you control.",
         "Ooze.power: 4, Ooze.toughness: 4"),
        ("Each opponent loses 5 life. You gain life equal to the life lost this way.", "Alice.life: 30, Bob.life: 15"),
        ("Each creature you control deals damage equal to its power to target creature you don't control.",
         "Hill Giant.zone: graveyard"),
    ],
)  # fmt: skip
def test_what_is_read_is_what_happens(text: str, expected: str) -> None:
    targets = "targets: [Hill Giant]" if "target" in text else "targets: []"
    scenario = Scenario.read_text(f"""
title: Odd
rules: ["608.2c"]
given:
  players: [Alice, Bob, Carol]
  cards: {{Odd: {{cost: "{{R}}", types: Sorcery, abilities: [{{spell: "{text}"}}]}}}}
  Alice: {{hand: [Odd], battlefield: [Craw Wurm]}}
  Bob: {{battlefield: [Hill Giant, Grizzly Bears]}}
  Carol: {{}}
do: [{{cast: Odd, {targets}}}, resolve]
expect: {{{expected}}}""")

    assert scenario.play().status == "passed"


@pytest.mark.parametrize(
    ("together", "apart"),
    [
        ("exile your hand and graveyard", "exile your hand and your graveyard"),
        ("each player shuffles their hand and graveyard into their library, then draws seven cards",
         "each player shuffles their hand and their graveyard into their library, then draws seven cards"),
        ("target player exiles all cards from their hand, library, and graveyard",
         "target player exiles all cards from their hand, all cards from their library, and their graveyard"),
        ("exile your opponents' hands and graveyards", "exile your opponents' hands and your opponents' graveyards"),
    ],
)  # fmt: skip
def test_several_zones_behind_one_possessive_are_all_of_that_player(together: str, apart: str) -> None:
    assert read_effect(apart) == read_effect(together)


def test_each_player_shuffles_away_what_lies_in_two_zones_of_their_own() -> None:
    """701.24d, 121.2"""
    text = "each player shuffles their hand and graveyard into their library, then draws three cards"
    scenario = Scenario.read_text(f"""
title: Odd
rules: ["701.24d"]
given:
  players: [Alice, Bob]
  cards: {{Odd: {{cost: "{{R}}", types: Sorcery, abilities: [{{spell: "{text}"}}]}}}}
  Alice: {{hand: [Odd, Forest], library: [4 Island], graveyard: [Murder]}}
  Bob: {{hand: [2 Swamp], library: [Island], graveyard: [3 Murder]}}
do: [{{cast: Odd, targets: []}}, resolve]
expect: {{Alice.hand: 3, Alice.library: {1 + 4 + 1 - 3}, Alice.graveyard: [Odd],
          Bob.hand: 3, Bob.library: {2 + 1 + 3 - 3}, Bob.graveyard: 0}}""")

    assert scenario.play().status == "passed"


@pytest.mark.parametrize(
    ("top", "expected"),
    [("Forest", "Alice.battlefield: {has: [Forest]}, Bob.exile: 0"), ("Murder", "Alice.hand: 1, Bob.exile: [Murder]")],
)
def test_what_is_exiled_from_the_top_of_another_library_is_what_it_speaks_of(top: str, expected: str) -> None:
    """608.2c"""
    text = (
        "exile the top card of target opponent's library. "
        "If it's a land card, put it onto the battlefield under your control. Otherwise, draw a card."
    )
    scenario = Scenario.read_text(f"""
title: Odd
rules: ["608.2c"]
given:
  players: [Alice, Bob]
  cards: {{Odd: {{cost: "{{R}}", types: Sorcery, abilities: [{{spell: "{text}"}}]}}}}
  Alice: {{hand: [Odd]}}
  Bob: {{library: [{top}, 2 Island]}}
do: [{{cast: Odd, targets: [Bob]}}, resolve]
expect: {{Bob.library: 2, {expected}}}""")

    assert scenario.play().status == "passed"


def test_an_x_that_stands_for_nothing_is_not_understood() -> None:
    text = "Scry 1, where X is the number of creatures you control."

    assert read_card(Card("Odd", "{R}", "Sorcery", text)).status == "not understood"


@pytest.mark.parametrize("whose", ["another creature you control enters", "equipped creature attacks"])
def test_of_two_that_are_waited_for_it_is_the_one_that_did_it(whose: str) -> None:
    (ability,) = abilities_of(
        Card("Odd", "{1}", "Artifact", f"Whenever Odd or {whose}, it gains haste until end of turn.")
    )

    assert ability.effect[0].args[0].op == "it"


def test_what_waits_for_the_next_time_is_made_by_an_effect() -> None:
    text = "At the beginning of your next upkeep, pay {2}. If you don't, you lose the game."

    (later,) = only(Card("Odd", "{R}", "Sorcery", text), "spell").effect
    assert ["pay", "if"] == [term.op for term in later.args[1]]
    assert read_card(Card("Odd", "{R}", "Enchantment", text)).status != "understood"


def test_a_sentence_without_its_subject_is_not_understood() -> None:
    assert read_card(Card("Odd", "{R}", "Sorcery", "Mills two cards.")).status == "not understood"


@pytest.mark.parametrize(
    ("shorthand", "official"),
    [
        ("this enters → you mill 3", "When this creature enters, mill three cards."),
        ("{T}: target player mills a card", "{T}: Target player mills one card."),
        ("a land you control enters → each opponent mills 3", "Whenever a land you control enters, each opponent mills "
         "three cards."),
        ("{2}{B}{G}, mill 4 (only as a sorcery, from your graveyard): return this card from your graveyard to the "
         "battlefield", "{2}{B}{G}, Mill four cards: Return this card from your graveyard to the battlefield. Activate "
         "only as a sorcery."),
        ("if an opponent would mill one or more cards, they mill that many plus 4 instead",
         "If an opponent would mill one or more cards, they mill that many cards plus four instead."),
    ],
)  # fmt: skip
def test_shorthand_and_official_wording_are_the_same_data(shorthand: str, official: str) -> None:
    assert read_ability(shorthand) == read_ability(official)


def test_targets_are_numbered_in_the_order_of_the_text() -> None:
    (effect,) = read_effect("attach target Equipment to target creature")

    assert [0, 1] == [term.args[0] for term in effect.walk() if term.op == "target"]


def test_a_player_who_is_spoken_of_again_is_no_second_target() -> None:
    effects = read_effect("target player discards a card. that player mills two cards")

    assert [0, 0] == [term.args[0] for term in walk(effects) if term.op == "target player"]


def test_instead_if_the_gift_was_promised_keeps_both_branches() -> None:
    """702.174m"""
    pull = CATALOGUE["Long River's Pull"]
    spell = next(a for a in abilities_of(pull) if a.kind == "spell" and not a.keyword)

    (choice,) = spell.effect
    assert ("if", "gift promised") == (choice.op, choice.args[0].op)
    assert [1, 1] == [len(branch) for branch in choice.args[1:]]


@pytest.mark.parametrize("joint", [" ", "\n", "\nThreshold — "])
def test_instead_takes_the_place_of_what_stands_before_it_also_in_another_paragraph(joint: str) -> None:
    """614.15"""
    more = Card("More", "{U}", "Sorcery", f"Draw a card.{joint}If you control an artifact, draw two cards instead.")

    (choice,) = only(more, "spell").effect
    assert ("if", (Term("draw", (Term("you"), 2)),), (Term("draw", (Term("you"), 1)),)) == (choice.op, *choice.args[1:])


def test_what_deals_other_damage_instead_is_what_would_have_dealt_it() -> None:
    """614.15"""
    text = "Odd deals 1 damage to target creature. If you control a Goblin, it deals 5 damage to that creature instead."
    effect = only(Card("Odd", "{R}", "Sorcery", text), "spell").effect

    assert [Term("this"), Term("this")] == [term.args[2] for term in walk(effect) if term.op == "deal damage"]


@pytest.mark.parametrize(
    "text",
    [
        "Exile target card from each opponent's graveyard.",  # one target for each opponent
        "For each opponent, destroy target creature that player controls.",
        "Destroy the rest.",
        "You may cast target instant card from your graveyard this turn. If that spell would be put into a graveyard, "
        "exile it instead.",  # it is no spell yet
        "Choose all creatures.",
    ],
)
def test_what_the_game_cannot_do_as_it_is_said_is_not_understood(text: str) -> None:
    assert "understood" != read_card(Card("Odd", "{R}", "Sorcery", text)).status


@pytest.mark.parametrize(
    "text",
    ["Forecast — {1}, Reveal Odd from your hand: Draw a card.", "Max speed — Odd has flying."],
)
def test_a_keyword_before_a_dash_is_no_ability_word(text: str) -> None:
    """207.2c"""
    assert "understood" != read_card(Card("Odd", "{1}", "Creature — Bird", text)).status


def test_instead_of_nothing_is_not_understood() -> None:
    odd = Card("Odd", "{U}", "Sorcery", "If you control an artifact, draw two cards instead.")

    assert "not understood" == read_card(odd).status


def test_an_ability_that_discards_its_own_card_works_from_the_hand() -> None:
    """113.6m"""
    assert ("hand",) == read_ability("{1}, discard this card: draw a card")[0].zones


def test_what_stands_before_a_noun_may_stand_behind_it() -> None:
    assert read_filter("creature you control with flying") == read_filter("creature with flying you control")
    assert read_filter("artifact or creature card") == read_filter("artifact card or creature card")


def test_basic_land_types_give_mana_though_the_text_is_silent() -> None:
    """305.6"""
    both = Card("Watery Wood", None, "Land — Island Forest")

    assert ["U", "G"] == [ability.effect[0].args[0][0] for ability in abilities_of(both)]


# ---------------------------------------------------------------- what is not


def test_what_is_not_understood_is_shown_with_the_place() -> None:
    reading = read_card(sword("When this Equipment enters, mill three cards. Paint the table green.\nEquip {2}"))

    assert ("partly", [True, False, True]) == (reading.status, [s.understood for s in reading.sentences])
    assert reading.sentences[1].unread.startswith("Paint")
    assert "unread" in [ability.kind for ability in reading.abilities]


def test_a_near_miss_names_the_nearest_phrase() -> None:
    reading = read_card(Card("Bad Dream", "{U}", "Sorcery", "Target player mils two cards."))

    (sentence,) = reading.sentences
    assert "mils two cards" == sentence.unread.rstrip(".")
    assert "mills" in sentence.near


def test_reminder_text_says_nothing_and_conditions_in_parentheses_do() -> None:
    plain = only(sword("Whenever equipped creature dies, mill a card. (Put the top card away.)"), "triggered")

    assert (Term("mill", (Term("you"), 1)),) == plain.effect
    assert "sorcery" == read_ability("{2} (only as a sorcery): mill a card")[0].timing


@pytest.mark.parametrize(
    "text",
    ["", " \n\n ", "(", '"', "{", "}{", "→", ":", ",,,", "• • •", "\x00\x07", "Ziehe drei Karten.", "引く",
     "{T", "{T}:", 'Equipped creature has "{T}: draw a card', "as an additional cost to cast this spell,", "When",
     "I —", "~", "X"],
)  # fmt: skip
def test_bad_input_is_answered(text: str) -> None:
    assert read_card(Card("Odd", "{1}", "Artifact", text)).status in ("understood", "partly", "not understood")


@pytest.mark.parametrize(
    "text",
    ["target player mills two cards and " * 4_000, "creature " * 12_000, "{T}" * 40_000, "a, " * 33_000,
     '"' * 100_000, "(" * 100_000, "When this enters, " * 6_000, "draw a card. " * 8_000, "\n" * 100_000],
)  # fmt: skip
def test_a_text_of_a_hundred_thousand_characters_is_answered_in_a_moment(text: str) -> None:
    begun = time.process_time()
    read_card(Card("Long", "{1}", "Sorcery", text))

    assert time.process_time() - begun < IN_A_MOMENT


FRAGMENTS = sorted({part for name in CATALOGUE for part in re.split(r"(?<=[,:;→]) ", CATALOGUE[name].text)})


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=6), st.sampled_from(("Sorcery", "Artifact")))
def test_fragments_of_real_phrases_in_any_order_never_break_the_reader(parts: list[str], kind: str) -> None:
    reading = read_card(Card("Mixed", "{1}", kind, " ".join(parts)))

    assert all(sentence.text for sentence in reading.sentences)


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=300))
def test_any_text_at_all_never_breaks_the_reader(text: str) -> None:
    reading = read_card(Card("Any", "{1}", "Instant", text))

    assert reading.status in ("understood", "partly", "not understood")


# ---------------------------------------------------------------- official wording


def test_our_wording_and_the_official_one_are_equal(oracle: CardPool) -> None:
    different = []
    for name in CATALOGUE:
        if name not in oracle:
            continue
        ours, theirs = CATALOGUE[name], oracle[name]
        if read_card(theirs).status != "understood":
            continue
        pairs = zip(ours.faces or (ours,), theirs.faces or (theirs,), strict=True)
        if any(abilities_of(one) != abilities_of(two) for one, two in pairs):
            different.append(name)

    assert [] == different


def test_as_many_official_cards_are_understood_as_were_promised(oracle: CardPool) -> None:
    cards = [oracle[name] for name in oracle]
    kept = [card for card in cards if _wanted(card)]
    found = shares(kept, [read_card(card) for card in kept])

    short = {
        f"{group} {part}": round(found[group][part], 4)
        for part, wanted in (("whole", WHOLE), ("clauses", CLAUSES))
        for group, least in wanted.items()
        if found[group][part] < least
    }
    assert {} == short


def _wanted(card: Card) -> bool:
    from rulekit.commands.cards import groups_of

    return bool(groups_of(card))


def test_no_ability_of_a_card_that_is_called_understood_is_unread(oracle: CardPool) -> None:
    unread = [
        card.name
        for card in (oracle[name] for name in oracle)
        if read_card(card).status == "understood"
        and any(ability.kind == "unread" for face in card.faces or (card,) for ability in abilities_of(face))
    ]

    assert [] == unread


def test_every_word_of_an_understood_sentence_matters(oracle: CardPool) -> None:
    """A sentence with a word of nonsense in it is not understood, wherever the word stands."""
    understood = [name for name in list(oracle)[::97] if read_card(oracle[name]).status == "understood"]
    for name in understood:
        card = oracle[name]
        words = re.sub(r"\([^()]*\)", "", card.text).split()
        for place in range(0, len(words) + 1, 3) if not card.faces else ():
            if " ".join(words[place : place + 1]).startswith("counter"):
                continue  # counters may have any name
            spoilt = " ".join([*words[:place], "blorf", *words[place:]])
            assert "understood" != read_card(Card(name, "{1}", card.types, spoilt)).status, spoilt


def test_an_unread_text_raises_with_the_first_phrase_that_cannot_be_read() -> None:
    with pytest.raises(Unread) as refused:
        read_effect("target player mills two cards sideways")

    assert "sideways" == refused.value.phrase
