"""A deck, and every kind of deck list that people export."""

from __future__ import annotations

import html
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rulekit.cards.card import Card
from rulekit.cards.deck_draft import OWN_SECTIONS, SECTION_WORDS, Draft, Unread, with_cards
from rulekit.cards.deck_json import is_json, read_json
from rulekit.cards.deck_markdown import is_markdown, read_markdown
from rulekit.cards.deck_names import one_name
from rulekit.cards.deck_source import Source, open_source
from rulekit.cards.deck_table import is_table, read_table
from rulekit.cards.deck_tags import begins_with_markup
from rulekit.cards.deck_text import read_text
from rulekit.cards.deck_write import FORMATS, written
from rulekit.cards.deck_xml import read_xml
from rulekit.cards.mixture import Mixture
from rulekit.cards.pool import CardPool
from rulekit.cards.whole import is_whole
from rulekit.rules import BadData, Unknown

__all__ = ["Deck", "DeckWarning", "Unread"]

Cards = Mapping[str, int]
"""Names of cards to numbers of copies."""

_ONE_FACE_LISTED = ("transform", "modal_dfc", "adventure", "flip", "prepare")
_SHOWN_UNREAD = 5


class DeckWarning(UserWarning):
    """Something in a deck list was not understood, or there is more than one deck in it."""


class Deck:
    """A deck: names of cards and how many of each, by section. It never changes; equal content is an equal deck."""

    __slots__ = ("_cards", "_comments", "_form", "_name", "_sections", "_short", "_unknown", "_unread")

    def __init__(
        self,
        main: Cards | Iterable[str] = (),
        *,
        sideboard: Cards | Iterable[str] = (),
        commander: Cards | Iterable[str] = (),
        companion: Cards | Iterable[str] = (),
        maybeboard: Cards | Iterable[str] = (),
        tokens: Cards | Iterable[str] = (),
        name: str = "",
        pool: CardPool | None = None,
    ) -> None:
        """Put a deck together; `Deck.read` reads one.

        Args:
            main: The deck itself: names to numbers, at least 1, or names, each as often as it is there.
            sideboard: Cards outside the deck (100.4).
            commander: One or two commanders (903.3); not counted among the main deck.
            companion: The companion (702.139); most lists name it in the sideboard too.
            maybeboard: Cards that the builder thinks about; no part of the deck.
            tokens: Tokens that the list names; no cards.
            name: Name of the deck.
            pool: Where names are looked up; the catalogue if not given. A name that it lacks is kept as written.

        Raises:
            BadData: A number is less than 1 or no integer, or a name is none.
        """
        given = (main, sideboard, commander, companion, maybeboard, tokens)
        pool = pool or CardPool.catalogue()
        sections = {}
        for section, cards in zip(OWN_SECTIONS, given, strict=True):
            named: dict[str, int] = {}
            for written_name, count in _counted(cards, section):
                full = pool.name_of(written_name) or one_name(written_name)
                named[full] = named.get(full, 0) + count
            sections[section] = named
        self._set(sections, name, pool)

    def _set(self, sections: Mapping[str, Cards], name: str, pool: CardPool, draft: Draft | None = None) -> None:
        """Fill the deck; its cards are looked up once, and the pool is not kept."""
        self._sections = {section: dict(cards) for section, cards in sections.items() if cards}
        self._name = name
        self._unread = tuple(sorted(draft.unread, key=lambda each: each.line)) if draft else ()
        self._comments = tuple(draft.comments) if draft else ()
        self._form = draft.form if draft else ""
        self._cards: dict[str, Card] = {}
        self._unknown: dict[str, None] = {}
        self._short: dict[str, str] = {}
        for section, cards in self._sections.items():
            if section != "tokens":
                for each in cards:
                    self._look_up(each, pool)

    def _look_up(self, name: str, pool: CardPool) -> None:
        """Find one card in the pool, and the name under which Arena and Magic Online list it."""
        if name in self._cards or name in self._unknown:
            return
        try:
            card = pool.get(name)
        except BadData:
            card = None
        if card is None:
            self._unknown[name] = None
            return
        self._cards[name] = card
        if card.layout in _ONE_FACE_LISTED and pool.name_of(card.name) == name:
            self._short[name] = card.name

    @classmethod
    def read(cls, source: str | Path | bytes, pool: CardPool | None = None) -> Deck:
        """Read a deck list of any program; of several decks in it the first.

        Args:
            source: A Path, or a text without a line end that names a file that exists, is a file; any other text, and
                bytes, are the list itself. Any encoding, at most 4 MiB and 50,000 lines.
            pool: Where names are looked up, to tell a name from what a program puts around it; the catalogue if not
                given. A name that it lacks stays in its section as written and is listed in `unknown`.

        Returns:
            The deck. What was not understood is in its `unread`, and a DeckWarning says so.

        Raises:
            BadData: It is no deck list: a missing file, a binary file, broken XML, or not one card.
            TooMany: It is longer than a deck list can be.
        """
        decks = _read(source, pool)
        _warn(decks[:1])
        if len(decks) > 1:
            names = ", ".join(repr(deck.name) for deck in decks)
            warnings.warn(
                f"there are {len(decks)} decks in this list: {names}; the first was read. Deck.read_all gives all.",
                DeckWarning,
                stacklevel=2,
            )
        return decks[0]

    @classmethod
    def read_all(cls, source: str | Path | bytes, pool: CardPool | None = None) -> tuple[Deck, ...]:
        """Read every deck of a list that holds several.

        Args:
            source: As for `read`.
            pool: As for `read`.

        Returns:
            The decks in the order of the list; at least one.

        Raises:
            BadData: As for `read`.
            TooMany: As for `read`.
        """
        decks = _read(source, pool)
        _warn(decks)
        return decks

    @staticmethod
    def mixture(decks: Mapping[Deck, float | Fraction]) -> Mixture:
        """Put decks together one of which is the one, such as what an unknown opponent may play.

        Args:
            decks: Decks and their weights, at least 0 and not all 0; they are divided by their sum.

        Returns:
            A mixture, which `exact` and `simulate` take in the place of a deck.
        """
        return Mixture(decks)

    def without(self, cards: Cards | Iterable[str]) -> Deck:
        """Return the deck without some cards of its main section, for example those that are known to be elsewhere.

        Args:
            cards: Names and numbers, or names, each as often as it is taken out.

        Raises:
            Unknown: The main section has no card of that name.
            BadData: It has not so many.
        """
        left = dict(self.main)
        for name, number in _counted(cards, "without"):
            full = next((each for each in left if each.casefold() == name.casefold()), None)
            if full is None:
                raise Unknown("card", name, self.main, "in this deck")
            if left[full] < number:
                raise BadData(f"this deck has {self.main[full]} {full}, not {number}.", key="without")
            left[full] -= number
        return self.replaced({name: number for name, number in left.items() if number})

    def replaced(self, main: Cards, name: str = "") -> Deck:
        """Return the deck with another main section; its cards are those that this deck knows.

        Args:
            main: Names and numbers.
            name: Another name; without, it keeps its own.
        """
        deck = Deck.__new__(Deck)
        deck._set({**self._sections, "main": dict(main)}, name or self._name, CardPool(self._cards.values()))
        return deck

    def write(self, format: str = "arena") -> str:  # noqa: A002  (the name that the issue fixed)
        """Write the deck as a list; reading it back with the same pool gives an equal deck.

        Args:
            format: "arena", "mtgo" or "plain".

        Returns:
            The list. Arena and Magic Online get the front name of two-faced cards, Magic Online `Fire/Ice` of split
            cards, as they write them.

        Raises:
            Unknown: No such kind of list.
            BadData: A name cannot be written so that it is read again, such as one with a line end in it.
        """
        if format not in FORMATS:
            raise Unknown("kind of deck list", str(format), FORMATS)
        short = dict(self._short) if format != "plain" else {}
        if format == "mtgo":
            split = [name for name, card in self._cards.items() if card.layout == "split"]
            short.update({name: name.replace(" // ", "/") for name in split})
        text = written(format, self._sections, short, self._name)
        if text:
            self._check(text, format)
        return text

    def _check(self, text: str, form: str) -> None:
        """Refuse a list that would not be read again as this deck."""
        pool = CardPool(self._cards.values()) | CardPool.catalogue()
        drafts = read_text(Source(text), pool)
        again = {section: cards for section, cards in drafts[0].sections.items() if cards}
        if len(drafts) == 1 and again == self._sections and not drafts[0].unread:
            return
        lost = [name for cards in self._sections.values() for name in cards if name not in str(again)]
        raise BadData(
            f"this deck cannot be written as a list ({form}) and read again:"
            f" {', '.join(map(repr, lost[:3])) or 'a name'} would be read as something else.",
            instead="Correct the name, or keep the deck with pickle.",
        )

    @property
    def name(self) -> str:
        """The name of the deck, empty if the list has none."""
        return self._name

    @property
    def main(self) -> Cards:
        """The deck itself: what is shuffled into the library."""
        return self.section("main")

    @property
    def sideboard(self) -> Cards:
        """The sideboard (100.4)."""
        return self.section("sideboard")

    @property
    def commander(self) -> Cards:
        """The commanders, where the list marks them (903.3)."""
        return self.section("commander")

    @property
    def companion(self) -> Cards:
        """The companion, where the list marks it (702.139)."""
        return self.section("companion")

    @property
    def maybeboard(self) -> Cards:
        """Cards outside the deck that the builder thinks about."""
        return self.section("maybeboard")

    @property
    def tokens(self) -> Cards:
        """Tokens that the list names; they are no cards."""
        return self.section("tokens")

    @property
    def sections(self) -> tuple[str, ...]:
        """The sections that hold something: main, sideboard, commander, ..., also schemes, planes and the like."""
        rest = sorted(section for section in self._sections if section not in OWN_SECTIONS)
        return tuple(section for section in (*OWN_SECTIONS, *rest) if section in self._sections)

    def section(self, name: str) -> Cards:
        """Give a section: names to numbers, empty if the list has no such section.

        Raises:
            Unknown: There is no section of that name in any list.
        """
        if name not in OWN_SECTIONS and name not in SECTION_WORDS.values():
            raise Unknown("section", name, SECTION_WORDS.values())
        return MappingProxyType(self._sections.get(name, {}))

    @property
    def cards(self) -> Mapping[str, Card]:
        """The card of every name that the pool knows."""
        return MappingProxyType(self._cards)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names that are in no card data; they count in their section, and nothing else is known of them."""
        return tuple(self._unknown)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Lines that were not understood: line number, text, reason."""
        return self._unread

    @property
    def comments(self) -> tuple[str, ...]:
        """Comments, headings of groups and facts about the deck, in the order of the list."""
        return self._comments

    @property
    def form(self) -> str:
        """The kind of list that was read, in words; empty for a deck that was put together."""
        return self._form

    def __len__(self) -> int:
        """Count the cards of the main deck."""
        return sum(self._sections.get("main", {}).values())

    def __bool__(self) -> bool:
        return bool(self._sections)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and self._sections == other._sections

    def __hash__(self) -> int:
        return hash(frozenset((section, frozenset(cards.items())) for section, cards in self._sections.items()))

    def counts(self, by: str | Callable[[Card], Hashable] = "type", section: str = "main") -> dict[Any, int]:
        """Count the cards of a section by what they are.

        Args:
            by: "type" (a card of two types counts for both), "mana value" (lands left out, 202.3), "color" (a card of
                two colors counts for both, `colorless` for none), or a function from a card to what it counts as.
            section: The section.

        Returns:
            What they are to the number of cards, in order; `unknown` for names that are in no card data.

        Raises:
            Unknown: No such way to count, or no such section.
        """
        ways: dict[str, Callable[[Card], Iterable[Hashable]]] = {
            "type": lambda card: card.types.types,
            "mana value": lambda card: () if "Land" in card.types.types else (card.mana_value,),
            "color": lambda card: card.colors or ("colorless",),
        }
        if isinstance(by, str) and by not in ways:
            raise Unknown("way to count", by, ways)
        way = ways[by] if isinstance(by, str) else lambda card: (by(card),)
        found: dict[Any, int] = {}
        unknown = 0
        for name, count in self.section(section).items():
            if name not in self._cards:
                unknown += count
                continue
            for each in way(self._cards[name]):
                found[each] = found.get(each, 0) + count
        numbers = all(isinstance(each, int) for each in found)
        ordered = sorted(found.items(), key=lambda item: item[0] if numbers else (-item[1], str(item[0])))
        return dict(ordered) | ({"unknown": unknown} if unknown else {})

    def __repr__(self) -> str:
        counts = [
            f"{section} {sum(self._sections[section].values())}" for section in self.sections if section != "main"
        ]
        return f"Deck({', '.join([repr(self._name)] * bool(self._name) + [_cards(len(self)), *counts])})"

    def __str__(self) -> str:
        lines = [repr(self)]
        for section in self.sections:
            lines.append(f"{section} ({sum(self._sections[section].values())})")
            for name, count in self._sections[section].items():
                card = self._cards.get(name)
                facts = f"{card.types}  {card.cost or ''}".rstrip() if card else self._what(section)
                lines.append(f"  {count:>3} {name:<34} {facts}".rstrip())
        lines += [f"line {line} not read: {text} ({reason})" for line, text, reason in self._unread]
        return "\n".join(lines)

    def _what(self, section: str) -> str:
        """Say what a name is that has no card."""
        return "token" if section == "tokens" else "not in the card data"

    def _repr_html_(self) -> str:
        rows = []
        for section in self.sections:
            total = sum(self._sections[section].values())
            rows.append(f'<tr><th colspan="4" scope="rowgroup">{html.escape(section)} ({total})</th></tr>')
            for name, count in self._sections[section].items():
                card = self._cards.get(name)
                facts = (str(card.types), str(card.cost or "")) if card else (self._what(section), "")
                cells = "".join(f"<td>{html.escape(each)}</td>" for each in (str(count), name, *facts))
                rows.append(f"<tr>{cells}</tr>")
        for line, text, reason in self._unread:
            said = html.escape(f"line {line} not read: {text} ({reason})")
            rows.append(f'<tr><td colspan="4">{said}</td></tr>')
        head = "".join(f'<th scope="col">{each}</th>' for each in ("copies", "card", "types", "mana cost"))
        caption = html.escape(repr(self))
        return (
            f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from rulekit.widgets import view

        return view.forms(self, str(self), self._repr_html_())


def _cards(count: int) -> str:
    """Say how many cards."""
    return "1 card" if count == 1 else f"{count} cards"


def _counted(cards: Cards | Iterable[str], section: str) -> Iterable[tuple[str, int]]:
    """Give names with numbers, and refuse what is none."""
    if isinstance(cards, str):
        raise BadData(f"{cards[:80]!r} is a text.", key=section, instead="Deck.read reads a list; [name] is one card.")
    pairs = cards.items() if isinstance(cards, Mapping) else ((name, 1) for name in cards)
    for name, count in pairs:
        if not isinstance(name, str) or not name.strip():
            raise BadData(f"{name!r} is no name of a card.", key=section)
        if not is_whole(count) or count < 1:
            raise BadData(f"{count!r} is no number of cards.", key=f"{section}: {name}", instead="1 or more.")
        yield name, int(count)


def _read(source: str | Path | bytes, pool: CardPool | None) -> tuple[Deck, ...]:
    """Read every deck of a list."""
    pool = pool or CardPool.catalogue()
    opened = open_source(source)
    decks = []
    for draft in with_cards(_reader(opened)(opened, pool), opened):
        deck = Deck.__new__(Deck)
        name = draft.name or (opened.file.stem if opened.file else "")
        deck._set(draft.sections, name, pool, draft)
        decks.append(deck)
    return tuple(decks)


def _reader(source: Source) -> Callable[[Source, CardPool], list[Draft]]:
    """Choose how to read a list, by what stands in it."""
    start = source.text.lstrip()[:1]
    if start == "<" and not begins_with_markup(source.text):
        return read_xml
    if is_json(source):
        return read_json
    if is_table(source):
        return read_table
    return read_markdown if is_markdown(source) else read_text


def _warn(decks: Iterable[Deck]) -> None:
    """Warn of what was not understood."""
    for deck in decks:
        if deck.unread:
            first = [
                f"  line {line}: {text[:60]!r}: {reason}" if line else f"  {text[:60]!r}: {reason}"
                for line, text, reason in deck.unread[:_SHOWN_UNREAD]
            ]
            more = len(deck.unread) - len(first)
            lines = "1 line" if len(deck.unread) == 1 else f"{len(deck.unread)} lines"
            message = f"not read of {deck!r}, {lines}:\n" + "\n".join(first)
            warnings.warn(message + (f"\n  and {more} more" if more else ""), DeckWarning, stacklevel=3)
