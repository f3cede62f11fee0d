"""A Game: a position and how it was reached, as a value; deciding gives a new one, undoing an earlier one."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Action:
    """Something that a player with priority does.

    Attributes:
        kind: "pass", "cast", "activate" or "play".
        number: The card or permanent, or None for "pass".
        ability: For "activate": which of its abilities, counted from 0 over all abilities that it has.
        way: For "cast": the alternative cost or permission, "" for its mana cost.
        face: For "cast" and "play": which face or half, counted from 0.
        words: What a player would call it; not part of its identity.
    """

    kind: str
    number: int | None = None
    ability: int | None = None
    way: str = ""
    face: int = 0
