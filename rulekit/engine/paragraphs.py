"""Paragraphs of rules text into abilities: keywords, costs and effects, triggers, statements, what a spell does.

What a paragraph is is tried in turn; each reader is built of the sorts that words declare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from rulekit.engine.abilities import WORDS, Ability, Term, walk
from rulekit.engine.antecedents import TARGETS, numbered
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.granting import GRANTER
from rulekit.engine.parsing import Unread
from rulekit.engine.phrases import joined, listed, tokens
from rulekit.engine.plausible import playable
from rulekit.engine.repeating import with_process
from rulekit.engine.standing import Said
from rulekit.engine.wording import wordings

MOST_TOKENS = 400  # of a paragraph; longer ones are not understood
IT, THIS = Term("it"), Term("this")
EVERYWHERE = ("battlefield", "hand", "graveyard", "library", "exile", "stack")
Words = tuple[str, ...]

# ---------------------------------------------------------------- lists, costs, abilities within abilities

GRAMMAR.join("cost", ((",", "and"), (",",), ("and",)))


def _apart(costs: tuple[Term, ...]) -> tuple[Term, ...] | None:
    """Return costs of which one that is paid with several things is several: "sacrifice a Swamp and a Forest".

    What is chosen to pay is so many of a kind; None if how many is left open.
    """
    found: list[Term] = []
    for cost in costs:
        what = cost.args[0] if len(cost.args) == 1 else None
        several = isinstance(what, Term) and what.op == "together"
        for part in what.args[0] if isinstance(what, Term) and several else (what,):
            if not isinstance(part, Term) or part.op != "some of":
                found.append(Term(cost.op, (part,)) if several else cost)
            elif cost.op == "sacrifice it as a cost" and part.args[1] == part.args[2]:
                found.append(Term("sacrifice as a cost", (part.args[1], part.args[0])))
            else:
                return None
    return tuple(found)


GRAMMAR.rule("costs", "{costs:cost+}", _apart)
GRAMMAR.sayers["costs"] = lambda costs: ", ".join(GRAMMAR.say(cost) for cost in costs)
GRAMMAR.join("keyword", ((",",), (";",), (",", "and"), ("and",)))
GRAMMAR.rule("keyword line", "{keywords:keyword+}", lambda keywords: keywords)
GRAMMAR.rule("keyword", "protection from {one:quality} and from {two:quality}",
             lambda one, two: (Term("protection", (one,)), Term("protection", (two,))))  # fmt: skip
GRAMMAR.join("granted", ((",", "and"), (",",), ("and",), (",", "or"), ("or",)))
GRAMMAR.rule("abilities", "{abilities:granted+}", lambda abilities: abilities)
GRAMMAR.rule("granted", "{keyword:keyword}", lambda keyword: _expanded(keyword, True))
GRAMMAR.rule("granted", "{quoted:quoted}", lambda quoted: quoted)
GRAMMAR.sayers["abilities"] = lambda abilities: listed([_say_granted(ability) for ability in abilities])


def _say_granted(ability: Ability) -> str:
    """Say an ability as it stands in a list of what something has."""
    return text_of(ability) if ability.kind == "keyword" or ability.keyword else f'"{text_of(ability)}"'


def _expanded(keywords: Any, permanent: bool) -> tuple[Ability, ...]:
    from rulekit.engine.keywords import expand

    terms = keywords if isinstance(keywords, tuple) else (keywords,)
    return tuple(ability for term in terms for ability in expand(term, permanent))


@GRAMMAR.lexer("quoted")
def _quoted(words: Words, place: int) -> list[tuple[Any, int]]:
    """Read an ability between quotation marks."""
    if place >= len(words) or words[place] != '"' or '"' not in words[place + 1 :]:
        return []
    end = words.index('"', place + 1)
    try:
        return [(_of_its_own(words[place + 1 : end]), end + 1)]
    except Unread:
        return []


def _of_its_own(words: Words) -> tuple[Ability, ...]:
    """Read an ability that stands within another, with targets of its own; equal ones have the same words."""
    text = joined(words)
    words = tuple(GRANTER if word == "~" else word for word in words)
    own = (replace(numbered(each, 0)[0], text=each.text or text) for each in paragraph(words, False, ()))
    return tuple(replace(each, text=text_of(each)) for each in own)


# ---------------------------------------------------------------- paragraphs

MODIFIERS: dict[str, dict[str, Any]] = {
    "only as a sorcery": {"timing": "sorcery"},
    "from your graveyard": {"zones": ("graveyard",)},
    "only when you could cast an instant": {"timing": "instant"},
    "in every zone": {"zones": EVERYWHERE},
    "X can't be 0": {"cost": (Term("X is not 0"),)},
}
_RESTRICTIONS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("activate [this ability] only as a sorcery", {"timing": "sorcery"}),
    ("activate [this ability] only any time you could cast a sorcery", {"timing": "sorcery"}),
    ("activate [this ability] only as an instant", {"timing": "instant"}),
    ("activate [this ability] only any time you could cast an instant", {"timing": "instant"}),
    ("activate [this ability] only once each turn", {"limit": 1}),
    ("activate [this ability] no more than twice each turn", {"limit": 2}),
    ("this ability triggers only once each turn", {"limit": 1}),
    ("X can't be 0", {"cost": (Term("X is not 0"),)}),
)
for _said, _meant in _RESTRICTIONS:
    GRAMMAR.rule("restriction", _said, lambda meant=_meant: meant)
GRAMMAR.rule("restriction", "this ability costs {symbols:symbols} less to activate",
             lambda symbols: {"cost": (Term("costs less", (symbols, 1)),)})  # fmt: skip
GRAMMAR.rule("restriction", "this ability costs {symbols:symbols} less to activate {times:for each}",
             lambda symbols, times: {"cost": (Term("costs less", (symbols, times)),)})  # fmt: skip
GRAMMAR.rule(
    "restriction", "activate [this ability] only if {condition:condition}", lambda condition: {"condition": condition}
)
GRAMMAR.rule("restriction", "activate [this ability] only during your turn", lambda: {"condition": Term("your turn")})
GRAMMAR.rule("restriction", "{one:restriction} and only if {condition:condition}",
             lambda one, condition: one | {"condition": condition})  # fmt: skip
GRAMMAR.rule("restriction", "{one:restriction} and only once each turn", lambda one: one | {"limit": 1})


def paragraph(words: Words, spell: bool, modifiers: tuple[str, ...], permanent: bool = True) -> tuple[Ability, ...]:
    """Read one paragraph.

    Args:
        words: Its tokens.
        spell: Whether it stands on an instant or sorcery.
        modifiers: What stood in parentheses and counts.
        permanent: Whether it stands on a permanent card.

    Returns:
        Its abilities.

    Raises:
        Unread: It is not understood.
    """
    if len(words) > MOST_TOKENS:
        raise Unread(words, 0, ("a shorter text",))
    while words and words[-1] == ".":
        words = words[:-1]
    furthest: Unread | None = None
    for read in _ways(words, spell):
        try:
            abilities = read(words, permanent)
        except Unread as unread:
            furthest = unread.further(furthest)
        else:
            return tuple(_modified(ability, modifiers) for ability in abilities)
    raise furthest or Unread(words, 0, ())


def _ways(words: Words, spell: bool) -> Iterator[Any]:
    """Yield the readers that may fit a paragraph, by what stands in it."""
    first = words[0].lower() if words else ""
    outside = _outside_quotes(words)
    if "→" in outside:
        yield _arrow
        return
    if first in ("when", "whenever", "at"):
        yield _triggered
    if first.upper() in CHAPTERS:
        yield _chapter
    if first in SELDOM:
        yield _seldom
        return
    if ":" in outside:
        yield _activated
        return
    yield _keywords
    if first == "as":
        yield _additional_cost
    if first in ("you", "if"):
        yield _alternative_cost
    yield _replacement
    if spell:
        yield spell_paragraph
    yield _static


def _outside_quotes(words: Words) -> Words:
    inside, found = False, []
    for each in words:
        inside ^= each == '"'
        found.append("" if inside else each)
    return tuple(found)


def shifted(unread: Unread, words: Words, by: int) -> Unread:
    """Return where a part of a text stopped being read as a place in the whole text."""
    return Unread(words, unread.place + by, unread.expected, unread.known)


def _part(sort: str, words: Words, start: int, end: int) -> Any:
    """Read a part of a paragraph as one thing of a sort."""
    try:
        return GRAMMAR.read(sort, words[start:end])
    except Unread as unread:
        raise shifted(unread, words, start) from None


def _keywords(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read a list of keywords; restrictions may follow one that is an activated ability."""
    end = words.index(".") if "." in words else len(words)
    found = _expanded(_part("keyword line", words, 0, end), permanent)
    while end < len(words):
        stop = words.index(".", end + 1) if "." in words[end + 1 :] else len(words)
        fields: dict[str, Any] = _part("restriction", words, end + 1, stop)
        if len(found) != 1 or found[0].kind != "activated":
            raise Unread(words, end + 1, ())
        said = f"{found[0].text}. {joined(words[end + 1 : stop])}".replace("~", "this")
        found = (replace(_restricted(found[0], fields), text=said),)
        end = stop
    return found


def _restricted(ability: Ability, fields: dict[str, Any]) -> Ability:
    fields = dict(fields)
    if "cost" in fields:
        fields["cost"] = ability.cost + fields["cost"]
    return replace(ability, **fields)


def _effects(words: Words, start: int, behind: bool = False) -> tuple[tuple[Term, ...], dict[str, Any]]:
    """Read the sentences of an effect, and restrictions after them; `behind` others, the first may say "instead"."""
    fields: dict[str, Any] = {}
    end = len(words)
    while True:
        last = max((place for place in range(start, end) if words[place] == "."), default=None)
        if last is None:
            break
        try:
            more: dict[str, Any] = GRAMMAR.read("restriction", words[last + 1 : end])
            fields |= more | {"cost": more.get("cost", ()) + fields.get("cost", ())}
        except Unread:
            break
        end = last
    does = _at(_part("effects", words, start, end), start)
    if "where X is" in " ".join(words[start:]) and any(term.op == "X" for term in walk(does)):
        raise Unread(words, start, ("one X of all sentences",))
    if not playable(does, behind):
        raise Unread(words, start, ())
    return with_process(does), fields


def _at(value: Any, offset: int) -> Any:
    """Move the places of targets by an offset."""
    if isinstance(value, Term):
        args = tuple(_at(arg, offset) for arg in value.args)
        if value.op in TARGETS:
            args = (value.args[0] + offset, *args[1:])
        return Term(value.op, args)
    if isinstance(value, tuple):
        return tuple(_at(part, offset) for part in value)
    return value


def _trigger(event: Term, condition: Term | None, words: Words, start: int) -> tuple[Ability, ...]:
    does, fields = _effects(words, start)
    if any(term.op == "some of" for term in walk(condition)):
        raise Unread(words, start, ("a condition in which nothing is chosen",))
    for term in walk(condition):
        if "zones" in WORDS[term.op].facts and THIS in term.args:
            fields["zones"] = WORDS[term.op].facts["zones"]  # where the condition can be true (113.6k)
    return (Ability("triggered", rule="603", event=event, condition=condition, effect=does, **fields),)


def _arrow(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "event → effect", with an "if" before the arrow or behind it."""
    arrow = _outside_quotes(words).index("→")
    try:
        return _trigger(_part("event", words, 0, arrow), None, words, arrow + 1)
    except Unread as unread:
        for place in range(arrow):
            if words[place : place + 2] == (",", "if"):
                event = _part("event", words, 0, place)
                return _trigger(event, _part("condition", words, place + 2, arrow), words, arrow + 1)
        raise unread


def _triggered(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "when event, [if condition,] effect"; what waits for a "next" time is made by an effect (603.7)."""
    furthest: Unread | None = None
    for event, end in GRAMMAR.prefixes("event", words):
        if "next" in words[:end]:
            raise Unread(words, words.index("next"), ())
        if end >= len(words) or words[end] != ",":
            continue
        openings = [(None, end + 1)]
        if words[end + 1 : end + 2] == ("if",):
            openings = [(condition, stop + 1) for condition, stop in GRAMMAR.prefixes("condition", words, end + 2)
                        if words[stop : stop + 1] == (",",)] + openings  # fmt: skip
        for condition, start in openings:
            try:
                return _trigger(event, condition, words, start)
            except Unread as unread:
                furthest = unread.further(furthest)
    if furthest is not None:
        raise furthest
    return (_part("event", words, 0, len(words)),)  # says how far the event could be read


CHAPTERS = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7}


def _chapter(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "I, II — effect", a chapter ability of a Saga (714.2)."""
    dash = words.index("—") if "—" in words else 0
    numbers = tuple(CHAPTERS[word] for word in words[:dash] if word in CHAPTERS)
    if not dash or len(numbers) != (dash + 1) // 2:
        raise Unread(words, 1, ("—",))
    start = dash + 1
    for _, end in GRAMMAR.prefixes("flavor word", words, start):  # the name of the chapter
        start = end + 1
    does, fields = _effects(words, start)
    return (Ability("triggered", rule="714.2", event=Term("chapter", (numbers,)), effect=does, **fields),)


def _activated(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "cost: effect"."""
    colon = _outside_quotes(words).index(":")
    cost = _part("costs", words, 0, colon)
    does, fields = _effects(words, colon + 1)
    fields["cost"] = cost + fields.get("cost", ())
    loyalty = any(term.op == "loyalty" for term in cost)
    adds = any(term.op.startswith("add ") for term in does)
    mana = adds and not loyalty and not any(term.op in TARGETS for term in walk(does))
    ability = Ability("activated", rule="605" if mana else "606" if loyalty else "602", effect=does, mana=mana,
                      loyalty=loyalty, zones=_zones(cost + does), **fields)  # fmt: skip
    return (ability,)


SELDOM: dict[str, dict[str, Any]] = {  # what a keyword before a dash means for an activated ability
    "exhaust": {"limit": 1},  # 702.177a: once for as long as the permanent is what it is
    "boast": {"limit": 1, "condition": Term("is", (THIS, Term("attacked this turn")))},  # 702.142a
}


def _seldom(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "Exhaust — cost: effect" and the like (702.142a, 702.177a)."""
    keyword = words[0].lower()
    if words[1:2] != ("—",) or ":" not in _outside_quotes(words):
        raise Unread(words, 1, ("—",))
    try:
        (ability,) = _activated(words[2:], permanent)
    except Unread as unread:
        raise shifted(unread, words, 2) from None
    if ability.limit or ability.mana or ability.condition is not None:
        raise Unread(words, len(words) - 1, ())
    return (replace(ability, keyword=keyword, **SELDOM[keyword]),)


def _zones(terms: tuple[Term, ...]) -> tuple[str, ...]:
    """Return where an ability works that moves its own card out of a zone: there only (113.6m)."""
    for term in walk(terms):
        if term.op == "this in":
            return (str(term.args[0]),)
        if term == Term("discard it as a cost", (Term("this"),)):
            return ("hand",)
    return ("battlefield",)


def _additional_cost(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "as an additional cost to cast this spell, cost"."""
    opening = tokens("as an additional cost to cast this spell ,")
    if tuple(word.lower() for word in words[: len(opening)]) != tuple(word.lower() for word in opening):
        raise Unread(words, 1, ("an additional cost to cast this spell, {costs}",))
    cost = _part("costs", words, len(opening), len(words))
    return (Ability("additional cost", rule="601.2b", cost=cost, zones=("stack",)),)


def _alternative_cost(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read "[if condition,] you may cost rather than pay this spell's mana cost"."""
    read = _part("alternative", words, 0, len(words))
    condition, cost = read
    return (Ability("alternative cost", rule="118.9", cost=cost, condition=condition, zones=("hand",)),)


for _whose in ("this spell 's", "~ 's", "its"):
    GRAMMAR.rule("alternative", f"you may {{cost:costs}} rather than pay {_whose} mana cost", lambda cost: (None, cost))
    GRAMMAR.rule("alternative",
                 f"if {{condition:condition}} , you may {{cost:costs}} rather than pay {_whose} mana cost",
                 lambda condition, cost: (condition, cost))  # fmt: skip


for _spell in ("this spell", "~"):
    GRAMMAR.rule("alternative", f"if {{condition:condition}} , you may cast {_spell} without paying its mana cost",
                 lambda condition: (condition, ()))  # fmt: skip


def _replacement(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read a replacement or prevention effect."""
    ability: Ability = _part("replacement", words, 0, len(words))
    return (ability,)


def spell_paragraph(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read what a spell tells its controller to do (113.3a)."""
    does, fields = _effects(words, 0, behind=True)
    if fields:
        raise Unread(words, len(words) - 1, ())
    return (Ability("spell", rule="113.3a", effect=does, zones=("stack",)),)


# ---------------------------------------------------------------- static statements


def _static(words: Words, permanent: bool) -> tuple[Ability, ...]:
    """Read static statements; each with a condition of its own is an ability of its own."""
    statements: tuple[Said, ...] = _part("statements", words, 0, len(words))
    for condition, what in statements:
        subjects = [term.args[0] for term in what if term.op == "apply"]
        unclear = condition is not None and any(term.op in ("it", "that") for term in condition.walk())
        if unclear or any(subject.op in ("it", "that") for subject in subjects):
            raise Unread(words, 0, ("what the pronoun means",))
    found = []
    for condition, same in groupby(statements, key=lambda said: said[0]):
        effect = tuple(term for _, what in same for term in what)
        zones = _static_zones(effect, condition is None)
        found.append(Ability("static", rule="113.3d", condition=condition, effect=effect, zones=zones))
    return tuple(found)


def _static_zones(effect: tuple[Term, ...], always: bool) -> tuple[str, ...]:
    """Return where a static ability works: one that defines a characteristic everywhere (113.6a, 113.6d, 604.3a)."""
    own = [change for term in effect if term.op == "apply" and term.args[0] == THIS for change in term.args[1]]
    facts = [WORDS[change.op].facts for change in own]
    if always and own and all(fact.get("defines") for fact in facts):
        return EVERYWHERE
    return next((fact["own_zones"] for fact in facts if "own_zones" in fact), ("battlefield",))


def _modified(ability: Ability, modifiers: tuple[str, ...]) -> Ability:
    for modifier in modifiers:
        ability = _restricted(ability, MODIFIERS[modifier])
    return ability


# ---------------------------------------------------------------- abilities as text


def text_of(ability: Ability) -> str:
    """Say an ability in its normal wording; reading that again gives an equal ability.

    Where there is none that gives it without a loss it is said as it was read.
    """
    if ability.keyword or ability.kind in ("unread", "keyword"):
        return ability.text
    return normal_wording(ability) or ability.text


@lru_cache(maxsize=65536)
def normal_wording(ability: Ability) -> str:
    """Return the normal wording, the same for equal abilities however they were written; "" where there is none."""
    for said in wordings(ability):
        if _reads_as(said, ability):
            return said
    return ""


def _reads_as(said: str, ability: Ability) -> bool:
    granted = any(term.op == "granter" for term in ability.terms())
    words = tuple(GRANTER if word == "~" and granted else word for word in tokens(said))
    try:
        again = paragraph(words, ability.kind == "spell", ())
    except Unread:
        return False
    return tuple(numbered(each, 0)[0] for each in again) == (ability,)
