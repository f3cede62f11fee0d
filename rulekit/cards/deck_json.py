"""Deck lists in JSON: MTGJSON, Moxfield, Archidekt, Scryfall, Deckstats, and any that keep cards with their numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from rulekit.cards.deck_draft import KINDS, SECTION_WORDS, UNKNOWN_SECTION, Draft
from rulekit.cards.deck_names import Line, named, read_line, section_of_categories
from rulekit.cards.deck_source import Source
from rulekit.cards.deck_text import read_text
from rulekit.cards.pool import CardPool

_COUNTS = ("count", "quantity", "qty", "amount", "number", "copies", "n")
_NAMES = ("name", "cardname")
_INSIDE = ("card", "carddigest", "cardattributes", "oraclecard", "details")
_WRAPPERS = ("data", "deck", "decks", "decklist")
_HOLDERS = ("boards", "entries", "cards")
_PARTS = "sections"
_PLACES = ("section", "board", "boardtype", "zone")
_MARKS = ("sideboard", "issideboard", "commander", "iscommander", "companion", "maybeboard")
_SECTIONS = {re.sub(r"[_\s-]", "", word): section for word, section in SECTION_WORDS.items()}
_MAIN = "main: "
_DEEPEST = 4
_START = re.compile(r"\{|\[\s*(?:[{\"]|\]\s*\Z|\[\s*[\"\[{])")


def is_json(source: Source) -> bool:
    """Say whether a text can be JSON; a list that begins with a heading or a name in square brackets is none."""
    return _START.match(source.text.lstrip()[:200]) is not None


def read_json(source: Source, pool: CardPool) -> list[Draft]:
    """Read a deck, a list of decks, a list of cards, or a mapping with one of these under `data`, `deck` or `decks`.

    Args:
        source: The JSON.
        pool: Where names are looked up.

    Returns:
        One draft for each deck.

    Raises:
        BadData: It is no JSON, or no part of it is a section of a deck.
    """
    data = _parsed(source)
    for _ in range(_DEEPEST):
        data = next((value for key, value in _items(data) if _wraps(key, value)), data)
    if isinstance(data, dict) and all(type(count) is int for count in data.values()) and any(map(pool.name_of, data)):
        data = {"main": data}
    decks = [_flat(deck) for deck in (data if isinstance(data, list) else [data]) if isinstance(deck, dict)]
    decks = [deck for deck in decks if _is_deck(deck)]
    if not decks and isinstance(data, list) and any(isinstance(each, str) or _name_in(each) for each in data):
        decks = [{"main": data}]
    if not decks:
        raise source.bad(
            "this JSON is no deck.",
            instead="May stand here: mainBoard, sideBoard, commander, each with a list of cards with count and name.",
        )
    return [_draft(deck, pool) for deck in decks]


def _wraps(key: str, value: object) -> bool:
    """Say whether a deck stands under a key: `data`, or `deck` and the like if there are sections in what it holds."""
    inside = value if isinstance(value, list) else [value]
    return key in _WRAPPERS and isinstance(value, dict | list) and (key == "data" or any(map(_is_deck, inside)))


def _is_deck(value: object) -> bool:
    """Say whether a value is a mapping with sections of a deck; `sideboard` of a card says yes or no."""
    if not isinstance(value, dict):
        return False
    sections = [cards for key, cards in value.items() if _section(key) or _word(key) in (*_HOLDERS, _PARTS)]
    return any(isinstance(cards, dict | list) or (isinstance(cards, str) and _is_text(cards)) for cards in sections)


def _is_text(cards: str) -> bool:
    """Say whether a text holds cards, not a word that says yes or no."""
    return cards.casefold() not in ("", "true", "false", "yes", "no")


def _parsed(source: Source) -> Any:
    """Parse the text, or each line of it where every line is JSON of its own."""
    lines = [line for line in source.lines if line.strip()]
    try:
        if len(lines) > 1 and all(line.startswith("{") and line.rstrip().endswith("}") for line in lines):
            return [json.loads(line) for line in lines]
        return json.loads(source.text)
    except json.JSONDecodeError as error:
        raise source.bad(f"this is not JSON: {error.msg}.", error.lineno) from None
    except RecursionError:
        raise source.bad("this JSON is nested too deeply for a deck.") from None
    except ValueError:
        raise source.bad("a number in this JSON has thousands of digits.") from None


def _word(key: str) -> str:
    """Give a key in small letters without what parts its words."""
    return re.sub(r"[_\s-]", "", key.casefold())


def _items(facts: object) -> Iterator[tuple[str, Any]]:
    """Give the keys, as words, and the values of a mapping; nothing of anything else."""
    if isinstance(facts, dict):
        for key, value in facts.items():
            yield _word(key), value


def _flat(deck: dict[str, Any]) -> dict[str, Any]:
    """Give a deck with its sections beside its name, from under `boards`, `entries`, `cards` or `sections`."""
    flat: dict[str, Any] = {}
    for key, value in deck.items():
        if _word(key) == _PARTS and isinstance(value, list) and all(isinstance(part, dict) for part in value):
            for part in value:
                name = str(part.get("name", "main"))
                flat.setdefault(name if _section(name) else "main", []).extend(_as_list(part.get("cards")))
        elif _word(key) in _HOLDERS and isinstance(value, dict):
            for name, board in value.items():
                inside = board["cards"] if isinstance(board, dict) and "cards" in board else board
                flat[name if _section(name) else f"{_MAIN}{name}"] = inside
        elif _word(key) in _HOLDERS and isinstance(value, list):
            flat["main"] = value
        else:
            flat[key] = value
    shown = deck.get("main")
    if _name_in(shown) and sum(_section(key) == "main" for key in flat) > 1:
        flat["main"] = f"shown first: {_name_in(shown)}"  # the card that Moxfield shows for the deck
        flat["first card"] = flat.pop("main")
    return flat


def _as_list(cards: object) -> list[Any]:
    """Give a list, empty for anything else."""
    return cards if isinstance(cards, list) else []


def _section(key: str) -> str:
    """Give the section that a key means: mainBoard, sideboard, commanders, main_deck."""
    word = "main" if key.startswith(_MAIN) else _word(key)
    return _SECTIONS.get(word) or _SECTIONS.get(word.removesuffix("deck"), "")


def _draft(deck: dict[str, Any], pool: CardPool) -> Draft:
    """Read one deck."""
    draft = Draft("JSON", str(deck.get("name") or deck.get("Name") or ""))
    out = _outside(deck)
    for key, cards in deck.items():
        section = _section(key)
        if section:
            part = key.removeprefix(_MAIN)
            if cards and part != key and not KINDS.fullmatch(part):
                draft.skip(0, part, UNKNOWN_SECTION)
            if isinstance(cards, str) and section == "main":
                _add_list(draft, cards, pool)
                continue
            for entry in _entries(cards):
                _add(draft, section, entry, pool, out)
        elif isinstance(cards, str | int | float):
            draft.comments.append(f"{key}: {cards}")
    return draft


def _add_list(draft: Draft, text: str, pool: CardPool) -> None:
    """Read a text that is a list of its own, with its own headings."""
    for each in read_text(Source(text.replace("\r", "")), pool)[:1]:
        for section, names in each.sections.items():
            for name, count in names.items():
                draft.add(section, name, count, 0, name)
        draft.unread += [unread._replace(line=0) for unread in each.unread]


def _outside(deck: dict[str, Any]) -> frozenset[str]:
    """Give the categories of Archidekt that are marked as no part of the deck, in small letters."""
    categories = (each for each in _as_list(deck.get("categories")) if isinstance(each, dict))
    return frozenset(str(each.get("name")).casefold() for each in categories if each.get("includedInDeck") is False)


def _entries(cards: object) -> Iterator[Any]:
    """Give the cards of a section: a list, a text with a card a line, a mapping from names to numbers or to facts."""
    if isinstance(cards, dict) and not _is_card(cards):
        for name, facts in cards.items():
            inside = facts if isinstance(facts, dict) else {"count": facts}
            yield inside if _name_in(inside) else {"name": name, **inside}
    elif isinstance(cards, str):
        yield from (line for line in cards.splitlines() if line.strip())
    elif cards is not None:
        yield from cards if isinstance(cards, list) else [cards]


def _is_card(facts: dict[str, Any]) -> bool:
    """Say whether a mapping is a card itself; else it maps names to numbers or to facts."""
    return any(key in _NAMES and isinstance(value, str) for key, value in _items(facts))


def _name_in(entry: object, depth: int = 0) -> str:
    """Give the name of a card: its own, or that of the card inside; empty if there is none."""
    own = [value for key, value in _items(entry) if key in _NAMES and isinstance(value, str) and value.strip()]
    inner = [value for key, value in _items(entry) if key in _INSIDE and depth < _DEEPEST]
    return next(iter(own), "") or next((name for each in inner if (name := _name_in(each, depth + 1))), "")


def _own_section(entry: dict[str, Any], out: frozenset[str]) -> str:
    """Give the section that a card names itself: by its categories, its board, or a mark such as isCommander."""
    facts = dict(_items(entry))
    categories = [
        name + ("{noDeck}" if name.casefold() in out else "")
        for each in _as_list(facts.get("categories"))
        if (name := each if isinstance(each, str) else _name_in(each))
    ]
    placed = next((facts[key] for key in _PLACES if isinstance(facts.get(key), str)), "")
    mark = next((key for key in _MARKS if str(facts.get(key)).casefold() == "true"), "")
    return _SECTIONS.get(mark.removeprefix("is")) or _section(placed) or section_of_categories(categories)


def _add(draft: Draft, section: str, entry: object, pool: CardPool, out: frozenset[str]) -> None:
    """Read one card: a line of text, or a mapping with a name and a number."""
    if isinstance(entry, dict) and entry.get("raw_text") == "":
        return  # an empty line of the editor of Scryfall
    text = entry if isinstance(entry, str) else json.dumps(entry, ensure_ascii=False, default=str)[:120]
    line = _line(entry, pool)
    if isinstance(line, str):
        draft.skip(0, text, line)
        return
    own = _own_section(entry, out) if isinstance(entry, dict) and section == "main" else ""
    draft.add("tokens" if line.token else own or section, line.name, 1 if line.count is None else line.count, 0, text)


def _line(entry: object, pool: CardPool) -> Line | str:
    """Give the card of an entry, or why there is none."""
    if isinstance(entry, str):
        line = read_line(entry, pool)
        return line if line.name else "there is no name"
    name = _name_in(entry)
    facts = dict(_items(entry))
    if not name and isinstance(facts.get("rawtext"), str):
        return _line(facts["rawtext"], pool)
    number = next((facts[key] for key in _COUNTS if key in facts), 1)
    if isinstance(number, str) and (digits := re.fullmatch(r"(\d{1,9})\s*[xX×]?", number.strip())):
        number = int(digits[1])
    if not name:
        return "there is no name"
    if isinstance(number, int | float) and not isinstance(number, bool) and number == number // 1:
        return named(name, pool, int(number))
    return f"{number!r} is no number of cards"
