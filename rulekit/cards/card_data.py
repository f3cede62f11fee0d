"""Card data as Scryfall and MTGJSON write it, turned into rows that a Card is made of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulekit.cards.card import Card
from rulekit.cards.json_stream import JsonStream
from rulekit.cards.printed import COLORS
from rulekit.rules import BadData, TooMany, shown

MOST_ENTRIES = 2_000_000
"""Entries that a file may have; every printing in every language has some 500,000."""

TOKEN_LAYOUTS = ("token", "double_faced_token", "emblem")
"""Layouts of what is no card of a deck (111.1, 114.1)."""

Row = list[Any]
"""name, cost, type line, text, power, toughness, loyalty, defense, color indicator, layout, faces (rows)."""

_NUMBERS = ("power", "toughness", "loyalty", "defense")
_TEXTS = frozenset({
    "layout", "type_line", "mana_cost", "oracle_text", "set_type", "printed_name", "flavor_name", "manaCost", "type",
    "text", "side", "faceName", "flavorName", "printedName", *_NUMBERS,
})  # fmt: skip
_LISTS: dict[str, type] = {
    "colors": str,
    "color_indicator": str,
    "colorIndicator": str,
    "promo_types": str,
    "types": str,
}
_LISTS |= {"card_faces": dict, "foreignData": dict}
_LOYALTY_COST = re.compile(r"^\[([+−-]?[0-9X]+)\]:", re.MULTILINE)
_PARTS = re.compile(r"\s*//\s*")


@dataclass
class CardData:
    """What a file of card data says.

    Attributes:
        rows: Name to row, each card once.
        tokens: Names that only tokens and emblems have, name to row.
        aliases: Other names of the same cards (printed in another language, or on another printing) to names.
        numbers: Magic Online's numbers to names.
        jokes: Names of playtest cards and the like, which give way to a card of the same name.
    """

    rows: dict[str, Row] = field(default_factory=dict)
    tokens: dict[str, Row] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    jokes: set[str] = field(default_factory=set)


def card_of(row: Row) -> Card:
    """Make the card of a row.

    Raises:
        BadData: Its cost or its type line is not one of the game, such as the half mana of a joke card.
    """
    name, cost, types, text, power, toughness, loyalty, defense, indicator, layout, faces = row
    if faces:
        return Card.of_faces(layout, [card_of(face) for face in faces])
    return Card(
        name, cost, types, text, power=power, toughness=toughness, loyalty=loyalty, defense=defense,
        color_indicator=indicator, layout=layout,
    )  # fmt: skip


def read_card_data(path: Path) -> CardData:
    """Read a file of Scryfall (JSON, JSON lines, gzip) or MTGJSON (AtomicCards, a set, all printings).

    Args:
        path: The file.

    Returns:
        What it says of every card in it.

    Raises:
        BadData: It is neither; the message says what it is, where that can be told.
        TooMany: It has more entries than there are printings of cards.
    """
    stream = JsonStream(path)
    data = CardData()
    faces: dict[str, dict[str, dict[str, Any]]] = {}
    try:
        stream.begin()
        for count, (kind, entry) in enumerate(_entries(stream), 1):
            if count > MOST_ENTRIES:
                raise TooMany(f"{path}: this file has more than {MOST_ENTRIES:,} entries.", "Read one file of cards.")
            if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
                raise stream.bad(f"entry {count:,} is no card: it has no name")
            if wrong := _wrong(entry):
                raise stream.bad(f"entry {count:,}, {shown(repr(entry['name']))}, is no card: {wrong}")
            if kind == "scryfall":
                _add_scryfall(data, entry, count, stream)
            else:
                _add_mtgjson(data, faces, entry, token=kind == "token")
    finally:
        stream.close()
    for name, sides in faces.items():
        data.rows[name] = _joined(name, [sides[side] for side in sorted(sides)])
    if not data.rows and not data.tokens:
        raise stream.bad("there is no card in this file")
    return data


def _wrong(entry: dict[str, Any]) -> str:
    """Say which value of an entry, or of its faces, is of another kind than it must be; "" if none is."""
    for key, value in entry.items():
        if key in _TEXTS and not isinstance(value or "", str):
            return f"its {key} is no text"
        kind = _LISTS.get(key)
        if kind and value and not (isinstance(value, list) and all(isinstance(each, kind) for each in value)):
            return f"its {key} is no list of {'texts' if kind is str else 'objects'}"
    if not isinstance(entry.get("identifiers") or {}, dict):
        return "its identifiers are no object"
    faces = entry.get("card_faces") or []
    if not all(isinstance(face.get("name"), str) for face in faces):
        return "one of its card_faces has no name"
    return next(filter(None, map(_wrong, (*faces, *(entry.get("foreignData") or ())))), "")


def _entries(stream: JsonStream) -> Iterator[tuple[str, Any]]:
    """Give every card of a file and whose shape it has: "scryfall", "mtgjson" or "token" (of MTGJSON)."""
    if stream.peek() == "[":
        yield from (("scryfall", entry) for entry in stream.items())
        return
    start = stream.text[stream.at : stream.at + 4096]
    if re.match(r'\{\s*"(meta|data)"\s*:', start) or re.match(r'\{\s*"object"\s*:\s*"list"', start):
        yield from _of_container(stream)
        return
    while stream.peek():
        yield "scryfall", stream.value()


def _of_container(stream: JsonStream) -> Iterator[tuple[str, Any]]:
    """Give the cards of a mapping whose `data` holds them."""
    for key in stream.keys():  # noqa: SIM118  (a stream is no mapping)
        if key != "data":
            stream.value()
        elif stream.peek() == "[":
            yield from (("scryfall", entry) for entry in stream.items())
        elif stream.peek() == "{":
            yield from _of_mtgjson(stream, sets=True)


def _of_mtgjson(stream: JsonStream, *, sets: bool) -> Iterator[tuple[str, Any]]:
    """Give the cards of MTGJSON's data: a set, a mapping of sets, or a mapping of names to faces."""
    for key in stream.keys():  # noqa: SIM118
        first = stream.peek()
        if first == "[" and key in ("cards", "tokens"):
            yield from (("token" if key == "tokens" else "mtgjson", entry) for entry in stream.items())
        elif first == "[":
            found = stream.value()
            if key in ("mainBoard", "sideBoard"):
                raise BadData("this is a deck, not card data.", stream.path, instead="Read it with Deck.read.")
            yield from (("mtgjson", face) for face in found if isinstance(face, dict) and face.get("name") == key)
        elif first == "{" and sets and key not in ("booster", "translations", "meta"):
            yield from _of_mtgjson(stream, sets=False)
        else:
            stream.value()


def _add_scryfall(data: CardData, entry: dict[str, Any], count: int, stream: JsonStream) -> None:
    """Add a card object of Scryfall."""
    if entry.get("object") == "bulk_data":
        address = entry.get("jsonl_download_uri") or entry.get("download_uri") or "its address"
        raise BadData(
            "this is the index of Scryfall's bulk files, not the cards.", stream.path,
            instead=f"Fetch {address} and read that file.",
        )  # fmt: skip
    faces = entry.get("card_faces") or []
    if "type_line" not in entry and not any("type_line" in face for face in faces):
        raise stream.bad(f"entry {count:,}, {shown(repr(entry['name']))}, is no card: it has no type line")
    layout = entry.get("layout", "normal")
    if layout == "art_series":
        return
    if layout == "reversible_card" and faces:
        faces, entry = [], {**entry, **faces[0]}
        layout = entry.get("layout", "normal")
    name = entry["name"]
    known = data.tokens if layout in TOKEN_LAYOUTS or entry.get("set_type") == "token" else data.rows
    joke = entry.get("set_type") == "funny" or "playtest" in (entry.get("promo_types") or ())
    if name not in known or (name in data.jokes and not joke):
        known[name] = _scryfall_row(entry, layout, faces)
        (data.jokes.add if joke else data.jokes.discard)(name)
    for key in ("printed_name", "flavor_name") if known is data.rows else ():
        printed = [face[key] for face in faces if face.get(key)]
        for other in (entry.get(key), " // ".join(printed), printed[0]) if printed else (entry.get(key),):
            if other and other != name:
                data.aliases.setdefault(other, name)
    if number := entry.get("mtgo_id"):
        data.numbers[str(number)] = name


def _scryfall_row(entry: dict[str, Any], layout: str, faces: Iterable[dict[str, Any]]) -> Row:
    """Make the row of a card object or of one of its faces."""
    get = entry.get
    line = get("type_line") or ""
    types = _PARTS.split(line) if faces else []
    parts = [
        _scryfall_row({"type_line": types[min(at, len(types) - 1)], **face}, "normal", ())
        for at, face in enumerate(faces)
    ]
    cost, text, indicator = (
        get("mana_cost") or "",
        get("oracle_text") or "",
        _indicator(entry, "color_indicator", "mana_cost"),
    )
    return [entry["name"], cost, line, text, *map(get, _NUMBERS), indicator, layout, parts]


def _indicator(entry: dict[str, Any], key: str, cost: str) -> list[str]:
    """Give the colors of the indicator; where the data names none, a card without a cost has its colors from one."""
    letters = entry.get(key) or ([] if entry.get(cost) else entry.get("colors") or [])
    return [COLORS[letter] for letter in letters if letter in COLORS]


def _add_mtgjson(
    data: CardData, faces: dict[str, dict[str, dict[str, Any]]], entry: dict[str, Any], *, token: bool
) -> None:
    """Add a face of MTGJSON; faces of one card are told apart by their side."""
    name = entry["name"]
    if token or entry.get("layout") in TOKEN_LAYOUTS:
        data.tokens.setdefault(name, _mtgjson_row(entry))
        return
    if entry.get("layout") == "art_series":
        return
    sides = faces.setdefault(name, {})
    side = entry.get("side") or "a"
    if side not in sides or (sides[side].get("isFunny") and not entry.get("isFunny")):
        sides[side] = entry
    for other in (entry, *(entry.get("foreignData") or ())):
        alias = other.get("flavorName") or other.get("printedName") or (other.get("name") if other is not entry else "")
        if alias and alias != name:
            data.aliases.setdefault(alias, name)
    if number := (entry.get("identifiers") or {}).get("mtgoId"):
        data.numbers[str(number)] = name


def _mtgjson_row(entry: dict[str, Any]) -> Row:
    """Make the row of one face of MTGJSON."""
    text = _LOYALTY_COST.sub(r"\1:", entry.get("text") or "")
    types = entry.get("type") or " ".join(entry.get("types") or ())
    numbers = [entry.get(key) for key in _NUMBERS]
    name = entry.get("faceName") or entry["name"]
    return [
        name,
        entry.get("manaCost") or "",
        types,
        text,
        *numbers,
        _indicator(entry, "colorIndicator", "manaCost"),
        "normal",
        [],
    ]


def _joined(name: str, sides: list[dict[str, Any]]) -> Row:
    """Make the row of a card of one face or of several."""
    rows = [_mtgjson_row(side) for side in sides]
    layout = sides[0].get("layout") or "normal"
    if len(rows) == 1 or layout in ("meld", "reversible_card"):
        return [rows[0][0] if layout in ("meld", "reversible_card") else name, *rows[0][1:9], layout, []]
    return [name, *rows[0][1:9], layout, rows]
