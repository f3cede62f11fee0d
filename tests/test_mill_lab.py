"""The mill lab: what its controls say, what the game makes of it, and what is shown."""

from __future__ import annotations

import pytest

from rulekit.rules import BadData, Unknown
from rulekit.widgets.mill_lab import MillLab


def row(lab: MillLab, place: int = 0) -> tuple[str, ...]:
    """One way in which it goes: milled, and what library, hand, graveyard and exile hold then."""
    (grid,) = lab.findings.grids
    return grid.rows[place][1:]


def test_so_many_cards_go_from_the_library_to_the_graveyard() -> None:
    """701.17a"""
    assert ("4", "16", "0", "4", "0") == row(MillLab(amount=4))


def test_a_library_too_small_is_milled_whole() -> None:
    """701.17b"""
    assert ("20", "0", "0", "20", "0") == row(MillLab(amount=50))


def test_half_is_rounded_as_the_card_says() -> None:
    """107.1a"""
    assert "2" == row(MillLab(measure="half down", library="5 Island"))[0]
    assert "3" == row(MillLab(measure="half up", library="5 Island"))[0]


def test_both_orders_of_doubling_and_adding_are_shown() -> None:
    """616.1: 4 doubled plus 4, or 4 plus 4 doubled."""
    lab = MillLab(amount=4, bruvac=True, crystal=True)

    assert ("12", "8", "0", "12", "0") == row(lab, 0)
    assert ("16", "4", "0", "16", "0") == row(lab, 1)
    assert 2 == len(lab.board.lines)


def test_two_doublers_of_different_players_make_four_times_as_many() -> None:
    """614.5: each effect applies once."""
    assert "4" == row(MillLab(amount=1, bruvac=True, other_bruvac=True))[0]


def test_a_cost_that_the_library_cannot_pay_is_refused_by_its_rule() -> None:
    """701.17b"""
    lab = MillLab(how="cost", amount=21)
    (refusal,) = lab.findings.refusals

    assert "701.17b" == refusal.rule
    assert "Refused (701.17b)" in lab.findings.head_html()
    assert () == lab.findings.grids


def test_may_offers_both_answers_only_if_there_are_enough_cards() -> None:
    """701.17b"""
    assert ["4", "0"] == [row(MillLab(how="may"), place)[0] for place in (0, 1)]
    assert 1 == len(MillLab(how="may", amount=21).findings.games)


def test_cards_that_are_exiled_instead_are_milled_all_the_same() -> None:
    """701.17c"""
    assert ("4", "16", "0", "0", "4") == row(MillLab(amount=4, rest_in_peace=True))


def test_bob_chooses_which_of_several_effects_moves_his_cards() -> None:
    """616.1"""
    lab = MillLab(amount=4, rest_in_peace=True, wheel=True)
    found = {tuple(cells) for _, *cells in lab.findings.grids[0].rows}

    assert found <= {("4", str(20 - exiled), "0", "0", str(exiled)) for exiled in range(5)}
    assert {("4", "16", "0", "0", "4"), ("4", "20", "0", "0", "0")} <= found


def test_a_choice_to_mill_more_than_there_is_is_not_offered_and_the_lab_says_so() -> None:
    """701.17b"""
    lab = MillLab(how="may", library="3 Island", amount=4)
    assert "Bob is not asked whether he does it, since he could not (701.17b)" in str(lab)
    assert ("0", "3", "0", "0", "0") == row(lab)

    lab.set(amount=3)
    assert "is not asked" not in str(lab)
    assert {("3", "0"), ("0", "3")} == {tuple(cells[:2]) for _, *cells in lab.findings.grids[0].rows}


def test_revealing_until_there_are_lands_is_no_milling() -> None:
    """701.17a: Island, Grizzly Bears and Forest go; nothing is doubled."""
    assert ("0", "17", "0", "3", "0") == row(MillLab(measure="until lands", amount=2, bruvac=True))


def test_hand_and_graveyard_are_those_of_the_controls() -> None:
    assert ("4", "16", "2", "5", "0") == row(MillLab(hand="2 Island", graveyard="Forest"))


def test_a_changed_control_changes_what_is_shown() -> None:
    lab = MillLab()
    lab.controls["amount"].value = 7

    assert "7" == row(lab)[0]
    assert "<td" in lab._seen.value
    assert "Bob mills 7 cards" in lab.board.frames[-3].said + str(lab)


def test_an_unknown_card_is_told_in_the_lab_and_nothing_old_stays() -> None:
    lab = MillLab()
    lab.controls["library"].value = "Iland"

    assert "Island" in lab.error.value
    assert 'role="alert"' in lab.error.value
    assert () == lab.findings.grids
    lab.controls["library"].value = "Island"
    assert "" == lab.error.value


def test_a_value_that_cannot_be_is_refused_and_changes_nothing() -> None:
    lab = MillLab(amount=3)
    with pytest.raises(BadData, match="out of range"):
        lab.set(amount=-1)
    with pytest.raises(Unknown, match="Did you mean 'bruvac'"):
        lab.set(bruvak=True)
    with pytest.raises(BadData, match="as a cost"):
        lab.set(measure="until lands", how="cost")
    assert "MillLab(amount=3)" == lab.code
    assert "3" == row(lab)[0]


def test_the_code_makes_the_same_lab() -> None:
    lab = MillLab(how="may", library="2 Island\nForest", crystal=True)

    assert str(lab) == str(eval(lab.code))


def test_a_notebook_gets_view_still_form_and_text() -> None:
    forms = MillLab(bruvac=True)._repr_mimebundle_()

    assert "application/vnd.jupyter.widget-view+json" in forms
    assert "MillLab(bruvac=True)" in forms["text/html"]
    assert "701.17a  Bob mills 8 cards" in forms["text/plain"]


def test_a_name_like_a_picture_is_inert() -> None:
    lab = MillLab()
    lab.controls["library"].value = "<img src=x onerror=alert(1)>"

    assert "<img" not in lab.error.value
    assert "<img" not in lab._code.value + lab._still()


def test_what_a_choice_is_about_is_told_with_it() -> None:
    """616.1: he is asked for each card; an answer that holds for several cards says so."""
    lab = MillLab(rest_in_peace=True, wheel=True, library="3 Island\nForest\n6 Swamp")
    first = lab.findings.grids[0].rows[0]

    assert "Bob, which effect applies first to each Island: Rest in Peace" == first[0].split("; ")[0]
    assert "Bob, which effect applies first to Forest: Rest in Peace" == first[0].split("; ")[1]
    assert ("4", "6", "0", "0", "4") == first[1:]

    lab.set(library="Island\nForest\nSwamp\nPlains")
    assert ["Bob, which effect applies first to Island, and so on: Rest in Peace",
            "Bob, which effect applies first to Island, and so on: Wheel of Sun and Moon"] == [
        row[0] for row in lab.findings.grids[0].rows
    ]  # fmt: skip


def test_a_number_is_asked_only_where_one_is_meant() -> None:
    lab = MillLab(measure="half up")
    assert "none" == lab.controls["amount"].layout.display

    lab.controls["measure"].value = "number"
    assert lab.controls["amount"].layout.display is None
