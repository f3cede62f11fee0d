"""The turn: steps, priority, and how the game comes to rest before anyone has it (117, 500-514)."""

from __future__ import annotations

from contextlib import suppress
from itertools import takewhile

from rulekit.engine import casting, combat, resolving, special
from rulekit.engine.abilities import Term
from rulekit.engine.actions import Action
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.layers import rules
from rulekit.engine.sagas import add_lore
from rulekit.engine.sba import Ended, state_based
from rulekit.engine.state import STEPS, State, Turn, Waiting

HAND_SIZE = 7
QUIET = ("untap", "cleanup")  # steps in which no player gets priority (117.3a)
BOUND = 2_000  # rounds of state-based actions and triggers before a game is held to be an endless loop (104.4b)


def after(t: Table, action: Action) -> Run[None]:
    """Carry out an action of the player with priority, and all up to the next time a player has it.

    Raises:
        Illegal: A rule forbids the action.
    """
    player = t.state.priority or t.state.turn.active
    try:
        if action.kind == "pass":
            t.declaring, t.explicit = t.explicit, False
            yield from _pass(t, player)
            return
        yield from (special if action.kind in special.WHERE else casting).begin(t, player, action)
        t.explicit = False
        t.change_state(passed=0)
    except Ended:
        pass
    yield from settle(t, player)


def instructed(t: Table, terms: tuple[Term, ...], you: str = "", this: int = 0) -> Run[None]:
    """Carry out instructions as though a resolving effect gave them, then let the game come to rest (117.5)."""
    keeper = t.state.priority or t.state.turn.active
    t.frame = Frame(t, you, this)
    with suppress(Ended):
        yield from t.run(terms)
    yield from settle(t, keeper)


def _pass(t: Table, player: str) -> Run[None]:
    passed = t.state.passed + 1
    if passed < len(t.state.in_game):
        t.change_state(passed=passed, priority=t.state.next_player(player))  # 117.3d
        return
    t.change_state(passed=0, priority=None)
    if t.state.stack:
        yield from resolving.resolve_top(t)  # 117.4, 405.5
        yield from settle(t, t.state.turn.active)  # 117.3b
    else:
        yield from advance(t)


def settle(t: Table, player: str) -> Run[None]:
    """Check state-based actions and put triggers on the stack until nothing changes, then give priority (117.5)."""
    for _ in range(BOUND):
        if t.state.over:
            t.change_state(priority=None, waiting=())
            return
        _drop_effects(t, lambda until: has_ended(t.state, until))
        _note_control(t)
        combat.withdraw(t)
        if (yield from state_based(t)):
            continue
        if t.state.waiting:
            yield from put_triggers(t)
            continue
        if player not in t.state.in_game:
            player = t.state.next_player(player)
        t.change_state(priority=player)
        return
    t.change_state(over=True, priority=None)
    t.log(Event("draw", rule="104.4b"))


def _note_control(t: Table) -> None:
    """Note since when players control what static abilities have given or taken away again (302.6)."""
    for number in t.state.battlefield:
        thing, now = t.state.objects[number], t.state.look(number).controller
        if now != (thing.holder or thing.controller):
            t.change(number, holder=now, since=t.state.turn.number)


# ---------------------------------------------------------------- triggers onto the stack


def put_triggers(t: Table) -> Run[None]:
    """Put waiting triggered abilities on the stack, each player's in an order of that player's choice (603.3b)."""
    waiting = t.state.waiting
    t.change_state(waiting=())
    for player in t.state.from_active():
        mine = [w for w in waiting if w.memory.you == player]
        able = [w for w in mine if resolving.can_be_put(t, w)]
        for w in mine:
            if w not in able:
                resolving.log_removed(t, w)
        for index in reversed((yield from _order(t, player, able))):  # the last put resolves first
            yield from resolving.put_trigger(t, able[index])


def _order(t: Table, player: str, able: list[Waiting]) -> Run[tuple[int, ...]]:
    """Ask in which order triggers resolve; what is the same in source, text and targets is not asked about."""
    usual = tuple(sorted(range(len(able)), key=lambda i: able[i].order))
    kinds = {(w.name, w.ability, w.memory.this) for w in able}
    if len(kinds) < 2:
        return usual
    order: list[int] = []
    while len(order) < len(able):
        options = [i for i in usual if i not in order]
        same = {(able[i].name, able[i].ability, able[i].memory.this): i for i in reversed(options)}
        offered = [i for i in options if same[able[i].name, able[i].ability, able[i].memory.this] == i]
        words = [f"{_called(t, able, i)}: {able[i].ability.keyword or able[i].ability.words}" for i in offered]
        prompt = "which resolves first?" if not order else "which resolves next?"
        t.frame = Frame(t, player, able[offered[0]].memory.this)
        about = [able[i].memory.this for i in offered]
        chosen = yield from t.ask(
            player, "order triggers", offered, rule="603.3b", prompt=prompt, words=words, about=about
        )
        order.append(chosen)
    return tuple(order)


def _called(t: Table, able: list[Waiting], index: int) -> str:
    """Return what the source of a trigger is called so that no other source is: by name, label, or which of them."""
    name, source = able[index].name, able[index].memory.this
    twins = dict.fromkeys(w.memory.this for w in sorted(able, key=lambda w: w.order) if w.name == name)
    if len(twins) < 2:
        return name
    called = t.word_of(source)
    same = [twin for twin in twins if t.word_of(twin) == called]
    return called if len(same) < 2 else f"{called} ({same.index(source) + 1} of {len(same)})"


# ---------------------------------------------------------------- steps


def advance(t: Table) -> Run[None]:
    """Go on to the next step in which a player gets priority (500.2)."""
    while not t.state.over:
        end_step(t)
        nxt = next_step(t.state)
        if nxt is None:
            begin_turn(t)
        else:
            t.change_turn(step=nxt)
        t.frame, t.cause = Frame(t, t.state.turn.active, 0), -1
        yield from _begin_step(t)
        step = t.state.turn.step
        restless = t.state.waiting or (step == "cleanup" and (yield from state_based(t)))
        if step not in QUIET or (step == "cleanup" and restless):  # 514.3a
            yield from settle(t, t.state.turn.active)
            return


def end_step(t: Table) -> None:
    """Empty mana pools that empty (500.5), and end what lasts until the end of a step or of combat."""
    for name, player in t.state.players.items():
        if player.pool and player.mana != "pool":
            t.change_player(name, pool=())
    if t.state.turn.step == "end of combat":
        t.change_turn(attackers=(), blockers=(), blocked=(), struck=(), withdrawn=())  # 511.3
        _drop_effects(t, lambda until: until[0] == "end of combat")


def next_step(state: State) -> str | None:
    """Return the next step of the turn, or None where the next turn begins."""
    step = state.turn.step
    if step == "cleanup":
        again = "repeat cleanup" in state.turn.once
        return "cleanup" if again else None
    place = STEPS.index(step) + 1
    while True:
        step = STEPS[place]
        attacked = state.turn.attackers or state.turn.withdrawn
        if step in ("declare blockers", "first combat damage", "combat damage") and not attacked:
            place += 1  # 508.8
        elif step == "first combat damage" and not combat.strikes_first(state):
            place += 1
        else:
            return step


def begin_turn(t: Table) -> None:
    """Begin the next turn: an extra one if there is any, else that of the next player in turn order (500.7)."""
    _note_control(t)  # what ended in the cleanup step was back before this turn began
    turn = t.state.turn
    active, order, extra = next_turn(t.state)
    for name, source in skipped_turns(t.state):
        given = (e.number for e in t.state.history(since_turn=False) if (e.kind, e.player) == ("extra turn", name))
        t.cause = next(given, -1)
        t.log(Event("turn skipped", name, source=source, rule="614.10"))
        t.cause = -1
    passed = _passed_over(t.state, active) if order != (turn.order or turn.active) else ()  # not for an extra turn
    t.change_state(turn=Turn(active, turn.number + 1, "untap", extra=extra, order=order, passed=passed))
    t.log(Event("turn", active, rule="500.1"))
    _drop_effects(t, lambda until: until[0] == "your next turn" and until[1] in (active, *passed))  # 800.4m


def _passed_over(state: State, active: str) -> tuple[str, ...]:
    """Return the players who have left and whose turns would have begun before that of the active player (800.4k)."""
    names = tuple(state.players)
    start = names.index(state.turn.order or state.turn.active) + 1
    return tuple(takewhile(lambda name: name != active, names[start:] + names[:start]))


def skipped_turns(state: State) -> list[tuple[str, int]]:
    """Return the extra turns that will be skipped before the next turn begins, with what makes it so (614.10)."""
    skipped = []
    for player in reversed(state.turn.extra):
        source = _skips_extra(state, player)
        if source is None:
            break
        skipped.append((player, source))
    return skipped


def _skips_extra(state: State, player: str) -> int | None:
    """Return the object whose effect makes a player skip extra turns, or None."""
    found = (frame.this for term, frame in rules(state, "skips extra turns") if player in frame.players(term.args[0]))
    return next(found, None)


def next_turn(state: State) -> tuple[str, str, tuple[str, ...]]:
    """Return who takes the next turn: (active player, whose normal turn was the latest, extra turns left)."""
    turn = state.turn
    extra = list(turn.extra)
    while extra:
        player = extra.pop()
        if not state.players[player].left and _skips_extra(state, player) is None:
            return player, turn.order or turn.active, tuple(extra)
    following = state.next_player(turn.order or turn.active)
    return following, following, ()


def expected_turn(state: State) -> str:
    """Return who would take the next turn as things stand, skips not applied yet."""
    turn = state.turn
    for player in reversed(turn.extra):
        if not state.players[player].left:
            return player
    return state.next_player(turn.order or turn.active)


def _begin_step(t: Table) -> Run[None]:
    """Do what a step does by itself, and let it be seen that it has begun (703)."""
    step, active = t.state.turn.step, t.state.turn.active
    begun = t.log(Event("step begins", active, detail=(("step", step),), rule=RULE_OF_STEP[step])).number
    t.cause = begun
    if step == "untap":
        yield from _untap(t, active)
    elif step == "draw":
        t.rule = "504.1"
        yield from t.do(Term("draw", ((active,), 1)))
    elif step == "declare attackers":
        yield from combat.declare_attackers(t)
    elif step == "declare blockers":
        yield from combat.declare_blockers(t)
    elif step in ("first combat damage", "combat damage"):
        yield from combat.deal_combat_damage(t, first=step == "first combat damage")
    elif step == "cleanup":
        yield from _cleanup(t, active)
    t.rule, t.cause = RULE_OF_STEP[step], begun
    yield from t.did(Event("step", active, detail=(("step", step),), rule=t.rule))
    if step == "precombat main":
        t.rule = "714.3c"
        yield from add_lore(t, active)
        yield from _radiation(t, active)


RULE_OF_STEP = {
    "untap": "502.1", "upkeep": "503.1", "draw": "504.1", "precombat main": "505.1", "beginning of combat": "507.1",
    "declare attackers": "508.1", "declare blockers": "509.1", "first combat damage": "510.4",
    "combat damage": "510.1", "end of combat": "511.1", "postcombat main": "505.1", "end": "513.1", "cleanup": "514.1",
}  # fmt: skip


def _radiation(t: Table, active: str) -> Run[None]:
    """Let the rules' own ability of rad counters trigger (728.1)."""
    from rulekit.engine.instructions.players import radiation_trigger

    if t.state.players[active].count("rad"):
        yield from radiation_trigger(t, active)


def _untap(t: Table, active: str) -> Run[None]:
    """Phase in and out, then untap (502.1-502.3)."""
    from rulekit.engine.phasing import phase_in_and_out

    yield from phase_in_and_out(t, active)
    t.rule = "502.3"
    for number in tuple(t.state.permanents(active)):
        if t.state.objects[number].tapped and not t.state.look(number).ruled("doesn't untap"):
            yield from t.do(Term("untap", ((number,),)))
    whose = (active, *t.state.turn.passed)
    _drop_effects(t, lambda until: until[0] == "your next untap step" and until[1] in whose)


def _cleanup(t: Table, active: str) -> Run[None]:
    """Discard down to the hand size, then end damage and "until end of turn" together (514.1, 514.2)."""
    t.change_turn(once=tuple(mark for mark in t.state.turn.once if mark != "repeat cleanup"))
    t.rule = "514.1"
    over = len(t.state.zone("hand", active)) - HAND_SIZE
    if over > 0 and not any(active in f.players(term.args[0]) for term, f in rules(t.state, "no maximum hand size")):
        yield from t.do(Term("discard", ((active,), over, None)))
    t.rule = "514.2"
    for number, thing in t.state.objects.items():
        if thing.damage or thing.deathtouched:
            t.change(number, damage=0, deathtouched=False)
    number = t.state.turn.number
    _drop_effects(t, lambda until: until[0] in ("end of turn", "this turn") or (
        until[:2] == ("end of your next turn", active) and until[2] < number))  # fmt: skip
    t.change_state(delayed=tuple(w for w in t.state.delayed if w.until[0] not in ("end of turn", "this turn")))


def has_ended(state: State, until: tuple[object, ...]) -> bool:
    """Return whether an effect that lasts "for as long as" something is so has ended (611.2b)."""
    kind, *rest = until
    if kind == "while on battlefield":
        return rest[0] not in state.zones.get(("battlefield", ""), ())
    if kind == "while there":
        return not any(number in state.objects for number in rest[0])  # type: ignore[attr-defined]
    if kind == "while you control":
        number, you = rest
        return number not in (*state.battlefield, *state.stack) or state.look(number).controller != you
    if kind == "while it holds":
        condition, you, this = rest
        return not Frame(state, str(you), int(this)).holds(condition)  # type: ignore[call-overload]
    return False


def _drop_effects(t: Table, ended: object) -> None:
    kept = tuple(effect for effect in t.state.effects if not ended(effect.until))  # type: ignore[operator]
    if len(kept) != len(t.state.effects):
        t.change_state(effects=kept)
