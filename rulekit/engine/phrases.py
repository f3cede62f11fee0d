"""The parts of rules text and of phrases: tokens, slots, the tree that phrases of a sort hang in, lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rulekit.engine.abilities import Term

_SIZE = r"[+-]?(?:\d*X|\d+|\*)(?:\+\*|\+\d)?"
_TOKEN = re.compile(
    r"\{[^{}\s]+\}|\[[+-]?(?:\d+|X)\]|" + _SIZE + "/" + _SIZE + r"|[+-](?:\d+|X)|\d+(?:,\d{3})+|\d+|→|//"
    r"|[A-Za-zÀ-ÿ]+(?:[-'][A-Za-zÀ-ÿ]+)*'?|'s(?![A-Za-zÀ-ÿ])|[^\sA-Za-zÀ-ÿ0-9]"
)
_WHOLE = {"it's", "that's", "there's", "who's", "let's", "he's", "she's"}  # an 's that is no possessive
_LETTERS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "−": "-", "–": "—", "\N{NO-BREAK SPACE}": " "})


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """Split rules text into words, symbols and punctuation; a possessive 's is a token of its own."""
    found: list[str] = []
    outside = text.translate(_LETTERS).replace(',"', '",')  # a comma belongs to what goes on behind the quotation
    for token in _TOKEN.findall(outside):
        if len(token) > 2 and token.endswith("'s") and token.lower() not in _WHOLE:
            found += [token[:-2], "'s"]
        elif len(token) > 1 and token.endswith("'"):
            found += [token[:-1], "'"]
        else:
            found.append(token.strip("[]") if len(token) > 1 and token[0] == "[" else token)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in a phrase for something of a sort; a sort that ends in "+" is one or more of them."""

    name: str
    sort: str


EMPTY = frozenset({"place"})  # sorts that are read from no token at all
LATE = 1_000_000  # added to the rank of phrases that are tried after all others
SUBJECT = Term("subject")  # stands in a predicate until the subject of its sentence is put in
SUBJECTS = {"players": "act", "objects": "object act"}  # the sorts of predicates of players and of objects

Elements = tuple["str | Slot", ...]
Build = Callable[..., Any]


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A phrase: its parts, when it is preferred, and what makes its meaning of what stands in its slots."""

    elements: Elements
    rank: int
    build: Build
    preset: tuple[tuple[str, Any], ...] = ()


class Node:
    """A place in the tree of phrases: what may come next, and the phrases that end here."""

    __slots__ = ("last", "rules", "slots", "words")

    def __init__(self) -> None:
        self.last = False  # whether of two ways here the one whose last slot is longer stays
        self.words: dict[str, Node] = {}
        self.slots: dict[str, Node] = {}
        self.rules: list[Rule] = []


def replaced(value: Any, old: Term, new: Any) -> Any:
    """Return a term, or a tuple of them, with something else wherever a term stands in it."""
    if value == old:
        return new
    if isinstance(value, Term):
        args = tuple(replaced(arg, old, new) for arg in value.args)
        return value if args == value.args else Term(value.op, args)
    if isinstance(value, tuple):
        return tuple(replaced(part, old, new) for part in value)
    return value


def in_order(build: Callable[..., Any]) -> Build:
    """Return a builder that hands what stands in the slots to a function in the order of the phrase."""
    return lambda **said: build(*said.values())


def variants(phrase: str) -> list[Elements]:
    """Write out the alternatives and optional parts of a phrase, the fullest and first ones first."""
    match = re.search(r"\[([^\[\]]*)\]|\(([^()\[\]]*\|[^()\[\]]*)\)", phrase)
    if match:
        inside = match[1] if match[1] is not None else match[2]
        options = [inside] if "(" in inside else inside.split("|")
        options += [""] if match[1] is not None else []
        whole = [phrase[: match.start()] + option + phrase[match.end() :] for option in options]
        return [variant for text in whole for variant in variants(text)]
    elements: list[str | Slot] = []
    for part in re.findall(r"\{\w+:[\w ]+\+?\}|[^{}]+|\{[^{}]*\}", phrase):
        slot = re.fullmatch(r"\{(\w+):([\w ]+\+?)\}", part)
        elements += [Slot(slot[1], slot[2])] if slot else list(tokens(part))
    return [tuple(elements)]


def lowered(elements: Elements) -> Elements:
    """Return a phrase with its words in small letters, as they are looked for."""
    return tuple(element.lower() if isinstance(element, str) else element for element in elements)


_WHOSE = {"it 's": "its", "it's": "its", "them 's": "their", "they 's": "their", "you 's": "your"}


def joined(parts: Iterator[str] | tuple[str, ...] | list[str]) -> str:
    """Write words and punctuation as one text."""
    said = re.sub(r" ([,.;:]|'s?(?= |$))", r"\1", " ".join(part for part in parts if part))
    said = re.sub(r"\b(it|them|they|you)'s (?=controller|owner|power|toughness|mana|graveyard|hand|library)",
                  lambda match: _WHOSE[f"{match[1]} 's"] + " ", said)  # fmt: skip
    said = re.sub(r"\ba (?=[aeiouAEIO]|8/|11/|18/)", "an ", said).replace(" an other ", " another ")
    return re.sub(r"(?<=[a-z]s)(?<!\bthis)'s\b", "'", said)


def listed(parts: list[str], last: str = "and") -> str:
    """Write a list with commas and a word before its last part."""
    if len(parts) < 3:
        return f" {last} ".join(parts)
    return ", ".join(parts[:-1]) + f", {last} {parts[-1]}"
