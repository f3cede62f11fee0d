"""What an instruction is about: the players and objects that it means, and who chooses among them (608.2d, 101.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulekit.engine.abilities import WORDS, Term, Word, walk
from rulekit.engine.happening import Run
from rulekit.engine.objects import found
from rulekit.engine.phrases import replaced

if TYPE_CHECKING:
    from rulekit.engine.events import Table


AN_OPPONENT = Term("an opponent of yours")


def settled(t: Table, word: Word, term: Term) -> Run[list[Any]]:
    """Return what stands in the slots of an instruction, with the players and objects that its words mean.

    What is chosen as it is carried out is chosen by the players who carry it out; `Table.chosen` then says by whom.
    """
    term = yield from _with_one_opponent(t, word, term)
    unsaid = tuple(value for _, value in word.slots[len(term.args) :])
    said = tuple(zip(word.slots, (*term.args, *unsaid), strict=True))
    doers = _doers(t, word, {name: arg for (name, _), arg in said})
    args: list[Any] = []
    for (name, _), arg in said:
        sort = word.sorts.get(name)
        if sort == "players":
            args.append(None if arg is None else t.frame.players(arg))
        elif sort in ("objects", "recipients"):
            args.append(None if arg is None else (yield from meant(t, arg, doers)))
            _speak_of_whose(t, word, arg, args[-1])
        else:
            args.append(arg)
    return args


def _with_one_opponent(t: Table, word: Word, term: Term) -> Run[Term]:
    """Return an instruction with the opponent whom its controller chooses in the place of "an opponent" (608.2d)."""
    about = [arg for arg in term.args if arg == AN_OPPONENT or (isinstance(arg, Term) and arg.op == "pile")]
    if word.facts.get("anyone") or AN_OPPONENT not in walk(tuple(about)):
        return term
    chosen: tuple[str, ...] = t.frame.players(AN_OPPONENT)
    if len(chosen) > 1:
        one = yield from t.ask(t.frame.you, "choose opponent", chosen, rule="608.2d", prompt="choose an opponent")
        chosen = (one,)
    t.frame.said["player"] = chosen
    meant_now = Term("these players", (chosen,))
    return Term(term.op, tuple(replaced(arg, AN_OPPONENT, meant_now) if arg in about else arg for arg in term.args))


def _speak_of_whose(t: Table, word: Word, said: Any, meant_now: tuple[Any, ...] | None) -> None:
    """Let "that player" mean whose permanent or card it is, above all where the text says that it is another's."""
    if not isinstance(said, Term) or not meant_now:
        return
    filters = [term for term in walk(said) if WORDS[term.op].sort == "filter"]
    if not filters:  # "this" or "it" describes nobody else's
        return
    players = [
        arg for each in filters for arg in each.args if isinstance(arg, Term) and WORDS[arg.op].sort == "players"
    ]
    numbers = [one for one in meant_now if isinstance(one, int)]
    whose = {
        t.state.look(one).controller
        if t.state.get(one).zone in ("battlefield", "stack") and not word.facts.get("to_owner")
        else t.state.get(one).owner
        for one in numbers
    }
    if len(whose) == 1:
        in_passing = all(who.op == "you" for who in players) and _spoke_of_a_player(t)
        t.frame.said["whose" if in_passing else "player"] = tuple(whose)


def _spoke_of_a_player(t: Table) -> bool:
    """Return whether another player was spoken of before: targeted, or in what made the ability trigger."""
    if any(isinstance(one, str) for chosen in t.frame.targets.values() for one in chosen):
        return True
    item = t.state.objects.get(t.frame.item or 0)
    event = item.ability.event if item is not None and item.ability is not None else None
    about = event.walk() if event is not None else ()
    return any(
        term.op.startswith("they ") or (WORDS[term.op].sort in ("players", "whose") and term.op not in ("you", "yours"))
        for term in about
    )


def _doers(t: Table, word: Word, said: dict[str, Any]) -> tuple[str, ...]:
    """Return the players who carry out an instruction where the text names others than "you"."""
    who = said.get("who")
    if not isinstance(who, Term) or who.op == "you" or word.facts.get("receives"):
        return ()
    return t.frame.players(who) if word.sorts.get("who") == "players" else ()


def meant(t: Table, term: Any, doers: tuple[str, ...] = ()) -> Run[tuple[Any, ...]]:
    """Return the objects or players that a term means; what is chosen as it is carried out is asked for.

    Args:
        t: The table.
        term: What is meant.
        doers: The players who make the choices, in the order in which they do; "you" if left out.
    """
    if not isinstance(term, Term):
        return (term,) if isinstance(term, int | str) else tuple(term)
    if term.op == "some of":
        if doers:
            return (yield from _each_chooses(t, doers, term))
        return (yield from choose(t, t.frame.you, *term.args))
    if term.op == "together":
        parts: list[Any] = []
        for part in term.args[0]:
            parts += [one for one in (yield from meant(t, part, doers)) if one not in parts]
        return tuple(parts)
    if term.op == "pile" and doers:
        return _of_the_doers(t, doers, term)
    return t.frame.players(term) if WORDS[term.op].sort == "players" else t.frame.objects(term)


def _of_the_doers(t: Table, doers: tuple[str, ...], term: Term) -> tuple[int | str, ...]:
    """Return the cards of zones; where they are "theirs" each of the doers does it with their own (608.2e)."""
    spoken = t.frame.said.get("player")
    t.frame.said["player"] = doers
    cards = t.frame.objects(term)
    t.frame.said["player"] = spoken
    return cards


def _each_chooses(t: Table, doers: tuple[str, ...], term: Term) -> Run[tuple[int, ...]]:
    """Let several players choose, the active one first, all of them before anything is done (101.4, 608.2e)."""
    spoken = t.frame.said.get("player")
    for player in doers:
        t.frame.said["player"] = (player,)  # whom "they" and "their" mean
        mine = yield from choose(t, player, *term.args)
        t.chosen[player] = (*t.chosen.get(player, ()), *mine)
    t.frame.said["player"] = spoken
    return tuple(dict.fromkeys(number for player in doers for number in t.chosen[player]))


def choose(t: Table, player: str, what: Term, low: Any = 1, high: Any = 1) -> Run[tuple[int, ...]]:
    """Let a player choose objects as an effect is carried out, one after another (608.2d).

    Args:
        t: The table.
        player: Who chooses.
        what: Which objects fit.
        low: How few may be chosen, if there are so many.
        high: How many may be chosen.
    """
    fitting = list(found(t.frame, what))
    of_milled = (("among", Term("milled")), ("this way", "milled"))
    milled = any((term.op, *term.args) in of_milled for term in what.walk())
    chosen: list[int] = []
    for _ in range(t.count(high)):
        options: list[Any] = [number for number in fitting if number not in chosen]
        if not options:
            break
        if len(chosen) >= t.count(low):
            options.append("no")
        answer = yield from t.ask(
            player, "choose card", options, rule="701.17c" if milled else "608.2d", prompt="choose"
        )
        if answer == "no":
            break
        chosen.append(answer)
    return tuple(chosen)
