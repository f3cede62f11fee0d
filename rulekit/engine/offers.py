"""What a player with priority could begin and carry through: the options that are offered, and their words."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.engine import targets
from rulekit.engine.abilities import Ability, Term
from rulekit.engine.actions import Action
from rulekit.engine.announcing import pays_with_some_target
from rulekit.engine.casting import aura_target, refusal_to_activate, refusal_to_cast, refusal_to_play
from rulekit.engine.costs import symbols_of, unpayable
from rulekit.engine.events import Table
from rulekit.engine.frame import Frame
from rulekit.engine.mana import payable
from rulekit.engine.permissions import (
    alternative_of,
    cost_depends_on_target,
    equip_for_nothing,
    reachable,
    ways_to_cast,
    ways_to_pay,
)
from rulekit.engine.special import special_actions
from rulekit.engine.state import Cast, State
from rulekit.engine.text import abilities_of


def legal_actions(state: State, player: str) -> Iterator[Action]:
    """Yield every action that a player with priority could begin and carry through now.

    Args:
        state: A State in which the player has priority.
        player: The player.

    Returns:
        Passing first, then lands, spells, abilities, special actions.
    """
    yield Action("pass")
    for number in reachable(state, player):
        for way, face, costs in ways_to_cast(state, player, number):
            for kind, refusal in (("play", refusal_to_play), ("cast", refusal_to_cast)):
                action = Action(kind, number, way=way, face=face)
                if refusal(state, player, action) is None and (
                    kind == "play" or castable(state, player, action, costs)
                ):
                    yield action
    for number in (*state.permanents(player), *state.zone("graveyard", player), *state.zone("hand", player)):
        for index, ability in enumerate(state.look(number).abilities):
            if ability.kind == "activated":
                yield from _activatable(state, player, number, index, ability)
    for action, cost in special_actions(state, player):
        frame = Frame(state, player, action.number or 0, cast=Cast(player))
        if _affordable(state, player, frame, cost, None):
            yield action


def castable(state: State, player: str, action: Action, costs: tuple[Term, ...]) -> bool:
    """Return whether a spell that may be begun can be carried through: targets, then costs."""
    number = action.number or 0
    card = state.objects[number].card
    face = card.faces[action.face] if card is not None and card.faces else card
    abilities = abilities_of(face) if face is not None else ()
    effects = tuple(a.effect for a in abilities if a.kind == "spell")
    aura = next((a for a in abilities if a.keyword == "enchant"), None)
    frame = Frame(state, player, number, cast=Cast(player, way=action.way), item=number)
    wanted = (*effects, aura_target(aura)) if aura else effects
    extra = tuple(c for a in abilities if a.kind == "additional cost" and a.keyword != "gift" for c in a.cost)
    if not _affordable(state, player, frame, (*costs, *extra), None):
        return False
    if targets.possible(frame, wanted, None):
        return True
    if any(a.keyword == "gift" for a in abilities) and state.opponents(player):
        frame.cast = Cast(player, promised=state.opponents(player)[0], way=action.way)
        return targets.possible(frame, wanted, None)
    return False


def _activatable(state: State, player: str, number: int, index: int, ability: Ability) -> Iterator[Action]:
    action = Action("activate", number, index)
    if refusal_to_activate(state, player, action) is not None:
        return
    frame = Frame(state, player, number, cast=Cast(player))
    if not targets.possible(frame, ability.effect, ability):
        return
    if _affordable(state, player, frame, ability.cost, ability):
        yield action
    if ability.keyword == "equip" and equip_for_nothing(state, player):
        yield Action("activate", number, index, way=alternative_of(ability))


def _affordable(state: State, player: str, frame: Frame, costs: tuple[Term, ...], ability: Ability | None) -> bool:
    table = Table(state)
    frame.at = table
    table.frame = frame
    if unpayable(table, player, costs) is not None:
        return False
    least = int(any(c.op == "X is not 0" for c in costs))
    if ability is not None and cost_depends_on_target(state, ability):
        return pays_with_some_target(state, player, frame, costs, ability)
    ways = ways_to_pay(state, player, frame, symbols_of(costs), least, ability)
    return payable(frame, player, ways, costs)


def told(state: State, action: Action) -> str:
    """Return what a player calls an action: ``pass``, ``cast NAME``, ``activate LABEL equip``, ``suspend NAME``."""
    if action.kind == "pass" or action.number is None:
        return "pass"
    thing = state.objects[action.number]
    named = thing.label or state.name(action.number)
    if thing.card is not None and thing.card.faces and action.kind == "cast":
        named = thing.card.faces[action.face].name if thing.card.layout != "transform" else named
    if action.kind == "activate" and action.ability is not None:
        ability = state.look(action.number).abilities[action.ability]
        named += f" {ability.keyword or ability.text}"
    return f"{action.kind} {named}" + (f" ({action.way})" if action.way else "")
