"""The words for what triggered abilities wait for, where players do it or a step or phase begins (603.2)."""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import WORDS, Term, walk, word
from rulekit.engine.events import Event
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.phrases import replaced
from rulekit.engine.state import STEPS
from rulekit.engine.trigger_events import Said, groups

FROM = {"in hand": "hand", "in graveyard": "graveyard", "in exile": "exile", "in library": "library"}

# ---------------------------------------------------------------- what players do


def _done(frame: Frame, event: Event, who: Term, what: Term | None = None) -> list[Said]:
    """Match an event of one of the players, once for each object or group of objects meant."""
    if event.player is None or event.player not in frame.players(who):
        return []
    if what is None:
        return [{"player": (event.player,), "number": event.n} | ({"it": event.objects} if event.objects else {})]
    known = (n for n in event.objects if n in frame.state.objects or n in frame.state.past)
    return [{"player": (event.player,), "it": group, "number": len(group)} for group in groups(frame, known, what)]


def _with_objects(name: str, kind: str, verb: str, rule: str, where: tuple[str, ...] | None = None) -> None:
    """Declare what a player does with objects, such as discarding or sacrificing them."""

    def done(frame: Frame, event: Event, who: Term, what: Term) -> list[Said]:
        return _done(frame, event, who, what)

    facts: dict[str, Any] = {"where": lambda who, what: where} if where else {}
    phrase = f"{{who:players}} ({verb}|{verb}s) {{what:watched}}"
    word("event", phrase, rule=rule, op=name, kinds=(kind,), **facts)(done)


@word("event", "{who:players} (cast|casts) {what:watched}", rule="601.2i", op="they cast", kinds=("cast",),
      where=lambda who, what: ("stack",))  # fmt: skip
def they_cast(frame: Frame, event: Event, who: Term, what: Term) -> list[Said]:
    """Wait for a player to cast spells; a zone in their description is the one from which they are cast (601.2a)."""
    parts = tuple(part for term in walk(what.args) if term.op == "all of" for part in term.args[0])
    zones = [part for part in parts if part.op in FROM]
    if any(FROM[part.op] != event.get("from") for part in zones):
        return []
    owners = [part.args[0] for part in zones if part.args[0] is not None]
    if any(frame.state.get(number).owner not in frame.players(who) for who in owners for number in event.objects):
        return []
    for part in zones:
        what = replaced(what, part, Term("anything"))
    return _done(frame, event, who, what)


_with_objects("they mill", "milled", "mill", "701.17a", ("graveyard",))
_with_objects("they discard", "discarded", "discard", "701.9a", ("graveyard", "exile"))
_with_objects("they sacrifice", "sacrificed", "sacrifice", "701.21a")
_with_objects("they create", "token created", "create", "701.7a")


@word("event", "{who:players} (draw|draws) a card", rule="121.2", op="they draw", kinds=("drew",))
def they_draw(frame: Frame, event: Event, who: Term) -> list[Said]:
    """Wait for each card that a player draws (121.2)."""
    return _done(frame, event, who)


_ORDINALS = ("first", "second", "third", "fourth", "fifth")


@word("event", *((f"{{who:players}} (draw|draws) (your|their) {name} card each turn", {"nth": place + 1})
                 for place, name in enumerate(_ORDINALS)),
      rule="121.2", op="they draw the nth", kinds=("drew",))  # fmt: skip
def they_draw_the_nth(frame: Frame, event: Event, who: Term, nth: int = 1) -> list[Said]:
    """Wait for a player's second (third ...) card drawn in a turn."""
    drawn = (past for past in frame.state.history() if past.kind == "drew" and past.player == event.player)
    earlier = sum(past.number < event.number for past in drawn)
    return _done(frame, event, who) if earlier + 1 == nth else []


def _undergone(name: str, kind: str, verbs: str, rule: str) -> None:
    """Declare what happens to a player and concerns no object."""

    def undergone(frame: Frame, event: Event, who: Term) -> list[Said]:
        return _done(frame, event, who)

    word("event", f"{{who:players}} {verbs}", rule=rule, op=name, kinds=(kind,))(undergone)


_undergone("they gain life", "life gained", "(gain|gains) life", "119.9")
_undergone("they lose life", "life lost", "(lose|loses) life", "119.9")
_undergone("they give a gift", "gift given", "(give|gives) a gift", "702.174c")
_undergone("they shuffle", "shuffled", "(shuffle|shuffles) (your|their) library", "701.24a")
_undergone("they search", "searched", "(search|searches) (your|their) library", "701.23a")
_undergone("they scry", "scried", "(scry|scries)", "701.22a")
_undergone("they surveil", "surveilled", "(surveil|surveils)", "701.25a")
_undergone("they lose the game", "lost", "(lose|loses) the game", "104.3")


@word(
    "event",
    "{who:players} (attack|attacks)",
    "{who:players} (attack|attacks) with {what:watched}",
    rule="508.3d",
    op="they attack",
    kinds=("attacks",),
)
def they_attack(frame: Frame, event: Event, who: Term, what: Term | None = None) -> list[Said]:
    """Wait for a player to declare attackers: once for all of them, or for each one named (508.3d)."""
    attackers = tuple(number for number, _ in frame.state.turn.attackers)
    first = event.objects[:1] == attackers[:1]
    if what is None or what.op in ("watch some", "watch both"):
        return _done(frame, event.but(objects=attackers), who, what) if first else []
    return _done(frame, event, who, what)


# ---------------------------------------------------------------- beginnings


@word("whose", "your", "your next", op="yours")
def yours(frame: Frame) -> tuple[str, ...]:
    """Mean the player whose ability it is (109.5)."""
    return (frame.you,)


@word("whose", "each", "each player's", "a player's", "the", "the next", op="anyone's")
def anyones(frame: Frame) -> tuple[str, ...]:
    """Mean every player."""
    return frame.state.in_game


@word("whose", "{who:players}'s", "each of {who:players}'s", "the {who:players}'s", op="theirs")
def theirs(frame: Frame, who: Any) -> tuple[str, ...]:
    """Mean certain players, such as each opponent or the enchanted player."""
    return frame.players(who)


_CALLED = {"draw": ("draw step",), "end": ("end step",), "precombat main": ("precombat main phase", "first main phase"),
           "postcombat main": ("postcombat main phase", "second main phase"), "beginning of combat": ("combat",),
           "untap": ("untap step",)}  # fmt: skip
_BEGINNINGS = [
    (f"[the] beginning of {{whose:whose}} {called}", {"step": step})
    for step in STEPS
    for called in _CALLED.get(step, (step,))
]


_OF_SOMEBODY = [  # "the upkeep of enchanted creature's controller"
    (phrase.replace(f"{{whose:whose}} {called}", f"the {called} of {{whose:whose player}}"), preset)
    for phrase, preset in _BEGINNINGS
    for called in _CALLED.get(preset["step"], (preset["step"],))
    if phrase.endswith(f" {called}")
]
GRAMMAR.rule("whose player", "{who:players}", lambda who: Term("theirs", (who,)))


@word("event", *_BEGINNINGS, *_OF_SOMEBODY,
      ("[the] beginning of combat on {whose:whose} turn", {"step": "beginning of combat"}),
      rule="603.2b", op="it begins", kinds=("step",))  # fmt: skip
def it_begins(frame: Frame, event: Event, whose: Term, step: str = "") -> list[Said]:
    """Wait for the beginning of a step or phase (603.2b)."""
    turn = frame.state.turn
    players: tuple[str, ...] = WORDS[whose.op].body(frame, *whose.args)
    return [{"player": (turn.active,)}] if turn.step == step and turn.active in players else []
