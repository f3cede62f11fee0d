"""Who is meant: the words of the sort "players"."""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import Term, word
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR

YOU, IT = Term("you"), Term("it")


def _in_order(frame: Frame, names: set[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for name in frame.state.from_active() if name in names)


@word("players", "you", rule="109.5")
def you(frame: Frame) -> tuple[str, ...]:
    """Mean the controller of the spell or ability."""
    return (frame.you,)


@word("players", "each player", "all players", "players", "a player", op="each player")
def each_player(frame: Frame) -> tuple[str, ...]:
    """Mean every player in the game, the active one first (101.4)."""
    return frame.state.from_active()


@word("players", "each opponent", "your opponents", "each of your opponents", "opponents", op="each opponent",
      rule="102.3")  # fmt: skip
def each_opponent(frame: Frame) -> tuple[str, ...]:
    """Mean your opponents, in turn order."""
    return _in_order(frame, frame.state.opponents(frame.you))


@word("players", "an opponent", op="an opponent of yours", rule="102.3")
def an_opponent(frame: Frame) -> tuple[str, ...]:
    """Mean any of your opponents; where one does something, you choose which as it is carried out (608.2d)."""
    return each_opponent(frame)


@word("players", "each other player", op="each other player")
def each_other_player(frame: Frame) -> tuple[str, ...]:
    """Mean every player but the one spoken of last."""
    last = that_player(frame)
    return tuple(name for name in frame.state.from_active() if name not in (last or (frame.you,)))


@word(
    "players",
    "that player",
    "they",
    "the player",
    "those players",
    "each of those players",
    "that opponent",
    "he or she",
    op="that player",
)
def that_player(frame: Frame) -> tuple[str, ...]:
    """Mean the players spoken of last, those targeted, whose the object is, or those that made the ability trigger."""
    said = frame.said.get("player")
    if said:
        return (said,) if isinstance(said, str) else tuple(said)
    for slot in sorted(frame.targets, reverse=True):
        names = tuple(each for each in frame.targets[slot] if isinstance(each, str))
        if names:
            return names
    if "whose" in frame.said:
        return tuple(frame.said["whose"])
    if frame.event is not None:
        named = frame.event.to if isinstance(frame.event.to, str) else frame.event.player
        return (named,) if named else ()
    return ()


@word("players", op="target player", rule="115.1")
def target_player(
    frame: Frame, slot: int = 0, what: Term | None = None, low: Any = 1, high: Any = 1
) -> tuple[int | str, ...]:
    """Mean the players that were chosen as targets and are still legal."""
    return frame.targets.get(slot, ())


@word("players", "defending player", rule="506.2", op="defending player")
def defending_player(frame: Frame) -> tuple[str, ...]:
    """Mean the player whom the attacker attacks, or whose planeswalker it attacks (508.5)."""
    attackers = dict((*frame.state.turn.withdrawn, *frame.state.turn.attackers))
    said = frame.said.get("it") or ()
    attacked: int | str | None = None
    for number in (*((said,) if isinstance(said, int) else said), frame.this, *_hosts(frame)):
        attacked = attackers.get(number) if isinstance(number, int) else None
        if attacked is not None:
            break
    if attacked is None and frame.event is not None:
        attacked = frame.event.to
    if isinstance(attacked, int):
        return (frame.look(attacked).controller,)
    return (attacked,) if attacked else ()


def _hosts(frame: Frame) -> tuple[int, ...]:
    this = frame.state.objects.get(frame.this)
    return (this.attached_to,) if this is not None and isinstance(this.attached_to, int) else ()


@word("players", "attacking player", "the attacking player", "the active player", rule="506.2", op="active player")
def active_player(frame: Frame) -> tuple[str, ...]:
    """Mean the player whose turn it is."""
    return (frame.state.turn.active,)


@word("players", "{what:objects} 's controller", "its controller", "their controller[s]",
      "the controller of {what:objects}", op="controller", rule="109.4")  # fmt: skip
def controller(frame: Frame, what: Any = IT) -> tuple[str, ...]:
    """Mean who controls objects, or last did (608.2h)."""
    return _in_order(frame, {frame.look(number).controller for number in looked_at(frame, what)})


@word("players", "{what:objects} 's owner", "its owner", "their owner[s]", "the owner of {what:objects}",
      "{what:objects} 's owners", "{what:objects} ' owner[s]", op="owner", rule="108.3")  # fmt: skip
def owner(frame: Frame, what: Any = IT) -> tuple[str, ...]:
    """Mean who owns objects."""
    return _in_order(frame, {frame.state.get(number).owner for number in looked_at(frame, what)})


def looked_at(frame: Frame, what: Any) -> tuple[int, ...]:
    """Return the objects as they were spoken of, not what they have become since."""
    if isinstance(what, Term) and what.op in ("it", "those done"):
        said = frame.said.get("it" if what.op == "it" else what.args[0])
        if said:
            return (said,) if isinstance(said, int) else tuple(said)
    meant = tuple(number for number in frame.objects(what) if isinstance(number, int))
    return tuple(number for number in last_seen(frame, what, meant) if number)


def last_seen(frame: Frame, what: Any, meant: tuple[int, ...] | None) -> tuple[int, ...]:
    """Return the objects that are meant; a permanent that was spoken of and is gone is as it last was (608.2h).

    Args:
        frame: Where the text is carried out.
        what: The term for them.
        meant: What the term means now; None where the text does not say it, and this is meant.
    """
    if meant is None or what == Term("this"):
        return (frame.this,)
    said: Any = None
    if isinstance(what, Term) and what.op in ("it", "that", "those"):
        said = frame.said.get("it") if what.op == "it" else frame.said.get("that", frame.said.get("it"))
        if said is None and frame.event is not None and not frame.targets:
            said = frame.event.objects
    if said is None:
        return meant or ()
    numbers = (said,) if isinstance(said, int) else tuple(number for number in said if isinstance(number, int))
    there = (n if _was_permanent(frame, n) else frame.current(n) for n in numbers)
    return tuple(number for number in there if number is not None)


def _was_permanent(frame: Frame, number: int) -> bool:
    past = frame.state.past.get(number)
    return number not in frame.state.objects and past is not None and past.object.zone == "battlefield"


@word("players", "enchanted player", "the enchanted player", op="enchanted player", rule="303.4b")
def enchanted_player(frame: Frame) -> tuple[str, ...]:
    """Mean the player that this is attached to."""
    this = frame.state.get(frame.this)
    return (this.attached_to,) if isinstance(this.attached_to, str) else ()


@word("players", "the chosen player", op="chosen player")
def chosen_player(frame: Frame) -> tuple[str, ...]:
    """Mean the opponent to whom the gift was promised (702.174a), or the player chosen as this entered."""
    this = frame.state.objects.get(frame.this)
    cast = frame.cast if frame.cast is not None and frame.cast.promised else this.cast if this else None
    if cast is not None and cast.promised is not None:
        return (cast.promised,)
    return tuple(value for name, value in (this.chosen if this else ()) if name == "player")


@word("players", "{one:players} and {two:players}", op="players together")
def together(frame: Frame, one: Any, two: Any) -> tuple[str, ...]:
    """Mean two players or groups of players."""
    return _in_order(frame, {*frame.players(one), *frame.players(two)})


GRAMMAR.rule("under whom", "under your control", lambda: "you")
GRAMMAR.rule("under whom", "under (its|their) (owner 's|owners '|owners) control", lambda: "owner")
GRAMMAR.rule("under whom", "under (their|that player 's) control", lambda: "that player")
GRAMMAR.sayers["under whom"] = lambda whose: {"you": "under your control", "owner": "under its owner's control"}.get(
    whose, "under that player's control"
)


# ---------------------------------------------------------------- what a player must be to be a target


@word("filter", op="a player", player=True)
def _a_player(frame: Frame, candidate: Any) -> bool:
    """Be a player."""
    return isinstance(candidate, str)


@word("filter", op="an opponent", player=True)
def _an_opponent(frame: Frame, candidate: Any) -> bool:
    """Be an opponent."""
    return isinstance(candidate, str) and candidate in frame.state.opponents(frame.you)


for _said, _op in (("player", "a player"), ("players", "a player"), ("opponent", "an opponent"),
                   ("opponents", "an opponent")):  # fmt: skip
    GRAMMAR.rule("target player", _said, lambda op=_op: Term(op))
    GRAMMAR.sayers[_op] = lambda term: term.op.split()[-1]
