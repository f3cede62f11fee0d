"""The gift lab: a card with gift, cast step by step: who is promised, what may still change, what becomes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import ipywidgets

from rulekit.cards.pool import CardPool
from rulekit.engine import telling
from rulekit.engine.abilities import Term
from rulekit.engine.actions import Action
from rulekit.engine.events import Decision
from rulekit.engine.game import Game
from rulekit.engine.text import abilities_of
from rulekit.rules import Illegal
from rulekit.widgets import view
from rulekit.widgets.lab import Findings, Grid, Lab, offer
from rulekit.widgets.lines import PASS, Line, Lines, followed
from rulekit.widgets.panel import choice

NO_ONE = "no one"
NOTHING = "nothing"
UNASKED = "is not asked"
COUNTERED = "the spell is countered"
TARGET_GONE = "its first target is exiled"
DEALT = "the promised player is dealt 20 damage"
SOURCE_GONE = "with its triggers on the stack, the permanent is exiled"
DEALT_LATER = "with its triggers on the stack, the promised player is dealt 20 damage"
LATER = (SOURCE_GONE, DEALT_LATER)
POOL = ("first", "second", "third", "fourth")  # choices of the casting besides the gift
STEPS = tuple(f"601.2{letter}" for letter in "abcdefghi")
FATES = {"resolved": "resolves", "countered": "is countered", "did not resolve": "does not resolve"}
LIFE = 20
GRAVEYARD = ["Hill Giant", "Grizzly Bears", "Hedron Crab", "Island"]
DEAD = ((", ".join(GRAVEYARD), 4), (f"only {GRAVEYARD[0]}", 1), ("nothing", 0))
RESPONSES = ("Counterspell", "Murder")  # with which opponents can respond on the board
OTHERS = {"battlefield": ["Grizzly Bears", "Millstone"], "hand": ["Grizzly Bears", *RESPONSES]}
DEADLY = "Lightning Bolt"  # for an opponent with little life
LIVES = (("20", 20), (f"3, so that a {DEADLY} kills", 3))


@cache
def gift_cards() -> tuple[str, ...]:
    """Return the names of the cards of the catalogue that have gift (702.174a)."""
    pool = CardPool.catalogue()
    return tuple(name for name in pool if any(ability.keyword == "gift" for ability in abilities_of(pool.find(name))))


@dataclass(frozen=True)
class Asked:
    """A choice of the casting: what was asked, and what was answered.

    Attributes:
        step: The step of casting in which it is made, such as "601.2b".
        words: The question.
        options: What could be answered.
        answer: What was.
    """

    step: str
    words: str
    options: tuple[str, ...]
    answer: str


class GiftLab(Lab):
    """What becomes of a gift (702.174): any such card of the catalogue, whom it is promised, what others do.

    The controls, which are also the arguments: `card`; `opponents` (1 or 2); `graveyard`, how many cards lie in
    Alice's (0, 1 or 4); `life` of each opponent (20 or 3); `promised` ("no one", "Bob", "Carol");
    `first` to `fourth`, the other choices of the casting as they are asked; `then`, what happens before it resolves.

    Attributes:
        asked: The choices of the casting, in order.
    """

    def __init__(self, **values: Any) -> None:
        """Make the lab.

        Args:
            values: What stands in the controls.
        """
        controls = {
            "card": choice("Alice casts", gift_cards(), "Into the Flood Maw"),
            "opponents": choice("Her opponents", (("Bob and Carol", 2), ("Bob", 1))),
            "graveyard": choice("In her graveyard", DEAD),
            "life": choice("Each opponent's life", LIVES),
            "promised": choice("The gift is promised to", (NO_ONE, "Bob", "Carol"), "Bob"),
            **{name: choice(name, (UNASKED,)) for name in POOL},
            "then": choice("Before it resolves", (NOTHING,)),
        }
        self.asked: tuple[Asked, ...] = ()
        super().__init__(controls, **values)

    def _usually(self, name: str) -> Any:
        return self.controls[name].options[0] if name in (*POOL, "then") else super()._usually(name)

    # ---------------------------------------------------------------- casting

    def position(self) -> Game:
        """Return the game as Alice can cast the card: in her own turn, or with a spell of Bob's on the stack."""
        own = self._at("Alice")
        if _casts(own, self.value("card")) is not None:
            return own
        game = self._at("Bob")
        spell = _casts(game, OTHERS["hand"][0])
        game = game.decide(spell) if spell is not None else game
        while game.decision is not None and game.decision.player != "Alice":
            game = game.decide(PASS)
        return game

    def _at(self, active: str) -> Game:
        opponent = OTHERS | {"life": self.value("life")}
        others = dict.fromkeys(("Bob", "Carol")[: self.value("opponents")], opponent)
        dead = GRAVEYARD[: self.value("graveyard")]
        alice = {
            "hand": [self.value("card"), "Forest", DEADLY],
            "battlefield": ["Grizzly Bears", "Millstone"],
            "graveyard": dead,
        }
        return Game.of(active=active, Alice=alice, **others)

    def _cast(self, game: Game) -> Game:
        """Cast the card with the choices of the controls, and note what is asked.

        Raises:
            Illegal: The choices are against a rule.
        """
        self.asked = ()
        number = next(n for n in game.state.zone("hand", "Alice") if game.state.name(n) == self.value("card"))
        game = game.decide(_casts(game, self.value("card")) or Action("cast", number), explicit=True)
        free = list(POOL)
        while game.decision is not None and game.decision.kind != "priority":
            decision = game.decision
            offers = view.offers(decision, game.state)
            words = tuple(word for _, word in offers)
            answer = self._answer(decision, words, free)
            option = next((option for option, word in offers if word == answer), None)
            self.asked += (Asked(decision.step, (decision.prompt or decision.kind).rstrip("?"), words, answer),)
            game = game.decide(option)
        for name in free:
            offer(self.controls[name], name, (UNASKED,), seen=False)
        return game

    def _answer(self, decision: Decision, words: tuple[str, ...], free: list[str]) -> str:
        """Return the answer that a control gives, after it has been given the options."""
        if decision.kind == "choose opponent":
            promised: str = self.value("promised")
            return "no" if promised == NO_ONE else promised
        if not free or not words:
            return words[0] if words else ""
        name = free.pop(0)
        place = len(POOL) - len(free)
        offer(self.controls[name], f"{place}. {(decision.prompt or decision.kind).rstrip('?')}", words)
        return str(self.value(name))

    def _prepare(self) -> None:
        people = (NO_ONE, "Bob", "Carol")[: 1 + self.value("opponents")]
        offer(self.controls["promised"], "The gift is promised to", people)
        try:
            cast = self._cast(self.position())
        except Illegal:
            possible: tuple[str, ...] = (NOTHING,)
        else:
            possible = self._possible(cast)
        offer(self.controls["then"], "Before it resolves", possible)

    def _possible(self, cast: Game) -> tuple[str, ...]:
        """Return what can happen before the spell resolves, or between that and its triggers."""
        promised = self.value("promised") != NO_ONE
        item = cast.state.stack[0]
        after = self._resolved(cast).found[0].game
        waiting = bool(after.state.stack) and after.state.priority is not None
        there = waiting and self._permanent(after, item) is not None
        found = [COUNTERED, *([TARGET_GONE] if _target(cast) is not None else []), *([DEALT] if promised else [])]
        found += [*([SOURCE_GONE] if there else []), *([DEALT_LATER] if waiting and promised else [])]
        return (NOTHING, *found)

    # ---------------------------------------------------------------- what then happens

    def _resolved(self, cast: Game) -> Lines:
        item = cast.state.stack[0]
        return followed(cast, until=lambda game: item not in game.state.stack)

    def _permanent(self, game: Game, item: int) -> int | None:
        """Return the permanent that a spell became, if it is still there."""
        past = game.state.past.get(item)
        became = past.became if past is not None else None
        return became if became in game.state.battlefield else None

    def played(self) -> Lines:
        """Return the game after the spell and all that it sets off, in every order that the players can choose.

        Raises:
            Illegal: The casting is against a rule.
        """
        cast = self._cast(self.position())
        item, then = cast.state.stack[0], self.value("then")
        if then not in LATER:
            return followed(_instructed(cast, self._instruction(cast, item), then))
        early = self._resolved(cast)
        found = []
        for line in early.found:
            game = _instructed(line.game, self._instruction(line.game, item), then)
            found += [Line((*line.choices, *late.choices), late.game) for late in followed(game).found]
        return Lines(tuple(found), early.more)

    def _instruction(self, game: Game, item: int) -> Term | None:
        then = self.value("then")
        if then == COUNTERED:
            return Term("counter", ((item,), "graveyard"))
        if then in (DEALT, DEALT_LATER):
            return Term("deal damage", (LIFE, (self.value("promised"),)))
        gone = {TARGET_GONE: lambda: _target(game), SOURCE_GONE: lambda: self._permanent(game, item)}
        what: Callable[[], int | None] = gone.get(then, lambda: None)
        number = what()
        return Term("exile", ((number,),)) if number is not None else None

    def _find(self) -> Findings:
        begun = self.position()
        card = CardPool.catalogue().find(self.value("card"))
        sentences = (". ".join([f"{card.name} ({card.types})", *map(view.upper, card.text.splitlines())]) + ".",)
        about = ("702.174a", "702.174b", "702.174j", "601.2b")
        try:
            lines = self.played()
        except Illegal as refusal:
            said = (*sentences, "So it cannot be cast; the game goes back to before (733.1).")
            return Findings(said, (self._timeline(),), (("", begun),), (refusal,), about)
        rows = tuple(_row(line, card.name, self.value("promised")) for line in lines.found)
        head = ("what is chosen later", "the spell", "is a gift given (702.174c)", "the promised player then")
        outcome = Grid("What becomes of it", head, rows)
        games = tuple((line.name, line.game) for line in lines.found)
        return Findings(sentences, (self._timeline(), outcome), games, about=about)

    def _timeline(self) -> Grid:
        """Return the steps of casting: what is chosen in each, and what can still be chosen after it."""
        rows = []
        for step in STEPS:
            here = [f"{each.words}: {each.answer}" for each in self.asked if each.step == step]
            later = [each.words for each in self.asked if each.step > step]
            rows.append((step, telling.paraphrase(step), "; ".join(here) or "nothing", "; ".join(later) or "nothing"))
        head = ("step", "what it is for", "chosen here", "still to be chosen")
        return Grid("Casting it, step by step (601.2)", head, tuple(rows))

    @property
    def title(self) -> str:
        """What stands above the board."""
        return "Step through it, and respond where you like"

    def _groups(self) -> Iterable[Any]:
        first = ("card", "opponents", "life", "graveyard", "promised")
        row = {"flex_flow": "row wrap"}
        yield ipywidgets.HBox([self.controls[name] for name in first], layout=row)
        yield ipywidgets.VBox([self.controls[name] for name in (*POOL, "then")])


def _casts(game: Game, name: str) -> Action | None:
    """Return the action by which the player with priority casts a card, if it is offered."""
    decision = game.decision
    options = decision.options if decision is not None else ()
    meant = (each for each in options if each.kind == "cast" and game.state.name(each.number) == name)
    return next(meant, None)


def _instructed(game: Game, term: Term | None, words: str) -> Game:
    return game if term is None else game.instruct(term, words=words)


def _target(cast: Game) -> int | None:
    """Return the first target of the spell that is an object."""
    spell = cast.state.objects[cast.state.stack[0]].cast
    chosen = [one for _, each in (spell.targets if spell is not None else ()) for one in each]
    return next((one for one in chosen if isinstance(one, int)), None)


def _row(line: Line, name: str, promised: str) -> tuple[str, ...]:
    """Return what became of the spell and of the gift in one way in which it went."""
    state, log = line.game.state, line.game.log
    other = "never resolves: the game is over" if state.over else "left the stack in another way"
    fate = next((FATES[event.kind] for event in log if event.kind in FATES and name in event.names), other)
    given = next((f"yes, by {event.player} to {event.to}" for event in log if event.kind == "gift given"), "no")
    return (line.name or "nothing", f"it {fate}", given, _stands(line.game, promised))


def _stands(game: Game, player: str) -> str:
    """Return how many cards and permanents a player has, or that the player has none any more."""
    if player == NO_ONE:
        return "there is none"
    if player not in game.state.in_game:
        return "has lost"
    own = len(tuple(game.state.permanents(player)))
    return f"cards in hand: {len(game.state.zone('hand', player))}, permanents: {own}"
