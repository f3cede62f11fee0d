"""A program as arrays of integers: what the kernel, its NumPy twin and the replay of a trial read alike.

A trial ends each wanted turn in one cell of the table. The number of the cell holds all axes side by side, each in bits of
its own. Most axes are sums over moved cards, so a card that moves changes the number by a weight that depends on its class
and its pile alone: `weights`. What rows must know to decide is kept the same way in a second number, the tally.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.program import Program
from rulekit.probability.rows import (
    BOTTOM,
    LIBRARY,
    LOST,
    TOP,
    Add,
    Amount,
    Axis,
    Coin,
    FirstTurn,
    Keep,
    Look,
    Mark,
    Move,
    Mulligan,
    Row,
    Shuffle,
    Surplus,
    Until,
    Value,
    When,
    walk,
)
from rulekit.rules import TooMany, Unknown

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

CELL_BITS = 62
TO_TOP = 254
TO_BOTTOM = 255
NEVER = 255
NO_LIMIT = 1 << 40
GROUP = 6
COLUMNS = 12


class Code(IntEnum):
    """Name what a packed row does; the columns that each reads are listed at `_Packer`."""

    PASS = 0
    DEAL = 1
    SKIP = 2
    MOVE = 3
    UNTIL = 4
    MULLIGAN = 5
    LOOK = 6
    COIN = 7
    WHEN = 8
    JUMP = 9
    SHUFFLE = 10
    ADD = 11
    MARK = 12


class Term(IntEnum):
    """Name what a term of a sum reads, apart from the sums over moved cards."""

    LIBRARY = 0
    FEATURES = 1
    REGISTER = 2
    LOST = 3


class Arrays(NamedTuple):
    """Hold what a trial reads: numbers, and arrays of int64 unless something else is said.

    Attributes:
        start: Place in `deck` of the first card; as many places before it are free.
        known: Place in `deck` of the first card in an unknown order.
        top: Place in `deck` behind the last card in an unknown order.
        below: Number of cards on the known bottom.
        cell: Number of the cell before the first row.
        losing: What losing adds to it.
        full: 1 if moved cards change more than the number of the cell, else 0.
        back: Bit p: pile p is shuffled back by some row, so that its cards must be remembered.
        classes: Number of classes.
        cards: Number of cards, at least 1.
        marks: Number of turns that are recorded.
        quiet: Largest library in which an axis of a first turn could come to hold.
        deck: uint8 array: class of each card, the known top first, without the known bottom.
        bottom: uint8 array, its length a power of 2: the known bottom in order, then free places.
        weights: Array (piles * classes): what a card of a class that goes to a pile adds to the number of the cell.
        tally_weights: The same for the tally.
        register_weights: Array (registers): what 1 added to a register adds to the number of the cell.
        features: uint64 array (classes): the features of a card.
        local: Array (tables * classes): what a card adds to the sum that one `Until` or `Mulligan` makes for itself;
            the first table is all 0.
        rows: Array (rows, COLUMNS), see `_Packer`.
        amounts: Array (amounts, 6): sum, numerator, denominator, 1 to round up, factor, plus.
        sums: Array (sums, 6): shift and mask in the number of the cell, the same in the tally, first and last + 1 term.
        terms: Array (terms, 3): `Term`, set of piles or register, place of the mask of features.
        masks: uint64 array (masks): the masks of features; the first is 0.
        chances: uint64 array (chances, 2): numerator, denominator.
        keeps: Array (conditions, 4): shift, mask, low, high.
        surplus: Array (rules, 3): shift, mask, above.
        sends: uint8 array (tables * classes): a pile, TO_TOP or TO_BOTTOM; or the rank of a class in a pick, or NEVER.
        firsts: Array (axes of a first turn, 5): sum, low, high, shift, the number that means not yet.
        late: Array (axes that are read at a mark, 3): sum, highest number, shift.
        product: uint64 array (cards + 1): for each number of cards left, the product of the next GROUP bounds.
        limit: uint64 array (cards + 1): 2**64 modulo that product.
    """

    start: int
    known: int
    top: int
    below: int
    cell: int
    losing: int
    full: int
    back: int
    classes: int
    cards: int
    marks: int
    quiet: int
    deck: NDArray[np.uint8]
    bottom: NDArray[np.uint8]
    weights: Numbers
    tally_weights: Numbers
    register_weights: Numbers
    features: Words
    local: Numbers
    rows: Numbers
    amounts: Numbers
    sums: Numbers
    terms: Numbers
    masks: Words
    chances: Words
    keeps: Numbers
    surplus: Numbers
    sends: NDArray[np.uint8]
    firsts: Numbers
    late: Numbers
    product: Words
    limit: Words


@dataclass(frozen=True)
class Packed:
    """Hold a program, what is recorded of it, and its arrays.

    Attributes:
        program: The program.
        turns: The turns that are recorded.
        shifts: For each axis, the lowest of its bits in the number of a cell.
        widths: For each axis, its number of bits.
        sources: For each row of the arrays, the row of the program that it comes from.
        arrays: What a trial reads.
    """

    program: Program
    turns: tuple[int, ...]
    shifts: tuple[int, ...]
    widths: tuple[int, ...]
    sources: tuple[Row, ...]
    arrays: Arrays

    @property
    def bits(self) -> int:
        """Number of bits in the number of a cell."""
        return sum(self.widths)


def pack(program: Program, turns: tuple[int, ...] | None = None, looked: frozenset[str] = frozenset()) -> Packed:
    """Turn a program into arrays.

    Args:
        program: The program.
        turns: The turns that are recorded, increasing; None: all that are marked. Which turns are recorded changes nothing
            in what happens in a trial.
        looked: Piles whose cards are dealt one by one even if the program asks no more than how many there are: with the
            same ones, programs that differ in their axes alone have the same trials.

    Raises:
        Unknown: No mark has one of the turns.
        TooMany: The axes do not fit in one number.
    """
    turns = program.turns if turns is None else turns
    for turn in turns:
        if turn not in program.turns:
            raise Unknown("turn", str(turn), [str(one) for one in program.turns], "in this program")
    return _Packer(program, turns, looked).packed()


def looked_at(program: Program) -> frozenset[str]:
    """Return the piles of a program for which it matters which cards go to them, not only how many."""
    packer = _Packer(program, (), frozenset())
    return frozenset(pile for pile, looked in zip(packer.piles, packer.looked, strict=True) if looked)


class _Packer:
    """Collect the arrays of one program.

    Columns of a row, by code; unused ones are 0:
        0 the code; 1 a number; 2 the amount instead of it, or -1; 3 pile; 4 chance that guards the row, or -1;
        MOVE, SKIP: 5 whether it is a draw; 6 place of the mask of `again`, or 0; 9 the next mark behind it.
            SKIP, for piles whose cards nobody looks at: 7, 8 what one card adds to cell and tally.
        DEAL, PASS: a MOVE or SKIP of a plain number of cards that change nothing but the number of the cell.
        UNTIL: 3 a pile; 5 most cards; 6 local table; 7 pile of what is found, 8 of the others; or TO_BOTTOM.
        MULLIGAN: 1 cards in a look; 5 most mulligans; 6 local table; 7 free ones; 8, 9 its keeps; 10, 11 its surplus.
        LOOK: 3 pile of a pick; 5 tables; 6 first of them; 7 sum that chooses, or -1; 8 most picks; 9 table of ranks.
        COIN, JUMP: 5 row to go on with when the coin fails, or always.
        WHEN: 5 row to go on with when the sum is outside; 6 sum; 7 low; 8 high.
        SHUFFLE: 6 set of piles. ADD: 3 register.
        MARK: 1 place of the turn among those recorded, or -1; 3 turn; 5 place of the first recorded turn from it on.
    """

    def __init__(self, program: Program, turns: tuple[int, ...], looked: frozenset[str]) -> None:
        self.program = program
        self.turns = turns
        self.piles = program.piles
        self.registers = tuple(dict.fromkeys(row.register for row in walk(program.rows) if isinstance(row, Add)))
        self.sizes = np.array([one.size for one in program.classes], np.int64)
        self.weights = np.zeros((max(1, len(self.piles)), len(program.classes)), np.int64)
        self.tally_weights = np.zeros_like(self.weights)
        self.register_weights = np.zeros(len(self.registers), np.int64)
        self.widths = tuple((size - 1).bit_length() for size in program.shape)
        self.shifts = tuple(sum(self.widths[:k]) for k in range(len(self.widths)))
        self.cell = self.losing = self.tally_bits = 0
        self.axis_fields: dict[tuple[Value, ...], tuple[int, int]] = {}
        self.found: dict[tuple[Value, ...], int] = {}
        self.sums: list[tuple[int, ...]] = []
        self.terms: list[tuple[int, ...]] = []
        self.masks: list[int] = [0]
        self.firsts: list[tuple[int, ...]] = []
        self.late: list[tuple[int, ...]] = []
        self.rows: list[list[int]] = []
        self.sources: list[Row] = []
        self.amounts: list[tuple[int, ...]] = []
        self.chances: list[tuple[int, ...]] = []
        self.local: list[list[int]] = [[0] * len(program.classes)]
        self.keeps: list[tuple[int, ...]] = []
        self.surplus: list[tuple[int, ...]] = []
        self.sends: list[list[int]] = []
        self.axes()
        for row in walk(program.rows):
            for of in _sums_of(row):
                self.sum(of)
        back = [pile for row in walk(program.rows) if isinstance(row, Shuffle) for pile in row.back]
        self.back = self.pile_set(tuple(back))
        self.looked = tuple(self.is_looked(pile) or name in looked for pile, name in enumerate(self.piles))
        self.full = bool(self.tally_bits or self.back or any(term[0] == Term.FEATURES for term in self.terms))
        self.write(program.rows)
        self.finish()

    def packed(self) -> Packed:
        """Put the arrays together."""
        program = self.program
        mulligan = any(isinstance(row, Mulligan) for row in program.rows)
        top, bottom = ((), ()) if mulligan else (program.top, program.bottom)
        product, limit = group_limits(program.size)
        ring = np.zeros(1 << max(3, program.size.bit_length()), np.uint8)
        ring[: len(bottom)] = bottom
        arrays = Arrays(
            start=len(bottom),
            known=len(bottom) + len(top),
            top=program.size,
            below=len(bottom),
            cell=self.cell,
            losing=self.losing,
            full=int(self.full),
            back=self.back,
            classes=len(program.classes),
            cards=max(1, program.size),
            marks=len(self.turns),
            quiet=max([-1, *(_quiet(axis) for axis in program.axes if isinstance(axis, FirstTurn))]),
            deck=_deck(program, top, bottom),
            bottom=ring,
            weights=self.weights.ravel(),
            tally_weights=self.tally_weights.ravel(),
            register_weights=self.register_weights,
            features=np.array([one.features for one in program.classes], np.uint64),
            local=np.array(self.local, np.int64).ravel(),
            rows=np.array(self.rows, np.int64),
            amounts=_numbers(self.amounts, 6),
            sums=_numbers(self.sums, 6),
            terms=_numbers(self.terms, 3),
            masks=np.array(self.masks, np.uint64),
            chances=np.array(self.chances or [(0, 1)], np.uint64),
            keeps=_numbers(self.keeps, 4),
            surplus=_numbers(self.surplus, 3),
            sends=np.array(self.sends or [[0]], np.uint8).ravel(),
            firsts=_numbers(self.firsts, 5),
            late=_numbers(self.late, 3),
            product=product,
            limit=limit,
        )
        return Packed(program, self.turns, self.shifts, self.widths, tuple(self.sources), arrays)

    # what is recorded

    def axes(self) -> None:
        """Give each axis its bits, and the moved cards their weights in them."""
        last = self.program.turns[-1] + 1
        plain: list[tuple[Axis, int, int]] = []
        for axis, shift, size in zip(self.program.axes, self.shifts, self.program.shape, strict=True):
            if isinstance(axis, Axis) and self.is_plain(axis):
                plain.append((axis, shift, size))
                self.axis_fields[axis.of] = (shift, (1 << (size - 1).bit_length()) - 1)
                for value in axis.of:
                    self.weigh(value, shift)
        for axis, shift, size in zip(self.program.axes, self.shifts, self.program.shape, strict=True):
            if isinstance(axis, FirstTurn):
                self.cell += last << shift
                high = NO_LIMIT if axis.high is None else axis.high
                self.firsts.append((self.sum(axis.of), axis.low, high, shift, last))
            elif not self.is_plain(axis):
                self.late.append((self.sum(axis.of), size - 1, shift))

    def is_plain(self, axis: Axis) -> bool:
        """Tell whether an axis is a sum over moved cards, registers with a bound and the loss, never cut at `high`."""
        bounds = [self.program.largest(value) for value in axis.of]
        if any(bound is None for bound in bounds) or any(value.of == "features" for value in axis.of):
            return False
        return axis.high is None or axis.high >= sum(bound or 0 for bound in bounds)

    def weigh(self, value: Value, shift: int) -> None:
        """Let what happens change the number of the cell by a value, in the bits from `shift` on."""
        if value.of == "library":
            self.cell += self.program.size << shift
            self.weights -= 1 << shift
        elif value.of == "lost":
            self.losing += 1 << shift
        elif value.of == "register" and value.name in self.registers:
            self.register_weights[self.registers.index(value.name)] += 1 << shift
        else:
            self.weigh_cards(self.weights, value, shift)

    def weigh_cards(self, weights: Numbers, value: Value, shift: int) -> None:
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

    # what is read to decide

    def sum(self, of: tuple[Value, ...]) -> int:
        """Return the number of a sum of values, written down the first time that it is asked for."""
        if of not in self.found:
            cards = [value for value in of if value.of in ("cards", "counter")]
            terms = [self.term(value) for value in of if value.of not in ("cards", "counter")]
            field, tally = self.axis_fields.get(of, (0, 0)), (0, 0)
            if of in self.axis_fields:
                terms = []
            elif cards:
                tally = self.tally(cards)
            self.found[of] = len(self.sums)
            self.sums.append((*field, *tally, len(self.terms), len(self.terms) + len(terms)))
            self.terms += terms
        return self.found[of]

    def tally(self, values: list[Value]) -> tuple[int, int]:
        """Give a sum over moved cards its bits in the tally, and the cards their weights in them."""
        bound = sum(self.program.largest(value) or 0 for value in values)
        shift, width = self.tally_bits, bound.bit_length()
        self.tally_bits += width
        if self.tally_bits > CELL_BITS:
            raise TooMany(
                f"the rows decide by sums of {self.tally_bits} bits, the limit is {CELL_BITS}.",
                "Decide by fewer different sums.",
            )
        for value in values:
            self.weigh_cards(self.tally_weights, value, shift)
        return shift, (1 << width) - 1

    def term(self, value: Value) -> tuple[int, int, int]:
        """Write down a value that is not a sum over moved cards."""
        if value.of == "library":
            return (Term.LIBRARY, 0, 0)
        if value.of == "lost":
            return (Term.LOST, 0, 0)
        if value.of == "features":
            self.masks.append(value.features)
            return (Term.FEATURES, self.pile_set(value.piles), len(self.masks) - 1)
        if value.name in self.registers:
            return (Term.REGISTER, self.registers.index(value.name), 0)
        return (Term.FEATURES, 0, 0)

    def amount(self, n: int | Amount) -> tuple[int, int]:
        """Return a number and -1, or 0 and the number of an amount."""
        if isinstance(n, int):
            return n, -1
        share = (n.times.numerator, n.times.denominator, int(n.up))
        self.amounts.append((self.sum(n.of), *share, n.factor, n.plus))
        return 0, len(self.amounts) - 1

    def pile_set(self, piles: tuple[str, ...]) -> int:
        """Return piles as a set of bits; piles that no row fills are left out."""
        return sum(1 << self.piles.index(pile) for pile in set(piles) & set(self.piles))

    def is_looked(self, pile: int) -> bool:
        """Tell whether it matters which cards go to a pile, not only how many."""
        there = self.sizes > 0
        same = all(len(set(each[pile][there].tolist())) <= 1 for each in (self.weights, self.tally_weights))
        read = any(term[0] == Term.FEATURES and term[1] >> pile & 1 for term in self.terms)
        return not same or read or bool(self.back >> pile & 1)

    # what is done

    def write(self, rows: tuple[Row, ...]) -> None:
        """Write rows down one after the other."""
        for row in rows:
            if isinstance(row, Coin | When):
                self.branch(row)
            else:
                self.add(self.line(row), row)

    def add(self, line: list[int], row: Row) -> None:
        """Add a line that comes from a row."""
        self.rows.append(line)
        self.sources.append(row)

    def branch(self, row: Coin | When) -> None:
        """Write a row down that guards others; a chance that guards one move alone becomes part of it."""
        if isinstance(row, Coin):
            number = len(self.chances)
            self.chances.append((row.chance.numerator, row.chance.denominator))
            if len(row.then) == 1 and isinstance(row.then[0], Move) and not row.otherwise:
                line = self.line(row.then[0])
                line[4] = number
                self.add(line, row.then[0])
                return
            line = _line(Code.COIN, c4=number)
        else:
            high = NO_LIMIT if row.high is None else row.high
            line = _line(Code.WHEN, c6=self.sum(row.of), c7=row.low, c8=high)
        self.add(line, row)
        self.write(row.then)
        if row.otherwise:
            jump = _line(Code.JUMP)
            self.add(jump, row)
            line[5] = len(self.rows)
            self.write(row.otherwise)
            jump[5] = len(self.rows)
        else:
            line[5] = len(self.rows)

    def line(self, row: Row) -> list[int]:
        """Write one row down that guards no others."""
        if isinstance(row, Move):
            pile = self.piles.index(row.to)
            if row.again:
                self.masks.append(row.again)
            again = len(self.masks) - 1 if row.again else 0
            line = _line(Code.MOVE, *self.amount(row.n), pile, c5=int(row.draw), c6=again)
            if not self.looked[pile] and not row.again:
                one = int(np.argmax(self.sizes > 0))
                line[0], line[7:9] = Code.SKIP, [int(self.weights[pile, one]), int(self.tally_weights[pile, one])]
            return line
        if isinstance(row, Until):
            return self.until(row)
        if isinstance(row, Mulligan):
            return self.mulligan(row)
        if isinstance(row, Look):
            return self.look(row)
        if isinstance(row, Shuffle):
            return _line(Code.SHUFFLE, c6=self.pile_set(row.back))
        if isinstance(row, Add):
            return _line(Code.ADD, *self.amount(row.n), self.registers.index(row.register))
        assert isinstance(row, Mark)
        place = self.turns.index(row.turn) if row.turn in self.turns else -1
        return _line(Code.MARK, place, c3=row.turn)

    def until(self, row: Until) -> list[int]:
        """Write an `Until` down."""
        place = self.program.counter(row.counter)
        self.local.append([one.adds[place] for one in self.program.classes])
        to = TO_BOTTOM if row.to == BOTTOM else self.piles.index(row.to)
        found = to if row.found is None else self.piles.index(row.found)
        most = NO_LIMIT if row.most is None else row.most
        pile = 0 if to == TO_BOTTOM else to
        return _line(Code.UNTIL, *self.amount(row.goal), pile, c5=most, c6=len(self.local) - 1, c7=found, c8=to)

    def mulligan(self, row: Mulligan) -> list[int]:
        """Write a `Mulligan` down; the counters that it asks for share one local table."""
        fields = self.share([one.counter for one in row.keep + row.away], row.size)
        keeps, surplus = len(self.keeps), len(self.surplus)
        for keep in row.keep:
            self.keeps.append((*fields[keep.counter], keep.low, NO_LIMIT if keep.high is None else keep.high))
        for rule in row.away:
            self.surplus.append((*fields[rule.counter], rule.above))
        ends = (keeps, len(self.keeps), surplus, len(self.surplus))
        most = row.free + row.size - row.down_to if row.keep else 0
        table, pile = len(self.local) - 1, self.piles.index(row.to)
        return [*_line(Code.MULLIGAN, row.size, -1, pile, c5=most, c6=table, c7=row.free)[:8], *ends]

    def share(self, counters: list[str], cards: int) -> dict[str, tuple[int, int]]:
        """Make a local table in which several counters lie side by side; give the shift and mask of each."""
        fields: dict[str, tuple[int, int]] = {}
        table = np.zeros(len(self.program.classes), np.int64)
        shift = 0
        for name in dict.fromkeys(counters):
            place = self.program.counter(name)
            adds = [one.adds[place] for one in self.program.classes]
            width = (cards * max(adds)).bit_length()
            table += np.array(adds, np.int64) << shift
            fields[name] = (shift, (1 << width) - 1)
            shift += width
        if shift > CELL_BITS:
            raise TooMany(f"a mulligan decides by sums of {shift} bits, the limit is {CELL_BITS}.", "Ask for fewer.")
        self.local.append(table.tolist())
        return fields

    def look(self, row: Look) -> list[int]:
        """Write a `Look` down."""
        first = len(self.sends)
        codes = {TOP: TO_TOP, BOTTOM: TO_BOTTOM} | {pile: place for place, pile in enumerate(self.piles)}
        self.sends += [[codes[name] for name in table] for table in row.sends]
        line = _line(Code.LOOK, *self.amount(row.n), c5=len(row.sends), c6=first, c7=self.sum(row.by) if row.by else -1)
        if row.pick:
            ranks = [
                row.pick.order.index(c) if c in row.pick.order else NEVER for c in range(len(self.program.classes))
            ]
            line[3], line[8], line[9] = self.piles.index(row.pick.to), row.pick.most, len(self.sends)
            self.sends.append(ranks)
        return line

    def finish(self) -> None:
        """Tell rows where the next mark is, and give the quick codes to those that can have them."""
        following = len(self.rows)
        recorded = len(self.turns)
        for place in range(len(self.rows) - 1, -1, -1):
            line = self.rows[place]
            if line[0] == Code.MARK:
                following = place
                recorded = line[5] = line[1] if line[1] >= 0 else recorded
            elif line[0] in (Code.SKIP, Code.MOVE):
                line[9] = following
                if line[2] < 0 and not (line[8] if line[0] == Code.SKIP else self.full or line[6]):
                    line[0] -= 2


def group_limits(cards: int) -> tuple[Words, Words]:
    """Give the tables by which one random word serves for up to GROUP exactly uniform places.

    Args:
        cards: Most cards left.

    Returns:
        For each number n of cards left the product of n, n - 1, ... (GROUP of them, none below 1), and 2**64 modulo it:
        a word whose product with it is below that remainder, modulo 2**64, is thrown away.
    """
    product, limit = np.ones(cards + 1, np.uint64), np.zeros(cards + 1, np.uint64)
    for left in range(1, cards + 1):
        whole = 1
        for i in range(GROUP):
            whole *= max(1, left - i)
        product[left], limit[left] = whole, (1 << 64) % whole
    return product, limit


def _deck(program: Program, top: tuple[int, ...], bottom: tuple[int, ...]) -> NDArray[np.uint8]:
    left = [one.size for one in program.classes]
    for number in top + bottom:
        left[number] -= 1
    rest = [number for number, size in enumerate(left) for _ in range(size)]
    return np.array([*[0] * len(bottom), *top, *rest], np.uint8)


def _quiet(axis: FirstTurn) -> int:
    if axis.of == (LIBRARY,) and axis.high is not None:
        return axis.high
    return 0 if axis.of == (LOST,) and axis.low >= 1 else NO_LIMIT


def _sums_of(row: Row) -> list[tuple[Value, ...]]:
    if isinstance(row, When):
        return [row.of]
    amount = row.goal if isinstance(row, Until) else getattr(row, "n", 0)
    sums = [amount.of] if isinstance(amount, Amount) else []
    return [*sums, row.by] if isinstance(row, Look) and row.by else sums


def _line(code: Code, c1: int = 0, c2: int = -1, c3: int = 0, **more: int) -> list[int]:
    line = [int(code), c1, c2, c3, -1] + [0] * (COLUMNS - 5)
    for name, number in more.items():
        line[int(name[1:])] = number
    return line


def _numbers(rows: list[tuple[int, ...]], columns: int) -> Numbers:
    return np.array(rows, np.int64).reshape(len(rows), columns) if rows else np.zeros((0, columns), np.int64)
