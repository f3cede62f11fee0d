"""Every way in which a game can go on: each choice that somebody has is tried, and all players pass in between."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulekit.engine.actions import Action
from rulekit.engine.events import Decision
from rulekit.engine.game import Game
from rulekit.widgets import view

PASS = Action("pass")
MOST_LINES = 8
MOST_ANSWERS = 300  # in one line
AND_SO_ON = ", and so on"

Given = Callable[[Game, Decision], Any]


@dataclass(frozen=True)
class Line:
    """One way in which a game goes on.

    Attributes:
        choices: What was chosen where more than one answer was tried, in words.
        game: The game at its end.
    """

    choices: tuple[str, ...]
    game: Game

    @property
    def name(self) -> str:
        """The choices in one text."""
        return "; ".join(self.choices)


@dataclass(frozen=True)
class Lines:
    """The ways in which a game goes on.

    Attributes:
        found: They, in the order of the options.
        more: Whether there are more than were followed.
    """

    found: tuple[Line, ...]
    more: bool

    @property
    def games(self) -> tuple[Game, ...]:
        """The game at the end of each."""
        return tuple(line.game for line in self.found)


@dataclass(frozen=True)
class _Choice:
    """An answer that was tried, and whether it was given again where the same was asked about something else."""

    prompt: str
    word: str
    again: bool = False


@dataclass
class _Way:
    """A line that is being followed: the game so far, and what was answered to which question, in order."""

    game: Game
    answered: Mapping[tuple[Any, ...], _Choice] = field(default_factory=dict)

    def choices(self) -> tuple[str, ...]:
        """Return what was chosen, in words."""
        return tuple(
            f"{player}, {each.prompt}{AND_SO_ON if each.again else ''}: {each.word}"
            for (player, *_), each in self.answered.items()
        )


def is_empty(game: Game) -> bool:
    """Return whether the stack is empty."""
    return not game.state.stack


def followed(
    game: Game, given: Given | None = None, until: Callable[[Game], bool] = is_empty, most: int = MOST_LINES
) -> Lines:
    """Return the ways in which a game goes on up to somewhere.

    A question that is asked again in the same words gets the same answer; that too is a choice, and one that a board
    can make otherwise.

    Args:
        game: Where they begin.
        given: Says what is answered to a decision; where it says None, every option is tried.
        until: Whether a game in which a player has priority is there.
        most: How many ways are followed, at least 1.
    """
    open_ways, found, more = [_Way(game)], [], False
    while open_ways:
        way = _walked(open_ways.pop(), given, until)
        decision = way.game.decision
        if decision is None or decision.kind == "priority":
            found.append(Line(way.choices(), way.game))
            continue
        offers = view.offers(decision, way.game.state)
        room = max(1, most - len(found) - len(open_ways))
        more = more or len(offers) > room
        open_ways += reversed([_chosen(way, decision, *offer) for offer in offers[:room]])
    return Lines(tuple(found), more)


def _walked(way: _Way, given: Given | None, until: Callable[[Game], bool]) -> _Way:
    """Follow a line up to the next question to which nothing is given, or to its end."""
    way = _Way(way.game, dict(way.answered))
    for _ in range(MOST_ANSWERS):
        decision = way.game.decision
        if decision is None or (decision.kind == "priority" and until(way.game)):
            break
        answer = _known(way, decision, given)
        if answer is None:
            break
        way.game = way.game.decide(answer)
    return way


def _known(way: _Way, decision: Decision, given: Given | None) -> Any:
    game = way.game
    if decision.kind == "priority":
        return PASS
    said = given(game, decision) if given is not None else None
    if said is not None:
        return said
    before = way.answered.get(_question(decision))
    if before is not None:
        again = before.again or before.prompt != _prompt(decision)
        way.answered = {**way.answered, _question(decision): replace(before, again=again)}
        return next(option for option, word in view.offers(decision, game.state) if word == before.word)
    return decision.options[0] if len(view.offers(decision, game.state)) == 1 else None


def _question(decision: Decision) -> tuple[Any, ...]:
    return (decision.player, decision.kind, decision.rule, decision.words)


def _prompt(decision: Decision) -> str:
    return (decision.prompt or decision.kind).rstrip("?")


def _chosen(way: _Way, decision: Decision, option: Any, word: str) -> _Way:
    chosen = _Choice(_prompt(decision), word)
    return _Way(way.game.decide(option), {**way.answered, _question(decision): chosen})
