"""Phasing (702.26)."""

from __future__ import annotations

from rulekit.engine.events import Event, Run, Table


def phase_in_and_out(t: Table, active: str) -> Run[None]:
    """In the untap step, phase in what the active player had phased out, and phase out what has phasing (702.26a)."""
    state = t.state
    everything = state.zones.get(("battlefield", ""), ())
    away = [state.objects[n] for n in everything if state.objects[n].phased == "out"]
    whose = (active, *state.turn.passed)  # 702.26n
    coming = [thing.number for thing in away if (thing.holder or thing.controller) in whose]
    going = [n for n in state.permanents(active) if state.look(n).has("phasing")]
    yield from _phase_in(t, coming)
    yield from phase_out(t, tuple(going))


def phase_out(t: Table, numbers: tuple[int, ...]) -> Run[None]:
    """Phase permanents out, and with each what is attached to it (702.26b, 702.26g).

    Args:
        t: The table.
        numbers: Permanents; those that are not on the battlefield are passed over.
    """
    there = [n for n in numbers if n in t.state.battlefield]
    carried = list(dict.fromkeys(other for n in there for other in _carried(t, n)))
    controllers = {n: t.state.look(n).controller for n in (*(n for n in there if n not in carried), *carried)}
    for number, controller in controllers.items():
        t.change(number, phased="with" if number in carried else "out", holder=controller)
    for number, controller in controllers.items():
        rule = "702.26g" if number in carried else "702.26b"
        yield from t.did(Event("phased out", controller, (number,), rule=rule))


def _carried(t: Table, number: int) -> list[int]:
    found = []
    for other in t.state.attachments(number):
        found += [other, *_carried(t, other)]
    return found


def _phase_in(t: Table, numbers: list[int]) -> Run[None]:
    """Phase permanents in at the same time, each with what went along with it; then see what is still attached."""
    coming = list(numbers)
    for number in coming:  # it grows by what is attached to what comes
        coming += [n for n, thing in t.state.objects.items() if thing.phased == "with" and thing.attached_to == number]
    for number in coming:
        t.change(number, phased="")
    for number in coming:
        yield from t.did(Event("phased in", t.state.look(number).controller, (number,), rule="702.26c"))
    for number in coming:
        host = t.state.objects[number].attached_to
        if isinstance(host, int) and host not in t.state.battlefield:
            t.change(number, attached_to=None)  # 702.26i
    stranded = [number for number in coming if t.state.look(number).controller not in t.state.in_game]
    yield from t.move(stranded, "exile", rule="800.4c")
