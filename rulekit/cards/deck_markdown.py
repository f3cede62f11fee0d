"""Deck lists kept as notes in Markdown: headings are sections, items of lists are cards."""

from __future__ import annotations

import re

from rulekit.cards.deck_draft import SECTION_WORDS, Draft, heading, why_no_name
from rulekit.cards.deck_names import Line, no_cards, read_line
from rulekit.cards.deck_source import Source
from rulekit.cards.pool import CardPool

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
_ITEM = re.compile(r"(?:(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?|\[[ xX]\]\s+)(.*)")
_QUOTE = re.compile(r"\A(?:\s*>)+")
_ROW = re.compile(r"\|(.*?)\|?")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_SIGNS = re.compile(r"\*\*|(?<!_)__(?!_)|`|~~")
_IN_SLANTED = re.compile(r"\A\*([^*]+)\*")
_COUNTED = re.compile(r".*[(\[]\s*\d+\s*(?:cards?)?\s*[)\]]\s*")
_NOTES = re.compile(
    r"(notes?|strategy|strategies|(key )?combos?|(key )?synerg(y|ies)|win conditions?|overview|about|changelog|changes"
    r"|history|guide|how to play|game ?plan|primer|description|matchups?|to ?do|links?|sources?|upgrades?|cuts?|budget"
    r"|log|rules|sideboard guide|sideboarding|tips|summary|stats|statistics|mana curve|wish ?list|removed|acquisitions?"
    r"|other acquisitions|to buy|out|in|swaps?|alternatives|bracket|power level|conventions|legend)\b.*",
    re.IGNORECASE,
)
_NAME_COLUMNS = ("card", "name", "card name")
_COUNT_COLUMNS = ("quantity", "count", "qty", "amount", "copies", "number", "#", "x")
_FEW = 3


def is_markdown(source: Source) -> bool:
    """Say whether a list is Markdown: it has headings, and its cards are items, or it has headings below the first."""
    lines = [line.strip() for line in source.lines if line.strip()]
    headings = [found for line in lines if (found := _HEADING.fullmatch(line))]
    items = sum(1 for line in lines if _ITEM.fullmatch(line) or _ROW.fullmatch(line))
    deeper = sum(1 for found in headings if len(found[1]) > 1)
    return bool(headings) and (deeper > 0 or items * 2 > len(lines) - len(headings))


class _Notes:
    """Goes through a Markdown file heading by heading."""

    def __init__(self, source: Source, pool: CardPool) -> None:
        self.pool = pool
        self.drafts = [Draft("Markdown")]
        lines = ((at, _QUOTE.sub("", line).strip()) for at, line in enumerate(source.lines, 1))
        self.lines = [(at, line) for at, line in lines if line]
        heads = [(len(found[1]), found[2]) for _, line in self.lines if (found := _HEADING.fullmatch(line))]
        self.titled = any(level > 1 for level, _ in heads) or len(heads) == 1
        self.counted = sum(_COUNTED.fullmatch(text) is not None for _, text in heads) >= _FEW
        self.no_cards = no_cards(self.lines, pool)
        self.section = "main"
        self.level = 0
        self.notes_below = 0
        self.columns: list[str] = []

    @property
    def draft(self) -> Draft:
        """The deck that is being read."""
        return self.drafts[-1]

    @property
    def in_notes(self) -> bool:
        """Whether what stands here is no part of the deck."""
        return self.notes_below > 0

    def head(self, level: int, text: str) -> None:
        """Take a heading: of a deck, of a section, of a group, of notes."""
        self.draft.comments.append(text)
        self.columns = []
        if self.in_notes and level > self.notes_below:
            return
        self.notes_below = 0
        word = heading(text)
        section = SECTION_WORDS.get(word) or SECTION_WORDS.get(re.split(r"\s*[-–—/|(:]", word)[0].strip(), "")
        if section:
            self.section, self.level = section, level
        elif level == 1 and self.titled:
            if self.draft.total:
                self.drafts.append(Draft(self.draft.form))
            self.draft.name = self.draft.name or text
            self.section, self.level = "main", 0
        elif _NOTES.fullmatch(word) or (self.counted and not _COUNTED.fullmatch(text)):
            self.notes_below = level
        elif level <= self.level:
            self.section, self.level = "main", 0

    def item(self, at: int, text: str, *, listed: bool) -> None:
        """Take an item of a list, or a line that stands alone."""
        text = _IN_SLANTED.sub(r"\1", _SIGNS.sub("", _LINK.sub(r"\1", text)).strip())
        line = read_line(text, self.pool, behind=listed and text.endswith((")", "]")))
        if at in self.no_cards and not self.in_notes:
            self.draft.unread.append(self.no_cards[at])
        elif self.in_notes or not (listed or line.known or (line.count is not None and line.name)):
            self.draft.comments.append(text)
        elif line.known or not (reason := _why_not(text, line)):
            where = "tokens" if line.token else line.section or self.section
            self.draft.add(where, line.name, 1 if line.count is None else line.count, at, text)
        else:
            self.draft.skip(at, text, reason)

    def row(self, at: int, text: str) -> None:
        """Take a row of a table; one with a column for the number and one for the name holds cards."""
        cells = [cell.strip() for cell in text.split("|")]
        words = [cell.casefold() for cell in cells]
        if not self.columns:
            self.columns = words
            return
        name = next((self.columns.index(word) for word in _NAME_COLUMNS if word in self.columns), None)
        count = next((self.columns.index(word) for word in _COUNT_COLUMNS if word in self.columns), None)
        ruler = all(re.fullmatch(r":?-*:?", cell) for cell in cells)
        if name is None or count is None or ruler or max(name, count) >= len(cells):
            if not ruler:
                self.draft.comments.append(text)
        else:
            self.item(at, f"{cells[count]} {cells[name]}", listed=True)


def _why_not(text: str, line: Line) -> str:
    """Say why an item is no card, empty if it may be one."""
    return why_no_name(text) if line.count is None else why_no_name(line.name, counted=True)


def read_markdown(source: Source, pool: CardPool) -> list[Draft]:
    """Read a Markdown file; what stands under headings such as Notes, and what is no list, is a comment.

    Args:
        source: The file.
        pool: Where names are looked up.

    Returns:
        One draft for each deck; a second heading of the first level begins a second deck. Where the groups of the deck
        carry their number of cards, a group without one is no part of the deck.
    """
    notes = _Notes(source, pool)
    for at, text in notes.lines:
        if found := _HEADING.fullmatch(text):
            notes.head(len(found[1]), found[2])
        elif found := _ITEM.fullmatch(text):
            notes.item(at, found[1], listed=True)
        elif found := _ROW.fullmatch(text):
            notes.row(at, found[1])
        else:
            notes.item(at, text, listed=False)
    return notes.drafts
