"""Special actions: what a player with priority does without the stack, besides playing a land (116.2)."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.engine.abilities import Ability, Term
from rulekit.engine.actions import Action
from rulekit.engine.announcing import announce
from rulekit.engine.casting import pay_all, refusal_to_begin, sorcery_time
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.state import Cast, State
from rulekit.rules import Illegal

TIME = "time"
COMPANION_COST = (Term("mana", (("3",),)),)
WHERE = {"suspend": "hand", "companion": "outside"}  # from where the card of a special action comes
RULES = {"suspend": "116.2f", "companion": "116.2g"}


def special_actions(state: State, player: str) -> Iterator[tuple[Action, tuple[Term, ...]]]:
    """Yield the special actions that a player with priority may begin now, each with its cost."""
    for kind, zone in WHERE.items():
        for number in state.zone(zone, player):
            for place, ability in enumerate(state.look(number).abilities):
                action = Action(kind, number, place)
                if ability.keyword == kind and ability.kind == "keyword" and not refusal(state, player, action):
                    yield action, ability.value[1] if kind == "suspend" else COMPANION_COST


def begin(t: Table, player: str, action: Action) -> Run[None]:
    """Carry out a special action of a player who has priority.

    Raises:
        Illegal: A rule forbids it.
    """
    yield from (suspend if action.kind == "suspend" else take_companion)(t, player, action)


def refusal(state: State, player: str, action: Action) -> Illegal | None:
    """Return why a player may not suspend a card (116.2f) or take a companion (116.2g); what it costs comes later."""
    number, kind, rule = action.number, action.kind, RULES[action.kind]
    verb = "suspend" if kind == "suspend" else "take as a companion"
    if number is None or number not in state.objects:
        return Illegal(rule, f"{player} cannot {verb} a card that is not there.")
    named, thing = state.name(number), state.objects[number]
    if _keyword(state, action) is None:
        return Illegal(rule, f"{player} cannot {verb} {named}: it does not have {kind}.")
    if thing.zone != WHERE[kind] or thing.owner != player:
        return Illegal(rule, f"{player} cannot {verb} {named} from {thing.owner}'s {thing.zone}.")
    if kind == "suspend":
        return refusal_to_begin(state, player, number, 0, verb)
    if any(event.kind == "companion" and event.player == player for event in state.history(since_turn=False)):
        return Illegal(rule, f"{player} cannot take {named} as a companion: {player} has done so in this game.")
    if not sorcery_time(state, player):
        return Illegal(
            rule, f"{player} cannot take {named} as a companion now: only in a main phase of {player}'s own."
        )
    return None


def _keyword(state: State, action: Action) -> Ability | None:
    """Return the keyword ability that an action means, or None."""
    abilities = state.look(action.number or 0).abilities
    ability = abilities[action.ability] if action.ability is not None and action.ability < len(abilities) else None
    return ability if ability is not None and (ability.kind, ability.keyword) == ("keyword", action.kind) else None


def suspend(t: Table, player: str, action: Action) -> Run[None]:
    """Pay for a card in the hand and exile it with time counters (116.2f, 702.62a).

    Raises:
        Illegal: A rule forbids it.
    """
    reason, ability = refusal(t.state, player, action), _keyword(t.state, action)
    if reason is not None or ability is None or action.number is None:
        raise reason or Illegal("116.2f", f"{player} cannot suspend nothing.")
    number, (n, cost) = action.number, ability.value
    t.frame = Frame(t, player, number, cast=Cast(player))
    t.rule = "116.2f"
    cost = yield from announce(t, player, (), (), cost)
    logged = t.log(Event("suspended", player, (number,), n=t.count(n), rule="116.2f"))
    t.cause = logged.number
    yield from pay_all(t, player, cost, None, t.state.name(number))
    with t.at_once():
        moved = yield from t.move((number,), "exile", entering={"counters": ((TIME, logged.n),)}, rule="116.2f")
        yield from t.did(Event("exiled", player, moved, rule="116.2f"))
    yield from t.follow()


def take_companion(t: Table, player: str, action: Action) -> Run[None]:
    """Pay {3} to put a companion from outside the game into the hand, once a game (116.2g, 702.139a).

    Raises:
        Illegal: A rule forbids it.
    """
    reason = refusal(t.state, player, action)
    if reason is not None or action.number is None:
        raise reason or Illegal("116.2g", f"{player} cannot take nothing.")
    number = action.number
    t.frame = Frame(t, player, number, cast=Cast(player))
    t.rule = "116.2g"
    logged = t.log(Event("companion", player, (number,), rule="116.2g"))
    t.cause = logged.number
    yield from pay_all(t, player, COMPANION_COST, None, t.state.name(number))
    yield from t.move((number,), "hand", rule="702.139a")
