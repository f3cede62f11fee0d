"""What may be attached to what (301.5, 303.4, 702.16), and what protection protects from."""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import Term
from rulekit.engine.frame import Frame
from rulekit.engine.layers import rules
from rulekit.engine.seen import Seen
from rulekit.engine.state import State

EVERYTHING = ("everything", Term("everything"), Term("anything"))  # 702.16j


def has_quality(state: State, quality: Any, source: int, holder: int | str) -> bool:
    """Return whether a source has the quality that something is protected from (702.16a).

    Args:
        state: Where to look.
        quality: A filter term, or the word "everything" (702.16j).
        source: The object that would target, block, damage, enchant or equip; a card elsewhere than on the battlefield
            or the stack counts as the spell that it would be.
        holder: The permanent or player that is protected.
    """
    if quality in EVERYTHING:
        return True
    this = holder if isinstance(holder, int) else 0
    you = state.look(holder).controller if isinstance(holder, int) else holder
    frame = Frame(state, you, this)
    elsewhere = source in state.objects and state.objects[source].zone not in ("battlefield", "stack")
    return frame.fits_cast(quality, source) if elsewhere else frame.fits(quality, source)


def protection(state: State, holder: int | str, source: int) -> str | None:
    """Return the protection that a permanent or player has from a source, in words, or None (702.16)."""
    if isinstance(holder, str):
        for term, frame in rules(state, "player has protection"):
            if holder in frame.players(term.args[0]) and has_quality(state, term.args[1], source, holder):
                return "protection from everything" if term.args[1] in EVERYTHING else "protection from it"
        return None
    for ability in state.look(holder).with_keyword("protection"):
        if has_quality(state, ability.value[0], source, holder):
            return ability.text
    return None


def protected(state: State, holder: int | str, source: int) -> bool:
    """Return whether a permanent or player has protection from a source (702.16)."""
    return protection(state, holder, source) is not None


def may_be_attached(state: State, number: int, host: int | str) -> bool:
    """Return whether an Aura, Equipment or Fortification may be attached to a permanent or player.

    Args:
        state: Where both are.
        number: What would be attached.
        host: The permanent or player.
    """
    return attach_refusal(state, number, host) is None


def attach_refusal(state: State, number: int, host: int | str | None) -> str | None:
    """Return the rule by which something may not be attached to a host, None if it may (301.5, 303.4, 701.3a, 702.26b).

    Args:
        state: Where both are.
        number: What would be attached.
        host: The permanent or player, or None for nothing.
    """
    both = (number, host) if isinstance(host, int) else (number,)
    if any(each in state.objects and state.objects[each].phased for each in both):
        return "702.26b"
    seen = state.look(number)
    there = host in state.battlefield if isinstance(host, int) else host in state.in_game
    if host is None or host == number or not there:
        return "303.4c" if seen.is_a("aura") else "301.5c"
    if seen.is_a("aura"):
        if seen.is_a("creature"):
            return "303.4d"
        if not _may_enchant(state, number, host, seen):
            return "303.4c"
    else:
        refused = _may_not_equip(state, host, seen)
        if refused is not None:
            return refused
    if protected(state, host, number):
        return "702.16c" if seen.is_a("aura") else "702.16d"
    return None if forbidden(state, number, host) is None else "301.5b"


def _may_not_equip(state: State, host: int | str, seen: Seen) -> str | None:
    """Return the rule by which an Equipment or Fortification may not be on such a host (301.5, 301.5c, 301.6)."""
    if isinstance(host, str):
        return "301.5"
    if seen.is_a("creature") and not seen.has("reconfigure"):  # with reconfigure it stops being one (702.151b)
        return "301.5c"
    if seen.is_a("equipment"):
        return None if state.look(host).is_a("creature") else "301.5"
    if seen.is_a("fortification"):
        return None if state.look(host).is_a("land") else "301.6"
    return "301.5c"


def _may_enchant(state: State, number: int, host: int | str, seen: Seen) -> bool:
    frame = Frame(state, seen.controller, number)
    kinds = [ability.value[0] for ability in seen.with_keyword("enchant")]
    return bool(kinds) and all(frame.fits(kind, host) for kind in kinds)


def forbidden(state: State, number: int, host: int | str) -> Term | None:
    """Return the effect that forbids attaching something: "can be attached only to ...", "can't be equipped" (301.5b).

    Args:
        state: Where both are.
        number: What would be attached.
        host: The permanent or player.
    """
    seen = state.look(number)
    for term, frame in seen.ruled("can be attached only to"):
        if not isinstance(host, int) or not frame.fits(term.args[0], host):
            return term
    if not isinstance(host, int):
        return None
    op = "can't be equipped" if seen.is_a("equipment") else "can't be enchanted" if seen.is_a("aura") else ""
    return next((term for term, _ in state.look(host).ruled(op)), None)
