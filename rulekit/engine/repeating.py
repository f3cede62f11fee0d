"""Doing something again: several times, for each, until; and the modes of which some are done."""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import Term, walk, word
from rulekit.engine.events import Run, Table
from rulekit.engine.filters import all_of
from rulekit.engine.flow import Effects, as_tuple
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.objects import found
from rulekit.engine.phrases import in_order, replaced
from rulekit.engine.which import DONE_THIS_WAY, done

MOST_REPEATS = 1000
THIS_WAY = ("those", "milled", "destroyed", "exiled", "sacrificed", "discarded", "returned", "revealed", "drawn", "put")

# ---------------------------------------------------------------- again, for each


@word("effect", op="several times", rule="608.2c")
def _for_each(t: Table, n: Any, does: Effects = ()) -> Run[None]:
    """Do something as many times as an amount says, worked out once."""
    for _ in range(t.count(n)):
        yield from t.run(does)


@word("effect", op="for each object", rule="608.2c")
def _for_each_object(t: Table, what: Term, does: Effects = ()) -> Run[None]:
    """Do something for each such object, which "it" and "that" then mean; which there are is looked at once."""
    yield from _in_turn(t, "it", [(number,) for number in found(t.frame, what)], does)


@word("effect", op="for each player", rule="608.2c")
def _for_each_player(t: Table, what: Term, does: Effects = ()) -> Run[None]:
    """Do something for each such player, which "that player" then means."""
    names = [(name,) for name in t.state.from_active() if t.frame.fits(what, name)]
    yield from _in_turn(t, "player", names, does)


def _in_turn(t: Table, key: str, each: list[tuple[Any, ...]], does: Effects) -> Run[None]:
    """Do something with each of several, and speak of all that was met afterwards."""
    said = t.frame.said
    met: dict[str, list[Any]] = {}
    for one in each:
        said[key] = one
        if key == "it":
            said["that"] = one
        for group in THIS_WAY:
            said.pop(group, None)
        yield from t.run(does)
        for group in THIS_WAY:
            met.setdefault(group, []).extend(number for number in said.get(group, ()) if number not in met[group])
    said.update({group: tuple(numbers) for group, numbers in met.items() if numbers})
    if met.get("those"):
        said["it"] = said["those"]


GRAMMAR.rule("effect", "for each {what:filter} [,] {does:effect+}",
             lambda what, does: Term("for each object", (what, does)))  # fmt: skip
GRAMMAR.rule("effect", "for each {what:target player} [,] {does:effect+}",
             lambda what, does: Term("for each player", (what, does)))  # fmt: skip
GRAMMAR.rule("effect", "{n:for each} [,] {does:effect+}", lambda n, does: Term("several times", (n, does)), late=True)


def _so_often(n: Any, does: Any) -> Term | None:
    """Return an effect as many times as stands behind it; behind the last of several modes it is of that one."""
    effects = as_tuple(does)
    return None if any(term.op == "modes" for term in effects) else Term("several times", (n, effects))


GRAMMAR.rule("effect", "{does:effect} {n:for each}", _so_often)


@word("effect", "repeat this process", "repeats this process", "repeat that process", op="repeat this process")
def _repeat(t: Table) -> Run[None]:
    """Ask that the whole process be done again; `process` does it."""
    t.frame.said["again"] = True
    return
    yield


@word("effect", op="process")
def _process(t: Table, does: Effects = ()) -> Run[None]:
    """Do something, and again for as long as its text asks for it and it does not come back to where it was."""
    stood = {_standing(t)}
    for _ in range(MOST_REPEATS):
        t.frame.said.pop("again", None)
        yield from t.run(does)
        if not t.frame.said.pop("again", None) or _has_come_back(t, stood):
            return


def _has_come_back(t: Table, stood: set[Any]) -> bool:
    """Return whether all stands as it stood before, so that doing it again leads nowhere; and note how it stands."""
    now = _standing(t)
    back = now in stood
    stood.add(now)
    return back


def _standing(t: Table) -> tuple[Any, ...]:
    """Return all that a process can change, in which a card that has come back is like what it was (400.7)."""
    state = t.state
    zones = tuple(
        (where, tuple(state.objects[n].but(number=0, timestamp=0, born=0, turned=0, since=0) for n in pile))
        for where, pile in sorted(state.zones.items())
    )
    much = tuple(len(done(t.frame, what)) for what in DONE_THIS_WAY)
    shuffled = sum(event.kind == "shuffled" for event in state.history())  # after that chance may lead elsewhere
    return zones, tuple(state.players.values()), len(state.waiting), len(state.effects), shuffled, much


def with_process(does: Effects) -> Effects:
    """Wrap effects one of which asks for a repetition."""
    if any(term.op == "repeat this process" for term in walk(does)):
        return (Term("process", (does,)),)
    return does


def where_x(does: Any, n: Any) -> Any:
    """Put an amount in the place of X; None where no X can be found that it could stand for."""
    placed = replaced(_sized(does, n), Term("X"), n)
    return None if placed == does else placed


def _sized(value: Any, n: Any) -> Any:
    """Say how large the tokens are that are created with a size of X, and how much less a cost is that is {X} less."""
    if isinstance(value, tuple):
        return tuple(_sized(part, n) for part in value)
    if not isinstance(value, Term):
        return value
    args = tuple(_sized(arg, n) for arg in value.args)
    if value.op == "this spell costs less" and args[0] == ("X",):
        return Term(value.op, (("1",), n))
    if value.op == "create" and "X" in (args[2].power, args[2].toughness):
        args = (*args[:-1], n)
    return Term(value.op, args)


GRAMMAR.rule("effect", "{does:effect+} , where X is {n:amount}", where_x)


@word("effect", op="until", rule="608.2c")
def _until(t: Table, does: Effects, condition: Term) -> Run[None]:
    """Do something again until a condition holds or all stands as it stood before; "this way" is all of it."""
    milled: tuple[int, ...] = ()
    stood = {_standing(t)}
    for _ in range(MOST_REPEATS):
        t.frame.said.pop("milled", None)
        yield from t.run(does)
        milled += t.frame.said.get("milled", ())
        t.frame.said["milled"] = milled
        if t.frame.holds(condition) or _has_come_back(t, stood):
            return


for _says in ("then repeat[s] this process", "and repeat[s] this process"):
    GRAMMAR.rule("effect", f"{{does:effect+}}, {_says} until {{condition:condition}}[, whichever comes first]",
                 lambda does, condition: Term("until", (does, condition)))  # fmt: skip


def _milled_until(who: Term, n: Any, what: Term) -> Term:
    """Return milling card by card until so many of them fit, or the library is empty."""
    enough = Term("some this way", (all_of(what, Term("this way", ("milled",))), n))
    return Term("until", ((Term("mill", (who, 1)),), enough))


for _says in ("(they|you|that player) mill[s] {n:number} {what:filter}",
              "{n:number} {what:filter} (is|are|was|were) milled [this way]"):  # fmt: skip
    GRAMMAR.rule("effect", f"{{who:players}} mill[s] cards until {_says}", in_order(_milled_until))
    GRAMMAR.rule("effect", f"mill cards until {_says}", lambda n, what: _milled_until(Term("you"), n, what))


# ---------------------------------------------------------------- modes


@word("effect", op="modes", rule="700.2")
def _modes(t: Table, low: Any, high: Any, choices: tuple[Effects, ...] = ()) -> Run[None]:
    """Do what was chosen as the spell or ability was put on the stack, in the order of the text (700.2)."""
    chosen = t.frame.cast.modes if t.frame.cast is not None else ()
    for mode in sorted(chosen):
        yield from t.run(choices[mode])


MODES = {"one": (1, 1), "two": (2, 2), "three": (3, 3), "four": (4, 4), "one or both": (1, 2), "one or more": (1, 9),
          "any number": (0, 9), "up to one": (0, 1), "up to two": (0, 2), "one or two": (1, 2)}  # fmt: skip


def _chosen_modes(many: tuple[int, int], choices: tuple[Effects, ...]) -> Term:
    low, high = many
    return Term("modes", (low, min(high, len(choices)), choices))


GRAMMAR.join("mode", ((), (".",)))
GRAMMAR.join("choice", ((";",), (";", "or"), (",", "or")))
for _said, _many in MODES.items():
    GRAMMAR.rule(
        "effect", f"choose {_said} — {{choices:mode+}}", lambda choices, many=_many: _chosen_modes(many, choices)
    )
    for _dash in ("—", ":"):  # the catalogue's way to write them
        GRAMMAR.rule("effect", f"choose {_said} {_dash} {{choices:choice+}}",
                     lambda choices, many=_many: _chosen_modes(many, choices))  # fmt: skip
GRAMMAR.rule("choice", "{does:effect}", lambda does: (as_tuple(does),))
GRAMMAR.rule("mode", "• {does:effects}[.]", lambda does: (does,))
GRAMMAR.rule("mode", "• {name:flavor word} — {does:effects}[.]", lambda name, does: (does,))


@GRAMMAR.lexer("flavor word")
def _flavor_word(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read a name before a dash that means nothing (207.2c, 207.2d)."""
    for end in range(place + 1, min(place + 6, len(words))):
        if words[end] == "—":
            return [(" ".join(words[place:end]), end)]
        if not (words[end][0].isalpha() or words[end] in ("'s", ",", "'", "!", "?")):
            return []
    return []
