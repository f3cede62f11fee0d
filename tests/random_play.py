"""Random games that hold the engine to what must be true at every step; used by the test and by the soak run."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from rulekit import rules
from rulekit.cards.pool import CardPool
from rulekit.engine.actions import Action
from rulekit.engine.events import Decision, Table
from rulekit.engine.game import Game
from rulekit.engine.sba import state_based
from rulekit.engine.state import State
from rulekit.rules import Illegal

NAMES = ("Alice", "Bob", "Carol", "Dave")
COSTLY_EVERY = 20  # the costly checks are made at one step in so many
HAND = 7
LIBRARY = 25
LANDS = ("Plains", "Island", "Swamp", "Mountain", "Forest")


class Violation(AssertionError):
    """Something that must hold does not, with the seed and the way there."""


@dataclass
class Played:
    """What a run of random games came to.

    Attributes:
        games: Games played.
        decisions: Decisions taken.
        ended: Games that came to an end by the rules.
        violations: What did not hold, with the seed of the game.
    """

    games: int = 0
    decisions: int = 0
    ended: int = 0
    violations: list[str] = field(default_factory=list)


def deal(seed: int, names: tuple[str, ...] = ()) -> Game:
    """Return a game of two to four players with decks drawn from the whole catalogue.

    Args:
        seed: Decides everything.
        names: Cards that must be among those in hand, for a run about certain cards.
    """
    dice = random.Random(seed)
    cards = sorted(CardPool.catalogue())
    players: dict[str, Any] = {}
    for player in NAMES[: dice.choice((2, 2, 2, 3, 4))]:
        drawn = [*names, *dice.choices(cards, k=LIBRARY + HAND)]
        players[player] = {
            "mana": dice.choice(("any", "any", "lands")),
            "hand": drawn[:HAND],
            "library": drawn[HAND:],
            "battlefield": [*LANDS, *dice.choices(cards, k=4)],
        }
    return Game.of(**players).path()[0].but_chance(seed).instruct()  # two legends, loose Auras


def options_of(decision: Decision) -> tuple[Any, ...]:
    """Return the options of a decision, of which each is equally likely."""
    return decision.options


def play(seed: int, most: int = 400, names: tuple[str, ...] = ()) -> tuple[int, bool]:
    """Play one random game and check every step.

    Args:
        seed: Decides the decks and every answer.
        most: Decisions after which the game is left.
        names: See `deal`.

    Returns:
        The number of decisions, and whether the game has ended.

    Raises:
        Violation: Something does not hold.
    """
    dice = random.Random(f"play {seed}")
    game = deal(seed, names)
    census = cards_of(game.state)
    for step in range(most):
        decision = game.decision
        if decision is None:
            if not game.state.over:
                raise Violation(f"seed {seed}, step {step}: nobody is asked, and the game is not over")
            return step, True
        costly = dice.randrange(COSTLY_EVERY) == 0
        try:
            check(game, census, costly)
            answer = dice.choice(options_of(decision))
            game = game.decide(answer)
        except Violation as found:
            raise Violation(f"seed {seed}, step {step}: {found}\n{story(game)}") from found
        except Exception as found:
            raise Violation(
                f"seed {seed}, step {step}: {decision.kind} of {decision.player}: {type(found).__name__}: {found}\n"
                f"{story(game)}"
            ) from found
    return most, False


def story(game: Game, last: int = 12) -> str:
    """Return the last answers and events, to find what went wrong."""
    given = [repr(step.given) for step in game.path()[-last:]]
    events = [f"{event.kind} {event.player or ''} {', '.join(event.names)}" for event in game.log[-last:]]
    return "answers: " + "; ".join(given) + "\nlog: " + "; ".join(events)


def cards_of(state: State) -> dict[str, int]:
    """Return how many cards each player owns."""
    owned: dict[str, int] = dict.fromkeys(state.players, 0)
    for thing in state.objects.values():
        owned[thing.owner] += thing.kind == "card"
    return owned


def check(game: Game, census: dict[str, int], costly: bool) -> None:
    """Check what must hold at every step; the costly checks only if told to."""
    state = game.state
    _each_in_one_zone(state)
    for player, number in cards_of(state).items():
        left = state.players[player].left
        wanted = (0, census[player]) if left and state.over else (0,) if left else (census[player],)
        if number not in wanted:  # whoever leaves last leaves the board as it was (104.1)
            raise Violation(f"{player} owns {number} cards, not {wanted[-1]}")
    if game.action is None:
        _at_rest(state)
    for event in game.log[-8:]:
        if event.rule and not rules.known(event.rule):
            raise Violation(f"the log cites {event.rule} for {event.kind}, which the index does not have")
    if costly:
        _offers_are_accepted(game)
        _refusals_change_nothing(game)
        _again(game)


def _each_in_one_zone(state: State) -> None:
    placed = [number for pile in state.zones.values() for number in pile]
    if len(placed) != len(set(placed)):
        raise Violation("an object is in two zones")
    if set(placed) != set(state.objects):
        raise Violation(f"objects without a zone or zones without objects: {set(placed) ^ set(state.objects)}")
    for (zone, owner), pile in state.zones.items():
        for number in pile:
            thing = state.objects[number]
            if thing.zone != zone or (owner and thing.owner != owner):
                raise Violation(f"{thing.label} lies in {owner}'s {zone} but says {thing.owner}'s {thing.zone}")


def _at_rest(state: State) -> None:
    """Check what is true whenever a player has priority."""
    if state.waiting:
        raise Violation("triggers wait while a player has priority")
    for thing in state.objects.values():
        if thing.kind == "token" and thing.zone != "battlefield":
            raise Violation(f"the token {thing.label} is in a {thing.zone}")
        if thing.kind in ("copy", "ability") and thing.zone != "stack":
            raise Violation(f"the {thing.kind} {thing.label} is in a {thing.zone}")
    table = Table(state)
    actions = state_based(table)
    try:
        while True:
            next(actions)
            raise Violation("a state-based action asks while a player has priority")
    except StopIteration as done:
        if done.value:
            raise Violation("state-based actions are due while a player has priority") from None


def _offers_are_accepted(game: Game) -> None:
    decision = game.decision
    for option in options_of(decision) if decision is not None else ():
        try:
            after = game.decide(option)
        except Illegal as refusal:
            raise Violation(
                f"{decision.word(option) if decision else option} is offered and refused: {refusal}"
            ) from refusal
        if after.undo() != game or after.undo().state != game.state:
            raise Violation("undoing does not give the game before")


def _refusals_change_nothing(game: Game) -> None:
    before = game.state
    for nonsense in (Action("cast", -1), "nonsense", -1):
        try:
            game.decide(nonsense)
        except Illegal as refusal:
            if not rules.known(refusal.rule):
                raise Violation(f"a refusal cites {refusal.rule}, which the index does not have") from refusal
        else:
            raise Violation(f"{nonsense!r} is accepted")
    if game.state is not before:
        raise Violation("a refusal changed the State")


def _again(game: Game) -> None:
    """Check that an action that is run twice asks the same questions."""
    twin = Game(game.checkpoint, chance=game.chance, explicit=game.explicit)
    if game.action is not None:
        twin = twin.decide(game.action, game.explicit)
        for answer in game.answers:
            twin = twin.decide(answer)
    if twin.state != game.state or twin.decision != game.decision:
        raise Violation("the same action asks something else the second time")
