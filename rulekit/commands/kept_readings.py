"""What the reader made of card texts, kept in the user's cache folder by text and by the state of the reader."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from rulekit import cards as card_room
from rulekit import engine
from rulekit.cards import kept
from rulekit.cards.card import Card
from rulekit.engine.text import CardReading, Sentence, read_card

FILE = "readings"
Rows = dict[str, list[list[str]]]  # what a card says: its sentences, each with the first phrase that was not read


def readings_of(cards: Iterable[Card]) -> list[CardReading]:
    """Read cards, those only that this reader has not read before.

    Args:
        cards: The cards; how far it is shows in what yields them.

    Returns:
        For each its sentences, without its abilities.
    """
    known = _load()
    found: Rows = {}
    readings = []
    for card in cards:
        key = _key(card)
        rows = found[key] if key in found else known.get(key)
        if rows is None:
            rows = [[sentence.text, sentence.unread] for sentence in read_card(card).sentences]
        found[key] = rows
        readings.append(CardReading(card.full_name, (), tuple(Sentence(text, unread) for text, unread in rows)))
    if not found.keys() <= known.keys():
        _save(known | found)
    return readings


@cache
def version() -> str:
    """Return the state of the reader: other words or another engine read a text anew."""
    digest = hashlib.blake2b(digest_size=16)
    for folder in (*engine.__path__, *card_room.__path__):  # what is a subtype is said beside the cards
        for file in sorted(Path(folder).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _key(card: Card) -> str:
    """Return what the reading of a card depends on, as a short text."""
    faces = [[face.name, str(face.types), face.text, str(face.cost)] for face in (card, *card.faces)]
    text = json.dumps([card.layout, faces])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _load() -> Rows:
    """Return what is kept, nothing if it is of another reader or damaged."""
    try:
        made_by, rows = json.loads(kept.read(FILE) or b"")
        whole = all(isinstance(part, str) for row in rows.values() for pair in row for part in pair)
        return rows if made_by == version() and whole and all(len(p) == 2 for row in rows.values() for p in row) else {}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return {}


def _save(rows: Rows) -> None:
    kept.write(FILE, json.dumps([version(), rows], ensure_ascii=True).encode())
