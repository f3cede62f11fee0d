"""The table on which nobody has looked at the library: instructions run here as on the game table, and leave rows.

Instructions, amounts and replacement effects are the engine's own bodies. Where they take cards from the library they
get a stand-in for cards that nobody knows; where they count cards they get a `Sum`; where such a stand-in is moved, a
row of the library program is written down. What depends on a card that nobody has looked at is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import Term, walk
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.events import Move as Change
from rulekit.engine.frame import Frame
from rulekit.engine.position import position
from rulekit.engine.replacing import is_own
from rulekit.engine.state import Object, State
from rulekit.engine.text import abilities_of, read_effect
from rulekit.probability.rows import (
    BOTTOM,
    LIBRARY,
    MOST_LOOKED_AT,
    TOP,
    Amount,
    Move,
    Row,
    Shuffle,
    Until,
    Value,
    When,
    cards_in,
)

PLAYER, OPPONENT = "the player", "an opponent"
HIDDEN_ZONES = ("library", "hand", "graveyard", "exile")
LOOKS = ("scry", "surveil")
FATES = ("stays", "goes")
SHUFFLED_IN = "shuffled into the library"


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


class Refused(Exception):
    """Something that no library program can say."""


class _Unseen(TypeError):
    """Something that depends on cards that nobody has looked at; a TypeError, so that no length is guessed at."""


class Sum:
    """A number of cards that is known only when the program runs, as an `Amount`."""

    def __init__(self, amount: Amount) -> None:
        self.amount = amount

    def __add__(self, other: Any) -> Sum:
        mine = self.amount
        if isinstance(other, Sum):
            theirs = other.amount
            if replace(mine, of=()) != Amount(()) or replace(theirs, of=()) != Amount(()):
                raise _Unseen("two amounts that were worked out are added")
            return Sum(replace(mine, of=mine.of + theirs.of))
        return Sum(replace(mine, plus=mine.plus + int(other)))

    __radd__ = __add__

    def __sub__(self, other: int) -> Sum:
        return self + -other

    def __mul__(self, other: int) -> Sum:
        return Sum(replace(self.amount, factor=self.amount.factor * other, plus=self.amount.plus * other))

    __rmul__ = __mul__

    def __floordiv__(self, other: int) -> Sum:
        mine = self.amount
        if mine.factor != 1 or mine.plus not in (0, other - 1) or mine.times != 1:
            raise _Unseen("an amount that was worked out is divided")
        return Sum(replace(mine, times=Fraction(1, other), up=mine.plus > 0, plus=0))

    def __gt__(self, other: Any) -> bool:
        if other == 0:  # where it is none, nothing is moved and nothing is added (`Amount`)
            return True
        raise _Unseen("a number of cards is compared")

    def __ge__(self, other: Any) -> bool:
        return self.__gt__(other - 1)

    def __lt__(self, other: Any) -> bool:
        raise _Unseen("a number of cards is compared")

    __le__ = __lt__

    def __bool__(self) -> bool:
        return True

    def __index__(self) -> int:
        raise _Unseen("something is done as often as there are cards")

    def __repr__(self) -> str:
        return f"Sum({self.amount!r})"


@dataclass(frozen=True)
class Sorted:
    """A row in the making: look at cards from the top and put each where its card belongs.

    Attributes:
        n: Number of cards.
        sends: For each number of the table's rows, what decides by card: a function from a card to "top", "bottom" or a
            pile.
        by: The values whose sum chooses the row.
    """

    n: int | Amount
    sends: tuple[Callable[[Card], str], ...]
    by: tuple[Value, ...] = ()


@dataclass(frozen=True)
class Keeping:
    """Which cards stay on top when a player looks at them.

    Attributes:
        fits: Tells whether a card is wanted.
        by: Values that say how many wanted cards there are already.
        enough: From this number on the other cards are wanted; None: never.
    """

    fits: Callable[[Card], bool]
    by: tuple[Value, ...] = ()
    enough: int | None = None

    def sends(self, away: Callable[[Card], str]) -> tuple[Callable[[Card], str], ...]:
        """Return the rows of the table for a look whose other cards go where `away` says."""

        def wanted(card: Card) -> str:
            return TOP if self.fits(card) else away(card)

        def others(card: Card) -> str:
            return away(card) if self.fits(card) else TOP

        return (wanted,) if self.enough is None else (wanted,) * self.enough + (others,)


@dataclass
class _Block:
    """Cards from the top of the library that nobody has looked at, all treated alike.

    Attributes:
        n: How many; None for the parts of a row that takes cards until something.
        until: That row, without its piles.
        part: "found" or "others" of it.
        zone: For cards that were there before: the zone.
        to: The pile where they went.
    """

    n: int | Amount | None = None
    until: Until | None = None
    part: str = ""
    zone: str = ""
    to: str | None = None


class _Hidden:
    """The characteristics of cards that nobody has looked at: whose they are, and nothing else."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.owner = self.controller = PLAYER
        self.name = "a card that nobody has looked at"

    def __getattr__(self, name: str) -> Any:
        raise _Unseen(f"the {name.replace('_', ' ')} of a card that nobody has looked at")


class _Cards(tuple[int, ...]):
    """The objects of a zone whose number is known only when the program runs."""

    __slots__ = ()

    def __len__(self) -> int:
        raise _Unseen("the number of cards in a zone")


class TracedState(State):
    """A State in which the player's hidden cards have no number and no characteristics."""

    def zone(self, name: str, player: str = "") -> tuple[int, ...]:
        """Return the objects of a zone; those of the player cannot be counted."""
        numbers = super().zone(name, player)
        return _Cards(numbers) if player == PLAYER and name in HIDDEN_ZONES else numbers

    def size(self, name: str, player: str = "") -> Any:
        """Return the number of objects in a zone; for the player's a `Sum`."""
        if player != PLAYER or name not in HIDDEN_ZONES:
            return super().size(name, player)
        return Sum(Amount((LIBRARY,) if name == "library" else (cards_in(*piles_in(name)),)))

    def look(self, number: int) -> Any:
        """Return the characteristics of an object."""
        thing = self.objects.get(number)
        if thing is not None and thing.card is None and thing.owner == PLAYER and thing.zone != "battlefield":
            return _Hidden(number)
        return super().look(number)


def traced_state(permanents: Sequence[tuple[Card, str]]) -> TracedState:
    """Return a State in which permanents lie on the battlefield and nothing is known of the player's cards."""
    there: dict[str, dict[str, Any]] = {PLAYER: {"library": []}, OPPONENT: {"library": []}}
    for card, controller in permanents:
        there[controller].setdefault("battlefield", []).append(card)
    made = position(players=(PLAYER, OPPONENT), active=PLAYER, **there)  # type: ignore[arg-type]
    state = object.__new__(TracedState)
    state.__dict__.update(made.__dict__)
    return state


def spoken_frame(t: Table, effects: tuple[Term, ...], you: str) -> Frame:
    """Return the frame in which the effects of a plan's text are carried out: the player is what they target."""
    frame = Frame(t, you, 0)
    for term in walk(effects):
        if term.op == "target player":
            frame.targets[term.args[0]] = (PLAYER,)
    return frame


class Tracer(Table):
    """Carry out instructions and write down rows.

    Attributes:
        deck: The different cards of the library.
        counter: Names the counter of a filter (None for every card), or of the mana values of the cards that fit.
        shared: Gives the mask of features of something that cards can share, such as "color".
        keeping: Which cards stay on top when the player looks at them.
        rows: What was written down.
        notes: What was decided for a player on the way, as sentences.
    """

    def __init__(
        self,
        state: TracedState,
        deck: Sequence[Card],
        counter: Callable[[Term | None, str], str],
        shared: Callable[[str], int],
        keeping: Keeping | None = None,
    ) -> None:
        """Make a table on which nobody has looked at the library."""
        super().__init__(state)
        self.deck, self.counter, self.shared, self.keeping = deck, counter, shared, keeping
        self.rows: list[Row | Sorted] = []
        self.notes: list[str] = []
        self.blocks: dict[int, _Block] = {}
        self.doing: list[str] = []
        self.fate = ""
        self.back: tuple[str, ...] = ()
        self.shuffles = False
        for zone in ("hand", "graveyard", "exile"):
            self._stand_in(_Block(zone=zone), zone)

    def trace(self, text: str, you: str) -> None:
        """Carry out a text and write down its rows.

        Args:
            text: What a spell or ability says, in the words of rules text.
            you: Who "you" is.

        Raises:
            Unread: The text is not understood.
            Refused: A library program cannot say it.
        """
        effects = read_effect(text)
        for term in walk(effects):
            if term.op == "target":
                raise Refused("it has a target that is no player")
            if term.op == "X":
                raise Refused("it does not say what X is")
        self.frame = spoken_frame(self, effects, you)
        try:
            for decision in self.run(effects):
                raise Refused(f"{decision.player} must decide: {decision.prompt or decision.kind}")
        except _Unseen as unseen:
            raise Refused(f"it depends on {unseen}") from None
        left = [block for block in self.blocks.values() if block.until is not None and block.to is None]
        if left or self.back:
            raise Refused("it leaves cards that were revealed or put back in the library in an order")

    # what instructions ask of a table

    def do(self, term: Term) -> Run[Any]:
        """Carry out an effect; what a player decides card by card is tried both ways."""
        self.doing.append(term.op)
        if term.op == "process":
            yield from self._repeat(*term.args)
            result: Any = ()
        elif term.op in LOOKS and not self.fate:
            self._look(term)
            result = ()
        else:
            result = yield from super().do(term)
        self.doing.pop()
        return result

    def ask(self, player: str, kind: str, options: Sequence[Any], **how: Any) -> Run[Any]:
        """Answer what needs no choice; refuse the rest by name."""
        options = tuple(options)
        if len(options) == 1:
            return options[0]
        if kind == "choose mode" and options[0] == "top" and self.fate:
            return options[FATES.index(self.fate)]
        if kind == "order replacement effects":
            words = how.get("words") or [self.word_of(option) for option in options]
            self.notes.append(f"{words[0]} applies before {', '.join(words[1:])}, as the plan names them.")
            return options[0]
        if kind in ("choose player", "choose target") and PLAYER in options:
            return PLAYER
        raise Refused(f"{player} must decide: {how.get('prompt') or kind}")
        yield

    def take(self, player: str, n: Any) -> Run[tuple[int, ...]]:
        """Give a stand-in for the top cards of the player's library."""
        amount = n.amount if isinstance(n, Sum) else int(n)
        if player != PLAYER or amount == 0:
            return ()
        return (self._stand_in(_Block(amount), "library"),)
        yield

    def take_until(
        self, player: str, goal: Any, what: Term | None = None, size: str = ""
    ) -> Run[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Give stand-ins for the cards that count and for the others."""
        if player != PLAYER:
            return (), ()
        row = Until(self.counter(what, size), goal.amount if isinstance(goal, Sum) else int(goal), "")
        others = self._stand_in(_Block(until=row, part="others"), "library")
        found = self._stand_in(_Block(until=row, part="found"), "library")
        return (others, found), (found,)
        yield

    def move(self, numbers: Sequence[int], to: str, **how: Any) -> Run[tuple[int, ...]]:
        """Move objects, and write down where the stand-ins among them went."""
        blocks = [number for number in numbers if number in self.blocks]
        rest = yield from super().move([number for number in numbers if number not in self.blocks], to, **how)
        if to == "library":
            whole = {self.blocks[number].zone for number in blocks} - {""}
            for number in blocks:
                if how.get("bottom") or self.state.objects[number].zone not in whole:
                    self._put_below(self.blocks[number], bottom=bool(how.get("bottom")))
            self.back += tuple(name for zone in HIDDEN_ZONES if zone in whole for name in piles_in(zone))
            return rest
        arrived = []
        for number in blocks:
            event = self._moved(number, to)
            zone = to if event is None else str(event.to)
            self._record(self.blocks[number], self._by_card(number, to) if event is None else self._pile(zone))
            new = self._relocate(number, Event("moved", PLAYER, (number,), to=zone)).new
            if new is not None:
                self.blocks[new] = self.blocks.pop(number)
                arrived.append(new)
        return (*arrived, *rest)

    def shuffle(self, player: str) -> Run[None]:
        """Write down that the player's library is shuffled."""
        if player == PLAYER:
            self.rows.append(Shuffle(self.back))
            self.back = ()
        return
        yield

    def reorder(self, player: str, top: tuple[int, ...] = (), bottom: tuple[int, ...] = ()) -> None:
        """Note where the cards that were looked at lie in the library."""
        for place, numbers in ((TOP, top), (BOTTOM, bottom)):
            for number in numbers:
                self.blocks[number].to = place

    def did(self, event: Event, before: State | None = None) -> Run[Event]:
        """Log what happened; nothing triggers."""
        return self.log(event)
        yield

    # inside

    def _stand_in(self, block: _Block, zone: str) -> int:
        number = self.stamp()
        thing = Object(number, "card", None, PLAYER, PLAYER, zone, "cards that nobody has looked at", timestamp=number)
        zones = dict(self.state.zones)
        zones[zone, PLAYER] = (number, *zones.get((zone, PLAYER), ()))
        self.state = self.state.but(objects={**self.state.objects, number: thing}, zones=zones)
        self.blocks[number] = block
        return number

    def _pile(self, zone: str) -> str:
        return pile(zone, milled="mill" in self.doing)

    def _moved(self, number: int, to: str) -> Event | None:
        """Return the move as replacement effects leave it; None if that depends on the card (614, 616)."""
        if any(_moves_itself(card) for card in self.deck):
            return None
        try:
            return self._replaced(number, to)
        except _Unseen:
            return None

    def _replaced(self, number: int, to: str) -> Event:
        zone = self.state.objects[number].zone
        move = Change(number, None, PLAYER, zone, to)
        changing = self.would(Event("moved", PLAYER, (number,), to=to, moves=(move,)))
        try:
            next(changing)
        except StopIteration as done:
            event: Event | None = done.value
        else:
            raise Refused("somebody must decide which effect applies to a card")
        if event is None or (event.to == "library") != bool(event.get("then")):
            raise Refused(f"{self.state.look(number).name} would not simply go to a zone")
        return event

    def _by_card(self, number: int, to: str) -> Callable[[Card], str]:
        """Return where each card of the deck would go, worked out with the card itself in the place of the stand-in."""
        places: dict[Card, str] = {}
        before = self.state
        for card in self.deck:
            self.change(number, card=card)
            event = self._replaced(number, to)
            places[card] = self._back_in(event) if event.to == "library" else self._pile(str(event.to))
            self.state = before
        return places.__getitem__

    def _back_in(self, event: Event) -> str:
        """Return the pile of the cards that wait to be shuffled into the library."""
        written = len(self.rows)
        for _ in event.get("then")(self, event):
            raise Refused("somebody must decide how a card goes back into the library")
        if self.rows[written:] != [Shuffle()]:
            raise Refused("a card goes back into the library and stays in a known place")
        del self.rows[written:]
        self.shuffles = True
        return SHUFFLED_IN

    def _record(self, block: _Block, place: str | Callable[[Card], str]) -> None:
        if block.zone:
            raise Refused(f"it moves the cards that lie in the {block.zone}")
        if block.n is not None:
            draw = "draw" in self.doing
            if isinstance(place, str):
                self.rows.append(Move(block.n, place, draw))
            else:
                self.rows += _in_looks(block.n, place)
            if self.shuffles:
                self.rows.append(When((cards_in(SHUFFLED_IN),), 1, None, (Shuffle((SHUFFLED_IN,)),)))
                self.shuffles = False
            block.to = place if isinstance(place, str) else "by card"
            return
        if not isinstance(place, str):
            raise Refused("what is revealed goes to different zones")
        block.to = place
        self._finish(block)

    def _put_below(self, block: _Block, bottom: bool) -> None:
        """Write down that cards from the top of the library go to its bottom."""
        if not bottom or block.zone or block.to is not None:
            raise Refused("it puts some cards of a zone back into the library")
        if block.n is not None:
            self.rows.append(Sorted(block.n, (_always(BOTTOM),)))
        block.to = BOTTOM
        self._finish(block)

    def _finish(self, block: _Block) -> None:
        """Write down a row that takes cards until something, as soon as it is known where both of its parts go."""
        both = {each.part: each.to for each in self.blocks.values() if each.until is block.until}
        if block.until is not None and all(both.values()):
            others, found = str(both["others"]), str(both["found"])
            self.rows.append(replace(block.until, to=others, found=None if found == others else found))

    def _look(self, term: Term) -> None:
        """Try both fates of the cards that are looked at, and write down which card has which."""
        tries = []
        for fate in FATES:
            fork = Tracer(self.state, self.deck, self.counter, self.shared, self.keeping)  # type: ignore[arg-type]
            fork.frame, fork.fate, fork.doing = self.frame, fate, list(self.doing)
            for _ in fork.do(term):
                raise Refused("somebody must decide more than which cards stay on top")
            looked = [block for block in fork.blocks.values() if block.n is not None]
            tries.append((looked, fork.rows))
        (stay, _), (_, rows) = tries
        if not stay:
            return
        keeping = self.keeping
        if keeping is None:
            raise Refused(f"{PLAYER} must decide which cards stay on top; say keep='land' for example")
        moved = rows[0] if rows else None
        place = moved.to if isinstance(moved, Move) else BOTTOM
        away = moved.sends[0] if isinstance(moved, Sorted) else _always(place)
        self.rows.append(Sorted(stay[0].n or 0, keeping.sends(away), keeping.by))

    def _repeat(self, does: tuple[Term, ...]) -> Run[None]:
        """Write down that an instruction is repeated as long as cards share something."""
        first, last = does[0], does[-1]
        condition = last.args[0] if last.op == "if" else None
        again = len(does) == 2 and last.op == "if" and last.args[1:] == ((Term("repeat this process"),), ())
        if not again or condition is None or condition.op != "two milled that share" or first.op != "mill":
            raise Refused("it repeats a process as long as the cards say so")
        yield from self.do(first)
        row = self.rows[-1] if self.rows else None
        if isinstance(row, Move):
            self.rows[-1] = replace(row, again=self.shared(condition.args[0]))


def _in_looks(n: int | Amount, place: Callable[[Card], str]) -> list[Row | Sorted]:
    """Return the looks that sort so many cards, none at more than a look can take."""
    if not isinstance(n, int):
        raise Refused("where cards go depends on the card, and how many there are depends on the library")
    sizes = [MOST_LOOKED_AT] * (n // MOST_LOOKED_AT) + [n % MOST_LOOKED_AT] * bool(n % MOST_LOOKED_AT)
    return [Sorted(size, (place,)) for size in sizes]


def _always(place: str) -> Callable[[Card], str]:
    return lambda _: place


def _moves_itself(card: Card) -> bool:
    """Return whether an effect of a card changes where the card itself is put."""
    return "would" in card.text.lower() and any(
        ability.kind == "replacement" and is_own(ability) for ability in abilities_of(card)
    )
