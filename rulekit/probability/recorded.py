"""What is counted in games: numbers read off a game, and what a program records, read off those numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulekit.cards.card import Card
from rulekit.engine.game import Game
from rulekit.engine.state import Object, State
from rulekit.probability.packed import Numbers
from rulekit.probability.program import Program
from rulekit.probability.question import Counts
from rulekit.probability.rows import Add, Axis, FirstTurn, Mark, Row, Value, When
from rulekit.probability.unseen import PLAYER, pile

Mask = NDArray[np.bool_]


def read_off(game: Game, hits: int, values: Sequence[Value], counts: Counts) -> list[int]:
    """Return what is counted in a game.

    Args:
        game: The game.
        hits: How often a step came about that had a chance to do so.
        values: What is counted.
        counts: What the cards add to it.
    """
    piles = piles_of(game)
    lost = any(event.kind == "lost" and event.player == PLAYER and event.rule == "704.5b" for event in game.log)
    simple = {"library": len(piles.get("library", ())), "register": hits, "lost": int(lost)}
    return [simple[each.of] if each.of in simple else _summed(each, piles, counts) for each in values]


def _summed(value: Value, piles: Mapping[str, list[Card]], counts: Counts) -> int:
    """Return what the cards in piles come to."""
    cards = [card for name in value.piles for card in piles.get(name, ())]
    if value.of == "cards":
        return len(cards)
    if value.of == "counter":
        return sum(counts.counters[value.name](card) for card in cards)
    having = [has for place, has in enumerate(counts.features.values()) if value.features >> place & 1]
    return sum(any(map(has, cards)) for has in having)


def piles_of(game: Game) -> dict[str, list[Card]]:
    """Return the player's cards by the piles in which a program would count them, those of the library under that name.

    A card counts as milled wherever it has gone since, until it comes back into the library. Of a player who has lost
    and left the game the cards lie where they lay (800.4a).
    """
    state = game.state
    milled = {_now(state, n) for event in game.log if event.kind == "milled" for n in event.objects}
    found: dict[str, list[Card]] = {}
    for number, thing in _there(state):
        if thing.owner == PLAYER and thing.kind == "card" and thing.card is not None:
            name = thing.zone if thing.zone == "library" else pile(thing.zone, number in milled)
            found.setdefault(name, []).append(thing.card)
    return found


def _there(state: State) -> Iterable[tuple[int, Object]]:
    """Give all objects, and those that ceased to exist as their owner left the game."""
    yield from state.objects.items()
    for number, past in state.past.items():
        if past.became is None and state.players[past.object.owner].left:
            yield number, past.object


def _now(state: State, number: int) -> int | None:
    """Return the object that a card is now, or was last; None if it has been in the library meanwhile."""
    while state.get(number).zone != "library":
        past = state.past.get(number)
        if past is None or past.became is None:
            return number
        number = past.became
    return None


@dataclass(frozen=True)
class Recorded:
    """What was counted in games.

    Attributes:
        values: What was counted.
        numbers: int64 array (games, turns from 0 on, values).
    """

    values: tuple[Value, ...]
    numbers: Numbers

    def axes(self, program: Program, turn: int) -> list[Numbers]:
        """Return what the axes of a program record at a turn, each an array with a number for each game.

        Args:
            program: Its rows between the marks may compare values and add to registers.
            turn: The turn.
        """
        reader = _Reader(self, program)
        return reader.read(turn)


class _Reader:
    """Carry out the rows of a program that move nothing, in all games at once."""

    def __init__(self, recorded: Recorded, program: Program) -> None:
        self.recorded, self.program = recorded, program
        self.registers: dict[str, Numbers] = {}
        self.all = np.ones(len(recorded.numbers), bool)

    def read(self, turn: int) -> list[Numbers]:
        program, last = self.program, self.program.turns[-1]
        firsts = {axis: np.full(len(self.all), last + 1) for axis in program.axes if isinstance(axis, FirstTurn)}
        waiting: list[Row] = []
        for row in program.rows:
            if not isinstance(row, Mark):
                waiting.append(row)
                continue
            self.do(waiting, row.turn, self.all)
            waiting = []
            for axis, found in firsts.items():
                now = self.inside(axis, row.turn) & (found > last)
                found[now] = row.turn
            if row.turn == turn:
                break
        return [firsts[axis] if isinstance(axis, FirstTurn) else self.axis(axis, turn) for axis in program.axes]

    def axis(self, axis: Axis, turn: int) -> Numbers:
        total = self.total(axis.of, turn)
        return total if axis.high is None else np.minimum(total, axis.high)

    def inside(self, row: When | FirstTurn, turn: int) -> Mask:
        total = self.total(row.of, turn)
        return (total >= row.low) & (total <= (total if row.high is None else row.high))

    def do(self, rows: Iterable[Row], turn: int, where: Mask) -> None:
        for row in rows:
            if isinstance(row, When):
                inside = self.inside(row, turn)
                self.do(row.then, turn, where & inside)
                self.do(row.otherwise, turn, where & ~inside)
            elif isinstance(row, Add) and isinstance(row.n, int):
                before = self.registers.setdefault(row.register, np.zeros(len(self.all), np.int64))
                before[where] = np.maximum(0, before[where] + row.n)

    def total(self, values: Sequence[Value], turn: int) -> Numbers:
        return sum((self.value(each, turn) for each in values), np.zeros(len(self.all), np.int64))

    def value(self, value: Value, turn: int) -> Numbers:
        if value in self.recorded.values:
            found: Numbers = self.recorded.numbers[:, turn, self.recorded.values.index(value)]
            return found
        return self.registers.setdefault(value.name, np.zeros(len(self.all), np.int64))
