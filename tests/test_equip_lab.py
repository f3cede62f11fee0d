"""The equip lab: which permanents an Equipment may target and be on, why, and what a change makes of it."""

from __future__ import annotations

from rulekit import Scenario
from rulekit.widgets.equip_lab import LABEL, EquipLab, equipment


def cells(lab: EquipLab, permanent: str, grid: int = 0) -> tuple[str, ...]:
    """What the lab says of a permanent: equip abilities, whether it may be on it, whether it is."""
    return next(row[1:] for row in lab.findings.grids[grid].rows if row[0] == permanent)


def test_equip_targets_a_creature_of_its_controller() -> None:
    """702.6a, 301.5; the Equipment may be on any creature at all (301.5b)."""
    lab = EquipLab()

    assert ("yes", "yes", "no") == cells(lab, "Grizzly Bears")
    assert ("no (702.6a)", "no (301.5)", "no") == cells(lab, "Millstone")
    assert ("no (702.6a)", "yes", "no") == cells(lab, "Serra Angel")


def test_a_quality_is_asked_of_the_target_alone() -> None:
    """702.6c"""
    lab = EquipLab(card="Steelclaw Lance", hers=("Grizzly Bears",))

    assert ("no (702.6c)", "yes", "yes", "no") == cells(lab, "Grizzly Bears")


def test_protection_forbids_both() -> None:
    """702.16b, 702.16d: White Knight has protection from black."""
    assert ("no (702.16b)", "no (702.16d)", "no") == cells(EquipLab(card="Enormous Energy Blade"), "White Knight")


def test_what_cannot_carry_it_can_still_be_its_target() -> None:
    """301.5b: O-Naginata goes on power 3 or more only."""
    assert ("yes", "no (301.5b)", "no") == cells(EquipLab(card="O-Naginata"), "Grizzly Bears")


def test_equip_is_activated_only_as_a_sorcery() -> None:
    """702.6a"""
    for when in ("Alice's beginning of combat", "Alice's end step", "Bob's main phase"):
        assert "no (702.6a)" == cells(EquipLab(when=when), "Grizzly Bears")[0]


def test_only_abilities_with_a_target_are_asked_about() -> None:
    """702.151a: reconfigure also unattaches, which has no target."""
    assert 3 == len(cells(EquipLab(card="Rabbit Battery"), "Grizzly Bears"))


def test_shroud_stops_the_target_and_not_the_attachment() -> None:
    """702.18a, 702.18b"""
    lab = EquipLab(on="Grizzly Bears", changed="Grizzly Bears", change="it gains shroud")

    assert ("no (702.18a)", "yes", "yes") == cells(lab, "Grizzly Bears", 1)


def test_protection_makes_it_fall_off() -> None:
    """702.16d, 704.5n"""
    lab = EquipLab(on="Grizzly Bears", changed="Grizzly Bears", change="it gains protection from artifacts")

    assert "yes" == cells(lab, "Grizzly Bears", 0)[-1]
    assert "no" == cells(lab, "Grizzly Bears", 1)[-1]
    assert "704.5n" in lab.findings.rules()


def test_a_creature_that_changes_sides_keeps_the_equipment() -> None:
    """301.5d"""
    lab = EquipLab(on="Grizzly Bears", changed="Grizzly Bears", change="Bob gains control of it")

    assert ("no (702.6a)", "yes", "yes") == cells(lab, "Grizzly Bears", 1)


def test_the_controller_of_the_equipment_alone_may_equip() -> None:
    """301.5d"""
    lab = EquipLab(changed=LABEL, change="Bob gains control of it")

    assert "no (301.5d)" == cells(lab, "Grizzly Bears", 1)[0]


def test_a_change_in_response_makes_equip_fail() -> None:
    """608.2b"""
    lab = EquipLab(target="Grizzly Bears", changed="Grizzly Bears", change="Bob gains control of it")

    assert "no" == cells(lab, "Grizzly Bears", 1)[-1]
    assert "608.2b" in lab.findings.rules()
    assert "yes" == cells(EquipLab(target="Grizzly Bears"), "Grizzly Bears", 1)[-1]


def test_an_illegal_target_is_refused_by_its_rule() -> None:
    """702.6a"""
    (refusal,) = EquipLab(target="Millstone").findings.refusals

    assert "702.6a" == refusal.rule


def test_every_equipment_of_the_catalogue_has_an_answer() -> None:
    answers = [cells(EquipLab(card=card), "Grizzly Bears") for card in equipment()]

    assert 30 == len(answers)
    assert all(len(each) >= 3 for each in answers)


def test_every_reason_is_told_with_its_rule() -> None:
    lab = EquipLab()
    why = lab.findings.grids[-1]

    assert ("rule", "permanent", "because") == why.head
    assert ("301.5", "Millstone") in {row[:2] for row in why.rows}
    assert all(row[2] for row in why.rows)


def test_the_same_name_on_both_sides_is_told_apart() -> None:
    lab = EquipLab(hers=["Grizzly Bears"], theirs=["Grizzly Bears"])

    assert "yes" == cells(lab, "Grizzly Bears")[0]
    assert "no (702.6a)" == cells(lab, "Bob's Grizzly Bears")[0]


def test_controls_follow_the_chosen_permanents() -> None:
    lab = EquipLab(on="White Knight")
    lab.controls["hers"].value = ("Hill Giant",)

    assert ("nobody", "Hill Giant", "Slippery Bogle", "Serra Angel") == lab.controls["target"].options
    assert "nothing" == lab.value("on")
    assert "Hill Giant" in lab._seen.value


def test_the_code_makes_the_same_lab() -> None:
    lab = EquipLab(card="Luxior, Giada's Gift", hers=("Gideon Blackblade",), on="Gideon Blackblade")

    assert str(lab) == str(eval(lab.code))


def test_a_notebook_gets_view_still_form_and_text() -> None:
    forms = EquipLab()._repr_mimebundle_()

    assert "application/vnd.jupyter.widget-view+json" in forms
    assert "may be the target of equip {2}" in forms["text/html"]
    assert "no (301.5)" in forms["text/plain"]


def test_what_forbids_it_is_told_in_its_own_words() -> None:
    """301.5b"""
    banner = EquipLab(card="Konda's Banner", hers=["Grizzly Bears"], theirs=[]).findings.grids[-1]
    assert ("301.5b", "Grizzly Bears", "Konda's Banner can be attached only to a legendary creature.") in banner.rows

    brawler = EquipLab(card="Bonesplitter", hers=["Goblin Brawler"], theirs=[]).findings.grids[-1]
    assert ("301.5b", "Goblin Brawler", "Goblin Brawler can't be equipped.") in brawler.rows


def test_what_phases_out_takes_the_equipment_along_and_neither_is_there_meanwhile() -> None:
    """702.26b, 702.26g"""
    lab = EquipLab(on="Grizzly Bears", changed="Grizzly Bears", change="it phases out")

    assert ("no (702.26b)", "no (702.26b)", "yes") == cells(lab, "Grizzly Bears", 1)
    assert "no (702.26b)" == cells(lab, "White Knight", 1)[0]
    assert "702.26g" in lab.findings.rules()


def test_equip_has_no_target_any_more_when_that_phases_out_in_response() -> None:
    """702.26b, 608.2b"""
    lab = EquipLab(target="Grizzly Bears", changed="Grizzly Bears", change="it phases out")

    assert "no" == cells(lab, "Grizzly Bears", 1)[-1]
    assert "608.2b" in lab.findings.rules()
    assert ("702.26b", "Grizzly Bears", "Alice cannot target Grizzly Bears: it is phased out.") in lab.findings.grids[
        -1
    ].rows


def test_an_equipment_that_is_none_any_more_comes_off() -> None:
    """301.5c, 704.5p"""
    lab = EquipLab(on="Grizzly Bears", changed=LABEL, change="it is an enchantment and nothing else")

    assert ("yes", "no (301.5c)", "no") == cells(lab, "Grizzly Bears", 1)
    assert "704.5p" in lab.findings.rules()


def test_what_is_gone_is_told_as_gone() -> None:
    lab = EquipLab(on="Grizzly Bears", changed="Grizzly Bears", change="it is destroyed")

    assert ("no: Grizzly Bears is gone", "no: Grizzly Bears is gone", "no") == cells(lab, "Grizzly Bears", 1)


def test_one_reason_for_several_permanents_is_told_once() -> None:
    """702.26b"""
    why = EquipLab(changed=LABEL, change="it phases out").findings.grids[-1]
    said = "Alice cannot use Sword of Body and Mind: it is phased out."

    assert [("702.26b", "Grizzly Bears, White Knight, Millstone, Slippery Bogle, Serra Angel", said)] == [
        row for row in why.rows if row[0] == "702.26b"
    ]


def test_a_changed_game_is_written_as_a_scenario() -> None:
    for change in ("it phases out", "it is an enchantment and nothing else"):
        lab = EquipLab(on="Grizzly Bears", changed="Grizzly Bears", change=change)
        assert lab.board is not None
        lab.board.show(lab.findings.games[0][1])

        assert "passed" == Scenario.read_text(lab.board.scenario()).play().status
