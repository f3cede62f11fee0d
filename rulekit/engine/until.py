"""What comes with changes of zone: who died, what something enters with, what was exiled until then (610.3)."""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import Term, word
from rulekit.engine.events import Event, Move, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.state import State

_THIS = "(this permanent|~|this creature|this artifact|this Equipment|this enchantment|this Aura|this Vehicle)"


@word("rule", op="held in exile", rule="610.3")
def held_in_exile(frame: Frame, what: tuple[int, ...] = ()) -> None:
    """Hold cards in exile until the effect ends; `released` looks for them. What: their numbers."""


@word("effect", f"exile {{what:objects}} until {_THIS} leaves the battlefield", rule="610.3",
      op="exile until it leaves")  # fmt: skip
def exile_until_it_leaves(t: Table, what: tuple[int, ...]) -> Run[tuple[int, ...]]:
    """Exile objects until this leaves the battlefield; if it has left already they do not move (610.3a)."""
    this = t.frame.this
    if this not in t.state.battlefield:
        return ()
    moved: tuple[int, ...] = yield from t.do(Term("exile", (what,)))
    held = tuple(number for number in moved if t.state.objects[number].zone == "exile")
    if held:
        t.add_effect(None, None, (Term("held in exile", (held,)),), ("while on battlefield", this))
    return moved


def released(t: Table, moves: list[Move]) -> Run[None]:
    """Return the cards that were in exile until one of some permanents left, under their owners' control (610.3c)."""
    gone = {move.old for move in moves if move.origin == "battlefield" != move.to}
    ended = [effect for effect in t.state.effects if _held(effect.changes) and effect.until[1] in gone]
    if not ended:
        return
    t.change_state(effects=tuple(effect for effect in t.state.effects if effect not in ended))
    cards = [number for effect in ended for number in _held(effect.changes) if number in t.state.objects]
    back = yield from t.move([n for n in cards if t.state.objects[n].zone == "exile"], "battlefield", rule="610.3c")
    if back:
        yield from t.did(Event("returned", objects=back, rule="610.3c"))


def _held(changes: tuple[Any, ...]) -> tuple[int, ...]:
    return next((change.args[0] for change in changes if isinstance(change, Term) and change.op == "held in exile"), ())


def entered(t: Table, moves: list[Move], before: State) -> Run[None]:
    """Tell what comes with changes of zone: who died, the counters put on what entered, and what it is attached to.

    Args:
        t: The table.
        moves: The changes of zone that were made at the same time.
        before: The State before them.
    """
    for move in moves:
        if (move.origin, move.to) == ("battlefield", "graveyard") and before.look(move.old).is_a("creature"):
            t.log(Event("dies", before.look(move.old).controller, (move.old,), rule="700.4"))
    for move in moves:
        thing = t.state.objects.get(move.new or 0) if move.to == "battlefield" else None
        if thing is None:
            continue
        for kind, n in thing.counters:
            putting = Event("counters", thing.controller, (thing.number,), n, detail=(("kind", kind),))
            yield from t.did(putting, before)
        if thing.attached_to is not None:
            yield from t.did(Event("attached", thing.controller, (thing.number,), to=thing.attached_to, rule="701.3a"))
        for ability in t.state.look(thing.number).abilities:
            if ability.kind == "unread":
                t.log(Event("not understood", thing.controller, (thing.number,), detail=(("text", ability.text),)))
    yield from released(t, moves)
