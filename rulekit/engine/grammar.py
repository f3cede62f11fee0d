"""The grammar of rules text: phrases with slots, read by trying them all and said again by the first.

Phrases are declared with the words they stand for (`abilities.word`), so that nothing that the kit can do lacks a way
to say it. Reading is memoised descent over tokens that keeps every reading; direct left recursion is allowed, so that
"creature you control with flying" can be one filter after another.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rulekit.engine.abilities import WORDS, Term

_TOKEN = re.compile(
    r"\{[^{}\s]+\}|[+−-]?(?:\d+|X|\*)(?:\+\*)?/[+−-]?(?:\d+|X|\*)(?:\+\*)?|[+−-](?:\d+|X)|\d+|→|//"
    r"|[A-Za-zÀ-ÿ]+(?:[-'][A-Za-zÀ-ÿ]+)*'?|'s(?![A-Za-zÀ-ÿ])|[^\sA-Za-zÀ-ÿ0-9]"
)
_WHOLE = {"it's", "that's", "there's", "who's", "let's"}  # an 's that is no possessive


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """Split rules text into words, symbols and punctuation; a possessive 's is a token of its own."""
    found: list[str] = []
    for token in _TOKEN.findall(text.replace("’", "'").replace("“", '"').replace("”", '"').replace("−", "-")):
        if len(token) > 2 and token.lower().endswith("'s") and token.lower() not in _WHOLE:
            found += [token[:-2], "'s"]
        elif len(token) > 1 and token.endswith("'"):
            found += [token[:-1], "'"]
        else:
            found.append(token)
    return tuple(found)


@dataclass(frozen=True)
class _Slot:
    name: str
    sort: str
    many: bool = False


@dataclass(frozen=True)
class _Rule:
    elements: tuple[str | _Slot, ...]
    op: str
    slots: tuple[tuple[str, Any], ...]
    preset: tuple[tuple[str, Any], ...]

    def build(self, values: tuple[tuple[str, Any], ...]) -> Any:
        said = dict(self.preset) | dict(values)
        if self.op == "":  # a phrase that only passes on what stands in its slot
            return values[0][1]
        return Term(self.op, tuple(said.get(name, unsaid) for name, unsaid in self.slots))


@dataclass(frozen=True)
class Unread(Exception):  # noqa: N818 - it is no error in itself: the reader turns it into what a person reads
    """Text that no phrase fits.

    Attributes:
        words: The tokens of the text.
        place: The first token that could not be read.
        expected: What could stand there: words, or sorts in braces.
    """

    words: tuple[str, ...]
    place: int
    expected: tuple[str, ...]

    @property
    def phrase(self) -> str:
        """The words from the first that could not be read, at most eight of them."""
        return " ".join(self.words[self.place : self.place + 8])


Lexer = Callable[[tuple[str, ...], int], "list[tuple[Any, int]]"]


@dataclass
class Grammar:
    """The phrases of all sorts.

    Attributes:
        by_word: For each sort, the phrases that begin with a word.
        by_slot: For each sort, the phrases that begin with a slot.
        lexers: Sorts that are read from the tokens themselves: numbers, colors, names.
        sayers: How the values of such a sort are said.
    """

    by_word: dict[str, dict[str, list[_Rule]]] = field(default_factory=dict)
    by_slot: dict[str, list[_Rule]] = field(default_factory=dict)
    lexers: dict[str, Lexer] = field(default_factory=dict)
    sayers: dict[str, Callable[[Any], str]] = field(default_factory=dict)
    spoken: dict[str, list[_Rule]] = field(default_factory=dict)

    def add(self, sort: str, phrase: str, op: str, slots: tuple[tuple[str, Any], ...], preset: dict[str, Any]) -> None:
        """Add one phrase of a word; ``op`` "" makes the phrase pass on its only slot."""
        for elements in _variants(phrase):
            rule = _Rule(elements, op, slots, tuple(preset.items()))
            self.spoken.setdefault(op, []).append(rule)
            first = elements[0]
            if isinstance(first, str):
                self.by_word.setdefault(sort, {}).setdefault(first, []).append(rule)
            else:
                self.by_slot.setdefault(sort, []).append(rule)

    def alias(self, sort: str, phrase: str) -> None:
        """Let a phrase of one sort pass on what stands in its only slot."""
        self.add(sort, phrase, "", (), {})

    def lexer(self, sort: str, say: Callable[[Any], str] = str) -> Callable[[Lexer], Lexer]:
        """Declare how values of a sort are read from tokens and said again."""

        def declare(read: Lexer) -> Lexer:
            self.lexers[sort] = read
            self.sayers[sort] = say
            return read

        return declare

    def read(self, sort: str, text: str | tuple[str, ...]) -> Any:
        """Read a whole text as one thing of a sort.

        Args:
            sort: What it should be.
            text: Rules text, or its tokens.

        Returns:
            The term (the reading whose phrases were declared first, where there are several).

        Raises:
            Unread: No reading reaches the end.
        """
        words = tokens(text) if isinstance(text, str) else text
        reading = _Reading(self, words)
        for value, end in reading.of(sort, 0):
            if end == len(words):
                return value
        raise Unread(words, reading.furthest, tuple(sorted(reading.expected)))

    def prefixes(self, sort: str, words: tuple[str, ...], place: int = 0) -> list[tuple[Any, int]]:
        """Return every reading of a sort that begins at a token, with the token after it."""
        return _Reading(self, words).of(sort, place)

    def say(self, value: Any, sort: str = "") -> str:
        """Say a term in its normal wording.

        Args:
            value: A term, a tuple of terms, or a plain value of a lexical sort.
            sort: The sort of a plain value.

        Returns:
            Text that reads as the same term.
        """
        if isinstance(value, Term):
            return self._say_term(value)
        if isinstance(value, tuple):
            parts = [self.say(part, sort) for part in value]
            return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
        return self.sayers[sort](value) if sort in self.sayers else str(value)

    def _say_term(self, term: Term) -> str:
        given = {name: arg for (name, _), arg in zip(WORDS[term.op].slots, term.args, strict=True)}
        for rule in self.spoken.get(term.op, ()):
            said = {element.name for element in rule.elements if isinstance(element, _Slot)} | dict(rule.preset).keys()
            preset_fits = all(given[name] == fixed for name, fixed in rule.preset)
            if preset_fits and all(name in said or given[name] == unsaid for name, unsaid in rule.slots):
                parts = [e if isinstance(e, str) else self.say(given[e.name], e.sort) for e in rule.elements]
                return re.sub(r" ([,.;:]|'s?(?= |$))", r"\1", " ".join(parts))
        raise LookupError(f"no phrase says {term!r}")


class _Reading:
    """One text being read: what was found where, and how far any phrase got."""

    def __init__(self, grammar: Grammar, words: tuple[str, ...]) -> None:
        self.grammar = grammar
        self.words = words
        self.lower = tuple(word.lower() for word in words)
        self.memo: dict[tuple[str, int], list[tuple[Any, int]]] = {}
        self.furthest = 0
        self.expected: set[str] = set()

    def missed(self, place: int, wanted: str) -> None:
        if place > self.furthest:
            self.furthest, self.expected = place, set()
        if place == self.furthest:
            self.expected.add(wanted)

    def of(self, sort: str, place: int) -> list[tuple[Any, int]]:
        key = (sort, place)
        if key in self.memo:
            return self.memo[key]
        self.memo[key] = found = []
        seen: set[tuple[Any, int]] = set()

        def keep(value: Any, end: int) -> None:
            if (value, end) not in seen:
                seen.add((value, end))
                found.append((value, end))

        grammar = self.grammar
        if sort in grammar.lexers:
            for value, end in grammar.lexers[sort](self.words, place):
                keep(value, end)
            if not found:
                self.missed(place, "{" + sort + "}")
        begins = grammar.by_word.get(sort, {})
        if place < len(self.words):
            for rule in begins.get(self.lower[place], ()):
                for values, end in self.rest(rule.elements, 1, place + 1, ()):
                    keep(rule.build(values), end)
        growing = []
        for rule in grammar.by_slot.get(sort, ()):
            first = rule.elements[0]
            if isinstance(first, _Slot) and first.sort == sort and not first.many:
                growing.append((rule, first.name))
                continue
            for values, end in self.rest(rule.elements, 0, place, ()):
                keep(rule.build(values), end)
        if not found and begins:
            for wanted in begins:
                self.missed(place, wanted)
        for value, end in found:  # grows while it is read: direct left recursion
            for rule, name in growing:
                for values, after in self.rest(rule.elements, 1, end, ((name, value),)):
                    keep(rule.build(values), after)
        return found

    def rest(
        self, elements: tuple[str | _Slot, ...], at: int, place: int, values: tuple[tuple[str, Any], ...]
    ) -> list[tuple[tuple[tuple[str, Any], ...], int]]:
        if at == len(elements):
            return [(values, place)]
        element = elements[at]
        if isinstance(element, str):
            if place < len(self.words) and self.lower[place] == element:
                return self.rest(elements, at + 1, place + 1, values)
            self.missed(place, element)
            return []
        results = []
        readings = self.many(element.sort, place) if element.many else self.of(element.sort, place)
        for value, end in readings:
            results += self.rest(elements, at + 1, end, (*values, (element.name, value)))
        return results

    def many(self, sort: str, place: int) -> list[tuple[Any, int]]:
        """Read one or more of a sort, joined by commas and "and", the longest list first."""
        key = (sort + "+", place)
        if key in self.memo:
            return self.memo[key]
        self.memo[key] = found = []
        for value, end in self.of(sort, place):
            for joint in ((",", "and"), (",",), ("and",)):
                if self.lower[end : end + len(joint)] == joint:
                    found += [((value, *more), after) for more, after in self.many(sort, end + len(joint))]
            found.append(((value,), end))
        found.sort(key=lambda reading: -reading[1])
        return found


def _variants(phrase: str) -> list[tuple[str | _Slot, ...]]:
    """Write out the alternatives and optional parts of a phrase, the fullest and first ones first."""
    match = re.search(r"\[([^\[\]]*)\]|\(([^()]*\|[^()]*)\)", phrase)
    if match:
        options = [match[1], ""] if match[1] is not None else match[2].split("|")
        joined = [phrase[: match.start()] + option + phrase[match.end() :] for option in options]
        return [variant for text in joined for variant in _variants(text)]
    elements: list[str | _Slot] = []
    for part in re.findall(r"\{\w+:[\w ]+\+?\}|[^{}]+|\{[^{}]*\}", phrase):
        slot = re.fullmatch(r"\{(\w+):([\w ]+)(\+?)\}", part)
        elements += [_Slot(slot[1], slot[2], bool(slot[3]))] if slot else [w.lower() for w in tokens(part)]
    return [tuple(elements)]


GRAMMAR = Grammar()
