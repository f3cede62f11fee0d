"""Numbers of cards that are no plain number: words such as `four Island`, changes such as `+1 Murder`, places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

LONGEST_LINE = 400
"""Characters of a line; the longest name has some 140."""

SEVERAL = "several cards stand in it; write one in each line"

_UNITS = re.findall(
    r"\w+",
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen",
)
_TENS = re.findall(r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety")
_VALUES = {"a": 1, "an": 1, "playset": 4, "a playset": 4}
_VALUES |= {word: at for at, word in enumerate(_UNITS, 1)} | {word: 10 * at for at, word in enumerate(_TENS, 2)}
_WORD = rf"(?:a )?playset|an?|(?:{'|'.join(_TENS)})(?:[- ](?:{'|'.join(_UNITS[:9])}))?|{'|'.join(reversed(_UNITS))}"
_AFTER = r"\s*[x×]\s+|(?<=\d)\s*[*×/=]\s*|(?<=\d)[xX](?=\S)|(?<=\d)[-–]\s+|\s+|(?<=\d)(?=[^\W\d_])"
_IN_FRONT = re.compile(rf"(\d{{1,3}}|{_WORD})(?:{_AFTER})(?:(?:cop(?:y|ies) )?of )?(\S.*)", re.IGNORECASE)
_BEHIND = re.compile(rf"(\S.*?)(?:\s*[:,]|\s+[-–x×])\s+({_WORD})", re.IGNORECASE)
_SIGNS = "+−–-"
_CHANGE = re.compile(rf"(?:SB\s*:?\s*)?([{_SIGNS}])(\s*)(\d{{1,3}})\s*[xX×]?\s+(\S.*)")
_CHANGE_BEHIND = re.compile(rf"([^\s\d].*?)\s+\(?([{_SIGNS}])(\d{{1,3}})\)?")
_PLACE = re.compile(r"(\d{1,3})[.):]\s+(\S.*)")
_ODD = re.compile(
    r"(\d+\s*[.,/]\s*\d+|\d[\d.,]*[eE]\+?\d+|\d{1,3}(?:[.,' ]\d{3})+|\d{10,}|\d*\s?[¼½¾]|[^\W\da-zA-Z]+"
    r"|\d{1,3}\s+\d{1,3})\s*[xX×]?\s+(\S.*)"
)
_BETWEEN = re.compile(r"\s*(?:;\s*|(?<!\d),\s*|,\s+|\s\|\s+|\t\s*)(?=\d{1,3}\s*[xX]?\s+(?:\w{2}|[^\Wa-z]|[\"'+]))")
_COUNTED = re.compile(r"\d{1,3}\s*[xX]?\s+\S")
_WITH_SIGN = re.compile(r"(.*\S)\s+#(\d{1,4})")
_NUMBER_AND_NAME = re.compile(r"\d{1,3}\s*[xX×]?\s+(\S.*)")
_SIGNED = re.compile(rf"[{_SIGNS}]\s*\d")


def several_in(text: str) -> list[str]:
    """Give the cards of a line that holds several, `24 Island, 36 Forest`; the line alone where it holds one.

    Args:
        text: The line; in it a number stands in front of every name.
    """
    parts = _BETWEEN.split(text.strip())
    return parts if len(parts) > 1 and _COUNTED.match(parts[0]) else [text]


def in_digits(text: str) -> Iterator[str]:
    """Give what a line may be that has its number as a word, without a blank behind it, or with `of` behind it.

    Args:
        text: The line, such as `four Island`, `4xIsland`, `4 copies of Island`, `Island: four`.

    Returns:
        The line with the number in digits in front; nothing where no number can be meant. A name can begin with a
        number, too: what is given here is right only where the rest is the name of a card.
    """
    found = _IN_FRONT.fullmatch(text)
    if found and (told := f"{_value(found[1])} {found[2]}") != text:
        yield told
    if found := _BEHIND.fullmatch(text):
        yield f"{_value(found[2])} {found[1]}"


def _value(word: str) -> int:
    """Give the number that a word or digits mean."""
    if word.isdecimal():
        return int(word)
    parts = re.split(r"[- ](?!playset)", word.casefold())
    return sum(_VALUES[part] for part in parts)


def changes(
    lines: Iterable[tuple[int, str]], is_name: Callable[[str], bool], is_card: Callable[[str], bool]
) -> dict[int, str]:
    """Find the lines that say by how much a deck changes, such as `+1 Murder` and `-1 Duress`.

    Args:
        lines: Numbers of lines, and what stands there, with the signs in front of it.
        is_name: Tells whether a text as it stands is the name of a card, as `+2 Mace` is.
        is_card: Tells whether a text is a card without a number; a program may have put something around its name.

    Returns:
        Number of the line to why it is no card of the deck. A sign with a blank behind it is a mark in front of an item
        of a list, unless one list has both plus and minus in front of numbers.
    """
    signed = [(at, text.strip()) for at, text in lines if len(text) <= LONGEST_LINE and _SIGNED.search(text)]
    found = {at: change for at, text in signed if (change := _change(text)) and not is_name(text)}
    spaced = {at for at, change in found.items() if change.spaced}
    if len({found[at].more for at in spaced}) == 1:
        found = {at: change for at, change in found.items() if at not in spaced}
    if not any(is_card(change.name) for change in found.values()):
        return {}
    return {at: change.why() for at, change in found.items()}


def unclear_places(lines: Iterable[tuple[int, str]], is_card: Callable[[str], bool]) -> dict[int, str]:
    """Find numbers with a dot, such as `4. Murder`, that do not count the lines up and so may be numbers of cards.

    Args:
        lines: As for `changes`.
        is_card: As for `changes`.

    Returns:
        Number of the line to why it is not read; empty where the numbers count up, each list from 1 on.
    """
    filled = [(at, text.strip()) for at, text in lines if text.strip()]
    cards, before, counts_up = [], 0, True
    for place, (at, text) in enumerate(filled, 1):
        found = _PLACE.fullmatch(text) if len(text) <= LONGEST_LINE else None
        if found:
            number, name = int(found[1]), found[2]
            cards += [(at, number, name)] * is_card(name)
            counts_up = counts_up and number in (1, before + 1, place)
            before = number
    why = "may be a place in a list or a number of cards"
    return {} if counts_up else {at: f"the number {n} {why}; write {n} {name}, or only {name}" for at, n, name in cards}


def odd_numbers(
    lines: Iterable[tuple[int, str]], is_name: Callable[[str], bool], is_card: Callable[[str], bool]
) -> dict[int, str]:
    """Find lines whose number is no whole number of cards, such as `1.5 Murder` or `4 4 Murder`.

    Args:
        lines: As for `changes`.
        is_name: As for `changes`.
        is_card: As for `changes`.

    Returns:
        Number of the line to why it is not read.
    """
    short = ((at, text.strip()) for at, text in lines if len(text) <= LONGEST_LINE and text.strip()[:1].isnumeric())
    found = ((at, text, odd) for at, text in short if (odd := _ODD.fullmatch(text)))
    return {
        at: f"'{odd[1]}' is no whole number of cards"
        for at, text, odd in found
        if is_card(odd[2]) and not is_name(text) and not is_name(re.sub(r"^\d+\s+(?=\d)", "", text))
    }


def unclear_signs(lines: Iterable[tuple[int, str]], is_name: Callable[[str], bool]) -> dict[int, str]:
    """Find lines such as `Murder #4`, in which the number may be that of a printing or of cards.

    Args:
        lines: As for `changes`.
        is_name: As for `changes`.

    Returns:
        Number of the line to why it is not read.
    """
    signed = ((at, _WITH_SIGN.fullmatch(text.strip())) for at, text in lines if " #" in text[:LONGEST_LINE])
    why = "may be that of a printing or of cards; write"
    return {at: f"the number {found[2]} {why} {found[2]} {found[1]}, or only {found[1]}"
            for at, found in signed if found and is_name(found[1])}  # fmt: skip


def several_cards(lines: Iterable[tuple[int, str]], is_name: Callable[[str], bool]) -> dict[int, str]:
    """Find lines in whose columns several cards stand, such as the deck and the sideboard side by side.

    Args:
        lines: As for `changes`.
        is_name: As for `changes`.

    Returns:
        Number of the line to why it is not read.
    """
    columned = [(at, text) for at, text in lines if len(text) <= LONGEST_LINE and ("\t" in text or "|" in text)]
    names = {at: found for at, text in columned if len(found := _names_in_columns(text)) > 1}
    if not any(sum(map(is_name, found)) > 1 for found in names.values()):
        return {}
    return dict.fromkeys(names, SEVERAL)


def _names_in_columns(text: str) -> list[str]:
    """Give what may be names of cards in columns, each with a number in front or in the column before it."""
    fields = [field.strip() for field in re.split(r"[\t|]", text) if field.strip()]
    whole = [found[1] for field in fields if (found := _NUMBER_AND_NAME.fullmatch(field))]
    beside = [name for number, name in pairwise(fields) if number.isdecimal() and not name.isdecimal()]
    return max(whole, beside, key=len)


class _Change(NamedTuple):
    """By how much a deck changes: whether there are more, how many, of what, and whether a blank parts the sign."""

    more: bool
    number: str
    name: str
    spaced: bool = False

    def why(self) -> str:
        """Say why a change is no card of the deck, and what to write instead."""
        change = f"{self.number} {'more' if self.more else 'fewer'}"
        return f"it changes a deck ({change}); write how many {self.name} the deck has after the change"


def _change(text: str) -> _Change | None:
    """Take a line apart into sign, number and name; None if it has no signed number."""
    if found := _CHANGE.fullmatch(text):
        return _Change(found[1] == "+", found[3], found[4], bool(found[2]))
    if found := _CHANGE_BEHIND.fullmatch(text):
        return _Change(found[2] == "+", found[3], found[1])
    return None
