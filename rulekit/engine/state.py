"""The State: everything that is true now, frozen; it answers questions. Only `door.py`, `events.py` make new ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from rulekit.cards.card import Card

if TYPE_CHECKING:
    from rulekit.engine.abilities import Ability, Term
    from rulekit.engine.events import Event
    from rulekit.engine.seen import Seen

STEPS = (
    "untap",
    "upkeep",
    "draw",
    "precombat main",
    "beginning of combat",
    "declare attackers",
    "declare blockers",
    "first combat damage",
    "combat damage",
    "end of combat",
    "postcombat main",
    "end",
    "cleanup",
)
ZONES = ("library", "hand", "battlefield", "graveyard", "exile", "stack")
SHARED = ("battlefield", "stack", "exile")  # zones that all players share; exile is kept by owner all the same
PUBLIC = ("battlefield", "graveyard", "exile", "stack")  # 400.2
CHANCE = "chance"  # the player that answers where nobody chooses


class Frozen:
    """Something whose changed copies are made by `but`."""

    def but(self, **changes: Any) -> Self:
        """Return a copy with some fields changed."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.__dict__.update(changes)
        return new


@dataclass(frozen=True)
class Cast(Frozen):
    """What was decided while a spell was cast or an ability put on the stack; copies keep it (707.10).

    Attributes:
        by: The player who cast, activated or triggered it.
        promised: The opponent to whom its gift was promised (702.174a), else None.
        targets: For each target of the text that was asked for, by its place in the text: what was chosen.
        divided: For each of those, how a number was divided (601.2d).
        x: The value of X.
        modes: The chosen modes, counted from 0.
        way: How it was cast: "" for its cost, else "flashback", "without paying its mana cost", ...
        paid: Objects that paid its costs: (kind, number) pairs such as ("sacrificed", 12), ("milled", 40).
        face: The face that was cast, counted from 0.
    """

    by: str
    promised: str | None = None
    targets: tuple[tuple[int, tuple[int | str, ...]], ...] = ()
    divided: tuple[tuple[int, tuple[int, ...]], ...] = ()
    x: int = 0
    modes: tuple[int, ...] = ()
    way: str = ""
    paid: tuple[tuple[str, int], ...] = ()
    face: int = 0


@dataclass(frozen=True)
class Memory(Frozen):
    """What the words of an ability on the stack or of a delayed trigger refer to.

    Attributes:
        you: Its controller as it triggered or was activated (109.5).
        this: The number of its source.
        event: What made it trigger.
        said: What "it", "that creature", "that player", "X" mean, by name.
    """

    you: str
    this: int
    event: Event | None = None
    said: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Object(Frozen):
    """A card, token, spell or ability on the stack; a new one at each change of zone (400.7).

    Attributes:
        number: Its identity. A card that changes zones becomes an object of another number.
        kind: "card", "token", "copy" (of a spell) or "ability".
        card: What is printed on it, or the characteristics that made the token; None for an ability.
        owner: Its owner (108.3).
        controller: Who controls it before control-changing effects; the owner off the battlefield and stack (108.4).
        zone: Where it is.
        label: What a person calls it; follows the card through all zones.
        tapped, damage, deathtouched, counters, attached_to: Its status on the battlefield.
        since: When its controller's control began: the turn number (302.6).
        holder: Who controlled it when the game last came to rest, if that is not `controller`.
        timestamp: For 613.7.
        phased: "" or "out" or "with" (it phased out with what it is attached to, 702.26g).
        face: Which face is up, counted from 0.
        facedown: Whether it is face down.
        cast: The decisions made while it was cast, also on the permanent that the spell became (400.7d).
        copies: The values that it copies (707.2), from a copy effect that is part of it.
        chosen: Choices made as it entered: ("name", "Island"), ("color", "green").
        ability: The ability, if this is one on the stack.
        memory: What that ability's words refer to.
        born: Number of the event that put it where it is.
        granted: Abilities that it entered with or was given for as long as it stays here.
        turned: The turn number in which it came into this zone.
    """

    number: int
    kind: str
    card: Card | None
    owner: str
    controller: str
    zone: str
    label: str = ""
    tapped: bool = False
    damage: int = 0
    deathtouched: bool = False
    counters: tuple[tuple[str, int], ...] = ()
    attached_to: int | str | None = None
    since: int = 0
    holder: str = ""
    timestamp: int = 0
    phased: str = ""
    face: int = 0
    facedown: bool = False
    cast: Cast | None = None
    copies: Card | None = None
    chosen: tuple[tuple[str, Any], ...] = ()
    ability: Ability | None = None
    memory: Memory | None = None
    born: int = -1
    turned: int = 0
    revealed: bool = False

    def count(self, kind: str) -> int:
        """Return how many counters of a kind are on it."""
        return next((number for name, number in self.counters if name == kind), 0)


@dataclass(frozen=True)
class Player(Frozen):
    """A player of the game.

    Attributes:
        name: What the player is called.
        life: Life total.
        counters: Counters that the player has, such as ("poison", 3).
        pool: Mana in the pool: symbols such as "W" or "C", sorted as WUBRGC.
        mana: "any" (every mana cost can be paid), "pool" (only a pool that never empties) or "lands".
        lost, won, left: Whether the player has lost, won, or left the game.
        drew_from_empty: Whether a draw from an empty library was tried since the last check (704.5b).
        unknown: The part of the library whose order nobody knows, as (first, last + 1), counted from the top.
    """

    name: str
    life: int = 20
    counters: tuple[tuple[str, int], ...] = ()
    pool: tuple[str, ...] = ()
    mana: str = "lands"
    lost: bool = False
    won: bool = False
    left: bool = False
    drew_from_empty: bool = False
    unknown: tuple[int, int] = (0, 0)

    def count(self, kind: str) -> int:
        """Return how many counters of a kind the player has."""
        return next((number for name, number in self.counters if name == kind), 0)


@dataclass(frozen=True)
class Effect(Frozen):
    """A continuous effect of a spell or ability that has resolved (611.2).

    Attributes:
        source: The object it came from.
        you: The player whose effect it is.
        objects: The objects it affects, fixed as it began (611.2c), or None if its subject is looked up each time.
        subject: The term of its subject, where that is looked up or is a player.
        changes: Change and rule terms, or replacement abilities.
        until: The end of it: ("end of turn", turn), ("your next turn", player), ("while on battlefield", number),
            ("forever",) ...
        timestamp: For 613.7.
        said: What its words refer to.
    """

    source: int
    you: str
    objects: tuple[int, ...] | None
    subject: Term | None
    changes: tuple[Any, ...]
    until: tuple[Any, ...]
    timestamp: int
    said: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Waiting:
    """A triggered ability that has triggered and waits to be put on the stack (603.3), or a delayed one (603.7).

    Attributes:
        ability: The ability.
        memory: What its words refer to.
        cause: Number of the log entry that it has triggered, whose cause is the event that made it.
        name: What its source is called.
        order: Where its source stands for the usual order: (timestamp, place of the ability on it).
        until: For a delayed trigger: as `Effect.until`, or ("once",).
    """

    ability: Ability
    memory: Memory
    cause: int
    name: str
    order: tuple[int, int] = (0, 0)
    until: tuple[Any, ...] = ("once",)
    cast: Cast | None = None


@dataclass(frozen=True)
class Turn(Frozen):
    """Whose turn it is and how far it has come.

    Attributes:
        active: The active player.
        number: Turns counted from 1.
        step: One of `STEPS`.
        attackers: Attacking creatures and what each attacks: (creature, player or planeswalker).
        blockers: Blocking creatures and what each blocks.
        blocked: Attackers that have become blocked (509.1h).
        withdrawn: Attackers that were removed from combat or are gone, and what each attacked (506.4, 508.5).
        struck: Creatures that dealt damage in the first of two combat damage steps.
        extra: Extra turns to be taken, the next one last: (player, ...).
        order: The player whose normal turn was the latest (500.7).
        passed: Players who have left and whose turns would have begun right before this one (800.4k, 800.4m).
        lands: Lands played this turn.
        skips: Steps or phases to be skipped.
    """

    active: str
    number: int = 1
    step: str = "precombat main"
    attackers: tuple[tuple[int, int | str], ...] = ()
    blockers: tuple[tuple[int, int], ...] = ()
    blocked: tuple[int, ...] = ()
    withdrawn: tuple[tuple[int, int | str], ...] = ()
    struck: tuple[int, ...] = ()
    extra: tuple[str, ...] = ()
    order: str = ""
    passed: tuple[str, ...] = ()
    lands: int = 0
    once: tuple[str, ...] = ()


@dataclass(frozen=True)
class Past:
    """The last of an object that has left its zone (113.7a, 608.2h).

    Attributes:
        object: The object as it last existed there.
        seen: Its characteristics then.
        became: The number of the object that the card became, or None (a token or copy that ceased to exist).
    """

    object: Object
    seen: Seen
    became: int | None


@dataclass(frozen=True)
class Entry:
    """The log as a chain: the newest event and what came before it."""

    event: Event
    before: Entry | None
    length: int


@dataclass(frozen=True)
class State(Frozen):
    """Everything that is true at one moment.

    Attributes:
        players: The players by name, in turn order, those who left included.
        objects: All objects by number.
        zones: Object numbers by (zone, player); libraries and graveyards top card first. The battlefield and the
            stack belong to the player "".
        turn: Whose turn it is.
        priority: The player who has priority, or None while nobody has.
        passed: How many players in a row have passed.
        effects: Continuous effects of resolved spells and abilities.
        waiting: Triggered abilities not yet on the stack.
        delayed: Delayed triggered abilities.
        past: What objects were when they left a zone, by number.
        log: The newest entry of the log.
        clock: Timestamps and object numbers given so far.
        over: Whether the game has ended.
    """

    players: Mapping[str, Player]
    objects: Mapping[int, Object]
    zones: Mapping[tuple[str, str], tuple[int, ...]]
    turn: Turn
    priority: str | None = None
    passed: int = 0
    effects: tuple[Effect, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    delayed: tuple[Waiting, ...] = ()
    past: Mapping[int, Past] = field(default_factory=dict)
    log: Entry | None = field(default=None, compare=False)
    clock: int = 0
    over: bool = False
    seen_cache: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def state(self) -> State:
        """The State itself, so that a frame may look at a State as at a table."""
        return self

    def but(self, **changes: Any) -> State:
        """Return a copy with some fields changed; what was seen is looked up anew unless only the log changed."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        new.__dict__.update(changes)
        if not changes.keys() <= _UNSEEN:
            former = self.seen_cache.get("looked") or self.seen_cache.get("former")
            new.__dict__["seen_cache"] = {"former": former}
        return new

    def zone(self, name: str, player: str = "") -> tuple[int, ...]:
        """Return the numbers of the objects in a zone, top or oldest first."""
        return self.zones.get((name, "" if name in ("battlefield", "stack") else player), ())

    def cards_of(self, number: int) -> int:
        """Return for how many objects one counts: one."""
        return 1

    def size(self, name: str, player: str = "") -> int:
        """Return the number of objects in a zone."""
        return len(self.zone(name, player))

    @property
    def battlefield(self) -> tuple[int, ...]:
        """The permanents that exist: those phased out are left out (702.26b)."""
        cached = self.seen_cache.get("battlefield")
        if cached is None:
            cached = tuple(n for n in self.zones.get(("battlefield", ""), ()) if not self.objects[n].phased)
            self.seen_cache["battlefield"] = cached
        found: tuple[int, ...] = cached
        return found

    @property
    def stack(self) -> tuple[int, ...]:
        """The objects on the stack, the top one first."""
        return self.zones.get(("stack", ""), ())

    @property
    def in_game(self) -> tuple[str, ...]:
        """The players who are still in the game, in turn order."""
        return tuple(name for name, player in self.players.items() if not player.left)

    def from_active(self, first: str | None = None) -> tuple[str, ...]:
        """Return the players in the game in turn order from the active player (101.4) or from another."""
        names = tuple(self.players)
        start = names.index(first or self.turn.active)
        return tuple(n for n in names[start:] + names[:start] if not self.players[n].left)

    def opponents(self, player: str) -> tuple[str, ...]:
        """Return a player's opponents, in turn order after that player."""
        return tuple(name for name in self.from_active(player) if name != player)

    def next_player(self, player: str) -> str:
        """Return the player in the game to the left of another."""
        names = tuple(self.players)
        start = names.index(player) + 1
        return next(n for n in names[start:] + names[:start] if not self.players[n].left)

    def look(self, number: int) -> Seen:
        """Return the characteristics of an object after all continuous effects, or as it last existed."""
        looked = self.seen_cache.get("looked")
        if looked is not None and number in self.objects:  # the common case, asked many times in one State
            found: Seen | None = looked.seen.get(number)
            if found is not None:
                return found
        from rulekit.engine.layers import look

        return look(self, number)

    def get(self, number: int) -> Object:
        """Return an object, or what it was when it left its zone."""
        found = self.objects.get(number)
        return found if found is not None else self.past[number].object

    def now(self, number: int) -> int | None:
        """Return what an object is now: itself, the object that its card became one zone later (400.7j), or None."""
        if number in self.objects:
            return number
        past = self.past.get(number)
        return past.became if past and past.became in self.objects else None

    def permanents(self, controller: str | None = None) -> Iterator[int]:
        """Yield the permanents on the battlefield, all or those of a player."""
        for number in self.battlefield:
            if controller is None or self.look(number).controller == controller:
                yield number

    def attachments(self, host: int | str) -> tuple[int, ...]:
        """Return what is attached to a permanent or player."""
        return tuple(n for n in self.battlefield if self.objects[n].attached_to == host)

    def history(self, since_turn: bool = True) -> Iterator[Event]:
        """Yield the events so far, the newest first; those of this turn unless told otherwise."""
        entry = self.log
        while entry is not None:
            if since_turn and entry.event.turn != self.turn.number:
                return
            yield entry.event
            entry = entry.before

    def name(self, number: int) -> str:
        """Return what an object is called: its name, or ``NAME trigger`` and ``NAME ability`` on the stack."""
        thing = self.get(number)
        if thing.kind == "ability" and thing.ability is not None:
            return f"{thing.label} {'trigger' if thing.ability.kind == 'triggered' else 'ability'}"
        return self.look(number).name or ("face-down permanent" if thing.facedown else "")


_UNSEEN = {"log", "priority", "passed", "waiting", "delayed", "seen_cache"}
