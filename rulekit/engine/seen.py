"""The characteristics of one object (109.3), and what is printed or copied on it before any other effect (613.2)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import Ability, Term
from rulekit.engine.frame import Frame
from rulekit.engine.state import Object, State


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
            self._kinds = _lowered(self.types, self.subtypes, self.supertypes)
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


@lru_cache(maxsize=4096)
def _lowered(*kinds: tuple[str, ...]) -> frozenset[str]:
    return frozenset(own.lower() for some in kinds for own in some)


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
        own = thing.card.layout == "modal_dfc"  # each face of such a card has its own
        seen.mana_value = card.mana_value if own else thing.card.faces[0].mana_value  # 202.3b
    return seen
