"""Whole numbers that people give: of Python or of NumPy, but no truths."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from rulekit.rules import BadData


def is_whole(value: Any) -> bool:
    """Tell whether something is a whole number."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def whole_number(key: str, value: Any, low: int, high: int) -> int:
    """Return a whole number that lies between two others, or is one of them.

    Args:
        key: What it is for, by which an error names it.
        value: What was given.
        low: The least number.
        high: The greatest number.

    Raises:
        BadData: It is something else, or lies elsewhere.
    """
    if not is_whole(value) or not low <= int(value) <= high:
        raise BadData(f"{value!r} stands where a whole number from {low} to {high:,} must stand.", key=key)
    return int(value)
