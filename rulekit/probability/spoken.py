"""The texts of a plan: read as rules text, and refused where nothing stands in front of them that they speak of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import WORDS, Term, walk
from rulekit.engine.events import Event, Table
from rulekit.engine.filters import all_of
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.phrases import replaced
from rulekit.engine.text import abilities_of, read_card, read_effect
from rulekit.probability.unseen import PLAYER, Refused

_PRONOUNS = ("it", "that", "them", "those", "that many")
_AMONG = (Term("among", (Term("them"),)), Term("this way", ("revealed",)))
_AMONG_MILLED = (Term("among", (Term("milled"),)), Term("this way", ("milled",)))
_THE_PLAYER = ("enchanted player", "defending player", "chosen player")  # of whom a plan has only the one
_WHOSE = ("controller", "owner")  # of something that a plan does not have
_ONE = ("this", "target")  # one object, which a plan does not have
_APART = frozenset(  # what is done to such an object and does nothing to a library
    {
        "put counters", "remove counters", "continuous", "destroy", "counter", "deal damage", "transform", "tap",
        "untap", "attach", "gain control", "regenerate", "fight",
    }
)  # fmt: skip
_ELSEWHERE = {
    "later": "it waits for a later time; a plan says the turn itself: each_turn, on_turn",
    "modes": "it is for the player to choose a mode; write down the one that is chosen",
    "extra turn": "it brings another turn; a plan says itself what is done in how many turns",
    "win the game": "it ends the game",
    "lose the game": "it ends the game",
    "gift promised": "it asks whether a gift was promised; write down what is done",
    "this": "it speaks of the card that has it, and a step of a plan is on no card",
}


class Unsaid(Refused):
    """Something that no step of a plan can say, whether a program or games carry it out."""


def read_step(text: str) -> tuple[Term, ...]:
    """Read what is done in a turn of a plan.

    Args:
        text: Instructions in the words of rules text.

    Returns:
        Its effects.

    Raises:
        Unread: It is not understood.
        Unsaid: It waits, ends the game, or speaks of something that nothing in it names.
    """
    effects, _ = _of_the_library(read_effect(text))
    for term in walk(effects):
        if term.op in _THE_PLAYER or (term.op in _WHOSE and term.args[0].op in ("it", "that")):
            effects = replaced(effects, term, Term("that player"))
    for term in walk(effects):
        if term.op in _ELSEWHERE:
            raise Unsaid(_ELSEWHERE[term.op])
        if term.op == "X":
            raise Unsaid("it does not say what X is; write the number in its place")
    first = pronoun_in(effects[:1])
    if first:
        number = "; write the number in its place" if first == "that many" else ""
        raise Unsaid(f"'{first}' is something that is not named before{number}")
    return effects


def spoken_frame(t: Table, effects: tuple[Term, ...], you: str) -> Frame:
    """Return the frame in which the effects of a plan's text are carried out: the player is what they target."""
    frame = Frame(t, you, 0)
    frame.said["whose"] = (PLAYER,)  # "that player", where nobody is named before
    for term in walk(effects):
        if term.op == "target player":
            frame.targets[term.args[0]] = (PLAYER,)
    return frame


def left_out(text: str) -> tuple[str, ...]:
    """Return what a text does to objects that no plan has, in words: to the card it stands on, or to a target."""
    _, apart = _of_the_library(read_effect(text))
    return tuple(map(said, apart))


def said(term: Term) -> str:
    """Say an effect, a condition or an amount; by its name alone where it has no wording."""
    try:
        return GRAMMAR.say(term)
    except LookupError:
        return term.op


def _of_the_library(effects: tuple[Term, ...]) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """Part effects into those that may do something to a library, and those that do something to one object apart."""
    kept: list[Term] = []
    apart: list[Term] = []
    behind = False  # whether the effect before is one of those, so that a pronoun means the same object
    for place, term in enumerate(effects):
        asked = any(each.op == "it was done" for each in walk(effects[place + 1 : place + 2]))
        inner = [k for k, arg in enumerate(term.args) if is_effects(arg)]
        parts = {k: _of_the_library(term.args[k]) for k in inner}
        one = any(each.op in _ONE for each in _own(term)) or (behind and bool(pronoun_in(term)))
        behind = (term.op in _APART and one) or (bool(inner) and not any(parts[k][0] for k in inner))
        if behind:
            (kept if asked else apart).append(term)
            continue
        apart += [each for k in inner for each in parts[k][1]]
        kept.append(Term(term.op, tuple(parts[k][0] if k in parts else arg for k, arg in enumerate(term.args))))
    return tuple(kept), tuple(apart)


def begin_draw_step(t: Table) -> None:
    """Let the draw step begin in which a plan draws: what is drawn there first is the first of that step (504.1)."""
    t.change_turn(step="draw")
    t.log(Event("step begins", t.state.turn.active, detail=(("step", "draw"),), rule="504.1"))


def pronoun_in(value: Any) -> str:
    """Return the first pronoun of an effect, those of the effects that it holds left out; empty if there is none."""
    return next((term.op for term in _own(value) if term.op in _PRONOUNS), "")


@dataclass(frozen=True)
class Picking:
    """Look at cards from the top of a library, take some of them, and put the rest somewhere; or mill them first.

    Attributes:
        before: What is done before.
        mills: The effect that mills them, if one does.
        chooser: Who takes some, if others than "you".
        who: Who looks.
        n: How many cards.
        most: How many are taken; None: all that fit.
        what: Which cards may be taken; None: any.
        optional: Whether none need be taken.
        to: The zone where they go.
        rest: Where the rest goes, as "put the rest" says it, or "milled".
        after: What is done after.
    """

    before: tuple[Term, ...]
    mills: tuple[Term, ...]
    chooser: Term | None
    who: Term
    n: Any
    most: int | None
    what: Term | None
    optional: bool
    to: str
    rest: str
    after: tuple[Term, ...]


def picking_in(effects: tuple[Term, ...]) -> Picking | None:
    """Find the first look at cards, or mill, of which some are taken; of those looked at the rest is put somewhere."""
    for place, (look, take) in enumerate(pairwise(effects)):
        rest = effects[place + 2] if place + 2 < len(effects) else None
        mills = look.op == "mill"
        if not mills and (look.op != "look at the top" or rest is None or rest.op != "put the rest" or rest.args[2]):
            continue
        chooser, inner = take.args if take.op == "may" else (None, (take,))
        to = {"return to hand": "hand", "put onto the battlefield": "battlefield"}.get(inner[-1].op, "")
        revealed = inner[0].op == "reveal" and len(inner) > 1
        group = inner[0].args[-1 if revealed else 0] if to else None
        if isinstance(group, Term) and group.op in ("some of", "each") and len(inner) == 1 + revealed:
            what = _among_them(group.args[0], _AMONG_MILLED if mills else _AMONG)
            most = None if group.op == "each" else group.args[2]
            if what is not None and (most is None or isinstance(most, int)):
                before, after = effects[:place], effects[place + (2 if mills else 3) :]
                away = "milled" if mills or rest is None else rest.args[0]
                return Picking(before, (look,) * mills, chooser, look.args[0], look.args[1], most, what[0],
                               take.op == "may", to, away, after)  # fmt: skip
    return None


def _among_them(what: Term, among: tuple[Term, ...]) -> tuple[Term | None] | None:
    """Return the description of cards "from among them" or "revealed this way" without those words, or None."""
    parts = what.args[0] if what.op == "all of" else (what,)
    left = tuple(part for part in parts if part not in (*among, Term("card")))
    if not any(each in parts for each in among):
        return None
    return (all_of(*left) if left else None,)


def not_read(card: Card) -> tuple[str, ...]:
    """Return what is not understood of a card: whole abilities, as nothing of them is done, or sentences of a face."""
    reading = read_card(card)
    unread = [ability for ability in reading.abilities if ability.kind == "unread"]
    sentences = [each.text for each in reading.sentences if not each.understood]
    apart = [each for each in sentences if not any(_plain(each) in _plain(ability.text) for ability in unread)]
    return tuple(dict.fromkeys([*(ability.printed for ability in unread), *apart]))


def _plain(text: str) -> str:
    return text.replace("~", "this").strip().rstrip(".").casefold()


def waits_for_a_step(card: Card) -> bool:
    """Return whether an ability of a permanent waits for a step of the turn to begin, such as the upkeep (603.6)."""
    events = [ability.event for ability in abilities_of(card) if ability.event is not None]
    return any(term.op == "it begins" for event in events for term in event.walk())


def is_effects(value: Any) -> bool:
    """Return whether a value is a list of effects."""
    return (
        isinstance(value, tuple)
        and bool(value)
        and all(isinstance(each, Term) and WORDS[each.op].sort == "effect" for each in value)
    )


def _own(value: Any) -> Iterator[Term]:
    """Yield the terms of an effect without the effects that it holds."""
    if isinstance(value, tuple):
        for part in value:
            yield from _own(part)
    elif isinstance(value, Term):
        yield value
        for arg in value.args:
            if not (isinstance(arg, tuple) and any(isinstance(e, Term) and WORDS[e.op].sort == "effect" for e in arg)):
                yield from _own(arg)
