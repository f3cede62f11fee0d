"""Policies: who answers for a player in games that are played by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, TypeAlias

from rulekit.engine.actions import Action
from rulekit.engine.events import Decision
from rulekit.engine.game import Game
from rulekit.engine.state import State
from rulekit.rules import BadData, Unknown

Policy: TypeAlias = Callable[[Game, Random], Any]
"""Answers a pending decision: (the game, dice of this trial) -> one of the options, see `Game.decide`."""

PASS = Action("pass")
MAIN = ("precombat main", "postcombat main")
SIDES = ("player", "opponent")


def passive(game: Game, dice: Random) -> Any:
    """Do nothing: pass, decline, and where something must be chosen take what is offered first."""
    if game.action is None:
        return PASS
    decision = _asked(game)
    return "no" if "no" in decision.options else decision.options[0]


def eager(game: Game, dice: Random) -> Any:
    """Play a land, cast what can be cast, the costliest first, attack with everything, block with nothing.

    Whatever may be done is done; targets are an opponent or what an opponent controls, where that can be; of numbers
    the largest is chosen, of other things the first that is offered.
    """
    if game.action is None:
        return _played(game)
    decision = _asked(game)
    wanted = {"may": "yes", "block": "no"}.get(decision.kind)
    if wanted in decision.options:
        return wanted
    if decision.kind == "choose number":
        return max(decision.options)
    able = [each for each in decision.options if each != "no"] or list(decision.options)
    theirs = [each for each in able if not _mine(game.state, decision.player, each)]
    return (theirs or able)[0] if decision.kind in ("attack", "choose target", "choose player") else able[0]


def at_random(game: Game, dice: Random) -> Any:
    """Take any option, each as likely as another."""
    return dice.choice(_asked(game).options)


POLICIES: dict[str, Policy] = {"passive": passive, "eager": eager, "random": at_random}
Policies: TypeAlias = str | Policy | Mapping[str, str | Policy]


def policies_of(policy: Policies) -> dict[str, str | Policy]:
    """Return who answers for the player and for the opponent.

    Args:
        policy: A policy, or the name of one, for the player; or both by "player" and "opponent". Who is not named is
            passive.

    Raises:
        Unknown: No policy has this name, or no side.
        BadData: It is no policy.
    """
    given = policy if isinstance(policy, Mapping) else {"player": policy}
    for side, each in given.items():
        if side not in SIDES:
            raise Unknown("side", str(side), SIDES, "in a policy")
        if isinstance(each, str):
            if each not in POLICIES:
                raise Unknown("policy", each, tuple(POLICIES))
        elif not callable(each):
            raise BadData(
                f"{each!r} is no policy.", key="policy",
                instead=(*POLICIES, "a function (game, dice) that returns one of game.decision.options"),
            )  # fmt: skip
    return {side: given.get(side, "passive") for side in SIDES}


def _asked(game: Game) -> Decision:
    if game.decision is None:
        raise BadData("nobody is asked in this game: it is over.")
    return game.decision


def _played(game: Game) -> Any:
    """Return what an eager player does with priority."""
    state = game.state
    if state.priority != state.turn.active or state.stack or state.turn.step not in MAIN:
        return PASS
    options = _asked(game).options
    lands = [each for each in options if each.kind == "play"]
    spells = [each for each in options if each.kind == "cast"]
    if lands or not spells:
        return (lands or [PASS])[0]
    return max(spells, key=lambda each: (state.look(each.number).mana_value, -each.number))


def _mine(state: State, player: str, option: Any) -> bool:
    """Tell whether an option is the player, or an object that the player controls."""
    if isinstance(option, int) and option in state.objects:
        return bool(state.look(option).controller == player)
    return bool(option == player)
