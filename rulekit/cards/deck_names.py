"""One line of a deck list: the number of cards, the name, and what a program put around it."""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rulekit.cards.deck_draft import SECTION_WORDS, Unread, heading
from rulekit.cards.deck_numbers import changes, in_digits, odd_numbers, several_cards, unclear_places, unclear_signs
from rulekit.cards.pool import CardPool

_NUMBER = re.compile(
    r"(?:(-?\d{1,9})(?:\s*[xX×](?!,))?|[xX×]\s?(\d{1,4})|[(\[](\d{1,4})\s?[xX×]?[)\]])(?:,?\s+(?:[-–—]\s+)?|$)"
)
_NUMBER_BEHIND = re.compile(r"(.*\S)\s+(?:[xX×]\s?(\d{1,4})|(\d{1,4})[xX×])")
_NUMBER_AFTER_ALL = re.compile(
    r"(.*[^\s:,=*.…–-])(?:(?:\s*(?:[:,=*–-]|…|\.{2,}))?\s+|\s*(?:[:=]|…|\.{3,})\s*)(\d{1,2})"
)
_NUMBER_IN_BRACKETS = re.compile(r"(.*\S)\s*[(\[][xX×]?(\d{1,2})(?:[xX×]|\s+cop(?:y|ies))?[)\]]")
_ROW = re.compile(r"\"?\d{1,9}\"?[,;](?![\d\s]).+|[^\d\s,;][^,;]*[,;]\s*\d{1,4}")
_ENTITY = re.compile(r"&#?\w{1,10};")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_NAME_SIGNS = re.compile(r"\[\[([^\[\]|]+)(?:\|[^\[\]]*)?\]\]|《([^《》]+)》")  # as people mark a card in a text
_CALLED_X = re.compile(r"\d{1,9}(?:\s*[xX×])?\s+(X(?:\s*[(\[<{#*|$^€+].*)?)")  # X is the name of a card
_CALLED_TOKEN = re.compile(r".+ (?:Token|\(token\)|\[token\])")
_YEAR = re.compile(r"(?:19|20)\d\d\s+\S")
_INLINE = re.compile(r"([^\W\d][\w &()]{0,20}?)\s*[:=]\s*(\S.*)")
_QUOTED = re.compile(r"[\"'`“](\d+\s*[xX×]?\s.*\S)[\"'`”],?")
_QUOTES = ("'", '"', "`", "“")
_TWO_NAMES = re.compile(r"\s+(?:&|\+|and|/{1,2})\s+")
_TAG_SECTION = re.compile(r"#\s+!(\w+)\s*$")
_SIGNS = "☀-➿⬀-⯿\U0001f000-\U0001faff\ufe0f\u200d"
_SIGNS_IN_FRONT = re.compile(rf"\A[{_SIGNS}]+\s*(?=\d)")

_BEHIND = (
    ("#", re.compile(r"\s+#.*$")),  # a tag or a comment
    ("^", re.compile(r"\s*\^[^^]*\^$")),  # a label of Archidekt
    (">", re.compile(r"\s*<[^<>]*>$")),  # a cost of Deckstats, a number of MTGGoldfish
    ("}", re.compile(r"\s*(?:\{[^{}\s]{1,5}\}\s*)+$")),  # a mana cost
    ("*", re.compile(r"\s*\*[A-Za-z-]{1,12}\*$")),  # foil, etched, commander
    ("]", re.compile(r"\s*\[[^\[\]]*\]$")),  # categories, set, foil, token
    ("]", re.compile(r"\s*\[[A-Z0-9_]{2,6}\]\s+[\w-]*\d[\w★†-]*$")),  # set and number
    ("|", re.compile(r"\+?\s*\|.*$")),  # set, picture and foil of Forge, edition of Cockatrice
    ("+", re.compile(r"(?<=\w)\+$")),  # foil of Forge
    (")", re.compile(r"\s*\((?:[A-Z0-9_]{1,8}|[A-Za-z0-9_]{2,8}:\S{1,12}|\d+)\)$")),  # set, set and number, number
    (
        ")",
        re.compile(
            r"\s*\([A-Za-z0-9_]{0,8}\)\s*(?![$€£¥]|[xX×]\d)(?=\S*\w)\S{1,12}(?:\s+(?:[A-Z]{1,3}|(?i:(?:foil|etched)\b\s*){1,2}))?$"
        ),
    ),  # set and number, a letter or word for foil, letters for the language
    (
        ")",
        re.compile(
            r"\s*\((?:foil|etched|prox(?:y|ies)|promo|alter|showcase|borderless|commander|companion|sideboard|maybe(?:board)?|token)\)$",
            re.IGNORECASE,
        ),
    ),
    (")", re.compile(r"\s*\(V\.\s?\d{1,3}\)$")),  # version of Cardmarket
    ("x", re.compile(r"\s+\d[\d.,]*\s?tix$")),
    ("", re.compile(r"(?:\s+[-–])?\s+(?:[€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?[€£¥])$")),  # a price
    ("$", re.compile(r"(?:\s+[-–])?\s+(?:(?:US)?\$\s?\d[\d.,]*|\d[\d.,]*\s?\$)$")),
    ("", re.compile(rf"\s*[{_SIGNS}]+$")),  # pictures that people put behind a name
)
"""What stands behind a name: a sign without which there is none of it (empty: any that is not ASCII), and its form."""

_IN_FRONT = (
    ("[", re.compile(r"\[[A-Za-z0-9_]{0,8}([:#][^\]\s]*)?\]\s*")),  # set, set and number
    ("(", re.compile(r"\([A-Z0-9_]{2,6}([:#][^)\s]*)?\)\s*")),
    ("", re.compile(rf"[{_SIGNS}]+\s*")),
)
_ROUND_A_NAME = (
    re.compile(r"(.+)\s*\([^()]*\)"),
    re.compile(r"(.+?)(?:\s*\([^()]*\))+"),
    re.compile(r"(.+?)\s+(?://(?=\s*[^\sA-Z])|;|--?|[–—]).*"),
    re.compile(r"(.+?)\s+(?:foil|etched)", re.IGNORECASE),
    re.compile(r"(.+?)\s+[A-Z0-9]{3,5}(?:\s+\d+)?"),
    re.compile(r"\d+[.):]\s+(.+)"),
    re.compile(r"\[+(.+?)\]+"),
    re.compile(r"[\"“”„'](.+)[\"“”'][,;.]*"),
    re.compile(r"[\"“”„']+(.+?)[\"“”',;.]+"),
    re.compile(r"(.+?)[,;.]+"),
)
"""What is taken off only where the rest is the name of a known card: a remark, a set, a place in a list, quotes."""
_SAME = re.compile(r"(\S.*?)\s*/{2,3}\s*\1")  # both sides of a card that has one name
_HALVES = re.compile(r"([^|+&•·,]+?)\s*(?:[|+&•·,_]|\s[-–—]\s|\sand\s)\s*([^|+&•·,]+)")
_ONLY_HEADINGS = ("background", "backgrounds", "outside", "partner", "partners")
"""Words that head a section, and as a category are the builder's own."""

_ROUNDS = 8


@dataclass(frozen=True)
class Line:
    """A line that may be a card.

    Attributes:
        count: The number that stands in front of the name or behind it, None if there is none.
        name: The full name if the card is known, else the name as written without what programs put around it.
        known: Whether a pool has the card, or the token.
        section: The section that the line itself names, empty if it names none.
        token: Whether only a token is called so.
        in_words: Whether a word says the number.
        behind: Whether the number stands behind the name as another part of a name could.
    """

    count: int | None
    name: str
    known: bool
    section: str = ""
    token: bool = False
    in_words: bool = False
    behind: bool = False


def read_line(text: str, pool: CardPool, *, in_words: bool = False, behind: bool = False) -> Line:
    """Read a line of a text list.

    Args:
        text: The line without a mark of a comment in front.
        pool: Where names are looked up, to tell a name from what a program put around it.
        in_words: Whether the list says its numbers in words, so that a name that no pool has does not begin with one.
        behind: Whether the list has its numbers behind the names, as in `Island (4)` or `Island: 4`.

    Returns:
        What stands there; nothing is refused, a name that no pool has is given as written. A number that is a word, or
        that has `of` or no blank behind it, is one where the rest is the name of a card.
    """
    line = _as_written(text, pool)
    if line.known:
        return line
    section, rest = _section_in_front(text.strip())
    columns = re.split(r"\s{2,}", text.strip())
    for end in range(len(columns) - 1, 0, -1):
        again = _as_written(" ".join(columns[:end]), pool)
        if again.known and again.count is not None:
            return again
    for told in in_digits(rest):
        again = _as_written(told, pool)
        if again.known or in_words:
            return replace(again, section=section or again.section, in_words=not rest[:1].isdecimal())
    found = _behind(rest) if behind and line.count is None else None
    return replace(named(found[1], pool, int(found[2]), section), behind=True) if found else line


def partners(line: Line, pool: CardPool) -> list[Line]:
    """Give the two commanders of a line that names both, such as `Commander: Alena & Gilanra`; else the line alone.

    Args:
        line: The line, in a section of commanders.
        pool: Where names are looked up.
    """
    names = [pool.name_of(name) for name in _TWO_NAMES.split(line.name)]
    if line.known or len(names) < 2 or None in names:
        return [line]
    return [replace(line, name=name, known=True) for name in names if name]


def no_cards(lines: Iterable[tuple[int, str]], pool: CardPool) -> dict[int, Unread]:
    """Find lines that look like cards of a deck and need not be such: changes, and places that may be numbers.

    Args:
        lines: Numbers of lines, and what stands there, with the marks in front of it.
        pool: Where names are looked up.

    Returns:
        Number of the line to what stands there and why it is not read.
    """
    every = dict(lines)

    def is_card(text: str) -> bool:
        line = _as_written(text, pool)
        return line.known and line.count is None

    found = changes(every.items(), pool.__contains__, is_card) | unclear_places(every.items(), is_card)
    found |= unclear_signs(every.items(), pool.__contains__)
    found |= odd_numbers(every.items(), pool.__contains__, is_card) | several_cards(every.items(), pool.__contains__)
    return {at: Unread(at, every[at].strip(), reason) for at, reason in found.items()}


def _as_written(text: str, pool: CardPool) -> Line:
    """Read a line whose number is in digits, or that has none."""
    text = text.strip()
    if _ENTITY.search(text):
        text = html.unescape(text)
    if text[:1] in _QUOTES and (quoted := _QUOTED.fullmatch(text)):
        text = quoted[1]
    text = _without_links(text)
    if (full := pool.name_of(text)) is not None:
        return Line(None, full, known=True)
    section, text = _section_in_front(_SIGNS_IN_FRONT.sub("", text))
    fields = [field.strip() for field in text.split("\t") if field.strip()]
    if len(fields) > 1:
        text = _of_columns(fields)
    if section and (full := pool.name_of(text)) is not None:
        return Line(None, full, known=True, section=section)
    text = _of_row(text, pool) if _ROW.fullmatch(text) else text
    found = _NUMBER.match(text)
    if found is None:
        return _number_behind(text, pool, section)
    count = int(found[1] or found[2] or found[3])
    line = named(text[found.end() :], pool, count, section)
    if not line.known and (called := _CALLED_X.fullmatch(text)):
        return named(called[1], pool, count, section)
    return _number_behind(text, pool, section) if _YEAR.match(text) and not line.known else line


def _without_links(text: str) -> str:
    """Take off what makes a name a link: `[Island](address)`, `[[Island]]`, `《Island》`."""
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "[[" in text or "《" in text:
        text = _NAME_SIGNS.sub(lambda found: f" {found[1] or found[2]} ", text).strip()
    return text


def _section_in_front(text: str) -> tuple[str, str]:
    """Take the section off a line that names it, such as `SB: 4 Annul` or `COMMANDER: 1 Winter`."""
    if old := re.match(r"SB\s*:?\s+(?=\d)|SB\s*:\s*", text, re.IGNORECASE):
        return "sideboard", text[old.end() :]
    found = _INLINE.fullmatch(text)
    section = SECTION_WORDS.get(heading(found[1]), "") if found else ""
    return (section, found[2]) if found and section else ("", text)


def _of_columns(fields: list[str]) -> str:
    """Give number and name of a line in columns: number, name, set; or name, number; or number and name, set."""
    if _NUMBER.fullmatch(fields[0]):
        return f"{fields[0]} {fields[1]}"
    if _NUMBER.fullmatch(fields[1]) and not _NUMBER.match(fields[0]):
        return f"{fields[1]} {fields[0]}"
    return fields[0]


def _of_row(text: str, pool: CardPool) -> str:
    """Give number and name of a row of a table without a header: `4,Hedron Crab,ZEN` or `Hedron Crab,4`."""
    kept = re.sub(r",(?= )", "\0", text)  # a comma and a blank stand inside a name
    cells = next(csv.reader([kept], delimiter="," if "," in kept else ";"), [])
    number, *rest = [cell.replace("\0", ",").strip() for cell in cells]
    if not number.isdecimal():
        return f"{rest[-1]} {number}" if len(rest) == 1 else text
    longest = (",".join(rest[:end]) for end in range(len(rest), 0, -1))
    return f"{number} {next((name for name in longest if named(name, pool).known), rest[0])}"


def _number_behind(text: str, pool: CardPool, section: str) -> Line:
    """Read a line without a number in front: `Forest x3`, or `Forest (3)` and `Forest 3` where the card is known."""
    found = _behind(text)
    if found and (full := pool.name_of(found[1].strip('"'))) is not None:
        return Line(int(found[2]), full, known=True, section=section, behind=True)
    return _number_among_marks(text, pool, section) or named(text, pool, None, section)


def _number_among_marks(text: str, pool: CardPool, section: str) -> Line | None:
    """Read a number behind the name that has an x, whether marks stand behind it or in front of it.

    Such as `Forest x3`, `Forest x3 (DSK)` and `Forest (DSK) x3`; behind a set `12x` is a number of the collector.
    """
    marks: list[str] = []
    for _ in range(_ROUNDS):
        if text in pool:
            return None
        found = _NUMBER_BEHIND.fullmatch(text)
        if found and (found[2] or not found[1].endswith((")", "]"))):
            line = named(found[1], pool, int(found[2] or found[3]), section)
            return _marked(line, marks, text)
        text, mark = _shorter(text)
        if not mark:
            return None
        marks.append(mark)
    return None


def _behind(text: str) -> re.Match[str] | None:
    """Find a name and the number behind it: `Forest (3)`, `Forest: 3`, `Forest 3`."""
    return _NUMBER_IN_BRACKETS.fullmatch(text) or _NUMBER_AFTER_ALL.fullmatch(text)


def named(written: str, pool: CardPool, count: int | None = None, section: str = "") -> Line:
    """Find the name in what stands behind the number.

    Args:
        written: The name and what a program put around it.
        pool: Where names are looked up; what is a name there is taken whole.
        count: The number that stood in front.
        section: The section that the line named in front.

    Returns:
        The line.
    """
    name = " ".join(_without_links(written).split())
    marks: list[str] = []
    for _ in range(_ROUNDS):
        before = name
        if (full := pool.name_of(name) or _of_halves(name, pool)) is not None:
            return _marked(Line(count, full, True, section), marks, written)
        if (name := one_name(name)) != before:
            continue
        shorter, mark = _shorter(name)
        if not mark:
            break
        marks.append(mark)
        name = shorter
    for inner in _inside(name):
        if (full := pool.name_of(inner)) is not None:
            return _marked(Line(count, full, True, section), marks, written)
    if count and (full := _of_plural(name, pool)) is not None:
        return _marked(Line(count, full, True, section), marks, written)
    token = pool.token_of(name)
    line = _marked(Line(count, token or name, token is not None, section), marks, written)
    called = token is not None or _CALLED_TOKEN.fullmatch(name) is not None
    return replace(line, token=called or line.section == "tokens")


def one_name(name: str) -> str:
    """Give the name of a card that has the same one on both sides, `Island // Island`; any other name as it is."""
    same = _SAME.fullmatch(name)
    return same[1] if same else name


def _of_halves(name: str, pool: CardPool) -> str | None:
    """Give the card of two names that are parted by another sign than a slash, such as `Fire | Ice`."""
    found = _HALVES.fullmatch(name)
    return pool.name_of(f"{found[1]} // {found[2]}") if found else None


def _of_plural(name: str, pool: CardPool) -> str | None:
    """Give the basic land of which the plural is written, `24 Islands`: of other cards no deck has so many (100.2a)."""
    card = pool.get(name[:-1]) if name[-1:] in ("s", "S") else None
    return card.full_name if card and "Basic" in card.types.supertypes else None


def _inside(name: str) -> Iterator[str]:
    """Give what may be the name in a text that holds more than marks of a program."""
    for pattern in _ROUND_A_NAME:
        if found := pattern.fullmatch(name):
            yield found[1]


def _shorter(name: str) -> tuple[str, str]:
    """Take off one thing that a program put around a name; nothing where nothing would be left."""
    ascii_only = name.isascii()
    for sign, pattern in _BEHIND:
        found = None if sign not in name or (not sign and ascii_only) else pattern.search(name)
        if found and found.start() > 0:
            return name[: found.start()], found[0]
    for sign, pattern in _IN_FRONT:
        found = None if sign not in name[:1] or (not sign and ascii_only) else pattern.match(name)
        if found and found.end() < len(name):
            return name[found.end() :], found[0]
    return name, ""


def _marked(line: Line, marks: list[str], written: str) -> Line:
    """Put a line into the section that its tag names, what stands in front of it, or its other marks."""
    tag = _TAG_SECTION.search(written)
    named_by = [SECTION_WORDS.get(tag[1].casefold(), "") if tag else "", line.section]
    named_by += [_section_of_mark(mark.strip()) for mark in marks]
    return replace(line, section=next((section for section in named_by if section), ""))


def _section_of_mark(mark: str) -> str:
    """Give the section that a mark names: `*CMDR*`, `(Commander)`, `[token]`, or categories of Archidekt."""
    if mark == "[token]":
        return "tokens"
    if mark[:1] in ("(", "*", "<"):
        return SECTION_WORDS.get(mark.strip("()*<>").casefold(), "")
    return section_of_categories(mark[1:-1].split(",")) if mark.startswith("[") else ""


def section_of_categories(categories: list[str]) -> str:
    """Give the section that categories of Archidekt mean, empty for those that are the builder's own.

    Args:
        categories: The categories of one card with their flags, the first one first: `Commander{top}`.

    Returns:
        Sideboard wherever it stands; maybeboard also for anything outside the deck; commander and companion where they
        are the first or the top one. A category of tokens is the builder's own unless it is outside the deck.
    """
    plain = [category.partition("{")[0].strip().casefold() for category in categories]
    sections = ["" if word in _ONLY_HEADINGS else SECTION_WORDS.get(word, "") for word in plain]
    if "sideboard" in plain:
        return "sideboard"
    if any("{nodeck}" in category.casefold() for category in categories):
        return next((section for section in sections if section not in ("", "main", "commander")), "maybeboard")
    if "maybeboard" in sections:
        return "maybeboard"
    for at, section in enumerate(sections):
        if section in ("commander", "companion") and (at == 0 or "{top}" in categories[at]):
            return section
    return ""
