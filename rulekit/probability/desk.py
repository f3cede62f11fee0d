"""Where the numbers of a trial lie, and what can be read off them."""

from __future__ import annotations

import numpy as np

from rulekit.probability.integers import LANES, Memory, bits_in
from rulekit.probability.packed import GROUP, Arrays, Term

PLACES = 8
LIBRARY, REGISTER, LOST = int(Term.LIBRARY), int(Term.REGISTER), int(Term.LOST)

# Two arrays hold all numbers. `p` is the program: first one number for each field of `Arrays`, which is the field
# itself or the place in `p` where that array begins, then the arrays. `d` is the desk that a trial writes on: first
# the numbers that seldom change (how many cards are known on top, beginning and end of those known on the bottom, end
# of the deck, the tally, whether the game was lost, the axes of a first turn that still wait), then the deck, then
# what REGISTERS and the following numbers in `p` point to. What changes all the time is handed about: `pos`, where the
# deck begins; `top`, which lies as far behind it as there are cards above those known on the bottom; `cell`, the
# number of the cell; `s`, the random stream.
#
# Cards of the deck between `pos` and `d[BEYOND]` behind those known on top are in an unknown order. A card that moves
# unseen leaves `top` one less and the deck as it is: which of its cards have moved nobody knows, so the next one that
# somebody looks at may be any of them. Before other cards come among them, `settle` decides which ones have moved.
# Nothing says which cards these are one by one: the pool, in `d` from `p[HELD]` up to `p[REGISTERS]`, counts how many
# of them are of a class up to each, in fields of words. Its r-th card is the r-th in the order of the classes.
#
# Of trials that are played in step (see `abreast`) the desk holds, from CELLS on and before the deck, the numbers of
# all lanes one behind the other: the number of the cell, the cards in the pool, the cards in the library above those
# known on the bottom, how many of these are gone and how many are left, the random stream, the tally, whether the game
# was lost, before which row a trial does nothing, whether the latest coin came up, the axes that still wait, whether
# `kernel` plays the trial, and places of the pool. The words of the pools, what they were before a row, the known cards
# on the bottom, the registers and the features of the piles lie at `p[SIDE_BY_SIDE]`.
ABOVE, HEAD, TAIL, BEYOND, TALLY, LOSS, WAITING, TRIALS = range(8)
(
    CELLS, LEFTS, LIBRARIES, HEADS, TAILS, STREAMS, TALLIES, LOSSES, WAITS, HAPPENS, AXES, APARTS, DRAWN,
) = range(8, 8 + 13 * LANES, LANES)  # fmt: skip
DESK = DRAWN + GROUP * LANES
(
    START, KNOWN, TOP, BELOW, CELL, LOSING, FULL, LOOKS, ABREAST, BACK, CLASSES, CARDS, MARKS, QUIET, FIELD, FIELDS,
    ONES, POOL, DECK, BOTTOM, WEIGHTS, TALLY_WEIGHTS, REGISTER_WEIGHTS, FEATURE_SETS, LOCAL, ROWS, AMOUNTS, SUMS, TERMS,
    MASKS, CHANCES, KEEPS, SURPLUS, SENDS, FIRSTS, LATE, PRODUCT, LIMIT, HELD, REGISTERS, SEEN, FILLED, RING, STORED,
    TAKEN, SENT, KEPT, SIDE_BY_SIDE, RING_MASK,
) = range(len(Arrays._fields) + 11)  # fmt: skip


def layout(arrays: Arrays) -> tuple[list[int], int]:
    """Lay out a program for these functions.

    Returns:
        The array `p`, unsigned where `arrays` is, and the length of the array `d`.
    """
    listed = PLACES if arrays.full else 0
    stored = PLACES * arrays.cards if arrays.back else 0
    words, registers = len(arrays.pool), len(arrays.register_weights)
    sizes = [len(arrays.deck), words, registers, listed, listed, len(arrays.bottom), stored]
    sizes += [arrays.cards] * 3 + [LANES * (2 * words + len(arrays.bottom) + registers + listed)]
    ends = [DESK + end for end in np.cumsum(sizes).tolist()]
    head: list[int] = []
    body: list[int] = []
    for field in arrays:
        head.append(field if isinstance(field, int) else len(Arrays._fields) + len(ends) + len(body))
        body += [] if isinstance(field, int) else field.ravel().tolist()
    return [*head, *ends[:-1], len(arrays.bottom) - 1, *body], ends[-1]


def library_of(d: Memory, pos: int, top: int) -> int:
    """Count the cards in the library."""
    return top - pos + d[TAIL] - d[HEAD]


def features_seen(p: Memory, d: Memory, piles: int, mask: int) -> int:
    """Count the features of a mask among the cards in a set of piles."""
    found = 0
    for pile in range(PLACES):
        if piles >> pile & 1:
            found |= d[p[SEEN] + pile]
    found &= mask
    return bits_in(found)


def total_of(p: Memory, d: Memory, which: int, cell: int, library: int) -> int:
    """Read a sum of values."""
    at = p[SUMS] + 6 * which
    total = (cell >> p[at] & p[at + 1]) + (d[TALLY] >> p[at + 2] & p[at + 3])
    for k in range(p[at + 4], p[at + 5]):
        term = p[TERMS] + 3 * k
        if p[term] == LIBRARY:
            total += library
        elif p[term] == LOST:
            total += d[LOSS]
        elif p[term] == REGISTER:
            total += d[p[REGISTERS] + p[term + 1]]
        else:
            total += features_seen(p, d, p[term + 1], p[p[MASKS] + p[term + 2]])
    return total


def number_of(p: Memory, d: Memory, row: int, cell: int, library: int) -> int:
    """Work out the number of a row."""
    if p[row + 2] < 0:
        return p[row + 1]
    at = p[AMOUNTS] + 6 * p[row + 2]
    total = total_of(p, d, p[at], cell, library) * p[at + 1]
    if p[at + 3]:
        total += p[at + 2] - 1
    total = total // p[at + 2] * p[at + 4]
    if total >= 1:
        total += p[at + 5]
    return max(total, 0)
