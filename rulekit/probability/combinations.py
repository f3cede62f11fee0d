"""Numbers of ways to draw cards, for whole arrays of draws at once."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rulekit.rules import TooMany

Integers: TypeAlias = NDArray[np.signedinteger[Any]]

MOST_WAYS = 1_000_000
_comb = np.frompyfunc(math.comb, 2, 1)
_fraction = np.frompyfunc(Fraction, 2, 1)
LEAST_TABLE = 64


@lru_cache(maxsize=8)
def _table(size: int) -> NDArray[np.float64]:
    """Return the number of ways to choose k of n cards, n and k up to a size, each rounded once."""
    table = np.zeros((size, size))
    row = [1]
    for n in range(size):
        table[n, : n + 1] = np.array(row, np.float64)
        row = [1, *(left + right for left, right in pairwise(row)), 1]
    return table


def choose(n: Any, k: Any, floats: bool) -> NDArray[Any]:
    """Return the number of ways to choose k of n cards, place by place.

    Args:
        n: Numbers of cards, at least 0 and below 1,025.
        k: Numbers of cards chosen, at least 0; more than n in no way.
        floats: Whether float64 is wanted; else Python integers.
    """
    if not floats:
        return np.asarray(_comb(np.asarray(n, object), np.asarray(k, object)), object)
    n, k = np.asarray(n), np.asarray(k)
    size = LEAST_TABLE
    while size <= max(n.max(initial=0), k.max(initial=0)):
        size *= 2
    return np.asarray(_table(size).ravel().take(n * size + k))


def over(ways: NDArray[Any], total: NDArray[Any], floats: bool) -> NDArray[Any]:
    """Return shares as float64, or as fractions of Python integers."""
    return ways / total if floats else np.asarray(_fraction(ways, total), object)


def runs(counts: Integers) -> tuple[Integers, Integers]:
    """Count from 0 up to each number: 2, 0, 3 gives the places 0 0 2 2 2 and the numbers 0 1 0 1 2.

    Raises:
        TooMany: More than a million numbers.
    """
    if counts.sum() > MOST_WAYS:
        raise TooMany(
            f"this question needs more than {MOST_WAYS:,} ways to say of what kinds cards are.",
            "Count fewer things at once, or use simulate(...).",
        )
    places = np.repeat(np.arange(len(counts)), counts)
    return places, np.arange(len(places)) - np.repeat(np.cumsum(counts) - counts, counts)


def parted(pool: Integers, n: Integers, floats: bool) -> tuple[Integers, Integers, NDArray[Any]]:
    """Give each way in which cards drawn from pools may be of some kinds.

    Args:
        pool: For each kind (first axis) and each pool the number of cards.
        n: How many cards are drawn from each pool, at most all of it.
        floats: Whether chances are float64; else fractions.

    Returns:
        For each way the number of its pool, how many cards of each kind it has, and its chance.
    """
    total = choose(pool.sum(0), n, floats)
    which, left = np.arange(len(n)), n
    rest = pool.sum(0)
    parts: list[Integers] = []
    ways: Any = 1
    for kind in range(len(pool) - 1):
        rest = rest - pool[kind, which]
        low = np.maximum(left - rest, 0)
        places, steps = runs(np.minimum(pool[kind, which], left) - low + 1)
        part = low[places] + steps
        parts = [*(each[places] for each in parts), part]
        which, left, rest = which[places], left[places] - part, rest[places]
        ways = choose(pool[kind, which], part, floats) * (ways[places] if kind else 1)
    ways = choose(pool[-1, which], left, floats) * ways
    return which, np.array([*parts, left]), over(ways, total[which], floats)


def multinomial(size: int, moved: Integers, floats: bool) -> NDArray[Any]:
    """Return the number of ways to choose cards for several groups.

    Args:
        size: Number of cards.
        moved: For each group (first axis) how many are chosen; where one is below 0 or all are too many, in no way.
        floats: Whether float64 is wanted; else Python integers.
    """
    fits = (moved >= 0).all(0) & (moved.sum(0) <= size)
    left = np.full(moved.shape[1:], size)
    ways: Any = np.asarray(fits).astype(np.float64 if floats else object) * 1
    for number in np.where(fits, moved, 0):
        ways, left = ways * choose(left, number, floats), left - number
    return np.asarray(ways)
