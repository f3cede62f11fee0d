"""The words that functions of integers may use beside Python's own; `translation` says what else may stand in them."""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TypeAlias

Memory: TypeAlias = MutableSequence[int]
Lanes: TypeAlias = int
WORD = (1 << 64) - 1
LANES = 16
"""How many numbers lie side by side where a parameter is annotated `Lanes`; in Python it is one."""


def high(a: int, b: int) -> int:
    """Return the upper 64 bits of the product of two numbers from 0 to 2**64 - 1."""
    return a * b >> 64


def less(a: int, b: int) -> bool:
    """Tell whether a is less than b, both from 0 to 2**64 - 1."""
    return a < b


def bits_in(word: int) -> int:
    """Count the bits of a word that are 1."""
    return word.bit_count()


def note(memory: Memory, *what: int) -> None:
    """Tell a memory that listens what happens; machine code leaves this out."""
    listen = getattr(memory, "listen", None)
    if listen is not None:
        listen(*what)


def spread(number: int) -> Lanes:
    """Put the same number into all lanes."""
    return number


def lane_numbers() -> Lanes:
    """Return the numbers of the lanes, from 0 on."""
    return 0


def lane(numbers: Lanes, _which: int) -> int:
    """Return the number of one lane."""
    return numbers


def with_lane(_numbers: Lanes, _which: int, number: int) -> Lanes:
    """Put a number into one lane."""
    return number


def some(numbers: Lanes) -> bool:
    """Tell whether the number of some lane is not 0."""
    return numbers != 0


def largest(numbers: Lanes) -> int:
    """Return the largest number of all lanes."""
    return numbers


def lanes_at(memory: Memory, at: int) -> Lanes:
    """Read the numbers of all lanes, one behind the other."""
    return memory[at]


def put_lanes(memory: Memory, at: int, numbers: Lanes) -> None:
    """Write the numbers of all lanes, one behind the other."""
    memory[at] = numbers
