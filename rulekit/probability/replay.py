"""A trial as a game on the board: what the plan says is carried out again, with the cards of that trial."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeAlias

from rulekit.engine.abilities import Term
from rulekit.engine.events import Event, Move, Run, Table
from rulekit.engine.game import Game, Instruct
from rulekit.engine.position import position
from rulekit.engine.sba import Ended, win
from rulekit.engine.state import Object, State
from rulekit.probability.dealing import Dealt, Step
from rulekit.probability.drafts import Draft, Said, side
from rulekit.probability.looks import OF_IT
from rulekit.probability.plan import Opening
from rulekit.probability.plan import Step as PlanStep
from rulekit.probability.rows import BOTTOM, TOP
from rulekit.probability.spoken import begin_draw_step, read_step, spoken_frame
from rulekit.probability.unseen import OPPONENT, PLAYER, piles_in
from rulekit.rules import BadData

if TYPE_CHECKING:
    from rulekit.cards.card import Card
    from rulekit.probability.answer import Answer

Orders: TypeAlias = tuple[tuple[int, ...], ...]
_REPLAYED = "replay(simulate(...), 0)."
DREDGE = "702.52a"  # left out, as it is in the trials
Does: TypeAlias = Callable[["_DealtTable"], Run[Any]]


def replay(answer: Answer, trial: int) -> Game:
    """Deal a trial of a simulation again, as a game on the board.

    Args:
        answer: An answer of `simulate`.
        trial: Number of the trial, as `answer.example(...)` gives it.

    Returns:
        The game at the end of the trial; its `path()` has a game for each thing that the plan says and that was done,
        and the player's library lies in the order in which it was dealt. What would trigger, and dredge, is left out,
        as it is in the trials.

    Raises:
        BadData: It is no answer, or an exact one, or no such trial was played.
    """
    if not hasattr(answer, "source"):
        raise BadData(f"a trial is one of an Answer, not of {type(answer).__name__}.", key="replay", instead=_REPLAYED)
    return answer.source.game(answer.question, trial)


def game_of(draft: Draft, dealt: Dealt) -> Game:
    """Return the game of a trial, see `replay`.

    Args:
        draft: The deck and what the plan says.
        dealt: The trial.
    """
    cards = [card for card, number in draft.cards for _ in range(number)]
    first = dealt.orders[0]
    sides: dict[str, Any] = {PLAYER: {"library": [cards[number] for number in first]}, OPPONENT: {"library": []}}
    state = position(players=(PLAYER, OPPONENT), active=PLAYER, **sides)
    dealer = _Dealer(draft, dealt, dict(zip(state.zone("library", PLAYER), first, strict=True)))
    game = Game(state, chance=dealt.trial)
    for said in draft.said:
        steps = [step for step in dealt.steps if step.place in said.rows]
        for number, (words, does) in enumerate(_parts(said.what, steps) if steps else ()):
            game = game.decide(_Again(dealer, said, steps, steps[0].order + number, words, does))
    return game


def _parts(what: Opening | PlanStep, steps: Sequence[Step]) -> Iterator[tuple[str, Does]]:
    """Give what is done for one thing that a plan says, piece by piece, and what it is called."""
    if isinstance(what, PlanStep):
        text, by = what.spoken()
        yield text, lambda t: t.spoken(text, side(by))
        return
    for number, _ in enumerate(steps[0].looks, 1):
        yield f"opening hand, mulligan {number}", lambda t: t.mulligan(what.size)
    yield "opening hand", lambda t: t.opening_hand(what.size)


class _Dealer:
    """Which card of a trial each object of a game is, and how the library lies.

    Attributes:
        draft: The deck and what the plan says.
        orders: The order of the library at the beginning and after each shuffle.
        first: For each object at the beginning the number of its card.
    """

    def __init__(self, draft: Draft, dealt: Dealt, first: Mapping[int, int]) -> None:
        self.draft, self.orders, self.first = draft, dealt.orders, first

    def numbers(self, state: State) -> dict[int, int]:
        """Return the number of its card for each object that is there now (400.7)."""
        found = {}
        for number, card in self.first.items():
            now = number
            while now in state.past:
                now = state.past[now].became or 0
            found[now] = card
        return found


class _Again(Instruct):
    """A part of a trial, to be carried out again."""

    def __init__(
        self, dealer: _Dealer, said: Said, steps: Sequence[Step], shuffles: int, words: str, does: Does
    ) -> None:
        super().__init__((), f"turn {said.turn}: {words}" if said.turn else words)
        self.dealer, self.said, self.steps, self.shuffles, self.does = dealer, said, tuple(steps), shuffles, does

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Again) and (other.words, other.steps) == (self.words, self.steps)

    def __hash__(self) -> int:
        return hash(self.words)

    def carry_out(self, t: Table) -> Run[None]:
        """Do what the plan says, and end the game if the player has lost it (704.5b)."""
        table = _DealtTable(t, self.dealer, self.steps, self.shuffles)
        table.change_turn(number=max(1, self.said.turn), step="precombat main")
        if self.said.in_draw_step:
            begin_draw_step(table)
        table.lay_out(self.dealer.draft.there(self.said.turn))
        yield from self.does(table)
        if table.state.players[PLAYER].drew_from_empty:
            yield from table.end()


class _DealtTable(Table):
    """A table on which the cards and choices of a trial come up again, and nothing triggers."""

    def __init__(self, under: Table, dealer: _Dealer, steps: Sequence[Step], shuffles: int) -> None:
        """Lay this table over another one, which keeps the State, after a number of shuffles."""
        self.under, self.shuffles, self.moving, self.shuffled = under, shuffles, False, False
        super().__init__(under.state)
        self.dealer, self.numbers = dealer, dealer.numbers(under.state)
        self.looked: list[int] = []
        self.places: dict[int, deque[str]] = {}
        moved = [each for step in steps for each in step.moved]
        for each in moved:
            self.places.setdefault(each.number, deque()).append(each.to)
        self.order = [each.number for each in moved if each.to in (TOP, BOTTOM)]

    @property
    def state(self) -> State:
        """The State as it is now."""
        return self.under.state

    @state.setter
    def state(self, state: State) -> None:
        self.under.state = state

    def ask(self, player: str, kind: str, options: Sequence[Any], **how: Any) -> Run[Any]:
        """Answer as the trial says."""
        options = tuple(options)
        if how.get("rule") == DREDGE:
            return "no"
        if kind == "choose mode" and options[0] == TOP and self.looked:
            places = self.places.get(self.numbers[self.looked.pop(0)])
            return options[0] if places and places.popleft() == TOP else options[1]
        if kind == "may":
            return options[not self._does(str(how.get("prompt")))]
        picked = [each for each in options if self._goes_to(each) in piles_in("hand") + piles_in("battlefield")]
        if kind == "choose card" and picked:
            return picked[0]
        if kind in ("random", "choose card"):
            known = [each for each in options if self.numbers.get(each) in self.order]
            place = self._last_place if kind == "random" else self._place
            return min(known, key=place) if known else options[0]
        return PLAYER if PLAYER in options else options[0]
        yield

    def _goes_to(self, number: Any) -> str:
        """Return where a card that is looked at goes in the trial, empty if it is no such card."""
        places = self.places.get(self.numbers.get(number, -1)) if isinstance(number, int) else None
        return places[0] if places else ""

    def _does(self, prompt: str) -> bool:
        """Return whether the player did what may be done, which shows where the one card went that was looked at."""
        place = self._goes_to(self.looked[0]) if len(self.looked) == 1 else ""
        if not place or not prompt.startswith(OF_IT):
            return True
        to = [zone for zone in ("hand", "battlefield") if zone in prompt]
        return place in piles_in(to[0]) if to else place != TOP

    def _place(self, number: int) -> int:
        return self.order.index(self.numbers[number])

    def _last_place(self, number: int) -> int:
        return -self.order[::-1].index(self.numbers[number])

    def take(self, player: str, n: int) -> Run[tuple[int, ...]]:
        """Look at the top cards, and remember which."""
        taken = yield from super().take(player, n)
        self.looked = list(taken)
        return taken

    def shuffle(self, player: str) -> Run[None]:
        """Bring the library into the order that it has in the trial, cards that nobody came to see below."""
        if player == PLAYER:
            self.shuffles += not (self.moving and self.shuffled)
            self.shuffled = True
            order = self.dealer.orders[self.shuffles]
            places = {number: place for place, number in enumerate(order)}
            library = self.state.zone("library", PLAYER)
            ordered = sorted(library, key=lambda each: places.get(self.numbers[each], len(places)))
            self.change_state(zones={**self.state.zones, ("library", PLAYER): tuple(ordered)})
        yield from self.did(Event("shuffled", player, rule="701.24a"))

    def move(self, numbers: Sequence[int], to: str, **how: Any) -> Run[tuple[int, ...]]:
        """Move objects; what shuffles several of them into the library instead is one shuffle in the trial."""
        self.moving, self.shuffled = True, False
        moved = yield from super().move(numbers, to, **how)
        self.moving = False
        return moved

    def did(self, event: Event, before: State | None = None) -> Run[Event]:
        """Log what happened; nothing triggers."""
        return self.log(event)
        yield

    def _relocate(self, number: int, event: Event) -> Move:
        move = super()._relocate(number, event)
        if number in self.numbers and move.new is not None:
            self.numbers[move.new] = self.numbers.pop(number)
        return move

    # what a plan says

    def mulligan(self, size: int) -> Run[None]:
        """Draw an opening hand that is thrown back (103.5)."""
        yield from self.do(Term("draw", ((PLAYER,), size)))
        yield from self.do(Term("shuffle into library", (None, self.state.zone("hand", PLAYER))))

    def opening_hand(self, size: int) -> Run[None]:
        """Draw an opening hand that is kept, and put cards of it on the bottom, one for each mulligan (103.5)."""
        yield from self.do(Term("draw", ((PLAYER,), size)))
        away = [each for each in self.state.zone("hand", PLAYER) if self.numbers[each] in self.order]
        yield from self.move(sorted(away, key=self._place), "library", bottom=True, rule="103.5")

    def spoken(self, text: str, you: str) -> Run[None]:
        """Carry out a text."""
        effects = read_step(text)
        self.frame = spoken_frame(self, effects, you)
        with suppress(Ended):
            yield from self.run(effects)

    def end(self) -> Run[None]:
        """End the game that the player has lost by a draw from an empty library; its cards stay to be seen (704.5b)."""
        yield from self.did(Event("lost", PLAYER, rule="704.5b"))
        yield from win(self, OPPONENT, "104.2a")

    def lay_out(self, there: tuple[tuple[Card, str], ...]) -> None:
        """Let these permanents be on the battlefield, in this order, and no others."""
        lying = [(number, self.state.objects[number]) for number in self.state.battlefield]
        order = []
        for card, controller in there:
            found = next((n for n, each in lying if (each.card, each.controller) == (card, controller)), None)
            if found is None:
                found = self.create(Object(0, "card", card, controller, controller, "battlefield", card.name))
            lying = [each for each in lying if each[0] != found]
            order.append(found)
        for number, _ in lying:
            self.cease(number)
        self.change_state(zones={**self.state.zones, ("battlefield", ""): tuple(order)})
