"""The command rulekit cards: which cards are understood, in a terminal and as data."""

from __future__ import annotations

import json
from pathlib import Path

import platformdirs
import pytest

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.cli import main
from rulekit.commands import kept_readings
from rulekit.commands.cards import GROUPS

CARDS = [
    {"name": "Bright Rain", "type_line": "Sorcery", "oracle_text": "Target player mills two cards."},
    {
        "name": "Odd Rain",
        "type_line": "Sorcery",
        "oracle_text": "Draw a card. Each opponent mils a card. Whoever mills smiles.",
    },
    {
        "name": "Odd Blade",
        "type_line": "Artifact — Equipment",
        "oracle_text": "Equipped creature smiles.\nEquip {1}",
    },
    {"name": "Grey Bear", "type_line": "Creature — Bear", "oracle_text": "", "power": "2", "toughness": "2"},
]


@pytest.fixture
def cards(tmp_path: Path) -> str:
    file = tmp_path / "cards.json"
    file.write_text(json.dumps([{"object": "card", "layout": "normal", **card} for card in CARDS]), encoding="utf-8")
    return str(file)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep what is remembered of these texts out of the user's own cache."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: folder)
    return folder


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert status == main(["cards", *words])
    return capsys.readouterr().out


def test_the_table_has_a_line_for_each_group_and_one_for_all(cards: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, cards).splitlines()

    assert ["group", "gift", "dredge", "mill", "equipment", "all"] == [line.split()[0] for line in lines]
    assert ["mill", "2", "50.0%", "50.0%"] == lines[3].split()
    assert ["equipment", "1", "100.0%", "0.0%"] == lines[4].split()
    assert "understood 2, partly 2, not understood 0" in lines[5]


def test_unread_adds_the_commonest_phrases_with_an_example(cards: str, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, cards, "--unread")

    assert "not read, by how often:" in out
    assert "mils a card.  (Odd Rain)" in out


def test_json_is_one_object_with_the_keys_that_were_promised(cards: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(said(capsys, cards, "--json"))

    assert {"cards", "groups"} == set(told)
    assert [{"name", "status", "groups", "sentences"}] * len(CARDS) == [set(card) for card in told["cards"]]
    assert all({"text", "understood", "unread"} == set(each) for card in told["cards"] for each in card["sentences"])
    assert set(GROUPS) == set(told["groups"])
    assert all({"cards", "clauses", "whole"} == set(group) for group in told["groups"].values())
    assert all(0 <= group[part] <= 1 for group in told["groups"].values() for part in ("clauses", "whole"))


def test_the_share_of_whole_cards_follows_from_the_status_of_each(
    cards: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = json.loads(said(capsys, cards, "--json"))

    for name, group in told["groups"].items():
        whole = [card["status"] == "understood" for card in told["cards"] if name in card["groups"]]
        assert group["cards"] == len(whole)
        assert not whole or group["whole"] == sum(whole) / len(whole)


def test_what_could_not_be_read_stands_beside_its_sentence(cards: str, capsys: pytest.CaptureFixture[str]) -> None:
    told = {card["name"]: card for card in json.loads(said(capsys, cards, "--json"))["cards"]}

    assert ["understood", "partly", "partly", "understood"] == [told[card["name"]]["status"] for card in CARDS]
    assert [(True, None), (False, "mils a card.")] == [
        (each["understood"], each["unread"]) for each in told["Odd Rain"]["sentences"][:2]
    ]
    assert [] == told["Grey Bear"]["sentences"]


def test_one_card_is_shown_sentence_by_sentence_with_the_nearest_phrase(
    cards: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = said(capsys, cards, "--card", "Odd Rain")

    assert out.startswith("Odd Rain: partly")
    assert "understood: Draw a card." in out
    assert "not read: mils a card" in out
    assert "mills" in out


def test_the_catalogue_is_understood_and_that_is_the_status(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "--catalogue")

    assert len(CardPool.catalogue()) == sum(line.endswith(": understood") for line in out.splitlines())


@pytest.mark.parametrize(
    ("words", "told"),
    [((), "give either FILE or --catalogue"), (("no-such-file.json",), "no-such-file.json"),
     (("--catalogue", "--card", "Ruin Crap"), "Ruin Crab")],
)  # fmt: skip
def test_a_mistake_ends_with_a_status_and_says_what_instead(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert 0 != main(["cards", *words])
    assert told in capsys.readouterr().err


def test_a_file_that_holds_no_cards_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "nothing.json"
    file.write_text("{", encoding="utf-8")

    assert 0 != main(["cards", str(file)])
    assert "nothing.json" in capsys.readouterr().err


# ---------------------------------------------------------------- what was read before


def test_a_text_is_read_once_by_one_state_of_the_reader(
    cards: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    reader = kept_readings.read_card
    monkeypatch.setattr(kept_readings, "read_card", lambda card: read.append(card.name) or reader(card))

    first, second = said(capsys, cards, "--json"), said(capsys, cards, "--json")
    monkeypatch.setattr(kept_readings, "version", lambda: "another reader")
    third = said(capsys, cards, "--json")

    assert first == second == third
    assert 2 * len(CARDS) == len(read)


def test_a_card_of_the_same_name_with_another_text_is_read_anew() -> None:
    old, new = (Card("Odd Rain", "{U}", "Sorcery", text) for text in ("Draw a card.", "Draw a sword."))

    assert ["understood", "not understood"] == [kept_readings.readings_of([card])[0].status for card in (old, new)]


@pytest.mark.parametrize("data", [b"", b"\xff\x00", b"[]", b'["%s", {"a": [["b"]]}]', b'["%s", 7]', b"[" * 100_000])
def test_what_is_kept_and_damaged_is_read_anew(own_cache: Path, data: bytes) -> None:
    own_cache.mkdir()
    (own_cache / kept_readings.FILE).write_bytes(data.replace(b"%s", kept_readings.version().encode()))
    (reading,) = kept_readings.readings_of([Card("Bright Rain", "{U}", "Sorcery", "Draw a card.")])

    assert "understood" == reading.status
