"""What an object may be: the words of the sort "filter", and how they stand together.

A description is read as adjectives, a noun and what follows it; in data it is one term, or `all of` several in a fixed
order, so that two ways to say the same thing are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.cards.subtypes import plural, subtype
from rulekit.engine.abilities import WORDS, Term, word
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.phrases import in_order, listed, replaced
from rulekit.engine.state import Object

COLORS = ("white", "blue", "black", "red", "green")
TYPES = ("artifact", "battle", "creature", "enchantment", "instant", "land", "planeswalker", "sorcery")
PERMANENTS = ("artifact", "battle", "creature", "enchantment", "land", "planeswalker")
SUPERTYPES = ("basic", "legendary", "snow", "world")
BEFORE, NOUN, FORM, AFTER = range(4)  # where a part stands in the normal wording


def _thing(frame: Frame, number: int) -> Object:
    return frame.state.get(number)


def place_of(part: Term) -> int:
    """Return where a part of a description stands: before the noun, as the noun, as its form, or after it."""
    if part.op == "not":
        return BEFORE if place_of(part.args[0]) < AFTER and part.args[0].op not in ("any of", "all of") else AFTER
    if part.op in ("any of", "all of"):
        return max(place_of(each) for each in part.args[0])
    if part.op == "kind":
        return BEFORE if part.args[0] in SUPERTYPES else NOUN
    return int(WORDS[part.op].facts.get("stands", AFTER))


def _order(part: Term) -> tuple[int, str]:
    return (place_of(part), repr(part))


def all_of(*parts: Any) -> Term:
    """Return the description of what fits each of several descriptions."""
    flat: list[Term] = []
    for part in parts:
        flat += [each for each in (part.args[0] if part.op == "all of" else (part,)) if each not in flat]
    flat.sort(key=_order)
    return flat[0] if len(flat) == 1 else Term("all of", (tuple(flat),))


def any_of(*parts: Term) -> Term:
    """Return the description of what fits one of several; what they have in common stands outside."""
    flat: list[Term] = []
    for part in parts:
        flat += [each for each in (part.args[0] if part.op == "any of" else (part,)) if each not in flat]
    if len(flat) == 1:
        return flat[0]
    inner = [set(part.args[0]) if part.op == "all of" else {part} for part in flat]
    shared = set.intersection(*inner)
    rests = [
        [each for each in (part.args[0] if part.op == "all of" else (part,)) if each not in shared] for part in flat
    ]
    if not shared or not all(rests):
        return Term("any of", (tuple(flat),))
    return all_of(*shared, any_of(*(all_of(*rest) for rest in rests)))


@word("filter", op="all of", player=True)
def _all_of(frame: Frame, number: Any, parts: tuple[Term, ...] = ()) -> bool:
    """Fit every part."""
    return all(frame.fits(part, number) for part in parts)


@word("filter", op="any of", player=True)
def _any_of(frame: Frame, number: Any, parts: tuple[Term, ...] = ()) -> bool:
    """Fit one of the parts."""
    return any(frame.fits(part, number) for part in parts)


@word("filter", op="not", player=True)
def _not(frame: Frame, number: Any, part: Term | None = None) -> bool:
    """Fit not."""
    return not frame.fits(part, number)


# ---------------------------------------------------------------- nouns


@word("filter", op="kind", stands=NOUN)
def _kind(frame: Frame, number: int, name: str = "") -> bool:
    """Be of a card type, supertype or subtype."""
    return frame.look(number).is_a(name)


@word("filter", op="permanent type", stands=NOUN)
def _permanent_type(frame: Frame, number: int) -> bool:
    """Be of a type that permanents have (110.4)."""
    return any(frame.look(number).is_a(kind) for kind in PERMANENTS)


@word("filter", op="permanent", stands=NOUN)
def _permanent(frame: Frame, number: int) -> bool:
    """Be on the battlefield (110.1)."""
    return _thing(frame, number).zone == "battlefield"


@word("filter", op="anything", stands=NOUN)
def _anything(frame: Frame, number: int) -> bool:
    """Be any object."""
    return True


@word("filter", op="card", stands=FORM)
def _card(frame: Frame, number: int) -> bool:
    """Be represented by a card (108.2)."""
    return _thing(frame, number).kind == "card"


@word("filter", op="token", stands=FORM)
def _token(frame: Frame, number: int) -> bool:
    """Be a token (111.1)."""
    return _thing(frame, number).kind == "token"


@word("filter", op="spell", stands=FORM, zone="stack")
def _spell(frame: Frame, number: int) -> bool:
    """Be a card or a copy of one on the stack (112.1)."""
    thing = _thing(frame, number)
    return (thing.zone == "stack" and thing.kind != "ability") or frame.said.get("as a spell") == number


@word("filter", op="ability", stands=FORM, zone="stack")
def _ability(frame: Frame, number: int, kind: str = "") -> bool:
    """Be an activated or triggered ability on the stack (113.3)."""
    ability = _thing(frame, number).ability
    return ability is not None and kind in ("", ability.kind)


# ---------------------------------------------------------------- adjectives


@word("filter", op="color", stands=BEFORE)
def _color(frame: Frame, number: int, color: str = "") -> bool:
    """Be of a color (105.2)."""
    return color in frame.look(number).colors


def _say_alone(term: Term) -> str:
    return say_filter(term)


PARTICIPLES: set[str] = set()  # adjectives that have no word with "non" before them


def _adjective(name: str, meaning: Callable[[Frame, int], bool], rule: str = "", *also: str) -> None:
    """Declare a word that stands before the noun."""

    def body(frame: Frame, number: int) -> bool:
        return meaning(frame, number)

    word("filter", op=name, rule=rule, stands=BEFORE)(body)
    PARTICIPLES.add(name)
    GRAMMAR.sayers[name] = _say_alone
    for said in (name, *also):
        GRAMMAR.rule("adjective", said, lambda: Term(name))


def _combat(frame: Frame, number: int, part: str) -> bool:
    return any(number == creature for creature, _ in getattr(frame.state.turn, part))


def _attached(frame: Frame, number: int, kind: str) -> bool:
    return any(frame.look(each).is_a(kind) for each in frame.state.attachments(number))


def _modified(frame: Frame, number: int) -> bool:
    """Be equipped, enchanted by its controller's Aura, or have a counter (700.9)."""
    look = frame.look
    auras = (each for each in frame.state.attachments(number) if look(each).is_a("aura"))
    own_aura = any(look(each).controller == look(number).controller for each in auras)
    return bool(_thing(frame, number).counters) or own_aura or _attached(frame, number, "equipment")


_adjective("tapped", lambda frame, number: _thing(frame, number).tapped, "110.5")
_adjective("untapped", lambda frame, number: not _thing(frame, number).tapped, "110.5")
_adjective("attacking", lambda frame, number: _combat(frame, number, "attackers"), "508.1k")
_adjective("blocking", lambda frame, number: _combat(frame, number, "blockers"), "509.1g")
_adjective("blocked", lambda frame, number: number in frame.state.turn.blocked, "509.1h")
_adjective(
    "unblocked",
    lambda frame, number: _combat(frame, number, "attackers") and number not in frame.state.turn.blocked,
    "509.1h",
)
_adjective("equipped", lambda frame, number: _attached(frame, number, "equipment"), "301.5a")
_adjective("enchanted", lambda frame, number: _attached(frame, number, "aura"), "303.4b")
_adjective("modified", _modified, "700.9")
_adjective("other", lambda frame, number: number != frame.this, "", "another")
_adjective("face-down", lambda frame, number: _thing(frame, number).facedown, "708.2")
_adjective("colorless", lambda frame, number: not frame.look(number).colors, "105.2c")
_adjective("multicolored", lambda frame, number: len(frame.look(number).colors) > 1, "105.2b")
_adjective("monocolored", lambda frame, number: len(frame.look(number).colors) == 1, "105.2a")
_adjective("colored", lambda frame, number: bool(frame.look(number).colors), "105.2", "one or more colors")
_adjective(
    "historic",
    lambda frame, number: any(frame.look(number).is_a(kind) for kind in ("artifact", "legendary", "saga")),
    "700.6",
)


def _named_adjective(text: str) -> Term | None:
    """Return what a single word means that stands before a noun, or None."""
    low = text.lower()
    if low in COLORS:
        return Term("color", (low,))
    if low in SUPERTYPES:
        return Term("kind", (low,))
    if low.startswith("non"):
        rest = text[3:].removeprefix("-")
        inner = _named_adjective(rest) or (Term("token") if rest == "token" else None) or named_kind(rest)
        return None if inner is None else Term("not", (inner,))
    return None


def named_kind(text: str) -> Term | None:
    """Return the card type or subtype that a word names, alone or in the plural, or None."""
    low = text.lower()
    if low == "sorceries":
        return Term("kind", ("sorcery",))
    if low in TYPES or low.removesuffix("s") in TYPES:
        return Term("kind", (low if low in TYPES else low.removesuffix("s"),))
    name = subtype(text)
    return None if name is None else Term("kind", (name,))


@GRAMMAR.lexer("named adjective")
def _named_adjectives(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read a color, a supertype or a word with "non" before it."""
    found = _named_adjective(words[place]) if place < len(words) else None
    return [] if found is None else [(found, place + 1)]


@GRAMMAR.lexer("kind")
def _kinds(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read a card type or subtype."""
    if words[place : place + 2] == ("Time", "Lord"):
        return [(Term("kind", ("Time Lord",)), place + 2)]
    found = named_kind(words[place]) if place < len(words) else None
    return [] if found is None else [(found, place + 1)]


@GRAMMAR.lexer("color")
def _color_words(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read the word for a color."""
    found = words[place].lower() if place < len(words) else ""
    return [(found, place + 1)] if found in COLORS else []


GRAMMAR.alias("adjective", "{name:named adjective}")
GRAMMAR.alias("adjectives", "{one:adjective}")


def _rule(sort: str, phrase: str, build: Callable[..., Any]) -> None:
    """Add a phrase whose slots are handed over in their order."""
    GRAMMAR.rule(sort, phrase, in_order(build))


_rule("adjectives", "{one:adjective} , {more:adjectives}", all_of)
_rule("adjectives", "{one:adjective} {more:adjectives}", all_of)
for _joint in ("or", "and", "and / or", "and or"):
    _rule("adjective", f"{{one:adjective}} {_joint} {{more:adjective}}", any_of)
_rule("kinds", "{one:kind}", lambda one: one)
_rule("kinds", "{one:kind} {more:kinds}", all_of)
_rule("kinds", "{before:named adjective} {one:kinds}", all_of)
_rule("series", "{one:kinds}", lambda one: (one,))
for _joint in ("or", "and", "and / or", ",", ", or", ", and", ", and / or"):
    _rule("series", f"{{one:kinds}} {_joint} {{more:series}}", lambda one, more: (one, *more))


def _either(series: tuple[Term, ...]) -> Term:
    """Return what is one of several kinds; an adjective before the first alone is about all of them."""
    adjectives = [_adjectives_of(each) for each in series]
    if len(series) > 1 and adjectives[0] and not any(adjectives[1:]):
        return any_of(series[0], *(all_of(*adjectives[0], each) for each in series[1:]))
    return any_of(*series)


def _parts(what: Term) -> tuple[Term, ...]:
    return what.args[0] if what.op == "all of" else (what,)


def _adjectives_of(what: Term) -> list[Term]:
    return [part for part in _parts(what) if place_of(part) == BEFORE]


_rule("kind list", "{series:series}", _either)
OF_CREATURES = ("equipped", "attacking", "blocking", "blocked", "unblocked")


def _with_adjectives(before: Term, noun: Term) -> Term:
    """Return a noun with what stands before it; of several kinds only a creature is equipped, attacks or blocks."""
    choice = next((part for part in (noun, *_parts(noun)) if part.op == "any of"), None)
    if before.op not in OF_CREATURES or choice is None or Term("kind", ("creature",)) not in choice.args[0]:
        return all_of(before, noun)
    rest = [part for part in _parts(noun) if part is not choice]
    creature = Term("kind", ("creature",))
    return all_of(*rest, any_of(*(all_of(before, each) if each == creature else each for each in choice.args[0])))


FORMS = {
    "card[s]": Term("card"),
    "spell[s]": Term("spell"),
    "token[s]": Term("token"),
    "permanent[s]": Term("permanent"),
    "source[s]": Term("anything"),
    "object[s]": Term("anything"),
    "(ability|abilities)": Term("ability", ("",)),
    "activated (ability|abilities)": Term("ability", ("activated",)),
    "triggered (ability|abilities)": Term("ability", ("triggered",)),
    "activated or triggered (ability|abilities)": Term("ability", ("",)),
}
for _said, _form in FORMS.items():
    _rule("noun", _said, lambda form=_form: form)
    if _form.op in ("card", "spell", "token", "permanent", "anything"):
        _rule("noun", f"{{kinds:kind list}} {_said}", lambda kinds, form=_form: all_of(kinds, form))
_rule("noun", "permanent card[s]", lambda: all_of(Term("permanent type"), Term("card")))
_rule("noun", "permanent spell[s]", lambda: all_of(Term("permanent type"), Term("spell")))
_rule("noun", "permanent token[s]", lambda: all_of(Term("permanent type"), Term("token")))
_rule("noun", "{kinds:kind list}", lambda kinds: kinds)
_rule("described", "{noun:noun}", lambda noun: noun)
_rule("described", "{before:adjectives} {noun:noun}", _with_adjectives)
_rule("filter", "{what:described}", lambda what: what)


def _such(what: Term, after: Term) -> Term | None:
    """Return a description with what follows it; "its" in a comparison is that of the object described itself."""
    places = [part.op for part in (*_parts(what), *_parts(after))]
    if "controlled" in places and any(place in places for place in ("in graveyard", "in hand", "in library")):
        return None  # only permanents, spells and abilities are controlled (109.4)
    if after.op == "sized":
        after = replaced(after, Term("it"), Term("the one described"))
    return all_of(what, after)


GRAMMAR.rule("filter", "{what:filter} {after:which}", in_order(_such), last=True)
_rule("filter", "{what:filter} , {after:which}", _such)
for _joint in ("or", "and", "and / or", ",", ", or", ", and", ", and / or"):
    _rule("filter", f"{{one:described}} {_joint} {{more:filter}}", any_of)


# ---------------------------------------------------------------- saying them


def say_filter(term: Term, many: bool = False, first: str = "") -> str:
    """Say a description in its normal wording.

    Args:
        term: The filter.
        many: Whether it stands in the plural.
        first: An article to put before it: "a" becomes "an" where it must, "another" takes the place of "other".
    """
    parts = term.args[0] if term.op == "all of" else (term,)
    sorted_out: list[list[Term]] = [[], [], [], []]
    for part in parts:
        sorted_out[place_of(part)].append(part)
    participles = [part for part in sorted_out[BEFORE] if part.op == "not" and part.args[0].op in PARTICIPLES]
    before = [_say_adjective(part) for part in sorted_out[BEFORE] if part not in participles]
    before.sort(key=lambda said: said != "other")
    forms = sorted_out[FORM]
    kinds = sorted_out[NOUN]
    choices = [part for part in kinds if part.op == "any of" and (_shares(part) or (len(kinds) > 1 and not forms))]
    kinds = [part for part in kinds if part not in choices]  # which of several kinds it is stands behind then
    sorted_out[AFTER] += choices
    nouns = [_say_noun(part, many and not forms and part is kinds[-1]) for part in kinds]
    nouns += [_say_noun(part, many and part is forms[-1]) for part in forms]
    if not nouns:
        nouns = ["objects" if many else "object"]
    after = [f"that {'aren' if many else 'isn'}'t {part.args[0].op}" for part in participles]
    after += [_say_after(part) for part in sorted_out[AFTER]]
    if first == "a" and "other" in before:
        before.remove("other")
        first = "another"
    said = " ".join([*before, *nouns, *after])
    if first == "a" and said[0].lower() in "aeio":
        first = "an"
    return f"{first} {said}" if first else said


def _shares(choice: Term) -> bool:
    """Return whether what stands before the first of several kinds would be read as said of all of them."""
    first, *others = [_adjectives_of(each) for each in choice.args[0]]
    return bool(first) and first[0].op not in OF_CREATURES and not any(others)


def _say_after(part: Term) -> str:
    """Say what follows the noun."""
    if part.op == "any of":
        return " or ".join(_say_after(each) for each in part.args[0])
    if part.op in ("all of", "kind", "permanent", "token", "card") or place_of(part) != AFTER:
        return f"that's {say_filter(part, first='a')}"
    return GRAMMAR.say(part)


def _say_adjective(part: Term) -> str:
    if part.op == "not":
        inner = part.args[0]
        name = inner.args[0] if inner.args else inner.op
        return f"non-{name}" if name[0].isupper() else f"non{name}"
    if part.op == "any of":
        return " or ".join(_say_adjective(each) for each in part.args[0])
    if part.op == "colored":
        return "one or more colors"
    return str(part.args[0]) if part.args else part.op


_FORM_WORDS = {"card": "card", "spell": "spell", "token": "token", "permanent": "permanent", "anything": "source",
               "permanent type": "permanent"}  # fmt: skip


def _say_noun(part: Term, many: bool) -> str:
    if part.op == "kind":
        name = str(part.args[0])
        if not many:
            return name
        return plural(name) if name[0].isupper() else "sorceries" if name == "sorcery" else name + "s"
    if part.op == "any of":
        return listed([say_filter(each, many) for each in part.args[0]], "or")
    if part.op == "all of":
        return say_filter(part, many)
    if part.op == "ability":
        return f"{part.args[0] or 'activated or triggered'} {'abilities' if many else 'ability'}"
    return _FORM_WORDS[part.op] + ("s" if many else "")


def _say_which(part: Term) -> str:
    return "that isn't " + say_filter(part.args[0], first="a")


def say_quality(term: Term) -> str:
    """Say what something is protected from or shares: a color, "artifacts", "everything"."""
    if term.op == "anything":
        return "everything"
    if term.op == "of the chosen color":
        return "the chosen color"
    parts = term.args[0] if term.op in ("all of", "any of") else (term,)
    if all(place_of(part) == BEFORE for part in parts):
        said = [_say_adjective(part) for part in parts]
        return listed(said, "or") if term.op == "any of" else " ".join(said)
    return say_filter(term, many=True)


GRAMMAR.sayers["quality"] = say_quality
GRAMMAR.several["filter"] = lambda term: say_filter(term, many=True)
for _op in ("all of", "any of", "kind", "color", "card", "spell", "token", "permanent", "permanent type", "anything",
            "ability"):  # fmt: skip
    GRAMMAR.sayers[_op] = say_filter
GRAMMAR.sayers["not"] = lambda part: say_filter(part) if place_of(part) < AFTER else _say_which(part)
