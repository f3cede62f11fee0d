"""Whether words that fit together say something that the game can do as it is said."""

from __future__ import annotations

from rulekit.engine.abilities import Term, walk
from rulekit.engine.antecedents import FINDING, TARGETS, THE_REST

IT, THIS = Term("it"), Term("this")
BEHIND = ("instead", "otherwise")  # what belongs to a sentence before


def playable(does: tuple[Term, ...], behind: bool) -> bool:
    """Return whether effects say what can be done.

    Args:
        does: The effects of a paragraph.
        behind: Whether the first of them may belong to a paragraph before, as "instead" does.
    """
    said = {term.op for term in walk(does)}
    chosen = any(term.op == "choose" and term.args[0].op == "some of" for term in walk(does))
    left = {term.op for term in walk(does) if THE_REST in term.args}
    if "the rest" in said and not chosen and not (left == {"shuffle into library"} and said & {*FINDING}):
        return False  # of what it is the rest is not said
    if "spell exiled instead" in said and "cast without paying" not in said:
        return False  # the spell is not there yet
    loose = [term for term in walk(does) if term.op in BEHIND]
    if any(_unplayable(term, behind) for term in walk(does)):
        return False
    return not loose or (behind and loose == [does[0]])


def _unplayable(term: Term, spell: bool) -> bool:
    """Return whether the words of an effect fit together but say something that the game cannot do as it is said."""
    if term.op == "cast without paying" and THIS in term.args:
        return spell  # what is being carried out is on the stack already
    if term.op == "if" and any(inner.op == "some of" for inner in walk(term.args[0])):
        return True  # nothing is chosen in a condition
    if term.op == "divided" and term.args[1].op != "target":
        return True  # it is divided as targets are chosen (601.2d)
    if term.op in ("for each player", "for each object") and _aims_at_each(term):
        return True  # each would have a target of its own
    if term.op in ("some of", "target") and any(_lies_with_each(inner) for inner in term.walk()):
        return True  # one from each is meant
    return term.op == "permit" and any(inner.op == "some of" for inner in term.walk())


def _lies_with_each(term: Term) -> bool:
    """Return whether a description is of what lies in a zone of each opponent."""
    return term.op in ("in graveyard", "in hand", "in library") and term.args[0] == Term("each opponent")


def _aims_at_each(term: Term) -> bool:
    """Return whether a target within what is done for each is described by whoever or whatever each time is meant."""
    aimed = [inner for inner in walk(term.args[1]) if inner.op in TARGETS]
    return any(part in (Term("that player"), IT) for target in aimed for part in walk(target.args[1]))
