"""Plans read from cards: they are those that one would write by hand, and say everything that they take for granted."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulekit import Card, Deck, Plan, exact
from rulekit.rules import BadData, Unknown

DECK = Deck({"Island": 24, "Grizzly Bears": 20, "Lightning Bolt": 16})
COUNT = ("land in graveyard", "total mana value in graveyard")


def asked(plan, turns=6):
    answer = exact(DECK, plan, COUNT, turns, as_fractions=True)
    return [answer.distribution(name, turn) for name in (*COUNT, "library") for turn in range(turns + 1)]


BY_HAND = {
    ("Ruin Crab",): Plan().each_turn("mill 3", chance=1),
    ("Sword of Body and Mind",): Plan().each_turn("mill 10", from_turn=4),
    ("Traumatize",): Plan().on_turn(5, "mill half your library, rounded down"),
    ("Glimpse the Unthinkable", "Codex Shredder"): Plan().on_turn(2, "mill 10").each_turn("mill a card"),
    ("Bruvac the Grandiloquent", "Hedron Crab"): (
        Plan().permanent("Bruvac the Grandiloquent", from_turn=3).each_turn("each opponent mills 3", by="opponent")
    ),
    ("Mind Funeral",): Plan().on_turn(
        3, "reveal cards until 4 land cards are revealed, then put them into the graveyard", by="player"
    ),
    ("Ghoulcaller's Bell",): Plan().each_turn("mill a card"),
    ("Stitcher's Supplier",): Plan().on_turn(1, "mill 3"),
}  # fmt: skip


@pytest.mark.parametrize("names", list(BY_HAND), ids=" and ".join)
def test_a_plan_read_from_cards_has_the_odds_of_the_plan_written_by_hand(names: tuple[str, ...]) -> None:
    assert asked(BY_HAND[names]) == asked(Plan.from_cards(list(names)))


def test_what_is_looked_for_goes_where_the_card_says() -> None:
    """Two lands in hand after two turns, and what lay above them in the graveyard: 11 gaps for 10 others (negative
    hypergeometric mean 10 / 11 in front of each)."""
    text = "{T}: Reveal cards from the top of your library until you reveal a land card. Put that card into your hand"
    text += " and all other cards revealed this way into your graveyard."
    forester = Card("Forester", "{G}", "Creature — Elf", text, power=1, toughness=1)
    plan = Plan.from_cards([forester], forester_first=1)
    deck = Deck({"Island": 10, "Murder": 10})

    answer = exact(deck, plan, ["land in hand", "instant in graveyard"], turns=2, as_fractions=True)

    assert (2, Fraction(20, 11)) == (answer.mean("land in hand"), answer.mean("instant in graveyard"))


def test_every_assumption_can_be_given_by_name() -> None:
    plan = Plan.from_cards(
        ["Sword of Body and Mind", "Ruin Crab"], sword_of_body_and_mind_first=3, sword_of_body_and_mind_chance="2/3",
        ruin_crab_times=2,
    )  # fmt: skip
    by_hand = Plan().each_turn("mill 10", from_turn=3, chance=Fraction(2, 3)).each_turn("mill 3").each_turn("mill 3")

    assert asked(by_hand) == asked(plan)


def test_each_assumption_is_shown_with_its_value_and_what_it_means() -> None:
    plan = Plan.from_cards(["Ruin Crab"], ruin_crab_times=2)

    for shown in (repr(plan), plan._repr_html_()):
        for each in plan.assumptions:
            assert each.name in shown
        assert "a land you control enters" in shown
    assert {"ruin_crab_times": True, "ruin_crab_chance": False} == {
        each.name: each.given for each in plan.assumptions if each.name.endswith(("times", "chance"))
    }


def test_an_assumption_that_these_cards_do_not_need_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(Unknown) as refused:
        Plan.from_cards(["Ruin Crab"], ruin_crab_tims=2)

    assert "ruin_crab_times" in refused.value.near


@pytest.mark.parametrize(
    ("name", "value"),
    [("ruin_crab_times", -1), ("ruin_crab_times", True), ("ruin_crab_chance", 2), ("controller", "nobody"),
     ("ruin_crab_first", 0), ("ruin_crab_first", "soon")],
)  # fmt: skip
def test_a_value_that_cannot_stand_there_is_refused_by_the_name_of_the_assumption(name: str, value: object) -> None:
    with pytest.raises(BadData):
        Plan.from_cards(["Ruin Crab"], **{name: value})


def test_what_x_is_and_what_only_a_game_can_tell_are_assumptions() -> None:
    dread = Plan.from_cards(["Dread Summons"], dread_summons_x=4)
    altar = Plan.from_cards(["Altar of Dementia"], altar_of_dementia_number=5)

    assert asked(Plan().on_turn(2, "mill 4")) == asked(dread)
    assert asked(Plan().each_turn("mill 5", from_turn=2)) == asked(altar)


def test_what_is_milled_as_a_cost_is_milled() -> None:
    assert asked(Plan().each_turn("mill a card", from_turn=3)) == asked(Plan.from_cards(["Millikin"]))


def test_copies_are_so_many_times_as_often() -> None:
    assert asked(Plan.from_cards(["Ruin Crab", "Ruin Crab"])) == asked(Plan.from_cards({"Ruin Crab": 2}))
    assert asked(Plan().each_turn("mill 3").each_turn("mill 3")) == asked(Plan.from_cards({"Ruin Crab": 2}))


def test_who_is_meant_may_be_somebody_else() -> None:
    plan = Plan.from_cards(["Hedron Crab", "Ruin Crab"], hedron_crab_who="somebody else")

    assert asked(Plan().each_turn("mill 3")) == asked(plan)


def test_cards_that_do_nothing_to_the_library_are_named() -> None:
    plan = Plan.from_cards(["Ruin Crab", "Bonesplitter", "Life from the Loam"])

    assert "Bonesplitter does nothing to this library" in plan.left_out
    assert any(line.startswith("Life from the Loam: dredge 3") for line in plan.left_out)


def test_a_sentence_that_is_not_understood_is_named() -> None:
    odd = Card("Odd Crab", "{U}", "Creature — Crab", "Target player mils three cards.\nWhenever this attacks, each "
               "opponent mills two cards.")  # fmt: skip
    plan = Plan.from_cards([odd])

    assert ["Odd Crab: not understood: Target player mils three cards."] == list(plan.left_out)
    assert asked(Plan().each_turn("mill 2", from_turn=2)) == asked(plan)


def test_a_card_of_ones_own_may_be_mixed_with_names() -> None:
    blade = Card("My Blade", "{2}", "Artifact — Equipment", "Equipped creature gets +1/+1.\nWhenever equipped creature "
                 "deals combat damage to a player, that player mills two cards.\nEquip {1}")  # fmt: skip

    assert asked(Plan().each_turn("mill 2", from_turn=3)) == asked(Plan.from_cards([blade]))


def test_no_card_of_the_catalogue_breaks_the_reader() -> None:
    from rulekit import CardPool

    for name in CardPool.catalogue():
        plan = Plan.from_cards([name])
        assert plan.steps or plan.permanents or plan.left_out, name
