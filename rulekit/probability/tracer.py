"""The table on which nobody has looked at the library: instructions run here as on the game table, and leave rows.

Instructions, amounts and replacement effects are the engine's own bodies. Where they take cards from the library they
get a stand-in for cards that nobody knows; where they count cards they get a `Sum`; where such a stand-in is moved, a
row of the library program is written down. What depends on a card that nobody has looked at is refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import Term, walk
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.events import Move as Change
from rulekit.engine.frame import Frame
from rulekit.engine.phrases import replaced
from rulekit.engine.state import Object, State
from rulekit.probability.counting import KINDS, Counted, count_before, counted_in, tried, with_numbers
from rulekit.probability.looks import (
    FATES,
    always,
    deciding,
    in_looks,
    leaving,
    look,
    moves_itself,
    of_library,
    pick,
    refuse_leaving,
    repeat,
    search,
    sorts,
    until,
)
from rulekit.probability.rows import BOTTOM, TOP, Move, Row, Shuffle, Until, When, cards_in, values_of
from rulekit.probability.rows import walk as rows_in
from rulekit.probability.spoken import left_out, picking_in, pronoun_in, read_step, spoken_frame
from rulekit.probability.unseen import (
    HIDDEN_ZONES,
    PLAYER,
    Block,
    Keeping,
    Met,
    Refused,
    Sorted,
    Sum,
    TracedState,
    Uncounted,
    Unseen,
    buried_by,
    pile,
    piles_in,
)

LOOKS = ("scry", "surveil")
SPOKEN = frozenset({"it", "those", "that", "revealed"})  # where one of these is said there is something to mean
SHUFFLED_IN = "shuffled into the library"
AGAIN: dict[str, Callable[..., Any]] = {"process": repeat, "until": until}
YOU = Term("you")
OF_LIFE = ("gain life", "lose life", "deal damage")


class Tracer(Table):
    """Carry out instructions and write down rows.

    Attributes:
        deck: The different cards of the library.
        counter: Names the counter of a filter (None for every card), or of the mana values of the cards that fit.
        shared: Gives the mask of features of something that cards can share, such as "color", and what cards can.
        keeping: Which cards stay on top when the player looks at them.
        buried: How many cards were put into the graveyard this turn before, None if that is not one number in all
            games. Where the library ends earlier they are fewer; then there is none to mill either.
        described: Tells whether a card is such a one as a text says.
        size: Number of cards of the whole deck.
        card: The card that is tried in the place of one that nobody has looked at.
        willing: Whether the player does what the player may do; None if that is not tried.
        rows: What was written down.
        notes: What was decided for a player on the way, as sentences.
    """

    def __init__(
        self,
        state: TracedState,
        deck: Sequence[Card],
        counter: Callable[[Term | None, str], str],
        shared: Callable[..., int],
        keeping: Keeping | None = None,
    ) -> None:
        """Make a table on which nobody has looked at the library."""
        super().__init__(state)
        self.deck, self.counter, self.shared, self.keeping = deck, counter, shared, keeping
        self.rows: list[Row | Sorted] = []
        self.notes: list[str] = []
        self.buried: int | None = None
        self.described: Callable[[Term, Card], bool] = lambda term, card: False
        self.size = len(deck)
        self.card: Card | None = None
        self.willing: bool | None = None
        self.counted: tuple[Counted, ...] = ()
        self.numbers: dict[Term, Sum] = {}
        self.before: list[tuple[int, list[Row]]] = []
        self.blocks: dict[int, Block] = {}
        self.doing: list[str] = []
        self.fate = ""
        self.back: tuple[str, ...] = ()
        self.shuffles = False
        for zone in ("hand", "graveyard", "exile"):
            self.stand_in(Block(zone=zone), zone)

    def trace(self, text: str, you: str) -> None:
        """Carry out a text and write down its rows.

        Args:
            text: What a spell or ability says, in the words of rules text.
            you: Who "you" is.

        Raises:
            Unread: The text is not understood.
            Refused: A library program cannot say it.
        """
        effects = read_step(text)
        for term in walk(effects):
            if term.op == "target":
                raise Refused("it has a target that is no player")
            if term.op in ("each", "some of", "pile") and any(map(of_library, term.walk())):
                raise Refused("it depends on which cards are in the library")
        if any(term.op == "controlled" for term in walk(effects)):
            self.notes.append(f"Of the battlefield, on which '{text}' depends, the plan has its permanents only.")
        self.frame = spoken_frame(self, effects, you)
        self.counted = counted_in(effects)
        try:
            for decision in self.run(effects):
                raise Refused(f"{decision.player} must decide: {decision.prompt or decision.kind}")
        except Unseen as unseen:
            raise Refused(f"it depends on {unseen}") from None
        left = any(block.until is not None and block.to is None for block in self.blocks.values())
        apart = any(isinstance(row, Until) and row.found in (TOP, BOTTOM) for row in self.rows)
        if left or apart or self.back:
            raise Refused("it leaves cards that were revealed or put back in the library in an order")
        count_before(self)
        self.notes += [f"Of '{text}' this is left out: {what}." for what in left_out(text)]
        if not self.rows:
            self.notes.append(f"'{text}' moves no card of this library.")

    # what instructions ask of a table

    def do(self, term: Term) -> Run[Any]:
        """Carry out an effect; what a player decides card by card is tried both ways."""
        self.doing.append(term.op)
        if SPOKEN.isdisjoint(self.frame.said) and (unnamed := pronoun_in(term)) not in ("", "that many"):
            raise Refused(f"'{unnamed}' is something that is not named before")
        if term.op == "mill":
            term = self._with_buried(term)
        refuse_leaving(self, term)
        term = with_numbers(self, term)
        result: Any = ()
        if (again := AGAIN.get(term.op)) is not None:
            yield from again(self, *term.args)
        elif term.op in LOOKS and not self.fate:
            look(self, term)
        elif term.op == "search library" and self.frame.players(term.args[0]) == (PLAYER,):
            yield from search(self, term)
        elif self.card is not None or self.fate or not tried(self, term):
            result = yield from self._done(term)
        self.doing.pop()
        return result

    def _done(self, term: Term) -> Run[Any]:
        """Carry out an effect; how much it does to life or in damage need not be known where nothing replaces it."""
        try:
            return (yield from super().do(term))
        except Unseen:
            if term.op not in OF_LIFE or self.state.battlefield:
                raise
            return ()

    def run(self, terms: tuple[Term, ...]) -> Run[Any]:
        """Carry out effects; of cards that are looked at those are taken that the plan keeps."""
        picking, one = picking_in(terms), deciding(terms)
        if picking is not None and PLAYER in self.frame.players(picking.who) and self.card is None:
            if self.frame.players(picking.chooser or YOU) != (PLAYER,):
                raise Refused("an opponent must decide which card is taken; say by='player' if you do")
            yield from self.run(picking.before)
            yield from super().run(picking.mills)
            if self.rows or not picking.mills:
                pick(self, picking)
            return (yield from self.run(picking.after))
        if one is not None and self.card is None:
            yield from self.run(terms[: one[0]])
            if sorts(self, terms[one[0] : one[1]]):
                return (yield from self.run(terms[one[1] :]))
            return (yield from super().run(terms[one[0] :]))
        return (yield from super().run(terms))

    def fork(self) -> Tracer:
        """Return a table on which something can be tried from here."""
        fork = copy(self)
        fork.frame = Frame(fork, self.frame.you, self.frame.this, said=dict(self.frame.said))
        fork.frame.targets = dict(self.frame.targets)
        fork.blocks = {number: replace(block) for number, block in self.blocks.items()}
        fork.rows, fork.doing, fork.following = [], list(self.doing), list(self.following)
        return fork

    def ask(self, player: str, kind: str, options: Sequence[Any], **how: Any) -> Run[Any]:
        """Answer what needs no choice; refuse the rest by name."""
        options = tuple(options)
        if kind == "may" and player == PLAYER and self.willing is not None:
            return options[not self.willing]
        if kind == "random" and how.get("prompt") == "in a random order" and options[0] in self.blocks:
            self.blocks[options[0]].at_random = True
        one_of_several = how.get("prompt") == "choose" and any(self._several(each) for each in options)
        if len(options) == 1 and not one_of_several:
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

    def would(self, event: Event) -> Run[Event | None]:
        """Let replacement effects change an event; a search looks at cards at which nobody has looked (701.23a).

        Raises:
            Refused: The player's library would be searched.
        """
        if event.kind == "searched" and event.player == PLAYER:
            raise Refused("it depends on which cards are in the library")
        n: Any = event.n
        if type(n) is Sum:
            event = event.but(n=Met.by(n))
        return (yield from super().would(event))

    def take(self, player: str, n: Any) -> Run[tuple[int, ...]]:
        """Give a stand-in for the top cards of the player's library."""
        amount = n.amount if isinstance(n, Sum) else int(n)
        if player != PLAYER or amount == 0:
            return ()
        self.refuse_revealed()
        taken = self.stand_in(Block(amount), "library")
        if self.card is not None:
            self.change(taken, card=self.card)
        return (taken,)
        yield

    def take_until(
        self, player: str, goal: Any, what: Term | None = None, size: str = ""
    ) -> Run[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Give stand-ins for the cards that count and for the others."""
        if player != PLAYER:
            return (), ()
        self.refuse_revealed()
        row = Until(self.counter(what, size), goal.amount if isinstance(goal, Sum) else int(goal), "")
        others = self.stand_in(Block(until=row, part="others"), "library")
        found = self.stand_in(Block(until=row, part="found"), "library")
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
                    self._put_back(self.blocks[number], bottom=bool(how.get("bottom")))
            self.back += tuple(name for zone in HIDDEN_ZONES if zone in whole for name in piles_in(zone))
            return rest
        arrived = []
        for number in blocks:
            event = self.moved(number, to)
            zone = to if event is None else str(event.to)
            self._record(self.blocks[number], self.by_card(number, to) if event is None else self.pile(zone))
            new = self._relocate(number, Event("moved", PLAYER, (number,), to=zone)).new
            if new is not None:
                self.blocks[new] = self.blocks.pop(number)
                arrived.append(new)
        return (*arrived, *rest)

    def refuse_revealed(self) -> None:
        """Refuse to take cards from a library in which others still lie that were revealed or looked through."""
        if any(block.until is not None and block.to is None for block in self.blocks.values()):
            raise Refused("cards that were revealed or looked through still lie in the library as it goes on")

    def how_many(self, numbers: Sequence[int]) -> Any:
        """Return a number of objects; of cards that nobody has looked at it cannot be told."""
        return Uncounted() if any(number in self.blocks for number in numbers) else len(numbers)

    def shuffle(self, player: str) -> Run[None]:
        """Write down that the player's library is shuffled, and with it the revealed cards that are still in it."""
        if player == PLAYER:
            for block in [each for each in self.blocks.values() if each.until is not None and each.to is None]:
                block.to = SHUFFLED_IN
                self.back += (SHUFFLED_IN,) * (SHUFFLED_IN not in self.back)
                self._finish(block)
            self.rows.append(Shuffle(self.back))
            self.back = ()
        return
        yield

    def reorder(self, player: str, top: tuple[int, ...] = (), bottom: tuple[int, ...] = ()) -> None:
        """Note where the cards that were looked at lie in the library."""
        for place, numbers in ((TOP, top), (BOTTOM, bottom)):
            for block in (self.blocks[number] for number in numbers):
                if block.until is not None and place == TOP:
                    raise Refused("it puts cards that were revealed back on top of the library")
                if block.at_random and block.n != 1:
                    self.rows.append(Until(self.counter(None, ""), block.n or 0, place))
                    block.n = None
                block.to = place
                self._finish(block)

    def did(self, event: Event, before: State | None = None) -> Run[Event]:
        """Log what happened; nothing triggers."""
        return self.log(event)
        yield

    # inside

    def _with_buried(self, term: Term) -> Term:
        """Put the number of cards put into the player's graveyard this turn in its place, where it is one number."""
        for each in [inner for inner in term.walk() if inner.op == "buried this turn"]:
            zone, who = each.args[0].args
            mine = who is not None and (who.op == "that player" or self.frame.players(who) == (PLAYER,))
            number = buried_by(self.rows, self.buried, self.deck)
            if zone == "graveyard" and mine:
                if number is None:
                    raise Refused("how many cards are put into the graveyard this turn is not one number in all games")
                term = replaced(term, each, number)
        return term

    def _several(self, option: Any) -> bool:
        """Return whether an option stands for more than one card, or may do so."""
        return option in self.blocks and self.blocks[option].n != 1

    def stand_in(self, block: Block, zone: str) -> int:
        """Put a stand-in for cards that nobody has looked at into a zone, on top of a library."""
        number = self.stamp()
        thing = Object(number, "card", None, PLAYER, PLAYER, zone, "cards that nobody has looked at", timestamp=number)
        zones = dict(self.state.zones)
        zones[zone, PLAYER] = (number, *zones.get((zone, PLAYER), ()))
        self.state = self.state.but(objects={**self.state.objects, number: thing}, zones=zones)
        self.blocks[number] = block
        return number

    def pile(self, zone: str) -> str:
        """Return the pile for cards that the instruction under way puts into a zone."""
        return pile(zone, milled="mill" in self.doing)

    def moved(self, number: int, to: str) -> Event | None:
        """Return the move as replacement effects leave it; None if that depends on the card (614, 616)."""
        if any(moves_itself(card) for card in self.deck):
            return None
        try:
            return self._replaced(number, to)
        except Unseen:
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

    def by_card(self, number: int, to: str) -> str | Callable[[Card], str]:
        """Return where each card of the deck would go, worked out with the card itself in the place of the stand-in.

        Returns:
            The pile if all go to the same one; else a function from a card to its pile.
        """
        places: dict[Card, str] = {}
        before = self.state
        for card in self.deck:
            self.change(number, card=card)
            event = self._replaced(number, to)
            places[card] = self._back_in(event) if event.to == "library" else self.pile(str(event.to))
            self.state = before
        piles = set(places.values())
        return piles.pop() if len(piles) == 1 else places.__getitem__

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

    def _record(self, block: Block, place: str | Callable[[Card], str]) -> None:
        if block.zone:
            raise Refused(leaving(block.zone))
        if block.to is not None:
            self._move_on(block, place)
        elif block.n is not None:
            self._take(block, place)
        elif not isinstance(place, str):
            raise Refused("what is revealed goes to different zones")
        else:
            block.to = place
            self._finish(block)

    def _take(self, block: Block, place: str | Callable[[Card], str]) -> None:
        """Write down that cards leave the top of the library."""
        n, draw = block.n or 0, "draw" in self.doing
        if isinstance(place, str):
            for each in self.counted:
                if each.kind == KINDS.get(self.doing[-1]):
                    counter, name = self.counter(each.what, ""), f"{place} before {len(self.before)}"
                    rows, self.numbers[each.said] = each.before(place, counter, self.size, name)
                    self.before.append((len(self.rows), rows))
            self.rows.append(Move(n, place, draw))
        elif draw:
            raise Refused("where a card that is drawn goes depends on the card")
        else:
            self.rows += in_looks(n, place)
        block.row = len(self.rows) - 1
        if self.shuffles:
            self.rows.append(When((cards_in(SHUFFLED_IN),), 1, None, (Shuffle((SHUFFLED_IN,)),)))
            self.shuffles = False
        block.to = place if isinstance(place, str) else "by card"

    def _move_on(self, block: Block, place: str | Callable[[Card], str]) -> None:
        """Let cards that were just moved go elsewhere at once, if nothing since then has looked where they lay."""
        row = self.rows[block.row] if 0 <= block.row < len(self.rows) else None
        former = str(block.to)
        simple = isinstance(row, Move | Until) and not getattr(row, "again", 0) and not self.shuffles
        if not simple or not isinstance(place, str) or former in ("by card", TOP, BOTTOM):
            raise Refused("it moves cards once more that it has moved before")
        milled = former in piles_in("milled")
        to = pile(place, milled) if place not in (TOP, BOTTOM, SHUFFLED_IN) else place
        for later in rows_in(tuple(each for each in self.rows[block.row + 1 :] if not isinstance(each, Sorted))):
            read = {name for value in values_of(later) for name in value.piles}
            if isinstance(later, Shuffle) or read & {former, to}:
                raise Refused("it moves cards once more that it has moved before, and counts them in between")
        block.to = to
        if isinstance(row, Move):
            self.rows[block.row] = replace(row, to=to)
        else:
            self._finish(block)

    def _put_back(self, block: Block, bottom: bool) -> None:
        """Write down that cards from the top of the library go back into it."""
        shuffled = self.doing[-1] in ("shuffle into library", "shuffle the rest")
        last = block.row == len(self.rows) - 1
        if block.zone or (block.to is not None and not (last and (shuffled or block.n in (None, 1)))):
            raise Refused("it puts some cards of a zone back into the library")
        if block.until is not None and not shuffled and not bottom:
            raise Refused("it puts cards that were revealed back on top of the library")
        if shuffled and block.to is None and block.n is not None:
            raise Refused("it shuffles cards into the library that lie on top of it")
        if shuffled:
            self.back += (SHUFFLED_IN,) * (SHUFFLED_IN not in self.back)
            place = SHUFFLED_IN
        else:
            place = BOTTOM if bottom else TOP
        if block.to is not None and (block.n is None or shuffled):
            self._move_on(block, place)
        elif block.n is not None:
            if block.to is not None:
                self.rows.pop()
            self.rows.append(Sorted(block.n, (always(place),)))
            block.to = place
        else:
            block.to = place
            self._finish(block)

    def _finish(self, block: Block) -> None:
        """Write down a row that takes cards until something, as soon as it is known where both of its parts go."""
        both = {each.part: each.to for each in self.blocks.values() if each.until is block.until}
        if block.until is not None and all(both.values()):
            others, found = str(both["others"]), str(both["found"])
            row = replace(block.until, to=others, found=None if found == others else found)
            if block.row >= 0:
                self.rows[block.row] = row
                return
            self.rows.append(row)
            for each in self.blocks.values():
                each.row = len(self.rows) - 1 if each.until is block.until else each.row
