"""What cards can say, as data: terms, the words that make them, and abilities.

A `Term` is one thing said in the game's language, such as ``mills(target player, 10)``. A `Word` declares how it is
said (its phrases) and what it means (its body), in one place. Reading rules text (`text.py`), carrying it out
(`events.py`), looking at continuous effects (`layers.py`) and saying it again all go by these declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeVar


@dataclass(frozen=True, slots=True)
class Term:
    """One thing said in the language of the game: a word and what stands in its slots."""

    op: str
    args: tuple[Any, ...] = ()

    def walk(self) -> Iterator[Term]:
        """Yield this term and every term inside it, in the order of the text."""
        yield self
        for arg in self.args:
            yield from walk(arg)

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, self.args))})" if self.args else self.op


def walk(value: object) -> Iterator[Term]:
    """Yield every term inside a value that may be a term, a tuple of them, or neither."""
    if isinstance(value, Term):
        yield from value.walk()
    elif isinstance(value, tuple):
        for part in value:
            yield from walk(part)


@dataclass(frozen=True)
class Word:
    """How one term is said and what it means.

    Attributes:
        op: The name of the term.
        sort: What kind of thing it is: effect, players, objects, filter, amount, condition, event, change ...
        body: What it means; the arguments depend on the sort (see `SORTS`).
        phrases: The ways to say it; the first is the normal wording.
        slots: The names of the body's arguments that phrases fill, in order, with the value each has if unsaid.
        rule: The rule that the word stands for.
        sorts: The sort of each slot.
        facts: What else its sort wants to know (the layer of a change, the event kinds of a trigger).
    """

    op: str
    sort: str
    body: Callable[..., Any]
    phrases: tuple[str, ...]
    slots: tuple[tuple[str, Any], ...]
    rule: str
    sorts: dict[str, str]
    facts: dict[str, Any]


WORDS: dict[str, Word] = {}


def term(op: str, *args: Any) -> Term:
    """Return a term with the arguments that it lacks as they are if unsaid, as the reader makes it."""
    unsaid = tuple(value for _, value in WORDS[op].slots[len(args) :])
    return Term(op, (*args, *unsaid))


# What a body of each sort is called with before the arguments, and what it answers.
SORTS = {
    "effect": "(t: Table, ...) a generator that carries it out; slots of the sorts players and objects "
    "arrive evaluated",
    "players": "(frame) the players meant, in turn order",
    "objects": "(frame) the numbers of the objects meant",
    "filter": "(frame, number) whether the object is such a one",
    "amount": "(frame, player) a whole number; `player` is who 'their' means",
    "condition": "(frame) whether it is so",
    "event": "(frame, event) the matches of a trigger condition, one for each time it triggers",
    "change": "(frame, draft) changes what is seen of an object (613)",
    "statement": "data only: what a static ability says of some objects",
    "rule": "data only: a static statement that some part of the engine looks for",
    "would": "(frame, event) whether a replacement effect applies to an event that would happen (614.1)",
    "outcome": "(t, frame, event) a generator that answers the event as replaced, or None",
    "core": "an outcome without the word instead",
    "whose": "(frame) the players whose step it is",
    "cost": "(t, player, ...) a generator with which the player pays it",
    "deed": "(frame, event) for each thing done at once: whom it happened to, and what is then said",
    "watched": "(frame, numbers) the groups of objects among them that are watched",
    "receiver": "(frame, to) whether damage was dealt to such a one",
    "duration": "data only",
}

LEADING = {  # how many arguments stand before the slots, where it is not one
    "filter": 2, "amount": 2, "event": 2, "deed": 2, "watched": 2, "receiver": 2, "change": 2, "would": 2, "cost": 2,
    "outcome": 3, "core": 3,
}  # fmt: skip


Body = TypeVar("Body", bound=Callable[..., Any])


def word(
    sort: str,
    *phrases: str | tuple[str, dict[str, Any]],
    rule: str = "",
    op: str = "",
    **facts: Any,
) -> Callable[[Body], Body]:
    """Declare a word: the decorated function is its meaning, the phrases are how it is said.

    Args:
        sort: One of `SORTS`.
        phrases: Text with slots ``{name:sort}``, alternatives ``(a|b)`` and optional words ``[the]``. A phrase given
            as ``(text, {slot: value})`` fixes slots that it does not say.
        rule: Number of the rule.
        op: Name of the term; the function's name with spaces if left out.
        facts: Kept in `Word.facts`.

    Returns:
        The function, unchanged.
    """

    def declare(body: Body) -> Body:
        from rulekit.engine.grammar import GRAMMAR

        name = op or body.__name__.strip("_").replace("_", " ")
        if name in WORDS:
            raise ValueError(f"the word {name!r} is declared twice")
        skip = LEADING.get(sort, 1)
        code = body.__code__
        names = code.co_varnames[skip : code.co_argcount]
        defaults = body.__defaults__ or ()
        unsaid = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True)) if defaults else {}
        slots = tuple((slot, unsaid.get(slot)) for slot in names)
        texts = []
        sorts: dict[str, str] = {}
        for phrase in phrases:
            text, preset = phrase if isinstance(phrase, tuple) else (phrase, {})
            texts.append(text)
            for slot, filled in re.findall(r"\{(\w+):([\w ]+)\+?\}", text):
                sorts.setdefault(slot, filled)
            GRAMMAR.add(sort, text, name, slots, preset)
        for slot, value in slots:
            if isinstance(value, Term) and slot not in sorts and value.op in WORDS:
                sorts[slot] = WORDS[value.op].sort
        WORDS[name] = Word(name, sort, body, tuple(texts), slots, rule, sorts, facts)
        return body

    return declare


@dataclass(frozen=True)
class Ability:
    """One ability of an object: what it waits for or costs, what it does, and its rule (113).

    Attributes:
        kind: spell, activated, triggered, static, replacement, keyword (a keyword that the engine itself knows,
            such as flying), additional cost, alternative cost, or unread (a sentence that was not understood).
        text: What it says, in our own normal wording; reading that gives an equal ability. Not part of its identity.
        printed: What stands on the card for it, if that is known; not part of its identity either.
        rule: The rule that it comes from.
        keyword: The keyword that it is or belongs to, else "".
        value: What stands beside a keyword: ("black",) for protection, (5,) for dredge.
        cost: Cost terms of an activated ability or of an additional or alternative cost.
        event: What a triggered ability waits for, or what a replacement effect replaces.
        condition: The "if" of a trigger (603.4) or the "as long as" of a static ability.
        effect: What it does: effects, changes with their subject, rules, or an outcome.
        timing: "sorcery", "instant" or "" (whenever its player has priority).
        limit: How often it may be activated each turn, or 0.
        zones: Where it functions (113.6).
        mana: Whether it is a mana ability (605.1).
        loyalty: Whether it is a loyalty ability (606).
    """

    kind: str
    text: str = field(default="", compare=False)
    rule: str = field(default="", compare=False)
    keyword: str = ""
    value: tuple[Any, ...] = ()
    cost: tuple[Term, ...] = ()
    event: Term | None = None
    condition: Term | None = None
    effect: tuple[Term, ...] = ()
    timing: str = ""
    limit: int = 0
    zones: tuple[str, ...] = ("battlefield",)
    mana: bool = False
    loyalty: bool = False
    printed: str = field(default="", compare=False)

    @property
    def words(self) -> str:
        """What a person reads of it: what stands on the card, or the normal wording where nothing does."""
        return self.printed or self.text

    def terms(self) -> Iterator[Term]:
        """Yield every term of the ability, in the order cost, event, condition, effect."""
        for part in (self.cost, self.event, self.condition, self.effect):
            yield from walk(part)


def abilities_in(value: object) -> Iterator[Ability]:
    """Yield the abilities inside a value, itself if it is one, also those that an effect of another would give."""
    if isinstance(value, Ability):
        yield value
        yield from abilities_in(value.effect)
    elif isinstance(value, Term):
        yield from abilities_in(value.args)
    elif isinstance(value, tuple):
        for each in value:
            yield from abilities_in(each)
