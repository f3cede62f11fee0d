"""Casting spells, activating abilities, playing lands: step by step, and who may begin them (601, 602, 305)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.engine import targets
from rulekit.engine.abilities import Ability, Term, walk
from rulekit.engine.actions import Action
from rulekit.engine.announcing import announce, keep
from rulekit.engine.costs import pay, symbols_of, unpayable
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.mana import activate_mana, forbidden_to_activate, pay_mana
from rulekit.engine.permissions import (
    affords_target,
    forbidden_to_cast,
    instant_speed_cast,
    instant_speed_equip,
    lands_allowed,
    ways_to_cast,
    ways_to_pay,
)
from rulekit.engine.seen import face_of
from rulekit.engine.state import Cast, Memory, Object, State
from rulekit.engine.text import abilities_of
from rulekit.rules import Illegal


def begin(t: Table, player: str, action: Action) -> Run[None]:
    """Carry out an action of a player who has priority.

    Raises:
        Illegal: A rule forbids it; nothing has changed then but in this table's own State (733.1).
    """
    ways = {"cast": cast, "activate": activate, "play": play_land}
    if action.kind not in ways:
        raise Illegal("117.1", f"{player} cannot do that now.")
    yield from ways[action.kind](t, player, action)
    t.step = ""


def sorcery_time(state: State, player: str) -> bool:
    """Return whether a player could cast a sorcery now, priority granted (307.5)."""
    main = state.turn.step in ("precombat main", "postcombat main")
    return main and state.turn.active == player and not state.stack


def _moment(state: State) -> str:
    waits = " with something on the stack" if state.stack else ""
    return f"in {state.turn.active}'s {state.turn.step} step{waits}".replace("main step", "main phase")


# ---------------------------------------------------------------- spells


def refusal_to_cast(state: State, player: str, action: Action) -> Illegal | None:
    """Return why a player may not begin to cast a card (601.3), or None; costs and targets come later."""
    number = action.number
    if number is None or number not in state.objects:
        return Illegal("601.2a", f"{player} cannot cast a card that is not there.")
    forbidden = forbidden_to_cast(state, player, number)
    if forbidden is not None:
        return forbidden
    if not any((way, face) == (action.way, action.face) for way, face, _ in ways_to_cast(state, player, number)):
        thing = state.objects[number]
        named, at_hand = state.name(number), thing.zone == "hand" and thing.owner == player
        if at_hand and thing.card is not None and thing.card.cost is None and not state.look(number).is_a("land"):
            return Illegal("118.6", f"{player} cannot cast {named}: it has no mana cost to pay.")
        return Illegal("601.3", f"{player} cannot cast {named} from {thing.owner}'s {thing.zone}.")
    return refusal_to_begin(state, player, number, action.face)


def refusal_to_begin(state: State, player: str, number: int, face: int, verb: str = "cast") -> Illegal | None:
    """Return why a player could not begin to cast a card now, whatever it costs and wherever it is (601.3), or None.

    Args:
        state: Where the player has priority.
        player: The player.
        number: The card.
        face: Which face or half of it.
        verb: What the player would do, which asks whether the card could be cast.
    """
    forbidden = forbidden_to_cast(state, player, number)
    if forbidden is not None:
        return forbidden
    named, card = state.name(number), state.objects[number].card
    shown = card.faces[face] if card is not None and card.faces else card
    if shown is None or "Land" in shown.types.types:
        return Illegal("305.9", f"{player} cannot {verb} {named}: it is a land.")
    fast = "Instant" in shown.types.types or any(a.keyword == "flash" for a in abilities_of(shown))
    if not fast and not instant_speed_cast(state, player, number) and not sorcery_time(state, player):
        return Illegal("601.3", f"{player} cannot {verb} {named} {_moment(state)}.")
    return None


def cast(t: Table, player: str, action: Action) -> Run[None]:
    """Cast a spell: 601.2a to 601.2i."""
    reason = refusal_to_cast(t.state, player, action)
    if reason is not None or action.number is None:
        raise reason or Illegal("601.2a", f"{player} cannot cast nothing.")
    costs = next(c for w, f, c in ways_to_cast(t.state, player, action.number) if (w, f) == (action.way, action.face))
    yield from cast_for(t, player, action, costs)


def cast_for(t: Table, player: str, action: Action, costs: tuple[Term, ...], cause: int = -1) -> Run[int]:
    """Cast a card that may be cast, for the costs of the chosen way (601.2a to 601.2i).

    Args:
        t: The table.
        player: Who casts it.
        action: The card, the way and the face.
        costs: What that way costs.
        cause: The number of the event that lets it be cast, -1 for a player's own doing.

    Returns:
        The spell on the stack.
    """
    number = action.number or 0
    origin = t.state.objects[number].zone
    frame = t.frame = Frame(t, player, number, cast=Cast(player, way=action.way, face=action.face))
    t.rule = "601.2a"
    item = yield from t.put_on_stack(number, player, Cast(player, way=action.way, face=action.face))
    t.cause = _newest(t)  # of what is promised and paid while casting
    frame.this = frame.item = item
    card = face_of(t.state.objects[item])
    abilities = t.state.look(item).abilities
    effects: tuple[Any, ...] = tuple(a.effect for a in abilities if a.kind == "spell")
    aura = next((a for a in abilities if a.keyword == "enchant"), None)
    if aura is not None:
        effects = (*effects, aura_target(aura))
    extra = tuple(c for a in abilities if a.kind == "additional cost" and a.keyword != "gift" for c in a.cost)
    total = yield from announce(t, player, abilities, effects, (*costs, *extra))
    yield from _aim(t, player, item, effects)
    yield from pay_all(t, player, total, None, t.state.name(item))
    t.rule = "601.2i"
    detail = (("from", origin), ("types", card.types.types if card else ()))
    t.cause = cause
    logged = yield from t.did(Event("cast", player, (item,), rule="601.2i", detail=detail))
    t.change(item, born=logged.number)
    yield from tell_targets(t, item, logged)
    return item


def _newest(t: Table) -> int:
    """Return the number of the newest event of the log."""
    return t.state.log.event.number if t.state.log is not None else -1


def aura_target(enchant: Ability) -> Term:
    """Return the target that an Aura spell's enchant ability asks for (303.4a)."""
    return Term("target", (0, enchant.value[0], 1, 1))


def _aim(
    t: Table,
    player: str,
    item: int,
    effects: tuple[Any, ...],
    ability: Ability | None = None,
    affords: Callable[[Term, int | str], bool] | None = None,
) -> Run[None]:
    """Choose targets (601.2c) and divide what is divided among them (601.2d)."""
    t.step = "601.2c"
    yield from targets.choose(t, player, effects, ability, affords)
    note_targets(t, item)
    yield from divide(t, player, effects)


def note_targets(t: Table, item: int) -> None:
    """Keep the chosen targets of the current frame with the spell or ability (601.2c)."""
    keep(t, targets=tuple(sorted(t.frame.targets.items())))


def divide(t: Table, player: str, effects: tuple[Any, ...]) -> Run[None]:
    """Divide what is divided among targets, at least 1 for each (601.2d)."""
    for term in walk(effects):
        if term.op == "divided":
            amount, target = t.count(term.args[0]), term.args[1]
            chosen = t.frame.targets.get(target.args[0], ())
            left, shares = amount, []
            for place, one in enumerate(chosen):
                rest = len(chosen) - place - 1
                options = [left] if rest == 0 else list(range(1, left - rest + 1))
                prompt = f"how much of {amount} for {t.word_of(one)}"
                share = yield from t.ask(player, "divide", options, rule="601.2d", prompt=prompt)
                shares.append(share)
                left -= share
            keep(t, divided=((target.args[0], tuple(shares)),))


def pay_all(t: Table, player: str, costs: tuple[Term, ...], ability: Ability | None, what: str) -> Run[None]:
    """Determine the total cost and pay it; how its symbols are paid was announced (601.2f-h)."""
    frame = t.frame
    symbols = symbols_of(costs)
    bill = ways_to_pay(t.state, player, frame, symbols, frame.x, ability)[0]
    t.rule = t.step = "601.2h"
    reason = unpayable(t, player, costs)
    if reason is not None:
        raise reason
    if symbols or bill.needs:
        t.step = "601.2g"
        yield from pay_mana(t, player, bill, f"for {what}", costs)
        t.step = "601.2h"
    yield from pay(t, player, costs)


def tell_targets(t: Table, item: int, cause: Event, former: Cast | None = None) -> Run[None]:
    """Let what watches for becoming a target see it, also of a copy or when targets change (115.1, 702.21a)."""
    outer, t.cause, thing = t.cause, cause.number, t.state.objects[item]
    cast, player = thing.cast, thing.controller
    before = dict(former.targets) if former is not None else {}
    for slot, chosen in cast.targets if cast is not None else ():
        for one in chosen:
            if one not in before.get(slot, ()):
                objects, to = ((one,), None) if isinstance(one, int) else ((), one)
                yield from t.did(Event("targeted", player, objects, source=item, to=to, rule="601.2c"))
    t.cause = outer


# ---------------------------------------------------------------- abilities


def refusal_to_activate(state: State, player: str, action: Action) -> Illegal | None:
    """Return why a player may not begin to activate an ability (602.2, 602.5), or None."""
    number = action.number
    thing = state.objects.get(number) if number is not None else None
    if thing is None or number is None:
        return Illegal("602.2", f"{player} cannot activate an ability of something that is not there.")
    seen = state.look(number)
    if thing.phased:
        return Illegal("702.26b", f"{player} cannot use {seen.name}: it is phased out.")
    if seen.controller != player:
        carries = any(state.look(n).is_a("Equipment") for n in state.attachments(number))
        rule = "301.5d" if seen.is_a("Equipment") or carries else "602.2"
        return Illegal(rule, f"{player} cannot activate an ability of {seen.name}: {seen.controller} controls it.")
    place = action.ability
    if place is None or place >= len(seen.abilities) or seen.abilities[place].kind != "activated":
        has = [ability.words for ability in seen.abilities if ability.kind == "activated"]
        return Illegal(
            "602.2", f"{player} cannot activate that: {seen.name} has no such activated ability.",
            f"{seen.name} has: {'; '.join(has)}." if has else f"{seen.name} has no activated ability at all.",
        )  # fmt: skip
    ability = seen.abilities[place]
    if thing.zone not in ability.zones:
        return Illegal("113.6", f"{player} cannot activate {ability.words} of {seen.name} from the {thing.zone}.")
    return forbidden_to_activate(state, player, number, ability) or _wrong_time(state, player, number, ability)


def _wrong_time(state: State, player: str, number: int, ability: Ability) -> Illegal | None:
    named = state.look(number).name
    lifted = ability.keyword == "equip" and instant_speed_equip(state, player)
    if (ability.timing == "sorcery" or ability.loyalty) and not sorcery_time(state, player) and not lifted:
        known = {"702.6c": "702.6a"}.get(ability.rule, ability.rule)
        rule = (
            "606.3"
            if ability.loyalty
            else known
            if ability.keyword in ("equip", "fortify", "reconfigure")
            else "602.5d"
        )
        verb = ability.keyword or "an ability"
        return Illegal(rule, f"{player} cannot activate {verb} of {named} {_moment(state)}: only as a sorcery.")
    if ability.loyalty or ability.limit:
        told = state.history(since_turn=ability.keyword != "exhaust")  # an exhaust ability once at all (702.177a)
        uses = [e for e in told if e.kind == "ability activated" and number in e.objects[1:]]
        if ability.loyalty and any(e.get("loyalty") for e in uses):
            return Illegal("606.3", f"{player} cannot activate another loyalty ability of {named} this turn.")
        if ability.limit and sum(e.get("text") == ability.words for e in uses) >= ability.limit:
            again = "again" if ability.keyword == "exhaust" else "again this turn"
            return Illegal("602.5b", f"{player} cannot activate that ability of {named} {again}.")
    if ability.condition is not None and not Frame(state, player, number).holds(ability.condition):
        rule = ability.rule if ability.keyword == "reconfigure" else "602.5b"
        return Illegal(rule, f"{player} cannot activate that ability of {named}: its condition is not met.")
    return None


def activate(t: Table, player: str, action: Action) -> Run[None]:
    """Activate an ability: 602.2a and b with 601.2b to i; mana abilities resolve at once (605.3b)."""
    reason = refusal_to_activate(t.state, player, action)
    if reason is not None or action.number is None or action.ability is None:
        raise reason or Illegal("602.2", f"{player} cannot activate nothing.")
    number = action.number
    ability = t.state.look(number).abilities[action.ability]
    if ability.mana:
        yield from activate_mana(t, player, number, action.ability)
        return
    item = t.create(
        Object(
            0, "ability", None, player, player, "stack", t.state.look(number).name, cast=Cast(player),
            ability=ability, memory=Memory(player, number),
        )
    )  # fmt: skip
    t.frame = Frame(t, player, number, cast=Cast(player, way=action.way), item=item)
    t.rule = "602.2b"
    t.cause = t.log(Event("announced", player, (number,), rule="602.2a")).number  # of what is paid
    costs = (Term("mana", (("0",),)),) if action.way else ability.cost
    costs = yield from announce(t, player, (), ability.effect, costs, ability)
    affords = None if action.way else affords_target(t, player, ability, costs)
    yield from _aim(t, player, item, ability.effect, ability, affords)
    yield from pay_all(t, player, costs, None if action.way else ability, t.state.name(item))
    said = tuple((k, v) for k, v in t.frame.said.items() if isinstance(v, int | str | tuple))
    t.change(item, memory=Memory(player, number, None, said))
    detail = (("keyword", ability.keyword), ("loyalty", ability.loyalty), ("text", ability.words))
    granter = next((term.args[0] for term in ability.terms() if term.op == "granter" and term.args), None)
    detail += (("granter", granter),) if granter is not None else ()
    t.cause = -1  # a player's own doing
    logged = yield from t.did(
        Event("ability activated", player, (item, number), rule="602.2b", detail=detail, names=(t.state.name(item),))
    )
    t.change(item, born=logged.number)
    yield from tell_targets(t, item, logged)


# ---------------------------------------------------------------- lands


def refusal_to_play(state: State, player: str, action: Action) -> Illegal | None:
    """Return why a player may not play a land (305.1, 305.2), or None."""
    number = action.number
    if number is None or number not in state.objects:
        return Illegal("305.1", f"{player} cannot play a land that is not there.")
    named = state.name(number)
    card = state.objects[number].card
    face = card.faces[action.face] if card is not None and card.faces else card
    if face is None or "Land" not in face.types.types:
        return Illegal("305.1", f"{player} cannot play {named}: it is no land card.")
    if not any((way, f) == (action.way, action.face) for way, f, _ in ways_to_cast(state, player, number)):
        return Illegal("305.1", f"{player} cannot play {named} from there.")
    if not sorcery_time(state, player):
        return Illegal("305.1", f"{player} cannot play {named} {_moment(state)}.")
    if state.turn.lands >= lands_allowed(state, player):
        return Illegal("305.2b", f"{player} cannot play {named}: no more lands this turn.")
    return None


def play_land(t: Table, player: str, action: Action) -> Run[None]:
    """Play a land: a special action that does not use the stack (116.2a, 305.1)."""
    reason = refusal_to_play(t.state, player, action)
    if reason is not None or action.number is None:
        raise reason or Illegal("305.1", f"{player} cannot play nothing.")
    t.frame = Frame(t, player, action.number)
    t.rule = "305.1"
    t.change_turn(lands=t.state.turn.lands + 1)
    logged = yield from t.did(Event("played", player, (action.number,), rule="305.1"))
    t.cause = logged.number
    yield from t.move((action.number,), "battlefield", under=player, entering={"face": action.face})
