"""What players may do, pay or choose while an effect is carried out, and what is told of a text not understood."""

from __future__ import annotations

import re
from typing import Any

from rulekit.engine.abilities import WORDS, Term, word
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.flow import THAT_PLAYER, YOU, Effects, filled
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.phrases import SUBJECT, replaced

# ---------------------------------------------------------------- may


@word("effect", op="may", rule="603.5", flow=True)
def _may(t: Table, who: tuple[str, ...], does: Effects = ()) -> Run[bool]:
    """Let players choose whether to do something; what cannot be done is not offered (608.2d, 701.17b).

    Returns:
        Whether anybody did it.
    """
    done = False
    whose = t.term.args[0] if t.term is not None else YOU
    for player in who:
        mine = _of_one(t, player, whose, does)
        if len(mine) == 1 and mine[0].op == "pay":
            done = (yield from _paid(t, player, mine[0].args[1])) or done
        elif len(mine) == 1 and WORDS[mine[0].op].facts.get("refusable"):  # it asks what may stay as it is
            done = (yield from t.do(mine[0])) is not False or done
        elif len(mine) == 1 and (optional := _choice_of_one(mine[0])) is not None:
            done = bool((yield from t.do(optional))) or done
        elif all(possible(t, term, bool(place)) for place, term in enumerate(mine)) and (
            yield from t.may(player, _asked(t, player, whose, does))
        ):
            result = yield from t.run(mine)
            done = done or result not in ((), False)
    t.frame.said["done"] = done
    return done


WORDS["may"].sorts["who"] = "players"
GROUPS = ("each player", "each opponent", "each other player", "an opponent of yours")


def _of_one(t: Table, player: str, whose: Any, does: Effects) -> Effects:
    """Return what one of the players who may do something does, each for themselves (608.2e)."""
    mine: Effects = filled(does, YOU)
    if isinstance(whose, Term) and whose.op in GROUPS:
        mine = replaced(mine, whose, THAT_PLAYER)
    elif player != t.frame.you:  # "that player" is still another where you may do something
        mine = filled(does, THAT_PLAYER)
    if player != t.frame.you or (isinstance(whose, Term) and whose.op in GROUPS):
        t.frame.said["player"] = (player,)
    return mine


def _choice_of_one(term: Term) -> Term | None:
    """Return an effect on one chosen object as one that may be refused in the same choice, or None for others."""
    chosen = [arg for arg in term.args if isinstance(arg, Term) and arg.op == "some of"]
    if len(chosen) != 1 or chosen[0].args[1] != 1 or chosen[0].args[2] != 1:
        return None
    what = chosen[0].args[0]
    return Term(term.op, tuple(Term("some of", (what, 0, 1)) if arg is chosen[0] else arg for arg in term.args))


def in_words(t: Table, does: Effects) -> str:
    """Say what will be done; what has no wording of its own is called by the ability that it is part of."""
    try:
        return GRAMMAR.say(does)
    except LookupError:
        item = t.state.objects.get(t.frame.item or 0)
        whole = item.ability if item is not None else None
        return whole.words if whole is not None else t.state.name(t.frame.this)


def _asked(t: Table, player: str, whose: Any, does: Effects) -> str:
    """Say what a player may do: to that player, with the names of others and of the object that the text is on."""
    mine: Effects = filled(does, YOU)
    if player != t.frame.you or (isinstance(whose, Term) and whose.op in GROUPS):
        mine = replaced(replaced(mine, YOU, Term("these players", ((t.frame.you,),))), THAT_PLAYER, YOU)
        mine = replaced(mine, whose, YOU) if player != t.frame.you or whose != YOU else mine
        mine = replaced(mine, Term("these players", ((player,),)), YOU)
    else:
        others = t.frame.players(THAT_PLAYER)
        mine = replaced(mine, THAT_PLAYER, Term("these players", (others,))) if others else mine
    named = t.state.name(t.frame.this) if t.frame.this else "this"
    return re.sub(r"\bthis(?=$| (?:onto|into|to|from|on|without|and)\b)", named, in_words(t, mine).replace("~", named))


def possible(t: Table, term: Term, behind: bool = False) -> bool:
    """Return whether an optional effect could be carried out as it is written (608.2d, 701.17b).

    Args:
        t: The table.
        term: The effect.
        behind: Whether it stands behind another one that may be done with it, which does something first.
    """
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
    return all(_there(t, arg) or (behind and arg.op == "those done") for arg in term.args)


def _there(t: Table, arg: Any) -> bool:
    """Return whether what an optional effect would do something with is there."""
    if not isinstance(arg, Term) or WORDS[arg.op].sort != "objects" or arg.op == "each":
        return True
    return bool(t.frame.objects(arg)) or (arg.op == "some of" and arg.args[1] == 0)


GRAMMAR.rule("effect", "{who:players} may {does:deed done+}", lambda who, does: Term("may", (who, does)))
GRAMMAR.rule("effect", "may {does:deed done+}", lambda does: Term("may", (YOU, does)))
GRAMMAR.rule("act", "may {does:deed done+}", lambda does: Term("may", (SUBJECT, does)))


# ---------------------------------------------------------------- paying as an effect


@word(
    "effect",
    "{who:players} pay[s] {cost:costs}",
    ("pay {cost:costs}", {"who": YOU}),
    rule="118.12",
    op="pay",
    flow=True,
)
def pay(t: Table, who: tuple[str, ...], cost: Effects = ()) -> Run[bool]:
    """Let players pay a cost as an effect is carried out, if they can and want to (118.12)."""
    done = False
    for player in who:
        done = (yield from _paid(t, player, cost)) or done
    t.frame.said["done"] = done
    return done


def _paid(t: Table, player: str, cost: Effects) -> Run[bool]:
    from rulekit.engine.instructions.spells import may_pay

    return (yield from may_pay(t, player, cost))


@word("effect", op="unless", rule="118.12a", flow=True, anyone=True)
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
    if all(possible(t, term) for term in other) and (yield from t.may(t.frame.you, _asked(t, t.frame.you, YOU, other))):
        yield from t.run(other)
    else:
        yield from t.run(does)


WORDS["unless"].sorts["who"] = "players"
GRAMMAR.rule("effect", "{does:effect+} unless {who:players} pay[s] {cost:costs}",
             lambda does, who, cost: Term("unless", (does, who, cost)))  # fmt: skip
GRAMMAR.rule("effect", "{does:effect+} unless you {other:deed done+}",
             lambda does, other: Term("unless done", (does, filled(other, YOU))))  # fmt: skip


# ---------------------------------------------------------------- choosing, and what was not understood


def _choosable(what: Term) -> Term | None:
    """Return what can be chosen: not all of a group, of which one would be meant."""
    return None if what.op in ("each", "each opponent", "each player") else what


GRAMMAR.rule("choosable", "{what:recipients}", _choosable)


@word("effect", "choose {what:choosable}", "{who:players} choose[s] {what:choosable}", op="choose", rule="608.2d")
def choose(t: Table, what: tuple[Any, ...], who: Any = None) -> Run[None]:
    """Speak of what was chosen, targets mostly; nothing else happens."""
    numbers = tuple(each for each in what if isinstance(each, int))
    t.frame.said["it"] = t.frame.said["those"] = numbers
    return
    yield


WORDS["choose"].sorts["what"] = "recipients"


@word("objects", "the rest", rule="608.2c")
def the_rest(frame: Frame) -> tuple[int, ...]:
    """Stand for those of a kind that were not chosen, until the reader knows of which kind."""
    return ()


@word("effect", op="unread")
def unread(t: Table, text: str = "") -> Run[None]:
    """Tell that a sentence was not understood where it would have mattered."""
    t.log(Event("not understood", t.frame.you, (t.frame.this,) if t.frame.this else (), detail=(("text", text),)))
    return
    yield
