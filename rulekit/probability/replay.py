"""A trial as a game on the board: what the plan says is carried out again, with the cards of that trial."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from rulekit.engine.abilities import Term
from rulekit.engine.events import Event, Move, Run, Table
from rulekit.engine.game import Game, Instruct
from rulekit.engine.position import position
from rulekit.engine.state import Object, State
from rulekit.engine.text import read_effect
from rulekit.engine.turn import settle
from rulekit.probability.dealing import Dealt, Moved, Step
from rulekit.probability.plan import Opening
from rulekit.probability.plan import Step as PlanStep
from rulekit.probability.programs import Draft, Said, side
from rulekit.probability.rows import BOTTOM, TOP
from rulekit.probability.tracer import OPPONENT, PLAYER, spoken_frame
from rulekit.rules import RulekitError

if TYPE_CHECKING:
    from rulekit.cards.card import Card
    from rulekit.probability.answer import Answer

Does: TypeAlias = Callable[["_DealtTable"], Run[Any]]


def replay(answer: Answer, trial: int) -> Game:
    """Deal a trial of a simulation again, as a game on the board.

    Args:
        answer: An answer of `simulate`.
        trial: Number of the trial, as `answer.example(...)` gives it.

    Returns:
        The game at the end of the trial; its `path()` has a game for each thing that the plan says and that was done,
        and the player's library lies in the order in which it was dealt. What would trigger is left out, as it is in
        the trials.

    Raises:
        BadData: The answer is exact, or no such trial was played.
    """
    return answer.source.game(answer.question, trial)


@dataclass
class _Dealer:
    """What a trial says of the cards.

    Attributes:
        orders: How the library lies after each shuffle that is still to come.
        numbers: For each object of the player the number of its card in the trial.
        places: For each card what is still to be decided of it in the step under way: "top", "bottom" or a pile.
        order: The cards that the step under way puts on top or bottom, in order.
    """

    orders: Iterator[tuple[int, ...]]
    numbers: dict[int, int] = field(default_factory=dict)
    places: dict[int, deque[str]] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)

    def begin(self, moved: Iterable[Moved]) -> None:
        """Take up what a step moved."""
        self.places, self.order = {}, []
        for each in moved:
            self.places.setdefault(each.number, deque()).append(each.to)
            if each.to in (TOP, BOTTOM):
                self.order.append(each.number)


class _DealtTable(Table):
    """The game table on which the cards and choices of a trial come up again, and nothing triggers."""

    def __init__(self, state: State, dealer: _Dealer) -> None:
        super().__init__(state)
        self.dealer = dealer
        self.looked: list[int] = []

    def ask(self, player: str, kind: str, options: Sequence[Any], **how: Any) -> Run[Any]:
        """Answer as the trial says."""
        options = tuple(options)
        if kind == "choose mode" and options[0] == TOP and self.looked:
            card = self.dealer.numbers[self.looked.pop(0)]
            places = self.dealer.places.get(card)
            return options[0] if places and places.popleft() == TOP else options[1]
        if kind in ("random", "choose card"):
            order = self.dealer.order
            known = [each for each in options if self.dealer.numbers.get(each) in order]
            return min(known, key=lambda each: order.index(self.dealer.numbers[each])) if known else options[0]
        return PLAYER if PLAYER in options else options[0]
        yield

    def take(self, player: str, n: int) -> Run[tuple[int, ...]]:
        """Look at the top cards, and remember which."""
        taken = yield from super().take(player, n)
        self.looked = list(taken)
        return taken

    def shuffle(self, player: str) -> Run[None]:
        """Bring the library into the order that it has in the trial."""
        if player == PLAYER:
            self.arrange(next(self.dealer.orders))
        yield from self.did(Event("shuffled", player, rule="701.24a"))

    def arrange(self, order: tuple[int, ...]) -> None:
        """Put the cards of the library into an order, those that it does not name below."""
        library = self.state.zone("library", PLAYER)
        places = {number: place for place, number in enumerate(order)}
        ordered = sorted(library, key=lambda each: places.get(self.dealer.numbers[each], len(places)))
        self.change_state(zones={**self.state.zones, ("library", PLAYER): tuple(ordered)})

    def did(self, event: Event, before: State | None = None) -> Run[Event]:
        """Log what happened; nothing triggers."""
        return self.log(event)
        yield

    def _relocate(self, number: int, event: Event) -> Move:
        move = super()._relocate(number, event)
        if number in self.dealer.numbers and move.new is not None:
            self.dealer.numbers[move.new] = self.dealer.numbers.pop(number)
        return move

    # what a plan says

    def mulligan(self, size: int) -> Run[None]:
        """Draw an opening hand that is thrown back (103.5)."""
        yield from self.do(Term("draw", ((PLAYER,), size)))
        yield from self.do(Term("shuffle into library", (None, self.state.zone("hand", PLAYER))))

    def opening_hand(self, size: int) -> Run[None]:
        """Draw an opening hand that is kept, and put cards of it on the bottom, one for each mulligan (103.5)."""
        yield from self.do(Term("draw", ((PLAYER,), size)))
        order = self.dealer.order
        away = [each for each in self.state.zone("hand", PLAYER) if self.dealer.numbers[each] in order]
        away.sort(key=lambda each: order.index(self.dealer.numbers[each]))
        yield from self.move(away, "library", bottom=True, rule="103.5")

    def spoken(self, text: str, you: str) -> Run[None]:
        """Carry out a text."""
        effects = read_effect(text)
        self.frame = spoken_frame(self, effects, you)
        yield from self.run(effects)

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
    dealer = _Dealer(iter(dealt.orders[1:]), dict(zip(state.zone("library", PLAYER), first, strict=True)))
    game = Game(state, chance=dealt.trial)
    for said in draft.said:
        steps = [step for step in dealt.steps if step.place in said.rows]
        if steps:
            dealer.begin(moved for step in steps for moved in step.moved)
            for words, does in _parts(said.what, steps):
                game = _after(game, said, dealer, f"turn {said.turn}: {words}" if said.turn else words, does)
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


def _after(game: Game, said: Said, dealer: _Dealer, words: str, does: Does) -> Game:
    """Return the game after something was done, with the loss of whoever drew from an empty library (704.5b)."""
    table = _DealtTable(game.state, dealer)
    table.change_turn(number=max(1, said.turn))
    table.lay_out(said.there)
    doing = does(table)
    for decision in doing:
        raise RulekitError(f"{decision.player} is asked in a trial: {decision.prompt or decision.kind}")
    if table.state.players[PLAYER].drew_from_empty:
        for decision in settle(table, PLAYER):
            raise RulekitError(f"{decision.player} is asked in a trial: {decision.prompt or decision.kind}")
    return Game(table.state, before=game, given=Instruct((), words), chance=game.chance)
