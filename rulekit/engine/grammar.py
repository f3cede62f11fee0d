"""The grammar of rules text: phrases with slots, read all at once and said again by the first that fits.

Phrases are declared with the words they stand for (`abilities.word`), so that nothing that the kit can do lacks a way
to say it. They hang in a tree for each sort, so that phrases which begin alike are tried once (`parsing`). Where
several readings end at the same place the phrase that was declared first wins, then the one whose earlier slots are
longer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from rulekit.engine.abilities import WORDS, Term
from rulekit.engine.parsing import Reading
from rulekit.engine.phrases import (
    EMPTY,
    LATE,
    SUBJECT,
    SUBJECTS,
    Build,
    Elements,
    Node,
    Rule,
    Slot,
    joined,
    listed,
    lowered,
    tokens,
    variants,
)


@dataclass(frozen=True, slots=True)
class _Starts:
    """How something of a sort can begin."""

    words: frozenset[str]
    lexed: tuple[str, ...]


Lexer = Callable[[tuple[str, ...], int], "list[tuple[Any, int]]"]
_JOINTS = ((",", "and"), (",",), ("and",), (",", "or"), ("or",), ("and", "/", "or"))


@dataclass
class Grammar:
    """The phrases of all sorts.

    Attributes:
        lexers: Sorts that are read from the tokens themselves: numbers, colors, names.
        sayers: How the values of such a sort are said; for a word whose phrases cannot say all its terms, by its op.
        several: How the values of a sort are said behind a number of them.
        joints: Between the parts of a list of a sort; commas and "and" where nothing is said.
    """

    lexers: dict[str, Lexer] = field(default_factory=dict)
    sayers: dict[str, Callable[[Any], str]] = field(default_factory=dict)
    joints: dict[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    spoken: dict[str, list[Rule]] = field(default_factory=dict)
    plural: Callable[[Term], bool] = lambda term: False
    several: dict[str, Callable[[Any], str]] = field(default_factory=dict)
    roots: dict[str, Node] = field(default_factory=dict)
    rules: int = 0
    starts: dict[str, _Starts] = field(default_factory=dict)

    def add(self, sort: str, phrase: str, op: str, slots: tuple[tuple[str, Any], ...], preset: dict[str, Any]) -> None:
        """Add one phrase of a word: what it builds is a term with the word's slots."""

        def build(**said: Any) -> Term:
            said = preset | said
            return Term(op, tuple(said.get(name, unsaid) for name, unsaid in slots))

        for spelled in variants(phrase):
            elements = lowered(spelled)
            self._put(sort, elements, build)
            self.spoken.setdefault(op, []).append(Rule(spelled, self.rules, build, tuple(preset.items())))
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
            self._put(sort, lowered(spelled), build, late=late, last=last)

    def join(self, sort: str, joints: tuple[tuple[str, ...], ...]) -> None:
        """Say what may stand between the parts of a list of a sort, before a phrase speaks of such a list.

        Raises:
            ValueError: The list is in use with other joints already.
        """
        if f"{sort}+" in self.roots:
            raise ValueError(f"Lists of {sort!r} are in use: say what joins them before the first phrase with {sort}+.")
        self.joints[sort] = joints

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
        rule = Rule(elements, self.rules + late * LATE, build)
        node = self.roots.setdefault(sort, Node())
        for element in elements:
            if isinstance(element, str):
                node = node.words.setdefault(element, Node())
            else:
                if element.sort.endswith("+"):
                    self._list(element.sort)
                node = node.slots.setdefault(element.sort, Node())
        node.rules.append(rule)
        node.last |= last

    def _list(self, sort: str) -> None:
        """Make the sort of lists of another: one, or one and a joint and more of them."""
        if sort in self.roots:
            return
        one, more = Slot("one", sort[:-1]), Slot("more", sort)
        self.roots[sort] = Node()
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
        rule = min(
            fitting,
            key=lambda rule: (
                self._disagreement(rule, given, many if inflected else None),
                -_numbers_said(rule),
                _usual_said(rule, given, unsaid),
            ),
        )
        first = rule.elements[0]
        subject = first.sort in _SUBJECT_SORTS if isinstance(first, Slot) else False
        plural = self.plural(given[first.name]) if subject and isinstance(first, Slot) else many
        said: list[str] = []
        for place, element in enumerate(rule.elements):
            if isinstance(element, str):
                said.append(element)
            elif place and _several(rule.elements[place - 1], given) and element.sort in self.several:
                said.append(self.several[element.sort](given[element.name]))
            else:
                said.append(self.say(given[element.name], element.sort, plural))
        if subject and said[0] == "them":
            said[0] = "they"
        return joined(said)

    def _disagreement(self, rule: Rule, given: dict[str, Any], many: bool | None) -> int:
        """Count what is wrong with a phrase: verbs that do not agree with their subject, nouns with their number."""
        elements = rule.elements
        wrong = int(isinstance(elements[0], Slot) and given[elements[0].name] == Term("you"))
        for place, element in enumerate(elements):
            before = elements[place - 1] if place else None
            if not isinstance(element, str):
                continue
            if element in ("is", "are") and place > 1 and isinstance(counted := elements[place - 2], Slot):
                wrong += counted.sort in _NUMBER_SORTS and (element == "are") == (given[counted.name] == 1)
            if element in _POSSESSIVES and (owner := _owner(elements, place)) is not None:
                wrong += _POSSESSIVES[element] != self.plural(given[owner.name])
            if place == 0:
                wrong += many is not None and _is_singular_verb(element) == many
            elif isinstance(before, Slot) and before.sort in _SUBJECT_SORTS and place == 1:
                wrong += _is_singular_verb(element) == self.plural(given[before.name])
            elif isinstance(before, Slot) and (number := _counted_by(elements, place)) is not None:
                wrong += element.endswith("s") == (given[number.name] == 1) and element[-2:] != "'s"
        return wrong


_POSSESSIVES = {"its": False, "their": True}  # each with whether it is of several


def _owner(elements: Elements, place: int) -> Slot | None:
    """Return the objects whose owner or controller a possessive word speaks of, if they are in the phrase."""
    if elements[place + 1 : place + 2] not in (("owner",), ("controller",)):
        return None
    return next((each for each in elements[:place] if isinstance(each, Slot) and each.sort == "objects"), None)


def _numbers_said(rule: Rule) -> int:
    """Return for how many numbers a phrase has words of its own, such as "the top card", "their hand"."""
    return sum(not isinstance(fixed, Term) for _, fixed in rule.preset)


def _usual_said(rule: Rule, given: dict[str, Any], unsaid: dict[str, Any]) -> int:
    """Return how many things a phrase says that need not be said."""
    slots = [element.name for element in rule.elements if isinstance(element, Slot)]
    return sum(name in unsaid and given[name] == unsaid[name] for name in slots)


def _counted_by(elements: Elements, place: int) -> Slot | None:
    """Return the slot of the number before a noun: right before it, or before the kind of an (additional) counter."""
    for before in reversed([each for each in elements[:place] if each != "additional"][-2:]):
        if not isinstance(before, Slot):
            return None
        if before.sort in _NUMBER_SORTS:
            return before
    return None


def _several(before: str | Slot, given: dict[str, Any]) -> bool:
    """Return whether a number of things that is not one stands before a slot."""
    return isinstance(before, Slot) and before.sort in _NUMBER_SORTS and given[before.name] not in (1, (1, 1))


_SUBJECT_SORTS = ("players", "objects", "recipients", "watched")
_NUMBER_SORTS = ("number", "amount", "counters", "how many")
_PLURAL_VERBS = frozenset({"pass", "discuss"})


def _is_singular_verb(word: str) -> bool:
    return (word.endswith("s") and word not in _PLURAL_VERBS) or word in ("doesn't", "isn't")


def _covers(rule: Rule, given: dict[str, Any], unsaid: dict[str, Any]) -> bool:
    """Return whether a phrase says all that is given, and nothing that is not."""
    slots = [element.name for element in rule.elements if isinstance(element, Slot)]
    said = {*slots, *(name for name, _ in rule.preset)}
    if any(given.get(name) is None for name in slots):
        return False
    fits = all(given[name] == fixed for name, fixed in rule.preset)
    return fits and all(name in said or given[name] == unsaid[name] for name in given)


GRAMMAR = Grammar()
GRAMMAR.join("change", ((",", "and"), (",",), ("and",)))  # spoken of in rooms that do not know each other
