"""The rows of a library program, the classes of its cards and the axes of its table.

What this page says is what every evaluator of a program does.

The library
    Its order, from the top, has three parts: known cards on top, cards in an order that nobody knows (every order
    equally likely), known cards on the bottom. Cards leave from the top (121.1, 701.17a): the known bottom comes last.
    Cards of one class (`CardClass`) cannot be told apart by anything that the program counts or decides.

The piles
    A pile is where cards go that are counted together: a zone, or a part of one ("hand", "milled", "surveiled").
    Piles start empty. Cards leave a pile by `Shuffle(back=...)` alone.

The state of a trial
    The library, the piles, the registers (integers named by `Add`, 0 at the start, never below 0) and whether the
    game was lost. A `Value` reads a number off it. Rows are carried out in the order in which they are written. A draw
    from an empty library loses the game (104.3c, 704.5b): when that row is finished the trial stops; later rows do
    nothing, and each later `Mark` records the state as it is then.

What is recorded
    At each `Mark` one cell of the table with the axes `Program.axes`, under the turn of that mark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

TOP = "top"
BOTTOM = "bottom"
MOST_LOOKED_AT = 32


@dataclass(frozen=True, slots=True)
class CardClass:
    """Cards of the library that the program cannot tell apart.

    Attributes:
        size: Number of cards, at least 0, known cards on top and bottom included.
        adds: What one such card adds to each counter of `Program.counters`, in that order; each at least 0.
        features: 64-bit set; bit i stands for `Program.features[i]` (a card type, a colour, a name).
        cards: Names of the cards, `size` of them; empty when nobody needs to see them.
    """

    size: int
    adds: tuple[int, ...] = ()
    features: int = 0
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    """A number that can be read off the state of a trial.

    Attributes:
        of: What is read: "library" (cards in it), "cards" (cards in the piles), "counter" (sum of a counter over the
            cards in the piles), "features" (how many different features of the mask `features` are found among the
            cards in the piles), "register", or "lost" (1 when the game was lost, else 0).
        name: Name of the counter or register.
        piles: The piles read together, for "cards", "counter" and "features".
        features: The mask, for "features".
    """

    of: Literal["library", "cards", "counter", "features", "register", "lost"]
    name: str = ""
    piles: tuple[str, ...] = ()
    features: int = 0


LIBRARY = Value("library")
LOST = Value("lost")


def cards_in(*piles: str) -> Value:
    """Read the number of cards in piles."""
    return Value("cards", piles=piles)


def counted(counter: str, *piles: str) -> Value:
    """Read a counter, summed over the cards in piles."""
    return Value("counter", counter, piles)


def different(features: int, *piles: str) -> Value:
    """Read how many features of a mask are found among the cards in piles, each counted once."""
    return Value("features", "", piles, features)


def register(name: str) -> Value:
    """Read a register."""
    return Value("register", name)


@dataclass(frozen=True, slots=True)
class Amount:
    """A number worked out when a row is carried out: `factor * round(times * sum of the values) + plus`.

    A `plus` is added only when the rest is at least 1, as replacement effects do that wait for at least one card
    (614.1a). The result is never below 0. Effects applied one after the other are one `factor` and one `plus`: twice
    and then four more is (2, 4), four more and then twice is (2, 8).

    Attributes:
        of: The values that are summed.
        times: Exact number, at least 0, by which the sum is multiplied.
        up: Whether a fraction is rounded up; else down (107.1a).
        factor: Whole number, at least 0.
        plus: Whole number.
    """

    of: tuple[Value, ...]
    times: Fraction = Fraction(1)
    up: bool = False
    factor: int = 1
    plus: int = 0


@dataclass(frozen=True, slots=True)
class Move:
    """Put cards from the top of the library onto a pile, one after the other; a smaller library is moved whole.

    Attributes:
        n: Number of cards (701.17b).
        to: The pile.
        draw: Whether this is a draw: when the library holds fewer than n cards the game is lost (121.4, 704.5b).
        later: Whether a game that it loses goes on until the next `Check` or mark: a text is finished first.
        again: Mask of features; while at least two of the cards moved in the last round of this row have a feature of
            the mask in common, the row is carried out once more, n worked out anew. 0: once.
    """

    n: int | Amount
    to: str
    draw: bool = False
    again: int = 0
    later: bool = False


@dataclass(frozen=True, slots=True)
class Until:
    """Take cards from the top of the library until a counter, summed over the cards this row takes, reaches a goal.

    Stops at the card that reaches it, when `most` cards are taken, or when the library is empty. A goal of 0 takes
    none.

    Attributes:
        counter: Name of the counter.
        goal: What the counter must reach.
        to: Where the cards go: a pile, or "bottom" of the library in a random order.
        found: Pile for the cards that add at least 1 to the counter; None: where the others go.
        most: Largest number of cards; None: no limit.
    """

    counter: str
    goal: int | Amount
    to: str
    found: str | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Coin:
    """Carry out `then` with a fixed chance, independent of all else, and `otherwise` in the other case.

    Attributes:
        chance: Exact chance from 0 to 1, denominator below 2**32.
    """

    chance: Fraction
    then: tuple[Row, ...]
    otherwise: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class When:
    """Carry out `then` if the sum of the values lies in a range, and `otherwise` if not.

    Attributes:
        of: The values that are summed.
        low: Smallest sum that is in the range.
        high: Largest sum that is in the range; None: no limit.
    """

    of: tuple[Value, ...]
    low: int
    high: int | None
    then: tuple[Row, ...]
    otherwise: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Keep:
    """Ask of a hand that a counter, summed over its cards, lies in a range.

    Attributes:
        low: Smallest sum that is kept.
        high: Largest sum that is kept; None: no limit.
    """

    counter: str
    low: int = 0
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Surplus:
    """Point at cards to put on the bottom: those that add to a counter, while the hand's sum of it is above a limit."""

    counter: str
    above: int = 0


@dataclass(frozen=True, slots=True)
class Mulligan:
    """Draw an opening hand with London mulligans (103.5).

    A look shuffles the whole library, the cards of the look before included (no card is known any more), and takes
    `size` cards. A look is kept when every `Keep` holds for all its cards, and in any case after
    `free + size - down_to` mulligans. Then one card for each mulligan beyond the free ones is put on the bottom: each
    time the first `Surplus` that matches a card decides (its counter, summed over the cards still in hand, is above its
    limit, and a card in hand adds to it), and one of the cards that add to it is chosen, each equally likely; when none
    matches, one of all the cards in hand. The cards put away lie on the bottom of the library from then on, the one
    chosen first uppermost. The cards kept go to the pile.

    A mulligan row may only stand where no card has left the library.

    Attributes:
        to: The pile of the hand.
        size: Cards in a look, at least 1, at most the library.
        keep: All of these must hold; none: the first look is kept.
        down_to: Smallest hand that mulligans lead to, from 0 to size; at that size every look is kept.
        free: Mulligans for which no card is put away (103.5c).
        away: What is put away first.
    """

    to: str = "hand"
    size: int = 7
    keep: tuple[Keep, ...] = ()
    down_to: int = 4
    free: int = 0
    away: tuple[Surplus, ...] = ()


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Shuffle the library: no card in it is known any more.

    Attributes:
        back: Piles whose cards are shuffled into it; they are empty then.
    """

    back: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pick:
    """Take the most wanted of the cards looked at.

    Attributes:
        most: Number of cards, at least 0.
        order: Class numbers, the most wanted first; cards of classes that are not listed are never taken.
        to: The pile.
    """

    most: int
    order: tuple[int, ...]
    to: str


@dataclass(frozen=True, slots=True)
class Look:
    """Look at cards on top of the library and send each where a table says: scry (701.22), surveil (701.25).

    The cards are looked at in order, the top card first; a smaller library is looked at whole. First `pick` takes its
    cards, of equally wanted ones the first in that order. Then each of the others goes to `sends[v][its class]`, where
    v is the sum of the values `by` before the row, at most `len(sends) - 1`. Cards sent to "top" stay on top, cards
    sent to "bottom" go below everything, the first of them uppermost; both keep the order in which they were seen and
    are known from then on.

    Attributes:
        n: Number of cards.
        sends: At least one row of one destination for each class: "top", "bottom" or a pile.
        by: The values whose sum chooses the row of the table; none: the first row.
        pick: What is taken first; None: nothing.
    """

    n: int | Amount
    sends: tuple[tuple[str, ...], ...]
    by: tuple[Value, ...] = ()
    pick: Pick | None = None


@dataclass(frozen=True, slots=True)
class Add:
    """Add to a register; the register never goes below 0."""

    register: str
    n: int | Amount = 1


@dataclass(frozen=True, slots=True)
class Check:
    """Look whether an earlier draw has lost the game (704.3, 704.5b)."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Record the state as that of a turn.

    Marks stand only among the outermost rows, and their turns increase.

    Attributes:
        turn: At least 0; 0 is before the first turn.
    """

    turn: int


Row: TypeAlias = Move | Until | Coin | When | Mulligan | Shuffle | Look | Add | Check | Mark


@dataclass(frozen=True, slots=True)
class Axis:
    """Record the sum of values.

    Attributes:
        name: How a condition calls it: "land", "library".
        of: The values that are summed.
        high: Largest number that is recorded; a greater sum is recorded as this. None: the largest that can occur.
            An axis that reads a register must have one, unless each `Add` to it adds a number of at least 0.
    """

    name: str
    of: tuple[Value, ...]
    high: int | None = None


@dataclass(frozen=True, slots=True)
class FirstTurn:
    """Record the turn of the first mark (up to the one that records) at which a sum of values lay in a range.

    The number recorded is that turn; if there was none so far, it is the last turn of the program plus 1.

    Attributes:
        name: How a condition calls it.
        of: The values that are summed.
        low: Smallest sum that is in the range.
        high: Largest sum that is in the range; None: no limit.
    """

    name: str
    of: tuple[Value, ...]
    low: int = 0
    high: int | None = None


def walk(rows: tuple[Row, ...]) -> Iterator[Row]:
    """Give each row, those inside `Coin` and `When` included, in the order in which they are written."""
    for row in rows:
        yield row
        if isinstance(row, Coin | When):
            yield from walk(row.then)
            yield from walk(row.otherwise)


def distinct(rows: Sequence[Any]) -> tuple[Any, ...]:
    """Give each row once that stands there several times, as the same object does for each turn of a plan."""
    return tuple({id(row): row for row in rows}.values())


def mapped(rows: Sequence[Any], change: Callable[[Any], Any]) -> tuple[Any, ...]:
    """Change each row; one that stands there several times is changed once, and stands there several times again."""
    changed = {id(row): change(row) for row in distinct(rows)}
    return tuple(changed[id(row)] for row in rows)


def piles_of(row: Row) -> tuple[str, ...]:
    """Name the piles that a row itself can put cards on."""
    if isinstance(row, Move | Mulligan):
        return (row.to,)
    if isinstance(row, Until):
        return tuple(pile for pile in (row.to, row.found) if pile is not None and pile != BOTTOM)
    if isinstance(row, Look):
        sent = tuple(pile for table in row.sends for pile in table if pile not in (TOP, BOTTOM))
        return ((row.pick.to,) if row.pick else ()) + sent
    return ()


def values_of(row: Row | Axis | FirstTurn) -> tuple[Value, ...]:
    """List the values that a row itself, or an axis, reads."""
    if isinstance(row, When | Axis | FirstTurn):
        return row.of
    amount = row.goal if isinstance(row, Until) else getattr(row, "n", 0)
    read = amount.of if isinstance(amount, Amount) else ()
    return read + row.by if isinstance(row, Look) else read
