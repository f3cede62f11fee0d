"""Terms as text again, in their normal wording: what the phrases of the words alone cannot say.

Reading what is said here gives the same terms; `text.text_of` holds that for whole abilities.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from typing import Any

from rulekit.engine.abilities import WORDS, Ability, Term
from rulekit.engine.filters import BEFORE, all_of, place_of, say_filter, say_quality
from rulekit.engine.flow import DONE, filled
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.objects import ANY_NUMBER, THEM
from rulekit.engine.phrases import joined, replaced
from rulekit.engine.repeating import MODES

YOU, IT, THIS = Term("you"), Term("it"), Term("this")
PLURAL = ("you", "each", "them", "those", "milled", "pile", "together", "players together")
Effects = tuple[Term, ...]


def is_plural(term: Any) -> bool:
    """Return whether what a term means is spoken of in the plural."""
    if not isinstance(term, Term):
        return False
    if term.op in ("target", "target player"):
        return not (term.args[3] == 1 or (term.args[1].op == "any target" and term.args[3] == 1))
    if term.op == "some of":
        return bool(term.args[2] != 1)
    return term.op in PLURAL or term.op == "watch some" or (term.op == "watch these" and is_plural(term.args[0]))


GRAMMAR.plural = is_plural

# ---------------------------------------------------------------- objects


SPOKEN: ContextVar[set[int]] = ContextVar("targets spoken of")
OFFERED: ContextVar[list[Term]] = ContextVar("who was told last that they may do something")


def _from_one(said: str, many: bool) -> str:
    """Return words for one card in any graveyard: it lies in one of them."""
    return said if many else said.replace("in all graveyards", "from a graveyard")


def _say_target(term: Term) -> str:
    slot, what, low, high = term.args
    spoken = SPOKEN.get(set())
    if slot in spoken and term.op == "target player":
        return "that player"
    spoken.add(slot)
    if what.op == "any target":
        return "any target" if (low, high) == (1, 1) else f"{_say_many(low, high)} targets"
    mixed = what.op == "any of" and any(part.op in ("a player", "an opponent") for part in what.args[0])
    other = not mixed and Term("other") in (what.args[0] if what.op == "all of" else (what,))
    if other:
        what = all_of(*(part for part in what.args[0] if part != Term("other")))
    many = high != 1
    said = " or ".join(GRAMMAR.say(part) for part in what.args[0]) if mixed else _say_described(what, many)
    if (low, high) == (1, 1):
        return f"another target {said}" if other else f"target {said}"
    return f"{_say_many(low, high)} {'other ' if other else ''}target {said}"


def _say_described(what: Term, many: bool) -> str:
    if what.op in ("a player", "an opponent"):
        return GRAMMAR.say(what) + ("s" if many else "")
    return _from_one(say_filter(what, many), many)


def _say_many(low: Any, high: Any) -> str:
    if high == ANY_NUMBER:
        return {0: "any number of", 1: "one or more", 2: "two or more"}[low]
    if low == high:
        return GRAMMAR.say(low, "amount")
    if low == 0:
        return f"up to {GRAMMAR.say(high, 'amount')}"
    return "one or two" if high == 2 else "one, two, or three"


def _say_some(term: Term) -> str:
    what, low, high = term.args
    if what.op == "among" and what.args[0] == THEM:
        return f"{_say_many(low, high)} of them"
    if (low, high) == (1, 1):
        return _from_one(say_filter(what, first="a"), False)
    return f"{_say_many(low, high)} {_from_one(say_filter(what, many=high != 1), high != 1)}"


def _say_each(term: Term) -> str:
    (what,) = term.args
    parts = what.args[0] if what.op == "all of" else (what,)
    said = say_filter(what, many=True)
    return said if any(part.op in ("controlled", "not controlled") for part in parts) else f"all {said}"


GRAMMAR.sayers["target"] = GRAMMAR.sayers["target player"] = _say_target
GRAMMAR.sayers["some of"] = _say_some
GRAMMAR.sayers["each"] = _say_each
GRAMMAR.sayers["equipped by this"] = lambda term: "equipped creature"
GRAMMAR.sayers["enchanted by this"] = lambda term: "enchanted permanent"
GRAMMAR.sayers["number of"] = lambda term: "the number of " + say_filter(term.args[0], many=True)
GRAMMAR.sayers["together"] = lambda term: " and ".join(GRAMMAR.say(part) for part in term.args[0])
GRAMMAR.sayers["that"] = lambda term: "that " + (say_filter(term.args[0]) if term.args[0] is not None else "object")
GRAMMAR.sayers["those"] = lambda term: "those objects"
GRAMMAR.sayers["the one of them"] = lambda term: f"the {say_filter(term.args[0])}"
GRAMMAR.sayers["granter"] = lambda term: "this" if term.args == (None,) else GRAMMAR.say_by_phrase(term)


# ---------------------------------------------------------------- conditions

_ZONES = {"graveyard": "graveyard", "hand": "hand", "library": "library"}


def _say_at_least(amount: Term, n: Any) -> str:
    if amount.op == "number of":
        return _say_there_are(amount.args[0], f"{GRAMMAR.say(n, 'amount')} or more", n == 1)
    if amount.op == "counters on":
        kind, what = amount.args
        return f"there are {GRAMMAR.say(n, 'amount')} or more {kind} counters on {GRAMMAR.say(what)}"
    if amount.op in ("card types among", "different mana values"):
        named = "card types" if amount.op == "card types among" else "mana values"
        return f"there are {GRAMMAR.say(n, 'amount')} or more {named} among {say_filter(amount.args[0], many=True)}"
    if amount.op == "life total":
        who = amount.args[0]
        return f"{GRAMMAR.say(who)} {'have' if is_plural(who) else 'has'} {GRAMMAR.say(n, 'amount')} or more life"
    return f"{GRAMMAR.say(amount, 'amount')} is {GRAMMAR.say(n, 'amount')} or more"


def _say_there_are(what: Term, number: str, one: bool) -> str:
    parts = what.args[0] if what.op == "all of" else (what,)
    owners = [part for part in parts if part.op == "controlled"]
    rest = [part for part in parts if part not in owners[:1]]
    if owners and rest:
        who = owners[0].args[0]
        verb = "control" if is_plural(who) else "controls"
        said = say_filter(all_of(*rest), first="a") if one else f"{number} {say_filter(all_of(*rest), many=True)}"
        return f"{GRAMMAR.say(who)} {verb} {said}"
    return f"there is {say_filter(what, first='a')}" if one else f"there are {number} {say_filter(what, many=True)}"


def _say_at_most(amount: Term, n: Any) -> str:
    if amount.op == "number of" and n == 0:
        return _say_there_are(amount.args[0], "no", False)
    if amount.op == "number of":
        return _say_there_are(amount.args[0], f"{GRAMMAR.say(n, 'amount')} or fewer", False)
    if amount.op == "life total":
        who = amount.args[0]
        return f"{GRAMMAR.say(who)} {'have' if is_plural(who) else 'has'} {GRAMMAR.say(n, 'amount')} or less life"
    return f"{GRAMMAR.say(amount, 'amount')} is {GRAMMAR.say(n, 'amount')} or less"


def _say_this_way(what: Term, n: Any) -> str:
    parts = what.args[0]
    how = next(part.args[0] for part in parts if part.op == "this way")
    rest = all_of(*(part for part in parts if part.op != "this way"))
    if n == 1:
        return f"{say_filter(rest, first='a')} was {how} this way".replace("a graveyard this", "a graveyard this")
    return f"{GRAMMAR.say(n, 'amount')} or more {say_filter(rest, many=True)} were {how} this way"


def _say_cards(who: Term, zone: str, low: Any, high: Any) -> str:
    has = f"{GRAMMAR.say(who)} {'have' if is_plural(who) else 'has'}"
    whose = "your" if who == YOU else "their"
    if high == 0:
        return f"{has} no cards in {whose} {zone}"
    number = f"{GRAMMAR.say(low, 'amount')} or more" if high is None else f"{GRAMMAR.say(high, 'amount')} or fewer"
    return f"{has} {number} cards in {whose} {zone}"


def _say_is(what: Term, such: Term, negated: bool = False) -> str:
    subject = GRAMMAR.say(what)
    verb = {(False, False): "is", (False, True): "isn't", (True, False): "are", (True, True): "aren't"}
    be = verb[is_plural(what), negated]
    if such.op == "with keyword" and not negated:
        return f"{subject} {'have' if is_plural(what) else 'has'} {such.args[0]}"
    if such.op in ("this way", "attached to"):
        return f"{subject} {be} {GRAMMAR.say(such)}"
    parts = such.args[0] if such.op in ("all of", "any of") else (such,)
    adjectives = all(place_of(part) == BEFORE for part in parts)
    return f"{subject} {be} {say_quality(such) if adjectives else say_filter(such, first='a')}"


def _say_not(term: Term) -> str:
    inner = term.args[0]
    if inner.op == "is":
        what, such = inner.args
        return _say_is(what, such, negated=True)
    known = {"gift promised": "the gift wasn't promised", "it was done": "you don't", "your turn": "it's not your turn"}
    return known[inner.op]


def _say_for_one(who: Term, what: Term) -> str:
    return _say_of_one(replaced(what, Term("that player"), who))


GRAMMAR.sayers["for one of them"] = lambda term: _say_for_one(*term.args)
GRAMMAR.sayers["at least"] = lambda term: _say_at_least(*term.args)
GRAMMAR.sayers["at most"] = lambda term: _say_at_most(*term.args)
GRAMMAR.sayers["some this way"] = lambda term: _say_this_way(*term.args)
GRAMMAR.sayers["has so many cards"] = lambda term: _say_cards(*term.args)
GRAMMAR.sayers["is"] = lambda term: _say_is(*term.args)
GRAMMAR.sayers["not so"] = _say_not


# ---------------------------------------------------------------- effects


def say_effects(does: Effects) -> str:
    """Say effects as sentences; neighbours with the same subject share it."""
    said: list[str] = []
    place = 0
    while place < len(does):
        subject = _subject_of(does[place])
        end = place + 1
        while end < len(does) and subject is not None and _subject_of(does[end]) == subject:
            end += 1
        said.append(_say_sentence(does[place:end], subject))
        place = end
    return ". ".join(said)


def _subject_of(term: Term) -> Term | None:
    """Return the subject of an effect that several effects can share: one that is targeted or each of some players."""
    word = WORDS[term.op]
    for (name, _), arg in zip(word.slots, term.args, strict=False):
        if word.sorts.get(name) == "players" and isinstance(arg, Term):
            return None if arg.op in ("you", "that player") else arg
    if term.op == "continuous" and isinstance(term.args[0], Term):
        return term.args[0] if term.args[0].op == "target" else None
    return None


def _say_sentence(does: Effects, subject: Term | None) -> str:
    said = [GRAMMAR.say(term) for term in does]
    if len(said) == 1 or subject is None:
        return ". ".join(said)
    opening = GRAMMAR.say(subject) + " "
    if not all(each.startswith(opening) for each in said):
        raise LookupError(f"no sentence says {does!r}")
    return opening + ", then ".join(each.removeprefix(opening) for each in said)


def _say_clauses(does: Effects) -> str:
    return ", then ".join(say_effects((term,)) for term in does)


def _bare(does: Effects, who: Term = YOU) -> str:
    """Say what somebody may do, without a subject."""
    said = []
    for term in does:
        mine = replaced(filled(term, YOU), who, YOU)
        text = GRAMMAR.say(mine)
        subject = _subject_of(mine)
        if subject is not None and text.startswith(GRAMMAR.say(subject) + " "):
            text = _having(mine, subject)
        said.append(text.removeprefix("you "))
    return ", then ".join(said)


def _having(term: Term, subject: Term) -> str:
    """Say "have that player mill two cards"."""
    plain = GRAMMAR.say(_with_subject(term, subject, Term("each player"))).removeprefix("each player ")
    verb, _, rest = plain.partition(" ")
    base = {"has": "have", "does": "do", "searches": "search", "discards": "discard"}.get(verb, verb.removesuffix("s"))
    return f"have {GRAMMAR.say(subject)} {base} {rest}"


def _with_subject(term: Term, old: Term, new: Term) -> Term:
    return Term(term.op, tuple(new if arg == old else arg for arg in term.args))


def _say_may(who: Term, does: Effects) -> str:
    OFFERED.get([]).append(who)
    return f"{GRAMMAR.say(who)} may {_bare(does, who)}"


def _say_if(condition: Term, does: Effects, otherwise: Effects) -> str:
    offered = OFFERED.get([])
    if condition in (DONE, Term("not so", (DONE,))) and offered and offered[-1] != YOU:
        said = "they do" if condition == DONE else "they don't"
    else:
        said = _say_of_one(condition)
    if not otherwise:
        return f"if {said}, {_say_clauses(does)}"
    return f"{say_effects(otherwise)}. if {said}, instead {_say_clauses(does)}"


def _as_subject(what: Term) -> str:
    return "they" if what == THEM else GRAMMAR.say(what)


def _say_continuous(subject: Term | None, changes: Effects, duration: Term | None) -> str:
    last = f" {GRAMMAR.say(duration)}" if duration is not None else ""
    if subject is None:
        return GRAMMAR.say(changes) + last
    return joined((_as_subject(subject), GRAMMAR.say(changes, many=is_plural(subject)))) + last


def _say_times(n: Term, does: Effects) -> str:
    return f"{_say_clauses(does)} {_say_for_each(n)}"


def _say_for_each(n: Term) -> str:
    if n.op == "number of":
        return f"for each {say_filter(n.args[0])}"
    if n.op == "counters on":
        return f"for each {n.args[0]} counter on {GRAMMAR.say(n.args[1])}"
    if n.op == "all counters on":
        return f"for each counter on {GRAMMAR.say(n.args[0])}"
    if n.op == "number of players":
        return "for each opponent you have" if n.args[0].op == "an opponent" else "for each player"
    raise LookupError(f"no phrase says for each {n!r}")


def _say_modes(low: int, high: int, choices: tuple[Effects, ...]) -> str:
    many = next(said for said, (a, b) in MODES.items() if (a, min(b, len(choices))) == (low, high))
    return f"choose {many} — " + " ".join(f"• {say_effects(does)}." for does in choices).removesuffix(".")


def _say_later(event: Term, does: Effects) -> str:
    said = GRAMMAR.say(event)
    said = re.sub(r"^(the beginning of )(?:each|the|(your)) (?!next)", r"\1\2 next ", said).replace(
        "of  next", "of the next"
    )
    return f"{'at ' if said.startswith('the beginning') else 'when '}{said}, {_say_clauses(does)}"


def _say_apply(subject: Term, changes: Effects) -> str:
    return joined((GRAMMAR.say(subject), GRAMMAR.say(changes, many=is_plural(subject))))


def _say_the_rest(who: Term, kept: tuple[Term, ...], group: Term | None = None) -> str:
    """Say that players choose what they keep and sacrifice the rest."""
    s = "" if is_plural(who) else "s"
    among = f" from among the {say_filter(group, many=True)}" if group is not None else ""
    return f"{GRAMMAR.say(who)} choose{s} {GRAMMAR.say(kept)}{among}, then sacrifice{s} the rest"


def _say_mill(who: Term, n: Any) -> str:
    subject = "" if who == YOU else f"{_as_subject(who)} "  # said first: later words speak of it
    return f"{subject}mill{'' if who == YOU or is_plural(who) else 's'} {GRAMMAR.say(n, 'cards')}"


GRAMMAR.sayers |= {
    "mill": lambda term: _say_mill(*term.args),
    "sacrifice the rest": lambda term: _say_the_rest(*term.args),
    "for each": _say_for_each,
    "may": lambda term: _say_may(*term.args),
    "if": lambda term: _say_if(*term.args),
    "unless": lambda term: (
        f"{_say_clauses(term.args[0])} unless {GRAMMAR.say(term.args[1])} "
        f"{'pay' if is_plural(term.args[1]) else 'pays'} {GRAMMAR.say(term.args[2], 'costs')}"
    ),
    "unless done": lambda term: f"{_say_clauses(term.args[0])} unless you {_bare(term.args[1])}",
    "several times": lambda term: _say_times(*term.args),
    "for each object": lambda term: f"for each {say_filter(term.args[0])}, {_say_clauses(term.args[1])}",
    "for each player": lambda term: f"for each {GRAMMAR.say(term.args[0])}, {_say_clauses(term.args[1])}",
    "process": lambda term: say_effects(term.args[0]),
    "until": lambda term: f"{_say_clauses(term.args[0])}, then repeat this process until {GRAMMAR.say(term.args[1])}",
    "modes": lambda term: _say_modes(*term.args),
    "later": lambda term: _say_later(*term.args[:2]),
    "when done": lambda term: f"when you do, {_say_clauses(term.args[0])}",
    "continuous": lambda term: _say_continuous(*term.args),
    "apply": lambda term: _say_apply(*term.args),
    "unread": lambda term: str(term.args[0]),
    "subject": lambda term: "you",
}


def _say_of_one(what: Term | None) -> str:
    """Say what is waited for or asked; whoever it is about is spoken of as one: "an opponent draws a card"."""
    said = re.sub(r"\beach opponent\b(?!')", "an opponent", GRAMMAR.say(what))
    return re.sub(r"\beach player\b(?!')", "a player", said)


MULTIPLIED = {"would mill": "they mill", "would create": "it creates", "would put counters": "it puts"}


def _say_replacement(ability: Ability) -> str:
    (outcome,) = ability.effect
    event = ability.event
    if event is not None and event.op == "would enter":
        return _say_entering(GRAMMAR.say(event.args[0]), is_plural(event.args[0]), outcome, ability.condition)
    if outcome.op == "prevent that damage":
        said = "prevent that damage" if outcome.args[0] is None else f"prevent {outcome.args[0]} of that damage"
        then = outcome.args[1]
        return f"if {_say_of_one(event)}, {said}{f' and {say_effects(then)}' if then else ''}"
    if outcome.op == "it is exiled" and outcome.args[0]:
        return f"if {_say_of_one(event)}, exile it instead and {say_effects(outcome.args[0])}"
    if outcome.op == "it is exiled":
        return f"if {_say_of_one(event)}, exile it instead"
    if outcome.op == "so many times as many" and event is not None and event.op in MULTIPLIED:
        times = {2: "twice", 3: "three times"}[outcome.args[0]]
        return f"if {_say_of_one(event)}, {MULTIPLIED[event.op]} {times} that many instead"
    if outcome.op == "something else":
        return f"if {_say_of_one(event)}, {say_effects(outcome.args[0])} instead"
    return f"if {_say_of_one(event)}, {GRAMMAR.say(outcome)} instead"


def _say_entering(who: str, many: bool, outcome: Term, condition: Term | None) -> str:
    enters = f"{who} {'enter' if many else 'enters'}"
    if outcome.op == "it enters tapped":
        if condition is None:
            return f"{enters} tapped"
        return f"{enters} tapped unless {GRAMMAR.say(condition.args[0])}"
    if outcome.op == "it enters with counters":
        n, kind = outcome.args
        one = n == 1
        return f"{enters} with {'a' if one else GRAMMAR.say(n, 'amount')} {kind} counter{'' if one else 's'} on it"
    if outcome.op == "it enters with a choice":
        chosen = {"name": "a card name", "type": "a creature type", "opponent": "an opponent"}
        return f"as {enters}, choose {chosen.get(outcome.args[0], 'a ' + outcome.args[0])}"
    if outcome.op == "it enters as a copy":
        return f"you may have {who} enter as a copy of {say_filter(outcome.args[0], first='a')}"
    raise LookupError(f"no phrase says {outcome!r}")


def say_ability(ability: Ability) -> str:
    """Say an ability that is no keyword.

    Raises:
        LookupError: A part of it has no wording.
    """
    token, offered = SPOKEN.set(set()), OFFERED.set([])
    try:
        return _say_whole(ability)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError, StopIteration) as found:
        raise LookupError(f"no wording for {ability.kind}") from found
    finally:
        SPOKEN.reset(token)
        OFFERED.reset(offered)


def _say_whole(ability: Ability) -> str:
    if ability.kind == "triggered":
        return _say_triggered(ability)
    if ability.kind == "activated":
        return _say_activated(ability)
    if ability.kind == "replacement":
        return _say_replacement(ability)
    if ability.kind == "additional cost":
        return f"as an additional cost to cast this spell, {GRAMMAR.say(ability.cost, 'costs')}"
    if ability.kind == "alternative cost":
        way = f"you may {GRAMMAR.say(ability.cost, 'costs')} rather than pay this spell's mana cost"
        return way if ability.condition is None else f"if {_say_of_one(ability.condition)}, {way}"
    if ability.kind == "static":
        said = " and ".join(GRAMMAR.say(term) for term in ability.effect)
        return said if ability.condition is None else f"as long as {_say_of_one(ability.condition)}, {said}"
    return say_effects(ability.effect)


def _say_triggered(ability: Ability) -> str:
    when = _say_of_one(ability.event)
    if ability.event is not None and ability.event.op == "chapter":
        return f"{when} — {say_effects(ability.effect)}"
    condition = f", if {_say_of_one(ability.condition)}" if ability.condition is not None else ""
    once = ". this ability triggers only once each turn" if ability.limit else ""
    opening = "at " if when.startswith("the beginning") else "whenever "
    return f"{opening}{when}{condition}, {say_effects(ability.effect)}{once}"


def _say_activated(ability: Ability) -> str:
    paid = tuple(cost for cost in ability.cost if cost.op not in ("X is not 0", "costs less"))
    said = f"{GRAMMAR.say(paid, 'costs')}: {say_effects(ability.effect)}"
    for cost in ability.cost:
        if cost.op == "X is not 0":
            said += ". X can't be 0"
    if ability.timing:
        said += f". activate only as {'a sorcery' if ability.timing == 'sorcery' else 'an instant'}"
    if ability.condition is not None:
        said += f". activate only if {_say_of_one(ability.condition)}"
    if ability.limit == 1:
        said += ". activate only once each turn"
    return said
