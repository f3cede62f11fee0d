"""Instructions that move objects between zones: destroy, exile, return, sacrifice, discard, put (701.8, 701.13 ...)."""

from __future__ import annotations

from typing import Any

from rulekit.engine.abilities import Term, word
from rulekit.engine.choosing import choose
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.filters import all_of, any_of
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.instructions.library import in_any_order
from rulekit.engine.state import CHANCE

YOU = Term("you")
THIS = Term("this")
OF_THAT_PLAYER = Term("controlled", (Term("that player"),))


@word("effect", "destroy {what:objects}", "{what:objects} (is|are) destroyed", rule="701.8a")
def destroy(t: Table, what: tuple[int, ...]) -> Run[tuple[int, ...]]:
    """Put permanents from the battlefield into their owners' graveyards, unless indestructible (701.8a, 702.12b)."""
    doomed = []
    for number in what:
        if number in t.state.battlefield and not t.state.look(number).has("indestructible"):
            event = yield from t.would(Event("destroyed", t.state.look(number).controller, (number,)))
            if event is not None:
                doomed.append(number)
    for number in doomed:
        yield from t.did(Event("destroyed", t.state.look(number).controller, (number,)))
    moved = yield from t.move(doomed, "graveyard")
    t.frame.said["destroyed"] = t.frame.said["those"] = moved
    return moved


@word("effect", "exile {what:objects}", "{who:players} exile[s] {what:objects}", rule="701.13a")
def exile(t: Table, what: tuple[int, ...], who: Any = None) -> Run[tuple[int, ...]]:
    """Put objects into exile (701.13a)."""
    here = [number for number in what if number in t.state.objects and not t.state.objects[number].phased]
    permanents = all(t.state.objects[number].zone == "battlefield" for number in here)
    with t.at_once():
        moved = yield from t.move(here, "exile")
        t.frame.said["exiled"] = t.frame.said["those"] = moved
        if here or not _is_pronoun(t.said("what")):  # a permanent is asked about as it last was (608.2h)
            t.frame.said["it"] = tuple(here) if permanents else moved
        for number in moved:
            if number in t.state.objects and t.state.objects[number].zone == "exile":
                t.change(number, chosen=(*t.state.objects[number].chosen, ("exiled by", t.frame.this)))
        if moved:
            yield from t.did(Event("exiled", objects=moved))
    return moved


def _is_pronoun(said: Any) -> bool:
    """Return whether objects are those that were spoken of; these stay so if nothing can be done with them."""
    return isinstance(said, Term) and said.op in ("it", "that")


@word("effect", "return {what:objects} to (its|their) owner 's hand", "return {what:objects} to (your|their|his "
                                                                      "or her) hand",
      "return {what:objects} to (their|its) owners ' hands", "put {what:objects} into (your|their|its owner 's) hand",
      "{who:players} return[s] {what:objects} to (its|their) owner 's hand",
      "{who:players} return[s] {what:objects} to (your|their) hand[s]",
      "{who:players} put[s] {what:objects} into (your|their) hand",
      rule="400.7", op="return to hand", to_owner=True)  # fmt: skip
def return_to_hand(t: Table, what: tuple[int, ...], who: Any = None) -> Run[tuple[int, ...]]:
    """Put objects into their owners' hands."""
    here = [number for number in what if number in t.state.objects and not t.state.objects[number].phased]
    with t.at_once():
        moved = yield from t.move(here, "hand")
        t.frame.said["those"] = moved
        if moved:
            yield from t.did(Event("returned", objects=moved))
    return moved


@word("effect", "put {what:objects} into (its|their) owner 's graveyard",
      "{who:players} put[s] {what:objects} into (their|your|its owner 's) graveyard",
      "put {what:objects} into (the|your|that player 's|their|their owners ') graveyard[s]",
      rule="404.1", op="put into graveyard")  # fmt: skip
def put_into_graveyard(t: Table, what: tuple[int, ...], who: Any = None) -> Run[tuple[int, ...]]:
    """Put objects into their owners' graveyards; that alone is no milling (701.17a)."""
    moved = yield from t.move([number for number in what if number in t.state.objects], "graveyard")
    t.frame.said["those"] = moved
    return moved


@word("effect", "put {what:objects} on (the bottom|bottom) of (its owner 's|your|their owner 's|their|that) library",
      "{who:players} put[s] {what:objects} on (the bottom|bottom) of (their|your) library",
      "put {what:objects} on (the bottom|bottom) of (its owner 's|your|their owner 's|their|that) "
      "library (in any order|in a random order)",
      "{who:players} put[s] {what:objects} on (the bottom|bottom) of (their|your) library "
      "(in any order|in a random order)",
      rule="401.4", library=True, op="put on bottom", to_owner=True)  # fmt: skip
def put_on_bottom(t: Table, what: tuple[int, ...], who: Any = None) -> Run[tuple[int, ...]]:
    """Put objects on the bottom of their owners' libraries, in the order in which they are (401.4)."""
    return (yield from t.move([number for number in what if number in t.state.objects], "library", bottom=True))


@word("effect", "put {what:objects} on top of (its owner 's|your|their owner 's|their|that) library",
      "{who:players} put[s] {what:objects} on top of (their|your) library", "put {what:objects} on top",
      *((f"put {{what:objects}} on top {where}in any order", {"ordered": True})
        for where in ("", "of (your|their|its owner 's) library ")),
      ("{who:players} put[s] {what:objects} on top of (their|your) library in any order", {"ordered": True}),
      rule="401.4", library=True, op="put on top", to_owner=True)  # fmt: skip
def put_on_top(t: Table, what: tuple[int, ...], who: Any = None, ordered: bool = False) -> Run[tuple[int, ...]]:
    """Put objects on top of their owners' libraries, in an order of the player's choice if the text says so (401.4)."""
    going = [number for number in what if number in t.state.objects]
    if ordered:
        going = list((yield from in_any_order(t, (who or (t.frame.you,))[0], going)))[::-1]
    return (yield from t.move(going, "library"))


@word("effect", "{who:players} sacrifice[s] {n:number} {what:filter}",
      ("sacrifice {n:number} {what:filter}", {"who": YOU}),
      "{who:players} sacrifice[s] {n:number} {what:filter} of (their|his or her) choice",
      "{who:players} sacrifice[s] {n:amount} {what:filter} [of (their|his or her) choice]",
      rule="701.21a", op="sacrifice")  # fmt: skip
def sacrifice(t: Table, who: tuple[str, ...], n: Any, what: Term) -> Run[tuple[int, ...]]:
    """Let players choose permanents that they control and sacrifice them, as many as they can (701.21a)."""
    going: list[int] = []
    for player in who:
        fitting = [
            number for number in t.state.permanents(player)
            if t.frame.fits(what, number) and not t.state.look(number).ruled("can't be sacrificed")
        ]  # fmt: skip
        going += yield from _pick(t, player, fitting, t.count(n, player), "choose card", "701.21a", "sacrifice")
    return (yield from _sacrifice(t, going))


@word("effect", "sacrifice {what:objects}", "{who:players} sacrifice[s] {what:objects}", rule="701.21a",
      op="sacrifices")  # fmt: skip
def sacrifices(t: Table, what: tuple[int, ...], who: Any = None) -> Run[tuple[int, ...]]:
    """Put permanents into their owners' graveyards; a player can sacrifice nothing of another's (701.21a)."""
    doers = who or (t.frame.you,)
    there = [number for number in what if number in t.state.battlefield]
    going = [number for number in there if doers == ("",) or t.state.look(number).controller in doers]
    return (yield from _sacrifice(t, [n for n in going if not t.state.look(n).ruled("can't be sacrificed")]))


def _kept(many: tuple[Any, Any], what: Term) -> Term | None:
    """Return what is kept of a group; out of which group stands behind all that is kept."""
    return None if any(part.op == "among" for part in what.walk()) else Term("some of", (what, *many))


GRAMMAR.join("kept", ((",",), (",", "and"), ("and",)))
GRAMMAR.rule("kept", "{many:how many} {what:filter}", _kept)


@word("effect", "{who:players} choose[s] {kept:kept+} , then sacrifice[s] the rest",
      "{who:players} choose[s] {kept:kept+} from among [the] {group:filter} , then sacrifice[s] the rest",
      "{who:players} choose[s] from among [the] {group:filter} {kept:kept+} , then sacrifice[s] the rest",
      rule="701.21a", op="sacrifice the rest")  # fmt: skip
def sacrifice_the_rest(t: Table, who: tuple[str, ...], kept: tuple[Term, ...], group: Any = None) -> Run[Any]:
    """Let players choose what they keep of a group, and sacrifice the rest of it at the same time (101.4, 701.21a)."""
    going: list[int] = []
    for player in who:
        t.frame.said["player"] = (player,)
        what = all_of(group or any_of(*(each.args[0] for each in kept)), OF_THAT_PLAYER)
        chosen: list[int] = []
        for each in kept:
            wanted, low, high = each.args
            chosen += yield from choose(t, player, all_of(what, wanted), low, high)
        mine = [n for n in t.state.permanents(player) if t.frame.fits(what, n) and n not in chosen]
        going += [n for n in mine if not t.state.look(n).ruled("can't be sacrificed")]
    return (yield from _sacrifice(t, going))


def _sacrifice(t: Table, going: list[int]) -> Run[tuple[int, ...]]:
    for number in going:
        yield from t.did(Event("sacrificed", t.state.look(number).controller, (number,), rule="701.21a"))
    moved = yield from t.move(going, "graveyard")
    t.frame.said["sacrificed"] = tuple(going)
    return moved


@word("effect", "{who:players} discard[s] {n:cards}",
      ("{who:players} discard[s] {n:cards} at random", {"random": True}),
      ("discard {n:cards} at random", {"who": YOU, "random": True}),
      "{who:players} discard[s] {n:number} {what:filter}",
      ("discard {n:cards}", {"who": YOU}), ("{who:players} discard[s] their hand", {"n": 99}),
      ("discard your hand", {"who": YOU, "n": 99}), rule="701.9a")  # fmt: skip
def discard(t: Table, who: tuple[str, ...], n: Any, what: Any = None, random: bool = False) -> Run[tuple[int, ...]]:
    """Let players discard cards of their choice, or random ones, as many as they can (701.9a, 701.9b)."""
    going: list[int] = []
    for player in who:
        fitting = [number for number in t.state.zone("hand", player) if t.frame.fits(what, number)]
        asked = CHANCE if random else player
        kind = "random" if random else "discard"
        going += yield from _pick(t, asked, fitting, t.count(n, player), kind, "701.9b", "discard")
    return (yield from discards(t, tuple(going)))


def _pick(t: Table, player: str, fitting: list[int], n: int, kind: str, rule: str, prompt: str) -> Run[list[int]]:
    """Let a player pick as many as asked for, one after another; where all are needed nothing is asked."""
    if n >= len(fitting):
        return fitting
    picked: list[int] = []
    for _ in range(n):
        options = [number for number in fitting if number not in picked]
        weights = [1] * len(options) if player == CHANCE else ()
        picked.append((yield from t.ask(player, kind, options, rule=rule, prompt=prompt, weights=weights)))
    return picked


@word("effect", "discard {what:objects}", "{who:players} discard[s] {what:objects}", rule="701.9a", op="discards")
def discards(t: Table, what: tuple[int, ...], who: Any = None) -> Run[tuple[int, ...]]:
    """Put cards from hands into graveyards (701.9a)."""
    going = [number for number in what if number in t.state.objects]
    with t.at_once():
        moved = yield from t.move(going, "graveyard")
        t.frame.said["discarded"] = moved
        for card in moved:
            yield from t.did(Event("discarded", t.state.get(card).owner, (card,), rule="701.9a"))
    return moved


GRAMMAR.rule("under whom", "under your control", lambda: "you")
GRAMMAR.rule("under whom", "under (its|their) owner 's control", lambda: "owner")
GRAMMAR.rule("under whom", "under their owners ' control", lambda: "owner")
GRAMMAR.sayers["under whom"] = lambda who: "under your control" if who == "you" else "under its owner's control"


@word("effect",
      "put {what:objects} onto the battlefield [{under:under whom}] [attached to {host:objects}]",
      "return {what:objects} to the battlefield [{under:under whom}] [attached to {host:objects}]",
      ("put {what:objects} onto the battlefield tapped [{under:under whom}]", {"tapped": True}),
      ("put {what:objects} onto the battlefield {under:under whom} tapped", {"tapped": True}),
      ("return {what:objects} to the battlefield {under:under whom} tapped", {"tapped": True}),
      ("return {what:objects} to the battlefield tapped [{under:under whom}]", {"tapped": True}),
      ("put {what:objects} onto the battlefield transformed [{under:under whom}]", {"face": 1}),
      ("return {what:objects} to the battlefield transformed [{under:under whom}]", {"face": 1}),
      "return {what:objects} to the battlefield [{under:under whom}] with {n:counters} "
      "{kind:counter kind} counter[s] on (it|them)",
      ("put {what:objects} onto the battlefield tapped [{under:under whom}] with {n:counters} "
       "{kind:counter kind} counter[s] on (it|them)", {"tapped": True}),
      "put {what:objects} onto the battlefield [{under:under whom}] with {n:counters} "
      "{kind:counter kind} counter[s] on (it|them)",
      "return {what:objects} to the battlefield [{under:under whom}] with {n:counters} additional "
      "{kind:counter kind} counter[s] on (it|them)",
      ("put {what:objects} onto the battlefield tapped [{under:under whom}] with {n:counters} additional "
       "{kind:counter kind} counter[s] on (it|them)", {"tapped": True}),
      "put {what:objects} onto the battlefield [{under:under whom}] with {n:counters} additional "
      "{kind:counter kind} counter[s] on (it|them)",
      "{who:players} put[s] {what:objects} onto the battlefield [{under:under whom}]",
      "{who:players} return[s] {what:objects} to the battlefield [{under:under whom}]",
      ("{who:players} put[s] {what:objects} onto the battlefield tapped [{under:under whom}]", {"tapped": True}),
      rule="110.2a", op="put onto the battlefield")  # fmt: skip
def put_onto_battlefield(
    t: Table, what: tuple[int, ...], under: Any = None, host: tuple[int, ...] | None = None, tapped: bool = False,
    face: int = 0, n: Any = 0, kind: str = "", who: Any = None,
) -> Run[tuple[int, ...]]:  # fmt: skip
    """Put cards onto the battlefield, under the control of the player told to unless it says otherwise (110.2a).

    Args:
        t: The table.
        what: The cards; those that are gone are passed over.
        under: Under whose control: "you", "owner", or None for the player who does it.
        host: What an Equipment or Aura enters attached to; an illegal host leaves it unattached (301.5e).
        tapped: Whether they enter tapped.
        face: Which face is up.
        n: How many counters they enter with.
        kind: The kind of those counters.
        who: Who does it, if not "you"; of several each puts what that player chose.

    Returns:
        The permanents.
    """
    here = [number for number in what if number in t.state.objects]
    entering: dict[str, Any] = {"tapped": tapped, "face": face}
    if n:
        entering["counters"] = ((kind, t.count(n)),)
    if host:
        entering["attached_to"] = host[0]
    doer = {number: player for player, numbers in t.chosen.items() for number in numbers}
    alone = (who or (t.frame.you,))[0]
    controllers = {
        number: owner if under == "owner" else doer.get(number, alone) or owner
        for number in here for owner in (t.state.objects[number].owner,)
    }  # fmt: skip
    with t.at_once():
        arrived = yield from t.move(here, "battlefield", under=controllers, entering=entering)
        t.frame.said["it"] = t.frame.said["those"] = arrived
        if arrived:
            yield from t.did(Event("returned", objects=arrived))
    return arrived
