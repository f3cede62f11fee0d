"""Rows that look at the cards they take from the library, in all states of the exact evaluator's chain at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulekit.probability.combinations import Integers, choose, over, parted, runs
from rulekit.probability.crowd import (
    BOTTOM,
    CARD,
    DEALT,
    GOAL,
    LEFT,
    REST,
    SEEN,
    TOP,
    Crowd,
    Grown,
    Variants,
    joined,
)
from rulekit.probability.kinds import one_of
from rulekit.probability.knowledge import Knowledge
from rulekit.probability.rows import BOTTOM as TO_BOTTOM
from rulekit.probability.rows import MOST_LOOKED_AT, Look, Move, Shuffle, Until
from rulekit.probability.rows import TOP as TO_TOP
from rulekit.probability.ways import Vector

Watch = Callable[[Crowd], Crowd]


def until(know: Knowledge, row: Until, crowd: Crowd, watch: Watch) -> Crowd:
    """Take cards until what they add to a counter reaches a goal (`rows.Until`).

    Args:
        know: What is known of the cards.
        row: The row.
        crowd: The states, `revealed` for the goal.
        watch: Adds up states that are the same, and refuses too many of them.
    """
    walk = _Walk(know, row)
    most = know.program.size if row.most is None else row.most
    crowd = crowd.changed(GOAL, know.amount(row.goal, crowd))
    crowd.cells[LEFT] = most
    finished = []
    while len(crowd):
        crowd = _deepened(know, crowd)
        going = walk.values @ crowd.cells[know.columns.found] < crowd.cells[GOAL]
        going &= (crowd.cells[LEFT] > 0) & ((crowd.cells[REST] > 0) | (know.library(crowd) > 0))
        crowd, done = crowd.split(going)
        finished.append(walk.put(done))
        above, other = crowd.split((crowd.cells[TOP] > 0) | (crowd.cells[REST] > 0))
        finished.append(walk.put(walk.through_bottom(other)))
        fast, slow = above.split((above.cells[TOP] == 0) & walk.alike)
        crowd = walk.one_more(slow)
        if len(fast):
            some, more = walk.all_at_once(fast)
            finished.append(some)
            crowd = joined([crowd, more], know.columns.width)
        crowd = watch(crowd)
    return watch(joined(finished, know.columns.width))


def _deepened(know: Knowledge, crowd: Crowd) -> Crowd:
    """Say which hand was kept where nothing but what it put on the bottom may be left of the library."""
    deep = (crowd.cells[REST] == 0) & (crowd.cells[DEALT] > 0)
    if not deep.any():
        return crowd
    there, other = crowd.split(deep)
    return joined([know.resolved(there), other], know.columns.width)


class _Walk:
    """Take cards one after the other, or all at once, until they add up."""

    def __init__(self, know: Knowledge, row: Until) -> None:
        self.know, self.row = know, row
        self.values = np.array([know.adds(kind, row.counter) for kind in range(len(know.kinds))])
        self.hit = self.values > 0
        self.alike = len(set(self.values[self.hit].tolist())) <= 1
        self.place = row.to if row.found is None else row.found

    def one_more(self, crowd: Crowd) -> Crowd:
        """Take the next card."""
        if not len(crowd):
            return crowd
        crowd = self.know.next(crowd)
        card, columns = crowd.cells[CARD], self.know.columns
        into = np.where(self.hit[card], columns.found.start, columns.others.start) + card
        crowd.cells[into, np.arange(len(crowd))] += 1
        crowd.cells[LEFT] -= 1
        crowd.cells[CARD] = 0
        return crowd

    def through_bottom(self, crowd: Crowd) -> Crowd:
        """Take cards where nothing but known cards on the bottom are left."""
        if not len(crowd):
            return crowd
        crowd = crowd.changed(LEFT, np.minimum(crowd.cells[LEFT], self.know.library(crowd)))
        crowd.cells[GOAL] -= self.values @ crowd.cells[self.know.columns.found]
        return self.know.branched(crowd, [BOTTOM, GOAL, LEFT], self._of_bottom)

    def _of_bottom(self, bottom: int, goal: int, left: int) -> Variants:
        """Take known cards one after the other."""
        know, columns = self.know, self.know.columns
        live: dict[tuple[int, Vector], Any] = {(bottom, (0,) * columns.width): 1}
        found: dict[tuple[int, Vector], Any] = {}
        for _ in range(left):
            after: dict[tuple[int, Vector], Any] = {}
            for (at, steps), weight in live.items():
                if self.values @ np.array(steps[columns.found]) >= goal:
                    found[at, steps] = found.get((at, steps), 0) + weight
                    continue
                for share, kind, new in know.below(at):
                    into = (columns.found if self.hit[kind] else columns.others).start + kind
                    key = (new, (*steps[:into], steps[into] + 1, *steps[into + 1 :]))
                    after[key] = after.get(key, 0) + weight * share
            live = after
        for key, weight in live.items():
            found[key] = found.get(key, 0) + weight
        taken = np.array([steps for _, steps in found], np.int64).T
        taken[BOTTOM] = [at - bottom for at, _ in found]
        return know.numbers(found.values()), taken

    def all_at_once(self, crowd: Crowd) -> tuple[Crowd, Crowd]:
        """Take cards from the unknown part of the library, where each card that counts adds the same.

        The last card of n that hold the wanted number of hits is a hit with the chance hits / n.

        Returns:
            The states in which no more cards are taken, these put where they go; and the others.
        """
        crowd = self.know.pooled(crowd)
        pool, floats = self.know.pool(crowd), self.know.floats
        hits, others = pool[self.hit].sum(0), pool[~self.hit].sum(0)
        missing = crowd.cells[GOAL] - self.values @ crowd.cells[self.know.columns.found]
        goal = -(-missing // max(1, self.values.max()))
        room = np.minimum(crowd.cells[REST], crowd.cells[LEFT])
        some = (hits >= goal) & (room >= goal)
        places, misses = runs(np.where(some, np.minimum(others, room - goal) + 1, 0))
        found = goal[places]
        ways = choose(hits[places], found, floats) * choose(others[places], misses, floats)
        total = choose((hits + others)[places], found + misses, floats)
        reached = _Taken(places, found, misses, over(ways * found, total * (found + misses), floats))
        least, upper = np.maximum(0, room - others), np.minimum(np.minimum(goal - 1, hits), room)
        which, steps = runs(np.maximum(0, upper - least + 1))
        few = least[which] + steps
        rest = room[which] - few
        ways = choose(hits[which], few, floats) * choose(others[which], rest, floats)
        short = _Taken(which, few, rest, over(ways, choose((hits + others)[which], room[which], floats), floats))
        ends = ((room == crowd.cells[LEFT]) | ((crowd.cells[BOTTOM] == 0) & (crowd.cells[DEALT] == 0)))[which]
        return self._ended(pool, reached.and_(short.at(ends)), crowd), self._spread(pool, short.at(~ends), crowd)

    def _ended(self, pool: Integers, taken: _Taken, crowd: Crowd) -> Crowd:
        """Put the cards taken where they go, of whatever kinds they are."""
        columns = self.know.columns
        if max(self.hit.sum(), (~self.hit).sum()) > 1 or TO_BOTTOM in (self.row.to, self.place):
            return self.put(self._spread(pool, taken, crowd))
        steps = np.zeros((2, columns.width), np.int64)
        steps[:, REST] = -1
        for step, mask, to in ((steps[0], self.hit, self.place), (steps[1], ~self.hit, self.row.to)):
            step[columns.known(self.know.piles.index(to))][mask] = 1
        return Grown(taken.places, np.array([taken.found, taken.others]), steps, taken.chances).of(self.put(crowd))

    def _spread(self, pool: Integers, taken: _Taken, crowd: Crowd) -> Crowd:
        """Say of what kinds the cards taken are; they lie nowhere yet."""
        columns = self.know.columns
        crowd, pool = crowd.at(taken.places).times(taken.chances), pool[:, taken.places]
        found, others = taken.found, taken.others
        for row in (REST, LEFT):
            crowd.cells[row] -= found + others
        if self.hit.any():
            which, parts, shares = parted(pool[self.hit], found, self.know.floats)
            crowd, pool, others = crowd.at(which).times(shares), pool[:, which], others[which]
            crowd.cells[columns.found.start + np.flatnonzero(self.hit)] += parts
        if not self.hit.all():
            which, parts, shares = parted(pool[~self.hit], others, self.know.floats)
            crowd = crowd.at(which).times(shares)
            crowd.cells[columns.others.start + np.flatnonzero(~self.hit)] += parts
        return crowd

    def put(self, crowd: Crowd) -> Crowd:
        """Lay the cards that were taken where they go."""
        know, columns = self.know, self.know.columns
        crowd = crowd.copied()
        cells = crowd.cells
        cells[LEFT] = cells[GOAL] = 0
        for part, to in ((columns.others, self.row.to), (columns.found, self.place)):
            if to != TO_BOTTOM:
                cells[columns.known(know.piles.index(to))] += cells[part]
                cells[part] = 0
        if self.place == self.row.to:
            cells[columns.others] += cells[columns.found]
            cells[columns.found] = 0
        for part in (columns.others, columns.found):
            if cells[part].any():
                crowd = know.branched(crowd, [BOTTOM, *range(part.start, part.stop)], _below, know, part.start)
        return crowd


class _Taken(NamedTuple):
    """Numbers of cards taken from the libraries of some states.

    Attributes:
        places: For each the number of its state.
        found: Of cards that count.
        others: Of other cards.
        chances: How likely each is.
    """

    places: Integers
    found: Integers
    others: Integers
    chances: NDArray[Any]

    def at(self, mask: NDArray[np.bool_]) -> _Taken:
        """Return those where a mask holds."""
        return _Taken(*(each[mask] for each in self))

    def and_(self, more: _Taken) -> _Taken:
        """Return these and others."""
        return _Taken(*map(np.concatenate, zip(self, more, strict=True)))


def _below(know: Knowledge, start: int, bottom: int, *held: int) -> Variants:
    if not any(held):
        return know.variant()
    number = know.bottoms.number((*know.bottoms.things[bottom], held))
    gone = ((start + kind, -cards) for kind, cards in enumerate(held))
    return know.variant((BOTTOM, number - bottom), *gone)


def again(know: Knowledge, row: Move, crowd: Crowd, watch: Watch) -> Crowd:
    """Move cards and look at them, again while two of them share a feature (`rows.Move.again`)."""
    columns = know.columns
    into = columns.known(know.piles.index(row.to))
    masks = [know.features(kind) & row.again for kind in range(len(know.kinds))]
    finished = []
    while len(crowd):
        n = know.amount(row.n, crowd)
        crowd = watch(know.seen(crowd.changed(LEFT, n)))
        more = _share_one(crowd.cells[columns.others], masks)
        crowd.cells[into] += crowd.cells[columns.others]
        crowd.cells[columns.others] = 0
        crowd, done = crowd.split(more)
        crowd = watch(crowd)
        finished.append(done)
    return watch(joined(finished, columns.width))


def _share_one(moved: Integers, masks: list[int]) -> NDArray[np.bool_]:
    """Tell whether two of the cards moved have a feature in common."""
    found = np.zeros(moved.shape[1], np.bool_)
    for bit in range(max(masks, default=0).bit_length()):
        having = [kind for kind, mask in enumerate(masks) if mask >> bit & 1]
        found |= moved[having].sum(0) > 1
    return found


def look(know: Knowledge, row: Look, crowd: Crowd, watch: Watch) -> Crowd:
    """Look at cards on top and send each where a table says (`rows.Look`); states `revealed` for what it reads."""
    n = np.minimum(know.amount(row.n, crowd), MOST_LOOKED_AT)
    by = np.minimum(know.total(row.by, crowd), len(row.sends) - 1)
    crowd = crowd.changed(LEFT, n)
    found = []
    for number in np.unique(by).tolist():
        table = row.sends[number]
        low = {kind for kind, numbers in enumerate(know.kinds) if numbers and table[numbers[0]] == TO_BOTTOM}
        ordered = row.pick is not None or TO_TOP in table or len(low) > 1
        seen = _looked_at(know, ordered, crowd.split(by == number)[0], watch)
        found.append(know.branched(seen, [SEEN, TOP, BOTTOM], _sent, know, row, table))
    crowd = joined(found, know.columns.width).changed(LEFT, 0)
    crowd.cells[know.columns.others] = 0
    return watch(crowd)


def _looked_at(know: Knowledge, ordered: bool, crowd: Crowd, watch: Watch) -> Crowd:
    finished = []
    while len(crowd):
        crowd = _deepened(know, crowd)
        going = (crowd.cells[LEFT] > 0) & ((crowd.cells[REST] > 0) | (know.library(crowd) > 0))
        crowd, done = crowd.split(going)
        finished.append(done)
        if len(crowd):
            crowd = know.branched(know.next(crowd), [SEEN, CARD], _one_seen, know, ordered)
            crowd.cells[LEFT] -= 1
            crowd = watch(crowd)
    return joined(finished, know.columns.width)


def _one_seen(know: Knowledge, ordered: bool, seen: int, card: int) -> Variants:
    cards = (*know.tops.things[seen], card)
    number = know.tops.number(cards if ordered else tuple(sorted(cards)))
    return know.variant((SEEN, number - seen), (CARD, -card), (know.columns.others.start + card, 1))


def _sent(know: Knowledge, row: Look, table: tuple[str, ...], seen: int, top: int, bottom: int) -> Variants:
    cards: Vector = know.tops.things[seen]
    places = [table[know.kinds[kind][0]] for kind in cards]
    if row.pick:
        wanted = {number: rank for rank, number in enumerate(row.pick.order)}
        first = [know.kinds[kind][0] for kind in cards]
        ranks = sorted((wanted[number], i) for i, number in enumerate(first) if number in wanted)
        for _, i in ranks[: row.pick.most]:
            places[i] = row.pick.to
    sent = list(zip(cards, places, strict=True))
    above = tuple(kind for kind, place in sent if place == TO_TOP)
    below = tuple(one_of(know.none, kind) for kind, place in sent if place == TO_BOTTOM)
    changes = [
        (know.columns.known(know.piles.index(place)).start + kind, 1)
        for kind, place in sent
        if place not in (TO_TOP, TO_BOTTOM)
    ]
    return know.variant(
        (SEEN, -seen),
        (TOP, know.tops.number(above + know.tops.things[top]) - top),
        (BOTTOM, know.bottoms.number(know.bottoms.things[bottom] + below) - bottom),
        *changes,
    )


def shuffle(know: Knowledge, row: Shuffle, crowd: Crowd) -> Crowd:
    """Shuffle piles into the library (`rows.Shuffle`)."""
    columns = know.columns
    back = [know.piles.index(pile) for pile in row.back if pile in know.piles]
    crowd = know.resolved(crowd)
    returns = (crowd.cells[TOP] > 0) | (crowd.cells[BOTTOM] > 0)
    for pile in back:
        returns |= crowd.cells[columns.known(pile)].any(0)
    # Hidden cards elsewhere cannot be the ones that are shuffled in, so they have to be looked at first.
    there, other = crowd.split(returns)
    there = know.opened([pile for pile in range(len(know.piles)) if pile not in back], there)
    crowd = joined([there, other], columns.width)
    rest = know.library(crowd) + know.cards_in(back, crowd)
    crowd = crowd.copied()
    cells = crowd.cells
    cells[TOP], cells[BOTTOM], cells[REST] = 0, 0, rest
    for pile in back:
        cells[columns.known(pile)] = 0
        cells[columns.hidden + pile] = 0
    return crowd
