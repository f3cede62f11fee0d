"""Sagas and their chapters (714)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.engine.abilities import Term, word
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.state import State

LORE = "lore"
ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII")


@word("event", op="chapter", rule="714.2b", kinds=("counters",))
def chapter(frame: Frame, event: Event, numbers: tuple[int, ...] = ()) -> list[dict[str, Any]]:
    """Wait for lore counters that make their number reach one of the chapters for the first time (714.2b)."""
    this = frame.this
    thing = frame.state.objects.get(this)
    put = event.kind == "counters" and event.get("kind") == LORE and this in event.objects
    if thing is None or not put:
        return []
    now = thing.count(LORE)
    before = now - event.n
    return [{"it": (this,), "player": (thing.controller,)} for number in numbers if before < number <= now]


GRAMMAR.sayers["chapter"] = lambda term: ", ".join(ROMAN[number] for number in term.args[0])


def _chapters(state: State, number: int) -> Iterator[int]:
    for ability in state.look(number).abilities:
        if ability.event is not None and ability.event.op == "chapter":
            yield from ability.event.args[0]


def add_lore(t: Table, active: str) -> Run[None]:
    """Put a lore counter on each Saga that the active player controls, as the first main phase begins (714.3c)."""
    for number in tuple(t.state.permanents(active)):
        if t.state.look(number).is_a("saga") and any(_chapters(t.state, number)):
            yield from t.do(Term("put counters", (1, LORE, (number,))))


def finished(state: State) -> Iterator[int]:
    """Yield the Sagas that have told their last chapter, and whose chapters have left the stack (714.4)."""
    for number in state.battlefield:
        if state.look(number).is_a("saga"):
            last = max(_chapters(state, number), default=0)
            if last and state.objects[number].count(LORE) >= last and not _telling(state, number):
                yield number


def _telling(state: State, number: int) -> bool:
    """Return whether an ability of a Saga is on the stack or waits for it."""
    memories = [state.objects[item].memory for item in state.stack] + [waiting.memory for waiting in state.waiting]
    return any(memory is not None and memory.this == number for memory in memories)
