"""One line of a deck list: the number of cards, the name, and what a program put around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rulekit.cards.deck_draft import SECTION_WORDS
from rulekit.cards.pool import CardPool

_NUMBER = re.compile(r"(?:(\d{1,9})\s*[xX×]?|[xX×]\s?(\d{1,4}))(?:\s+|$)")
_YEAR = re.compile(r"(?:19|20)\d\d\s+\S")
_SET_IN_FRONT = re.compile(r"\[[A-Za-z0-9_]{2,8}(:[^\]\s]*)?\]\s*")
_INLINE = re.compile(r"([^\W\d][\w &()]{0,20}?)\s*:\s*(\S.*)")
_TAG_SECTION = re.compile(r"#\s+!(\w+)\s*$")

_BEHIND = (
    re.compile(r"\s+#.*$"),  # a tag or a comment
    re.compile(r"\s*\^[^^]*\^$"),  # a label of Archidekt
    re.compile(r"\s*<[^<>]*>$"),  # a cost of Deckstats, a number of MTGGoldfish
    re.compile(r"\s*\*[A-Za-z]{1,8}\*$"),  # foil, etched, commander
    re.compile(r"\s*\[[^\[\]]*\]$"),  # categories, set, foil, token
    re.compile(r"\s*\|.*$"),  # set and picture of Forge, edition of Cockatrice
    re.compile(r"\s*\((?:[A-Z0-9_]{2,8}|[A-Za-z0-9_]{2,8}:\S{1,12}|\d+)\)$"),  # set, set and number, number
    re.compile(r"\s*\([A-Za-z0-9_]{2,8}\)\s+\S{1,12}$"),  # set and number
    re.compile(r"\s*\((?:foil|etched|proxy|proxies|promo|alt(?:er)?|showcase|borderless|commander)\)$", re.IGNORECASE),
)
_ANY_BRACKET = re.compile(r"\s*\([^()]*\)$")
_FOIL_OF_FORGE = re.compile(r"\+(?=$|\|)")
_ROUNDS = 12


@dataclass(frozen=True)
class Line:
    """A line that may be a card.

    Attributes:
        count: The number that stands in front of the name or behind it, None if there is none.
        name: The full name if the card is known, else the name as written without what programs put around it.
        known: Whether a pool has the card, or the token.
        section: The section that the line itself names, empty if it names none.
        token: Whether only a token is called so.
    """

    count: int | None
    name: str
    known: bool
    section: str = ""
    token: bool = False


def read_line(text: str, pool: CardPool) -> Line:
    """Read a line of a text list.

    Args:
        text: The line without a mark of a comment in front.
        pool: Where names are looked up, to tell a name from what a program put around it.

    Returns:
        What stands there; nothing is refused, a name that no pool has is given as written.
    """
    text = text.strip()
    if pool.name_of(text) is not None:
        return Line(None, str(pool.name_of(text)), known=True)
    section, text = _section_in_front(text)
    fields = [field.strip() for field in text.split("\t") if field.strip()]
    if len(fields) > 1:
        text = _of_columns(fields)
    if section and pool.name_of(text) is not None:
        return Line(None, str(pool.name_of(text)), known=True, section=section)
    found = _NUMBER.match(text)
    if found is None:
        return named(text, pool, None, section)
    line = named(text[found.end() :], pool, int(found[1] or found[2]), section)
    return named(text, pool, None, section) if _YEAR.match(text) and not line.known else line


def _section_in_front(text: str) -> tuple[str, str]:
    """Take the section off a line that names it, such as `SB: 4 Annul` or `COMMANDER: 1 Winter`."""
    if old := re.match(r"SB\s*:?\s+(?=\d)|SB\s*:\s*", text, re.IGNORECASE):
        return "sideboard", text[old.end() :]
    found = _INLINE.fullmatch(text)
    section = SECTION_WORDS.get(found[1].casefold(), "") if found else ""
    return (section, found[2]) if found and section else ("", text)


def _of_columns(fields: list[str]) -> str:
    """Give number and name of a line in columns: number, name, set; or name, number; or number and name, set."""
    if _NUMBER.fullmatch(fields[0]):
        return f"{fields[0]} {fields[1]}"
    if _NUMBER.fullmatch(fields[1]) and not _NUMBER.match(fields[0]):
        return f"{fields[1]} {fields[0]}"
    return fields[0]


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
    name = " ".join(written.split())
    marks: list[str] = []
    for _ in range(_ROUNDS):
        if (full := pool.name_of(name)) is not None:
            return _marked(count, full, section, marks, written)
        shorter = _shorter(name)
        if shorter is None:
            break
        marks.append(name[len(shorter) :] if name.startswith(shorter) else name[: len(name) - len(shorter)])
        name = shorter
    if bracket := _ANY_BRACKET.search(name):
        full = pool.name_of(name[: bracket.start()])
        if full is not None:
            return _marked(count, full, section, [*marks, bracket[0]], written)
    token = pool.token_of(name)
    line = _marked(count, token or name, section, marks, written)
    return Line(count, line.name, token is not None, line.section, token is not None or line.section == "tokens")


def _shorter(name: str) -> str | None:
    """Take off one thing that a program put around a name; None if there is nothing, or nothing would be left."""
    for pattern in _BEHIND:
        found = pattern.search(name)
        if found and found.start() > 0:
            return name[: found.start()]
    if (found := _SET_IN_FRONT.match(name)) and found.end() < len(name):
        return name[found.end() :]
    return None


def _marked(count: int | None, name: str, section: str, marks: list[str], written: str) -> Line:
    """Make a line, in the section that its marks name."""
    tag = _TAG_SECTION.search(written)
    if not section and tag:
        section = SECTION_WORDS.get(tag[1].casefold(), "")
    for mark in marks:
        section = section or _section_of_mark(mark.strip())
    return Line(count, name, known=True, section=section)


def _section_of_mark(mark: str) -> str:
    """Give the section that a mark names: `*CMDR*`, `[token]`, or categories of Archidekt."""
    if mark.upper() == "*CMDR*":
        return "commander"
    if not mark.startswith("[") or mark == "[Tokens]":
        return ""
    if mark == "[token]":
        return "tokens"
    return section_of_categories(mark[1:-1].split(","))


def section_of_categories(categories: list[str]) -> str:
    """Give the section that categories of Archidekt mean, empty for those that are the builder's own.

    Args:
        categories: The categories of one card with their flags, the first one first: `Commander{top}`.

    Returns:
        Sideboard wherever it stands; maybeboard also for anything outside the deck; the first or top one otherwise.
    """
    plain = [category.partition("{")[0].strip().casefold() for category in categories]
    outside = any("{nodeck}" in category.casefold() for category in categories)
    sections = [SECTION_WORDS.get(word, "") for word in plain]
    if "sideboard" in plain:
        return "sideboard"
    if outside:
        return "tokens" if "tokens" in sections else "maybeboard"
    for category, section in zip(categories, sections, strict=True):
        first = category is categories[0] or "{top}" in category
        if section == "maybeboard" or (first and section in ("commander", "companion")):
            return section
    return ""
