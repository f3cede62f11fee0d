"""A program written down as arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.integers import WORD
from rulekit.probability.packed import (
    ALONE,
    AT_ONCE,
    CELL_BITS,
    COLUMNS,
    LATER,
    LOOKING,
    NEVER,
    NO_LIMIT,
    PLAIN,
    SAME,
    TO_BOTTOM,
    TO_TOP,
    Arrays,
    Code,
    Numbers,
    Packed,
    Term,
    group_limits,
    pool_fields,
    pool_words,
)
from rulekit.probability.program import Program
from rulekit.probability.rows import (
    BOTTOM,
    TOP,
    Add,
    Amount,
    Check,
    Coin,
    Look,
    Mark,
    Move,
    Mulligan,
    Row,
    Shuffle,
    Until,
    When,
    walk,
)
from rulekit.probability.sums import Sums
from rulekit.rules import TooMany, Unknown


def pack(program: Program, turns: tuple[int, ...] | None = None, looked: frozenset[str] = frozenset()) -> Packed:
    """Turn a program into arrays.

    Args:
        program: The program.
        turns: The turns that are recorded, increasing; None: all that are marked. Which turns are recorded changes
            nothing in what happens in a trial.
        looked: Piles whose cards are dealt one by one even if the program asks no more than how many there are:
            with the same ones, programs that differ in their axes alone have the same trials.

    Raises:
        Unknown: No mark has one of the turns.
        TooMany: The axes do not fit in one number.
    """
    turns = program.turns if turns is None else turns
    for turn in turns:
        if turn not in program.turns:
            raise Unknown("turn", str(turn), [str(one) for one in program.turns], "in this program")
    return Writer(program, turns, looked).packed()


def looked_at(program: Program) -> frozenset[str]:
    """Return the piles of a program for which it matters which cards go to them, not only how many."""
    try:
        if sum((size - 1).bit_length() for size in program.shape) <= CELL_BITS:
            return _looked(Sums(program))
    except TooMany:
        pass  # each axis by itself may still have room
    return frozenset().union(*(_looked(Sums(replace(program, axes=(axis,)))) for axis in program.axes))


def _looked(sums: Sums) -> frozenset[str]:
    """Return the piles for whose cards what is summed up or shuffled back asks one by one."""
    back = {pile for row in walk(sums.program.rows) if isinstance(row, Shuffle) for pile in row.back}
    return frozenset(name for place, name in enumerate(sums.piles) if sums.look_at(place) or name in back)


class Writer:
    """Write the rows of one program down as lines of integers.

    Columns of a row, by code; unused ones are 0:
        0 the code; 1 a number; 2 the amount instead of it, or -1; 3 pile; 4 chance that guards the row, or -1, or SAME
        as before; MOVE, SKIP: 5 AT_ONCE or LATER if it is a draw, by when it loses; 6 place of the mask of `again`, or
            0; 9 the next mark behind it.
            SKIP, for piles whose cards nobody looks at: 7, 8 what one card adds to cell and tally.
        DEAL, PASS: a MOVE or SKIP of a plain number of cards that change nothing but the number of the cell; 10 how
            far to go on in a large library: behind a mark that records nothing.
        UNTIL: 3 a pile; 5 most cards; 6 local table; 7 pile of what is found, 8 of the others; or TO_BOTTOM; 9 PLAIN if
            all go to one pile, where only the number of the cell changes, ALONE if its number is a plain one too.
        MULLIGAN: 1 cards in a look; 5 most mulligans; 6 local table; 7 free ones; 8, 9 its keeps; 10, 11 its surplus.
        LOOK: 3 pile of a pick; 5 tables; 6 first of them; 7 sum that chooses, or -1; 8 most picks; 9 table of ranks.
        COIN, JUMP: 5 row to go on with when the coin fails, or always.
        WHEN: 5 row to go on with when the sum is outside; 6 sum; 7 low; 8 high.
        CHECK: 9 the next mark behind it.
        SHUFFLE: 6 set of piles. ADD: 3 register; 7 what 1 adds to the number of the cell. GAIN: an ADD of a plain
            number.
        MARK: 1 place of the turn among those recorded, or -1; 3 turn; 5 place of the first recorded turn from it on.
    """

    def __init__(self, program: Program, turns: tuple[int, ...], looked: frozenset[str]) -> None:
        """Write a program down; see `pack`."""
        self.program = program
        self.turns = turns
        self.sums = Sums(program)
        self.rows: list[list[int]] = []
        self.sources: list[Row] = []
        self.places: list[int] = []
        self.outermost = 0
        self.amounts: list[tuple[int, ...]] = []
        self.chances: list[tuple[int, ...]] = []
        self.local: list[list[int]] = [[0] * len(program.classes)]
        self.keeps: list[tuple[int, ...]] = []
        self.surplus: list[tuple[int, ...]] = []
        self.sends: list[list[int]] = []
        back = [pile for row in walk(program.rows) if isinstance(row, Shuffle) for pile in row.back]
        self.back = self.sums.pile_set(tuple(back))
        looked |= _looked(self.sums)
        self.looked = tuple(name in looked for name in program.piles)
        features = any(term[0] == Term.FEATURES for term in self.sums.terms)
        self.full = bool(self.sums.tally_bits or self.back or features)
        for self.outermost, row in enumerate(program.rows):
            self.write((row,))
        self.finish()

    def packed(self) -> Packed:
        """Put the arrays together."""
        program, sums = self.program, self.sums
        mulligan = any(isinstance(row, Mulligan) for row in program.rows)
        top, bottom = ((), ()) if mulligan else (program.top, program.bottom)
        product, limit = group_limits(max(1, program.size))
        field, fields, ones = pool_fields(program.size)
        looks = int(any(line[0] in LOOKING for line in self.rows))
        pool = pool_words(_unknown(program, top + bottom), program.size)
        ring = np.zeros(1 << max(3, program.size.bit_length()), np.uint8)
        ring[: len(bottom)] = bottom
        arrays = Arrays(
            start=len(bottom),
            known=len(bottom) + len(top),
            top=program.size,
            below=len(bottom),
            cell=sums.cell,
            losing=sums.losing,
            full=int(self.full),
            looks=looks,
            abreast=int(not top and not bottom and self.can_go_abreast()),
            back=self.back,
            classes=len(program.classes),
            cards=max(1, program.size),
            marks=len(self.turns),
            quiet=sums.quiet,
            field=field,
            fields=fields,
            ones=ones,
            pool=pool,
            deck=_deck(program, top, bottom),
            bottom=ring,
            weights=sums.weights.ravel(),
            tally_weights=sums.tally_weights.ravel(),
            register_weights=sums.register_weights,
            features=np.array([one.features for one in program.classes], np.uint64),
            local=np.array(self.local, np.int64).ravel(),
            rows=np.array(self.rows, np.int64),
            amounts=_numbers(self.amounts, 6),
            sums=_numbers(sums.sums, 6),
            terms=_numbers(sums.terms, 3),
            masks=np.array(sums.masks, np.uint64),
            chances=np.array(self.chances or [(0, 1, 0, 0)], np.uint64),
            keeps=_numbers(self.keeps, 4),
            surplus=_numbers(self.surplus, 3),
            sends=np.array(self.sends or [[0]], np.uint8).ravel(),
            firsts=_numbers(sums.firsts, 6),
            late=_numbers(sums.late, 3),
            product=product,
            limit=limit,
        )
        return Packed(program, self.turns, sums.shifts, sums.widths, tuple(self.sources), tuple(self.places), arrays)

    def can_go_abreast(self) -> bool:
        """Tell whether each row does no more with cards than to move them to piles, and none is remembered."""
        return not self.back and all(
            line[0] not in (Code.LOOK, Code.SHUFFLE)
            and not (line[0] == Code.MOVE and line[6])
            and not (line[0] == Code.UNTIL and line[8] == TO_BOTTOM)
            for line in self.rows
        )

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
        self.places.append(self.outermost)

    def branch(self, row: Coin | When) -> None:
        """Write a row down that guards others; a chance that guards simple ones becomes part of them."""
        if isinstance(row, Coin):
            number = len(self.chances)
            most, of = row.chance.numerator, row.chance.denominator
            self.chances.append((most, of, -(-(most << 64) // of) & WORD, int(most == of)))
            if self.is_guard(row):
                for place, guarded in enumerate(row.then):
                    line = self.line(guarded)
                    line[4] = SAME if place else number
                    self.add(line, guarded)
                return
            line = _line(Code.COIN, c4=number)
        else:
            high = NO_LIMIT if row.high is None else row.high
            line = _line(Code.WHEN, c6=self.sums.sum(row.of), c7=row.low, c8=high)
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

    def is_guard(self, row: Coin) -> bool:
        """Tell whether a coin guards one move alone, or rows whose codes are quick."""
        if row.otherwise or not row.then:
            return False
        lines = [self.line(each) if isinstance(each, Move | Add) else [int(Code.MARK)] for each in row.then]
        return [line[0] in (Code.SKIP, Code.MOVE) for line in lines] == [True] or all(map(self.is_quick, lines))

    def is_quick(self, line: list[int]) -> bool:
        """Tell whether a line moves a plain number of cards that change the number of the cell alone, or is a gain."""
        if line[0] in (Code.SKIP, Code.MOVE):
            return line[2] < 0 and not (line[8] if line[0] == Code.SKIP else self.full or line[6])
        return line[0] == Code.GAIN

    def line(self, row: Row) -> list[int]:
        """Write one row down that guards no others."""
        if isinstance(row, Move):
            pile = self.sums.piles.index(row.to)
            again = self.sums.mask(row.again) if row.again else 0
            loses = LATER if row.later else AT_ONCE if row.draw else 0
            line = _line(Code.MOVE, *self.amount(row.n), pile, c5=loses, c6=again)
            if not self.looked[pile] and not row.again:
                one = next((k for k, each in enumerate(self.program.classes) if each.size), 0)
                line[0], line[7:9] = (
                    Code.SKIP,
                    [int(self.sums.weights[pile, one]), int(self.sums.tally_weights[pile, one])],
                )
            return line
        if isinstance(row, Until):
            return self.until(row)
        if isinstance(row, Mulligan):
            return self.mulligan(row)
        if isinstance(row, Look):
            return self.look(row)
        if isinstance(row, Shuffle):
            return _line(Code.SHUFFLE, c6=self.sums.pile_set(row.back))
        if isinstance(row, Add):
            place = self.sums.registers.index(row.register)
            code = Code.GAIN if isinstance(row.n, int) and row.n >= 0 else Code.ADD
            return _line(code, *self.amount(row.n), place, c7=int(self.sums.register_weights[place]))
        if isinstance(row, Check):
            return _line(Code.CHECK)
        turn = cast("Mark", row).turn
        return _line(Code.MARK, self.turns.index(turn) if turn in self.turns else -1, c3=turn)

    def amount(self, n: int | Amount) -> tuple[int, int]:
        """Return a number and -1, or 0 and the number of an amount."""
        if isinstance(n, int):
            return n, -1
        share = (n.times.numerator, n.times.denominator, int(n.up))
        self.amounts.append((self.sums.sum(n.of), *share, n.factor, n.plus))
        return 0, len(self.amounts) - 1

    def until(self, row: Until) -> list[int]:
        """Write an `Until` down."""
        place = self.program.counter(row.counter)
        self.local.append([one.adds[place] for one in self.program.classes])
        to = TO_BOTTOM if row.to == BOTTOM else self.sums.piles.index(row.to)
        found = to if row.found is None else self.sums.piles.index(row.found)
        most = NO_LIMIT if row.most is None else row.most
        pile = 0 if to == TO_BOTTOM else to
        plain = 0 if self.full or to == TO_BOTTOM or found != to else ALONE if isinstance(row.goal, int) else PLAIN
        local = len(self.local) - 1
        return _line(Code.UNTIL, *self.amount(row.goal), pile, c5=most, c6=local, c7=found, c8=to, c9=plain)

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
        table, pile = len(self.local) - 1, self.sums.piles.index(row.to)
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
        codes = {TOP: TO_TOP, BOTTOM: TO_BOTTOM} | {pile: place for place, pile in enumerate(self.sums.piles)}
        self.sends += [[codes[name] for name in table] for table in row.sends]
        line = _line(
            Code.LOOK, *self.amount(row.n), c5=len(row.sends), c6=first, c7=self.sums.sum(row.by) if row.by else -1
        )
        if row.pick:
            ranks = [
                row.pick.order.index(c) if c in row.pick.order else NEVER for c in range(len(self.program.classes))
            ]
            line[3], line[8], line[9] = self.sums.piles.index(row.pick.to), row.pick.most, len(self.sends)
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
            elif line[0] in (Code.SKIP, Code.MOVE, Code.CHECK):
                line[9] = following
                if self.is_quick(line):
                    line[0] -= Code.SKIP - Code.PASS
                    after = self.rows[place + 1] if place + 1 < len(self.rows) else [int(Code.COIN)]
                    line[10] = COLUMNS * (2 if after[0] == Code.MARK and after[1] < 0 else 1)


def _unknown(program: Program, known: tuple[int, ...]) -> list[int]:
    """Count the cards of each class that are not known ones."""
    return [one.size - known.count(number) for number, one in enumerate(program.classes)]


def _deck(program: Program, top: tuple[int, ...], bottom: tuple[int, ...]) -> NDArray[np.uint8]:
    rest = [number for number, size in enumerate(_unknown(program, top + bottom)) for _ in range(size)]
    return np.array([*[0] * len(bottom), *top, *rest], np.uint8)


def _line(code: Code, c1: int = 0, c2: int = -1, c3: int = 0, **more: int) -> list[int]:
    line = [int(code), c1, c2, c3, -1] + [0] * (COLUMNS - 5)
    for name, number in more.items():
        line[int(name[1:])] = number
    return line


def _numbers(rows: list[tuple[int, ...]], columns: int) -> Numbers:
    return np.array(rows, np.int64).reshape(len(rows), columns) if rows else np.zeros((0, columns), np.int64)
