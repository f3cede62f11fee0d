"""What is printed on a card: costs, type lines, faces, and the strict reader of the catalogue format."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulekit.cards.card import Card, ManaCost, TypeLine
from rulekit.cards.pool import CardPool
from rulekit.cards.reading import read_yaml
from rulekit.rules import BadData

from .conftest import ROOT, unavailable

SYMBOLS = [
    *map(str, range(17)), "X", "W", "U", "B", "R", "G", "C", "S", "W/U", "2/W", "B/P", "G/U/P", "C/W",
]  # fmt: skip


@pytest.mark.parametrize(
    ("cost", "value", "why"),
    [
        ("{2}{U}{U}", 4, "202.3"),
        ("{0}", 0, "202.3"),
        ("{X}{B}{B}", 2, "202.3e: X is 0 anywhere but on the stack"),
        ("{2/W}{2/W}{2/W}", 6, "202.3f: a hybrid symbol counts as its largest part"),
        ("{4}{U/B}{U/B}", 6, "202.3f"),
        ("{1}{B/P}{B/P}", 3, "202.3g: a Phyrexian symbol counts as 1"),
        ("{G/U/P}", 1, "202.3g"),
        ("{16}", 16, "202.3"),
        ("{S}{C}", 2, "107.4h, 107.4c"),
    ],
)
def test_a_mana_value_is_the_sum_of_the_symbols(cost: str, value: int, why: str) -> None:
    assert value == ManaCost.parse(cost).mana_value, why


def test_x_is_what_was_announced_while_the_spell_is_on_the_stack() -> None:
    """202.3e"""
    assert 7 == ManaCost.parse("{X}{X}{B}").value(x=3)


def test_the_colors_of_a_cost_stand_in_the_order_of_the_wheel() -> None:
    """105.2, 107.4e, 107.4f"""
    assert ("white", "blue", "black", "green") == ManaCost.parse("{3}{G}{B/P}{W/U}").colors
    assert () == ManaCost.parse("{3}{C}").colors


def test_generic_mana_is_what_the_number_symbols_say() -> None:
    """107.4b"""
    assert 3 == ManaCost.parse("{X}{3}{U}{2/W}").generic


def test_costs_are_joined_with_one_symbol_for_generic_mana() -> None:
    """601.2f"""
    assert "{X}{5}{U}{B}" == str(ManaCost.parse("{2}{U}") + ManaCost.parse("{X}{3}{B}"))
    assert "{0}" == str(ManaCost.parse("{0}") + ManaCost.parse("{0}"))
    assert "{U}" == str(ManaCost.parse("{0}") + ManaCost.parse("{U}"))


@given(st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=8))
def test_a_cost_is_read_as_it_is_written(symbols: list[str]) -> None:
    cost = ManaCost(tuple(symbols))

    assert cost == ManaCost.parse(str(cost))


@given(st.lists(st.sampled_from(SYMBOLS), min_size=1, max_size=6), st.lists(st.sampled_from(SYMBOLS), max_size=6))
def test_joining_costs_adds_their_mana_values(left: list[str], right: list[str]) -> None:
    one, other = ManaCost(tuple(left)), ManaCost(tuple(right))

    assert one.value(3) + other.value(3) == (one + other).value(3)


@pytest.mark.parametrize("text", ["", "{}", "2UU", "{Q}", "{2}{U", "{2} and {U}", "{2/Q}", "{-1}", "{1.5}", "{²}"])
def test_what_is_no_cost_is_refused_with_the_symbols_there_are(text: str) -> None:
    with pytest.raises(BadData, match="is not a mana cost") as refusal:
        ManaCost.parse(text)

    assert "{2/W}" in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Basic Land — Island", (("Basic",), ("Land",), ("Island",))),
        (
            "Legendary Artifact Creature — Equipment Rabbit",
            (("Legendary",), ("Artifact", "Creature"), ("Equipment", "Rabbit")),
        ),
        ("Creature - Bear", ((), ("Creature",), ("Bear",))),
        ("Instant", ((), ("Instant",), ())),
        ("Legendary Snow Land", (("Legendary", "Snow"), ("Land",), ())),
        ("Legendary Creature — Time Lord Doctor", (("Legendary",), ("Creature",), ("Time Lord", "Doctor"))),
        ("Legendary Creature — Assembly-Worker", (("Legendary",), ("Creature",), ("Assembly-Worker",))),
        ("Token Creature — Wolf", (("Token",), ("Creature",), ("Wolf",))),
    ],
)  # fmt: skip
def test_a_type_line_has_three_parts(text: str, parts: tuple[tuple[str, ...], ...]) -> None:
    """205.1, 205.2a, 205.3a, 205.4a"""
    line = TypeLine.parse(text)

    assert parts == (line.supertypes, line.types, line.subtypes)
    assert line == TypeLine.parse(str(line))


@pytest.mark.parametrize("text", ["", "  ", "— Bear"])
def test_a_line_without_a_card_type_is_refused(text: str) -> None:
    with pytest.raises(BadData, match="names no card type"):
        TypeLine.parse(text)


def test_a_card_is_made_of_what_is_printed_on_it() -> None:
    bears = Card("Grizzly Bears", "{1}{G}", "Creature — Bear", power=2, toughness=2)

    assert ManaCost(("1", "G")) == bears.cost
    assert TypeLine((), ("Creature",), ("Bear",)) == bears.types
    assert (2, ("green",)) == (bears.mana_value, bears.colors)
    assert Card("Grizzly Bears", ManaCost(("1", "G")), "Creature - Bear", power="2", toughness="2") == bears
    assert "Card('Grizzly Bears', '{1}{G}', 'Creature — Bear', power=2, toughness=2)" == repr(bears)


def test_equal_cards_are_one_key_and_travel_between_processes() -> None:
    one, other = (Card("Island", "", "Basic Land — Island", "{T}: add {U}") for _ in range(2))

    assert {one: 1} == {other: 1}
    assert one == pickle.loads(pickle.dumps(one))
    with pytest.raises(AttributeError):
        one.name = "Swamp"  # type: ignore[misc]


def test_a_card_without_a_cost_has_mana_value_0() -> None:
    """202.3a"""
    assert 0 == Card("Ancestral Vision", None, "Sorcery", color_indicator=["blue"]).mana_value


def test_a_color_indicator_gives_a_color() -> None:
    """204.1, 105.2"""
    assert ("blue",) == Card("Ancestral Vision", None, "Sorcery", color_indicator=["blue"]).colors


def test_devoid_leaves_no_color() -> None:
    """702.114a"""
    assert (
        () == Card("Thief of Hope", "{2}{B}", "Creature — Eldrazi", "Devoid (This card has no color.)\nFlying").colors
    )


def test_a_split_card_is_both_halves_off_the_stack() -> None:
    """709.4, 709.4b, 709.4d"""
    card = CardPool.catalogue()["Fire // Ice"]

    assert "Fire // Ice" == card.name
    assert 4 == card.mana_value
    assert ("blue", "red") == card.colors
    assert ("Instant",) == card.types.types
    assert [2, 2] == [half.mana_value for half in card.faces]
    assert "\n".join(half.text for half in card.faces) == card.text


@pytest.mark.parametrize(
    ("name", "other", "value"), [("Bonecrusher Giant", "Stomp", 3), ("Startled Awake", "Persistent Nightmare", 4)]
)
def test_other_cards_with_two_faces_are_their_front(name: str, other: str, value: int) -> None:
    """715.4, 712.8a, 202.3b"""
    card = CardPool.catalogue()[name]

    assert (name, value) == (card.name, card.mana_value)
    assert [name, other] == [face.name for face in card.faces]
    assert card.faces[0].text == card.text
    assert f"{name} // {other}" == card.full_name


def test_every_ability_of_the_catalogue_is_a_line_of_rules_text() -> None:
    entry = {
        "cost": "{1}{W}",
        "types": "Artifact Creature — Equipment Rabbit",
        "power": 1,
        "toughness": "*",
        "abilities": [
            {"gift": "a Food"},
            {"keyword": "flying"},
            {"enchant": "creature"},
            {"static": "creatures you control get +1/+1"},
            {"triggered": "this enters → draw a card"},
            {"mana": "{T}: add {W}"},
            {"equip": "{2}"},
            {"reconfigure": "{R}"},
            {"additional cost": "sacrifice a creature"},
            {"alternative cost": "pay {0}"},
        ],
    }

    card = Card.from_catalogue("Rabbit", entry, "mine.yaml")

    assert [
        "gift a Food",
        "flying",
        "enchant creature",
        "creatures you control get +1/+1",
        "this enters → draw a card",
        "{T}: add {W}",
        "equip {2}",
        "reconfigure {R}",
        "as an additional cost to cast this spell, sacrifice a creature",
        "you may pay {0} rather than pay this spell's mana cost",
    ] == card.text.split("\n")
    assert (1, "*") == (card.power, card.toughness)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A:\n  types: Artifact\n  cots: '{1}'", ["mine.yaml:3", "cots", "unknown", "May stand here: cost"]),
        ("A:\n  types: Artifact\n  cost: '{1}{Q}'", ["mine.yaml:3", "cost", "'{Q}' is no mana symbol"]),
        ("A:\n  types: Artifact\n  cost: 3", ["mine.yaml:3", "cost", "a number stands where a text must stand"]),
        ("A:\n  cost: '{1}'", ["mine.yaml:1", "types", "missing"]),
        ("A:\n  types: Artifact\n  abilities:\n    - statik: x", ["mine.yaml:4", "statik", "May stand here: static"]),
        ("A:\n  types: Artifact\n  abilities:\n    - static: [x]", ["mine.yaml:4", "a list stands"]),
        ("A:\n  types: Artifact\n  abilities: flying", ["mine.yaml:3", "a text stands where a list must stand"]),
        ("A:\n  types: Artifact\n  abilities: [flying]", ["mine.yaml:3", "flying", "May stand here: static"]),
        ("A:\n  types: Artifact\n  power: [1]", ["mine.yaml:3", "a number or a text such as *"]),
        ("A:\n  types: Artifact\n  color indicator: blu", ["mine.yaml:3", "'blu' is not a color", "blue"]),
        ("A: 3", ["mine.yaml:1", "a number stands where a mapping must stand"]),
        ("A:\n  layout: splitt\n  halves: []", ["mine.yaml:2", "'splitt' is not a layout", "May stand here: split"]),
        ("A:\n  layout: split\n  halves: [{name: B, types: Instant}]", ["mine.yaml:3", "two halves"]),
        ("A:\n  types: Sorcery\n  layout: transform\n  other face: {types: Sorcery}", ["mine.yaml:4", "a name"]),
        (
            "A:\n  types: Sorcery\n  layout: transform\n  other face:\n    name: B\n    types: Creature\n    powr: 1",
            ["mine.yaml:7", "B: powr", "May stand here: power"],
        ),
    ],
)
def test_an_entry_of_another_form_is_refused_with_its_place(text: str, said: list[str]) -> None:
    entries = read_yaml(text, "mine.yaml")

    with pytest.raises(BadData) as refusal:
        Card.from_catalogue("A", entries["A"], f"mine.yaml:{entries.lines['A']}")

    assert [] == [words for words in said if words not in str(refusal.value)], str(refusal.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "A: {types: Artifact}\nA: {types: Sorcery}",
            "mine.yaml:2: this is not YAML: the key 'A' stands here a second",
        ),
        ("A: !!python/object/apply:os.getcwd []", "could not determine a constructor for the tag"),
        ("A: [", "mine.yaml:2: this is not YAML"),
        ("? [a]\n: b", "mine.yaml:1: this is not YAML: a key is a text or a number"),
        ("A: &a {x: *a}", "mine.yaml:1: this is not YAML"),
        ("[" * 20_000, "this is not YAML"),
    ],
)
def test_yaml_that_is_broken_or_wants_to_run_something_is_refused(text: str, said: str) -> None:
    with pytest.raises(BadData) as refusal:
        read_yaml(text, "mine.yaml")

    assert said in str(refusal.value)


def test_the_catalogue_holds_each_card_once() -> None:
    files = sorted((ROOT / "rulekit" / "cards" / "catalogue").glob("*.yaml"))
    names = [name for file in files for name in yaml.safe_load(file.read_text(encoding="utf-8"))]

    assert [] == sorted({name for name in names if names.count(name) > 1})
    assert sorted(names) == sorted(card.name for card in (CardPool.catalogue()[name] for name in CardPool.catalogue()))


def test_the_catalogue_has_every_card_of_the_scenarios_with_the_same_facts() -> None:
    folder = ROOT.parent / "shared" / "catalogue"
    if not folder.is_dir():
        unavailable("the lists of cards that the scenarios use are not beside the clone")
    pool = CardPool.catalogue()
    wrong = []
    for file in sorted(folder.glob("*.yaml")):
        for name, entry in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            theirs, ours = Card.from_catalogue(name, entry, file.name), pool[name]
            facts = [(card.cost, card.types, card.power, card.toughness, card.mana_value) for card in (theirs, ours)]
            if facts[0] != facts[1]:
                wrong.append(name)

    assert [] == wrong


def test_the_catalogue_is_part_of_the_package() -> None:
    assert 218 == len(CardPool.catalogue())  # 217 names of the scenarios, and Filler
    assert "Artifact" == str(CardPool.catalogue()["Filler"].types)
    assert Path(ROOT / "rulekit" / "cards" / "catalogue" / "mill.yaml").is_file()
