"""The program played by several trials in step, in the part of Python that `translation` makes into machine code.

What `kernel` does for one trial is done here for LANES trials at once, the numbers of each in a lane of its own. Where
single cards matter, and in the few trials whose words or cards on the bottom need more care, `kernel` plays: a trial is
the same either way.
"""

from __future__ import annotations

from rulekit.probability.desk import (
    ABREAST,
    AMOUNTS,
    APARTS,
    AXES,
    CARDS,
    CELL,
    CELLS,
    CHANCES,
    CLASSES,
    DECK,
    DESK,
    DRAWN,
    FIELD,
    FIELDS,
    FIRSTS,
    FULL,
    HAPPENS,
    HELD,
    KEEPS,
    LATE,
    LEFTS,
    LIBRARIES,
    LIBRARY,
    LOCAL,
    LOSING,
    LOSSES,
    LOST,
    MARKS,
    ONES,
    POOL,
    PRODUCT,
    QUIET,
    REGISTER,
    REGISTERS,
    ROWS,
    SEEN,
    SIDE_BY_SIDE,
    START,
    STREAMS,
    SUMS,
    TAIL,
    TAILS,
    TALLIES,
    TALLY,
    TALLY_WEIGHTS,
    TERMS,
    TOP,
    WAITS,
    WEIGHTS,
)  # fmt: skip
from rulekit.probability.integers import (
    LANES,
    WORD,
    Lanes,
    Memory,
    lane,
    lane_numbers,
    lanes_at,
    largest,
    less,
    put_lanes,
    some,
    spread,
)
from rulekit.probability.kernel import (
    ADD,
    ALWAYS,
    CHECK,
    COIN,
    DEAL,
    GAIN,
    JUMP,
    MARK,
    MOVE,
    MULLIGAN,
    PASS,
    SKIP,
    UNTIL,
    WHEN,
    clear,
    play_trial,
    row_at,
)  # fmt: skip
from rulekit.probability.packed import AT_ONCE, COLUMNS, GROUP
from rulekit.probability.taking import open_hand
from rulekit.probability.words import GOLD, mix, stream

LOWER = (1 << 32) - 1
NEVER_AGAIN = 1 << 62


def part(word: int, bound: int) -> tuple[int, int]:
    """Return the place below a bound, itself below 2**32, that a word stands for, and what is left of the word."""
    upper, lower = (word >> 32) * (bound & LOWER), (word & LOWER) * (bound & LOWER)
    return upper + (lower >> 32) >> 32, (upper << 32) + lower & WORD


def free_bits(p: Memory) -> int:
    """Return a word with the uppermost bit of each field."""
    return p[ONES] << p[FIELD] - 1 & WORD


def classes_from(p: Memory, pool: int, place: int) -> int:
    """Return 1 in each field from that of the class of the card at a place of a pool on.

    In the pool the uppermost bit of each field is set: it stays so where the field holds more than the place.
    """
    return (pool - (place + 1) * p[ONES] & WORD) >> p[FIELD] - 1 & p[ONES]


def largest_product(p: Memory, count: int) -> int:
    """Return the largest product of bounds for so many cards: a word of which as much is left is fair."""
    return p[p[PRODUCT] + count * (p[CARDS] + 1) - 1]


def words_of(p: Memory) -> int:
    """Count the words of a pool."""
    return p[DECK] - p[POOL]


def pool_at(p: Memory, number: int) -> int:
    """Return where the lanes of a word of the pools lie."""
    return p[SIDE_BY_SIDE] + LANES * number


def taken_at(p: Memory, number: int) -> int:
    """Return where the lanes of a word lie that counts how many cards a row took of classes up to each."""
    return p[SIDE_BY_SIDE] + LANES * (words_of(p) + number)


def register_at(p: Memory, number: int) -> int:
    """Return where the lanes of a register lie."""
    return p[SIDE_BY_SIDE] + LANES * (2 * words_of(p) + number)


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
    total = number * p[table + last]
    for word in range(words_of(p)):
        fields = lanes_at(d, taken_at(p, word))
        for field in range(min(p[FIELDS], last - k)):
            change = p[table + k] - p[table + k + 1]
            if change and most == 1:
                total += change if fields >> field * p[FIELD] & 1 else 0
            elif change:
                total += (fields >> field * p[FIELD] & mask) * change
            k += 1
    return total


def take_none(p: Memory, d: Memory) -> None:
    """Begin to count the cards that a row takes."""
    for word in range(words_of(p)):
        put_lanes(d, taken_at(p, word), spread(0))


def place_of_none(p: Memory) -> int:
    """Return the place at which no pool has a card."""
    return (1 << p[FIELD] - 1) - 1


def take_places(p: Memory, d: Memory, count: int) -> None:
    """Take the cards at so many places, one after the other."""
    for word in range(words_of(p)):
        pool, taken = lanes_at(d, pool_at(p, word)), lanes_at(d, taken_at(p, word))
        for k in range(count):
            more = classes_from(p, pool, lanes_at(d, DRAWN + LANES * k))
            pool -= more
            taken += more
        put_lanes(d, pool_at(p, word), pool)
        put_lanes(d, taken_at(p, word), taken)


def deal_abreast(p: Memory, d: Memory, number: Lanes, most: int) -> None:
    """Take cards in an unknown order.

    Args:
        p: The program.
        d: The desk.
        number: Number of cards, no more than there are.
        most: The largest of these numbers.
    """
    left, s, apart, done = lanes_at(d, LEFTS), lanes_at(d, STREAMS), lanes_at(d, APARTS), 0
    take_none(p, d)
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
        put_lanes(d, taken_at(p, word), lanes_at(d, taken_at(p, word)) + more)
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
    take_none(p, d)
    goes = 1 if number < most and total < goal else 0
    while some(goes):
        s = s + GOLD & WORD if goes else s
        began, word, bound = goes, mix(s), left - number
        for _ in range(GROUP):
            place, word = part(word, bound)
            total += take_one(p, d, table, place if goes else place_of_none(p)) + goes * last
            number += goes
            goes = 1 if number < most and total < goal else 0
            bound = max(bound - 1, 1)
        apart = 1 if began and less(word, largest_product(p, GROUP)) else apart
    put_lanes(d, LEFTS, left - number)
    put_lanes(d, STREAMS, s)
    put_lanes(d, APARTS, apart)
    return number, total


def put_on_pile(p: Memory, d: Memory, pile: int, number: Lanes, most: int) -> None:
    """Let the cards that a row took to one pile change what is counted; see `sum_of`."""
    table = pile * p[CLASSES]
    put_lanes(d, CELLS, lanes_at(d, CELLS) + sum_of(p, d, p[WEIGHTS] + table, number, most))
    if p[FULL]:
        put_lanes(d, TALLIES, lanes_at(d, TALLIES) + sum_of(p, d, p[TALLY_WEIGHTS] + table, number, most))


def library_abreast(d: Memory) -> Lanes:
    """Count the cards in the library."""
    return lanes_at(d, LIBRARIES) + lanes_at(d, TAILS)


def total_abreast(p: Memory, d: Memory, which: int) -> Lanes:
    """Read a sum of values."""
    at = p[SUMS] + 6 * which
    total = (lanes_at(d, CELLS) >> p[at] & p[at + 1]) + (lanes_at(d, TALLIES) >> p[at + 2] & p[at + 3])
    for k in range(p[at + 4], p[at + 5]):
        term = p[TERMS] + 3 * k
        if p[term] == LIBRARY:
            total += library_abreast(d)
        elif p[term] == LOST:
            total += lanes_at(d, LOSSES)
        elif p[term] == REGISTER:
            total += lanes_at(d, register_at(p, p[term + 1]))
    return total


def number_abreast(p: Memory, d: Memory, row: int) -> Lanes:
    """Work out the number of a row."""
    number = spread(p[row + 1])
    if p[row + 2] >= 0:
        at = p[AMOUNTS] + 6 * p[row + 2]
        number = total_abreast(p, d, p[at]) * p[at + 1]
        if p[at + 3]:
            number += p[at + 2] - 1
        if p[at + 2] > 1:
            number = number // p[at + 2]
        number *= p[at + 4]
        number = max(number + p[at + 5] if number >= 1 else number, 0)
    return number


def toss_abreast(p: Memory, d: Memory, row: int, here: Lanes) -> None:
    """Toss the coins of a row."""
    chance = p[CHANCES] + 4 * p[row + 4]
    s = lanes_at(d, STREAMS) + GOLD & WORD
    word = mix(s)
    put_lanes(d, STREAMS, s if here else lanes_at(d, STREAMS))
    put_lanes(d, HAPPENS, 1 if less(word, p[chance + 2]) else p[chance + 3])
    unfair = 1 if here and less(word * p[chance + 1] & WORD, p[chance + 1]) else 0
    put_lanes(d, APARTS, lanes_at(d, APARTS) | unfair)


def lose(p: Memory, d: Memory, row: int, number: Lanes) -> None:
    """Let games be lost in which a draw wants more cards than there are."""
    short = 1 if number > library_abreast(d) else 0
    if some(short):
        cell, lost, waits = lanes_at(d, CELLS), lanes_at(d, LOSSES), lanes_at(d, WAITS)
        put_lanes(d, CELLS, cell + p[LOSING] if short and not lost else cell)
        put_lanes(d, LOSSES, lost | short)
        if p[row + 5] == AT_ONCE:
            put_lanes(d, WAITS, row_at(p, p[row + 9]) if short else waits)


def skip_abreast(p: Memory, d: Memory, row: int, number: Lanes) -> None:
    """Move cards that nobody looks at: unknown ones, then known ones on the bottom."""
    library, tail = lanes_at(d, LIBRARIES), lanes_at(d, TAILS)
    number = min(number, library + tail)
    put_lanes(d, CELLS, lanes_at(d, CELLS) + number * p[row + 7])
    if p[FULL]:
        put_lanes(d, TALLIES, lanes_at(d, TALLIES) + number * p[row + 8])
    put_lanes(d, LIBRARIES, library - min(number, library))
    put_lanes(d, TAILS, tail - max(number - library, 0))


def move_abreast(p: Memory, d: Memory, row: int, number: Lanes) -> None:
    """Move a number of cards to one pile; where known ones come among them, the trial is left to `kernel`."""
    library = lanes_at(d, LIBRARIES)
    beneath = 1 if min(number, library + lanes_at(d, TAILS)) > library else 0
    put_lanes(d, APARTS, lanes_at(d, APARTS) | beneath)
    number = min(number, library)
    most = largest(number)
    if most:
        deal_abreast(p, d, number, most)
        put_lanes(d, LIBRARIES, library - number)
        put_on_pile(p, d, p[row + 3], number, most)


def look_for(p: Memory, d: Memory, row: int, goal: Lanes) -> None:
    """Move cards to one pile up to a sum; where known ones come among them, the trial is left to `kernel`."""
    library = lanes_at(d, LIBRARIES)
    table = p[LOCAL] + p[row + 6] * p[CLASSES]
    number, total = find_abreast(p, d, table, goal, min(library, p[row + 5]))
    beneath = 1 if lanes_at(d, TAILS) and library < p[row + 5] and total < goal else 0
    put_lanes(d, APARTS, lanes_at(d, APARTS) | beneath)
    put_lanes(d, LIBRARIES, library - number)
    put_on_pile(p, d, p[row + 3], number, p[CARDS])


def add_abreast(p: Memory, d: Memory, row: int, number: Lanes) -> None:
    """Add to a register, which does not go below 0."""
    at = register_at(p, p[row + 3])
    number = max(number, -lanes_at(d, at))
    put_lanes(d, at, lanes_at(d, at) + number)
    put_lanes(d, CELLS, lanes_at(d, CELLS) + number * p[row + 7])


def open_hands(p: Memory, d: Memory, row: int) -> None:
    """Carry out a mulligan: hands that are kept at once in step, the others one by one."""
    table, size, s = p[LOCAL] + p[row + 6] * p[CLASSES], min(p[row + 1], p[TOP] - p[START]), lanes_at(d, STREAMS)
    deal_abreast(p, d, spread(size), size)
    total, again = sum_of(p, d, table, spread(size), size), spread(0)
    if p[row + 5]:
        for k in range(p[row + 8], p[row + 9]):
            at = p[KEEPS] + 4 * k
            held = total >> p[at] & p[at + 1]
            again = 1 if held < p[at + 2] or held > p[at + 3] else again
    put_on_pile(p, d, p[row + 3], spread(size), size)
    if some(again):
        for k in range(LANES):
            if lane(again, k):
                open_again(p, d, row, k, lane(s, k))
    put_lanes(d, LIBRARIES, lanes_at(d, LEFTS))


def open_again(p: Memory, d: Memory, row: int, k: int, s: int) -> None:
    """Carry out a mulligan in one lane."""
    clear(p, d)
    end = DESK + p[TOP]
    pos, d[CELLS + k], d[STREAMS + k] = open_hand(p, d, row, DESK + p[START], end, p[CELL], s)
    for word in range(words_of(p)):
        d[pool_at(p, word) + k] = d[p[HELD] + word] | free_bits(p)
    d[LEFTS + k] = end - pos
    d[TAILS + k] = d[TAIL]
    d[TALLIES + k] = d[TALLY]


def decide_abreast(p: Memory, d: Memory, row: int, here: Lanes) -> None:
    """Let trials go on elsewhere behind a row that decides that."""
    code, goes = p[row], here
    if code == WHEN:
        total = total_abreast(p, d, p[row + 6])
        goes = 1 if here and (total < p[row + 7] or total > p[row + 8]) else 0
    elif code == COIN:
        goes = 1 if here and not lanes_at(d, HAPPENS) else 0
    elif code == CHECK:
        goes = here & lanes_at(d, LOSSES)
    following = row_at(p, p[row + 9] if code == CHECK else p[row + 5])
    put_lanes(d, WAITS, following if goes else lanes_at(d, WAITS))


def mark_firsts(p: Memory, d: Memory, turn: int, near: Lanes) -> None:
    """Write down the turn for the axes of a first turn that hold now and did not before."""
    at = p[FIRSTS]
    for k in range((p[LATE] - p[FIRSTS]) // 6):
        total = library_abreast(d)
        if p[at + 5] == LOST:
            total = lanes_at(d, LOSSES)
        elif p[at + 5] != LIBRARY:
            total = total_abreast(p, d, p[at])
        waiting, cell = lanes_at(d, AXES), lanes_at(d, CELLS)
        now = 1 if near and waiting >> k & 1 and p[at + 1] <= total and total <= p[at + 2] else 0
        put_lanes(d, AXES, waiting - (now << k))
        put_lanes(d, CELLS, cell - (p[at + 4] - turn << p[at + 3]) if now else cell)
        at += 6


def mark_abreast(p: Memory, d: Memory, row: int, out: Memory, place: int, here: Lanes) -> int:
    """Record the state as that of a turn, and of all later ones where the game is lost; return where to go on."""
    near = 1 if here and lanes_at(d, AXES) and library_abreast(d) <= p[QUIET] else 0
    if some(near):
        mark_firsts(p, d, p[row + 3], near)
    shown, at, away = lanes_at(d, CELLS), place * p[MARKS] + p[row + 1], 1 - here
    for late in range(p[LATE], p[PRODUCT], 3):
        shown += min(total_abreast(p, d, p[late]), p[late + 1]) << p[late + 2]
    if p[row + 1] >= 0 and not some(away):
        for k in range(LANES):
            out[at + k * p[MARKS]] = lane(shown, k)
    elif p[row + 1] >= 0:
        for k in range(LANES):
            if lane(here, k):
                out[at + k * p[MARKS]] = lane(shown, k)
    over = here & lanes_at(d, LOSSES)
    if some(over):
        return end_abreast(p, d, row, out, place, over, shown)
    return row + COLUMNS


def end_abreast(p: Memory, d: Memory, row: int, out: Memory, place: int, over: Lanes, shown: Lanes) -> int:
    """Let trials be over whose game is lost; return where to go on, which is the end if none is left."""
    for k in range(LANES):
        if lane(over, k):
            for at in range((place + k) * p[MARKS] + p[row + 5], (place + k + 1) * p[MARKS]):
                out[at] = lane(shown, k)
    waits = NEVER_AGAIN if over else lanes_at(d, WAITS)
    put_lanes(d, WAITS, waits)
    left = 1 if waits < NEVER_AGAIN else 0
    return row + COLUMNS if some(left) else p[AMOUNTS]


def carry_out_abreast(p: Memory, d: Memory, row: int, here: Lanes) -> None:
    """Carry out a row of any kind but a mark."""
    code, number = p[row], number_abreast(p, d, row)
    if p[row + 4] != ALWAYS:
        if p[row + 4] >= 0:
            toss_abreast(p, d, row, here)
        number *= lanes_at(d, HAPPENS)
    number = number if here else 0
    if code <= MOVE and p[row + 5]:
        lose(p, d, row, number)
    if code in (PASS, SKIP):
        skip_abreast(p, d, row, number)
    elif code in (DEAL, MOVE):
        move_abreast(p, d, row, number)
    elif code in (GAIN, ADD):
        add_abreast(p, d, row, number)
    elif code == UNTIL:
        look_for(p, d, row, number)
    elif code == MULLIGAN:
        open_hands(p, d, row)
    elif code in (COIN, WHEN, JUMP, CHECK):
        decide_abreast(p, d, row, here)


def lay_out_abreast(p: Memory, d: Memory, s: Lanes) -> None:
    """Lay out the libraries of trials whose random streams are at a state, and empty their lanes."""
    for at in range(CELLS, DESK, LANES):
        put_lanes(d, at, spread(0))
    for word in range(words_of(p)):
        put_lanes(d, pool_at(p, word), spread(p[p[POOL] + word] | free_bits(p)))
    for number in range(p[SEEN] - p[REGISTERS]):
        put_lanes(d, register_at(p, number), spread(0))
    put_lanes(d, CELLS, spread(p[CELL]))
    put_lanes(d, LEFTS, spread(p[TOP] - p[START]))
    put_lanes(d, LIBRARIES, spread(p[TOP] - p[START]))
    put_lanes(d, STREAMS, s)
    put_lanes(d, AXES, spread((1 << (p[LATE] - p[FIRSTS]) // 6) - 1))


def play_abreast(p: Memory, d: Memory, out: Memory, place: int, s: Lanes) -> Lanes:
    """Play trials in step.

    Args:
        p: The program.
        d: The desk.
        out: Array (trials, turns) for the numbers of the cells.
        place: Number of the first trial among those in `out`.
        s: The states of the random streams at the start.

    Returns:
        Which trials are left to `kernel`.
    """
    lay_out_abreast(p, d, s)
    row = p[ROWS]
    while row < p[AMOUNTS]:
        here = 1 if lanes_at(d, WAITS) <= row else 0
        if p[row] == MARK:
            row = mark_abreast(p, d, row, out, place, here)
        else:
            carry_out_abreast(p, d, row, here)
            row += COLUMNS
    return lanes_at(d, APARTS)


def play(p: Memory, d: Memory, out: Memory, trials: int, first: int, key: int) -> None:
    """Play trials.

    Args:
        p: The program.
        d: The desk.
        out: Array (trials, turns) that is filled with the numbers of the cells.
        trials: Number of trials.
        first: Number of the first trial.
        key: Key of the seed.
    """
    place = 0
    while p[ABREAST] and place + LANES <= trials:
        apart = play_abreast(p, d, out, place, stream(key, first + place + lane_numbers()))
        if some(apart):
            for k in range(LANES):
                if lane(apart, k):
                    play_trial(p, d, out, place + k, stream(key, first + place + k))
        place += LANES
    while place < trials:
        play_trial(p, d, out, place, stream(key, first + place))
        place += 1


# What is better not made part of what calls it.
APART = (play_trial, open_hands, open_again, look_for, mark_firsts, end_abreast, total_abreast, lose)
