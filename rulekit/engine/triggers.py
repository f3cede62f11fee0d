"""Which abilities an event makes trigger (603); the words for what they wait for are in `trigger_events`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import WORDS, Ability, Term, abilities_in
from rulekit.engine.events import Event
from rulekit.engine.frame import Frame
from rulekit.engine.layers import rules
from rulekit.engine.once import Once
from rulekit.engine.seen import face_of
from rulekit.engine.state import Cast, Entry, Memory, Object, State, Waiting
from rulekit.engine.trigger_events import Said, matches

# ---------------------------------------------------------------- finding what triggers


@dataclass(frozen=True, slots=True)
class _Part:
    """One of the events that a trigger condition joins by "or".

    Attributes:
        event: Its term.
        kinds: The kinds of events that it looks at.
        back: Whether it looks back to the State before the event (603.10).
        zones: The zones from which it works whatever the ability says (113.6k), or None.
    """

    event: Term
    kinds: frozenset[str]
    back: bool
    zones: tuple[str, ...] | None


@lru_cache(maxsize=4096)
def _parts(event: Term) -> tuple[_Part, ...]:
    """Return the single events that a trigger condition consists of."""
    if event.op == "either":
        return tuple(part for branch in event.args for part in _parts(branch))
    if event.op == "watches" and event.args[1].op == "it does either":
        who, does = event.args
        return tuple(part for branch in does.args for part in _parts(Term("watches", (who, branch))))
    if event.op == "first each turn":
        return tuple(
            _Part(Term("first each turn", (part.event,)), part.kinds, part.back, part.zones)
            for part in _parts(event.args[0])
        )
    facts = [WORDS[term.op].facts for term in event.walk()]
    kinds = frozenset(kind for fact in facts for kind in fact.get("kinds", ()))
    return (_Part(event, kinds, any(fact.get("back") for fact in facts), _natural_zones(event)),)


def _natural_zones(event: Term) -> tuple[str, ...] | None:
    """Return where a trigger of its own card works because it could trigger nowhere else (113.6k, 603.6c)."""
    if Term("this") not in event.walk():
        return None
    for term in event.walk():
        where = WORDS[term.op].facts.get("where")
        if where is not None:
            found: tuple[str, ...] | None = where(*term.args)
            return found
    return None


@lru_cache(maxsize=4096)
def _waits(ability: Ability) -> frozenset[tuple[str, bool]]:
    """Return the kinds of events that an ability or one inside it waits for, each with whether it looks back."""
    return frozenset(
        (kind, part.back)
        for each in abilities_in(ability)
        if each.kind == "triggered" and each.event is not None
        for part in _parts(each.event)
        for kind in part.kinds
    )


@lru_cache(maxsize=4096)
def _waited_for(changes: tuple[Any, ...]) -> frozenset[tuple[str, bool]]:
    """Return what the abilities that an effect gives wait for."""
    return frozenset(waited for own in abilities_in(changes) for waited in _waits(own))


@dataclass(frozen=True, slots=True)
class _Printed:
    """What the abilities printed on a card can wait for: on the battlefield, elsewhere, and for what it lets others."""

    here: frozenset[tuple[str, bool]]
    elsewhere: frozenset[tuple[str, bool]]
    granted: frozenset[tuple[str, bool]]


def _what_is_printed(card: Card) -> _Printed:
    from rulekit.engine.text import abilities_of

    here: set[tuple[str, bool]] = set()
    elsewhere: set[tuple[str, bool]] = set()
    granted: set[tuple[str, bool]] = set()
    for face in (card, *card.faces):
        for ability in abilities_of(face):
            here |= _waits(ability)
            if ability.kind != "triggered":
                granted |= _waits(ability)
                elsewhere |= _waits(ability) if ability.zones != ("battlefield",) else set()
            elif ability.event is not None:
                for part in _parts(ability.event):
                    if (part.zones or ability.zones) != ("battlefield",):
                        elsewhere |= {(kind, part.back) for kind in part.kinds}
    return _Printed(frozenset(here), frozenset(elsewhere), frozenset(granted))


def _watching_pile(pile: tuple[int, ...], objects: Mapping[int, Object]) -> dict[tuple[str, bool], list[int]]:
    """Return the cards of a graveyard, hand or other pile whose own abilities wait for events while they are there."""
    found: dict[tuple[str, bool], list[int]] = {}
    for number in pile:
        card = objects[number].card
        for wanted in _printed(card).elsewhere if card is not None else ():
            found.setdefault(wanted, []).append(number)
    return found


_printed = Once(_what_is_printed)
_in_pile = Once(_watching_pile)  # a pile is a new one whenever anything in it changes its zone


@dataclass(frozen=True, slots=True)
class _Watch:
    """An ability that may see the event: whose, where it stands, and from which State it looks."""

    ability: Ability
    place: int
    part: _Part
    number: int
    you: str
    at: State


def _watchers(at: State, wanted: tuple[str, bool]) -> Iterator[int]:
    """Yield the objects that may have an ability that waits for such an event, by what is printed and granted."""
    here = [number for number in at.battlefield if _is_printed(at.objects[number], "here", wanted)]
    granted = any(_is_printed(at.objects[number], "granted", wanted) for number in here) or any(
        wanted in _waited_for(effect.changes) for effect in at.effects
    )
    yield from at.battlefield if granted else here
    for (zone, _), pile in at.zones.items():
        if pile and zone not in ("battlefield", "library"):
            yield from pile if granted else _in_pile(pile, at.objects).get(wanted, ())


def _is_printed(thing: Object, where: str, wanted: tuple[str, bool]) -> bool:
    card = face_of(thing)
    return card is not None and wanted in getattr(_printed(card), where)


def _watches(state: State, event: Event, before: State) -> Iterator[_Watch]:
    """Yield each part of a triggered ability that waits for such an event."""
    for at, back in ((before, True), (state, False)):
        for number in tuple(_watchers(at, (event.kind, back))):
            yield from _watches_of(at, number, event.kind, back)


def _watches_of(at: State, number: int, kind: str, back: bool) -> Iterator[_Watch]:
    zone = at.objects[number].zone
    seen = at.look(number)
    for place, ability in enumerate(seen.abilities):
        if ability.kind != "triggered" or ability.event is None:
            continue
        for part in _parts(ability.event):
            if part.back == back and kind in part.kinds and zone in (part.zones or ability.zones):
                yield _Watch(ability, place, part, number, seen.controller, at)


def triggered(state: State, event: Event, before: State) -> State:
    """Find the abilities that an event makes trigger; they wait to be put on the stack (603.2, 603.3).

    Args:
        state: The State right after the event.
        event: The event as it stands in the log.
        before: The State right before it, for the abilities that look back (603.10).

    Returns:
        The State with a Waiting and a log entry for each time that an ability has triggered, in the usual order:
        of several objects as they came onto the battlefield, of one as they are printed.
    """
    found: list[Waiting] = []
    for watch in sorted(_watches(state, event, before), key=lambda watch: (watch.number, watch.place)):
        frame = Frame(watch.at, watch.you, watch.number, event=event)
        for said in matches(frame, event, watch.part.event):
            cast = _cast_of(state, watch)
            memory = Memory(watch.you, watch.number, event, tuple(sorted(_kept(said).items())))
            if not _intervening(state, watch.ability, memory, cast) or _spent(state, watch, found):
                continue
            waiting = Waiting(
                watch.ability, memory, event.number, watch.at.name(watch.number), (watch.number, watch.place), cast=cast
            )
            found += [waiting] * (1 + _additional(state, watch, said))
    delayed, kept = _delayed(state, event, before)
    if not found and not delayed:
        return state if len(kept) == len(state.delayed) else state.but(delayed=kept)
    return _wait(state.but(delayed=kept), event, [*found, *delayed])


def _kept(said: Said) -> Said:
    return {name: value for name, value in said.items() if not name.startswith("_")}


def _cast_of(state: State, watch: _Watch) -> Cast | None:
    """Return what a permanent's own trigger may know of the spell that it was (400.7d, 107.3m)."""
    thing = state.objects.get(watch.number) or watch.at.objects[watch.number]
    cast = thing.cast
    if cast is None:
        return None
    return Cast(watch.you, promised=cast.promised, x=cast.x, way=cast.way, paid=cast.paid)


def _intervening(state: State, ability: Ability, memory: Memory, cast: Cast | None) -> bool:
    """Return whether the "if" right after the trigger condition is true as the event happens (603.4)."""
    if ability.condition is None:
        return True
    frame = Frame(state, memory.you, memory.this, event=memory.event, cast=cast, said=dict(memory.said))
    return frame.holds(ability.condition)


def _spent(state: State, watch: _Watch, found: list[Waiting]) -> bool:
    """Return whether an ability that triggers only so often each turn has done so (603.2h)."""
    limit = watch.ability.limit
    if not limit:
        return False
    untold = (waiting for waiting in state.waiting if waiting.cause < 0)
    now = sum(w.memory.this == watch.number and w.ability == watch.ability for w in (*found, *untold))
    told = (event for event in state.history() if event.kind == "ability triggered")
    earlier = [event for event in told if event.objects == (watch.number,) and event.get("text") == watch.ability.words]
    return now + len(earlier) >= limit


def _additional(state: State, watch: _Watch, said: Said) -> int:
    """Return how many times more an ability triggers because of what entered (603.2d)."""
    entered = said.get("_entered")
    if not entered or watch.at.objects[watch.number].zone != "battlefield":
        return 0
    return sum(
        watch.you == frame.you and any(frame.fits(term.args[0], number) for number in entered)
        for term, frame in rules(state, "triggers an additional time")
    )


def _delayed(state: State, event: Event, before: State) -> tuple[list[Waiting], tuple[Waiting, ...]]:
    """Return the delayed triggers that trigger now and those that go on waiting (603.7b)."""
    found: list[Waiting] = []
    kept: list[Waiting] = []
    for waiting in state.delayed:
        fired = _delayed_matches(state, waiting, event, before)
        cast = waiting.cast.but(targets=()) if waiting.cast is not None else None
        for said in fired[:1] if waiting.until == ("once",) else fired:
            known = said | dict(waiting.memory.said)  # what was fixed as it was created goes before (603.7c)
            memory = waiting.memory.but(event=event, said=tuple(sorted(known.items())))
            if _intervening(state, waiting.ability, memory, cast):
                found.append(Waiting(waiting.ability, memory, event.number, waiting.name, waiting.order, cast=cast))
        if not (fired and waiting.until == ("once",)) and not _over(state, waiting.until):
            kept.append(waiting)
    return found, tuple(kept)


def _delayed_matches(state: State, waiting: Waiting, event: Event, before: State) -> list[Said]:
    memory = waiting.memory
    if waiting.ability.event is None:
        return []
    found: list[Said] = []
    for part in _parts(waiting.ability.event):
        if event.kind in part.kinds:
            at = before if part.back else state
            frame = Frame(at, memory.you, memory.this, event=event, cast=waiting.cast, said=dict(memory.said))
            found += [_kept(said) for said in matches(frame, event, part.event)]
    return found


def _over(state: State, until: tuple[Any, ...]) -> bool:
    """Return whether the time of a delayed trigger is up."""
    if until[0] == "end of turn":
        return bool(state.turn.number > until[1])
    if until[0] == "while on battlefield":
        return until[1] not in state.battlefield
    return False


def _wait(state: State, event: Event, found: list[Waiting]) -> State:
    """Let triggered abilities wait, each with its line in the log (603.2, 603.3)."""
    waiting = list(state.waiting)
    log = state.log
    for new in found:
        length = log.length if log else 0
        told = Event(
            "ability triggered", new.memory.you, (new.memory.this,), rule="603.2", cause=event.number, number=length,
            turn=state.turn.number, names=(new.name,), detail=(("text", new.ability.words),),
        )  # fmt: skip
        log = Entry(told, log, length + 1)
        waiting.append(Waiting(new.ability, new.memory, length, new.name, new.order, new.until, new.cast))
    return state.but(waiting=tuple(waiting), log=log)
