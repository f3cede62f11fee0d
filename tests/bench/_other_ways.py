"""The five work items as they are usually played and answered: random, NumPy, SciPy, icepool."""

from __future__ import annotations

import importlib.util
import random
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.work_items import CURVE

Cells = Mapping[tuple[int, ...], int]
Deal = Callable[[NDArray[np.uint8], int, np.random.Generator, int], NDArray[np.uint8]]

LAND, CREATURE, OTHER = 0, 1, 2
SIXTY = [LAND] * 24 + [CREATURE] * 20 + [OTHER] * 16
NINETY_NINE = [value for value, size in enumerate(CURVE) for _ in range(size)]
BLOCK = 8_192
PLAIN_TITLES = {
    "W1": "random.sample",
    "W2": "random.sample",
    "W3": "random.random, a loop",
    "W4": "random.shuffle",
    "W5": "random.sample",
}


def plain(name: str, trials: int, seed: int) -> Cells:
    """Play with lists and the random module, a trial at a time."""
    dice = random.Random(seed)
    one = {"W1": _plain_1, "W2": _plain_2, "W3": _plain_3, "W4": _plain_4, "W5": _plain_5}[name]
    return Counter(one(dice) for _ in range(trials))


def _plain_1(dice: random.Random) -> tuple[int, ...]:
    milled = dice.sample(SIXTY, 17)[7:]
    return milled.count(LAND), milled.count(CREATURE)


def _plain_2(dice: random.Random) -> tuple[int, ...]:
    return (sum(dice.sample(NINETY_NINE, 13)),)


def _plain_3(dice: random.Random) -> tuple[int, ...]:
    library, turn = 53, 0
    while True:
        turn += 1
        if turn >= 4 and dice.random() < 0.7:
            library = max(0, library - 10)
        if library == 0:
            return turn, turn
        library -= 1
        if library == 0:
            return turn, turn + 1


def _plain_4(dice: random.Random) -> tuple[int, ...]:
    deck = SIXTY[:]
    dice.shuffle(deck)
    lands = milled = 0
    while lands < 4:
        lands += deck.pop() == LAND
        milled += 1
    return (milled,)


def _plain_5(dice: random.Random) -> tuple[int, ...]:
    away = 0
    while True:
        lands = dice.sample(SIXTY, 7).count(LAND)
        if 2 <= lands <= 5 or away == 3:
            return _bottomed(lands, away)
        away += 1


def _bottomed(lands: int, away: int) -> tuple[int, int]:
    """Put cards of a look of seven away: lands above three first, then others, then lands."""
    surplus = min(away, max(0, lands - 3))
    others = min(away - surplus, 7 - lands)
    return 7 - away, lands - surplus - (away - surplus - others)


# Ways to deal the first cards of many decks at once, an array (cards, trials) of kinds of cards.


def permuted(deck: NDArray[np.uint8], cards: int, dice: np.random.Generator, trials: int) -> NDArray[np.uint8]:
    """Shuffle every deck."""
    decks = np.broadcast_to(deck, (trials, len(deck))).copy()
    return dice.permuted(decks, axis=1, out=decks)[:, :cards].T


def columns(deck: NDArray[np.uint8], cards: int, dice: np.random.Generator, trials: int) -> NDArray[np.uint8]:
    """Swap card after card into place, in all decks at once."""
    decks, lanes = np.repeat(deck, trials), np.arange(trials)
    dealt = np.empty((cards, trials), np.uint8)
    for place in range(cards):
        chosen = dice.integers(place, len(deck), trials) * trials + lanes
        dealt[place] = decks[chosen]
        decks[chosen] = decks[place * trials : (place + 1) * trials]
    return dealt


def sorted_keys(deck: NDArray[np.uint8], cards: int, dice: np.random.Generator, trials: int) -> NDArray[np.uint8]:
    """Part random numbers, whose last bits are the kind of card, by size."""
    keys = dice.integers(0, 1 << 32, (trials, len(deck)), np.uint32) & np.uint32(0xFFFFFFF0) | deck
    keys.partition(cards - 1, axis=1)
    return (keys[:, :cards] & np.uint32(15)).astype(np.uint8).T


def in_numpy(name: str) -> dict[str, Callable[[int, int], Cells]]:
    """Return the ways to play an item many trials at once: NumPy's own shuffle, then the fastest general ones."""
    if name == "W3":
        return {"many at once in NumPy: one table of numbers": _table_3}
    item = {"W1": _item_1, "W2": _item_2, "W4": _item_4, "W5": _item_5}[name]
    titles: dict[str, Deal] = {
        "numpy permuted": permuted,
        "many at once in NumPy: column by column": columns,
        "many at once in NumPy: parted keys": sorted_keys,
    }
    if name == "W4":
        del titles["many at once in NumPy: parted keys"]  # a part in no order says nothing of the fourth land
    return {title: partial(_blocks, item, deal) for title, deal in titles.items()}


def _blocks(item: Callable[[Deal, np.random.Generator, int], Cells], deal: Deal, trials: int, seed: int) -> Cells:
    dice = np.random.Generator(np.random.SFC64(seed))
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(trials // BLOCK):
        found.update(item(deal, dice, BLOCK))
    return found


def _counted(*columns_: NDArray[np.int64]) -> Cells:
    places = columns_[0].astype(np.int64)
    for column in columns_[1:]:
        places = places * 128 + column
    counts = np.bincount(places)
    cells = np.flatnonzero(counts)
    if len(columns_) == 1:
        return {(int(cell),): int(counts[cell]) for cell in cells}
    return {(int(cell) // 128, int(cell) % 128): int(counts[cell]) for cell in cells}


def _item_1(deal: Deal, dice: np.random.Generator, trials: int) -> Cells:
    milled = deal(np.array(SIXTY, np.uint8), 10, dice, trials)
    return _counted((milled == LAND).sum(axis=0), (milled == CREATURE).sum(axis=0))


def _item_2(deal: Deal, dice: np.random.Generator, trials: int) -> Cells:
    return _counted(deal(np.array(NINETY_NINE, np.uint8), 13, dice, trials).sum(axis=0))


def _table_3(trials: int, seed: int) -> Cells:
    dice = np.random.Generator(np.random.SFC64(seed))
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(trials // BLOCK):
        hits = dice.random((BLOCK, 53), np.float32) < np.float32(0.7)
        hits[:, :3] = False
        gone = hits.cumsum(axis=1) * 10 + np.arange(1, 54)
        empty = (gone >= 53).argmax(axis=1)
        by_draw = gone[np.arange(BLOCK), empty] == 53
        found.update(_counted(empty + 1, empty + 1 + by_draw))
    return found


def _item_4(deal: Deal, dice: np.random.Generator, trials: int) -> Cells:
    lands = deal(np.array(SIXTY, np.uint8), 40, dice, trials) == LAND
    return _counted((lands.cumsum(axis=0) == 4).argmax(axis=0) + 1)


def _item_5(deal: Deal, dice: np.random.Generator, trials: int) -> Cells:
    deck, found, left = np.array(SIXTY, np.uint8), Counter[tuple[int, ...]](), trials
    for away in range(4):
        lands = (deal(deck, 7, dice, left) == LAND).sum(axis=0)
        good = (lands >= 2) & (lands <= 5) if away < 3 else np.ones(left, bool)
        for (kept,), times in _counted(lands[good]).items():
            found[_bottomed(kept, away)] += times
        left -= int(good.sum())
        if not left:
            break
    return found


# Exact answers

Exact = Callable[[str], Mapping[tuple[int, ...], float]]


def exact_in_other_ways(name: str) -> dict[str, Exact | str]:
    """Return SciPy's and icepool's way to an item, or why there is none."""
    scipy = {"W1": _scipy_1, "W4": _scipy_4}.get(name, "no distribution of SciPy answers this")
    icepool = {"W1": _icepool_1, "W2": _icepool_2, "W3": _icepool_3, "W5": _icepool_5}.get(
        name, "icepool has no such distribution"
    )
    missing = {each for each in ("scipy", "icepool") if importlib.util.find_spec(each) is None}
    ways = {"scipy": scipy, "icepool": icepool}
    return {each: f"{each} is not installed" if each in missing else way for each, way in ways.items()}


def _scipy_1(_name: str) -> Mapping[tuple[int, ...], float]:
    from scipy.stats import multivariate_hypergeom

    cells = [(k, c) for k in range(11) for c in range(11 - k)]
    x = np.array([(k, c, 10 - k - c) for k, c in cells])
    return dict(zip(cells, multivariate_hypergeom.pmf(x, [24, 20, 16], 10).tolist(), strict=True))


def _scipy_4(_name: str) -> Mapping[tuple[int, ...], float]:
    from scipy.stats import nhypergeom

    others = np.arange(37)
    found = nhypergeom.pmf(others, 60, 36, 24 - 4 + 1)
    return {(int(4 + 36 - k),): float(p) for k, p in zip(others, found, strict=True)}


def _icepool_1(_name: str) -> Mapping[tuple[int, ...], float]:
    import icepool

    class Kinds(icepool.MultisetEvaluator):  # type: ignore[misc]
        def next_state(self, state, _order, outcome, count):  # type: ignore[no-untyped-def]
            lands, creatures = state or (0, 0)
            return lands + count * (outcome == LAND), creatures + count * (outcome == CREATURE)

    found = Kinds().evaluate(icepool.Deck(SIXTY).deal(10))
    return {tuple(cell): found.probability(cell) for cell in found}


def _icepool_2(_name: str) -> Mapping[tuple[int, ...], float]:
    import icepool

    found = icepool.Deck(NINETY_NINE).deal(13).sum()
    return {(int(total),): found.probability(total) for total in found}


def _icepool_3(_name: str) -> Mapping[tuple[int, ...], float]:
    import icepool

    hit = icepool.coin(7, 10)
    turns = icepool.Die([(53, 0, 0, 0)])

    def turn(library: int, number: int, empty: int, lost: int, hits: bool) -> tuple[int, int, int, int]:
        if lost:
            return 0, 0, empty, lost
        number += 1
        if hits and number >= 4:
            library = max(0, library - 10)
        empty = empty or (number if library == 0 else 0)
        if library == 0:
            return 0, 0, empty, number
        return library - 1, number, number if library == 1 else 0, 0

    for _ in range(54):
        turns = icepool.map(lambda state, hits: turn(*state, hits), turns, hit)
    return {(state[2], state[3]): turns.probability(state) for state in turns}


def _icepool_5(_name: str) -> Mapping[tuple[int, ...], float]:
    import icepool

    look = icepool.Deck([int(kind == LAND) for kind in SIXTY]).deal(7).sum()

    def hand(away: int) -> Any:
        fewer = hand(away + 1) if away < 3 else None
        return look.map(lambda lands: _bottomed(lands, away) if fewer is None or 2 <= lands <= 5 else fewer)

    kept = hand(0)
    return {tuple(cell): kept.probability(cell) for cell in kept}
