"""Checking what a scenario expects: each key against the State, the pending decision and the log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from rulekit.engine import offers
from rulekit.engine.events import KINDS, Decision, Event
from rulekit.engine.game import Action, Game
from rulekit.engine.offers import legal_actions
from rulekit.engine.position import mana_in
from rulekit.engine.state import Object, State
from rulekit.engine.telling import in_told_order
from rulekit.engine.turn import expected_turn
from rulekit.scenarios import form, naming
from rulekit.scenarios.form import Check
from rulekit.scenarios.nodes import flow
from rulekit.scenarios.ordering import trigger_meant

ORDERED = ("library", "graveyard")
NEW_TARGETS = ("707.10c", "115.7d")  # new targets may be chosen
PAYING = "601.2h"
FREE = ("no", "done", "one by one")  # answers that a list of options need not name


def found_instead(check: Check, game: Game) -> str | None:
    """Return what is found where something else is expected, or None if it is as expected.

    Args:
        check: What is expected.
        game: The game as it stands.

    Raises:
        Unknown: Nothing is called as the check says.
    """
    if not check.of:
        fits, found = _OF_GAME[check.what](game, check.value)
    elif check.of in game.state.players:
        fits, found = _of_player(game.state, check.of, check.what, check.value)
    elif check.of == "turn" and check.what in form.OF_TURN:
        fits, found = _of_turn(game.state, check.what, check.value)
    else:
        fits, found = _of_object(game.state, naming.find_or_last(game.state, check.of), check.what, check.value)
    return None if fits else flow(_shortened(found))


def _shortened(found: Any) -> Any:
    """Return a list with runs of one name counted, as a scenario writes them: 20 Filler."""
    if not isinstance(found, list):
        return found
    runs = [(name, len(list(run))) for name, run in groupby(found)]
    return [name if number == 1 else f"{number} {name}" for name, number in runs]


Answer = tuple[bool, Any]


def _equal(found: Any, wanted: Any) -> Answer:
    return found == wanted, found


def _same(found: Iterable[str], wanted: Iterable[str]) -> Answer:
    """Compare lists whose order does not matter."""
    found = list(found)
    return Counter(found) == Counter(wanted), found


def _counters(found: Iterable[tuple[str, int]], wanted: Mapping[str, int]) -> Answer:
    """Compare counters; a kind of which none are wanted may be named with 0."""
    held = dict(found)
    return held == {kind: number for kind, number in wanted.items() if number}, held


# -------------------------------------------------------------------- players


def _of_player(state: State, name: str, what: str, wanted: Any) -> Answer:
    player = state.players[name]
    if form.OF_PLAYER[what] == "pile":
        return _pile(state, _held(state, name, what), wanted, what in ORDERED)
    if what == "mana":
        if isinstance(wanted, int):
            return _equal(len(player.pool), wanted)
        return player.pool == mana_in(wanted), "".join(f"{{{symbol}}}" for symbol in player.pool) or 0
    if what == "counters":
        return _counters(player.counters, wanted)
    return _equal(player.count("poison") if what == "poison" else getattr(player, what), wanted)


def _held(state: State, player: str, zone: str) -> Sequence[int]:
    return tuple(state.permanents(player)) if zone == "battlefield" else state.zone(zone, player)


def _pile(state: State, numbers: Sequence[int], wanted: Any, ordered: bool) -> Answer:
    """Compare what lies in a zone with a number, a list of names, or what it has and lacks."""
    found = [naming.name_of(state, number) for number in numbers]
    if isinstance(wanted, int):
        return len(found) == wanted, len(found)
    called = [naming.names_of(state, number) for number in numbers]
    if isinstance(wanted, Mapping):
        if "of" in wanted:
            number = sum(wanted["of"] in names for names in called)
            return number == wanted["count"], {"count": number, "of": wanted["of"]}
        has = _covers(called, wanted.get("has", ())) is not None
        lacks = not any(name in names for names in called for name in wanted.get("lacks", ()))
        return has and lacks, found
    if ordered:
        fits = len(called) == len(wanted) and all(name in names for name, names in zip(wanted, called, strict=True))
        return fits, found
    return _covers(called, wanted) == [], found


def _covers(called: Iterable[Sequence[str]], wanted: Iterable[str]) -> list[Sequence[str]] | None:
    """Return what is left when each wanted name has found an object that is called so, or None if one finds none."""
    left = list(called)
    for name in wanted:
        fitting = [names for names in left if name in names]
        if not fitting:
            return None
        left.remove(min(fitting, key=len))
    return left


# -------------------------------------------------------------------- objects


def _of_object(state: State, number: int, what: str, wanted: Any) -> Answer:
    thing, seen = state.get(number), state.look(number)
    exists = number in state.objects
    if what == "zone":
        return _equal(thing.zone if exists else "nowhere", wanted)
    if what == "attached to":
        return _host(state, thing if exists else thing.but(attached_to=None), wanted)
    if what in ("types", "colors", "subtypes"):
        return _same(getattr(seen, what), wanted)
    if what == "keywords":
        words = naming.keyword_words(seen.abilities)
        has = all(word.casefold() in map(str.casefold, words) for word in wanted.get("has", ()))
        lacks = not any(word.casefold() in map(str.casefold, words) for word in wanted.get("lacks", ()))
        return has and lacks, words
    if what == "counters":
        return _counters(thing.counters, wanted)
    return _equal(_SAID[what](thing, seen), wanted)


_SAID: Mapping[str, Callable[[Object, Any], Any]] = {
    "power": lambda thing, seen: seen.power,
    "toughness": lambda thing, seen: seen.toughness,
    "mana value": lambda thing, seen: seen.mana_value,
    "tapped": lambda thing, seen: thing.tapped,
    "controller": lambda thing, seen: seen.controller,
    "owner": lambda thing, seen: thing.owner,
    "phased out": lambda thing, seen: bool(thing.phased),
}


def _host(state: State, thing: Object, wanted: str) -> Answer:
    host = thing.attached_to
    if host is None:
        return wanted == form.NOTHING, form.NOTHING
    if isinstance(host, str):
        return _equal(host, wanted)
    return bool(naming.fitting(state, wanted, (host,))), naming.names_of(state, host)[0]


# -------------------------------------------------------------------- the game


def _of_turn(state: State, what: str, wanted: Any) -> Answer:
    turn = state.turn
    if what == "step":
        return _equal("combat damage" if turn.step == "first combat damage" else turn.step, wanted)
    return _equal(getattr(turn, what), wanted)


def _stack(game: Game, wanted: Sequence[str]) -> Answer:
    state = game.state
    called = [naming.names_of(state, number) for number in state.stack]
    fits = len(called) == len(wanted) and all(name in names for name, names in zip(wanted, called, strict=True))
    return fits, [naming.name_of(state, number) for number in state.stack]


def _next_turn(game: Game, wanted: str) -> Answer:
    return _equal(expected_turn(game.state), wanted)


def _priority(game: Game, wanted: str) -> Answer:
    decision = game.decision
    has = decision.player if decision is not None and decision.kind == "priority" else form.NOTHING
    return _equal(has, wanted)


def _kinds(asked: Decision) -> set[str]:
    """Return what kinds a decision is of.

    What may be declined is a "may" too, what pays a cost is "pay cost" too, a choice among players is "choose player".
    """
    kinds = {asked.kind}
    if asked.kind == "choose target" and all(isinstance(each, str) for each in asked.options):
        kinds.add("choose player")
    if asked.kind == "choose card" and "no" in asked.options:
        kinds.add("may")
    if asked.rule == PAYING:
        kinds |= {"pay cost", "choose card"}
    return kinds


def _decision(game: Game, wanted: str | Mapping[str, Any]) -> Answer:
    asked = game.decision
    if asked is None or asked.kind == "priority":
        return wanted == form.NOTHING, form.NOTHING
    if asked.kind == "may" and asked.rule in NEW_TARGETS and isinstance(wanted, Mapping):
        aims = game.decide("yes").decision if wanted.get("kind") == "choose target" else None
        asked = aims if aims is not None else asked  # whoever expects the targets means what yes leads to
    told = naming.told(game.state, asked)
    found = {"player": asked.player, "kind": asked.kind, "options": told}
    if isinstance(wanted, str):
        return False, found
    fits = wanted.get("player", asked.player) == asked.player and wanted.get("kind", asked.kind) in _kinds(asked)
    if fits and "options" in wanted:
        means = trigger_meant if asked.kind == "order triggers" else naming.option
        meant = [means(game.state, asked, answer) for answer in wanted["options"]]
        unnamed = Counter(asked.options) - Counter(meant)
        fits = None not in meant and all(each in FREE for each in unnamed)
    return fits, found


def _legal(game: Game, wanted: Mapping[str, Mapping[str, Sequence[str]]]) -> Answer:
    fits, found = True, {}
    for player, parts in wanted.items():
        actions = list(legal_actions(game.state, player))
        has = all(any(_is_called(game.state, action, text) for action in actions) for text in parts.get("has", ()))
        lacks = not any(_is_called(game.state, action, text) for action in actions for text in parts.get("lacks", ()))
        fits = fits and has and lacks
        found[player] = [offers.told(game.state, action) for action in actions]
    return fits, found


def _is_called(state: State, action: Action, text: str) -> bool:
    """Return whether an action is what "cast NAME", "play NAME" or "activate LABEL equip" says."""
    verb, _, what = text.partition(" ")
    if action.kind != verb or action.number is None:
        return False
    card = state.objects[action.number].card
    faces = [face.name for face in card.faces] if card is not None and verb == "cast" else []
    if what in faces:
        return faces.index(what) == action.face
    for name in naming.names_of(state, action.number):
        if what == name:
            return True
        if action.kind == "activate" and what.startswith(f"{name} "):
            return action.ability in naming.abilities_called(state, action.number, what.removeprefix(f"{name} "))
    return False


# -------------------------------------------------------------------- events


def _events(game: Game, wanted: Sequence[str | Mapping[str, Any]]) -> Answer:
    """Look for events in the log in this order; others may stand between."""
    orders = [
        [each for event in log for each in _told_as(game.state, event)] for log in (in_told_order(game.log), game.log)
    ]
    fits = any(_stand_in(game.state, log, wanted) for log in orders)
    return fits, [event.kind for event in orders[0] if event.kind in KINDS]


def _stand_in(state: State, log: Sequence[Event], wanted: Sequence[str | Mapping[str, Any]]) -> bool:
    """Return whether events stand in the log in this order."""
    place = 0
    for each in wanted:
        after = next((n for n, event in enumerate(log[place:], place + 1) if _is_event(state, event, each)), 0)
        place = after or _after_several(state, log, place, each)
        if not place:
            return False
    return True


def _told_as(state: State, event: Event) -> list[Event]:
    """Return an event and what happens with it, by the names that scenarios have for it.

    What an effect sends into exile instead is exiled; what leaves the battlefield becomes unattached (701.3d).
    """
    if event.kind not in ("moved", "milled", "discarded"):
        return [event]
    moves = event.moves if event.kind == "moved" else ()
    away = tuple(move.new for move in moves if move.to == "exile" and move.new is not None) or tuple(
        number for number in event.objects if event.kind != "moved" and state.get(number).zone == "exile"
    )
    left = [state.get(move.old) for move in moves if move.origin == "battlefield" and move.old in state.past]
    unattached = [
        event.but(kind="unattached", objects=(thing.number,), to=thing.attached_to, moves=())
        for thing in left
        if thing.attached_to is not None
    ]
    return [event, *([event.but(kind="exiled", objects=away, moves=())] if away else []), *unattached]


def _after_several(state: State, log: Sequence[Event], place: int, wanted: str | Mapping[str, Any]) -> int:
    """Return where the log goes on after several events of a kind that together are about all that is wanted, or 0.

    Cards that are discarded, drawn or destroyed one by one are wanted together as a list or a number of them.
    """
    if isinstance(wanted, str):
        return 0
    kind = next(key for key in wanted if key not in form.EVENT_DETAILS)
    if not isinstance(wanted[kind], (tuple, int)):
        return 0
    left = list(wanted[kind]) if isinstance(wanted[kind], tuple) else [None] * wanted[kind]
    for later, event in enumerate(log[place:], place + 1):
        if len(event.objects) != 1 or not _is_event(state, event, {**wanted, kind: None}):
            continue
        names = (None, *naming.names_of(state, event.objects[0]))
        fitting = [name for name in left if name in names]
        if not fitting:
            return 0
        left.remove(fitting[0])
        if not left:
            return later
    return 0


def _is_event(state: State, event: Event, wanted: str | Mapping[str, Any]) -> bool:
    if isinstance(wanted, str):
        return event.kind == wanted
    kind = next(key for key in wanted if key not in form.EVENT_DETAILS)
    if event.kind != kind or not (wanted[kind] is None or _concerns(state, event, wanted[kind])):
        return False
    left = event.to if kind == "unattached" else event.source
    return (
        wanted.get("player", event.player) == event.player
        and wanted.get("amount", event.n) == event.n
        and ("combat" not in wanted or wanted["combat"] == event.combat)
        and ("to" not in wanted or _is_called_so(state, event.to, wanted["to"]))
        and ("from" not in wanted or _is_called_so(state, left, wanted["from"]))
    )


def _concerns(state: State, event: Event, wanted: Any) -> bool:
    """Return whether an event is about what stands behind its kind: an amount, a player, an object, a list of names."""
    if isinstance(wanted, tuple):
        called = [naming.names_of(state, number) for number in event.objects]
        return len(called) == len(wanted) and all(name in names for name, names in zip(wanted, called, strict=True))
    if isinstance(wanted, int):
        return event.n == wanted
    if wanted in state.players:
        return wanted in (event.player, event.to)
    return any(_is_called_so(state, number, wanted) for number in (*event.objects, event.source, event.to))


def _is_called_so(state: State, what: int | str | None, name: str) -> bool:
    """Return whether a player or object is called so; an ability on the stack also by the name of its source alone."""
    if isinstance(what, int):
        return any(naming.fitting(state, f"{name}{end}", (what,)) for end in ("", " trigger", " ability"))
    return what == name


_OF_GAME: Mapping[str, Callable[[Game, Any], Answer]] = {
    "stack": _stack,
    "next turn": _next_turn,
    "priority": _priority,
    "decision": _decision,
    "legal": _legal,
    "events": _events,
}
