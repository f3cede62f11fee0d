"""Where cards are found: the catalogue of the package, a file of Scryfall, a file of MTGJSON."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from rulekit.cards import card_cache
from rulekit.cards.card import Card
from rulekit.cards.card_cache import PackedCards
from rulekit.cards.card_data import card_of, read_card_data
from rulekit.cards.reading import read_yaml
from rulekit.rules import BadData, Unknown

MOST_LISTED = 60  # names that a page shows

_ALIKE = str.maketrans(
    {
        **dict.fromkeys("’‘‛ʼ`´′", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        "꞉": ":",
        "æ": "ae",
        "œ": "oe",
        "ø": "o",
        "đ": "d",
        "ł": "l",
        "\N{NO-BREAK SPACE}": " ",
    }
)
_DOTS = re.compile(r"\s*\.\s?\.\s?\.")
_SLASHES = re.compile(r"\s*[/\\⁄∕⧸╱]+\s*")
_DIVIDER = " // "


def fold(name: str) -> str:
    """Give a name as it is compared: without accents, capitals, double quotes, kinds of dashes, dots and slashes.

    Args:
        name: A card name as somebody wrote it; web entities such as `&#39;` are allowed.

    Returns:
        The same for every way to write one name; of different cards different but in rare cases.
    """
    if "&" in name and ";" in name:
        name = html.unescape(name)
    if not name.isascii():
        name = unicodedata.normalize("NFKD", name.casefold().translate(_ALIKE))
        name = "".join(sign for sign in name if not unicodedata.combining(sign)).translate(_ALIKE)
    name = name.casefold().replace("`", "'").replace('"', "").replace(" & ", " and ")
    if ".." in name or ". ." in name:
        name = _DOTS.sub("...", name)
    return " ".join(_SLASHES.sub(_DIVIDER, name).split())


class CardPool:
    """Cards by name.

    `pool["Island"]` and `pool.find("island")` give a Card, `"Island" in pool` and iteration work as in a mapping. A
    name is looked up as it is written first; only if that finds nothing, other accents, capitals, quotes and slashes,
    the name of one face, and names printed in other languages find the card too.
    """

    def __init__(self, cards: Iterable[Card] = (), *, source: str = "") -> None:
        """Hold some cards.

        Args:
            cards: The cards; of two with the same name the first counts.
            source: Where they come from, for the text form.
        """
        self.source = source
        self._found: dict[str, Card | PackedCards] = {}
        self._tokens: dict[str, PackedCards] = {}
        self._aliases: Mapping[str, str] = {}
        self._numbers: Mapping[str, str] = {}
        for card in cards:
            self._found.setdefault(card.full_name, card)

    @classmethod
    @cache
    def catalogue(cls) -> CardPool:
        """Give the cards that ship with the package, in our own words; read once."""
        cards = []
        for file in sorted(files("rulekit.cards").joinpath("catalogue").iterdir(), key=lambda file: file.name):
            if file.name.endswith(".yaml"):
                entries = read_yaml(file.read_text(encoding="utf-8"), file.name)
                cards += [
                    Card.from_catalogue(name, entry, f"{file.name}:{entries.lines[name]}")
                    for name, entry in entries.items()
                ]
        return cls(cards, source="the catalogue")

    @classmethod
    def read(cls, path: str | Path | None = None, *, use_cache: bool = True) -> CardPool:
        """Read a file of card data, from the cache if it was read before and has not changed.

        Args:
            path: A Scryfall bulk file (JSON or JSON lines, packed with gzip or not), or an MTGJSON file
                (AtomicCards, a set, all printings); without, the catalogue is given.
            use_cache: Whether to keep what was read in the user's cache folder, and to look there first.

        Returns:
            Its cards; tokens and emblems are known as such.

        Raises:
            BadData: The file cannot be read or is something else.
            TooMany: It has more entries than card data can have.
        """
        if path is None:
            return cls.catalogue()
        path = Path(path).expanduser()
        if not path.is_file():
            raise BadData("there is no such file." if not path.exists() else "this is not a file.", path)
        packed = card_cache.load(path) if use_cache else None
        if packed is None:
            source = card_cache.source_of(path)
            packed = PackedCards.of(read_card_data(path))
            if use_cache:
                card_cache.save(path, packed, source)
        pool = cls(source=path.name)
        pool._found = dict.fromkeys(packed.spans, packed)
        pool._tokens = dict.fromkeys(packed.token_spans, packed)
        pool._aliases = packed.aliases
        pool._numbers = packed.numbers
        return pool

    def __or__(self, other: CardPool) -> CardPool:
        """Join two pools; where both know a name, the left one counts."""
        if not isinstance(other, CardPool):
            return NotImplemented
        pool = CardPool(source=f"{self.source} and {other.source}")
        pool._found = {**other._found, **self._found}
        pool._tokens = {**other._tokens, **self._tokens}
        pool._aliases = {**other._aliases, **self._aliases}
        pool._numbers = {**other._numbers, **self._numbers}
        return pool

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.name_of(name) is not None

    def __getitem__(self, name: str) -> Card:
        return self.find(name)

    def __repr__(self) -> str:
        cards = "1 card" if len(self) == 1 else f"{len(self):,} cards"
        return f"CardPool of {cards}" + (f" ({self.source})" if self.source else "")

    def _repr_html_(self) -> str:
        names = "".join(f"<li>{html.escape(name)}</li>" for name in islice(self, MOST_LISTED))
        more = f"<p>and {len(self) - MOST_LISTED:,} more</p>" if len(self) > MOST_LISTED else ""
        listed = f"<details><summary>Their names</summary><ul>{names}</ul>{more}</details>" if names else ""
        return f"<div><p>{html.escape(repr(self))}</p>{listed}</div>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from rulekit.widgets import view

        return view.forms(self, str(self), self._repr_html_())

    def find(self, name: str) -> Card:
        """Give the card of a name.

        Args:
            name: A name in any of the ways in which it can be written; see `name_of`.

        Returns:
            The card.

        Raises:
            Unknown: No card is called so; the nearest names are in the message.
            BadData: The data of this card cannot be read, such as a cost of half a mana.
        """
        full = self.name_of(name)
        if full is None:
            raise Unknown("card", name, self._found, f"in {self.source}" if self.source else "")
        found = self._found[full]
        if isinstance(found, PackedCards):
            try:
                found = card_of(found.row(full))
            except BadData as error:
                raise BadData(error.message, self.source, key=full, instead=error.instead) from None
            self._found[full] = found
        return found

    def get(self, name: str, default: Card | None = None) -> Card | None:
        """Give the card of a name, or the default where no card is called so."""
        return self.find(name) if name in self else default

    def name_of(self, written: str) -> str | None:
        """Give the full name of the card that is meant, None if no card is called so.

        Args:
            written: The name as somebody wrote it. The exact name wins; then a name that differs in accents, capitals,
                quotes, dashes or slashes; then the name of a front face, of a back face, a name printed in another
                language or on another printing; then the card that a rebalanced one (`A-Name`) comes from.

        Returns:
            The full name, of a card with two names both with ` // ` between.
        """
        if written in self._found:
            return written
        key = fold(written)
        return self._keys.get(key) or (self._keys.get(key.removeprefix("a-")) if key.startswith("a-") else None)

    def token_of(self, written: str) -> str | None:
        """Give the name of the token or emblem that is meant, None if none is called so or a card is."""
        return None if self.name_of(written) else self._token_keys.get(fold(written))

    def name_of_number(self, number: str) -> str | None:
        """Give the name of the card that has a number of Magic Online, where the data says so."""
        return self._numbers.get(number)

    @cached_property
    def _keys(self) -> dict[str, str]:
        """Folded names to full names; a better kind of name is never hidden by a lesser one."""
        keys: dict[str, str] = {}
        for name in self._found:
            keys.setdefault(fold(name), name)
        parts = [(name, name.split(_DIVIDER)) for name in self._found if _DIVIDER in name]
        for name, faces in parts:
            keys.setdefault(fold(faces[0]), name)
            keys.setdefault(fold(" & ".join(faces)), name)
            keys.setdefault(fold(" and ".join(faces)), name)
        for name, faces in parts:
            for face in faces[1:]:
                keys.setdefault(fold(face), name)
        for alias, name in self._aliases.items():
            keys.setdefault(fold(alias), name)
        return keys

    @cached_property
    def _token_keys(self) -> dict[str, str]:
        return {fold(part): name for name in self._tokens for part in (*name.split(_DIVIDER), name)}
