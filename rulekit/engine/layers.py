"""The State as it is seen after continuous effects, layer by layer (613); what is printed stands in `seen`."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rulekit.engine.abilities import WORDS, Term, walk
from rulekit.engine.continuous import Part, does_by, goes_by, reaches_beyond, removes
from rulekit.engine.frame import Frame
from rulekit.engine.seen import NOTHING, Seen, base
from rulekit.engine.state import Effect, State

LAYERS = ("2", "3", "4", "5", "6", "7a", "7b", "7c", "7d", "8")  # 8: what is no characteristic (613.11)


class _Layering:
    """One pass through the layers over a State."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.seen: dict[int, Seen] = {}
        self.view = state.but(seen_cache={"seen": self.seen})  # frames look at what has been worked out so far
        self.parts: list[Part] = []
        self.touched: list[int] = []
        self.known: set[tuple[int, int]] = set()

    def run(self) -> dict[int, Seen]:
        state = self.state
        for number in state.battlefield:
            self.seen[number] = base(state, number)
        for number in state.stack:
            if state.objects[number].kind != "ability":
                self.seen[number] = base(state, number)
        for effect in state.effects:
            self.add_effect(effect)
        self.gather(state.battlefield)
        if any(reaches_beyond(part.subject) for part in self.parts):
            for number, thing in state.objects.items():
                if thing.kind != "ability" and not thing.phased:
                    self.seen.setdefault(number, base(state, number))
        self.gather(tuple(self.seen))
        for layer in LAYERS:
            self.apply(layer)
        return self.seen

    def add_effect(self, effect: Effect) -> None:
        frame = Frame(self.view, effect.you, effect.source, said=dict(effect.said))
        changes = tuple(c for c in effect.changes if isinstance(c, Term) and WORDS[c.op].sort == "change")
        if not changes:
            return
        for number in effect.objects or ():
            if number in self.state.objects and number not in self.seen and not self.state.objects[number].phased:
                self.seen[number] = base(self.state, number)
        self.parts.append(Part(frame, (effect.timestamp, 0), effect.subject, effect.objects, changes, self.touched))

    def gather(self, numbers: Iterable[int]) -> None:
        """Add the static abilities of objects that are not among the parts yet."""
        for number in numbers:
            thing = self.state.objects[number]
            for place, ability in enumerate(self.seen[number].abilities):
                if ability.kind != "static" or (number, id(ability)) in self.known or thing.zone not in ability.zones:
                    continue
                self.known.add((number, id(ability)))
                for statement in ability.effect:
                    if statement.op == "apply":
                        subject, changes = statement.args
                        frame = Frame(self.view, self.seen[number].controller, number, said={"itself": number})
                        stamp = (thing.timestamp, place)
                        self.parts.append(Part(frame, stamp, subject, None, changes, self.touched, ability, number))

    def apply(self, layer: str) -> None:
        """Apply all effects of one layer: first what defines characteristics, then the others (613.3)."""
        if layer == "7c":
            self.count_counters()
        parts = sorted((p for p in self.parts if layer in p.by_layer), key=lambda part: part.timestamp)
        defining = [part for part in parts if part.defines(layer)] if layer != "7a" else []
        if defining:
            self.apply_all(defining, layer)
            parts = [part for part in parts if part not in defining]
        self.apply_all(parts, layer)

    def apply_all(self, parts: list[Part], layer: str) -> None:
        """Apply effects of one layer one after the other, the oldest first that depends on none of the rest (613.8)."""
        while parts:
            if not self.may_depend(parts, layer):
                ready, parts = parts, []
            else:
                ready = [parts.pop(self.next(parts, layer))]
            for part in ready:
                self.apply_one(part, layer)
                self.touched += part.met
            if layer == "6":
                before = len(self.parts)
                self.gather(tuple(self.seen))
                fresh = [part for part in self.parts[before:] if layer in part.by_layer]
                parts = sorted(parts + fresh, key=lambda part: part.timestamp)

    def may_depend(self, parts: list[Part], layer: str) -> bool:
        """Return whether one of the parts could depend on another (613.8)."""
        if len(parts) == 1 or layer == "8":
            return False
        return any(removes(part, layer) or does_by(part, layer) or goes_by(part, layer) for part in parts)

    def apply_one(self, part: Part, layer: str) -> None:
        """Make the changes of an effect in one layer, if the ability that it comes from is still there."""
        if not part.exists(self.seen):
            return
        part.met = part.affected(self.seen)
        for number in part.met:
            part.make(layer, number, self.seen[number])
        part.begun = True

    def next(self, parts: list[Part], layer: str) -> int:
        """Return which of the parts applies next: the oldest that depends on none of the others (613.8)."""
        trial = _Trial(self, parts, layer)
        waits: list[set[int]] = []
        for i in range(len(parts)):
            waits.append(trial.waits(i))
            if not waits[i]:
                return i
        looped = (i for i in range(len(parts)) if i in _reachable(waits, i))  # a loop is ignored (613.8b)
        return next(looped, 0)

    def count_counters(self) -> None:
        """Let +1/+1 and -1/-1 counters count (613.4c)."""
        for number, seen in self.seen.items():
            for kind, n in self.state.objects[number].counters:
                sizes = kind.split("/")
                if len(sizes) == 2 and seen.power is not None and seen.toughness is not None:
                    seen.power += int(sizes[0]) * n
                    seen.toughness += int(sizes[1]) * n


def _does(part: Part, place: int) -> tuple[Any, ...]:
    """Return what a part does to which objects, where that is fixed; else what tells it from all others."""
    if part.begun or part.source is not None or part.objects is None:
        return (place,)
    return (part.objects, id(part.by_layer), part.frame.this, part.frame.you)


class _Trial:
    """What would become of the parts of one layer if one of them were applied first (613.8a).

    What a part applies to, and what applying one changes, is worked out once and only if it is asked for.
    """

    def __init__(self, layering: _Layering, parts: list[Part], layer: str) -> None:
        self.layering, self.parts, self.layer = layering, parts, layer
        self.seen = layering.seen
        self.now: dict[int, tuple[bool, tuple[int, ...], tuple[Any, ...]]] = {}
        self.changes: dict[int, dict[int, Seen]] = {}
        self.alike: dict[tuple[Any, ...], int] = {}  # of effects that do the same to the same objects the first
        self.first = [self.alike.setdefault(_does(part, place), place) for place, part in enumerate(parts)]

    def waits(self, i: int) -> set[int]:
        """Return the parts on which one of them depends."""
        if self.parts[i].fixed() and not does_by(self.parts[i], self.layer):
            return set()
        upon = {j for j in self.alike.values() if j != i and self.depends(i, j)}
        return {j for j, first in enumerate(self.first) if first in upon}

    def depends(self, i: int, j: int) -> bool:
        """Return whether one part would exist, apply or do otherwise after another had been applied (613.8a)."""
        part = self.parts[i]
        by_kind = goes_by(part, self.layer) or does_by(part, self.layer)
        if not by_kind and not removes(self.parts[j], self.layer):
            return False
        changed = self.changed(j)
        if not changed or (not by_kind and part.source not in changed):
            return False
        self.look_at(i)
        kept = {number: self.seen[number] for number in changed}
        self.seen.update(changed)
        there = part.exists(self.seen)
        after = self.affected_after(i, changed) if there else ()
        deeds = self.deeds(i, after, kept) if there and after == self.now[i][1] else ()
        self.seen.update(kept)
        return self.now[i] != (there, after, deeds)

    def look_at(self, i: int) -> tuple[int, ...]:
        """Return what a part applies to as things stand; nothing if it does not exist any more."""
        if i not in self.now:
            part = self.parts[i]
            there = part.exists(self.seen)
            met = part.affected(self.seen) if there else ()
            self.now[i] = (there, met, self.deeds(i, met, {}))
        return self.now[i][1]

    def deeds(self, i: int, met: tuple[int, ...], kept: Mapping[int, Seen]) -> tuple[Any, ...]:
        """Return what a part makes of objects as they are before another is applied, if that can tell (613.8a)."""
        if not does_by(self.parts[i], self.layer):
            return ()
        drafts = {number: kept.get(number, self.seen[number]).copy() for number in met}
        return self.parts[i].deeds(self.layer, drafts)

    def affected_after(self, i: int, changed: dict[int, Seen]) -> tuple[int, ...]:
        """Return what a part would apply to, or that it is something else: each object for itself, if that will do."""
        part, before = self.parts[i], self.now[i][1]
        if part.fixed() or not part.alone():
            return part.affected(self.seen)
        you = self.seen[part.source].controller if part.source in self.seen else part.frame.you
        differs = you != part.frame.you or any(part.fits(number) != (number in before) for number in changed)
        return (*before, -1) if differs else before

    def changed(self, j: int) -> dict[int, Seen]:
        """Return the objects that applying a part would change, as they would then be."""
        if j not in self.changes:
            other = self.parts[j]
            begun, met, said = other.begun, other.met, other.frame.said.get("it")
            touched = self.look_at(j)
            kept = {number: self.seen[number] for number in touched}
            self.seen.update((number, seen.copy()) for number, seen in kept.items())
            self.layering.apply_one(other, self.layer)
            other.begun, other.met = begun, met
            other.frame.said["it"] = said
            now = {number: self.seen[number] for number in touched}
            self.seen.update(kept)
            self.changes[j] = {number: new for number, new in now.items() if new.key() != kept[number].key()}
        return self.changes[j]


def _reachable(waits: list[set[int]], start: int) -> set[int]:
    found: set[int] = set()
    todo = list(waits[start])
    while todo:
        index = todo.pop()
        if index not in found:
            found.add(index)
            todo += waits[index]
    return found


NEAR = {  # words that ask about nothing but permanents, what is on the stack, effects and the turn
    "all of", "any of", "not", "kind", "color", "token", "card", "permanent", "permanent type", "other", "equipped",
    "controlled", "attacking", "blocking", "tapped", "untapped", "each", "this", "equipped by this",
    "enchanted by this", "you", "your turn", "number of", "attached", "sharing", "sized", "times", "X", "at least",
    "colorless", "with keyword",
}  # fmt: skip


@lru_cache(maxsize=8192)
def _is_near(term: Term) -> bool:
    """Return whether what a statement means depends only on what a reused look takes into account."""
    for part in walk(term):
        declared = WORDS.get(part.op)
        if declared is not None and declared.sort not in ("change", "keyword", "rule") and part.op not in NEAR:
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Looked:
    """One finished look at a State: what it went by, and what was seen.

    Attributes:
        by: The objects on the battlefield and the stack, the effects, the turn.
        near: Whether it depends on nothing else.
        seen: The characteristics by number.
        statements: What rules are in force: the term with its source, controller, condition and memory, by op.
    """

    by: tuple[Any, ...]
    near: bool
    seen: dict[int, Seen]
    statements: dict[str, list[tuple[Term, int, str, Term | None, tuple[tuple[str, Any], ...]]]]

    def serves(self, by: tuple[Any, ...]) -> bool:
        return self.near and len(by) == len(self.by) and all(map(operator.is_, by, self.by))


def is_rule(term: Term) -> bool:
    """Return whether a term is a statement about the game; a change with its subject is none."""
    return term.op in WORDS and WORDS[term.op].sort == "rule"


def _goes_by(state: State) -> tuple[Any, ...]:
    objects = state.objects
    return (
        state.turn, state.effects, state.players if any(p.left for p in state.players.values()) else None,
        *(objects[n] for n in state.zones.get(("battlefield", ""), ())), None, *(objects[n] for n in state.stack),
    )  # fmt: skip


def _looked(state: State) -> _Looked:
    """Return the look at a State: a former one where nothing that it depends on has changed since."""
    cache = state.seen_cache
    found: _Looked | None = cache.get("looked")
    if found is None:
        by = _goes_by(state)
        former: _Looked | None = cache.get("former")
        found = former if former is not None and former.serves(by) else _look_anew(state, by)
        cache["looked"] = found
        cache.pop("former", None)
    return found


def _look_anew(state: State, by: tuple[Any, ...]) -> _Looked:
    layering = _Layering(state)
    seen = layering.run()
    statements: dict[str, list[Any]] = {}
    near = not any(reaches_beyond(part.subject) for part in layering.parts)
    for number in state.battlefield:
        for ability in seen[number].abilities:
            if ability.kind != "static":
                continue
            near = near and (ability.condition is None or _is_near(ability.condition))
            near = near and all(_is_near(term) for term in ability.effect)
            if "battlefield" in ability.zones:
                for term in ability.effect:
                    if is_rule(term):
                        entry = (term, number, seen[number].controller, ability.condition, (("itself", number),))
                        statements.setdefault(term.op, []).append(entry)
    for effect in state.effects:
        near = near and (effect.objects is None or all(n in state.battlefield for n in effect.objects))
        for term in effect.changes:
            near = near and (not isinstance(term, Term) or _is_near(term))
            if isinstance(term, Term) and is_rule(term):
                statements.setdefault(term.op, []).append((term, effect.source, effect.you, None, effect.said))
    return _Looked(by, near, seen, statements)


def look(state: State, number: int) -> Seen:
    """Return the characteristics of an object as it is now, or as it last existed (608.2h)."""
    seen: dict[int, Seen] | None = state.seen_cache.get("seen")  # while the layers are being worked out
    if seen is None:
        seen = _looked(state).seen
    if number not in state.objects:
        return state.past[number].seen if number else NOTHING
    found = seen.get(number)
    if found is None:
        elsewhere: dict[int, Seen] = state.seen_cache.setdefault("elsewhere", {})
        found = elsewhere.get(number)
        if found is None:
            found = elsewhere[number] = base(state, number)
            for change in _own_definitions(state, number, found):
                change(found)
    return found


def _own_definitions(state: State, number: int, seen: Seen) -> Iterator[Any]:
    """Yield the characteristic-defining abilities of an object off the battlefield (604.3)."""
    for ability in seen.abilities:
        if ability.kind == "static" and ability.condition is None:  # 604.3a
            for statement in ability.effect:
                if statement.op == "apply" and statement.args[0].op == "this":
                    frame = Frame(state, state.objects[number].owner, number)
                    for change in statement.args[1]:
                        if WORDS[change.op].facts.get("defines"):
                            yield lambda seen, c=change, f=frame: WORDS[c.op].body(f, seen, *c.args)


def rules(state: State, op: str) -> list[tuple[Term, Frame]]:
    """Return the statements of one kind that are in force and concern no object's characteristics.

    Args:
        state: Where to look.
        op: The rule term, such as "costs less" or "can't cast".

    Returns:
        The terms with the frame of their source, the oldest first.
    """
    if "seen" in state.seen_cache:
        return []
    found = []
    for term, source, you, condition, said in _looked(state).statements.get(op, ()):
        frame = Frame(state, you, source, said=dict(said))
        if frame.holds(condition):
            found.append((term, frame))
    return found
