"""What the rows of a program see of cards: which classes they tell apart, and which row may be worked out later."""

from __future__ import annotations

from typing import Any

from rulekit.probability.program import Program
from rulekit.probability.rows import BOTTOM, FirstTurn, Look, Mark, Move, Mulligan, Row, Shuffle, Until, values_of
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
    twice = sum(each is row or each == row for each in every) > 1
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


def share_one(moved: Vector, features: list[int]) -> bool:
    """Tell whether two of the cards moved have a feature in common."""
    seen = 0
    for number, mask in zip(moved, features, strict=True):
        if number and mask and (number > 1 or seen & mask):
            return True
        seen |= mask if number else 0
    return False
