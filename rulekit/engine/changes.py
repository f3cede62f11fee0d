"""What continuous effects change: the words of the sort "change", each in its layer (613).

A body gets the frame of the effect and the characteristics worked out so far. Layer "8" stands for what is no
characteristic: restrictions, kept in `Seen.rules` for the rooms that ask for them (613.11). A word with the fact
``parts`` is short for several changes in different layers.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from rulekit.cards.subtypes import BASIC_MANA, CREATURE_TYPES, subtype
from rulekit.engine.abilities import Ability, Term, word
from rulekit.engine.amounts import say_as_x
from rulekit.engine.filters import say_filter
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.granting import of_granter
from rulekit.engine.phrases import listed
from rulekit.engine.seen import Seen
from rulekit.engine.which import chosen

X, ENCHANTED = Term("X"), Term("enchanted by this")
YOU = Term("you")
CARD_TYPES = ("Artifact", "Battle", "Creature", "Enchantment", "Instant", "Land", "Planeswalker", "Sorcery")
SUPERTYPES = ("Basic", "Legendary", "Snow", "World")
COLORS = ("white", "blue", "black", "red", "green")
_EVERY_CREATURE_TYPE = frozenset(CREATURE_TYPES)
_SIGNED = re.compile(r"([+-])(\d*)(X?)/([+-])(\d*)(X?)")


# ---------------------------------------------------------------- power and toughness


def _amount(sign: str, digits: str, x: str) -> Any:
    factor = int(digits or 1) * (-1 if sign == "-" else 1)
    if not x:
        return factor if digits else 0
    return X if factor == 1 else Term("times", (factor, X))


@GRAMMAR.lexer("size change", say=lambda size: "/".join(_say_signed(part) for part in size))
def _size_change(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read a change of power and toughness such as +2/-1 or -2X/-2X."""
    for length in (1, 2, 3):
        found = _SIGNED.fullmatch("".join(words[place : place + length]))
        if found:
            return [((_amount(*found.groups()[:3]), _amount(*found.groups()[3:])), place + length)]
    return []


def _say_signed(n: Any) -> str:
    """Say how much a power or toughness changes; what is no number and no X is said as X."""
    if isinstance(n, int):
        return f"{n:+d}"
    factor, what = n.args if n.op == "times" else (1, n)
    if what != X:
        say_as_x(what)
    return {1: "+X", -1: "-X"}.get(factor, f"{factor:+d}X")


@word("change", "(gets|get) {size:size change}", "(gets|get) {size:size change} {times:for each}",
      "(gets|get) an additional {size:size change}", "(gets|get) an additional {size:size change} {times:for each}",
      rule="613.4c", layer="7c")  # fmt: skip
def gets(frame: Frame, draft: Seen, size: tuple[Any, Any], times: Any = 1) -> None:
    """Change power and toughness by an amount, or by so much for each of something."""
    n = frame.count(times)
    draft.power = (draft.power or 0) + frame.count(size[0]) * n
    draft.toughness = (draft.toughness or 0) + frame.count(size[1]) * n


@word("change", "(has|have) base power and toughness {size:size}", "base power and toughness {size:size}",
      rule="613.4b", layer="7b", op="set size")  # fmt: skip
def set_size(frame: Frame, draft: Seen, size: tuple[Any, Any] = ("0", "0")) -> None:
    """Set base power and toughness (613.4b)."""
    draft.power, draft.toughness = (frame.count(each) if isinstance(each, Term) else int(each) for each in size)


@word("change", "(has|have) base power and [base] toughness each equal to its mana value", op="size is its mana value",
      rule="613.4b", layer="7b")  # fmt: skip
def size_is_its_mana_value(frame: Frame, draft: Seen) -> None:
    """Set base power and toughness each to the mana value of the object itself."""
    draft.power = draft.toughness = draft.mana_value


@word("change", op="switched", rule="613.4d", layer="7d")
def switched(frame: Frame, draft: Seen) -> None:
    """Switch power and toughness (613.4d)."""
    draft.power, draft.toughness = draft.toughness, draft.power


GRAMMAR.rule("effect", "switch {what:objects} 's power and toughness {duration:duration}",
             lambda what, duration: Term("continuous", (what, (Term("switched"),), duration)))  # fmt: skip


@word("change", "'s power is {power:amount} , and its toughness is {toughness:amount}",
      "'s power is {power:amount} and its toughness is {toughness:amount}",
      "'s power and toughness are each equal to {power:amount}",
      "'s power is equal to {power:amount} and its toughness is equal to {toughness:amount}",
      rule="604.3", layer="7a", op="size is", defines=True)  # fmt: skip
def size_is(frame: Frame, draft: Seen, power: Any = 0, toughness: Any = None) -> None:
    """Define power and toughness in every zone (604.3, 613.4a)."""
    draft.power = frame.count(power)
    if toughness is None:
        draft.toughness = draft.power
    elif isinstance(toughness, Term) and toughness.op == "plus" and toughness.args[0] == Term("that many"):
        draft.toughness = draft.power + frame.count(toughness.args[1])
    else:
        draft.toughness = frame.count(toughness)


@word("change", "'s power is equal to {power:amount}", rule="604.3", layer="7a", op="power is", defines=True)
def power_is(frame: Frame, draft: Seen, power: Any = 0) -> None:
    """Define the power alone in every zone; the toughness is what is printed (604.3, 613.4a)."""
    draft.power = frame.count(power)


@word("change", "'s toughness is equal to {toughness:amount}", rule="604.3", layer="7a", op="toughness is",
      defines=True)  # fmt: skip
def toughness_is(frame: Frame, draft: Seen, toughness: Any = 0) -> None:
    """Define the toughness alone in every zone; the power is what is printed (604.3, 613.4a)."""
    draft.toughness = frame.count(toughness)


# ---------------------------------------------------------------- abilities


@word("change", "(has|have|gains|gain) {abilities:abilities}", rule="613.1f", layer="6", op="has")
def has(frame: Frame, draft: Seen, abilities: tuple[Ability, ...] = ()) -> None:
    """Add abilities (613.1f)."""
    given = (of_the_choice(frame, ability) for part in abilities for ability in _flat(part))
    draft.abilities = (*draft.abilities, *(of_granter(ability, frame.this) for ability in given))


CHOSEN_COLOR = Term("of the chosen color")


def of_the_choice(frame: Frame, ability: Ability) -> Ability:
    """Return an ability whose quality is the color chosen for or by what grants it with that color (607.2d, 608.2h)."""
    color = chosen(frame, "color") if CHOSEN_COLOR in ability.value else None
    if color is None:
        return ability
    value = tuple(Term("color", (color,)) if each == CHOSEN_COLOR else each for each in ability.value)
    return replace(ability, value=value, text=ability.text.replace("the chosen color", color))


def _flat(part: Any) -> tuple[Ability, ...]:
    return tuple(ability for each in part for ability in _flat(each)) if isinstance(part, tuple) else (part,)


@word("change", "(loses|lose) {keyword:ability word}", rule="613.1f", layer="6", op="loses", removes=True)
def loses(frame: Frame, draft: Seen, keyword: str = "") -> None:
    """Take a keyword ability away (613.1f)."""
    draft.abilities = tuple(ability for ability in draft.abilities if ability.keyword != keyword)


GRAMMAR.rule("change", "(loses|lose) {one:ability word} and {two:ability word}",
             lambda one, two: (Term("loses", (one,)), Term("loses", (two,))))  # fmt: skip


@word("change", "(loses|lose) all abilities", rule="613.1f", layer="6", op="loses all abilities", removes=True)
def loses_all(frame: Frame, draft: Seen) -> None:
    """Take all abilities away (613.1f)."""
    draft.abilities = ()


# ---------------------------------------------------------------- types and colors


@word("change", op="set types", rule="205.1a", layer="4")
def set_types(frame: Frame, draft: Seen, types: tuple[str, ...] = (), subtypes: tuple[str, ...] = ()) -> None:
    """Set card types and subtypes; subtypes that belong to a lost type go with it (205.1a)."""
    if types:
        draft.types = types
    kept = tuple(own for own in draft.subtypes if _belongs(own, draft.types))
    if subtypes:  # new creature types replace creature types, and so on
        kept = tuple(own for own in kept if not any(_alike(own, new) for new in subtypes))
    draft.subtypes = (*kept, *(new for new in subtypes if new not in kept))


def _belongs(name: str, types: tuple[str, ...]) -> bool:
    from rulekit.cards.subtypes import type_of

    return type_of(name) in types or (type_of(name) == "Creature" and "Kindred" in types)


def _alike(one: str, two: str) -> bool:
    from rulekit.cards.subtypes import type_of

    return type_of(one) == type_of(two)


@word("change", op="add types", rule="205.1b", layer="4")
def add_types(frame: Frame, draft: Seen, types: tuple[str, ...] = (), subtypes: tuple[str, ...] = ()) -> None:
    """Add card types and subtypes to those that it has (205.1b)."""
    draft.types = (*draft.types, *(new for new in types if new not in draft.types))
    fresh = tuple(new for new in subtypes if new not in draft.subtypes)
    draft.subtypes = (*draft.subtypes, *fresh)
    draft.abilities = (*draft.abilities, *_mana_of(fresh))


@word("change", op="set land types", rule="305.7", layer="4", removes=True)
def set_land_types(frame: Frame, draft: Seen, subtypes: tuple[str, ...] = ()) -> None:
    """Set land types to basic ones: the text of the land is lost, and their mana abilities are gained (305.7)."""
    set_types(frame, draft, (), subtypes)
    draft.abilities = _mana_of(subtypes)


def _mana_of(subtypes: tuple[str, ...]) -> tuple[Ability, ...]:
    """Return the mana abilities that basic land types bring (305.6)."""
    return tuple(ability for own in subtypes if own in BASIC_MANA for ability in _taps_for(BASIC_MANA[own]))


@lru_cache(maxsize=len(BASIC_MANA))
def _taps_for(symbol: str) -> tuple[Ability, ...]:
    given = GRAMMAR.read("abilities", f'"{{T}}: add {{{symbol}}}"')
    return tuple(replace(ability, rule="305.6") for ability in _flat(given))


@word("change", "(isn't|is not|aren't) (a|an) {kind:card type}", rule="205.1a", layer="4", op="isn't a type")
def is_not_a_type(frame: Frame, draft: Seen, kind: str = "") -> None:
    """Take a card type away, and its subtypes with it (205.1a)."""
    draft.types = tuple(own for own in draft.types if own != kind)
    draft.subtypes = tuple(own for own in draft.subtypes if _belongs(own, draft.types))


@GRAMMAR.lexer("card type", say=lambda kind: kind.lower())
def _card_type(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read the word for a card type."""
    named = words[place].capitalize() if place < len(words) else ""
    return [(named, place + 1)] if named in CARD_TYPES else []


@word(
    "change",
    "(is|are|gains|gain) (every creature type|all creature types)",
    op="every creature type",
    rule="205.3m",
    layer="4",
    defines=True,
)
def every_creature_type(frame: Frame, draft: Seen) -> None:
    """Have every creature type (702.73a)."""
    if draft.subtypes[-len(CREATURE_TYPES) :] == CREATURE_TYPES:
        return
    others = tuple(own for own in draft.subtypes if own not in _EVERY_CREATURE_TYPE)
    draft.subtypes = (*others, *CREATURE_TYPES)


@word("change", "(is|are|becomes|become) {colors:color list}", rule="105.3", layer="5", op="set colors", defines=True)
def set_colors(frame: Frame, draft: Seen, colors: tuple[str, ...] = ()) -> None:
    """Set colors (105.3)."""
    draft.colors = tuple(color for color in COLORS if color in colors)


@word("change", "(is|are|becomes|become) {colors:color list} in addition to (its|their) other colors", rule="105.3",
      layer="5", op="add colors")  # fmt: skip
def add_colors(frame: Frame, draft: Seen, colors: tuple[str, ...] = ()) -> None:
    """Add colors (105.3)."""
    draft.colors = tuple(color for color in COLORS if color in (*draft.colors, *colors))


@word("change", "(is|are) the chosen color in addition to (its|their) other colors", rule="105.3", layer="5",
      op="add the chosen color")  # fmt: skip
def add_the_chosen_color(frame: Frame, draft: Seen) -> None:
    """Add the color chosen for the source of the effect (105.3)."""
    chosen = dict(frame.state.get(frame.this).chosen).get("color")
    if chosen:
        add_colors(frame, draft, (chosen,))


_AND = ([["and"], [","]], [[",", "and"]])


def _say_colors(colors: tuple[str, ...]) -> str:
    return "all colors" if colors == COLORS else listed(list(colors)) or "colorless"


@GRAMMAR.lexer("color list", say=_say_colors)
def _color_list(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read colors such as "blue", "black and red", "colorless"."""
    if place < len(words) and words[place].lower() == "colorless":
        return [((), place + 1)]
    if [each.lower() for each in words[place : place + 2]] == ["all", "colors"]:
        return [(COLORS, place + 2)]
    found: list[str] = []
    end = place
    while end < len(words) and words[end].lower() in COLORS:
        found.append(words[end].lower())
        end += 1
        between = next((end + n for n in (2, 1) if [each.lower() for each in words[end : end + n]] in _AND[n - 1]), end)
        if between < len(words) and words[between].lower() in COLORS:
            end = between
    return [(tuple(found), end)] if found else []


# ---------------------------------------------------------------- becoming something


@GRAMMAR.lexer("what it becomes", say=lambda form: _say_form(*form))
def _what_it_becomes(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read size, colors, types and subtypes that something becomes: (size, colors, types, subtypes)."""
    at = place
    size: tuple[Term | str, ...] | None = None
    if at < len(words) and words[at].count("/") == 1 and words[at][0] in "0123456789X":
        size, at = tuple(X if part == "X" else part for part in words[at].split("/")), at + 1
    colors, at = next(iter(_color_list(words, at)), (None, at))
    types: list[str] = []
    subtypes: list[str] = []
    while at < len(words):
        named = words[at]
        if named.capitalize() in (*CARD_TYPES, *SUPERTYPES):
            types.append(named.capitalize())
        elif named[:1].isupper() and subtype(named):
            subtypes.append(subtype(named) or named)
        else:
            break
        at += 1
    return [((size, colors, tuple(types), tuple(subtypes)), at)] if types or subtypes else []


def _say_form(size: Any, colors: Any, types: tuple[str, ...], subtypes: tuple[str, ...]) -> str:
    parts = ["/".join("X" if part == X else str(part) for part in size)] if size else []
    parts += [_say_colors(colors)] if colors is not None else []
    parts += [*subtypes, *(kind.lower() for kind in types)]
    return " ".join(parts)


_IS = "(is|are|becomes|become) [(a|an)] {form:what it becomes}"


def _parts(form: Any, adds: bool, abilities: Any, value: str, size: Any, kind: str) -> tuple[Term, ...]:
    """Return the changes in their layers that becoming something is short for."""
    given_size, colors, types, subtypes = form
    size = size or given_size
    if not adds and not types and all(own in BASIC_MANA for own in subtypes):
        found = [Term("set land types", (subtypes,))]
    else:
        found = [Term("add types" if adds else "set types", (types, subtypes))]
    if colors is not None:
        found.append(Term("add colors" if value == "other colors" else "set colors", (colors,)))
    if value == "every creature type":
        found.append(Term("every creature type"))
    if abilities:
        found.append(Term("has", (abilities,)))
    if value == "its mana value":
        found.append(Term("size is its mana value"))
    if size:
        found.append(Term("set size", (size,)))
    return tuple(found)


@word(
    "change",
    (f"{_IS} in addition to (its|their) other [(creature|land)] types", {"adds": True}),
    (f"{_IS} in addition to (its|their) other colors and types", {"adds": True, "value": "other colors"}),
    (f"{_IS} with {{abilities:abilities}} in addition to (its|their) other [(creature|land)] types", {"adds": True}),
    (f"{_IS} with {{abilities:abilities}} (that is|that's) still a {{kind:card type}}", {"adds": True}),
    (f"{_IS} with {{abilities:abilities}}", {}),
    (f"{_IS} (that is|that's) still a {{kind:card type}}", {"adds": True}),
    (f"{_IS} with all creature types", {"value": "every creature type"}),
    (f"{_IS} with all creature types in addition to (its|their) other types",
     {"adds": True, "value": "every creature type"}),
    (f"{_IS} with base power and toughness {{size:size}}", {}),
    (f"{_IS} with base power and toughness {{size:size}} and {{abilities:abilities}}", {}),
    (f"{_IS} with power and toughness each equal to (its|that artifact 's) mana value",
     {"value": "its mana value", "adds": True}),
    (_IS, {}),
    op="becomes", rule="205.1", parts=_parts,
)  # fmt: skip
def becomes(
    frame: Frame, draft: Seen, form: Any = None, adds: bool = False, abilities: Any = (), value: str = "",
    size: Any = None, kind: str = "",
) -> None:  # fmt: skip
    """Become something else or something more: short for changes of type, color, abilities and size (205.1)."""


@word("change", "{changes:change+} , where X is {n:amount}", op="where x")
def where_x(frame: Frame, draft: Seen, changes: tuple[Term, ...] = (), n: Any = 0) -> None:
    """Make changes in which X is worked out for each object that they are made to; the layers do it."""


# ---------------------------------------------------------------- control


@word("change", op="controlled by", rule="613.1b", layer="2")
def controlled_by(frame: Frame, draft: Seen, who: Any = None) -> None:
    """Give control to a player (613.1b)."""
    players = frame.players(who)
    if players and players[0] in frame.state.in_game:
        draft.controller = players[0]


for _host, _carries in (("enchanted", ENCHANTED), ("equipped", Term("equipped by this"))):
    GRAMMAR.rule("static", f"you control {_host} {{what:filter}}",
                 lambda what, host=_carries: Term("apply", (host, (Term("controlled by", (YOU,)),))))  # fmt: skip


# ---------------------------------------------------------------- what is no characteristic


def _say_blocked_by(what: Term | None) -> str:
    if what is None:
        return "can't be blocked"
    allowed = what.op == "not" and what.args[0].op not in ("color", "colorless")
    by = f"except by {say_filter(what.args[0], many=True)}" if allowed else f"by {say_filter(what, many=True)}"
    return f"can't be blocked {by}"


def _restriction(op: str, *phrases: Any, rule: str = "613.11", **facts: Any) -> None:
    """Declare something that applies to an object without being an ability of it."""

    def keep(frame: Frame, draft: Seen, what: Any = None) -> None:
        draft.rules = (*draft.rules, (Term(op, (what,)), frame))

    word("change", *phrases, op=op, rule=rule, layer="8", **facts)(keep)


_restriction("can't block", "can't block", "can't block {what:filter}", rule="509.1b")
_restriction("must attack", "(attacks|attack) each combat if able", "(attacks|attack) if able", rule="508.1d")
_restriction("may attack despite defender", "can attack as though (it|they) didn't have defender", rule="702.3b")
_restriction("can't be blocked by many", "can't be blocked by more than one creature", rule="509.1b")
GRAMMAR.rule("change", "can't be blocked except by {what:filter}",
             lambda what: Term("can't be blocked", (Term("not", (what,)),)))  # fmt: skip
GRAMMAR.sayers["can't be blocked"] = lambda term: _say_blocked_by(term.args[0])
_restriction("can't be blocked", "can't be blocked", "can't be blocked by {what:filter}", rule="509.1b")
_restriction("can't attack", "can't attack", "can't attack {what:players} [or a planeswalker you control]",
             "can't attack {what:players} or planeswalkers (you|they) control", rule="508.1c")  # fmt: skip


@word("change", "can't attack or block", op="can't attack or block", rule="508.1c", layer="8")
def cannot_fight(frame: Frame, draft: Seen) -> None:
    """Let something neither attack nor block (508.1c, 509.1b)."""
    both = (Term(op, (None,)) for op in ("can't attack", "can't block"))
    draft.rules = (*draft.rules, *((term, frame) for term in both))


_restriction("can't be sacrificed", "can't be sacrificed", rule="701.21a")
_restriction("can't be equipped", "can't be equipped", rule="301.5")
_restriction("can't be enchanted", "can't be enchanted", rule="303.4")
_restriction("can be attached only to", "can be attached only to (a|an) {what:filter}", rule="301.5")
_restriction("doesn't untap", "doesn't untap during its controller 's untap step",
             "don't untap during their controllers ' untap steps", "(doesn't|don't) untap during your untap step",
             "(doesn't|don't) untap during its controller 's untap step",
             "(doesn't|don't) untap", rule="502.3")  # fmt: skip
_restriction("can't be countered", "can't be countered", rule="101.2", own_zones=("stack",))
_restriction("can't transform", "can't transform")
_restriction("can't be regenerated", "can't be regenerated")
