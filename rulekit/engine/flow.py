"""How effects hang together: if, may, unless, for each, later, again; and the subjects that several effects share.

The sort "effects" is a whole text: sentences of effects. A predicate (of the sort "act", of an object "object act") is
an effect whose subject stands before several of them or before "may".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.engine.abilities import WORDS, Term, walk, word
from rulekit.engine.events import Run, Table
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.phrases import SUBJECT, replaced

THE_REST = Term("the rest")
AN_OPPONENT = Term("an opponent of yours")
YOU, THIS, IT, THAT_PLAYER = Term("you"), Term("this"), Term("it"), Term("that player")
DONE = Term("it was done")
NO_REGENERATING = (Term("can't be regenerated", (None,)),)
AIMED = ("target", "target player")
Effects = tuple[Term, ...]
MAKES = (  # what later words are about was not there, or not seen, before these
    "create", "create a copy", "put onto the battlefield", "reveal until", "search library", "look at the top",
    "exile from library", "exile until", "cast without paying",
)  # fmt: skip
PRONOUNS = ("it", "that", "those", "them")

_JOINTS = ((",", "and"), ("and",), (",", "then"), ("then",), ("and", "then"), (",",), (",", "and", "then"))
for _sort in ("effect", "act", "object act", "deed done"):
    GRAMMAR.join(_sort, _JOINTS)


def filled(terms: Any, subject: Term) -> Any:
    """Return effects with their subject put in."""
    return replaced(terms, SUBJECT, subject)


# ---------------------------------------------------------------- subjects


def _sentence(does: Any, subject: Term) -> Any:
    """Return the effects of a sentence with their subject; one alone is no list."""
    if any(term.op == "sacrifices" and THE_REST in term.args for term in walk(does)):
        return None  # an instruction of its own, which sees to what each of them keeps
    if subject == AN_OPPONENT and isinstance(does, tuple) and len(does) > 1:  # the first one chooses who it is
        return (*filled(does[:1], subject), *filled(does[1:], THAT_PLAYER))
    said = filled(does, subject)
    return said[0] if isinstance(said, tuple) and len(said) == 1 else said


GRAMMAR.rule("effect", "{who:players} {does:act+}", lambda who, does: _sentence(does, who))
GRAMMAR.rule("effect", "{what:objects} {does:object act+}", lambda what, does: _sentence(does, what))
GRAMMAR.rule("effect", "{does:object act+}", lambda does: _sentence(does, THIS), late=True)
for _sort in ("effect", "act", "object act"):
    GRAMMAR.rule(_sort, f"also {{does:{_sort}}}", lambda does: does)
GRAMMAR.rule("deed done", "{does:act}", lambda does: (does,))
GRAMMAR.rule("deed done", "{does:command}", lambda does: does)
GRAMMAR.rule("deed done", "have {what:objects} {does:object act+}", lambda what, does: filled(does, what))
GRAMMAR.rule("deed done", "have {who:players} {does:act+}", lambda who, does: filled(does, who))


GRAMMAR.rule("object act", "deal[s] damage to {to:recipients} equal to {n:amount}",
             lambda to, n: _damage(n, to))  # fmt: skip
GRAMMAR.rule("object act", "deal[s] {n:damage} to {to:recipients} and {more:damage} to {other:recipients}",
             lambda n, to, more, other: (_damage(n, to), _damage(more, other)))  # fmt: skip


def _damage(n: Any, to: Term) -> Term:
    return Term("deal damage", (n, to, SUBJECT, False))


GRAMMAR.rule("act", "each {does:act}", lambda does: does)
GRAMMAR.rule("object act", "each {does:object act}", lambda does: does)
GRAMMAR.rule("effect", "you {does:command}", lambda does: does, late=True)
GRAMMAR.rule("effect", "then {does:effect}", lambda does: does, late=True)


# ---------------------------------------------------------------- if


@word("effect", op="if", rule="608.2c", flow=True)
def _if(t: Table, condition: Term, does: Effects = (), otherwise: Effects = ()) -> Run[Any]:
    """Do one thing or another, as a condition holds when the text comes to it (608.2c)."""
    if t.frame.holds(condition):
        return (yield from t.run(does))
    t.frame.said["done"] = False
    return (yield from t.run(otherwise))


@word("effect", op="instead", rule="614.15")
def _instead(t: Table, condition: Term, does: Effects = ()) -> Run[Any]:
    """Do something in place of what the sentence before says; the reader puts both into one `if` (614.15)."""
    return (yield from t.run(does if t.frame.holds(condition) else ()))


def conditional(condition: Term, does: Effects) -> Term:
    """Return effects under a condition, with nothing otherwise."""
    return Term("if", (condition, does, ()))


for _then in ("", "then "):
    GRAMMAR.rule("effect", f"{_then}if {{condition:condition}} , {{does:effect+}}", conditional)
    GRAMMAR.rule("effect", f"{_then}if {{condition:condition}} , {{does:effect+}} instead",
                 lambda condition, does: Term("instead", (condition, does)))  # fmt: skip
    GRAMMAR.rule("effect", f"{_then}if {{condition:condition}} , instead {{does:effect+}}",
                 lambda condition, does: Term("instead", (condition, does)))  # fmt: skip
GRAMMAR.rule("effect", "{does:effect+} instead if {condition:condition}",
             lambda condition, does: Term("instead", (condition, does)))  # fmt: skip
GRAMMAR.rule("effect", "instead {does:effect+} if {condition:condition}",
             lambda condition, does: Term("instead", (condition, does)))  # fmt: skip


def _behind(condition: Term, does: Any) -> Term | None:
    """Return an effect with a condition behind it, unless that is about its last part alone."""
    effects = as_tuple(does)
    if any(term.op == "modes" or (term.op == "copy" and False in term.args) for term in effects):
        return None  # the condition is about the last mode, or about what the copy is without
    return conditional(_of_what(condition, effects), effects)


GRAMMAR.rule("effect", "{does:effect} if {condition:condition}", _behind)
GRAMMAR.rule("effect", "otherwise , {does:effect+}", lambda does: Term("otherwise", (does,)))


def _of_what(condition: Term, does: Effects) -> Term:
    """Return the condition behind an effect, in which "it" is what the effect is about."""
    first = does[0]
    sorts = WORDS[first.op].sorts
    about = [
        arg
        for (name, _), arg in zip(WORDS[first.op].slots, first.args, strict=False)
        if sorts.get(name) in ("objects", "recipients") and isinstance(arg, Term) and arg != THIS
    ]
    meant: Term = replaced(condition, IT, about[-1]) if about else condition
    return meant


@word("effect", op="otherwise")
def _otherwise(t: Table, does: Effects = ()) -> Run[Any]:
    """Do something where the condition before does not hold; the reader puts it into that `if`."""
    return (yield from t.run(does))


def as_tuple(value: Any) -> Effects:
    """Return effects as a tuple, also where there is one."""
    return value if isinstance(value, tuple) else (value,)


def together(before: Effects, after: Effects) -> Effects:
    """Join two sentences: "instead" and "otherwise" belong to the one before."""
    first = after[0] if after else None
    if first is not None and before and before[-1].op == "later" and _asks_whether_done(first):
        event, does, ability = before[-1].args
        return (*before[:-1], Term("later", (event, (*does, first), ability)), *after[1:])
    if first is None or not before:
        return before + after
    if first.op == "continuous" and first.args[1] == NO_REGENERATING and before[-1].op == "destroy":
        lasting = Term("continuous", (before[-1].args[0], NO_REGENERATING, Term("this turn")))
        return (*before[:-1], lasting, before[-1], *after[1:])  # it says so of the destruction before it (701.19c)
    if first.op not in ("instead", "otherwise", "still a type"):
        return _with_what_it_made(before, after) or before + after
    if first.op == "still a type":
        return (*before[:-1], _keeping_types(before[-1]), *after[1:])
    if first.op == "instead":
        return _in_its_place(first, before) + after[1:]
    last = before[-1]
    if last.op == "if" and not last.args[2]:
        inner = last.args[1][-1] if last.args[0] == DONE else last
        if inner.op == "if" and inner is not last and not inner.args[2]:  # "otherwise" is about the nearest "if"
            does = (*last.args[1][:-1], Term("if", (*inner.args[:2], first.args[0])))
            return (*before[:-1], Term("if", (DONE, does, ())), *after[1:])
        return (*before[:-1], Term("if", (*last.args[:2], first.args[0])), *after[1:])
    not_done = Term("if", (Term("not so", (DONE,)), first.args[0], ()))
    return (*before, not_done, *after[1:])


def _in_its_place(instead: Term, before: Effects) -> Effects:
    """Return what stands before "instead" under its condition: the one or the other is done (614.15)."""
    condition = _of_its_target(instead.args[0], before)
    does = _of_its_target(_that_many(instead.args[1], before), before)
    made = _of_what_was_made(condition, does, before)
    if made is not None:
        return made
    kept: Effects = ()
    if any("this way" in term.op for term in walk(condition)):  # what it goes by is done first
        kept, before = before[:-1], before[-1:]
    if len(does) == 1 and does[0].op == "may":  # what may be done instead, or else what stands before
        does = (*does, Term("if", (Term("not so", (DONE,)), before, ())))
    return (*kept, Term("if", (condition, does, before)))


def _of_what_was_made(condition: Term, does: Effects, before: Effects) -> Effects | None:
    """Return what is done in another way with something that was found or made, all else before it as it stands.

    "Search your library for a card, put it onto the battlefield, then shuffle. If the gift was promised, put that card
    into your hand instead." replaces the last thing that is done with that card.
    """
    maker = next((place for place, term in enumerate(before) if term.op in MAKES), len(before))
    if not any(_speaks(does)) or any(term.op in MAKES for term in walk(does)):
        return None
    about = [place for place in range(maker + 1, len(before)) if any(_speaks(before[place]))]
    if not about:
        return None
    last = about[-1]
    return (*before[:last], Term("if", (condition, does, before[last : last + 1])), *before[last + 1 :])


def _speaks(does: Any) -> Iterator[Term]:
    """Yield the pronouns in effects."""
    return (term for term in walk(does) if term.op in PRONOUNS)


def _with_what_it_made(before: Effects, after: Effects) -> Effects | None:
    """Return two sentences as one where the later one is about what the former may have made, or may not have.

    "You may pay {2}. If you do, create a token. It gains haste." says nothing of anything where nothing was paid.
    """
    last = before[-1]
    does = last.args[1] if last.op == "may" or (last.op == "if" and last.args[0] == DONE and not last.args[2]) else ()
    made = any(term.op in MAKES for term in walk(does))
    about = made and any(term.op in PRONOUNS for term in walk(after[0])) and not _asks_whether_done(after[0])
    if not about:
        return None
    if last.op == "if":
        return (*before[:-1], Term("if", (last.args[0], (*does, *after), ())))
    return (*before, Term("if", (DONE, after, ())))


def _that_many(does: Effects, before: Effects) -> Effects:
    """Return what is done instead, with "that many" as the number of what it takes the place of."""
    for term in before:
        amounts = [arg for (name, _), arg in zip(WORDS[term.op].slots, term.args, strict=False) if name == "n"]
        if amounts:
            counted: Effects = replaced(does, Term("that many"), amounts[0])
            return counted
    return does


def _of_its_target(does: Any, before: Effects) -> Any:
    """Return what is done instead, or when, about the target of what it replaces if it has none of its own."""
    if any(term.op in AIMED for term in walk(does)):
        return does
    aimed = list(dict.fromkeys(term for term in walk(before) if term.op in AIMED))
    if len(aimed) != 1:
        return does
    sources = [term.args[2] for term in walk(before) if term.op == "deal damage"]
    does = _with_its_source(does, sources[0]) if sources else does
    spoken = ("it", "that") if aimed[0].op == "target" else ("that player",)
    for term in dict.fromkeys(term for term in walk(does) if term.op in spoken):
        does = replaced(does, term, aimed[0])
    return does


def _with_its_source(does: Any, source: Term) -> Any:
    """Return what is done instead with the source of the damage that it takes the place of ("it deals 5 damage")."""
    if isinstance(does, tuple):
        return tuple(_with_its_source(part, source) for part in does)
    if not isinstance(does, Term) or does.op != "deal damage" or does.args[2] != IT:
        return does
    return Term(does.op, (*does.args[:2], source, *does.args[3:]))


def _asks_whether_done(effect: Term) -> bool:
    """Return whether an effect depends on what was just said: "if you do", "if you don't", "when you do"."""
    return effect.op == "when done" or (effect.op == "if" and effect.args[0] in (DONE, Term("not so", (DONE,))))


def _keeping_types(effect: Term) -> Term:
    """Return an effect in which what becomes something keeps the types that it has (205.1b)."""
    adds = next(place for place, (name, _) in enumerate(WORDS["becomes"].slots) if name == "adds")

    def keep(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(keep(part) for part in value)
        if not isinstance(value, Term):
            return value
        args = tuple(keep(arg) for arg in value.args)
        return Term(value.op, (*args[:adds], True, *args[adds + 1 :]) if value.op == "becomes" else args)

    kept: Term = keep(effect)
    return kept


GRAMMAR.rule("effects", "{does:effect+}", lambda does: does)
for _joint in (". then", ".", "; then", ";"):
    GRAMMAR.rule("effects", f"{{before:effects}} {_joint} {{after:effect+}}", together)
