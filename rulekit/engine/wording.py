"""Effects and abilities as text again, in their normal wording: what the phrases of the words alone cannot say.

Reading what is said gives the same terms; `paragraphs.text_of` holds that for whole abilities. Where the first way to
say something would read as something else another one is tried: the `STYLES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import combinations
from typing import Any

from rulekit.engine.abilities import WORDS, Ability, Term
from rulekit.engine.amounts import STYLE, X_IS, say_as_x
from rulekit.engine.filters import say_filter
from rulekit.engine.flow import DONE, NO_REGENERATING, filled
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.lasting import ITS_UNTAP_STEP
from rulekit.engine.objects import THEM
from rulekit.engine.phrases import joined, listed, replaced
from rulekit.engine.repeating import MODES
from rulekit.engine.replacements import MET
from rulekit.engine.saying import SPOKEN, YOU, is_plural, say_of_one

OFFERED: ContextVar[list[Term]] = ContextVar("who was told last that they may do something")
Effects = tuple[Term, ...]

# ---------------------------------------------------------------- effects


STYLES = (  # ways to say something that are tried one after another where the first reads as something else
    "with otherwise",  # "if so, do this. otherwise, do that", not "do that. if so, instead do this"
    "condition behind",  # "do this if so", not "if so, do this"
    "with and",  # "do this and do that", not "do this, then do that"
    "by its kind",  # "that creature", not "it"
    "as X",  # "draw X cards and lose X life, where X is ...", not each amount in words
    "subjects apart",  # "target player mills a card. that player draws", not "target player mills a card, then draws"
)


def say_effects(does: Effects) -> str:
    """Say effects as sentences; neighbours with the same subject share it."""
    if "as X" in STYLE.get() and len(does) > 1 and X_IS.get() is None:
        with where_x_is() as where:
            said = [GRAMMAR.say(term) for term in does]
            return _and_then().join(said) + where()
    said = []
    place = 0
    while place < len(does):
        subject = None if "subjects apart" in STYLE.get() else _subject_of(does[place])
        end = place + 1
        while end < len(does) and subject is not None and _subject_of(does[end]) == subject:
            end += 1
        if _forbids_regeneration(does[place : place + 2]):
            doomed = does[place + 1]
            said.append(f"{GRAMMAR.say(doomed)}. {'they' if is_plural(doomed.args[0]) else 'it'} can't be regenerated")
            place += 2
            continue
        with where_x_is() as where:
            sentence = _say_sentence(does[place:end], subject)
        said.append(sentence + where())
        place = end
    return ". ".join(said)


def _forbids_regeneration(does: Effects) -> bool:
    """Return whether something is destroyed and can't be regenerated, which is said behind (701.19c)."""
    if len(does) < 2 or does[0].op != "continuous" or does[1].op != "destroy":
        return False
    return does[0].args[:2] == (does[1].args[0], NO_REGENERATING)


@contextmanager
def where_x_is() -> Iterator[Callable[[], str]]:
    """Let an amount be said as X where no other word for it can stand; say what X is behind it.

    Yields:
        A function that says what stands behind: ", where X is the number of ..." or nothing.
    """
    met: list[Any] = []
    token = X_IS.set(met)
    try:
        yield lambda: f", where X is {GRAMMAR.say(met[0], 'amount')}" if met else ""
    finally:
        X_IS.reset(token)
    if any(amount != met[0] for amount in met):
        raise LookupError(f"no sentence says which X is which of {met!r}")


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
    if len(does) == 1 or subject is None:
        return ". ".join(GRAMMAR.say(term) for term in does)
    spoken = SPOKEN.get(set())
    before, met = set(spoken), set(spoken)
    said = []
    for term in (*does, subject):
        spoken.clear()
        spoken |= before
        said.append(GRAMMAR.say(term))
        met |= spoken
    spoken |= met
    opening = said.pop() + " "
    if not all(each.startswith(opening) for each in said):
        return said[0] + ". " + say_effects(does[1:])
    return opening + _and_then().join(each.removeprefix(opening) for each in said)


def _and_then() -> str:
    return " and " if "with and" in STYLE.get() else ", then "


def _say_clauses(does: Effects) -> str:
    """Say effects in one sentence; behind somebody else's deed your own needs its subject."""
    said = [say_effects((term,)) for term in does]
    for place in range(1, len(does)):
        others = _subject_of(does[place - 1]) is not None
        if others and (Term("you") in does[place].args or does[place].args[:1] == (None,)):
            said[place] = "you " + said[place].removeprefix("you ")
    return _and_then().join(said)


def _bare(does: Effects, who: Term = YOU) -> str:
    """Say what somebody may do, without a subject: "draw a card", "have that player mill two cards"."""
    said = []
    for term in does:
        yours = who != YOU and YOU in term.args  # what another may have you do
        text = _without_subject(replaced(filled(term, YOU), who, YOU))
        text = re.sub(r"\byour (?=library|hand|graveyard)", "their ", text) if who != YOU and not yours else text
        said.append(f"have you {text}" if yours else text)
    return _and_then().join(said)


def _without_subject(term: Term) -> str:
    before = set(SPOKEN.get(set()))
    text = GRAMMAR.say(term)
    for arg in term.args:
        if not isinstance(arg, Term) or arg == YOU or WORDS[arg.op].sort not in ("players", "objects", "recipients"):
            continue
        token = SPOKEN.set(set(before))
        doer = _as_subject(arg)
        SPOKEN.reset(token)
        if text.startswith(f"{doer} "):
            verb, _, rest = text.removeprefix(f"{doer} ").partition(" ")
            return f"have {doer} {verb if is_plural(arg) else _base_form(verb)} {rest}"
    return text.removeprefix("you ").removeprefix("may ")


def _base_form(verb: str) -> str:
    """Return a verb without the ending that it has behind "that player"."""
    known = {"has": "have", "does": "do", "is": "be", "isn't": "not be", "doesn't": "not"}
    return known.get(verb) or (verb[:-2] if re.search(r"(ch|sh|ss|x)es$", verb) else verb.removesuffix("s"))


def _say_may(who: Term, does: Effects) -> str:
    OFFERED.get([]).append(who)
    return f"{GRAMMAR.say(who)} may {_bare(does, who)}"


def _say_if(condition: Term, does: Effects, otherwise: Effects) -> str:
    offered = OFFERED.get([])
    if otherwise and "with otherwise" not in STYLE.get():
        before = say_effects(otherwise)
        return f"{before}. if {say_of_one(condition)}, instead {_say_clauses(does)}"
    if condition in (DONE, Term("not so", (DONE,))) and offered and offered[-1] != YOU:
        said = "they do" if condition == DONE else "they don't"
    elif "condition behind" in STYLE.get() and condition != DONE:
        first = _say_clauses(does)
        said, about = GRAMMAR.say(condition), _subject_said(condition)
        said = re.sub(rf"^{re.escape(about)}(?= )", "it", said) if about in first else said
        return f"{first} if {said}"
    else:
        said = say_of_one(condition)
    return f"if {said}, {_say_clauses(does)}" + (f". otherwise, {_say_clauses(otherwise)}" if otherwise else "")


def _subject_said(condition: Term) -> str:
    """Say what a condition is about."""
    about = condition.args[0] if condition.op == "is" else None
    return GRAMMAR.say(about) if isinstance(about, Term) else ""


def _as_subject(what: Term) -> str:
    return "they" if what == THEM else GRAMMAR.say(what)


def _say_continuous(subject: Term | None, changes: Effects, duration: Term | None) -> str:
    last = f" {GRAMMAR.say(duration)}" if duration is not None else ""
    if duration == ITS_UNTAP_STEP and subject is not None:  # the step that the change speaks of is the next one
        return _say_continuous(subject, changes, None).replace("untap step", "next untap step")
    if subject is not None and changes == (Term("switched"),):
        return f"switch {GRAMMAR.say(subject)}'s power and toughness{last}"
    if subject is None:
        return GRAMMAR.say(changes) + last
    return joined((_as_subject(subject), GRAMMAR.say(changes, many=is_plural(subject)))) + last


def _say_times(n: Term | int, does: Effects) -> str:
    return f"{_say_clauses(does)} {_say_for_each(n)}"


def _say_for_each(n: Term | int) -> str:
    if isinstance(n, int):
        raise LookupError(f"no phrase says {n} times")
    if n.op == "number of":
        return f"for each {say_filter(n.args[0])}"
    if n.op == "counters on":
        return f"for each {n.args[0]} counter on {GRAMMAR.say(n.args[1])}"
    if n.op == "all counters on":
        return f"for each counter on {GRAMMAR.say(n.args[0])}"
    if n.op == "number of players":
        return "for each opponent you have" if n.args[0].op == "an opponent" else "for each player"
    among = {"card types among": "card type", "colors among": "color", "domain": "basic land type"}.get(n.op)
    if among is not None:
        return f"for each {among} among {say_filter(n.args[0], many=True)}"
    if n.op == "so much this way":
        return {"damage": "for each 1 damage dealt this way", "life lost": "for each 1 life lost this way",
                "life gained": "for each 1 life gained this way"}[n.args[0]]  # fmt: skip
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


def _say_players_have(who: Term, what: str) -> str:
    return f"{GRAMMAR.say(who)} {'have' if is_plural(who) else 'has'} {what}"


def _say_apply(subject: Term, changes: Effects) -> str:
    if any(change.op == "controlled by" for change in changes):
        return f"you control {GRAMMAR.say(subject)}"
    return joined((GRAMMAR.say(subject), GRAMMAR.say(changes, many=is_plural(subject))))


def _say_the_rest(who: Term, kept: tuple[Term, ...], group: Term | None = None) -> str:
    """Say that players choose what they keep and sacrifice the rest."""
    s = "" if is_plural(who) else "s"
    among = f" from among the {say_filter(group, many=True)}" if group is not None else ""
    return f"{GRAMMAR.say(who)} choose{s} {GRAMMAR.say(kept)}{among}, then sacrifice{s} the rest"


def _say_mill(who: Term, n: Any) -> str:
    subject = "" if who == YOU else f"{_as_subject(who)} "  # said first: later words speak of it
    return f"{subject}mill{'' if who == YOU or is_plural(who) else 's'} {GRAMMAR.say(n, 'cards')}"


def _say_shield(what: Ability, whom: Term | None) -> str:
    """Say a replacement or prevention effect that lasts for the turn."""
    event = what.event if whom is None else replaced(what.event, MET, whom)
    if event is not None and event.op == "damage would be dealt" and what.condition is None:
        return _say_prevention(event, " this turn")
    return f"until end of turn, {say_ability(replace(what, event=event))}"


def _say_prevention(event: Term, when: str) -> str:
    """Say that damage is prevented, to whom and by what."""
    whom, combat, source = event.args
    kind = {None: "damage", True: "combat damage", False: "noncombat damage"}[combat]
    to = f" to {GRAMMAR.say(whom)}" if whom is not None else ""
    by = f" by {GRAMMAR.say(source)}" if source is not None else ""
    return f"prevent all {kind} that would be dealt{when}{to}{by}"


def _say_gaining(what: Term, options: tuple[Ability, ...], duration: Term) -> str:
    """Say that one of several abilities is gained."""
    choice = listed([text_of_granted(option) for option in options], "or")
    return f"{GRAMMAR.say(what)} gain{'' if is_plural(what) else 's'} your choice of {choice} {GRAMMAR.say(duration)}"


def text_of_granted(ability: Ability) -> str:
    """Say an ability as it stands in a list of what something has."""
    return GRAMMAR.say((ability,), "abilities")


def _say_create(term: Term) -> str:
    """Say the creation of tokens; X in their size is said behind."""
    card, x = term.args[2], term.args[-1]
    if x is None or "X" not in (card.power, card.toughness):
        return GRAMMAR.say_by_phrase(term)
    say_as_x(x)
    return GRAMMAR.say_by_phrase(Term(term.op, (*term.args[:-1], None)))


def _say_costs_less(symbols: tuple[str, ...], times: Any) -> str:
    """Say how much less a spell costs: so much for each of something, or {X}, which is said behind."""
    if times == 1:
        return f"this spell costs {GRAMMAR.say(symbols, 'symbols')} less to cast"
    try:
        return f"this spell costs {GRAMMAR.say(symbols, 'symbols')} less to cast {_say_for_each(times)}"
    except LookupError:
        say_as_x(times)
        return "this spell costs {X} less to cast"


GRAMMAR.sayers |= {
    "create": _say_create,
    "this spell costs less": lambda term: _say_costs_less(*term.args),
    "shield": lambda term: _say_shield(*term.args),
    "gains a choice": lambda term: _say_gaining(*term.args),
    "player has hexproof": lambda term: _say_players_have(term.args[0], "hexproof"),
    "player has shroud": lambda term: _say_players_have(term.args[0], "shroud"),
    "player has protection": lambda term: _say_players_have(
        term.args[0], f"protection from {GRAMMAR.say(term.args[1], 'quality')}"
    ),
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


MULTIPLIED = {"would mill": "they mill", "would create": "it creates", "would put counters": "it puts"}


def _say_replacement(ability: Ability) -> str:
    (outcome,) = ability.effect
    event = ability.event
    if event is not None and event.op == "would enter":
        return _say_entering(GRAMMAR.say(event.args[0]), is_plural(event.args[0]), outcome, ability.condition)
    if event is not None and event.op == "damage would be dealt" and ability.condition is not None:
        return _say_prevention(event, "") + " during your turn"  # the only condition that prevention is said with
    if outcome.op == "prevent that damage":
        said = "prevent that damage" if outcome.args[0] is None else f"prevent {outcome.args[0]} of that damage"
        then = outcome.args[1]
        return f"if {say_of_one(event)}, {said}{f' and {say_effects(then)}' if then else ''}"
    if outcome.op == "it is exiled" and outcome.args[0]:
        return f"if {say_of_one(event)}, exile it instead and {say_effects(outcome.args[0])}"
    if outcome.op == "it is exiled":
        return f"if {say_of_one(event)}, exile it instead"
    if outcome.op == "so many times as many" and event is not None and event.op in MULTIPLIED:
        times = {2: "twice", 3: "three times"}[outcome.args[0]]
        return f"if {say_of_one(event)}, {MULTIPLIED[event.op]} {times} that many instead"
    if outcome.op == "something else":
        return f"if {say_of_one(event)}, {say_effects(outcome.args[0])} instead"
    return f"if {say_of_one(event)}, {GRAMMAR.say(outcome)} instead"


def _say_entering(who: str, many: bool, outcome: Term, condition: Term | None) -> str:
    enters = f"{who} {'enter' if many else 'enters'}"
    if outcome.op == "it enters tapped":
        if condition is None:
            return f"{enters} tapped"
        return f"{enters} tapped unless {GRAMMAR.say(condition.args[0])}"
    if outcome.op == "it enters tapped unless paid":
        return f"as {enters}, you may {GRAMMAR.say(outcome.args[0], 'costs')}. if you don't, it enters tapped"
    if outcome.op == "it enters with counters":
        n, kind = outcome.args
        if isinstance(n, Term) and n.op != "X":
            return f"{enters} with a number of {kind} counters on it equal to {GRAMMAR.say(n, 'amount')}"
        one = n == 1
        return f"{enters} with {'a' if one else GRAMMAR.say(n, 'amount')} {kind} counter{'' if one else 's'} on it"
    if outcome.op == "it enters with a choice":
        chosen = {"name": "a card name", "type": "a creature type", "opponent": "an opponent"}
        return f"as {enters}, choose {chosen.get(outcome.args[0], 'a ' + outcome.args[0])}"
    if outcome.op == "it enters as a copy":
        return f"you may have {who} enter as a copy of {say_filter(outcome.args[0], first='a')}"
    raise LookupError(f"no phrase says {outcome!r}")


def wordings(ability: Ability) -> Iterator[str]:
    """Yield the ways to say an ability that is no keyword, the most usual first."""
    met = set()
    for n in range(4):
        for style in combinations(STYLES, n):
            token = STYLE.set(frozenset(style))
            try:
                said = say_ability(ability)
            except LookupError:
                continue
            finally:
                STYLE.reset(token)
            if said not in met:
                met.add(said)
                yield said


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
        way = way if ability.cost else "you may cast this spell without paying its mana cost"
        return way if ability.condition is None else f"if {say_of_one(ability.condition)}, {way}"
    if ability.kind == "static":
        with where_x_is() as where:
            said = " and ".join(GRAMMAR.say(term) for term in ability.effect)
            said += where()
        return said if ability.condition is None else f"as long as {say_of_one(ability.condition)}, {said}"
    return say_effects(ability.effect)


def _say_triggered(ability: Ability) -> str:
    when = say_of_one(ability.event)
    if ability.event is not None and ability.event.op == "chapter":
        return f"{when} — {say_effects(ability.effect)}"
    condition = f", if {say_of_one(ability.condition)}" if ability.condition is not None else ""
    once = ". this ability triggers only once each turn" if ability.limit else ""
    opening = "at " if when.startswith("the beginning") else "whenever "
    return f"{opening}{when}{condition}, {say_effects(ability.effect)}{once}"


def _say_activated(ability: Ability) -> str:
    paid = tuple(cost for cost in ability.cost if cost.op not in ("X is not 0", "costs less"))
    less = next((cost.args for cost in ability.cost if cost.op == "costs less"), None)
    said = f"{GRAMMAR.say(paid, 'costs')}: {say_effects(ability.effect)}"
    if Term("X is not 0") in ability.cost:
        said += ". X can't be 0"
    if less is not None:
        times = "" if less[1] == 1 else f" {_say_for_each(less[1])}"
        said += f". this ability costs {GRAMMAR.say(less[0], 'symbols')} less to activate{times}"
    if ability.timing:
        said += f". activate only as {'a sorcery' if ability.timing == 'sorcery' else 'an instant'}"
    if ability.condition is not None:
        said += f". activate only if {say_of_one(ability.condition)}"
    if ability.limit:
        said += f". activate {'only once' if ability.limit == 1 else 'no more than twice'} each turn"
    return said
