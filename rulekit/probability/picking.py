"""Cards of the unknown part of many libraries taken in step: the k-th card of each trial in the same call of NumPy."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.packed import CELL_BITS, GROUP, NO_LIMIT, Arrays, Code, Numbers, Words
from rulekit.probability.side_by_side import Bytes, SideBySide, some_of
from rulekit.probability.taking import ENDLESS
from rulekit.probability.word_arrays import U, high, mix, redrawn
from rulekit.probability.words import GOLD


class Beside:
    """Hold arrays that have a row for each of some trials, and single numbers that hold for all of them."""

    def only(self, some: Numbers) -> Self:
        """Leave out all trials but some."""
        mine = [getattr(self, each.name) for each in fields(self)]  # type: ignore[arg-type]
        return type(self)(*(each.take(some, 0) if np.ndim(each) else each for each in mine))


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
        left: Number of cards that may come next; one number if it is the same in all trials.
        last: Number of steps after which it ends.
        goal: Sum at which it ends.
        open: Whether it goes on.
        size: Number of cards that were taken before; one number if it is the same in all trials.
        s: The random streams.
        word: What is left of the words.
        total, gain, tally, features: See `Took`.
    """

    who: Numbers
    lanes: Numbers
    base: Numbers
    left: Words | np.uint64
    last: Numbers
    goal: Numbers | np.int64
    open: NDArray[np.bool_]
    size: Numbers | np.int64
    s: Words
    word: Words
    total: Numbers
    gain: Numbers
    tally: Numbers
    features: Words


@dataclass(frozen=True)
class Adds:
    """Say what a card of each class adds; the class behind the last one is of no card and adds nothing.

    Attributes:
        total, gain, tally, features: See `Took`.
        bits: Number of bits from which on `both` holds the total; 0 if there is none, or no room for it.
        both: What a card adds to total and gain at once.
    """

    total: Numbers
    gain: Numbers
    tally: Numbers
    features: Words
    bits: int
    both: Numbers


class Picks(SideBySide):
    """Hold the state of trials, and take cards of the unknown parts."""

    def __init__(self, arrays: Arrays, most: int) -> None:
        """Make room for a number of trials; see `SideBySide`."""
        super().__init__(arrays, most)
        self._adds: dict[tuple[int, int], Adds] = {}

    def adds(self, row: list[int]) -> Adds:
        """Return what cards add that a row takes."""
        local, pile = row[6] if row[0] in (Code.UNTIL, Code.MULLIGAN) else 0, row[3]
        if (local, pile) not in self._adds:
            p, classes = self.p, self.p.classes
            tables = (
                p.local[local * classes : (local + 1) * classes],
                *(each[pile * classes : (pile + 1) * classes] for each in (p.weights, p.tally_weights)),
                p.features,
            )
            total, gain, tally, features = (np.append(each, each.dtype.type(0)) for each in tables)
            bits, more = ((p.cards * int(each.max())).bit_length() for each in (gain, total))
            if not local or gain.min() < 0 or bits + more > CELL_BITS:
                bits = 0
            self._adds[local, pile] = Adds(total, gain, tally, features, bits, gain + (total << bits))
        return self._adds[local, pile]

    def take_unknown(
        self, row: list[int], mine: Numbers, most: Numbers, goal: Numbers | None, took: Took, who: Numbers
    ) -> None:
        """Take cards of the unknown part in step.

        Trials that are done go on with a deck that belongs to no trial, until they are the half of all and are left
        out.
        """
        if not len(who):
            return
        hands = self.hands(row, mine, most, goal, took, who)
        step, soonest = 0, int(hands.last.min(initial=NO_LIMIT))
        while True:
            if step % GROUP == 0:
                self.draw_words(hands)
            self.pick(row, hands, took, step)
            step += 1
            if step < soonest and row[0] != Code.UNTIL:
                continue
            ending = hands.total >= hands.goal
            if step >= soonest:
                ending |= step >= hands.last
            ending &= hands.open
            done = np.flatnonzero(ending)
            if len(done):
                self.finish(hands, took, done, step)
                working = np.count_nonzero(hands.open)
                if 2 * working < len(hands.who):
                    self.keep(row, hands, took)
                    if not working:
                        break
                    hands = hands.only(np.flatnonzero(hands.open))
                if step >= soonest:
                    soonest = int(hands.last.min(where=hands.open, initial=NO_LIMIT))

    def hands(
        self, row: list[int], mine: Numbers, most: Numbers, goal: Numbers | None, took: Took, who: Numbers
    ) -> Hands:
        """Lay out the cards that come next in some of the trials."""
        bits, total, until = self.adds(row).bits, took.total, np.int64(ENDLESS)
        lanes = mine if len(who) == len(mine) else mine[who]
        at, here = some_of(who, len(mine)), some_of(lanes, len(self.pos))
        pos, size, s = self.pos[here], took.size[at].copy(), self.s[here].copy()
        if bits:
            total = (took.total << bits) + took.gain
        if goal is not None:
            until = same_in_all(np.minimum(goal[at], ENDLESS >> bits) << bits)
        return Hands(
            who=who,
            lanes=lanes,
            base=self.place[here] * self.width + pos,
            left=same_in_all((self.beyond[here] - pos).astype(U)),
            last=np.minimum(most[at] - size, self.top[here] - pos),
            goal=until,
            open=np.ones(len(who), bool),
            size=same_in_all(size),
            s=s,
            word=s,
            total=total[at],
            gain=took.gain[at],
            tally=took.tally[at],
            features=took.features[at],
        )

    def draw_words(self, hands: Hands) -> None:
        """Draw a word for the next GROUP cards of each deck."""
        hands.s += U(GOLD)
        at = hands.left.astype(np.int64)
        hands.s, hands.word = redrawn(hands.s, mix(hands.s), self.p.product.take(at), self.p.limit.take(at))

    def pick(self, row: list[int], hands: Hands, took: Took, step: int) -> None:
        """Take the next card of each deck."""
        adds = self.adds(row)
        at = high(hands.word, hands.left).view(np.int64)
        at += hands.base
        hands.word *= hands.left
        hands.left -= U(1)
        cards = self.deck.take(at)
        self.deck[at] = self.deck.take(hands.base)
        hands.base += 1
        if adds.bits:
            hands.total += adds.both.take(cards)
        else:
            hands.gain += adds.gain.take(cards)
            if row[0] in (Code.UNTIL, Code.MULLIGAN):
                hands.total += adds.total.take(cards)
        if self.p.full:
            hands.tally += adds.tally.take(cards)
            hands.features |= adds.features.take(cards)
        if took.cards.shape[1]:
            if len(hands.who) == len(took.size) and not np.ndim(hands.size):
                took.cards[:, int(hands.size) + step] = cards
            else:
                took.cards[hands.who, np.minimum(hands.size + step, took.cards.shape[1] - 1)] = cards

    def finish(self, hands: Hands, took: Took, done: Numbers, step: int) -> None:
        """Let trials be done, and give them a deck that belongs to no trial and whose cards add nothing."""
        which = some_of(done, len(hands.who))
        lanes = some_of(hands.lanes[which], len(self.pos))
        self.s[lanes] = hands.s[which]
        self.pos[lanes] += step
        took.size[some_of(hands.who[which], len(took.size))] += step
        hands.open[which] = False
        if len(done) < len(hands.who):
            hands.base[which] = self.spare
            if np.ndim(hands.left):
                cast("Words", hands.left)[which] = self.p.cards - step + 1

    def keep(self, row: list[int], hands: Hands, took: Took) -> None:
        """Keep what was taken, if it is not in the same arrays already: that of all trials is."""
        bits, who = self.adds(row).bits, some_of(hands.who, len(took.size))
        if bits:
            took.total[who], took.gain[who] = hands.total >> bits, hands.total & (1 << bits) - 1
        elif not isinstance(who, slice):
            took.total[who], took.gain[who] = hands.total, hands.gain
        if self.p.full and not isinstance(who, slice):
            took.tally[who], took.features[who] = hands.tally, hands.features


def same_in_all(numbers: NDArray[Any]) -> Any:
    """Return the one number of which an array has nothing but copies, else the array."""
    return numbers[0] if len(numbers) and (numbers == numbers[0]).all() else numbers
