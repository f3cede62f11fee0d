"""Attacking, blocking and combat damage (506-511)."""

from __future__ import annotations

from typing import Any

from rulekit.engine.costs import sick
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.state import State
from rulekit.engine.targets import protects
from rulekit.rules import Illegal

EVASION = {  # keyword: (who may block all the same, rule)
    "flying": (("flying", "reach"), "702.9b"),
    "shadow": (("shadow",), "702.28b"),
    "horsemanship": (("horsemanship",), "702.31b"),
}
TWO = 2  # blockers that menace asks for


def refusal_to_attack(state: State, number: int, whom: int | str) -> Illegal | None:
    """Return why a creature cannot attack a player or planeswalker (508.1), or None."""
    active = state.turn.active
    thing = state.objects.get(number)
    if thing is None or number not in state.battlefield:
        return Illegal("508.1a", f"{active} cannot attack with something that is not on the battlefield.")
    seen = state.look(number)
    told = whom if isinstance(whom, str) else state.name(whom)
    start = f"{active} cannot attack {told} with {seen.name}"
    if not seen.is_a("creature") or seen.controller != active:
        return Illegal("508.1a", f"{start}: it is no creature of {active}'s.")
    if thing.tapped:
        return Illegal("508.1a", f"{start}: it is tapped.")
    if seen.has("defender") and not seen.ruled("may attack despite defender"):
        return Illegal("702.3b", f"{start}: it has defender.")
    new = sick(Frame(state, active, number), active)
    if new is not None:
        return Illegal("302.6", f"{start}: it came under {active}'s control this turn.")
    if whom not in defendable(state):
        return Illegal("508.1b", f"{start}: only opponents and their planeswalkers can be attacked.")
    for term, frame in (*seen.ruled("can't attack"), *seen.ruled("can't attack them")):
        spared = _spared(frame, term)
        if spared is None or whom in spared:
            return Illegal("508.1c", f"{start}: an effect forbids it.")
    return None


def _spared(frame: Frame, term: Any) -> tuple[int | str, ...] | None:
    """Return whom a restriction protects from attack, or None for everybody."""
    if not term.args or term.args[0] is None:
        return None
    players = frame.players(term.args[0])
    walkers = [n for n in frame.state.battlefield
               if frame.look(n).is_a("planeswalker") and frame.look(n).controller in players]  # fmt: skip
    return (*players, *walkers)


def defendable(state: State) -> tuple[int | str, ...]:
    """Return what the active player's creatures can attack: opponents and their planeswalkers (508.1b, 802.2)."""
    rivals = state.opponents(state.turn.active)
    walkers = [n for n in state.battlefield
               if state.look(n).is_a("planeswalker") and state.look(n).controller in rivals]  # fmt: skip
    return (*rivals, *walkers)


def declare_attackers(t: Table) -> Run[None]:
    """Let the active player declare attackers, creature by creature (508.1)."""
    active = t.state.turn.active
    t.rule = "508.1"
    chosen: list[tuple[int, int | str]] = []
    goals = defendable(t.state)
    for number in tuple(t.state.permanents(active)):
        if not t.state.look(number).is_a("creature"):
            continue
        able = [whom for whom in goals if refusal_to_attack(t.state, number, whom) is None]
        if not able and not t.declaring:
            continue

        def why(answer: Any, number: int = number) -> Illegal | None:
            return None if answer is None else refusal_to_attack(t.state, number, answer)

        t.frame = Frame(t, active, number)
        prompt = f"attack with {t.word_of(number)}?"
        must = able and t.state.look(number).ruled("must attack")  # 508.1d
        whom = yield from t.ask(
            active,
            "attack",
            tuple(able) if must else ("no", *able),
            rule="508.1a",
            prompt=prompt,
            why=why,
            always=t.declaring,
        )
        if whom != "no":
            chosen.append((number, whom))
    t.change_turn(attackers=tuple(chosen), blockers=(), blocked=(), struck=(), withdrawn=())
    if chosen:
        t.cause = -1  # a player's own doing
        t.cause = t.log(Event("attack", active, tuple(n for n, _ in chosen), rule="508.1")).number
    for number, _ in chosen:
        if not t.state.look(number).has("vigilance"):
            t.change(number, tapped=True)
            yield from t.did(Event("tapped", active, (number,), rule="508.1f"))
    for number, whom in chosen:
        yield from t.did(Event("attacks", active, (number,), to=whom, rule="508.1"))


def refusal_to_block(state: State, number: int, attacker: int) -> Illegal | None:
    """Return why a creature cannot block an attacker (509.1a, 509.1b), or None."""
    thing = state.objects.get(number)
    if thing is None or number not in state.battlefield:
        return Illegal("509.1a", "Nobody can block with something that is not on the battlefield.")
    seen, rival = state.look(number), state.look(attacker) if attacker in state.objects else None
    start = f"{seen.controller} cannot block"
    if rival is None or attacker not in dict(state.turn.attackers):
        return Illegal("509.1a", f"{start} with {seen.name}: that is no attacker.")
    start += f" {rival.name} with {seen.name}"
    if not seen.is_a("creature") or thing.tapped:
        return Illegal("509.1a", f"{start}: it is {'tapped' if thing.tapped else 'no creature'}.")
    if defender_of(state, attacker) != seen.controller:
        return Illegal("509.1a", f"{start}: it does not attack {seen.controller}.")
    for keyword, (who_may, rule) in EVASION.items():
        if rival.has(keyword) and not any(seen.has(k) for k in who_may):
            return Illegal(rule, f"{start}: it has {keyword}.")
    shield = protects(state, attacker, number)
    if shield is not None:
        return Illegal("702.16f", f"{start}: it has {shield.text}.")
    return _forbidden_block(state, number, attacker, start)


def _forbidden_block(state: State, number: int, attacker: int, start: str) -> Illegal | None:
    seen, rival = state.look(number), state.look(attacker)
    if rival.has("skulk") and (seen.power or 0) > (rival.power or 0):
        return Illegal("702.118b", f"{start}: skulk, and the blocker's power is greater.")
    if rival.has("fear") and not (seen.is_a("artifact") or "black" in seen.colors):
        return Illegal("702.36b", f"{start}: it has fear.")
    if rival.has("intimidate") and not (seen.is_a("artifact") or set(seen.colors) & set(rival.colors)):
        return Illegal("702.13b", f"{start}: it has intimidate.")
    if seen.has("shadow") and not rival.has("shadow"):
        return Illegal("702.28b", f"{start}: the blocker has shadow.")
    for term, frame in seen.ruled("can't block"):
        if not term.args or term.args[0] is None or frame.fits(term.args[0], attacker):
            return Illegal("509.1b", f"{start}: an effect forbids it.")
    for term, frame in rival.ruled("can't be blocked"):
        if not term.args or term.args[0] is None or frame.fits(term.args[0], number):
            return Illegal("509.1b", f"{start}: it can't be blocked that way.")
    return None


def defender_of(state: State, attacker: int) -> str | None:
    """Return the defending player of an attacking creature (508.5)."""
    whom = dict((*state.turn.withdrawn, *state.turn.attackers)).get(attacker)
    if isinstance(whom, str) or whom is None:
        return whom
    return state.look(whom).controller


def declare_blockers(t: Table) -> Run[None]:
    """Let each defending player declare blockers, creature by creature, in turn order (509.1, 802.4)."""
    t.rule = "509.1"
    attackers = tuple(a for a, _ in t.state.turn.attackers if a in t.state.battlefield)
    defending = [p for p in t.state.from_active() if any(defender_of(t.state, a) == p for a in attackers)]
    pairs: list[tuple[int, int]] = []
    for player in defending:
        mine = [n for n in t.state.permanents(player) if t.state.look(n).is_a("creature")]
        for place, number in enumerate(mine):
            rest = mine[place + 1 :]

            def why(answer: Any, number: int = number, rest: list[int] = rest) -> Illegal | None:
                return _refusal_of_declaration(t, pairs, number, answer, rest)

            options = tuple(each for each in ("no", *attackers) if why(each) is None)
            if options == ("no",) and not t.declaring:
                continue

            t.frame = Frame(t, player, number)
            prompt = f"block with {t.word_of(number)}?"
            chosen = yield from t.ask(
                player, "block", options, rule="509.1a", prompt=prompt, why=why, always=t.declaring
            )
            if chosen != "no":
                pairs.append((number, chosen))
    yield from _blocked(t, attackers, pairs)


def _blocking(pairs: list[tuple[int, int]], attacker: int) -> int:
    return sum(a == attacker for _, a in pairs)


def _refusal_of_declaration(
    t: Table, pairs: list[tuple[int, int]], number: int, answer: int | str | None, rest: list[int]
) -> Illegal | None:
    """Return why a creature cannot block so, or not block, beside what is declared already (509.1b), or None.

    Args:
        t: The table before the declaration.
        pairs: The blockers declared so far with what they block.
        number: The creature.
        answer: What it would block, or "no".
        rest: The creatures that have not been asked about.
    """
    state, player = t.state, t.state.look(number).controller
    if isinstance(answer, int):
        refusal = refusal_to_block(state, number, answer)
        if refusal is not None:
            return refusal
        pairs = [*pairs, (number, answer)]
        if _too_many(state, pairs, answer):
            return Illegal("509.1b", f"{player} cannot block {t.word_of(answer)} with more than one creature.")
    alone = _without_company(state, pairs, rest)
    if alone is None:
        return None
    told = f"{player} cannot block {t.word_of(alone)} with one creature alone: it has menace"
    return Illegal("702.111b", f"{told}, and no other creature could join.")


def refusal_of_blocks(state: State, pairs: list[tuple[int, int]]) -> Illegal | None:
    """Return which rule a whole declaration of blockers breaks (509.1b), or None.

    Args:
        state: The state before the declaration.
        pairs: Each blocker with what it blocks.
    """
    for number, attacker in pairs:
        refusal = refusal_to_block(state, number, attacker)
        if refusal is not None:
            return refusal
    for number, attacker in pairs:
        start = f"{state.look(number).controller} cannot block {state.name(attacker)} with"
        if _too_many(state, pairs, attacker):
            return Illegal("509.1b", f"{start} more than one creature.")
        if _blocking(pairs, attacker) == 1 and state.look(attacker).has("menace"):
            return Illegal("702.111b", f"{start} {state.name(number)} alone: it has menace.")
    return None


def _too_many(state: State, pairs: list[tuple[int, int]], attacker: int) -> bool:
    return _blocking(pairs, attacker) > 1 and bool(state.look(attacker).ruled("can't be blocked by many"))


def _without_company(state: State, pairs: list[tuple[int, int]], rest: list[int]) -> int | None:
    """Return a creature with menace and one blocker that cannot get another, a creature of its own (702.111b)."""
    joins: dict[int, int] = {}

    def finds(attacker: int, asked: set[int]) -> bool:
        for number in rest:
            if number not in asked and refusal_to_block(state, number, attacker) is None:
                asked.add(number)
                if number not in joins or finds(joins[number], asked):
                    joins[number] = attacker
                    return True
        return False

    lonely = [a for a in dict.fromkeys(a for _, a in pairs) if _blocking(pairs, a) == 1 and state.look(a).has("menace")]
    left = (a for a in lonely if state.look(a).ruled("can't be blocked by many") or not finds(a, set()))
    return next(left, None)


def _blocked(t: Table, attackers: tuple[int, ...], pairs: list[tuple[int, int]]) -> Run[None]:
    blocked = tuple(a for a in attackers if _blocking(pairs, a))
    t.change_turn(blockers=tuple(pairs), blocked=blocked)
    t.cause = -1  # a player's own doing
    first: dict[int, int] = {}
    for number, attacker in pairs:
        player = t.state.look(number).controller
        logged = yield from t.did(Event("blocks", player, (number,), to=attacker, rule="509.1"))
        first.setdefault(attacker, logged.number)
    for attacker in blocked:
        by = (("by", tuple(n for n, a in pairs if a == attacker)),)
        became = Event("becomes blocked", t.state.turn.active, (attacker,), rule="509.1h", detail=by)
        yield from t.did(became.but(cause=first[attacker]))


def withdraw(t: Table, removed: tuple[int, ...] = ()) -> None:
    """Remove from combat what is no creature any more, has changed sides, phased out or left (506.4, 506.4a).

    Args:
        t: The table.
        removed: What an effect removes from combat besides.
    """
    state, turn = t.state, t.state.turn
    if not turn.attackers and not turn.blockers:
        return

    def stays(number: int, side: str | None) -> bool:
        return number not in removed and _still_fights(state, number, side)

    gone = tuple((a, whom) for a, whom in turn.attackers if not stays(a, turn.active))
    kept = tuple((b, a) for b, a in turn.blockers if stays(b, defender_of(state, a)))
    if gone or len(kept) < len(turn.blockers):
        attackers = tuple(pair for pair in turn.attackers if pair not in gone)
        t.change_turn(attackers=attackers, blockers=kept, withdrawn=(*turn.withdrawn, *gone))


def _still_fights(state: State, number: int, side: str | None) -> bool:
    if number not in state.battlefield:
        return False
    seen = state.look(number)
    return seen.is_a("creature") and (side is None or seen.controller == side)


def strikes_first(state: State) -> bool:
    """Return whether there is a first-strike combat damage step (510.4)."""
    return any(state.look(n).has("first strike") or state.look(n).has("double strike") for n in _fighters(state))


def _fighters(state: State) -> tuple[int, ...]:
    found = (*(a for a, _ in state.turn.attackers), *(b for b, _ in state.turn.blockers))
    return tuple(n for n in found if n in state.battlefield)


def deal_combat_damage(t: Table, first: bool) -> Run[None]:
    """Assign and deal combat damage of one step at once (510.1, 510.2).

    Args:
        t: The table.
        first: Whether this is the step of first and double strike.
    """
    from rulekit.engine.damage import deal

    state = t.state
    t.rule = "510.2"
    t.cause = next((event.number for event in state.history() if event.kind == "attack"), -1)
    assignments: list[tuple[int, int | str, int]] = []
    striking = tuple(n for n in _fighters(state) if _strikes(state, n, first))
    for number in striking:
        power = max(0, state.look(number).power or 0)
        if power and number in dict(state.turn.attackers):
            assignments += yield from _assign(t, number, power)
        elif power:
            attacker = dict(state.turn.blockers)[number]
            if attacker in dict(state.turn.attackers) and attacker in state.battlefield:
                assignments.append((number, attacker, power))
    if first:
        t.change_turn(struck=striking)
    yield from deal(t, assignments, combat=True)


def _strikes(state: State, number: int, first: bool) -> bool:
    seen = state.look(number)
    quick = seen.has("first strike") or seen.has("double strike")
    if first:
        return quick
    return seen.has("double strike") or number not in state.turn.struck


def _assign(t: Table, number: int, power: int) -> Run[list[tuple[int, int | str, int]]]:
    """Assign an attacker's damage (510.1c, 702.19b-d)."""
    state = t.state
    seen = state.look(number)
    goal = dict(state.turn.attackers)[number]
    reachable = goal in defendable(state)  # what is attacked may have become something else (506.4c)
    blockers = [b for b, a in state.turn.blockers if a == number and b in state.battlefield]
    if number not in state.turn.blocked:
        return [(number, goal, power)] if reachable else []
    if not blockers:
        return [(number, goal, power)] if seen.has("trample") and reachable else []
    spill = seen.has("trample") and reachable
    if len(blockers) == 1 and not spill:
        return [(number, blockers[0], power)]
    t.frame = Frame(t, seen.controller, number)
    shares: list[tuple[int, int | str, int]] = []
    left, lethal_so_far = power, True
    for place, blocker in enumerate(blockers):
        lethal = lethal_damage(state, number, blocker)
        if place < len(blockers) - 1:
            options = list(range(left + 1))
        elif spill and lethal_so_far:  # only with lethal damage to all blockers any goes to the player (702.19b)
            options = list(range(min(left, lethal), left + 1))
        else:
            options = [left]
        usual = min(left, lethal)  # what a player would mostly assign stands first
        options = [usual, *(n for n in options if n != usual)] if usual in options else options
        prompt = f"combat damage of {t.word_of(number)} to {t.word_of(blocker)}, {left} left"
        share = yield from t.ask(seen.controller, "divide", options, rule="510.1c", prompt=prompt)
        shares.append((number, blocker, share))
        lethal_so_far = lethal_so_far and share >= lethal
        left -= share
    if left:
        shares.append((number, goal, left))
    return [entry for entry in shares if entry[2]]


def lethal_damage(state: State, source: int, number: int) -> int:
    """Return how much damage of a source is lethal for a creature (702.2c, 120.4a)."""
    if state.look(source).has("deathtouch"):
        return 1
    thing = state.objects[number]
    return max(0, (state.look(number).toughness or 0) - thing.damage)
