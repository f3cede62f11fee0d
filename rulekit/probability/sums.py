"""What is recorded and what is read to decide, as weights of the cards that move."""

from __future__ import annotations

import numpy as np

from rulekit.probability.packed import CELL_BITS, NO_LIMIT, Numbers, Term
from rulekit.probability.program import Program
from rulekit.probability.rows import (
    LIBRARY,
    LOST,
    Add,
    Amount,
    Axis,
    FirstTurn,
    Look,
    Move,
    Row,
    Until,
    Value,
    When,
    walk,
)
from rulekit.rules import TooMany


class Sums:
    """Collect the weights of moved cards and the sums that are read, for the axes of a program and its rows.

    Attributes:
        piles: The piles, in the order of the weights.
        registers: The registers, in the order of their weights.
        widths: For each axis its number of bits.
        shifts: For each axis the lowest of its bits.
        quiet: Largest library in which an axis of a first turn could come to hold.
        weights, tally_weights, register_weights, cell, losing, sums, terms, masks, firsts, late: See `Arrays`.
    """

    def __init__(self, program: Program) -> None:
        """Write down the axes of a program and what its rows read."""
        self.program = program
        self.piles = program.piles
        self.registers = tuple(dict.fromkeys(row.register for row in walk(program.rows) if isinstance(row, Add)))
        self.weights = np.zeros((max(1, len(self.piles)), len(program.classes)), np.int64)
        self.tally_weights = np.zeros_like(self.weights)
        self.register_weights = np.zeros(len(self.registers), np.int64)
        self.widths = tuple((size - 1).bit_length() for size in program.shape)
        self.shifts = tuple(sum(self.widths[:k]) for k in range(len(self.widths)))
        self.cell = self.losing = self.tally_bits = 0
        self.sums: list[tuple[int, ...]] = []
        self.terms: list[tuple[int, ...]] = []
        self.masks: list[int] = [0]
        self.firsts: list[tuple[int, ...]] = []
        self.late: list[tuple[int, ...]] = []
        later = any(isinstance(row, Move) and row.later for row in walk(program.rows))
        self.quiet = max([-1, *(_quiet(axis, later) for axis in program.axes if isinstance(axis, FirstTurn))])
        self._fields: dict[tuple[Value, ...], tuple[int, int]] = {}
        self._found: dict[tuple[Value, ...], int] = {}
        self._axes()
        for row in walk(program.rows):
            for of in _sums_of(row):
                self.sum(of)

    def _axes(self) -> None:
        """Give each axis its bits, and the moved cards their weights in them."""
        last = self.program.turns[-1] + 1
        plain: list[tuple[Axis, int, int]] = []
        for axis, shift, size in zip(self.program.axes, self.shifts, self.program.shape, strict=True):
            if isinstance(axis, Axis) and self._is_plain(axis):
                plain.append((axis, shift, size))
                self._fields[axis.of] = (shift, (1 << (size - 1).bit_length()) - 1)
                for value in axis.of:
                    self._weigh(value, shift)
        for axis, shift, size in zip(self.program.axes, self.shifts, self.program.shape, strict=True):
            if isinstance(axis, FirstTurn):
                self.cell += last << shift
                high = NO_LIMIT if axis.high is None else axis.high
                alone = Term.LIBRARY if axis.of == (LIBRARY,) else Term.LOST if axis.of == (LOST,) else -1
                self.firsts.append((self.sum(axis.of), axis.low, high, shift, last, int(alone)))
            elif not self._is_plain(axis):
                self.late.append((self.sum(axis.of), size - 1, shift))

    def _is_plain(self, axis: Axis) -> bool:
        """Tell whether an axis is a sum over moved cards, registers with a bound and the loss, never cut at `high`."""
        bounds = [self.program.largest(value) for value in axis.of]
        if any(bound is None for bound in bounds) or any(value.of == "features" for value in axis.of):
            return False
        return axis.high is None or axis.high >= sum(bound or 0 for bound in bounds)

    def _weigh(self, value: Value, shift: int) -> None:
        """Let what happens change the number of the cell by a value, in the bits from `shift` on."""
        if value.of == "library":
            self.cell += self.program.size << shift
            self.weights -= 1 << shift
        elif value.of == "lost":
            self.losing += 1 << shift
        elif value.of == "register" and value.name in self.registers:
            self.register_weights[self.registers.index(value.name)] += 1 << shift
        else:
            self._weigh_cards(self.weights, value, shift)

    def _weigh_cards(self, weights: Numbers, value: Value, shift: int) -> None:
        """Add what a card of each class adds to a sum of cards or of a counter, for the piles that it reads."""
        classes = self.program.classes
        if value.of == "cards":
            each = np.ones(len(classes), np.int64)
        elif value.of == "counter":
            place = self.program.counter(value.name)
            each = np.array([one.adds[place] for one in classes], np.int64)
        else:
            return
        for pile in set(value.piles) & set(self.piles):
            weights[self.piles.index(pile)] += each << shift

    def sum(self, of: tuple[Value, ...]) -> int:
        """Return the number of a sum of values, written down the first time that it is asked for."""
        if of not in self._found:
            cards = [value for value in of if value.of in ("cards", "counter")]
            terms = [self._term(value) for value in of if value.of not in ("cards", "counter")]
            field, tally = self._fields.get(of, (0, 0)), (0, 0)
            if of in self._fields:
                terms = []
            elif cards:
                tally = self._tally(cards)
            self._found[of] = len(self.sums)
            self.sums.append((*field, *tally, len(self.terms), len(self.terms) + len(terms)))
            self.terms += terms
        return self._found[of]

    def _tally(self, values: list[Value]) -> tuple[int, int]:
        """Give a sum over moved cards its bits in the tally, and the cards their weights in them."""
        bound = sum(self.program.largest(value) or 0 for value in values)
        shift, width = self.tally_bits, bound.bit_length()
        self.tally_bits += width
        if self.tally_bits > CELL_BITS:
            raise TooMany(
                f"the rows decide by sums of {self.tally_bits} bits, the limit is {CELL_BITS}.",
                "Decide by fewer different sums.",
            )
        for value in values if width else ():
            self._weigh_cards(self.tally_weights, value, shift)
        return shift, (1 << width) - 1

    def _term(self, value: Value) -> tuple[int, int, int]:
        """Write down a value that is not a sum over moved cards."""
        if value.of == "library":
            return (Term.LIBRARY, 0, 0)
        if value.of == "lost":
            return (Term.LOST, 0, 0)
        if value.of == "features":
            return (Term.FEATURES, self.pile_set(value.piles), self.mask(value.features))
        if value.name in self.registers:
            return (Term.REGISTER, self.registers.index(value.name), 0)
        return (Term.FEATURES, 0, 0)

    def pile_set(self, piles: tuple[str, ...]) -> int:
        """Return piles as a set of bits; piles that no row fills are left out."""
        return sum(1 << self.piles.index(pile) for pile in set(piles) & set(self.piles))

    def mask(self, features: int) -> int:
        """Return the place of a mask of features."""
        self.masks.append(features)
        return len(self.masks) - 1

    def look_at(self, pile: int) -> bool:
        """Tell whether it matters which cards go to a pile, not only how many."""
        there = np.array([one.size > 0 for one in self.program.classes], bool)
        same = all(len(set(each[pile][there].tolist())) <= 1 for each in (self.weights, self.tally_weights))
        return not same or any(term[0] == Term.FEATURES and term[1] >> pile & 1 for term in self.terms)


def _quiet(axis: FirstTurn, later: bool) -> int:
    if axis.of == (LIBRARY,) and axis.high is not None:
        return axis.high
    return 0 if axis.of == (LOST,) and axis.low >= 1 and not later else NO_LIMIT


def _sums_of(row: Row) -> list[tuple[Value, ...]]:
    if isinstance(row, When):
        return [row.of]
    amount = row.goal if isinstance(row, Until) else getattr(row, "n", 0)
    sums = [amount.of] if isinstance(amount, Amount) else []
    return [*sums, row.by] if isinstance(row, Look) and row.by else sums
