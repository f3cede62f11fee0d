"""How objects change zones: out of one pile, into another, as new objects (400.7)."""

from __future__ import annotations

from rulekit.engine.happening import Event, Move
from rulekit.engine.state import Effect, Object, Past, Player, State


def relocated(state: State, number: int, event: Event) -> tuple[State, Move]:
    """Return a State in which one object has changed zones as an event says, and that move.

    Args:
        state: The State before.
        number: The object.
        event: Where it goes (`to`) and how it arrives (its details: fields of `Object`, under, bottom, place).
    """
    old = state.objects[number]
    to = str(event.to)
    here = _pile(old.zone, old.owner)
    new_number = state.clock + 1
    zones, players, objects = dict(state.zones), dict(state.players), dict(state.objects)
    if old.zone == "library":
        players[old.owner] = _one_taken(players[old.owner], zones[here].index(number))
    zones[here] = tuple(n for n in zones[here] if n != number)
    ceases = old.kind == "ability" or (old.kind == "copy" and to != "battlefield")
    past = {**state.past, number: Past(old, state.look(number), None if ceases else new_number)}
    del objects[number]
    if not ceases:
        objects[new_number] = arrival(old, new_number, state.turn.number, event)
        there = _pile(to, old.owner)
        pile = zones.get(there, ())
        if to in ("battlefield", "exile", "hand") or (to == "library" and event.get("bottom")):
            place = len(pile)
        else:
            place = min(event.get("place") or 0, len(pile))
        zones[there] = (*pile[:place], new_number, *pile[place:])
        if to == "library":
            players[old.owner] = _one_put(players[old.owner], place)
    move = Move(number, None if ceases else new_number, old.owner, old.zone, to, old.kind == "card")
    effects = state.effects
    if old.zone == "stack" and to == "battlefield":
        effects = tuple(_followed(effect, number, new_number) for effect in effects)
    new = state.but(objects=objects, zones=zones, past=past, players=players, clock=new_number, effects=effects)
    return new, move


def _followed(effect: Effect, spell: int, permanent: int) -> Effect:
    """Return an effect that goes on for the permanent if it changed the permanent spell (400.7a)."""
    if effect.objects is None or spell not in effect.objects:
        return effect
    objects = tuple(permanent if number == spell else number for number in effect.objects)
    lasts = effect.until[0] == "while you control" and effect.until[1] == spell
    return effect.but(objects=objects, until=(effect.until[0], permanent, *effect.until[2:]) if lasts else effect.until)


def _pile(zone: str, owner: str) -> tuple[str, str]:
    return (zone, "" if zone in ("battlefield", "stack") else owner)


def _one_taken(player: Player, index: int) -> Player:
    first, last = player.unknown
    return player.but(unknown=(first - (index < first), last - (index < last)))


def _one_put(player: Player, place: int) -> Player:
    first, last = player.unknown
    return player.but(unknown=(first + 1, last + 1)) if place <= first < last else player


_ARRIVES = set(Object.__dataclass_fields__)


def arrival(old: Object, number: int, turn: int, event: Event) -> Object:
    """Return the object that a card becomes in its new zone: one without memory, save as 400.7 allows."""
    to = str(event.to)
    permanent = to == "battlefield"
    keeps_cast = old.zone == "stack" and permanent  # 400.7d
    under = old.controller if keeps_cast else event.get("under")  # whose spell it was (110.2b)
    new = Object(
        number, "token" if permanent and old.kind == "copy" else old.kind, old.card, old.owner,
        (under or old.owner) if permanent else old.owner,
        to, old.label, since=turn, timestamp=number, cast=old.cast if keeps_cast else None,
        copies=old.copies if keeps_cast else None, face=old.face if keeps_cast else 0, turned=turn,
    )  # fmt: skip
    given = {name: value for name, value in event.detail if name in _ARRIVES and value is not None}
    return new.but(**given) if permanent or to in ("exile", "stack") else new
