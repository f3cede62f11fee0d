"""Deck lists of every program: what they hold, what is not read, writing and reading back, and nonsense."""

from __future__ import annotations

import json
import os
import pickle
import time
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulekit import cli
from rulekit.cards.card import Card
from rulekit.cards.deck import Deck, DeckWarning
from rulekit.cards.pool import CardPool
from rulekit.rules import BadData, RulekitError, TooMany, Unknown

from .conftest import ROOT

DATA = ROOT.parent / "shared" / "data"
EXPECTED = [
    (path.parent / name, entry)
    for path in sorted((DATA / "decks").rglob("decks_expected.json"))
    for name, entry in json.loads(path.read_text(encoding="utf-8")).items()
]
SECTIONS = ("main", "sideboard", "commander", "companion", "maybeboard", "schemes")


@pytest.fixture(scope="session")
def oracle(shared_data: Path) -> CardPool:
    return CardPool.read(shared_data / "oracle_mill_gift_equip.json", use_cache=False)


def test_the_lists_with_known_contents_are_there(shared_data: Path) -> None:
    assert shared_data == DATA
    assert 68 == len(EXPECTED)


def right_answers(entry: dict[str, Any]) -> list[dict[str, dict[str, int]]]:
    """What a list may be read as: as written down, or with the commander whom only convention knows in his place."""
    written = {section: entry[section]["list"] for section in SECTIONS if section in entry}
    moved = entry.get("commander_by_convention", [])
    if not moved:
        return [written]
    rest = {section: {name: n for name, n in cards.items() if name not in moved} for section, cards in written.items()}
    return [
        written,
        {section: cards for section, cards in rest.items() if cards} | {"commander": dict.fromkeys(moved, 1)},
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Forest x3", "Forest x3 (DSK)", "Forest x3 (Proxy)", "Forest (DSK) x3", "Forest (DSK) 283 x3",
        "Forest 3x (DSK) 283", "Forest x3 *F*", "Forest (Proxy) x3", "Forest x3 #tag", "Forest x3 [Land]",
    ],
)  # fmt: skip
def test_a_number_behind_the_name_stands_before_or_behind_marks(line: str) -> None:
    assert {"Forest": 3, "Island": 2} == dict(Deck.read(f"{line}\n2 Island").main)
    assert {"Forest": 3} == dict(Deck.read(f"# Deck\n## Lands\n- {line}").main)
    assert {"Nowhere at All": 3} == dict(Deck.read(f"{line.replace('Forest', 'Nowhere at All')}").main)


def test_a_number_of_the_collector_behind_a_set_is_no_number_of_cards() -> None:
    assert {"Forest": 1} == dict(Deck.read("Forest (DSK) 283x").main)


def test_a_group_behind_sideboard_cards_that_say_so_each_is_of_the_deck() -> None:
    deck = Deck.read("//Main\n4 Hedron Crab\n\n//Sideboard\nSB: 2 Ruin Crab\n\n//Maybe\n1 Island")

    assert {"Hedron Crab": 4, "Island": 1} == dict(deck.main)
    assert {"Ruin Crab": 2} == dict(deck.sideboard)


@pytest.mark.parametrize(("path", "entry"), EXPECTED, ids=[path.name for path, _ in EXPECTED])
def test_a_list_is_read_right(path: Path, entry: dict[str, Any], oracle: CardPool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeckWarning)
        deck = Deck.read(path, oracle)

    assert {section: dict(deck.section(section)) for section in deck.sections} in right_answers(entry)
    assert sorted(entry.get("unresolved", [])) == sorted(deck.unknown)
    assert entry.get("name", deck.name) == deck.name


@pytest.mark.parametrize(("path", "entry"), EXPECTED, ids=[path.name for path, _ in EXPECTED])
def test_a_list_is_read_right_by_those_who_know_few_cards(path: Path, entry: dict[str, Any], oracle: CardPool) -> None:
    """Names are then given as written; what a program put around them is taken off all the same."""
    deck = Deck.read(path)
    found: dict[str, dict[str, int]] = {}
    for section in deck.sections:
        for name, count in deck.section(section).items():
            cards, full = found.setdefault(section, {}), oracle.name_of(name) or name
            cards[full] = cards.get(full, 0) + count

    assert found in right_answers(entry)


@pytest.mark.parametrize("form", ["arena", "mtgo", "plain"])
@pytest.mark.parametrize(("path", "entry"), EXPECTED, ids=[path.name for path, _ in EXPECTED])
def test_a_list_that_is_written_reads_the_same(path: Path, entry: dict[str, Any], form: str, oracle: CardPool) -> None:
    deck = Deck.read(path, oracle)

    assert deck == Deck.read(deck.write(form), oracle)


LISTS: dict[str, tuple[str, dict[str, dict[str, int]]]] = {
    "Arena, headings in the language of the client": (
        "Mazo\n4 Island\n\nBanquillo\n2 Murder\n",
        {"main": {"Island": 4}, "sideboard": {"Murder": 2}},
    ),
    "Arena without headings": ("4 Island\n\n2 Murder\n", {"main": {"Island": 4}, "sideboard": {"Murder": 2}}),
    "several blank lines part groups": (
        "4 Millstone\n\n4 Island\n\n2 Murder\n",
        {"main": {"Millstone": 4, "Island": 4, "Murder": 2}},
    ),
    "a second block larger than the first is no sideboard": (
        "1 Bruvac the Grandiloquent\n\n99 Island\n",
        {"main": {"Bruvac the Grandiloquent": 1, "Island": 99}},
    ),
    "a title is no card": ("My deck\n\n4 Millstone\n20 Island\n", {"main": {"Millstone": 4, "Island": 20}}),
    "groups with their totals": (
        "Creatures (4)\n4 Hedron Crab\n\nLands (20)\n20 Island\n\nSideboard (2)\n2 Murder\n",
        {"main": {"Hedron Crab": 4, "Island": 20}, "sideboard": {"Murder": 2}},
    ),
    "totals as lines": (
        "4 Creatures\n4 Hedron Crab\n20 Lands\n20 Island\n",
        {"main": {"Hedron Crab": 4, "Island": 20}},
    ),
    "sections in front of each card": (
        "Commander: Bruvac the Grandiloquent\nSB: 2 Murder\nIsland x4\n",
        {"main": {"Island": 4}, "sideboard": {"Murder": 2}, "commander": {"Bruvac the Grandiloquent": 1}},
    ),
    "a commander named above his heading counts once": (
        "Commander: Bruvac the Grandiloquent\n\nCOMMANDER:\n1 Bruvac the Grandiloquent\n\n4 Island\n",
        {"commander": {"Bruvac the Grandiloquent": 1}, "main": {"Island": 4}},
    ),
    "comments of Cockatrice": (
        "// Mill\n// for play\n\n// 24 Maindeck\n// 4 Creature\n4 Hedron Crab\n\n// 20 Land\n20 Island\n\n"
        "// 2 Sideboard\nSB: 2 Murder\n",
        {"main": {"Hedron Crab": 4, "Island": 20}, "sideboard": {"Murder": 2}},
    ),
    "marks of Moxfield, Archidekt and TappedOut": (
        "1x Bruvac the Grandiloquent (JMP) 7 *CMDR*\n1x Hedron Crab (zen) 47 *F* [Mill,Crabs] ^Have,#37d67a^\n"
        "1 Millstone (PLST) ATQ-60 *E* #Old #!Mill\n1x Murder [Removal{noDeck}]\n1x Island () 315\n",
        {
            "main": {"Hedron Crab": 1, "Millstone": 1, "Island": 1},
            "commander": {"Bruvac the Grandiloquent": 1},
            "maybeboard": {"Murder": 1},
        },
    ),
    "sections of Forge": (
        "[metadata]\nName=Mill\n[general]\nConstructed\n[Main]\n4 Hedron Crab+|ZEN|[47]\n[sideboard]\n2 Murder|M13\n"
        "[Schemes]\n1 Know Naught but Fire|ARC\n",
        {"main": {"Hedron Crab": 4}, "sideboard": {"Murder": 2}, "schemes": {"Know Naught but Fire": 1}},
    ),
    "tokens are no cards": (
        "1 Spirit [TDDC:1] [token]\n4 Island\nTokens\n2 Wolf\n",
        {"main": {"Island": 4}, "tokens": {"Spirit": 1, "Wolf": 2}},
    ),
    "a table without a header": (
        '4,Hedron Crab,ZEN\n2,"Bruvac the Grandiloquent"\n3,Minn, Wily Illusionist\nIsland,20\n',
        {"main": {"Hedron Crab": 4, "Bruvac the Grandiloquent": 2, "Minn, Wily Illusionist": 3, "Island": 20}},
    ),
    "numbers in brackets, behind the name, and places in a list": (
        "(4) Hedron Crab\n[20] Island\nForest - 2\nMurder 3\n5. Millstone\n",
        {"main": {"Hedron Crab": 4, "Island": 20, "Forest": 2, "Murder": 3, "Millstone": 1}},
    ),
    "prices and languages": (
        "4 Hedron Crab $1.25\n2 Murder (M13) 102 - $0.10\n1 Opt 2,50 €\n1 Millstone (10E) 334 ZHS\n1 Blorbo €2\n",
        {"main": {"Hedron Crab": 4, "Murder": 2, "Opt": 1, "Millstone": 1, "Blorbo": 1}},
    ),
    "remarks of people": (
        '; mill\n4 Hedron Crab // good\n2 Murder ; bad\n/* lands */\n-- all blue --\n20 "Island",\n1 [[Forest]]\n'
        "1 Millstone FOIL\n1 Traumatize M10\n",
        {"main": {"Hedron Crab": 4, "Murder": 2, "Island": 20, "Forest": 1, "Millstone": 1, "Traumatize": 1}},
    ),
    "marks of newer programs": (
        "4 [ZEN#47] Hedron Crab\n1 [] Opt\n1 Murder *f-etch*\n1 Bruvac the Grandiloquent (Commander)\n"
        "SB: 1 Millstone # !Companion\n",
        {
            "main": {"Hedron Crab": 4, "Opt": 1, "Murder": 1},
            "commander": {"Bruvac the Grandiloquent": 1},
            "companion": {"Millstone": 1},
        },
    ),
    "headings between signs": (
        "🏆 Commander\n1 Bruvac the Grandiloquent\n\n— Deck (4) —\n4 Hedron Crab\n\n~ Sideboard ~\n2 Murder\n",
        {"commander": {"Bruvac the Grandiloquent": 1}, "main": {"Hedron Crab": 4}, "sideboard": {"Murder": 2}},
    ),
    "totals below the cards": (
        "4 Hedron Crab\n20 Island\n24 cards\n\n2 Murder\n2 sideboard cards\n",
        {"main": {"Hedron Crab": 4, "Island": 20}, "sideboard": {"Murder": 2}},
    ),
    "web entities and signs that nobody sees": (
        "\u200b4 Tasha&#39;s Hideous Laughter\n2\u00a0Opt\u200b\u20283 Murder\n",
        {"main": {"Tasha's Hideous Laughter": 4, "Opt": 2, "Murder": 3}},
    ),
    "boards of Moxfield": (
        '{"name":"Mill","boards":{"mainboard":{"count":4,"cards":{"a1":{"quantity":4,"card":{"name":"Hedron Crab"}}}},'
        '"sideboard":{"count":0,"cards":{}},"maybeboard":{"cards":{"b2":{"quantity":1,"card":{"name":"Opt"}}}}}}',
        {"main": {"Hedron Crab": 4}, "maybeboard": {"Opt": 1}},
    ),
    "items to tick off": ("- [ ] 4 Hedron Crab\n- [x] 20 Island\n", {"main": {"Hedron Crab": 4, "Island": 20}}),
    "columns": ("4\tHedron Crab\tZendikar\nIsland\t20\n", {"main": {"Hedron Crab": 4, "Island": 20}}),
    "names with numbers and brackets": (
        "2 17-Year Cicadas\n1996 World Champion\n+2 Mace\n1 Hazmat Suit (Used) (UST) 57 *F*\n7 Plains (331)\n",
        {
            "main": {
                "1996 World Champion": 1,
                "17-Year Cicadas": 2,
                "+2 Mace": 1,
                "Hazmat Suit (Used)": 1,
                "Plains": 7,
            }
        },
    ),
    "Markdown with notes": (
        "# Mill\n## Commander\n- Bruvac the Grandiloquent ✅\n## Creatures (4)\n- Hedron Crab x4\n## Lands (20)\n"
        "- Island x20\n## Artifacts (1)\n- Millstone (Proxy)\n## Wish list\n- Sol Ring\n## Notes\n### Cuts (1)\n"
        "- Murder\n- Mill cards, then win when the library is empty.\n",
        {
            "commander": {"Bruvac the Grandiloquent": 1},
            "main": {"Hedron Crab": 4, "Island": 20, "Millstone": 1},
        },
    ),
    "a table in Markdown": (
        "# Mill\n\n| Qty | Card | Type |\n|---:|---|---|\n| 4 | Hedron Crab | Creature |\n| 20 | Island | Land |\n",
        {"main": {"Hedron Crab": 4, "Island": 20}},
    ),
    "CSV with boards": (
        'sep=,\nFolder Name,Quantity,Card Name,Board\nx,4,Hedron Crab,main\nx,2,"Murder",sideboard\n'
        "x,1,Opt,maybeboard\n",
        {"main": {"Hedron Crab": 4}, "sideboard": {"Murder": 2}, "maybeboard": {"Opt": 1}},
    ),
    "CSV of Magic Online": (
        "Card Name,Quantity,ID #,Rarity,Set,Collector #,Premium,Sideboarded,Annotation\n"
        "Hedron Crab,4,1,C,ZEN,47,No,No,0\nMurder,2,2,C,M13,1,No,Yes,0\n",
        {"main": {"Hedron Crab": 4}, "sideboard": {"Murder": 2}},
    ),
    "CSV with semicolons": ('"Quantity";"Name"\n"4";"Hedron Crab"\n', {"main": {"Hedron Crab": 4}}),
    "a deck of MTGJSON": (
        '{"meta":{},"data":{"name":"Mill","mainBoard":[{"count":4,"name":"Hedron Crab"}],"commander":[],'
        '"sideBoard":[{"count":2,"name":"Murder"}],"tokens":[{"name":"Wolf"}]}}',
        {"main": {"Hedron Crab": 4}, "sideboard": {"Murder": 2}, "tokens": {"Wolf": 1}},
    ),
    "zones of Cockatrice": (
        '<cockatrice_deck version="1"><zone name="main"><card name="Opt"/></zone><zone name="side">'
        '<card number="2" name="Murder" setShortName="M13"/></zone><zone name="tokens"><card name="Wolf"/></zone>'
        "</cockatrice_deck>",
        {"main": {"Opt": 1}, "sideboard": {"Murder": 2}, "tokens": {"Wolf": 1}},
    ),
    "line ends of every kind": ("4 Island\r\r\n2 Swamp\r3 Forest\n", {"main": {"Island": 4, "Swamp": 2, "Forest": 3}}),
}


@pytest.mark.parametrize(("text", "sections"), LISTS.values(), ids=LISTS)
def test_a_way_to_write_a_list(text: str, sections: dict[str, dict[str, int]]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeckWarning)
        deck = Deck.read(text)

    assert sections == {section: dict(deck.section(section)) for section in deck.sections}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_an_encoding_is_recognised(encoding: str, tmp_path: Path, oracle: CardPool) -> None:
    path = tmp_path / "deck.txt"
    path.write_bytes("4 Séance\r\n2 Lim-Dûl's Vault\r\n".encode(encoding))

    assert {"Séance": 4, "Lim-Dûl's Vault": 2} == Deck.read(path, oracle).main


def test_two_encodings_in_one_file_are_both_read(oracle: CardPool) -> None:
    mixed = "4 Séance\n".encode() + "2 Lim-Dûl's Vault\n".encode("cp1252")

    assert {"Séance": 4, "Lim-Dûl's Vault": 2} == Deck.read(mixed, oracle).main


def test_a_path_is_a_file_and_a_text_without_a_line_end_that_names_one_too(tmp_path: Path) -> None:
    path = tmp_path / "mill.txt"
    path.write_text("4 Hedron Crab\n", encoding="utf-8")

    assert Deck({"Hedron Crab": 4}) == Deck.read(path) == Deck.read(str(path))
    assert Deck({"Hedron Crab": 4}) == Deck.read("4 Hedron Crab") == Deck.read(b"4 Hedron Crab")
    assert "mill" == Deck.read(path).name


TWO_DECKS = {
    "Arena": "About\nName One\n\nDeck\n4 Island\n\nSideboard\n1 Opt\n\nAbout\nName Two\n\nDeck\n5 Swamp\n",
    "a second commander in front": "Deck\n4 Island\n\nSideboard\n1 Opt\n\nCommander\n1 Murder\n\nDeck\n5 Swamp\n",
    "names in comments": "// NAME: One\n4 Island\nSB: 1 Opt\n// NAME: Two\n5 Swamp\n",
    "titles and sideboards": "One\n40 Island\n\nSideboard\n1 Opt\n\nTwo\n50 Swamp\n\nSideboard\n2 Opt\n",
    "titles alone": "One\n40 Island\n20 Opt\n\nTwo\n50 Swamp\n10 Opt\n",
    "Markdown": "# One\n## Lands (4)\n- 4 Island\n# Two\n## Lands (5)\n- 5 Swamp\n",
    "JSON": '[{"name":"One","mainboard":{"Island":4}},{"name":"Two","mainboard":{"Swamp":5}}]',
}


@pytest.mark.parametrize("text", TWO_DECKS.values(), ids=TWO_DECKS)
def test_of_several_decks_the_first_is_read_and_it_is_said(text: str) -> None:
    with pytest.warns(DeckWarning, match=r"there are 2 decks .* Deck\.read_all gives all"):
        first = Deck.read(text)

    one, two = Deck.read_all(text)

    assert first == one
    assert "Island" in one.main
    assert "Swamp" not in one.main
    assert "Swamp" in two.main
    assert () == one.unread + two.unread


def test_what_is_not_understood_is_listed_with_its_line_and_a_warning() -> None:
    text = "4 Island\n0 Swamp\n3x\nMulligan every hand without lands.\n12;34;56\n"

    with pytest.warns(DeckWarning, match=r"(?s)4 lines.*line 2: '0 Swamp'"):
        deck = Deck.read(text)

    assert [2, 3, 4, 5] == [line for line, _, _ in deck.unread]
    assert ["0 Swamp", "3x", "Mulligan every hand without lands.", "12;34;56"] == [text for _, text, _ in deck.unread]
    assert {"Island": 4} == deck.main


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Name,Quantity\nIsland,4\nSwamp,x\n,2\n", [3, 4]),
        ("<Deck>\n<Cards Name='Island' Quantity='4'/>\n<Item CatId='1' Quantity='4'/>\n<Cards Name='A' Quantity='x'/>\n"
         "</Deck>", [3, 4]),
        ("# Deck\n## Lands\n- 4 Island\n- Play one of these every turn if you can\n", [4]),
        ('{"mainBoard":[{"name":"Island","count":4},{"count":2},{"name":"A","count":"x"}]}', [0, 0]),
        ("Removal\n4 Island\n4 Swamp\n4 Forest\n\nWays to win\n4 Plains\n", [1, 6]),
        (f"4 Island\n{'x' * 500}\n", [2]),
        ("4 Island\n-2 Swamp\n-1x Opt\n", [2, 3]),
        ("<Deck><Cards Quantity='4' Name='Island'/>\n<Cord Quantity='4' Name='A'/></Deck>", [2]),
    ],
)  # fmt: skip
def test_no_form_drops_a_line_silently(text: str, lines: list[int]) -> None:
    with pytest.warns(DeckWarning):
        deck = Deck.read(text)

    assert lines == [line for line, _, _ in deck.unread]
    assert 4 == deck.main.get("Island", 4)


def test_a_number_of_magic_online_is_looked_up_where_there_is_no_name(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    path.write_text('[{"name": "Opt", "type_line": "Instant", "mana_cost": "{U}", "mtgo_id": 1001}]', encoding="utf-8")

    deck = Deck.read(
        '<Deck><Item CatId="1001" Quantity="4" IsSideboard="true"/></Deck>', CardPool.read(path, use_cache=False)
    )

    assert {"Opt": 4} == deck.sideboard


def test_a_name_that_only_a_token_has_goes_to_the_tokens(tmp_path: Path) -> None:
    path = tmp_path / "cards.json"
    cards = [
        {"name": "Clue", "layout": "token", "type_line": "Token Artifact — Clue"},
        {"name": "Opt", "type_line": "Instant"},
    ]
    path.write_text(json.dumps(cards), encoding="utf-8")

    deck = Deck.read("4 Opt\n1 Clue\n", CardPool.read(path, use_cache=False))

    assert ({"Opt": 4}, {"Clue": 1}, ()) == (deck.main, deck.tokens, deck.unknown)


def test_a_name_in_no_card_data_stays_counts_and_is_listed() -> None:
    deck = Deck.read("4 Island\n2 Blorbo from My Shows\n")

    assert 6 == len(deck)
    assert ("Blorbo from My Shows",) == deck.unknown
    assert ["Island"] == list(deck.cards)
    assert {"Land": 4, "unknown": 2} == deck.counts()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("", "there is no card in this list"),
        (" \n\t\n", "there is no card in this list"),
        ("no-such-deck.txt", "there is no such file"),
        (Path("no-such-deck.txt"), "there is no such file"),
        (Path(__file__).parent, "this is not a file"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "no text"),
        (b"PK\x03\x04" + bytes(range(256)), "no text"),
        ("4 Island\x00\x00", "no text"),
        ("<Deck>\n<Cards", ":2: this is not XML"),
        ("<cards><body>4 Island</body></cards>", "this XML is no deck"),
        ('<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "b">]><Deck>&a;</Deck>', "document type or entities"),
        ('<!DOCTYPE d SYSTEM "file:///etc/passwd"><Deck/>', "document type or entities"),
        ("<a>" * 10_000, "more than 50 elements"),
        ('{"mainBoard": [', "this is not JSON"),
        ('{"cards": 3}', "this JSON is no deck"),
        ('{"data":' + "[" * 100_000, "nested too deeply"),
        ('{"mainBoard":[{"count":' + "9" * 5_000 + "}]}", "thousands of digits"),
        ('Name,Quantity\n"Island,4\n' + "x\n" * 40_000 + "y" * 200_000, "this table cannot be read"),
        ("idProduct;groupCount\n743311;1\n", "there is no card in this list"),
    ],
)
def test_what_is_no_deck_list_is_refused(source: str | bytes | Path, said: str) -> None:
    with pytest.raises(BadData) as refusal:
        Deck.read(source)

    assert said in str(refusal.value)


@pytest.mark.parametrize("source", ["4 Island\n" * 100_000, b"4 Island " * 1_000_000, "x" * 10_000_000])
def test_a_list_that_is_too_long_is_refused_at_once(source: str | bytes) -> None:
    started = time.process_time()

    with pytest.raises(TooMany, match="a list has at most"):
        Deck.read(source)

    assert 2 > time.process_time() - started


def test_a_file_that_is_too_long_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    with path.open("wb") as file:
        file.truncate(1 << 40)

    with pytest.raises(TooMany):
        Deck.read(path)


@pytest.mark.parametrize("text", ['{"mainBoard":[{"name":"Island","count":1' + "0" * 400 + "}]}", "999999999 Island\n"])
def test_a_number_without_bounds_is_refused(text: str) -> None:
    with pytest.raises(TooMany, match="more than 1,000,000 cards"):
        Deck.read(text)


def test_a_million_copies_are_refused() -> None:
    with pytest.raises(TooMany, match="line 2"):
        Deck.read("999999 Island\n2 Swamp\n")


PIECES = st.sampled_from(
    [
        "4", "4x", "x4", "SB:", "Island", "Fire/Ice", "Hedron Crab", "Lim-Dûl's Vault", "(ZEN)", "47", "*F*", "*CMDR*",
        "#tag", "# !Commander", "[Ramp{noDeck}]", "[Commander{top}]", "^Have,#fff^", "|", "//", "Deck", "Sideboard",
        "Commander:", "About", "Name X", "<Deck>", "<Cards Name='Island' Quantity='4'/>", "</Deck>", '"', ",", ";", "{",
        "}", "[", "]", "mainBoard", "Name,Quantity", "## Lands (4)", "- ", "| a | b |", "[main]", "[token]", "🂡", "é",
        "\ufeff", "\u2028", "\t", "\r",
    ]
)  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(PIECES, st.text(max_size=12), st.just("\n"), st.just(" ")), max_size=40).map("".join))
def test_no_text_ends_in_anything_but_a_deck_or_a_refusal(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeckWarning)
        try:
            decks = Deck.read_all(text + "\n")
        except RulekitError:
            return

    for deck in decks:
        assert sum(sum(deck.section(section).values()) for section in deck.sections) > 0
        assert deck == pickle.loads(pickle.dumps(deck))
        with suppress(BadData):  # a name that would be read as something else
            assert deck == Deck.read(deck.write("plain"))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_no_bytes_end_in_anything_but_a_deck_or_a_refusal(data: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeckWarning)
        try:
            Deck.read_all(data)
        except RulekitError:
            return


KEYS = st.sampled_from(["mainBoard", "sideboard", "commander", "tokens", "data", "name", "count", "card", "Island", ""])
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.just("Island")),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=5)),
    max_leaves=15,
)


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.dictionaries(KEYS, VALUES, max_size=4), st.lists(VALUES, max_size=3)))
def test_no_json_ends_in_anything_but_a_deck_or_a_refusal(data: Any) -> None:
    with warnings.catch_warnings(), suppress(RulekitError):
        warnings.simplefilter("ignore", DeckWarning)
        Deck.read_all(json.dumps(data) + "\n")


CARDS = st.dictionaries(st.sampled_from(sorted(CardPool.catalogue())), st.integers(1, 60), max_size=12)


@settings(max_examples=150, deadline=None)
@given(st.tuples(CARDS, CARDS, CARDS, CARDS, CARDS), st.sampled_from(["arena", "mtgo", "plain"]))
def test_every_deck_that_is_written_reads_the_same(sections: tuple[dict[str, int], ...], form: str) -> None:
    main, side, front, maybe, tokens = sections
    deck = Deck(main, sideboard=side, commander=front, companion=front, maybeboard=maybe, tokens=tokens)
    text = deck.write(form)

    assert bool(deck) is (text != "")
    if deck:
        assert deck == Deck.read(text)


def test_arena_and_magic_online_get_the_names_that_they_use() -> None:
    deck = Deck({"Fire // Ice": 4, "Startled Awake": 2, "Island": 20}, sideboard={"Bonecrusher Giant": 1}, name="Mine")

    assert (
        "About\nName Mine\n\nDeck\n4 Fire // Ice\n2 Startled Awake\n20 Island\n\nSideboard\n1 Bonecrusher Giant\n"
        == deck.write("arena")
    )
    assert "4 Fire/Ice\n2 Startled Awake\n20 Island\n\nSideboard\n1 Bonecrusher Giant\n" == deck.write("mtgo")
    assert (
        "4 Fire // Ice\n2 Startled Awake // Persistent Nightmare\n20 Island\n\n"
        "Sideboard\n1 Bonecrusher Giant // Stomp\n" == deck.write("plain")
    )


def test_a_front_name_that_is_a_card_of_its_own_is_not_used(oracle: CardPool) -> None:
    deck = Deck({"Bind // Liberate": 1, "Bind": 1}, pool=oracle)

    assert deck == Deck.read(deck.write("arena"), oracle)


def test_a_name_that_would_be_read_as_something_else_is_not_written() -> None:
    with pytest.raises(BadData, match="cannot be written"):
        Deck({"Sideboard\n4 Swamp": 1, "Island": 4}).write("plain")
    with pytest.raises(Unknown, match="no kind of deck list is called 'None'"):
        Deck({"Island": 1}).write(None)  # type: ignore[arg-type]
    with pytest.raises(Unknown, match=r"no kind of deck list is called 'arna'.*Did you mean 'arena'"):
        Deck({"Island": 4}).write("arna")


def test_a_deck_never_changes_and_equal_decks_are_one_key() -> None:
    one = Deck({"Island": 2, "Swamp": 1}, name="One")
    other = Deck(["Swamp", "Island", "island"], name="Other")

    assert {one: 1} == {other: 1}
    assert Deck({"Island": 3}) != one
    assert Deck({"Island": 2}, sideboard={"Swamp": 1}) != one
    assert one == pickle.loads(pickle.dumps(one))
    with pytest.raises(TypeError):
        one.main["Island"] = 4  # type: ignore[index]
    with pytest.raises(AttributeError):
        one.main = {}  # type: ignore[misc]
    with pytest.raises(AttributeError):
        one.format = "modern"  # type: ignore[attr-defined]


@pytest.mark.parametrize("cards", [{"Island": 0}, {"Island": -1}, {"Island": 1.5}, {"Island": True}, {"": 1}, [3]])
def test_a_deck_of_something_else_is_refused(cards: Any) -> None:
    with pytest.raises(BadData, match="is no n"):
        Deck(cards)


def test_a_text_in_the_place_of_names_and_a_list_that_is_none_are_refused_with_what_to_give() -> None:
    with pytest.raises(BadData, match=r"'4 Island' is a text.\n.*Deck\.read reads a list"):
        Deck("4 Island")
    with pytest.raises(BadData, match="None is no deck list"):
        Deck.read(None)  # type: ignore[arg-type]


def test_the_composition_is_counted_by_type_mana_value_color_and_any_function() -> None:
    deck = Deck({"Memnite": 4, "Fire // Ice": 2, "Mutavault": 1, "Island": 17, "Hedron Crab": 3})

    assert {"Land": 18, "Creature": 7, "Artifact": 4, "Instant": 2} == deck.counts("type")
    assert {0: 4, 1: 3, 4: 2} == deck.counts("mana value")
    assert {"colorless": 22, "blue": 5, "red": 2} == deck.counts("color")
    assert {True: 17, False: 10} == deck.counts(lambda card: "Basic" in card.types.supertypes)
    assert [4, 1, 2] != list(deck.counts("mana value"))
    with pytest.raises(Unknown, match="no way to count is called 'typ'"):
        deck.counts("typ")


def test_a_deck_shows_itself_as_text_and_as_an_escaped_table() -> None:
    deck = Deck({"Hedron Crab": 4, "<b>Bad & Bold</b>": 1}, sideboard={"Opt": 2}, name="<i>")

    assert "Deck('<i>', 5 cards, sideboard 2)" == repr(deck)
    assert "    4 Hedron Crab                        Creature — Crab  {U}" in str(deck).splitlines()
    html = deck._repr_html_()
    assert "<caption>Deck(&#x27;&lt;i&gt;&#x27;, 5 cards, sideboard 2)</caption>" in html
    assert "&lt;b&gt;Bad &amp; Bold&lt;/b&gt;" in html
    assert "<b>" not in html


def test_a_deck_holds_the_cards_of_its_own_pool() -> None:
    mine = Card("My Crab", "{U}", "Creature — Crab", "when this enters, target player mills 3", power=0, toughness=2)

    deck = Deck.read("4 my crab\n4 Island", CardPool([mine]) | CardPool.catalogue())

    assert mine == deck.cards["My Crab"]
    assert () == deck.unknown


def test_the_command_prints_what_was_read_and_what_was_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mill.txt"
    path.write_text("4 Hedron Crab\n2 Traumatize\n20 Island\n1 Bogus Card\n3x\n", encoding="utf-8")

    status = cli.main(["deck", str(path)])
    said = capsys.readouterr().out

    assert 1 == status
    assert "cards: main 27" in said
    assert "      1    4 ████" in said
    assert "Bogus Card" in said
    assert "line 5: 3x: there is a number and no name" in said


def test_the_command_writes_other_lists_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mill.dek"
    path.write_text('<Deck><Cards Quantity="4" Sideboard="false" Name="Fire/Ice"/></Deck>', encoding="utf-8")

    assert 0 == cli.main(["deck", str(path), "--write", "plain"])
    assert "4 Fire // Ice\n" == capsys.readouterr().out
    assert 0 == cli.main(["deck", str(path), "--json"])
    assert {"Fire // Ice": 4} == json.loads(capsys.readouterr().out)["decks"][0]["main"]


def test_the_command_refuses_what_is_no_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(os.urandom(2000))

    assert 2 == cli.main(["deck", str(path)])
    assert "this is no text" in capsys.readouterr().err


HALVES = CardPool(
    [
        Card.of_faces("split", [Card("Fire", "{1}{R}", "Instant"), Card("Ice", "{1}{U}", "Instant")]),
        Card.of_faces("split", [Card("Bind", "{1}{G}", "Instant"), Card("Liberate", "{1}{W}", "Instant")]),
        Card("Bind", "{1}{G}", "Instant"),
        *(Card(name, None, f"Basic Land — {name}") for name in ("Island", "Plains")),
        Card("Murder", "{1}{B}{B}", "Instant"),
        Card("Duress", "{B}", "Sorcery"),
        Card("+2 Mace", "{1}{W}", "Artifact — Equipment"),
        Card("One with Nothing", "{B}", "Instant"),
    ]
)


def read_quietly(text: str) -> Deck:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeckWarning)
        return Deck.read(text, HALVES)


@pytest.mark.parametrize(
    "between", [" \\ ", "\\", " \\\\ ", "/", " // ", " ⁄ ", "∕", "|", " | ", " + ", " & ", ", ", " - ", " – ", " and "]
)
def test_the_halves_of_a_split_card_are_parted_by_any_usual_sign(between: str) -> None:
    deck = read_quietly(f"2 Bind{between}Liberate\n4 Fire{between}Ice (APC) 128\n3 Bind")

    assert {"Bind // Liberate": 2, "Fire // Ice": 4, "Bind": 3} == dict(deck.main)
    assert () == deck.unread


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("four Island", 4), ("Four Island", 4), ("four of Island", 4), ("4 of Island", 4), ("4 copies of Island", 4),
        ("a copy of Island", 1), ("an Island", 1), ("twenty-four Island", 24), ("Twenty four Island", 24),
        ("sixty Island", 60), ("playset of Island", 4), ("a playset Island", 4), ("4xIsland", 4), ("4XIsland", 4),
        ("24Island", 24), ("four x Island", 4), ("Island: four", 4), ("Island x four", 4), ("SB: four Island", 4),
        ("24 Islands", 24), ("twelve Islands", 12), ("- four Island", 4), ("four Island (ZNR) 381", 4),
    ],
)  # fmt: skip
def test_a_number_of_cards_can_be_a_word(line: str, count: int) -> None:
    deck = read_quietly(f"{line}\n3 Murder\n1 One with Nothing\nOne with Nothing")

    assert {"Island": count} == {name: n for each in deck.sections for name, n in deck.section(each).items()
                                 if name == "Island"}  # fmt: skip
    assert {"Murder": 3, "One with Nothing": 2} == {name: deck.main[name] for name in ("Murder", "One with Nothing")}
    assert ((), ()) == (deck.unknown, deck.unread)


def test_where_numbers_are_words_names_that_nobody_knows_do_not_begin_with_one() -> None:
    assert {"Murder": 4, "Xantid Ooze": 3} == dict(read_quietly("four Murder\nthree Xantid Ooze").main)
    assert {"Murder": 4, "Three Dreams of Ooze": 1} == dict(read_quietly("4 Murder\nThree Dreams of Ooze").main)


@pytest.mark.parametrize("sign", ["+", "-", "−", "–"])
@pytest.mark.parametrize("form", ["{}1 Murder", "{}1x Murder", "SB: {}1 Murder", "Murder {}1", "Murder ({}1)"])
def test_a_change_of_a_deck_is_no_card_of_it(sign: str, form: str) -> None:
    line = form.format(sign)
    deck = read_quietly(f"20 Island\n\n{line}")

    assert {"Island": 20} == dict(deck.main)
    assert [(3, line)] == [(each.line, each.text) for each in deck.unread]
    assert f"1 {'more' if sign == '+' else 'fewer'}" in deck.unread[0].reason
    assert () == deck.unknown


def test_plus_and_minus_with_a_blank_are_changes_together_and_marks_of_a_list_alone() -> None:
    for start in ("", "# Deck\n"):
        both = read_quietly(f"{start}20 Island\n+ 2 Murder\n- 2 Duress")
        assert {"Island": 20} == dict(both.main)
        assert ["+ 2 Murder", "- 2 Duress"] == [each.text for each in both.unread]
        for sign in "+-":
            alone = read_quietly(f"{start}{sign} 20 Island\n{sign} 2 Murder")
            assert ({"Island": 20, "Murder": 2}, ()) == (dict(alone.main), alone.unread)


def test_a_name_that_begins_with_a_sign_is_a_name() -> None:
    assert {"+2 Mace": 3, "Island": 20} == dict(read_quietly("+2 Mace\n2 +2 Mace\n20 Island").main)


def test_a_number_with_a_dot_is_a_place_only_where_the_list_counts_up() -> None:
    places = read_quietly("1. Murder\n2. Island\n\n1. Duress\n2. Bind")
    assert {"Murder": 1, "Island": 1, "Duress": 1, "Bind": 1} == dict(places.main) | dict(places.sideboard)

    assert {"Murder", "2. Xantid Ooze", "Island"} == set(
        read_quietly("// My deck\n1. Murder\n2. Xantid Ooze\n3. Island").main
    )

    unclear = read_quietly("4. Murder\n3. Duress\n20 Island")
    assert {"Island": 20} == dict(unclear.main)
    assert [(1, "4. Murder"), (2, "3. Duress")] == [(each.line, each.text) for each in unclear.unread]


@pytest.mark.parametrize(
    "text",
    [
        "20 - Island\n4 - Murder\n2 – Duress", "Island ..... 20\nMurder … 4\nDuress .. 2",
        '{"Island": 20, "Murder": 4, "Duress": 2}',
        "20 Island    Basic Land\n4 Murder    Instant    {1}{B}{B}\n2 Duress  Sorcery  B",
        "20 [Island](https://example.org/island)\n4 [Murder](https://example.org/murder)\n2 Duress",
        "20 Island\n4 Murder\n2 Duress\n26 Cards Total", "20 Island\n4 Murder\n2 Duress\n\nTotal 26 cards",
        "20 Island, 4 Murder, 2 Duress", "20 Island; 4 Murder; 2 Duress", "20x Island, 4x Murder, 2x Duress",
        "> 20 Island\n> 4 Murder\n>\n> 2 Duress", ">20 Island\n>4 Murder\n>2 Duress",
        "20 Island\n4 Murder {1}{B}{B}\n2 Duress {B}", '{"main": [{"name": "Island", "count": "20"}], "sideboard": '
        '[{"name": "Murder", "count": "4"}, {"name": "Duress", "qty": " 2 "}]}',
    ],
)  # fmt: skip
def test_other_ways_in_which_people_pass_lists_on(text: str) -> None:
    deck = read_quietly(text)

    assert {"Island": 20, "Murder": 4, "Duress": 2} == dict(deck.main) | dict(deck.sideboard)
    assert () == deck.unread


def test_several_cards_in_one_line_of_many_are_told() -> None:
    deck = read_quietly("20 Island\n4 Murder, 2 Duress\n3 Bind")

    assert {"Island": 20, "Bind": 3} == dict(deck.main)
    assert [(2, "4 Murder, 2 Duress")] == [(each.line, each.text) for each in deck.unread]


def test_a_comma_in_a_name_parts_nothing() -> None:
    assert {"Borrowing 100,000 Arrows": 4} == dict(read_quietly("4 Borrowing 100,000 Arrows").main)


def test_what_stands_under_in_and_out_is_no_card_of_the_deck() -> None:
    guide = "20 Island\n4 Murder\n\nSideboard\n2 Duress\n\nVs Burn\nIN:\n2 Duress\n\nOUT\n2 Murder\n"
    deck = read_quietly(guide)

    assert ({"Island": 20, "Murder": 4}, {"Duress": 2}) == (dict(deck.main), dict(deck.sideboard))
    assert [7, 9, 12] == [each.line for each in deck.unread]

    signed = read_quietly("20 Island\n4 Murder\n\nSideboard\n2 Duress\n\nVs Burn\n+2 Duress\n-2 Murder")
    assert ({"Duress": 2}, [7, 8, 9]) == (dict(signed.sideboard), [each.line for each in signed.unread])


@pytest.mark.parametrize("line", ["1.5 Murder", "1,5 Murder", "1/2 Murder", "½ Murder", "4 4 Murder", "4: Murder"])
def test_what_is_no_clear_number_of_cards_is_told(line: str) -> None:
    deck = read_quietly(f"20 Island\n\n{line}\n")

    assert {"Island": 20} == dict(deck.main)
    assert ([(3, line)], ()) == ([(each.line, each.text) for each in deck.unread], deck.unknown)


@pytest.mark.parametrize("signs", ["???!!!", "!!!", "? ?"])
def test_a_line_of_signs_that_say_something_is_told_and_one_that_divides_is_not(signs):
    with pytest.warns(DeckWarning):
        deck = Deck.read(f"24 Island\n-----\n{signs}\n36 Grizzly Bears\n*****\n")

    assert {"Island": 24, "Grizzly Bears": 36} == dict(deck.main)
    assert [(3, signs)] == [(each.line, each.text) for each in deck.unread]
