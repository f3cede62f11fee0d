"""The two lines at the top and middle of a card: its mana cost and its type line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulekit.rules import BadData

COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
"""The five colors in their usual order, by the letter of their mana symbol (105.1)."""

SUPERTYPES = (
    "Basic",
    "Elite",
    "Host",
    "Legendary",
    "Ongoing",
    "Snow",
    "Token",
    "World",
)
"""Words that stand before the card types on a type line (205.4a, and those of cards outside the rules)."""

_SYMBOL = re.compile(r"\{([^{}\s]+)\}")
_EXAMPLES = ("{2}", "{W}", "{U}", "{B}", "{R}", "{G}", "{C}", "{X}", "{S}", "{W/U}", "{2/W}", "{B/P}")
_VARIABLES = ("X", "Y", "Z")
_PART = re.compile(r"[0-9]+|[WUBRGCSPXYZ]")
_TWO_SECTIONS = re.compile(r"\s+[—–-]+\s+")


def _value_of_symbol(symbol: str, x: int) -> int:
    """Give what one mana symbol adds to a mana value (202.3d-202.3g)."""
    if symbol in _VARIABLES:
        return x
    return max(int(part) if part.isdigit() else 1 for part in symbol.split("/"))


@dataclass(frozen=True, slots=True)
class ManaCost:
    """A mana cost, symbol by symbol, as printed (202.1).

    Args:
        symbols: The symbols in printed order without braces: `("2", "U", "U")`, `("X", "B", "B")`, `("2/W",)`.
    """

    symbols: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> ManaCost:
        """Read a mana cost as it is written in rules text.

        Args:
            text: Symbols in braces without anything between them, such as `{2}{U}{U}`.

        Returns:
            The cost.

        Raises:
            BadData: Something that is no mana symbol stands in the text.
        """
        symbols = tuple(symbol.upper() for symbol in _SYMBOL.findall(text))
        rest = _SYMBOL.sub("", text).strip()
        wrong = rest or next(
            (f"{{{s}}}" for s in symbols if not all(map(_PART.fullmatch, s.split("/")))),
            "",
        )
        if wrong or not symbols:
            raise BadData(f"{text!r} is not a mana cost: {wrong or 'nothing'!r} is no mana symbol.", instead=_EXAMPLES)
        return cls(symbols)

    def __str__(self) -> str:
        return "".join(f"{{{symbol}}}" for symbol in self.symbols)

    def value(self, x: int = 0) -> int:
        """Give the mana value, with a value for X (202.3).

        Args:
            x: What X is: 0 everywhere but on the stack, where it is what was announced (202.3e).

        Returns:
            The sum over the symbols; a hybrid symbol counts as its largest part, a Phyrexian one as 1.
        """
        return sum(_value_of_symbol(symbol, x) for symbol in self.symbols)

    @property
    def mana_value(self) -> int:
        """The mana value while the object is not on the stack (202.3)."""
        return self.value()

    @property
    def generic(self) -> int:
        """The amount of generic mana in the cost, X not counted (107.4b)."""
        return sum(int(symbol) for symbol in self.symbols if symbol.isdigit())

    @property
    def colors(self) -> tuple[str, ...]:
        """The colors of the mana symbols, white first (105.2, 202.2)."""
        letters = {part for symbol in self.symbols for part in symbol.split("/")}
        return tuple(word for letter, word in COLORS.items() if letter in letters)

    def __add__(self, other: ManaCost) -> ManaCost:
        """Join two costs: variables first, then one symbol for all generic mana, then the rest in order."""
        if not isinstance(other, ManaCost):
            return NotImplemented
        symbols = self.symbols + other.symbols
        variables = tuple(symbol for symbol in symbols if symbol in _VARIABLES)
        rest = tuple(symbol for symbol in symbols if symbol not in _VARIABLES and not symbol.isdigit())
        generic = self.generic + other.generic
        keeps_zero = not variables and not rest and bool(symbols)
        return ManaCost(variables + ((str(generic),) if generic or keeps_zero else ()) + rest)


@dataclass(frozen=True, slots=True)
class TypeLine:
    """The type line of a card in its three parts (205.1)."""

    supertypes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> TypeLine:
        """Read a type line; a dash between blanks divides types and subtypes.

        Args:
            text: The line as printed, such as `Legendary Artifact Creature — Equipment Rabbit`.

        Returns:
            The three parts, each in printed order.

        Raises:
            BadData: Nothing stands before the dash.
        """
        first, *others = _TWO_SECTIONS.split(text.strip(), maxsplit=1)
        words = first.split()
        if not words or words[0] in {"—", "–", "-"}:
            raise BadData(f"{text!r} is not a type line: it names no card type, such as Artifact or Creature.")
        subtypes = tuple(others[0].replace("Time Lord", "Time\N{NO-BREAK SPACE}Lord").split(" ")) if others else ()
        return cls(
            tuple(word for word in words if word in SUPERTYPES),
            tuple(word for word in words if word not in SUPERTYPES),
            tuple(word.replace("\N{NO-BREAK SPACE}", " ") for word in subtypes if word),
        )

    def __str__(self) -> str:
        front = " ".join((*self.supertypes, *self.types))
        return f"{front} — {' '.join(self.subtypes)}" if self.subtypes else front

    def __add__(self, other: TypeLine) -> TypeLine:
        """Join two type lines, each word once, as the halves of a split card are (709.4d)."""
        if not isinstance(other, TypeLine):
            return NotImplemented
        return TypeLine(
            tuple(dict.fromkeys(self.supertypes + other.supertypes)),
            tuple(dict.fromkeys(self.types + other.types)),
            tuple(dict.fromkeys(self.subtypes + other.subtypes)),
        )
