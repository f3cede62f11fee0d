"""The cards in an unknown order, counted by class, in the part of Python that `translation` makes into machine code.

`p` is the program, `d` the desk, see `desk`; the first word of the pool is handed about, since it is used so often.
"""

from __future__ import annotations

from rulekit.probability.desk import (
    DECK,
    FIELD,
    FIELDS,
    HELD,
    ONES,
    POOL,
    REGISTERS,
)
from rulekit.probability.integers import WORD, Memory, bits_in, high


def lay_out_pool(p: Memory, d: Memory) -> None:
    """Put all cards in an unknown order into the pool."""
    for i in range(p[DECK] - p[POOL]):
        d[p[HELD] + i] = p[p[POOL] + i]


def put_into_pool(p: Memory, d: Memory, card: int) -> None:
    """Put a card among those in an unknown order."""
    for at in range(p[HELD], p[REGISTERS]):
        before = max(card, 0) * p[FIELD]
        if card < p[FIELDS]:
            d[at] += p[ONES] >> before << before
        card -= p[FIELDS]


def classes_from(p: Memory, word: int, place: int) -> int:
    """Return 1 in each field of a word of the pool from that of the class of the card at a place on.

    All fields are compared with the place at once: where a number of cards is larger than the place, the uppermost bit
    of its field, which is 1, stays so (Lamport, Multiple Byte Processing with Full-Word Instructions, 1975).
    """
    return (word - (place + 1) * p[ONES] & WORD) >> p[FIELD] - 1 & p[ONES]


def take_from(p: Memory, word: int, place: int) -> tuple[int, int]:
    """Take the card at a place from one word of the pool, if it is of one of its classes.

    Returns:
        What is left of the word, and for how many of its fields the card is of a later class.
    """
    more = classes_from(p, word, place)
    return word - more, p[FIELDS] - bits_in(more)


def take_at(p: Memory, d: Memory, pool: int, place: int) -> tuple[int, int]:
    """Take the card at a place of the pool; return the first word of the pool, and the card."""
    pool, card = take_from(p, pool, place)
    for at in range(p[HELD] + 1, p[REGISTERS]):
        d[at], later = take_from(p, d[at], place)
        card += later
    return pool, card


def pick(p: Memory, d: Memory, pool: int, left: int, word: int) -> tuple[int, int, int]:
    """Take one of the `left` cards of the pool; return its first word, the card, and what is left of the word."""
    pool, card = take_at(p, d, pool, high(word, left))
    return pool, card, word * left & WORD
