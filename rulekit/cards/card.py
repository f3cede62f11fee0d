"""A card as printed: its name, cost, types, rules text and faces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from rulekit.cards.printed import COLORS, ManaCost, TypeLine
from rulekit.cards.reading import Entry
from rulekit.rules import BadData, nearest

__all__ = ["COLORS", "LAYOUTS", "Card", "ManaCost", "Number", "TypeLine"]

LAYOUTS = (
    "normal",
    "split",
    "flip",
    "transform",
    "modal_dfc",
    "meld",
    "adventure",
    "prepare",
    "leveler",
    "class",
    "case",
    "saga",
    "mutate",
    "prototype",
    "battle",
    "augment",
    "host",
    "token",
    "double_faced_token",
    "emblem",
    "planar",
    "scheme",
    "vanguard",
    "art_series",
    "reversible_card",
)
"""How the sets of characteristics of a card are laid out, in the words of Scryfall's card data."""

Number = int | str | None
"""A printed number: an integer, a text such as `*` or `1+*`, or None where nothing is printed."""

_KEYS = (
    "cost",
    "types",
    "power",
    "toughness",
    "loyalty",
    "defense",
    "color indicator",
    "abilities",
    "text",
    "layout",
    "halves",
    "other face",
)
_ABILITIES = {
    "static": "{}",
    "spell": "{}",
    "triggered": "{}",
    "activated": "{}",
    "mana": "{}",
    "keyword": "{}",
    "equip": "equip {}",
    "reconfigure": "reconfigure {}",
    "gift": "gift {}",
    "enchant": "enchant {}",
    "additional cost": "as an additional cost to cast this spell, {}",
    "alternative cost": "you may {} rather than pay this spell's mana cost",
}
"""The kinds of abilities of the catalogue format, and how each stands in the rules text."""


def _printed_number(value: Number) -> Number:
    """Turn a printed number that is an integer into one, and leave `*` and the like as they are."""
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]+", value):
        return int(value)
    return value


@dataclass(frozen=True, init=False, eq=True)
class Card:
    """A card as printed; reading its text into abilities is the engine's work."""

    name: str
    cost: ManaCost | None
    types: TypeLine
    text: str
    power: Number
    toughness: Number
    loyalty: Number
    defense: Number
    color_indicator: tuple[str, ...]
    layout: str
    faces: tuple[Card, ...]

    def __init__(
        self,
        name: str,
        cost: ManaCost | str | None,
        types: TypeLine | str,
        text: str = "",
        *,
        power: Number = None,
        toughness: Number = None,
        loyalty: Number = None,
        defense: Number = None,
        color_indicator: Iterable[str] = (),
        layout: str = "normal",
        faces: Iterable[Card] = (),
    ) -> None:
        """Write down a card.

        Args:
            name: Its name; of a split card both names with ` // ` between, of other two-faced cards the front's.
            cost: A cost or its text; empty or None where no mana cost is printed (202.1b).
            types: A type line or its text.
            text: The rules text, one ability a line.
            power: Of a creature or Vehicle; an integer, or a text such as `*`.
            toughness: Likewise.
            loyalty: Of a planeswalker.
            defense: Of a battle.
            color_indicator: The color words of its indicator (204).
            layout: How its faces are laid out, in the words of LAYOUTS; newer words are kept as they are.
            faces: Of a card with two or more sets of characteristics each of them, the front or left one first.

        Raises:
            BadData: The cost, the type line or a color is none.
        """
        indicator = frozenset(color_indicator)
        if wrong := sorted(indicator - set(COLORS.values())):
            raise BadData(f"{wrong[0]!r} is not a color.", key=name, instead=COLORS.values())
        for field, value in (
            ("name", name),
            (
                "cost",
                ManaCost.parse(cost) if isinstance(cost, str) and cost.strip() else cost or None,
            ),
            ("types", TypeLine.parse(types) if isinstance(types, str) else types),
            ("text", text),
            ("power", _printed_number(power)),
            ("toughness", _printed_number(toughness)),
            ("loyalty", _printed_number(loyalty)),
            ("defense", _printed_number(defense)),
            (
                "color_indicator",
                tuple(word for word in COLORS.values() if word in indicator),
            ),
            ("layout", layout),
            ("faces", tuple(faces)),
        ):
            object.__setattr__(self, field, value)

    def __hash__(self) -> int:
        return hash((self.name, self.text))

    def but(self, **changes: Any) -> Card:
        """Return a card that differs in some fields, such as a copy that is 1/1 (707.9b)."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__} | changes
        return Card(fields.pop("name"), fields.pop("cost"), fields.pop("types"), **fields)

    def without_supertype(self, supertype: str) -> Card:
        """Return the card without one of its supertypes, as "except it isn't legendary" copies it."""
        rest = tuple(own for own in self.types.supertypes if own != supertype)
        return self.but(types=TypeLine(rest, self.types.types, self.types.subtypes))

    def __repr__(self) -> str:
        cost = str(self.cost) if self.cost else None
        rest = "".join(
            f", {name}={getattr(self, name)!r}"
            for name in ("power", "toughness", "loyalty", "defense")
            if getattr(self, name) is not None
        )
        return f"Card({self.full_name!r}, {cost!r}, {str(self.types)!r}{rest})"

    def __str__(self) -> str:
        if self.faces:
            return "\n//\n".join(str(face) for face in self.faces)
        size = [f"{self.power}/{self.toughness}"] if self.power is not None else []
        size += [f"loyalty {self.loyalty}"] if self.loyalty is not None else []
        size += [f"defense {self.defense}"] if self.defense is not None else []
        head = f"{self.name}  {self.cost}" if self.cost else self.name
        return "\n".join([head, str(self.types), *([self.text] if self.text else []), *size])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from rulekit.widgets import view

        return view.forms(self, view.card_text(self), self._repr_html_())

    def _repr_html_(self) -> str:
        from rulekit.widgets import view

        return view.card_read_html(self)

    @property
    def full_name(self) -> str:
        """The names of all faces with ` // ` between, as card data and most deck lists write them."""
        names = list(dict.fromkeys(face.name for face in self.faces))
        return " // ".join(names) if len(names) > 1 else self.name

    @property
    def mana_value(self) -> int:
        """The mana value anywhere but on the stack (202.3): a split card's halves together, else the front's."""
        return self.cost.mana_value if self.cost else 0

    @property
    def colors(self) -> tuple[str, ...]:
        """The colors that cost and indicator give, white first; devoid leaves none (105.2, 202.2, 204, 702.114a)."""
        if any(re.match(r"devoid\b", line, re.IGNORECASE) for line in self.text.split("\n")):
            return ()
        found = {*self.color_indicator, *(self.cost.colors if self.cost else ())}
        return tuple(word for word in COLORS.values() if word in found)

    @classmethod
    def of_faces(cls, layout: str, faces: Iterable[Card]) -> Card:
        """Join the faces of a card: split halves together, of any other layout the front's characteristics.

        Args:
            layout: One of LAYOUTS.
            faces: The faces, the front or left one first; at least one.

        Returns:
            The whole card, as it is in every zone but the stack and the battlefield (709.4, 712.8a, 715.4).
        """
        parts = tuple(faces)
        front = parts[0]
        shared = {
            "power": front.power,
            "toughness": front.toughness,
            "loyalty": front.loyalty,
        }
        shared["defense"] = front.defense
        if layout != "split":
            return cls(
                front.name,
                front.cost,
                front.types,
                front.text,
                **shared,
                color_indicator=front.color_indicator,
                layout=layout,
                faces=parts,
            )
        costs = [face.cost for face in parts if face.cost]
        return cls(
            " // ".join(face.name for face in parts),
            reduce(lambda left, right: left + right, costs) if costs else None,
            reduce(lambda left, right: left + right, [face.types for face in parts]),
            "\n".join(face.text for face in parts if face.text),
            layout=layout,
            faces=parts,
        )

    @classmethod
    def from_catalogue(cls, name: str, mapping: Mapping[str, Any], where: str = "") -> Card:
        """Read an entry of the catalogue format.

        Args:
            name: Name of the card.
            mapping: The entry: cost, types, power, toughness, loyalty, defense, color indicator, abilities or
                the printed text, layout, halves, other face. An attribute `lines` (key to line number) is used for
                messages.
            where: The file, or `FILE:LINE`, for messages.

        Returns:
            The card; its text has one line for each ability.

        Raises:
            BadData: An unknown key, a value of the wrong kind, or a part that is missing.
        """
        return _from_entry(Entry(name, mapping, where))


def _from_entry(entry: Entry) -> Card:
    """Read an entry of the catalogue format with all its faces."""
    entry.only(_KEYS)
    layout = entry.text("layout", "normal")
    if layout not in LAYOUTS:
        raise entry.bad(
            "layout",
            f"{layout!r} is not a layout.",
            instead=nearest(layout, LAYOUTS) or LAYOUTS,
        )
    if "halves" in entry:
        entry.only(("layout", "halves"))
        faces = [_from_entry(half) for half in entry.named("halves")]
        if len(faces) < 2:
            raise entry.bad("halves", "a split card has at least two halves.")
        return Card.of_faces(layout, faces)
    front = _single(entry)
    if "other face" not in entry:
        return front
    return Card.of_faces(layout, (front, *(_from_entry(face) for face in entry.named("other face"))))


def _single(entry: Entry) -> Card:
    """Read one set of characteristics of an entry of the catalogue format."""
    if "types" not in entry:
        raise entry.bad(
            "types",
            "the type line is missing.",
            instead="Write for example types: Creature — Bear.",
        )
    indicator = entry.texts("color indicator")
    for word in indicator:
        if word not in COLORS.values():
            raise entry.bad("color indicator", f"{word!r} is not a color.", instead=COLORS.values())
    if "text" in entry and "abilities" in entry:
        raise entry.bad("text", "the abilities stand twice.", instead="Write either abilities or text.")
    lines = [_ABILITIES[kind].format(value) for kind, value in entry.pairs("abilities", _ABILITIES)]
    return Card(
        entry.name,
        entry.parsed("cost", ManaCost.parse),
        entry.parsed("types", TypeLine.parse) or "",
        entry.text("text") or "\n".join(lines),
        power=entry.number("power"),
        toughness=entry.number("toughness"),
        loyalty=entry.number("loyalty"),
        defense=entry.number("defense"),
        color_indicator=indicator,
    )
