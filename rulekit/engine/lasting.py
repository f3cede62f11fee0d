"""What goes on after a text was carried out: delayed and reflexive triggers, continuous effects that last."""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import WORDS, Ability, Term, walk, word
from rulekit.engine.changes import of_the_choice
from rulekit.engine.choosing import meant
from rulekit.engine.events import Run, Table
from rulekit.engine.flow import Effects, conditional
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.optional import in_words
from rulekit.engine.phrases import SUBJECT, listed, replaced
from rulekit.engine.state import Waiting
from rulekit.engine.statements import for_players

ITS_UNTAP_STEP, WHILE_YOURS = Term("its next untap step"), Term("while you control it")
ABOUT_IT = Term("what it is done to or by")

# ---------------------------------------------------------------- later


@word("effect", op="later", rule="603.7", later=True)
def _later(t: Table, event: Term, does: Effects = (), ability: Any = None) -> Run[None]:
    """Create a delayed triggered ability; what it speaks of is fixed now (603.7a, 603.7c)."""
    frame = t.frame
    said = {key: value for key, value in frame.said.items() if isinstance(value, int | str | tuple)}
    for key in ("it", "that", "those", "created"):
        if key in said:
            said[key] = tuple(now for n in _numbers(said[key]) if (now := t.state.now(n)) is not None)
    said["pinned"] = 1
    memory = frame.memory().but(said=tuple(sorted(said.items())), event=None)
    waiting = Waiting(
        Ability("triggered", in_words(t, does), "603.7", event=event, effect=does), memory, t.cause,
        t.state.name(frame.this) if frame.this else "", cast=frame.cast,
    )  # fmt: skip
    t.change_state(delayed=(*t.state.delayed, waiting))
    return
    yield


def _numbers(value: Any) -> tuple[int, ...]:
    return (value,) if isinstance(value, int) else tuple(n for n in value if isinstance(n, int))


GRAMMAR.rule("effect", "at {event:event} , {does:effect+}", lambda event, does: Term("later", (event, does, None)))
GRAMMAR.rule("effect", "{does:effect+} at {event:event}", lambda event, does: Term("later", (event, does, None)))


@word("effect", op="when done", rule="603.12", later=True, flow=True)
def _when_done(t: Table, does: Effects = ()) -> Run[None]:
    """Let a reflexive trigger wait for the stack if what was just said was done (603.12)."""
    if t.frame.said.get("done"):
        ability = Ability("triggered", in_words(t, does), "603.12", effect=does)
        waiting = Waiting(ability, t.frame.memory(), t.cause, t.state.name(t.frame.this) if t.frame.this else "",
                          cast=t.frame.cast)  # fmt: skip
        t.change_state(waiting=(*t.state.waiting, waiting))
    return
    yield


GRAMMAR.rule("effect", "when you do , {does:effect+}", lambda does: Term("when done", (does,)))


def _when(condition: Term, does: Effects) -> Term | None:
    """Return a reflexive trigger on something that was done this way (603.12)."""
    return conditional(condition, (Term("when done", (does,)),)) if condition.op == "some this way" else None


GRAMMAR.rule("effect", "when {condition:condition} , {does:effect+}", _when)


# ---------------------------------------------------------------- effects that last


@word("effect", op="continuous", rule="611.2")
def _continuous(t: Table, subject: Any = None, changes: Effects = (), duration: Any = None) -> Run[None]:
    """Begin a continuous effect: whom it affects and how much is fixed as it begins (611.2c, 608.2h)."""
    met = () if subject is None else (yield from meant(t, subject))
    numbers = tuple(each for each in met if isinstance(each, int) and each in t.state.objects)
    one_by_one = len(met) > 1 and any(term == ABOUT_IT for term in walk(changes))
    for some in [(each,) for each in met] if one_by_one else [met]:
        with t.frame.about(next((each for each in some if isinstance(each, int)), None)):
            fixed = tuple(_worked_out(t.frame, change) for change in changes)
        _begun(t, subject, some, fixed, duration)
    if numbers:
        t.frame.said["it"] = numbers


def _begun(t: Table, subject: Any, met: tuple[Any, ...], fixed: Effects, duration: Any) -> None:
    """Begin a continuous effect with certain numbers on certain objects and players."""
    names = tuple(each for each in met if isinstance(each, str))
    numbers = tuple(each for each in met if isinstance(each, int) and each in t.state.objects)
    until = ends(t.frame, duration)
    rules = tuple(change for change in fixed if _is_rule(change))
    if rules and _is_open(subject):  # what changes no characteristic goes for all that fit at any time (611.2c)
        t.add_effect(None, _with_numbers(t.frame, subject), rules, until)
        fixed = tuple(change for change in fixed if change not in rules)
    if duration == ITS_UNTAP_STEP:  # whose it is was fixed as the effect began (611.2c)
        controllers = {number: t.state.look(number).controller for number in numbers}
        for player in dict.fromkeys(controllers.values()):
            mine = tuple(number for number in numbers if controllers[number] == player)
            t.add_effect(mine, None, fixed, ("your next untap step", player))
    elif duration == WHILE_YOURS:
        for number in numbers:
            t.add_effect((number,), None, fixed, ("while you control", number, t.frame.you))
    elif numbers and fixed:
        t.add_effect(numbers, None, fixed, until)
    if names or subject is None:
        these = Term("these players", (names,))
        t.add_effect(None, None, tuple(rule for change in fixed for rule in for_players(change, these)), until)


def _is_rule(change: Term) -> bool:
    """Return whether a change is no change of characteristics or of control (613.11)."""
    return bool(WORDS[change.op].facts.get("layer") == "8")


SPOKEN_OF = ("target", "target player", "it", "that", "them", "those", "that player", "milled", "those done", "among")


def _is_open(subject: Any) -> bool:
    """Return whether a subject describes objects by what they are, not those of which the text has spoken."""
    if not isinstance(subject, Term) or subject.op != "each":
        return False
    return not any(part.op in SPOKEN_OF or "this way" in part.op for part in subject.walk())


def _with_numbers(frame: Frame, value: Any) -> Any:
    """Return a description with the value that X has now (608.2h)."""
    return replaced(value, Term("X"), frame.x)


def _worked_out(frame: Frame, change: Term) -> Term:
    """Return a change with its amounts as numbers, also those within a size, and with what was chosen (611.2d)."""

    def fixed(arg: Any) -> Any:
        if isinstance(arg, tuple):
            return tuple(map(fixed, arg))
        if isinstance(arg, Ability):
            return of_the_choice(frame, arg)
        return frame.count(arg) if isinstance(arg, Term) and WORDS[arg.op].sort == "amount" else arg

    return Term(change.op, tuple(map(fixed, change.args)))


def ends(frame: Frame, duration: Term | None) -> tuple[Any, ...]:
    """Return when an effect ends, in the words of `Effect.until` (611.2b)."""
    turn = frame.state.turn.number
    op = duration.op if duration is not None else ""
    if op in ("until end of turn", "this turn"):
        return ("end of turn", turn)
    if op in ("until your next turn", "your next untap step"):
        return (op.removeprefix("until "), frame.you)
    if op == "until the end of your next turn":
        return ("end of your next turn", frame.you, turn)
    if op == "until end of combat":
        return ("end of combat", turn)
    if op == "while this remains":
        return ("while on battlefield", frame.this)
    if op == "while you control this":
        return ("while you control", frame.this, frame.you)
    if op == "while it holds" and duration is not None:
        return ("while it holds", duration.args[0], frame.you, frame.this)
    return ("forever",)


@word("players", op="these players")
def these_players(frame: Frame, names: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Mean certain players."""
    return names


GRAMMAR.sayers["these players"] = lambda term: listed(list(term.args[0]))


def _lasting(subject: Any, changes: Any, duration: Any = None) -> Term:
    return Term("continuous", (subject, changes, duration))


GRAMMAR.rule("object act", "{changes:change+} {duration:duration}",
             lambda changes, duration: _lasting(SUBJECT, changes, duration))  # fmt: skip
GRAMMAR.rule("object act", "{changes:change+}", lambda changes: _lasting(SUBJECT, changes))
GRAMMAR.rule("object act", "(attacks|attack) {duration:duration} if able",
             lambda duration: _lasting(SUBJECT, (Term("must attack", (None,)),), duration))  # fmt: skip


def _until_then(part: Term, duration: Term) -> Term:
    subject, changes, _ = part.args
    return _lasting(subject, changes, duration)


GRAMMAR.join("lasting", ((",", "and"), ("and",)))
GRAMMAR.rule("lasting", "{subject:recipients} {changes:change+}", _lasting)
GRAMMAR.rule("lasting", "{rules:rule+}", lambda rules: _lasting(None, rules))
GRAMMAR.rule("effect", "{duration:duration} , {parts:lasting+}",
             lambda duration, parts: tuple(_until_then(part, duration) for part in parts))  # fmt: skip
GRAMMAR.rule("effect", "{subject:recipients} {changes:change+} {duration:duration}", _lasting)
GRAMMAR.rule("effect", "{rules:rule+} {duration:duration}", lambda rules, duration: _lasting(None, rules, duration))


@word("effect", op="gains a choice", rule="608.2d")
def _gains_a_choice(
    t: Table, what: tuple[int, ...], options: tuple[Ability, ...] = (), duration: Any = None
) -> Run[None]:
    """Let one of several abilities be gained, as you choose when it is carried out."""
    if what:
        words = [ability.text for ability in options]
        places = range(len(options))
        chosen = yield from t.ask(t.frame.you, "choose mode", places, rule="608.2d", prompt="ability", words=words)
        t.add_effect(what, None, (Term("has", ((options[chosen],),)),), ends(t.frame, duration))


WORDS["gains a choice"].sorts["what"] = "objects"
GRAMMAR.rule("object act", "gain[s] your choice of {options:abilities} {duration:duration}",
             lambda options, duration: Term("gains a choice", (SUBJECT, options, duration)))  # fmt: skip
GRAMMAR.rule("effect", "{duration:duration} {rules:rule+}", lambda rules, duration: _lasting(None, rules, duration))
