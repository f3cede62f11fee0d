"""Deck lists kept as notes in Markdown: headings are sections, items of lists are cards."""

from __future__ import annotations

import re

from rulekit.cards.deck_draft import SECTION_WORDS, Draft, heading
from rulekit.cards.deck_names import Line, read_line
from rulekit.cards.deck_source import Source
from rulekit.cards.pool import CardPool

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*")
_ITEM = re.compile(r"(?:[-*+•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(.*)")
_BEHIND = re.compile(r"(.*\S)\s+(?:[x×]\s?(\d{1,4})|(\d{1,4})[x×]|[(\[][x×]?(\d{1,4})[x×]?[)\]])", re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_SIGNS = re.compile(r"\*\*|__|`|~~")
_PROSE = re.compile(r"(?:\S+\s+){6,}\S+.*|.*[.!?]|.*\s[=+→]\s.*|\*\*.*\*\*.*|.*—.*")
_NOTES = re.compile(
    r"(notes?|strategy|strategies|combos?|synerg(y|ies)|win conditions?|overview|about|changelog|changes|history|guide"
    r"|how to play|game ?plan|primer|description|matchups?|to ?do|links?|sources?|upgrades?|cuts?|budget|log|rules"
    r"|sideboard guide|sideboarding|tips|summary|stats|statistics|mana curve|key synergies)\b.*",
    re.IGNORECASE,
)


def is_markdown(source: Source) -> bool:
    """Say whether a list is Markdown: it has headings, and its cards are items, or it has headings of two levels."""
    lines = [line.strip() for line in source.lines if line.strip()]
    headings = [found for line in lines if (found := _HEADING.fullmatch(line))]
    items = sum(1 for line in lines if _ITEM.fullmatch(line))
    deeper = sum(1 for found in headings if len(found[1]) > 1)
    return bool(headings) and (deeper > 0 or items * 2 > len(lines) - len(headings))


class _Notes:
    """Goes through a Markdown file heading by heading."""

    def __init__(self, source: Source, pool: CardPool) -> None:
        self.pool = pool
        self.drafts = [Draft("Markdown")]
        self.lines = [(at, line.strip()) for at, line in enumerate(source.lines, 1) if line.strip()]
        levels = [found for _, line in self.lines if (found := _HEADING.fullmatch(line))]
        titles = [found for found in levels if len(found[1]) == 1 and heading(found[2]) not in SECTION_WORDS]
        self.titled = len(titles) < len(levels)
        self.section = "main"
        self.level = 0
        self.notes = False

    @property
    def draft(self) -> Draft:
        """The deck that is being read."""
        return self.drafts[-1]

    def head(self, level: int, text: str) -> None:
        """Take a heading: of a deck, of a section, of a group, of notes."""
        word = heading(text)
        section = SECTION_WORDS.get(word) or SECTION_WORDS.get(re.split(r"\s*[-–—/|(:]", word)[0], "")
        self.notes = not section and _NOTES.fullmatch(word) is not None
        if section:
            self.section, self.level = section, level
        elif level == 1 and self.titled and not self.notes:
            if self.draft.total:
                self.drafts.append(Draft(self.draft.form))
            self.draft.name = self.draft.name or text
            self.section, self.level = "main", 0
        elif level <= self.level:
            self.section, self.level = "main", 0
        self.draft.comments.append(text)

    def item(self, at: int, text: str, *, listed: bool) -> None:
        """Take an item of a list, or a line that stands alone."""
        plain = _SIGNS.sub("", _LINK.sub(r"\1", text)).strip()
        line = self.card(plain)
        if line.known or (line.count is not None and line.name and not self.notes):
            if self.notes and line.count is None:
                self.draft.comments.append(text)
            else:
                self.add(at, text, line)
        elif self.notes or not listed:
            self.draft.comments.append(text)
        elif not line.name or _PROSE.fullmatch(text):
            self.draft.skip(at, text, "it reads like a sentence, and no card is called so")
        else:
            self.add(at, text, line)

    def card(self, text: str) -> Line:
        """Read a card with its number in front or behind."""
        line = read_line(text, self.pool)
        behind = None if line.known else _BEHIND.fullmatch(text)
        if behind and line.count is None:
            inner = read_line(behind[1], self.pool)
            number = int(behind[2] or behind[3] or behind[4])
            return Line(number, inner.name, inner.known, inner.section, inner.token)
        return line

    def add(self, at: int, text: str, line: Line) -> None:
        """Note a card in the section under whose heading it stands."""
        where = "tokens" if line.token else line.section or self.section
        self.draft.add(where, line.name, 1 if line.count is None else line.count, at, text)


def read_markdown(source: Source, pool: CardPool) -> list[Draft]:
    """Read a Markdown file; what stands under headings such as Notes, and what is no list, is a comment.

    Args:
        source: The file.
        pool: Where names are looked up.

    Returns:
        One draft for each deck; a second heading of the first level begins a second deck.
    """
    notes = _Notes(source, pool)
    for at, text in notes.lines:
        if found := _HEADING.fullmatch(text):
            notes.head(len(found[1]), found[2])
        elif found := _ITEM.fullmatch(text):
            notes.item(at, found[1], listed=True)
        else:
            notes.item(at, text, listed=False)
    return notes.drafts
