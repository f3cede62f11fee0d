"""Shields against the next damage: so much of it is prevented, whoever deals it (615.7)."""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import Ability, Term, word
from rulekit.engine.damage import NEXT
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.state import Effect


@word("effect", "prevent the next {n:number} damage that would be dealt to {to:recipients} this turn", rule="615.7",
      op="prevent the next")  # fmt: skip
def prevent_the_next(t: Table, n: Any, to: tuple[int | str, ...]) -> Run[None]:
    """Give each player or permanent a shield against so much damage this turn (615.7)."""
    amount = t.count(n)
    for one in to if amount > 0 else ():
        who = Term("these players", ((one,),)) if isinstance(one, str) else Term("watch these", ((one,),))
        receiver = Term("damage to a player" if isinstance(one, str) else "damage to an object", (who,))
        text = f"damage that would be dealt to {one if isinstance(one, str) else t.state.name(one)}"
        t.add_effect(None, None, (_shield(receiver, one, amount, text),), ("this turn", t.state.turn.number))
    return
    yield


def _shield(receiver: Term, to: int | str, n: int, text: str) -> Ability:
    event = Term("damage would be dealt", (receiver, None, None))
    does = Term(NEXT, (n, to, text))
    return Ability("replacement", f"prevent the next {n} {text}", "615.7", event=event, effect=(does,))


@word("outcome", op=NEXT, rule="615.7", prevents=True)
def some_is_prevented(
    t: Table, frame: Frame, event: Event, n: int = 0, to: int | str = 0, text: str = ""
) -> Run[Event | None]:
    """Prevent damage, and let the shield hold for the rest alone (615.7)."""
    prevented = min(event.n, n)
    watched: Term = frame.said["would"]
    worn = (_worn(effect, watched, prevented) for effect in t.state.effects)
    t.change_state(effects=tuple(effect for effect in worn if effect.changes))
    return event.but(n=event.n - prevented) if event.n > prevented else None
    yield


def _worn(effect: Effect, watched: Term, prevented: int) -> Effect:
    """Return an effect as it is after its shield has prevented so much; without changes if nothing is left of it."""
    (change, *rest) = effect.changes or (None,)
    if rest or not isinstance(change, Ability) or change.event is not watched or change.effect[0].op != NEXT:
        return effect
    n, to, text = change.effect[0].args
    left = (_shield(watched.args[0], to, n - prevented, text),) if n > prevented else ()
    return effect.but(changes=left)
