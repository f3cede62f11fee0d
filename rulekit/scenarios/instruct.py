"""The instructions that a scenario can give by itself, as effects that a resolving ability would have."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from rulekit.cards.pool import CardPool
from rulekit.engine.abilities import Term
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.parsing import Unread
from rulekit.engine.position import token_called
from rulekit.engine.state import State
from rulekit.engine.text import load_words
from rulekit.rules import BadData
from rulekit.scenarios import naming
from rulekit.scenarios.form import INSTRUCTIONS

THIS = Term("this")
YOU = Term("you")


def terms_of(state: State, said: Mapping[str, Any]) -> tuple[Term, ...]:
    """Return the effects of an instruction such as {mill: 3, player: Bob}.

    Args:
        state: Where its names are looked up.
        said: The instruction, as it was read.

    Raises:
        Unknown: Nothing is called so.
        BadData: The words of a token or an ability are not understood.
    """
    kind = next(key for key in said if key in _MEANS)
    return (_MEANS[kind](state, said),)


def read_effect(text: str, this: int | None = None, you: str | None = None) -> Term:
    """Return what a text says, with "this" and "you" as given.

    Args:
        text: An effect, such as "this gains flying".
        this: The object that "this" means.
        you: The player that "you" means.

    Raises:
        BadData: The text is not understood.
    """
    load_words()
    try:
        term: Term = _put(GRAMMAR.read("effect", text), {THIS: (this,), YOU: (you,)})
    except Unread as unread:
        raise BadData(f"{text!r} is not understood from {unread.phrase!r} on.") from None
    return term


def gains(ability: str, this: int | None = None) -> Term:
    """Return the effect by which something gains an ability: a keyword, or one that is written out.

    Raises:
        BadData: The words of the ability are not understood.
    """
    try:
        return read_effect(f"this gains {ability}", this)
    except BadData:
        return _as_given(read_effect(f'this gains "{ability}"', this), ability)


def _as_given(gained: Term, words: str) -> Term:
    """Return the effect with the ability in the words in which it was given, where it is one."""
    what, (change,), lasts = gained.args
    (abilities,) = change.args
    if len(abilities) > 1:
        return gained
    return Term(gained.op, (what, (Term(change.op, ((replace(abilities[0], printed=words),),)),), lasts))


def said_of(term: Term, name: Callable[[int], str]) -> Mapping[str, Any] | None:
    """Return an instruction as a scenario says it, so that `terms_of` reads this term; None if there are no words.

    Args:
        term: The effect, with its objects and players.
        name: What an object is called.
    """
    args = [arg[0] if isinstance(arg, tuple) and len(arg) == 1 else arg for arg in term.args]
    if term.op == "continuous" and isinstance(args[1], Term):
        return _said_of_change(name(args[0]), args[1]) if isinstance(args[0], int) else None
    if term.op == "deal damage":
        beside: dict[str, Any] = {"combat": True} if args[3:] == [True] else {}
        source: dict[str, Any] = {"from": name(args[2])} if args[2:] and isinstance(args[2], int) else {}
        return {"deal damage": args[0], "to": _word(args[1], name), **beside, **source}
    if term.op == "create" and args[1] == 1:
        return {"create": args[2].name, "player": args[0]}
    key, places = _SAID.get(term.op, ("", ()))
    if not key or len(args) <= max(places):
        return None
    first, beside = INSTRUCTIONS[key]
    of_object = [sort in ("object", "target") for sort in (first, *beside.values())]
    words = [_word(args[place], name) if named else args[place] for place, named in zip(places, of_object, strict=True)]
    return dict(zip((key, *beside), words, strict=True))


_SAID: Mapping[str, tuple[str, tuple[int, ...]]] = {
    "mill": ("mill", (1, 0)), "draw": ("draw", (1, 0)), "surveil": ("surveil", (1, 0)), "scry": ("scry", (1, 0)),
    "destroy": ("destroy", (0,)), "exile": ("exile", (0,)), "return to hand": ("return to hand", (0,)),
    "sacrifices": ("sacrifice", (0,)), "phase out": ("phase out", (0,)),
    "gain control": ("gain control", (1, 0)), "counter": ("counter spell", (0,)),
    "attach": ("attach", (0, 1)), "shuffle": ("shuffle", (0,)), "leave the game": ("leave game", (0,)),
}  # fmt: skip
"""For the words of effects what a scenario calls them, and which of their parts stand behind and beside that."""


def _word(value: Any, name: Callable[[int], str]) -> Any:
    return name(value) if isinstance(value, int) else value


def _said_of_change(name: str, change: Term) -> Mapping[str, Any] | None:
    """Return an instruction that sets the types or colors of something or gives it an ability."""
    first = change.args[0]
    if change.op == "becomes" and read_effect(f"this becomes {' '.join(first[2])}").args[1][0] == change:
        return {"set types": name, "types": list(first[2])}
    if change.op == "set colors":
        return {"set colors": name, "colors": list(first)}
    if change.op == "has" and len(first) == 1:
        return {"add ability": name, "ability": first[0].words}
    return None


def _put(value: Any, meant: Mapping[Term, Any]) -> Any:
    """Put what is meant in the place of terms."""
    if isinstance(value, tuple):
        return tuple(_put(each, meant) for each in value)
    if isinstance(value, Term):
        return meant[value] if value in meant else Term(value.op, _put(value.args, meant))
    return value


def _object(state: State, name: str) -> tuple[int, ...]:
    return (naming.find_or_last(state, name),)


def _target(state: State, name: str) -> int | str:
    if name in state.players:
        return name
    found = naming.find(state, name, state.stack) if name.endswith((" trigger", " ability")) else None
    return naming.find_or_last(state, name) if found is None else found


def _to_object(word: str) -> Callable[[State, Mapping[str, Any]], Term]:
    """Return an instruction whose only part is an object."""

    def means(state: State, said: Mapping[str, Any]) -> Term:
        return Term(word, (_object(state, next(iter(said.values()))),))

    return means


def _of_player(word: str) -> Callable[[State, Mapping[str, Any]], Term]:
    """Return an instruction to a player, with a number if it has one."""

    def means(state: State, said: Mapping[str, Any]) -> Term:
        first = next(iter(said.values()))
        return Term(word, ((said["player"],), first)) if "player" in said else Term(word, ((first,),))

    return means


def _becomes(joined: str, none: str = "") -> Callable[[State, Mapping[str, Any]], Term]:
    """Return an instruction by which an object becomes what the last part of it says."""

    def means(state: State, said: Mapping[str, Any]) -> Term:
        name, words = said.values()
        return read_effect(f"this becomes {joined.join(words) or none}", naming.find_or_last(state, name))

    return means


def _gain_control(state: State, said: Mapping[str, Any]) -> Term:
    return read_effect("you gain control of this", naming.find_or_last(state, said["gain control"]), said["player"])


def _gains(state: State, said: Mapping[str, Any]) -> Term:
    return gains(said["ability"], naming.find_or_last(state, said["add ability"]))


def creates(words: str, player: str = "") -> Term:
    """Return the effect that creates a token.

    Args:
        words: The name of a token (Wolf), what a card would say of it (2/2 green Wolf), or the name of a permanent card
            that it is a copy of.
        player: Who creates it.

    Raises:
        Unknown: No token is called so.
    """
    pool = CardPool.catalogue()
    card = pool.find(words) if words in pool else None
    if card is None or words != card.name or {"Instant", "Sorcery"} & set(card.types.types):
        for token in (words, f"{words} token", f"{words} creature token") if re.match(r"\d+/\d+ ", words) else ():
            with suppress(BadData):
                return read_effect(f"you create a {token}", you=player)
        card = token_called(words)
    return Term("create", ((player,), 1, card, False, False))


def _create(state: State, said: Mapping[str, Any]) -> Term:
    return creates(said["create"], said["player"])


def _damage(state: State, said: Mapping[str, Any]) -> Term:
    source = _object(state, said["from"]) if "from" in said else None
    return Term("deal damage", (said["deal damage"], (_target(state, said["to"]),), source, said.get("combat", False)))


def _attach(state: State, said: Mapping[str, Any]) -> Term:
    return Term("attach", (_object(state, said["attach"]), (_target(state, said["to"]),), None))


def _counter(state: State, said: Mapping[str, Any]) -> Term:
    return Term("counter", ((_target(state, said["counter spell"]),), "graveyard"))


_MEANS: Mapping[str, Callable[[State, Mapping[str, Any]], Term]] = {
    "mill": _of_player("mill"),
    "draw": _of_player("draw"),
    "surveil": _of_player("surveil"),
    "scry": _of_player("scry"),
    "destroy": _to_object("destroy"),
    "exile": _to_object("exile"),
    "return to hand": _to_object("return to hand"),
    "sacrifice": _to_object("sacrifices"),
    "phase out": _to_object("phase out"),
    "gain control": _gain_control,
    "create": _create,
    "counter spell": _counter,
    "set types": _becomes(" "),
    "set colors": _becomes(" and ", "colorless"),
    "add ability": _gains,
    "attach": _attach,
    "deal damage": _damage,
    "shuffle": _of_player("shuffle"),
    "leave game": _of_player("leave the game"),
}
