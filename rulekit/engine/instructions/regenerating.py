"""Regeneration: shields that take the place of a destruction (701.19)."""

from __future__ import annotations

from rulekit.engine.abilities import Ability, Term, word
from rulekit.engine.combat import withdraw
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.trigger_events import groups


@word("effect", "regenerate {what:objects}", rule="701.19a")
def regenerate(t: Table, what: tuple[int, ...]) -> Run[None]:
    """Give each permanent a shield for the next time that it would be destroyed this turn (701.19a)."""
    for number in what:
        if number in t.state.battlefield:
            event = Term("would be destroyed and may be regenerated", (Term("watch these", ((number,),)),))
            text = "it regenerates: it loses its damage, is tapped and leaves combat"
            shield = Ability("replacement", text, "701.19a", event=event, effect=(Term("it is regenerated"),))
            t.add_effect(None, None, (shield,), ("this turn", t.state.turn.number))
    return
    yield


@word("would", op="would be destroyed and may be regenerated", rule="701.19a", kinds=("destroyed",))
def would_be_destroyed(frame: Frame, event: Event, what: Term) -> bool:
    """Apply to the destruction of a permanent, unless something says that it can't be regenerated (701.19c)."""
    doomed = (number for group in groups(frame, event.objects, what) for number in group)
    return any(not frame.look(number).ruled("can't be regenerated") for number in doomed)


@word("outcome", op="it is regenerated", rule="701.19a")
def it_is_regenerated(t: Table, frame: Frame, event: Event) -> Run[Event | None]:
    """Use a shield up: remove all damage from the permanent, tap it, remove it from combat (701.19a)."""
    (number,) = event.objects
    used = next((e for e in t.state.effects if any(_shields(change, number) for change in e.changes)), None)
    t.change_state(effects=tuple(effect for effect in t.state.effects if effect is not used))
    t.change(number, damage=0, deathtouched=False)
    yield from t.do(Term("tap", ((number,),)))
    withdraw(t, (number,))
    return None


def _shields(change: object, number: int) -> bool:
    """Return whether a change is the shield of a permanent."""
    regenerates = isinstance(change, Ability) and change.effect == (Term("it is regenerated"),)
    return regenerates and isinstance(change, Ability) and Term("watch these", ((number,),)) in change.terms()
