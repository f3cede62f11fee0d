"""Reading scenarios strictly: each mistake is told with its line, what stands there and what may stand there."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.engine import position
from rulekit.engine.events import KINDS
from rulekit.rules import BadData
from rulekit.scenarios import form
from rulekit.scenarios.form import STEPS
from rulekit.scenarios.nodes import DEEPEST, LONGEST
from rulekit.scenarios.scenario import Scenario
from tests.conftest import ROOT

GOOD = """\
title: Milling three
rules: ["701.17a"]
given:
  Alice:
    battlefield:
      - {card: Grizzly Bears, as: bears}
      - {card: Bonesplitter, as: axe, attached to: bears}
    hand: [Tome Scour]
  Bob:
    library: [3 Island, Forest]
do:
  - cast: Tome Scour
    targets: [Bob]
  - resolve
expect:
  Bob.library: 0
"""


def mistakes(text: str) -> tuple[BadData, ...]:
    with pytest.raises(BadData) as refused:
        Scenario.read_text(text, "scenario.yaml")
    return refused.value.mistakes


def instead_of(old: str, new: str) -> BadData:
    """The only mistake of the good scenario with something in it replaced."""
    assert old in GOOD
    (mistake,) = mistakes(GOOD.replace(old, new))
    return mistake


def test_a_good_scenario_is_read() -> None:
    scenario = Scenario.read_text(GOOD)

    assert "Milling three" == scenario.title
    assert ["cast", "resolve"] == [step.kind for step in scenario.do]
    assert ("Bob",) == scenario.do[0].beside["targets"]
    assert () == scenario.warnings


@pytest.mark.parametrize(
    ("old", "new", "line", "near"),
    [
        ("title:", "titel:", 1, "title"),
        ("given:", "givn:", 3, "given"),
        ("battlefield:", "batlefield:", 5, "battlefield"),
        ("Grizzly Bears", "Grizly Bears", 6, "Grizzly Bears"),
        ("as: axe", "ass: axe", 7, "as"),
        ("attached to: bears", "attached to: bear", 7, "bears"),
        ("cast: Tome Scour", "cast: Tome Scor", 12, "Tome Scour"),
        ("targets: [Bob]", "target: [Bob]", 13, "targets"),
        ("targets: [Bob]", "targets: [Bop]", 13, "Bob"),
        ("- resolve", "- reslove", 14, "resolve"),
        ("- resolve", "- go too: end", 14, "go to"),
        ("- resolve", "- go to: endd", 14, "end"),
        ("- resolve", "- attack: {bear: Bob}", 14, "bears"),
        ("- resolve", "- attack: {bears: Bop}", 14, "Bob"),
        ("- resolve", "- instruct: {mil: 3, player: Bob}", 14, "mill"),
        ("- resolve", "- {choose: yes, buy: Bob}", 14, "by"),
        ("Bob.library", "Bob.libary", 16, "library"),
        ("Bob.library", "Bop.library", 16, "Bob"),
        ("Bob.library: 0", "bears.powr: 2", 16, "power"),
        ("Bob.library: 0", "stak: []", 16, "stack"),
        ("Bob.library: 0", "decision: {kynd: may}", 16, "kind"),
        ("Bob.library: 0", "decision: {kind: mey}", 16, "may"),
        ("Bob.library: 0", "bears.zone: graveyrd", 16, "graveyard"),
        ("Bob.library: 0", "events: [miled]", 16, "milled"),
        ("Bob.library: 0", "Alice.graveyard: [Tome Scuor]", 16, "Tome Scour"),
        ("Bob.library: 0", "Alice.graveyard: {hass: [Tome Scour]}", 16, "has"),
    ],
)
def test_a_spelling_mistake_is_told_with_its_line_and_the_nearest_word(
    old: str, new: str, line: int, near: str
) -> None:
    mistake = instead_of(old, new)

    assert ("scenario.yaml", line) == (mistake.file, mistake.line)
    assert f"'{near}'" in mistake.message
    assert str(mistake.text).strip() in str(mistake)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("Bob.library: 0", "Bob.library: none", "a text, none, stands where a number"),
        ("Bob.library: 0", "Bob.life: twenty", "a text, twenty, stands where a number must stand"),
        ("Bob.library: 0", "Bob.lost: 1", "a number, 1, stands where true or false must stand"),
        ("Bob.library: 0", "Bob.mana: '{2}{Q}'", "no amount of mana"),
        ("Bob.library: 0", "stack: Tome Scour", "stands where a list must stand"),
        ("Bob.library: 0", "Bob.library: [[Island]]", "a list stands where a text must stand"),
        ("  Bob.library: 0", "  - Bob", "a list stands where a mapping"),
        ("library: [3 Island, Forest]", "library: 3", "stands where a list of cards must stand"),
        ("library: [3 Island, Forest]", "life: -3.5", "stands where a number must stand"),
        ("library: [3 Island, Forest]", "mana: some", "any, lands or an amount"),
        ("- resolve", "- {mill: 3}", "'mill' is no step"),
        ("- resolve", "- {cast: Tome Scour, play: Tome Scour}", "steps of their own"),
        ("- resolve", "- {targets: [Bob]}", "no step stands here"),
        ("- resolve", "- cast", "something must stand behind 'cast'"),
        ("- resolve", "- illegal: {expect: {Bob.life: 3}}", "nothing that a rule could refuse"),
        ("- resolve", "- {illegal: pass, because: rule 7}", "no number of a rule"),
        ("- resolve", "- instruct: {mill: 3}", "'player' is missing"),
        ("- resolve", "- instruct: {mill: -1, player: Bob}", "a number from 0"),
        ("- resolve", "- expect: {}", "nothing is expected"),
        ("- resolve", "- choose: []", "stands where an answer, such as no or done, must stand"),
        ("as: axe", "as: Bob", "cannot be a label"),
        ("as: bears", "as: bears, count: 100000", "1 to 1,000"),
        ("hand: [Tome Scour]", "hand: [Tome Scour, {card: Island, tapped: true}]", "no key that may stand here"),
    ],
)
def test_what_stands_in_the_wrong_place_is_told(old: str, new: str, told: str) -> None:
    assert told in instead_of(old, new).message


def test_three_spelling_mistakes_give_three_messages() -> None:
    text = (
        GOOD.replace("battlefield:", "batlefield:").replace("- resolve", "- reslove").replace("library: 0", "libary: 0")
    )

    found = mistakes(text)

    assert [14, 16] == [mistake.line for mistake in found if mistake.line != 5]
    assert 3 == len(found)


def test_three_mistakes_in_one_entry_give_three_messages() -> None:
    text = GOOD.replace("{card: Grizzly Bears, as: bears}", "{card: Grizly Bears, as: bears, taped: true, ownr: Bob}")

    assert 3 == len(mistakes(text))


@pytest.mark.parametrize("key", ["title", "rules", "expect"])
def test_what_is_missing_is_told(key: str) -> None:
    lines = [line for line in GOOD.splitlines() if not line.startswith(key)]
    text = "\n".join(line for line in lines if key != "expect" or "Bob.library: 0" not in line)

    assert f"'{key}' is missing." in [mistake.message for mistake in mistakes(text)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "nothing stands in this file"),
        ("# only a remark", "nothing stands in this file"),
        ("title: [a", "this is not YAML"),
        ("title: a\n---\ntitle: b", "a second document begins here"),
        ("title: a\ntitle: b", "a second time"),
        ("title: &x a\ntags: [*x]", "is a reference"),
        ("title: !!python/object/apply:os.system [ls]", "is a tag"),
        ("title: !x a", "is a tag"),
        ("? [a]\n: b", "stands where a key must stand"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nests deeper"),
        ("title: a\x00b", "may not stand in it"),
        ("title: " + "a" * LONGEST, "too many for a scenario"),
        ("- a\n- b", "a list stands where a mapping must stand"),
        ("just words", "stands where a mapping must stand"),
    ],
)
def test_what_is_no_scenario_at_all_is_refused(text: str, told: str) -> None:
    assert told in " ".join(mistake.message for mistake in mistakes(text))


def test_a_chain_of_references_does_not_grow() -> None:
    """Nine references to nine references, eight times: written out it would be 43 million entries."""
    bomb = "a0: &a0 [x]\n" + "\n".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 9))

    assert any("reference" in mistake.message for mistake in mistakes(bomb))


def test_a_file_that_is_no_text_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_bytes(b"title: a\nquestion: \xff\xfe\n")

    with pytest.raises(BadData, match="UTF-8") as refused:
        Scenario.read(file)
    assert 2 == refused.value.line


def test_a_file_that_is_not_there_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="no such file"):
        Scenario.read(tmp_path / "nothing.yaml")
    with pytest.raises(BadData, match="folder"):
        Scenario.read(tmp_path)


def test_a_rule_that_the_index_lacks_is_a_warning_outside_the_bank_and_a_mistake_in_it() -> None:
    text = GOOD.replace('"701.17a"', '"701.17a", "199.9z"')

    assert 1 == len(Scenario.read_text(text).warnings)
    with pytest.raises(BadData, match=r"199\.9z"):
        Scenario.read_text(text, strict=True)


def test_yes_and_no_may_be_bare_or_quoted() -> None:
    both = [Scenario.read_text(GOOD.replace("- resolve", f"- choose: {word}")) for word in ("yes", '"yes"', "true")]

    assert ["yes"] * 3 == [scenario.do[-1].value for scenario in both]


def test_a_label_may_be_used_before_the_entry_that_defines_it() -> None:
    axe = "      - {card: Bonesplitter, as: axe, attached to: bears}\n"
    bears = "      - {card: Grizzly Bears, as: bears}\n"

    assert Scenario.read_text(GOOD.replace(bears + axe, axe + bears)).play().game is not None


def test_a_card_of_the_scenario_alone_is_read_as_strictly() -> None:
    own = "given:\n  cards:\n    Odd Thing: {cots: '{1}', types: Artifact}\n"

    (mistake,) = mistakes(GOOD.replace("given:\n", own))
    assert 5 == mistake.line
    assert "cost" in str(mistake)


def test_each_step_is_described_by_the_form() -> None:
    """The steps are those of the format, in which no step has the name of what stands beside another."""
    beside = {name for _, may in STEPS.values() for name in may}

    assert set() == beside & set(STEPS)


def test_a_scenario_written_and_read_again_is_the_same(tmp_path: Path) -> None:
    scenario = Scenario.read_text(GOOD)
    scenario.write(tmp_path / "again.yaml")
    again = Scenario.read(tmp_path / "again.yaml")

    assert [str(step) for step in scenario.do] == [str(step) for step in again.do]
    assert [str(check) for check in scenario.expect] == [str(check) for check in again.expect]
    assert scenario.given.zones == again.given.zones


def test_the_page_of_the_format_names_whatever_may_stand_in_a_scenario() -> None:
    page = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    words = {
        *form.TOP, *form.STEPS, *form.PLAIN_STEPS, *form.CHOICES, *form.INSTRUCTIONS, *form.OF_PLAYER, *form.OF_OBJECT,
        *form.OF_GAME, *position.ENTRY, *position.PLAYER, *position.GIVEN_STEPS, *KINDS,
    }  # fmt: skip

    assert [] == sorted(word for word in words if word not in page)


OWN_CARD = """
title: A card of one's own
rules: ["701.17a"]
given:
  cards:
    My Blade:
      cost: "{2}"
      types: Artifact — Equipment
      text: "%s"
  Alice: {battlefield: [My Blade, Memnite]}
do: [{activate: My Blade, targets: [Memnite]}, resolve]
expect: {Memnite.power: 2}
"""


def test_a_card_of_ones_own_may_have_its_printed_text() -> None:
    scenario = Scenario.read_text(OWN_CARD % "Equipped creature gets +1/+1. Equip {1}")

    assert ("passed", ()) == (scenario.play().status, scenario.warnings)


def test_words_of_a_card_that_are_not_understood_are_told_with_the_line_and_the_nearest_word() -> None:
    text = OWN_CARD % "Equipped creature gets +1/+1. When My Blade enters, you mils two cards. Equip {1}"

    (warning,) = Scenario.read_text(text).warnings
    assert warning.startswith("scenario:6: given: cards: My Blade: not understood from 'mils two cards")
    assert "Did you mean 'mill" in warning
    with pytest.raises(BadData, match="mils two cards"):
        Scenario.read_text(text, strict=True)
