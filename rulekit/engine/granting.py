"""What an ability means that an object grants to another by the granting object's own name (201.5)."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from rulekit.engine.abilities import Ability, Term, word
from rulekit.engine.frame import Frame

GRANTER = "⌂"  # stands for a card's own name inside an ability that it grants


@word("objects", GRANTER, op="granter", rule="201.5")
def granter(frame: Frame, number: int | None = None) -> tuple[int, ...]:
    """Mean the object that granted the ability, which its own name means there (201.5)."""
    now = None if number is None else frame.current(number)
    return () if now is None else (now,)


@lru_cache(maxsize=4096)
def of_granter(ability: Ability, number: int) -> Ability:
    """Return an ability as a certain object grants it."""

    def bound(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(bound(part) for part in value)
        if isinstance(value, Term):
            return Term("granter", (number,)) if value.op == "granter" else Term(value.op, bound(value.args))
        return value

    parts = {name: bound(getattr(ability, name)) for name in ("cost", "event", "condition", "effect")}
    same = all(getattr(ability, name) == part for name, part in parts.items())
    return ability if same else replace(ability, **parts)
