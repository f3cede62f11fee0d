"""The states of the exact evaluator's chain, and the numbers of cards of each kind that they hold."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

from rulekit.probability.ways import Vector

Weights = dict["State", Any]


class State(NamedTuple):
    """What can be told apart after some rows.

    Attributes:
        top: Kinds of the known cards on top of the library, the next one first.
        rest: Number of unknown cards in the library.
        bottom: Known cards under them: blocks, the uppermost first, each the number of cards of each kind, shuffled.
        known: For each pile the number of known cards of each kind.
        hidden: For each pile the number of cards that nobody has looked at.
        registers: Value of each register.
        lost: 0, or AT_ONCE if the game is lost, or LATER if nobody has looked at that yet.
        pending: Number of cards taken by the deferred `Until` and whether it reached its goal; its probability is not
            yet in the weight.
    """

    top: Vector
    rest: int
    bottom: tuple[Vector, ...]
    known: tuple[Vector, ...]
    hidden: Vector
    registers: Vector
    lost: int
    pending: tuple[int, bool] | None


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


def added(first: Weights, second: Weights) -> Weights:
    """Add weights to others, in place."""
    for state, weight in second.items():
        first[state] = first.get(state, 0) + weight
    return first


def one_of(none: Vector, kind: int) -> Vector:
    """Return a single card of a kind, as numbers of cards of each kind."""
    return (*none[:kind], 1, *none[kind + 1 :])


def changed(held: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    """Return numbers with another value at a place."""
    return (*held[:place], value, *held[place + 1 :])


def plus(first: Vector, second: Vector) -> Vector:
    """Return the sum of two numbers of cards of each kind."""
    return tuple(map(int.__add__, first, second))


def minus(first: Vector, second: Vector) -> Vector:
    """Return the difference of two numbers of cards of each kind."""
    return tuple(map(int.__sub__, first, second))
