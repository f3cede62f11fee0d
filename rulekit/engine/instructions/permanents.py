"""Instructions about permanents: tap, attach, counters, control, phasing, fighting (701.3, 701.14, 701.26, 122)."""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import Term, walk, word
from rulekit.engine.attaching import attach_refusal
from rulekit.engine.damage import deal
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.lasting import ends
from rulekit.engine.phasing import phase_out as phase
from rulekit.engine.players import last_seen

THIS = Term("this")
YOU = Term("you")


@word("effect", "tap {what:objects}", "{who:players} tap[s] {what:objects}", rule="701.26a")
def tap(t: Table, what: tuple[int, ...], who: Any = None) -> Run[None]:
    """Tap untapped permanents (701.26a)."""
    for number in what:
        if number in t.state.battlefield and not t.state.objects[number].tapped:
            t.change(number, tapped=True)
            yield from t.did(Event("tapped", t.state.look(number).controller, (number,)))


@word("effect", "untap {what:objects}", "{who:players} untap[s] {what:objects}", rule="701.26b")
def untap(t: Table, what: tuple[int, ...], who: Any = None) -> Run[None]:
    """Untap tapped permanents; a stun counter is removed instead (701.26b, 122.1d)."""
    untapped = []
    for number in what:
        if number in t.state.battlefield and t.state.objects[number].tapped:
            event = yield from t.would(Event("untapped", t.state.look(number).controller, (number,)))
            if event is not None:
                t.change(number, tapped=False)
                untapped.append(event)
    for event in untapped:
        yield from t.did(event)


@word("effect", "attach {what:objects} to {host:objects}", "{who:players} attach[es] {what:objects} to {host:objects}",
      rule="701.3a")  # fmt: skip
def attach(t: Table, what: tuple[int, ...], host: tuple[int, ...], who: Any = None) -> Run[bool]:
    """Attach permanents to another; to what it may not be on, or is on already, nothing moves (701.3b).

    Returns:
        Whether anything was attached.
    """
    moved = False
    for number in what:
        goal = yield from _one_host(t, number, host)
        if goal is None or number not in t.state.battlefield or t.state.objects[number].attached_to == goal:
            continue
        rule = attach_refusal(t.state, number, goal)
        if rule is not None:
            t.log(Event("not attached", t.frame.you, (number,), to=goal, rule=rule))
            continue
        yield from _put_on(t, number, goal)
        moved = True
    return moved


@word("effect", "attach {what:objects} to {host:objects} as though it were a creature", rule="702.6e",
      op="attach as a creature")  # fmt: skip
def attach_as_a_creature(t: Table, what: tuple[int, ...], host: tuple[int, ...]) -> Run[bool]:
    """Attach an Equipment to a planeswalker as though that were a creature (702.6e)."""
    moved = False
    for number in what:
        for goal in host:
            kept = t.state.objects.get(number)
            if kept is None or number not in t.state.battlefield or kept.attached_to == goal:
                continue
            rule = attach_refusal(t.state, number, goal)
            if rule in (None, "301.5"):  # that it is no creature is the one thing passed over
                yield from _put_on(t, number, goal)
                moved = True
    return moved


def _one_host(t: Table, number: int, hosts: tuple[int, ...]) -> Run[int | str | None]:
    """Let the controller pick where there are several hosts (301.5c)."""
    options = [host for host in hosts if isinstance(host, str) or host in t.state.battlefield]
    if not options or number not in t.state.objects:
        return None
    player = t.state.look(number).controller
    prompt = f"what does {t.word_of(number)} equip?"
    chosen: int | str = yield from t.ask(player, "choose card", options, rule="301.5c", prompt=prompt)
    return chosen


def _put_on(t: Table, number: int, host: int | str) -> Run[None]:
    player = t.state.look(number).controller
    old = t.state.objects[number].attached_to
    before = t.state
    t.change(number, attached_to=host, timestamp=t.stamp())  # 613.7e, 701.3c
    if old is not None:
        left = old if isinstance(old, int) else None
        yield from t.did(Event("unattached", player, (number,), to=left, rule="701.3d"), before)
    yield from t.did(Event("attached", player, (number,), to=host, rule="701.3a"))


@word("effect", "unattach {what:objects}", rule="701.3d")
def unattach(t: Table, what: tuple[int, ...]) -> Run[None]:
    """Take permanents off what they are attached to; they stay on the battlefield (701.3d)."""
    for number in what:
        thing = t.state.objects.get(number)
        if thing is not None and thing.attached_to is not None:
            before = t.state
            host = thing.attached_to if isinstance(thing.attached_to, int) else None
            t.change(number, attached_to=None)
            yield from t.did(Event("unattached", t.state.look(number).controller, (number,), to=host), before)


@word("effect", "put {n:counters} {kind:counter kind} counter[s] on {what:objects}",
      "put {n:counters} additional {kind:counter kind} counter[s] on {what:objects}",
      "{who:players} put[s] {n:counters} {kind:counter kind} counter[s] on {what:objects}",
      rule="122.6", op="put counters")  # fmt: skip
def put_counters(t: Table, n: Any, kind: str, what: tuple[int, ...], who: Any = None, effect: bool = True) -> Run[None]:
    """Put counters on permanents or cards (122.6).

    Args:
        t: The table.
        n: How many on each.
        kind: Their kind.
        what: The permanents or cards.
        who: Who puts them; it makes no difference.
        effect: Whether an effect does it, and not a cost (606.4) or damage (120.3d).
    """
    for number in what:
        if number in t.state.objects and not t.state.objects[number].phased:
            with t.frame.about(number):
                many = t.count(n)
            event = yield from t.would(Event(
                "counters", t.state.look(number).controller, (number,), n=many,
                detail=(("effect", effect), ("kind", kind)),
            ))  # fmt: skip
            if event is not None and event.n > 0:
                thing = t.state.objects[number]
                t.change(number, counters=with_counters(thing.counters, kind, event.n))
                yield from t.did(event)


def with_counters(counters: tuple[tuple[str, int], ...], kind: str, n: int) -> tuple[tuple[str, int], ...]:
    """Return counters with some of a kind added, or removed if n is negative; never fewer than none."""
    found = dict(counters)
    found[kind] = max(0, found.get(kind, 0) + n)
    return tuple(sorted((name, number) for name, number in found.items() if number))


@word(
    "effect",
    "remove {n:counters} {kind:counter kind} counter[s] from {what:objects}",
    rule="122.8",
    op="remove counters",
)
def remove_counters(t: Table, n: Any, kind: str, what: tuple[int, ...]) -> Run[None]:
    """Remove counters from permanents, as many as there are (122.8)."""
    for number in what:
        thing = t.state.objects.get(number)
        if thing is not None:
            gone = min(t.count(n), thing.count(kind))
            if gone:
                t.change(number, counters=with_counters(thing.counters, kind, -gone))
                yield from t.did(Event("counters removed", t.state.look(number).controller, (number,), n=gone,
                                       detail=(("kind", kind),)))  # fmt: skip


@word("effect", "{what:objects} phase[s] out", rule="702.26b", op="phase out")
def phase_out(t: Table, what: tuple[int, ...]) -> Run[None]:
    """Phase permanents out, with what is attached to them (702.26b, 702.26g)."""
    yield from phase(t, tuple(number for number in what if number in t.state.battlefield))


@word("effect", "{a:objects} fight[s] {b:objects}", "{a:objects} fight each other",
      "{a:objects} fights {b:objects}", rule="701.14a")  # fmt: skip
def fight(t: Table, a: tuple[int, ...], b: tuple[int, ...] = ()) -> Run[None]:
    """Let two creatures deal damage equal to their power to each other; both must be there (701.14a, 701.14b)."""
    pair = (*a, *b)
    there = [n for n in pair if n in t.state.battlefield and t.state.look(n).is_a("creature")]
    if len(pair) == len(there) == 2:
        one, two = there
        power = {number: t.state.look(number).power or 0 for number in there}
        yield from deal(t, ((one, two, power[one]), (two, one, power[two])))


@word("effect", "{what:objects} deal[s] {n:damage} to {to:recipients}",
      ("deal[s] {n:damage} to {to:recipients}", {"what": THIS}),
      rule="120.1",
      op="deal damage")  # fmt: skip
def deal_damage(
    t: Table, n: Any, to: tuple[Any, ...], what: tuple[int, ...] | None = None, combat: bool = False
) -> Run[int]:
    """Let each of some sources deal damage to each of some players and permanents (120.1).

    Args:
        t: The table.
        n: How much to each.
        to: Players' names and permanents' numbers.
        what: The sources; this if left out; one that is gone deals it as it last existed (113.7a).
        combat: Whether it is combat damage.

    Returns:
        How much was dealt in all.
    """
    assignments = []
    for source in last_seen(t.frame, t.said("what"), what):
        with t.frame.about(source):
            assignments += [(source, each, amount) for each, amount in _amounts(t, n, to).items()]
    dealt = yield from deal(t, assignments, combat=combat)
    t.frame.said["damage"] = dealt
    return dealt


def _amounts(t: Table, n: Any, to: tuple[Any, ...]) -> dict[Any, int]:
    """Return how much damage each is dealt; "that player" in an amount for several players is each of them in turn."""
    if len(to) < 2 or not any(term.op == "that player" for term in walk(n)):
        return dict.fromkeys(to, t.count(n))
    spoken = t.frame.said.get("player")
    amounts = {}
    for each in to:
        if isinstance(each, str):
            t.frame.said["player"] = (each,)
        amounts[each] = t.count(n)
    t.frame.said["player"] = spoken
    return amounts


@word("effect", "{what:objects} deal[s] {n:amount} damage divided as you choose among {to:recipients}",
      ("deal[s] {n:amount} damage divided as you choose among {to:recipients}", {"what": THIS}),
      rule="601.2d", op="divided", divides=True)  # fmt: skip
def divided(t: Table, n: Any, to: tuple[Any, ...], what: tuple[int, ...] = ()) -> Run[int]:
    """Let a source deal damage divided among targets as was chosen; what an illegal target had is lost (601.2d)."""
    source = what[0] if what else t.frame.this
    cast = t.frame.cast
    shares: dict[Any, int] = {}
    if cast is not None:
        chosen = dict(cast.targets)
        for slot, parts in cast.divided:
            shares |= dict(zip(chosen.get(slot, ()), parts, strict=False))
    return (yield from deal(t, [(source, each, shares.get(each, 0)) for each in to]))


@word("effect", "{who:players} gain[s] control of {what:objects} [{duration:duration}]",
      ("gain control of {what:objects} "
       "[{duration:duration}]", {"who": YOU}), rule="613.1b", op="gain control", receives=True)  # fmt: skip
def gain_control(t: Table, who: tuple[str, ...], what: tuple[int, ...], duration: Any = None) -> Run[None]:
    """Give a player control of permanents or spells for as long as it says (613.1b, 110.2b)."""
    here = tuple(number for number in what if number in t.state.objects)
    if here and who:
        change = Term("controlled by", ((who[0],),))
        t.add_effect(here, None, (change,), ends(t.frame, duration))
        for number in here:  # a creature that changes hands is new to its controller (302.6)
            t.change(number, since=t.state.turn.number)
        yield from t.did(Event("control gained", who[0], here))
    t.frame.said["it"] = here


@word("effect", op="still a type", rule="205.1b")
def still_a_type(t: Table, kind: str = "") -> Run[None]:
    """Say that something keeps its types; the reader puts it into the change before."""
    return
    yield


GRAMMAR.rule("effect", "(it's|it is) still (a|an) {kind:card type}", lambda kind: Term("still a type", (kind,)))


@word("effect", "transform {what:objects}", rule="701.27a")
def transform(t: Table, what: tuple[int, ...]) -> Run[None]:
    """Turn double-faced permanents over (701.27a)."""
    for number in what:
        thing = t.state.objects.get(number)
        if thing is not None and thing.card is not None and thing.card.layout in ("transform", "modal_dfc"):
            t.change(number, face=1 - thing.face, timestamp=t.stamp())
            yield from t.did(Event("transformed", t.state.look(number).controller, (number,)))
