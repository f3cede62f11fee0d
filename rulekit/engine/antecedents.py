"""What "it", "that creature" and "that player" stand for, as far as the text alone says; the rest is left to the game.

Two texts that say the same thing with different pronouns become the same data.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import WORDS, Ability, Term, Word, walk
from rulekit.engine.filters import all_of
from rulekit.engine.phrases import replaced

THIS, IT, THAT, THOSE, THEM = Term("this"), Term("it"), Term("that", (None,)), Term("those"), Term("them")
MILLED, YOU = Term("milled"), Term("you")
GROUPS = {"look at the top": Term("looked at"), "mill": MILLED}  # cards that effects find, and how these are meant
FINDING = ("look at the top", "reveal until", "exile until")  # what they find are cards, no creatures
RESTS = ("put the rest", "shuffle the rest")
PUTTING = ("put onto the battlefield",)  # what is found becomes one
A_CARD = frozenset({"card"})
AMONG_THEM = Term("among", (THEM,))
OTHER, THE_REST, ABOUT_IT = Term("other"), Term("the rest"), Term("what it is done to or by")
FIRST, THAT_PLAYER = Term("it at first"), Term("that player")
TARGET_PLAYER = "target player"
TARGETS = ("target", TARGET_PLAYER)
OBJECTS = ("objects", "recipients")
GIVEN_UP = {"sacrifice": "sacrificed", "discard": "discarded"}
WATCHED = ("watch these", "watch each", "watch some")
QUIET = frozenset(  # effects that speak of no object
    {
        "gain life", "lose life", "draw", "discard", "scry", "surveil", "add mana", "add one of any color", "pay",
        "shuffle", "extra turn", "repeat this process", "player gets counters", "player loses counters", "unread",
        "sacrifice", "win the game", "lose the game", "reveal hand", "shield",
    }
)  # fmt: skip
INSIDE = frozenset(
    {
        "if",
        "may",
        "several times",
        "for each object",
        "for each player",
        "unless",
        "unless done",
        "process",
        "until",
        "later",
        "modes",
        "instead",
        "otherwise",
        "when done",
    }
)
EACH_OF = {Term("each player"): Term("a player"), Term("each opponent"): Term("an opponent")}
LYING = ("in hand", "in graveyard", "in exile", "among")  # descriptions of cards by where they are
BESIDE = ("attached to", "blocking one", "other than", "not")  # descriptions by another object, or by what it is not
OTHERS = frozenset(  # events of two objects, where "that" is not "it"
    {"it deals damage", "it is dealt damage", "it blocks", "it becomes blocked", "it becomes blocked by",
     "it blocks or becomes blocked by", "it becomes attached",
     "it becomes unattached", "it becomes the target"}
)  # fmt: skip


@dataclass
class _Spoken:
    """What was spoken of last.

    Attributes:
        it: THIS, MILLED, or None: the game knows.
        that: None where the event is about two objects and none was spoken of since.
        player: The player who was targeted, if one was spoken of last.
        kinds: The card types and subtypes by which it was spoken of, if any.
        given_up: What was sacrificed or discarded last: how, and the card types and subtypes that were asked for.
        triggered: Whether an event was spoken of before all else.
        aimed: The single targets so far that are objects.
        spell: Whether it is the text of an instant or sorcery, which is none of the "others" itself.
        rest: All of those among whom some were chosen, without the chosen ones.
        besides: The object of the event from which "others" are told, where it is not about this one.
        acting: Whether "them", for something that can happen to players, is whoever was said to do something.
    """

    it: Term | None = None
    that: Term | None = IT
    player: Term | None = None
    kinds: frozenset[str] = frozenset()
    given_up: tuple[str, frozenset[str]] = ("", frozenset())
    triggered: bool = False
    acting: bool = False
    aimed: tuple[Term, ...] = ()
    spell: bool = False
    besides: Term | None = None
    rest: Term | None = None


def resolved(ability: Ability) -> Ability:
    """Return an ability in which a pronoun that can only mean one thing says that."""
    if ability.kind not in ("spell", "activated", "triggered"):
        return ability
    spoken = _Spoken(spell=ability.kind == "spell")
    if ability.event is not None:
        watched = [term for term in ability.event.walk() if term.op in WATCHED]
        if [term.args[0] for term in watched] == [THIS]:
            spoken.it = THIS
        spoken.triggered = True
        spoken.acting = ability.event.op.startswith("they ")
        two = any(term.op in OTHERS for term in ability.event.walk())
        happens_to_this = [term.args[0] for term in watched][1:] == [THIS]  # then the other one is who did it
        spoken.that = None if two and not happens_to_this else IT
        if two and THIS not in [term.args[0] for term in watched]:
            spoken.besides = THAT
    if ability.kind == "activated":  # what is given up or taken off to pay is spoken of first
        spoken.it = next((term for term in walk(ability.cost) if term.op == "granter"), None)
    return replace(ability, effect=_all(ability.effect, spoken))


def _all(effects: tuple[Any, ...], spoken: _Spoken) -> tuple[Any, ...]:
    found: list[Any] = []
    for term in effects:
        if isinstance(term, Term) and term.op == "reveal" and found and found[-1].op == "draw":
            term = replaced(term, IT, Term("those done", ("drawn", Term("card"))))  # "draw a card and reveal it"
        found.append(_one(term, spoken) if isinstance(term, Term) else term)
    return _from_the_same(_found_beside_the_rest(tuple(found)))


def _from_the_same(effects: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return effects in which cards are taken one after another from the same ones: "them" is all that were there."""
    found: list[Any] = []
    group: Term | None = None
    taken = False
    for term in effects:
        if isinstance(term, Term) and term.op in GROUPS:
            group, taken = GROUPS[term.op], False
        among = [inner for inner in walk(term) if inner.op == "among" and inner.args[0] in (THEM, group)]
        if among and group is not None:
            term = replaced(term, AMONG_THEM, Term("among", (group,))) if taken else term
            taken = True
        found.append(term)
    return tuple(found)


def _found_beside_the_rest(effects: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return effects in which "those cards" beside "the rest" of revealed cards are those that were looked for."""
    ops = [term.op if isinstance(term, Term) else "" for term in effects]
    if not {*FINDING} & {*ops}:
        return effects
    effects = tuple(map(_shuffled_rest, effects))
    last = next((k for k, term in enumerate(effects) if isinstance(term, Term) and term.op in RESTS), 0)
    if "reveal until" not in ops or not last:
        return effects
    first = ops.index("reveal until")
    return (
        *effects[: first + 1],
        *(replaced(term, THEM, IT) for term in effects[first + 1 : last]),
        *effects[max(first + 1, last) :],
    )


def _shuffled_rest(term: Any) -> Any:
    """Return an effect that shuffles "the rest" into a library as one about cards that were found."""
    rest = isinstance(term, Term) and term.op == "shuffle into library" and term.args[1] == THE_REST
    return Term("shuffle the rest", (term.args[0],)) if rest else term


def _source_by_source(term: Term) -> Term:
    """Return an effect of several sources, each of which has a recipient or an amount of its own, as one of each."""
    if term.op != "deal damage" or not isinstance(term.args[2], Term) or term.args[2].op != "each":
        return term
    n, to, sources, combat = term.args
    if not any(part == IT for part in walk((n, to))):
        return term
    return Term("for each object", (sources.args[0], (Term("deal damage", (n, to, IT, combat)),)))


def _cards_to_cast(term: Term) -> Term:
    """Return an effect that lets a spell of a hand or graveyard be cast as one about the card that is there."""
    if term.op != "cast without paying":
        return term
    for described in [inner for inner in term.walk() if inner.op == "all of"]:
        parts = described.args[0]
        if any(part.op in LYING for part in parts) and Term("spell") in parts:
            card = all_of(*(Term("card") if part == Term("spell") else part for part in parts))
            term = replaced(term, described, card)
    return term


def _player_by_player(term: Term) -> Term:
    """Return what each of some players does as much as "that player" has of something as done by one after another."""
    names = [name for name, _ in WORDS[term.op].slots]
    doers = next((arg for name, arg in zip(names, term.args, strict=False) if name == "who"), None)
    amount = next((arg for name, arg in zip(names, term.args, strict=False) if name == "n"), None)
    if not isinstance(doers, Term) or doers not in EACH_OF or THAT_PLAYER not in list(walk(amount)):
        return term
    one = Term(term.op, tuple(THAT_PLAYER if arg == doers else arg for arg in term.args))
    return Term("for each player", (EACH_OF[doers], (one,)))


def _from_hand(term: Term) -> Term:
    """Return an effect by which chosen cards are discarded as one about those in hand (701.9a)."""
    if term.op != "discards" or not isinstance(term.args[0], Term) or term.args[0].op != "some of":
        return term
    what, low, high = term.args[0].args
    if any(inner.op == "in hand" for inner in what.walk()):
        return term
    held = all_of(what, Term("in hand", (term.args[1] or YOU,)))
    return Term("discards", (Term("some of", (held, low, high)), *term.args[1:]))


def _one(term: Term, spoken: _Spoken) -> Term:
    term = _player_by_player(_from_hand(_cards_to_cast(_source_by_source(term))))
    if term.op == "modes":  # one mode speaks of nothing that another does (700.2)
        low, high, choices = term.args
        return Term("modes", (low, high, tuple(_all(does, replace(spoken)) for does in choices)))
    if term.op in INSIDE:
        if term.op == "several times":
            term = _for_each_other(term) if spoken.it != THIS else term
        return Term(term.op, tuple(_part(arg, spoken) for arg in term.args))
    return _of_one_effect(term, WORDS[term.op], spoken)


def _of_one_effect(term: Term, word: Word, spoken: _Spoken) -> Term:
    """Put what was spoken of into one effect, and note what it speaks of."""
    names = [name for name, _ in word.slots]
    args = dict(zip(names, term.args, strict=False))
    args = {name: spoken.rest if arg == THE_REST and spoken.rest is not None else arg for name, arg in args.items()}
    if term.op == "choose":
        spoken.rest = _not_chosen(*term.args)
    subject = args.get(ABOUT.get(term.op, ""), IT)
    if spoken.it is not None and spoken.it.op == "granter" and subject != IT:
        spoken.it = None  # "its" is that of the creature that does it
    for name in ("n", "changes"):
        if term.op in ABOUT and name in args:
            args[name] = _its_own(args[name], term.op, subject, spoken)
    for name in sorted(args, key=lambda name: word.sorts.get(name) != "players"):
        if args[name] == THEM and word.sorts.get(name) == "recipients" and spoken.acting:
            args[name] = THAT_PLAYER
        args[name] = _said(_aimed_at(args[name], spoken), spoken)
        if word.sorts.get(name) == "players" or (isinstance(args[name], Term) and args[name].op == TARGET_PLAYER):
            _note_player(args[name], spoken)
    if args.get("who") == YOU and _needs_nobody(word):
        args["who"] = None  # an effect that needs no subject is yours
    _tell_others_apart(term.op, args, word, spoken)
    _note(term, args, word, spoken)
    return Term(term.op, tuple(args[name] for name in names[: len(term.args)]))


def _its_own(value: Any, op: str, subject: Term, spoken: _Spoken) -> Any:
    """Return part of an effect in which "its" power is that of the one that the effect is about.

    This one is only where it deals damage, and then neither its mana value is meant nor, of a spell, its power.
    """
    if not isinstance(value, Term | tuple) or subject == IT:
        return value
    of_mana = any(term.op == "size of" and term.args[0] == "mana value" for term in walk(value))
    if subject == THIS and (op != "deal damage" or spoken.spell):
        return value
    if of_mana and (subject == THIS or spoken.it == MILLED):
        return value
    return _amounts_about(value)


def _amounts_about(value: Any) -> Any:
    """Return a value in whose amounts "it" is the one that the effect is about."""
    if isinstance(value, tuple):
        return tuple(map(_amounts_about, value))
    if not isinstance(value, Term) or WORDS[value.op].sort == "filter":
        return value
    if WORDS[value.op].sort == "amount":
        return replaced(value, IT, ABOUT_IT)
    return Term(value.op, tuple(map(_amounts_about, value.args)))


def _note(term: Term, args: dict[str, Any], word: Word, spoken: _Spoken) -> None:
    """Note the objects and players that an effect speaks of."""
    about = [args[name] for name in args if word.sorts.get(name) in OBJECTS]
    about += [args["subject"]] if term.op == "continuous" and args["subject"] is not None else []
    _note_objects(term.op, about, spoken)
    if term.op in FINDING:
        spoken.kinds = _kinds(term) or A_CARD
    elif term.op in PUTTING:
        spoken.kinds = frozenset()
    spoken.kinds = _made(term) or spoken.kinds
    if term.op in GIVEN_UP:
        spoken.given_up = (GIVEN_UP[term.op], _kinds(term))
    _note_acting([args[name] for name in args if word.sorts.get(name) == "players"], spoken)


def _not_chosen(what: Term, who: Term | None = None) -> Term | None:
    """Return all that could be chosen, without what was chosen among them."""
    if what.op != "some of":
        return None
    group = what.args[0] if who is None else replaced(what.args[0], THAT_PLAYER, who)
    return Term("each", (all_of(group, Term("other than", (THEM,))),))


ABOUT = {"continuous": "subject", "deal damage": "what", "put counters": "what"}


def _subject(op: str, args: dict[str, Any]) -> Term | None:
    """Return the one object that an effect is about, where that is said and is not this one itself."""
    subject = args.get(ABOUT.get(op, ""))
    alone = isinstance(subject, Term) and (subject == IT or subject.op in ("that", "target", "equipped by this"))
    return subject if alone else None


def _for_each_other(term: Term) -> Term:
    """Return an effect as often as there are others than the object that it is about."""
    n, does = term.args
    names = [name for name, _ in WORDS[does[0].op].slots] if len(does) == 1 else []
    subject = _subject(does[0].op, dict(zip(names, does[0].args, strict=False))) if names else None
    return term if subject is None else Term(term.op, (_with_others(n, Term("other than", (subject,))), does))


def _tell_others_apart(op: str, args: dict[str, Any], word: Word, spoken: _Spoken) -> None:
    """Let "other" mean others than the object that an effect is about, where that is not this one itself."""
    subject = _subject(op, args)
    apart = Term("other than", (subject or (IT if spoken.spell else spoken.besides),))
    if apart.args != (None,):
        for name, arg in tuple(args.items()):
            if arg != subject and word.sorts.get(name) != "players":
                args[name] = _with_others(arg, apart)


def _with_others(value: Any, apart: Term) -> Any:
    """Put a description of others in the place of "other", except where it is a target, which others are told from."""
    if isinstance(value, tuple):
        return tuple(_with_others(part, apart) for part in value)
    if value == OTHER:
        return apart
    if not isinstance(value, Term) or value.op in TARGETS:
        return value
    if value.op == "all of":
        return all_of(*(_with_others(part, apart) for part in value.args[0]))
    return Term(value.op, tuple(_with_others(arg, apart) for arg in value.args))


def _aimed_at(value: Any, spoken: _Spoken) -> Any:
    """Return a target whose description speaks of the target before it, which nothing was done to yet."""
    if not isinstance(value, Term) or value.op != "target" or not spoken.aimed:
        return value
    before = spoken.aimed[-1]
    pronouns = [term for term in value.walk() if term == IT or term.op == "that"]
    for pronoun in pronouns:
        value = replaced(value, pronoun, before)
    return value


def _needs_nobody(word: Word) -> bool:
    """Return whether an effect may be without the player who does it."""
    optional = len(word.body.__defaults__ or ())
    return "who" in [name for name, unsaid in word.slots[len(word.slots) - optional :] if unsaid is None]


def _part(arg: Any, spoken: _Spoken) -> Any:
    """Go through what stands in an effect that holds others: lists of them in their order."""
    if isinstance(arg, Term) and WORDS[arg.op].sort == "condition":
        own = spoken.spell and arg.op in ("was kicked", "was cast", "was cast from")
        said = _said(replaced(arg, IT, THIS) if own else arg, spoken)  # of a spell "it" was cast
        if arg.op == "is" and arg.args[0] == THIS:
            spoken.it = THIS
        return said
    if isinstance(arg, Term) and WORDS[arg.op].sort == "filter":
        spoken.it, spoken.that, spoken.player = None, IT, None  # each one in turn is spoken of next
        spoken.kinds = _kinds(arg)
        return arg
    if isinstance(arg, tuple):
        if arg and isinstance(arg[0], tuple):
            return tuple(_part(each, spoken) for each in arg)
        return _all(arg, spoken) if all(_is_effect(each) for each in arg) else _said(arg, spoken)
    return _said(arg, spoken)


def _is_effect(value: Any) -> bool:
    return isinstance(value, Term) and WORDS[value.op].sort == "effect"


def _said(value: Any, spoken: _Spoken) -> Any:
    """Put what was spoken of in the place of pronouns."""
    if isinstance(value, Term):
        if value == IT:
            return spoken.it or IT
        if value.op == "that":
            return _that(value, spoken)
        if value.op == "size of this" and spoken.triggered and spoken.it != THIS:
            return Term("size of", (*value.args, IT))  # "lesser" than that of whatever the trigger is about
        if value == THEM or (value == THOSE and spoken.that is not None):
            return MILLED if spoken.it == MILLED else THEM
        if value == THAT_PLAYER:
            return spoken.player or THAT_PLAYER
        if value.op == "together":
            value = _theirs(value)
        return Term(value.op, tuple(_said(arg, spoken) for arg in value.args))
    return tuple(_said(part, spoken) for part in value) if isinstance(value, tuple) else value


def _theirs(value: Term) -> Term:
    """Return players and objects together in which "they" of the objects are those players."""
    players = [part for part in value.args[0] if WORDS[part.op].sort == "players"]
    if len(players) != 1:
        return value
    return Term("together", (tuple(part if part in players else replaced(part, THAT_PLAYER, players[0])
                                   for part in value.args[0]),))  # fmt: skip


def _that(value: Term, spoken: _Spoken) -> Term:
    """Return what "that creature" stands for: what was spoken of last, unless that is of another kind."""
    if spoken.that is None:
        return THAT
    kinds = _kinds(value)
    if spoken.it == THIS and kinds and len(spoken.aimed) == 1 and kinds & _kinds(spoken.aimed[0]):
        return spoken.aimed[0]  # this creature was spoken of last, but by that name another
    how, such = spoken.given_up
    if (how == "sacrificed" and kinds & such) or (how == "discarded" and value.args[0] == Term("card")):
        return Term("those done", (how, value.args[0]))
    found = spoken.kinds == A_CARD and any(term.op == "card" for term in value.walk())
    if kinds and spoken.kinds and not kinds & spoken.kinds and not found:
        meant = [target for target in spoken.aimed if kinds & _kinds(target)]
        if len(meant) == 1:
            return meant[0]
        if spoken.triggered:
            return FIRST
    if spoken.it == MILLED and value.args[0] is not None and not any(term.op == "card" for term in value.walk()):
        return IT  # what is milled is a card: "that creature" was spoken of before
    return spoken.it or IT


def _kinds(value: Any) -> frozenset[str]:
    """Return the card types and subtypes by which objects are spoken of, not those of what they have to do with."""
    if isinstance(value, tuple):
        return frozenset[str]().union(*(_kinds(part) for part in value))
    if not isinstance(value, Term) or value.op in BESIDE:
        return frozenset()
    return frozenset({str(value.args[0]).lower()}) if value.op == "kind" else _kinds(value.args)


def _made(term: Term) -> frozenset[str]:
    """Return the card types and subtypes of the token that an effect creates."""
    lines = [arg.types for arg in term.args if isinstance(arg, Card)]
    return frozenset(word.lower() for line in lines for word in (*line.types, *line.subtypes))


def _note_player(who: Any, spoken: _Spoken) -> None:
    if not isinstance(who, Term) or who.op in ("you", "that player"):
        return
    spoken.player = who if who.op == TARGET_PLAYER and (who.args[2], who.args[3]) == (1, 1) else None


def _note_acting(players: list[Any], spoken: _Spoken) -> None:
    others = [who for who in players if isinstance(who, Term) and who.op != "you"]
    if others:
        spoken.acting = True


def _note_objects(op: str, met: list[Any], spoken: _Spoken) -> None:
    if op == "mill":
        spoken.it, spoken.that, spoken.kinds = MILLED, IT, frozenset()
        return
    objects = [arg for arg in met if isinstance(arg, Term) and WORDS[arg.op].sort not in ("players",)]
    others = [arg for arg in objects if arg not in (THIS, IT, THEM, MILLED, FIRST)]
    if op == "choose new targets" and len(others) == 1 and others[0].op == "target":
        spoken.it, spoken.that = others[0], IT  # which may be done or not
        return
    spoken.aimed += tuple(each for each in others if each.op == "target" and each.args[3] == 1)
    if others:
        spoken.it, spoken.that, spoken.acting = None, IT, False
        spoken.kinds = _kinds(others[-1]) if others[-1].op in ("each", "some of", "target") else frozenset()
    elif MILLED in objects:
        spoken.it = MILLED
    elif THIS in objects and len(objects) == 1:
        spoken.it = THIS
    elif not objects and op not in QUIET:
        spoken.it, spoken.that = None, IT


def numbered(ability: Ability, first: int) -> tuple[Ability, int]:
    """Give the targets of an ability their numbers, in the order of the text; the first is `first`."""
    places = sorted({term.args[0] for term in ability.terms() if term.op in TARGETS})
    slots = {place: first + index for index, place in enumerate(places)}

    def at(value: Any) -> Any:
        if isinstance(value, Term):
            args = tuple(at(arg) for arg in value.args)
            return Term(value.op, (slots[value.args[0]], *args[1:]) if value.op in TARGETS else args)
        return tuple(at(part) for part in value) if isinstance(value, tuple) else value

    ability = resolved(ability)
    changed = replace(ability, cost=at(ability.cost), event=at(ability.event), condition=at(ability.condition),
                      effect=at(ability.effect))  # fmt: skip
    return changed, first + len(places)
