"""Plans and questions: what they mean, and what is refused."""

from __future__ import annotations

import warnings
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from rulekit import Card, CardPool, Deck, Plan, compare, exact, replay, simulate, sweep, varied
from rulekit.probability import chain
from rulekit.probability.answer import NothingKnown
from rulekit.probability.tables import percent
from rulekit.probability.weighted import Truncated
from rulekit.rules import BadData, RulekitError, TooMany, Unknown

DECK = Deck({"Island": 24, "Grizzly Bears": 20, "Lightning Bolt": 16})


def hit(k, copies, moved, cards=60):
    return Fraction(comb(copies, k) * comb(cards - copies, moved - k), comb(cards, moved))


def ask(plan, count=(), turns=None, **how):
    return exact(DECK, plan, count, turns, as_fractions=True, **how)


def test_the_example_of_the_style_guide():
    deck = Deck.read("24 Island\n36 Filler")
    plan = Plan().draw(7).on_turn(1, "mill 10")

    assert float(hit(4, 24, 10)) == pytest.approx(exact(deck, plan, count=["land"], turns=1).p("land = 4", turn=1))


def test_a_whole_plan_is_read_at_once():
    plan = (
        Plan(on_the_play=False)
        .opening_hand(7, mulligan="london", keep="2 to 5 lands", down_to=5)
        .each_turn(draw=1)
        .each_turn("mill 10", chance=0.7, from_turn=4)
        .on_turn(3, "reveal cards until 4 land cards are revealed, then put them into the graveyard")
        .permanent("Bruvac the Grandiloquent", from_turn=5)
    )
    answer = exact(DECK, plan, count=["land", "creature", "total mana value", "named Narcomoeba"], turns=6)

    assert 0 < answer.p("land >= 3 and creature >= 4", turn=6) < 1
    assert 0 == answer.lost_by(turn=5)
    assert 0 == answer.p("named Narcomoeba > 0")
    assert 1 == pytest.approx(answer.p("hand = 12", turn=5) + answer.p("hand < 12", turn=5))


def test_on_the_draw_the_first_turn_has_a_draw_and_on_the_play_it_has_none():
    for on_the_play, first in ((False, 8), (True, 7)):
        answer = ask(Plan(on_the_play=on_the_play).draw(7).each_turn(draw=1), turns=3)

        assert [first, first + 1, first + 2] == [answer.distribution("hand", turn).median() for turn in (1, 2, 3)]


def test_turn_zero_is_before_the_first_turn():
    answer = ask(Plan().draw(7).each_turn("mill 3"), ["land in hand"], 2)

    assert hit(3, 24, 7) == answer.p("land in hand = 3", turn=0)
    assert 1 == answer.p("library = 53", turn=0)
    assert 1 == answer.p("library = 47")


def test_steps_of_a_turn_happen_in_the_order_in_which_they_were_written():
    first = ask(Plan().each_turn("mill 60").each_turn(draw=1), turns=1)
    last = ask(Plan().each_turn(draw=1).each_turn("mill 60"), turns=1)

    assert (1, 0) == (first.lost_by(1), last.lost_by(1))


def test_a_draw_from_an_empty_library_loses_and_ends_what_is_done():
    answer = ask(
        Plan().on_turn(1, "mill 60").on_turn(2, draw=1).on_turn(3, "shuffle your graveyard into your library"), turns=3
    )

    assert {2: 1} == answer.first_turn("lost = 1").outcomes()
    assert 1 == answer.p("library = 0", turn=3)


def test_what_is_drawn_and_revealed_is_not_milled():
    text = "reveal cards until 2 land cards are revealed, then put them into the graveyard"
    answer = ask(Plan().draw(7).on_turn(1, text), ["land", "land in graveyard"])

    assert 1 == answer.p("land = 0 and land in graveyard = 2")


def test_milled_cards_that_are_exiled_instead_still_count_as_milled():
    answer = ask(Plan().permanent("Leyline of the Void").on_turn(1, "mill 10"), ["land", "land in exile"])

    assert 1 == answer.p("graveyard = 0")
    assert hit(4, 24, 10) == answer.p("land = 4") == answer.p("land in exile = 4")


def test_a_permanent_of_an_opponent_doubles_and_one_of_the_player_does_not():
    plan = Plan().each_turn("mill 3")
    for controller, left in (("opponent", 54), ("player", 57)):
        answer = ask(plan.permanent("Bruvac the Grandiloquent", controller=controller), turns=1)

        assert 1 == answer.p(f"library = {left}")


def test_a_permanent_counts_from_its_turn_on():
    answer = ask(Plan().each_turn("mill 3").permanent("Bruvac the Grandiloquent", from_turn=2, to_turn=2), turns=3)

    assert [57, 51, 48] == [answer.distribution("library", turn).median() for turn in (1, 2, 3)]


def test_the_order_of_two_effects_is_told():
    plan = Plan().permanent("The Water Crystal").permanent("Bruvac the Grandiloquent").on_turn(1, "mill 3")
    answer = ask(plan)

    assert 1 == answer.p(f"library = {60 - 2 * (3 + 4)}")
    assert "The Water Crystal applies before Bruvac the Grandiloquent" in answer.method


def test_a_chance_that_is_written_as_a_decimal_is_that_fraction():
    answer = ask(Plan().on_turn(1, "mill 1", chance=0.7))

    assert Fraction(7, 10) == answer.p("library = 59")
    assert Fraction(1, 3) == ask(Plan().on_turn(1, "mill 1", chance="1/3")).p("library = 59")


def test_hits_are_counted_and_can_be_asked_together_with_the_library():
    answer = ask(Plan().each_turn("mill 10", chance="1/2"), turns=3)

    assert {(k, 60 - 10 * k): Fraction(comb(3, k), 8) for k in range(4)} == answer.distribution(
        ["hits", "library"], 3
    ).outcomes()


def test_steps_every_other_turn():
    answer = ask(Plan().each_turn("mill 1", from_turn=2, every=2, to_turn=6), turns=8)

    assert [60, 59, 59, 58, 58, 57, 57, 57] == [answer.distribution("library", turn).median() for turn in range(1, 9)]


def test_functions_of_a_card_are_counted_and_summed():
    count = {"cheap in hand": lambda card: card.mana_value <= 1, "power": lambda card: card.power or 0}
    answer = ask(Plan().draw(7).on_turn(1, "mill 10"), count)

    assert hit(5, 40, 7) == answer.p("cheap in hand = 5")
    assert hit(3, 20, 10) == answer.p("power = 6")


def test_functions_of_a_card_may_give_numbers_and_truths_of_numpy():
    count = {"cheap": lambda card: np.bool_(card.mana_value <= 1), "power": lambda card: np.int64(card.power or 0)}
    answer = ask(Plan().on_turn(1, "mill 10"), count)

    assert hit(5, 40, 10) == answer.p("cheap = 5")
    assert hit(3, 20, 10) == answer.p("power = 6")


def test_a_permanent_is_a_permanent_card_where_cards_lie():
    """110.4a: lands and creatures are such cards, instants are none."""
    answer = ask(Plan().on_turn(1, "mill 60"), ["permanent in graveyard", "nonland permanent"], 1)

    assert (44, 20) == (answer.mean("permanent in graveyard"), answer.mean("nonland permanent"))


def test_what_is_left_in_the_library_can_be_asked():
    answer = ask(Plan().on_turn(1, "mill 10"), ["land in library", "land"])

    assert 1 == sum(answer.p(f"land in library = {24 - k} and land = {k}") for k in range(11))


def test_first_turns_of_what_may_stop_being_so_are_exact_too():
    answer = ask(Plan().each_turn("mill 1"), ["land"], 4)
    found = answer.first_turn("land = 1 and not library < 57")

    assert {
        1: hit(1, 24, 1),
        2: Fraction(36, 60) * Fraction(24, 59),
        3: Fraction(36 * 35 * 24, 60 * 59 * 58),
    } == found.outcomes()


def test_a_first_turn_counts_in_the_turn_in_which_the_game_is_lost():
    answer = exact(Deck({"Island": 3}), Plan().each_turn(draw=1), as_fractions=True, turns=5)

    assert {4: 1} == answer.first_turn("lost = 1 and hand = 3 and not hand != 3").outcomes()


def test_names_in_conditions_may_hold_and():
    deck = Deck({"Island": 3, "Sword of Body and Mind": 1})
    answer = exact(deck, Plan().on_turn(1, "mill 1"), ["named Sword of Body and Mind", "land"], as_fractions=True)

    assert Fraction(1, 4) == answer.p("named Sword of Body and Mind = 1 and land = 0")


def test_a_mixture_mixes_and_learns_from_what_is_seen():
    low = varied(DECK, "land", 17)
    mixture = Deck.mixture({DECK: 1, low: 3})
    answer = exact(mixture, Plan().on_turn(1, "mill 10"), ["land"], as_fractions=True)
    after = mixture.given(seen=["Island", "Island"])
    weights = [comb(24, 2), 3 * comb(17, 2)]

    assert (hit(4, 24, 10) + 3 * hit(4, 17, 10)) / 4 == answer.p("land = 4")
    assert Fraction(24 + 3 * 17, 4) * Fraction(10, 60) == answer.mean("land")
    assert [Fraction(w, sum(weights)) for w in weights] == list(after.decks.values())
    with pytest.raises(Unknown):
        mixture.given(["Isand"])
    with pytest.raises(BadData, match="none of these decks"):
        mixture.given({"Island": 30})


@pytest.mark.parametrize("seen", ["Island", {"Island": -1}, {"Island": 1.5}, {"Island": True}, 3, None])
def test_what_is_no_list_of_cards_seen_is_refused(seen):
    with pytest.raises(BadData, match=r"stands where names of cards must stand|is no number of cards"):
        Deck.mixture({DECK: 1}).given(seen)


def test_cards_seen_can_be_taken_out_of_the_decks():
    left = Deck.mixture({DECK: 1}).given(["Island"], remove=True)

    assert [59] == [len(deck) for deck in left.decks]


def test_a_sweep_answers_for_each_number():
    found = sweep(DECK, Plan().draw(7), vary="land", over=range(20, 29), question="land in hand >= 3", turn=1)
    frame = found.frame()

    assert list(range(20, 29)) == list(frame["land"])
    expected = [float(sum(hit(k, n, 7) for k in range(3, 8))) for n in range(20, 29)]
    assert expected == pytest.approx(list(frame["probability"]))
    assert 28 == found.best()
    assert "number of land" == found.plot().get_xlabel()


def test_a_sweep_of_means_shows_numbers_and_no_percent():
    """Of seven cards of 60 with n lands 7 n / 60 are lands, on average."""
    found = sweep(DECK, Plan().draw(7), vary="land", over=[24, 30], turns=1, count=["land in hand"],
                  question=lambda answer: answer.mean("land in hand"))  # fmt: skip

    assert "the question, by number of land" == found.question
    assert ["24", "2.8"] == str(found).splitlines()[2].split()[:2]
    assert [2.8, 3.5] == pytest.approx(list(found.frame()["value"]))
    assert "%" not in found._repr_html_() + repr(found.plot())


@pytest.mark.parametrize(
    ("p", "said"), [(0.9999999996, "99.999999960 %"), (1.0, "100.0 %"), (0.995, "99.50 %"), (4e-10, "4.0e-08 %")]
)
def test_a_probability_near_one_keeps_the_digits_that_tell_it_from_one(p, said):
    assert said == percent(p)


def test_decks_and_plans_are_compared_side_by_side():
    plan = Plan().draw(7).each_turn(draw=1)
    by_turn = compare(
        DECK, varied(DECK, "land", 17), plan=plan, question="land in hand >= 3", turns=3, labels=["24", "17"]
    )
    hands = compare((DECK, plan), (DECK, Plan(on_the_play=True).draw(7).each_turn(draw=1)), question="hand", turn=2)

    assert float(sum(hit(k, 17, 8) for k in range(3, 9))) == pytest.approx(dict(by_turn.by_turn["17"])[1])
    assert {"deck 1": 9, "deck 2": 8} == {label: each.median() for label, each in hands.values.items()}
    assert 6 == len(by_turn.frame())
    assert by_turn.plot().get_legend() is not None


def test_plans_that_end_in_different_turns_are_compared_up_to_the_last_of_them():
    found = compare((DECK, Plan().on_turn(1, "mill 1")), (DECK, Plan().on_turn(3, "mill 1")), question="land = 1")

    assert {"deck 1": [0.4] * 3, "deck 2": [0, 0, 0.4]} == {
        label: pytest.approx([p for _, p in pairs]) for label, pairs in found.by_turn.items()
    }


@pytest.mark.parametrize("question", ["land in hand", "land in hand = 0"])
def test_decks_are_compared_before_the_first_turn(question):
    found = compare(DECK, varied(DECK, "land", 17), plan=Plan().draw(7).each_turn(draw=1), question=question, turn=0)
    none = [dict(each.outcomes())[0] for each in found.values.values()] or [
        dict(pairs)[0] for pairs in found.by_turn.values()
    ]

    assert [float(hit(0, 24, 7)), float(hit(0, 17, 7))] == pytest.approx(none)
    assert found.question.endswith("before turn 1")


def test_an_answer_says_what_it_does_not_know_and_leaves_out():
    deck = Deck({"Island": 10, "A Card Nobody Printed": 2, "Narcomoeba": 4})
    answer = exact(deck, Plan().on_turn(1, "mill 3"), ["named A Card Nobody Printed"])

    assert "Nothing is known of A Card Nobody Printed" in answer.method
    assert "What Narcomoeba would do from the library or graveyard is left out." in answer.method
    assert float(1 - Fraction(comb(14, 3), comb(16, 3))) == pytest.approx(answer.p("named A Card Nobody Printed >= 1"))


def test_every_result_that_depends_on_a_card_that_nobody_knows_says_so():
    deck, plan = Deck({"Island": 10, "A Card Nobody Printed": 2}), Plan().draw(3)
    answer = exact(deck, plan, ["land in hand", "named Island in hand"])
    says = "(nothing is known of A Card Nobody Printed)"
    question = "land in hand = 3"
    told = [
        answer.distribution("land in hand"),
        answer.first_turn(question),
        sweep(deck, plan, vary="land", over=[9, 10], question=question, turn=0),
        compare(Deck({"Island": 12}), deck, plan=plan, question=question),
        compare(Deck({"Island": 12}), deck, plan=plan, question="land in hand"),
    ]

    assert all(says in str(each) and says in each._repr_html_() for each in told)
    assert says in answer.plot("land in hand").get_title(loc="left")
    assert says not in str(answer.distribution("named Island in hand")) + str(answer.distribution("hand"))
    assert says not in str(exact(deck, plan, pool=CardPool([Card("A Card Nobody Printed", None, "Land")])).method)


def test_cards_of_ones_own_work_as_permanents_and_in_decks():
    crystal = Card(
        "My Crystal",
        "{2}",
        "Artifact",
        "If an opponent would mill one or more cards, they mill that many plus 4 instead.",
    )
    answer = ask(Plan().permanent(crystal).on_turn(1, "mill 1"))

    assert 1 == answer.p("library = 55")


def test_a_card_that_goes_back_into_the_library_is_not_counted():
    deck = Deck({"Island": 9, "Darksteel Colossus": 1})
    answer = exact(deck, Plan().on_turn(1, "mill 4"), ["card"], as_fractions=True)

    assert {3: Fraction(4, 10), 4: Fraction(6, 10)} == answer.distribution("graveyard").outcomes()


def test_of_cards_looked_at_the_one_that_is_kept_is_taken():
    """A land is among three cards, else another one is taken; with a land in hand the other way round."""
    looks = (
        "look at the top three cards of your library. Put one of them into your hand and the rest into your graveyard"
    )
    none, all_lands = hit(0, 24, 3), hit(3, 24, 3)
    first = ask(Plan().on_turn(1, looks, keep="land"), ["land in hand"], 1)
    other = ask(Plan().on_turn(1, looks, keep="land", enough=0), ["land in hand"], 1)

    assert (1 - none, all_lands) == (first.p("land in hand = 1"), other.p("land in hand = 1"))
    assert "of cards equally wanted the one that the deck names first" in first.method
    with pytest.raises(BadData, match="say keep='land'"):
        ask(Plan().on_turn(1, looks))


@pytest.mark.parametrize("as_fractions", [False, True])
def test_all_cards_taken_until_their_values_add_up_are_counted(as_fractions):
    """Two Bears of ten among twenty cards reach 3: the second lies 2 * 21 / 11 deep on average."""
    goal = "exile cards from the top of your library until you have exiled cards with total mana value 3 or more"
    deck = Deck({"Grizzly Bears": 10, "Island": 10})
    answer = exact(deck, Plan().on_turn(1, goal), ["card in exile"], 1, as_fractions=as_fractions)

    assert 42 / 11 == pytest.approx(float(answer.mean("card in exile")))
    assert comb(10, 2) / comb(20, 2) == pytest.approx(float(answer.p("card in exile = 2")))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Whenever a land enters, each opponent mills a card.", r"Plan.from_cards\(\[card\]\).*against=deck"),
        ("Ponder the mill.", "not understood: Ponder the mill"),
        ("You can't lose the game.", "nothing else of a permanent.*policy='eager'"),
    ],
)
def test_a_permanent_that_replaces_nothing_is_refused_with_what_can_be_done_about_its_text(text, says):
    with pytest.raises(BadData, match=f"(?s){says}"):
        ask(Plan().permanent(Card("Mine", "{2}", "Enchantment", text)))


@pytest.mark.parametrize(("cards", "goes_on"), [("cards", Fraction(10 * 9, 20 * 19)), ("nonland cards", 0)])
def test_a_process_is_repeated_for_cards_of_the_kind_that_is_named_alone(cards, goes_on):
    """Ten of twenty cards are lands that are green."""
    grove = Card("Grove", None, "Land Creature — Forest Dryad", color_indicator=["green"], power=1, toughness=1)
    text = f"mill two cards. If two {cards} that share a color were milled this way, repeat this process"
    deck, plan = Deck({"Grove": 10, "Island": 10}), Plan().on_turn(1, text)

    assert goes_on == exact(deck, plan, as_fractions=True, pool=CardPool([grove])).p("library < 18")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("two to five lands", "2 to 5 lands"),
        ("between 2 and 5 lands and at least one creature", "2 to 5 lands and at least 1 creature"),
        ("at least 1 card named Sword of Body and Mind and no lands", "1 or more Sword and at most 0 lands"),
    ],
)
def test_numbers_of_cards_that_are_kept_may_be_words(said, meant):
    meant = meant.replace("Sword", "card named Sword of Body and Mind")

    assert Plan().opening_hand(7, keep=meant).opening.keep == Plan().opening_hand(7, keep=said).opening.keep


@pytest.mark.parametrize(("name", "told"), [("Bruvac the Grandiloquent", True), ("Leyline of the Void", False)])
def test_a_legendary_permanent_that_is_there_twice_is_told(name, told):
    answer = ask(Plan().permanent(name).permanent(name).on_turn(1, "mill 2"))

    assert told == (f"{name} applies 2 times; of one player's only one would stay (704.5j)." in answer.method)


@pytest.mark.parametrize(
    ("said", "milled"), [("twice", 2 * 7 + 2), ("three times", 3 * 7 + 2), ("four times", 4 * 7 + 2)]
)
def test_of_a_multiple_to_which_something_is_added_the_first_part_alone_is_multiplied(said, milled):
    text = f"mill X, where X is {said} the number of cards in your hand plus two"

    assert 1 == ask(Plan().draw(7).on_turn(1, text)).p(f"graveyard = {milled}")


def test_what_two_parts_ask_of_one_kind_is_one_range():
    apart, together = (
        ask(Plan().opening_hand(7, keep=keep, down_to=5), ["land in hand", "creature in hand"], 1)
        for keep in ("at least 2 lands and at most 4 lands", "2 to 4 lands")
    )

    assert apart.method == together.method
    for names in ("land in hand", "creature in hand"):
        assert apart.distribution(names, 0) == together.distribution(names, 0)


def test_known_cards_that_a_mulligan_shuffles_away_are_told():
    """103.5"""
    plan = Plan().known(bottom=["Lightning Bolt"])

    told = ask(plan.opening_hand(7, keep="2 to 5 lands"), turns=1).method
    kept = ask(plan.draw(7), turns=1).method

    assert ("no card is known there any more" in told, "known" in kept) == (True, False)


def test_what_may_be_taken_of_cards_looked_at_is_taken_if_it_fits():
    looks = (
        "look at the top four cards of your library. You may put a creature card from among them into your hand. Put"
    )
    looks += " the rest on the bottom of your library in any order"
    answer = ask(Plan().on_turn(1, looks, keep="creature").on_turn(2, "mill 56"), ["creature in hand", "creature"], 2)

    assert 1 - hit(0, 20, 4) == answer.p("creature in hand = 1", turn=1)
    assert 1 == answer.p("library = 4 or library = 3", turn=2)


def test_a_policy_can_stop_wanting_lands():
    plan = Plan().draw(2).each_turn("surveil 1", keep="land", enough=1).each_turn(draw=1)
    answer = exact(Deck({"Island": 2, "Grizzly Bears": 2}), plan, ["land in hand"], turns=1, as_fractions=True)

    # Two lands in hand stay two. With none the next card is a land. With one lands are put away and bears are kept.
    assert {2: Fraction(1, 6), 1: Fraction(5, 6)} == answer.distribution("land in hand").outcomes()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Plan().each_turn("mill 1", from_turn=0), "from_turn"),
        (lambda: Plan().each_turn("mill 1", from_turn=3, to_turn=2), "to_turn"),
        (lambda: Plan().each_turn("mill 1", chance=1.5), "between 0 and 1"),
        (lambda: Plan().each_turn("mill 1", chance="often"), "no probability"),
        (lambda: Plan().each_turn(), "either an instruction or a draw"),
        (lambda: Plan().each_turn("mill 1", draw=1), "either an instruction or a draw"),
        (lambda: Plan().each_turn(draw=-1), "draw"),
        (lambda: Plan().each_turn("mill 1", chance=1e-12), "1e-12 would be taken for 0"),
        (lambda: Plan().each_turn("mill 1", chance=1 - 1e-12), "would be taken for 1"),
        (lambda: Plan().draw(-1), "draw"),
        (lambda: Plan().draw(7).draw(7), "already"),
        (lambda: Plan().on_turn(0, "mill 1"), "turn"),
        (lambda: Plan().on_turn(1.5, "mill 1"), "turn"),
        (lambda: Plan().opening_hand(7, mulligan="paris"), "paris"),
        (lambda: Plan().opening_hand(7, keep="some lands"), "some lands"),
        (lambda: Plan().opening_hand(7, keep="5 to 2 lands"), "5 to 2 lands"),
        (lambda: Plan().opening_hand(7, keep="2 to 5 lands", down_to=9), "down_to"),
        (lambda: Plan().permanent("Bruvac the Grandiloquent", controller="nobody"), "nobody"),
        (lambda: ask(Plan().on_turn(1, "mill -1")), "-1"),
        (lambda: ask(Plan().on_turn(1, "mils two cards")), "no instruction .* begins with .mils two cards"),
        (lambda: ask(Plan().on_turn(1, "you may mill two cards")), "no library program"),
        (lambda: ask(Plan().on_turn(1, "scry 1")), "keep="),
        (lambda: ask(Plan().on_turn(1, "discard a card")), "no library program"),
        (lambda: ask(Plan().permanent("Ruin Crab")), "no replacement effect"),
        (lambda: ask(Plan(), turns=-1), "turns"),
        (lambda: ask(Plan(), turns=10_000), "turns"),
        (lambda: ask(Plan(), ["land", "land"]), "land"),
        (lambda: ask(Plan(), ["lnd"]), "lnd"),
        (lambda: ask(Plan(), "land"), "list"),
        (lambda: ask(Plan(), [lambda card: 1]), "(?s)a function with a name.*<lambda>"),
        (lambda: ask(Plan(), {"library": "land"}), "'library' is always counted"),
        (lambda: ask(Plan(), ["tapped creature"]), "no card in a library, hand or graveyard is a 'tapped creature'"),
        (lambda: ask(Plan(), ["creature you control"]), "no card in a library"),
        (lambda: ask(Plan(), ["Lightning Bolt"]), "(?s)not understood.*named Lightning Bolt"),
        (lambda: ask(Plan()).p("3 = library"), "the name of a count must stand in front"),
        (lambda: ask(Plan().known(top=["Lightning Bolt"] * 17)), "has 16 Lightning Bolt, .* where 17 of them lie"),
        (lambda: Plan().known(top="Lightning Bolt"), "names of cards must stand"),
        (lambda: ask(Plan().on_turn(1, "mill 1"), {"bad": lambda card: -1}), "at least 0"),
        (lambda: ask(Plan(), {"bad": lambda card: None}), "gives None for .*, not True"),
        (lambda: Plan().on_turn(201, "mill 1"), "from 1 to 200"),
        (lambda: sweep(Deck.mixture({DECK: 1}), Plan(), vary="land", over=[3], question="library = 60"), "Mixture"),
        (lambda: ask(Plan()).p("library = 1", turn=2), "turn"),
        (lambda: ask(Plan()).example("library = 60"), "no trials"),
        (lambda: exact(Deck({}), Plan()), "at least one card"),
        (lambda: exact("24 Island", Plan()), "Deck.read"),
        (lambda: sweep(DECK, Plan(), vary="planeswalker", over=[3], question="library = 60"), "planeswalker"),
        (lambda: sweep(DECK, Plan(), vary="land", over=[], question="library = 60"), "over"),
        (lambda: compare(DECK, plan=Plan(), question="library = 60"), "2 to 7"),
    ],
)
def test_what_is_impossible_is_refused_with_its_place(make, says):
    with pytest.raises(BadData, match=says):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: ask(Plan()).p("lands > 1"),
        lambda: ask(Plan(), ["named Lightning Bold"]),
        lambda: ask(Plan()).distribution("lands"),
        lambda: ask(Plan().permanent("Bruvac the Magnificent")),
        lambda: ask(Plan().known(top=["Forest"])),
    ],
)
def test_names_that_nothing_has_are_refused(make):
    with pytest.raises(Unknown):
        make()


def test_too_many_cells_are_refused_with_the_number_and_the_way_out():
    cards = list(CardPool.catalogue())[:60]
    count = [f"named {name}" for name in cards[:12]] + ["total mana value"]
    answer = exact(Deck(cards), Plan().draw(7).each_turn("mill 5"), count, turns=9)

    with pytest.raises(TooMany, match=r"needs [\d,]+ cells, the limit is 20,000,000[^$]*simulate"):
        answer.distribution([*count, "library"])


def test_more_steps_than_there_is_time_for_are_refused_with_their_number_and_the_way_out(monkeypatch):
    """A condition that comes and goes is looked at in each turn; no table is large, and it would take minutes."""
    deck = Deck({"Island": 24, "Grizzly Bears": 12, "Ruin Crab": 8, "Thought Scour": 16})
    plan = Plan().draw(7).each_turn(draw=1).each_turn("mill 2", chance=0.7)
    answer = exact(deck, plan, ["land", "creature in hand"], turns=9)
    monkeypatch.setattr(chain, "MOST_CELLS", chain.MOST_CELLS // 10)

    assert 0 < answer.p("land = 3 and creature in hand = 2") < 1
    with pytest.raises(TooMany, match=r"more than 200,000 steps from state to state \(2,000,000 cells\)[^$]*simulate"):
        answer.first_turn("land = 3 and creature in hand = 2")


NONSENSE = (
    "?",
    "mill",
    "mill two lands",
    "draw X cards",
    "each",
    "{",
    "mill " * 50,
    "\u202emill 2",
    "mill 99999999999999",
)


@pytest.mark.parametrize("text", NONSENSE)
def test_every_refusal_is_one_of_ours(text):
    with pytest.raises(RulekitError):
        exact(DECK, Plan().on_turn(1, text), turns=1)


def test_a_cut_off_mean_warns():
    turn = ask(Plan().each_turn("mill 10", chance="1/2"), turns=6).first_turn("library = 0")

    with pytest.warns(Truncated):
        assert 6 == turn.mean()


def test_frames_hold_all_counts_of_all_turns():
    frame = ask(Plan().each_turn("mill 2"), ["land"], 2).frame()
    land = frame[(frame["name"] == "land") & (frame["turn"] == 2)]

    assert ["turn", "name", "value", "probability"] == list(frame.columns)
    assert np.allclose([float(hit(k, 24, 4)) for k in range(5)], land["probability"])


@pytest.mark.parametrize("asked", ["frob = 1", "lamd = 1"])
def test_what_is_counted_is_told_once_where_something_else_is_asked(asked):
    with pytest.raises(Unknown) as refusal:
        ask(Plan(), ["land"]).p(asked)

    assert 1 == str(refusal.value).count("graveyard")


def test_whole_numbers_of_numpy_are_taken_wherever_a_number_stands():
    seven, ten, two = np.array([7, 10, 2])
    plan = Plan().draw(seven).on_turn(two, "mill 10")
    varied_hand = exact(varied(DECK, "land", two * 11), Plan().draw(seven), ["land in hand"])

    assert Plan().draw(7).on_turn(2, "mill 10") == plan
    assert float(hit(4, 24, 10)) == pytest.approx(exact(DECK, plan, ["land"], ten).p("land = 4", turn=two))
    assert float(hit(3, 22, 7)) == pytest.approx(varied_hand.p("land in hand = 3"))
    assert Deck.mixture({DECK: 1}) == Deck.mixture({DECK: 1}).given({"Island": two})


def test_a_bare_number_warns_once_of_cards_of_which_nothing_is_known():
    deck = Deck({"Island": 20, "Polluted Fen": 40})
    answer = exact(deck, Plan().on_turn(1, "mill 10"), ["land", "named Polluted Fen"], turns=1)

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answer.p("land = 4")
        answer.mean("land")
        answer.frame()

    assert [(NothingKnown, __file__)] == [(each.category, each.filename) for each in told]
    assert "nothing is known of Polluted Fen" in str(told[0].message)


def test_what_does_not_depend_on_cards_of_which_nothing_is_known_does_not_warn():
    deck = Deck({"Island": 20, "Polluted Fen": 40})
    answer = exact(deck, Plan().on_turn(1, "mill 10"), ["land", "named Polluted Fen"], turns=1)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer.p("named Polluted Fen = 4 and library = 50")
        answer.lost_by(1)
        assert "nothing is known of Polluted Fen" in str(answer.distribution("land"))
        assert "Nothing is known of Polluted Fen" in str(answer)
        assert "nothing is known of Polluted Fen" in str(
            sweep(deck, Plan().draw(7), vary="land", over=[20], question="land in hand = 3")
        )
        assert "nothing is known of Polluted Fen" in str(
            compare(deck, deck, plan=Plan().draw(7), question="land in hand = 3", labels=["a", "b"])
        )


@pytest.mark.parametrize("have", ["you have", "you've"])
def test_what_is_exiled_until_mana_values_add_up_is_read_with_either_spelling(have):
    text = f"exile cards from the top of your library until {have} exiled cards with total mana value 20 or greater"
    deck = Deck({"Grizzly Bears": 30})  # of mana value 2

    assert 20 == exact(deck, Plan().on_turn(1, text), turns=1).mean("library")


@pytest.mark.parametrize("said", ["mana value 3 or less", "power 2 or greater", "flying", "odd mana value"])
def test_what_a_card_has_may_stand_alone(said):
    answer = ask(Plan().on_turn(1, "mill 60"), {"alone": said, "whole": f"card with {said}"})

    assert answer.mean("whole") == answer.mean("alone")


def test_no_probability_is_above_one():
    plan = Plan().opening_hand(7, keep="2 to 5 lands", down_to=5).each_turn(draw=1).each_turn("mill 10", chance="1/3")
    answer = ask(plan, ["land"], 8)

    assert 1 >= answer.frame()["probability"].max()
    assert 1 >= max(max(answer.distribution("hand", turn).outcomes().values()) for turn in range(9))


def test_a_hit_counts_also_where_it_loses_the_game():
    """A draw that comes about with chance 1/2 from an empty library: a hit in one of two games."""
    answer = exact(Deck({"Island": 2}), Plan().draw(2).on_turn(1, draw=1, chance="1/2"), turns=1)

    assert (0.5, 0.5) == (answer.p("hits = 1"), answer.p("hits = 1 and lost = 1"))


@pytest.mark.parametrize("rest", ["in a random order", "in any order"])
def test_the_rest_of_what_was_revealed_goes_to_the_bottom_and_the_card_that_was_looked_for_is_taken(rest):
    text = f"Reveal cards from the top of your library until you reveal a land card. Put that card into your hand and the rest on the bottom of your library {rest}."  # noqa: E501
    deck = Deck({"Island": 3, "Murder": 7})
    answer = exact(deck, Plan().on_turn(1, text).on_turn(2, draw=1), ["land in hand"], 2, as_fractions=True)

    assert 1 == answer.p("land in hand = 1 and library = 9", turn=1)
    first = [Fraction(comb(9 - k, 2), comb(10, 3)) for k in range(8)]  # k others lie above the first land
    left = sum(p * Fraction(2, 9 - k) for k, p in enumerate(first))  # 9 - k cards lie above those put to the bottom
    assert left == answer.p("land in hand = 2", turn=2)


@pytest.mark.parametrize("who", ["shuffle your {}", "each player shuffles their {}", "target player shuffles their {}"])
def test_hand_and_graveyard_are_shuffled_away_together_before_new_cards_are_drawn(who):
    whose, s = ("your", "") if "your" in who else ("their", "s")
    text = f"{who.format('hand and graveyard')} into {whose} library, then draw{s} seven cards"
    answer = ask(Plan().draw(5).on_turn(1, "mill 10").on_turn(1, text), ["land in hand"], 1)

    assert 1 == answer.p("hand = 7 and graveyard = 0 and library = 53")
    assert [hit(k, 24, 7) for k in range(8)] == [answer.p(f"land in hand = {k}") for k in range(8)]


@pytest.mark.parametrize("whose", ["target player's library", "each player's library", "target opponent's library"])
def test_cards_are_exiled_from_the_library_of_whoever_is_named_behind_it(whose):
    answer = ask(Plan().on_turn(1, f"exile the top ten cards of {whose}", by="opponent"), ["land in exile"], 1)

    assert 1 == answer.p("graveyard = 0 and library = 50")
    assert [hit(k, 24, 10) for k in range(11)] == [answer.p(f"land in exile = {k}") for k in range(11)]


def test_a_card_that_is_exiled_and_put_back_at_once_lies_at_the_bottom_and_later_on_it_is_refused_by_name():
    text = "exile the top card of your library. {}Put the exiled card on the bottom of your library"
    plan = Plan().on_turn(1, text.format("")).on_turn(1, "mill 59")

    assert 1 == ask(plan).p("library = 1 and graveyard = 59", 1)
    with pytest.raises(BadData, match="puts some cards of a zone back into the library"):
        ask(Plan().on_turn(1, text.format("Mill a card. ")))


@pytest.mark.parametrize("who", ["enchanted player", "defending player", "that player"])
def test_whoever_a_card_would_name_is_the_player_of_the_plan(who):
    assert 1 == ask(Plan().on_turn(1, f"{who} mills ten cards")).p("library = 50", turn=1)


@pytest.mark.parametrize(
    "text",
    [
        "Mill eight cards. If this spell was kicked, instead mill half your library, rounded up.",
        "if the gift was promised, mill three cards",
    ],
)  # fmt: skip
def test_how_a_spell_was_cast_is_not_taken_for_granted_without_a_word(text):
    with pytest.raises(BadData, match="no step of a plan can say this"):
        ask(Plan().on_turn(1, text))


def test_a_step_that_moves_no_card_and_one_that_asks_the_battlefield_say_so():
    assert "moves no card of this library" in ask(Plan().on_turn(1, "create a Treasure token")).method
    assert "Of the battlefield" in ask(Plan().on_turn(1, "if you control an artifact, mill three cards")).method
    assert "moves no card" not in ask(Plan().on_turn(1, "mill three cards")).method


BURIED = (
    "enchanted player mills X cards, where X is the number of cards put into their graveyard from anywhere this turn."
)


@pytest.mark.parametrize(
    ("plan", "left"),
    [
        (Plan().on_turn(1, "mill ten cards").on_turn(1, BURIED), 60 - 10 - 10),
        (Plan().on_turn(1, "mill ten cards").on_turn(1, BURIED).on_turn(1, BURIED), 60 - 10 - 10 - 20),
        (Plan().draw(7).each_turn(draw=1).each_turn("mill three cards").each_turn(BURIED), 60 - 7 - 2 * (1 + 3 + 3)),
        (Plan().on_turn(1, "mill five cards").on_turn(2, BURIED), 60 - 5),
        (
            Plan().permanent("Bruvac the Grandiloquent").on_turn(1, "target player mills three cards")
            .on_turn(1, BURIED, by="opponent"),
            60 - 6 - 12,
        ),
        (Plan().permanent("Rest in Peace").on_turn(1, "mill ten cards").on_turn(1, BURIED), 60 - 10),
        (Plan().on_turn(1, "scry 2", keep="land").on_turn(1, "mill 4").on_turn(1, BURIED), 60 - 4 - 4),
        (Plan().on_turn(1, "mill 45").on_turn(1, BURIED), 0),
    ],
)  # fmt: skip
def test_what_is_put_into_the_graveyard_this_turn_is_counted(plan, left):
    """Fraying Sanity's own count, at the end of each turn."""
    answer = ask(plan, turns=2)
    assert 1 == answer.p(f"library = {left}", turn=2)

    played = simulate(DECK, plan, count=[], turns=2, trials=2_000, seed=3)
    assert 1 == float(played.p(f"library = {left}", turn=2))
    assert left == len(replay(played, 5).state.zone("library", "the player"))


@pytest.mark.parametrize("before", ["mill half your library, rounded up", "surveil 2", "mill 5 cards by chance"])
def test_where_that_is_not_one_number_the_step_is_refused_by_name(before):
    chance = 0.5 if "chance" in before else 1
    plan = Plan().on_turn(1, before.removesuffix(" by chance"), chance=chance, keep="land").on_turn(1, BURIED)

    with pytest.raises(BadData, match="is not one number in all games"):
        ask(plan)


@pytest.mark.parametrize("which", ["revealed this way", "from among them"])
def test_all_cards_that_fit_are_taken_without_asking_which(which):
    text = f"Reveal the top four cards of your library. Put all land cards {which} into your hand and the rest into your graveyard."  # noqa: E501
    answer = ask(Plan().on_turn(1, text), ["land in hand"])

    assert [hit(k, 24, 4) for k in range(5)] == [
        answer.p(f"land in hand = {k} and graveyard = {4 - k}", 1) for k in range(5)
    ]


@pytest.mark.parametrize(
    ("chance", "meant"), [("70%", "7/10"), ("12.5 %", "1/8"), ("100%", "1"), ("2/3", "2/3"), (0.7, "7/10")]
)
def test_a_chance_may_be_written_in_percent(chance, meant):
    assert Fraction(meant) == Plan().each_turn("mill 3", chance=chance).steps[0].chance


@pytest.mark.parametrize(
    "rest", ["the other on the bottom of your library", "the rest on the bottom of your library in any order"]
)
def test_of_two_cards_looked_at_the_one_that_is_wanted_is_taken(rest):
    text = f"Look at the top two cards of your library. Put one of them into your hand and {rest}."
    answer = ask(Plan().on_turn(1, text, keep="land"), ["land in hand"])

    assert 1 - hit(0, 24, 2) == answer.p("land in hand = 1 and library = 59", turn=1)


APART = (
    ("mill three cards. Put a +1/+1 counter on this creature", "put a +1/+1 counter on"),
    ("destroy target creature. Its controller mills three cards", "destroy target creature"),
    (
        "mill three cards. If a land card was milled this way, transform this creature",
        "if a land card was milled this way",
    ),
)


@pytest.mark.parametrize(("text", "left"), APART)
@pytest.mark.parametrize("played", [False, True])
def test_what_is_done_to_an_object_that_no_plan_has_is_left_out_and_told(text, left, played):
    plan = Plan().on_turn(1, text)
    answer = simulate(DECK, plan, [], 1, trials=3, seed=1, policy="eager") if played else ask(plan)

    assert 1 == float(answer.p("library = 57 and graveyard = 3", turn=1))
    assert f"Of '{text}' this is left out: {left}" in " ".join(answer.question.notes)


def test_what_hangs_on_something_left_out_is_refused():
    with pytest.raises(BadData, match="a step of a plan is on no card"):
        ask(Plan().on_turn(1, "you may put a +1/+1 counter on this creature. If you do, mill a card"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("mill X cards, where X is the number of land cards in your graveyard", lambda lands: lands),
        ("draw a card for each land card in your graveyard", lambda lands: lands),
        ("if there are two or more land cards in your graveyard, mill three cards", lambda lands: 3 * (lands >= 2)),
        ("if there are no land cards in your graveyard, draw two cards", lambda lands: 2 * (lands == 0)),
        ("if there are four or more cards in your graveyard, exile the top card of your library", lambda lands: 1),
        ("each opponent mills a card for each land card in their graveyard", lambda lands: lands),
    ],
)  # fmt: skip
def test_how_many_cards_of_a_kind_lie_in_the_graveyard_decides(text, wanted):
    """Of four cards milled k are lands, hypergeometric."""
    answer = ask(Plan().on_turn(1, "mill four cards").on_turn(2, text), ["land in graveyard"], 2)

    sizes = [56 - wanted(lands) for lands in range(5)]
    for size in set(sizes):
        assert sum(hit(k, 24, 4) for k in range(5) if sizes[k] == size) == answer.p(f"library = {size}", turn=2)


@pytest.mark.parametrize("rest", ["on the bottom of your library in a random order", "into your graveyard"])
def test_what_may_be_taken_is_taken_if_it_is_there_and_the_rest_goes_where_it_is_said(rest):
    text = f"Look at the top four cards of your library. You may put a land card from among them into your hand. Put the rest {rest}."  # noqa: E501
    answer = ask(Plan().each_turn(text, keep="land"), ["land in hand"], 2)

    none = hit(0, 24, 4)
    assert 1 - none == answer.p("land in hand = 1 and hand = 1", turn=1)
    assert none == answer.p("hand = 0", turn=1)
    assert (1 - none if "bottom" in rest else 0) == answer.p("library = 59", turn=1)


def test_one_of_the_milled_cards_goes_to_the_hand_and_counts_as_milled():
    text = "mill three cards. You may put a land card from among them into your hand"
    answer = ask(Plan().on_turn(1, text, keep="land"), ["land"], 1)

    assert [hit(k, 24, 3) for k in range(4)] == [
        answer.p(f"land = {k} and hand = {min(k, 1)} and graveyard = {3 - min(k, 1)}", 1) for k in range(4)
    ]


def test_nonland_cards_are_looked_for_in_exile_and_one_goes_to_the_hand():
    text = "exile cards from the top of your library until you exile a nonland card. Put that card into your hand"
    answer = ask(Plan().on_turn(1, text), ["land in exile"], 1)

    for lands in range(4):  # so many lands lie above the first other card
        before = Fraction(comb(60 - lands - 1, 24 - lands), comb(60, 24))
        assert before == answer.p(f"land in exile = {lands} and hand = 1 and library = {59 - lands}", 1)


def test_the_opening_hand_alone_may_be_asked() -> None:
    """Turn 0 ends before turn 1 begins: three of 24 lands among seven of 60 cards, in each of the three ways to ask."""
    deck, plan = Deck.read("24 Island\n36 Filler"), Plan().draw(7).each_turn("mill 2")
    sure = Fraction(comb(24, 3) * comb(36, 4), comb(60, 7))
    question = {"count": ["land in hand"], "turns": 0}

    assert sure == exact(deck, plan, **question, as_fractions=True).p("land in hand = 3", turn=0)
    found = simulate(deck, plan, **question, trials=20_000, seed=1).p("land in hand = 3", turn=0)
    assert abs(found - float(sure)) < 0.015
    played = simulate(deck, plan, **question, trials=20, seed=1, policy="passive")
    assert 53 == played.distribution("library", turn=0).mean()
