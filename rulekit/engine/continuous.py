"""One continuous effect within the layers: its changes by layer, what it applies to, and what that goes by (613)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from rulekit.engine.abilities import WORDS, Ability, Term, walk
from rulekit.engine.frame import Frame
from rulekit.engine.objects import candidates, zones_of
from rulekit.engine.seen import Seen


class InLayer(NamedTuple):
    """What one effect changes in one layer.

    Attributes:
        changes: The changes, each with the amount that its X stands for.
        removes: Whether abilities are taken away, so that other effects may stop to exist.
        reads: The layers whose changes matter to what is done, such as an amount; None if it might be any.
        defines: Whether each of them is one that a characteristic-defining ability makes (604.3).
    """

    changes: tuple[tuple[Term, Term | None], ...]
    removes: bool
    reads: frozenset[str] | None
    defines: bool


@lru_cache(maxsize=8192)
def by_layer(changes: tuple[Term, ...]) -> dict[str, InLayer]:
    """Return changes by layer, what is short for several written out."""
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
            says_x = x is not None and with_x(change, 0) != change
            found.setdefault(facts["layer"], []).append((change, x if says_x else None))

    for change in changes:
        add(change, None)
    return {layer: _in_layer(tuple(entries)) for layer, entries in found.items()}


def _in_layer(entries: tuple[tuple[Term, Term | None], ...]) -> InLayer:
    """Return changes of one layer with what the search for dependencies asks about them."""
    facts = [WORDS[change.op].facts for change, _ in entries]
    read = [_reads((*change.args, x)) for change, x in entries]
    known = [layers for layers in read if layers is not None]
    reads = frozenset[str]().union(*known) if len(known) == len(read) else None
    removes, defines = any(f.get("removes") for f in facts), all(f.get("defines") for f in facts)
    return InLayer(entries, removes, reads, defines)


def bound_to(frame: Frame, change: Term, x: Term) -> Term:
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


class Part:
    """One continuous effect: its changes, what it applies to, and since when."""

    __slots__ = (
        "_known", "ability", "begun", "by_layer", "condition", "frame", "met", "objects", "source", "subject",
        "timestamp", "touched",
    )  # fmt: skip

    def __init__(
        self, frame: Frame, timestamp: tuple[int, int], subject: Term | None, objects: tuple[int, ...] | None,
        changes: tuple[Term, ...], touched: list[int], ability: Ability | None = None, source: int | None = None,
    ) -> None:  # fmt: skip
        """Take an effect; `touched` is the growing list of the objects that effects have changed so far."""
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
        self.touched = touched
        self._known: tuple[str, int, dict[int, bool]] | None = None  # "you", how far `touched` was read, who fits

    def in_layer(self, layer: str) -> tuple[tuple[Term, Term | None], ...]:
        """Return its changes in one layer, each with what its X stands for."""
        here = self.by_layer.get(layer)
        return here.changes if here is not None else ()

    def deeds(self, layer: str, drafts: Mapping[int, Seen]) -> tuple[Any, ...]:
        """Make its changes in one layer to drafts of the objects that it applies to, and return how those then are."""
        spoken_of = self.frame.said.get("it")
        for number, draft in drafts.items():
            self.make(layer, number, draft)
        self.frame.said["it"] = spoken_of
        return tuple(draft.key() for draft in drafts.values())

    def make(self, layer: str, number: int, seen: Seen) -> None:
        """Make its changes in one layer to one object."""
        self.frame.said["it"] = (number,)
        for change, x in self.in_layer(layer):
            bound = change if x is None else bound_to(self.frame, change, x)
            WORDS[bound.op].body(self.frame, seen, *bound.args)
        seen._keywords = seen._kinds = None

    def defines(self, layer: str) -> bool:
        """Return whether this is a characteristic-defining ability (604.3a)."""
        alone = self.source is not None and self.subject is not None and self.subject.op == "this"
        return alone and self.condition is None and self.by_layer[layer].defines

    def exists(self, seen: dict[int, Seen]) -> bool:
        """Return whether the ability that it comes from is still there; one that has begun goes on (613.6)."""
        if self.source is None or self.begun:
            return True
        return self.source in seen and any(own is self.ability for own in seen[self.source].abilities)

    def steady(self) -> bool:
        """Return whether what it applies to depends on no characteristic that effects change."""
        no_condition = self.condition is None
        return no_condition and (self.subject is None or bool(WORDS[self.subject.op].facts.get("steady")))

    def fixed(self) -> bool:
        """Return whether nothing can change any more what it applies to (611.2c, 613.6)."""
        return self.begun or (self.source is None and self.objects is not None)

    def affected(self, seen: dict[int, Seen]) -> tuple[int, ...]:
        """Return the numbers of the objects that it applies to."""
        if self.begun:  # it goes on applying to the same objects (613.6)
            return self.met
        if self.source is not None and self.source in seen:
            self.frame.you = seen[self.source].controller
        if not self.frame.holds(self.condition):
            return ()
        if self.objects is not None:
            found: Iterable[int] = self.objects
        elif self.alone():
            found = self._fitting()
        else:
            found = self.frame.objects(self.subject)
        return tuple(number for number in found if number in seen)

    def alone(self) -> bool:
        """Return whether it applies to each object for what that object is itself, whatever others are."""
        if self.subject is None or self.subject.op != "each" or self.condition is not None:
            return False
        return _each_alone(self.subject.args[0])

    def fits(self, number: int) -> bool:
        """Return whether an object is one of those to which it applies, each of which counts for itself."""
        return self.subject is not None and self.frame.fits(self.subject.args[0], number)

    def _fitting(self) -> Iterator[int]:
        """Yield the objects that fit; of those known before only the ones that were changed since are asked again."""
        you, read, fits = self._known or ("", 0, {})
        if self._known is None or you != self.frame.you:
            what = self.subject.args[0] if self.subject is not None else None
            fits = {number: self.fits(number) for number in candidates(self.frame.state, what)}
        else:
            for number in set(self.touched[read:]):
                if number in fits:
                    fits[number] = self.fits(number)
        self._known = (self.frame.you, len(self.touched), fits)
        return (number for number, does in fits.items() if does)


def removes(part: Part, layer: str) -> bool:
    """Return whether a part takes abilities away in a layer, so that others may stop to exist."""
    return part.by_layer[layer].removes


def goes_by(part: Part, layer: str) -> bool:
    """Return whether what a part applies to may depend on what is changed in a layer."""
    if part.fixed() or part.steady():
        return False
    return any(read is None or layer in read for read in (_reads(part.subject), _reads(part.condition)))


def does_by(part: Part, layer: str) -> bool:
    """Return whether what a part does to an object may depend on what is changed in a layer."""
    reads = part.by_layer[layer].reads
    return reads is None or layer in reads


SIZES = ("7a", "7b", "7c", "7d")
READS = {  # words that ask each object about itself alone: in which layers what they ask about is changed
    "all of": (), "any of": (), "not": (), "token": (), "card": (), "permanent": (), "other": (), "tapped": (),
    "untapped": (), "anything": (), "this": (), "you": ("2",), "attacking": (), "blocking": (),
    "kind": ("4",), "permanent type": ("4",), "color": ("5",), "colorless": ("5",), "with keyword": ("6",),
    "without keyword": ("6",), "controlled": ("2",), "named": ("3",),
}  # fmt: skip
READS_MORE = {  # words that look at other objects too
    "each": (), "equipped": ("4",), "attached": (), "equipped by this": (), "enchanted by this": (), "your turn": (),
    "number of": (), "at least": (), "at most": (), "not so": (), "X": (), "times": (), "plus": (), "minus": (),
    "half": (), "that many": (), "counters on": (), "all counters on": (), "card types among": ("4",),
    "colors among": ("5",), "domain": ("4",), "mana values of": (), "greatest mana value of": (),
    "different mana values": (), "life total": (), "it": (), "that": (),
    "in graveyard": (),
}  # fmt: skip
OF_SIZE = ("size of", "size of this", "total size", "greatest size", "sized")


@lru_cache(maxsize=8192)
def _reads(value: Any) -> frozenset[str] | None:
    """Return the layers whose changes matter to what a term, or several, means; None if it might be any."""
    found: set[str] = set()
    for part in walk(value):
        layers = READS.get(part.op, READS_MORE.get(part.op))
        if part.op in OF_SIZE:
            layers = SIZES if {"power", "toughness"}.intersection(_words(part.args)) else ()
        if layers is None:
            return None
        found.update(layers)
    return frozenset(found)


def _words(args: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(arg for arg in args if isinstance(arg, str))


@lru_cache(maxsize=8192)
def _each_alone(what: Term | None) -> bool:
    """Return whether an object fits a description by what it is itself, whatever others are."""
    return what is None or all(part.op in READS for part in walk(what))


def reaches_beyond(subject: Term | None) -> bool:
    """Return whether a subject names objects off the battlefield and the stack."""
    if subject is None:
        return False
    if subject.op == "together":
        return any(reaches_beyond(part) for part in subject.args[0])
    if WORDS[subject.op].facts.get("everywhere"):
        return True
    return subject.op == "each" and any(zone not in ("battlefield", "stack") for zone in zones_of(subject.args[0]))
