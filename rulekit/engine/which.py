"""What follows a description: who controls it, where it is, what it has, what happened to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.engine.abilities import WORDS, Term, word
from rulekit.engine.filters import AFTER, all_of, any_of
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.objects import found
from rulekit.engine.phrases import in_order
from rulekit.engine.state import PUBLIC

CREATURE = Term("kind", ("creature",))
SIZES = ("power", "toughness", "mana value")


def which(*phrases: Any, op: str, rule: str = "", **facts: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a filter word whose phrases follow the noun."""

    def declare(body: Callable[..., Any]) -> Callable[..., Any]:
        word("filter", op=op, rule=rule, stands=AFTER, **facts)(body)
        declared = WORDS[op]
        for phrase in phrases:
            text, preset = phrase if isinstance(phrase, tuple) else (phrase, {})
            GRAMMAR.add("which", text, op, declared.slots, preset)
        return body

    return declare


@which("{who:players} (controls|control)", op="controlled", rule="109.4")
def controlled(frame: Frame, number: int, who: Any = None) -> bool:
    """Be controlled by one of the players."""
    return frame.look(number).controller in frame.players(who)


@which("{who:players} (don't|doesn't) control", op="not controlled")
def not_controlled(frame: Frame, number: int, who: Any = None) -> bool:
    """Be controlled by none of the players."""
    return frame.look(number).controller not in frame.players(who)


@which("{who:players} (owns|own)", op="owned", rule="108.3")
def owned(frame: Frame, number: int, who: Any = None) -> bool:
    """Be owned by one of the players."""
    return frame.state.get(number).owner in frame.players(who)


@which("{who:players} (own|owns) but (don't|doesn't) control", op="owned by others", rule="108.3")
def lent(frame: Frame, number: int, who: Any = None) -> bool:
    """Be owned by one of the players and controlled by another."""
    players = frame.players(who)
    return frame.state.get(number).owner in players and frame.look(number).controller not in players


def _zone_word(zone: str) -> None:
    def inside(frame: Frame, number: int, who: Any = None) -> bool:
        thing = frame.state.get(number)
        return thing.zone == zone and (who is None or thing.owner in frame.players(who))

    op = f"in {zone}"
    word("filter", op=op, stands=AFTER, zone=zone)(inside)
    GRAMMAR.sayers[op] = lambda term: _say_in(zone, *term.args)


def _say_in(zone: str, who: Term | None) -> str:
    if zone == "exile" and who is not None:
        return f"{GRAMMAR.say(who)} {'own' if GRAMMAR.plural(who) else 'owns'} in exile"
    return "in " + GRAMMAR.say(Term("zone of", (zone, who)))


for _zone in ("graveyard", "hand", "library", "exile"):
    _zone_word(_zone)


@which(op="in one graveyard", zone="graveyard")
def in_one_graveyard(frame: Frame, number: int, who: Any = None) -> bool:
    """Be a card in a graveyard, the same one as that of the others chosen with it, which `targets` sees to."""
    thing = frame.state.get(number)
    return thing.zone == "graveyard" and (who is None or thing.owner in frame.players(who))


def _say_one_graveyard(term: Term) -> str:
    return "in a single graveyard" if term.args[0] is None else "in a single opponent's graveyard"


GRAMMAR.sayers["in one graveyard"] = _say_one_graveyard
GRAMMAR.rule("which", "(in|from) {where:pile}", lambda where: Term(f"in {where.args[0]}", where.args[1:]))
GRAMMAR.rule("which", "{who:players} (own|owns) in exile", lambda who: Term("in exile", (who,)))


@which("on the battlefield", op="on the battlefield", zone="battlefield")
def on_the_battlefield(frame: Frame, number: int) -> bool:
    """Be a permanent."""
    return frame.state.get(number).zone == "battlefield"


@which("that aren't on the battlefield", op="off the battlefield", zone=("graveyard", "hand", "library", "exile"))
def off_the_battlefield(frame: Frame, number: int) -> bool:
    """Be in another zone than the battlefield."""
    return frame.state.get(number).zone != "battlefield"


# ---------------------------------------------------------------- sizes


def size_of(frame: Frame, number: int, what: str) -> int | None:
    """Return the power, toughness or mana value of an object."""
    seen = frame.look(number)
    return {"power": seen.power, "toughness": seen.toughness, "mana value": seen.mana_value}[what]


_COMPARED = (
    ("{n:amount} or less", "at most"), ("{n:amount} or greater", "at least"), ("{n:amount} or more", "at least"),
    ("less than or equal to {n:amount}", "at most"), ("greater than or equal to {n:amount}", "at least"),
    ("less than {n:amount}", "less"), ("greater than {n:amount}", "more"), ("equal to {n:amount}", "exactly"),
    ("{n:amount}", "exactly"),
)  # fmt: skip


@which(
    *(
        (f"{each}with {size} {said}", {"size": size, "how": how})
        for each in ("", "each ")
        for size in SIZES
        for said, how in _COMPARED
    ),
    *((f"with lesser {size}", {"size": size, "how": "less", "n": Term("size of this", (size,))}) for size in SIZES),
    *((f"with greater {size}", {"size": size, "how": "more", "n": Term("size of this", (size,))}) for size in SIZES),
    op="sized",
)
def sized(frame: Frame, number: int, size: str = "", how: str = "", n: Any = 0) -> bool:
    """Have a power, toughness or mana value compared with a number."""
    own = size_of(frame, number, size)
    if own is None:
        return False
    outer, frame.said["described"] = frame.said.get("described"), number
    other = frame.count(n)
    frame.said["described"] = outer
    return {"at most": own <= other, "at least": own >= other, "less": own < other, "more": own > other}.get(
        how, own == other
    )


@which(("with [an] even mana value[s]", {"rest": 0}), ("with [an] odd mana value[s]", {"rest": 1}), op="parity")
def parity(frame: Frame, number: int, rest: int = 0) -> bool:
    """Have an even or odd mana value; zero is even."""
    return frame.look(number).mana_value % 2 == rest


@which(
    *((f"with the {most} {size} among {{group:filter}}", {"size": size, "most": most})
      for size in SIZES for most in ("greatest", "least")),
    *((f"with the {most} {size}", {"size": size, "most": most}) for size in SIZES for most in ("greatest", "least")),
    op="extreme",
)  # fmt: skip
def extreme(frame: Frame, number: int, size: str = "", most: str = "", group: Any = CREATURE) -> bool:
    """Have the greatest or least power, toughness or mana value of a group."""
    sizes = [own for other in found(frame, group) if (own := size_of(frame, other, size)) is not None]
    own = size_of(frame, number, size)
    return own is not None and bool(sizes) and own == (max(sizes) if most == "greatest" else min(sizes))


# ---------------------------------------------------------------- what it has, what it is


@which("with {keyword:ability word}", "that has {keyword:ability word}", op="with keyword")
def with_keyword(frame: Frame, number: int, keyword: str = "") -> bool:
    """Have a keyword ability."""
    return frame.look(number).has(keyword)


@which("without {keyword:ability word}", op="without keyword")
def without_keyword(frame: Frame, number: int, keyword: str = "") -> bool:
    """Have no such keyword ability."""
    return not frame.look(number).has(keyword)


@GRAMMAR.lexer("ability word")
def _ability_word(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read the name of a keyword ability, of one or two words."""
    found_words = []
    for length in (3, 2, 1):
        name = " ".join(words[place : place + length]).lower()
        if len(words) >= place + length and name in WORDS and WORDS[name].sort == "keyword":
            found_words.append((name, place + length))
    return found_words


@which(
    "with (a|an) {kind:counter kind} counter on (it|them)",
    "with one or more {kind:counter kind} counters on (it|them)",
    "with {kind:counter kind} counter[s] on (it|them)",
    op="with counter",
    rule="122.1",
)
def with_counter(frame: Frame, number: int, kind: str = "") -> bool:
    """Have a counter of a kind."""
    return frame.state.get(number).count(kind) > 0


@which("with (a counter|counters|one or more counters) on (it|them)", op="with any counter", rule="122.1")
def with_any_counter(frame: Frame, number: int) -> bool:
    """Have a counter."""
    return bool(frame.state.get(number).counters)


GRAMMAR.rule("quality", "{what:filter}", lambda what: what)
GRAMMAR.rule("quality", "(a|an) {what:filter}", lambda what: what)
GRAMMAR.rule("quality", "{what:adjective}", lambda what: what)
GRAMMAR.rule("quality", "the chosen color", lambda: Term("of the chosen color"))
GRAMMAR.rule("quality", "everything", lambda: Term("anything"))
for _joint in ("or", "and", ", or", ","):
    GRAMMAR.rule("quality", f"{{one:quality}} {_joint} {{two:quality}}", in_order(any_of))
GRAMMAR.rule("which", "(that's|that is|that are) [also] {what:quality}", lambda what: what)
GRAMMAR.rule(
    "which", "(that isn't|that is not|that aren't|that are not) {what:quality}", lambda what: Term("not", (what,))
)


def _both(one: Term, two: Term) -> Term:
    """Return the description of what fits two; what lies in two zones is what lies in either of them."""
    zones = [WORDS[each.op].facts.get("zone") for each in (one, two)]
    return any_of(one, two) if all(zones) and zones[0] != zones[1] else all_of(one, two)


GRAMMAR.rule("which", "{one:which} and {two:which}", in_order(_both))
GRAMMAR.rule("which", "{one:which} or {two:which}", in_order(any_of))


@which("named {name:card name}", "with the name {name:card name}", op="named", rule="201.2")
def named(frame: Frame, number: int, name: str = "") -> bool:
    """Have a name."""
    return frame.look(number).name == name


@GRAMMAR.lexer("card name")
def _card_name(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read a name: capitalised words with small ones between them."""
    small = {"of", "the", "and", "to", "in", "'s", ",", "a", "for", "from", "with", "'"}
    ends = []
    end = place
    while end < len(words) and (words[end][:1].isupper() or (end > place and words[end].lower() in small)):
        end += 1
        if words[end - 1][:1].isupper() or words[end - 1] == "'s":
            ends.append(end)
    return [(_name(words[place:stop]), stop) for stop in reversed(ends)]


def _name(words: tuple[str, ...]) -> str:
    return " ".join(words).replace(" 's", "'s").replace(" ,", ",").replace(" '", "'")


@which("with the chosen name", op="of the chosen name")
def of_the_chosen_name(frame: Frame, number: int) -> bool:
    """Have the name that was chosen."""
    return bool(frame.look(number).name == chosen(frame, "name"))


@which("of the chosen color", "(that's|that is|that are) the chosen color", op="of the chosen color")
def of_the_chosen_color(frame: Frame, number: int) -> bool:
    """Be of the color that was chosen."""
    return chosen(frame, "color") in frame.look(number).colors


@which("of the chosen type", op="of the chosen type")
def of_the_chosen_type(frame: Frame, number: int) -> bool:
    """Be of the type that was chosen."""
    kind = chosen(frame, "type")
    return kind is not None and frame.look(number).is_a(kind)


def chosen(frame: Frame, what: str) -> Any:
    """Return what was chosen for this object as it entered or while the effect is carried out, or None."""
    if what in frame.said:
        return frame.said[what]
    thing = frame.state.get(frame.this) if frame.this else None
    return next((value for name, value in (thing.chosen if thing else ()) if name == what), None)


@which("other than {what:objects}", op="other than")
def other_than(frame: Frame, number: int, what: Any = None) -> bool:
    """Be none of some objects."""
    return number not in frame.objects(what)


@which(
    "from among {what:objects}",
    "among {what:objects}",
    op="among",
    zone=("graveyard", "exile", "battlefield", "hand", "library"),
)
def among(frame: Frame, number: int, what: Any = None) -> bool:
    """Be one of some objects."""
    return number in frame.objects(what)


@which("attached to {what:objects}", op="attached to", rule="701.3")
def attached_to(frame: Frame, number: int, what: Any = None) -> bool:
    """Be attached to one of some objects."""
    host = frame.state.get(number).attached_to
    return isinstance(host, int) and host in frame.objects(what)


@which("blocking {what:objects}", "that's blocking {what:objects}", op="blocking one")
def blocking_one(frame: Frame, number: int, what: Any = None) -> bool:
    """Block one of some creatures."""
    blocked = frame.objects(what)
    return any(blocker == number and attacker in blocked for blocker, attacker in frame.state.turn.blockers)


@which("that shares a {what:shared} with {other:objects}", "that share a {what:shared} with {other:objects}",
       op="sharing")  # fmt: skip
def sharing(frame: Frame, number: int, what: str = "", other: Any = None) -> bool:
    """Share a color, a card type or a creature type with one of some objects."""
    return any(shares(frame, number, each, what) for each in frame.objects(other))


@GRAMMAR.lexer("shared")
def _shared(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read what can be shared."""
    found_words = []
    for name in ("color", "card type", "creature type", "land type", "name"):
        length = len(name.split())
        if " ".join(words[place : place + length]).lower() == name:
            found_words.append((name, place + length))
    return found_words


def shares(frame: Frame, one: int, two: int, what: str) -> bool:
    """Return whether two objects have a color, card type, creature type or name in common."""
    from rulekit.cards.subtypes import CREATURE_TYPES, LAND_TYPES

    left, right = frame.look(one), frame.look(two)
    if what == "name":
        return left.name == right.name
    if what == "color":
        return bool(set(left.colors) & set(right.colors))
    if what == "all card types":
        return set(left.types) == set(right.types)
    if what == "card type":
        return bool(set(left.types) & set(right.types))
    kinds = LAND_TYPES if what == "land type" else CREATURE_TYPES
    return bool(set(left.subtypes) & set(right.subtypes) & set(kinds))


# ---------------------------------------------------------------- what happened to it


def _put_there(where: Term) -> Term:
    """Return what "put into your graveyard this way" means: the effect put it there, and it is whose the text says."""
    this_way = Term("this way", ("put into a graveyard",))
    return this_way if where.args[1] is None else all_of(this_way, Term("in graveyard", where.args[1:]))


GRAMMAR.rule("which", "put into {where:pile} this way", _put_there)


@which("{what:done this way}", op="this way", zone=("graveyard", "exile", "battlefield", "hand", "library"))
def this_way(frame: Frame, number: int, what: str = "") -> bool:
    """Be among the objects to which the effect under way did something (608.2c)."""
    return number in done(frame, what)


DONE_THIS_WAY = (
    "milled", "destroyed", "exiled", "discarded", "sacrificed", "revealed", "returned", "put into a graveyard",
    "countered", "created", "drawn", "tapped",
)  # fmt: skip


@GRAMMAR.lexer("done this way", say=lambda what: f"{what} this way")
def _this_way(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read what was done "this way"; a graveyard may be anybody's."""
    low = [each.lower() for each in words[place : place + 12]]
    for what in DONE_THIS_WAY:
        length = len(what.split())
        if " ".join(low[:length]) == what and low[length : length + 2] == ["this", "way"]:
            return [(what, place + length + 2)]
    if low[:2] == ["put", "into"] and "way" in low and low.index("way") > 2:
        end = low.index("way") + 1
        if any("graveyard" in each for each in low[2 : end - 2]) and low[end - 2] == "this":
            return [("put into a graveyard", place + end)]
    return []


def done(frame: Frame, what: str) -> tuple[int, ...]:
    """Return what was milled, destroyed, exiled ... by the effect under way; for a graveyard all that got there."""
    if what == "put into a graveyard":
        numbers = tuple(n for key in ("milled", "destroyed", "discarded", "sacrificed", "put")
                        for n in frame.said.get(key, ()) if frame.state.get(n).zone == "graveyard")  # fmt: skip
    else:
        numbers = frame.said.get(what) or ()
    there = tuple(now for number in dict.fromkeys(numbers) if (now := frame.current(number)) is not None)
    return tuple(n for n in there if frame.state.objects[n].zone in PUBLIC) if what == "milled" else there  # 701.17c


@which("exiled with {what:objects}", op="exiled with", zone="exile", rule="607.2a")
def exiled_with(frame: Frame, number: int, what: Any = None) -> bool:
    """Be in exile through an ability of one of some objects."""
    thing = frame.state.get(number)
    return thing.zone == "exile" and any(("exiled with", each) in thing.chosen for each in frame.objects(what))


@which("that entered [the battlefield] this turn", op="entered this turn")
def entered_this_turn(frame: Frame, number: int) -> bool:
    """Have come onto the battlefield this turn."""
    return frame.state.get(number).turned == frame.state.turn.number


@which("that (was|were) dealt damage this turn", op="damaged this turn")
def damaged_this_turn(frame: Frame, number: int) -> bool:
    """Have been dealt damage this turn."""
    return any(e.kind == "damage" and (e.to == number or number in e.objects) for e in frame.state.history())


@which("that (was|were) milled this turn", op="milled this turn", zone=("graveyard", "exile"))
def milled_this_turn(frame: Frame, number: int) -> bool:
    """Have been milled this turn, and lie where that put it."""
    return any(event.kind == "milled" and number in event.objects for event in frame.state.history())


@which("that attacked this turn", op="attacked this turn")
def attacked_this_turn(frame: Frame, number: int) -> bool:
    """Have been declared as an attacker this turn."""
    return any(e.kind == "attacks" and number in e.objects for e in frame.state.history())


@which("with a single target", op="with a single target", rule="115.1")
def with_a_single_target(frame: Frame, number: int) -> bool:
    """Have exactly one target."""
    cast = frame.state.get(number).cast
    return cast is not None and sum(len(chosen) for _, chosen in cast.targets) == 1


@which("that targets {what:recipients}", op="targeting", rule="115.1")
def targeting(frame: Frame, number: int, what: Any = None) -> bool:
    """Have one of some objects or players as a target."""
    cast = frame.state.get(number).cast
    wanted = frame.objects(what)
    return cast is not None and any(each in wanted for _, chosen in cast.targets for each in chosen)
