"""State-based actions: what happens by itself whenever a player would get priority (704)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulekit.engine.abilities import Term
from rulekit.engine.attaching import attach_refusal
from rulekit.engine.events import Event, Move, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.layers import rules
from rulekit.engine.sagas import finished
from rulekit.engine.state import State
from rulekit.engine.until import released

POISON = 10
NO_CAUSES = (
    "step",
    "step begins",
    "turn",
    "resolved",
    "gift given",
    "put on the stack",
    "ability triggered",
    "targeted",
)


@dataclass(frozen=True)
class _Due:
    """What state-based actions apply to one State (704.5)."""

    losing: tuple[tuple[str, str], ...]
    dying: tuple[int, ...]
    destroyed: tuple[int, ...]
    ceasing: tuple[int, ...]
    falling: tuple[int, ...]
    loose: tuple[tuple[int, str], ...]
    legends: tuple[tuple[int, ...], ...]
    pairs: tuple[tuple[int, int], ...]
    told: tuple[int, ...]

    @classmethod
    def of(cls, state: State) -> _Due:
        """Look for everything at once (704.3)."""
        return cls(
            tuple(_losing(state)), *_leaving(state), tuple(_falling_auras(state)), tuple(_unattaching(state)),
            tuple(_legend_groups(state)), tuple(_counter_pairs(state)), tuple(finished(state)),
        )  # fmt: skip

    def __bool__(self) -> bool:
        return any(vars(self).values())


def state_based(t: Table) -> Run[bool]:
    """Perform all state-based actions that apply, at the same time (704.3).

    Returns:
        Whether any was performed.
    """
    if t.state.over:
        return False
    t.frame, t.cause, t.rule = Frame(t, t.state.turn.active, 0), -1, "704.3"
    due = _Due.of(t.state)
    for name, player in t.state.players.items():
        if player.drew_from_empty:
            t.change_player(name, drew_from_empty=False)  # 704.5b: only since the last check
    yield from _lose_together(t, tuple(due.losing))
    if due and not t.state.over:
        yield from _to_graveyards(t, due)
        yield from _stay_behind(t, due)
    for number in [number for number in t.state.battlefield if t.state.objects[number].deathtouched]:
        t.change(number, deathtouched=False)  # 704.5h: only since the last check
    t.cause = -1
    return bool(due)


def _cause(state: State, of: int | str) -> int:
    """Return the number of the event that a state-based action answers: the latest about its object or player."""
    newest = -1
    for event in state.history():
        if event.kind not in NO_CAUSES:
            newest = max(newest, event.number)
            if of in event.objects or of in (event.to, event.player):
                return event.number
    return newest


def _to_graveyards(t: Table, due: _Due) -> Run[None]:
    """Put what dies, is destroyed, falls off or is one legend too many into graveyards at the same time."""
    doomed = [n for n in (*due.dying, *due.falling) if n in t.state.objects]
    why = set()
    for number in doomed:
        seen = t.state.look(number)
        rule = "704.5m" if number in due.falling else "704.5f" if seen.is_a("creature") else "704.5i"
        why.add(_tell(t, number, rule).rule)
    for group in due.legends:
        if all(number in t.state.objects for number in group):  # their controller may just have lost and left
            doomed += yield from _legend_rule(t, group)
            why.add("704.5j")
    doomed += yield from _destroyed(t, tuple(number for number in due.destroyed if number in t.state.objects))
    if doomed:
        t.rule = "704.3"
        t.cause = _cause(t.state, doomed[0])
        rule = why.pop() if len(why) == 1 and not due.destroyed else "704.5"
        yield from t.move(tuple(dict.fromkeys(doomed)), "graveyard", rule=rule)


def _stay_behind(t: Table, due: _Due) -> Run[None]:
    """Do what concerns objects that stay: tokens elsewhere cease, Equipment comes loose, counters annihilate."""
    for number in due.ceasing:
        if number in t.state.objects:
            t.cease(number)
    for number, rule in due.loose:
        if number in t.state.battlefield:
            yield from _unattach(t, number, rule)
    for number, n in due.pairs:
        if number in t.state.objects:
            yield from _annihilate(t, number, n)
    if due.told:
        t.rule = "714.4"
        for number in due.told:
            t.frame = Frame(t, t.state.look(number).controller, number)
            yield from t.do(Term("sacrifices", ((number,),)))


def _tell(t: Table, number: int, rule: str) -> Event:
    """Log why a permanent leaves or lets go, which the log of its move does not say."""
    thing, because = t.state.objects[number], _cause(t.state, number)
    player = t.state.look(number).controller
    return t.log(Event("checked", player, (number,), to=thing.attached_to, rule=rule, cause=because))


def _losing(state: State) -> Iterator[tuple[str, str]]:
    for name in state.in_game:
        player = state.players[name]
        if player.lost or can_not_lose(state, name):
            continue
        if player.life <= 0:
            yield name, "704.5a"
        elif player.drew_from_empty:
            yield name, "704.5b"
        elif player.count("poison") >= POISON:
            yield name, "704.5c"


def can_not_lose(state: State, player: str) -> bool:
    """Return whether an effect says that a player can't lose the game (101.2)."""
    return any(player in frame.players(term.args[0]) for term, frame in rules(state, "can't lose"))


def _leaving(state: State) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Return what is put into a graveyard, what is destroyed, and what ceases to exist."""
    dying, destroyed = [], []
    for number in state.battlefield:
        seen, thing = state.look(number), state.objects[number]
        if seen.is_a("creature"):
            toughness = seen.toughness or 0
            if toughness <= 0:
                dying.append(number)  # 704.5f
            elif (thing.damage >= toughness or thing.deathtouched) and not seen.has("indestructible"):
                destroyed.append(number)  # 704.5g, 704.5h
        if seen.is_a("planeswalker") and not thing.count("loyalty"):
            dying.append(number)  # 704.5i
    ceasing = [n for n, thing in state.objects.items()
               if (thing.kind == "token" and thing.zone != "battlefield")
               or (thing.kind == "copy" and thing.zone not in ("stack", "battlefield"))]  # fmt: skip
    return tuple(dying), tuple(destroyed), tuple(ceasing)


def _destroyed(t: Table, numbers: tuple[int, ...]) -> Run[tuple[int, ...]]:
    """Destroy what has lethal damage unless it regenerates; the move itself comes with all the others (704.5g)."""
    destroyed = []
    for number in numbers:
        rule = "704.5h" if t.state.objects[number].deathtouched else "704.5g"
        because = _cause(t.state, number)
        due = Event("destroyed", t.state.look(number).controller, (number,), rule=rule, cause=because)
        event = yield from t.would(due)
        if event is not None:
            yield from t.did(event)
            destroyed.append(number)
    return tuple(destroyed)


def _unattaching(state: State) -> Iterator[tuple[int, str]]:
    """Yield Equipment and others that become unattached (704.5n, 704.5p)."""
    for number in state.battlefield:
        host = state.objects[number].attached_to
        if host is None:
            continue
        seen = state.look(number)
        if seen.is_a("Aura") and not seen.is_a("creature"):
            continue
        if seen.is_a("creature") or not (seen.is_a("Equipment") or seen.is_a("Fortification")):
            yield number, "704.5p"
        elif isinstance(host, int) and host in state.objects and state.objects[host].phased:
            continue
        elif attach_refusal(state, number, host) is not None:
            yield number, "704.5n"


def _falling_auras(state: State) -> Iterator[int]:
    for number in state.battlefield:
        seen = state.look(number)
        host = state.objects[number].attached_to
        if seen.is_a("Aura") and not seen.is_a("creature") and attach_refusal(state, number, host) is not None:
            yield number  # 704.5m


def _unattach(t: Table, number: int, rule: str) -> Run[None]:
    rule_before, cause_before, t.rule = t.rule, t.cause, rule
    t.cause = _tell(t, number, rule).number
    yield from t.do(Term("unattach", ((number,),)))
    t.rule, t.cause = rule_before, cause_before


def _legend_groups(state: State) -> Iterator[tuple[int, ...]]:
    """Yield legendary permanents of one name and one controller, two or more (704.5j)."""
    groups: dict[tuple[str, str], list[int]] = {}
    for number in state.battlefield:
        seen = state.look(number)
        if "Legendary" in seen.supertypes and seen.name:
            groups.setdefault((seen.controller, seen.name), []).append(number)
    for group in groups.values():
        if len(group) > 1:
            yield tuple(group)


def _legend_rule(t: Table, group: tuple[int, ...]) -> Run[list[int]]:
    player = t.state.look(group[0]).controller
    named = t.state.look(group[0]).name
    kept = yield from t.ask(player, "choose card", group, rule="704.5j", prompt=f"which {named} stays?")
    rest = [number for number in group if number != kept]
    for number in rest:
        _tell(t, number, "704.5j")
    return rest


def _counter_pairs(state: State) -> Iterator[tuple[int, int]]:
    for number in state.battlefield:
        thing = state.objects[number]
        n = min(thing.count("+1/+1"), thing.count("-1/-1"))
        if n:
            yield number, n


def _annihilate(t: Table, number: int, n: int) -> Run[None]:
    t.rule = "704.5q"
    yield from t.do(Term("remove counters", (n, "+1/+1", (number,))))
    yield from t.do(Term("remove counters", (n, "-1/-1", (number,))))


# ---------------------------------------------------------------- losing, winning, leaving


def _lose_together(t: Table, losing: tuple[tuple[str, str], ...]) -> Run[None]:
    """Let players lose at the same time; if nobody is left the game is a draw (704.3, 104.4a)."""
    if not losing or {name for name, _ in losing} != set(t.state.in_game):
        for name, rule in losing:
            yield from lose(t, name, rule)
        return
    for name, rule in losing:
        t.change_player(name, lost=True)
        yield from t.did(Event("lost", name, rule=rule, cause=_cause(t.state, name)))
    t.log(Event("draw", rule="104.4a"))
    t.change_state(over=True, priority=None)


class Ended(Exception):
    """The game has ended in the middle of what was happening, and nothing more happens in it (104.1)."""


def stop_if_over(t: Table) -> None:
    """Stop in the middle of a resolution, if the game has ended (104.1).

    Raises:
        Ended: It has.
    """
    if t.state.over:
        raise Ended


def lose(t: Table, player: str, rule: str) -> Run[None]:
    """Let a player lose the game and leave it (104.3, 104.5)."""
    if player not in t.state.in_game:
        return
    t.change_player(player, lost=True)
    logged = yield from t.did(Event("lost", player, rule=rule, cause=_cause(t.state, player)))
    outer, t.cause = t.cause, logged.number
    yield from leave(t, player)
    t.cause = outer


def at_rest(state: State) -> bool:
    """Return whether no state-based action applies to a State."""
    return not _Due.of(state)


def win(t: Table, player: str, rule: str = "104.2b") -> Run[None]:
    """Let a player win the game, which ends it at once (104.1, 104.2)."""
    if any(player in frame.players(term.args[0]) for term, frame in rules(t.state, "can't win")):
        return
    t.change_player(player, won=True)
    yield from t.did(Event("won", player, rule=rule))
    for other in t.state.in_game:
        if other != player:
            t.change_player(other, lost=True)
    t.change_state(over=True, priority=None)


def leave(t: Table, player: str) -> Run[None]:
    """Let a player leave the game with all that they own (800.4a)."""
    if t.state.players[player].left:
        return
    t.change_player(player, left=True)
    yield from t.did(Event("left", player, rule="800.4a"))
    rest = t.state.in_game
    if len(rest) > 1:
        yield from _clear_away(t, player)
        return
    for other in rest:  # the game is over at once, and what lies there stays to be seen (104.1)
        t.change_player(other, won=True)
        yield from t.did(Event("won", other, rule="104.2a"))
    t.change_state(over=True, priority=None)


def _clear_away(t: Table, player: str) -> Run[None]:
    """Take what a player owned and controlled out of a game that goes on without that player (800.4a).

    Permanents that go so have left the battlefield for what waits for that or lasts until then (603.6c, 610.3).
    """
    before = t.state
    mine = [before.objects[number] for number in before.battlefield if before.objects[number].owner == player]
    moves = [Move(one.number, None, player, "battlefield", "outside", one.kind == "card") for one in mine]
    for number, thing in tuple(t.state.objects.items()):
        gone = thing.owner == player or (thing.zone == "stack" and thing.controller == player)
        if gone and number in t.state.objects:
            t.cease(number)
    kept = tuple(e for e in t.state.effects if not _gives_control(e, player))
    t.change_state(effects=kept)
    if moves:
        yield from t.did(Event("moved", player, moves=tuple(moves), rule="800.4a"), before)
        yield from released(t, moves)
    t.change_state(waiting=tuple(w for w in t.state.waiting if w.memory.you != player))
    stranded = tuple(n for n in t.state.battlefield if t.state.look(n).controller == player)
    yield from t.move(stranded, "exile", rule="800.4a")


def _gives_control(effect: object, player: str) -> bool:
    changes = getattr(effect, "changes", ())
    return any(isinstance(c, Term) and c.op == "controlled by" and c.args in ((player,), ((player,),)) for c in changes)
