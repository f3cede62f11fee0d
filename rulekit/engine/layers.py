"""The State as it is seen after continuous effects, layer by layer (613)."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import WORDS, Ability, Term, walk
from rulekit.engine.frame import Frame
from rulekit.engine.state import Effect, Object, State

LAYERS = ("2", "3", "4", "5", "6", "7a", "7b", "7c", "7d", "8")  # 8: what is no characteristic (613.11)


class Seen:
    """The characteristics of one object (109.3); nothing alters it once the layers are through.

    Attributes:
        number: The object.
        name, colors, supertypes, types, subtypes: As the rules name them; colors as words.
        cost: Its mana cost, or None.
        mana_value: See 202.3.
        abilities: All abilities that it has.
        power, toughness: Numbers, or None where it has none.
        loyalty: Printed loyalty, or None.
        controller, owner: Players; the controller is the owner where there is none (108.4a).
        rules: What applies to it without being an ability: ("can't block", ...), with the frame of its source.
    """

    __slots__ = (
        "_keywords", "_kinds", "abilities", "colors", "controller", "cost", "loyalty", "mana_value", "name", "number",
        "owner", "power", "rules", "subtypes", "supertypes", "toughness", "types",
    )  # fmt: skip

    def __init__(self, card: Card | None, name: str = "", abilities: tuple[Ability, ...] = ()) -> None:
        """Write down what is printed; whose it is follows with `of`."""
        self.number = 0
        self.owner = self.controller = ""
        self.abilities = abilities
        self.rules: tuple[tuple[Term, Frame], ...] = ()
        self._keywords: frozenset[str] | None = None
        self._kinds: frozenset[str] | None = None
        self.name = card.name if card else name
        self.cost = card.cost if card else None
        self.mana_value = card.mana_value if card else 0
        self.colors: tuple[str, ...] = card.colors if card else ()
        self.supertypes: tuple[str, ...] = card.types.supertypes if card else ()
        self.types: tuple[str, ...] = card.types.types if card else ()
        self.subtypes: tuple[str, ...] = card.types.subtypes if card else ()
        self.power = _number(card.power) if card and card.power is not None else None
        self.toughness = _number(card.toughness) if card and card.toughness is not None else None
        self.loyalty = card.loyalty if card and isinstance(card.loyalty, int) else None

    def of(self, number: int, thing: Object) -> Seen:
        """Return a copy that may be altered, as the characteristics of an object."""
        new = self.copy()
        new.number = number
        new.owner = thing.owner
        new.controller = thing.controller
        return new

    def copy(self) -> Seen:
        """Return a copy that may be altered."""
        new = object.__new__(Seen)
        new.number, new.owner, new.controller, new.abilities = self.number, self.owner, self.controller, self.abilities
        new.rules, new._keywords, new.name, new.cost = self.rules, self._keywords, self.name, self.cost
        new._kinds = self._kinds
        new.mana_value, new.colors, new.loyalty = self.mana_value, self.colors, self.loyalty
        new.supertypes, new.types, new.subtypes = self.supertypes, self.types, self.subtypes
        new.power, new.toughness = self.power, self.toughness
        return new

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Seen) and self.number == other.number and self.key() == other.key()

    __hash__ = None  # type: ignore[assignment]

    def is_a(self, kind: str) -> bool:
        """Return whether it has a supertype, card type or subtype; upper and lower case do not matter."""
        if self._kinds is None:
            self._kinds = frozenset(own.lower() for own in (*self.types, *self.subtypes, *self.supertypes))
        return kind.lower() in self._kinds

    @property
    def keywords(self) -> frozenset[str]:
        """The keywords among its abilities."""
        if self._keywords is None:
            self._keywords = frozenset(ability.keyword for ability in self.abilities if ability.keyword)
        return self._keywords

    def has(self, keyword: str) -> bool:
        """Return whether it has a keyword ability."""
        return keyword in self.keywords

    def with_keyword(self, keyword: str) -> tuple[Ability, ...]:
        """Return its abilities of one keyword."""
        return tuple(ability for ability in self.abilities if ability.keyword == keyword)

    def ruled(self, op: str) -> tuple[tuple[Term, Frame], ...]:
        """Return the rules of one kind that apply to it."""
        return tuple(entry for entry in self.rules if entry[0].op == op)

    def key(self) -> tuple[Any, ...]:
        """Return all that other effects may depend on (613.8)."""
        return (
            self.name, self.colors, self.supertypes, self.types, self.subtypes, self.abilities, self.power,
            self.toughness, self.controller,
        )  # fmt: skip


def _number(printed: int | str) -> int:
    """Return printed power, toughness or loyalty; a star counts 0 until its ability says more (208.2)."""
    digits = str(printed).replace("−", "-").split("+")[0]
    return int(digits) if digits.lstrip("-").isdigit() else 0


FACE_DOWN = Card("", None, "Creature", power=2, toughness=2)  # 708.2a


def face_of(thing: Object) -> Card | None:
    """Return the characteristics that an object has in its zone before effects (709.4, 712.8, 715.4)."""
    if thing.facedown and thing.zone in ("battlefield", "stack"):
        return FACE_DOWN
    if thing.copies is not None:
        return thing.copies
    card = thing.card
    if card is None or not card.faces:
        return card
    if thing.zone == "stack" and thing.cast is not None:
        return card.faces[thing.cast.face]
    if thing.zone == "battlefield":
        return card.faces[thing.face] if card.layout != "adventure" else card.faces[0]
    return card if card.layout == "split" else card.faces[0]


NOTHING = Seen(None)  # an effect without a source has a colorless one of no type


@lru_cache(maxsize=8192)
def _printed(card: Card) -> Seen:
    from rulekit.engine.text import abilities_of

    return Seen(card, abilities=abilities_of(card))


def base(state: State, number: int) -> Seen:
    """Return what is printed on an object, or copied (707.2), before any other continuous effect."""
    thing = state.objects[number]
    card = face_of(thing)
    if card is None:
        seen = Seen(None, thing.label).of(number, thing)
        if thing.memory is not None and thing.memory.this:
            seen.colors = state.look(thing.memory.this).colors  # those of its source (113.7)
        return seen
    seen = _printed(card).of(number, thing)
    if thing.zone == "stack" and card.cost is not None and thing.cast:
        seen.mana_value = card.cost.value(thing.cast.x)
    if thing.card is not None and thing.zone == "battlefield" and thing.face and not thing.copies:
        seen.mana_value = thing.card.faces[0].mana_value  # 202.3b
    return seen


@lru_cache(maxsize=8192)
def by_layer(changes: tuple[Term, ...]) -> dict[str, tuple[tuple[Term, Term | None], ...]]:
    """Return changes by layer, what is short for several written out, each with the amount that its X stands for."""
    found: dict[str, list[tuple[Term, Term | None]]] = {}

    def add(change: Term, x: Term | None) -> None:
        if change.op == "where x":
            for inner in change.args[0]:
                add(inner, change.args[1])
            return
        facts = WORDS[change.op].facts
        if "parts" in facts:
            for inner in facts["parts"](*change.args):
                add(inner, x)
        elif "layer" in facts:
            found.setdefault(facts["layer"], []).append((change, x))

    for change in changes:
        add(change, None)
    return {layer: tuple(entries) for layer, entries in found.items()}


def _bound(frame: Frame, change: Term, x: Term) -> Term:
    """Return a change with X worked out for one object, also inside abilities that it grants."""
    bound: Term = with_x(change, frame.count(x))
    return bound


@lru_cache(maxsize=4096)
def with_x(value: Any, x: int) -> Any:
    """Return a term, an ability or a tuple of them with a number in the place of X."""
    if isinstance(value, Term):
        return x if value.op == "X" else Term(value.op, tuple(with_x(arg, x) for arg in value.args))
    if isinstance(value, Ability):
        return replace(
            value,
            cost=with_x(value.cost, x),
            effect=with_x(value.effect, x),
            text=value.text.replace("{X}", f"{{{x}}}"),
        )
    if isinstance(value, tuple):
        return tuple(with_x(each, x) for each in value)
    return str(x) if value == "X" else value


class _Part:
    """One continuous effect: its changes, what it applies to, and since when."""

    __slots__ = (
        "ability", "begun", "by_layer", "condition", "frame", "met", "objects", "source", "subject", "timestamp",
    )  # fmt: skip

    def __init__(
        self, frame: Frame, timestamp: tuple[int, int], subject: Term | None, objects: tuple[int, ...] | None,
        changes: tuple[Term, ...], ability: Ability | None = None, source: int | None = None,
    ) -> None:  # fmt: skip
        self.frame = frame
        self.timestamp = timestamp
        self.subject = subject
        self.objects = objects
        self.by_layer = by_layer(changes)
        self.ability = ability
        self.condition = ability.condition if ability else None
        self.source = source
        self.begun = False
        self.met: tuple[int, ...] = ()

    def in_layer(self, layer: str) -> tuple[tuple[Term, Term | None], ...]:
        return self.by_layer.get(layer, ())

    def exists(self, seen: dict[int, Seen]) -> bool:
        """Return whether the ability that it comes from is still there; one that has begun goes on (613.6)."""
        if self.source is None or self.begun:
            return True
        return self.source in seen and any(own is self.ability for own in seen[self.source].abilities)

    def steady(self) -> bool:
        """Return whether what it applies to depends on no characteristic that effects change."""
        no_condition = self.condition is None
        return no_condition and (self.subject is None or bool(WORDS[self.subject.op].facts.get("steady")))

    def affected(self, seen: dict[int, Seen]) -> tuple[int, ...]:
        if self.begun:  # it goes on applying to the same objects (613.6)
            return self.met
        if self.source is not None and self.source in seen:
            self.frame.you = seen[self.source].controller
        if not self.frame.holds(self.condition):
            return ()
        found = self.frame.objects(self.subject) if self.objects is None else self.objects
        return tuple(number for number in found if number in seen)


class _Layering:
    """One pass through the layers over a State."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.seen: dict[int, Seen] = {}
        self.view = state.but(seen_cache={"seen": self.seen})  # frames look at what has been worked out so far
        self.parts: list[_Part] = []
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
        if any(_reaches_beyond(part.subject) for part in self.parts):
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
        self.parts.append(_Part(frame, (effect.timestamp, 0), effect.subject, effect.objects, changes))

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
                        self.parts.append(_Part(frame, stamp, subject, None, changes, ability, number))

    def apply(self, layer: str) -> None:
        parts = sorted((p for p in self.parts if layer in p.by_layer), key=lambda part: part.timestamp)
        while parts:
            if not self.may_depend(parts, layer):
                for part in parts:
                    self.apply_one(part, layer, self.seen)
                parts = []
            else:
                self.apply_one(parts.pop(self.next(parts, layer)), layer, self.seen)
            if layer == "6":
                before = len(self.parts)
                self.gather(tuple(self.seen))
                fresh = [part for part in self.parts[before:] if layer in part.by_layer]
                parts = sorted(parts + fresh, key=lambda part: part.timestamp)
        if layer == "7c":
            self.count_counters()

    def may_depend(self, parts: list[_Part], layer: str) -> bool:
        """Return whether one of the parts could depend on another (613.8)."""
        if len(parts) == 1 or layer in ("7c", "7d", "8"):
            return False
        return any(self.removes(part, layer) or not part.steady() for part in parts)

    def removes(self, part: _Part, layer: str) -> bool:
        """Return whether a part takes abilities away in a layer, so that others may stop to exist."""
        return any(WORDS[change.op].facts.get("removes") for change, _ in part.in_layer(layer))

    def apply_one(self, part: _Part, layer: str, seen: dict[int, Seen]) -> None:
        if not part.exists(seen):
            return
        part.met = part.affected(seen)
        for number in part.met:
            part.frame.said["it"] = (number,)
            for change, x in part.in_layer(layer):
                bound = change if x is None else _bound(part.frame, change, x)
                WORDS[bound.op].body(part.frame, seen[number], *bound.args)
            seen[number]._keywords = seen[number]._kinds = None
        part.begun = True

    def next(self, parts: list[_Part], layer: str) -> int:
        """Return which of the parts applies next: the oldest that depends on none of the others (613.8)."""
        waits: list[set[int]] = []
        for i, part in enumerate(parts):
            waits.append({j for j, other in enumerate(parts) if j != i and self.depends(part, other, layer)})
            if not waits[i]:
                return i
        looped = (i for i in range(len(parts)) if i in _reachable(waits, i))  # a loop is ignored (613.8b)
        return next(looped, 0)

    def depends(self, part: _Part, other: _Part, layer: str) -> bool:
        """Return whether applying the other would change what this one applies to or whether it exists (613.8a)."""
        if part.begun or (part.source is None and part.objects is not None):
            return False  # what it applies to is fixed
        steady = part.steady()
        if steady and not self.removes(other, layer):
            return False
        touched = other.affected(self.seen) if other.exists(self.seen) else ()
        if not touched or (steady and part.source not in touched):
            return False
        before = (part.exists(self.seen), part.affected(self.seen))
        kept = {number: self.seen[number].copy() for number in touched}
        begun, met = other.begun, other.met
        self.apply_one(other, layer, self.seen)
        other.begun, other.met = begun, met
        after = (part.exists(self.seen), part.affected(self.seen))
        self.seen.update(kept)
        return before != after

    def count_counters(self) -> None:
        """Let +1/+1 and -1/-1 counters count (613.4c)."""
        for number, seen in self.seen.items():
            for kind, n in self.state.objects[number].counters:
                sizes = kind.split("/")
                if len(sizes) == 2 and seen.power is not None and seen.toughness is not None:
                    seen.power += int(sizes[0]) * n
                    seen.toughness += int(sizes[1]) * n


def _reaches_beyond(subject: Term | None) -> bool:
    """Return whether a subject names objects off the battlefield and the stack."""
    from rulekit.engine.objects import zones_of

    if subject is None:
        return False
    if subject.op == "together":
        return any(_reaches_beyond(part) for part in subject.args[0])
    if WORDS[subject.op].facts.get("everywhere"):
        return True
    return subject.op == "each" and any(zone not in ("battlefield", "stack") for zone in zones_of(subject.args[0]))


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
    near = not any(_reaches_beyond(part.subject) for part in layering.parts)
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
        if ability.kind == "static":
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
