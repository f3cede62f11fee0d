"""The program played by NumPy, many trials side by side: the same numbers as `kernel`, bit for bit.

Methods have the names of the functions of `kernel` and `taking` and do the same for the trials that have come to a
row, with an array in place of each number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.desk import PLACES
from rulekit.probability.packed import (
    AT_ONCE,
    NEVER,
    SAME,
    TO_BOTTOM,
    TO_TOP,
    Arrays,
    Code,
    Numbers,
    Term,
)
from rulekit.probability.picking import Picks, Took
from rulekit.probability.side_by_side import MOST_SMALL, Bytes, Some, least, some_of, wide
from rulekit.probability.taking import GONE, OPEN
from rulekit.probability.word_arrays import U, below, tossed_at

MOST_BYTES = 1 << 22
MOST_SEEN = 160  # bytes for what is known of the cards in piles
MOST_LOOKING = 1 << 14
MOST = 1 << 16
MOST_CELLS = 1 << 19
MOST_COUNTS = 1 << 19
FEWEST = 1 << 8


def side_by_side(arrays: Arrays) -> int:
    """Return how many trials are best played at once: so many that calls take little time, in little memory."""
    cards = arrays.cards * (2 + 3 * arrays.back.bit_count())  # known ones, and those in piles that are shuffled back
    bytes_each = cards + 4 * arrays.classes + MOST_SEEN * arrays.full
    most = min(MOST_BYTES // bytes_each, MOST_CELLS // max(1, arrays.marks))
    most = min(most, MOST_LOOKING, MOST_COUNTS // arrays.classes) if arrays.looks else min(most, MOST)
    return max(FEWEST, 1 << most.bit_length() - 1)


class Trials(Picks):
    """Play trials of a program side by side."""

    def play(self, trials: int, first: int, key: int) -> Numbers:
        """Play trials.

        Args:
            trials: Number of trials, no more than there is room for.
            first: Number of the first trial.
            key: Key of the seed.

        Returns:
            int64 array (trials, turns): the numbers of the cells; it is written over by the next call.
        """
        with np.errstate(over="ignore"):
            self.begin(trials, first, key)
            for q, row in enumerate(self.rows):
                if not len(self.pos):
                    break
                mine = self.here(q)
                if row[0] in (Code.CHECK, Code.MARK) and self.late[mine].any():
                    self.check(self.numbered(mine))
                    mine = self.here(q)
                if row[0] == Code.MARK:
                    self.mark(row, mine)
                elif row[0] != Code.CHECK and len(self.pos[mine]):
                    self.carry_out(row, mine)
        self.out[:trials, self.recorded_up_to :] = self.ended[:trials, None]
        return self.out[:trials]

    def carry_out(self, row: list[int], mine: Some) -> None:
        """Carry out a row of any kind but a mark."""
        code, number = row[0], self.number(row, mine)
        if row[4] >= 0:
            self.toss(row, mine)
        if row[4] >= 0 or row[4] == SAME:
            number = only_if(self.happens[mine], number)
        if code in (Code.PASS, Code.DEAL, Code.SKIP, Code.MOVE) and row[5]:
            short = np.flatnonzero(number > self.library(mine))
            short = short if isinstance(mine, slice) else mine[short]
            self.counted[short[~self.late[short]]] += self.p.losing
            (self.lost if row[5] == AT_ONCE else self.late)[short] = True
        if code in (Code.PASS, Code.SKIP):
            self.skip(row, mine, number)
        elif code in (Code.ADD, Code.GAIN):
            if code == Code.ADD:
                number = np.maximum(number, -self.registers[mine, row[3]])
            self.registers[mine, row[3]] += number
            self.counted[mine] += wide(number) * row[7]
        elif code == Code.MULLIGAN:
            self.open_hands(row, self.numbered(mine))
        elif code <= Code.LOOK:
            self.move_cards(row, mine, number)
        elif code == Code.SHUFFLE:
            self.shuffle(row[6], self.numbered(mine))
        else:
            self.decide(row, self.numbered(mine))

    def check(self, mine: Numbers) -> None:
        """Look whether an earlier draw has lost the game."""
        lost = mine[self.late[mine]]
        self.lost[lost], self.late[lost] = True, False

    def toss(self, row: list[int], mine: Some) -> None:
        """Toss the coins of a row."""
        s = self.s[mine]
        n = len(s)
        self.happens[mine] = tossed_at(s, *self.chances[row[4]], self.words[:n], self.spare[:n])
        if not isinstance(mine, slice):
            self.s[mine] = s

    def decide(self, row: list[int], mine: Numbers) -> None:
        """Let trials go on elsewhere behind a row that decides that."""
        if row[0] == Code.COIN:
            mine = mine[~self.happens[mine]]
        elif row[0] == Code.WHEN:
            total = self.total(row[6], mine)
            mine = mine[(total < row[7]) | (total > row[8])]
        self.waits[mine] = row[5]

    def mark(self, row: list[int], mine: Some) -> None:
        """Record the state as that of a turn, and of all later ones where the game is lost."""
        if len(self.p.firsts):
            near = self.library(slice(None)) <= self.p.quiet
            near &= ~self.over
            if near.any():
                there = self.lost.copy()
                there[mine] = True
                self.mark_firsts(row[3], np.flatnonzero(near & there))
        new = self.place[:0]
        if self.lost.any():
            new = np.flatnonzero(self.lost & ~self.over)
            self.ended[self.place[new]] = self.recorded(new)
            self.lost[:] = False
        if row[1] >= 0:
            column = self.out[: self.begun, row[1]]
            if isinstance(mine, slice) and len(self.place) == self.begun and not self.gone:
                column[:] = self.recorded(mine)
            else:
                mine = self.numbered(mine)[~self.over[mine]]
                column[:] = self.ended[: self.begun]
                column[self.place[mine]] = self.recorded(mine)
            self.recorded_up_to = row[1] + 1
        if len(new):
            self.leave(new)

    def mark_firsts(self, turn: int, mine: Numbers) -> None:
        """Write down the turn for the axes of a first turn that hold now and did not before."""
        for k, (which, low, most, shift, never, term) in enumerate(self.p.firsts.tolist()):
            waiting = mine[self.waiting[mine, k]]
            if not len(waiting):
                continue
            if term == Term.LOST:
                total = self.lost[waiting] | self.late[waiting]
            else:
                total = self.library(waiting) if term == Term.LIBRARY else self.total(which, waiting)
            now = waiting[(low <= total) & (total <= most)]
            self.waiting[now, k] = False
            self.counted[now] -= never - turn << shift

    def recorded(self, mine: Some) -> Numbers:
        """Return the numbers of the cells with the axes that are read at a mark added to them."""
        cell = self.cell[mine]
        for which, most, shift in self.p.late.tolist():
            cell = cell + (np.minimum(self.total(which, mine), most) << shift)
        return cell

    # cards

    def move_cards(self, row: list[int], mine: Some, number: int | Numbers) -> None:
        """Carry out a row that takes cards from the library and sends each of them somewhere."""
        code, plain = row[0], self.is_plain(row)
        while len(library := self.library(mine)):
            goal, most = None, least(number, library)
            if code == Code.UNTIL:
                goal, most = number, least(row[5], library)
            choice = self.choice(row, mine, len(library))
            took = self.take(row, mine, most, goal, plain)
            if plain and not took.counted:
                self.put_on_one(row, mine, took)
            elif not plain:
                self.send(row, self.numbered(mine), took, choice)
            if code != Code.MOVE or not row[6]:
                return
            mine = self.numbered(mine)[self.share(self.p.masks[row[6]], took)]
            number = self.number(row, mine)

    def is_plain(self, row: list[int]) -> bool:
        """Tell whether all cards that a row takes go to its pile, and nobody needs to know them one by one."""
        if self.p.back >> row[3] & 1 or row[0] == Code.LOOK:
            return False
        return row[7] == row[8] != TO_BOTTOM if row[0] == Code.UNTIL else not row[6]

    def open_hands(self, row: list[int], mine: Numbers) -> None:
        """Carry out a mulligan: the libraries have no known cards then."""
        rounds = 0
        while len(mine):
            here = some_of(mine, len(self.pos))
            most = least(row[1], self.library(here))
            away = rounds - row[7]
            took = self.take_unknown(row, here, most, None, bool(away > 0 or self.p.full or self.p.back))
            kept = self.is_kept(row, took.total) | (rounds >= row[5])
            thrown = np.flatnonzero(~kept)
            if away > 0 or self.p.full or self.p.back:
                self.keep_hands(row, mine, took, np.flatnonzero(kept), away)
            else:
                self.counted[here] += took.gain * kept
            mine, rounds = mine[thrown], rounds + 1
            self.pos[mine] -= took.size if isinstance(took.size, int) else took.size[thrown]
            self.pool[:, mine] = took.before.take(thrown, 1)

    def keep_hands(self, row: list[int], mine: Numbers, took: Took, held: Numbers, away: int) -> None:
        """Keep some of the looks of a mulligan, but for some cards of each."""
        mine = mine[held]
        took = took.only(held)
        took.size = sizes(took)
        if away > 0:
            self.put_away(row, mine, took, away)
        if self.p.back >> row[3] & 1 or (self.p.full and away > 0):
            sent = np.where(places_of(took) < took.size, np.uint8(row[3]), np.uint8(GONE))
            self.put_on_piles(mine, took.cards, sent)
        else:
            self.put_on_one(row, mine, took)

    def put_on_one(self, row: list[int], mine: Some, took: Took) -> None:
        """Let cards that all went to the pile of a row change what is counted."""
        self.counted[mine] += took.gain
        if self.p.full:
            self.tally[mine] += took.tally
            self.seen[mine, row[3]] |= took.features

    def is_kept(self, row: list[int], total: Numbers) -> NDArray[np.bool_]:
        """Tell which looks of a mulligan are kept."""
        kept = np.ones(len(total), bool)
        for shift, mask, low, most in self.p.keeps[row[8] : row[9]].tolist():
            held = total >> shift & mask
            kept &= (low <= held) & (held <= most)
        return kept

    def choice(self, row: list[int], mine: Some, count: int) -> Numbers | None:
        """Return which row of its table a `Look` uses; None for other rows."""
        if row[0] != Code.LOOK:
            return None
        if row[7] < 0:
            return np.zeros(count, np.int64)
        return np.minimum(row[5] - 1, self.total(row[7], mine))

    def take(self, row: list[int], mine: Some, most: Any, goal: Any, plain: bool) -> Took:
        """Take cards from the top, one by one, until there are `most` or their sum in a local table reaches a goal."""
        if not self.knows(mine, most):
            return self.take_unknown(row, mine, most, goal, not plain, plain)
        mine = self.numbered(mine)
        n = len(mine)
        most, goal = np.broadcast_to(most, n), None if goal is None else np.broadcast_to(goal, n)
        size, total, gain, tally = np.zeros((4, n), np.int64)
        cards = np.zeros((0 if plain else int(most.max(initial=0)) + 1, n), np.uint8)
        took = Took(size, total, gain, tally, np.zeros(n, U), cards, self.pool[:, :0])
        who = np.flatnonzero(most > 0 if goal is None else (most > 0) & (goal > 0))
        while len(some := who[self.above[mine[who]] > 0]):
            lanes = mine[some]
            drawn = self.deck[self.place[lanes], self.pos[lanes]]
            self.above[lanes] -= 1
            self.pos[lanes] += 1
            self.put(row, took, some, drawn)
            who = self.going(took, who, most, goal)
        self.go_on(row, mine, most, goal, took, who[self.pos[mine[who]] < self.top[mine[who]]])
        while len(who := self.going(took, who, most, goal)):
            lanes = mine[who]
            self.put(row, took, who, self.ring[self.place[lanes], self.head[lanes] & self.ring.shape[1] - 1])
            self.head[lanes] += 1
        return took

    def knows(self, mine: Some, most: Any) -> bool:
        """Tell whether some of the next cards in a library may be known ones."""
        if not len(self.ring):
            return False
        return bool(self.above[mine].max(initial=0) or (self.top[mine] - self.pos[mine] < most).any())

    def go_on(self, row: list[int], mine: Numbers, most: Numbers, goal: Any, took: Took, who: Numbers) -> None:
        """Go on with the unknown part in some of the trials."""
        if not len(who):
            return
        lanes = some_of(mine[who], len(self.pos))
        least = np.minimum(most[who] - took.size[who], self.top[lanes] - self.pos[lanes])
        rest = None if goal is None else goal[who] - took.total[who]
        more = self.take_unknown(row, lanes, least, rest, len(took.cards) > 0)
        size = sizes(more)
        for i, cards in enumerate(more.cards[: len(took.cards)]):
            some = np.flatnonzero(size > i)
            took.cards[took.size[who[some]] + i, who[some]] = cards[some]
        took.size[who] += size
        took.total[who] += more.total
        took.gain[who] += more.gain
        took.tally[who] += more.tally
        took.features[who] |= more.features

    def going(self, took: Took, who: Numbers, most: Numbers, goal: Numbers | None) -> Numbers:
        """Return those of some trials that take more cards."""
        more = took.size[who] < most[who]
        if goal is not None:
            more &= took.total[who] < goal[who]
        some: Numbers = who[more]
        return some

    def put(self, row: list[int], took: Took, who: Numbers, cards: Bytes) -> None:
        """Add one card to what is taken in some of the trials."""
        adds = self.adds(row)
        if len(took.cards):
            took.cards[took.size[who], who] = cards
        took.size[who] += 1
        took.total[who] += adds.total.table[cards]
        took.gain[who] += adds.gain.table[cards]
        if self.p.full:
            took.tally[who] += adds.tally.table[cards]
            took.features[who] |= self.p.features[cards]

    def send(self, row: list[int], mine: Numbers, took: Took, choice: Numbers | None) -> None:
        """Send each card that was taken where it goes."""
        took.size = sizes(took)
        sent = np.where(places_of(took) < took.size, np.uint8(row[3]), np.uint8(GONE))
        if choice is not None:
            self.send_looked_at(row, choice, sent, took)
        elif row[0] == Code.UNTIL:
            self.send_found(row, mine, sent, took)
        self.put_back(mine, took.cards, sent)
        self.put_on_piles(mine, took.cards, sent)

    def put_away(self, row: list[int], mine: Numbers, took: Took, away: int) -> None:
        """Put cards of kept looks on the bottom, each by the first rule that matches; the last one takes its place."""
        adds, lanes, cards, places = self.adds(row), np.arange(len(mine)), took.cards, places_of(took)
        total, gain = adds.total.table, adds.gain.table
        rules = [
            (shift, mask, above, (total >> shift & mask) != 0)
            for shift, mask, above in self.p.surplus[row[10] : row[11]].tolist()
        ]
        for _ in range(away):
            there = places < took.size
            fits, undecided = there, np.ones(len(mine), bool)
            for shift, mask, above, matches in rules:
                these = matches.take(cards) & there
                now = undecided & ((took.total >> shift & mask) > above) & these.any(0)
                fits = (these & now) | (fits & ~now)
                undecided &= ~now
            self.s[mine], which = below(self.s[mine], fits.sum(0, U))
            chosen = place_of(fits, which)
            card = cards[chosen, lanes]
            self.put_below(mine, card)
            took.total -= total.take(card)
            took.gain -= gain.take(card)
            took.size -= 1
            cards[chosen, lanes] = cards[took.size, lanes]

    def send_found(self, row: list[int], mine: Numbers, sent: Bytes, took: Took) -> None:
        """Send the cards of an `Until`; those for the bottom come into a random order."""
        to = np.where(self.adds(row).total.table > 0, row[7], row[8]).astype(np.uint8)
        for cards, places in zip(took.cards, sent, strict=True):  # all at once would need eight times the room
            np.copyto(places, to.take(cards), where=places != GONE)
        if row[8] != TO_BOTTOM:
            return
        for i in range(len(took.cards) - 1):
            some = np.flatnonzero(took.size - 1 > i)
            lanes = mine[some]
            self.s[lanes], place = below(self.s[lanes], (took.size[some] - i).astype(U))
            k = i + place.astype(np.int64)
            for each in (took.cards, sent):
                each[i, some], each[k, some] = each[k, some], each[i, some]

    def send_looked_at(self, row: list[int], choice: Numbers, sent: Bytes, took: Took) -> None:
        """Send the cards of a `Look`: first those that are picked, then each of the others by the table."""
        classes, sends = self.p.classes, self.p.sends
        sent[sent != GONE] = OPEN
        ranks = np.where(sent == OPEN, sends[row[9] * classes :].take(took.cards), np.uint8(NEVER))
        lanes = np.arange(len(choice))
        for _ in range(row[8] if len(ranks) else 0):
            chosen = ranks.argmin(0)
            now = lanes[ranks[chosen, lanes] < NEVER]
            sent[chosen[now], now] = row[3]
            ranks[chosen[now], now] = NEVER
        others = sends[(row[6] + choice) * classes + took.cards]
        np.copyto(sent, others, where=sent == OPEN)

    def put_back(self, mine: Numbers, cards: Bytes, sent: Bytes) -> None:
        """Put the cards that stay in the library on its bottom or back on its top."""
        for card, to in zip(cards, sent, strict=True):
            down = to == TO_BOTTOM
            if down.any():
                self.put_below(mine[down], card[down])
        for card, to in zip(cards[::-1], sent[::-1], strict=True):
            up = to == TO_TOP
            if up.any():
                self.above[mine[up]] += 1
                self.put_on_top(mine[up], card[up])

    def put_on_piles(self, mine: Numbers, cards: Bytes, sent: Bytes) -> None:
        """Let the cards that went to piles change what is counted."""
        p, featured = self.p, bool(self.p.full and self.p.features.any())
        gain, tally = np.zeros((2, len(mine)), np.int64)
        for each, to in zip(cards, sent, strict=True):
            change = np.minimum(to, PLACES).astype(np.int64) * p.classes + each
            gain += p.weights.take(change)
            if p.full:
                tally += p.tally_weights.take(change)
            if featured:
                there = np.flatnonzero(to < OPEN)
                self.seen[mine[there], to[there]] |= p.features[each[there]]
            if p.back:
                kept = np.flatnonzero(p.back >> np.minimum(to, PLACES) & 1)
                lanes, pile = mine[kept], to[kept]
                self.stored[self.place[lanes], self.slots[pile], self.filled[lanes, pile]] = each[kept]
                self.filled[lanes, pile] += 1
        self.counted[mine] += gain
        if p.full:
            self.tally[mine] += tally

    def share(self, mask: np.uint64, took: Took) -> NDArray[np.bool_]:
        """Tell in which trials two of the cards taken have a feature of a mask in common."""
        once, twice = np.zeros(len(took.size), U), np.zeros(len(took.size), U)
        for i, cards in enumerate(took.cards):
            own = np.where(took.size > i, self.p.features[cards] & mask, U(0))
            twice |= once & own
            once |= own
        return np.asarray(twice != 0)


def only_if(happens: NDArray[np.bool_], number: int | Numbers) -> Numbers:
    """Return a number where something happens, else 0; in narrow numbers if it is one."""
    small = isinstance(number, int) and abs(number) <= MOST_SMALL
    return np.multiply(happens, number, dtype=np.int16 if small else np.int64)


def sizes(took: Took) -> Numbers:
    """Return how many cards were taken in each trial, in numbers to reckon with."""
    return np.array(np.broadcast_to(took.size, len(took.gain)), np.int64)


def places_of(took: Took) -> Numbers:
    """Return the number of each row of the cards taken, as a column."""
    return np.arange(len(took.cards))[:, None]


def place_of(fits: NDArray[np.bool_], number: NDArray[np.uint64]) -> Numbers:
    """Return in which row of an array (cards, trials) the card with a number among those that fit lies."""
    left, place = number.astype(np.int16), np.zeros(len(number), np.int16)
    for one in fits:
        left -= one
        place += left >= 0
    return place.astype(np.int64)


def count(cells: Numbers, table: Numbers, fields: Numbers) -> None:
    """Count some of the bits of cells: the function of the same name in `kernel`."""
    for shift, bits, mask, start in fields.tolist():
        for turn, of_turn in enumerate(cells.T):
            values = of_turn >> shift
            values &= mask
            first = start + (turn << bits)
            table[first : first + (1 << bits)] += np.bincount(values, minlength=1 << bits)
