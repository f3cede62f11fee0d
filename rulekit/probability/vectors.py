"""The program played by NumPy, many trials side by side: the same numbers as `kernel`, bit for bit.

Each method carries out one kind of row for the trials that have come to it, and is the function of the same name in `kernel`
with an array for each of its numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.kernel import ENDLESS, GOLD, GONE, MIX_1, MIX_2, ODD, OPEN, PLACES
from rulekit.probability.native import WORD
from rulekit.probability.packing import GROUP, NEVER, NO_LIMIT, TO_BOTTOM, TO_TOP, Arrays, Code, Numbers, Term, Words

Bytes: TypeAlias = NDArray[np.uint8]
Some: TypeAlias = slice | Numbers
U = np.uint64
HALF, LOWER = U(32), U(0xFFFFFFFF)
MOST_BYTES = 1 << 19
MOST_SIDE_BY_SIDE = 1 << 13


def mix(z: Words) -> Words:
    """Mix the bits of words."""
    z = (z ^ (z >> U(30))) * U(MIX_1)
    z = (z ^ (z >> U(27))) * U(MIX_2)
    return z ^ (z >> U(31))


def high(words: Words, bounds: Any) -> Words:
    """Return the upper 64 bits of products of words and bounds below 2**32."""
    low = (words & LOWER) * bounds
    low >>= HALF
    upper = (words >> HALF) * bounds
    upper += low
    upper >>= HALF
    return upper


def redrawn(s: Words, words: Words, product: Any, limit: Any) -> tuple[Words, Words]:
    """Step on where a word would make some places likelier than others."""
    bad = words * product < limit
    while bad.any():
        s[bad] += U(GOLD)
        words[bad] = mix(s[bad])
        bad = words * product < limit
    return s, words


def below(s: Words, bounds: Any) -> tuple[Words, Words]:
    """Draw numbers below bounds: one bound, or one for each."""
    s = s + U(GOLD)
    s, words = redrawn(s, mix(s), bounds, (U(0) - bounds) % bounds)
    return s, high(words, bounds)


def side_by_side(arrays: Arrays) -> int:
    """Return how many trials are best played at once."""
    return max(256, min(MOST_SIDE_BY_SIDE, MOST_BYTES // arrays.cards))


@dataclass
class _Took:
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

    def only(self, kept: NDArray[np.bool_]) -> _Took:
        """Leave out some of the trials."""
        return _Took(*(each[kept] for each in vars(self).values()))


class Trials:
    """Play trials of a program side by side.

    Trials whose game is lost are taken out at the next mark; `place` keeps which trials the others are.
    """

    def __init__(self, arrays: Arrays, most: int) -> None:
        """Make room for a number of trials.

        Args:
            arrays: The program.
            most: Most trials that are played at once.
        """
        p = self.p = arrays
        self.rows: list[list[int]] = p.rows.tolist()
        self.jumps = any(row[0] in (Code.COIN, Code.WHEN, Code.JUMP) for row in self.rows)
        self.width, self.spare, listed = len(p.deck), len(p.deck) * most, PLACES if p.full else 0
        self.deck = np.zeros(self.spare + 3 * p.cards, np.uint8)
        self.ring = np.zeros((most if self.has_known() else 0, len(p.bottom)), np.uint8)
        self.stored = np.zeros((most, listed if p.back else 0, p.cards), np.uint8)
        self.out = np.zeros((most, p.marks), np.int64)

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
                mine = self.here(q)
                if row[0] == Code.MARK:
                    self.mark(row, mine)
                elif len(self.pos[mine]):
                    self.carry_out(row, mine)
        return self.out[:trials]

    def begin(self, trials: int, first: int, key: int) -> None:
        """Lay out the decks."""
        p, n = self.p, trials
        self.deck[: self.spare].reshape(len(self.out), self.width)[:n] = p.deck
        self.ring[:n] = p.bottom
        self.place = np.arange(n)
        self.s = mix(U(key) + (np.arange(n, dtype=U) + U(first & WORD)) * U(ODD))
        self.pos, self.top, self.above = np.full(n, p.start), np.full(n, p.top), np.full(n, p.known - p.start)
        self.head, self.tail, self.beyond = np.zeros(n, np.int64), np.full(n, p.below), np.full(n, p.top)
        self.cell, self.tally = np.full(n, p.cell), np.zeros(n, np.int64)
        self.waiting, self.lost = np.ones((n, len(p.firsts)), bool), np.zeros(n, bool)
        self.registers = np.zeros((n, len(p.register_weights)), np.int64)
        listed = PLACES if p.full else 0
        self.seen, self.filled = np.zeros((n, listed), U), np.zeros((n, listed), np.int64)
        self.waits = np.zeros(n if self.jumps else 0, np.int64)

    def has_known(self) -> bool:
        """Tell whether any card in the library can ever be a known one."""
        kinds = {row[0] for row in self.rows}
        sent = any(row[8] == TO_BOTTOM for row in self.rows if row[0] == Code.UNTIL)
        return sent or bool(self.p.known or kinds & {Code.MULLIGAN, Code.LOOK})

    def here(self, q: int) -> Some:
        """Return the trials that have come to a row."""
        going = self.waits <= q if self.jumps else None
        if self.lost.any():
            going = ~self.lost if going is None else going & ~self.lost
        return slice(None) if going is None or going.all() else np.flatnonzero(going)

    def leave(self) -> None:
        """Take the trials out whose game is lost."""
        left = ~self.lost
        for name in (
            "place", "s", "pos", "top", "beyond", "above", "head", "tail", "cell", "tally", "waiting", "lost", "registers", "seen",
            "filled", "waits",
        ):  # fmt: skip
            if getattr(self, name).size:
                setattr(self, name, getattr(self, name)[left])

    def library(self, mine: Some) -> Numbers:
        """Count the cards in the library."""
        left = self.top[mine] - self.pos[mine]
        return left + self.tail[mine] - self.head[mine] if len(self.ring) else left

    # numbers

    def total(self, which: int, mine: Some) -> Numbers:
        """Read a sum of values."""
        shift, mask, tally_shift, tally_mask, first, last = self.p.sums[which].tolist()
        total = (self.cell[mine] >> shift & mask) + (self.tally[mine] >> tally_shift & tally_mask)
        for kind, piles, mask_place in self.p.terms[first:last].tolist():
            if kind == Term.LIBRARY:
                total = total + self.library(mine)
            elif kind == Term.LOST:
                total = total + self.lost[mine]
            elif kind == Term.REGISTER:
                total = total + self.registers[mine, piles]
            else:
                total = total + self.features_seen(mine, piles, self.p.masks[mask_place])
        return total

    def features_seen(self, mine: Some, piles: int, mask: U) -> Numbers:
        """Count the features of a mask among the cards in a set of piles."""
        found = np.zeros(len(self.pos[mine]), U)
        for pile in range(PLACES):
            if piles >> pile & 1:
                found |= self.seen[mine, pile]
        found &= mask
        count = np.zeros(len(found), np.int64)
        while found.any():
            count += found != 0
            found &= found - U(1) * (found != 0)
        return count

    def number(self, row: list[int], mine: Some) -> Numbers:
        """Work out the number of a row."""
        if row[2] < 0:
            return np.asarray(row[1])
        which, numerator, denominator, up, factor, plus = self.p.amounts[row[2]].tolist()
        total = self.total(which, mine) * numerator + (denominator - 1 if up else 0)
        total = total // denominator * factor
        return np.maximum(total + plus * (total >= 1), 0)

    # rows

    def carry_out(self, row: list[int], mine: Some) -> None:
        """Carry out a row of any kind but a mark."""
        code = row[0]
        number = self.number(row, mine)
        if row[4] >= 0:
            numerator, denominator = self.p.chances[row[4]]
            self.s[mine], drawn = below(self.s[mine], denominator)
            happens = drawn < numerator
            number = number * happens
            if code == Code.COIN:
                self.waits[self.numbered(mine)[~happens]] = row[5]
        if code <= Code.MOVE and row[5]:
            over = number > self.library(mine)
            if over.any():
                lost = self.numbered(mine)[over]
                self.lost[lost] = True
                self.cell[lost] += self.p.losing
        if code in (Code.PASS, Code.SKIP):
            self.skip(row, mine, number)
        elif code <= Code.LOOK:
            self.move_cards(row, self.numbered(mine), np.broadcast_to(number, len(self.pos[mine])))
        elif code == Code.WHEN:
            total = self.total(row[6], mine)
            self.waits[self.numbered(mine)[(total < row[7]) | (total > row[8])]] = row[5]
        elif code == Code.JUMP:
            self.waits[mine] = row[5]
        elif code == Code.SHUFFLE:
            self.shuffle(row[6], self.numbered(mine))
        elif code == Code.ADD:
            number = np.maximum(number, -self.registers[mine, row[3]])
            self.registers[mine, row[3]] += number
            self.cell[mine] += number * self.p.register_weights[row[3]]

    def numbered(self, mine: Some) -> Numbers:
        """Return trials by their numbers."""
        return np.arange(len(self.pos)) if isinstance(mine, slice) else mine

    def mark(self, row: list[int], mine: Some) -> None:
        """Record the state as that of a turn, and of all later ones where the game is lost."""
        lost = np.flatnonzero(self.lost)
        everyone = np.concatenate([self.numbered(mine), lost]) if len(lost) else mine
        if len(self.p.firsts) and self.library(everyone).min(initial=NO_LIMIT) <= self.p.quiet:
            self.mark_firsts(row[3], self.numbered(everyone))
        if row[1] >= 0:
            self.out[self.place[mine], row[1]] = self.recorded(mine)
        if len(lost):
            self.out[self.place[lost], row[5] :] = self.recorded(lost)[:, None]
            self.leave()

    def mark_firsts(self, turn: int, mine: Numbers) -> None:
        """Write down the turn for the axes of a first turn that hold now and did not before."""
        for k, (which, low, most, shift, never) in enumerate(self.p.firsts.tolist()):
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

    def skip(self, row: list[int], mine: Some, number: Numbers) -> None:
        """Move cards that nobody looks at."""
        count = np.minimum(number, self.library(mine))
        self.cell[mine] += count * row[7]
        if row[8]:
            self.tally[mine] += count * row[8]
        if len(self.ring):
            known = np.minimum(count, self.above[mine])
            self.above[mine] -= known
            self.pos[mine] += known
            unseen = np.minimum(count - known, self.top[mine] - self.pos[mine])
            self.head[mine] += count - known - unseen
            count = unseen
        self.top[mine] -= count

    def settle(self, mine: Numbers) -> None:
        """Decide which cards of the decks are those that moved unseen, and take them out."""
        while len(some := mine[self.beyond[mine] > self.top[mine]]):
            start = self.pos[some] + self.above[some]
            self.s[some], place = below(self.s[some], (self.beyond[some] - start).astype(U))
            self.beyond[some] -= 1
            chosen = self.place[some] * self.width + start + place.astype(np.int64)
            last = self.place[some] * self.width + self.beyond[some]
            self.deck[chosen], self.deck[last] = self.deck[last], self.deck[chosen]

    def shuffle(self, piles: int, mine: Numbers) -> None:
        """Put the known cards and those of piles into the unknown part."""
        self.settle(mine)
        self.above[mine] = 0
        some = mine[self.head[mine] < self.tail[mine]]
        while len(some):
            self.pos[some] -= 1
            self.deck[self.place[some] * self.width + self.pos[some]] = self.ring[
                self.place[some], self.head[some] % self.ring.shape[1]
            ]
            self.head[some] += 1
            some = some[self.head[some] < self.tail[some]]
        for pile in range(PLACES):
            if piles >> pile & 1:
                self.return_pile(pile, mine)

    def return_pile(self, pile: int, mine: Numbers) -> None:
        """Put the cards of one pile into the unknown part."""
        for i in range(int(self.filled[mine, pile].max())):
            some = mine[self.filled[mine, pile] > i]
            card = self.stored[self.place[some], pile, i]
            self.pos[some] -= 1
            self.deck[self.place[some] * self.width + self.pos[some]] = card
            change = card.astype(np.int64) + pile * self.p.classes
            self.cell[some] -= self.p.weights[change]
            self.tally[some] -= self.p.tally_weights[change]
        self.filled[mine, pile] = 0
        self.seen[mine, pile] = U(0)

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

    def take(self, row: list[int], mine: Numbers, most: Numbers, goal: Numbers, plain: bool) -> _Took:
        """Take cards from the top, one by one, until there are `most` or their sum in a local table reaches a goal."""
        n = len(mine)
        columns = 0 if plain else int(most.max(initial=0)) + 1
        took = _Took(*(np.zeros(n, np.int64) for _ in range(4)), np.zeros(n, U), np.zeros((n, columns), np.uint8))
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

    def put(self, row: list[int], took: _Took, who: Numbers, cards: Bytes) -> None:
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
        self, row: list[int], mine: Numbers, most: Numbers, goal: Numbers, took: _Took, who: Numbers
    ) -> None:
        """Take cards of the unknown part in step.

        Trials that are done go on with a deck that belongs to no trial, until they are the half of all and are left out.
        """
        p, begin, until = self.p, row[3] * self.p.classes, row[0] == Code.UNTIL
        weights, tally_weights = p.weights[begin:], p.tally_weights[begin:]
        local = self.local(row) if until or row[0] == Code.MULLIGAN else None
        lanes = mine[who]
        base = self.place[lanes] * self.width + self.pos[lanes]
        left = (self.beyond[lanes] - self.pos[lanes]).astype(U)
        last, goal = np.minimum(most[who] - took.size[who], self.top[lanes] - self.pos[lanes]), goal[who]
        s, word, total, gain = self.s[lanes], left, took.total[who], took.gain[who]
        tally, features, size = took.tally[who], took.features[who], took.size[who]
        step, check, working = 0, 0, len(who)
        while working:
            if step % GROUP == 0:
                s += U(GOLD)
                at = left.view(np.int64)
                s, word = redrawn(s, mix(s), p.product.take(at), p.limit.take(at))
            at = high(word, left).view(np.int64)
            at += base
            word *= left
            left -= U(1)
            cards = self.deck.take(at)
            self.deck[at] = self.deck.take(base)
            if row[0] == Code.MULLIGAN:
                self.deck[base] = cards
            base += 1
            gain += weights.take(cards)
            if local is not None:
                total += local.take(cards)
            if p.full:
                tally += tally_weights.take(cards)
                features |= p.features.take(cards)
            if took.cards.shape[1]:
                took.cards[who, np.minimum(size + step, took.cards.shape[1] - 1)] = cards
            step += 1
            if step < check and not until:
                continue
            done = np.flatnonzero((step >= last) | (total >= goal) if until else step >= last)
            check = int(last.min())
            if not len(done):
                continue
            ends, theirs = lanes[done], who[done]
            self.s[ends] = s[done]
            self.pos[ends] += step
            took.size[theirs] += step
            took.total[theirs], took.gain[theirs] = total[done], gain[done]
            took.tally[theirs], took.features[theirs] = tally[done], features[done]
            working -= len(done)
            base[done], left[done], last[done], goal[done] = self.spare, p.cards - step + 1, NO_LIMIT, ENDLESS
            check = int(last.min())
            if 2 * working < len(who):
                go = last < NO_LIMIT
                who, lanes, base, left, last, goal = who[go], lanes[go], base[go], left[go], last[go], goal[go]
                s, word, total, gain, tally, features = s[go], word[go], total[go], gain[go], tally[go], features[go]
                size = size[go]

    def is_kept(self, row: list[int], total: Numbers) -> NDArray[np.bool_]:
        """Tell which looks of a mulligan are kept."""
        kept = np.ones(len(total), bool)
        for shift, mask, low, most in self.p.keeps[row[8] : row[9]].tolist():
            held = total >> shift & mask
            kept &= (low <= held) & (held <= most)
        return kept

    def send(self, row: list[int], mine: Numbers, took: _Took, rounds: int, choice: Numbers | None = None) -> None:
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

    def put_below(self, mine: Numbers, cards: Bytes) -> None:
        """Put a card on the bottom of each library."""
        self.ring[self.place[mine], self.tail[mine] % self.ring.shape[1]] = cards
        self.tail[mine] += 1

    def put_away(self, row: list[int], mine: Numbers, sent: Numbers, took: _Took, away: int) -> None:
        """Put cards of kept looks on the bottom, each by the first rule that matches."""
        adds = self.local(row)[took.cards]
        lanes = np.arange(len(mine))
        for _ in range(away):
            fits = sent != GONE
            open_ = np.ones(len(mine), bool)
            for shift, mask, above in self.p.surplus[row[10] : row[11]].tolist():
                these = (sent != GONE) & (adds >> shift & mask != 0)
                now = open_ & ((took.total >> shift & mask) > above) & these.any(1)
                fits[now] = these[now]
                open_ &= ~now
            self.s[mine], which = below(self.s[mine], fits.sum(1).astype(U))
            chosen = (fits.cumsum(1) == which[:, None].astype(np.int64) + 1).argmax(1)
            sent[lanes, chosen] = GONE
            took.total -= adds[lanes, chosen]
            self.put_below(mine, took.cards[lanes, chosen])

    def send_found(self, row: list[int], mine: Numbers, sent: Numbers, took: _Took) -> None:
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

    def choice(self, row: list[int], mine: Numbers) -> Numbers | None:
        """Return which row of its table a `Look` uses; None for other rows."""
        if row[0] != Code.LOOK:
            return None
        if row[7] < 0:
            return np.zeros(len(mine), np.int64)
        return np.minimum(row[5] - 1, self.total(row[7], mine))

    def send_looked_at(self, row: list[int], choice: Numbers, sent: Numbers, took: _Took) -> None:
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
                lanes = mine[up]
                self.above[lanes] += 1
                self.pos[lanes] -= 1
                self.deck[self.place[lanes] * self.width + self.pos[lanes]] = cards[up, i]

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

    def share(self, mask: np.uint64, took: _Took) -> NDArray[np.bool_]:
        """Tell in which trials two of the cards taken have a feature of a mask in common."""
        once, twice = np.zeros(len(took.size), U), np.zeros(len(took.size), U)
        for i in range(took.cards.shape[1]):
            own = np.where(took.size > i, self.p.features[took.cards[:, i]] & mask, U(0))
            twice |= once & own
            once |= own
        return twice != 0


def count(cells: Numbers, table: Numbers, fields: Numbers, bits: int) -> None:
    """Count cells: the function of the same name in `kernel`."""
    turns = cells.shape[1]
    place = np.broadcast_to(np.arange(turns) << bits, cells.shape).copy()
    for shift, mask, to in fields.tolist():
        place += (cells >> shift & mask) << to
    table += np.bincount(place.ravel(), minlength=turns << bits).reshape(table.shape)
