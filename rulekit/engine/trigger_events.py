"""The words for what triggered abilities wait for (603.2): events, whom they happen to, and what is then said.

Each event that the words here know, and what it carries (`Table.did` brings it to `triggers`):

================ ====================================================================================================
moved            moves: every change of zone made at the same time; ``did`` gets the State before it
damage           source; to: a player or permanent; n; combat: one event for each source and receiver
damage dealt     combat; detail ``dealt``: (source, to, n) of all damage dealt at the same time
attacks          player: the attacking one; objects: the attacker; to: whom
blocks           player: the defending one; objects: the blocker; to: the attacker
becomes blocked  objects: the attacker; detail ``by``: the blockers
attached         objects: what was attached; to: its new host
unattached       objects: what came off; to: its host until then; ``did`` gets the State before it
targeted         player; objects: what became a target; source: the spell or ability on the stack
cast             player; objects: the spell
milled, discarded, drew    player; objects: the cards where they went
sacrificed       player; objects: the permanents, still on the battlefield
token created    player; objects: the tokens (their entering is an event "moved")
tapped, untapped, phased out, phased in, transformed    objects
life gained, life lost    player; n
gift given, shuffled, searched, scried, surveilled, lost    player
step             player: the active one; its step is ``state.turn.step``
================ ====================================================================================================

A match says what the words of the effect refer to: "it" (whom it happened to), "that" (the other object of the event:
what was dealt damage, what it was attached to, what targets it), "player" (that player), "number" (that many, that
much). What players do and the beginnings of steps are in `player_events`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulekit.engine.abilities import WORDS, Term, word
from rulekit.engine.events import Event, Move
from rulekit.engine.filters import all_of, say_filter
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.layers import rules
from rulekit.engine.state import State

Said = dict[str, Any]
Happened = list[dict[int, Said]]  # what one event did at once: each object, and what else is said of it
YOU = Term("you")


def matches(frame: Frame, event: Event, term: Term) -> list[Said]:
    """Return what an event term finds in an event, one match for each time that it triggers (603.2c)."""
    found: list[Said] = WORDS[term.op].body(frame, event, *term.args)
    return found


def groups(frame: Frame, numbers: Iterable[int], who: Term) -> list[tuple[int, ...]]:
    """Return those of some objects that a term of the sort "watched" means, one group for each time it triggers."""
    found: list[tuple[int, ...]] = WORDS[who.op].body(frame, tuple(numbers), *who.args)
    return found


def received(frame: Frame, to: int | str | None, whom: Term) -> bool:
    """Return whether a player or permanent is such a receiver of damage."""
    return to is not None and bool(WORDS[whom.op].body(frame, to, *whom.args))


# ---------------------------------------------------------------- who is watched


@word("watched", "(a|an) {what:filter}", op="watch each")
def watch_each(frame: Frame, numbers: tuple[int, ...], what: Any) -> list[tuple[int, ...]]:
    """Match each such object for itself (603.2c)."""
    return [(number,) for number in numbers if frame.fits(what, number)]


@word("watched", "one or more {what:filter}", op="watch some")
def watch_some(frame: Frame, numbers: tuple[int, ...], what: Any) -> list[tuple[int, ...]]:
    """Match all such objects of one event together (603.2c)."""
    found = tuple(number for number in numbers if frame.fits(what, number))
    return [found] if found else []


GRAMMAR.rule("watched", "another {what:filter}", lambda what: Term("watch each", (all_of(Term("other"), what),)))
GRAMMAR.sayers["watch each"] = lambda term: say_filter(term.args[0], first="a")
GRAMMAR.sayers["watch some"] = lambda term: "one or more " + say_filter(term.args[0], many=True)


def _watch_these(which: Term) -> Term | None:
    """Return who is watched, unless that is one thing "or another" of a kind, which is two."""
    if which.op == "together":
        return None
    several = (term for term in which.walk() if which.op == "each" and term.op == "any of")
    mixed = any(Term("other") in part.walk() for term in several for part in term.args[0])
    return None if mixed else Term("watch these", (which,))


GRAMMAR.rule("watched", "{which:objects}", _watch_these)
GRAMMAR.sayers["watch these"] = lambda term: GRAMMAR.say(term.args[0])


@word("watched", op="watch these")
def watch_these(frame: Frame, numbers: tuple[int, ...], which: Any) -> list[tuple[int, ...]]:
    """Match certain objects, such as this or the equipped creature, each for itself."""
    meant = frame.objects(which)
    return [(number,) for number in numbers if number in meant]


@word("watched", "{one:watched} or {other:watched}", op="watch either")
def watch_either(frame: Frame, numbers: tuple[int, ...], one: Term, other: Term) -> list[tuple[int, ...]]:
    """Match what fits one of two descriptions, each object once."""
    return list(dict.fromkeys((*groups(frame, numbers, one), *groups(frame, numbers, other))))


@word("watched", "{one:watched} and {other:watched}", op="watch both")
def watch_both(frame: Frame, numbers: tuple[int, ...], one: Term, other: Term) -> list[tuple[int, ...]]:
    """Match objects of one event together if some of them fit one description and others the second."""
    first = [number for group in groups(frame, numbers, one) for number in group]
    second = [number for group in groups(frame, numbers, other) for number in group]
    pair = first and second and len({*first, *second}) > 1
    return [tuple(dict.fromkeys((*first, *second)))] if pair else []


# ---------------------------------------------------------------- events, joined and counted

GRAMMAR.alias("event", "(when|whenever|at) {event:event}")


@word("event", "{one:event}[,] or {other:event}", "{one:event}[,] and (when|whenever|at) {other:event}", op="either")
def either(frame: Frame, event: Event, one: Term, other: Term) -> list[Said]:
    """Wait for two events; one event that is both triggers once."""
    found = matches(frame, event, one)
    return found + [said for said in matches(frame, event, other) if said not in found]


@word("event", "{what:event} for the first time each turn", op="first each turn")
def first_each_turn(frame: Frame, event: Event, what: Term) -> list[Said]:
    """Wait for the first such event of a turn."""
    now = matches(frame, event, what)
    earlier = (past for past in frame.state.history() if past.kind == event.kind and past.number < event.number)
    return now[:1] if now and not any(matches(frame, past, what) for past in earlier) else []


@word("event", "{who:watched} {does:deed}", op="watches")
def watches(frame: Frame, event: Event, who: Term, does: Term) -> list[Said]:
    """Wait for something that happens to certain objects or to any of a kind."""
    together = who.op in ("watch some", "watch both")
    if together and event.kind == "attacks":  # all attackers are declared at once (508.1)
        attackers = tuple(number for number, _ in frame.state.turn.attackers)
        if event.objects[:1] != attackers[:1]:
            return []
        event = event.but(objects=attackers)
    if event.kind in ("damage", "damage dealt") and together != (event.kind == "damage dealt"):
        return []
    happened: Happened = WORDS[does.op].body(frame, event, *does.args)
    found = []
    for at_once in happened:
        for group in groups(frame, at_once, who):
            said: Said = {}
            for number in group:
                for name, value in ({"it": (number,)} | at_once[number]).items():
                    said[name] = _together(said[name], value) if name in said else value
            found.append(said)
    return found


def _together(one: Any, other: Any) -> Any:
    return one + other if isinstance(one, int) else tuple(dict.fromkeys((*one, *other)))


# ---------------------------------------------------------------- changes of zone


@word("deed", "(enters|enter)",
    "(enters|enter) the battlefield",
      ("(enters|enter) [the battlefield] under your control", {"whose": YOU}),
      "(enters|enter) [the battlefield] under {whose:players}'s control",
      "(enters|enter) [the battlefield] from {origin:pile}",
      rule="603.6a", op="it enters", kinds=("moved",))  # fmt: skip
def it_enters(frame: Frame, event: Event, whose: Term | None = None, origin: Term | None = None) -> Happened:
    """Wait for permanents to enter the battlefield, the new ones included (603.6a)."""
    state = frame.state
    moves = [m for m in event.moves if m.to == "battlefield" and m.new is not None and m.new in state.objects]
    if origin is not None:
        moves = [m for m in moves if m.origin == origin.args[0] and _of_pile(frame, origin, m.owner)]
    arrived = [m.new for m in moves if m.new is not None]
    if whose is not None:
        arrived = [number for number in arrived if state.look(number).controller in frame.players(whose)]
    silent = rules(state, "entering triggers nothing") if arrived else []
    arrived = [n for n in arrived if not any(at.fits(term.args[0], n) for term, at in silent)]
    return _each_with_controller(state, arrived, entered=True)


def _each_with_controller(state: State, numbers: list[int], entered: bool = False) -> Happened:
    found: dict[int, Said] = {number: {"player": (state.look(number).controller,)} for number in numbers}
    for number, said in found.items():
        if entered:
            said["_entered"] = (number,)
    return [found] if found else []


def _left(frame: Frame, event: Event, origin: str, to: str = "") -> list[Move]:
    """Return the moves out of a zone, of objects that the State before still has."""
    here = frame.state.objects
    return [m for m in event.moves if m.origin == origin != m.to and (not to or m.to == to) and m.old in here]


@word("deed", "(dies|die)", "(is|are) put into a graveyard from the battlefield", rule="700.4", op="it dies",
      kinds=("moved",), back=True)  # fmt: skip
def it_dies(frame: Frame, event: Event) -> Happened:
    """Wait for permanents to be put into a graveyard from the battlefield, as they last were (700.4, 603.10a)."""
    gone = _left(frame, event, "battlefield", "graveyard")
    return _each_with_controller(frame.state, [move.old for move in gone])


@word("deed", "(leaves|leave) the battlefield", rule="603.6c", op="it leaves the battlefield", kinds=("moved",),
      back=True)  # fmt: skip
def it_leaves(frame: Frame, event: Event) -> Happened:
    """Wait for permanents to leave the battlefield, as they last were (603.6c, 603.10a)."""
    return _each_with_controller(frame.state, [move.old for move in _left(frame, event, "battlefield")])


def _of_pile(frame: Frame, where: Term, owner: str) -> bool:
    whose = where.args[1]
    return whose is None or owner in frame.players(whose)


@word("deed", "(leaves|leave) {where:pile}", rule="603.10a", op="it leaves a zone", kinds=("moved",), back=True,
      where=lambda where: (where.args[0],))  # fmt: skip
def it_leaves_a_zone(frame: Frame, event: Event, where: Term) -> Happened:
    """Wait for cards to leave a graveyard, as they last were there (603.10a)."""
    gone = [m for m in _left(frame, event, where.args[0]) if m.card and _of_pile(frame, where, m.owner)]
    return [{m.old: {"player": (m.owner,)} for m in gone}] if gone else []


@word("deed", "(is|are) put into {where:pile} [from anywhere]",
      ("(is|are) put into {where:pile} from anywhere other than the battlefield", {"but": "battlefield"}),
      "(is|are) put into {where:pile} from {origin:pile}",
      rule="603.6c", op="it is put into a zone", kinds=("moved",),
      where=lambda where, origin, but: (where.args[0],))  # fmt: skip
def it_is_put(frame: Frame, event: Event, where: Term, origin: Term | None = None, but: str = "") -> Happened:
    """Wait for cards to come into a graveyard, where they then are; this never looks back (603.6c, 603.10)."""
    zone = where.args[0]
    came: dict[int, Said] = {}
    for move in event.moves:
        fits = move.to == zone != move.origin != but and (origin is None or move.origin == origin.args[0])
        if fits and _of_pile(frame, where, move.owner) and move.new in frame.state.objects:
            came[move.new or 0] = {"player": (move.owner,)}
    return [came] if came else []


# ---------------------------------------------------------------- combat and damage


@word("deed", "(attacks|attack)", rule="508.3a", op="it attacks", kinds=("attacks",))
def it_attacks(frame: Frame, event: Event) -> Happened:
    """Wait for a creature to be declared as an attacker (508.3a); that player is the defending one."""
    whom = event.to
    side = whom if isinstance(whom, str) else frame.look(int(whom or 0)).controller
    return [{number: {"player": (side,)} for number in event.objects}]


@word("deed", "(attacks|attack) alone", rule="506.5", op="it attacks alone", kinds=("attacks",))
def it_attacks_alone(frame: Frame, event: Event) -> Happened:
    """Wait for a creature to be declared as the only attacker (506.5)."""
    return it_attacks(frame, event) if len(frame.state.turn.attackers) == 1 else []


@word("deed", "(blocks|block)", "(blocks|block) {what:watched}", rule="509.3a", op="it blocks", kinds=("blocks",))
def it_blocks(frame: Frame, event: Event, what: Term | None = None) -> Happened:
    """Wait for a creature to be declared as a blocker (509.3a), or as one of a certain attacker (509.3b)."""
    found = _each_with_controller(frame.state, list(event.objects))
    if what is None:
        return found
    if not isinstance(event.to, int) or not groups(frame, (event.to,), what):
        return []
    return [{number: said | {"that": (event.to,)} for number, said in at_once.items()} for at_once in found]


@word("deed", "(becomes|become) blocked", rule="509.3c", op="it becomes blocked", kinds=("becomes blocked",))
def it_becomes_blocked(frame: Frame, event: Event) -> Happened:
    """Wait for an attacker to become blocked, once however many block (509.3c)."""
    return _each_with_controller(frame.state, list(event.objects))


@word("deed", "(becomes|become) blocked by {what:watched}", rule="509.3d", op="it becomes blocked by",
      kinds=("becomes blocked",))  # fmt: skip
def it_becomes_blocked_by(frame: Frame, event: Event, what: Term) -> Happened:
    """Wait for an attacker to become blocked by certain creatures, once for each of them (509.3d)."""
    met = [number for group in groups(frame, event.get("by", ()), what) for number in group]
    return [{attacker: {"that": (blocker,), "player": (frame.look(attacker).controller,)}}
            for attacker in event.objects for blocker in met]  # fmt: skip


@word("deed", "(blocks|block) or (becomes|become) blocked by {what:watched}", rule="509.3d",
      op="it blocks or becomes blocked by", kinds=("blocks", "becomes blocked"))  # fmt: skip
def it_blocks_or_becomes_blocked_by(frame: Frame, event: Event, what: Term) -> Happened:
    """Wait for a creature to block a certain one or become blocked by it."""
    return (it_blocks if event.kind == "blocks" else it_becomes_blocked_by)(frame, event, what)


@word("deed", "(deals|deal) damage",
    "(deals|deal) damage to {whom:receiver}",
      ("(deals|deal) combat damage", {"combat": True}),
    ("(deals|deal) combat damage to {whom:receiver}", {"combat": True}),
      rule="603.2", op="it deals damage", kinds=("damage", "damage dealt"))  # fmt: skip
def it_deals_damage(frame: Frame, event: Event, whom: Term | None = None, combat: bool = False) -> Happened:
    """Wait for damage that sources deal; prevented damage is none (603.2g)."""
    if combat and not event.combat:
        return []
    dealt = event.get("dealt", ((event.source, event.to, event.n),))
    found: dict[str, dict[int, Said]] = {}
    for source, to, n in dealt:
        if not source or (whom is not None and not received(frame, to, whom)):
            continue
        player = to if isinstance(to, str) else frame.look(to).controller
        said = found.setdefault(player, {}).setdefault(source, {"player": (player,), "number": 0})
        said["number"] += n
        if isinstance(to, int) and whom is not None:
            said["that"] = (*said.get("that", ()), to)
    return list(found.values())


def _say_receiving(term: Term) -> str:
    """Say which player is dealt damage: one at a time, for each of whom it happens."""
    return {"each player": "a player", "each opponent": "an opponent"}.get(term.args[0].op) or GRAMMAR.say(term.args[0])


GRAMMAR.sayers["damage to a player"] = _say_receiving


@word("receiver", "{who:players}", op="damage to a player")
def damage_to_a_player(frame: Frame, to: int | str, who: Term) -> bool:
    """Match damage to a player, not to a planeswalker (120.3c)."""
    return isinstance(to, str) and to in frame.players(who)


@word("receiver", "{what:watched}", op="damage to an object")
def damage_to_an_object(frame: Frame, to: int | str, what: Term) -> bool:
    """Match damage to a permanent."""
    return isinstance(to, int) and bool(groups(frame, (to,), what))


@word("receiver", "{one:receiver} or {other:receiver}", op="damage to either")
def damage_to_either(frame: Frame, to: int | str, one: Term, other: Term) -> bool:
    """Match damage to one of two kinds of receivers."""
    return any(received(frame, to, each) for each in (one, other))


@word("deed", "(is|are) dealt damage", ("(is|are) dealt combat damage", {"combat": True}), rule="603.2",
      op="it is dealt damage", kinds=("damage",))  # fmt: skip
def it_is_dealt_damage(frame: Frame, event: Event, combat: bool = False) -> Happened:
    """Wait for damage to permanents."""
    if not isinstance(event.to, int) or (combat and not event.combat):
        return []
    return [{event.to: {"number": event.n, "player": (frame.look(event.to).controller,)}}]


@word("event", "{who:players} (is|are) dealt damage", ("{who:players} (is|are) dealt combat damage", {"combat": True}),
      rule="603.2", op="they are dealt damage", kinds=("damage",))  # fmt: skip
def they_are_dealt_damage(frame: Frame, event: Event, who: Term, combat: bool = False) -> list[Said]:
    """Wait for damage to a player."""
    if not isinstance(event.to, str) or event.to not in frame.players(who) or (combat and not event.combat):
        return []
    source = {"it": (event.source,)} if event.source else {}
    return [{"player": (event.to,), "number": event.n, **source}]


# ---------------------------------------------------------------- being attached, targeted, turned


@word(
    "deed", "(becomes|become) attached to {what:watched}", rule="603.2e", op="it becomes attached", kinds=("attached",)
)
def it_becomes_attached(frame: Frame, event: Event, what: Term) -> Happened:
    """Wait for the moment of attaching (603.2e)."""
    if not isinstance(event.to, int) or not groups(frame, (event.to,), what):
        return []
    return [{number: {"that": (event.to,)} for number in event.objects}]


@word("deed", "(becomes|become) unattached",
    "(becomes|become) unattached from {what:watched}", rule="701.3d", op="it becomes unattached",
      kinds=("unattached", "moved"), back=True)  # fmt: skip
def it_becomes_unattached(frame: Frame, event: Event, what: Term | None = None) -> Happened:
    """Wait for what is attached to come off, also because it or its host leaves (701.3d, 603.10c)."""
    loose = _come_off(frame.state, event)
    if what is not None:
        loose = {n: host for n, host in loose.items() if isinstance(host, int) and groups(frame, (host,), what)}
    found: dict[int, Said] = {n: {"that": (host,)} if isinstance(host, int) else {} for n, host in loose.items()}
    return [found] if found else []


def _come_off(state: State, event: Event) -> dict[int, int | str]:
    """Return what comes off with an event, and from what; a host that had left before was told of then."""
    if event.kind == "unattached":
        there = isinstance(event.to, str) or event.to in state.objects
        return dict.fromkeys(event.objects, event.to) if there and event.to is not None else {}
    gone = {move.old for move in event.moves if move.origin == "battlefield" != move.to}
    loose: dict[int, int | str] = {}
    for number in state.battlefield if gone else ():
        host = state.objects[number].attached_to
        if host is not None and (host in gone or (number in gone and (isinstance(host, str) or host in state.objects))):
            loose[number] = host
    return loose


def _happens_to(name: str, kind: str, phrase: str, rule: str, back: bool = False) -> None:
    """Declare a deed that is nothing but an event of one kind that happens to its objects."""

    def deed(frame: Frame, event: Event) -> Happened:
        known = [n for n in event.objects if n in frame.state.objects or n in frame.state.past]
        return _each_with_controller(frame.state, known)

    word("deed", phrase, rule=rule, op=name, kinds=(kind,), back=back)(deed)


_happens_to("it is milled", "milled", "(is|are) milled", "701.17a")
_happens_to("it becomes tapped", "tapped", "(becomes|become) tapped", "603.2e")
_happens_to("it becomes untapped", "untapped", "(becomes|become) untapped", "603.2e")
_happens_to("it phases in", "phased in", "(phases|phase) in", "702.26d")
_happens_to("it phases out", "phased out", "(phases|phase) out", "603.10a", back=True)
_happens_to("it transforms", "transformed", "(transforms|transform)", "701.27a")


@word("deed", "(becomes|become) the target of a spell or ability",
      ("(becomes|become) the target of a spell", {"spell": True}),
      "(becomes|become) the target of a spell or ability {who:players} (control|controls)",
      ("(becomes|become) the target of a spell {who:players} (control|controls)", {"spell": True}),
      rule="603.2", op="it becomes the target", kinds=("targeted",))  # fmt: skip
def it_becomes_the_target(frame: Frame, event: Event, who: Term | None = None, spell: bool = False) -> Happened:
    """Wait for being chosen as a target of what is on the stack; "that" is what targets it."""
    source = event.source
    if source is None or (spell and frame.state.get(source).kind == "ability"):
        return []
    by = event.player or frame.state.get(source).controller
    if who is not None and by not in frame.players(who):
        return []
    return [{number: {"that": (source,), "player": (by,)} for number in event.objects}]


@word("event", "{which:objects} becomes the target of a spell or ability an opponent controls", rule="702.21a",
      op="becomes the target of an opponent", kinds=("targeted",))  # fmt: skip
def becomes_the_target_of_an_opponent(frame: Frame, event: Event, which: Any) -> list[Said]:
    """Wait for an opponent to aim at something, as ward does (702.21a)."""
    happened = it_becomes_the_target(frame, event, Term("each opponent"))
    return [said for at_once in happened for number, said in at_once.items() if number in frame.objects(which)]


@word("event", "the last {kind:counter kind} counter is removed from {which:objects}", rule="603.2",
      op="the last counter is removed", kinds=("counters removed",))  # fmt: skip
def the_last_counter_is_removed(frame: Frame, event: Event, kind: str, which: Any) -> list[Said]:
    """Wait for the last counter of a kind to be removed from a certain object, wherever that is."""
    if event.get("kind") != kind:
        return []
    meant = frame.objects(which)
    return [{"it": (n,)} for n in event.objects if n in meant and frame.state.get(n).count(kind) == 0]


@word("deed", "{one:deed} or {other:deed}", op="it does either")
def it_does_either(frame: Frame, event: Event, one: Term, other: Term) -> Happened:
    """Wait for one deed or another of the same object."""
    return [at_once for does in (one, other) for at_once in WORDS[does.op].body(frame, event, *does.args)]
