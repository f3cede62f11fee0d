"""A game step by step: every event of its log with the State right after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rulekit.engine.events import Event, Table
from rulekit.engine.game import Game
from rulekit.engine.state import State


@dataclass(frozen=True)
class Moment:
    """One place at which a game can be looked at.

    Attributes:
        state: The State.
        event: The event that has just happened, or None where somebody has just answered or nothing happened yet.
        game: The game up to its next decision, to which this moment leads.
        rest: Whether that decision is pending now.
    """

    state: State
    event: Event | None
    game: Game
    rest: bool


class _Watched(Table):
    """A table that keeps each State right after an event was logged."""

    def __init__(self, state: State, explicit: bool) -> None:
        self.states: dict[int, State] = {}
        super().__init__(state, explicit)

    @property
    def state(self) -> State:  # type: ignore[override]
        """The State as it is now."""
        return self._now

    @state.setter
    def state(self, state: State) -> None:
        self._now = state
        entry = state.log
        while entry is not None and entry.event.number not in self.states:
            self.states[entry.event.number] = state
            entry = entry.before


def moments(game: Game) -> tuple[Moment, ...]:
    """Return all that can be looked at, from the beginning of a game to its pending decision.

    Args:
        game: The game; what has happened in it is carried out once more, with the same answers.

    Returns:
        The beginning, and for each answer the events that followed and the rest after them.
    """
    path = game.path()
    found = [Moment(path[0].state, None, path[0], True)]
    for action in _actions(path):
        found += _replayed(action)
    return tuple(found)


def _actions(path: tuple[Game, ...]) -> Iterator[tuple[Game, ...]]:
    """Yield for each action the game before it and the games after each answer of it."""
    here = [path[0]]
    for game in path[1:]:
        here.append(game)
        if game.action is None:
            yield tuple(here)
            here = [game]
    if len(here) > 1:
        yield tuple(here)


def _replayed(games: tuple[Game, ...]) -> Iterator[Moment]:
    table = _Watched(games[0].checkpoint, explicit=any(game.explicit for game in games))
    begun = Game(table.state, action=games[1].given, chance=games[0].chance)
    begun.again(tuple(game.given for game in games[2:]), lambda _state, _explicit: table)
    for before, after in pairwise(games):
        for event in after.log[len(before.log) :]:
            yield Moment(table.states[event.number], event, after, False)
        yield Moment(after.state, None, after, True)
