"""The log in words: each event as a sentence that a player would say."""

from __future__ import annotations

from rulekit.engine.events import Event
from rulekit.engine.state import State

QUIET = ("moved", "put on the stack", "targeted", "tapped", "untapped", "damage dealt", "attack", "step")
"""Kinds of events that stand behind another line, or say nothing by themselves."""

TOLD = {
    "turn": "{player}'s turn {turn} begins",
    "step": "the {step} step begins",
    "turn skipped": "{player} skips a turn",
    "cast": "{player} casts {names}",
    "ability activated": "{player} activates {keyword} of {source}",
    "ability triggered": "an ability of {names} triggers",
    "trigger removed": "the trigger of {names} has no legal target and is removed",
    "mana ability": "{player} uses a mana ability of {names}",
    "mana added": "{player} adds {mana}",
    "played": "{player} plays {names}",
    "gift promised": "{player} promises the gift of {names} to {to}",
    "gift given": "the gift of {names} has been given to {to}",
    "resolved": "{names} resolve{s}",
    "countered": "{names} {are} countered",
    "did not resolve": "{names} do{es} not resolve",
    "milled": "{player} mills {names}",
    "drew": "{player} draws {names}",
    "could not draw": "{player} cannot draw from an empty library",
    "discarded": "{player} discards {names}",
    "revealed": "{player} reveals {names}",
    "shuffled": "{player} shuffles",
    "surveilled": "{player} surveils {n}",
    "scried": "{player} scries {n}",
    "token created": "{player} creates {names}",
    "copied": "{player} copies {names}",
    "attached": "{names} become{s} attached to {to}",
    "unattached": "{names} become{s} unattached",
    "not attached": "{names} cannot be attached to {to} and stay{s} where {it} {are}",
    "damage": "{source} deals {n} {combat}damage to {to}",
    "dies": "{names} {die}",
    "destroyed": "{names} {are} destroyed",
    "sacrificed": "{player} sacrifices {names}",
    "exiled": "{names} {are} exiled",
    "returned": "{names} return{s}",
    "transformed": "{names} transform{s}",
    "counters": "{subject} gets {counters}",
    "counters removed": "{subject} loses {counters}",
    "control gained": "{player} gains control of {names}",
    "target changed": "the target of {names} is changed",
    "life gained": "{player} gains {n} life",
    "life lost": "{player} loses {n} life",
    "extra turn": "{player} will take an extra turn",
    "attacks": "{names} attacks {to}",
    "blocks": "{names} blocks {to}",
    "becomes blocked": "{names} become{s} blocked",
    "phased in": "{names} phase{s} in",
    "phased out": "{names} phase{s} out",
    "lost": "{player} loses the game",
    "won": "{player} wins the game",
    "left": "{player} leaves the game",
    "draw": "the game is a draw",
}
"""How each kind of event is told; a kind that is not here is told by its name."""


def tell(event: Event, state: State) -> str:
    """Return what happened as a sentence without its full stop.

    Args:
        event: An event of the log.
        state: A State that knows the objects of the event: the one after it, or any later one.
    """
    names = list(event.names) or [_name(state, number) for number in event.objects]
    one = len(names) < 2
    words = {
        "player": event.player or "nobody",
        "names": _and(names) or _some(event.n, "card"),
        "subject": _and(names) or event.player,
        "n": event.n,
        "to": event.to if isinstance(event.to, str) else _name(state, event.to),
        "source": _source(event, state),
        "turn": event.turn,
        "combat": "combat " if event.combat else "",
        "mana": "".join(f"{{{symbol}}}" for symbol in event.get("mana", ())),
        "keyword": event.get("keyword") or "an ability",
        "counters": _some(event.n, f"{event.get('kind', '')} counter"),
        "step": event.get("step", ""),
        "are": "is" if one else "are",
        "s": "s" if one else "",
        "es": "es" if one else "",
        "die": "dies" if one else "die",
        "it": "it" if one else "they",
    }
    if event.kind in TOLD:
        return TOLD[event.kind].format(**words)
    return f"{words['subject'] or 'something'}: {event.kind}"


def told_log(state: State) -> list[tuple[str, str]]:
    """Return the log as pairs of rule number and sentence, the first event first, without the quiet ones."""
    log = [event for event in state.history(since_turn=False) if event.kind not in QUIET]
    return [(event.rule, tell(event, state)) for event in reversed(log)]


def _source(event: Event, state: State) -> str:
    if event.kind == "ability activated" and len(event.objects) > 1:
        return _name(state, event.objects[1])
    return _name(state, event.source)


def _name(state: State, number: int | None) -> str:
    known = number is not None and (number in state.objects or number in state.past)
    return state.name(number) if known and number is not None else "something"


def _some(n: int, what: str) -> str:
    return f"a {what}" if n == 1 else f"{n or 'no'} {what}s"


def _and(names: list[str]) -> str:
    """Join names, equal ones counted: 3 Island, Forest and Swamp."""
    told = [f"{names.count(name)} {name}" if names.count(name) > 1 else name for name in dict.fromkeys(names)]
    return told[0] if len(told) == 1 else ", ".join(told[:-1]) + (f" and {told[-1]}" if told else "")
