"""What static abilities say holds: for whom, under which condition, and what a later "it" is (604, 611.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.engine.abilities import WORDS, Term, walk, word
from rulekit.engine.filters import all_of
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.phrases import in_order, replaced
from rulekit.engine.repeating import where_x
from rulekit.engine.statements import for_players

IT, THIS = Term("it"), Term("this")


@word("statement", op="apply", rule="611.3")
def _apply(frame: Frame, subject: Term | None = None, changes: tuple[Term, ...] = ()) -> None:
    """Change how objects are seen; `layers` carries it out."""


def _applied(subject: Term, changes: tuple[Term, ...]) -> tuple[Term, ...]:
    parts = subject.args[0] if subject.op == "together" else (subject,)
    players = [part for part in parts if WORDS[part.op].sort == "players"]
    others = tuple(part for part in parts if part not in players)
    found = tuple(term for who in players for change in changes for term in for_players(change, who))
    if others:
        subject = others[0] if len(others) == 1 else Term("together", (others,))
        found += (Term("apply", (subject, changes if subject == THIS else _told_apart(changes))),)
    return found


def _told_apart(value: Any) -> Any:
    """Return changes in which "other" means others than the object that is changed."""
    if isinstance(value, tuple):
        return tuple(_told_apart(part) for part in value)
    if not isinstance(value, Term):
        return value
    if value.op == "all of":
        return all_of(*(_told_apart(part) for part in value.args[0]))
    return Term("other than", (IT,)) if value.op == "other" else Term(value.op, _told_apart(value.args))


GRAMMAR.join("static", ((",", "and"), ("and",)))
GRAMMAR.rule("static", "{subject:recipients} {changes:change+}", _applied)
GRAMMAR.rule("static", "{rule:rule}", lambda rule: (rule,))
Said = tuple["Term | None", tuple[Term, ...]]  # a condition, and what holds while it does


def _while(condition: Term, what: tuple[Term, ...]) -> Said:
    """Say that something holds while a condition does; "it" is what the condition is about."""
    return condition, _about(what, next(_subjects((condition,)), None))


def _behind(what: tuple[Term, ...], condition: Term) -> Said:
    """Say a condition behind what holds; "it" is what the statement is about."""
    subject = next(_subjects(what), None)
    return (condition if subject is None else replaced(condition, IT, subject)), what


def _about(what: tuple[Term, ...], subject: Term | None) -> tuple[Term, ...]:
    """Put what is spoken of in the place of the pronoun that statements are about."""
    return tuple(
        Term("apply", (subject, term.args[1]))
        if subject is not None and term.op == "apply" and term.args[0].op in ("it", "that")
        else term
        for term in what
    )


def _subjects(terms: tuple[Term, ...]) -> Iterator[Term]:
    for term in walk(terms):
        about = term.args[0] if term.op in ("is", "attached", "apply") else None
        if isinstance(about, Term) and about.op not in ("it", "that"):
            yield about


def _one_more(before: tuple[Said, ...], said: Said) -> tuple[Said, ...]:
    """Join statements; in a later one "it" is what the one before is about."""
    subject = next(_subjects(before[-1][1]), None)
    condition, what = said
    if subject is not None and condition is not None:
        condition = replaced(condition, IT, subject)
    return (*before, (condition, _about(what, subject)))


GRAMMAR.rule("statement", "{what:static+}", lambda what: (None, _about(what, next(_subjects(what), None))))
GRAMMAR.rule("statement", "as long as {condition:condition} , {what:static+}", _while)
GRAMMAR.rule("statement", "if {condition:condition} , {what:static+}", _while)
GRAMMAR.rule("statement", "{what:static+} (as long as|if) {condition:condition}", _behind)
GRAMMAR.rule("statement", "during your turn , {what:static+}", lambda what: (Term("your turn"), what))
GRAMMAR.rule("statement", "{what:static+} during your turn", lambda what: (Term("your turn"), what))
GRAMMAR.rule("statement", "{said:statement} , where X is {n:amount}", in_order(where_x))
GRAMMAR.rule("statements", "{said:statement}", lambda said: (said,))
for _joint in (".", ";"):
    GRAMMAR.rule("statements", f"{{before:statements}} {_joint} {{said:statement}}", _one_more)
