"""What has happened, in words: which events say something, and what they come from."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rulekit.engine.events import Event, Move
from rulekit.engine.sentences import Teller
from rulekit.engine.state import State
from rulekit.rules import find, known

SILENT = {"announced", "targeted", "attack", "damage dealt", "step", "dies"}  # other events tell the same
EMPTY = {"step begins"}  # says something only where something happens in it
TELLS_MOVES = {"milled", "drew", "exiled", "returned", "discarded"}  # what was moved is in their objects
FORETELLS_MOVES = {"destroyed", "sacrificed", "discarded"}  # into the graveyard
TOGETHER = {
    "replaced",
    "sacrificed",
    "tapped",
    "untapped",
    "destroyed",
    "dies",
    "drew",
    "phased out",
    "phased in",
    "attacks",
}
BEGINS = {
    "cast",
    "ability activated",
    "put on the stack",
    "played",
    "suspended",
    "companion",
    "step begins",
    "mana ability",
}
NEAR = 12  # how many events of the log stand between a move and the event that tells it, at most


def tell(event: Event, state: State) -> str:
    """Return an event in words, without a full stop: ``Bob mills 2 cards: Island, Forest``.

    Args:
        event: An event of the log.
        state: A State that knows its objects: the one right after it, or any later one.
    """
    return Teller(state).tell(event)


def told_log(state: State) -> list[tuple[str, str]]:
    """Return the log as pairs of rule number and sentence, the first event first, without what others tell too."""
    teller = Teller(state)
    return [(event.rule, teller.tell(event)) for event in told(tuple(state.history(since_turn=False))[::-1])]


def told(log: Sequence[Event], every_step: bool = False) -> Iterator[Event]:
    """Yield the events that say something which no other event of the log says.

    Args:
        log: All events, the first one first.
        every_step: Whether steps are told in which nothing happens.
    """
    waiting: Event | None = None
    for event in _said_once(log):
        if event.kind in EMPTY and not every_step:
            waiting = event
            continue
        if waiting is not None and event.kind != "turn":
            yield waiting
        waiting = None
        yield event


def _said_once(log: Sequence[Event]) -> Iterator[Event]:
    """Yield the events that no other tells, neighbours that differ in their objects alone as one."""
    last: Event | None = None
    for event in _single(log):
        if last is not None and _one_with(last, event):
            last = event.but(objects=last.objects + event.objects, names=last.names + event.names)
            continue
        if last is not None:
            yield last
        last = event
    if last is not None:
        yield last


def _one_with(last: Event, event: Event) -> bool:
    """Return whether two events are told in one line; the line has the number of the later one."""
    if event.kind not in TOGETHER or (event.kind == "replaced" and event.get("what") != "moved"):
        return False
    return last.but(objects=(), names=(), number=0, moves=()) == event.but(objects=(), names=(), number=0, moves=())


def in_told_order(log: Sequence[Event]) -> list[Event]:
    """Return all events in the order in which they are told: what tells a move stands where the move was.

    Args:
        log: All events, the first one first.
    """
    early: set[int] = set()
    order: list[Event] = []
    for place, event in enumerate(log):
        if event.number in early:
            continue
        order.append(event)
        for move in event.moves if event.kind == "moved" else ():
            own = _teller_of(move, log[place + 1 :][:NEAR])
            if own is not None and own.number not in early:
                early.add(own.number)
                order.append(own)
    return order


def _single(log: Sequence[Event]) -> Iterator[Event]:
    """Yield the events that no other tells; what tells a move stands where the move was, before what it triggered."""
    places = {event.number: place for place, event in enumerate(log)}
    for event in in_told_order(log):
        if event.kind in SILENT or _gives_control(event):
            continue
        place = places[event.number]
        before, after = log[max(0, place - NEAR) : place], log[place + 1 :][:NEAR]
        if event.kind != "moved" or not all(_teller_of(move, after) or _foretold(move, before) for move in event.moves):
            yield event


def _foretold(move: Move, before: Sequence[Event]) -> bool:
    """Return whether a move needs no telling, or an event right before it tells it."""
    if move.to in ("stack", "outside") or move.origin in ("nowhere", "outside"):
        return True
    old = {e.kind for e in before if move.old in e.objects}
    return bool(old & FORETELLS_MOVES) if move.to == "graveyard" else "played" in old


def _teller_of(move: Move, after: Sequence[Event]) -> Event | None:
    """Return the event right after a move that tells it, or None."""
    moved = {move.new, move.old}
    return next((e for e in after if e.kind in TELLS_MOVES and not moved.isdisjoint(e.objects)), None)


def _gives_control(event: Event) -> bool:
    """Return whether an effect gives control, which the event of gaining it tells."""
    changes = event.get("changes", ()) if event.kind == "effect begins" else ()
    return any(getattr(change, "op", "") == "controlled by" for change in changes)


@dataclass(frozen=True)
class Group:
    """Neighbours in the log that come from the same thing.

    Attributes:
        head: What they come from, in words; "" where the first of them says it itself, or nothing.
        events: They.
        one: Whether they come from one thing, the first of them if there is no head.
    """

    head: str
    events: tuple[Event, ...]
    one: bool

    def within(self, place: int) -> bool:
        """Return whether an event stands under what it comes from: the head, or the first event."""
        return bool(self.head) or (self.one and place > 0)


def grouped(state: State, log: Sequence[Event]) -> tuple[Group, ...]:
    """Return what the log tells, grouped by the spell, ability, step or instruction that it comes from.

    Args:
        state: The State at the end of the log.
        log: All events, the first one first.
    """
    teller = Teller(state)
    groups = []
    for (root, head), events in groupby(told(log), key=lambda event: _source(teller, log, event)):
        own = tuple(events)
        groups.append(Group("" if own[0].number == root else head, own, root != -1))
    return tuple(groups)


def begun_by(log: Sequence[Event], event: Event) -> Event:
    """Return the event with which the spell, ability, step or instruction began that an event comes from."""
    while event.kind not in BEGINS and event.cause >= 0 and not event.rule.startswith("704"):
        event = log[event.cause]
    return event


def _source(teller: Teller, log: Sequence[Event], event: Event) -> tuple[int, str]:
    root = begun_by(log, event)
    if root.kind in ("cast", "ability activated", "put on the stack"):
        return root.number, teller.what(root)
    if root.kind in BEGINS:
        return root.number, teller.tell(root)
    if root.rule.startswith("704"):
        return -704, "state-based actions"
    return -1, ""


def text(state: State, log: Sequence[Event], width: int = 110) -> str:
    """Return the log as text: a line for each event that says something, with its rule, grouped by cause.

    Args:
        state: The State at the end of the log.
        log: All events, the first one first.
        width: Length of the longest line, characters.
    """
    teller = Teller(state)
    lines: list[str] = []
    for group in grouped(state, log):
        lines += [f"{group.head}:"] if group.head else []
        for place, event in enumerate(group.events):
            start = f"  {event.rule:<9}" if group.within(place) else f"{event.rule:<9}"
            lines += textwrap.wrap(start + teller.tell(event), width, subsequent_indent=" " * len(start))
    return "\n".join(lines)


def paraphrase(rule: str) -> str:
    """Return what a rule says in our words, or "" if the index lacks the number."""
    return find(rule).text if known(rule) else ""
