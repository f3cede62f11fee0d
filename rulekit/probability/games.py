"""Trials that are played as games on the board, with policies that answer where somebody must choose."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cached_property
from random import Random
from typing import Any, TypeAlias, cast

import numpy as np

from rulekit.cards.card import Card
from rulekit.cards.deck import Deck
from rulekit.cards.pool import CardPool
from rulekit.engine.abilities import Term
from rulekit.engine.events import Decision, Run, Table
from rulekit.engine.game import Game, Instruct
from rulekit.engine.position import position
from rulekit.engine.sba import Ended
from rulekit.engine.state import Effect, Object
from rulekit.engine.turn import settle
from rulekit.probability.dealing import dealt
from rulekit.probability.drafts import Draft, Part, Said, side
from rulekit.probability.looks import OF_IT
from rulekit.probability.packed import Numbers
from rulekit.probability.plan import Opening, Plan, Step
from rulekit.probability.policies import PASS, POLICIES, Policy
from rulekit.probability.programs import question_of
from rulekit.probability.question import Count, fits
from rulekit.probability.recorded import read_off
from rulekit.probability.rows import LIBRARY, TOP, Axis, Value
from rulekit.probability.spoken import begin_draw_step, read_step, spoken_frame
from rulekit.probability.unseen import OPPONENT, PLAYER
from rulekit.probability.words import stream
from rulekit.rules import TooMany

Keeps: TypeAlias = Callable[[Decision], Any]

MOST_ANSWERS = 20_000
LIBRARY_AXIS = Axis("library", (LIBRARY,))
NOT_LOST = Effect(0, OPPONENT, None, None, (Term("can't lose", (Term("you"),)),), ("forever",), 0)
"""What keeps a game going that a plan alone makes: its opponent has no deck, and would lose by the first draw."""


@dataclass(frozen=True)
class Match:
    """What is played: all that a game depends on but the number of its trial.

    Attributes:
        deck: The player's deck.
        plan: What is done.
        count: What is counted.
        turns: The last turn.
        pool: Where cards are looked up.
        against: The deck of the opponent, with which whole turns are played; None: what the plan says is all that is
            done.
        policies: Who answers, by "player" and "opponent".
        key: Key of the random streams.
        other: Key of those of the opponent's deck.
    """

    deck: Deck
    plan: Plan
    count: Count
    turns: int
    pool: CardPool | None
    against: Deck | None
    policies: Mapping[str, str | Policy]
    key: int
    other: int

    def __getstate__(self) -> dict[str, Any]:
        """Send to an executor what the match is made of, not what was worked out of it: that has functions in it."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @cached_property
    def part(self) -> Part:
        """What the plan says of the deck, and what is counted."""
        return question_of(self.deck, self.plan, self.count, self.turns, self.pool, traced=False).parts[0]

    @cached_property
    def rival(self) -> Draft | None:
        """The opponent's deck."""
        if self.against is None:
            return None
        return question_of(self.against, Plan().draw(7), (), 1, self.pool).parts[0].draft

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """All that may be asked of a game."""
        asked = self.part.asked.values()
        return tuple(dict.fromkeys(value for each in asked for axis in each.axes for value in axis.of))

    def policy(self, player: str) -> Policy:
        """Return who answers for a player."""
        given = self.policies["opponent" if player == OPPONENT else "player"]
        return POLICIES[given] if isinstance(given, str) else given


@dataclass(frozen=True)
class Games:
    """Some games of a match: the unit that is sent to an executor."""

    match: Match
    first: int
    trials: int


def play_games(work: Games) -> Numbers:
    """Play games and return what was counted: an int64 array (games, turns from 0 on, values of the match)."""
    match = work.match
    found = np.zeros((work.trials, match.turns + 1, len(match.values)), np.int64)
    for place in range(work.trials):
        played = Played(match, work.first + place)
        for turn, game in enumerate(played.turns()):
            found[place, turn] = read_off(game, played.hits, match.values, match.part.draft.counts)
    return found


class Played:
    """A trial as it is played.

    Attributes:
        match: What is played.
        game: The game as it is now.
        hits: How often a step came about that had a chance to do so.
    """

    def __init__(self, match: Match, trial: int) -> None:
        """Deal the cards of a trial."""
        self.match, self.hits, self.answers, self.own = match, 0, 0, 0
        self.chance = Random(f"plan {match.key} {trial}")  # noqa: S311 - chance, no secret
        self.dice = Random(f"policies {match.key} {trial}")  # noqa: S311
        self.lying: list[tuple[tuple[Card, str], int]] = []
        self.game = self._deal(trial)
        self.number = 0
        self._count_turns()

    def turns(self) -> Iterator[Game]:
        """Play, and yield the game before turn 1 and at the end of each turn."""
        yield self.game
        for turn in range(1, self.match.turns + 1):
            if not self.game.state.over:
                self._turn(turn)
            yield self.game

    def _deal(self, trial: int) -> Game:
        match = self.match
        hand, library = _dealt(match.part.draft, match.key, trial)
        sides: dict[str, Any] = {
            PLAYER: {"mana": "lands", "hand": hand, "library": library}, OPPONENT: {"mana": "lands", "library": []},
        }  # fmt: skip
        if match.rival is not None:
            sides[OPPONENT]["hand"], sides[OPPONENT]["library"] = _dealt(match.rival, match.other, trial)
        first = PLAYER if match.plan.on_the_play or match.rival is None else OPPONENT
        state = position(players=(PLAYER, OPPONENT), active=first, **sides)
        if match.rival is None:
            state = state.but(effects=(*state.effects, NOT_LOST))
        return Game(state, chance=stream(match.key, trial))

    def _turn(self, turn: int) -> None:
        """Play a turn of the player, and in a whole game what comes before it."""
        whole = self.match.rival is not None
        if whole:
            self._until(lambda: self.own == turn and self.game.state.turn.step == "precombat main")
        if self._goes_on():
            self._lay_out(turn, whole)
        for said in self.match.part.draft.said:
            if said.turn == turn and self._goes_on():
                self._say(said)
        number = self.game.state.turn.number
        if whole:
            self._until(lambda: self.game.state.turn.number != number)

    def _goes_on(self) -> bool:
        return not self.game.state.over

    def _until(self, done: Callable[[], bool]) -> None:
        while self._goes_on() and not (self.game.action is None and done()):
            self._answer()

    def _lay_out(self, turn: int, whole: bool) -> None:
        """Begin a turn of the plan with the permanents that it puts on the battlefield."""
        there = list(self.match.part.draft.there(turn))
        gone = [number for each, number in self.lying if each not in there]
        self.lying = [(each, number) for each, number in self.lying if each in there]
        for each, _ in self.lying:
            there.remove(each)
        before = set(self.game.state.battlefield)
        self.game = self.game.decide(_Begun(0 if whole else turn, tuple(there), tuple(gone)))
        while self._goes_on() and self.game.action is not None:
            self._answer()
        new = [number for number in self.game.state.battlefield if number not in before]
        self.lying += zip(there, new, strict=False)

    def _say(self, said: Said) -> None:
        """Carry out what the plan says, if chance will have it, and all that comes of it."""
        step = said.what
        if isinstance(step, Opening) or self.chance.randrange(step.chance.denominator) >= step.chance.numerator:
            return
        self.hits += step.chance != 1
        text, by = step.spoken()
        keeps = self._keeping(step) if step.keep else None
        self.game = self.game.decide(_Spoken(said, text, side(by)))
        while self._goes_on() and (self.game.action is not None or self.game.state.stack):
            self._answer(self.match.rival is None, keeps)

    def _answer(self, passing: bool = False, keeps: Keeps | None = None) -> None:
        """Give one answer: what the plan keeps on top, else what a policy says."""
        self.answers += 1
        if self.answers > MOST_ANSWERS:
            raise TooMany(
                f"the policies gave {MOST_ANSWERS:,} answers in one game and it goes on.",
                "Let them pass at some time, or play fewer turns.",
            )
        game = self.game
        if game.action is None:
            player = str(game.state.priority)
            answer = PASS if passing else self.match.policy(player)(game, self.dice)
        else:
            decision = cast("Decision", game.decision)
            sorts = decision.kind == "choose mode" and decision.options[0] == TOP
            takes = decision.kind == "choose card" and decision.prompt == "choose"
            does = decision.kind == "may" and decision.prompt.startswith(OF_IT)
            looks = decision.player == PLAYER and (sorts or takes or does)
            answer = keeps(decision) if keeps and looks else self.match.policy(decision.player)(game, self.dice)
        self.game = game.decide(answer)
        self._count_turns()

    def _count_turns(self) -> None:
        turn = self.game.state.turn
        if turn.number != self.number:
            self.number = turn.number
            self.own += turn.active == PLAYER

    def _keeping(self, step: Step) -> Keeps:
        """Return what answers where a card that is looked at goes."""
        term = self.match.part.draft.counts.described(step.keep)

        def fitting(number: int) -> bool:
            card = self.game.state.objects[number].card
            return card is not None and fits(term, card)

        def listed(number: int) -> int:
            named: list[Card | None] = [card for card, _ in self.match.part.draft.cards]
            return named.index(self.game.state.get(number).card)

        def keeps(decision: Decision) -> Any:
            state = self.game.state
            held = step.enough is not None and sum(map(fitting, state.zone("hand", PLAYER))) >= step.enough
            if decision.kind == "choose card":
                cards = [option for option in decision.options if isinstance(option, int)]
                return min(
                    cards, key=lambda number: (fitting(number) == held, listed(number)), default=decision.options[0]
                )
            if decision.kind == "may":
                taken = any(zone in decision.prompt for zone in ("hand", "battlefield"))
                return decision.options[(fitting(state.zone("library", PLAYER)[0]) == held) == taken]
            asked = next(n for n in state.zone("library", PLAYER) if _asks_of(decision, state.name(n)))
            return str(decision.options[int(fitting(asked) == held)])

        return keeps


def _asks_of(decision: Decision, name: str) -> bool:
    return decision.prompt == f"where does {name} go?"


class _Begun(Instruct):
    """Begin a turn of a plan: permanents come and go."""

    def __init__(self, turn: int, new: tuple[tuple[Card, str], ...], gone: tuple[int, ...]) -> None:
        super().__init__((), f"turn {turn}" if turn else "what the plan puts on the battlefield")
        self.turn, self.new, self.gone = turn, new, gone

    def carry_out(self, t: Table) -> Run[None]:
        """Put permanents on the battlefield, and take others away."""
        if self.turn:
            t.change_turn(number=self.turn)
        for card, controller in self.new:
            t.create(Object(0, "card", card, controller, controller, "battlefield", card.name))
        for number in self.gone:
            if number in t.state.objects:
                t.cease(number)
        yield from settle(t, t.state.turn.active)


class _Spoken(Instruct):
    """Carry out what a plan says."""

    def __init__(self, said: Said, text: str, you: str) -> None:
        super().__init__((), f"turn {said.turn}: {text}")
        self.text, self.you, self.in_draw_step = text, you, said.in_draw_step

    def carry_out(self, t: Table) -> Run[None]:
        """Carry a text out as though a resolving effect gave it, then let the game come to rest (117.5)."""
        effects = read_step(self.text)
        t.frame = spoken_frame(t, effects, self.you)
        step = t.state.turn.step
        if self.in_draw_step:
            begin_draw_step(t)
        with suppress(Ended):
            yield from t.run(effects)
        t.change_turn(step=step)
        yield from settle(t, t.state.turn.active)


def _dealt(draft: Draft, key: int, trial: int) -> tuple[list[Card], list[Card]]:
    """Deal the opening hand of a deck and return it and the library, the top card first."""
    one = dealt(draft.program((LIBRARY_AXIS,)), key, trial)
    cards = {card.name: card for card, _ in draft.cards}
    hand = [cards[each.card] for step in one.steps for each in step.moved if each.to == "hand"]
    return hand, [cards[name] for name in one.library]
