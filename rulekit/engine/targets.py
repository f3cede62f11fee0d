"""Targets: which a text asks for, which are legal, and choosing them (115, 601.2c, 608.2b)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rulekit.engine.abilities import WORDS, Ability, Term, walk
from rulekit.engine.attaching import has_quality, protected
from rulekit.engine.events import Run, Table
from rulekit.engine.filters import say_filter
from rulekit.engine.frame import Frame
from rulekit.engine.layers import rules
from rulekit.engine.objects import zones_of
from rulekit.engine.state import State
from rulekit.rules import Illegal

MANY = 99  # "any number of targets"
TARGETS = ("target", "target player")


def asked(frame: Frame, terms: Iterable[Any]) -> Iterator[Term]:
    """Yield the targets that a text asks for with the decisions made so far, in the order of the text (702.174m).

    A target that the text speaks of again is yielded once.
    """
    known: dict[int, Term] = {}
    for term in _spoken_of(frame, terms):
        known.setdefault(term.args[0], term)
    yield from (known[place] for place in sorted(known))


def _spoken_of(frame: Frame, terms: Iterable[Any]) -> Iterator[Term]:
    for term in terms:
        if isinstance(term, tuple):
            yield from _spoken_of(frame, term)
        elif isinstance(term, Term):
            if term.op in TARGETS:
                yield term
            elif term.op == "if" and WORDS[term.args[0].op].facts.get("while_casting"):
                yield from _spoken_of(frame, term.args[1] if frame.holds(term.args[0]) else term.args[2])
            elif term.op == "modes":
                chosen = frame.cast.modes if frame.cast else ()
                yield from _spoken_of(frame, tuple(term.args[-1][mode] for mode in chosen))
            elif not WORDS[term.op].facts.get("later"):  # a delayed or granted ability has its own targets
                yield from _spoken_of(frame, term.args)


def candidates(state: State, what: Any) -> Iterator[int | str]:
    """Yield all players and objects that could fit a target's description at all."""
    for zone in zones_of(what):
        if zone == "battlefield":
            yield from state.battlefield
        elif zone == "stack":
            yield from state.stack
        else:
            for player in state.from_active():
                yield from state.zone(zone, player)
    yield from state.in_game


def illegal(frame: Frame, term: Term, candidate: int | str, ability: Ability | None) -> Illegal | None:
    """Return why something is no legal target, or None.

    Args:
        frame: Of the spell or ability; its `item` or `this` is the source.
        term: The target term.
        candidate: An object's number or a player's name.
        ability: The ability on whose behalf, if one; equip and reconfigure refuse by their own rules.

    Returns:
        The refusal with its rule (601.2c, 702.6a, 702.11b, 702.16b, 702.18a ...).
    """
    state = frame.state
    if _chosen_before(frame, term, candidate):
        told = candidate if isinstance(candidate, str) else state.name(candidate)
        return Illegal("601.2c", f"{frame.you} cannot choose {told}: it is another target already.")
    rule = ability.rule if ability and ability.keyword in ("equip", "fortify", "reconfigure") else "601.2c"
    told = candidate if isinstance(candidate, str) else state.name(candidate)
    source = state.name(frame.this) if frame.this else "the effect"
    if isinstance(candidate, int):
        thing = state.objects.get(candidate)
        if thing is not None and thing.phased:
            return Illegal("702.26b", f"{frame.you} cannot target {told}: it is phased out.")
        if candidate == frame.item:
            return Illegal(rule, f"{frame.you} cannot target {told} with itself (115.5).")
        if thing is None or thing.zone not in zones_of(term.args[1]) or not frame.fits(term.args[1], candidate):
            why = _misfit(frame, term.args[1], candidate) or "it is not what the text asks for"
            return Illegal(rule, f"{frame.you} cannot target {told} with {source}: {why}.")
    elif candidate not in state.players:
        return Illegal(rule, f"{frame.you} cannot target {told} with {source}: nothing here is called that.")
    elif candidate not in state.in_game or not frame.fits(term.args[1], candidate):
        return Illegal(rule, f"{frame.you} cannot target {told} with {source}: the text does not ask for that player.")
    return guarded(frame, candidate)


def _misfit(frame: Frame, what: Term, candidate: int) -> str:
    """Say which part of a description an object does not fit: its kind, or who controls it; "" for other parts."""
    if candidate not in frame.state.objects:
        return ""
    for part in what.args[0] if what.op == "all of" else (what,):
        if not frame.fits(part, candidate):
            if part.op == "controlled":
                return f"{frame.look(candidate).controller} controls it"
            return f"it is not {say_filter(part, first='a')}" if part.op == "kind" else ""
    return ""


def guarded(frame: Frame, candidate: int | str) -> Illegal | None:
    """Return the refusal of a target that shroud, hexproof or protection guards, or None."""
    state, you = frame.state, frame.you
    if isinstance(candidate, str):
        return _guarded_player(frame, candidate)
    if state.get(candidate).zone != "battlefield":
        return None
    seen = state.look(candidate)
    if seen.has("shroud"):
        return Illegal("702.18a", f"{you} cannot target {seen.name}: it has shroud.")
    source = frame.item if frame.item is not None and state.get(frame.item).kind != "ability" else frame.this
    for ability in seen.with_keyword("hexproof") if seen.controller != you else ():
        if not ability.value or has_quality(state, ability.value[0], source, candidate):
            return Illegal(
                ability.rule if ability.value else "702.11b", f"{you} cannot target {seen.name}: it has {ability.text}."
            )
    shield = protects(state, candidate, source)
    if shield is not None:
        return Illegal("702.16b", f"{you} cannot target {seen.name} with {state.name(source)}: it has {shield.text}.")
    return None


def _guarded_player(frame: Frame, player: str) -> Illegal | None:
    state, you = frame.state, frame.you
    for term, owner in rules(state, "player has hexproof"):
        if player in owner.players(term.args[0]) and you != player:
            return Illegal("702.11c", f"{you} cannot target {player}: {player} has hexproof.")
    if any(player in owner.players(term.args[0]) for term, owner in rules(state, "player has shroud")):
        return Illegal("702.18a", f"{you} cannot target {player}: {player} has shroud.")
    if protected(state, player, frame.item if frame.item is not None else frame.this):
        return Illegal("702.16b", f"{you} cannot target {player}: {player} has protection.")
    return None


def protects(state: State, number: int, source: int) -> Ability | None:
    """Return the protection of a permanent from a source, or None (702.16)."""
    for ability in state.look(number).with_keyword("protection") if source else ():
        if has_quality(state, ability.value[0], source, number):
            return ability
    return None


def legal(frame: Frame, term: Term, ability: Ability | None) -> list[int | str]:
    """Return every legal target for one target term."""
    return [
        c for c in candidates(frame.state, term.args[1]) if _described(frame, term, c) and guarded(frame, c) is None
    ]


def _chosen_before(frame: Frame, term: Term, candidate: int | str) -> bool:
    """Return whether "another" target is one that the text has asked for before."""
    what = term.args[1]
    parts = what.args[0] if what is not None and what.op == "all of" else (what,)
    another = any(part is not None and part.op in ("other", "any other target") for part in parts)
    return another and any(candidate in chosen for slot, chosen in frame.targets.items() if slot < term.args[0])


def _described(frame: Frame, term: Term, candidate: int | str) -> bool:
    """Return whether something is what a target term describes, where it is looked for."""
    state, what = frame.state, term.args[1]
    if _chosen_before(frame, term, candidate):
        return False
    if isinstance(candidate, str):
        return candidate in state.in_game and frame.fits(what, candidate)
    if candidate == frame.item:
        return False  # 115.5
    thing = state.objects.get(candidate)
    return thing is not None and not thing.phased and thing.zone in zones_of(what) and frame.fits(what, candidate)


def bounds(frame: Frame, term: Term) -> tuple[int, int]:
    """Return how few and how many targets one target term asks for."""
    _, _, low, high = term.args
    return frame.count(low), min(frame.count(high), MANY)


def possible(frame: Frame, terms: Iterable[Any], ability: Ability | None) -> bool:
    """Return whether all targets that a text asks for could be chosen now."""
    for term in asked(frame, tuple(terms)):
        low, _ = bounds(frame, term)
        if low and len(_enough(frame.state, term, legal(frame, term, ability), low)) < low:
            return False
    return True


def choose(
    t: Table,
    player: str,
    terms: Iterable[Any],
    ability: Ability | None,
    affords: Callable[[Term, int | str], bool] | None = None,
) -> Run[None]:
    """Choose the targets of the spell or ability of the current frame, one after another (601.2c).

    Args:
        t: The table.
        player: Who chooses.
        terms: The effects that ask for targets.
        ability: The ability, if it is one.
        affords: Where the cost depends on the target: whether it can be paid with that one; others are not offered.

    Raises:
        Illegal: There is no legal target where one is needed.
    """
    for term in tuple(asked(t.frame, tuple(terms))):
        slot = term.args[0]
        low, high = bounds(t.frame, term)
        high = max(low, min(high, _shares(t, terms, slot, high)))
        chosen: list[int | str] = []
        fitting = legal(t.frame, term, ability)
        if affords is not None and not t.explicit:
            fitting = [c for c in fitting if affords(term, c)]
        fitting = _enough(t.state, term, fitting, low)
        while len(chosen) < high:
            options: list[Any] = [c for c in fitting if c not in chosen and _goes_with(t.state, term, c, chosen)]
            if not options and len(chosen) >= low and not t.explicit:
                break
            if len(chosen) >= low:
                options.append("done")

            def why(answer: Any, term: Term = term, chosen: tuple[Any, ...] = tuple(chosen)) -> Illegal:
                return _refused(t, player, term, answer, chosen, ability)

            prompt = f"target {len(chosen) + 1} of {t.state.name(t.frame.this)}"
            answer = yield from t.ask(player, "choose target", options, rule="601.2c", prompt=prompt, why=why)
            if answer == "done":
                break
            chosen.append(answer)
        t.frame.targets[slot] = tuple(chosen)


def _shares(t: Table, terms: Iterable[Any], slot: int, high: int) -> int:
    """Return among how many targets something can be divided: each gets at least 1 (601.2d)."""
    divided = (term for term in walk(tuple(terms)) if term.op == "divided" and term.args[1].args[0] == slot)
    return min((t.count(term.args[0]) for term in divided), default=high)


def _refused(
    t: Table, player: str, term: Term, answer: Any, chosen: tuple[Any, ...], ability: Ability | None
) -> Illegal:
    """Say why an answer is no target beside those chosen for the same words."""
    if answer is None:
        what = t.state.name(t.frame.this)
        return Illegal("601.2c", f"{player} cannot choose targets for {what}: there is no legal target.")
    told = t.word_of(answer)
    if answer in chosen:
        return Illegal("601.2c", f"{player} cannot choose {told} twice for one target.")
    if not _goes_with(t.state, term, answer, chosen):
        return Illegal("601.2c", f"{player} cannot choose {told}: all targets lie in one graveyard.")
    found = illegal(t.frame, term, answer, ability)
    return found or Illegal("601.2c", f"{player} cannot choose {answer} there.")


def _in_one_place(term: Term) -> bool:
    return any(part.op == "in one graveyard" for part in term.args[1].walk())


def _goes_with(state: State, term: Term, candidate: int | str, chosen: Iterable[int | str]) -> bool:
    """Return whether a target may stand beside others chosen for the same words ("from a single graveyard")."""
    owners = {state.get(other).owner for other in (candidate, *chosen) if isinstance(other, int)}
    return not _in_one_place(term) or len(owners) < 2


def _enough(state: State, term: Term, fitting: list[int | str], low: int) -> list[int | str]:
    """Return those of the legal targets beside which there are enough others."""
    if low < 2 or not _in_one_place(term):
        return fitting
    owners = [state.get(one).owner for one in fitting if isinstance(one, int)]
    return [one for one in fitting if isinstance(one, int) and owners.count(state.get(one).owner) >= low]


def still_legal(frame: Frame, terms: Iterable[Any], ability: Ability | None) -> tuple[int, int]:
    """Drop the targets that have become illegal from a frame about to resolve (608.2b).

    Returns:
        How many targets were chosen, and how many of them are still legal.
    """
    by_slot = {term.args[0]: term for term in asked(frame, tuple(terms))}
    had = kept = 0
    for slot, chosen in list(frame.targets.items()):
        term = by_slot.get(slot)
        good = tuple(c for c in chosen if term is not None and illegal(frame, term, c, ability) is None)
        had, kept = had + len(chosen), kept + len(good)
        frame.targets[slot] = good
    return had, kept
