"""Of what kinds the cards in some groups of piles are: all ways, for all states of the exact evaluator's chain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rulekit.probability.combinations import Integers, parted
from rulekit.probability.crowd import DEALT, SENT, Crowd, Variants, grouped, summed
from rulekit.probability.hands import NOTHING
from rulekit.probability.knowledge import Knowledge
from rulekit.probability.ways import Vector


class Spread:
    """Say how many cards of each kind lie in each group of piles.

    Attributes:
        know: What is known in the states.
        kinds: Kinds of cards; each is several of the kinds that the states tell apart.
        counting: Which of them are asked for.
        group_of: The group of each pile in which cards are counted.
        groups: Number of groups.
    """

    def __init__(
        self,
        know: Knowledge,
        kinds: Sequence[tuple[int, ...]],
        counting: Sequence[int],
        group_of: Mapping[int, int],
        groups: int,
    ) -> None:
        """Prepare for a question; see the attributes."""
        self.know, self.counting, self.group_of, self.groups = know, counting, group_of, groups
        self.kinds = [list(alike) for alike in kinds]
        self._known: dict[Vector, Variants] = {}

    def rows(self, before: int, place: int) -> slice:
        """Return where the numbers of one of the kinds asked for stand in a column, for each group.

        Args:
            before: Number of integers in front.
            place: Which of the kinds asked for.
        """
        start = before + self.counting[place] * self.groups
        return slice(start, start + self.groups)

    def moved(self, crowd: Crowd) -> Integers:
        """Return the number of cards in each group, at most: of an opening hand that is open, all that it may hold."""
        found = np.zeros((self.groups, len(crowd)), np.int64)
        for pile, group in self.group_of.items():
            found[group] += self.know.cards_in([pile], crowd)
        return found

    def of(self, places: Integers, crowd: Crowd) -> Crowd:
        """Give each way in which cards may be of some kinds, with its probability.

        Args:
            places: For each state integers that stay with it.
            crowd: The states.

        Returns:
            Columns of these integers and then the number of cards of each kind in each group; those of kinds that are
            not asked for are 0.
        """
        know, cells = self.know, crowd.cells
        unknown = know.unknown(crowd)
        known = np.zeros((len(self.kinds), self.groups, len(crowd)), np.int64)
        hidden = np.zeros((self.groups, len(crowd)), np.int64)
        for pile, group in self.group_of.items():
            held = cells[know.columns.known(pile)]
            for number, alike in enumerate(self.kinds):
                known[number, group] += held[alike].sum(0)
            hidden[group] += cells[know.columns.hidden + pile]
        pool = np.array([unknown[alike].sum(0) for alike in self.kinds])
        rows = np.concatenate([places, known.reshape(len(self.kinds) * self.groups, len(crowd)), pool, hidden])
        found = Crowd.of(rows, crowd.weights)
        self._first, self._pool = len(places), len(places) + len(self.kinds) * self.groups
        if cells[DEALT].any():
            found = found.branched(cells[[DEALT, SENT]], self._of_dealt, self._known)
        return self.drawn(len(places), found.merged())

    def drawn(self, before: int, crowd: Crowd) -> Crowd:
        """Say of what kinds hidden cards are.

        Args:
            before: Number of integers in front that stay.
            crowd: Columns of these integers, of the known cards of each kind in each group, of the cards of each kind
                in the pool, and of the hidden cards in each group.

        Returns:
            As `of`.
        """
        self._first, self._pool = before, before + len(self.kinds) * self.groups
        rows = crowd.rows.shape[1]
        for group in range(self.groups):
            crowd = self._drawn(group, crowd)
        kept = [row for place in range(len(self.counting)) for row in range(rows)[self.rows(before, place)]]
        last = np.zeros((self._pool, len(crowd)), np.int64)
        last[:before] = crowd.cells[:before]
        last[kept] = crowd.cells[kept]
        return Crowd.of(last, crowd.weights).merged()

    def _drawn(self, group: int, crowd: Crowd) -> Crowd:
        """Say of what kinds the hidden cards of a group are."""
        last = group == self.groups - 1
        pool = slice(self._pool, self._pool + len(self.kinds))
        row = pool.stop + group
        others = [pool.start + kind for kind in range(len(self.kinds)) if kind not in self.counting]
        if last and others and len(self.counting) > 1:  # first how many are asked for at all: fewer ways to sort them
            rest = crowd.cells[others].sum(0)
            pools = np.array([crowd.cells[pool].sum(0) - rest, rest])
            which, parts, shares = parted(pools, crowd.cells[row], self.know.floats)
            crowd = crowd.at(which).times(shares)
            crowd.cells[row] = parts[0]
            crowd.cells[others] = 0
            crowd = crowd.merged()
        which, parts, shares = parted(crowd.cells[pool], crowd.cells[row], self.know.floats)
        crowd = crowd.at(which).times(shares)
        for number, part in enumerate(parts):
            crowd.cells[self._first + number * self.groups + group] += part
        crowd.cells[pool] -= parts
        crowd.cells[row] = 0
        return crowd if last else crowd.merged()

    def _of_dealt(self, number: int, sent: int) -> Variants:
        """Say what an opening hand and the cards that it had put on the bottom add to the groups."""
        know = self.know
        if not number:
            return know.numbers([1]), np.zeros((self._pool + len(self.kinds) + self.groups, 1), np.int64)
        dealt = know.dealts.things[number]
        steps = np.zeros((self._pool + len(self.kinds) + self.groups, len(dealt.shares)), np.int64)
        totals = dealt.totals()
        for place, alike in enumerate(self.kinds):
            steps[self._pool + place] = -totals[alike].sum(0)
            row = self._first + place * self.groups
            if dealt.pile in self.group_of:
                steps[row + self.group_of[dealt.pile]] += dealt.hands[alike].sum(0)
            for pile, kinds in zip(know.sents.things[sent], dealt.orders, strict=False):
                if pile in self.group_of:
                    steps[row + self.group_of[pile]] += np.isin(kinds, alike) & (kinds != NOTHING)
        first, group = grouped(steps)
        return summed(dealt.shares, group, len(first)), steps[:, first]
