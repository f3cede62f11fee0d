"""The program played by several trials in step, in the part of Python that `translation` makes into machine code.

What `kernel` does for one trial is done here for LANES trials at once, the numbers of each in a lane of its own. Where
single cards matter, and in the few trials whose words need more care, `kernel` plays: a trial is the same either way.
"""

from __future__ import annotations

from rulekit.probability.desk import (
    ABREAST,
    AMOUNTS,
    APARTS,
    AXES,
    CELL,
    CELLS,
    CHANCES,
    DESK,
    FILLED,
    FIRSTS,
    HAPPENS,
    LATE,
    LEFTS,
    LIBRARIES,
    LIBRARY,
    LOSING,
    LOSSES,
    LOST,
    MARKS,
    MASKS,
    PLACES,
    POOL,
    PRODUCT,
    QUIET,
    REGISTER,
    REGISTERS,
    ROWS,
    START,
    STREAMS,
    SUMS,
    TAILS,
    TALLIES,
    TERMS,
    TOP,
    TRIALS,
    WAITS,
)  # fmt: skip
from rulekit.probability.integers import (
    LANES,
    WORD,
    Lanes,
    Memory,
    bits_in,
    lane,
    lane_numbers,
    lanes_at,
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
    play_one_by_one,
    play_trial,
    row_at,
)  # fmt: skip
from rulekit.probability.lanes import (
    collect_features,
    look_for,
    move_abreast,
    open_again,
    open_hands,
    pool_at,
    put_on_two_piles,
    register_at,
    seen_at,
    skip_abreast,
    take_beneath,
    words_of,
)
from rulekit.probability.packed import AT_ONCE, COLUMNS
from rulekit.probability.words import GOLD, mix, stream

NEVER_AGAIN = 1 << 62


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
        else:
            total += features_abreast(p, d, p[term + 1], p[p[MASKS] + p[term + 2]])
    return total


def features_abreast(p: Memory, d: Memory, piles: int, mask: int) -> Lanes:
    """Count the features of a mask among the cards in a set of piles."""
    found = spread(0)
    for pile in range(PLACES):
        if piles >> pile & 1:
            found |= lanes_at(d, seen_at(p, pile))
    return bits_in(found & mask)


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


def add_abreast(p: Memory, d: Memory, row: int, number: Lanes) -> None:
    """Add to a register, which does not go below 0."""
    at = register_at(p, p[row + 3])
    number = max(number, -lanes_at(d, at))
    put_lanes(d, at, lanes_at(d, at) + number)
    put_lanes(d, CELLS, lanes_at(d, CELLS) + number * p[row + 7])


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
    """Record the state as that of a turn; return where to go on: the end if all games are lost.

    What a trial was when it was lost it stays, and is recorded again for each later turn.
    """
    if p[LATE] > p[FIRSTS]:
        near = 1 if here and lanes_at(d, AXES) and library_abreast(d) <= p[QUIET] else 0
        if some(near):
            mark_firsts(p, d, p[row + 3], near)
    shown = lanes_at(d, CELLS)
    for late in range(p[LATE], p[PRODUCT], 3):
        shown += min(total_abreast(p, d, p[late]), p[late + 1]) << p[late + 2]
    if some(lanes_at(d, LOSSES)):
        waits = NEVER_AGAIN if here and lanes_at(d, LOSSES) else lanes_at(d, WAITS)
        put_lanes(d, WAITS, waits)
        if not some(1 if waits < NEVER_AGAIN else 0):
            record(d, out, place, p[row + 5], p[MARKS], shown)
            return p[AMOUNTS]
    if p[row + 1] >= 0:
        record(d, out, place, p[row + 1], p[row + 1] + 1, shown)
    return row + COLUMNS


def record(d: Memory, out: Memory, place: int, first: int, end: int, shown: Lanes) -> None:
    """Record the same state for some of the recorded turns."""
    for turn in range(first, end):
        put_lanes(out, turn * d[TRIALS] + place, shown)


def carry_out_abreast(p: Memory, d: Memory, row: int, here: Lanes) -> None:
    """Carry out a row of any kind but a mark."""
    code, number = p[row], number_abreast(p, d, row)
    if p[row + 4] != ALWAYS:
        if p[row + 4] >= 0:
            toss_abreast(p, d, row, here)
        number *= lanes_at(d, HAPPENS)
    number = number if here else 0
    if code <= MOVE and p[row + 5] and some(1 if number > lanes_at(d, LIBRARIES) else 0):
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
        put_lanes(d, pool_at(p, word), spread(p[p[POOL] + word]))
    for number in range(p[FILLED] - p[REGISTERS]):
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
        out: Array (turns, trials) for the numbers of the cells.
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
        out: Array (turns, trials) that is filled with the numbers of the cells.
        trials: Number of trials.
        first: Number of the first trial.
        key: Key of the seed.
    """
    place, d[TRIALS] = 0, trials
    while p[ABREAST] and place + LANES <= trials:
        apart = play_abreast(p, d, out, place, stream(key, first + place + lane_numbers()))
        if some(apart):
            for k in range(LANES):
                if lane(apart, k):
                    play_trial(p, d, out, place + k, stream(key, first + place + k))
        place += LANES
    play_one_by_one(p, d, out, place, trials, first, key)


# What is better not made part of what calls it.
APART = (
    play_trial, open_hands, open_again, look_for, put_on_two_piles, take_beneath, mark_firsts, total_abreast,
    features_abreast, collect_features,     lose,
)  # fmt: skip
