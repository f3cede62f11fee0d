"""A Game: a position and how it was reached, as a value; deciding gives a new one, undoing an earlier one."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator
from typing import Any

from rulekit.engine import turn as turns
from rulekit.engine.abilities import Term
from rulekit.engine.actions import Action
from rulekit.engine.events import Decision, Event, Run, Table
from rulekit.engine.offers import legal_actions, told
from rulekit.engine.state import CHANCE, State
from rulekit.engine.text import load_words
from rulekit.rules import Illegal, RulekitError, Unknown

__all__ = ["Action", "Game", "Instruct"]


class Instruct:
    """Instructions given from outside the game, as though an effect without a controller gave them.

    Attributes:
        terms: The effect terms.
        words: What they are called.
    """

    def __init__(self, terms: tuple[Term, ...], words: str = "") -> None:
        self.terms = terms
        self.words = words or ", ".join(map(repr, terms))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instruct) and other.terms == self.terms

    def __hash__(self) -> int:
        return hash(self.terms)

    def __repr__(self) -> str:
        return f"Instruct({self.words})"

    def carry_out(self, t: Table) -> Run[None]:
        """Carry the instructions out and let the game come to rest."""
        return turns.instructed(t, self.terms)


class Game:
    """A game in progress, as the value (checkpoint, action, answers, before).

    Attributes:
        checkpoint: The State as a player last had priority.
        action: What is under way since then, or None while a player has priority.
        answers: The answers given during the action so far.
        before: The game before the last answer, or None at the beginning.
        given: That last answer.
        chance: The seed by which chance answers.
        fate: The names of what chance decides first, before the seed does; for a game in the middle of an action, from
            its beginning on.
        decided: What chance has decided during the last action.
    """

    __slots__ = (
        "_decision",
        "_live",
        "_state",
        "action",
        "answers",
        "before",
        "chance",
        "checkpoint",
        "decided",
        "explicit",
        "fate",
        "given",
    )

    def __init__(
        self,
        checkpoint: State,
        *,
        action: Action | Instruct | None = None,
        answers: tuple[Any, ...] = (),
        before: Game | None = None,
        given: Any = None,
        chance: int = 0,
        explicit: bool = False,
        fate: tuple[str, ...] = (),
    ) -> None:
        """Begin at a position, or carry on from one; a person uses `Game.of`, `decide` and `undo`."""
        self.checkpoint = checkpoint
        self.action = action
        self.answers = answers
        self.before = before
        self.given = given
        self.chance = chance
        self.fate = fate
        self.decided: tuple[Any, ...] = ()
        self.explicit = explicit
        self._live: tuple[Generator[Decision, Any, None], Table] | None = None
        self._state = checkpoint
        self._decision: Decision | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        mine = (self.checkpoint, self.action, self.answers, self.chance, self.fate)
        return mine == (other.checkpoint, other.action, other.answers, other.chance, other.fate)

    def __hash__(self) -> int:
        return hash((self.checkpoint.clock, self.action, self.answers, self.chance))

    def __repr__(self) -> str:
        state = self.state
        waits = f"{self.decision.player} decides: {self.decision.kind}" if self.decision else "the game is over"
        return f"Game(turn {state.turn.number} of {state.turn.active}, {state.turn.step}; {waits})"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from rulekit.widgets import view

        return view.forms(self, view.game_text(self), view.game_html(self))

    @property
    def state(self) -> State:
        """The State as it is now, also in the middle of an action."""
        return self._state

    @property
    def log(self) -> tuple[Event, ...]:
        """All events so far, the first one first."""
        return tuple(self.state.history(since_turn=False))[::-1]

    @property
    def decision(self) -> Decision | None:
        """The pending decision; None once the game is over."""
        if self._decision is None and self.action is None and self.state.priority is not None:
            player = self.state.priority
            options = tuple(legal_actions(self.state, player))
            words = tuple(told(self.state, action) for action in options)
            self._decision = Decision(
                player, "priority", options, "117.1", f"{player} has priority", words, why=self._why_not
            )
        return self._decision

    def offered(self) -> tuple[str, ...]:
        """Return in words what may be answered now; where nothing may, what could be done before the action (733.1)."""
        asked = self.decision
        if asked is not None and asked.options:
            return asked.words or tuple(map(str, asked.options))
        begun = self
        while begun.action is not None and begun.before is not None:
            begun = begun.before
        return begun.offered() if begun is not self else ()

    def _why_not(self, answer: Any) -> Illegal | None:
        try:
            self.decide(answer, explicit=True)
        except Illegal as refusal:
            return refusal
        return None

    def decide(self, answer: Any, explicit: bool = False) -> Game:
        """Answer the pending decision.

        Args:
            answer: One of the options: an `Action` for a player with priority, else an object's number, a name, ...
            explicit: For an action: ask every choice of it, also one with a single or no legal answer.

        Returns:
            The game after it, up to the next decision. This game stays as it is.

        Raises:
            Illegal: The answer is against a rule; nothing has changed (733.1).
        """
        if self.action is None:
            if self.state.priority is None or not isinstance(answer, Action | Instruct):
                raise Illegal("104.1" if self.state.over else "117.1", f"Nobody can answer {answer!r} now.")
            new = Game(
                self.checkpoint, action=answer, before=self, given=answer, chance=self.chance, explicit=explicit,
                fate=self.fate,
            )  # fmt: skip
            return self._carried_on(new, ())
        new = Game(
            self.checkpoint, action=self.action, answers=(*self.answers, answer), before=self, given=answer,
            chance=self.chance, explicit=self.explicit, fate=self.fate,
        )  # fmt: skip
        new._live, self._live = self._live, None
        new.decided = self.decided if new._live is not None else ()
        return self._carried_on(new, (answer,) if new._live is not None else new.answers)

    def _carried_on(self, new: Game, answers: tuple[Any, ...]) -> Game:
        """Return the game after an answer; a refusal says what is legal in this one."""
        try:
            return new._run(answers)
        except Illegal as refusal:
            raise refusal.with_instead(self.offered) from None

    def again(self, answers: tuple[Any, ...], table: Callable[[State, bool], Table]) -> Game:
        """Carry out the action under way from its beginning on another table, such as one that takes notes.

        Args:
            answers: What is answered to its decisions.
            table: Makes the table from the State and from whether every choice is asked.
        """
        new = Game(
            self.checkpoint, action=self.action, answers=answers, chance=self.chance, explicit=self.explicit,
            fate=self.fate,
        )  # fmt: skip
        return new._run(answers, table)

    def _begin(self, kind: Callable[[State, bool], Table]) -> tuple[Generator[Decision, Any, None], Table]:
        table = kind(self.checkpoint, self.explicit)
        table.tells_chance = True
        if isinstance(self.action, Instruct):
            return self.action.carry_out(table), table
        if self.action is None:
            raise RulekitError("there is no action to carry out")
        return turns.after(table, self.action), table

    def _run(self, answers: tuple[Any, ...], kind: Callable[[State, bool], Table] = Table) -> Game:
        """Carry the action on with answers, from its beginning unless it is still live."""
        todo = list(answers)
        fresh = self._live is None
        steps, table = self._live or self._begin(kind)
        try:
            decision = next(steps) if fresh else steps.send(todo.pop(0))
            while True:
                if decision.player == CHANCE:
                    decision = steps.send(self._chance(table, decision))
                elif todo:
                    decision = steps.send(todo.pop(0))
                else:
                    break
        except StopIteration:
            return self._rest(table)
        self._live, self._state, self._decision = (steps, table), table.state, decision
        return self

    def _rest(self, table: Table) -> Game:
        """Return the game at rest after the action."""
        rest = Game(
            table.state, before=self.before, given=self.given, chance=self.chance, fate=self.fate[len(self.decided) :]
        )
        rest.decided = self.decided
        return rest

    def _chance(self, table: Table, decision: Decision) -> Any:
        """Answer for chance: as was said beforehand, else by the seed and how far the game has come."""
        place = len(self.decided)
        if place < len(self.fate):
            answer = _fated(self.fate[place], decision)
        else:
            dice = random.Random(f"{self.chance} {table.state.clock} {decision.options}")  # noqa: S311 - no secret
            answer = dice.choices(decision.options, weights=decision.weights or None)[0]
        self.decided = (*self.decided, answer)
        return answer

    def undo(self) -> Game:
        """Return the game before the last answer; at the beginning, this game."""
        return self.before if self.before is not None else self

    def instruct(self, *terms: Term, words: str = "", explicit: bool = False) -> Game:
        """Carry out instructions as though a resolving effect without a controller gave them.

        Args:
            terms: Effect terms, in order.
            words: What to call them.
            explicit: As for `decide`.

        Returns:
            The game afterwards, with state-based actions done and triggers on the stack (117.5).
        """
        return self.decide(Instruct(terms, words), explicit)

    def do(self, instruction: str, *args: Any) -> Game:
        """Carry out one instruction by its name: ``game.do("mill", "Bob", 10)``."""
        load_words()
        return self.instruct(Term(instruction, args), words=f"{instruction} {' '.join(map(str, args))}")

    def but_chance(self, seed: int) -> Game:
        """Return this position with another seed for what chance decides from here on."""
        return Game(self.checkpoint, chance=seed)

    def fated(self, *names: str) -> Game:
        """Return this position with what chance decides next, by name: a card of a shuffled library, one at random.

        Args:
            names: What the options are called, in the order in which chance will be asked.

        Raises:
            Illegal: Somebody is asked something in the middle of an action.
        """
        if self.action is not None:
            raise Illegal("117.1", "What chance will decide is said while a player has priority.")
        return Game(self.checkpoint, before=self.before, given=self.given, chance=self.chance, fate=names)

    def path(self) -> tuple[Game, ...]:
        """Return all games from the beginning to this one."""
        steps = []
        game: Game | None = self
        while game is not None:
            steps.append(game)
            game = game.before
        return tuple(reversed(steps))

    def why(self, event: Event | int) -> tuple[Event, ...]:
        """Return the chain of causes of an event, from the player's action down to it.

        Args:
            event: An event of the log, or its number.
        """
        log = self.log
        found = [log[event if isinstance(event, int) else event.number]]
        while found[-1].cause >= 0:
            found.append(log[found[-1].cause])
        return tuple(reversed(found))

    @classmethod
    def of(cls, **players: Any) -> Game:
        """Return a game at a position given by zones: ``Game.of(Bob={"library": ["Island", "Forest"]})``.

        State-based actions come before anybody has priority (117.5, 704.3).
        """
        from rulekit.engine.position import position
        from rulekit.engine.sba import at_rest

        game = cls(position(**players))
        return game if at_rest(game.state) else game.instruct()

    def __iter__(self) -> Iterator[Game]:
        return iter(self.path())


def _fated(name: str, decision: Decision) -> Any:
    """Return the option that was said to come up.

    Raises:
        Unknown: No option is called so.
    """
    for option in decision.options:
        if decision.word(option) == name:
            return option
    raise Unknown(
        "card", name, [decision.word(option) for option in decision.options], f"for chance: {decision.prompt}"
    )
