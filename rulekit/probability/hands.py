"""Opening hands with London mulligans in the exact evaluator's chain (103.5)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulekit.probability.kinds import keeps_all
from rulekit.probability.rows import Mulligan, Surplus
from rulekit.probability.states import State, changed, minus, one_of
from rulekit.probability.ways import Vector

if TYPE_CHECKING:
    from rulekit.probability.chain import Chain


def mulligan(chain: Chain, row: Mulligan, state: State) -> Iterator[tuple[Any, State]]:
    """Give the states after a mulligan row, each with its chance (`rows.Mulligan`)."""
    pile = chain.piles.index(row.to)
    if keeps_all(row):
        yield from chain.take(state._replace(top=(), bottom=(), rest=chain.program.size), row.size, pile)
        return
    looks = list(chain.split(chain.sizes, row.size))
    kept = {hand: _keeps(chain, row, hand) for _, hand in looks}
    bad = sum(share for share, hand in looks if not kept[hand])
    before: Any = 1
    last = row.free + row.size - row.down_to
    for taken in range(last + 1):
        for share, hand in looks:
            if kept[hand] or taken == last:
                for part, held, bottom in _put_away(chain, row.away, hand, max(0, taken - row.free)):
                    rest = chain.program.size - sum(held) - len(bottom)
                    known = changed(state.known, pile, held)
                    yield before * share * part, state._replace(top=(), rest=rest, bottom=bottom, known=known)
        before = before * bad
        if not before:
            return


def _keeps(chain: Chain, row: Mulligan, hand: Vector) -> bool:
    for keep in row.keep:
        total = sum(number * chain.adds(kind, keep.counter) for kind, number in enumerate(hand) if number)
        if total < keep.low or (keep.high is not None and total > keep.high):
            return False
    return True


def _put_away(
    chain: Chain, away: tuple[Surplus, ...], hand: Vector, n: int
) -> Iterator[tuple[Any, Vector, tuple[Vector, ...]]]:
    live: dict[tuple[Vector, tuple[Vector, ...]], Any] = {(hand, ()): 1}
    for _ in range(n):
        after: dict[tuple[Vector, tuple[Vector, ...]], Any] = {}
        for (held, bottom), weight in live.items():
            chosen = _surplus(chain, away, held)
            total = sum(chosen)
            for kind, number in enumerate(chosen):
                if number:
                    one = one_of(chain.none, kind)
                    key = (minus(held, one), (*bottom, one))
                    after[key] = after.get(key, 0) + weight * chain.share(number, total)
        live = after
    for (held, bottom), weight in live.items():
        yield weight, held, bottom


def _surplus(chain: Chain, away: tuple[Surplus, ...], hand: Vector) -> Vector:
    for surplus in away:
        adds = [chain.adds(kind, surplus.counter) if number else 0 for kind, number in enumerate(hand)]
        total = sum(add * number for add, number in zip(adds, hand, strict=True))
        if total > surplus.above and any(adds):
            return tuple(number if add else 0 for add, number in zip(adds, hand, strict=True))
    return hand
