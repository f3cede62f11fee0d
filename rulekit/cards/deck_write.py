"""Deck lists as Arena, Magic Online and people write them."""

from __future__ import annotations

from collections.abc import Mapping

FORMATS = ("arena", "mtgo", "plain")
"""The kinds of lists that can be written."""

_HEADINGS = {
    "commander": "Commander",
    "companion": "Companion",
    "main": "Deck",
    "sideboard": "Sideboard",
    "maybeboard": "Maybeboard",
    "tokens": "Tokens",
    "schemes": "Scheme Deck",
    "planes": "Planar Deck",
    "vanguard": "Vanguard",
    "attractions": "Attractions",
    "contraptions": "Contraptions",
    "conspiracies": "Conspiracies",
    "display": "Display Commander",
    "dungeons": "Dungeons",
    "stickers": "Stickers",
}


def written(form: str, sections: Mapping[str, Mapping[str, int]], short: Mapping[str, str], name: str) -> str:
    """Write a deck.

    Args:
        form: One of FORMATS.
        sections: Section to names to numbers.
        short: Full names to the names that the program uses for them.
        name: Name of the deck, empty if it has none.

    Returns:
        The list, ending with a line feed. Arena has a heading over every section; Magic Online and plain lists begin
        with the deck itself and have headings over the other sections.
    """
    filled = [(section, sections[section]) for section in _HEADINGS if sections.get(section)]
    if form != "arena":
        filled.sort(key=lambda each: each[0] != "main")
    parts = [f"About\nName {name}\n"] if form == "arena" and name and filled else []
    for section, cards in filled:
        head = "" if form != "arena" and section == "main" else f"{_HEADINGS[section]}\n"
        parts.append(head + "".join(f"{count} {short.get(each, each)}\n" for each, count in cards.items()))
    return "\n".join(parts)
