"""Text lists of every program: Arena, MTGO, Moxfield, Archidekt, ManaBox, .dec, .mwDeck, .dck, plain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rulekit.cards.deck_draft import SECTION_WORDS, Draft, heading
from rulekit.cards.deck_names import Line, read_line
from rulekit.cards.deck_source import Source
from rulekit.cards.pool import CardPool

LONGEST_LINE = 400
"""Characters of a line; the longest name has some 140."""

_COMMENT = re.compile(r"(?://+|#+)\s*(.*)")
_BULLET = re.compile(r"\A[-*•·+]\s+(?=\S)")
_BRACKET_HEADING = re.compile(r"\[([A-Za-z][A-Za-z _]*)\]")
_OF_XMAGE = re.compile(r"(NAME|AUTHOR|LAYOUT [A-Z]+)\s*:\s*(.*)")
_FACT = re.compile(
    r"(name|title|deck|deck name|format|author|creator|player|event|date|source|description|url|game|archetype|colors?"
    r"|tags?|notes?|commander tax|total|price)\s*[:=]\s*(.*)",
    re.IGNORECASE,
)
_NAMES = ("name", "title", "deck", "deck name")
_TOTAL = re.compile(
    r"(?:other\s+|non-?\s?creature\s+|non-?\s?basic\s+|basic\s+|legendary\s+)*"
    r"(?:cards?|creatures?|lands?|instants?|sorcer(?:y|ies)|artifacts?|enchantments?|planeswalkers?|battles?|spells?"
    r"|equipments?|auras?|others?|tribal|kindred|vehicles?)(?:\s*[&,/+]\s*\w+|\s+and\s+\w+|\s+spells?)*",
    re.IGNORECASE,
)
_WITH_TOTAL = re.compile(r"\D.*?\s*[(\[]\s*\d+\s*(?:cards?)?\s*[)\]]:?", re.IGNORECASE)
_RULE = re.compile(r"[\W_]*")
_SENTENCE = re.compile(r"(?:\S+\s+){7,}.*[.!?:]|https?://\S+.*")
_HEADS_COMMENT = re.compile(r"(?:\d+\s+)?([^\W\d][^\W\d ]*(?: [^\W\d]+)?)(?:\s*[-–—/|(\[].*|\s+\d+.*|\s*:)?")
_NOT_IN_COMMENTS = ("maybe", "general", "tokens", "token", "side", "avatar", "plane", "planes")

FRONT = ("commander", "companion", "about")
"""Sections that a list has in front of the deck itself; a blank line ends them."""


@dataclass
class _Block:
    """What stands under one heading.

    Attributes:
        section: The section that the heading names, "about" for facts about the deck, empty if there was no heading.
        groups: Cards that stand together without a blank line: line number, text, what was read.
        divided: For each group after the first, whether nothing but a blank line parts it from the one before.
    """

    section: str = ""
    groups: list[list[tuple[int, str, Line]]] = field(default_factory=lambda: [[]])
    divided: list[bool] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def has_cards(self) -> bool:
        """Say whether anything was read here."""
        return any(self.groups)


class _Reader:
    """Goes through a text list line by line and sorts it into blocks."""

    def __init__(self, source: Source, pool: CardPool) -> None:
        self.source = source
        self.pool = pool
        self.blocks = [_Block()]
        self.draft = Draft("text list")
        self.blank = False
        self.forge_facts = False
        lines = [(at, text.strip()) for at, text in enumerate(source.lines, 1)]
        self.read = {
            at: read_line(_BULLET.sub("", text), pool)
            for at, text in lines
            if text and len(text) <= LONGEST_LINE and not _COMMENT.match(text)
        }
        counted = sum(line.count is not None for line in self.read.values())
        self.numbered = counted * 2 > len(self.read)
        self.nearly_all_numbered = counted * 5 >= len(self.read) * 4
        self.lines = lines

    def run(self) -> list[_Block]:
        """Sort every line."""
        for at, text in self.lines:
            if not text:
                self.after_blank()
            elif len(text) > LONGEST_LINE and not _OF_XMAGE.match(text):
                self.draft.skip(at, text[:LONGEST_LINE], f"it is longer than {LONGEST_LINE} characters")
            elif not self.heading_or_fact(at, text):
                self.card(at, text)
                self.blank = False
        return self.blocks

    @property
    def block(self) -> _Block:
        """The block under the last heading."""
        return self.blocks[-1]

    def open(self, section: str) -> None:
        """Begin a block."""
        self.blocks.append(_Block(section))
        self.blank = False

    def after_blank(self) -> None:
        """Take note of a blank line."""
        self.blank = True
        if self.block.section in FRONT and (self.block.has_cards() or self.block.names):
            self.open("")

    def part(self, *, divided: bool) -> None:
        """Begin a group inside the block."""
        if self.block.groups[-1]:
            self.block.groups.append([])
            self.block.divided.append(divided)

    def heading_or_fact(self, at: int, text: str) -> bool:
        """Take a line that is no card: a heading, a fact about the deck, a comment; say whether it was one."""
        if bracket := _BRACKET_HEADING.fullmatch(text):
            word = bracket[1].strip().casefold()
            self.forge_facts = word not in SECTION_WORDS
            self.open(SECTION_WORDS.get(word, "about"))
            return True
        if self.forge_facts:
            self.fact(*text.partition("=")[::2])
            return True
        if comment := _COMMENT.match(text):
            self.comment(comment[1].strip())
            return True
        if xmage := _OF_XMAGE.fullmatch(text):
            self.fact(xmage[1], xmage[2])
            return True
        word = heading(text)
        if word == "about" and text.casefold().startswith("about") and not self.read[at].known:
            self.open("about")
            return True
        if word in SECTION_WORDS and not self.read[at].known:
            self.open(SECTION_WORDS[word])
            return True
        return self.fact_line(at, text)

    def fact_line(self, at: int, text: str) -> bool:
        """Take a line such as `Name Izzet Test` under About, or `Format: Modern` in front of the cards."""
        if self.block.section == "about" and text.casefold().startswith("name "):
            self.fact("name", text[5:])
            return True
        found = _FACT.fullmatch(text)
        if found and not self.read[at].known and not any(block.has_cards() for block in self.blocks):
            self.fact(found[1], found[2])
            return True
        return False

    def fact(self, key: str, value: str) -> None:
        """Note a fact about the deck; a second name begins a second deck."""
        value = value.strip()
        if key.strip().casefold() in _NAMES and value:
            if self.block.has_cards():
                self.open("about")
            self.block.names.append(value)
        else:
            self.draft.comments.append(f"{key.strip()}: {value}" if value else key.strip())

    def comment(self, text: str) -> None:
        """Take a comment; it can head a section or a group, and can hold the name."""
        found = re.fullmatch(r"(?:deck )?name\s*:\s*(.+)", text, re.IGNORECASE)
        if found:
            self.fact("name", found[1].removesuffix(" from deckstats.net"))
            return
        head = _HEADS_COMMENT.fullmatch(text)
        word = head[1].casefold() if head else ""
        for candidate in (word, word.partition(" ")[0]):
            whole = candidate == word or re.fullmatch(r"\w+\s*[-–—/|(\[:\d].*|\w+", text)
            if candidate in SECTION_WORDS and candidate not in _NOT_IN_COMMENTS and whole:
                self.open(SECTION_WORDS[candidate])
                return
        self.draft.comments.append(text)
        self.group()

    def group(self) -> None:
        """Begin a group of the builder's own: it ends the commander, and stays in a sideboard."""
        if self.block.section in FRONT and self.block.has_cards():
            self.open("")
        self.part(divided=False)
        self.blank = False

    def card(self, at: int, text: str) -> None:
        """Take a line that is a card, unless it is the title, heads a group or is prose."""
        line = self.read[at]
        if self.heads_group(text, line):
            self.draft.comments.append(text)
            self.group()
        elif self.is_title(at, line):
            self.block.names.append(text)
        elif reason := self.why_not(at, text, line):
            self.draft.skip(at, text, reason)
        else:
            if self.blank:
                self.part(divided=True)
            self.block.groups[-1].append((at, text, line))

    def heads_group(self, text: str, line: Line) -> bool:
        """Say whether a line heads a group: `Creatures (12)`, `24 Lands`, `Removal:`."""
        if line.known:
            return False
        plain = text.strip(" \t:=-*_")
        if not line.name or _RULE.fullmatch(line.name):
            return not line.name.isascii() or _RULE.fullmatch(text) is not None
        if line.count is None:
            return bool(_TOTAL.fullmatch(heading(text)) or _WITH_TOTAL.fullmatch(text) or text.endswith(":"))
        return _TOTAL.fullmatch(re.sub(r"^\d+\s*", "", plain)) is not None and plain.casefold().endswith("s")

    def is_title(self, at: int, line: Line) -> bool:
        """Say whether a line is the title: the first one, without a number, no card, above a list with numbers."""
        if line.known or line.count is not None or not self.numbered or any(b.has_cards() for b in self.blocks):
            return False
        others = [each for number, each in self.read.items() if number > at]
        alone = at < len(self.lines) and not self.lines[at][1]
        return bool(others) and not self.block.names and (alone or all(self.is_counted(each) for each in others))

    def is_counted(self, line: Line) -> bool:
        """Say whether a line has a number, or is a heading or a known card, which need none."""
        return line.count is not None or line.known or heading(line.name) in SECTION_WORDS

    def why_not(self, at: int, text: str, line: Line) -> str:
        """Say why a line is no card, empty if it may be one."""
        if not line.name:
            return "there is a number and no name"
        if line.known or line.section:
            return ""
        if not any(sign.isalnum() for sign in line.name):
            return "there is no name in it"
        if line.count is None and _SENTENCE.fullmatch(text):
            return "it reads like a sentence, and no card is called so"
        following = next((each for number, each in self.read.items() if number > at), None)
        lone = line.count is None and self.nearly_all_numbered and (self.blank or not self.block.groups[-1])
        if lone and following is not None and following.count is not None:
            return "it has no number and no card is called so; it was taken for a heading"
        return ""


def read_text(source: Source, pool: CardPool) -> list[Draft]:
    """Read a text list, or several one below the other.

    Args:
        source: The list.
        pool: Where names are looked up.

    Returns:
        One draft for each deck.
    """
    reader = _Reader(source, pool)
    decks = list(_decks(reader.run()))
    drafts = []
    for at, blocks in enumerate(decks):
        draft = reader.draft if at == 0 else Draft(reader.draft.form)
        draft.name = next((name for block in blocks for name in block.names), "")
        _fill(draft, blocks)
        drafts.append(draft)
    return drafts


def _decks(blocks: list[_Block]) -> Iterator[list[_Block]]:
    """Part the blocks of several decks: a second name, or a second main deck under a heading, begins another one."""
    deck: list[_Block] = []
    for block in blocks:
        full = any(each.section in ("", "main") and each.has_cards() for each in deck)
        again = block.section == "main" and any(each.section == "main" and each.has_cards() for each in deck)
        if again:
            front = len(deck)
            while front and (deck[front - 1].section in FRONT or not deck[front - 1].has_cards()):
                front -= 1
            yield deck[:front]
            deck = deck[front:]
        elif block.section == "about" and full:
            yield deck
            deck = []
        deck.append(block)
    yield deck


def _fill(draft: Draft, blocks: list[_Block]) -> None:
    """Put the cards of one deck into their sections."""
    sides = [line.section for block in blocks for group in block.groups for _, _, line in group]
    headed = {block.section for block in blocks}
    parted = "sideboard" not in headed and "maybeboard" not in headed and "sideboard" not in sides
    main = [block for block in blocks if block.section in ("", "main", "about") and block.has_cards()]
    groups = [group for block in main for group in block.groups if group]
    only_blank = len(main) == 1 and main[0].divided == [True]
    second = groups[1] if parted and only_blank and len(groups) == 2 else []
    if sum(_count(line) for _, _, line in second) > sum(_count(line) for _, _, line in groups[0] if second):
        second = []
    for block in blocks:
        for group in block.groups:
            section = "sideboard" if group is second and second else block.section
            section = "main" if section in ("", "about") else section
            for at, text, line in group:
                where = "tokens" if line.token else line.section or section
                draft.add(where, line.name, _count(line), at, text)


def _count(line: Line) -> int:
    """Give the number of cards of a line; no number means one."""
    return 1 if line.count is None else line.count
