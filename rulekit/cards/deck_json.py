"""Deck lists in JSON: deck files of MTGJSON, and others that keep sections of cards with their numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from rulekit.cards.deck_draft import SECTION_WORDS, Draft
from rulekit.cards.deck_names import named
from rulekit.cards.deck_source import Source
from rulekit.cards.pool import CardPool

_COUNTS = ("count", "quantity", "qty", "amount", "number")
_PART_NAMES = {"scheme": "schemes", "planar": "planes"}


def is_json(source: Source) -> bool:
    """Say whether a text can be JSON; a list that begins with a heading in square brackets is none."""
    start = source.text.lstrip()[:200]
    return start[:1] == "{" or (start[:1] == "[" and start[1:].lstrip()[:1] in ("{", "[", '"'))


def read_json(source: Source, pool: CardPool) -> list[Draft]:
    """Read a deck, a list of decks, or a mapping with a deck under `data`.

    Args:
        source: The JSON.
        pool: Where names are looked up.

    Returns:
        One draft for each deck.

    Raises:
        BadData: It is no JSON, or no part of it is a section of a deck.
    """
    try:
        data = json.loads(source.text)
    except json.JSONDecodeError as error:
        raise source.bad(f"this is not JSON: {error.msg}.", error.lineno) from None
    except RecursionError:
        raise source.bad("this JSON is nested too deeply for a deck.") from None
    except ValueError:
        raise source.bad("a number in this JSON has thousands of digits.") from None
    if isinstance(data, dict) and isinstance(data.get("data"), dict | list):
        data = data["data"]
    if isinstance(data, dict) and all(type(count) is int for count in data.values()) and any(map(pool.name_of, data)):
        data = {"main": data}
    decks = [_flat(deck) for deck in (data if isinstance(data, list) else [data]) if isinstance(deck, dict)]
    drafts = [_draft(deck, pool) for deck in decks if any(_section(key) for key in deck)]
    if not drafts:
        raise source.bad(
            "this JSON is no deck.",
            instead="May stand here: mainBoard, sideBoard, commander, each with a list of cards with count and name.",
        )
    return drafts


def _flat(deck: dict[str, Any]) -> dict[str, Any]:
    """Give a deck whose sections stand under `boards`, as Moxfield keeps them, with its sections beside its name."""
    boards = deck.get("boards")
    if not isinstance(boards, dict):
        return deck
    inner = {
        key: board["cards"] if isinstance(board, dict) and "cards" in board else board for key, board in boards.items()
    }
    return {**{key: value for key, value in deck.items() if key != "boards"}, **inner}


def _section(key: str) -> str:
    """Give the section that a key means: mainBoard, sideboard, commanders."""
    word = key.casefold()
    return SECTION_WORDS.get(word) or _PART_NAMES.get(word.removesuffix("deck"), "")


def _draft(deck: dict[str, Any], pool: CardPool) -> Draft:
    """Read one deck."""
    draft = Draft("JSON", str(deck.get("name") or ""))
    for key, cards in deck.items():
        section = _section(key)
        if section:
            for entry in _entries(cards):
                _add(draft, section, entry, pool)
        elif isinstance(cards, str | int | float):
            draft.comments.append(f"{key}: {cards}")
    return draft


def _entries(cards: object) -> Iterator[Any]:
    """Give the cards of a section: a list, or a mapping from names to numbers or to facts."""
    if isinstance(cards, dict):
        for name, facts in cards.items():
            inside = facts if isinstance(facts, dict) else {"count": facts}
            yield inside if isinstance(inside.get("card"), dict) else {"name": name, **inside}
    else:
        yield from cards if isinstance(cards, list) else [cards]


def _add(draft: Draft, section: str, entry: object, pool: CardPool) -> None:
    """Read one card: a name alone, or a mapping with a name and a number."""
    facts = entry if isinstance(entry, dict) else {"name": entry}
    card = facts.get("card")
    name = facts.get("name") or (card.get("name") if isinstance(card, dict) else None)
    number = next((facts[key] for key in _COUNTS if key in facts), 1)
    if isinstance(number, str) and re.fullmatch(r"\d{1,9}", number.strip()):
        number = int(number)
    text = json.dumps(entry, ensure_ascii=False, default=str)[:120]
    if not isinstance(name, str) or not name.strip():
        draft.skip(0, text, "there is no name")
    elif isinstance(number, bool) or not (
        isinstance(number, int) or (isinstance(number, float) and number.is_integer())
    ):
        draft.skip(0, text, f"{number!r} is no number of cards")
    else:
        line = named(name, pool)
        draft.add("tokens" if line.token else section, line.name, int(number), 0, text)
