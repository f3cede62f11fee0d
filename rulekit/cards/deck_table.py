"""Deck lists and collections as tables: CSV of Moxfield, Archidekt, Deckbox, ManaBox, MTGGoldfish, Magic Online."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from rulekit.cards.deck_draft import SECTION_WORDS, Draft
from rulekit.cards.deck_names import Line, named, section_of_categories
from rulekit.cards.deck_source import Source
from rulekit.cards.pool import CardPool

LONGEST_HEADER = 5_000
"""Characters of the line that names the columns."""

_NAME = ("name", "card name", "card", "card_name", "cardname", "title", "simple name")
_COUNT = ("quantity", "count", "qty", "amount", "copies", "number", "quantity owned", "reg qty", "card count")
_SECTION = ("board", "section", "zone", "deck section", "main/sideboard", "location", "sideboarded", "sideboard")
_CATEGORIES = ("categories", "category")
_OTHERS = ("set", "edition", "set code", "foil", "collector number", "rarity", "set name", "finish", "type", "language")
_DELIMITERS = ",;\t|"
_YES = ("yes", "true", "1", "y", "x")


def _header(source: Source) -> tuple[int, str, list[str]] | None:
    """Give the line of the header, the delimiter and the names of the columns, None if the text is no table."""
    for at, line in enumerate(source.lines[:5], 1):
        if len(line) > LONGEST_HEADER:
            return None
        if not line.strip() or re.fullmatch(r"\"?sep=.\"?", line.strip()):
            continue
        for delimiter in _DELIMITERS:
            columns = [cell.strip().casefold() for cell in next(csv.reader([line], delimiter=delimiter), [])]
            known = [cell for cell in columns if cell in (*_COUNT, *_SECTION, *_CATEGORIES, *_OTHERS)]
            if len(columns) > 1 and known and _column(columns, _NAME) is not None:
                return at, delimiter, columns
        return None
    return None


def is_table(source: Source) -> bool:
    """Say whether a text is a table with a header."""
    return _header(source) is not None


def _column(columns: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Give the place of the first wanted column that there is."""
    return next((columns.index(name) for name in wanted if name in columns), None)


class _Table:
    """The columns of a table that say something about a deck."""

    def __init__(self, columns: Sequence[str]) -> None:
        self.name = _column(columns, _NAME)
        self.count = _column(columns, _COUNT)
        self.section = _column(columns, _SECTION)
        self.categories = _column(columns, _CATEGORIES)
        self.yes_or_no = self.section is not None and columns[self.section].startswith("sideboard")

    def cell(self, row: Sequence[str], column: int | None) -> str:
        """Give a cell, empty where the row is too short or the column is not there."""
        return row[column].strip() if column is not None and column < len(row) else ""

    def section_of(self, row: Sequence[str]) -> str:
        """Give the section that a row names, empty if it names none."""
        word = self.cell(row, self.section).casefold()
        if self.yes_or_no:
            return "sideboard" if word in _YES else ""
        categories = self.cell(row, self.categories)
        return SECTION_WORDS.get(word) or section_of_categories(re.split(r"[,;|]", categories))


def read_table(source: Source, pool: CardPool) -> list[Draft]:
    """Read a table: one row for each printing, one column for the number and one for the name.

    In an export of a deck from Magic Online a printing has one row for each board. Where the same row stands there
    again and again the table is a collection, and its column Sideboarded says nothing about a deck.

    Args:
        source: The table.
        pool: Where names are looked up.

    Returns:
        One draft.

    Raises:
        BadData: A field never ends.
    """
    start, delimiter, columns = _header(source) or (0, ",", [])
    table = _Table(columns)
    draft = Draft("table (CSV)")
    reader = csv.reader((f"{line}\n" for line in source.lines[start:]), delimiter=delimiter)
    try:
        rows = [(start + reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise source.bad(f"this table cannot be read: {error}.", start + reader.line_num) from None
    collection = table.yes_or_no and len({tuple(row) for _, row in rows}) < len(rows)
    for at, row in rows:
        text = delimiter.join(row)
        name, number = table.cell(row, table.name), table.cell(row, table.count) or "1"
        if all(re.fullmatch(r"\s*:?-*:?\s*", cell) for cell in row):
            continue
        if not name:
            draft.skip(at, text, "the row has no name")
        elif not re.fullmatch(r"\d{1,9}(?:\.0+)?\s*[xX]?", number):
            draft.skip(at, text, f"{number!r} is no number of cards")
        else:
            line = named(name, pool, int(re.split(r"\D", number)[0]))
            where = "" if collection else table.section_of(row)
            draft.add(_section(line, where), line.name, line.count or 0, at, text)
    return [draft]


def _section(line: Line, where: str) -> str:
    """Give the section of a row: tokens are no cards of a deck."""
    return "tokens" if line.token else where or line.section or "main"
