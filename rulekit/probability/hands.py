"""Opening hands with London mulligans in the exact evaluator's chain (103.5), and what is known of them.

Until a row asks, a state does not say which hand was kept: it says that it is one of many (`Hands`). So a long plan has
no more states with mulligans than without.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.combinations import Integers
from rulekit.probability.kinds import minus, one_of, splits
from rulekit.probability.rows import Mulligan
from rulekit.probability.ways import Vector

NOTHING = -1
Put = tuple[Vector, Vector]  # the hand by kinds, and the kinds of the cards put on the bottom, the uppermost first


@dataclass(frozen=True, eq=False)
class Hands:
    """Opening hands that may have been kept, with the cards that they put on the bottom.

    Attributes:
        pile: The pile of the hand.
        hands: For each kind (first axis) and each hand the number of cards kept.
        orders: The kind of each card put on the bottom, the uppermost first (first axis), or NOTHING.
        shares: How likely each is.
    """

    pile: int
    hands: Integers
    orders: Integers
    shares: NDArray[Any]

    @cached_property
    def left(self) -> int | None:
        """How many cards each of them put on the bottom; None if not each the same."""
        numbers = self.lefts()[0]
        return int(numbers[0]) if (numbers == numbers[0]).all() else None

    @cached_property
    def total(self) -> Vector | None:
        """How many cards of each kind were looked at; None if not in each the same."""
        totals = self.totals()
        return tuple(totals[:, 0].tolist()) if (totals == totals[:, :1]).all() else None

    def lefts(self) -> Integers:
        """Return how many cards each hand put on the bottom, as the only row."""
        return np.asarray((self.orders != NOTHING).sum(0, keepdims=True))

    def totals(self) -> Integers:
        """Return how many cards of each kind were looked at, for each hand."""
        kinds = np.arange(len(self.hands))[:, None, None]
        return np.asarray(self.hands + (self.orders == kinds).sum(1))

    def sorted_by(self, numbers: Integers) -> Iterator[tuple[Any, Hands]]:
        """Give the hands that have the same numbers (columns) together, with their chance."""
        columns: dict[Vector, list[int]] = {}
        for place, column in enumerate(map(tuple, numbers.T.tolist())):
            columns.setdefault(column, []).append(place)
        for places in columns.values():
            share = self.shares[places].sum()
            yield (
                share,
                Hands(self.pile, self.hands[:, places], self.orders[:, places], self.shares[places] / share),
            )


@lru_cache(maxsize=64)
def opening(
    row: Mulligan, pile: int, sizes: Vector, adds: tuple[tuple[tuple[str, int], ...], ...], floats: bool
) -> Hands:
    """Return the hands that a mulligan row may lead to (`rows.Mulligan`).

    Args:
        row: The row.
        pile: The pile of the hand.
        sizes: Number of cards of each kind.
        adds: For each kind what a card of it adds to the counters of the row.
        floats: Whether chances are float64; else fractions.
    """
    share = (lambda part, whole: part / whole) if floats else Fraction
    add = [dict(each) for each in adds]
    total = math.comb(sum(sizes), row.size)
    looks = [(share(ways, total), hand, _keeps(row, add, hand)) for ways, hand in splits(sizes, row.size)]
    bad = sum(chance for chance, _, kept in looks if not kept)
    last = row.free + row.size - row.down_to
    reached = [1 * bad**taken for taken in range(last + 1)]
    found: dict[Put, Any] = {}
    for chance, hand, kept in looks:
        live: dict[Put, Any] = {(hand, ()): chance}
        for taken in range(last + 1):
            if taken > row.free:
                live = _put_one_away(row, add, live, share)
            if reached[taken] and (kept or taken == last):
                for put, weight in live.items():
                    found[put] = found.get(put, 0) + weight * reached[taken]
    deepest = max(len(order) for _, order in found)
    orders = [(*order, *(NOTHING,) * (deepest - len(order))) for _, order in found]
    shares = np.array(list(found.values()), np.float64 if floats else object)
    hands = np.array([hand for hand, _ in found], np.int64).T
    return Hands(pile, hands, np.array(orders, np.int64).reshape(len(orders), deepest).T, shares)


def _keeps(row: Mulligan, adds: Sequence[dict[str, int]], hand: Vector) -> bool:
    for keep in row.keep:
        total = sum(number * add[keep.counter] for number, add in zip(hand, adds, strict=True))
        if total < keep.low or (keep.high is not None and total > keep.high):
            return False
    return True


def _put_one_away(row: Mulligan, adds: Sequence[dict[str, int]], live: dict[Put, Any], share: Any) -> dict[Put, Any]:
    after: dict[Put, Any] = {}
    for (held, bottom), weight in live.items():
        chosen = _surplus(row, adds, held)
        total = sum(chosen)
        for kind, number in enumerate(chosen):
            if number:
                put = (minus(held, one_of((0,) * len(held), kind)), (*bottom, kind))
                after[put] = after.get(put, 0) + weight * share(number, total)
    return after


def _surplus(row: Mulligan, adds: Sequence[dict[str, int]], hand: Vector) -> Vector:
    for surplus in row.away:
        each = [add[surplus.counter] if number else 0 for add, number in zip(adds, hand, strict=True)]
        total = sum(add * number for add, number in zip(each, hand, strict=True))
        if total > surplus.above and any(each):
            return tuple(number if add else 0 for add, number in zip(each, hand, strict=True))
    return hand
