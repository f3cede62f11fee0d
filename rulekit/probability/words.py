"""The random numbers of a trial, in the part of Python that `translation` makes into machine code.

Word k of trial t is `mix(mix(key + t * ODD) + k * GOLD)`, a function of seed, trial and k alone; the mixing steps are
those of splitmix64. What a function hands on as the state of the random stream is the sum inside the outer `mix`.
"""

from __future__ import annotations

from rulekit.probability.integers import WORD, high, less

ODD = 0xD1342543DE82EF95
GOLD = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB


def mix(z: int) -> int:
    """Mix the bits of a word."""
    z = (z ^ z >> 30) * MIX_1 & WORD
    z = (z ^ z >> 27) * MIX_2 & WORD
    return z ^ z >> 31


def stream(key: int, trial: int) -> int:
    """Return the state of the random stream at the beginning of a trial."""
    return mix(key + trial * ODD & WORD)


def redraw(s: int, product: int, limit: int) -> int:
    """Step on while the word would make some places likelier than others, its product with the bounds being too small.

    Returns:
        The state of the random stream, whose word will do.
    """
    while less(mix(s) * product & WORD, limit):
        s = s + GOLD & WORD
    return s


def below(s: int, bound: int) -> tuple[int, int]:
    """Draw a number below a bound, each equally likely, with a word of its own.

    Returns:
        The state of the random stream, and the number.
    """
    s = s + GOLD & WORD
    word = mix(s)
    if less(word * bound & WORD, bound):
        s = redraw(s, bound, (WORD - bound + 1) % bound)
        word = mix(s)
    return s, high(word, bound)


def group(s: int, product: int, limit: int) -> tuple[int, int]:
    """Step to the next word that gives exactly uniform places for several cards.

    Args:
        s: The state of the random stream.
        product: Product of the numbers of places, below 2**64.
        limit: 2**64 modulo the product.

    Returns:
        The state of the random stream, and the word.
    """
    s = s + GOLD & WORD
    word = mix(s)
    while less(word * product & WORD, limit):
        s = s + GOLD & WORD
        word = mix(s)
    return s, word
