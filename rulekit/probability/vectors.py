"""The program played by NumPy, many trials side by side: the same numbers as `kernel`, bit for bit.

Methods have the names of the functions of `kernel` and `taking` and do the same for the trials that have come to a
row, with an array in place of each number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.packed import (
    AT_ONCE,
    GROUP,
    NEVER,
    NO_LIMIT,
    SAME,
    TO_BOTTOM,
    TO_TOP,
    Arrays,
    Code,
    Numbers,
    Words,
)
from rulekit.probability.side_by_side import Bytes, SideBySide, Some, some_of
from rulekit.probability.taking import ENDLESS, GONE, OPEN
from rulekit.probability.word_arrays import U, below, high, mix, redrawn, tossed_at
from rulekit.probability.words import GOLD

MOST_BYTES = 1 << 19
MOST_SIDE_BY_SIDE = 1 << 13


def side_by_side(arrays: Arrays) -> int:
    """Return how many trials are best played at once."""
    return max(256, min(MOST_SIDE_BY_SIDE, MOST_BYTES // arrays.cards))


class Beside:
    """Hold arrays that have a row for each of some trials."""

    def only(self, kept: NDArray[np.bool_]) -> Self:
        """Leave out some of the trials."""
        some = np.flatnonzero(kept)
        return type(self)(*(each.take(some, 0) for each in vars(self).values()))


@dataclass
class Took(Beside):
    """Hold what a row took in each of some trials.

    Attributes:
        size: Number of cards.
        total: Their sum in the local table.
        gain: What they add to the number of the cell if all go to the pile of the row.
        tally: The same for the tally.
        features: Their features.
        cards: uint8 array (trials, cards + 1): their classes; no columns where nobody needs them.
    """

    size: Numbers
    total: Numbers
    gain: Numbers
    tally: Numbers
    features: Words
    cards: Bytes


@dataclass
class Hands(Beside):
    """Cards of the unknown part that are being taken in step.

    Attributes:
        who: Which of the trials that carry out the row these are.
        lanes: Which of all trials.
        base: Place of the first card of each deck.
        left: Number of cards that may come next.
        last: Number of steps after which it ends.
        goal: Sum at which it ends.
        size: Number of cards that were taken before.
        s: The random streams.
        word: What is left of the words.
        total, gain, tally, features: See `Took`.
    """

    who: Numbers
    lanes: Numbers
    base: Numbers
    left: Words
    last: Numbers
    goal: Numbers
    size: Numbers
    s: Words
    word: Words
    total: Numbers
    gain: Numbers
    tally: Numbers
    features: Words


class Trials(SideBySide):
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
        return self.out[:trials]

    def carry_out(self, row: list[int], mine: Some) -> None:
        """Carry out a row of any kind but a mark."""
        code, number = row[0], self.number(row, mine)
        if row[4] >= 0:
            self.toss(row, mine)
        if row[4] >= 0 or row[4] == SAME:
            number = number * self.happens[mine]
        if code in (Code.PASS, Code.DEAL, Code.SKIP, Code.MOVE) and row[5]:
            short = np.flatnonzero(number > self.library(mine))
            short = short if isinstance(mine, slice) else mine[short]
            self.cell[short[~self.late[short]]] += self.p.losing
            (self.lost if row[5] == AT_ONCE else self.late)[short] = True
        if code in (Code.PASS, Code.SKIP):
            self.skip(row, mine, number)
        elif code in (Code.ADD, Code.GAIN):
            number = np.maximum(number, -self.registers[mine, row[3]])
            self.registers[mine, row[3]] += number
            self.cell[mine] += number * row[7]
        elif code <= Code.LOOK:
            self.move_cards(row, self.numbered(mine), np.broadcast_to(number, len(self.pos[mine])))
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
        self.s[mine], self.happens[mine] = tossed_at(self.s[mine], *self.chances[row[4]])

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
        lost = np.flatnonzero(self.lost)
        everyone = np.concatenate([self.numbered(mine), lost]) if len(lost) else mine
        if len(self.p.firsts) and (near := self.library(everyone) <= self.p.quiet).any():
            self.mark_firsts(row[3], self.numbered(everyone)[near])
        if row[1] >= 0:
            mine = self.numbered(mine)[~self.over[mine]] if self.gone else mine
            self.out[self.place[mine], row[1]] = self.recorded(mine)
        if len(lost):
            new = lost[~self.over[lost]]
            self.out[self.place[new], row[5] :] = self.recorded(new)[:, None]
            self.lost[lost] = False
            self.leave(new)

    def mark_firsts(self, turn: int, mine: Numbers) -> None:
        """Write down the turn for the axes of a first turn that hold now and did not before."""
        for k, (which, low, most, shift, never, _) in enumerate(self.p.firsts.tolist()):
            waiting = mine[self.waiting[mine, k]]
            total = self.total(which, waiting)
            now = waiting[(low <= total) & (total <= most)]
            self.waiting[now, k] = False
            self.cell[now] -= never - turn << shift

    def recorded(self, mine: Some) -> Numbers:
        """Return the numbers of the cells with the axes that are read at a mark added to them."""
        cell = self.cell[mine]
        for which, most, shift in self.p.late.tolist():
            cell = cell + (np.minimum(self.total(which, mine), most) << shift)
        return cell

    # cards

    def move_cards(self, row: list[int], mine: Numbers, number: Numbers) -> None:
        """Carry out a row that takes cards from the library and sends each of them somewhere."""
        code, rounds = row[0], 0
        while len(mine):
            library = self.library(mine)
            goal, most = np.full(len(mine), ENDLESS), np.minimum(number, library)
            if code == Code.UNTIL:
                goal, most = number, np.minimum(row[5], library)
            start = self.pos[mine]
            choice = self.choice(row, mine)
            took = self.take(row, mine, most, goal, self.is_plain(row, rounds))
            if code == Code.MULLIGAN:
                kept = self.is_kept(row, took.total) | (rounds >= row[5])
                self.pos[mine[~kept]] = start[~kept]
                self.send(row, mine[kept], took.only(kept), rounds)
                mine, number, rounds = mine[~kept], number[~kept], rounds + 1
                continue
            self.send(row, mine, took, rounds, choice)
            if code != Code.MOVE or not row[6]:
                return
            mine = mine[self.share(self.p.masks[row[6]], took)]
            number = np.broadcast_to(self.number(row, mine), len(mine))

    def is_plain(self, row: list[int], rounds: int) -> bool:
        """Tell whether all cards that a row takes go to its pile, and nobody needs to know them one by one."""
        if self.p.back >> row[3] & 1 or row[0] == Code.LOOK:
            return False
        if row[0] == Code.UNTIL:
            return row[7] == row[8] != TO_BOTTOM
        return rounds <= row[7] if row[0] == Code.MULLIGAN else not row[6]

    def is_kept(self, row: list[int], total: Numbers) -> NDArray[np.bool_]:
        """Tell which looks of a mulligan are kept."""
        kept = np.ones(len(total), bool)
        for shift, mask, low, most in self.p.keeps[row[8] : row[9]].tolist():
            held = total >> shift & mask
            kept &= (low <= held) & (held <= most)
        return kept

    def choice(self, row: list[int], mine: Numbers) -> Numbers | None:
        """Return which row of its table a `Look` uses; None for other rows."""
        if row[0] != Code.LOOK:
            return None
        if row[7] < 0:
            return np.zeros(len(mine), np.int64)
        return np.minimum(row[5] - 1, self.total(row[7], mine))

    def take(self, row: list[int], mine: Numbers, most: Numbers, goal: Numbers, plain: bool) -> Took:
        """Take cards from the top, one by one, until there are `most` or their sum in a local table reaches a goal."""
        n = len(mine)
        columns = 0 if plain else int(most.max(initial=0)) + 1
        size, total, gain, tally = np.zeros((4, n), np.int64)
        took = Took(size, total, gain, tally, np.zeros(n, U), np.zeros((n, columns), np.uint8))
        who = np.flatnonzero((most > 0) & (goal > 0))
        while len(self.ring) and len(known := who[self.above[mine[who]] > 0]):
            lanes = mine[known]
            cards = self.deck[self.place[lanes] * self.width + self.pos[lanes]]
            self.above[lanes] -= 1
            self.pos[lanes] += 1
            self.put(row, took, known, cards)
            who = who[(took.size[who] < most[who]) & (took.total[who] < goal[who])]
        self.take_unknown(row, mine, most, goal, took, who[self.pos[mine[who]] < self.top[mine[who]]])
        while len(self.ring) and len(who := who[(took.size[who] < most[who]) & (took.total[who] < goal[who])]):
            lanes = mine[who]
            self.put(row, took, who, self.ring[self.place[lanes], self.head[lanes] % self.ring.shape[1]])
            self.head[lanes] += 1
        return took

    def put(self, row: list[int], took: Took, who: Numbers, cards: Bytes) -> None:
        """Add one card to what is taken in some of the trials."""
        if took.cards.shape[1]:
            took.cards[who, took.size[who]] = cards
        took.size[who] += 1
        took.total[who] += self.local(row)[cards]
        took.gain[who] += self.p.weights[row[3] * self.p.classes :][cards]
        took.tally[who] += self.p.tally_weights[row[3] * self.p.classes :][cards]
        took.features[who] |= self.p.features[cards]

    def local(self, row: list[int]) -> Numbers:
        """Return the local table of a row."""
        return self.p.local[row[6] * self.p.classes :] if row[0] in (Code.UNTIL, Code.MULLIGAN) else self.p.local

    def take_unknown(
        self, row: list[int], mine: Numbers, most: Numbers, goal: Numbers, took: Took, who: Numbers
    ) -> None:
        """Take cards of the unknown part in step.

        Trials that are done go on with a deck that belongs to no trial, until they are the half of all and are left
        out.
        """
        lanes = mine[who]
        at, here = some_of(who, len(mine)), some_of(lanes, len(self.pos))
        left = self.beyond[here] - self.pos[here]
        last = np.minimum(most[at] - took.size[at], self.top[here] - self.pos[here])
        base, free = self.place[here] * self.width + self.pos[here], left.astype(U)
        s, word, until = self.s[here].copy(), np.zeros(len(who), U), goal[at].copy()
        total, gain, tally = (each[at].copy() for each in (took.total, took.gain, took.tally))
        size, features = took.size[at].copy(), took.features[at].copy()
        hands = Hands(who, lanes, base, free, last, until, size, s, word, total, gain, tally, features)
        step, check, working = 0, 0, len(who)
        while working:
            if step % GROUP == 0:
                hands.s += U(GOLD)
                at = hands.left.view(np.int64)
                hands.s, hands.word = redrawn(hands.s, mix(hands.s), self.p.product.take(at), self.p.limit.take(at))
            self.pick(row, hands, took, step)
            step += 1
            if step < check and row[0] != Code.UNTIL:
                continue
            ending = (step >= hands.last) | (hands.total >= hands.goal)
            if ending.any():
                done = np.flatnonzero(ending)
                self.finish(hands, took, done, step)
                working -= len(done)
                hands = hands.only(hands.last < NO_LIMIT) if 2 * working < len(hands.who) else hands
            check = int(hands.last.min(initial=NO_LIMIT))

    def pick(self, row: list[int], hands: Hands, took: Took, step: int) -> None:
        """Take the next card of each deck."""
        p, begin = self.p, row[3] * self.p.classes
        at = high(hands.word, hands.left).view(np.int64)
        at += hands.base
        hands.word *= hands.left
        hands.left -= U(1)
        cards = self.deck.take(at)
        self.deck[at] = self.deck.take(hands.base)
        if row[0] == Code.MULLIGAN:
            self.deck[hands.base] = cards
        hands.base += 1
        hands.gain += p.weights[begin:].take(cards)
        if row[0] in (Code.UNTIL, Code.MULLIGAN):
            hands.total += self.local(row).take(cards)
        if p.full:
            hands.tally += p.tally_weights[begin:].take(cards)
            hands.features |= p.features.take(cards)
        if took.cards.shape[1]:
            took.cards[hands.who, np.minimum(hands.size + step, took.cards.shape[1] - 1)] = cards

    def finish(self, hands: Hands, took: Took, done: Numbers, step: int) -> None:
        """Keep what was taken in trials that are done, and give them a deck that belongs to no trial."""
        which = some_of(done, len(hands.who))
        lanes, who = some_of(hands.lanes[which], len(self.pos)), some_of(hands.who[which], len(took.size))
        self.s[lanes] = hands.s[which]
        self.pos[lanes] += step
        took.size[who] += step
        took.total[who], took.gain[who] = hands.total[which], hands.gain[which]
        took.tally[who], took.features[who] = hands.tally[which], hands.features[which]
        hands.base[which], hands.left[which] = self.spare, self.p.cards - step + 1
        hands.last[which], hands.goal[which] = NO_LIMIT, ENDLESS

    def send(self, row: list[int], mine: Numbers, took: Took, rounds: int, choice: Numbers | None = None) -> None:
        """Send each card that was taken where it goes."""
        if self.is_plain(row, rounds):
            self.cell[mine] += took.gain
            if self.p.full:
                self.tally[mine] += took.tally
                self.seen[mine, row[3]] |= took.features
            return
        columns = np.arange(took.cards.shape[1])
        sent = np.where(columns < took.size[:, None], row[3], GONE)
        if choice is not None:
            self.send_looked_at(row, choice, sent, took)
        elif row[0] == Code.UNTIL:
            self.send_found(row, mine, sent, took)
        elif row[0] == Code.MULLIGAN:
            self.put_away(row, mine, sent, took, rounds - row[7])
        self.put_back(mine, took.cards, sent)
        self.put_on_piles(mine, took.cards, sent)

    def put_away(self, row: list[int], mine: Numbers, sent: Numbers, took: Took, away: int) -> None:
        """Put cards of kept looks on the bottom, each by the first rule that matches; the last one takes its place."""
        local, lanes = self.local(row), np.arange(len(mine))
        for _ in range(away):
            adds = local[took.cards]
            fits = sent != GONE
            open_ = np.ones(len(mine), bool)
            for shift, mask, above in self.p.surplus[row[10] : row[11]].tolist():
                these = (sent != GONE) & (adds >> shift & mask != 0)
                now = open_ & ((took.total >> shift & mask) > above) & these.any(1)
                fits[now] = these[now]
                open_ &= ~now
            self.s[mine], which = below(self.s[mine], fits.sum(1).astype(U))
            chosen = (fits.cumsum(1) == which[:, None].astype(np.int64) + 1).argmax(1)
            took.total -= adds[lanes, chosen]
            self.put_below(mine, took.cards[lanes, chosen])
            took.size -= 1
            took.cards[lanes, chosen] = took.cards[lanes, took.size]
            sent[lanes, took.size] = GONE

    def send_found(self, row: list[int], mine: Numbers, sent: Numbers, took: Took) -> None:
        """Send the cards of an `Until`; those for the bottom come into a random order."""
        found = self.local(row)[took.cards] > 0
        sent[:] = np.where(sent == GONE, GONE, np.where(found, row[7], row[8]))
        if row[8] != TO_BOTTOM:
            return
        for i in range(took.cards.shape[1] - 1):
            some = np.flatnonzero(took.size - 1 > i)
            lanes = mine[some]
            self.s[lanes], place = below(self.s[lanes], (took.size[some] - i).astype(U))
            k = i + place.astype(np.int64)
            for each in (took.cards, sent):
                each[some, i], each[some, k] = each[some, k], each[some, i]

    def send_looked_at(self, row: list[int], choice: Numbers, sent: Numbers, took: Took) -> None:
        """Send the cards of a `Look`: first those that are picked, then each of the others by the table."""
        classes = self.p.classes
        sends = self.p.sends.astype(np.int64)
        sent[sent != GONE] = OPEN
        ranks = np.where(sent == OPEN, sends[row[9] * classes + took.cards.astype(np.int64)], NEVER)
        lanes = np.arange(len(choice))
        for _ in range(row[8] if ranks.shape[1] else 0):
            chosen = ranks.argmin(1)
            now = lanes[ranks[lanes, chosen] < NEVER]
            sent[now, chosen[now]] = row[3]
            ranks[now, chosen[now]] = NEVER
        others = sends[(row[6] + choice[:, None]) * classes + took.cards]
        sent[:] = np.where(sent == OPEN, others, sent)

    def put_back(self, mine: Numbers, cards: Bytes, sent: Numbers) -> None:
        """Put the cards that stay in the library on its bottom or back on its top."""
        for i in range(cards.shape[1]):
            down = sent[:, i] == TO_BOTTOM
            if down.any():
                self.put_below(mine[down], cards[down, i])
        for i in range(cards.shape[1] - 1, -1, -1):
            up = sent[:, i] == TO_TOP
            if up.any():
                self.above[mine[up]] += 1
                self.put_on_top(mine[up], cards[up, i])

    def put_on_piles(self, mine: Numbers, cards: Bytes, sent: Numbers) -> None:
        """Let the cards that went to piles change what is counted."""
        for i in range(cards.shape[1]):
            there = sent[:, i] < OPEN
            lanes, pile, card = mine[there], sent[there, i], cards[there, i]
            change = pile * self.p.classes + card
            self.cell[lanes] += self.p.weights[change]
            if not self.p.full:
                continue
            self.tally[lanes] += self.p.tally_weights[change]
            self.seen[lanes, pile] |= self.p.features[card]
            if self.p.back:
                kept = (self.p.back >> pile & 1).astype(bool)
                lanes, pile = lanes[kept], pile[kept]
                self.stored[self.place[lanes], pile, self.filled[lanes, pile]] = card[kept]
                self.filled[lanes, pile] += 1

    def share(self, mask: np.uint64, took: Took) -> NDArray[np.bool_]:
        """Tell in which trials two of the cards taken have a feature of a mask in common."""
        once, twice = np.zeros(len(took.size), U), np.zeros(len(took.size), U)
        for i in range(took.cards.shape[1]):
            own = np.where(took.size > i, self.p.features[took.cards[:, i]] & mask, U(0))
            twice |= once & own
            once |= own
        return np.asarray(twice != 0)


def count(cells: Numbers, table: Numbers, fields: Numbers) -> None:
    """Count some of the bits of cells: the function of the same name in `kernel`."""
    turns = cells.shape[1]
    for shift, bits, mask, start in fields.tolist():
        places = (np.arange(turns) << bits) + (cells >> shift & mask)
        table[start : start + (turns << bits)] += np.bincount(places.ravel(), minlength=turns << bits)
