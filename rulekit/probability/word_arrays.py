"""The random numbers of many trials side by side: `words` with an array in place of each number."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.native import WORD
from rulekit.probability.packed import Words
from rulekit.probability.words import GOLD, MIX_1, MIX_2

U = np.uint64
HALF, LOWER = U(32), U(0xFFFFFFFF)


def mix(z: Words) -> Words:
    """Mix the bits of words."""
    z = (z ^ (z >> U(30))) * U(MIX_1)
    z = (z ^ (z >> U(27))) * U(MIX_2)
    return z ^ (z >> U(31))


def high(words: Words, bounds: Any) -> Words:
    """Return the upper 64 bits of products of words and bounds below 2**32."""
    upper: Words = (words >> HALF) * bounds
    low = (words & LOWER) * bounds
    low >>= HALF
    upper += low
    upper >>= HALF
    return upper


def redrawn(s: Words, words: Words, product: Any, limit: Any) -> tuple[Words, Words]:
    """Step on where a word would make some places likelier than others."""
    bad = words * product < limit
    while bad.any():
        s[bad] += U(GOLD)
        words[bad] = mix(s[bad])
        bad = words * product < limit
    return s, words


def below(s: Words, bounds: Any) -> tuple[Words, Words]:
    """Draw numbers below bounds: one bound, or one for each."""
    s = s + U(GOLD)
    words = mix(s)
    if (words * bounds < bounds).any():
        s, words = redrawn(s, words, bounds, (U(0) - bounds) % bounds)
    return s, high(words, bounds)


def chance_of(numerator: int, denominator: int) -> tuple[int, int, int]:
    """Return the first word with which a coin fails, what a word is multiplied by, and the least product that will do.

    A place below the numerator among so many as the denominator is the same as a word below the first of these numbers.
    """
    return -(-(numerator << 64) // denominator), denominator, (1 << 64) % denominator


def tossed_at(s: Words, end: int, bound: int, limit: int) -> tuple[Words, NDArray[np.bool_]]:
    """Toss coins of a chance, see `chance_of`: the same numbers as `below`, compared with the numerator."""
    s = s + U(GOLD)
    words = mix(s)
    if limit:
        s, words = redrawn(s, words, U(bound), U(limit))
    return s, np.ones(len(s), bool) if end > WORD else words < U(end)
