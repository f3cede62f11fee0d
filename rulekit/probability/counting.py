"""What a text counts: "the number of creature cards in your graveyard", "for each land card milled this way".

A program reads what lies on a pile, not what was put there last. So right before cards are moved a register is filled
up to a fixed number with what was on the pile already; what pile and register come to behind the move, less that
number, is what was moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from rulekit.engine.abilities import WORDS, Term, walk
from rulekit.engine.filters import all_of
from rulekit.probability.rows import Add, Amount, Move, Row, Value, When, counted, different, register, values_of
from rulekit.probability.rows import walk as walk_rows
from rulekit.probability.spoken import is_effects, pronoun_in
from rulekit.probability.unseen import EMPTY, PLAYER, Refused, Sorted, Sum, Uncounted, piles_in

if TYPE_CHECKING:
    from rulekit.probability.tracer import Tracer

Rows: TypeAlias = tuple[Row, ...]

KINDS = {"mill": "milled", "exile from library": "exiled"}
PLACES = {"in graveyard": "graveyard", "in hand": "hand"}


@dataclass(frozen=True)
class Counted:
    """Cards moved by a text that it speaks of again.

    Attributes:
        kind: What was done to them: "milled" or "exiled".
        what: Such cards; None: all of them.
        said: The description as it stands in the text.
    """

    kind: str
    what: Term | None
    said: Term

    def before(self, pile: str, counter: str, most: int, name: str) -> tuple[list[Row], Sum]:
        """Return the rows that stand before the cards are moved, and how many such cards were moved, as an amount.

        Args:
            pile: Where they are put.
            counter: What counts such cards.
            most: Number of cards of the library.
            name: Of a register that nothing else uses.
        """
        steps = most.bit_length()
        full = (1 << steps) - 1
        of = (counted(counter, pile), register(name))
        return [Add(of[1].name, EMPTY), *_filled(of, full, steps)], Sum(Amount(of, plus=-full))


def _filled(of: tuple[Value, Value], full: int, steps: int) -> Iterable[Row]:
    """Return rows that add to the register until it and what is counted come to a number, in halving steps."""
    for step in (1 << place for place in reversed(range(steps))):
        yield When(of, 0, full - step, (Add(of[1].name, step),))


def counted_in(terms: tuple[Term, ...]) -> tuple[Counted, ...]:
    """Return what effects count among the cards that they have moved."""
    found: dict[Term, Counted] = {}
    for term in walk(terms):
        if term.op not in ("number of", "some this way", "for each object"):
            continue
        parts = term.args[0].args[0] if term.args[0].op == "all of" else (term.args[0],)
        done = [part.args[0] for part in parts if part.op == "this way"]
        if len(done) == 1 and done[0] in KINDS.values():
            what = [part for part in parts if part.op not in ("this way", "card")]
            found[term.args[0]] = Counted(done[0], all_of(*what) if what else None, term.args[0])
    return tuple(found.values())


def with_numbers(t: Tracer, term: Term) -> Term:
    """Put numbers that the program works out in the place of what counts cards; those of effects inside wait."""
    args = tuple(arg if is_effects(arg) else _with_number(t, arg) for arg in term.args)
    return term if args == term.args else Term(term.op, args)


def _with_number(t: Tracer, value: Any) -> Any:
    if not isinstance(value, Term):
        return value
    if value.op == "number of" and value.args[0] in t.numbers:
        return t.numbers[value.args[0]]
    if value.op in ("number of", "card types among") and (read := _lying(t, value)) is not None:
        return Sum(Amount((read,)))
    if WORDS[value.op].sort not in ("amount", "condition"):
        return value
    args = tuple(_with_number(t, arg) for arg in value.args)
    return value if args == value.args else Term(value.op, args)


def _lying(t: Tracer, amount: Term) -> Value | None:
    """Return what is read off the piles of a zone of the player, if such cards or their types there are counted."""
    what = amount.args[0]
    parts = what.args[0] if isinstance(what, Term) and what.op == "all of" else (what,)
    places = [part for part in parts if part.op in PLACES]
    left = [part for part in parts if part not in places and part != Term("card")]
    if len(places) != 1 or any(WORDS[each.op].facts.get("zone") for part in left for each in part.walk()):
        return None
    who = places[0].args[0]
    if who is not None and PLAYER not in t.frame.players(who):
        return None
    piles = piles_in(PLACES[places[0].op])
    if amount.op == "card types among":
        return None if left else different(t.shared("card type"), *piles)
    return counted(t.counter(all_of(*left), ""), *piles) if left else None


def so_many(t: Tracer, condition: Any) -> Callable[[Rows, Rows], When] | None:
    """Return what makes the row for a condition about a number of cards, or None if it is another condition."""
    if condition.op == "not so":
        inner = so_many(t, condition.args[0])
        return None if inner is None else lambda then, otherwise: inner(otherwise, then)
    amount: Any = None
    low, high = 0, None
    if condition.op == "some this way" and condition.args[0] in t.numbers:
        amount, low = t.numbers[condition.args[0]], condition.args[1]
    elif condition.op in ("at least", "at most"):
        amount = t.count(condition.args[0], PLAYER)
        low, high = (condition.args[1], None) if condition.op == "at least" else (0, condition.args[1])
    elif condition.op == "has so many cards" and PLAYER in t.frame.players(condition.args[0]):
        amount = t.state.size(condition.args[1], PLAYER)
        low, high = condition.args[2:]
    if not isinstance(amount, Sum) or not isinstance(low, int) or not isinstance(high, int | None):
        return None
    return _row(amount.amount, low, high)


def _row(amount: Amount, low: int, high: int | None) -> Callable[[Rows, Rows], When] | None:
    """Return what makes the row that asks whether an amount lies in a range."""
    if replace(amount, of=(), plus=0) != Amount(()):
        return None
    least, most = max(0, low - amount.plus), None if high is None else high - amount.plus
    return lambda then, otherwise: When(amount.of, least, most, then, otherwise)


def count_before(t: Tracer) -> None:
    """Count what lay on piles before cards were put there, where it is told by how many there are more."""
    rows = walk_rows(tuple(row for row in t.rows if not isinstance(row, Sorted)))
    read = {value.name for row in rows for value in values_of(row)}
    for place, before in reversed(t.before):
        if {row.register for row in before if isinstance(row, Add)} & read:
            t.rows[place:place] = before


# ---------------------------------------------------------------- what goes by such numbers


def tried(t: Tracer, term: Term) -> bool:
    """Write down what an effect does that goes by cards which nobody has looked at; return whether that was done.

    Raises:
        Refused: Somebody may do something or not.
    """
    if term.op == "may" and t.willing is None:
        costs = any(inner.op == "pay" for inner in term.walk())
        if not costs and _ways(t, (term.args[1],)) == [()]:
            return True
        who = PLAYER if t.frame.players(term.args[0]) == (PLAYER,) else "an opponent"
        raise Refused(
            f"{who} may do it or not; write it down without 'may' if it is done, with chance= if it is done sometimes"
        )
    if term.op == "if" and (row := so_many(t, term.args[0])) is not None:
        then, otherwise = _ways(t, term.args[1:])
        t.rows += [row(then, otherwise)] if then or otherwise else []
        return True
    if term.op == "for each object" and term.args[0] in t.numbers and not pronoun_in(term.args[1]):
        return _repeated(t, t.numbers[term.args[0]], term.args[1])
    if term.op == "draw":
        return _repeated(t, t.count(term.args[1], PLAYER), (Term("draw", (term.args[0], 1)),))
    return term.op == "several times" and _repeated(t, t.count(term.args[0], PLAYER), term.args[1])


def _ways(t: Tracer, ways: Sequence[tuple[Term, ...]]) -> list[Rows]:
    """Return the rows of each of several things that may be done."""
    found = []
    for does in ways:
        fork = t.fork()
        fork.willing = True
        for decision in fork.run(does):
            raise Refused(f"{decision.player} must decide: {decision.prompt or decision.kind}")
        found.append(tuple(fork.rows))
    return found  # type: ignore[return-value]


def _repeated(t: Tracer, n: Any, does: tuple[Term, ...]) -> bool:
    """Write down what is done as often as an amount says that only the program can work out."""
    if not isinstance(n, Sum) or isinstance(n, Uncounted):
        return False
    (rows,) = _ways(t, (does,))
    if rows:
        row = rows[0]
        if len(rows) > 1 or not isinstance(row, Move) or not isinstance(row.n, int) or row.again:
            raise Refused("it is done as often as a number of cards says, and it is more than one thing")
        t.rows.append(replace(row, n=(n * row.n).amount))
    return True
