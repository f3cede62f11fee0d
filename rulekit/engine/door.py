"""The door for change: whatever alters the State of a game goes through here, or through the table made of it."""

from __future__ import annotations

from typing import Any

from rulekit.engine.happening import Event
from rulekit.engine.state import Entry, Object, Past, State


class Door:
    """Hold the State of a game, change it, and write down what has happened.

    Attributes:
        state: The State as it is now.
        rule: The rule of the instruction under way.
        cause: The number of the event that caused what happens now.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.rule = ""
        self.cause = -1

    def log(self, event: Event) -> Event:
        """Add an event to the log without looking for triggers."""
        state = self.state
        length = state.log.length if state.log else 0
        names = event.names or tuple(state.name(n) for n in event.objects if n in state.objects or n in state.past)
        logged = event.but(
            rule=event.rule or self.rule,
            cause=event.cause if event.cause >= 0 else self.cause,
            number=length,
            turn=state.turn.number,
            names=names,
        )
        self.state = state.but(log=Entry(logged, state.log, length + 1))
        return logged

    def change(self, number: int, **fields: Any) -> None:
        """Change the status of an object."""
        objects = dict(self.state.objects)
        objects[number] = objects[number].but(**fields)
        self.state = self.state.but(objects=objects)

    def change_player(self, name: str, **fields: Any) -> None:
        """Change something about a player."""
        players = dict(self.state.players)
        players[name] = players[name].but(**fields)
        self.state = self.state.but(players=players)

    def change_turn(self, **fields: Any) -> None:
        """Change how far the turn has come."""
        self.state = self.state.but(turn=self.state.turn.but(**fields))

    def change_state(self, **fields: Any) -> None:
        """Change priority, waiting and delayed triggers, effects, or the end of the game."""
        self.state = self.state.but(**fields)

    def stamp(self) -> int:
        """Return a new timestamp, which also serves as an object number."""
        clock = self.state.clock + 1
        self.state = self.state.but(clock=clock)
        return clock

    def create(self, thing: Object) -> int:
        """Put a new object (a token, a copy, an ability) where it says; returns its number."""
        number = self.stamp()
        made = thing.but(number=number, timestamp=number, turned=self.state.turn.number, since=self.state.turn.number)
        zones = dict(self.state.zones)
        key = (made.zone, "" if made.zone in ("battlefield", "stack") else made.owner)
        here = zones.get(key, ())
        zones[key] = (*here, number) if made.zone == "battlefield" else (number, *here)
        self.state = self.state.but(objects={**self.state.objects, number: made}, zones=zones)
        return number

    def cease(self, number: int) -> None:
        """Let an object cease to exist, remembering what it was (704.5d, 608.2n for abilities)."""
        state = self.state
        thing = state.objects[number]
        past = {**state.past, number: Past(thing, state.look(number), None)}
        zones = {key: tuple(n for n in here if n != number) if number in here else here
                 for key, here in state.zones.items()}  # fmt: skip
        objects = dict(state.objects)
        del objects[number]
        self.state = state.but(objects=objects, zones=zones, past=past)
