"""Read a deck list of any program and say what is in it, and what was not read.

FILE is an export of Arena, Magic Online, Moxfield, Archidekt, Cockatrice, Forge, XMage and others, or - for a list on
standard input. Names are looked up in the cards that ship with the kit, or in a file of card data (--pool).
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from pathlib import Path
from typing import Any

from rulekit.cards.deck import Deck, DeckWarning
from rulekit.cards.deck_source import MOST_BYTES
from rulekit.cards.deck_write import FORMATS
from rulekit.cards.pool import CardPool
from rulekit.rules import shown

EXAMPLES = """\
  rulekit deck mill.txt
  rulekit deck commander.cod --pool oracle-cards.json.gz
  rulekit deck mill.dek --write arena > mill-arena.txt
  pbpaste | rulekit deck -
"""
STATUS: dict[int, str] = {1: "a line was not understood"}
WIDEST_BAR = 40
MOST_NAMES = 12


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the list, the card data, and what to print."""
    parser.add_argument("file", metavar="FILE", help="the deck list, or - for standard input")
    parser.add_argument("--pool", type=Path, metavar="CARDS", help="a file of card data of Scryfall or MTGJSON")
    parser.add_argument("--list", action="store_true", help="print every card too")
    parser.add_argument("--write", choices=FORMATS, help="print the deck as such a list and nothing else")
    parser.add_argument("--json", action="store_true", help="print one JSON object: decks, each with its sections")


def run(options: argparse.Namespace) -> int:
    """Print what was read; the status is 1 if a line was not."""
    pool = CardPool.read(options.pool) | CardPool.catalogue() if options.pool else CardPool.catalogue()
    source: Path | bytes = sys.stdin.buffer.read(MOST_BYTES + 1) if options.file == "-" else Path(options.file)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeckWarning)  # what it says is printed below
        decks = Deck.read_all(source, pool)
    if options.json:
        print(json.dumps({"decks": [as_data(deck) for deck in decks]}, ensure_ascii=False, indent=1))
    elif options.write:
        print("\n".join(deck.write(options.write) for deck in decks), end="")
    else:
        print("\n\n".join("\n".join(page(deck, pool, whole=options.list)) for deck in decks))
    return int(any(deck.unread for deck in decks))


def as_data(deck: Deck) -> dict[str, Any]:
    """Return a deck as plain data: its name, its sections, unknown names, and lines that were not read."""
    return {
        "name": deck.name,
        "form": deck.form,
        **{section: dict(deck.section(section)) for section in deck.sections},
        "unknown": list(deck.unknown),
        "unread": [each._asdict() for each in deck.unread],
    }


def page(deck: Deck, pool: CardPool, *, whole: bool) -> list[str]:
    """Return what is printed of a deck.

    Args:
        deck: The deck.
        pool: Where its names were looked up.
        whole: Whether every card is listed.
    """
    sections = [f"{section} {sum(deck.section(section).values())}" for section in deck.sections]
    lines = [shown(deck.name) or "a deck without a name", f"read as: {deck.form}", f"cards: {', '.join(sections)}"]
    if whole:
        lines += ["", *str(deck).splitlines()[1:]]
    lines += _bars("types", deck.counts("type"))
    lines += _bars("mana values without lands", _without_gaps(deck.counts("mana value")))
    lines += _bars("colors", deck.counts("color"))
    if deck.unknown:
        names = [shown(name) for name in deck.unknown[:MOST_NAMES]]
        more = len(deck.unknown) - len(names)
        lines += ["", f"not in {pool.source or 'the card data'}, counted as written ({len(deck.unknown)}):"]
        lines += [f"  {name}" for name in names] + ([f"  and {more} more"] if more else [])
    if deck.unread:
        lines += ["", f"not read ({len(deck.unread)}):"]
        lines += [f"  {f'line {line}: ' if line else ''}{shown(text)}: {reason}" for line, text, reason in deck.unread]
    return lines


def _without_gaps(counts: dict[Any, int]) -> dict[Any, int]:
    """Return mana values with those between that no card has."""
    values = [value for value in counts if isinstance(value, int)]
    curve: dict[Any, int] = {value: counts.get(value, 0) for value in range(max(values, default=-1) + 1)}
    return curve | {key: count for key, count in counts.items() if not isinstance(key, int)}


def _bars(title: str, counts: dict[Any, int]) -> list[str]:
    """Return counts as lines with bars."""
    if not counts:
        return []
    wide = max(len(str(key)) for key in counts)
    unit = max(1.0, max(counts.values()) / WIDEST_BAR)
    rows = [f"  {key!s:>{wide}} {count:>4} {'█' * round(count / unit)}".rstrip() for key, count in counts.items()]
    return ["", title, *rows]
