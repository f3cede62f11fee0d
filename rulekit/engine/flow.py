"""How effects hang together: if, may, unless, for each, later, again; and the subjects that several effects share.

The sort "effects" is a whole text: sentences of effects. A predicate (of the sort "act", of an object "object act") is
an effect whose subject stands before several of them or before "may".
"""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import WORDS, Ability, Term, walk, word
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR, SUBJECT, replaced
from rulekit.engine.objects import found
from rulekit.engine.state import Waiting
from rulekit.engine.statements import for_players

YOU, THIS, IT = Term("you"), Term("this"), Term("it")
DONE = Term("it was done")
ITS_UNTAP_STEP = Term("its next untap step")
Effects = tuple[Term, ...]
MOST_REPEATS = 1000

_JOINTS = ((",", "and"), ("and",), (",", "then"), ("then",), ("and", "then"), (",",), (",", "and", "then"))
for _sort in ("effect", "act", "object act", "deed done"):
    GRAMMAR.joints[_sort] = _JOINTS
GRAMMAR.joints["change"] = ((",", "and"), (",",), ("and",))


def filled(terms: Any, subject: Term) -> Any:
    """Return effects with their subject put in."""
    return replaced(terms, SUBJECT, subject)


# ---------------------------------------------------------------- subjects


def _sentence(does: Any, subject: Term) -> Any:
    """Return the effects of a sentence with their subject; one alone is no list."""
    said = filled(does, subject)
    return said[0] if isinstance(said, tuple) and len(said) == 1 else said


GRAMMAR.rule("effect", "{who:players} {does:act+}", lambda who, does: _sentence(does, who))
GRAMMAR.rule("effect", "{what:objects} {does:object act+}", lambda what, does: _sentence(does, what))
GRAMMAR.rule("effect", "{does:object act+}", lambda does: _sentence(does, THIS), late=True)
GRAMMAR.rule("effect", "{does:act+}", lambda does: _sentence(does, YOU), late=True)
for _sort in ("effect", "act", "object act"):
    GRAMMAR.rule(_sort, f"also {{does:{_sort}}}", lambda does: does)
GRAMMAR.rule("deed done", "{does:act}", lambda does: (does,))
GRAMMAR.rule("deed done", "{does:command}", lambda does: does)
GRAMMAR.rule("deed done", "have {what:objects} {does:object act+}", lambda what, does: filled(does, what))
GRAMMAR.rule("deed done", "have {who:players} {does:act+}", lambda who, does: filled(does, who))


GRAMMAR.rule("object act", "deal[s] damage to {to:recipients} equal to {n:amount}",
             lambda to, n: _damage(n, to))  # fmt: skip
GRAMMAR.rule("object act", "deal[s] {n:damage} to {to:recipients} and {more:damage} to {other:recipients}",
             lambda n, to, more, other: (_damage(n, to), _damage(more, other)))  # fmt: skip


def _damage(n: Any, to: Term) -> Term:
    return Term("deal damage", (n, to, SUBJECT, False))


GRAMMAR.rule("act", "each {does:act}", lambda does: does)
GRAMMAR.rule("object act", "each {does:object act}", lambda does: does)
GRAMMAR.rule("effect", "you {does:command}", lambda does: does, late=True)
GRAMMAR.rule("effect", "then {does:effect}", lambda does: does, late=True)


# ---------------------------------------------------------------- if


@word("effect", op="if", rule="608.2c", flow=True)
def _if(t: Table, condition: Term, does: Effects = (), otherwise: Effects = ()) -> Run[Any]:
    """Do one thing or another, as a condition holds when the text comes to it (608.2c)."""
    if t.frame.holds(condition):
        return (yield from t.run(does))
    t.frame.said["done"] = False
    return (yield from t.run(otherwise))


@word("effect", op="instead", rule="614.15")
def _instead(t: Table, condition: Term, does: Effects = ()) -> Run[Any]:
    """Do something in place of what the sentence before says; the reader puts both into one `if` (614.15)."""
    return (yield from t.run(does if t.frame.holds(condition) else ()))


def _conditional(condition: Term, does: Effects) -> Term:
    return Term("if", (condition, does, ()))


for _then in ("", "then "):
    GRAMMAR.rule("effect", f"{_then}if {{condition:condition}} , {{does:effect+}}", _conditional)
    GRAMMAR.rule("effect", f"{_then}if {{condition:condition}} , {{does:effect+}} instead",
                 lambda condition, does: Term("instead", (condition, does)))  # fmt: skip
    GRAMMAR.rule("effect", f"{_then}if {{condition:condition}} , instead {{does:effect+}}",
                 lambda condition, does: Term("instead", (condition, does)))  # fmt: skip
GRAMMAR.rule("effect", "{does:effect+} instead if {condition:condition}",
             lambda condition, does: Term("instead", (condition, does)))  # fmt: skip
GRAMMAR.rule("effect", "instead {does:effect+} if {condition:condition}",
             lambda condition, does: Term("instead", (condition, does)))  # fmt: skip
GRAMMAR.rule("effect", "{does:effect} if {condition:condition}",
             lambda condition, does: _conditional(_of_what(condition, _tuple(does)), _tuple(does)))  # fmt: skip
GRAMMAR.rule("effect", "otherwise , {does:effect+}", lambda does: Term("otherwise", (does,)))


def _of_what(condition: Term, does: Effects) -> Term:
    """Return the condition behind an effect, in which "it" is what the effect is about."""
    first = does[0]
    sorts = WORDS[first.op].sorts
    about = [
        arg
        for (name, _), arg in zip(WORDS[first.op].slots, first.args, strict=False)
        if sorts.get(name) in ("objects", "recipients") and isinstance(arg, Term) and arg != THIS
    ]
    meant: Term = replaced(condition, IT, about[-1]) if about else condition
    return meant


@word("effect", op="otherwise")
def _otherwise(t: Table, does: Effects = ()) -> Run[Any]:
    """Do something where the condition before does not hold; the reader puts it into that `if`."""
    return (yield from t.run(does))


def _tuple(value: Any) -> Effects:
    return value if isinstance(value, tuple) else (value,)


def together(before: Effects, after: Effects) -> Effects:
    """Join two sentences: "instead" and "otherwise" belong to the one before."""
    first = after[0] if after else None
    if first is None or not before or first.op not in ("instead", "otherwise", "still a type"):
        return before + after
    if first.op == "still a type":
        return (*before[:-1], _keeping_types(before[-1]), *after[1:])
    if first.op == "instead":
        condition, does = first.args
        return (Term("if", (condition, does, before)), *after[1:])
    last = before[-1]
    if last.op == "if" and not last.args[2]:
        return (*before[:-1], Term("if", (*last.args[:2], first.args[0])), *after[1:])
    not_done = Term("if", (Term("not so", (DONE,)), first.args[0], ()))
    return (*before, not_done, *after[1:])


def _keeping_types(effect: Term) -> Term:
    """Return an effect in which what becomes something keeps the types that it has (205.1b)."""
    adds = next(place for place, (name, _) in enumerate(WORDS["becomes"].slots) if name == "adds")

    def keep(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(keep(part) for part in value)
        if not isinstance(value, Term):
            return value
        args = tuple(keep(arg) for arg in value.args)
        return Term(value.op, (*args[:adds], True, *args[adds + 1 :]) if value.op == "becomes" else args)

    kept: Term = keep(effect)
    return kept


GRAMMAR.rule("effects", "{does:effect+}", lambda does: does)
for _joint in (". then", ".", "; then", ";"):
    GRAMMAR.rule("effects", f"{{before:effects}} {_joint} {{after:effect+}}", together)


# ---------------------------------------------------------------- may


@word("effect", op="may", rule="603.5", flow=True)
def _may(t: Table, who: tuple[str, ...], does: Effects = ()) -> Run[bool]:
    """Let players choose whether to do something; what cannot be done is not offered (608.2d, 701.17b).

    Returns:
        Whether anybody did it.
    """
    done = False
    for player in who:
        mine = filled(does, YOU)
        if player != t.frame.you:  # "that player" is still another where you may do something
            mine = filled(does, Term("that player"))
            t.frame.said["player"] = (player,)
        if len(mine) == 1 and mine[0].op == "pay":
            done = (yield from _paid(t, player, mine[0].args[1])) or done
        elif len(mine) == 1 and WORDS[mine[0].op].facts.get("refusable"):  # it asks what may stay as it is
            done = (yield from t.do(mine[0])) is not False or done
        elif len(mine) == 1 and (optional := _choice_of_one(mine[0])) is not None:
            done = bool((yield from t.do(optional))) or done
        elif all(possible(t, term) for term in mine) and (yield from t.may(player, _asked(t, mine))):
            result = yield from t.run(mine)
            done = done or result not in ((), False)
    t.frame.said["done"] = done
    return done


WORDS["may"].sorts["who"] = "players"


def _choice_of_one(term: Term) -> Term | None:
    """Return an effect on one chosen object as one that may be refused in the same choice, or None for others."""
    chosen = [arg for arg in term.args if isinstance(arg, Term) and arg.op == "some of"]
    if len(chosen) != 1 or chosen[0].args[1] != 1 or chosen[0].args[2] != 1:
        return None
    what = chosen[0].args[0]
    return Term(term.op, tuple(Term("some of", (what, 0, 1)) if arg is chosen[0] else arg for arg in term.args))


def _asked(t: Table, does: Effects) -> str:
    """Say what somebody may do, with the name of the object for "this"."""
    return GRAMMAR.say(does).replace("~", t.state.name(t.frame.this) if t.frame.this else "this")


def possible(t: Table, term: Term) -> bool:
    """Return whether an optional effect could be carried out as it is written (608.2d, 701.17b)."""
    can = WORDS[term.op].facts.get("possible")
    if can is not None:
        return bool(can(t.frame, *term.args))
    if term.op == "mill":
        who, n = term.args
        return all(len(t.state.zone("library", name)) >= t.count(n, name) for name in t.frame.players(who))
    if term.op == "sacrifice":
        who, n, what = term.args
        return all(
            sum(t.frame.fits(what, number) for number in t.state.permanents(name)) >= t.count(n, name)
            for name in t.frame.players(who)
        )
    if term.op == "discard":
        who, n = term.args[:2]
        return all(len(t.state.zone("hand", name)) >= min(t.count(n, name), 1) for name in t.frame.players(who))
    return all(_there(t, arg) for arg in term.args)


def _there(t: Table, arg: Any) -> bool:
    """Return whether what an optional effect would do something with is there."""
    if not isinstance(arg, Term) or WORDS[arg.op].sort != "objects" or arg.op == "each":
        return True
    return bool(t.frame.objects(arg)) or (arg.op == "some of" and arg.args[1] == 0)


GRAMMAR.rule("effect", "{who:players} may {does:deed done+}", lambda who, does: Term("may", (who, does)))
GRAMMAR.rule("effect", "may {does:deed done+}", lambda does: Term("may", (YOU, does)))
GRAMMAR.rule("act", "may {does:deed done+}", lambda does: Term("may", (SUBJECT, does)))


# ---------------------------------------------------------------- paying as an effect


@word("effect", "{who:players} pay[s] {cost:costs}", rule="118.12", op="pay", flow=True)
def pay(t: Table, who: tuple[str, ...], cost: Effects = ()) -> Run[bool]:
    """Let players pay a cost as an effect is carried out, if they can and want to (118.12)."""
    done = False
    for player in who:
        done = (yield from _paid(t, player, cost)) or done
    t.frame.said["done"] = done
    return done


def _paid(t: Table, player: str, cost: Effects) -> Run[bool]:
    from rulekit.engine.instructions.spells import may_pay

    return (yield from may_pay(t, player, cost, f"pay {GRAMMAR.say(cost)}?"))


@word("effect", op="unless", rule="118.12a", flow=True)
def _unless(t: Table, does: Effects, who: tuple[str, ...], cost: Effects = ()) -> Run[None]:
    """Do something unless one of the players pays (118.12a)."""
    for player in who:
        if (yield from _paid(t, player, cost)):
            t.frame.said["done"] = True
            return
    t.frame.said["done"] = False
    yield from t.run(does)


@word("effect", op="unless done", rule="118.12a")
def _unless_done(t: Table, does: Effects, other: Effects = ()) -> Run[None]:
    """Do something unless another thing is done, which may be refused and must be possible (118.12a, 701.17b)."""
    if all(possible(t, term) for term in other) and (yield from t.may(t.frame.you, _asked(t, other))):
        yield from t.run(other)
    else:
        yield from t.run(does)


WORDS["unless"].sorts["who"] = "players"
GRAMMAR.rule("effect", "{does:effect+} unless {who:players} pay[s] {cost:costs}",
             lambda does, who, cost: Term("unless", (does, who, cost)))  # fmt: skip
GRAMMAR.rule("effect", "{does:effect+} unless you {other:deed done+}",
             lambda does, other: Term("unless done", (does, filled(other, YOU))))  # fmt: skip


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
    met: list[Any] = []
    for one in each:
        said[key] = one
        if key == "it":
            said["that"] = one
        said.pop("those", None)
        yield from t.run(does)
        met += [number for number in said.get("those", ()) if number not in met]
    if met:
        said["it"] = said["those"] = tuple(met)


GRAMMAR.rule("effect", "for each {what:filter} [,] {does:effect+}",
             lambda what, does: Term("for each object", (what, does)))  # fmt: skip
GRAMMAR.rule("effect", "for each {what:target player} [,] {does:effect+}",
             lambda what, does: Term("for each player", (what, does)))  # fmt: skip
GRAMMAR.rule("effect", "{n:for each} [,] {does:effect+}", lambda n, does: Term("several times", (n, does)), late=True)
GRAMMAR.rule("effect", "{does:effect} {n:for each}", lambda n, does: Term("several times", (n, _tuple(does))))


@word("effect", "repeat this process", "repeats this process", "repeat that process", op="repeat this process")
def _repeat(t: Table) -> Run[None]:
    """Ask that the whole process be done again; `process` does it."""
    t.frame.said["again"] = True
    return
    yield


@word("effect", op="process")
def _process(t: Table, does: Effects = ()) -> Run[None]:
    """Do something, and again for as long as its text asks for it and something changes."""
    for _ in range(MOST_REPEATS):
        t.frame.said.pop("again", None)
        before = t.state
        yield from t.run(does)
        if not t.frame.said.pop("again", None) or t.state.objects == before.objects:
            return


def with_process(does: Effects) -> Effects:
    """Wrap effects one of which asks for a repetition."""
    if any(term.op == "repeat this process" for term in walk(does)):
        return (Term("process", (does,)),)
    return does


def where_x(does: Any, n: Any) -> Any:
    """Put an amount in the place of X."""
    return replaced(does, Term("X"), n)


GRAMMAR.rule("effect", "{does:effect+} , where X is {n:amount}", where_x)


@word("effect", op="until", rule="608.2c")
def _until(t: Table, does: Effects, condition: Term) -> Run[None]:
    """Do something again and again until a condition holds or nothing changes; "this way" is all of it."""
    milled: tuple[int, ...] = ()
    for _ in range(MOST_REPEATS):
        before = t.state
        t.frame.said.pop("milled", None)
        yield from t.run(does)
        milled += t.frame.said.get("milled", ())
        t.frame.said["milled"] = milled
        if t.frame.holds(condition) or t.state.objects == before.objects:
            return


for _says in ("then repeat[s] this process", "and repeat[s] this process"):
    GRAMMAR.rule("effect", f"{{does:effect+}}, {_says} until {{condition:condition}}[, whichever comes first]",
                 lambda does, condition: Term("until", (does, condition)))  # fmt: skip


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


for _said, _many in MODES.items():
    GRAMMAR.rule(
        "effect", f"choose {_said} — {{choices:mode+}}", lambda choices, many=_many: _chosen_modes(many, choices)
    )
GRAMMAR.joints["mode"] = ((), (".",))
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
        Ability("triggered", GRAMMAR.say(does), "603.7", event=event, effect=does), memory, t.cause,
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
        ability = Ability("triggered", GRAMMAR.say(does), "603.12", effect=does)
        waiting = Waiting(ability, t.frame.memory(), t.cause, t.state.name(t.frame.this) if t.frame.this else "",
                          cast=t.frame.cast)  # fmt: skip
        t.change_state(waiting=(*t.state.waiting, waiting))
    return
    yield


GRAMMAR.rule("effect", "when you do , {does:effect+}", lambda does: Term("when done", (does,)))


def _when(condition: Term, does: Effects) -> Term | None:
    """Return a reflexive trigger on something that was done this way (603.12)."""
    return _conditional(condition, (Term("when done", (does,)),)) if condition.op == "some this way" else None


GRAMMAR.rule("effect", "when {condition:condition} , {does:effect+}", _when)


# ---------------------------------------------------------------- effects that last


@word("effect", op="continuous", rule="611.2")
def _continuous(t: Table, subject: Any = None, changes: Effects = (), duration: Any = None) -> Run[None]:
    """Begin a continuous effect: whom it affects and how much is fixed as it begins (611.2c, 608.2h)."""
    fixed = tuple(_worked_out(t.frame, change) for change in changes)
    met = () if subject is None else (yield from t.meant(subject))
    names = tuple(each for each in met if isinstance(each, str))
    numbers = tuple(each for each in met if isinstance(each, int) and each in t.state.objects)
    until = ends(t.frame, duration)
    if duration == ITS_UNTAP_STEP:  # whose it is was fixed as the effect began (611.2c)
        controllers = {number: t.state.look(number).controller for number in numbers}
        for player in dict.fromkeys(controllers.values()):
            mine = tuple(number for number in numbers if controllers[number] == player)
            t.add_effect(mine, None, fixed, ("your next untap step", player))
    elif numbers:
        t.add_effect(numbers, None, fixed, until)
    if names or subject is None:
        these = Term("these players", (names,))
        t.add_effect(None, None, tuple(rule for change in fixed for rule in for_players(change, these)), until)
    if numbers:
        t.frame.said["it"] = numbers


def _worked_out(frame: Frame, change: Term) -> Term:
    """Return a change with its amounts as numbers, also those within a size (611.2d)."""

    def fixed(arg: Any) -> Any:
        if isinstance(arg, tuple):
            return tuple(map(fixed, arg))
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


def _lasting(subject: Any, changes: Any, duration: Any = None) -> Term:
    return Term("continuous", (subject, changes, duration))


GRAMMAR.rule("object act", "{changes:change+} {duration:duration}",
             lambda changes, duration: _lasting(SUBJECT, changes, duration))  # fmt: skip
GRAMMAR.rule("object act", "{changes:change+}", lambda changes: _lasting(SUBJECT, changes))


def _until_then(part: Term, duration: Term) -> Term:
    subject, changes, _ = part.args
    return _lasting(subject, changes, duration)


GRAMMAR.joints["lasting"] = ((",", "and"), ("and",))
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


# ---------------------------------------------------------------- choosing, and what was not understood


@word("effect", "choose {what:recipients}", op="choose", rule="115.1")
def choose(t: Table, what: tuple[Any, ...]) -> Run[None]:
    """Speak of what was chosen, targets mostly; nothing else happens."""
    numbers = tuple(each for each in what if isinstance(each, int))
    t.frame.said["it"] = t.frame.said["those"] = numbers
    return
    yield


@word("effect", op="unread")
def unread(t: Table, text: str = "") -> Run[None]:
    """Tell that a sentence was not understood where it would have mattered."""
    t.log(Event("not understood", t.frame.you, (t.frame.this,) if t.frame.this else (), detail=(("text", text),)))
    return
    yield
