"""Cards taken from the library and sent where they go, in the part of Python that can be made into machine code.

In all these functions `p` is the program, `d` the desk, `row` where the row begins in `p`, `pos` and `top` the
beginning and the end of the deck, `cell` the number of the cell and `s` the state of the random stream: see `desk`. A
function returns those of them that it changes, in this order.
"""

from __future__ import annotations

from rulekit.probability.desk import (
    ABOVE,
    BACK,
    BEYOND,
    CARDS,
    CLASSES,
    FEATURE_SETS,
    FILLED,
    FULL,
    HEAD,
    HELD,
    KEEPS,
    KEPT,
    LIMIT,
    LOCAL,
    MASKS,
    PLACES,
    PRODUCT,
    RING,
    RING_MASK,
    SEEN,
    SENDS,
    SENT,
    STORED,
    SURPLUS,
    TAIL,
    TAKEN,
    TALLY,
    TALLY_WEIGHTS,
    WEIGHTS,
    library_of,
    number_of,
    total_of,
)  # fmt: skip
from rulekit.probability.integers import Memory, note
from rulekit.probability.packed import GROUP, NEVER, TO_BOTTOM, TO_TOP, Code
from rulekit.probability.pool import lay_out_pool, pick, put_into_pool, take_at
from rulekit.probability.words import below, group

MOVE, UNTIL, LOOK = int(Code.MOVE), int(Code.UNTIL), int(Code.LOOK)
ENDLESS = (1 << 63) - 1
GONE = 253
OPEN = 252

# What is told to a desk that listens: a row begins; its coin left it out; a card is taken to be looked at; one of a
# look of a mulligan is thrown back; a card goes to a pile, TO_TOP or TO_BOTTOM; cards that nobody looks at go to a
# pile; the library is shuffled; the trial ends.
ROW_BEGINS, LEFT_OUT, TAKEN_UP, THROWN_BACK, CARD, UNSEEN, SHUFFLED, END = range(8)


def group_at(p: Memory, s: int, left: int, count: int) -> tuple[int, int]:
    """Step to the next word for so many cards, at most GROUP, out of `left`; return the stream and the word."""
    at = (min(count, GROUP) - 1) * (p[CARDS] + 1) + left
    return group(s, p[p[PRODUCT] + at], p[p[LIMIT] + at])


def deal(p: Memory, d: Memory, pile: int, pos: int, count: int, cell: int, s: int) -> tuple[int, int]:
    """Deal cards in an unknown order to one pile, where only the number of the cell changes."""
    weights, left, pool = p[WEIGHTS] + pile * p[CLASSES], d[BEYOND] - pos, d[p[HELD]]
    while count > 0:
        s, word = group_at(p, s, left, count)
        for _ in range(min(GROUP, count)):
            pool, card, word = pick(p, d, pool, left, word)
            left -= 1
            cell += p[weights + card]
            note(d, CARD, pile, card)
        count -= GROUP
    d[p[HELD]] = pool
    return cell, s


def skip(p: Memory, d: Memory, pile: int, count: int, pos: int, top: int) -> tuple[int, int]:
    """Move cards that nobody looks at: known ones on top, then unknown ones, then known ones on the bottom."""
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


def aside(p: Memory, d: Memory, at: int, size: int) -> int:
    """Lay cards that were taken where the deck is not in their way; return where they lie."""
    for i in range(size):
        d[p[TAKEN] + i] = d[at + i]
    return p[TAKEN]


def take(
    p: Memory, d: Memory, table: int, weights: int, pos: int, top: int, most: int, goal: int, s: int
) -> tuple[int, int, int, int, int]:
    """Take cards from the top, one by one, until there are `most` or their sum in a local table reaches a goal.

    Returns:
        The beginning of the deck, the state of the random stream, where in `d` the cards lie, their number, and what
        they add to the number of the cell if all go to the pile of the weights.
    """
    at, total, left, word, pool = pos, 0, 0, 0, d[p[HELD]]
    while d[ABOVE] > 0 and pos - at < most and total < goal:
        note(d, TAKEN_UP, d[pos])
        total += p[table + d[pos]]
        d[ABOVE] -= 1
        pos += 1
    end = min(top, at + most)
    while pos < end and total < goal:
        if left == 0:
            s, word = group_at(p, s, d[BEYOND] - pos, end - pos if goal == ENDLESS else GROUP)
            left = GROUP
        pool, card, word = pick(p, d, pool, d[BEYOND] - pos, word)
        d[pos] = card
        note(d, TAKEN_UP, card)
        total += p[table + card]
        left -= 1
        pos += 1
    d[p[HELD]] = pool
    size = pos - at
    if size < most and total < goal:
        at = aside(p, d, at, size)
        size = take_known(p, d, table, at, size, most, goal - total)
    gain = 0
    for i in range(at, at + size):
        gain += p[weights + d[i]]
    return pos, s, at, size, gain


def take_known(p: Memory, d: Memory, table: int, at: int, size: int, most: int, goal: int) -> int:
    """Go on with the known cards on the bottom; return the number of all cards taken."""
    while size < most and goal > 0:
        card = d[p[RING] + (d[HEAD] & p[RING_MASK])]
        d[HEAD] += 1
        d[at + size] = card
        note(d, TAKEN_UP, card)
        goal -= p[table + card]
        size += 1
    return size


def find(p: Memory, d: Memory, row: int, pos: int, top: int, cell: int, s: int) -> tuple[int, int, int]:
    """Take cards in an unknown order to one pile, where only the number of the cell changes, up to a sum."""
    table, weights = p[LOCAL] + p[row + 6] * p[CLASSES], p[WEIGHTS] + p[row + 3] * p[CLASSES]
    end, goal, beyond, pool = min(top, pos + p[row + 5]), p[row + 1], d[BEYOND], d[p[HELD]]
    total, left, word = 0, 0, 0
    while pos < end and total < goal:
        if left == 0:
            s, word = group_at(p, s, beyond - pos, GROUP)
            left = GROUP
        pool, card, word = pick(p, d, pool, beyond - pos, word)
        note(d, CARD, p[row + 3], card)
        total += p[table + card]
        cell += p[weights + card]
        left -= 1
        pos += 1
    d[p[HELD]] = pool
    return pos, cell, s


def tell_put(d: Memory, at: int, pile: int, size: int) -> None:
    """Tell that all the cards taken go to one pile."""
    for i in range(size):
        note(d, CARD, pile, d[at + i])


def put_below(p: Memory, d: Memory, card: int) -> None:
    """Put a card on the bottom of the library."""
    d[p[RING] + (d[TAIL] & p[RING_MASK])] = card
    d[TAIL] += 1
    note(d, CARD, TO_BOTTOM, card)


def send_found(p: Memory, d: Memory, row: int, table: int, taken: int, size: int, s: int) -> int:
    """Send the cards of an `Until`; those for the bottom come into a random order.

    Returns:
        The state of the random stream.
    """
    sent = p[SENT]
    for i in range(size):
        d[sent + i] = p[row + 7] if p[table + d[taken + i]] > 0 else p[row + 8]
    if p[row + 8] == TO_BOTTOM:
        for i in range(size - 1):
            s, place = below(s, size - i)
            k = i + place
            d[taken + i], d[taken + k] = d[taken + k], d[taken + i]
            d[sent + i], d[sent + k] = d[sent + k], d[sent + i]
    return s


def send_looked_at(p: Memory, d: Memory, row: int, choice: int, taken: int, size: int) -> None:
    """Send the cards of a `Look`: first those that are picked, then each of the others by the table."""
    sent = p[SENT]
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


def put_back(p: Memory, d: Memory, taken: int, size: int, pos: int) -> int:
    """Put the cards that stay in the library on its bottom or back on its top.

    Returns:
        The beginning of the deck.
    """
    sent, kept = p[SENT], p[KEPT]
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


def put_on_piles(p: Memory, d: Memory, taken: int, size: int, cell: int) -> int:
    """Let the cards that went to piles change what is counted.

    Returns:
        The number of the cell.
    """
    sent = p[SENT]
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


def share(p: Memory, d: Memory, mask: int, taken: int, size: int) -> bool:
    """Tell whether two of the cards taken have a feature of a mask in common."""
    once, twice = 0, 0
    for i in range(size):
        mine = p[p[FEATURE_SETS] + d[taken + i]] & mask
        twice |= once & mine
        once |= mine
    return twice != 0


def send(p: Memory, d: Memory, row: int, table: int, taken: int, size: int, choice: int, s: int) -> int:
    """Decide where each of the cards taken goes."""
    if p[row] == LOOK:
        send_looked_at(p, d, row, choice, taken, size)
    elif p[row] == UNTIL:
        s = send_found(p, d, row, table, taken, size, s)
    else:
        for i in range(size):
            d[p[SENT] + i] = p[row + 3]
    return s


def is_kept(p: Memory, row: int, total: int) -> bool:
    """Tell whether a look of a mulligan is kept."""
    for k in range(p[row + 8], p[row + 9]):
        at = p[KEEPS] + 4 * k
        held = total >> p[at] & p[at + 1]
        if held < p[at + 2] or held > p[at + 3]:
            return False
    return True


def throw_back(d: Memory, at: int, size: int) -> None:
    """Tell which cards a look of a mulligan had that is not kept."""
    for i in range(size):
        note(d, THROWN_BACK, d[at + i])
    note(d, SHUFFLED)


def matching(p: Memory, d: Memory, table: int, rule: int, at: int, size: int) -> int:
    """Count the cards of a look that add to the counter of a rule; rule 0 stands for any card."""
    many = size
    if rule:
        many = 0
        for i in range(at, at + size):
            many += 1 if (p[table + d[i]] >> p[rule] & p[rule + 1]) != 0 else 0
    return many


def place_of(p: Memory, d: Memory, table: int, rule: int, at: int, size: int, number: int) -> int:
    """Return where the card with a number lies among those that add to the counter of a rule."""
    place = at + number
    if rule:
        place = at
        for i in range(at, at + size):
            number -= 1 if (p[table + d[i]] >> p[rule] & p[rule + 1]) != 0 else 0
            place += 1 if number >= 0 else 0
    return place


def put_away(
    p: Memory, d: Memory, row: int, table: int, weights: int, at: int, size: int, total: int, away: int, s: int
) -> tuple[int, int, int]:
    """Put cards of a kept look on the bottom, each by the first rule that matches; the last one takes its place.

    Returns:
        The state of the random stream, the number of cards left, and what those put away would have added to the number
        of the cell.
    """
    lost = 0
    for _ in range(away):
        rule, many = 0, 0
        for k in range(p[SURPLUS] + 3 * p[row + 10], p[SURPLUS] + 3 * p[row + 11], 3):
            if many == 0 and (total >> p[k] & p[k + 1]) > p[k + 2]:
                rule = k
                many = matching(p, d, table, rule, at, size)
        if many == 0:
            rule = 0
            many = size
        s, number = below(s, many)
        place = place_of(p, d, table, rule, at, size, number)
        card = d[place]
        size -= 1
        d[place] = d[at + size]
        total -= p[table + card]
        lost += p[weights + card]
        put_below(p, d, card)
    return s, size, lost


def open_hand(
    p: Memory, d: Memory, row: int, rounds: int, pos: int, top: int, cell: int, s: int
) -> tuple[int, int, int]:
    """Carry out a mulligan of which so many looks were thrown back: the library has no known cards then."""
    table, weights = p[LOCAL] + p[row + 6] * p[CLASSES], p[WEIGHTS] + p[row + 3] * p[CLASSES]
    size = min(p[row + 1], top - pos)
    while True:
        total, gain, left, word, pool = 0, 0, 0, 0, d[p[HELD]]
        for at in range(pos, pos + size):
            if left == 0:
                s, word = group_at(p, s, top - at, pos + size - at)
                left = GROUP
            pool, card, word = pick(p, d, pool, top - at, word)
            d[at] = card
            note(d, TAKEN_UP, card)
            total += p[table + card]
            gain += p[weights + card]
            left -= 1
        d[p[HELD]] = pool
        if rounds >= p[row + 5] or is_kept(p, row, total):
            break
        throw_back(d, pos, size)
        lay_out_pool(p, d)
        rounds += 1
    left = size
    if rounds > p[row + 7]:
        s, left, lost = put_away(p, d, row, table, weights, pos, size, total, rounds - p[row + 7], s)
        gain -= lost
    if not p[FULL]:
        tell_put(d, pos, p[row + 3], left)
        return pos + size, cell + gain, s
    for i in range(left):
        d[p[SENT] + i] = p[row + 3]
    return pos + size, put_on_piles(p, d, pos, left, cell), s


def choice_of(p: Memory, d: Memory, row: int, cell: int, library: int) -> int:
    """Return which row of its table a `Look` uses."""
    if p[row] != LOOK or p[row + 7] < 0:
        return 0
    return min(p[row + 5] - 1, total_of(p, d, p[row + 7], cell, library))


def table_of(p: Memory, row: int) -> int:
    """Return where the local table of a row begins."""
    return p[LOCAL] + (p[row + 6] * p[CLASSES] if p[row] == UNTIL else 0)


def move_cards(
    p: Memory, d: Memory, row: int, number: int, pos: int, top: int, cell: int, s: int
) -> tuple[int, int, int]:
    """Carry out a row that takes cards from the library and sends each of them somewhere."""
    code, table, weights = p[row], table_of(p, row), p[WEIGHTS] + p[row + 3] * p[CLASSES]
    while True:
        library = library_of(d, pos, top)
        choice = choice_of(p, d, row, cell, library)
        goal, most = ENDLESS, min(number, library)
        if code == UNTIL:
            goal, most = number, min(p[row + 5], library)
        pos, s, at, size, gain = take(p, d, table, weights, pos, top, most, goal, s)
        if code == UNTIL and p[row + 9]:
            tell_put(d, at, p[row + 3], size)
            return pos, cell + gain, s
        if code == LOOK:
            at = aside(p, d, at, size)
        s = send(p, d, row, table, at, size, choice, s)
        pos = put_back(p, d, at, size, pos)
        cell = put_on_piles(p, d, at, size, cell)
        if code != MOVE or p[row + 6] == 0 or not share(p, d, p[p[MASKS] + p[row + 6]], at, size):
            return pos, cell, s
        number = number_of(p, d, row, cell, library_of(d, pos, top))


def settle(p: Memory, d: Memory, pos: int, top: int, s: int) -> int:
    """Decide which cards of the deck are those that moved unseen, and take them out of it.

    Returns:
        The state of the random stream.
    """
    start = pos + d[ABOVE]
    while d[BEYOND] > top:
        s, place = below(s, d[BEYOND] - start)
        d[BEYOND] -= 1
        d[p[HELD]], d[d[BEYOND]] = take_at(p, d, d[p[HELD]], place)
    return s


def shuffle(p: Memory, d: Memory, piles: int, pos: int, cell: int) -> tuple[int, int]:
    """Put the known cards and those of piles into the unknown part.

    Returns:
        The beginning of the deck and the number of the cell.
    """
    note(d, SHUFFLED)
    for i in range(pos, pos + d[ABOVE]):
        put_into_pool(p, d, d[i])
    d[ABOVE] = 0
    while d[HEAD] < d[TAIL]:
        pos -= 1
        put_into_pool(p, d, d[p[RING] + (d[HEAD] & p[RING_MASK])])
        d[HEAD] += 1
    for pile in range(PLACES):
        if piles >> pile & 1:
            for i in range(d[p[FILLED] + pile]):
                card = d[p[STORED] + pile * p[CARDS] + i]
                pos -= 1
                put_into_pool(p, d, card)
                cell -= p[p[WEIGHTS] + pile * p[CLASSES] + card]
                d[TALLY] -= p[p[TALLY_WEIGHTS] + pile * p[CLASSES] + card]
            d[p[FILLED] + pile] = 0
            d[p[SEEN] + pile] = 0
    return pos, cell
