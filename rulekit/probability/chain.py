"""The exact evaluator's chain: how many cards go where, row by row, and what is known of them.

Rows that look at no card only need numbers: every order of the library is equally likely, so which cards were moved
does not matter before somebody asks. Rows that do look tell some *kinds* of cards apart; a kind is a set of classes
that no row treats differently. A state holds, for each pile, how many cards of each kind are known to lie there
and how many *hidden* cards nobody has looked at; hidden cards and the unknown part of the library are one pool, in
random order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from rulekit.probability.hands import mulligan
from rulekit.probability.kinds import deferrable, looks_at_cards, seen_of, share_one
from rulekit.probability.packed import AT_ONCE, LATER
from rulekit.probability.program import Program
from rulekit.probability.rows import (
    BOTTOM,
    TOP,
    Add,
    Amount,
    Check,
    Coin,
    FirstTurn,
    Look,
    Mark,
    Move,
    Mulligan,
    Row,
    Shuffle,
    Until,
    Value,
    When,
    values_of,
    walk,
)
from rulekit.probability.states import State, Weights, added, changed, minus, one_of, plus, splits
from rulekit.probability.ways import Vector
from rulekit.rules import TooMany

MOST_CELLS = 20_000_000
CELLS_OF_A_STATE = 100
CELLS_OF_A_STEP = 20


class Chain:
    """Run a program over all states at once.

    Attributes:
        program: What is run.
        kinds: For each kind the numbers of its classes.
        sizes: Number of cards of each kind.
        deferred: The `Until` row whose composition is worked out at the marks, if there is one.
        looks: Whether any row looks at cards.
        chances: Whether any coin is tossed.
        marks: For each turn marked the states and their probabilities.
    """

    def __init__(self, program: Program, floats: bool) -> None:
        """Run a program.

        Args:
            program: What is run.
            floats: Whether probabilities are float64; else exact fractions.

        Raises:
            TooMany: More states than fit.
        """
        self.program = program
        self.floats = floats
        every = tuple(walk(program.rows))
        self.firsts = tuple(axis for axis in program.axes if isinstance(axis, FirstTurn))
        looking: list[Row | FirstTurn] = list(
            dict.fromkeys(row for row in (*every, *self.firsts) if looks_at_cards(row))
        )
        self.deferred = deferrable(program, every, looking)
        self.looks = bool(looking)
        self.chances = any(isinstance(row, Coin) and 0 < row.chance < 1 for row in every)
        self.piles = program.piles
        adding = [row.register for row in every if isinstance(row, Add)]
        self.names = tuple(dict.fromkeys([*adding, *(axis.name for axis in self.firsts)]))
        self._divide([row for row in looking if row is not self.deferred])
        self.marks: dict[int, Weights] = {}
        self.most_states = 1
        self._steps = 0
        self._finished: Weights = {}
        self._run(program.rows, {self._start(): 1.0 if floats else Fraction(1)})

    # kinds

    def _divide(self, looking: list[Row | FirstTurn]) -> None:
        program = self.program
        fixed = set(program.top) | set(program.bottom)
        groups: dict[Any, list[int]] = {}
        for number in range(len(program.classes)):
            if program.classes[number].size:
                seen = tuple(seen_of(program, row, number) for row in looking)
                groups.setdefault((number if number in fixed else -1, seen), []).append(number)
        self.kinds = tuple(map(tuple, groups.values())) or ((),)
        self.sizes = tuple(sum(program.classes[number].size for number in kind) for kind in self.kinds)
        self.kind_of = {number: kind for kind, numbers in enumerate(self.kinds) for number in numbers}
        self.none: Vector = (0,) * len(self.kinds)

    def _start(self) -> State:
        program, piles = self.program, len(self.piles)
        top = tuple(self.kind_of[number] for number in program.top)
        bottom = tuple(one_of(self.none, self.kind_of[number]) for number in program.bottom)
        rest = program.size - len(top) - len(bottom)
        firsts = {axis.name for axis in self.firsts}
        registers = tuple(program.turns[-1] + 1 if name in firsts else 0 for name in self.names)
        return State(top, rest, bottom, (self.none,) * piles, (0,) * piles, registers, 0, None)

    def adds(self, kind: int, counter: str) -> int:
        """Return what a card of a kind adds to a counter that some row reads."""
        return self.program.classes[self.kinds[kind][0]].adds[self.program.counter(counter)] if self.kinds[kind] else 0

    def pool(self, state: State) -> Vector:
        """Return how many cards of each kind are hidden or in the unknown part of the library."""
        left = list(self.sizes)
        for kind in state.top:
            left[kind] -= 1
        for held in (*state.bottom, *state.known):
            for kind, number in enumerate(held):
                left[kind] -= number
        return tuple(left)

    # carrying out

    def _run(self, rows: tuple[Row, ...], live: Weights) -> Weights:
        for row in rows:
            if isinstance(row, Check | Mark) and any(state.lost for state in live):
                live = self._all(live, lambda state: iter([(1, state._replace(lost=min(state.lost, AT_ONCE)))]))
            if isinstance(row, Mark):
                live = self._watch_for(row.turn, live)
                self.marks[row.turn] = {**live, **self._finished}
            elif isinstance(row, Coin | When):
                live = self._branch(row, live)
            elif isinstance(row, Move) and isinstance(row.n, int) and not row.again:
                live = self._all(live, partial(self._move, row))
            elif not isinstance(row, Check):
                live = self._all(live, lambda state, row=row: self._row(row, state))  # type: ignore[misc]
        return live

    def _all(self, live: Weights, step: Callable[[State], Iterator[tuple[Any, State]]]) -> Weights:
        after: Weights = {}
        for state, weight in live.items():
            for share, new in step(state):
                into = self._finished if new.lost == AT_ONCE else after
                into[new] = into.get(new, 0) + weight * share
                self._steps += 1
            self._step()
        self.most_states = max(self.most_states, len(after) + len(self._finished))
        if self.most_states * CELLS_OF_A_STATE > MOST_CELLS:
            raise TooMany(
                f"this plan leads to more than {MOST_CELLS // CELLS_OF_A_STATE:,} states "
                f"({MOST_CELLS:,} cells), because its rows look at {len(self.kinds)} kinds of cards.",
                "Let fewer rows look at cards, or use simulate(...).",
            )
        return after

    def _watch_for(self, turn: int, live: Weights) -> Weights:
        """Note the turn in the register of each first turn that has come (`FirstTurn`), in lost games too."""
        for axis in self.firsts:
            place = self.names.index(axis.name)

            def noted(state: State, axis: FirstTurn = axis, place: int = place) -> Iterator[tuple[Any, State]]:
                if state.registers[place] <= turn:
                    yield 1, state
                    return
                for share, seen in self._revealed(state, axis.of):
                    total = sum(self.value(seen, value) for value in axis.of)
                    inside = axis.low <= total and (axis.high is None or total <= axis.high)
                    yield share, seen._replace(registers=changed(seen.registers, place, turn)) if inside else seen

            finished, self._finished = self._finished, {}
            live = self._all(live, noted)
            self._all(finished, noted)
        return live

    def _branch(self, row: Coin | When, live: Weights) -> Weights:
        if isinstance(row, Coin):
            chance: Any = float(row.chance) if self.floats else row.chance
            then = {state: weight * chance for state, weight in live.items()} if chance else {}
            other = {state: weight * (1 - chance) for state, weight in live.items()} if chance != 1 else {}
        else:
            live = self._all(live, lambda state: self._revealed(state, row.of))
            then, other = {}, {}
            for state, weight in live.items():
                total = sum(self.value(state, value) for value in row.of)
                inside = row.low <= total and (row.high is None or total <= row.high)
                (then if inside else other)[state] = weight
        return added(self._run(row.then, then), self._run(row.otherwise, other))

    def _row(self, row: Row, state: State) -> Iterator[tuple[Any, State]]:
        if isinstance(row, Mulligan):
            yield from mulligan(self, row, state)
        elif isinstance(row, Shuffle):
            yield from self._shuffle(row, state)
        else:
            for share, known in self._revealed(state, values_of(row)):
                for part, new in self._plain(row, known):
                    yield share * part, new

    def _plain(self, row: Row, state: State) -> Iterator[tuple[Any, State]]:
        if isinstance(row, Move):
            yield from self._again(row, state) if row.again else self._move(row, state)
        elif isinstance(row, Until):
            yield from self._defer(row, state) if row is self.deferred else self._until(row, state)
        elif isinstance(row, Look):
            yield from self._look(row, state)
        elif isinstance(row, Add):
            place = self.names.index(row.register)
            value = max(0, state.registers[place] + self._amount(row.n, state))
            yield 1, state._replace(registers=changed(state.registers, place, value))

    def _move(self, row: Move, state: State) -> Iterator[tuple[Any, State]]:
        n = self._amount(row.n, state)
        short = row.draw and n > self.library(state)
        for share, new in self.take(state, n, self.piles.index(row.to)):
            yield share, new._replace(lost=LATER if row.later else AT_ONCE) if short else new

    def take(self, state: State, n: int, pile: int) -> Iterator[tuple[Any, State]]:
        """Move cards that nobody looks at: known ones from the top, then hidden ones, then the bottom."""
        if not state.top and (n <= state.rest or not state.bottom):
            n = min(n, state.rest)
            hidden = changed(state.hidden, pile, state.hidden[pile] + n)
            yield 1, State(state.top, state.rest - n, state.bottom, state.known, hidden, *state[5:])
            return
        known = state.known[pile]
        for kind in state.top[:n]:
            known = plus(known, one_of(self.none, kind))
        left = max(0, n - len(state.top))
        blind = min(left, state.rest)
        hidden = changed(state.hidden, pile, state.hidden[pile] + blind)
        new = state._replace(top=state.top[n:], rest=state.rest - blind, hidden=hidden)
        for share, taken, bottom in self._from_bottom(state.bottom, left - blind):
            yield share, new._replace(bottom=bottom, known=changed(state.known, pile, plus(known, taken)))

    def _from_bottom(self, bottom: tuple[Vector, ...], n: int) -> Iterator[tuple[Any, Vector, tuple[Vector, ...]]]:
        taken = self.none
        while bottom and n >= sum(bottom[0]):
            taken, n, bottom = plus(taken, bottom[0]), n - sum(bottom[0]), bottom[1:]
        if not bottom or not n:
            yield 1, taken, bottom
            return
        for share, part in self.split(bottom[0], n):
            yield share, plus(taken, part), (minus(bottom[0], part), *bottom[1:])

    def _next(self, state: State) -> Iterator[tuple[Any, int, State]]:
        """Take the next card and look at it: its chance, its kind, and the state without it (it lies nowhere yet)."""
        if state.top:
            yield 1, state.top[0], state._replace(top=state.top[1:])
        elif state.rest:
            pool = self.pool(state)
            total = sum(pool)
            for kind, number in enumerate(pool):
                if number:
                    yield self.share(number, total), kind, state._replace(rest=state.rest - 1)
        elif state.bottom:
            block, total = state.bottom[0], sum(state.bottom[0])
            for kind, number in enumerate(block):
                if number:
                    left = minus(block, one_of(self.none, kind))
                    yield (
                        self.share(number, total),
                        kind,
                        state._replace(bottom=(left, *state.bottom[1:]) if total > 1 else state.bottom[1:]),
                    )

    def _until(self, row: Until, state: State) -> Iterator[tuple[Any, State]]:
        goal = self._amount(row.goal, state)
        values = [self.adds(kind, row.counter) for kind in range(len(self.kinds))]
        most = self.library(state) if row.most is None else row.most
        # The library after the cards seen so far is known by them alone, so cards wait on a pile of their own.
        live: dict[tuple[State, Vector, Vector, int], Any] = {(state, self.none, self.none, 0): 1}
        for _ in range(most):
            after: dict[tuple[State, Vector, Vector, int], Any] = {}
            for (at, others, found, total), weight in live.items():
                if total >= goal or not self.library(at):
                    yield weight, self._put(row, at, others, found)
                    continue
                for share, kind, new in self._next(self._holding(at, others, found)):
                    bare = new._replace(known=at.known)
                    one = one_of(self.none, kind)
                    hit = bool(values[kind])
                    key = (
                        bare,
                        others if hit else plus(others, one),
                        plus(found, one) if hit else found,
                        total + values[kind],
                    )
                    after[key] = after.get(key, 0) + weight * share
            live = after
            self._watch(len(live))
        for (at, others, found, _), weight in live.items():
            yield weight, self._put(row, at, others, found)

    def _holding(self, state: State, *seen: Vector) -> State:
        """Return the state with cards that were seen and lie nowhere yet counted as known: the pool lacks them."""
        return state._replace(known=(*state.known, *seen))

    def _put(self, row: Until, state: State, others: Vector, found: Vector) -> State:
        place = row.to if row.found is None else row.found
        known, bottom = state.known, state.bottom
        for held, to in ((others, row.to), (found, place)):
            if not any(held):
                continue
            if to == BOTTOM:
                bottom = (*bottom, held)
            else:
                pile = self.piles.index(to)
                known = changed(known, pile, plus(known[pile], held))
        if row.to == BOTTOM and place == BOTTOM and any(others) and any(found):
            bottom = (*bottom[:-2], plus(others, found))
        return state._replace(known=known, bottom=bottom)

    def _defer(self, row: Until, state: State) -> Iterator[tuple[Any, State]]:
        """Take every possible number of cards; how likely each is, is worked out where it is asked (`law`)."""
        goal = self._amount(row.goal, state)
        most = state.rest if row.most is None else min(row.most, state.rest)
        if goal <= 0 or not most:
            yield 1, state
            return
        for n in range(1, most + 1):
            yield 1, state._replace(rest=state.rest - n, pending=(n, True))
        yield 1, state._replace(rest=state.rest - most, pending=(most, False))

    def _again(self, row: Move, state: State) -> Iterator[tuple[Any, State]]:
        """Move and look, again while two of the cards share a feature."""
        pile = self.piles.index(row.to)
        live: Weights = {state: 1}
        while live:
            after: Weights = {}
            for at, weight in live.items():
                n = self._amount(row.n, at)
                short = row.draw and n > self.library(at)
                for share, moved, new in self._seen(at, n, pile):
                    if short:
                        yield weight * share, new._replace(lost=AT_ONCE)
                    elif share_one(moved, [self._features(kind) & row.again for kind in range(len(self.kinds))]):
                        after[new] = after.get(new, 0) + weight * share
                    else:
                        yield weight * share, new
            live = after
            self._watch(len(live))

    def _seen(self, state: State, n: int, pile: int) -> Iterator[tuple[Any, Vector, State]]:
        live: dict[tuple[Vector, State], Any] = {(self.none, state): 1}
        for _ in range(min(n, self.library(state))):
            after: dict[tuple[Vector, State], Any] = {}
            for (moved, at), weight in live.items():
                for share, kind, new in self._next(at):
                    one = one_of(self.none, kind)
                    put = new._replace(known=changed(new.known, pile, plus(new.known[pile], one)))
                    key = (plus(moved, one), put)
                    after[key] = after.get(key, 0) + weight * share
            live = after
        for (moved, at), weight in live.items():
            yield weight, moved, at

    def _look(self, row: Look, state: State) -> Iterator[tuple[Any, State]]:
        n = min(self._amount(row.n, state), self.library(state), 32)
        by = sum(self.value(state, value) for value in row.by)
        table = row.sends[min(by, len(row.sends) - 1)]
        low = {kind for kind, numbers in enumerate(self.kinds) if numbers and table[numbers[0]] == BOTTOM}
        ordered = row.pick is not None or TOP in table or len(low) > 1
        live: dict[tuple[Vector, State], Any] = {((), state): 1}
        for _ in range(n):
            after: dict[tuple[Vector, State], Any] = {}
            for (seen, at), weight in live.items():
                held = self._holding(at, *(one_of(self.none, kind) for kind in seen))
                for share, kind, new in self._next(held):
                    cards = (*seen, kind) if ordered else tuple(sorted((*seen, kind)))
                    key = (cards, new._replace(known=at.known))
                    after[key] = after.get(key, 0) + weight * share
            live = after
            self._watch(len(live))
        for (seen, at), weight in live.items():
            yield weight, self._sent(row, table, seen, at)

    def _sent(self, row: Look, table: tuple[str, ...], seen: Vector, state: State) -> State:
        places = [table[self.kinds[kind][0]] for kind in seen]
        if row.pick:
            wanted = {number: rank for rank, number in enumerate(row.pick.order)}
            ranks = sorted((wanted[self.kinds[k][0]], i) for i, k in enumerate(seen) if self.kinds[k][0] in wanted)
            for _, i in ranks[: row.pick.most]:
                places[i] = row.pick.to
        known = state.known
        for kind, place in zip(seen, places, strict=True):
            if place not in (TOP, BOTTOM):
                pile = self.piles.index(place)
                known = changed(known, pile, plus(known[pile], one_of(self.none, kind)))
        top = tuple(kind for kind, place in zip(seen, places, strict=True) if place == TOP)
        low = tuple(one_of(self.none, kind) for kind, place in zip(seen, places, strict=True) if place == BOTTOM)
        return state._replace(known=known, top=top + state.top, bottom=state.bottom + low)

    def _shuffle(self, row: Shuffle, state: State) -> Iterator[tuple[Any, State]]:
        back = {self.piles.index(pile) for pile in row.back if pile in self.piles}
        returns = bool(state.top or state.bottom) or any(any(state.known[pile]) for pile in back)
        # Hidden cards elsewhere cannot be the ones that are shuffled in, so they have to be looked at first.
        others = tuple(pile for pile in range(len(self.piles)) if pile not in back) if returns else ()
        for share, seen in self._opened(state, others):
            rest = self.library(seen) + sum(sum(seen.known[pile]) + seen.hidden[pile] for pile in back)
            known = tuple(self.none if pile in back else held for pile, held in enumerate(seen.known))
            hidden = tuple(0 if pile in back else number for pile, number in enumerate(seen.hidden))
            yield share, seen._replace(top=(), bottom=(), rest=rest, known=known, hidden=hidden)

    # reading

    def library(self, state: State) -> int:
        """Return the number of cards in the library."""
        return len(state.top) + state.rest + sum(map(sum, state.bottom))

    def value(self, state: State, value: Value) -> int:
        """Read a value off a state; counters and features only of piles without hidden cards."""
        if value.of == "library":
            return self.library(state)
        if value.of == "lost":
            return int(bool(state.lost))
        if value.of == "register":
            return state.registers[self.names.index(value.name)] if value.name in self.names else 0
        piles = [self.piles.index(pile) for pile in value.piles if pile in self.piles]
        if value.of == "cards":
            return sum(sum(state.known[p]) + state.hidden[p] for p in piles) + self._taken(state, value)
        held = [sum(state.known[p][kind] for p in piles) for kind in range(len(self.kinds))]
        if value.of == "counter":
            return sum(number * self.adds(kind, value.name) for kind, number in enumerate(held) if number)
        found = 0
        for kind, number in enumerate(held):
            found |= self._features(kind) if number else 0
        return (found & value.features).bit_count()

    def _taken(self, state: State, value: Value) -> int:
        if state.pending is None or self.deferred is None or self.deferred.to not in value.piles:
            return 0
        return state.pending[0]

    def _features(self, kind: int) -> int:
        return self.program.classes[self.kinds[kind][0]].features if self.kinds[kind] else 0

    def _amount(self, n: int | Amount, state: State) -> int:
        if isinstance(n, int):
            return n
        exact = n.times * sum(self.value(state, value) for value in n.of)
        whole = n.factor * (math.ceil(exact) if n.up else math.floor(exact))
        return max(0, whole + n.plus) if whole >= 1 else 0

    def _revealed(self, state: State, values: tuple[Value, ...]) -> Iterator[tuple[Any, State]]:
        """Look at the hidden cards of the piles in which values count."""
        named = {pile for value in values if value.of in ("counter", "features") for pile in value.piles}
        yield from self._opened(state, tuple(i for i, pile in enumerate(self.piles) if pile in named))

    def _opened(self, state: State, piles: Vector) -> Iterator[tuple[Any, State]]:
        closed = next((pile for pile in piles if state.hidden[pile]), None)
        if closed is None:
            yield 1, state
            return
        for share, part in self.split(self.pool(state), state.hidden[closed]):
            known = changed(state.known, closed, plus(state.known[closed], part))
            opened = state._replace(known=known, hidden=changed(state.hidden, closed, 0))
            for more, new in self._opened(opened, piles):
                yield share * more, new

    def split(self, pool: Vector, n: int) -> Iterator[tuple[Any, Vector]]:
        """Give each way to draw n cards of a pool, with its chance."""
        total = math.comb(sum(pool), n)
        for ways, part in splits(pool, n):
            yield self.share(ways, total), part

    def share(self, part: int, whole: int) -> Any:
        """Return a share as the kind of number that is used."""
        return part / whole if self.floats else Fraction(part, whole)

    def _step(self) -> None:
        """Refuse more steps from state to state than there is time for, though no table may be large."""
        if self._steps * CELLS_OF_A_STEP > MOST_CELLS:
            raise TooMany(
                f"this question needs more than {MOST_CELLS // CELLS_OF_A_STEP:,} steps from state to state "
                f"({MOST_CELLS:,} cells), because its rows look at {len(self.kinds)} kinds of cards.",
                "Ask for fewer turns or fewer things at once, or use simulate(...).",
            )

    def _watch(self, states: int) -> None:
        self._steps += states
        self._step()
        if states * CELLS_OF_A_STATE > MOST_CELLS:
            raise TooMany(
                f"one row of this plan leads to {states:,} states, the limit is {MOST_CELLS // CELLS_OF_A_STATE:,}.",
                "Let the row tell fewer cards apart, or use simulate(...).",
            )
