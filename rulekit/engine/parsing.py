"""Reading a text: how far each way through the trees of phrases gets, and what was found where.

The reading goes through the trees with a list of what is still to be followed and remembers for each sort and place
where such a thing ends; it is done in bounded time for every text, and a phrase may begin with a thing of its own sort.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulekit.engine.phrases import Node, Slot, joined
from rulekit.rules import nearest

if TYPE_CHECKING:
    from rulekit.engine.grammar import Grammar


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

    @property
    def near(self) -> tuple[str, ...]:
        """What could have been meant by the first word that could not be read."""
        return nearest(self.phrase.split(" ")[0], sorted(self.known))


def in_words(expected: Iterable[str]) -> tuple[str, ...]:
    """Return what could stand somewhere as a person reads it: a sort without its braces, one thing with an article."""
    told = (_with_article(each[1:-1]) if each.startswith("{") else each for each in expected)
    return tuple(dict.fromkeys(told))


def _with_article(sort: str) -> str:
    if sort.endswith("s"):
        return sort
    return f"{'an' if sort[:1] in 'aeio' else 'a'} {sort}"


class _Entry:
    """A sort at a place: where such a thing ends, and who waits for it."""

    __slots__ = ("busy", "ends", "lexed", "sort", "steps", "values", "waiting")

    def __init__(self, sort: str) -> None:
        self.sort = sort
        self.ends: dict[int, list[_Step]] = {}
        self.lexed: dict[int, Any] = {}
        self.values: dict[int, Any] = {}
        self.waiting: list[tuple[_Step, Node]] = []
        self.steps: dict[tuple[int, int], _Step] = {}
        self.busy: set[int] = set()


class _Step:
    """How far one way through the tree has come: the node, the place in the text, and the step before it."""

    __slots__ = ("before", "child", "entry", "node", "place")

    def __init__(self, entry: _Entry, node: Node, place: int, before: _Step | None, child: _Entry | None) -> None:
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

    def go(self, before: _Step, node: Node, place: int, child: _Entry | None) -> None:
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
