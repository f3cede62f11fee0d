"""A game step by step: every event of its log with the State right after it."""

from __future__ import annotations

from dataclasses import dataclass

from rulekit.engine.events import Event, Table
from rulekit.engine.game import Game
from rulekit.engine.state import State
from rulekit.rules import BadData


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
    def state(self) -> State:
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
    first, *later = game.path()
    return (Moment(first.state, None, first, True), *(moment for each in later for moment in latest(each)))


def latest(game: Game) -> tuple[Moment, ...]:
    """Return what can be looked at since the last answer: the events that followed it, and the rest after them.

    Args:
        game: A game in which something was answered.
    """
    before = game.before
    if before is None:
        raise BadData("nothing was answered in this game yet.")
    action = before.action or game.given
    answers = (*before.answers, game.given) if before.action is not None else ()
    table = _Watched(before.checkpoint, game.explicit or before.explicit)
    again = Game(before.checkpoint, action=action, chance=game.chance, fate=before.fate)
    again.again(answers, lambda _state, _explicit: table)
    fresh = game.log[len(before.log) :]
    events = (Moment(table.states[event.number], event, game, False) for event in fresh)
    return (*events, Moment(game.state, None, game, True))
