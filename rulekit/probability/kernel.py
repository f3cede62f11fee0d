"""The program played trial by trial, in the part of Python that `translation` makes into machine code.

`vectors` plays the same trials with NumPy. Run as plain Python on a desk that listens, these functions tell card by
card what happens in a trial: see `dealing`. What their numbers are is said in `desk` and `taking`.
"""

from __future__ import annotations

from rulekit.probability.desk import (
    ABOVE,
    AMOUNTS,
    BELOW,
    BEYOND,
    BOTTOM,
    CELL,
    CHANCES,
    DECK,
    DESK,
    FIRSTS,
    HEAD,
    KNOWN,
    LATE,
    LIBRARY,
    LOOKS,
    LOSING,
    LOSS,
    LOST,
    MARKS,
    PRODUCT,
    QUIET,
    REGISTERS,
    RING,
    ROWS,
    START,
    TAIL,
    TALLY,
    TOP,
    TRIALS,
    WAITING,
    library_of,
    number_of,
    total_of,
)  # fmt: skip
from rulekit.probability.integers import Memory, note
from rulekit.probability.packed import ALONE, AT_ONCE, COLUMNS, SAME, Code
from rulekit.probability.pool import lay_out_pool
from rulekit.probability.taking import (
    END,
    LEFT_OUT,
    ROW_BEGINS,
    UNSEEN,
    deal,
    find,
    move_cards,
    open_hand,
    put_away,
    send,
    settle,
    shuffle,
    skip,
)
from rulekit.probability.words import below, redraw, stream

(
    PASS, DEAL, GAIN, SKIP, MOVE, UNTIL, MULLIGAN, LOOK, COIN, WHEN, JUMP, SHUFFLE, ADD, MARK, CHECK,
) = (int(code) for code in Code)  # fmt: skip
ALWAYS = -1


def clear(p: Memory, d: Memory) -> None:
    """Lay out the deck and empty the desk for a trial."""
    d[ABOVE] = p[KNOWN] - p[START]
    d[HEAD] = 0
    d[TAIL] = p[BELOW]
    d[BEYOND] = DESK + p[TOP]
    d[TALLY] = 0
    d[LOSS] = 0
    d[WAITING] = (1 << (p[LATE] - p[FIRSTS]) // 6) - 1
    if p[LOOKS]:
        lay_out_pool(p, d)
        for i in range(p[START], p[KNOWN]):
            d[DESK + i] = p[p[DECK] + i]
    for i in range(p[BELOW]):
        d[p[RING] + i] = p[p[BOTTOM] + i]
    for i in range(p[REGISTERS], p[RING]):
        d[i] = 0


def mark_firsts(p: Memory, d: Memory, turn: int, cell: int, library: int) -> int:
    """Write down the turn for the axes of a first turn that hold now and did not before.

    Returns:
        The number of the cell.
    """
    at = p[FIRSTS]
    k = 0
    while d[WAITING] >> k:
        if d[WAITING] >> k & 1:
            total = library
            if p[at + 5] == LOST:
                total = d[LOSS]
            elif p[at + 5] != LIBRARY:
                total = total_of(p, d, p[at], cell, library)
            if p[at + 1] <= total and total <= p[at + 2]:
                d[WAITING] -= 1 << k
                cell -= p[at + 4] - turn << p[at + 3]
        at += 6
        k += 1
    return cell


def recorded(p: Memory, d: Memory, cell: int, library: int) -> int:
    """Return the number of the cell with the axes that are read at a mark added to it."""
    for at in range(p[LATE], p[PRODUCT], 3):
        cell += min(total_of(p, d, p[at], cell, library), p[at + 1]) << p[at + 2]
    return cell


def fill(p: Memory, d: Memory, out: Memory, place: int, first: int, cell: int) -> None:
    """Record the same state for all turns from one on."""
    for turn in range(first, p[MARKS]):
        out[turn * d[TRIALS] + place] = cell


def mark(p: Memory, d: Memory, row: int, pos: int, top: int, cell: int, out: Memory, place: int) -> tuple[int, int]:
    """Record the state as that of a turn, and of all later ones if the game is lost.

    Returns:
        Where to go on in `p`, and the number of the cell.
    """
    if d[WAITING] and library_of(d, pos, top) <= p[QUIET]:
        cell = mark_firsts(p, d, p[row + 3], cell, library_of(d, pos, top))
    shown = cell if p[LATE] == p[PRODUCT] else recorded(p, d, cell, library_of(d, pos, top))
    if d[LOSS]:
        fill(p, d, out, place, p[row + 5], shown)
        return p[AMOUNTS], cell
    if p[row + 1] >= 0:
        out[p[row + 1] * d[TRIALS] + place] = shown
    return row + COLUMNS, cell


def toss(p: Memory, row: int, s: int) -> tuple[int, int]:
    """Toss the coin of a row.

    Returns:
        The state of the random stream, and 1 if what the coin guards happens, else 0.
    """
    chance = p[CHANCES] + 4 * p[row + 4]
    s, drawn = below(s, p[chance + 1])
    return s, 1 if drawn < p[chance] else 0


def tell_left_out(d: Memory, happens: int) -> None:
    """Tell that a coin left a row out."""
    if not happens:
        note(d, LEFT_OUT)


def row_at(p: Memory, number: int) -> int:
    """Return where a row begins in `p`."""
    return p[ROWS] + COLUMNS * number


def decide(p: Memory, d: Memory, row: int, happens: int, cell: int, library: int) -> int:
    """Return where to go on behind a row that decides that."""
    code = p[row]
    if code == WHEN:
        total = total_of(p, d, p[row + 6], cell, library)
        if total < p[row + 7] or total > p[row + 8]:
            happens = 0
    if code == JUMP or (code in (COIN, WHEN) and not happens):
        return row_at(p, p[row + 5])
    if code == CHECK and d[LOSS]:
        return row_at(p, p[row + 9])
    return row + COLUMNS


def add(p: Memory, d: Memory, row: int, number: int, cell: int) -> int:
    """Add to a register, which does not go below 0; return the number of the cell."""
    at = p[REGISTERS] + p[row + 3]
    number = max(number, -d[at])
    d[at] += number
    return cell + number * p[row + 7]


def carry_out(
    p: Memory, d: Memory, row: int, number: int, pos: int, top: int, cell: int, s: int
) -> tuple[int, int, int, int, int]:
    """Carry out a row of any kind but a mark; its number and coin are known only if the code is quick.

    Returns:
        Where to go on in `p`, the beginning and the end of the deck, the number of the cell, the state of the random
        stream.
    """
    code, library, happens = p[row], library_of(d, pos, top), 1
    if code > GAIN:
        number = number_of(p, d, row, cell, library)
        if p[row + 4] != ALWAYS:
            s, happens = toss(p, row, s)
            number *= happens
            tell_left_out(d, happens)
    following = decide(p, d, row, happens, cell, library)
    if code <= MOVE and p[row + 5] and number > library:
        cell += p[LOSING] * (1 - d[LOSS])
        d[LOSS] = 1
        if p[row + 5] == AT_ONCE:
            following = row_at(p, p[row + 9])
    if code in (PASS, SKIP):
        number = min(number, library)
        cell += number * p[row + 7]
        d[TALLY] += number * p[row + 8]
        pos, top = skip(p, d, p[row + 3], number, pos, top)
    elif code <= LOOK:
        pos, cell, s = move_cards(p, d, row, number, pos, top, cell, s)
    elif code == SHUFFLE:
        s = settle(p, d, pos, top, s)
        pos, cell = shuffle(p, d, p[row + 6], pos, cell)
    elif code == ADD:
        cell = add(p, d, row, number, cell)
    return following, pos, top, cell, s


def toss_once(p: Memory, d: Memory, row: int, happens: int, s: int) -> tuple[int, int]:
    """Toss the coin of a row unless it is that of the row before; return the stream and whether it came up."""
    if p[row + 4] != SAME:
        s, happens = toss(p, row, s)
    tell_left_out(d, happens)
    return s, happens


def move(
    p: Memory, d: Memory, row: int, number: int, pos: int, top: int, cell: int, s: int
) -> tuple[int, int, int, int]:
    """Move cards in an unknown order, or add to a register, where that changes nothing but the number of the cell.

    Returns:
        The beginning and the end of the deck, the number of the cell, the state of the random stream.
    """
    if p[row] == DEAL:
        cell, s = deal(p, d, p[row + 3], pos, number, cell, s)
        return pos + number, top, cell, s
    if p[row] == PASS:
        top -= number
        note(d, UNSEEN, p[row + 3], top, number)
    return pos, top, cell + number * p[row + 7], s


def run_out(p: Memory, d: Memory, row: int, pos: int, top: int, cell: int) -> tuple[int, int]:
    """Move the last cards of a library in which none is known; a draw that wanted more loses.

    Returns:
        Where to go on in `p`, and the number of the cell.
    """
    note(d, UNSEEN, p[row + 3], pos, top - pos)
    cell += (top - pos) * p[row + 7]
    if p[row + 5]:
        cell += p[LOSING] * (1 - d[LOSS])
        d[LOSS] = 1
    return row_at(p, p[row + 9]) if p[row + 5] == AT_ONCE else row + COLUMNS, cell


def carry_out_slow(
    p: Memory, d: Memory, row: int, number: int, pos: int, top: int, cell: int, s: int
) -> tuple[int, int, int, int, int]:
    """Carry out a row that is not quick; see `carry_out` for what it returns."""
    if p[row] == PASS and d[ABOVE] + d[TAIL] == d[HEAD]:
        row, cell = run_out(p, d, row, pos, top, cell)
        top = pos
    elif p[row] == MULLIGAN:
        pos, cell, s = open_hand(p, d, row, 0, pos, top, cell, s)
        row += COLUMNS
    elif p[row] == UNTIL and p[row + 9] == ALONE and d[ABOVE] + d[TAIL] == d[HEAD]:
        pos, cell, s = find(p, d, row, pos, top, cell, s)
        row += COLUMNS
    else:
        row, pos, top, cell, s = carry_out(p, d, row, number, pos, top, cell, s)
    return row, pos, top, cell, s


def play_trial(p: Memory, d: Memory, out: Memory, place: int, s: int) -> None:
    """Play one trial.

    Args:
        p: The program.
        d: The desk, on which TRIALS is the number of those in `out`.
        out: Array (turns, trials) for the numbers of the cells.
        place: Number of the trial among those in `out`.
        s: The state of the random stream at the start.
    """
    clear(p, d)
    pos, top, cell, row, happens = DESK + p[START], DESK + p[TOP], p[CELL], p[ROWS], 1
    while row < p[AMOUNTS]:
        note(d, ROW_BEGINS, (row - p[ROWS]) // COLUMNS)
        code, number = p[row], p[row + 1]
        if code == MARK:
            row, cell = mark(p, d, row, pos, top, cell, out, place)
            continue
        if code <= GAIN and p[row + 4] != ALWAYS:
            s, happens = toss_once(p, d, row, happens, s)
            number *= happens
        if code == GAIN:
            d[p[REGISTERS] + p[row + 3]] += number
        elif code > GAIN or d[ABOVE] or number > top - pos:
            row, pos, top, cell, s = carry_out_slow(p, d, row, number, pos, top, cell, s)
            continue
        pos, top, cell, s = move(p, d, row, number, pos, top, cell, s)
        row += COLUMNS if code == GAIN or top - pos <= p[QUIET] else p[row + 10]
    note(d, END, pos, top, s)


def play_one_by_one(p: Memory, d: Memory, out: Memory, place: int, trials: int, first: int, key: int) -> None:
    """Play trials one after the other.

    Args:
        p: The program.
        d: The desk.
        out: Array (turns, trials) that is filled with the numbers of the cells, from a place on.
        place: Number of the first trial among those in `out`.
        trials: Number of the trials in `out`.
        first: Number of the trial whose place is 0.
        key: Key of the seed.
    """
    d[TRIALS] = trials
    s = stream(key, first + place)
    while place < trials:
        following = stream(key, first + place + 1)  # so early that the next trial need not wait for it
        play_trial(p, d, out, place, s)
        s = following
        place += 1


def count(cells: Memory, table: Memory, fields: Memory, trials: int, turns: int, pieces: int) -> None:
    """Count some of the bits of cells, several times over.

    Args:
        cells: Array (turns, trials): numbers of cells.
        table: For each piece one after the other an array (turns, 2**bits): how often each value came up; it is
            added to.
        fields: Array (pieces, 4): the lowest bit of a piece, its number of bits, its mask, and where its array begins.
        trials: Number of trials.
        turns: Number of turns.
        pieces: Number of pieces.
    """
    for k in range(0, 4 * pieces, 4):
        shift, size, mask, start = fields[k], 1 << fields[k + 1], fields[k + 2], fields[k + 3]
        for trial in range(trials):
            cell, counter = trial, start
            for _ in range(turns):  # next to one another, as many trials are alike in their first turns
                table[counter + (cells[cell] >> shift & mask)] += 1
                cell += trials
                counter += size


# What is better not made part of what calls it.
APART = (carry_out, open_hand, find, move_cards, put_away, send, mark_firsts, recorded, fill, redraw)
