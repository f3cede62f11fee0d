"""Which objects are meant: the words of the sort "objects", the zones they lie in, and what follows a description.

The sort "recipients" is objects or players; what is chosen as an effect is carried out is the word `some`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from rulekit.engine.abilities import WORDS, Term, word
from rulekit.engine.filters import AFTER, all_of, any_of
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.phrases import in_order
from rulekit.engine.state import PUBLIC, State

THIS = Term("this")
IT, THEM = Term("it"), Term("them")
ANY_NUMBER = 99
_SELF_NOUNS = (
    "creature", "artifact", "Equipment", "Aura", "enchantment", "land", "permanent", "card", "spell", "token",
    "Vehicle", "planeswalker", "Saga", "Class", "Case", "Room", "Siege", "ability", "Spacecraft", "Background", "Curse",
    "Shrine",
    "battle", "object", "commander", "Food", "Treasure", "Clue",
)  # fmt: skip


@word("objects", "this", "~", f"this ({'|'.join(_SELF_NOUNS)})", rule="109.5", steady=True)
def this(frame: Frame) -> tuple[int, ...]:
    """Mean the object that the text is on, or what it has become if the text may find it there (400.7j)."""
    now = frame.current(frame.this) if frame.this else None
    return () if now is None else (now,)


@word("objects", "it", "itself", "him", "her", "it from your graveyard", rule="608.2c")
def it(frame: Frame) -> tuple[int | str, ...]:
    """Mean what was spoken of last, else what made the ability trigger, else the targets, else this."""
    said = frame.said.get("it")
    if said is None:
        chosen = [each for slot in sorted(frame.targets) for each in frame.targets[slot] if isinstance(each, int)]
        if chosen:
            return tuple(chosen)
        return tuple(frame.event.objects) if frame.event is not None and frame.event.objects else this(frame)
    numbers = (said,) if isinstance(said, int) else tuple(said)
    return tuple(_now(frame, numbers))


@word("objects", op="the one described", rule="608.2c")
def the_one_described(frame: Frame) -> tuple[int, ...]:
    """Mean the object of which it is asked whether it fits a description."""
    number = frame.said.get("described")
    return () if number is None else (number,)


GRAMMAR.sayers["the one described"] = lambda term: "it"


@word(
    "objects", "them", "they", "each of them", "all of them", "both of them", "them from your graveyard", rule="608.2c"
)
def them(frame: Frame) -> tuple[int | str, ...]:
    """Mean the group spoken of last, such as the cards that were milled; where there is none it is the same as "it"."""
    said = frame.said.get("those")
    return it(frame) if said is None else tuple(_now(frame, said))


def _such(what: Term) -> Term | None:
    """Return a description of what was spoken of; where it is now, or among which others, is no part of it."""
    return None if any(term.op == "among" or term.op.startswith("in ") for term in what.walk()) else what


GRAMMAR.rule("such", "{what:filter}", _such)


@word("objects", "that {what:such}", "that card from your graveyard", rule="608.2c")
def that(frame: Frame, what: Term | None = None) -> tuple[int | str, ...]:
    """Mean the other object of the event that made the ability trigger; where there is none it is the same as "it"."""
    said = frame.said.get("that")
    if said is None:
        return it(frame)
    return tuple(_now(frame, (said,) if isinstance(said, int) else tuple(said)))


@word("objects", "those {what:such}", "(each|all) of those {what:such}", "those cards from your graveyard",
      rule="608.2c")  # fmt: skip
def those(frame: Frame) -> tuple[int | str, ...]:
    """Mean the other objects of the event that made the ability trigger; where there are none, the same as "them"."""
    return them(frame) if frame.said.get("that") is None else that(frame)


@word("objects", rule="608.2c", op="the one of them")
def the_one_of_them(frame: Frame, what: Any = None) -> tuple[int | str, ...]:
    """Mean those objects spoken of that what follows the noun tells from the others ("the creature you control")."""
    return tuple(number for number in those(frame) if frame.fits(what, number))


@word("recipients", op="that targets", rule="608.2c")
def that_targets(frame: Frame) -> tuple[int | str, ...]:
    """Mean the permanent or player that was targeted."""
    return tuple(one for slot in sorted(frame.targets) for one in frame.targets[slot])


@word("objects", "the amassed Army", op="the amassed Army", rule="701.47a")
def the_amassed_army(frame: Frame) -> tuple[int | str, ...]:
    """Mean the Army on which counters were put (701.47a)."""
    return tuple(_now(frame, frame.said.get("amassed", ())))


@word("objects", op="it at first", rule="608.2c")
def it_at_first(frame: Frame) -> tuple[int | str, ...]:
    """Mean what the event was about that made the ability trigger, though other things were spoken of since."""
    said = frame.said.get("first it", frame.said.get("it"))
    return it(frame) if said is None else tuple(_now(frame, (said,) if isinstance(said, int) else said))


def _now(frame: Frame, numbers: Iterable[int]) -> Iterator[int]:
    """Yield what objects that were spoken of are now, as far as the text may find them (400.7j)."""
    for number in numbers:
        now = frame.current(number)
        if now is not None:
            yield now


@word(
    "objects",
    "the milled card[s]",
    "the cards milled this way",
    "the card milled this way",
    rule="701.17c",
    op="milled",
)
def milled(frame: Frame) -> tuple[int, ...]:
    """Mean the cards that were milled, where they lie now if that is a public zone (701.17c)."""
    return tuple(n for n in _now(frame, frame.said.get("milled", ())) if frame.state.objects[n].zone in PUBLIC)


_THE = tuple((f"the {how} {{kind:filter}}", {"how": how}) for how in ("sacrificed", "discarded", "exiled", "revealed",
             "returned", "destroyed", "created", "drawn"))  # fmt: skip


@word("objects", *_THE, op="those done", rule="608.2c")
def those_done(frame: Frame, how: str = "", kind: Any = None) -> tuple[int, ...]:
    """Mean the objects to which something was done, also to pay a cost (the sacrificed creature)."""
    return tuple(_now(frame, frame.said.get(how) or ()))


@word("objects", "(this card|~|this creature card) from your graveyard",
      ("(this card|~) from exile", {"zone": "exile"}), ("(this card|~) from your hand", {"zone": "hand"}),
      op="this in")  # fmt: skip
def this_in(frame: Frame, zone: str = "graveyard") -> tuple[int, ...]:
    """Mean the object that the text is on if it is in a zone; an ability that says so works there only (113.6m)."""
    return tuple(number for number in this(frame) if frame.state.objects[number].zone == zone)


@word("objects", "equipped creature", "equipped permanent", "fortified land", rule="301.5a",
      op="equipped by this", steady=True)  # fmt: skip
def equipped_by_this(frame: Frame) -> tuple[int, ...]:
    """Mean the creature that this Equipment is attached to, or the land that this Fortification is (301.5a, 301.6)."""
    return _host(frame)


def _is_plain(what: Term) -> bool:
    """Return whether a description is one kind of thing, and not "creature or another creature you control"."""
    if what.op in ("all of", "any of"):
        return all(_is_plain(part) for part in what.args[0])
    return what.op in ("kind", "permanent")


GRAMMAR.rule("objects", "enchanted {what:filter}",
             lambda what: Term("enchanted by this") if _is_plain(what) else None)  # fmt: skip
GRAMMAR.rule("objects", "equipped {what:filter}",
             lambda what: Term("equipped by this") if _is_plain(what) else None)  # fmt: skip


@word("objects", rule="303.4b", op="enchanted by this", steady=True)
def enchanted_by_this(frame: Frame) -> tuple[int, ...]:
    """Mean the object that this Aura is attached to."""
    return _host(frame)


def _host(frame: Frame) -> tuple[int, ...]:
    host = frame.state.get(frame.this).attached_to if frame.this else None
    return (host,) if isinstance(host, int) and host in frame.state.objects else ()


@word("objects", rule="115.1")
def target(frame: Frame, slot: int = 0, what: Term | None = None, low: Any = 1, high: Any = 1) -> tuple[int | str, ...]:
    """Mean what was chosen as targets and is still legal."""
    return frame.targets.get(slot, ())


@word("filter", op="any target", player=True)
def _any_target(frame: Frame, candidate: Any) -> bool:
    """Be a creature, a player, a planeswalker or a battle (115.4)."""
    if isinstance(candidate, str):
        return True
    seen = frame.look(candidate)
    return any(seen.is_a(kind) for kind in ("creature", "planeswalker", "battle"))


# ---------------------------------------------------------------- groups


def zones_of(what: Any) -> tuple[str, ...]:
    """Return where objects of a description are looked for: on the battlefield unless it says otherwise (109.2)."""
    return _zones_said(what) or HERE


HERE = ("battlefield",)  # 109.2


@lru_cache(maxsize=4096)
def _zones_said(what: Any) -> tuple[str, ...]:
    """Return the zones that a description names; of alternatives, those of each ("spells and permanents")."""
    if isinstance(what, tuple):
        return next((zones for part in what if (zones := _zones_said(part))), ())
    if not isinstance(what, Term):
        return ()
    if WORDS[what.op].sort == "amount":  # what is counted for a comparison may lie elsewhere
        return ()
    zone = WORDS[what.op].facts.get("zone")
    if zone:
        return (zone,) if isinstance(zone, str) else tuple(zone)
    if what.op != "any of":
        return _zones_said(what.args)
    said = [_zones_said(part) for part in what.args[0]]
    return tuple(dict.fromkeys(zone for zones in said for zone in zones or HERE)) if any(said) else ()


def candidates(state: State, what: Term | None) -> Iterator[int]:
    """Yield the objects where those of a description are looked for, in the order of their zones and players."""
    for zone in zones_of(what):
        if zone in ("battlefield", "stack"):
            yield from state.battlefield if zone == "battlefield" else state.stack
        else:
            yield from (n for player in state.from_active() for n in state.zone(zone, player))


def found(frame: Frame, what: Term | None) -> Iterator[int]:
    """Yield the objects that fit a description, in the order of their zones and players."""
    return (number for number in candidates(frame.state, what) if frame.fits(what, number))


@word("objects", op="each")
def each(frame: Frame, what: Term | None = None) -> tuple[int, ...]:
    """Mean every object that fits a description."""
    return tuple(found(frame, what))


@word("objects", op="some of")
def some_of(frame: Frame, what: Term | None = None, low: Any = 1, high: Any = 1) -> tuple[int, ...]:
    """Mean objects that a player chooses as the effect is carried out; before that, all that could be chosen."""
    return tuple(found(frame, what))


@word("objects", op="together")
def together(frame: Frame, parts: tuple[Term, ...] = ()) -> tuple[int | str, ...]:
    """Mean several objects or groups together."""
    numbers: list[int | str] = []
    for part in parts:
        met = frame.players(part) if WORDS[part.op].sort == "players" else frame.objects(part)
        numbers += [each for each in met if each not in numbers]
    return tuple(numbers)


@word("objects", "all cards from {where:pile}", "all cards in {where:pile}", "{where:pile}", op="pile")
def pile(frame: Frame, where: Term | None = None) -> tuple[int, ...]:
    """Mean all cards in a zone of some players."""
    zone, who = where.args if where is not None else ("graveyard", None)
    players = frame.state.from_active() if who is None else frame.players(who)
    return tuple(n for player in players for n in frame.state.zone(zone, player))


# ---------------------------------------------------------------- zones


def _say_pile(term: Term) -> str:
    zone, who = term.args
    if who is None:
        return "exile" if zone == "exile" else f"all {_PLURALS[zone]}"
    if who.op == "you":
        return f"your {zone}"
    said = GRAMMAR.say(who)
    whose = {"they": "their", "that player": "their"}.get(said)
    return f"{whose or said + chr(39) + 's'} {zone}"


@word("pile", op="zone of")
def _zone_of(frame: Frame, zone: str = "graveyard", who: Term | None = None) -> tuple[str, ...]:
    """Name a zone of some players, or of all of them."""
    return frame.state.from_active() if who is None else frame.players(who)


GRAMMAR.sayers["zone of"] = _say_pile
_PLURALS = {"graveyard": "graveyards", "hand": "hands", "library": "libraries"}
for _zone, _zones in _PLURALS.items():

    def _pile(who: Term | None = None, zone: str = _zone) -> Term:
        return Term("zone of", (zone, who))

    for _said in (f"a {_zone}", f"all {_zones}", _zones, f"any {_zone}"):
        GRAMMAR.rule("pile", _said, _pile)
    for _said, _who in (("your", "you"), ("their", "that player"), ("his or her", "that player")):
        for _word in (_zone, _zones):
            GRAMMAR.rule("pile", f"{_said} {_word}", lambda pile=_pile, who=_who: pile(Term(who)))
    for _said in (f"{{who:players}} 's {_zone}", f"{{who:players}} ' {_zones}", f"{{who:players}} ' {_zone}",
                  f"{{who:players}} 's {_zones}"):  # fmt: skip
        GRAMMAR.rule("pile", _said, _pile)
GRAMMAR.rule("pile", "exile", lambda: Term("zone of", ("exile", None)))


def _zones_of(zones: tuple[str, ...], who: Term) -> Term | None:
    """Return what several zones behind one possessive mean: all cards in each of them."""
    piles = tuple(Term("pile", (Term("zone of", (zone, who)),)) for zone in zones)
    return Term("together", (piles,)) if len(set(zones)) == len(zones) > 1 else None


for _zone, _zones in _PLURALS.items():
    GRAMMAR.rule("zone name", _zone, lambda zone=_zone: zone)
    GRAMMAR.rule("zone names", _zones, lambda zone=_zone: zone)
for _from in ("", "all cards (from|in) "):
    for _named in ("{zones:zone name+}", "{zones:zone names+}"):
        for _said, _who in (("your", "you"), ("their", "that player"), ("his or her", "that player")):
            GRAMMAR.rule("objects", f"{_from}{_said} {_named}", lambda zones, who=_who: _zones_of(zones, Term(who)))
        GRAMMAR.rule("objects", f"{_from}{{who:players}} ('s|') {_named}", _zones_of)


# ---------------------------------------------------------------- how many, which ones


@GRAMMAR.lexer("place", say=lambda place: "")
def _place(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read nothing, and tell where: targets are told apart by their place in the text."""
    return [(place, place)]


def _in_the_same_zone(one: Term, two: Term) -> Term:
    """Let the zone behind the last of several descriptions of cards count for all of them."""
    if one.op == "together":
        return Term("together", (tuple(_in_the_same_zone(part, two) for part in one.args[0]),))
    places = {"target": 1, "some of": 0, "each": 0}
    if one.op not in places or two.op not in places:
        return one
    place = places[one.op]
    zones = [term for term in two.args[places[two.op]].walk() if WORDS[term.op].facts.get("zone")]
    what = one.args[place]
    a_card = any(term.op == "card" for term in what.walk())
    if not zones or not a_card or any(WORDS[term.op].facts.get("zone") for term in what.walk()):
        return one
    return Term(one.op, (*one.args[:place], all_of(what, zones[0]), *one.args[place + 1 :]))


def _both(one: Term, two: Term) -> Term:
    one = _in_the_same_zone(one, two)
    parts = (*(one.args[0] if one.op == "together" else (one,)), *(two.args[0] if two.op == "together" else (two,)))
    return Term("together", (parts,))


def _how_many(phrase: str, low: Any, high: Any = None) -> None:
    def build(n: Any = None) -> tuple[Any, Any]:
        most = high if high is not None else n
        return (n if low is None else low, most)

    GRAMMAR.rule("how many", phrase, build)


_how_many("{n:number}", None)
_how_many("up to {n:number}", 0)
_how_many("up to {n:amount}", 0)
_how_many("any number of", 0, ANY_NUMBER)
_how_many("one or more", 1, ANY_NUMBER)
_how_many("one or two", 1, 2)
_how_many("two or more", 2, ANY_NUMBER)
_how_many("one , two , or three", 1, 3)
_how_many("one , two or three", 1, 3)
_how_many("{n:amount}", None)


def _targets(place: int, what: Term, many: tuple[Any, Any] = (1, 1)) -> Term:
    return Term("target", (place, what, *many))


def _from_one_graveyard(place: int, what: Term, many: tuple[Any, Any], who: Term | None = None) -> Term:
    """Return several targets "from an opponent's graveyard", which is one graveyard for all of them."""
    where = Term("in graveyard" if many[1] == 1 else "in one graveyard", (who,))
    return Term("target", (place, all_of(what, where), *many))


def _from_one_of_them(place: int, what: Term, many: tuple[Any, Any] = (1, 1)) -> Term:
    return _from_one_graveyard(place, what, many, Term("an opponent of yours"))


def _target_players(place: int, what: Term, many: tuple[Any, Any] = (1, 1)) -> Term:
    return Term("target player", (place, what, *many))


def _other(place: int, what: Term, many: tuple[Any, Any] = (1, 1)) -> Term:
    return Term("target", (place, all_of(Term("other"), what), *many))


for _each in ("", "each of "):
    _many = f"{{place:place}} {_each}{{many:how many}} target {{what:filter}} (in|from)"
    GRAMMAR.rule("objects", f"{_many} (an|a single) opponent 's graveyard", _from_one_of_them)
    GRAMMAR.rule("objects", f"{_many} a single graveyard", _from_one_graveyard)
    GRAMMAR.rule("objects", f"{{place:place}} {_each}target {{what:filter}}", _targets)
    GRAMMAR.rule("objects", f"{{place:place}} {_each}{{many:how many}} target {{what:filter}}", _targets)
    GRAMMAR.rule("objects", f"{{place:place}} {_each}{{many:how many}} other target {{what:filter}}", _other)
    GRAMMAR.rule("players", f"{{place:place}} {_each}target {{what:target player}}", _target_players)
    GRAMMAR.rule("players", f"{{place:place}} {_each}{{many:how many}} target {{what:target player}}", _target_players)
GRAMMAR.rule("objects", "{place:place} another target {what:filter}", _other)
GRAMMAR.rule("objects", "{place:place} other target {what:filter}", _other)
GRAMMAR.rule("target what", "{what:filter}", lambda what: what)
GRAMMAR.rule("target what", "{what:target player}", lambda what: what)


def _mix(one: Term, two: Term) -> Term | None:
    """Return what is a player or an object, or lies in one zone or another; else it is described as one thing."""
    players = any(term.op in ("a player", "an opponent") for term in (*one.walk(), *two.walk()))
    zones = all(any(WORDS[term.op].facts.get("zone") for term in each.walk()) for each in (one, two))
    return Term("any of", ((one, two),)) if players or zones else None


for _joint in ("or", "and / or", ","):
    GRAMMAR.rule("target mix", f"{{one:target what}} {_joint} {{two:target what}}", _mix)
GRAMMAR.rule("recipients", "{place:place} target {what:target mix}", _targets)
GRAMMAR.rule("recipients", "{place:place} {many:how many} target {what:target mix}", _targets)


@word("filter", op="any other target", player=True)
def _any_other_target(frame: Frame, candidate: int | str) -> bool:
    """Be something that damage can be dealt to and that no target before it is; `targets` sees to that (115.4)."""
    return frame.fits(Term("any target"), candidate)


for _said, _what in (("any target", Term("any target")), ("any other target", Term("any other target"))):
    GRAMMAR.rule("recipients", f"{{place:place}} {_said}", lambda place, what=_what: _targets(place, what))
for _said, _what in (("target[s]", Term("any target")), ("other target[s]", Term("any other target"))):
    GRAMMAR.rule("recipients", f"{{place:place}} [each of] {{many:how many}} {_said}",
                 lambda place, many, what=_what: _targets(place, what, many))  # fmt: skip
GRAMMAR.rule(
    "recipients", "that (permanent|creature|planeswalker) or (player|planeswalker)", lambda: Term("that targets")
)
GRAMMAR.alias("recipients", "{what:objects}")
GRAMMAR.alias("recipients", "{what:players}")
GRAMMAR.rule("recipients", "{one:recipients} and {two:recipients}", in_order(_both))


def _told_apart(what: Term) -> Term:
    """Return what "the creature you control" means: one of several objects spoken of, told apart by its controller."""
    after = any(WORDS[part.op].facts.get("stands") == AFTER for part in what.walk())
    return Term("the one of them", (what,)) if after else Term("that", (what,))


GRAMMAR.rule("objects", "the {what:filter}", _told_apart)
GRAMMAR.rule("objects", "each {what:filter}", lambda what: Term("each", (what,)))
GRAMMAR.rule("objects", "all [the] {what:filter}", lambda what: Term("each", (what,)))
GRAMMAR.rule("objects", "{what:filter}", lambda what: Term("each", (what,)))
GRAMMAR.rule("objects", "{many:how many} {what:filter}", lambda many, what: Term("some of", (what, *many)))


def _one_of_two(one: Term, two: Term) -> Term:
    """Mean one object of either of two descriptions; what says where they are behind the second is for both."""
    first = _in_the_same_zone(Term("some of", (one, 1, 1)), Term("some of", (two, 1, 1)))
    return Term("some of", (any_of(first.args[0], two), 1, 1))


GRAMMAR.rule("objects", "(a|an) {one:filter} or (a|an) {two:filter}", _one_of_two, late=True)
GRAMMAR.rule("objects", "{many:how many} of (them|those {what:filter})",
             lambda many, what=None: Term("some of", (Term("among", (THEM,)), *many)))  # fmt: skip
GRAMMAR.rule("objects", "{one:objects} and {two:objects}", in_order(_both))
GRAMMAR.rule("objects", "{one:objects} , {two:objects}", in_order(_both))
GRAMMAR.rule("objects", "{one:objects} , and {two:objects}", in_order(_both))


@word("recipients", "the player or planeswalker (it's|that creature is|this creature is) attacking",
      "the player, planeswalker, or battle (it's|that creature is) attacking", rule="506.2",
      op="what it attacks")  # fmt: skip
def what_it_attacks(frame: Frame) -> tuple[int | str, ...]:
    """Mean the player, planeswalker or battle that a creature attacks."""
    attacked = dict(frame.state.turn.attackers)
    return tuple(attacked[number] for number in it(frame) if number in attacked)
