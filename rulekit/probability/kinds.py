"""What the rows of a program see of cards: which classes they tell apart, and which row may be worked out later.

Classes that no row treats differently are one kind; cards of several kinds are numbers, one for each kind.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from rulekit.probability.program import Program
from rulekit.probability.rows import BOTTOM, FirstTurn, Look, Mark, Move, Mulligan, Row, Shuffle, Until, values_of, walk
from rulekit.probability.ways import Vector


def looks_at_cards(row: Row | FirstTurn) -> bool:
    """Tell whether a row or an axis depends on which cards there are, not only on how many."""
    if isinstance(row, Until | Mulligan | Look) or (isinstance(row, Move) and row.again):
        return not (isinstance(row, Mulligan) and keeps_all(row))
    return any(value.of in ("counter", "features") for value in values_of(row)) and not isinstance(row, Mark)


def deferrable(program: Program, every: tuple[Row, ...], looking: list[Row | FirstTurn]) -> Until | None:
    """Give the only row that looks at cards, if it takes cards until values of several sizes add up."""
    if len(looking) != 1 or not isinstance(looking[0], Until) or program.top or program.bottom:
        return None
    row = looking[0]
    place = program.counter(row.counter)
    sizes = {one.adds[place] for one in program.classes if one.size and one.adds[place]}
    later = any(isinstance(each, Shuffle | Mulligan) for each in every)
    plain = row.found is None and row.to != BOTTOM and isinstance(row.goal, int)
    twice = sum(each == row for each in walk(program.rows)) > 1
    return row if len(sizes) > 1 and plain and not later and not twice else None


def keeps_all(row: Mulligan) -> bool:
    """Tell whether a mulligan keeps the first look whatever it holds."""
    return not row.keep or not row.free + row.size - row.down_to


def seen_of(program: Program, row: Row | FirstTurn, number: int) -> Any:
    """Say what a row sees of a class."""
    one = program.classes[number]
    counters = [value.name for value in values_of(row) if value.of == "counter"]
    masks = [value.features for value in values_of(row) if value.of == "features"]
    if isinstance(row, Until):
        counters.append(row.counter)
    if isinstance(row, Mulligan):
        counters += [keep.counter for keep in row.keep] + [surplus.counter for surplus in row.away]
    if isinstance(row, Move):
        masks.append(row.again)
    found: list[Any] = [one.adds[program.counter(name)] for name in counters] + [one.features & mask for mask in masks]
    if isinstance(row, Look):
        found += [table[number] for table in row.sends]
        found.append(row.pick.order.index(number) if row.pick and number in row.pick.order else -1)
    return tuple(found)


@lru_cache(maxsize=4096)
def splits(pool: Vector, n: int) -> tuple[tuple[int, Vector], ...]:
    """Give each way to draw n cards of a pool, with the number of ways in which it can be done."""
    if len(pool) == 1:
        return ((math.comb(pool[0], n), (n,)),) if n <= pool[0] else ()
    rest = sum(pool[1:])
    found = []
    for first in range(max(0, n - rest), min(pool[0], n) + 1):
        ways = math.comb(pool[0], first)
        found += [(ways * more, (first, *part)) for more, part in splits(pool[1:], n - first)]
    return tuple(found)


def one_of(none: Vector, kind: int) -> Vector:
    """Return a single card of a kind, as numbers of cards of each kind."""
    return (*none[:kind], 1, *none[kind + 1 :])


def minus(first: Vector, second: Vector) -> Vector:
    """Return the difference of two numbers of cards of each kind."""
    return tuple(map(int.__sub__, first, second))
