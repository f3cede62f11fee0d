"""What has happened, in words: a sentence for each event of the log, grouped by what caused it."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from rulekit.engine.abilities import Ability
from rulekit.engine.events import Event, Move
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.state import State
from rulekit.engine.text import load_words
from rulekit.rules import find, known

# A sentence is a template. {player}, {what} (the objects), {n}, {to}, {source} ... come from the event; in
# (one|many) the second stands where there are several objects, and in <one|many> where n is not 1.
TEMPLATES = {
    "gift promised": "{player} promises the gift of {what} to {to}",
    "ability triggered": "{what} triggers{text}",
    "trigger removed": "{what} trigger is removed: it has no legal target",
    "put on the stack": "{player} puts {what} on the stack{targets}",
    "target changed": "{player} chooses what {what} targets{targets}",
    "resolved": "{what} resolves",
    "countered": "{what} is countered",
    "could not draw": "{player} cannot draw: the library is empty",
    "left": "{player} leaves the game",
    "won": "{player} wins the game",
    "draw": "the game is a draw",
    "attached": "{what} becomes attached to {to}",
    "unattached": "{what} becomes unattached from {to}",
    "not attached": "{what} does not move: it cannot be attached to {to}",
    "damage": "{source} deals {n} {combat}damage to {to}",
    "dies": "{what} (dies|die)",
    "destroyed": "{what} (is|are) destroyed",
    "sacrificed": "{player} sacrifices {what}",
    "not understood": "nothing is done for words of {what} that were not understood{text}",
    "extra turn": "{player} will take an extra turn after this one",
    "turn skipped": "the extra turn of {player} is skipped",
    "shuffled": "{player} shuffles their library",
    "discarded": "{player} discards {what}",
    "life gained": "{player} gains {n} life",
    "life lost": "{player} loses {n} life",
    "copied": "{player} copies {source}",
    "control gained": "{player} gains control of {what}",
    "transformed": "{what} transforms",
    "tapped": "{what} (becomes|become) tapped",
    "untapped": "{what} (untaps|untap)",
    "phased out": "{what} (phases|phase) out",
    "phased in": "{what} (phases|phase) in",
    "counters removed": "{n} {kind} <counter|counters> <is|are> removed from {what}",
    "mana added": "{player} adds {mana}",
    "mana ability": "{player} uses the mana ability of {what}",
    "attack": "{player} declares (an attacker|attackers): {what}",
    "attacks": "{what} (attacks|attack) {to}",
    "blocks": "{what} blocks {to}",
    "becomes blocked": "{what} becomes blocked",
    "turn": "{player} begins a turn",
    "played": "{player} plays {what}",
    "targeted": "{what} becomes a target of {source}",
    "scried": "{player} scries {n}",
    "surveilled": "{player} surveils {n}",
    "damage dealt": "{n} {combat}damage is dealt in all",
}
LOST_BECAUSE = {
    "704.5a": "0 or less life", "704.5b": "a draw from an empty library", "704.5c": "ten poison counters",
    "104.3a": "conceding",
}  # fmt: skip
UNRESOLVED_BECAUSE = {
    "603.4": "its condition is no longer true", "608.2b": "every target has become illegal",
    "608.3b": "what it would enchant is no longer legal",
}  # fmt: skip
IN_PLAY = ("battlefield", "stack")
SILENT = {"targeted", "attack", "damage dealt", "step"}  # other events tell the same
EMPTY = {"step begins"}  # says something only where something happens in it
TELLS_MOVES = {"milled", "drew", "exiled", "returned", "discarded", "dies"}  # what was moved is in their objects
FORETELLS_MOVES = {"destroyed", "sacrificed", "played", "token created", "discarded"}
TOGETHER = {"replaced", "tapped", "untapped", "destroyed", "dies", "drew", "phased out", "phased in", "attacks"}
BEGINS = {"cast", "ability activated", "put on the stack", "played", "step begins", "mana ability"}
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


def _single(log: Sequence[Event]) -> Iterator[Event]:
    for place, event in enumerate(log):
        before, after = log[max(0, place - NEAR) : place], log[place + 1 :][:NEAR]
        beside = event.kind == "moved" and all(_move_told(move, before, after) for move in event.moves)
        if event.kind not in SILENT and not beside and not _death_told(event, before):
            yield event


def _move_told(move: Move, before: Sequence[Event], after: Sequence[Event]) -> bool:
    """Return whether events beside a move tell it."""
    if move.to == "stack" or move.origin in ("nowhere", "outside"):
        return True
    old = {e.kind for e in before if e.kind in FORETELLS_MOVES and move.old in e.objects}
    if old and (move.to == "graveyard" or "played" in old):
        return True
    moved = {move.new, move.old}
    return any(e.kind in TELLS_MOVES and not moved.isdisjoint(e.objects) for e in after)


def _death_told(event: Event, before: Sequence[Event]) -> bool:
    """Return whether it was said that what dies was destroyed or sacrificed."""
    gone = {number for e in before if e.kind in ("destroyed", "sacrificed") for number in e.objects}
    return event.kind == "dies" and gone.issuperset(event.objects)


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


def _root(log: Sequence[Event], event: Event) -> int:
    """Return the number of the event with which the thing began that an event comes from."""
    while event.kind not in BEGINS and event.cause >= 0:
        event = log[event.cause]
    return event.number


def _source(teller: Teller, log: Sequence[Event], event: Event) -> tuple[int, str]:
    root = log[_root(log, event)]
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


class Teller:
    """Says events in words; objects are called by their names, with label or player where several share a name."""

    def __init__(self, state: State) -> None:
        """Look which names are shared.

        Args:
            state: A State since the events that are told.
        """
        self.state = state
        labels: dict[str, set[str]] = {}
        holders: dict[str, set[str]] = {}
        for thing in (*state.objects.values(), *(past.object for past in state.past.values())):
            if thing.card is not None:
                labels.setdefault(thing.card.name, set()).add(thing.label)
                if thing.zone in IN_PLAY:
                    holders.setdefault(thing.card.name, set()).add(thing.controller)
        self._labelled = {name for name, own in labels.items() if len(own) > 1}
        self._held = {name for name, own in holders.items() if len(own) > 1}

    def tell(self, event: Event) -> str:
        """Return an event as a sentence without a full stop."""
        special = SPECIAL.get(event.kind)
        if special is not None:
            return special(self, event)
        return self.fill(TEMPLATES[event.kind], event)

    def fill(self, template: str, event: Event) -> str:
        """Return a template with what an event says."""
        mana = "".join(f"{{{symbol}}}" for symbol in event.get("mana", ())) or "no mana"
        text = event.get("text", "")
        return _agreed(template, event).format(
            player=event.player, what=self.what(event) or "something", n=event.n, to=self.name(event.to), mana=mana,
            kind=event.get("counter") or event.get("kind"), combat="combat " if event.combat else "",
            targets=self.targets(event), text=f": {text}" if text else "", source=self.name(event.source),
            where=INTO.get(str(event.to), "elsewhere"),
        )  # fmt: skip

    def name(self, ref: int | str | None) -> str:
        """Return what an object or a player is called."""
        if not isinstance(ref, int):
            return ref or "something"
        if ref not in self.state.objects and ref not in self.state.past:
            return "something"
        return self._told_apart(ref, self.state.name(ref))

    def _told_apart(self, number: int, name: str) -> str:
        thing = self.state.get(number)
        if thing.kind == "ability":
            keyword = thing.ability.keyword if thing.ability is not None else ""
            return name.replace(" trigger", f" {keyword} trigger") if keyword and name.endswith(" trigger") else name
        whose = f"{thing.controller}'s " if name in self._held and thing.zone in IN_PLAY else ""
        label = f" ({thing.label})" if name in self._labelled and thing.label != name else ""
        return f"{whose}{name}{label}"

    def what(self, event: Event) -> str:
        """Return what the objects of an event are called."""
        return listed(self.names(event))

    def names(self, event: Event) -> list[str]:
        """Return the names of the objects of an event, as they were called then."""
        here = self.state.objects.keys() | self.state.past.keys()
        if len(event.names) == len(event.objects):
            pairs = zip(event.objects, event.names, strict=True)
            return [self._told_apart(number, name) if number in here else name for number, name in pairs]
        return list(event.names) or [self.name(number) for number in event.objects]

    def targets(self, event: Event) -> str:
        """Return what a spell or ability on the stack targets, as the end of a sentence."""
        number = event.objects[0] if event.objects else None
        if number is None or (number not in self.state.objects and number not in self.state.past):
            return ""
        cast = self.state.get(number).cast
        chosen = [one for _, some in cast.targets for one in some] if cast is not None else []
        return f", targeting {listed([self.name(one) for one in chosen])}" if chosen else ""

    def zone_of(self, number: int) -> str:
        """Return the zone in which an object is or was."""
        there = number in self.state.objects or number in self.state.past
        return self.state.get(number).zone if there else "nowhere"

    def by_zone(self, event: Event, usual: str) -> str:
        """Return the objects of an event, with the zone of those that went elsewhere than usual."""
        parts = []
        pairs = list(zip(event.objects, self.names(event), strict=True))
        for zone, some in groupby(sorted(pairs, key=lambda pair: self.zone_of(pair[0]) != usual),
                                  key=lambda pair: self.zone_of(pair[0])):  # fmt: skip
            named = listed([name for _, name in some])
            parts.append(named if zone == usual else f"{named} ({INTO[zone]})")
        return "; ".join(parts)


def _agreed(template: str, event: Event) -> str:
    """Return a template with its words in the singular or the plural."""
    said = re.sub(r"\((.*?)\|(.*?)\)", lambda found: found[1 + (len(event.objects) > 1)], template)
    return re.sub(r"<(.*?)\|(.*?)>", lambda found: found[1 + (event.n != 1)], said)


INTO = {
    "graveyard": "into the graveyard", "exile": "into exile", "hand": "into the hand", "library": "into the library",
    "battlefield": "onto the battlefield", "stack": "onto the stack", "nowhere": "into nothing",
}  # fmt: skip


def _cast(teller: Teller, event: Event) -> str:
    thing = teller.state.get(event.objects[0]) if teller.zone_of(event.objects[0]) != "nowhere" else None
    cast = thing.cast if thing is not None else None
    origin = event.get("from", "hand")
    said = f"{event.player} casts {teller.what(event)}"
    said += f" from {'exile' if origin == 'exile' else f'the {origin}'}" if origin != "hand" else ""
    if cast is not None:
        said += f" ({cast.way})" if cast.way else ""
        said += f", X = {cast.x}" if cast.x else ""
        said += f", mode {' and '.join(str(mode + 1) for mode in cast.modes)}" if cast.modes else ""
    return said + teller.targets(event)


def _activated(teller: Teller, event: Event) -> str:
    source = teller.name(event.objects[1]) if len(event.objects) > 1 else teller.what(event)
    return f"{event.player} activates {source}: {event.get('text') or 'its ability'}{teller.targets(event)}"


def _unresolved(teller: Teller, event: Event) -> str:
    reason = UNRESOLVED_BECAUSE.get(event.rule)
    return f"{teller.what(event)} does not resolve" + (f": {reason}" if reason else "")


def _milled(teller: Teller, event: Event) -> str:
    return f"{event.player} mills {cards(event.n)}: {teller.by_zone(event, 'graveyard')}"


def _drew(teller: Teller, event: Event) -> str:
    return f"{event.player} draws {teller.by_zone(event, 'hand') or 'a card'}"


def _exiled(teller: Teller, event: Event) -> str:
    plural = len(event.objects) > 1
    gone = all(teller.zone_of(number) == "exile" for number in event.objects)
    verb = "are" if plural else "is"
    return f"{teller.what(event)} {verb} exiled" if gone else f"exiled: {teller.by_zone(event, 'exile')}"


def _returned(teller: Teller, event: Event) -> str:
    several = len(event.objects) > 1
    zones = {teller.zone_of(number) for number in event.objects}
    where = f"to {INTO[zones.pop()].split(' ', 1)[1]}" if len(zones) == 1 else "to several zones"
    return f"{teller.what(event)} {'return' if several else 'returns'} {where}"


def _gift(teller: Teller, event: Event) -> str:
    return f"{event.to} is given the gift of {event.names[0].removesuffix(' trigger')}"


def _effect(teller: Teller, event: Event) -> str:
    """Say what a continuous effect does; one that no phrase says is told by where it comes from."""
    load_words()
    source = teller.name(event.source)
    try:
        said = listed([_change(change) for change in event.get("changes", ())])
    except (LookupError, TypeError, ValueError):
        return f"an effect of {source} begins"
    if not event.objects:
        return f"an effect of {source} begins: {said}{_until(event.get('until'))}"
    return f"{teller.what(event)} {said}{_until(event.get('until'))}"


def _change(change: object) -> str:
    return change.text if isinstance(change, Ability) else GRAMMAR.say(change)


def _until(until: tuple[Any, ...] | None) -> str:
    kind = until[0] if until else ""
    if kind == "end of turn":
        return " until end of turn"
    if kind in ("your next turn", "your next untap step"):
        return f" until {(until or ('', 'its controller'))[1]}'s {kind.removeprefix('your ')}"
    return f" {kind}" if kind in ("this turn", "this combat") else ""


def _revealed(teller: Teller, event: Event) -> str:
    return f"{event.player} reveals {teller.what(event) or 'an empty hand'}"


def _lost(teller: Teller, event: Event) -> str:
    reason = LOST_BECAUSE.get(event.rule)
    return f"{event.player} loses the game" + (f": {reason}" if reason else "")


def _tokens(teller: Teller, event: Event) -> str:
    made = []
    for name, some in groupby(teller.names(event)):
        n = len(list(some))
        made.append(f"{article(name)} {name} token" if n == 1 else f"{n} {name} tokens")
    return f"{event.player} creates {' and '.join(made)}"


def _counters(teller: Teller, event: Event) -> str:
    kind = event.get("counter") or event.get("kind")
    counters = f"{article(kind)} {kind} counter" if event.n == 1 else f"{event.n} {kind} counters"
    if not event.objects:
        return f"{event.player} gets {counters}"
    return f"{teller.what(event)} gets {counters}"


def _step(teller: Teller, event: Event) -> str:
    step = event.get("step")
    name = {"precombat main": "precombat main phase", "postcombat main": "postcombat main phase"}.get(
        step, f"{'first-strike combat damage' if step == 'first combat damage' else step} step"
    )
    return f"{event.player}'s {name}"


def _moved(teller: Teller, event: Event) -> str:
    sentences = []
    for (origin, to, owner), some in groupby(event.moves, key=lambda move: (move.origin, move.to, move.owner)):
        moves = list(some)
        names = listed([teller.name(move.old) for move in moves])
        verb = "is" if len(moves) == 1 else "are"
        if to == "battlefield":
            sentences.append(f"{names} {'enters' if len(moves) == 1 else 'enter'} the battlefield")
        elif to == "graveyard" and origin == "battlefield" and all(_creature(teller, m.old) for m in moves):
            sentences.append(f"{names} {'dies' if len(moves) == 1 else 'die'}")
        elif to == "exile":
            sentences.append(f"{names} {verb} exiled")
        else:
            whose = INTO[to].replace("the", f"{owner}'s", 1)
            sentences.append(f"{names} {verb} put {whose}")
    return "; ".join(sentences)


def _creature(teller: Teller, number: int) -> bool:
    return teller.state.look(number).is_a("creature")


def _replaced(teller: Teller, event: Event) -> str:
    would = teller.fill(WOULD.get(event.get("what"), "something would happen"), event.with_detail(text=""))
    text = event.get("text")
    return f"{would}, but {event.get('by')} changes that" + (f": {text}" if text else "")


WOULD = {
    "milled": "{player} would mill {n} <card|cards>",
    "drew": "{player} would draw a card",
    "moved": "{what} would go {where}",
    "damage": "{n} damage would be dealt to {to}",
    "token created": "{player} would create {n} <token|tokens>",
    "counters": "{what} would enter with {n} {kind} <counter|counters>",
    "counters put": "{what} would get {n} {kind} <counter|counters>",
    "life gained": "{player} would gain {n} life",
    "destroyed": "{what} would be destroyed",
    "untapped": "{what} would untap",
}

SPECIAL: dict[str, Callable[[Teller, Event], str]] = {
    "cast": _cast, "ability activated": _activated, "did not resolve": _unresolved, "milled": _milled, "drew": _drew,
    "exiled": _exiled, "returned": _returned, "revealed": _revealed, "lost": _lost, "gift given": _gift, "effect begins": _effect, "token created": _tokens,
    "counters put": _counters, "counters": _counters, "step begins": _step, "step": _step, "moved": _moved,
    "replaced": _replaced,
}  # fmt: skip
TOLD = TEMPLATES.keys() | SPECIAL.keys()


def cards(n: int) -> str:
    """Return a number of cards in words."""
    return "1 card" if n == 1 else f"{n} cards"


def article(name: str) -> str:
    """Return the indefinite article for a name."""
    return "an" if name[:1].lower() in "aeiou" or name[:1] == "8" else "a"


def listed(names: Iterable[str]) -> str:
    """Return names with commas, equal neighbours counted: ``Island, Filler ×7, Forest``."""
    parts = []
    for name, some in groupby(names):
        n = len(list(some))
        parts.append(name if n == 1 else f"{name} ×{n}")
    return ", ".join(parts)
