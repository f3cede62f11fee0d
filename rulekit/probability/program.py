"""The library program: what is done to one library, row by row, and what is recorded.

A program is plain frozen data, built by hand or by the tracer, and it is the meeting point of the two evaluators:
`exact` works out its distribution, `kernel` plays it trial by trial. What its rows do is said in `rows`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rulekit.probability.rows import (
    BOTTOM,
    TOP,
    Add,
    Amount,
    Axis,
    CardClass,
    Coin,
    FirstTurn,
    Look,
    Mark,
    Move,
    Mulligan,
    Row,
    Until,
    Value,
    When,
    distinct,
    piles_of,
    values_of,
    walk,
)
from rulekit.rules import BadData, TooMany, Unknown

MOST_CARDS = 1_000
MOST_CLASSES = 250
MOST_PILES = 8
COUNTER_BITS = 64
FEATURE_BITS = 64
CHANCE_BITS = 32


@dataclass(frozen=True)
class Program:
    """One library, what is done to it, and what is recorded.

    Attributes:
        classes: The cards of the library; at most 250 classes and 1,000 cards.
        rows: What is done, in order; at least one `Mark`.
        axes: What is recorded at each mark; the order is that of the table.
        counters: Names of the counters, in the order of `CardClass.adds`.
        features: Names of the features, bit 0 first; at most 64.
        top: Class numbers of the known cards on top, the next card first.
        bottom: Class numbers of the known cards on the bottom, the last card of the library last.
    """

    classes: tuple[CardClass, ...]
    rows: tuple[Row, ...]
    axes: tuple[Axis | FirstTurn, ...]
    counters: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    top: tuple[int, ...] = ()
    bottom: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no evaluator could carry out.

        Raises:
            BadData: A row or axis asks for something that this page does not allow.
            Unknown: A counter is not among `counters`.
            TooMany: More cards, classes, piles, counters or features than a program holds.
        """
        _check_cards(self)
        _check_rows(self)
        _check_axes(self)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.classes, self.rows, self.axes, self.counters, self.features, self.top, self.bottom))

    @cached_property
    def size(self) -> int:
        """Number of cards in the library at the start."""
        return sum(one.size for one in self.classes)

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """Each counter, summed over all cards of the library: no sum over piles is greater."""
        return tuple(sum(one.size * one.adds[k] for one in self.classes) for k in range(len(self.counters)))

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """Turns of the marks, in order."""
        return tuple(row.turn for row in self.rows if isinstance(row, Mark))

    @cached_property
    def piles(self) -> tuple[str, ...]:
        """All piles that a row puts cards on, in the order in which they are first named."""
        named = (pile for row in walk(distinct(self.rows)) for pile in piles_of(row))
        return tuple(dict.fromkeys(named))

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Number of values of each axis: an axis takes the numbers from 0 to that number less 1."""
        return tuple(self._most(axis) + 1 for axis in self.axes)

    def counter(self, name: str) -> int:
        """Give the place of a counter in `CardClass.adds`.

        Raises:
            Unknown: No counter has this name.
        """
        if name not in self.counters:
            raise Unknown("counter", name, self.counters, "in this program")
        return self.counters.index(name)

    def largest(self, value: Value) -> int | None:
        """Give a bound that a value never exceeds; None for a register whose rows do not give one."""
        if value.of == "register":
            return _highest(self.rows, value.name)
        if value.of == "counter":
            return self.totals[self.counter(value.name)]
        if value.of == "features":
            return sum(
                any(one.features & value.features & 1 << bit for one in self.classes) for bit in range(FEATURE_BITS)
            )
        return 1 if value.of == "lost" else self.size

    def _most(self, axis: Axis | FirstTurn) -> int:
        if isinstance(axis, FirstTurn):
            return self.turns[-1] + 1
        bounds = [self.largest(value) for value in axis.of]
        bound = sum(b for b in bounds if b is not None)
        if axis.high is None:
            return bound
        return axis.high if None in bounds else min(axis.high, bound)


def _highest(rows: tuple[Row, ...], name: str) -> int | None:
    """Bound a register by what its rows add along the worst way through `Coin` and `When`."""
    most = 0
    for row in rows:
        added: int | None = 0
        if isinstance(row, Coin | When):
            ways = (_highest(row.then, name), _highest(row.otherwise, name))
            added = None if ways[0] is None or ways[1] is None else max(ways[0], ways[1])
        elif isinstance(row, Add) and row.register == name:
            added = row.n if isinstance(row.n, int) and row.n >= 0 else None
        if added is None:
            return None
        most += added
    return most


def _check_cards(program: Program) -> None:
    if program.size > MOST_CARDS or len(program.classes) > MOST_CLASSES:
        raise TooMany(
            f"this library has {program.size:,} cards in {len(program.classes):,} classes, "
            f"the limits are {MOST_CARDS:,} and {MOST_CLASSES:,}.",
            "Tell fewer cards apart.",
        )
    for place, one in enumerate(program.classes):
        if one.size < 0 or len(one.adds) != len(program.counters) or any(add < 0 for add in one.adds):
            raise BadData(
                f"class {place} needs a size and {len(program.counters)} counts of at least 0.", key="classes"
            )
        if one.cards and len(one.cards) != one.size:
            raise BadData(f"class {place} has {one.size} cards and {len(one.cards)} names.", key="classes")
        if not 0 <= one.features < 1 << min(FEATURE_BITS, len(program.features)):
            raise BadData(f"class {place} has features that have no name.", key="features", instead=program.features)
    known = program.top + program.bottom
    for number in set(known):
        if not 0 <= number < len(program.classes) or known.count(number) > program.classes[number].size:
            raise BadData(f"more known cards of class {number} than the library holds.", key="top")
    bits = sum(total.bit_length() for total in program.totals)
    if bits > COUNTER_BITS or len(program.features) > FEATURE_BITS or len(program.piles) > MOST_PILES:
        raise TooMany(
            f"this program counts up to sums of {bits} bits, {len(program.features)} features and "
            f"{len(program.piles)} piles, the limits are {COUNTER_BITS}, {FEATURE_BITS} and {MOST_PILES}.",
            "Count fewer things at once.",
        )


def _check_rows(program: Program) -> None:
    rows = distinct(program.rows)
    inside = {id(row): tuple(walk((row,))) for row in rows}
    marks = len(program.turns) + sum(isinstance(one, Mark) for row in rows for one in inside[id(row)] if one is not row)
    if not program.turns or marks != len(program.turns) or program.turns[0] < 0:
        raise BadData("a program needs marks, all among its outermost rows, of turns from 0 on.", key="rows")
    if any(later <= earlier for earlier, later in zip(program.turns, program.turns[1:], strict=False)):
        raise BadData("the turns of the marks must increase.", key="rows", text=str(program.turns))
    deals = {id(row) for row in rows if any(isinstance(one, Mulligan) for one in inside[id(row)])}
    takes = {id(row) for row in rows if any(isinstance(one, Move | Until | Mulligan | Look) for one in inside[id(row)])}
    moved = False
    for row in program.rows:
        if id(row) in deals and (moved or not isinstance(row, Mulligan)):
            raise BadData("a mulligan stands before all other rows that touch the library.", key="rows", text=repr(row))
        moved = moved or id(row) in takes
    for row in rows:
        for one in inside[id(row)]:
            _check_row(program, one)


def _check_row(program: Program, row: Row) -> None:
    wrong = _fault(program, row)
    if wrong:
        raise BadData(wrong, key="rows", text=repr(row))
    for value in values_of(row):
        _check_value(program, value)


def _fault(program: Program, row: Row) -> str:
    """Say what is wrong with a row by itself, or nothing."""
    if any(pile in ("", TOP, BOTTOM) for pile in piles_of(row)):
        return "cards go to a pile that has a name of its own."
    amount = row.goal if isinstance(row, Until) else getattr(row, "n", 0)
    if isinstance(amount, Amount) and (amount.times < 0 or amount.factor < 0 or not amount.of):
        return "an amount needs values, and neither `times` nor `factor` is below 0."
    if isinstance(amount, int) and amount < 0 and isinstance(row, Move | Until | Look):
        return "the number of cards is at least 0."
    if isinstance(row, Move) and row.draw and row.again:
        return "a draw is not done again for what was drawn."
    if isinstance(row, Move) and row.later and not row.draw:
        return "only a draw loses the game later."
    if isinstance(row, Until):
        program.counter(row.counter)
        return "`most` is at least 0." if row.most is not None and row.most < 0 else ""
    if isinstance(row, Coin):
        fair = 0 <= row.chance <= 1 and row.chance.denominator < 1 << CHANCE_BITS
        return "" if fair else f"a chance is from 0 to 1, with a denominator below 2**{CHANCE_BITS}."
    if isinstance(row, Mulligan):
        return _mulligan_fault(program, row)
    return _look_fault(program, row) if isinstance(row, Look) else ""


def _mulligan_fault(program: Program, row: Mulligan) -> str:
    for one in row.keep + row.away:
        program.counter(one.counter)
    if not 1 <= row.size <= program.size:
        return f"a look takes from 1 to {program.size} cards of this library."
    return "" if 0 <= row.down_to <= row.size and row.free >= 0 else "`down_to` is from 0 to `size`, `free` at least 0."


def _look_fault(program: Program, row: Look) -> str:
    if not row.sends or any(len(table) != len(program.classes) for table in row.sends):
        return f"each row of `sends` needs {len(program.classes)} destinations, one for each class."
    if row.pick and not (row.pick.most >= 0 and set(row.pick.order) <= set(range(len(program.classes)))):
        return "a pick takes at least 0 cards, of classes that the program has."
    return ""


def _check_value(program: Program, value: Value) -> None:
    if value.of == "counter":
        program.counter(value.name)
    if not 0 <= value.features < 1 << FEATURE_BITS:
        raise BadData("a mask of features has 64 bits.", key="features", text=repr(value))


def _check_axes(program: Program) -> None:
    names = [axis.name for axis in program.axes]
    if not names or len(set(names)) != len(names):
        raise BadData("a program needs axes, each with a name of its own.", key="axes", text=str(names))
    for axis in program.axes:
        for value in axis.of:
            _check_value(program, value)
        if isinstance(axis, Axis) and axis.high is None and None in [program.largest(value) for value in axis.of]:
            raise BadData("an axis that reads a register without a bound needs `high`.", key="axes", text=axis.name)
