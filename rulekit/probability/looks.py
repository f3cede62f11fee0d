"""Cards that are looked at, or taken, and then sorted one by one: what a plan keeps of them, and where the rest goes.

Each function writes rows on a `Tracer`. Where a card decides what becomes of it, the instructions are tried once with
each card of the deck in the place of the one that nobody has looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import Term, walk
from rulekit.engine.filters import all_of
from rulekit.engine.replacing import is_own
from rulekit.engine.text import abilities_of
from rulekit.probability.rows import (
    BOTTOM,
    LIBRARY,
    MOST_LOOKED_AT,
    TOP,
    Add,
    Amount,
    Move,
    Row,
    Until,
    When,
    cards_in,
    register,
)
from rulekit.probability.spoken import Picking
from rulekit.probability.unseen import (
    EMPTY,
    EVERY_PILE,
    PLAYER,
    Block,
    Keeping,
    Picked,
    Refused,
    Sorted,
    Unseen,
    pile,
    piles_in,
)

if TYPE_CHECKING:
    from rulekit.probability.tracer import Tracer

FATES = ("stays", "goes")
GONE = "cards that have left the library"  # a register: how many they were when cards were looked at
SINGLY = ("look at the top", "exile from library", "mill")  # what may be of one card, which then decides
MEANT = ("it", "that", "those", "them", "looked at", "milled", "those done", "this way", "it was done")
DECIDING = {"if", "may", "size of"}
OF_IT = ("put it", "return it", "reveal it", "exile it")  # how it is asked what may be done with that card
LEAVING = {"return to hand", "put onto the battlefield", "exile", "put on top", "put on bottom", "discards"}
TAKEN = piles_in("hand") + piles_in("battlefield")


def always(place: str) -> Callable[[Card], str]:
    """Return what sends every card to the same place."""
    return lambda _: place


def in_looks(n: int | Amount, place: Callable[[Card], str]) -> list[Row | Sorted]:
    """Return the looks that sort so many cards, none at more than a look can take."""
    if not isinstance(n, int):
        raise Refused("where cards go depends on the card, and how many there are depends on the library")
    sizes = [MOST_LOOKED_AT] * (n // MOST_LOOKED_AT) + [n % MOST_LOOKED_AT] * bool(n % MOST_LOOKED_AT)
    return [Sorted(size, (place,)) for size in sizes]


# ---------------------------------------------------------------- scry and surveil


def look(t: Tracer, term: Term) -> None:
    """Try both fates of the cards that are looked at, and write down which card has which."""
    tries = []
    for fate in FATES:
        fork = t.fork()
        fork.fate = fate
        known = set(map(id, fork.blocks.values()))
        for _ in fork.do(term):
            raise Refused("somebody must decide more than which cards stay on top")
        looked = [block for block in fork.blocks.values() if block.n is not None and id(block) not in known]
        tries.append((looked, fork.rows))
    (stay, _), (_, rows) = tries
    if not stay:
        return
    keeping = t.keeping
    if keeping is None:
        raise Refused(f"{PLAYER} must decide which cards stay on top; say keep='land' for example")
    if len(rows) > 1:
        raise Refused("a card that does not stay on top is shuffled into the library among those that do")
    moved = rows[0] if rows else None
    place = moved.to if isinstance(moved, Move) else BOTTOM
    away = moved.sends[0] if isinstance(moved, Sorted) else always(place)
    t.rows.append(Sorted(stay[0].n or 0, keeping.sends(away), keeping.by))


# ---------------------------------------------------------------- some of them are taken


def pick(t: Tracer, picking: Picking) -> None:
    """Write down that the player takes of the cards seen those that the plan keeps, else the first that fit.

    Raises:
        Refused: The plan does not say which.
    """
    t.refuse_revealed()
    keeping = t.keeping
    if keeping is None and picking.most is None:  # all that fit are taken, and nobody decides
        keeping = Keeping(lambda card: True, described=t.described)
    if keeping is None:
        raise Refused(f"{PLAYER} must decide which card is taken; say keep='land' for example")
    if picking.rest == "milled":
        n, away = _just_milled(t)
    else:
        n, away = t.count(picking.n, PLAYER), None
    if not isinstance(n, int) or n > MOST_LOOKED_AT:
        raise Refused("it looks at many cards")
    if picking.rest == "bottom at random" and picking.most is None:
        what = t.counter(picking.what, "")
        t.rows.append(Until(what, n + 1, BOTTOM, t.pile(picking.to), n))
    else:
        at_random = picking.rest == "bottom at random"
        away = away or (always(TOP) if at_random else _away(t, n, picking.rest))
        row = _picked(t, picking, keeping, n, away)
        t.rows += _below_at_random(t, picking, n, row) if at_random else [row]
    t.frame.said["done"] = Undecided()
    may = "a card that may be taken is taken, and " if picking.optional else ""
    t.notes.append(f"Looking at cards, {may}of cards equally wanted the one that the deck names first.")


class Undecided:
    """Whether something was done that depends on cards at which nobody has looked."""

    def __bool__(self) -> bool:
        raise Unseen("whether there was such a card")


def _picked(t: Tracer, picking: Picking, keeping: Keeping, n: int, away: Callable[[Card], str]) -> Any:
    """Return the row that takes cards, the wanted ones first."""
    to = pile(picking.to, milled=picking.rest == "milled")

    def picked(wanted: bool) -> Sorted:
        def rank(card: Card) -> int | None:
            fits = picking.what is None or keeping.described(picking.what, card)
            return int(keeping.fits(card) != wanted) if fits else None

        return Sorted(n, (away,), pick=Picked(n if picking.most is None else picking.most, rank, to))

    if keeping.enough is None:
        return picked(wanted=True)
    return When(keeping.by, keeping.enough, None, (picked(wanted=False),), (picked(wanted=True),))  # type: ignore[arg-type]


def _below_at_random(t: Tracer, picking: Picking, n: int, row: Any) -> list[Any]:
    """Return rows that take cards, and put the others, which lie on top then, on the bottom in a random order.

    How many cards were taken is told by the cards that were in no library before, and those that are in it afterwards:
    without the ones taken these are the whole deck.
    """
    every = t.counter(None, "")
    most = min(n, picking.most or 0)
    below = {taken: (Until(every, n - taken, BOTTOM),) if n > taken else () for taken in range(most + 1)}
    if picking.what is None:  # any card is taken that there is
        return [row, *below[most]]
    rows: tuple[Row, ...] = below[most]
    for taken in reversed(range(most)):
        rows = (When((LIBRARY, register(GONE)), t.size - taken, None, below[taken], rows),)
    return [Add(GONE, EMPTY), Add(GONE, Amount((cards_in(*EVERY_PILE),))), row, *rows, Add(GONE, EMPTY)]


def _away(t: Tracer, n: int, rest: str) -> Callable[[Card], str]:
    """Return where each card goes that is looked at and not taken."""
    if rest in (TOP, BOTTOM):
        return always(rest)
    number = t.stand_in(Block(n), "library")
    event = t.moved(number, rest)
    place = t.by_card(number, rest) if event is None else t.pile(str(event.to))
    del t.blocks[number]
    if t.shuffles:
        raise Refused("a card that is not taken is shuffled into the library")
    return always(place) if isinstance(place, str) else place


def _just_milled(t: Tracer) -> tuple[Any, Callable[[Card], str]]:
    """Return how many cards were milled last, and where each goes that is not taken; that row is not written then."""
    row = t.rows.pop()
    for block in t.blocks.values():
        block.to = block.to and "by card"
    if isinstance(row, Sorted) and row.pick is None and not row.by:
        return row.n, row.sends[0]
    if isinstance(row, Move) and not row.again:
        return row.n, always(row.to)
    raise Refused("a card that is not taken is shuffled into the library")


# ---------------------------------------------------------------- cards that are looked for


def search(t: Tracer, term: Term) -> Any:
    """Look for cards of one kind in the library, which is shuffled then: so they are the first of it (701.23a).

    Raises:
        Refused: There are several kinds of them, and the player must decide.
    """
    _, many, what = term.args
    there = [card for card in t.deck if what is None or t.described(what, card)]
    if len(there) > 1:
        name = min(card.name for card in there)
        raise Refused(f"{PLAYER} must decide which card is found; name it, such as 'a card named {name}'")
    n = t.count(many[1], PLAYER)
    seen, found = yield from t.take_until(PLAYER, n, what)
    t.frame.said["it"] = t.frame.said["those"] = found
    if seen:
        t.notes.append("Who searches finds what there is.")


# ---------------------------------------------------------------- one card, which decides


def deciding(terms: Sequence[Term]) -> tuple[int, int] | None:
    """Find a card that is looked at, exiled or milled and that then decides what becomes of it.

    Returns:
        The place of the effect that takes it, and that of the first one behind that is not about it; or None.
    """
    for place, term in enumerate(terms):
        if term.op in SINGLY and term.args[1] == 1:
            end = place + 1
            while end < len(terms) and any(each.op in MEANT for each in terms[end].walk()):
                end += 1
            there = {each.op for each in walk(tuple(terms[place + 1 : end]))}
            if there & DECIDING and (term.op == "look at the top" or "may" not in there):
                return place, end
    return None


def sorts(t: Tracer, terms: tuple[Term, ...]) -> bool:
    """Write down what becomes of one card that decides it; return whether that is all that depends on the card."""
    if t.frame.players(terms[0].args[0]) != (PLAYER,):
        return False
    try:
        _sort(t, terms)
    except (Refused, Unseen) as found:
        if "must decide" in str(found) or terms[0].op == "look at the top":
            raise
        return False
    return True


def _sort(t: Tracer, terms: tuple[Term, ...]) -> None:
    """Write down where the one card goes that effects take and then do something with, whichever it is.

    Raises:
        Refused: More than where it goes depends on the card, or the plan does not say what the player wants.
    """
    chosen = any(term.op == "may" for term in walk(terms))
    keeping = t.keeping
    if chosen and keeping is None:
        raise Refused(f"{PLAYER} must decide what becomes of the card; say keep='land' for example")
    keeping = keeping or Keeping(lambda card: True)
    fates = {card: tuple(_fate(t, terms, card, yes) for yes in (False, True)) for card in t.deck}
    fits = keeping.fits

    def wanted(card: Card) -> str:
        return _of_two(fates[card], fits(card))

    def others(card: Card) -> str:
        return _of_two(fates[card], not fits(card))

    places = {place for each in fates.values() for place in each}
    if len(places) == 1 and not places & {TOP, BOTTOM}:
        t.rows.append(Move(1, places.pop()))
    elif keeping.enough is None or not chosen:
        t.rows.append(Sorted(1, (wanted,)))
    else:
        t.rows.append(Sorted(1, (wanted,) * keeping.enough + (others,), keeping.by))
    if chosen:
        t.notes.append("A card that may be put somewhere is taken if it is wanted, and put away if it is not.")


def _of_two(fate: Sequence[str], wanted: bool) -> str:
    """Return where a card goes of the two places, if it is wanted: to the hand, the battlefield, or it stays."""
    unmoved, moved = fate
    return fate[wanted == (moved in TAKEN)] if unmoved != moved else moved


def _fate(t: Tracer, terms: tuple[Term, ...], card: Card, willing: bool) -> str:
    """Return where a card goes, of a player who does or does not do what is left to choose."""
    fork = t.fork()
    fork.card, fork.willing = card, willing
    known = set(map(id, fork.blocks.values()))
    for decision in fork.run(terms):
        raise Refused(f"{decision.player} must decide: {decision.prompt or decision.kind}")
    taken = [block for block in fork.blocks.values() if id(block) not in known]
    if not fork.rows and [block.to for block in taken] == [None]:
        return TOP
    row = fork.rows[0] if len(fork.rows) == 1 else None
    if len(taken) == 1 and taken[0].n == 1 and row is not None:
        if isinstance(row, Move) and not row.again:
            return row.to
        if isinstance(row, Sorted) and row.pick is None:
            return row.sends[0](card)
    raise Refused("what else is done depends on the card")


# ---------------------------------------------------------------- what no program can do


def refuse_leaving(t: Tracer, term: Term) -> None:
    """Refuse by name what takes some of the cards out of a hand or graveyard, or casts one."""
    if term.op == "discard" and PLAYER in t.frame.players(term.args[0]):
        raise Refused(leaving("hand"))
    if term.op == "cast without paying":
        raise Refused("it casts a card at which nobody has looked")
    for group in (arg for arg in term.args if isinstance(arg, Term) and arg.op in ("some of", "each")):
        zones = [inner.op.removeprefix("in ") for inner in group.walk() if inner.op in ("in graveyard", "in hand")]
        if zones and term.op in LEAVING:
            raise Refused(leaving(zones[0]))


def of_library(term: Term) -> bool:
    """Return whether a description is of the cards in a library."""
    return term.op == "in library" or (term.op == "zone of" and term.args[0] == "library")


def moves_itself(card: Card) -> bool:
    """Return whether an effect of a card changes where the card itself is put."""
    return "would" in card.text.lower() and any(
        ability.kind == "replacement" and is_own(ability) for ability in abilities_of(card)
    )


def leaving(zone: str) -> str:
    """Say why cards of a zone cannot be moved."""
    return (
        f"it moves cards that lie in the {zone}; in a program cards leave a zone only to be shuffled into the library"
    )


# ---------------------------------------------------------------- again and again


def repeat(t: Tracer, does: tuple[Term, ...]) -> Any:
    """Write down that an instruction is repeated as long as cards share something."""
    first, last = does[0], does[-1]
    condition = last.args[0] if last.op == "if" else None
    again = len(does) == 2 and last.op == "if" and last.args[1:] == ((Term("repeat this process"),), ())
    if not again or condition is None or condition.op != "two milled that share" or first.op != "mill":
        raise Refused("it repeats a process as long as the cards say so")
    before = len(t.rows)
    yield from t.do(first)
    written = t.rows[before:]
    if not written:
        return
    row = written[0]
    if len(written) > 1 or not isinstance(row, Move):
        raise Refused("it repeats a process, and where the cards go depends on the card")
    t.rows[-1] = replace(row, again=t.shared(*condition.args))


def until(t: Tracer, does: tuple[Term, ...], condition: Term) -> Any:
    """Write down that cards are milled one by one until so many of them fit."""
    parts = condition.args[0].args[0] if condition.op == "some this way" and condition.args[0].op == "all of" else ()
    n = condition.args[1] if parts else None
    if len(does) != 1 or does[0].op != "mill" or Term("this way", ("milled",)) not in parts or not isinstance(n, int):
        raise Refused("it repeats a process until something is so")
    before = len(t.rows)
    yield from t.do(does[0])
    written = t.rows[before:]
    if not written:
        return
    row = written[0]
    if len(written) > 1 or not isinstance(row, Move) or row.n != 1:
        raise Refused("it mills until something is so, and not one card at a time")
    what = all_of(*(part for part in parts if part.op != "this way"))
    t.rows[-1] = Until(t.counter(what, ""), n, row.to)
    for block in t.blocks.values():
        block.to = block.to and "by card"  # how many they are goes by the cards
