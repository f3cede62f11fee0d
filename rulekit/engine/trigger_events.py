"""The words for what triggered abilities wait for (603.2): events, whom they happen to, and what is then said.

Each event that the words here know, and what it carries (`Table.did` brings it here):

============== ======================================================================================================
moved          moves: every change of zone made at the same time; ``did`` gets the State before it
token created  player; objects: the tokens, now on the battlefield (this is their entering; no "moved" is told of it)
damage         source; to: a player or object; n; combat; one event for each source and receiver
attacks        player: the attacking one; objects: all attackers declared; whom is in ``state.turn.attackers``
blocks         player: the defending one; objects: all blockers declared; whom is in ``state.turn.blockers``
attached       objects: what was attached; to: its new host
unattached     objects: what came off; to: its host until then
tapped, untapped, phased out, phased in, transformed     objects
targeted       objects and detail ``players``: what became a target; source: the spell or ability on the stack; player
cast           player; objects: the spell
milled, discarded    player; objects: the cards where they went
sacrificed     player; objects: the permanents as they were on the battlefield
drew           player; objects: the card drawn
life gained, life lost    player; n
gift given     player: who gave it
shuffled, searched, lost    player
step           player: the active one; its step is ``state.turn.step``
============== ======================================================================================================

A match says what the words of the effect refer to: "it" (what the event happened to), "that" (the other object of the
event, such as what was dealt damage or what it was attached to, else the same), "player" (that player), "n" (that many,
that much) and "spell" (what targets).
"""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import WORDS, Term, word
from rulekit.engine.events import Event, Move
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.layers import rules
from rulekit.engine.state import STEPS, State

Said = dict[str, Any]
Happened = list[dict[int, Said]]  # what one event did at once: each object, and what else is said of it


def matches(frame: Frame, event: Event, term: Term) -> list[Said]:
    """Return what an event term finds in an event, one match for each time that it triggers (603.2c)."""
    found: list[Said] = WORDS[term.op].body(frame, event, *term.args)
    return found


# ---------------------------------------------------------------- who is watched


@word("watched", "(a|an) {what:filter}", ("another {what:filter}", {"other": True}), op="each one")
def each_one(frame: Frame, numbers: tuple[int, ...], what: Any, other: bool = False) -> list[tuple[int, ...]]:
    """Match each such object for itself (603.2c)."""
    return [(n,) for n in numbers if frame.fits(what, n) and not (other and n == frame.this)]


@word("watched", "one or more {what:filter}", ("one or more other {what:filter}", {"other": True}), op="some")
def some(frame: Frame, numbers: tuple[int, ...], what: Any, other: bool = False) -> list[tuple[int, ...]]:
    """Match all such objects of one event together (603.2c)."""
    found = tuple(n for n in numbers if frame.fits(what, n) and not (other and n == frame.this))
    return [found] if found else []


@word("watched", "{which:objects}", op="these")
def these(frame: Frame, numbers: tuple[int, ...], which: Any) -> list[tuple[int, ...]]:
    """Match certain objects, such as this or the equipped creature, each for itself (603.2c)."""
    meant = frame.objects(which)
    return [(number,) for number in numbers if number in meant]


@word("whose", "your", ("your next", {}), op="yours")
def yours(frame: Frame) -> tuple[str, ...]:
    """Mean the player whose ability it is (109.5)."""
    return (frame.you,)


@word("whose", "each player's", "a player's", "each", "a", "the", "the next", "any player's", op="anyone's")
def anyones(frame: Frame) -> tuple[str, ...]:
    """Mean every player."""
    return frame.state.in_game


@word("whose", "each opponent's", "an opponent's", op="an opponent's")
def an_opponents(frame: Frame) -> tuple[str, ...]:
    """Mean each opponent (102.3)."""
    return frame.state.opponents(frame.you)


@word("whose", "{who:players}'s", "each of {who:players}'s", op="of players")
def of_players(frame: Frame, who: Any) -> tuple[str, ...]:
    """Mean certain players, such as the enchanted one."""
    return frame.players(who)


@word("anyone", "you", op="you yourself")
def you_yourself(frame: Frame) -> tuple[str, ...]:
    """Mean the player whose ability it is."""
    return (frame.you,)


@word("anyone", "a player", "any player", "each player", op="any player")
def any_player(frame: Frame) -> tuple[str, ...]:
    """Mean every player."""
    return frame.state.in_game


@word("anyone", "an opponent", "any opponent", "each opponent", op="any opponent")
def any_opponent(frame: Frame) -> tuple[str, ...]:
    """Mean each opponent."""
    return frame.state.opponents(frame.you)


@word("anyone", "{who:players}", op="certain players")
def certain_players(frame: Frame, who: Any) -> tuple[str, ...]:
    """Mean certain players, such as the enchanted one."""
    return frame.players(who)


def meant(frame: Frame, who: Term) -> tuple[str, ...]:
    """Return the players that a term of the sort "whose" or "anyone" means."""
    found: tuple[str, ...] = WORDS[who.op].body(frame, *who.args)
    return found


# ---------------------------------------------------------------- events, joined and counted

GRAMMAR.alias("event", "(when|whenever|at) {event:event}")


@word("event", "{one:event}[,] or {other:event}", "{one:event}[,] or (when|whenever|at) {other:event}", op="either")
def either(frame: Frame, event: Event, one: Term, other: Term) -> list[Said]:
    """Wait for two events; one event that is both triggers once."""
    found = matches(frame, event, one)
    return found + [said for said in matches(frame, event, other) if said not in found]


@word("event", "{what:event} for the first time each turn", rule="603.2", op="first each turn")
def first_each_turn(frame: Frame, event: Event, what: Term) -> list[Said]:
    """Wait for the first such event of a turn."""
    now = matches(frame, event, what)
    if not now:
        return []
    for earlier in frame.state.history():
        if earlier.number != event.number and earlier.kind == event.kind and matches(frame, earlier, what):
            return []
    return now[:1]


@word("event", "{who:watched} {does:deed}", op="watches")
def watches(frame: Frame, event: Event, who: Term, does: Term) -> list[Said]:
    """Wait for something that happens to certain objects or to any of a kind."""
    happened: Happened = WORDS[does.op].body(frame, event, *does.args)
    found = []
    for at_once in happened:
        for group in WORDS[who.op].body(frame, tuple(at_once), *who.args):
            said: Said = {"it": group, "that": group}
            for number in group:
                for name, value in at_once[number].items():
                    said[name] = _together(said.get(name) if name != "that" or number != group[0] else None, value)
            found.append(said)
    return found


def _together(one: Any, other: Any) -> Any:
    if one is None:
        return other
    return one + other if isinstance(one, int) else tuple(dict.fromkeys((*one, *other)))


# ---------------------------------------------------------------- what happens to objects


@word("deed", "{one:deed}[,] or {other:deed}", op="does either")
def does_either(frame: Frame, event: Event, one: Term, other: Term) -> Happened:
    """Wait for one deed or another of the same object."""
    first: Happened = WORDS[one.op].body(frame, event, *one.args)
    second: Happened = WORDS[other.op].body(frame, event, *other.args)
    return first + second


@word("deed", "enters [the battlefield]", "enter [the battlefield]",
      "(enters|enter) [the battlefield] under {whose:whose} control",
      rule="603.6a", kinds=("moved", "token created"))  # fmt: skip
def enters(frame: Frame, event: Event, whose: Term | None = None) -> Happened:
    """Wait for permanents to enter the battlefield, the new ones included (603.6a)."""
    state = frame.state
    if event.kind == "token created":
        arrived = [number for number in event.objects if number in state.objects]
    else:
        arrived = [m.new for m in event.moves if m.to == "battlefield" and m.new is not None and m.new in state.objects]
    if whose is not None:
        arrived = [number for number in arrived if state.look(number).controller in meant(frame, whose)]
    silent = rules(state, "entering triggers nothing")
    arrived = [n for n in arrived if not any(at.fits(term.args[0], n) for term, at in silent)]
    return [{n: {"player": (state.look(n).controller,), "_entered": (n,)} for n in arrived}] if arrived else []


def _left(event: Event, origin: str, to: str = "") -> list[Move]:
    return [m for m in event.moves if m.origin == origin and (not to or m.to == to) and m.to != m.origin]


@word("deed", "dies", "die", "(is|are) put into a graveyard from the battlefield", rule="700.4", kinds=("moved",),
      back=True)  # fmt: skip
def dies(frame: Frame, event: Event) -> Happened:
    """Wait for permanents to be put into a graveyard from the battlefield, as they last were (700.4, 603.10a)."""
    gone = [m.old for m in _left(event, "battlefield", "graveyard") if m.old in frame.state.objects]
    return [{number: {"player": (frame.look(number).controller,)} for number in gone}] if gone else []


@word("deed", "(leaves|leave) the battlefield", rule="603.6c", kinds=("moved",), back=True, op="leaves")
def leaves(frame: Frame, event: Event) -> Happened:
    """Wait for permanents to leave the battlefield, as they last were (603.6c, 603.10a)."""
    gone = [m.old for m in _left(event, "battlefield") if m.old in frame.state.objects]
    return [{number: {"player": (frame.look(number).controller,)} for number in gone}] if gone else []


@word("deed", "(leaves|leave) {whose:whose} graveyard", rule="603.10a", kinds=("moved",), back=True,
      op="leaves a graveyard", where=lambda whose: ("graveyard",))  # fmt: skip
def leaves_a_graveyard(frame: Frame, event: Event, whose: Term) -> Happened:
    """Wait for cards to leave a graveyard, as they last were (603.10a)."""
    owners = meant(frame, whose)
    gone = [m for m in _left(event, "graveyard") if m.card and m.owner in owners]
    return [{m.old: {"player": (m.owner,)} for m in gone}] if gone else []


def _buried_zones(whose: Term, origin: str = "", other: str = "") -> tuple[str, ...]:
    return ("graveyard",)


@word("deed", "(is|are) put into {whose:whose} graveyard from anywhere",
      ("(is|are) put into {whose:whose} graveyard from anywhere other than the battlefield", {"other": "battlefield"}),
      ("(is|are) put into {whose:whose} graveyard from (your|their|a|that player's|a player's) library",
       {"origin": "library"}),
      ("(is|are) put into {whose:whose} graveyard from (your|their|a|that player's|a player's) hand",
       {"origin": "hand"}),
      "(is|are) put into {whose:whose} graveyard",
      rule="603.6c", kinds=("moved",), op="is put into a graveyard", where=_buried_zones)  # fmt: skip
def is_put_into_a_graveyard(frame: Frame, event: Event, whose: Term, origin: str = "", other: str = "") -> Happened:
    """Wait for cards to come into a graveyard, where they then are; this never looks back (603.6c, 603.10)."""
    owners = meant(frame, whose)
    came: dict[int, Said] = {}
    for move in event.moves:
        fits = move.to == "graveyard" and (not origin or move.origin == origin) and move.origin not in (other, move.to)
        if fits and move.owner in owners and move.new is not None and move.new in frame.state.objects:
            came[move.new] = {"player": (move.owner,)}
    return [came] if came else []


def _defender(state: State, target: int | str) -> str:
    return target if isinstance(target, str) else state.look(target).controller


@word("deed", "attacks", "attack", rule="508.3a", kinds=("attacks",))
def attacks(frame: Frame, event: Event) -> Happened:
    """Wait for creatures to be declared as attackers (508.3a)."""
    whom = dict(frame.state.turn.attackers)
    sides = {n: _defender(frame.state, whom[n]) for n in event.objects if n in whom}
    return [{n: {"player": (side,), "defending player": (side,)} for n, side in sides.items()}] if sides else []


@word("deed", "blocks", "block", rule="509.3a", kinds=("blocks",))
def blocks(frame: Frame, event: Event) -> Happened:
    """Wait for creatures to be declared as blockers (509.3a)."""
    pairs = [pair for pair in frame.state.turn.blockers if pair[0] in event.objects]
    found: dict[int, Said] = {}
    for blocker, attacker in pairs:
        found[blocker] = {"that": (*found.get(blocker, {}).get("that", ()), attacker)}
    return [found] if found else []


@word("deed", "becomes blocked", "become blocked", "is blocked", rule="509.3c", kinds=("blocks",))
def becomes_blocked(frame: Frame, event: Event) -> Happened:
    """Wait for attackers to become blocked, once however many block (509.3c)."""
    found: dict[int, Said] = {}
    for blocker, attacker in frame.state.turn.blockers:
        if blocker in event.objects:
            found[attacker] = {"that": (*found.get(attacker, {}).get("that", ()), blocker)}
    return [found] if found else []


@word("deed", "(deals|deal) damage [to {whom:receiver}]",
      ("(deals|deal) combat damage [to {whom:receiver}]", {"combat": True}),
      rule="603.2", kinds=("damage",), op="deals damage")  # fmt: skip
def deals_damage(frame: Frame, event: Event, whom: Term | None = None, combat: bool = False) -> Happened:
    """Wait for damage that sources deal; prevented damage is none (603.2g)."""
    if event.source is None or (combat and not event.combat) or event.n < 1 or event.to is None:
        return []
    if whom is not None and not WORDS[whom.op].body(frame, event.to, *whom.args):
        return []
    said: Said = {"n": event.n}
    if isinstance(event.to, str):
        said["player"] = (event.to,)
    else:
        said["that"] = (event.to,)
        said["player"] = (frame.look(event.to).controller,)
    return [{event.source: said}]


@word("receiver", "{who:anyone}", op="dealt to a player")
def dealt_to_a_player(frame: Frame, to: int | str, who: Term) -> bool:
    """Match damage to a player, not to a planeswalker (120.3c)."""
    return isinstance(to, str) and to in meant(frame, who)


@word("receiver", "{what:watched}", op="dealt to an object")
def dealt_to_an_object(frame: Frame, to: int | str, what: Term) -> bool:
    """Match damage to a permanent."""
    return isinstance(to, int) and bool(WORDS[what.op].body(frame, (to,), *what.args))


@word("deed", "(is|are) dealt damage", ("(is|are) dealt combat damage", {"combat": True}), rule="603.2",
      kinds=("damage",))  # fmt: skip
def is_dealt_damage(frame: Frame, event: Event, combat: bool = False) -> Happened:
    """Wait for damage to permanents."""
    if not isinstance(event.to, int) or (combat and not event.combat) or event.n < 1:
        return []
    source = {"that": (event.source,)} if event.source is not None else {}
    return [{event.to: {"n": event.n, "player": (frame.look(event.to).controller,), **source}}]


@word("deed", "(becomes|become) attached to {what:watched}", rule="603.2e", kinds=("attached",))
def becomes_attached(frame: Frame, event: Event, what: Term) -> Happened:
    """Wait for the moment of attaching (603.2e)."""
    if not isinstance(event.to, int) or not WORDS[what.op].body(frame, (event.to,), *what.args):
        return []
    return [{number: {"that": (event.to,)} for number in event.objects}]


@word("deed", "(becomes|become) unattached from {what:watched}", "(becomes|become) unattached", rule="701.3d",
      kinds=("unattached", "moved"), back=True)  # fmt: skip
def becomes_unattached(frame: Frame, event: Event, what: Term | None = None) -> Happened:
    """Wait for what is attached to come off, also because it or its host leaves (701.3d, 603.10c)."""
    state = frame.state
    loose: dict[int, int | str] = {}
    if event.kind == "unattached":
        if event.to is not None and (isinstance(event.to, str) or event.to in state.objects):
            loose = dict.fromkeys(event.objects, event.to)
    else:
        gone = {m.old for m in event.moves if m.origin == "battlefield" and m.to != "battlefield"}
        for number in state.battlefield if gone else ():
            host = state.objects[number].attached_to
            if (
                host is not None
                and (number in gone or host in gone)
                and (isinstance(host, str) or host in state.objects)
            ):
                loose[number] = host
    found = {}
    for number, host in loose.items():
        fits = what is None or (isinstance(host, int) and WORDS[what.op].body(frame, (host,), *what.args))
        if fits:
            found[number] = {"that": (host,)} if isinstance(host, int) else {"player": (host,)}
    return [found] if found else []


def _happens_to(name: str, kinds: tuple[str, ...], phrases: tuple[str, ...], rule: str, back: bool = False) -> None:
    """Declare a deed that is nothing but an event of one kind that happens to its objects."""

    def deed(frame: Frame, event: Event) -> Happened:
        state = frame.state
        known = [number for number in event.objects if number in state.objects or number in state.past]
        return [{number: {"player": (state.look(number).controller,)} for number in known}] if known else []

    word("deed", *phrases, rule=rule, op=name, kinds=kinds, back=back)(deed)


_happens_to("becomes tapped", ("tapped",), ("(becomes|become) tapped",), "603.2e")
_happens_to("becomes untapped", ("untapped",), ("(becomes|become) untapped",), "603.2e")
_happens_to("phases in", ("phased in",), ("phases in", "phase in"), "702.26d")
_happens_to("phases out", ("phased out",), ("phases out", "phase out"), "603.10a", back=True)
_happens_to("transforms", ("transformed",), ("transforms", "transform"), "701.27a")


@word("deed", "becomes the target of a spell or ability", ("becomes the target of a spell", {"spell": True}),
      ("becomes the target of a spell or ability {who:anyone} (control|controls)", {}),
      ("becomes the target of a spell {who:anyone} (control|controls)", {"spell": True}),
      rule="603.2", kinds=("targeted",), op="becomes the target")  # fmt: skip
def becomes_the_target(frame: Frame, event: Event, spell: bool = False, who: Term | None = None) -> Happened:
    """Wait for being chosen as a target of what is on the stack."""
    state = frame.state
    source = event.source
    if source is None or (spell and state.get(source).kind == "ability"):
        return []
    by = event.player or state.get(source).controller
    if who is not None and by not in meant(frame, who):
        return []
    return [{number: {"that": (source,), "spell": (source,), "player": (by,)} for number in event.objects}]


@word("event", "{which:objects} becomes the target of a spell or ability an opponent controls", rule="702.21a",
      kinds=("targeted",), op="becomes the target of an opponent")  # fmt: skip
def becomes_the_target_of_an_opponent(frame: Frame, event: Event, which: Any) -> list[Said]:
    """Wait for an opponent to aim at something, as ward does (702.21a)."""
    by = event.player or (frame.state.get(event.source).controller if event.source is not None else "")
    if event.source is None or by not in frame.state.opponents(frame.you):
        return []
    aimed = [number for number in frame.objects(which) if number in event.objects]
    return [{"it": (n,), "that": (event.source,), "spell": (event.source,), "player": (by,)} for n in aimed]


# ---------------------------------------------------------------- what players do


def _does(frame: Frame, event: Event, who: Term, what: Term | None = None) -> list[Said]:
    """Match an event of one of the players, once for each object or group of objects meant."""
    if event.player is None or event.player not in meant(frame, who):
        return []
    if what is None:
        return [{"player": (event.player,), "it": event.objects, "n": event.n}]
    known = tuple(n for n in event.objects if n in frame.state.objects or n in frame.state.past)
    groups: list[tuple[int, ...]] = WORDS[what.op].body(frame, known, *what.args)
    return [{"player": (event.player,), "it": group, "that": group, "n": len(group)} for group in groups]


def _done(name: str, kind: str, verbs: str, rule: str, **facts: Any) -> None:
    """Declare what a player does with objects, such as discarding or sacrificing them."""

    def done(frame: Frame, event: Event, who: Term, what: Term) -> list[Said]:
        return _does(frame, event, who, what)

    word("event", f"{{who:anyone}} {verbs} {{what:watched}}", rule=rule, op=name, kinds=(kind,), **facts)(done)


_done("casts", "cast", "(cast|casts)", "601.2i", where=lambda who, what: ("stack",))
_done("mills", "milled", "(mill|mills)", "701.17a")
_done("discards such", "discarded", "(discard|discards)", "701.9a", where=lambda who, what: ("graveyard", "exile"))
_done("sacrifices such", "sacrificed", "(sacrifice|sacrifices)", "701.21a", back=True)
_done("creates", "token created", "(create|creates)", "701.7a")


@word("event", "{who:anyone} (draw|draws) a card", rule="121.1", kinds=("drew",), op="draws")
def draws(frame: Frame, event: Event, who: Term) -> list[Said]:
    """Wait for each card that a player draws (121.2)."""
    said = _does(frame, event, who)
    return [{**one, "it": (number,)} for one in said for number in event.objects] if event.objects else said


_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_NTH = [(f"{{who:anyone}} (draw|draws) (your|their) {name} card each turn", {"nth": i + 1})
        for i, name in enumerate(_ORDINALS)]  # fmt: skip


@word("event", *_NTH, rule="121.2", kinds=("drew",), op="draws the nth")
def draws_the_nth(frame: Frame, event: Event, who: Term, nth: int = 1) -> list[Said]:
    """Wait for a player's second (third ...) card drawn in a turn."""
    earlier = sum(
        max(1, len(past.objects))
        for past in frame.state.history()
        if past.kind == "drew" and past.player == event.player and past.number < event.number
    )
    return _does(frame, event, who) if earlier < nth <= earlier + max(1, len(event.objects)) else []


def _undergoes(name: str, kind: str, verbs: str, rule: str) -> None:
    """Declare what happens to a player and concerns no object."""

    def undergone(frame: Frame, event: Event, who: Term) -> list[Said]:
        return _does(frame, event, who)

    word("event", f"{{who:anyone}} {verbs}", rule=rule, op=name, kinds=(kind,))(undergone)


_undergoes("gains life", "life gained", "(gain|gains) life", "119.9")
_undergoes("loses life", "life lost", "(lose|loses) life", "119.9")
_undergoes("gives a gift", "gift given", "(give|gives) a gift", "702.174c")
_undergoes("shuffles", "shuffled", "(shuffle|shuffles) (your|their) library", "701.24a")
_undergoes("searches", "searched", "(search|searches) (your|their) library", "701.23a")
_undergoes("loses the game", "lost", "(lose|loses) the game", "104.3")


@word("event", "{who:anyone} (attack|attacks)", "{who:anyone} (attack|attacks) with {what:watched}", rule="508.3d",
      kinds=("attacks",), op="attacks with")  # fmt: skip
def attacks_with(frame: Frame, event: Event, who: Term, what: Term | None = None) -> list[Said]:
    """Wait for a player to declare attackers (508.3d)."""
    return _does(frame, event, who, what) if event.objects else []


@word("event", "{who:anyone} (is|are) dealt damage", ("{who:anyone} (is|are) dealt combat damage", {"combat": True}),
      rule="603.2", kinds=("damage",), op="a player is dealt damage")  # fmt: skip
def a_player_is_dealt_damage(frame: Frame, event: Event, who: Term, combat: bool = False) -> list[Said]:
    """Wait for damage to a player."""
    if not isinstance(event.to, str) or event.to not in meant(frame, who) or (combat and not event.combat):
        return []
    source = (event.source,) if event.source is not None else ()
    return [{"player": (event.to,), "n": event.n, "it": source, "that": source}]


# ---------------------------------------------------------------- beginnings

_CALLED = {"draw": ("draw step",), "end": ("end step",), "precombat main": ("precombat main phase", "first main phase"),
           "postcombat main": ("postcombat main phase", "second main phase"), "beginning of combat": ("combat",),
           "untap": ("untap step",)}  # fmt: skip
_BEGINNINGS = [
    (f"[the] beginning of {{whose:whose}} {called}", {"step": step})
    for step in STEPS
    for called in _CALLED.get(step, (step,))
]


@word("event", *_BEGINNINGS, ("[the] beginning of combat on {whose:whose} turn", {"step": "beginning of combat"}),
      rule="603.2b", kinds=("step",))  # fmt: skip
def beginning(frame: Frame, event: Event, whose: Term, step: str = "") -> list[Said]:
    """Wait for the beginning of a step or phase (603.2b)."""
    active = frame.state.turn.active
    if frame.state.turn.step != step or active not in meant(frame, whose):
        return []
    return [{"player": (active,)}]
