"""The names that mean something in one scenario: players, labels, cards, and the tokens that its cards speak of."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, cached_property

from rulekit.cards.card import Card
from rulekit.cards.pool import CardPool
from rulekit.engine.text import abilities_of

_NUMBER = re.compile(r" #[1-9]\d*")  # which of several tokens or copies of one name
_WORD = re.compile(r"[^\W\d_](?:[\w'’-]*\w)?")


class Known:
    """The names of a scenario, as they become known.

    Attributes:
        players: The players in turn order.
        cards: Where the names of cards are looked up.
        labels: The labels and card names that stand in the position, in the order in which they stand there.
        on_battlefield: Those of permanents.
        hosts: Labels to which something is attached, with the lines that say so.
    """

    def __init__(self) -> None:
        """Know nothing but the catalogue and the default players."""
        self.players: tuple[str, ...] = ("Alice", "Bob")
        self.cards = CardPool.catalogue()
        self.labels: dict[str, None] = {}
        self.on_battlefield: dict[str, None] = {}
        self.hosts: list[tuple[str, int]] = []
        self._texts: list[Card] = []
        self._said: set[str] = set()

    def add(self, label: str, zone: str, card: Card | None = None) -> None:
        """Get to know an object of the position: its label, and the names of its card and of the faces of it."""
        names = [label] if label else []
        if card is not None:
            names += [card.name, card.full_name, *(face.name for face in card.faces)]
            self._texts.append(card)
            self.__dict__.pop("_spoken_of", None)
        self.labels.update(dict.fromkeys(names))
        if zone == "battlefield":
            self.on_battlefield.update(dict.fromkeys(names))

    def say(self, text: str) -> None:
        """Get to know the words of a text that gives an ability or describes a token."""
        self._said.update(_capital(text))

    def __contains__(self, name: str) -> bool:
        name = _NUMBER.sub("", name)
        return name in self.labels or _made_of(name, self._said) or _made_of(name, self._spoken_of)

    def could_be(self, name: str) -> bool:
        """Return whether a zone could be said to hold or to lack something of this name."""
        return name in self.cards or name in self or _made_of(name, _said_in_the_catalogue())

    @cached_property
    def _spoken_of(self) -> frozenset[str]:
        return _words_of(self._texts)


def _words_of(cards: list[Card]) -> frozenset[str]:
    """Return the capital words in the texts of cards and in what their keywords are short for."""
    found: set[str] = set()
    for card in cards:
        for face in card.faces or (card,):
            terms = (repr(term) for ability in abilities_of(face) for term in ability.terms())
            found.update(word for text in (face.text, *terms) for word in _capital(text))
    return frozenset(found)


@cache
def _said_in_the_catalogue() -> frozenset[str]:
    pool = CardPool.catalogue()
    cards = [face for name in pool for face in (pool.find(name).faces or (pool.find(name),))]
    return frozenset(word for card in cards for word in _capital(card.text))


def _capital(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word[0].isupper()]


def _made_of(name: str, words: Collection[str]) -> bool:
    """Return whether a name is made of capital words that are spoken of, as tokens are named (111.4)."""
    parts = _WORD.findall(name)
    return bool(parts) and all(part[0].isupper() and part in words for part in parts)
