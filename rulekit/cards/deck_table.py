"""Deck lists and collections as tables: CSV of every program, and columns of spreadsheets."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rulekit.cards.deck_draft import ALSO_CARDS, KINDS, SECTION_WORDS, UNKNOWN_SECTION, Draft, heading
from rulekit.cards.deck_names import Line, named, read_line, section_of_categories
from rulekit.cards.deck_source import Source
from rulekit.cards.pool import CardPool

LONGEST_HEADER = 5_000
"""Characters of the line that names the columns."""

_NAME = re.findall(
    r"[^,\s][^,]*",
    "name, card name, card, card_name, cardname, title, simple name, karte, kartenname, nom, nom de la carte, carte, "
    "nome, nome carta, carta, カード名, カード, 卡名, 牌名, название, nombre",
)
_COUNT = re.findall(
    r"[^,\s][^,]*",
    "quantity, count, qty, amount, copies, number, quantity owned, reg qty, card count, quantityx, quantity x, #, "
    "anzahl, menge, quantité, quantite, qté, cantidad, quantità, quantita, quantidade, qtd, 数量, 枚数, количество, "
    "nombre",
)
_SECTION = ("board", "section", "zone", "deck section", "main/sideboard")
_PLACES = ("location",)
_CATEGORIES = ("categories", "category")
_OTHERS = ("set", "edition", "set code", "foil", "collector number", "rarity", "set name", "finish", "type", "language")
_MARKS = {
    "sideboarded": "sideboard",
    "is sideboard": "sideboard",
    "is commander": "commander",
    "iscommander": "commander",
    **{section: section for section in ("sideboard", "maybeboard", "commander", "companion")},
}
_BOARDS = {**SECTION_WORDS, "acquire": "maybeboard"}
_DELIMITERS = ",;\t|"
_YES = ("yes", "true", "1", "y", "x", "ja", "oui", "sí", "si")
_NUMBER = re.compile(r"[xX×]?\s*(\d{1,9})(?:[.,]0+)?\s*[xX×]?")
_SEPARATOR = re.compile(r"\"?sep=.?\"?")
_RULER = re.compile(r"[\s:=+|-]*")


@dataclass(frozen=True)
class _Header:
    """The line that names the columns: its number, what parts them, their names in small letters."""

    line: int
    delimiter: str
    columns: tuple[str, ...]


def _header(source: Source) -> _Header | None:
    """Give the header, None if the text is no table."""
    for at, line in enumerate(source.lines[:5], 1):
        if len(line) > LONGEST_HEADER:
            return None
        if not line.strip() or _SEPARATOR.fullmatch(line.strip()):
            continue
        if line.strip().strip('"').casefold() in ("name", "card name", "card_name"):
            return _Header(at, ",", ("name",))
        for delimiter in _DELIMITERS:
            columns = [cell.strip().casefold() for cell in next(csv.reader([line], delimiter=delimiter), [])]
            table = _Table(columns)
            known = [cell for cell in columns if cell in _OTHERS]
            if len(columns) > 1 and table.name is not None and (known or table.says_more):
                return _Header(at, delimiter, tuple(columns))
        if re.match(r"\W*\d", line) or line.strip()[:1] in "<{[#/":
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
        self.count = _column(["" if at == self.name else column for at, column in enumerate(columns)], _COUNT)
        self.section = _column(columns, _SECTION)
        self.place = _column(columns, _PLACES)
        self.categories = _column(columns, _CATEGORIES)
        self.marks = {at: _MARKS[column] for at, column in enumerate(columns) if column in _MARKS}
        words = [re.sub(r"\s+(?:qty|quantity|count|copies)$", "", column) for column in columns]
        self.counts = {at: SECTION_WORDS[word] for at, word in enumerate(words) if word in SECTION_WORDS}

    @property
    def says_more(self) -> bool:
        """Whether a column says how many cards there are or where they stand."""
        places = (self.count, self.section, self.place, self.categories)
        return bool(self.marks or self.counts) or any(place is not None for place in places)

    def cell(self, row: Sequence[str], column: int | None) -> str:
        """Give a cell, empty where the row is too short or the column is not there."""
        return row[column].strip() if column is not None and column < len(row) else ""

    def counted_by_section(self, rows: Sequence[Sequence[str]]) -> bool:
        """Say whether there is a column with numbers of cards for each section: `Name, Main, Sideboard`."""
        cells = [self.cell(row, at) for row in rows for at in self.counts]
        return self.count is None and any(cells) and all(re.fullmatch(r"\d{0,4}", cell) for cell in cells)

    def section_of(self, row: Sequence[str]) -> str:
        """Give the section that a row names, empty if it names none; what is no section is given as it is."""
        marked = next((section for at, section in self.marks.items() if self.cell(row, at).casefold() in _YES), "")
        word = self.cell(row, self.section)
        placed = _BOARDS.get(word.casefold()) or SECTION_WORDS.get(self.cell(row, self.place).casefold(), "")
        categories = self.cell(row, self.categories)
        section = placed if placed != "main" else ""
        return marked or section or section_of_categories(re.split(r"[,;|]", categories)) or placed

    def unknown_section(self, row: Sequence[str]) -> str:
        """Give the section of a row if it is none that anybody knows; a kind of cards is a part of the deck."""
        word = self.cell(row, self.section)
        return "" if not word or word.casefold() in _BOARDS or KINDS.fullmatch(word) else word


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
    header = _header(source) or _Header(0, ",", ())
    above = [line.strip(" ,;\t|") for line in source.lines[: header.line - 1] if line.strip()]
    table = _Table(header.columns)
    draft = Draft("table (CSV)", comments=[line for line in above if not _SEPARATOR.fullmatch(line)])
    rows = _rows(source, header)
    if "sideboarded" in header.columns and len({tuple(row) for _, row in rows}) < len(rows):
        table.marks.clear()
    by_section = table.counted_by_section([row for _, row in rows])
    reader = _Rows(table, draft, pool)
    for at, row in rows:
        if not reader.holds_a_card(at, row):
            continue
        if len(header.columns) == 1:
            reader.add(at, row, read_line(row[0], pool), "")
        else:
            for number, where in _numbers(table, row, by_section=by_section):
                if found := _NUMBER.fullmatch(number):
                    line = named(table.cell(row, table.name), pool, int(found[1]))
                    reader.add(at, row, line, where)
                else:
                    draft.skip(at, header.delimiter.join(row), f"{number!r} is no number of cards")
    return [draft]


class _Rows:
    """Takes the rows of a table one by one."""

    def __init__(self, table: _Table, draft: Draft, pool: CardPool) -> None:
        self.table = table
        self.draft = draft
        self.pool = pool
        self.told: set[str] = set()
        self.under = "main"

    def holds_a_card(self, at: int, row: Sequence[str]) -> bool:
        """Say whether a row holds a card; take note of a heading, of a total, of a section that nobody knows."""
        text = ",".join(row)
        name = self.table.cell(row, self.table.name)
        word = heading(name) if name and name not in self.pool else ""
        if not name or "\n" in name:
            self.draft.skip(at, text, "a name goes over several lines" if name else "the row has no name")
        elif word in SECTION_WORDS and word not in ALSO_CARDS and not self.table.cell(row, self.table.count):
            self.under = SECTION_WORDS[word]
        elif word == "total":
            self.draft.comments.append(text)
        else:
            section = self.table.unknown_section(row)
            if section and section not in self.told:
                self.told.add(section)
                self.draft.skip(at, section, UNKNOWN_SECTION)
            return True
        return False

    def add(self, at: int, row: Sequence[str], line: Line, where: str) -> None:
        """Note a card; a token is no card of the deck."""
        section = "tokens" if line.token else where or line.section or self.under
        self.draft.add(section, line.name, 1 if line.count is None else line.count, at, ",".join(row))


def _rows(source: Source, header: _Header) -> list[tuple[int, list[str]]]:
    """Give the rows that hold something, with the lines in which they begin."""
    reader = csv.reader((f"{line}\n" for line in source.lines[header.line :]), delimiter=header.delimiter)
    rows = []
    start = header.line + 1
    try:
        for row in reader:
            rows.append((start, row))
            start = header.line + reader.line_num + 1
    except csv.Error as error:
        raise source.bad(f"this table cannot be read: {error}.", header.line + reader.line_num) from None
    if len(header.columns) == 1:
        rows = [(at, [",".join(row)]) for at, row in rows]
    return [(at, row) for at, row in rows if not _RULER.fullmatch("".join(row))]


def _numbers(table: _Table, row: Sequence[str], *, by_section: bool) -> Iterator[tuple[str, str]]:
    """Give the numbers of cards in a row and the section of each."""
    if not by_section:
        yield table.cell(row, table.count) or "1", table.section_of(row)
        return
    numbers = [(table.cell(row, at) or "0", section) for at, section in table.counts.items()]
    filled = [(number, section) for number, section in numbers if int(number)]
    yield from filled or numbers[:1]
