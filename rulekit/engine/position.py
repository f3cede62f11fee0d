"""A position: a State as somebody sets it up, by the names of cards, before anything has happened."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.engine.instructions.tokens import PREDEFINED, predefined
from rulekit.engine.state import STEPS, Object, Player, State, Turn
from rulekit.engine.text import abilities_of
from rulekit.rules import BadData, TooMany, Unknown, nearest

ZONES = ("battlefield", "hand", "graveyard", "exile", "library", "outside")
PLAYER: dict[str, type] = {"life": int, "mana": str, "counters": dict, **dict.fromkeys(ZONES, list)}
"""What may be said of a player, and what kind of value stands there."""

ENTRY: dict[str, type] = {
    "card": str, "as": str, "count": int, "owner": str, "token": bool, "facedown": bool, "tapped": bool,
    "attached to": str, "summoning sick": bool, "counters": dict, "loyalty": int,
}  # fmt: skip
"""What may be said of an object, and what kind of value stands there."""

ANYWHERE = ("card", "as", "count")
IN_EXILE = (*ANYWHERE, "facedown", "counters")
GIVEN_STEPS = tuple(step for step in STEPS if step not in ("untap", "first combat damage", "cleanup"))
LIFE = 20
LIBRARY = "20 Filler"
MOST = 1_000  # objects of one entry
MOST_OBJECTS = 5_000
MOST_PLAYERS = 8
MANA = "WUBRGC"
_COUNT = re.compile(r"([1-9][0-9]{0,5}) (\S.*)")
_AMOUNT = re.compile(r"(\{([0-9]{1,3}|[WUBRGC])\})+")
_KINDS = {int: "a number", str: "a text", bool: "yes or no", dict: "a mapping", list: "a list"}


@dataclass(frozen=True)
class Entry:
    """One entry of a zone: a card, how often, and how it lies there.

    Attributes:
        card: The card.
        label: What its objects are called; the name of the card if nothing else is said.
        count: How many.
        face: Which face is up, counted from 0.
        owner: Its owner, or "" for the player in whose zone it stands.
        token: Whether it is a token.
        facedown: Whether it lies face down.
        tapped: Whether it is tapped.
        attached_to: The label of what it is attached to, or a player, or "".
        sick: Whether its controller's control began this turn (302.6).
        counters: Counters on it; a planeswalker has those that are printed on it if nothing else is said.
    """

    card: Card
    label: str
    count: int = 1
    face: int = 0
    owner: str = ""
    token: bool = False
    facedown: bool = False
    tapped: bool = False
    attached_to: str = ""
    sick: bool = False
    counters: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, value: Any, zone: str, cards: CardPool) -> Entry:
        """Read an entry.

        Args:
            value: A name such as "Island", a number and a name such as "20 Island", or a mapping with the keys `ENTRY`.
            zone: The zone in which it stands.
            cards: Where names are looked up.

        Returns:
            The entry.

        Raises:
            BadData: A key or a value may not stand there.
            Unknown: No card is called so.
            TooMany: More objects than one entry may have.
        """
        if isinstance(value, Card):
            return cls(value, value.name, counters=_counters({}, value, zone))
        said = _said(value, cards)
        for key, given in said.items():
            _check(key, given, ENTRY, f"an entry of {zone}")
        allowed = keys_in(zone)
        if wrong := [key for key in said if key not in allowed]:
            raise BadData(f"{wrong[0]!r} can be said of a permanent only.", key=wrong[0], instead=allowed)
        if "card" not in said:
            raise BadData("the card is missing.", instead="Write for example {card: Grizzly Bears, as: bears}.")
        if not 1 <= said.get("count", 1) <= MOST:
            raise TooMany(f"an entry stands for 1 to {MOST:,} objects, not for {said['count']:,}.")
        name = said["card"]
        card = card_called(name, said.get("token", False), cards)
        faces = [face.name for face in card.faces] if card.layout not in ("split", "adventure") else []
        return cls(
            card, said.get("as") or (name if name in faces else card.name), said.get("count", 1),
            faces.index(name) if name in faces and zone == "battlefield" else 0, said.get("owner", ""),
            said.get("token", False), said.get("facedown", False), said.get("tapped", False),
            said.get("attached to", ""), said.get("summoning sick", False), _counters(said, card, zone),
        )  # fmt: skip


def card_called(name: str, token: bool, cards: CardPool) -> Card:
    """Return the card of a name, or a token that no card is called like.

    Raises:
        Unknown: Nothing is called so.
    """
    return token_called(name) if token and name not in cards else cards.find(name)


def token_called(name: str) -> Card:
    """Return a token by its name: one that the rules define, or one that a card of the catalogue creates.

    Raises:
        Unknown: No card creates a token of this name.
    """
    if name in PREDEFINED:
        return predefined(name)
    tokens = _tokens_of_the_catalogue()
    if name not in tokens:
        raise Unknown("token", name, (*PREDEFINED, *tokens))
    return tokens[name]


@cache
def _tokens_of_the_catalogue() -> dict[str, Card]:
    tokens: dict[str, Card] = {}
    for name in CardPool.catalogue():
        card = CardPool.catalogue().find(name)
        terms = (t for face in card.faces or (card,) for ability in abilities_of(face) for t in ability.terms())
        for part in (part for term in terms if term.op == "create" for part in term.args):
            if isinstance(part, Card):
                tokens.setdefault(part.name, part)
    return tokens


def keys_in(zone: str) -> tuple[str, ...]:
    """Return what may be said of an object in a zone."""
    return tuple(ENTRY) if zone == "battlefield" else IN_EXILE if zone == "exile" else ANYWHERE


def entry_count(text: str, cards: CardPool) -> tuple[str, int]:
    """Return the name and the number of an entry such as "20 Island"; a name that begins with a number is a name."""
    short = _COUNT.fullmatch(text) if text not in cards else None
    return (short[2], int(short[1])) if short else (text, 1)


def mana_in(text: str) -> tuple[str, ...]:
    """Read an amount of mana such as {2}{U}: symbols of one mana each, in the order WUBRGC; {2} is colorless.

    Raises:
        BadData: The text is no amount of mana.
    """
    if not _AMOUNT.fullmatch(text):
        raise BadData(f"{text!r} is no amount of mana.", instead=("{2}", *(f"{{{each}}}" for each in MANA)))
    symbols: list[str] = []
    for symbol in text[1:-1].split("}{"):
        symbols += ["C"] * int(symbol) if symbol.isdigit() else [symbol]
    return tuple(sorted(symbols, key=MANA.index))


def position(
    *,
    players: Sequence[str] = (),
    active: str | None = None,
    step: str = "precombat main",
    cards: CardPool | None = None,
    **given: Mapping[str, Any],
) -> State:
    """Set up a position in which the active player has priority, the stack is empty, and nothing has happened yet.

    Args:
        players: Their names in turn order, two or more; Alice, Bob and whoever else is given if left out.
        active: Whose turn it is, the first player's by default.
        step: One of `GIVEN_STEPS`.
        cards: Where names are looked up, the catalogue by default.
        given: For each player who has something: `life` (default 20), `mana` ("any" is the default, "lands", or an
            amount in the pool such as "{2}{U}"), `counters`, and the zones `battlefield`, `hand`, `graveyard`, `exile`,
            `library` (top card first; 20 cards called Filler by default), and
            `outside` (of the game: a companion). An entry of a zone is a name, a number and a
            name, a Card, or a mapping with the keys `ENTRY`.

    Returns:
        The State, in turn 1.

    Raises:
        BadData: Something that may not stand there.
        Unknown: A card, a player or a label that nothing is called.
        TooMany: More objects than a position may have.
    """
    players = players or tuple(dict.fromkeys(("Alice", "Bob", *given)))
    if len(set(players)) < len(players) or not 2 <= len(players) <= MOST_PLAYERS:
        raise BadData(f"a game has 2 to {MOST_PLAYERS} players with different names.", key="players")
    for name in (*given, *([active] if active else [])):
        if name not in players:
            raise Unknown("player", name, players)
    if step not in GIVEN_STEPS:
        raise BadData(f"{step!r} is no step in which somebody has priority.", key="step", instead=GIVEN_STEPS)
    first = active or players[0]
    maker = _Maker(players, cards or CardPool.catalogue())
    for name in players:
        maker.add_player(name, given.get(name, {}))
    maker.attach()
    state = State(
        maker.players, maker.objects, {key: tuple(pile) for key, pile in maker.zones.items()},
        Turn(first, step=step, order=first), priority=first, clock=len(maker.objects),
    )  # fmt: skip
    held = {n: held for n in state.battlefield if (held := state.look(n).controller) != state.objects[n].controller}
    return state.but(objects={n: t.but(holder=held[n]) if n in held else t for n, t in state.objects.items()})


@dataclass
class _Maker:
    """A position under construction."""

    names: Sequence[str]
    cards: CardPool
    players: dict[str, Player] = field(default_factory=dict)
    objects: dict[int, Object] = field(default_factory=dict)
    zones: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    hosts: list[tuple[int, str]] = field(default_factory=list)

    def add_player(self, name: str, said: Mapping[str, Any]) -> None:
        for key, value in said.items():
            _check(key, value, PLAYER, name)
        mana = said.get("mana", "any")
        counters = _plain_counters(said.get("counters", {}), name)
        pool = () if mana in ("any", "lands") else mana_in(mana)
        self.players[name] = Player(
            name, said.get("life", LIFE), counters, pool, mana if mana in ("any", "lands") else "pool"
        )
        for zone in ZONES:
            for value in said.get(zone, [LIBRARY] if zone == "library" else []):
                entry = Entry.of(value, zone, self.cards)
                if len(self.objects) + entry.count > MOST_OBJECTS:
                    raise TooMany(f"a position has at most {MOST_OBJECTS:,} objects.")
                for _ in range(entry.count):
                    self.add_object(entry, zone, name)

    def add_object(self, entry: Entry, zone: str, player: str) -> None:
        owner = entry.owner or player
        if owner not in self.names:
            raise Unknown("player", owner, self.names)
        number = len(self.objects) + 1
        self.objects[number] = Object(
            number, "token" if entry.token else "card", entry.card, owner, player, zone, entry.label,
            tapped=entry.tapped, counters=entry.counters, since=1 if entry.sick else 0, timestamp=number,
            face=entry.face, facedown=entry.facedown,
        )  # fmt: skip
        self.zones.setdefault((zone, "" if zone == "battlefield" else player), []).append(number)
        if entry.attached_to:
            self.hosts.append((number, entry.attached_to))

    def attach(self) -> None:
        """Attach what is attached, now that everything is there: a label may stand before what it means."""
        for number, host in self.hosts:
            self.objects[number] = self.objects[number].but(attached_to=self.host(number, host))

    def host(self, number: int, label: str) -> int | str:
        if label in self.names:
            return label
        permanents = [self.objects[each] for each in self.zones[("battlefield", "")] if each != number]
        named = [thing for thing in permanents if thing.label == label] or [
            thing for thing in permanents if thing.card is not None and label in (thing.card.name, thing.card.full_name)
        ]
        own = [thing for thing in named if thing.controller == self.objects[number].controller]
        if not named:
            raise Unknown("permanent", label, (*(thing.label for thing in permanents), *self.names))
        return (own or named)[0].number


def _said(value: Any, cards: CardPool) -> Mapping[str, Any]:
    if isinstance(value, str):
        name, count = entry_count(value, cards)
        return {"card": name, "count": count}
    if not isinstance(value, Mapping):
        raise BadData(
            f"{value!r} is no entry of a zone.",
            instead="Write a name, such as Island or 20 Island, or {card: Island, as: land}.",
        )
    return value


def _check(key: str, value: Any, table: Mapping[str, type], of: str) -> None:
    """Refuse a key that is not in a table, or a value that is not of the kind that stands there."""
    if key not in table:
        raise BadData(f"{key!r} cannot be said of {of}.", key=key, instead=nearest(key, table) or table)
    kind = table[key]
    fits = isinstance(value, Sequence) and not isinstance(value, str) if kind is list else isinstance(value, kind)
    if not fits or (kind is int and isinstance(value, bool)):
        raise BadData(f"{value!r} stands where {_KINDS[kind]} must stand.", key=key)


def _plain_counters(said: Mapping[str, Any], of: str) -> tuple[tuple[str, int], ...]:
    for kind, number in said.items():
        if not isinstance(kind, str) or isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise BadData(f"{kind}: {number!r} is no number of counters.", key=f"counters of {of}")
    return tuple((kind, number) for kind, number in said.items() if number)


def _counters(said: Mapping[str, Any], card: Card, zone: str) -> tuple[tuple[str, int], ...]:
    given = dict(_plain_counters(said.get("counters", {}), card.name))
    if "loyalty" in said:
        given["loyalty"] = said["loyalty"]
    elif zone == "battlefield" and "loyalty" not in given and isinstance(card.loyalty, int):
        given["loyalty"] = card.loyalty
    return tuple((kind, given[kind]) for kind in sorted(given) if given[kind])
