"""What there is to see of a State, in the words of the game, before it becomes HTML or text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from rulekit.cards.card import Card
from rulekit.engine.seen import face_of
from rulekit.engine.sentences import Teller, listed
from rulekit.engine.state import Object, Player, State

ZONES = ("battlefield", "hand", "graveyard", "exile", "library")


@dataclass(frozen=True)
class Thing:
    """One object, or several equal ones that lie side by side.

    Attributes:
        name: What it is called.
        size: Power and toughness, such as "4/4", or "".
        tags: What else is true of it: "tapped", "attacks Bob", "2 +1/+1 counters".
        attached: What is attached to it.
        card: Its face, None for an ability or a card face down.
        count: How many there are.
        number: The object, the first one of several.
    """

    name: str
    size: str
    tags: tuple[str, ...]
    attached: tuple[Thing, ...]
    card: Card | None
    count: int
    number: int

    def alike(self) -> tuple[object, ...]:
        """Return what must be equal in things that are shown as one."""
        alone = self.number if self.attached else 0
        return (self.name, self.size, self.tags, self.card, alone)


@dataclass(frozen=True)
class Zone:
    """A zone of a player, or the stack.

    Attributes:
        name: One of `ZONES`, or "stack".
        count: How many objects are in it.
        things: They: top card or top object first.
        note: What is to be said about their order.
    """

    name: str
    count: int
    things: tuple[Thing, ...]
    note: str = ""


@dataclass(frozen=True)
class Seat:
    """What a player has.

    Attributes:
        name: The player.
        facts: Life, counters, mana, and how the player stands.
        zones: The player's zones, in the order of `ZONES`.
    """

    name: str
    facts: tuple[str, ...]
    zones: tuple[Zone, ...]


@dataclass(frozen=True)
class Picture:
    """All that there is to see.

    Attributes:
        moment: Turn and step: "turn 1, Alice's upkeep step".
        priority: "Alice has priority", or that nobody has, or that the game is over.
        stack: The stack.
        seats: The players in turn order.
    """

    moment: str
    priority: str
    stack: Zone
    seats: tuple[Seat, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The different cards in it, in the order of their names; none that several copies show twice."""
        piles = [zone.things for seat in self.seats for zone in seat.zones]
        found = dict.fromkeys(_cards((*self.stack.things, *(thing for pile in piles for thing in pile))))
        return tuple(sorted(found, key=lambda card: card.name))


def _cards(things: Iterable[Thing]) -> Iterable[Card]:
    for thing in things:
        if thing.card is not None:
            yield thing.card
        yield from _cards(thing.attached)


def picture(state: State) -> Picture:
    """Return what there is to see of a State."""
    return _Painter(state).all()


def alike(state: State, number: int) -> tuple[object, ...]:
    """Return what objects have in common that differ in nothing that can be seen."""
    painter = _Painter(state)
    thing = state.objects[number]
    if thing.zone == "battlefield":
        controller = painter.controller(number)
        return (controller, *painter.permanent(number, controller).alike())
    if thing.zone == "stack":
        return (number,)
    return (thing.owner, thing.zone, *painter.card(number).alike())


PHASES = {"precombat main": "precombat main phase", "postcombat main": "postcombat main phase"}


class _Painter:
    def __init__(self, state: State) -> None:
        self.state = state
        self.teller = Teller(state)

    def all(self) -> Picture:
        state = self.state
        step = PHASES.get(state.turn.step, f"{state.turn.step} step")
        priority = f"{state.priority} has priority" if state.priority else "nobody has priority"
        stack = Zone("stack", len(state.stack), tuple(self.on_stack(number) for number in state.stack))
        return Picture(
            f"turn {state.turn.number}, {state.turn.active}'s {step}",
            "the game is over" if state.over else priority,
            stack,
            tuple(self.seat(player) for player in state.players.values()),
        )

    def seat(self, player: Player) -> Seat:
        return Seat(player.name, tuple(self.facts(player)), tuple(self.zone(name, player) for name in ZONES))

    def facts(self, player: Player) -> Iterable[str]:
        yield f"{player.life} life"
        for kind, number in player.counters:
            yield f"{number} {kind}"
        if player.pool:
            yield "mana " + "".join(f"{{{symbol}}}" for symbol in player.pool)
        if player.lost or player.won:
            yield "has lost" if player.lost else "has won"

    def zone(self, name: str, player: Player) -> Zone:
        if name == "battlefield":
            return self.battlefield(player)
        numbers = self.state.zone(name, player.name)
        if name == "library":
            return self.library(player, numbers)
        return Zone(name, len(numbers), _runs([self.card(number) for number in numbers]))

    def library(self, player: Player, numbers: tuple[int, ...]) -> Zone:
        first, last = player.unknown
        things = [self.card(number) for number in numbers]
        hidden = sorted(things[first:last], key=lambda thing: thing.name)
        shown = _runs([*things[:first], *hidden, *things[last:]])
        if last - first < 2:
            return Zone("library", len(numbers), shown)
        whole = (first, last) == (0, len(numbers))
        note = (
            "in an order that nobody knows" if whole else f"cards {first + 1} to {last} in an order that nobody knows"
        )
        return Zone("library", len(numbers), shown, note)

    def battlefield(self, player: Player) -> Zone:
        state = self.state
        mine = [number for number in state.zones.get(("battlefield", ""), ()) if self.controller(number) == player.name]
        loose = [number for number in mine if not isinstance(state.objects[number].attached_to, int)]
        return Zone("battlefield", len(mine), _runs([self.permanent(number, player.name) for number in loose]))

    def controller(self, number: int) -> str:
        thing = self.state.objects[number]
        return thing.controller if thing.phased else self.state.look(number).controller

    def permanent(self, number: int, seat: str) -> Thing:
        thing, seen = self.state.objects[number], self.state.look(number)
        everything = self.state.zones["battlefield", ""]
        on_it = [n for n in everything if self.state.objects[n].attached_to == number]
        size = f"{seen.power}/{seen.toughness}" if seen.is_a("creature") else ""
        card = None if thing.facedown else face_of(thing)
        attached = tuple(self.permanent(other, seat) for other in on_it)
        name = self.labelled(thing, seen.name)
        return Thing(name, size, tuple(self.status(thing, seat)), attached, card, 1, number)

    def labelled(self, thing: Object, name: str) -> str:
        """Return the name, and the label where a person calls it otherwise; a card face down has its label alone."""
        return f"{name} ({thing.label})" if name and thing.label not in (name, "") else name or thing.label

    def status(self, thing: Object, seat: str) -> Iterable[str]:
        """Yield what is true of a permanent."""
        if self.controller(thing.number) != seat:
            yield f"{self.controller(thing.number)} controls it"
        if isinstance(thing.attached_to, str):
            yield f"attached to {thing.attached_to}"
        flags = {
            "phased out": thing.phased, "tapped": thing.tapped, "face down": thing.facedown,
            thing.kind: thing.kind != "card",
        }  # fmt: skip
        yield from (word for word, so in flags.items() if so)
        for kind, number in thing.counters:
            yield f"loyalty {number}" if kind == "loyalty" else f"{number} {kind} counter{'s' if number > 1 else ''}"
        if thing.damage:
            yield f"{thing.damage} damage"
        if thing.cast is not None and thing.cast.promised:
            yield f"gift promised to {thing.cast.promised}"
        yield from self.combat(thing.number)

    def combat(self, number: int) -> Iterable[str]:
        turn = self.state.turn
        if number in dict(turn.attackers):
            blocked = ", blocked" if number in turn.blocked else ""
            yield f"attacks {self.teller.name(dict(turn.attackers)[number])}{blocked}"
        if number in dict(turn.blockers):
            yield f"blocks {self.teller.name(dict(turn.blockers)[number])}"

    def card(self, number: int) -> Thing:
        thing = self.state.objects[number]
        tags = ["face down"] if thing.facedown else []
        tags += [f"{n} {kind} counter{'s' if n > 1 else ''}" for kind, n in thing.counters]
        name = self.labelled(thing, thing.card.full_name if thing.card else self.state.name(number))
        return Thing(name, "", tuple(tags), (), face_of(thing), 1, number)

    def on_stack(self, number: int) -> Thing:
        thing = self.state.objects[number]
        tags = [f"{self.controller(number)}'s"]
        if thing.kind == "copy":
            tags.append("copy")
        cast = thing.cast
        if cast is not None:
            tags += [cast.way] if cast.way else []
            tags += [f"X = {cast.x}"] if cast.x else []
            tags += [f"mode {' and '.join(str(mode + 1) for mode in cast.modes)}"] if cast.modes else []
            tags += [f"gift promised to {cast.promised}"] if cast.promised else []
            chosen = [self.teller.name(one) for _, some in cast.targets for one in some]
            tags += [f"targets {listed(chosen)}"] if chosen else []
        if thing.ability is not None and thing.ability.words:
            tags.append(thing.ability.words)
        return Thing(self.state.name(number), "", tuple(tags), (), face_of(thing), 1, number)


def _runs(things: Iterable[Thing]) -> tuple[Thing, ...]:
    """Return things with equal neighbours as one."""
    found = []
    for _, some in groupby(things, key=Thing.alike):
        equal = list(some)
        first = equal[0]
        found.append(Thing(first.name, first.size, first.tags, first.attached, first.card, len(equal), first.number))
    return tuple(found)
