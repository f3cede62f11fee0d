"""Sentences that are easily read as something else: what each of their words is about."""

from __future__ import annotations

import pytest

from rulekit import Card
from rulekit.engine.abilities import Ability, Term
from rulekit.engine.text import abilities_of, load_words, read_card

load_words()
CREATURE = Term("target", (0, Term("kind", ("creature",)), 1, 1))


def only(text: str, types: str = "Enchantment") -> Ability:
    """The one ability that a text gives, keywords apart."""
    (found,) = (ability for ability in abilities_of(Card("Odd", "{1}", types, text)) if not ability.keyword)
    return found


def test_what_stands_behind_the_last_of_several_modes_is_of_that_mode() -> None:
    spell = only("Choose one —\n• Draw a card.\n• You gain 2 life if you control an artifact.", "Sorcery")

    ((modes),) = spell.effect
    assert ("modes", [("draw",), ("if",)]) == (modes.op, [tuple(t.op for t in mode) for mode in modes.args[2]])


def test_what_is_done_to_what_was_made_is_not_done_where_nothing_was() -> None:
    pays = "Whenever a creature you control enters, you may pay {R}. If you do, create a token that's a copy of that "
    trigger = only(pays + "creature. That token gains haste. Exile it at the beginning of the next end step.")

    asked, made = trigger.effect
    assert ("may", "if", Term("it was done"), ()) == (asked.op, made.op, made.args[0], made.args[2])
    assert ["create a copy", "continuous", "later"] == [term.op for term in made.args[1]]


@pytest.mark.parametrize(
    ("text", "condition"),
    [("Put target creature on top of its owner's library. If that creature is red, you may put it on the bottom of its "
      "owner's library instead.", Term("is", (CREATURE, Term("color", ("red",))))),
     ("Target creature gets +1/+1 until end of turn. If it's equipped, it gets +2/+2 until end of turn instead.",
      Term("is", (CREATURE, Term("equipped"))))],
)  # fmt: skip
def test_a_condition_of_instead_is_about_the_target_that_was_chosen(text: str, condition: Term) -> None:
    (choice,) = only(text, "Instant").effect

    assert condition == choice.args[0]
    assert all(CREATURE in term.args[0].walk() or CREATURE in term.walk() for term in choice.args[1])


def test_enchanted_creature_or_another_creature_are_two() -> None:
    trigger = only("Enchant creature\nWhenever enchanted creature or another creature you control dies, draw a card.",
                   "Enchantment — Aura")  # fmt: skip

    who, _ = trigger.event.args
    assert ("watch either", Term("watch these", (Term("enchanted by this"),))) == (who.op, who.args[0])


def test_they_are_each_of_the_players_spoken_of_beside_it() -> None:
    spell = only("Deals 1 damage to each opponent and each planeswalker they control.", "Sorcery")

    assert {Term("each opponent")} == {who.args[0] for who in spell.effect[0].walk() if who.op == "controlled"}


def test_cards_are_discarded_from_the_hand() -> None:
    """701.9a"""
    discard = only("When this enters, discard any number of cards, then draw that many cards.").effect[0]

    assert Term("in hand", (Term("you"),)) in discard.walk()


def test_one_x_for_two_sentences_is_not_understood() -> None:
    text = "Whenever you draw a card, you gain X life, where X is the number of creatures you control."
    card = Card("Odd", "{1}", "Enchantment", f"{text} Each opponent loses X life.")

    assert "understood" != read_card(card).status


def test_where_the_condition_of_a_trigger_can_hold_it_works() -> None:
    """113.6k"""
    card = Card("Odd", "{5}", "Creature — Horror", "Suspend 3—{1}\nWhenever a player casts a spell, if this card is "
                "suspended, remove a time counter from this card.")  # fmt: skip

    assert [("exile",)] == [ability.zones for ability in abilities_of(card) if not ability.keyword]


def test_that_equipment_is_the_one_targeted_and_not_the_token_made_since() -> None:
    made = "create a 0/0 black Germ creature token"
    spell = only(f"Gain control of target Equipment, then {made} and attach that Equipment to it.", "Sorcery")

    what, host, _ = spell.effect[2].args
    assert ("target", Term("it")) == (what.op, host)


@pytest.mark.parametrize(
    "text",
    ["Choose an opponent. You and that player each draw three cards.",
     "At the beginning of your upkeep, if this is attached to a creature, destroy that creature.",
     "{1}: Draw a card. Activate only once."],
)  # fmt: skip
def test_what_the_game_cannot_do_as_it_is_said_is_not_understood(text: str) -> None:
    assert "understood" != read_card(Card("Odd", "{1}", "Enchantment", text)).status
