"""The five work items on which ways to answer are compared, their answers by closed forms, and programs at random."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np

from rulekit.probability.program import Program
from rulekit.probability.rows import (
    LIBRARY,
    LOST,
    Add,
    Amount,
    Axis,
    CardClass,
    Check,
    Coin,
    FirstTurn,
    Keep,
    Look,
    Mark,
    Move,
    Mulligan,
    Pick,
    Row,
    Shuffle,
    Surplus,
    Until,
    When,
    cards_in,
    counted,
    different,
    register,
)

CURVE = (37, 8, 14, 15, 10, 7, 4, 2, 2)  # cards with mana value 0 to 8, 99 in all
LANDS = (CardClass(24, (1, 0)), CardClass(36, (0, 1)))


def _turns(last: int) -> tuple[Coin | Move | Mark, ...]:
    rows: list[Coin | Move | Mark] = []
    for turn in range(1, last + 1):
        if turn >= 4:
            rows.append(Coin(Fraction(7, 10), (Move(10, "milled"),)))
        rows += [Move(1, "hand", draw=True), Mark(turn)]
    return tuple(rows)


WORK = {
    "W1": Program(
        (CardClass(24, (1, 0)), CardClass(20, (0, 1)), CardClass(16, (0, 0))),
        (Move(7, "hand"), Move(10, "milled"), Mark(1)),
        (Axis("land", (counted("land", "milled"),)), Axis("creature", (counted("creature", "milled"),))),
        ("land", "creature"),
    ),
    "W2": Program(
        tuple(CardClass(size, (value,)) for value, size in enumerate(CURVE)),
        (Move(13, "milled"), Mark(1)),
        (Axis("total mana value", (counted("value", "milled"),)),),
        ("value",),
    ),
    "W3": Program((CardClass(53),), _turns(54), (FirstTurn("empty", (LIBRARY,), 0, 0), FirstTurn("lost", (LOST,), 1))),
    "W4": Program(
        LANDS, (Until("land", 4, "milled"), Mark(1)), (Axis("milled", (cards_in("milled"),)),), ("land", "other")
    ),
    "W5": Program(
        LANDS,
        (Mulligan(keep=(Keep("land", 2, 5),), down_to=4, away=(Surplus("land", 3), Surplus("other"))), Mark(0)),
        (Axis("hand", (cards_in("hand"),)), Axis("land", (counted("land", "hand"),))),
        ("land", "other"),
    ),
}
TITLES = {
    "W1": "ten milled of 60 after seven drawn: lands and creatures",
    "W2": "13 milled of 99: total mana value",
    "W3": "a hit with chance 0.7 from turn four mills ten: turn empty, turn lost",
    "W4": "milled until the fourth of 24 lands in 60",
    "W5": "London mulligan to 2 to 5 lands, at least four cards: cards and lands kept",
}


def _long(first: Row, chance: Fraction) -> Program:
    rows: list[Row] = [first]
    for turn in range(1, 13):
        rows += [Move(1, "hand", draw=True), Coin(chance, (Move(4, "milled"),)), Mark(turn)]
    axes = (
        Axis("land", (counted("land", "milled"),)),
        Axis("creature", (counted("creature", "milled"),)),
        Axis("land in hand", (counted("land", "hand"),)),
    )
    classes = (CardClass(40, (1, 0)), CardClass(30, (0, 1)), CardClass(29, (0, 0)))
    return Program(classes, tuple(rows), axes, ("land", "creature"))


# Longer than what the aims were set for: all turns are recorded, each card is looked at.
LONG = {
    "seven drawn, then a draw and four milled in each of twelve turns": _long(Move(7, "hand"), Fraction(1)),
    "the same, milled with chance 0.7: 53 cards": _long(Move(7, "hand"), Fraction(7, 10)),
    "the same after a London mulligan": _long(Mulligan(keep=(Keep("land", 2, 5),), down_to=4), Fraction(7, 10)),
}


def closed_form(name: str) -> dict[tuple[int, ...], float]:
    """The probability of each cell at the last turn, by formulas of its own."""
    return {"W1": _w1, "W2": _w2, "W3": _w3, "W4": _w4, "W5": _w5}[name]()


def _w1() -> dict[tuple[int, ...], float]:
    ways = math.comb(60, 10)
    return {
        (k, c): math.comb(24, k) * math.comb(20, c) * math.comb(16, 10 - k - c) / ways
        for k in range(11)
        for c in range(11 - k)
    }


def _w2() -> dict[tuple[int, ...], float]:
    ways = np.zeros((14, 105), object)
    ways[0, 0] = 1
    for value, size in enumerate(CURVE):
        for _ in range(size):
            ways[1:, value:] = ways[1:, value:] + ways[:-1, : 105 - value]
    return {(total,): ways[13, total] / math.comb(99, 13) for total in range(105) if ways[13, total]}


def _w3() -> dict[tuple[int, ...], float]:
    found: dict[tuple[int, ...], float] = {}
    live = np.zeros(54)
    live[53] = 1.0
    for turn in range(1, 55):
        chance = 0.7 if turn >= 4 else 0.0
        milled = live * (1 - chance)
        milled[:44] += live[10:] * chance
        milled[0] += live[:10].sum() * chance
        if milled[0]:
            found[turn, turn] = milled[0]  # emptied by the mill: this turn's draw loses
        live = np.append(milled[1:], 0.0)
        if live[0]:
            found[turn, turn + 1] = live[0]  # emptied by its own draw: the next draw loses
        live[0] = 0.0
    return found


def _w4() -> dict[tuple[int, ...], float]:
    ways = math.comb(60, 24)
    return {(n,): math.comb(n - 1, 3) * math.comb(60 - n, 20) / ways for n in range(4, 41)}


def _w5() -> dict[tuple[int, ...], float]:
    look = [math.comb(24, k) * math.comb(36, 7 - k) / math.comb(60, 7) for k in range(8)]
    good = sum(look[2:6])
    found: dict[tuple[int, ...], float] = {}
    for away in range(4):
        for k in range(8):
            if away < 3 and not 2 <= k <= 5:
                continue
            lands_away = min(away, max(0, k - 3))
            others_away = min(away - lands_away, 7 - k)
            left = k - lands_away - (away - lands_away - others_away)
            cell = (7 - away, left)
            found[cell] = found.get(cell, 0.0) + (1 - good) ** away * look[k]
    return found


PILES = ("hand", "milled", "exile", "grave")


class AtRandom:
    """Make a program of all kinds of rows from a seed."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.checks = random.Random(f"checks {seed}")
        self.features = self.dice.random() < 0.6  # without them most rows have the quick codes
        self.classes = self.dice.randint(1, 6)

    def program(self) -> Program:
        dice = self.dice
        bits = 6 if self.features else 0
        classes = tuple(
            CardClass(dice.randint(0, 9), (dice.randint(0, 1), dice.randint(0, 5)), dice.getrandbits(6) if bits else 0)
            for _ in range(self.classes)
        )
        left = [one.size for one in classes]
        known = []
        for _ in range(dice.choice((0, 0, 3))):
            number = dice.randrange(self.classes)
            if left[number]:
                left[number] -= 1
                known.append(number)
        cut = dice.randint(0, len(known))
        rows = [*self.mulligan(sum(one.size for one in classes))]
        turn = -1
        for _ in range(dice.randint(1, 5)):
            rows += self.checked(self.row(0) for _ in range(dice.randint(0, 4)))
            turn += dice.randint(1, 2)
            rows.append(Mark(turn))
        axes = tuple(self.axis(number) for number in range(dice.randint(1, 4)))
        names = tuple("abcdef") if bits else ()
        return Program(classes, tuple(rows), axes, ("land", "value"), names, tuple(known[:cut]), tuple(known[cut:]))

    def mulligan(self, cards):
        dice = self.dice
        if dice.random() < 0.6 or cards < 3:
            return
        size = dice.randint(1, min(7, cards))
        keep = tuple(
            Keep(dice.choice(("land", "value")), dice.randint(0, 2), dice.choice((None, 4, 9)))
            for _ in range(dice.randint(0, 2))
        )
        away = tuple(Surplus(dice.choice(("land", "value")), dice.randint(0, 3)) for _ in range(dice.randint(0, 2)))
        yield Mulligan(dice.choice(PILES), size, keep, dice.randint(0, size), dice.randint(0, 1), away)

    def values(self):
        dice = self.dice
        kinds = (
            lambda: (LIBRARY,),
            lambda: (cards_in(*dice.sample(PILES, 2)),),
            lambda: (counted(dice.choice(("land", "value")), *dice.sample(PILES, dice.randint(1, 3))),),
            lambda: (register("hits"),),
            lambda: (counted("land", dice.choice(PILES)), cards_in(dice.choice(PILES)), LOST),
            lambda: (different(dice.getrandbits(6), *dice.sample(PILES, 2)),),
        )
        return dice.choice(kinds if self.features else kinds[:5])()

    def amount(self, most=4):
        dice = self.dice
        if dice.random() < 0.7:
            return dice.randint(0, most)
        times = Fraction(dice.randint(0, 3), dice.randint(1, 4))
        return Amount(self.values(), times, dice.random() < 0.5, dice.randint(1, 2), dice.randint(-1, 3))

    def axis(self, number):
        dice, values = self.dice, self.values()
        if dice.random() < 0.3:
            return FirstTurn(f"first {number}", values, dice.randint(0, 4), dice.choice((None, dice.randint(0, 6))))
        high = 9 if values == (register("hits"),) else dice.choice((None, dice.randint(0, 20)))
        return Axis(f"axis {number}", values, high)

    def row(self, depth):
        dice = self.dice
        kinds = [self.move, self.move, self.until, self.look, self.shuffle, self.add, self.coin_for_moves]
        return dice.choice([*kinds, self.coin, self.when] if depth < 2 else kinds)(depth)

    def rows(self, depth, most):
        return tuple(self.checked(self.row(depth + 1) for _ in range(self.dice.randint(most - 1, most))))

    def checked(self, rows):
        """Put checks between rows."""
        for row in rows:
            yield row
            if self.checks.random() < 0.2:
                yield Check()

    def move(self, _depth):
        again = self.dice.getrandbits(6) if self.features and self.dice.random() < 0.2 else 0
        draw = not again and self.dice.random() < 0.4
        return Move(self.amount(7), self.dice.choice(PILES), draw, again, draw and self.checks.random() < 0.4)

    def until(self, _depth):
        dice = self.dice
        to, found = dice.choice((*PILES, "bottom")), dice.choice((None, *PILES))
        return Until(dice.choice(("land", "value")), self.amount(), to, found, dice.choice((None, dice.randint(0, 9))))

    def look(self, _depth):
        dice = self.dice
        table = [tuple(dice.choice(("top", "bottom", *PILES)) for _ in range(self.classes)) for _ in range(3)]
        order = tuple(dice.sample(range(self.classes), dice.randint(0, self.classes)))
        pick = Pick(dice.randint(0, 2), order, dice.choice(PILES)) if dice.random() < 0.5 else None
        by = self.values() if dice.random() < 0.5 else ()
        return Look(self.amount(), tuple(table[: dice.randint(1, 3)]), by, pick)

    def shuffle(self, _depth):
        return Shuffle(tuple(self.dice.sample(PILES, self.dice.choice((0, 0, 1, 2)))))

    def add(self, _depth):
        return Add("hits", self.dice.choice((1, 2, -1, self.amount())))

    def coin_for_moves(self, _depth):
        moves = (Move(self.dice.randint(0, 9), self.dice.choice(PILES)), Add("hits"), Move(1, "hand", draw=True))
        return Coin(Fraction(7, 10), moves[: self.dice.randint(1, 3)])

    def coin(self, depth):
        return Coin(Fraction(self.dice.randint(0, 5), 5), self.rows(depth, 2), self.rows(depth, 1))

    def when(self, depth):
        low, high = self.dice.randint(0, 4), self.dice.choice((None, self.dice.randint(3, 20)))
        return When(self.values(), low, high, self.rows(depth, 2), self.rows(depth, 1))
