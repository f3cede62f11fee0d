"""Cards taken in several trials at once, in the part of Python that `translation` makes into machine code.

It is to `abreast` what `taking` is to `kernel`: `p` is the program, `d` the desk, `row` where the row begins in `p`.
"""

from __future__ import annotations

from rulekit.probability.desk import (
    APARTS,
    CARDS,
    CELL,
    CELLS,
    CHANCES,
    CLASSES,
    DECK,
    DESK,
    DRAWN,
    FEATURE_SETS,
    FIELD,
    FIELDS,
    FULL,
    HEADS,
    HELD,
    KEEPS,
    LEFTS,
    LIBRARIES,
    LOCAL,
    MASKS,
    PLACES,
    POOL,
    PRODUCT,
    REGISTERS,
    RING,
    RING_MASK,
    SEEN,
    SIDE_BY_SIDE,
    START,
    STREAMS,
    TAIL,
    TAILS,
    TALLIES,
    TALLY,
    TALLY_WEIGHTS,
    TOP,
    WEIGHTS,
)  # fmt: skip
from rulekit.probability.integers import (
    LANES,
    WORD,
    Lanes,
    Memory,
    lane,
    lanes_at,
    largest,
    less,
    put_lanes,
    some,
    spread,
)
from rulekit.probability.kernel import (
    UNTIL,
    clear,
)  # fmt: skip
from rulekit.probability.packed import GROUP
from rulekit.probability.pool import classes_from
from rulekit.probability.taking import ENDLESS, open_hand
from rulekit.probability.words import GOLD, mix

LOWER = (1 << 32) - 1


def part(word: int, bound: int) -> tuple[int, int]:
    """Return the place below a bound, itself below 2**32, that a word stands for, and what is left of the word."""
    upper, lower = (word >> 32) * (bound & LOWER), (word & LOWER) * (bound & LOWER)
    return upper + (lower >> 32) >> 32, (upper << 32) + lower & WORD


def largest_product(p: Memory, count: int) -> int:
    """Return the largest product of bounds for so many cards: a word of which as much is left is fair."""
    return p[p[PRODUCT] + count * (p[CARDS] + 1) - 1]


def words_of(p: Memory) -> int:
    """Count the words of a pool."""
    return p[DECK] - p[POOL]


def has_features(p: Memory) -> bool:
    """Tell whether features of cards are asked for."""
    return p[CHANCES] - p[MASKS] > 1


def pool_at(p: Memory, number: int) -> int:
    """Return where the lanes of a word of the pools lie."""
    return p[SIDE_BY_SIDE] + LANES * number


def before_at(p: Memory, number: int) -> int:
    """Return where the lanes lie of what a word of the pools was before a row took cards."""
    return p[SIDE_BY_SIDE] + LANES * (words_of(p) + number)


def bottom_at(p: Memory, number: int) -> int:
    """Return where the lanes of a known card on the bottom lie."""
    return p[SIDE_BY_SIDE] + LANES * (2 * words_of(p) + number)


def register_at(p: Memory, number: int) -> int:
    """Return where the lanes of a register lie."""
    return p[SIDE_BY_SIDE] + LANES * (2 * words_of(p) + p[RING_MASK] + 1 + number)


def seen_at(p: Memory, pile: int) -> int:
    """Return where the lanes lie that hold the features of all cards of a pile."""
    return register_at(p, p[SEEN] - p[REGISTERS] + pile)


def sum_of(p: Memory, d: Memory, table: int, number: Lanes, most: int) -> Lanes:
    """Sum up over the cards that a row took what a table says of each class.

    Args:
        p: The program.
        d: The desk.
        table: Where the table begins.
        number: Number of cards.
        most: The largest of these numbers.
    """
    last, mask, k = p[CLASSES] - 1, (1 << p[FIELD]) - 1, 0
    # A card counts in the field of its class and in all later ones: what it has more than the next class goes by field.
    total = number * p[table + last]
    for word in range(words_of(p)):
        fields = lanes_at(d, before_at(p, word)) - lanes_at(d, pool_at(p, word))
        for field in range(min(p[FIELDS], last - k)):
            change = p[table + k] - p[table + k + 1]
            if change and most == 1:
                total += change if fields >> field * p[FIELD] & 1 else 0
            elif change:
                total += (fields >> field * p[FIELD] & mask) * change
            k += 1
    return total


def remember_pools(p: Memory, d: Memory) -> None:
    """Keep what the pools are before a row takes cards."""
    for word in range(words_of(p)):
        put_lanes(d, before_at(p, word), lanes_at(d, pool_at(p, word)))


def place_of_none(p: Memory) -> int:
    """Return the place at which no pool has a card."""
    return (1 << p[FIELD] - 1) - 1


def take_places(p: Memory, d: Memory, count: int) -> None:
    """Take the cards at so many places, one after the other."""
    for word in range(words_of(p)):
        pool = lanes_at(d, pool_at(p, word))
        for k in range(count):
            pool -= classes_from(p, pool, lanes_at(d, DRAWN + LANES * k))
        put_lanes(d, pool_at(p, word), pool)


def deal_abreast(p: Memory, d: Memory, number: Lanes, most: int) -> None:
    """Take cards in an unknown order.

    Args:
        p: The program.
        d: The desk.
        number: Number of cards, no more than there are.
        most: The largest of these numbers.
    """
    left, s, apart, done = lanes_at(d, LEFTS), lanes_at(d, STREAMS), lanes_at(d, APARTS), 0
    remember_pools(p, d)
    while done < most:
        s = s + GOLD & WORD if number > done else s
        word, bound, count = mix(s), left - done, min(GROUP, most - done)
        for k in range(count):
            place, rest = part(word, bound)
            put_lanes(d, DRAWN + LANES * k, place if number > done + k else place_of_none(p))
            word = rest if number > done + k else word
            bound -= 1
        apart = 1 if number > done and less(word, largest_product(p, count)) else apart
        take_places(p, d, count)
        done += GROUP
    put_lanes(d, LEFTS, left - number)
    put_lanes(d, STREAMS, s)
    put_lanes(d, APARTS, apart)


def take_one(p: Memory, d: Memory, table: int, place: Lanes) -> Lanes:
    """Take the card at a place; return by how much it adds more to a sum than a card of the last class."""
    total, k, last = spread(0), 0, p[CLASSES] - 1
    for word in range(words_of(p)):
        pool = lanes_at(d, pool_at(p, word))
        more = classes_from(p, pool, place)
        put_lanes(d, pool_at(p, word), pool - more)
        for field in range(min(p[FIELDS], last - k)):
            change = p[table + k] - p[table + k + 1]
            if change:
                total += change if more >> field * p[FIELD] & 1 else 0
            k += 1
    return total


def find_abreast(p: Memory, d: Memory, table: int, goal: Lanes, most: Lanes) -> tuple[Lanes, Lanes]:
    """Take cards in an unknown order until there are `most` or their sum in a local table reaches a goal.

    Returns:
        The number of the cards, and their sum.
    """
    number, total, last = spread(0), spread(0), p[table + p[CLASSES] - 1]
    left, s, apart = lanes_at(d, LEFTS), lanes_at(d, STREAMS), lanes_at(d, APARTS)
    remember_pools(p, d)
    goes = 1 if number < most and total < goal else 0
    while some(goes):
        s = s + GOLD & WORD if goes else s
        began, word, bound = goes, mix(s), left - number
        for _ in range(GROUP):
            place, word = part(word, bound)
            if some(goes):
                total += take_one(p, d, table, place if goes else place_of_none(p)) + goes * last
                number += goes
                goes = 1 if number < most and total < goal else 0
            bound = max(bound - 1, 1)
        apart = 1 if began and less(word, largest_product(p, GROUP)) else apart
    put_lanes(d, LEFTS, left - number)
    put_lanes(d, STREAMS, s)
    put_lanes(d, APARTS, apart)
    return number, total


def put_on_piles(p: Memory, d: Memory, row: int, number: Lanes, most: int) -> None:
    """Let the cards that a row took change what is counted; see `sum_of`."""
    if p[row] == UNTIL and p[row + 7] != p[row + 8]:
        put_on_two_piles(p, d, row, number)
    else:
        put_on_one_pile(p, d, p[row + 3], number, most)
    if has_features(p):
        collect_features(p, d, row, number)


def put_on_one_pile(p: Memory, d: Memory, pile: int, number: Lanes, most: int) -> None:
    """Let the cards that a row took to one pile change what is counted; see `sum_of`."""
    table = pile * p[CLASSES]
    put_lanes(d, CELLS, lanes_at(d, CELLS) + sum_of(p, d, p[WEIGHTS] + table, number, most))
    if p[FULL]:
        put_lanes(d, TALLIES, lanes_at(d, TALLIES) + sum_of(p, d, p[TALLY_WEIGHTS] + table, number, most))


def put_on_two_piles(p: Memory, d: Memory, row: int, number: Lanes) -> None:
    """Let the cards that an `Until` took to its two piles change what is counted."""
    last, mask, k = p[CLASSES] - 1, (1 << p[FIELD]) - 1, 0
    cell, tally = number * weight_at(p, row, p[WEIGHTS], last), number * weight_at(p, row, p[TALLY_WEIGHTS], last)
    for word in range(words_of(p)):
        fields = lanes_at(d, before_at(p, word)) - lanes_at(d, pool_at(p, word))
        for field in range(min(p[FIELDS], last - k)):
            upto = fields >> field * p[FIELD] & mask
            cell += upto * (weight_at(p, row, p[WEIGHTS], k) - weight_at(p, row, p[WEIGHTS], k + 1))
            tally += upto * (weight_at(p, row, p[TALLY_WEIGHTS], k) - weight_at(p, row, p[TALLY_WEIGHTS], k + 1))
            k += 1
    put_lanes(d, CELLS, lanes_at(d, CELLS) + cell)
    put_lanes(d, TALLIES, lanes_at(d, TALLIES) + tally)


def pile_of(p: Memory, row: int, card: int) -> int:
    """Return to which pile a card goes that a row takes: for an `Until` by whether it is one of those looked for."""
    pile = p[row + 3]
    if p[row] == UNTIL:
        pile = p[row + 7] if p[p[LOCAL] + p[row + 6] * p[CLASSES] + card] > 0 else p[row + 8]
    return pile


def weight_at(p: Memory, row: int, weights: int, card: int) -> int:
    """Return what a card adds that a row takes."""
    return p[weights + pile_of(p, row, card) * p[CLASSES] + card]


def collect_features(p: Memory, d: Memory, row: int, number: Lanes) -> None:
    """Add the features of the cards that a row took to those of their piles."""
    last, mask, k, before = p[CLASSES] - 1, (1 << p[FIELD]) - 1, 0, spread(0)
    for word in range(words_of(p)):
        fields = lanes_at(d, before_at(p, word)) - lanes_at(d, pool_at(p, word))
        for field in range(min(p[FIELDS], p[CLASSES] - k)):
            upto = number
            if k < last:
                upto = fields >> field * p[FIELD] & mask
            at = seen_at(p, pile_of(p, row, k))
            put_lanes(d, at, lanes_at(d, at) | (p[p[FEATURE_SETS] + k] if upto > before else 0))
            before = upto
            k += 1


def skip_abreast(p: Memory, d: Memory, row: int, number: Lanes) -> None:
    """Move cards that nobody looks at: unknown ones, then known ones on the bottom."""
    library = lanes_at(d, LIBRARIES)
    if some(1 if number > library else 0):
        number = min(number, library + lanes_at(d, TAILS))
        beneath = max(number - library, 0)
        put_lanes(d, TAILS, lanes_at(d, TAILS) - beneath)
        put_lanes(d, HEADS, lanes_at(d, HEADS) + beneath)
    put_lanes(d, LIBRARIES, max(library - number, 0))
    put_lanes(d, CELLS, lanes_at(d, CELLS) + number * p[row + 7])
    if p[FULL]:
        put_lanes(d, TALLIES, lanes_at(d, TALLIES) + number * p[row + 8])


def move_abreast(p: Memory, d: Memory, row: int, wanted: Lanes) -> None:
    """Move a number of cards to one pile."""
    library = lanes_at(d, LIBRARIES)
    number = min(wanted, library)
    most, beneath = largest(number), wanted - number if lanes_at(d, TAILS) else 0
    if most:
        deal_abreast(p, d, number, most)
        put_lanes(d, LIBRARIES, library - number)
        put_on_piles(p, d, row, number, most)
    if some(beneath):
        for k in range(LANES):
            take_beneath(p, d, row, k, p[LOCAL], lane(beneath, k), ENDLESS)


def look_for(p: Memory, d: Memory, row: int, goal: Lanes) -> None:
    """Move cards up to a sum."""
    library = lanes_at(d, LIBRARIES)
    table = p[LOCAL] + p[row + 6] * p[CLASSES]
    number, total = find_abreast(p, d, table, goal, min(library, p[row + 5]))
    put_lanes(d, LIBRARIES, library - number)
    put_on_piles(p, d, row, number, p[CARDS])
    beneath = p[row + 5] - number if lanes_at(d, TAILS) and total < goal else 0
    if some(beneath):
        for k in range(LANES):
            take_beneath(p, d, row, k, table, lane(beneath, k), lane(goal - total, k))


def take_beneath(p: Memory, d: Memory, row: int, k: int, table: int, most: int, goal: int) -> None:
    """Take known cards on the bottom in one lane until there are `most`, or their sum in a table reaches a goal."""
    while most > 0 and goal > 0 and d[TAILS + k] > 0:
        card = d[bottom_at(p, d[HEADS + k]) + k]
        d[HEADS + k] += 1
        d[TAILS + k] -= 1
        d[CELLS + k] += weight_at(p, row, p[WEIGHTS], card)
        d[TALLIES + k] += weight_at(p, row, p[TALLY_WEIGHTS], card)
        if has_features(p):
            d[seen_at(p, pile_of(p, row, card)) + k] |= p[p[FEATURE_SETS] + card]
        goal -= p[table + card]
        most -= 1


def open_hands(p: Memory, d: Memory, row: int) -> None:
    """Carry out a mulligan: hands that are kept at once in step, the others one by one."""
    table, size = p[LOCAL] + p[row + 6] * p[CLASSES], min(p[row + 1], p[TOP] - p[START])
    deal_abreast(p, d, spread(size), size)
    total, again = sum_of(p, d, table, spread(size), size), spread(0)
    if p[row + 5]:
        for k in range(p[row + 8], p[row + 9]):
            at = p[KEEPS] + 4 * k
            held = total >> p[at] & p[at + 1]
            again = 1 if held < p[at + 2] or held > p[at + 3] else again
    put_on_piles(p, d, row, spread(size), size)
    if some(again):
        for k in range(LANES):
            if lane(again, k):
                open_again(p, d, row, k)
    put_lanes(d, LIBRARIES, lanes_at(d, LEFTS))


def open_again(p: Memory, d: Memory, row: int, k: int) -> None:
    """Go on with a mulligan in one lane, whose first look is thrown back."""
    clear(p, d)
    end = DESK + p[TOP]
    pos, d[CELLS + k], d[STREAMS + k] = open_hand(p, d, row, 1, DESK + p[START], end, p[CELL], d[STREAMS + k])
    for word in range(words_of(p)):
        d[pool_at(p, word) + k] = d[p[HELD] + word]
    d[LEFTS + k] = end - pos
    d[TAILS + k] = d[TAIL]
    for number in range(d[TAIL]):
        d[bottom_at(p, number) + k] = d[p[RING] + number]
    d[TALLIES + k] = d[TALLY]
    if has_features(p):
        for pile in range(PLACES):
            d[seen_at(p, pile) + k] = d[p[SEEN] + pile]
