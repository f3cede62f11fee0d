"""A program as arrays of integers: what the kernel, its NumPy twin and the dealing of a trial read alike.

A trial ends each wanted turn in one cell of the table. The number of the cell holds all axes side by side, each in
bits of its own. Most axes are sums over moved cards, so a card that moves changes the number by a weight that depends
on its class and its pile alone: `weights`. What rows must know to decide is kept the same way in a second number, the
tally.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.program import Program
from rulekit.probability.rows import Row

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

CELL_BITS = 62
TO_TOP = 254
TO_BOTTOM = 255
NEVER = 255
NO_LIMIT = 1 << 40
SAME = -2
GROUP = 6
COLUMNS = 12
AT_ONCE, LATER = 1, 2
PLAIN, ALONE = 1, 2


class Code(IntEnum):
    """Name what a packed row does; the columns that each reads are listed at `_Packer`."""

    PASS = 0
    DEAL = 1
    GAIN = 2
    SKIP = 3
    MOVE = 4
    UNTIL = 5
    MULLIGAN = 6
    LOOK = 7
    COIN = 8
    WHEN = 9
    JUMP = 10
    SHUFFLE = 11
    ADD = 12
    MARK = 13
    CHECK = 14


LOOKING = (Code.DEAL, Code.MOVE, Code.UNTIL, Code.MULLIGAN, Code.LOOK, Code.SHUFFLE)


class Term(IntEnum):
    """Name what a term of a sum reads, apart from the sums over moved cards."""

    LIBRARY = 0
    FEATURES = 1
    REGISTER = 2
    LOST = 3


class Arrays(NamedTuple):
    """Hold what a trial reads: numbers, and arrays of int64 unless something else is said.

    Attributes:
        start: Place in `deck` of the first card; as many places before it are free.
        known: Place in `deck` of the first card in an unknown order.
        top: Place in `deck` behind the last card in an unknown order.
        below: Number of cards on the known bottom.
        cell: Number of the cell before the first row.
        losing: What losing adds to it.
        full: 1 if moved cards change more than the number of the cell, else 0.
        looks: 1 if some row looks at cards, else 0: then it is never laid out which ones they are.
        abreast: 1 if no row makes it matter which card is which, so that trials can be played in step; see `abreast`.
        back: Bit p: pile p is shuffled back by some row, so that its cards must be remembered.
        classes: Number of classes.
        cards: Number of cards, at least 1.
        marks: Number of turns that are recorded.
        quiet: Largest library in which an axis of a first turn could come to hold.
        field: Number of bits for each number in `pool`.
        fields: Number of such fields in a word.
        ones: A word with 1 in each of them.
        pool: uint64 array: how many of the cards in an unknown order are of a class up to each, in fields of words; the
            uppermost bit of each is 1, the fields left over are as of the last class.
        deck: uint8 array: class of each card, the known top first, without the known bottom.
        bottom: uint8 array, its length a power of 2: the known bottom in order, then free places.
        weights: Array (piles * classes): what a card of a class that goes to a pile adds to the number of the cell.
        tally_weights: The same for the tally.
        register_weights: Array (registers): what 1 added to a register adds to the number of the cell.
        features: uint64 array (classes): the features of a card.
        local: Array (tables * classes): what a card adds to the sum that one `Until` or `Mulligan` makes for itself;
            the first table is all 0.
        rows: Array (rows, COLUMNS), see `packing.Writer`.
        amounts: Array (amounts, 6): sum, numerator, denominator, 1 to round up, factor, plus.
        sums: Array (sums, 6): shift and mask in the number of the cell, the same in the tally, first and last + 1 term.
        terms: Array (terms, 3): `Term`, set of piles or register, place of the mask of features.
        masks: uint64 array (masks): the masks of features; the first is 0.
        chances: uint64 array (chances, 4): numerator, denominator; the first word too large for the coin to come up,
            and 1 if there is none.
        keeps: Array (conditions, 4): shift, mask, low, high.
        surplus: Array (rules, 3): shift, mask, above.
        sends: uint8 array (tables * classes): a pile, TO_TOP or TO_BOTTOM; or the rank of a class in a pick, or NEVER.
        firsts: Array (axes of a first turn, 6): sum, low, high, shift, the number that means not yet, and the `Term`
            that is all of the sum, or -1.
        late: Array (axes that are read at a mark, 3): sum, highest number, shift.
        product: uint64 array (GROUP * (cards + 1)): for each number of cards that a word is for, from 1 on, and each
            number of cards left, the product of the bounds.
        limit: uint64 array (GROUP * (cards + 1)): 2**64 modulo that product.
    """

    start: int
    known: int
    top: int
    below: int
    cell: int
    losing: int
    full: int
    looks: int
    abreast: int
    back: int
    classes: int
    cards: int
    marks: int
    quiet: int
    field: int
    fields: int
    ones: int
    pool: Words
    deck: NDArray[np.integer[Any]]
    bottom: NDArray[np.integer[Any]]
    weights: Numbers
    tally_weights: Numbers
    register_weights: Numbers
    features: Words
    local: Numbers
    rows: Numbers
    amounts: Numbers
    sums: Numbers
    terms: Numbers
    masks: Words
    chances: Words
    keeps: Numbers
    surplus: Numbers
    sends: NDArray[np.uint8]
    firsts: Numbers
    late: Numbers
    product: Words
    limit: Words


@dataclass(frozen=True)
class Packed:
    """Hold a program, what is recorded of it, and its arrays.

    Attributes:
        program: The program.
        turns: The turns that are recorded.
        shifts: For each axis, the lowest of its bits in the number of a cell.
        widths: For each axis, its number of bits.
        sources: For each row of the arrays, the row of the program that it comes from.
        places: For each row of the arrays, the place of that row, or of the one around it, among the outermost rows.
        arrays: What a trial reads.
    """

    program: Program
    turns: tuple[int, ...]
    shifts: tuple[int, ...]
    widths: tuple[int, ...]
    sources: tuple[Row, ...]
    places: tuple[int, ...]
    arrays: Arrays

    @property
    def bits(self) -> int:
        """Number of bits in the number of a cell."""
        return sum(self.widths)


def pool_fields(cards: int) -> tuple[int, int, int]:
    """Say how numbers of cards lie side by side in words.

    Args:
        cards: Most cards.

    Returns:
        The number of bits for each, which leaves its uppermost bit free, how many there are in a word, and a word with
        a 1 in each.
    """
    field = 8 if cards < 1 << 7 else 16
    return field, 64 // field, sum(1 << field * k for k in range(64 // field))


def pool_words(sizes: list[int], cards: int) -> Words:
    """Count the cards of classes up to each, side by side, with the uppermost bit of each field set.

    Args:
        sizes: Number of cards of each class.
        cards: Most cards, see `pool_fields`.
    """
    field, each, _ = pool_fields(cards)
    upto = [sum(sizes[: k + 1]) for k in range(max(1, -(-(len(sizes) - 1) // each)) * each)]
    free = 1 << field - 1
    words = [sum((free | upto[at + k]) << field * k for k in range(each)) for at in range(0, len(upto), each)]
    return np.array(words, np.uint64)


def group_limits(cards: int) -> tuple[Words, Words]:
    """Give the tables by which one random word serves for up to GROUP exactly uniform places.

    Args:
        cards: Most cards left.

    Returns:
        uint64 arrays (GROUP * (cards + 1)): for each number m of places, from 1 on, and each number n of cards left the
        product of n, n - 1, ... (m of them, none below 1), and 2**64 modulo it: a word whose product with it is below
        that remainder, modulo 2**64, is thrown away.
    """
    product = np.ones((GROUP, cards + 1), np.uint64)
    for left in range(1, cards + 1):
        product[:, left] = np.cumprod([max(1, left - i) for i in range(GROUP)], dtype=np.uint64)
    return product.ravel(), np.array([(1 << 64) % whole for whole in product.ravel().tolist()], np.uint64)
