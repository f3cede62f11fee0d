"""Phasing (702.26)."""

from __future__ import annotations

from rulekit.engine.events import Event, Run, Table


def phase_in_and_out(t: Table, active: str) -> Run[None]:
    """In the untap step, phase in what the active player had phased out, and phase out what has phasing (702.26a)."""
    state = t.state
    everything = state.zones.get(("battlefield", ""), ())
    coming = [n for n in everything if state.objects[n].phased == "out" and state.objects[n].controller == active]
    going = [n for n in state.permanents(active) if state.look(n).has("phasing")]
    for number in coming:
        yield from _phase_in(t, number)
    yield from phase_out(t, tuple(going))


def phase_out(t: Table, numbers: tuple[int, ...]) -> Run[None]:
    """Phase permanents out, and with each what is attached to it (702.26b, 702.26g).

    Args:
        t: The table.
        numbers: Permanents; those that are not on the battlefield are passed over.
    """
    direct = [n for n in numbers if n in t.state.battlefield]
    carried = {n: _carried(t, n) for n in direct}
    controllers = {n: t.state.look(n).controller for n in direct}
    for number in direct:
        t.change(number, phased="out", controller=controllers[number])
        yield from t.did(Event("phased out", controllers[number], (number,), rule="702.26b"))
    for number, others in carried.items():
        for other in others:
            if other not in direct and not t.state.objects[other].phased:
                t.change(other, phased="with")
                yield from t.did(Event("phased out", t.state.objects[other].controller, (other,), rule="702.26g"))
        del number


def _carried(t: Table, number: int) -> list[int]:
    found = []
    for other in t.state.attachments(number):
        found += [other, *_carried(t, other)]
    return found


def _phase_in(t: Table, number: int) -> Run[None]:
    t.change(number, phased="")
    yield from t.did(Event("phased in", t.state.objects[number].controller, (number,), rule="702.26c"))
    for other, thing in tuple(t.state.objects.items()):
        if thing.phased == "with" and thing.attached_to == number:
            yield from _phase_in(t, other)
    host = t.state.objects[number].attached_to
    if isinstance(host, int) and host not in t.state.battlefield:
        t.change(number, attached_to=None)  # 702.26i
