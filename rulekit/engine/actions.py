"""What a player with priority can do, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Action:
    """Something that a player with priority does.

    Attributes:
        kind: "pass", "cast", "activate", "play", "suspend" or "companion".
        number: The card or permanent, or None for "pass".
        ability: For "activate", "suspend" and "companion": which of all its abilities, counted from 0.
        way: For "cast" and "activate": the alternative cost or permission, "" for the printed cost.
        face: For "cast" and "play": which face or half, counted from 0.
    """

    kind: str
    number: int | None = None
    ability: int | None = None
    way: str = ""
    face: int = 0
