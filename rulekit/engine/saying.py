"""Objects, players and conditions as text again: what the phrases of the words alone cannot say.

Reading what is said gives the same terms; `wording` says effects and abilities with them.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from typing import Any

from rulekit.engine.abilities import WORDS, Term
from rulekit.engine.amounts import STYLE
from rulekit.engine.filters import BEFORE, all_of, place_of, say_filter, say_quality
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.objects import ANY_NUMBER, THEM
from rulekit.engine.phrases import replaced

YOU, IT, THIS = Term("you"), Term("it"), Term("this")
PLURAL = ("you", "each", "them", "those", "milled", "pile", "together", "players together")


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


def _from_one(said: str, many: bool) -> str:
    """Return words for one card in any graveyard: it lies in one of them."""
    return said if many else said.replace("in all graveyards", "from a graveyard")


def _say_target(term: Term) -> str:
    slot, what, low, high = term.args
    spoken = SPOKEN.get(set())
    if slot in spoken:
        return _say_again(term)
    spoken.add(slot)
    if what.op in ("any target", "any other target"):
        other = "other " if what.op == "any other target" else ""
        return f"any {other}target" if (low, high) == (1, 1) else f"{say_many(low, high)} {other}targets"
    mixed = what.op == "any of" and (
        any(part.op in ("a player", "an opponent") for part in what.args[0])
        or all(any(WORDS[inner.op].facts.get("zone") for inner in part.walk()) for part in what.args[0])
    )
    another = not mixed and Term("other") in (what.args[0] if what.op == "all of" else (what,))
    if another:
        what = all_of(*(part for part in what.args[0] if part != Term("other")))
    many = high != 1
    parts = what.args[0] if mixed else ()
    said = " or ".join(_from_one(GRAMMAR.say(part), many) for part in parts) or _say_described(what, many)
    if (low, high) == (1, 1):
        return f"another target {said}" if another else f"target {said}"
    return f"{say_many(low, high)} {'other ' if another else ''}target {said}"


def _say_again(term: Term) -> str:
    """Say what a word means that was said before: by a pronoun, or by its kind where that would mean another thing."""
    what, high = term.args[1], term.args[3]
    if term.op == "target player":
        return "that player" if high == 1 else "those players"
    kinds = [part for part in (what.args[0] if what.op == "all of" else (what,)) if part.op == "kind"]
    if "by its kind" in STYLE.get() and high == 1 and kinds:
        return f"that {kinds[0].args[0]}"
    return "it" if high == 1 else "them"


def _say_described(what: Term, many: bool) -> str:
    if what.op in ("a player", "an opponent"):
        return GRAMMAR.say(what) + ("s" if many else "")
    return _from_one(say_filter(what, many), many)


def say_many(low: Any, high: Any) -> str:
    """Say how few and how many before a noun."""
    if high == ANY_NUMBER:
        return {0: "any number of", 1: "one or more", 2: "two or more"}[low]
    if low == high:
        return GRAMMAR.say(low, "amount")
    if low == 0:
        return f"up to {GRAMMAR.say(high, 'amount')}"
    return "one or two" if high == 2 else "one, two, or three"


def _say_some(term: Term) -> str:
    what, low, high = term.args
    if what.op == "among" and what.args[0] in (THEM, Term("looked at")):
        return f"{say_many(low, high)} of them"
    if (low, high) == (1, 1):
        return _from_one(say_filter(what, first="a"), False)
    return f"{say_many(low, high)} {_from_one(say_filter(what, many=high != 1), high != 1)}"


def _say_each(term: Term) -> str:
    (what,) = term.args
    parts = what.args[0] if what.op == "all of" else (what,)
    said = say_filter(what, many=True)
    if any(part.op in ("controlled", "not controlled") for part in parts):
        return said
    return f"all the {said}" if any(part.op.startswith("in ") for part in parts) else f"all {said}"


def _say_size(term: Term) -> str:
    size, of = term.args
    named = of == Term("it") and "by its kind" in STYLE.get()  # where "its" would be that of what does it
    return f"that creature's {size}" if named else GRAMMAR.say_by_phrase(term)


GRAMMAR.sayers["size of"] = _say_size
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
GRAMMAR.sayers["granter"] = lambda term: "~"  # it stands between quotation marks, where that is another than "this"
GRAMMAR.sayers["it"] = lambda term: "that creature" if "by its kind" in STYLE.get() else "it"
GRAMMAR.sayers["those done"] = lambda term: f"the {term.args[0]} {say_filter(term.args[1])}"
GRAMMAR.sayers["it at first"] = lambda term: "that creature"
GRAMMAR.sayers["that targets"] = lambda term: "that permanent or player"
GRAMMAR.sayers["how many"] = lambda many: "a" if many == (1, 1) else say_many(*many)


# ---------------------------------------------------------------- conditions

_ZONES = {"graveyard": "graveyard", "hand": "hand", "library": "library"}


def _say_at_least(amount: Term, n: Any) -> str:
    if amount.op == "number of":
        return _say_there_are(amount.args[0], f"{GRAMMAR.say(n, 'amount')} or more", n == 1)
    if amount.op == "number of players" and amount.args[0].op == "an opponent":
        return f"you have {GRAMMAR.say(n, 'amount')} or more opponents"
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
    if who == Term("each player") and zone == "graveyard" and high is None:
        return f"a graveyard has {GRAMMAR.say(low, 'amount')} or more cards in it"
    has = f"{GRAMMAR.say(who)} {'have' if is_plural(who) else 'has'}"
    whose = "your" if who == YOU else "their"
    if high == 0:
        return f"{has} no cards in {whose} {zone}"
    number = f"{GRAMMAR.say(low, 'amount')} or more" if high is None else f"{GRAMMAR.say(high, 'amount')} or fewer"
    return f"{has} {number} cards in {whose} {zone}"


def _say_more(who: Term, whom: Term, what: Term | None, of: str) -> str:
    verb = ("control", "have") if is_plural(who) else ("controls", "has")
    many = say_filter(what, many=True) if what is not None else {"hand": "cards in hand", "life": "life"}[of]
    return f"{GRAMMAR.say(who)} {verb[of != 'battlefield']} more {many} than {GRAMMAR.say(whom)}"


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
    return say_of_one(replaced(what, Term("that player"), who))


GRAMMAR.sayers["for one of them"] = lambda term: _say_for_one(*term.args)
GRAMMAR.sayers["at least"] = lambda term: _say_at_least(*term.args)
GRAMMAR.sayers["at most"] = lambda term: _say_at_most(*term.args)
GRAMMAR.sayers["some this way"] = lambda term: _say_this_way(*term.args)
GRAMMAR.sayers["has so many cards"] = lambda term: _say_cards(*term.args)
GRAMMAR.sayers["has more than"] = lambda term: _say_more(*term.args)
GRAMMAR.sayers["is"] = lambda term: _say_is(*term.args)
GRAMMAR.sayers["not so"] = _say_not


def _one_zone(found: re.Match[str]) -> str:
    return f"{found[1]} a {'library' if found[2] == 'librar' else found[2]}"


def say_of_one(what: Term | None) -> str:
    """Say what is waited for or asked; whoever it is about is spoken of as one: "an opponent draws a card"."""
    said = re.sub(r"\beach opponent\b(?!')", "an opponent", GRAMMAR.say(what))
    said = re.sub(r"\b(into|from) all (graveyard|hand|librar)(s|ies)\b", _one_zone, said)
    return re.sub(r"\beach player\b(?!')", "a player", said)
