"""When and how often what a card does is done, as far as no card says it."""

from __future__ import annotations

from rulekit.cards.card import Card
from rulekit.engine.abilities import WORDS, Ability, Term, walk
from rulekit.engine.text import abilities_of
from rulekit.probability.spoken import said

ONCE = ("it enters", "it dies", "it leaves the battlefield", "it does either")  # what happens to a permanent once only
SPENT = ("sacrifice it as a cost", "exile it as a cost", "discard it as a cost")
FIGHTS = ("attacks", "damage", "damage dealt", "blocks", "becomes blocked")


def turn_of(card: Card, ability: Ability) -> int:
    """Return the turn in which a land each turn pays for the face of a card that has an ability, or for the first."""
    faces = card.faces or (card,)
    face = next((each for each in faces if ability in abilities_of(each)), faces[0])
    cost = face.cost or faces[0].cost
    return max(1, cost.mana_value if cost is not None else 1)


def first_words(turn: int, once: bool, late: int) -> str:
    """Say what is meant by the turn in which something is done, or by the first one."""
    what = "turn in which it is done" if once else "first turn in which it is done"
    then = f", {'one turn' if late == 1 else f'{late} turns'} after it is cast" if late else ""
    return f"{what}; unsaid: the turn of its mana value, {turn}{then}"


def of_copies(copies: int) -> str:
    """Say for how many copies a number of times holds, empty for one."""
    return f", for {copies} copies" if copies > 1 else ""


def _parts(event: Term | None) -> tuple[Term, ...]:
    """Return the events that a trigger condition joins by "or"."""
    if event is None:
        return ()
    return tuple(part for each in event.args for part in _parts(each)) if event.op == "either" else (event,)


def _of_its_own(event: Term) -> bool:
    """Return whether an event happens to a permanent itself, and once only: it enters, dies or leaves."""
    watched = [term.op for term in event.walk() if WORDS[term.op].sort == "watched"]
    deeds = [term.op for term in event.walk() if WORDS[term.op].sort == "deed"]
    return watched == ["watch these"] and bool(deeds) and set(deeds) <= set(ONCE)


def taps(ability: Ability) -> bool:
    """Return whether the permanent is tapped as a cost of an ability."""
    return any(cost.op == "tap symbol" for cost in ability.cost)


def rhythm(card: Card, ability: Ability) -> tuple[bool, int, int, str]:
    """Return whether an ability is used in one turn only, how often, how many turns late, and what that means."""
    types = (card.faces[0] if card.faces else card).types
    sick = int("Creature" in types.types)
    if ability.kind == "spell":
        return True, 1, 0, "how often it is cast in that turn"
    if ability.kind == "activated":
        once = any(cost.op in SPENT for cost in ability.cost) or ability.keyword == "exhaust"
        late = sick if taps(ability) else 0
        return once, 1, late, f"how often {'in all' if once else 'each turn'} this is activated: {ability.words}"
    event = ability.event
    kinds = {kind for term in walk(event) for kind in WORDS[term.op].facts.get("kinds", ())}
    once = all(_of_its_own(part) for part in _parts(event))
    late = 1 if kinds & set(FIGHTS) and ({"Creature", "Artifact"} & set(types.types)) else 0
    every = 2 if event is not None and event.op == "it begins" and event.args[0].op == "anyone's" else 1
    how = "in all" if once else "each turn"
    what = said(event) if event is not None else ability.words
    only = f", if {said(ability.condition)}" if ability.condition is not None else ""
    return once, every, late, f"how often {how} this happens: {what}{only}"
