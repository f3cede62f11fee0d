"""Damage and what it does to players, creatures and planeswalkers (120)."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.engine.abilities import Ability, Term
from rulekit.engine.costs import can_change_life
from rulekit.engine.events import Event, Run, Table

Assignment = tuple[int, "int | str", int]
NEXT = "some of the next damage is prevented"  # what a shield does, with how much and whose it is


def deal(t: Table, assignments: Sequence[Assignment], *, combat: bool = False, rule: str = "") -> Run[int]:
    """Deal damage, all of it at the same time (120.4, 510.2).

    Args:
        t: The table.
        assignments: (source, player or permanent, amount) for each.
        combat: Whether it is combat damage.
        rule: The rule of the log entries, if not that of the instruction under way.

    Returns:
        How much damage was dealt in all.
    """
    planned: list[Event] = []
    for source, to, n in (yield from _shielded_first(t, assignments)):
        present = to in t.state.in_game if isinstance(to, str) else to in t.state.battlefield
        if n <= 0 or not present:
            continue
        player = to if isinstance(to, str) else None
        event = Event("damage", player, () if player else (to,), n, source=source, to=to, combat=combat, rule=rule)  # type: ignore[arg-type]
        happens = yield from t.would(event)
        if happens is not None:
            planned.append(happens)
    followed = [event for event in planned if event.get("then")]
    planned = [event for event in planned if event.n > 0]
    with t.at_once():
        for event in planned:
            yield from _apply(t, event)
        if planned:
            dealt = (("dealt", tuple((e.source, e.to, e.n) for e in planned)),)
            yield from t.did(Event("damage dealt", n=sum(e.n for e in planned), combat=combat, detail=dealt))
    for event in followed:
        yield from event.get("then")(t, event)  # 615.5: also where all of it was prevented
    return sum(event.n for event in planned)


def _shielded_first(t: Table, assignments: Sequence[Assignment]) -> Run[Sequence[Assignment]]:
    """Let whoever has a shield against the next damage choose which damage it is used for first (615.7)."""
    shields = [c.effect[0].args[:2] for e in t.state.effects for c in e.changes
               if isinstance(c, Ability) and c.effect and c.effect[0].op == NEXT]  # fmt: skip
    first: list[Assignment] = []
    for to in dict.fromkeys(to for _, to in shields):
        left = sum(n for n, shielded in shields if shielded == to)
        rest = [each for each in assignments if each[1] == to and each[2] > 0]
        player = to if isinstance(to, str) else t.state.look(to).controller
        while len(rest) > 1 and 0 < left < sum(n for _, _, n in rest):
            sources = tuple(source for source, _, _ in rest)
            source = yield from t.ask(player, "order replacement effects", sources, rule="615.7",
                                      prompt="which damage is prevented first")  # fmt: skip
            first += [each for each in rest if each[0] == source]
            rest = [each for each in rest if each[0] != source]
            left -= first[-1][2]
    return (*first, *(each for each in assignments if each not in first))


def _apply(t: Table, event: Event) -> Run[None]:
    """Let one source's damage have its results (120.3)."""
    source, to, n = event.source or 0, event.to, event.n
    deals = t.state.look(source) if source in t.state.objects or source in t.state.past else None
    infect = deals is not None and deals.has("infect")
    logged = yield from t.did(event.but(rule=event.rule or "120.3"))
    outer, t.cause = t.cause, logged.number
    if isinstance(to, str):
        if infect:
            yield from t.do(Term("player gets counters", ((to,), n, "poison")))
        else:
            yield from lose_life(t, to, n, "120.3a")
    elif to is not None and to in t.state.objects:
        yield from _damage_permanent(t, to, n, wither=infect or (deals is not None and deals.has("wither")),
                                     deadly=deals is not None and deals.has("deathtouch"))  # fmt: skip
    if deals is not None and deals.has("lifelink"):
        yield from gain_life(t, deals.controller, n, "120.3f")
    t.cause = outer


def _damage_permanent(t: Table, number: int, n: int, *, wither: bool, deadly: bool) -> Run[None]:
    seen, thing = t.state.look(number), t.state.objects[number]
    if seen.is_a("creature"):
        t.change(number, damage=thing.damage + (0 if wither else n), deathtouched=thing.deathtouched or deadly)
        if wither:
            yield from t.do(Term("put counters", (n, "-1/-1", (number,), None, False)))
    if seen.is_a("planeswalker"):
        yield from t.do(Term("remove counters", (min(n, thing.count("loyalty")), "loyalty", (number,))))


def lose_life(t: Table, player: str, n: int, rule: str = "119.3") -> Run[None]:
    """Let a player lose life, unless their life total cannot change (119.7, 119.8)."""
    if n <= 0 or not can_change_life(t.state, player):
        return
    t.change_player(player, life=t.state.players[player].life - n)
    yield from t.did(Event("life lost", player, n=n, rule=rule))


def gain_life(t: Table, player: str, n: int, rule: str = "119.3") -> Run[None]:
    """Let a player gain life, unless their life total cannot change (119.7)."""
    if n <= 0 or player not in t.state.in_game or not can_change_life(t.state, player):
        return
    event = yield from t.would(Event("life gained", player, n=n, rule=rule))
    if event is not None and event.n > 0 and event.player is not None:
        t.change_player(event.player, life=t.state.players[event.player].life + event.n)
        yield from t.did(event)
