"""What is told of a step of a plan that is not carried out: where its text stopped, and steps that really are read."""

from __future__ import annotations

import pytest

from rulekit import Card, CardPool, Deck, Plan, exact
from rulekit.probability.refusing import EXAMPLES, INSTEAD, SAYS
from rulekit.rules import BadData

DECK = Deck({"Island": 24, "Hedron Crab": 16, "Murder": 20})
LOOKS = ("scry", "surveil", "look at")


def refusal(text, **how):
    with pytest.raises(BadData) as refused:
        exact(DECK, Plan().draw(7).on_turn(1, text), turns=1, **how)
    return str(refused.value)


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_example_is_read_and_moves_cards_or_looks_at_them(example):
    looks = example.startswith(LOOKS)
    answer = exact(DECK, Plan().draw(7).on_turn(1, example, keep="land" if looks else ""), turns=1)

    assert 1 == pytest.approx(answer.p("library >= 0", turn=1))
    assert SAYS.split(", ") == [each for each in SAYS.split(", ") if any(each in text for text in EXAMPLES)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("flip the top card", "no instruction that is known begins with 'flip the top card'."),
        ("mil 10", "no instruction that is known begins with 'mil 10'. Did you mean 'mill'?"),
        ("mill two cards, then dig three", "known behind 'mill two cards, then' begins with 'dig three'."),
        ("put the top card into the bin", "understood up to 'put the top card', and not from 'into the bin' on."),
        ("draw 2 crads", "understood up to 'draw 2', and not from 'crads' on. Did you mean 'cards' or 'card'?"),
        ("mill 2d6", "understood up to 'mill 2', and not from 'd6' on."),
        ("mill half", "it ends too soon: behind 'mill half' something is missing."),
        ("target player mills half their library", "behind '... player mills half their library' some"),
        ("whenever a land enters, mill 3", "a plan says itself in which turns: each_turn, on_turn."),
    ],
)  # fmt: skip
def test_a_step_that_is_not_understood_tells_where_its_text_stopped(text, told):
    first, shown, *rest = refusal(text).splitlines()

    assert told in first
    assert text == shown.strip()
    assert any("A step says what a card would say" in line for line in rest)


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("flip the top card into the graveyard", "'put the top four cards of your library into your graveyard'"),
        ("turn over cards until a land is revealed", "'reveal cards from the top of your library until you reveal a"),
        ("mil half their library", "'each opponent mills half their library, rounded down'"),
        ("draws three crads", "'draw two cards'"),
        ("scries two", "'scry 2' with keep='land'"),
    ],
)
def test_the_examples_are_those_that_are_most_like_what_was_tried(text, example):
    said = refusal(text)

    assert said.splitlines()[-3].strip().startswith(example)
    assert 3 == sum(said.count(f"'{each}'") for each in EXAMPLES)


def test_behind_what_was_understood_the_words_that_can_stand_there_are_told():
    """Half of something is rounded up or down (107.1a)."""
    told = refusal("target player mills half their library").partition(
        "'... player mills half their library' there can"
    )

    assert "rounded" in told[2].splitlines()[0].removeprefix(" stand: ").rstrip(".").split(", ")
    assert "{" not in refusal("draw 2 crads")


def test_a_name_in_the_place_of_what_the_card_does_is_told_as_a_card():
    mine = CardPool([Card("My Own Grinder", "{2}", "Artifact", "{T}: Target player mills three cards.")])

    assert "'Traumatize' is a card: Plan.from_cards(['Traumatize'])" in refusal("cast Traumatize")
    assert "Plan.from_cards(['My Own Grinder'])" in refusal("My Own Grinder", pool=mine)


@pytest.mark.parametrize("word", INSTEAD)
def test_of_a_keyword_it_is_told_what_can_be_written_instead_and_that_is_read(word):
    """What cycling, discover and their kind do to a library (702.29a, 701.57a, 702.85a)."""
    said = refusal(word)

    assert f"Write what '{word}' does to the library, as far as a program can say it: '{INSTEAD[word]}'." in said
    assert 1 == pytest.approx(exact(DECK, Plan().on_turn(1, INSTEAD[word], keep="land"), turns=1).p("library >= 0", 1))


@pytest.mark.parametrize("text", ["you may draw a card", "target player may mill two cards"])
def test_what_may_be_done_is_told_to_be_written_without_may_or_with_a_chance(text):
    assert "write it down without 'may' if it is done, with chance= if it is done sometimes" in refusal(text)


def test_what_no_program_can_say_is_told_with_a_way_out():
    said = refusal("discard a card")

    assert "no library program can say this, because it moves cards that lie in the hand" in said
    assert "Let games be played: simulate(..., policy='eager')." in said
    assert "say keep='land'" in refusal("scry 2")
    assert "simulate" not in refusal("mill X")
