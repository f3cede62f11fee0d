"""The program played by several trials in step, in the part of Python that `translation` makes into machine code.

What `kernel` does for one trial is done here for LANES trials at once: a number of each trial in a lane of its own.
Rows that look at single cards, and the few trials whose words or bottom cards need more care, are left to `kernel`,
whose trials are the same.
"""

from __future__ import annotations

from rulekit.probability import kernel
from rulekit.probability.desk import (
    ABREAST,
    AMOUNTS,
    CARDS,
    CELL,
    CHANCES,
    CLASSES,
    DESK,
    FIELD,
    FIRSTS,
    FULL,
    HELD,
    KEEPS,
    LATE,
    LIBRARY,
    LOCAL,
    LOSING,
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
    SUMS,
    TAIL,
    TALLY,
    TALLY_WEIGHTS,
    TERMS,
    TOP,
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
    with_lane,
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
    count,
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


def cards_before(p: Memory, pool: int, place: int) -> int:
    """Return 1 in each field of the pool for whose classes and earlier ones there are more cards than a place.

    The uppermost bit of each field is set in the pool here.
    """
    return (pool - (place + 1) * p[ONES] & WORD) >> p[FIELD] - 1 & p[ONES]


def free_bits(p: Memory) -> int:
    """Return a word with the uppermost bit of each field."""
    return p[ONES] << p[FIELD] - 1 & WORD


def sum_of(p: Memory, table: int, fields: Lanes, number: Lanes, most: int) -> Lanes:
    """Sum up over so many cards, `most` or fewer, what a table says of each class.

    Args:
        p: The program.
        table: Where the table begins.
        fields: How many of the cards are of a class up to each.
        number: Number of cards.
        most: The largest of these numbers.
    """
    last, mask = p[CLASSES] - 1, (1 << p[FIELD]) - 1
    total = number * p[table + last]
    for k in range(last):
        change = p[table + k] - p[table + k + 1]
        if change and most == 1:
            total += change if fields >> k * p[FIELD] & 1 else 0
        elif change:
            total += (fields >> k * p[FIELD] & mask) * change
    return total


def read(p: Memory, at: Lanes) -> Lanes:
    """Read numbers at different places."""
    found = spread(0)
    for k in range(LANES):
        found = with_lane(found, k, p[lane(at, k)])
    return found


def is_fair(p: Memory, word: Lanes, left: Lanes) -> Lanes:
    """Tell which words surely make no place likelier than another, for GROUP cards out of `left`."""
    return 0 if less(word * read(p, p[PRODUCT] + max(left, 0)) & WORD, p[p[PRODUCT] + p[CARDS]]) else 1


def deal_abreast(
    p: Memory, number: Lanes, most: int, pool: Lanes, left: Lanes, s: Lanes, apart: Lanes
) -> tuple[Lanes, Lanes, Lanes, Lanes, Lanes]:
    """Take cards in an unknown order.

    Args:
        p: The program.
        number: Number of cards, no more than there are.
        most: The largest of these numbers.
        pool: The word of the pool, with its free bits set.
        left: Number of cards in it.
        s: The state of the random stream.
        apart: Which trials are left to `kernel`.

    Returns:
        How many of the cards are of a class up to each, in fields; the pool, the cards left in it, the state of the
        random stream, and which trials are left to `kernel`: those whose word might make some places likelier, too.
    """
    taken, done = spread(0), 0
    while done < most:
        s = s + GOLD & WORD if number > done else s
        word, bound = mix(s), left - done
        fair = is_fair(p, word, bound)
        apart = 1 if number > done and not fair else apart
        for k in range(done, min(done + GROUP, most)):
            place, word = part(word, bound)
            more = cards_before(p, pool, place) if number > k else 0
            pool -= more
            taken += more
            bound -= 1
        done += GROUP
    return taken, pool, left - number, s, apart


def find_abreast(
    p: Memory, table: int, goal: Lanes, most: Lanes, pool: Lanes, left: Lanes, s: Lanes, apart: Lanes
) -> tuple[Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes]:
    """Take cards in an unknown order until there are `most` or their sum in a local table reaches a goal.

    Returns:
        What `deal_abreast` does, behind the number of cards and their sum.
    """
    taken, number, total, last = spread(0), spread(0), spread(0), p[table + p[CLASSES] - 1]
    goes = 1 if number < most and total < goal else 0
    while some(goes):
        s = s + GOLD & WORD if goes else s
        word, bound = mix(s), left - number
        fair = is_fair(p, word, bound)
        apart = 1 if goes and not fair else apart
        for _ in range(GROUP):
            place, word = part(word, bound)
            more = cards_before(p, pool, place) if goes else 0
            pool -= more
            taken += more
            number += goes
            total += last if goes else 0
            for k in range(p[CLASSES] - 1):
                change = p[table + k] - p[table + k + 1]
                if change:
                    total += change if more >> k * p[FIELD] & 1 else 0
            goes = 1 if number < most and total < goal else 0
            bound -= 1
    return number, total, taken, pool, left - number, s, apart


def total_abreast(p: Memory, d: Memory, which: int, cell: Lanes, tally: Lanes, library: Lanes, lost: Lanes) -> Lanes:
    """Read a sum of values."""
    at = p[SUMS] + 6 * which
    total = (cell >> p[at] & p[at + 1]) + (tally >> p[at + 2] & p[at + 3])
    for k in range(p[at + 4], p[at + 5]):
        term = p[TERMS] + 3 * k
        if p[term] == LIBRARY:
            total += library
        elif p[term] == LOST:
            total += lost
        elif p[term] == REGISTER:
            total += lanes_at(d, p[SIDE_BY_SIDE] + LANES * p[term + 1])
    return total


def number_abreast(p: Memory, d: Memory, row: int, cell: Lanes, tally: Lanes, library: Lanes, lost: Lanes) -> Lanes:
    """Work out the number of a row."""
    number = spread(p[row + 1])
    if p[row + 2] >= 0:
        at = p[AMOUNTS] + 6 * p[row + 2]
        number = total_abreast(p, d, p[at], cell, tally, library, lost) * p[at + 1]
        if p[at + 3]:
            number += p[at + 2] - 1
        if p[at + 2] > 1:
            number = number // p[at + 2]
        number *= p[at + 4]
        number = max(number + p[at + 5] if number >= 1 else number, 0)
    return number


def open_hands(
    p: Memory, d: Memory, row: int, cell: Lanes, tally: Lanes, pool: Lanes, left: Lanes, tail: Lanes, s: Lanes,
    apart: Lanes,
) -> tuple[Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes]:  # fmt: skip
    """Carry out a mulligan: hands that are kept at once in step, the others one by one."""
    table, size, start = p[LOCAL] + p[row + 6] * p[CLASSES], min(p[row + 1], p[TOP] - p[START]), s
    taken, pool, left, s, apart = deal_abreast(p, spread(size), size, pool, left, s, apart)
    total, again = sum_of(p, table, taken, spread(size), size), spread(0)
    if p[row + 5]:
        for k in range(p[row + 8], p[row + 9]):
            at = p[KEEPS] + 4 * k
            held = total >> p[at] & p[at + 1]
            again = 1 if held < p[at + 2] or held > p[at + 3] else again
    cell += sum_of(p, p[WEIGHTS] + p[row + 3] * p[CLASSES], taken, spread(size), size)
    if p[FULL]:
        tally += sum_of(p, p[TALLY_WEIGHTS] + p[row + 3] * p[CLASSES], taken, spread(size), size)
    if some(again):
        for k in range(LANES):
            if lane(again, k):
                clear(p, d)
                end = DESK + p[TOP]
                pos, new, following = open_hand(p, d, row, DESK + p[START], end, p[CELL], lane(start, k))
                s, cell, tally = with_lane(s, k, following), with_lane(cell, k, new), with_lane(tally, k, d[TALLY])
                pool, left = with_lane(pool, k, d[p[HELD]] | free_bits(p)), with_lane(left, k, end - pos)
                tail = with_lane(tail, k, d[TAIL])
    return cell, tally, pool, left, tail, s, apart


def mark_firsts(
    p: Memory, d: Memory, turn: int, near: Lanes, waiting: Lanes, cell: Lanes, tally: Lanes, library: Lanes, lost: Lanes
) -> tuple[Lanes, Lanes]:
    """Write down the turn for the axes of a first turn that hold now and did not before.

    Returns:
        Which axes still wait, and the number of the cell.
    """
    at = p[FIRSTS]
    for k in range((p[LATE] - p[FIRSTS]) // 6):
        total = library
        if p[at + 5] == LOST:
            total = lost
        elif p[at + 5] != LIBRARY:
            total = total_abreast(p, d, p[at], cell, tally, library, lost)
        now = 1 if near and waiting >> k & 1 and p[at + 1] <= total and total <= p[at + 2] else 0
        waiting -= now << k
        cell -= p[at + 4] - turn << p[at + 3] if now else 0
        at += 6
    return waiting, cell


def record(p: Memory, out: Memory, place: int, row: int, here: Lanes, lost: Lanes, shown: Lanes) -> None:
    """Record the state as that of a turn, and of all later ones where the game is lost."""
    at, away = place * p[MARKS], 1 - here
    if p[row + 1] >= 0 and not some(away):
        for k in range(LANES):
            out[at + k * p[MARKS] + p[row + 1]] = lane(shown, k)
    elif p[row + 1] >= 0:
        for k in range(LANES):
            if lane(here, k):
                out[at + k * p[MARKS] + p[row + 1]] = lane(shown, k)
    if some(lost):
        for k in range(LANES):
            if lane(here, k) and lane(lost, k):
                for turn in range(p[row + 5], p[MARKS]):
                    out[at + k * p[MARKS] + turn] = lane(shown, k)


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
    cell, pool, left = spread(p[CELL]), spread(p[p[POOL]] | free_bits(p)), spread(p[TOP] - p[START])
    library = left
    tally, tail, lost, apart, waits, happens = spread(0), spread(0), spread(0), spread(0), spread(0), spread(1)
    waiting, row = spread((1 << (p[LATE] - p[FIRSTS]) // 6) - 1), p[ROWS]
    for k in range(p[SIDE_BY_SIDE], p[SIDE_BY_SIDE] + LANES * (p[SEEN] - p[REGISTERS])):
        d[k] = 0
    while row < p[AMOUNTS]:
        code, here = p[row], 1 if waits <= row else 0
        if code == MARK:
            near = 1 if here and waiting and library + tail <= p[QUIET] else 0
            if some(near):
                waiting, cell = mark_firsts(p, d, p[row + 3], near, waiting, cell, tally, library + tail, lost)
            shown = cell
            for at in range(p[LATE], p[PRODUCT], 3):
                total = total_abreast(p, d, p[at], cell, tally, library + tail, lost)
                shown += min(total, p[at + 1]) << p[at + 2]
            record(p, out, place, row, here, lost, shown)
            waits = NEVER_AGAIN if here and lost else waits
            plays = 1 if waits < NEVER_AGAIN else 0
            row = row + COLUMNS if some(plays) else p[AMOUNTS]
            continue
        number = number_abreast(p, d, row, cell, tally, library + tail, lost)
        if p[row + 4] != ALWAYS:
            if p[row + 4] >= 0:
                chance = p[CHANCES] + 4 * p[row + 4]
                s = s + GOLD & WORD if here else s
                word = mix(s)
                apart = 1 if here and less(word * p[chance + 1] & WORD, p[chance + 1]) else apart
                happens = 1 if less(word, p[chance + 2]) else p[chance + 3]
            number = number if happens else 0
        number = number if here else 0
        if code <= MOVE and p[row + 5]:
            short = 1 if number > library + tail else 0
            if some(short):
                cell += p[LOSING] if short and not lost else 0
                lost |= short
                if p[row + 5] == AT_ONCE:
                    waits = row_at(p, p[row + 9]) if short else waits
        if code in (PASS, SKIP):
            number = min(number, library + tail)
            cell += number * p[row + 7]
            if p[FULL]:
                tally += number * p[row + 8]
            tail -= max(number - library, 0)
            library -= min(number, library)
        elif code in (DEAL, MOVE):
            number = min(number, library + tail)
            apart = 1 if number > library else apart
            number = min(number, library)
            most = largest(number)
            taken, pool, left, s, apart = deal_abreast(p, number, most, pool, left, s, apart)
            library -= number
            cell += sum_of(p, p[WEIGHTS] + p[row + 3] * p[CLASSES], taken, number, most)
            if p[FULL]:
                tally += sum_of(p, p[TALLY_WEIGHTS] + p[row + 3] * p[CLASSES], taken, number, most)
        elif code == UNTIL:
            table, goal, limit = p[LOCAL] + p[row + 6] * p[CLASSES], number, min(library, p[row + 5])
            number, total, taken, pool, left, s, apart = find_abreast(p, table, goal, limit, pool, left, s, apart)
            apart = 1 if tail and library < p[row + 5] and total < goal else apart
            library -= number
            cell += sum_of(p, p[WEIGHTS] + p[row + 3] * p[CLASSES], taken, number, p[CARDS])
            if p[FULL]:
                tally += sum_of(p, p[TALLY_WEIGHTS] + p[row + 3] * p[CLASSES], taken, number, p[CARDS])
        elif code in (GAIN, ADD):
            at = p[SIDE_BY_SIDE] + LANES * p[row + 3]
            number = max(number, -lanes_at(d, at))
            put_lanes(d, at, lanes_at(d, at) + number)
            cell += number * p[row + 7]
        elif code == MULLIGAN:
            cell, tally, pool, left, tail, s, apart = open_hands(p, d, row, cell, tally, pool, left, tail, s, apart)
            library = left
        elif code == WHEN:
            total = total_abreast(p, d, p[row + 6], cell, tally, library + tail, lost)
            waits = row_at(p, p[row + 5]) if here and (total < p[row + 7] or total > p[row + 8]) else waits
        elif code == COIN:
            waits = row_at(p, p[row + 5]) if here and not happens else waits
        elif code == JUMP:
            waits = row_at(p, p[row + 5]) if here else waits
        elif code == CHECK:
            waits = row_at(p, p[row + 9]) if here and lost else waits
        row += COLUMNS
    return apart


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
    if p[ABREAST]:
        while place + LANES <= trials:
            apart = play_abreast(p, d, out, place, stream(key, first + place + lane_numbers()))
            if some(apart):
                for k in range(LANES):
                    if lane(apart, k):
                        play_trial(p, d, out, place + k, stream(key, first + place + k))
            place += LANES
    while place < trials:
        play_trial(p, d, out, place, stream(key, first + place))
        place += 1


# What outside calls, and what is better not made part of it.
ENTRIES = (play, count)
APART = (*kernel.APART, play_trial, open_hands, mark_firsts, record, total_abreast)
