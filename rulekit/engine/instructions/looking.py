"""Instructions that look through a library: search it, look at its top cards, put the rest away (701.23, 701.20)."""

from __future__ import annotations

from typing import Any

from rulekit.cards.card import Card
from rulekit.cards.subtypes import subtype
from rulekit.engine.abilities import WORDS, Term, term, word
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.filters import named_kind
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.instructions.library import in_any_order
from rulekit.engine.instructions.tokens import predefined
from rulekit.engine.phrases import listed
from rulekit.engine.replacements import to_choose
from rulekit.engine.state import CHANCE

YOU = Term("you")


@word("effect", "{who:players} search[es] (their|your) library for {many:how many} {what:filter}",
      ("search your library for {many:how many} {what:filter}", {"who": YOU}), rule="701.23a", library=True,
      op="search library")  # fmt: skip
def search_library(
    t: Table, who: tuple[str, ...], many: tuple[Any, Any] = (1, 1), what: Any = None
) -> Run[tuple[int, ...]]:
    """Look through libraries for fitting cards; who searches need not find what is there (701.23b).

    Args:
        t: The table.
        who: Who searches, each their own library.
        many: How few and how many cards are found.
        what: Which cards fit.

    Returns:
        The cards found, still in the libraries.
    """
    found: list[int] = []
    for player in who:
        event = yield from t.would(Event("searched", player))
        if event is None:
            continue
        mine: list[int] = []
        fitting = [number for number in t.state.zone("library", player) if t.frame.fits(what, number)]
        for _ in range(t.count(many[1], player)):
            options: list[Any] = [number for number in fitting if number not in mine]
            if not options:
                break
            answer = yield from t.ask(
                player, "choose card", (*options, "no"), rule="701.23b", prompt="find which card?"
            )
            if answer == "no":
                break
            mine.append(answer)
        yield from t.did(event.but(objects=()))
        found += mine
    t.frame.said["it"] = t.frame.said["those"] = tuple(found)
    return tuple(found)


@word("effect", "{who:players} reveal[s] {what:objects}", ("reveal {what:objects}", {"who": YOU}), rule="701.20a",
      op="reveal")  # fmt: skip
def reveal(t: Table, who: tuple[str, ...], what: tuple[int, ...]) -> Run[tuple[int, ...]]:
    """Show cards to all players (701.20a)."""
    shown = tuple(number for number in what if number in t.state.objects)
    for player in who[:1]:
        if shown:
            yield from t.did(Event("revealed", player, shown, n=len(shown)))
    t.frame.said["revealed"] = shown
    return shown


@word("effect", "{who:players} look[s] at the top {n:cards} of (your|their) library",
      ("look at the top {n:cards} of your library", {"who": YOU}),
      ("{who:players} reveal[s] the top {n:cards} of (your|their) library", {"shown": True}),
      ("reveal the top {n:cards} of your library", {"who": YOU, "shown": True}),
      ("look at the top card of your library", {"who": YOU, "n": 1}),
      ("{who:players} reveal[s] the top card of (your|their) library", {"n": 1, "shown": True}),
      ("reveal the top card of your library", {"who": YOU, "n": 1, "shown": True}),
      rule="701.20e", library=True, op="look at the top")  # fmt: skip
def look_at_the_top(t: Table, who: tuple[str, ...], n: Any = 1, shown: bool = False) -> Run[tuple[int, ...]]:
    """Look at the top cards of libraries, or reveal them; they stay where they are (701.20e).

    Returns:
        The cards, the top one first.
    """
    seen: list[int] = []
    for player in who:
        top = yield from t.take(player, t.count(n, player))
        seen += top
        if shown and top:
            yield from t.did(Event("revealed", player, top, n=len(top)))
    t.frame.said["it"] = t.frame.said["those"] = t.frame.said["looked at"] = tuple(seen)
    if shown:
        t.frame.said["revealed"] = tuple(seen)
    return tuple(seen)


@word("objects", op="looked at", rule="608.2c")
def looked_at(frame: Frame) -> tuple[int, ...]:
    """Mean the cards that were looked at or revealed, as far as they are still in a library."""
    objects = frame.state.objects
    return tuple(n for n in frame.said.get("looked at", ()) if n in objects and objects[n].zone == "library")


GRAMMAR.sayers["looked at"] = lambda term: "them"


@word("effect", "put the rest {where:rest place}", "{who:players} put[s] the rest {where:rest place}",
      ("put them {where:rest place}", {"what": Term("them")}),
      ("put those cards {where:rest place}", {"what": Term("those")}),
      rule="401.4", op="put the rest")  # fmt: skip
def put_the_rest(t: Table, where: str = "bottom", who: Any = None, what: Any = None) -> Run[None]:
    """Put cards where the text says, in what order it says (401.4).

    Args:
        t: The table.
        where: One of the places that rest has.
        who: Who does it, if not "you".
        what: Which cards; those of the cards looked at that are still in a library if left out.
    """
    rest = _left_over(t) if what is None else [number for number in what if number in t.state.objects]
    if where in ("graveyard", "hand", "exile"):
        moved = yield from t.move(rest, where)
        if where == "graveyard":
            t.frame.said["put"] = moved
        return
    away = [number for number in rest if t.state.objects[number].zone != "library"]
    if away:
        there = yield from t.move(away, "library", bottom=where != "top")
        rest = [number for number in rest if number not in away]
        rest += [number for number in there if t.state.objects[number].zone == "library"]
    for owner in dict.fromkeys(t.state.objects[number].owner for number in rest):
        mine = [number for number in rest if t.state.objects[number].owner == owner]
        if where == "bottom at random":
            order = yield from _in_random_order(t, mine)
        else:  # who is told to put them there orders their own (401.4)
            order = yield from in_any_order(t, owner if who and owner in who else t.frame.you, mine)
        t.reorder(owner, **{"top" if where == "top" else "bottom": order})


WORDS["put the rest"].sorts["what"] = "objects"


@word("effect", "shuffle (the rest|all other cards revealed this way) into (your|their) library",
      "{who:players} shuffle[s] (the rest|all other cards revealed this way) into (your|their) library",
      rule="701.24d", library=True, op="shuffle the rest")  # fmt: skip
def shuffle_the_rest(t: Table, who: Any = None) -> Run[None]:
    """Shuffle the cards that were revealed or exiled and not put elsewhere into their owner's library (701.24d)."""
    rest = _left_over(t)
    owners = dict.fromkeys(t.state.objects[number].owner for number in rest)
    yield from t.move([n for n in rest if t.state.objects[n].zone == "exile"], "library")
    for owner in owners or who or (t.frame.you,):
        yield from t.shuffle(owner)


def _left_over(t: Table) -> list[int]:
    """Return the cards looked at or revealed that are still in a library, or else those exiled that are still there."""
    said, zone = t.frame.said, "library"
    shown = said.get("looked at") or said.get("revealed") or ()
    if not shown:
        shown, zone = said.get("exiled") or (), "exile"
    return [number for number in shown if number in t.state.objects and t.state.objects[number].zone == zone]


def _in_random_order(t: Table, numbers: list[int]) -> Run[tuple[int, ...]]:
    """Let chance order cards that nobody may order (401.4)."""
    left, order = list(numbers), []
    while left:
        chosen = yield from t.ask(CHANCE, "random", tuple(left), rule="401.4", prompt="in a random order",
                                  weights=[1] * len(left))  # fmt: skip
        order.append(chosen)
        left.remove(chosen)
    return tuple(order)


_PLACES = (
    ("into your hand", "hand"), ("into their hand", "hand"), ("into (your|their) graveyard", "graveyard"),
    ("into exile", "exile"),
    ("on the bottom of (your|their) library in a random order", "bottom at random"),
    ("on the bottom of (your|their) library [in any order]", "bottom"), ("on the bottom", "bottom"),
    ("[back] on top of (your|their) library [in any order]", "top"), ("back [in any order]", "top"),
)  # fmt: skip
_OTHERS = "(the rest|the rest of the (revealed|exiled) cards|(all|the) other cards (revealed|exiled) this way)"
_AND_OTHERS = _OTHERS.replace("(the rest|", "(the rest|the other|", 1)
for _said, _place in _PLACES:
    GRAMMAR.rule("rest place", _said, lambda place=_place: place)
    GRAMMAR.rule("effect", f"put {_OTHERS} {_said}", lambda place=_place: term("put the rest", place))
    GRAMMAR.rule("effect", f"{{who:players}} put[s] {_OTHERS} {_said}",
                 lambda who, place=_place: term("put the rest", place, who))  # fmt: skip
    GRAMMAR.rule("effect", f"put {{what:objects}} into your hand and [put] {_AND_OTHERS} {_said}",
                 lambda what, place=_place: (_to_hand(what), term("put the rest", place)))  # fmt: skip
    GRAMMAR.rule("effect", f"{{who:players}} put[s] {{what:objects}} into (your|their) hand and {_AND_OTHERS} {_said}",
                 lambda who, what, place=_place: (_to_hand(what), term("put the rest", place, who)))  # fmt: skip
    GRAMMAR.rule("effect", f"put {{what:objects}} onto the battlefield and [put] {_OTHERS} {_said}",
                 lambda what, place=_place: (_to_battlefield(what), term("put the rest", place)))  # fmt: skip
GRAMMAR.sayers["rest place"] = lambda place: next(
    said.replace("(your|their)", "your").replace("[", "").replace("]", "") for said, at in _PLACES if at == place
)


@word("effect", "{who:players} put[s] the top {n:cards} of (their|your) library {where:rest place}",
      ("put the top {n:cards} of your library {where:rest place}", {"who": YOU}),
      ("{who:players} put[s] the top card of (their|your) library {where:rest place}", {"n": 1}),
      ("put the top card of your library {where:rest place}", {"who": YOU, "n": 1}),
      "put the top {n:cards} of {who:players} ('s|') (library|libraries) {where:rest place}",
      ("put the top card of {who:players} ('s|') (library|libraries) {where:rest place}", {"n": 1}),
      rule="401.4", library=True, op="put from library")  # fmt: skip
def put_from_library(t: Table, who: tuple[str, ...], n: Any, where: str = "hand") -> Run[None]:
    """Put the top cards of libraries somewhere, as many as there are; that is no drawing and no milling (121.5)."""
    for player in who:
        top = yield from t.take(player, t.count(n, player))
        yield from put_the_rest(t, where, (player,), top)


def _to_hand(what: Term) -> Term:
    return term("return to hand", what)


def _to_battlefield(what: Term) -> Term:
    return term("put onto the battlefield", what)


@word("effect", "choose a card name", "{who:players} choose[s] a card name", rule="201.4", op="choose a card name")
def choose_a_card_name(t: Table, who: Any = None) -> Run[None]:
    """Choose a name; of those in this game, for no other could matter (201.4)."""
    player = who[0] if who else t.frame.you
    options = to_choose(t, player, "name")
    t.frame.said["name"] = yield from t.ask(player, "choose name", options, rule="201.4", prompt="which name?")


@word("effect", "choose {kinds:type choice}", rule="608.2d", op="choose one type of some")
def choose_one_type_of_some(t: Table, kinds: tuple[str, ...] = ()) -> Run[None]:
    """Choose one of several types, which "the chosen type" then means."""
    t.frame.said["type"] = yield from t.ask(t.frame.you, "choose name", kinds, rule="608.2d", prompt="which type?")


@GRAMMAR.lexer("type choice", say=lambda kinds: listed(list(kinds), "or"))
def _type_choice(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read types without an article, such as "creature or land"."""
    found: list[str] = []
    at = place
    while at < len(words) and (kind := named_kind(words[at])) is not None:
        found.append(str(kind.args[0]))
        at += 1
        joint = 2 if words[at : at + 2] == (",", "or") else int(words[at : at + 1] in ((",",), ("or",)))
        if not joint or at + joint >= len(words) or named_kind(words[at + joint]) is None:
            break
        at += joint
    return [(tuple(found), at)] if len(found) > 1 else []


@word("effect", ("choose a color", {"what": "color"}), ("choose a creature type", {"what": "type"}), rule="608.2d",
      op="choose a quality")  # fmt: skip
def choose_a_quality(t: Table, what: str = "color") -> Run[None]:
    """Choose a color or a creature type as the text is carried out, which "the chosen" one then means."""
    kind = "choose color" if what == "color" else "choose name"
    options = to_choose(t, t.frame.you, what)
    t.frame.said[what] = yield from t.ask(t.frame.you, kind, options, rule="608.2d", prompt=f"which {what} is chosen?")


@word("effect", "{who:players} choose[s] {what:objects} at random", ("choose {what:objects} at random", {"who": YOU}),
      rule="608.2d", op="choose at random")  # fmt: skip
def choose_at_random(t: Table, who: tuple[str, ...], what: tuple[int, ...]) -> Run[None]:
    """Let chance choose among objects."""
    options = tuple(number for number in what if number in t.state.objects)
    if options:
        chosen = yield from t.ask(
            CHANCE, "random", options, rule="608.2d", prompt="at random", weights=[1] * len(options)
        )
        t.frame.said["it"] = t.frame.said["those"] = (chosen,)


# ---------------------------------------------------------------- keyword actions


@word("effect", "investigate", rule="701.16a")
def investigate(t: Table) -> Run[None]:
    """Create a Clue token (701.16a)."""
    yield from t.do(Term("create", (YOU, 1, predefined("Clue"), False, False)))


@word("effect", "{what:objects} explore[s]", rule="701.44a", library=True)
def explore(t: Table, what: tuple[int, ...]) -> Run[None]:
    """Reveal the top card: a land goes to the hand; else +1/+1, and the card stays or is put away (701.44a)."""
    for number in what:
        player = t.state.look(number).controller
        top = yield from t.take(player, 1)
        if top:
            yield from t.did(Event("revealed", player, top, n=1))
        if top and t.state.look(top[0]).is_a("land"):
            yield from t.move(top, "hand")
            continue
        if number in t.state.battlefield:
            yield from t.do(Term("put counters", (1, "+1/+1", (number,))))
        if top and (yield from t.may(player, f"put {t.state.name(top[0])} into the graveyard?", "701.44a")):
            yield from t.move(top, "graveyard")


@word("effect", "proliferate", rule="701.34a")
def proliferate(t: Table) -> Run[None]:
    """Give each chosen permanent and player one more counter of each kind that is there (701.34a)."""
    you = t.frame.you
    for number in tuple(t.state.battlefield):
        counters = t.state.objects[number].counters
        if counters and (yield from t.may(you, f"one more of each counter on {t.word_of(number)}?", "701.34a")):
            for kind, _ in counters:
                yield from t.do(Term("put counters", (1, kind, (number,))))
    for name in t.state.from_active():
        counters = t.state.players[name].counters
        if counters and (yield from t.may(you, f"one more of each counter on {name}?", "701.34a")):
            for kind, _ in counters:
                yield from t.do(Term("player gets counters", ((name,), 1, kind)))


@word("effect", "amass {kind:subtype name} {n:amount}", rule="701.47a")
def amass(t: Table, kind: str, n: Any) -> Run[tuple[int, ...]]:
    """Put +1/+1 counters on an Army, creating one first if there is none (701.47a)."""
    armies = [number for number in t.state.permanents(t.frame.you) if t.state.look(number).is_a("army")]
    if not armies:
        token = Card("Army", None, f"Creature — {kind} Army", power=0, toughness=0, color_indicator=("black",))
        armies = list((yield from t.do(Term("create", (YOU, 1, token, False, False)))))
    if not armies:
        return ()
    army = yield from t.ask(t.frame.you, "choose card", armies, rule="701.47a", prompt="which Army?")
    yield from t.do(Term("put counters", (t.count(n), "+1/+1", (army,))))
    if not t.state.look(army).is_a(kind):
        t.add_effect((army,), None, (Term("add types", ((), (kind,))),), ("forever",))
    t.frame.said["it"] = t.frame.said["amassed"] = (army,)
    return (army,)


@GRAMMAR.lexer("subtype name")
def _subtype_name(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read a subtype, alone or in the plural."""
    name = subtype(words[place]) if place < len(words) else None
    return [(name, place + 1)] if name else []
