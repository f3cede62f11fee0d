"""What a reader of deck lists notes down line by line, before it becomes a Deck."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from rulekit.cards.deck_source import Source
from rulekit.rules import TooMany

MOST_CARDS = 1_000_000
"""Cards of a deck; the bound holds for every line and for the whole."""

OWN_SECTIONS = ("main", "sideboard", "commander", "companion", "maybeboard", "tokens")
"""The sections of a deck that have an attribute of their own."""

_WORDS = {
    "main": "deck, the deck, main, mb, maindeck, main deck, mainboard, main board, decklist, deck list, "
    "mazo, mazzo, baralho, デッキ, 套牌, 덱, колода",
    "sideboard": "sideboard, the sideboard, side, side board, side deck, sb, wishboard, "
    "réserve, banquillo, reserva, サイドボード, 备牌, 사이드보드, сайдборд",
    "commander": "commander, commanders, commander(s), cmdr, general, oathbreaker, signature spell, signature spells,"
    " command zone, commander zone, partner, partners, background, backgrounds, doctor's companion, "
    "kommandeur, commandant, comandante, 統率者, 指挥官, 커맨더, командир",
    "companion": "companion, companions, gefährte, compagnon, compañero, companheiro, compagno, 相棒, 行侣, 단짝, "
    "спутник",
    "maybeboard": "maybeboard, maybe board, maybe, considering, acquireboard, outside, outside the game",
    "tokens": "token, tokens, emblem, emblems, tokens & extras, tokens and extras, "
    "tokens & emblems, tokens and emblems",
    "schemes": "scheme, schemes, scheme deck",
    "planes": "plane, planes, planar, planar deck, planechase",
    "vanguard": "vanguard, avatar",
    "attractions": "attraction, attractions, attraction deck",
    "contraptions": "contraption, contraptions, contraption deck",
    "conspiracies": "conspiracy, conspiracies",
    "display": "display commander",
    "dungeons": "dungeon, dungeons",
    "stickers": "sticker, stickers, sticker sheets",
}
SECTION_WORDS = {word.strip(): section for section, words in _WORDS.items() for word in words.split(",")}
"""How lists head their sections, in small letters, to the section that is meant."""

ALSO_CARDS = ("conspiracy", "cut", "signature spells")
"""Headings that are names of cards, too: in a list without numbers they are such."""

KINDS = re.compile(
    r"(?:other\s+|non-?\s?(?:creature|basic|land)\s+|basic\s+|legendary\s+)*"
    r"(?:cards?|creatures?|(?:non-?)?lands?|instants?|sorcer(?:y|ies)|artifacts?|enchantments?|planeswalkers?|battles?"
    r"|spells?|equipments?|auras?|others?|tribal|kindred|vehicles?)(?:\s*[&,/+]\s*\w+|\s+and\s+\w+|\s+spells?)*",
    re.IGNORECASE,
)
"""Kinds of cards over a group of the section in which it stands: Creatures, Other Spells."""

UNKNOWN_SECTION = "this section is unknown; its cards are read into the main deck"

_UNSEEN = re.compile("[\x00-\x08\x0a-\x1f\x7f\ud800-\udfff]")
_ADDRESS = re.compile(r"https?://|www\.")
_SIGNS_OF_NO_NAME = re.compile(r"[{}=\\→]|;(?![A-Z])|\s[+–—-]\s|\s[+−–-]\d|\*\*|:$")
_ALL_BLANK = re.compile(r"_{3,}")  # a card has nothing but a line to fill in as its name
_HUGE = re.compile(r"[+-]?\d[\d.,']{5,}\s|\d+[eE]\+?\d+\s")
_SMALL_WORDS = frozenset(
    re.findall(
        r"[^,\s]+",
        "a, an, and, as, at, by, de, del, der, du, e, en, for, from, il, in, into, la, le, no, not, of, on, or, s, t, "
        "the, to, und, van, vec, von, with",
    )
)
_SMALL_IN_PROSE = 2
_ROUND_A_HEADING = re.compile(r"\A[\W_]+|[^\w()\]]+\Z|_+\Z|(?<!\d)\]+\Z")
_COUNT = re.compile(r"\s*[(\[]\s*\d+\s*(cards?)?\s*[)\]]$|\s+\d+$|\s*[-–—:]\s*\d+\s*(cards?)?$", re.IGNORECASE)


def heading(text: str) -> str:
    """Give a heading in small letters without signs around it and without the number of cards behind it."""
    text = _without_signs(text).casefold().replace("’", "'")
    return _without_signs(_COUNT.sub("", text)).replace("-", " ")


def _without_signs(text: str) -> str:
    """Take off the signs around a text; brackets at its end stay."""
    if text[:1] == "(" and text[-1:] == ")":
        return text[1:-1]
    if text[:1].isalnum() and (text[-1:].isalnum() or text[-1:] == ")"):
        return text
    return _ROUND_A_HEADING.sub("", text)


def why_no_name(text: str, *, counted: bool = False, in_small_letters: bool = False) -> str:
    """Say why a text cannot be the name of a card that is in no card data.

    Args:
        text: What stands in a line.
        counted: Whether a number stood in front; then a name may have words in small letters behind the first, as
            names in French and German do, unless it ends as a sentence does.
        in_small_letters: Whether the list writes the names of cards in small letters.

    Returns:
        The reason, such as that it reads like a sentence: two words in small letters that names write large. Empty if
        it may be a name.
    """
    if not any(sign.isalpha() for sign in text) and not _ALL_BLANK.fullmatch(text):
        return "there is no name in it"
    if _HUGE.match(text) or (text[:1].isdigit() and not text[:1].isdecimal()):
        return "it begins with what is no number of cards"
    if _ADDRESS.search(text):
        return "it is an address; no page is fetched, export the deck there"
    if _SIGNS_OF_NO_NAME.search(text):
        return "it holds signs that no name has"
    if in_small_letters or (counted and text[:1].isupper() and text[-1:] != "."):
        return ""
    words = re.findall(r"[^\W\d_][\w'’-]*", text)
    small = sum(1 for word in words if word.islower() and word not in _SMALL_WORDS)
    return "it reads like a sentence, and no card is called so" if small >= _SMALL_IN_PROSE else ""


class Unread(NamedTuple):
    """A line that was not understood: its number (0 where there are no lines), what stands there, and why not."""

    line: int
    text: str
    reason: str


@dataclass
class Draft:
    """A deck while it is read.

    Attributes:
        form: The kind of list, in words.
        name: Name of the deck.
        sections: Section to names to numbers of cards.
        unread: What was not understood.
        comments: What is no card and needs none: comments, headings, notes.
    """

    form: str
    name: str = ""
    sections: dict[str, dict[str, int]] = field(default_factory=dict)
    unread: list[Unread] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    total: int = 0

    def add(self, section: str, name: str, count: int, line: int, text: str) -> None:
        """Note cards; a number that is none is noted as not understood."""
        if count < 1:
            self.skip(line, text, "the number of cards is not one or more")
            return
        if _UNSEEN.search(name):
            self.skip(line, text, "the name holds a line end or a sign that nobody sees")
            return
        self.total += count
        if self.total > MOST_CARDS:
            raise TooMany(f"line {line}: the list has more than {MOST_CARDS:,} cards.", "Correct the number of cards.")
        cards = self.sections.setdefault(section, {})
        cards[name] = cards.get(name, 0) + count

    def skip(self, line: int, text: str, reason: str) -> None:
        """Note a line that is not understood."""
        self.unread.append(Unread(line, _UNSEEN.sub("\ufffd", text.strip()), reason))


def with_cards(drafts: Iterable[Draft], source: Source) -> tuple[Draft, ...]:
    """Keep the drafts that hold cards, and refuse a list that holds none."""
    every = list(drafts)
    found = tuple(draft for draft in every if draft.total)
    if found:
        return found
    for draft in every:
        for line, text, reason in draft.unread:
            raise source.bad(f"there is no card in this list: {reason}: {text[:80]!r}.", line or None)
    raise source.bad("there is no card in this list.", instead="Write a card a line, such as 4 Hedron Crab.")
