"""The program played trial by trial, in the part of Python that `native` makes into machine code.

Word k of trial t is `mix(mix(key + t * ODD) + k * GOLD)`, a function of seed, trial and k alone (the mixing steps are those
of splitmix64). `vectors` plays the same trials with NumPy. Run as plain Python on a desk that listens, these functions tell
card by card what happens in a trial: see `replay`.
"""

from __future__ import annotations

import numpy as np

from rulekit.probability.native import WORD, Memory, high, less, note
from rulekit.probability.packing import COLUMNS, GROUP, NEVER, TO_BOTTOM, TO_TOP, Arrays, Code, Term

ODD = 0xD1342543DE82EF95
GOLD = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
ENDLESS = (1 << 63) - 1

# What outside calls, and what is better not made part of it.
ENTRIES = ("play", "count")
APART = ("carry_out", "mark_firsts", "recorded", "fill", "redraw")

PLACES = 8
GONE = 253
OPEN = 252

PASS, DEAL, SKIP, MOVE, UNTIL, MULLIGAN, LOOK, COIN, WHEN, JUMP, SHUFFLE, ADD, MARK = (int(code) for code in Code)
LIBRARY, FEATURES, REGISTER, LOST = (int(term) for term in Term)

# What is told to a desk that listens: a row begins; a look of a mulligan is thrown back; a card goes to a pile, TO_TOP or
# TO_BOTTOM; cards that nobody looks at go to a pile; the trial ends.
ROW_BEGINS, THROWN_BACK, CARD, UNSEEN, END = range(5)

# Two arrays hold all numbers. `p` is the program: first one number for each field of `Arrays`, which is the field itself or
# the place in `p` where that array begins, then the arrays. `d` is the desk that a trial writes on: first the numbers that
# seldom change (how many cards are known on top, beginning and end of those known on the bottom, end of the deck, the tally,
# whether the game was lost, the axes of a first turn that still wait), then the deck, then what REGISTERS and the following
# numbers in `p` point to. What changes all the time is handed about: `pos`, where the deck begins; `top`, which lies as far
# behind it as there are cards above those known on the bottom; `cell`, the number of the cell; `s`, the random stream.
#
# Cards of the deck between `pos` and `d[BEYOND]` behind those known on top are in an unknown order. A card that moves unseen
# leaves `top` one less and the deck as it is: which of its cards have moved nobody knows, so the next one that somebody looks
# at may be any of them. Before other cards come among them, `settle` decides which ones have moved.
ABOVE, HEAD, TAIL, BEYOND, TALLY, LOSS, WAITING, DESK = range(8)
(
    START, KNOWN, TOP, BELOW, CELL, LOSING, FULL, BACK, CLASSES, CARDS, MARKS, QUIET, DECK, BOTTOM, WEIGHTS, TALLY_WEIGHTS,
    REGISTER_WEIGHTS, FEATURE_SETS, LOCAL, ROWS, AMOUNTS, SUMS, TERMS, MASKS, CHANCES, KEEPS, SURPLUS, SENDS, FIRSTS, LATE,
    PRODUCT, LIMIT, REGISTERS, SEEN, FILLED, RING, STORED, TAKEN, SENT, KEPT, RING_MASK,
) = range(len(Arrays._fields) + 9)  # fmt: skip


def mix(z: int) -> int:
    """Mix the bits of a word."""
    z = (z ^ z >> 30) * MIX_1 & WORD
    z = (z ^ z >> 27) * MIX_2 & WORD
    return z ^ z >> 31


def redraw(s: int, product: int, limit: int) -> int:
    """Step on while the word would make some places likelier than others: while its product with the bounds is too small.

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


def group(p: Memory, s: int, left: int) -> tuple[int, int]:
    """Step to the next word that gives exactly uniform places for GROUP cards.

    Args:
        p: The program.
        s: The state of the random stream.
        left: Number of cards in the unknown part, at least 1.

    Returns:
        The state of the random stream, and the word.
    """
    s = s + GOLD & WORD
    word = mix(s)
    while less(word * p[p[PRODUCT] + left] & WORD, p[p[LIMIT] + left]):
        s = s + GOLD & WORD
        word = mix(s)
    return s, word


def library_of(d: Memory, pos: int, top: int) -> int:
    """Count the cards in the library."""
    return top - pos + d[TAIL] - d[HEAD]


def deal(p: Memory, d: Memory, pile: int, pos: int, count: int, cell: int, s: int) -> tuple[int, int]:
    """Deal cards in an unknown order to one pile, where only the number of the cell changes.

    Returns:
        The number of the cell, and the state of the random stream.
    """
    weights, beyond = p[WEIGHTS] + pile * p[CLASSES], d[BEYOND]
    end = pos + count
    while pos + GROUP <= end:
        s, word = group(p, s, beyond - pos)
        for i in range(GROUP):
            left = beyond - pos - i
            place = pos + i + high(word, left)
            word = word * left & WORD
            card = d[place]
            d[place] = d[pos + i]
            cell += p[weights + card]
            note(d, CARD, pile, card)
        pos += GROUP
    if pos < end:
        s, word = group(p, s, beyond - pos)
        while pos < end:
            left = beyond - pos
            place = pos + high(word, left)
            word = word * left & WORD
            card = d[place]
            d[place] = d[pos]
            cell += p[weights + card]
            note(d, CARD, pile, card)
            pos += 1
    return cell, s


def skip(p: Memory, d: Memory, pile: int, count: int, pos: int, top: int) -> tuple[int, int]:
    """Move cards that nobody looks at: known ones on top, then unknown ones, then known ones on the bottom.

    Returns:
        The beginning and the end of the deck.
    """
    while count > 0 and d[ABOVE] > 0:
        note(d, CARD, pile, d[pos])
        d[ABOVE] -= 1
        pos += 1
        count -= 1
    unseen = min(count, top - pos)
    top -= unseen
    note(d, UNSEEN, pile, top, unseen)
    for _ in range(count - unseen):
        note(d, CARD, pile, d[p[RING] + (d[HEAD] & p[RING_MASK])])
        d[HEAD] += 1
    return pos, top


def features_seen(p: Memory, d: Memory, piles: int, mask: int) -> int:
    """Count the features of a mask among the cards in a set of piles."""
    found = 0
    for pile in range(PLACES):
        if piles >> pile & 1:
            found |= d[p[SEEN] + pile]
    found &= mask
    count = 0
    while found != 0:
        found &= found - 1
        count += 1
    return count


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


def take(
    p: Memory, d: Memory, row: int, table: int, pos: int, top: int, most: int, goal: int, s: int
) -> tuple[int, int, int, int, int]:
    """Take cards from the top, one by one, until there are `most` or their sum in a local table reaches a goal.

    Returns:
        The beginning of the deck, the state of the random stream, the number of cards, their sum, and what they add to the
        number of the cell if all go to the pile of the row.
    """
    size, total, gain, left, word = 0, 0, 0, 0, 0
    taken, weights, beyond = p[TAKEN], p[WEIGHTS] + p[row + 3] * p[CLASSES], d[BEYOND]
    while d[ABOVE] > 0 and size < most and total < goal:
        card = d[pos]
        d[ABOVE] -= 1
        pos += 1
        d[taken + size] = card
        size += 1
        total += p[table + card]
        gain += p[weights + card]
    while pos < top and size < most and total < goal:
        if left == 0:
            s, word = group(p, s, beyond - pos)
            left = GROUP
        place = pos + high(word, beyond - pos)
        word = word * (beyond - pos) & WORD
        left -= 1
        card = d[place]
        d[place] = d[pos]
        d[pos] = card
        pos += 1
        d[taken + size] = card
        size += 1
        total += p[table + card]
        gain += p[weights + card]
    while size < most and total < goal:
        card = d[p[RING] + (d[HEAD] & p[RING_MASK])]
        d[HEAD] += 1
        d[taken + size] = card
        size += 1
        total += p[table + card]
        gain += p[weights + card]
    return pos, s, size, total, gain


def is_kept(p: Memory, row: int, total: int) -> bool:
    """Tell whether a look of a mulligan is kept."""
    for k in range(p[row + 8], p[row + 9]):
        at = p[KEEPS] + 4 * k
        held = total >> p[at] & p[at + 1]
        if held < p[at + 2] or held > p[at + 3]:
            return False
    return True


def is_plain(p: Memory, row: int, rounds: int) -> bool:
    """Tell whether all cards that a row took go to its pile, where only the number of the cell changes."""
    if p[FULL]:
        return False
    if p[row] == UNTIL:
        return p[row + 8] != TO_BOTTOM and p[row + 7] == p[row + 8]
    return p[row] == MULLIGAN and rounds <= p[row + 7]


def tell(p: Memory, d: Memory, what: int, pile: int, size: int) -> None:
    """Tell what happens to all the cards taken."""
    for i in range(size):
        note(d, what, pile, d[p[TAKEN] + i])


def put_below(p: Memory, d: Memory, card: int) -> None:
    """Put a card on the bottom of the library."""
    d[p[RING] + (d[TAIL] & p[RING_MASK])] = card
    d[TAIL] += 1
    note(d, CARD, TO_BOTTOM, card)


def matches(p: Memory, d: Memory, table: int, at: int, card: int) -> bool:
    """Tell whether a card of a look is in hand and adds to the counter of a rule; `at` 0 stands for any card."""
    if d[p[SENT] + card] == GONE:
        return False
    return at == 0 or p[table + d[p[TAKEN] + card]] >> p[at] & p[at + 1] != 0


def put_away(p: Memory, d: Memory, row: int, table: int, size: int, total: int, away: int, s: int) -> int:
    """Put cards of a kept look on the bottom, each by the first rule that matches.

    Returns:
        The state of the random stream.
    """
    for _ in range(away):
        rule, many = 0, 0
        for at in range(p[SURPLUS] + 3 * p[row + 10], p[SURPLUS] + 3 * p[row + 11], 3):
            if many == 0 and (total >> p[at] & p[at + 1]) > p[at + 2]:
                rule = at
                for i in range(size):
                    many += 1 if matches(p, d, table, rule, i) else 0
        if many == 0:
            rule = 0
            for i in range(size):
                many += 1 if matches(p, d, table, rule, i) else 0
        s, left = below(s, many)
        for i in range(size):
            if matches(p, d, table, rule, i):
                if left == 0:
                    d[p[SENT] + i] = GONE
                    total -= p[table + d[p[TAKEN] + i]]
                    put_below(p, d, d[p[TAKEN] + i])
                    break
                left -= 1
    return s


def send_found(p: Memory, d: Memory, row: int, table: int, size: int, s: int) -> int:
    """Send the cards of an `Until`; those for the bottom come into a random order.

    Returns:
        The state of the random stream.
    """
    taken, sent = p[TAKEN], p[SENT]
    for i in range(size):
        d[sent + i] = p[row + 7] if p[table + d[taken + i]] > 0 else p[row + 8]
    if p[row + 8] == TO_BOTTOM:
        for i in range(size - 1):
            s, place = below(s, size - i)
            k = i + place
            d[taken + i], d[taken + k] = d[taken + k], d[taken + i]
            d[sent + i], d[sent + k] = d[sent + k], d[sent + i]
    return s


def send_looked_at(p: Memory, d: Memory, row: int, choice: int, size: int) -> None:
    """Send the cards of a `Look`: first those that are picked, then each of the others by the table."""
    taken, sent = p[TAKEN], p[SENT]
    ranks = p[SENDS] + p[row + 9] * p[CLASSES]
    table = p[SENDS] + (p[row + 6] + choice) * p[CLASSES]
    for i in range(size):
        d[sent + i] = OPEN
    for _ in range(p[row + 8]):
        best, chosen = NEVER - 1, size
        for i in range(size - 1, -1, -1):
            if d[sent + i] == OPEN and p[ranks + d[taken + i]] <= best:
                best = p[ranks + d[taken + i]]
                chosen = i
        if chosen < size:
            d[sent + chosen] = p[row + 3]
    for i in range(size):
        if d[sent + i] == OPEN:
            d[sent + i] = p[table + d[taken + i]]


def put_back(p: Memory, d: Memory, size: int, pos: int) -> int:
    """Put the cards that stay in the library on its bottom or back on its top.

    Returns:
        The beginning of the deck.
    """
    taken, sent, kept = p[TAKEN], p[SENT], p[KEPT]
    count = 0
    for i in range(size):
        if d[sent + i] == TO_BOTTOM:
            put_below(p, d, d[taken + i])
        elif d[sent + i] == TO_TOP:
            d[kept + count] = d[taken + i]
            note(d, CARD, TO_TOP, d[taken + i])
            count += 1
    d[ABOVE] += count
    pos -= count
    for i in range(count):
        d[pos + i] = d[kept + i]
    return pos


def put_on_piles(p: Memory, d: Memory, size: int, cell: int) -> int:
    """Let the cards that went to piles change what is counted.

    Returns:
        The number of the cell.
    """
    taken, sent = p[TAKEN], p[SENT]
    for i in range(size):
        pile = d[sent + i]
        if pile < OPEN:
            card = d[taken + i]
            change = pile * p[CLASSES] + card
            cell += p[p[WEIGHTS] + change]
            note(d, CARD, pile, card)
            if p[FULL]:
                d[TALLY] += p[p[TALLY_WEIGHTS] + change]
                d[p[SEEN] + pile] |= p[p[FEATURE_SETS] + card]
                if p[BACK] >> pile & 1:
                    d[p[STORED] + pile * p[CARDS] + d[p[FILLED] + pile]] = card
                    d[p[FILLED] + pile] += 1
    return cell


def share(p: Memory, d: Memory, mask: int, size: int) -> bool:
    """Tell whether two of the cards taken have a feature of a mask in common."""
    once, twice = 0, 0
    for i in range(size):
        mine = p[p[FEATURE_SETS] + d[p[TAKEN] + i]] & mask
        twice |= once & mine
        once |= mine
    return twice != 0


def move_cards(
    p: Memory, d: Memory, row: int, number: int, pos: int, top: int, cell: int, s: int
) -> tuple[int, int, int]:
    """Carry out a row that takes cards from the library and sends each of them somewhere.

    Returns:
        The beginning of the deck, the number of the cell, the state of the random stream.
    """
    code, rounds, table = p[row], 0, p[LOCAL]
    if code == UNTIL or code == MULLIGAN:
        table += p[row + 6] * p[CLASSES]
    while True:
        library = library_of(d, pos, top)
        goal, most = ENDLESS, min(number, library)
        if code == UNTIL:
            goal, most = number, min(p[row + 5], library)
        start = pos
        pos, s, size, total, gain = take(p, d, row, table, pos, top, most, goal, s)
        if code == MULLIGAN and rounds < p[row + 5] and not is_kept(p, row, total):
            rounds += 1
            tell(p, d, THROWN_BACK, p[row + 3], size)
            pos = start
            continue
        if is_plain(p, row, rounds):
            tell(p, d, CARD, p[row + 3], size)
            cell += gain
            break
        if code == LOOK:
            choice = 0
            if p[row + 7] >= 0:
                choice = min(p[row + 5] - 1, total_of(p, d, p[row + 7], cell, library))
            send_looked_at(p, d, row, choice, size)
        elif code == UNTIL:
            s = send_found(p, d, row, table, size, s)
        else:
            for i in range(size):
                d[p[SENT] + i] = p[row + 3]
            if code == MULLIGAN:
                s = put_away(p, d, row, table, size, total, rounds - p[row + 7], s)
        pos = put_back(p, d, size, pos)
        cell = put_on_piles(p, d, size, cell)
        if code != MOVE or p[row + 6] == 0 or not share(p, d, p[p[MASKS] + p[row + 6]], size):
            break
        number = number_of(p, d, row, cell, library_of(d, pos, top))
    return pos, cell, s


def settle(p: Memory, d: Memory, pos: int, top: int, s: int) -> int:
    """Decide which cards of the deck are those that moved unseen, and take them out of it.

    Returns:
        The state of the random stream.
    """
    start = pos + d[ABOVE]
    while d[BEYOND] > top:
        s, place = below(s, d[BEYOND] - start)
        d[BEYOND] -= 1
        d[start + place], d[d[BEYOND]] = d[d[BEYOND]], d[start + place]
    return s


def shuffle(p: Memory, d: Memory, piles: int, pos: int, cell: int) -> tuple[int, int]:
    """Put the known cards and those of piles into the unknown part.

    Returns:
        The beginning of the deck and the number of the cell.
    """
    d[ABOVE] = 0
    while d[HEAD] < d[TAIL]:
        pos -= 1
        d[pos] = d[p[RING] + (d[HEAD] & p[RING_MASK])]
        d[HEAD] += 1
    for pile in range(PLACES):
        if piles >> pile & 1:
            for i in range(d[p[FILLED] + pile]):
                card = d[p[STORED] + pile * p[CARDS] + i]
                pos -= 1
                d[pos] = card
                cell -= p[p[WEIGHTS] + pile * p[CLASSES] + card]
                d[TALLY] -= p[p[TALLY_WEIGHTS] + pile * p[CLASSES] + card]
            d[p[FILLED] + pile] = 0
            d[p[SEEN] + pile] = 0
    return pos, cell


def mark_firsts(p: Memory, d: Memory, turn: int, cell: int, library: int) -> int:
    """Write down the turn for the axes of a first turn that hold now and did not before.

    Returns:
        The number of the cell.
    """
    at = p[FIRSTS]
    k = 0
    while d[WAITING] >> k:
        if d[WAITING] >> k & 1:
            total = total_of(p, d, p[at], cell, library)
            if p[at + 1] <= total and total <= p[at + 2]:
                d[WAITING] -= 1 << k
                cell -= p[at + 4] - turn << p[at + 3]
        at += 5
        k += 1
    return cell


def recorded(p: Memory, d: Memory, cell: int, library: int) -> int:
    """Return the number of the cell with the axes that are read at a mark added to it."""
    for at in range(p[LATE], p[PRODUCT], 3):
        cell += min(total_of(p, d, p[at], cell, library), p[at + 1]) << p[at + 2]
    return cell


def fill(p: Memory, out: Memory, place: int, first: int, cell: int) -> None:
    """Record the same state for all turns from one on."""
    for k in range(place * p[MARKS] + first, (place + 1) * p[MARKS]):
        out[k] = cell


def clear(p: Memory, d: Memory) -> None:
    """Lay out the deck and empty the desk for a trial."""
    d[ABOVE] = p[KNOWN] - p[START]
    d[HEAD] = 0
    d[TAIL] = p[BELOW]
    d[BEYOND] = DESK + p[TOP]
    d[TALLY] = 0
    d[LOSS] = 0
    d[WAITING] = (1 << (p[LATE] - p[FIRSTS]) // 5) - 1
    for i in range(p[BOTTOM] - p[DECK]):
        d[DESK + i] = p[p[DECK] + i]
    for i in range(p[BELOW]):
        d[p[RING] + i] = p[p[BOTTOM] + i]
    for i in range(p[REGISTERS], p[RING]):
        d[i] = 0


def chosen(p: Memory, row: int, s: int) -> tuple[int, int]:
    """Toss the coin of a row.

    Returns:
        The state of the random stream, and 1 if what the coin guards happens, else 0.
    """
    chance = p[CHANCES] + 2 * p[row + 4]
    s, drawn = below(s, p[chance + 1])
    return s, 1 if drawn < p[chance] else 0


def carry_out(
    p: Memory, d: Memory, row: int, number: int, pos: int, top: int, cell: int, s: int
) -> tuple[int, int, int, int, int]:
    """Carry out a row of any kind but a mark.

    Returns:
        Where the next row begins in `p`, the beginning and the end of the deck, the number of the cell, the state of the
        random stream.
    """
    code, following = p[row], row + COLUMNS
    library = library_of(d, pos, top)
    if code > DEAL:
        number = number_of(p, d, row, cell, library)
        if p[row + 4] >= 0:
            s, happens = chosen(p, row, s)
            number *= happens
            if code == COIN and not happens:
                following = p[ROWS] + COLUMNS * p[row + 5]
    if code <= MOVE and p[row + 5] and number > library:
        d[LOSS] = 1
        cell += p[LOSING]
        following = p[ROWS] + COLUMNS * p[row + 9]
    if code == PASS or code == SKIP:
        number = min(number, library)
        cell += number * p[row + 7]
        d[TALLY] += number * p[row + 8]
        pos, top = skip(p, d, p[row + 3], number, pos, top)
    elif code <= LOOK:
        pos, cell, s = move_cards(p, d, row, number, pos, top, cell, s)
    elif code == WHEN:
        total = total_of(p, d, p[row + 6], cell, library)
        if total < p[row + 7] or total > p[row + 8]:
            following = p[ROWS] + COLUMNS * p[row + 5]
    elif code == JUMP:
        following = p[ROWS] + COLUMNS * p[row + 5]
    elif code == SHUFFLE:
        s = settle(p, d, pos, top, s)
        pos, cell = shuffle(p, d, p[row + 6], pos, cell)
    elif code == ADD:
        at = p[REGISTERS] + p[row + 3]
        number = max(number, -d[at])
        d[at] += number
        cell += number * p[p[REGISTER_WEIGHTS] + p[row + 3]]
    return following, pos, top, cell, s


def play_trial(p: Memory, d: Memory, out: Memory, place: int, s: int) -> None:
    """Play one trial.

    Args:
        p: The program.
        d: The desk.
        out: Array (trials, turns) for the numbers of the cells.
        place: Number of the trial among those in `out`.
        s: The state of the random stream at the start.
    """
    clear(p, d)
    pos, top, cell, row, end = DESK + p[START], DESK + p[TOP], p[CELL], p[ROWS], p[AMOUNTS]
    while row < end:
        note(d, ROW_BEGINS, (row - p[ROWS]) // COLUMNS)
        code, number = p[row], p[row + 1]
        if code == MARK:
            library = library_of(d, pos, top)
            if library <= p[QUIET] and d[WAITING]:
                cell = mark_firsts(p, d, p[row + 3], cell, library)
            if d[LOSS]:
                fill(p, out, place, p[row + 5], recorded(p, d, cell, library))
                break
            if number >= 0:
                out[place * p[MARKS] + number] = recorded(p, d, cell, library)
            row += COLUMNS
            continue
        if code <= DEAL and p[row + 4] >= 0:
            s, happens = chosen(p, row, s)
            number *= happens
        if code > DEAL or d[ABOVE] or number > top - pos:
            row, pos, top, cell, s = carry_out(p, d, row, number, pos, top, cell, s)
            continue
        if code == PASS:
            top -= number
            cell += number * p[row + 7]
            note(d, UNSEEN, p[row + 3], top, number)
        else:
            cell, s = deal(p, d, p[row + 3], pos, number, cell, s)
            pos += number
        row += COLUMNS
    note(d, END, pos, top, s)


def play(p: Memory, d: Memory, out: Memory, trials: int, first: int, key: int) -> None:
    """Play trials one after the other.

    Args:
        p: The program.
        d: The desk.
        out: Array (trials, turns) that is filled with the numbers of the cells.
        trials: Number of trials.
        first: Number of the first trial.
        key: Key of the seed.
    """
    for place in range(trials):
        play_trial(p, d, out, place, mix(key + (first + place) * ODD & WORD))


def count(cells: Memory, table: Memory, fields: Memory, trials: int, turns: int, pieces: int, bits: int) -> None:
    """Count cells.

    Args:
        cells: Array (trials, turns): numbers of cells.
        table: Array (turns, 2**bits): how often each place came up; it is added to.
        fields: Array (pieces, 3): for each piece of a place its lowest bit in the number of a cell, its mask, and its lowest
            bit in the place.
        trials: Number of trials.
        turns: Number of turns.
        pieces: Number of pieces.
        bits: Number of bits of a place.
    """
    for trial in range(trials):
        for turn in range(turns):
            cell = cells[trial * turns + turn]
            place = turn << bits
            for k in range(0, 3 * pieces, 3):
                place += (cell >> fields[k] & fields[k + 1]) << fields[k + 2]
            table[place] += 1


def layout(arrays: Arrays) -> tuple[list[int], int]:
    """Lay out a program for these functions.

    Returns:
        The array `p`, unsigned where `arrays` is, and the length of the array `d`.
    """
    listed = PLACES if arrays.full else 0
    stored = PLACES * arrays.cards if arrays.back else 0
    sizes = [len(arrays.deck), len(arrays.register_weights), listed, listed, len(arrays.bottom), stored]
    ends = [DESK + end for end in np.cumsum([*sizes, *[arrays.cards] * 3]).tolist()]
    head: list[int] = []
    body: list[int] = []
    for field in arrays:
        head.append(field if isinstance(field, int) else len(Arrays._fields) + len(ends) + len(body))
        body += [] if isinstance(field, int) else field.ravel().tolist()
    return [*head, *ends[:-1], len(arrays.bottom) - 1, *body], ends[-1]
