"""Where cards are found: names in all their ways, files of Scryfall and MTGJSON, the cache, and nonsense."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
import pytest

from rulekit.cards import card_cache
from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool, fold
from rulekit.rules import BadData, TooMany, Unknown

WORDS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the cache of these tests out of the user's own."""
    folder = tmp_path / "cache"
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: folder)
    return folder


@pytest.fixture
def oracle(shared_data: Path) -> CardPool:
    return CardPool.read(shared_data / "oracle_mill_gift_equip.json", use_cache=False)


def card(name: str, **more: Any) -> dict[str, Any]:
    return {"object": "card", "name": name, "layout": "normal", "mana_cost": "{1}", "cmc": 1.0, "type_line": "Artifact",
            "oracle_text": "", "colors": [], **more}  # fmt: skip


def write(path: Path, cards: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps(cards), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Fire // Ice", "Fire // Ice"),
        ("Fire/Ice", "Fire // Ice"),
        ("Fire / Ice", "Fire // Ice"),
        ("Fire///Ice", "Fire // Ice"),
        ("Fire", "Fire // Ice"),
        ("ice", "Fire // Ice"),
        ("Bind", "Bind"),
        ("Bind // Liberate", "Bind // Liberate"),
        ("Moonrage Brute", "Brutal Cathar // Moonrage Brute"),
        ("Lim-Dul's Vault", "Lim-Dûl's Vault"),
        ("LIM‐DÛL’S VAULT", "Lim-Dûl's Vault"),
        ("Lim-D&ucirc;l&#39;s Vault", "Lim-Dûl's Vault"),
        ("Ætherflux Reservoir", "Aetherflux Reservoir"),
        ("SP//dr, Piloted by Peni", "SP//dr, Piloted by Peni"),
        ("Summon: Choco/Mog", "Summon: Choco/Mog"),
        ("Ratonhnhaké:ton", "Ratonhnhaké꞉ton"),
        ("A-Hedron Crab", "Hedron Crab"),
        ("  Hedron   Crab ", "Hedron Crab"),
        ("Who/What/When/Where/Why", "Who // What // When // Where // Why"),
    ],
)
def test_a_card_is_found_by_every_way_to_write_its_name(oracle: CardPool, written: str, name: str) -> None:
    assert name == oracle.name_of(written)
    assert name == oracle[written].full_name


def test_a_name_that_no_card_has_comes_with_the_nearest(oracle: CardPool) -> None:
    with pytest.raises(Unknown, match=r"no card is called 'Hedron Crap' .* Did you mean 'Hedron Crab'"):
        oracle.find("Hedron Crap")

    assert "Hedron Crap" not in oracle
    assert oracle.get("Hedron Crap") is None


def test_no_two_cards_are_confused_with_one_another(oracle: CardPool) -> None:
    """Folding a name loses accents and slashes; the cards themselves stay apart."""
    folded = [fold(name) for name in oracle]

    assert len(folded) == len(set(folded))


def test_mana_values_and_colors_are_those_of_the_data(shared_data: Path, oracle: CardPool) -> None:
    """202.3, 105.2; the colors of an adventure card count both halves in this file, and Wayfarer's ability its own."""
    entries = json.loads((shared_data / "oracle_mill_gift_equip.json").read_text(encoding="utf-8"))
    colors = {each["name"]: each.get("colors", each.get("card_faces", [{}])[0].get("colors")) for each in entries}
    apart = {each["name"] for each in entries if each["layout"] == "adventure"} | {"Fallaji Wayfarer"}

    assert [] == [each["name"] for each in entries if each["cmc"] != oracle[each["name"]].mana_value]
    assert [] == [
        name
        for name, letters in colors.items()
        if letters is not None and name not in apart and {WORDS[each] for each in letters} != set(oracle[name].colors)
    ]


def test_real_objects_of_every_layout_are_read(shared_data: Path) -> None:
    pool = CardPool.read(shared_data / "scryfall_sample.json", use_cache=False)
    jace = pool["Jace, Vryn's Prodigy"]

    assert 2 == jace.mana_value
    assert ("blue",) == jace.faces[1].colors  # by its indicator
    assert 5 == jace.faces[1].loyalty
    assert "Zndrsplt, Eye of Wisdom" == pool["Zndrsplt, Eye of Wisdom"].full_name  # printed on both sides
    assert "Okaun, Eye of Chaos" == pool.name_of("混沌の目、オカウン")  # printed name
    assert "Bonesplitter" == pool.name_of("Spaccaossa")


def test_tokens_are_known_as_such(shared_data: Path) -> None:
    pool = CardPool.read(shared_data / "scryfall_sample.json", use_cache=False)

    assert "Elephant" not in pool  # no card is called so
    assert "Elephant" == pool.token_of("elephant")
    assert pool.token_of("Bonesplitter") is None


def test_the_forms_of_2025_and_2026_hold_the_same_cards(tmp_path: Path) -> None:
    cards = [card("One"), card("Two", type_line="Instant", mana_cost="{U}", colors=["U"])]
    lines = "".join(json.dumps(each) + "\n" for each in cards)
    forms = {
        "list.json": json.dumps(cards).encode(),
        "lines-in-list.json": ("[\n" + ",\n".join(json.dumps(each) for each in cards) + "\n]").encode(),
        "list.json.gz": gzip.compress(json.dumps(cards).encode()),
        "lines.jsonl": lines.encode(),
        "lines.jsonl.gz": gzip.compress(lines.encode()),
        "with-mark.json": b"\xef\xbb\xbf" + json.dumps(cards).encode(),
        "answer.json": json.dumps({"object": "list", "has_more": False, "data": cards}).encode(),
    }
    for name, data in forms.items():
        path = tmp_path / name
        path.write_bytes(data)
        pool = CardPool.read(path)

        assert ["One", "Two"] == list(pool), name
        assert ("blue",) == pool["Two"].colors, name


def test_the_bulk_samples_of_both_ages_are_read(shared_data: Path) -> None:
    pool = CardPool.read(shared_data / "scryfall_bulk_sample.jsonl.gz", use_cache=False)

    assert 46 == len(pool)


@pytest.mark.parametrize("age", ["2025", "both", "2026"])
def test_the_index_of_bulk_files_is_refused_with_the_address_of_the_cards(shared_data: Path, age: str) -> None:
    with pytest.raises(BadData, match=r"(?s)index of Scryfall's bulk files.*https://data\.scryfall\.io/oracle-cards/"):
        CardPool.read(shared_data / f"scryfall_bulk_index_{age}.json")


def test_atomic_cards_are_read(shared_data: Path) -> None:
    path = shared_data / "mtgjson_sample.json"
    pool = CardPool.read(path, use_cache=False)
    data = json.loads(path.read_text(encoding="utf-8"))["data"]

    assert list(data) == list(pool)
    assert [] == [name for name, faces in data.items() if faces[0]["manaValue"] != pool[name].mana_value]
    assert "Delver of Secrets // Insectile Aberration" == pool.name_of("Delver of Secrets")
    assert "Armored Armadillo" == pool.name_of("Gepanzertes Gürteltier")


def test_a_set_of_mtgjson_is_read_face_by_face(tmp_path: Path) -> None:
    face = {"layout": "transform", "type": "Creature — Human", "manaCost": "{U}", "colors": ["U"], "text": ""}
    cards = [
        {"name": "A // B", "faceName": "B", "side": "b", **face, "manaCost": ""},
        {"name": "A // B", "faceName": "A", "side": "a", **face, "identifiers": {"mtgoId": "77"}},
        {"name": "A // B", "faceName": "A", "side": "a", **face},
        {"name": "Walker", "layout": "normal", "type": "Planeswalker — X", "manaCost": "{2}", "loyalty": "3",
         "text": "[+1]: Draw a card."},
    ]  # fmt: skip
    tokens = [{"name": "Wolf", "layout": "token", "type": "Token Creature — Wolf"}]
    whole = {"meta": {}, "data": {"code": "TST", "booster": {"x": {}}, "cards": cards, "tokens": tokens}}
    everything = {"meta": {}, "data": {"TST": whole["data"]}}
    for number, data in enumerate((whole, everything)):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        pool = CardPool.read(path)

        assert ["A // B", "Walker"] == list(pool)
        assert ["A", "B"] == [each.name for each in pool["A"].faces]
        assert ("+1: Draw a card.", 3) == (pool["Walker"].text, pool["Walker"].loyalty)  # as Scryfall writes it
        assert "A // B" == pool.name_of_number("77")
        assert "Wolf" == pool.token_of("Wolf")


def test_a_card_of_half_a_mana_is_refused_alone(tmp_path: Path) -> None:
    pool = CardPool.read(write(tmp_path / "joke.json", [card("Little Girl", mana_cost="{HW}"), card("One")]))

    assert 1 == pool["One"].mana_value
    with pytest.raises(BadData, match=r"'\{HW\}' is no mana symbol"):
        pool.find("Little Girl")


def test_a_playtest_card_gives_way_to_the_card_of_the_same_name(tmp_path: Path) -> None:
    joke, real = card("Red Herring", set_type="funny", mana_cost="{9}"), card("Red Herring", mana_cost="{2}")

    assert [2, 2] == [
        CardPool.read(write(tmp_path / f"{number}.json", cards))["Red Herring"].mana_value
        for number, cards in enumerate(([joke, real], [real, joke]))
    ]


def test_two_pools_are_joined_and_the_left_one_counts() -> None:
    left, right = (
        CardPool([Card("One", cost, "Artifact"), Card(f"Only {cost}", cost, "Artifact")]) for cost in ("{1}", "{2}")
    )

    assert 1 == (left | right)["One"].mana_value
    assert {"One", "Only {1}", "Only {2}"} == set(left | right)
    assert "Island" in CardPool([]) | CardPool.catalogue()


def test_a_pool_travels_between_processes(oracle: CardPool) -> None:
    assert oracle["Hedron Crab"] == pickle.loads(pickle.dumps(oracle))["Hedron Crab"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "begins neither"),
        (b"4 Island\n", "begins neither"),
        (b"\x89PNG\r\n\x1a\n" + bytes(1000), "no text in UTF-8"),
        (b"[]", "no card in this file"),
        (b"{}", "no name"),
        (b'{"meta": {}, "data": {}}', "no card in this file"),
        (b'{"meta": {}, "data": {"mainBoard": [{"name": "Island"}]}}', "this is a deck"),
        (b'[{"name": "One"}]', "no type line"),
        (b"[1, 2, 3]", "no name"),
        (b'[{"name": "One", "type_line": "Artifact"}, {"x"', "this is not JSON"),
        (b'[{"name": "One" "type_line": "Artifact"}]', "this is not JSON"),
        (b"[" * 200_000, "nested too deeply"),
        (gzip.compress(b"[]" * 9, mtime=0)[:20], "damaged or cut off"),
        (gzip.compress(json.dumps([card(f"N{n}") for n in range(999)]).encode(), mtime=0)[:-9], "damaged or cut off"),
        (b"\x1f\x8b" + bytes(50), "damaged or cut off"),
    ],
)
def test_what_is_no_card_data_is_refused_with_what_it_is(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "cards.json"
    path.write_bytes(data)

    with pytest.raises(BadData) as refusal:
        CardPool.read(path)

    assert said in str(refusal.value)
    assert str(path) in str(refusal.value)


def test_without_a_file_the_catalogue_is_read() -> None:
    assert CardPool.catalogue() is CardPool.read()


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="there is no such file"):
        CardPool.read(tmp_path / "none.json")
    with pytest.raises(BadData, match="not a file"):
        CardPool.read(tmp_path)


@pytest.mark.parametrize("nonsense", [b" " * 1_000_000, b'["' + b"x" * 1_000_000, b"[" + b"9" * 1_000_000])
def test_120_megabytes_of_nonsense_are_refused_in_little_memory(tmp_path: Path, nonsense: bytes) -> None:
    path = tmp_path / "bomb.json.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"[")
        for _ in range(120):
            file.write(nonsense if nonsense[:1] == b" " else nonsense.lstrip(b'["') or nonsense)

    tracemalloc.start()
    try:
        with pytest.raises(BadData):
            CardPool.read(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert 200_000_000 > peak


def test_more_entries_than_printings_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulekit.cards.card_data.MOST_ENTRIES", 10)

    with pytest.raises(TooMany, match="more than 10 entries"):
        CardPool.read(write(tmp_path / "many.json", [card(f"N{n}") for n in range(11)]))


def test_a_file_is_read_from_the_cache_the_second_time(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(
        tmp_path / "cards.json", [card("One"), card("Wolf", layout="token", type_line="Token Creature — Wolf")]
    )
    first = CardPool.read(path)
    monkeypatch.setattr("rulekit.cards.pool.read_card_data", lambda _: pytest.fail("the file was read again"))

    second = CardPool.read(path)

    assert list(first) == list(second)
    assert first["One"] == second["One"]
    assert "Wolf" == second.token_of("Wolf")
    assert 1 == len(list(own_cache.iterdir()))  # nothing half written stays behind


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = write(tmp_path / "cards.json", [card("One")])
    CardPool.read(path)
    write(path, [card("Two")])
    os.utime(path, ns=(1, 1))

    assert ["Two"] == list(CardPool.read(path))


@pytest.mark.parametrize("harm", ["cut", "flipped", "other version", "empty", "nonsense", "folder"])
def test_a_damaged_cache_is_ignored_and_renewed(tmp_path: Path, own_cache: Path, harm: str) -> None:
    path = write(tmp_path / "cards.json", [card(f"N{number}") for number in range(50)])
    CardPool.read(path)
    (kept,) = own_cache.iterdir()
    data = kept.read_bytes()
    broken = {
        "cut": data[: len(data) // 2],
        "flipped": data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        "other version": data.replace(card_cache.VERSION.encode(), b"rulekit card cache 0"),
        "empty": b"",
        "nonsense": os.urandom(500),
    }
    kept.unlink()
    if harm == "folder":
        kept.mkdir()
    else:
        kept.write_bytes(broken[harm])

    assert 50 == len(CardPool.read(path))
    assert harm == "folder" or data == kept.read_bytes()


@pytest.mark.parametrize("home", ["read-only", "a file", "none"])
def test_a_home_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str
) -> None:
    def no_home(*_: object, **__: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    place = tmp_path / "home"
    if home == "none":
        monkeypatch.setattr(platformdirs, "user_cache_path", no_home)
    else:
        if home == "a file":
            place.write_text("in the way")
        else:
            place.mkdir(mode=0o500)
        monkeypatch.setattr(platformdirs, "user_cache_path", lambda *_, **__: place / "cache")
    path = write(tmp_path / "cards.json", [card("One")])

    assert ["One"] == list(CardPool.read(path))
    assert ["One"] == list(CardPool.read(path))


def test_35000_cards_load_in_3_seconds_and_from_the_cache_in_a_third_of_one(tmp_path: Path, shared_data: Path) -> None:
    """A file as large as today's; as the machine may be busy, the time of the process and the best of three count."""
    real = json.loads((shared_data / "scryfall_sample.json").read_text(encoding="utf-8"))
    entries = [json.dumps({**each, **card("Card NUMBER", set_type="core", card_faces=[])}) for each in real]
    path = tmp_path / "large.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(35_000):
            file.write(entries[number % len(entries)].replace("NUMBER", str(number)) + "\n")
    first = best_of_3(lambda: CardPool.read(path, use_cache=False), below=3)
    pool = CardPool.read(path)
    second = best_of_3(lambda: CardPool.read(path), below=0.3)

    assert 35_000 == len(pool)
    assert 3 > first
    assert 0.3 > second


def best_of_3(load: Callable[[], CardPool], below: float) -> float:
    """The shortest of up to three times in seconds of this process; one that is short enough ends the search."""
    best = 1e9
    for _ in range(3):
        started = time.process_time()
        load()
        best = min(best, time.process_time() - started)
        if best < below:
            break
    return best
