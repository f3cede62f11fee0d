"""Special actions: what a player with priority does without the stack, besides playing a land (116.2)."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.engine.abilities import Ability, Term
from rulekit.engine.actions import Action
from rulekit.engine.casting import announce, pay_all, refusal_to_begin
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.state import Cast, State
from rulekit.rules import Illegal

TIME = "time"


def special_actions(state: State, player: str) -> Iterator[tuple[Action, tuple[Term, ...]]]:
    """Yield the special actions that a player with priority may begin now, each with its cost."""
    for number in state.zone("hand", player):
        for place, ability in enumerate(state.look(number).abilities):
            action = Action("suspend", number, place)
            if ability.kind == "keyword" and ability.keyword == "suspend" and not refusal(state, player, action):
                yield action, ability.value[1]


def refusal(state: State, player: str, action: Action) -> Illegal | None:
    """Return why a player may not suspend a card (116.2f), or None; what it costs comes later."""
    number = action.number
    if number is None or number not in state.objects:
        return Illegal("116.2f", f"{player} cannot suspend a card that is not there.")
    named, thing = state.name(number), state.objects[number]
    if _suspend(state, action) is None:
        return Illegal("116.2f", f"{player} cannot suspend {named}: it does not have suspend.")
    if thing.zone != "hand" or thing.owner != player:
        return Illegal("116.2f", f"{player} cannot suspend {named} from {thing.owner}'s {thing.zone}.")
    return refusal_to_begin(state, player, number, 0, "suspend")


def _suspend(state: State, action: Action) -> Ability | None:
    """Return the suspend ability that an action means, or None."""
    abilities = state.look(action.number or 0).abilities
    ability = abilities[action.ability] if action.ability is not None and action.ability < len(abilities) else None
    return ability if ability is not None and ability.kind == "keyword" and ability.keyword == "suspend" else None


def suspend(t: Table, player: str, action: Action) -> Run[None]:
    """Pay for a card in the hand and exile it with time counters (116.2f, 702.62a).

    Raises:
        Illegal: A rule forbids it.
    """
    reason, ability = refusal(t.state, player, action), _suspend(t.state, action)
    if reason is not None or ability is None or action.number is None:
        raise reason or Illegal("116.2f", f"{player} cannot suspend nothing.")
    number, (n, cost) = action.number, ability.value
    t.frame = Frame(t, player, number, cast=Cast(player))
    t.rule = "116.2f"
    yield from announce(t, player, (), (), cost)
    logged = t.log(Event("suspended", player, (number,), n=t.count(n), rule="116.2f"))
    t.cause = logged.number
    yield from pay_all(t, player, cost, None, t.state.name(number))
    with t.at_once():
        moved = yield from t.move((number,), "exile", entering={"counters": ((TIME, logged.n),)}, rule="116.2f")
        yield from t.did(Event("exiled", player, moved, rule="116.2f"))
