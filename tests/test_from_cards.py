"""Plans read from cards: they are those that one would write by hand, and say everything that they take for granted."""

from __future__ import annotations

from fractions import Fraction
from math import comb

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


def test_of_an_ability_that_is_not_understood_to_its_end_all_is_named() -> None:
    text = "Whenever this attacks, each opponent mills two cards. Ponder the mill."
    plan = Plan.from_cards([Card("Odd Crab", "{U}", "Creature — Crab", text)])

    assert [f"Odd Crab: not understood: {text}"] == list(plan.left_out)


def test_a_card_of_ones_own_may_be_mixed_with_names() -> None:
    blade = Card("My Blade", "{2}", "Artifact — Equipment", "Equipped creature gets +1/+1.\nWhenever equipped creature "
                 "deals combat damage to a player, that player mills two cards.\nEquip {1}")  # fmt: skip

    assert asked(Plan().each_turn("mill 2", from_turn=3)) == asked(Plan.from_cards([blade]))


def test_no_card_of_the_catalogue_breaks_the_reader() -> None:
    from rulekit import CardPool

    for name in CardPool.catalogue():
        plan = Plan.from_cards([name])
        assert plan.steps or plan.permanents or plan.left_out, name


SIX = Deck({"Island": 24, "Grizzly Bears": 20, "Lightning Bolt": 16})


def made(text: str, types: str = "Artifact", cost: str = "{2}", name: str = "Own Card") -> Card:
    return Card(name, cost, types, text, power=1 if "Creature" in types else None,
                toughness=1 if "Creature" in types else None)  # fmt: skip


def test_a_card_that_may_be_taken_of_those_revealed_is_taken_and_the_rest_lies_in_the_graveyard() -> None:
    """Of four cards one land is taken if there is one: four lie in the graveyard only where all four are others."""
    text = "When this creature enters, reveal the top four cards of your library. You may put a land card from among them into your hand. Put the rest into your graveyard."  # noqa: E501
    plan = Plan.from_cards([made(text, "Creature — Satyr")])
    answer = exact(SIX, plan, ["land in hand"], 2, as_fractions=True)
    none = Fraction(comb(36, 4), comb(60, 4))

    assert "land" == next(each.value for each in plan.assumptions if each.name == "own_card_keep")
    assert none == answer.p("graveyard = 4", turn=2)
    assert 1 - none == answer.p("graveyard = 3 and land in hand = 1", turn=2)

    declined = Plan.from_cards([made(text, "Creature — Satyr")], own_card_may=False)
    assert 1 == exact(SIX, declined, [], 2, as_fractions=True).p("graveyard = 4", turn=2)


def test_a_number_of_cards_that_lie_with_somebody_else_is_taken_for_granted_and_shown() -> None:
    card = made("{4}, {T}: Each opponent mills cards equal to the number of cards in your hand.")

    assert 1 == exact(SIX, Plan.from_cards([card], own_card_number=5), [], 3).p("library = 50", turn=3)
    assert 1 == exact(SIX, Plan.from_cards([card]), [], 3).p("library = 58", turn=3)


def test_the_whole_library_that_is_exiled_is_told_and_not_passed_over() -> None:
    plan = Plan.from_cards(
        [
            made(
                "{T}: Exile all cards from target player's library, then that player shuffles their hand into their "
                "library."
            )
        ]
    )

    assert () == plan.steps
    assert "no library program can say this" in plan.left_out[0]


def test_what_is_milled_in_the_place_of_damage_is_told() -> None:
    text = "If a Zombie you control would deal combat damage to a player, instead that player mills that many cards."

    assert "write it as a step" in Plan.from_cards([made(text)]).left_out[0]


def test_an_ability_that_exhausts_is_used_once_and_a_permanent_is_tapped_for_one_ability() -> None:
    exhausts = made("{1}, {T}: Target player mills two cards.\nExhaust — {2}: Target player mills ten cards.")
    taps = made("{1}, {T}: Target player mills two cards.\n{3}, {T}: Target player mills ten cards.")

    assert [None, 2] == [step.last for step in Plan.from_cards([exhausts]).steps]
    assert ["an opponent mills two cards"] == [step.text for step in Plan.from_cards([taps]).steps]
    both = Plan.from_cards([taps], own_card_2_times=1, own_card_times=0)
    assert ["an opponent mills ten cards"] == [step.text for step in both.steps]


def test_a_face_is_cast_in_the_turn_of_its_own_cost() -> None:
    card = Card.of_faces(
        "adventure",
        [
            Card("Own Capital", None, "Land", "{T}: Add {U}."),
            Card("Own Overture", "{4}{U}{U}", "Sorcery — Adventure", "Target opponent mills half their library, rounded down."),  # noqa: E501
        ],
    )  # fmt: skip

    assert [6] == [step.first for step in Plan.from_cards([card]).steps]


def test_the_condition_of_a_trigger_is_told_where_it_is_asked_how_often_it_happens() -> None:
    plan = Plan.from_cards(
        [made("At the beginning of your upkeep, if you control two or more artifacts, each opponent mills two cards.")]
    )
    words = next(each.words for each in plan.assumptions if each.name == "own_card_times")

    assert "if you control two or more artifact" in words


def test_what_is_done_for_each_of_something_is_done_as_often_as_is_taken_for_granted() -> None:
    card = made("At the beginning of your upkeep, mill a card for each growth counter on this artifact.")

    for times in (1, 3):
        plan = Plan.from_cards([card], controller="player", own_card_number=times)
        assert 1 == exact(SIX, plan, [], 2).p(f"library = {60 - times}", turn=2)


def test_milling_that_keeps_a_permanent_is_in_the_plan() -> None:
    card = made(
        "At the beginning of your upkeep, sacrifice this creature unless you mill two cards.", "Creature — Beast"
    )
    unpaid = Plan.from_cards([card], controller="player", own_card_prevented=False)

    assert 1 == exact(SIX, Plan.from_cards([card], controller="player"), [], 2).p("library = 58", turn=2)
    assert () == unpaid.steps


def test_what_a_card_does_with_the_cards_of_the_graveyard_afterwards_is_told() -> None:
    card = made(
        "When this creature enters, mill three cards. You may return a creature card from your graveyard to your hand.",
        "Creature — Elf",
    )

    assert "return a creature card from your graveyard" in Plan.from_cards([card]).left_out[0]
    theirs = made(
        "When this creature enters, each opponent mills three cards. Return a card from your graveyard to your hand.",
        "Creature — Elf",
    )
    assert () == Plan.from_cards([theirs]).left_out


def test_what_is_done_if_they_do_not_is_done_where_they_do_not() -> None:
    text = "When this creature enters, you may draw three cards. If you don't, mill four cards."
    drawn, milled = (Plan.from_cards([made(text, "Creature — Elf")], own_card_may=may) for may in (True, False))

    assert 1 == exact(SIX, drawn, [], 2).p("library = 57 and hand = 3", turn=2)
    assert 1 == exact(SIX, milled, [], 2).p("library = 56 and graveyard = 4", turn=2)


def test_a_kicker_is_paid_only_where_it_is_said() -> None:
    card = made(
        "Kicker {4}\nEach opponent mills eight cards. If this spell was kicked, instead each opponent mills half "
        "their library, rounded up.",
        "Sorcery",
    )

    assert 1 == exact(SIX, Plan.from_cards([card]), [], 2).p("library = 52", turn=2)
    assert 1 == exact(SIX, Plan.from_cards([card], own_card_if=True), [], 2).p("library = 30", turn=2)
