"""The grammar of rules text: phrases with slots, read all at once and said again by the first that fits.

Phrases are declared with the words they stand for (`abilities.word`), so that nothing that the kit can do lacks a way
to say it. They hang in a tree for each sort, so that phrases which begin alike are tried once. Reading goes through the
tree with a list of what is still to be followed and remembers for each sort and place where such a thing ends; it is
done in bounded time for every text, and a phrase may begin with a thing of its own sort. Where several readings end at
the same place the phrase that was declared first wins, then the one whose earlier slots are longer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

from rulekit.engine.abilities import WORDS, Term

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
    for token in _TOKEN.findall(text.translate(_LETTERS)):
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
class _Rule:
    elements: Elements
    rank: int
    build: Build
    preset: tuple[tuple[str, Any], ...] = ()


class _Node:
    """A place in the tree of phrases: what may come next, and the phrases that end here."""

    __slots__ = ("last", "rules", "slots", "words")

    def __init__(self) -> None:
        self.last = False  # whether of two ways here the one whose last slot is longer stays
        self.words: dict[str, _Node] = {}
        self.slots: dict[str, _Node] = {}
        self.rules: list[_Rule] = []


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


@dataclass(frozen=True, slots=True)
class _Starts:
    """How something of a sort can begin."""

    words: frozenset[str]
    lexed: tuple[str, ...]


@dataclass(frozen=True)
class Unread(Exception):
    """Text that no phrase fits.

    Attributes:
        words: The tokens of the text.
        place: The first token that could not be read.
        expected: What could stand there: words, or sorts in braces.
        known: Every word that something which could stand there begins with.
    """

    words: tuple[str, ...]
    place: int
    expected: tuple[str, ...]
    known: frozenset[str] = frozenset()

    def further(self, other: Unread | None) -> Unread:
        """Return the one of two that got further; where both stop at the same place, both together."""
        if other is None or self.place > other.place:
            return self
        if self.place < other.place:
            return other
        expected = tuple(sorted({*self.expected, *other.expected}))
        return Unread(self.words, self.place, expected, self.known | other.known)

    @property
    def phrase(self) -> str:
        """The words from the first that could not be read, at most eight of them."""
        return joined(self.words[self.place : self.place + 8])


Lexer = Callable[[tuple[str, ...], int], "list[tuple[Any, int]]"]
_JOINTS = ((",", "and"), (",",), ("and",), (",", "or"), ("or",), ("and", "/", "or"))


@dataclass
class Grammar:
    """The phrases of all sorts.

    Attributes:
        lexers: Sorts that are read from the tokens themselves: numbers, colors, names.
        sayers: How the values of such a sort are said; for a word whose phrases cannot say all its terms, by its op.
        joints: Between the parts of a list of a sort; commas and "and" where nothing is said.
    """

    lexers: dict[str, Lexer] = field(default_factory=dict)
    sayers: dict[str, Callable[[Any], str]] = field(default_factory=dict)
    joints: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    spoken: dict[str, list[_Rule]] = field(default_factory=dict)
    plural: Callable[[Term], bool] = lambda term: False
    roots: dict[str, _Node] = field(default_factory=dict)
    rules: int = 0
    starts: dict[str, _Starts] = field(default_factory=dict)

    def add(self, sort: str, phrase: str, op: str, slots: tuple[tuple[str, Any], ...], preset: dict[str, Any]) -> None:
        """Add one phrase of a word: what it builds is a term with the word's slots."""

        def build(**said: Any) -> Term:
            said = preset | said
            return Term(op, tuple(said.get(name, unsaid) for name, unsaid in slots))

        for spelled in variants(phrase):
            elements = _lower(spelled)
            self._put(sort, elements, build)
            self.spoken.setdefault(op, []).append(_Rule(spelled, self.rules, build, tuple(preset.items())))
            if sort == "effect":
                self._predicate(elements, build)

    def _predicate(self, elements: Elements, build: Build) -> None:
        """Let an effect be read without its subject, and as something that may be done."""
        first = elements[0]
        if isinstance(first, str):
            self._put("command", elements, lambda **said: (build(**said),))
        elif first.sort in SUBJECTS:
            self._put(SUBJECTS[first.sort], elements[1:], partial(build, **{first.name: SUBJECT}))

    def alias(self, sort: str, phrase: str) -> None:
        """Let a phrase of one sort pass on what stands in its only slot."""
        self.rule(sort, phrase, lambda **said: next(iter(said.values())))

    def rule(self, sort: str, phrase: str, build: Build, late: bool = False, last: bool = False) -> None:
        """Add a phrase whose meaning is made by a function of what stands in its slots, called by their names.

        Args:
            sort: What the phrase is.
            phrase: As for `abilities.word`.
            build: The function; None as its answer means that the phrase does not fit after all.
            late: Whether any other phrase that fits is preferred.
            last: Whether the last slot is to be as long as it can be, not the slots before it.
        """
        for spelled in variants(phrase):
            self._put(sort, _lower(spelled), build, late=late, last=last)

    def _put(
        self,
        sort: str,
        elements: Elements,
        build: Build,
        late: bool = False,
        last: bool = False,
    ) -> None:
        self.rules += 1
        self.starts.clear()
        rule = _Rule(elements, self.rules + late * LATE, build)
        node = self.roots.setdefault(sort, _Node())
        for element in elements:
            if isinstance(element, str):
                node = node.words.setdefault(element, _Node())
            else:
                if element.sort.endswith("+"):
                    self._list(element.sort)
                node = node.slots.setdefault(element.sort, _Node())
        node.rules.append(rule)
        node.last |= last

    def _list(self, sort: str) -> None:
        """Make the sort of lists of another: one, or one and a joint and more of them."""
        if sort in self.roots:
            return
        one, more = Slot("one", sort[:-1]), Slot("more", sort)
        self.roots[sort] = _Node()
        self._put(sort, (one,), lambda one: one if isinstance(one, tuple) else (one,))
        for joint in self.joints.get(sort[:-1], _JOINTS):
            self._put(sort, (one, *joint, more), lambda one, more: (one if isinstance(one, tuple) else (one,)) + more)

    def starts_of(self, sort: str) -> _Starts:
        """Return how something of a sort can begin: with which words, and with which sorts read from tokens."""
        known = self.starts.get(sort)
        if known is not None:
            return known
        words: set[str] = set()
        lexed: set[str] = set()
        met = {sort}
        todo = [sort]
        while todo:
            each = todo.pop()
            if each in self.lexers:
                lexed.add(each)
            nodes = [self.roots[each]] if each in self.roots else []
            while nodes:
                node = nodes.pop()
                words |= node.words.keys()
                for wanted, after in node.slots.items():
                    if wanted in EMPTY:
                        nodes.append(after)
                    elif wanted not in met:
                        met.add(wanted)
                        todo.append(wanted)
        self.starts[sort] = found = _Starts(frozenset(words), tuple(sorted(lexed)))
        return found

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
            The term, by the phrase that was declared first where several fit.

        Raises:
            Unread: No reading reaches the end.
        """
        words = tokens(text) if isinstance(text, str) else text
        reading = Reading(self, words)
        entry = reading.follow(sort, 0)
        if len(words) in entry.ends:
            value = reading.value(entry, len(words))
            if value is not None:
                return value
        raise reading.unread()

    def prefixes(self, sort: str, words: tuple[str, ...], place: int = 0) -> list[tuple[Any, int]]:
        """Return every reading of a sort that begins at a token, with the token after it, the longest first."""
        reading = Reading(self, words)
        entry = reading.follow(sort, place)
        found = [(reading.value(entry, end), end) for end in sorted(entry.ends, reverse=True)]
        return [(value, end) for value, end in found if value is not None]

    def say(self, value: Any, sort: str = "", many: bool = False) -> str:
        """Say a term in its normal wording.

        Args:
            value: A term, a tuple of terms, or a plain value of a lexical sort.
            sort: The sort of a plain value.
            many: Whether its verb has a subject in the plural.

        Returns:
            Text that reads as the same term.

        Raises:
            LookupError: No phrase says it.
        """
        if sort in self.sayers:
            return self.sayers[sort](value)
        if isinstance(value, Term):
            return self.sayers[value.op](value) if value.op in self.sayers else self.say_by_phrase(value, many)
        if isinstance(value, tuple):
            return listed([self.say(part, sort.removesuffix("+"), many) for part in value])
        return str(value)

    def say_by_phrase(self, term: Term, many: bool = False) -> str:
        """Say a term by the phrase of its word that agrees best with what stands in the slots."""
        given = {name: arg for (name, _), arg in zip(WORDS[term.op].slots, term.args, strict=False)}
        unsaid = dict(WORDS[term.op].slots)
        given = unsaid | given
        fitting = [rule for rule in self.spoken.get(term.op, ()) if _covers(rule, given, unsaid)]
        if not fitting:
            raise LookupError(f"no phrase says {term!r}")
        inflected = WORDS[term.op].sort in ("change", "deed")
        rule = min(fitting, key=lambda rule: self._disagreement(rule, given, many if inflected else None))
        first = rule.elements[0]
        subject = first.sort in _SUBJECT_SORTS if isinstance(first, Slot) else False
        plural = self.plural(given[first.name]) if subject and isinstance(first, Slot) else many
        return joined(
            [
                element if isinstance(element, str) else self.say(given[element.name], element.sort, plural)
                for element in rule.elements
            ]
        )

    def _disagreement(self, rule: _Rule, given: dict[str, Any], many: bool | None) -> int:
        """Count what is wrong with a phrase: verbs that do not agree with their subject, nouns with their number."""
        elements = rule.elements
        wrong = int(isinstance(elements[0], Slot) and given[elements[0].name] == Term("you"))
        for place, element in enumerate(elements):
            before = elements[place - 1] if place else None
            if not isinstance(element, str):
                continue
            if place == 0:
                wrong += many is not None and _is_singular_verb(element) == many
            elif isinstance(before, Slot) and before.sort in _SUBJECT_SORTS and place == 1:
                wrong += _is_singular_verb(element) == self.plural(given[before.name])
            elif isinstance(before, Slot) and given[before.name] == 1:
                wrong += element.endswith("s") and element[-2:] != "'s"
            elif isinstance(before, Slot) and before.sort in _NUMBER_SORTS:
                wrong += not element.endswith("s")
        return wrong


_SUBJECT_SORTS = ("players", "objects", "recipients", "watched")
_NUMBER_SORTS = ("number", "amount", "counters")
_PLURAL_VERBS = frozenset({"pass", "discuss"})
_WHOSE = {"it 's": "its", "it's": "its", "them 's": "their", "they 's": "their", "you 's": "your"}


def _is_singular_verb(word: str) -> bool:
    return (word.endswith("s") and word not in _PLURAL_VERBS) or word in ("doesn't", "isn't")


def _covers(rule: _Rule, given: dict[str, Any], unsaid: dict[str, Any]) -> bool:
    """Return whether a phrase says all that is given, and nothing that is not."""
    slots = [element.name for element in rule.elements if isinstance(element, Slot)]
    said = {*slots, *(name for name, _ in rule.preset)}
    if any(given.get(name) is None for name in slots):
        return False
    fits = all(given[name] == fixed for name, fixed in rule.preset)
    return fits and all(name in said or given[name] == unsaid[name] for name in given)


def joined(parts: Iterator[str] | tuple[str, ...] | list[str]) -> str:
    """Write words and punctuation as one text."""
    said = re.sub(r" ([,.;:]|'s?(?= |$))", r"\1", " ".join(part for part in parts if part))
    said = re.sub(r"\b(it|them|they|you)'s (?=controller|owner|power|toughness|mana|graveyard|hand|library)",
                  lambda match: _WHOSE[f"{match[1]} 's"] + " ", said)  # fmt: skip
    said = re.sub(r"\ba (?=[aeiou]|8/|11/|18/)", "an ", said)
    return re.sub(r"(?<=[a-z]s)'s\b", "'", said)


def listed(parts: list[str], last: str = "and") -> str:
    """Write a list with commas and a word before its last part."""
    if len(parts) < 3:
        return f" {last} ".join(parts)
    return ", ".join(parts[:-1]) + f", {last} {parts[-1]}"


class _Entry:
    """A sort at a place: where such a thing ends, and who waits for it."""

    __slots__ = ("busy", "ends", "lexed", "sort", "steps", "values", "waiting")

    def __init__(self, sort: str) -> None:
        self.sort = sort
        self.ends: dict[int, list[_Step]] = {}
        self.lexed: dict[int, Any] = {}
        self.values: dict[int, Any] = {}
        self.waiting: list[tuple[_Step, _Node]] = []
        self.steps: dict[tuple[int, int], _Step] = {}
        self.busy: set[int] = set()


class _Step:
    """How far one way through the tree has come: the node, the place in the text, and the step before it."""

    __slots__ = ("before", "child", "entry", "node", "place")

    def __init__(self, entry: _Entry, node: _Node, place: int, before: _Step | None, child: _Entry | None) -> None:
        self.entry = entry
        self.node = node
        self.place = place
        self.before = before
        self.child = child


class Reading:
    """One text being read: what was found where, and how far any phrase got."""

    def __init__(self, grammar: Grammar, words: tuple[str, ...]) -> None:
        self.grammar = grammar
        self.words = words
        self.lower = tuple(word.lower() for word in words)
        self.entries: dict[tuple[str, int], _Entry | None] = {}
        self.lexed: dict[tuple[str, int], list[tuple[Any, int]]] = {}
        self.todo: list[_Step] = []

    def follow(self, sort: str, place: int) -> _Entry:
        """Find every end of a sort that begins at a place."""
        entry = self.entry(sort, place) or _Entry(sort)
        todo, lower, end = self.todo, self.lower, len(self.words)
        while todo:
            step = todo.pop()
            node, place = step.node, step.place
            if node.rules:
                self.found(step)
            if node.words and place < end:
                after = node.words.get(lower[place])
                if after is not None:
                    self.go(step, after, place + 1, None)
            for wanted, after in node.slots.items():
                child = self.entry(wanted, place)
                if child is None:
                    continue
                child.waiting.append((step, after))
                for stop in list(child.ends):
                    self.go(step, after, stop, child)
        return entry

    def entry(self, sort: str, place: int) -> _Entry | None:
        """Return what is known of a sort at a place, and begin to look for it if nobody did; None if none can be."""
        if (sort, place) in self.entries:
            return self.entries[sort, place]
        if not self.can_start(sort, place):
            self.entries[sort, place] = None
            return None
        entry = self.entries[sort, place] = _Entry(sort)
        if sort in self.grammar.lexers:
            for value, end in self.lex(sort, place):
                if end not in entry.lexed:
                    entry.lexed[end] = value
                    entry.ends[end] = []
        root = self.grammar.roots.get(sort)
        if root is not None:
            self.todo.append(_Step(entry, root, place, None, None))
        return entry

    def can_start(self, sort: str, place: int) -> bool:
        """Return whether something of a sort could begin with the token at a place."""
        starts = self.grammar.starts_of(sort)
        if place < len(self.lower) and self.lower[place] in starts.words:
            return True
        return any(self.lex(lexer, place) for lexer in starts.lexed)

    def lex(self, sort: str, place: int) -> list[tuple[Any, int]]:
        """Return what is read from the tokens at a place as something of a sort."""
        known = self.lexed.get((sort, place))
        if known is None:
            known = self.lexed[sort, place] = self.grammar.lexers[sort](self.words, place)
        return known

    def go(self, before: _Step, node: _Node, place: int, child: _Entry | None) -> None:
        """Take a step; of two ways to the same step the one whose earlier slots are longer stays, or its last one."""
        entry = before.entry
        key = (id(node), place)
        known = entry.steps.get(key)
        if known is None:
            step = entry.steps[key] = _Step(entry, node, place, before, child)
            self.todo.append(step)
        elif known.before is not None and (before.place < known.before.place if node.last else
                                           before.place > known.before.place):  # fmt: skip
            known.before, known.child = before, child

    def found(self, step: _Step) -> None:
        """Note that a phrase ends here, and wake who waited for it."""
        ends = step.entry.ends
        if step.place in ends:
            ends[step.place].append(step)
            return
        ends[step.place] = [step]
        for before, node in list(step.entry.waiting):
            self.go(before, node, step.place, step.entry)

    def value(self, entry: _Entry, end: int) -> Any:
        """Build what a sort means from where it begins to an end, or None if no phrase fits after all."""
        if end in entry.lexed:
            return entry.lexed[end]
        if end in entry.values:
            return entry.values[end]
        if end in entry.busy:
            return None
        entry.busy.add(end)
        candidates = [(rule, step) for step in entry.ends[end] for rule in step.node.rules]
        value = None
        for rule, step in sorted(candidates, key=lambda candidate: candidate[0].rank):
            parts = self.parts(step)
            if all(part is not None for part in parts):
                names = [element.name for element in rule.elements if isinstance(element, Slot)]
                value = rule.build(**dict(zip(names, parts, strict=True)))
                if value is not None:
                    break
        entry.busy.discard(end)
        entry.values[end] = value
        return value

    def parts(self, step: _Step) -> list[Any]:
        """Return what stands in the slots on the way to a step."""
        found = []
        while step.before is not None:
            if step.child is not None:
                found.append(self.value(step.child, step.place))
            step = step.before
        return found[::-1]

    def unread(self) -> Unread:
        """Return how far the text could be read and what could stand there."""
        entries = [entry for entry in self.entries.values() if entry is not None]
        steps = [step for entry in entries for step in entry.steps.values()]
        furthest = max((step.place for step in steps), default=0)
        here = [step.node for step in steps if step.place == furthest]
        here += [self.grammar.roots[sort] for sort, place in self.entries
                 if place == furthest and sort in self.grammar.roots]  # fmt: skip
        wanted = {word for node in here for word in node.words}
        sorts = {sort for node in here for sort in node.slots}
        known = wanted.union(*(self.grammar.starts_of(sort).words for sort in sorts))
        wanted |= {"{" + sort.rstrip("+") + "}" for sort in sorts}
        return Unread(self.words, min(furthest, len(self.words)), tuple(sorted(wanted)), frozenset(known))


def in_order(build: Callable[..., Any]) -> Build:
    """Return a builder that hands what stands in the slots to a function in the order of the phrase."""
    return lambda **said: build(*said.values())


def variants(phrase: str) -> list[Elements]:
    """Write out the alternatives and optional parts of a phrase, the fullest and first ones first."""
    match = re.search(r"\[([^\[\]]*)\]|\(([^()\[\]]*\|[^()\[\]]*)\)", phrase)
    if match:
        options = [match[1], ""] if match[1] is not None else match[2].split("|")
        whole = [phrase[: match.start()] + option + phrase[match.end() :] for option in options]
        return [variant for text in whole for variant in variants(text)]
    elements: list[str | Slot] = []
    for part in re.findall(r"\{\w+:[\w ]+\+?\}|[^{}]+|\{[^{}]*\}", phrase):
        slot = re.fullmatch(r"\{(\w+):([\w ]+\+?)\}", part)
        elements += [Slot(slot[1], slot[2])] if slot else list(tokens(part))
    return [tuple(elements)]


def _lower(elements: Elements) -> Elements:
    return tuple(element.lower() if isinstance(element, str) else element for element in elements)


GRAMMAR = Grammar()
