"""What nobody has looked at: stand-ins for hidden cards, numbers of them, and the State that holds them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import Term
from rulekit.engine.events import Event
from rulekit.engine.position import position
from rulekit.engine.state import State
from rulekit.probability.rows import (
    LIBRARY,
    TOP,
    Amount,
    Coin,
    Look,
    Move,
    Pick,
    Row,
    Shuffle,
    Until,
    Value,
    When,
    cards_in,
    piles_of,
)
from rulekit.probability.rows import walk as rows_in

PLAYER, OPPONENT = "the player", "an opponent"
HIDDEN_ZONES = ("library", "hand", "graveyard", "exile")


def pile(zone: str, milled: bool = False) -> str:
    """Return the name of the pile for cards in a zone, apart for those that were milled."""
    if not milled:
        return zone
    return "milled" if zone == "graveyard" else f"milled, in {zone}"


def piles_in(zone: str) -> tuple[str, ...]:
    """Return the piles that lie in a zone, or with "milled" those of milled cards wherever they are."""
    if zone == "milled":
        return tuple(pile(each, milled=True) for each in ("graveyard", "exile", "hand", "battlefield"))
    return (pile(zone), pile(zone, milled=True))


EMPTY = -(1 << 20)  # more than any register holds: whatever it was, it is 0 then
EVERY_PILE = tuple(dict.fromkeys(p for zone in ("hand", "graveyard", "exile", "battlefield") for p in piles_in(zone)))


class Refused(Exception):
    """Something that no library program can say."""


class Unseen(TypeError):
    """Something that depends on cards that nobody has looked at; a TypeError, so that no length is guessed at."""


@dataclass(frozen=True, slots=True)
class Worded(Amount):
    """An amount that a text has changed: below some sum it is another one.

    Attributes:
        low: The smallest sum of the values for which the amount is what an `Amount` says.
        alone: Whether below it there is what was added, and nothing else; else there is nothing.
    """

    low: int = 0
    alone: bool = False

    @classmethod
    def of_text(cls, amount: Amount, alone: bool) -> Worded:
        """Return an amount with something added by a text, or with something taken away once replacements meet it."""
        rest = 1 if alone else -((amount.plus - 1) // amount.factor)
        low = math.floor((rest - 1) / amount.times) + 1 if amount.up else math.ceil(rest / amount.times)
        return cls(amount.of, amount.times, amount.up, amount.factor, amount.plus, low, alone)

    @property
    def plain(self) -> Amount:
        """What it is from the smallest sum on."""
        return Amount(self.of, self.times, self.up, self.factor, self.plus)


def as_worded(row: Any) -> Any:
    """Return a row, and what it holds, with rows that ask for the sum where a text has changed an amount.

    Raises:
        Refused: It is carried out again and again.
    """
    if isinstance(row, Coin | When):
        then, otherwise = (tuple(map(as_worded, rows)) for rows in (row.then, row.otherwise))
        return replace(row, then=then, otherwise=otherwise)
    name = "goal" if isinstance(row, Until) else "n"
    n = getattr(row, name, None)
    if not isinstance(n, Worded):
        return row
    if getattr(row, "again", 0):
        raise Refused("it repeats a process, and to how many cards it does so something is added")
    plain = replace(row, **{name: n.plain})
    if not n.alone:
        return When(n.of, n.low, None, (plain,))
    return When(n.of, 0, n.low - 1, (replace(row, **{name: n.plus}),), (plain,)) if n.plus > 0 else plain


class Sum:
    """A number of cards that is known only when the program runs, as an `Amount`.

    Attributes:
        amount: The amount.
        met: Whether replacement effects have met it: what they add is added where there is at least one card.
    """

    met = False

    def __init__(self, amount: Amount) -> None:
        self.amount = amount

    def __add__(self, other: Any) -> Sum:
        mine = self.amount
        if isinstance(other, Sum):
            theirs = other.amount
            if replace(mine, of=()) != Amount(()) or replace(theirs, of=()) != Amount(()):
                raise Unseen("a sum of two amounts that were worked out")
            return Sum(replace(mine, of=mine.of + theirs.of))
        more = replace(mine, plus=mine.plus + int(other))
        if other > 0 and not self.met:
            more = Worded.of_text(more, alone=True)
        return type(self)(more)

    __radd__ = __add__

    def __sub__(self, other: int) -> Sum:
        return self + -other

    def __mul__(self, other: int) -> Sum:
        return type(self)(replace(self.amount, factor=self.amount.factor * other, plus=self.amount.plus * other))

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> Sum:
        mine = self.amount
        if mine.factor != 1 or mine.plus not in (0, other - 1) or mine.times != 1:
            raise Unseen("a part of an amount that was worked out")
        return type(self)(Amount(mine.of, Fraction(1, other), mine.plus > 0))

    def __gt__(self, other: Any) -> bool:
        if other == 0:  # where it is none, nothing is moved and nothing is added (`Amount`)
            return True
        raise Unseen("a comparison with a number of cards")

    def __ge__(self, other: Any) -> bool:
        return self.__gt__(other - 1)

    def __lt__(self, other: Any) -> bool:
        raise Unseen("a comparison with a number of cards")

    __le__ = __lt__

    def __bool__(self) -> bool:
        return True

    def __index__(self) -> int:
        raise Unseen("how often something is done, which is a number of cards")

    def __repr__(self) -> str:
        return f"Sum({self.amount!r})"


class Met(Sum):
    """A number of cards that replacement effects have met."""

    met = True

    @classmethod
    def by(cls, number: Sum) -> Met:
        """Return a number as replacement effects meet it: of no card they make no more (614.1a)."""
        amount = number.amount
        taken = amount.plus < 0 and not isinstance(amount, Worded)
        return cls(Worded.of_text(amount, alone=False) if taken else amount)


class Uncounted(Sum):
    """A number of cards that no program can work out: refused as soon as something is done so often."""

    def __init__(self) -> None:
        """Know nothing."""

    @property
    def amount(self) -> Amount:  # type: ignore[override]
        """Refuse to be worked out."""
        raise Unseen("how many cards those were")


@dataclass(frozen=True)
class Sorted:
    """A row in the making: look at cards from the top and put each where its card belongs.

    Attributes:
        n: Number of cards.
        sends: For each number of the table's rows, what decides by card: a function from a card to "top", "bottom" or a
            pile.
        by: The values whose sum chooses the row.
        pick: What is taken first.
    """

    n: int | Amount
    sends: tuple[Callable[[Card], str], ...]
    by: tuple[Value, ...] = ()
    pick: Picked | None = None

    def look(self, cards: Sequence[Card]) -> Look:
        """Return the row for a deck of these different cards."""
        table = tuple(tuple(send(card) for card in cards) for send in self.sends)
        pick = None if self.pick is None else Pick(self.pick.most, self.pick.order(cards), self.pick.to)
        return Look(self.n, table, self.by, pick)


@dataclass(frozen=True)
class Picked:
    """Take the most wanted of the cards looked at.

    Attributes:
        most: Number of cards.
        rank: How wanted a card is, 0 the most; None: it is never taken.
        to: The pile.
    """

    most: int
    rank: Callable[[Card], int | None]
    to: str

    def order(self, cards: Sequence[Card]) -> tuple[int, ...]:
        """Return the places of the cards that may be taken, the most wanted first."""
        ranks = {place: self.rank(card) for place, card in enumerate(cards)}
        return tuple(sorted((place for place, rank in ranks.items() if rank is not None), key=lambda k: ranks[k] or 0))


@dataclass(frozen=True)
class Keeping:
    """Which cards stay on top when a player looks at them.

    Attributes:
        fits: Tells whether a card is wanted.
        by: Values that say how many wanted cards there are already.
        enough: From this number on the other cards are wanted; None: never.
        described: Tells whether a card is such a one as a text says.
    """

    fits: Callable[[Card], bool]
    by: tuple[Value, ...] = ()
    enough: int | None = None
    described: Callable[[Term, Card], bool] = field(default=lambda term, card: False)

    def sends(self, away: Callable[[Card], str]) -> tuple[Callable[[Card], str], ...]:
        """Return the rows of the table for a look whose other cards go where `away` says."""

        def wanted(card: Card) -> str:
            return TOP if self.fits(card) else away(card)

        def others(card: Card) -> str:
            return away(card) if self.fits(card) else TOP

        return (wanted,) if self.enough is None else (wanted,) * self.enough + (others,)


@dataclass
class Block:
    """Cards from the top of the library that nobody has looked at, all treated alike.

    Attributes:
        n: How many; None for the parts of a row that takes cards until something.
        until: That row, without its piles.
        part: "found" or "others" of it.
        zone: For cards that were there before: the zone.
        to: The pile where they went.
        row: Which of the rows that were written down put them there.
        at_random: Whether they go where they go in a random order.
    """

    n: int | Amount | None = None
    until: Until | None = None
    part: str = ""
    zone: str = ""
    to: str | None = None
    row: int = -1
    at_random: bool = False


class Hidden:
    """The characteristics of cards that nobody has looked at: whose they are, and nothing else."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.owner = self.controller = PLAYER
        self.name = "a card that nobody has looked at"

    def __getattr__(self, name: str) -> Any:
        what = {"is_a": "types", "has": "abilities", "ruled": "abilities"}.get(name, name.replace("_", " "))
        raise Unseen(f"the {what} of a card that nobody has looked at")


class Cards(tuple[int, ...]):
    """The objects of a zone whose number is known only when the program runs."""

    __slots__ = ()

    def __len__(self) -> int:
        raise Unseen("the number of cards in a zone")


class TracedState(State):
    """A State in which the player's hidden cards have no number and no characteristics, and the turn has no past."""

    def history(self, since_turn: bool = True) -> Iterator[Event]:
        """Yield the events of a draw step, in which nothing has happened before; of another turn nothing is known."""
        if self.turn.step != "draw":
            raise Unseen("what has happened this turn")
        return super().history(since_turn)

    def zone(self, name: str, player: str = "") -> tuple[int, ...]:
        """Return the objects of a zone; those of the player cannot be counted."""
        numbers = super().zone(name, player)
        return Cards(numbers) if player == PLAYER and name in HIDDEN_ZONES else numbers

    def size(self, name: str, player: str = "") -> Any:
        """Return the number of objects in a zone; for the player's a `Sum`."""
        if player != PLAYER or name not in HIDDEN_ZONES:
            return super().size(name, player)
        return Sum(Amount((LIBRARY,) if name == "library" else (cards_in(*piles_in(name)),)))

    def cards_of(self, number: int) -> int:
        """Refuse to count a stand-in as one card."""
        if self._stands_in(number):
            raise Unseen("the number of cards in a zone")
        return 1

    def look(self, number: int) -> Any:
        """Return the characteristics of an object."""
        return Hidden(number) if self._stands_in(number) else super().look(number)

    def _stands_in(self, number: int) -> bool:
        thing = self.objects.get(number)
        return thing is not None and thing.card is None and thing.owner == PLAYER and thing.zone != "battlefield"


def traced_state(permanents: Sequence[tuple[Card, str]]) -> TracedState:
    """Return a State in which permanents lie on the battlefield and nothing is known of the player's cards."""
    there: dict[str, dict[str, Any]] = {PLAYER: {"library": []}, OPPONENT: {"library": []}}
    for card, controller in permanents:
        there[controller].setdefault("battlefield", []).append(card)
    made = position(players=(PLAYER, OPPONENT), active=PLAYER, **there)  # type: ignore[arg-type]
    state = object.__new__(TracedState)
    state.__dict__.update(made.__dict__)
    return state


def buried_by(rows: Sequence[Row | Sorted], before: int | None, deck: Sequence[Card]) -> int | None:
    """Return how many cards rows put into the graveyard with those before, None if that is not one number.

    Args:
        rows: What is done, in a library that does not end.
        before: How many cards were put there before.
        deck: The different cards of the library.
    """
    there = piles_in("graveyard")
    for row in rows:
        if isinstance(row, Move) and row.to in there:
            certain = before is not None and isinstance(row.n, int) and not row.again
            before = before + row.n if certain else None  # type: ignore[operator]
            continue
        inner = rows_in((row.look(deck) if isinstance(row, Sorted) else row,))
        if any(isinstance(each, Shuffle) or set(piles_of(each)) & set(there) for each in inner):
            before = None
    return before
