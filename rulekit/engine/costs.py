"""Costs and how they are paid (118, 601.2f-h).

Every cost is a word of the sort "cost": its body pays, its fact ``can`` says beforehand why it cannot be paid. A choice
within a cost is a Decision of the kind "pay cost" (or "discard") whose prompt begins with what is done: sacrifice,
discard, exile, tap, remove; the payment of mana begins with "pay".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from rulekit.engine.abilities import WORDS, Term, word
from rulekit.engine.claims import Claim, claimed, met
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.layers import rules
from rulekit.engine.state import State
from rulekit.rules import Illegal

_MANA_SYMBOL = re.compile(r"\{(?:[0-9]{1,7}|[WUBRGCSXYZ]|(?:[0-9]|[WUBRGC])/[WUBRGP](?:/P)?)\}", re.IGNORECASE)


@GRAMMAR.lexer("symbols", say=lambda symbols: "".join(f"{{{symbol}}}" for symbol in symbols))
def _symbols(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read mana symbols that stand together, such as {2}{W}{W}."""
    end = place
    while end < len(words) and _MANA_SYMBOL.fullmatch(words[end]):
        end += 1
    return [(tuple(word[1:-1].upper() for word in words[place:end]), end)] if end > place else []


@word("cost", op="X is not 0", rule="601.2b")
def x_is_not_zero(t: Table, player: str) -> Run[None]:
    """Cost nothing; it says that X may not be chosen as 0."""
    return
    yield


@GRAMMAR.lexer("signed", say=lambda n: f"{n:+d}")
def _signed(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read a loyalty symbol such as +2, -1 or 0."""
    if place < len(words):
        text = words[place].strip("[]")
        if text.isascii() and text.lstrip("+-").isdigit() and (text[0] in "+-" or text == "0"):
            return [(int(text), place + 1)]
    return []


def unpayable(t: Table, player: str, costs: tuple[Term, ...]) -> Illegal | None:
    """Return why costs without their mana part cannot be paid right now, or None.

    Args:
        t: The table, with the frame of what is being cast or activated.
        player: Who would pay.
        costs: Cost terms; mana is checked by `mana.payable`.

    Returns:
        The refusal (118.3, 701.17b, 302.6 ...), or None if each cost can be paid.
    """
    for cost in costs:
        can: Callable[..., Illegal | None] | None = WORDS[cost.op].facts.get("can")
        reason = can(t.frame, player, *cost.args) if can else None
        if reason is not None:
            return reason
    if life_in(t.frame, player, costs) > t.state.players[player].life:
        return _too_little_life(t.frame, player)
    if not met(claimed(t.frame, player, costs)):
        return _short(t.frame, "nothing can serve for two of its costs at once")
    return None


def symbols_of(costs: Sequence[Term]) -> tuple[str, ...]:
    """Return the mana symbols of all costs together (601.2f)."""
    return tuple(symbol for cost in costs if cost.op == "mana" for symbol in cost.args[0])


def life_in(frame: Frame, player: str, costs: Sequence[Term]) -> int:
    """Return how much life costs take together, but for what is announced for mana symbols (119.4)."""
    return sum(frame.count(cost.args[0], player) for cost in costs if cost.op == "pay life")


def pay(t: Table, player: str, costs: tuple[Term, ...]) -> Run[None]:
    """Pay all costs but mana: first those that tap, last those that move cards of a library (601.2h).

    Raises:
        Illegal: One of them cannot be paid (118.3).
    """
    facts = {cost.op: WORDS[cost.op].facts for cost in costs}
    left = sorted(costs, key=lambda cost: (bool(facts[cost.op].get("library")), bool(facts[cost.op].get("leaves"))))
    owed = t.owed
    while left:
        cost, *left = left
        t.owed = tuple(left)
        reason = unpayable(t, player, (cost,))
        if reason is not None:
            raise reason
        yield from WORDS[cost.op].body(t, player, *cost.args)
    t.owed = owed


def _short(frame: Frame, what: str) -> Illegal:
    return Illegal("118.3", f"{frame.you} cannot pay for {frame.state.name(frame.this)}: {what}.")


def _paid(t: Table, how: str, numbers: tuple[int, ...]) -> None:
    """Remember what paid, for effects that ask about it."""
    t.frame.said[how] = tuple(numbers)
    item = t.frame.item
    if item is not None and item in t.state.objects:
        cast = t.state.objects[item].cast
        if cast is not None:
            t.change(item, cast=cast.but(paid=(*cast.paid, *((how, number) for number in numbers))))


def _can_mana(frame: Frame, player: str, symbols: tuple[str, ...]) -> Illegal | None:
    return None


@word("cost", "{symbols:symbols}", "pay {symbols:symbols}", rule="118.3", can=_can_mana)
def mana(t: Table, player: str, symbols: tuple[str, ...]) -> Run[None]:
    """Pay mana; the total of all mana costs is paid at once by `mana.pay_mana`."""
    return
    yield


def _can_tap(frame: Frame, player: str) -> Illegal | None:
    thing = frame.state.objects.get(frame.this)
    if thing is None or thing.tapped:
        return _short(frame, "it is tapped")
    return sick(frame, player)


def sick(frame: Frame, player: str) -> Illegal | None:
    """Return the refusal of {T} and {Q} of a creature that is new (302.6), or None."""
    state = frame.state
    seen = state.look(frame.this)
    thing = state.objects[frame.this]
    new = thing.since >= (state.turn.number if state.turn.active == player else _last_turn_of(frame, player))
    if seen.is_a("creature") and new and not seen.has("haste"):
        return Illegal(
            "302.6", f"{player} cannot tap {seen.name}: it has not been under {player}'s control long enough."
        )
    return None


def _last_turn_of(frame: Frame, player: str) -> int:
    """Return the number of a player's latest turn, 1 for all who have had none since the game was set up."""
    began = (e.turn for e in frame.state.history(since_turn=False) if e.kind == "turn" and e.player == player)
    return next(began, 1)


def _itself(frame: Frame, player: str) -> tuple[int, tuple[int, ...]]:
    return 1, (frame.this,)


@word("cost", "{T}", rule="602.2b", op="tap symbol", can=_can_tap, uses=_itself)
def tap_symbol(t: Table, player: str) -> Run[None]:
    """Tap the permanent itself (107.5)."""
    t.change(t.frame.this, tapped=True)
    yield from t.did(Event("tapped", player, (t.frame.this,), rule="701.26a"))


def _can_untap(frame: Frame, player: str) -> Illegal | None:
    thing = frame.state.objects.get(frame.this)
    return _short(frame, "it is not tapped") if thing is None or not thing.tapped else sick(frame, player)


@word("cost", "{Q}", rule="602.2b", op="untap symbol", can=_can_untap)
def untap_symbol(t: Table, player: str) -> Run[None]:
    """Untap the permanent itself (107.6)."""
    t.change(t.frame.this, tapped=False)
    yield from t.did(Event("untapped", player, (t.frame.this,), rule="701.26b"))


def _can_mill(frame: Frame, player: str, n: Any) -> Illegal | None:
    have, need = len(frame.state.zone("library", player)), frame.count(n, player)
    if have < need:
        what = "card" if have == 1 else "cards"
        return Illegal("701.17b", f"{player} cannot mill {need} to pay for {frame.state.name(frame.this)}: "
                       f"{player}'s library has {have or 'no'} {what}.")  # fmt: skip
    return None


@word("cost", "mill {n:cards}", rule="701.17b", op="mill as a cost", can=_can_mill, library=True)
def mill_as_a_cost(t: Table, player: str, n: Any) -> Run[None]:
    """Mill cards; other cards or another zone through replacement effects pay all the same (118.11)."""
    moved = yield from t.do(Term("mill", (player, t.count(n, player))))
    _paid(t, "milled", moved)


def can_change_life(state: State, player: str) -> bool:
    """Return whether no effect says that a player's life total cannot change."""
    return not any(player in frame.players(term.args[0]) for term, frame in rules(state, "life total can't change"))


def _can_life(frame: Frame, player: str, n: Any) -> Illegal | None:
    fixed = frame.count(n, player) > 0 and not can_change_life(frame.state, player)
    if fixed:
        return _short(frame, f"{player}'s life total can't change (119.8)")
    short = frame.state.players[player].life < frame.count(n, player)
    return _too_little_life(frame, player) if short else None


def _too_little_life(frame: Frame, player: str) -> Illegal:
    return _short(frame, f"{player} has too little life (119.4)")


@word("cost", "pay {n:life}", rule="119.4", op="pay life", can=_can_life)
def pay_life(t: Table, player: str, n: Any) -> Run[None]:
    """Pay life (119.4)."""
    yield from t.do(Term("lose life", (player, t.count(n, player))))


def _choosable(frame: Frame, player: str, what: Any, zone: str) -> list[int]:
    state = frame.state
    pile = state.permanents(player) if zone == "battlefield" else state.zone(zone, player)
    moving = {frame.item} if zone != "battlefield" else set()
    return [number for number in pile if number not in moving and frame.fits(what, number)]


def _fitting(frame: Frame, player: str, what: Any, zone: str, verb: str) -> list[int]:
    """Return the objects of a zone with which a player could do what a cost asks for."""
    fitting = _choosable(frame, player, what, zone)
    if verb == "sacrifice":
        return [number for number in fitting if not frame.look(number).ruled("can't be sacrificed")]
    if verb == "tap":
        return [number for number in fitting if not frame.state.objects[number].tapped]
    return fitting


def _of_choice(zone: str, verb: str) -> dict[str, Any]:
    """Return the facts of a cost of so many objects of the player's choice."""

    def can(frame: Frame, player: str, n: Any, what: Any = None, *more: Any) -> Illegal | None:
        need = frame.count(n, player)
        if len(_fitting(frame, player, what, zone, verb)) >= need:
            return None
        kept = verb == "sacrifice" and len(_choosable(frame, player, what, zone)) >= need
        return Illegal("101.2" if kept else "118.3", _short(frame, f"there is too little to {verb}").message)

    def uses(frame: Frame, player: str, n: Any, what: Any = None, *more: Any) -> tuple[int, list[int]]:
        return frame.count(n, player), _fitting(frame, player, what, zone, verb)

    return {"can": can, "uses": uses, "leaves": verb != "tap"}


def _certain(frame: Frame, player: str, what: Any) -> tuple[int, tuple[int, ...]]:
    """Return what a cost uses that names its objects."""
    numbers = frame.objects(what)
    return len(numbers), numbers


def _choose(t: Table, player: str, n: Any, numbers: list[int], verb: str, kind: str) -> Run[list[int]]:
    """Choose that many different objects, one after another, none that another cost needs (601.2h)."""
    chosen: list[int] = []
    left = t.count(n, player)
    while left:
        left -= 1
        claims = (Claim(verb != "tap", left, tuple(numbers)), *claimed(t.frame, player, t.owed))
        free = [number for number in numbers if number not in chosen]
        options = [number for number in free if met([claim.after(verb != "tap", *chosen, number) for claim in claims])]
        why = partial(_no_sacrifice, t.state, player) if verb == "sacrifice" else None
        chosen.append((yield from t.ask(player, kind, options, rule="601.2h", prompt=verb, why=why)))
    return chosen


def _no_sacrifice(state: State, player: str, number: int) -> Illegal | None:
    """Return which rule keeps a player from sacrificing something, or None if it is only not what the cost asks for."""
    if number not in state.battlefield or state.look(number).controller != player:
        return Illegal("701.21a", f"{player} cannot sacrifice {state.name(number)}: it is no permanent of {player}'s.")
    if state.look(number).ruled("can't be sacrificed"):
        return Illegal("101.2", f"{player} cannot sacrifice {state.name(number)}: an effect forbids it.")
    return None


DEEDS = {  # what a cost does with objects: what that is called once done, which instruction does it, what is asked
    "sacrifice": ("sacrificed", "sacrifices", "pay cost"),
    "discard": ("discarded", "discards", "discard"),
    "exile": ("exiled", "exile", "pay cost"),
    "return": ("returned", "return to hand", "pay cost"),
}


def _spend(t: Table, player: str, n: Any, what: Any, zone: str, verb: str) -> Run[None]:
    """Choose objects of a zone of the player's own, and do with them what the cost says (601.2h)."""
    chosen = yield from _choose(t, player, n, _fitting(t.frame, player, what, zone, verb), verb, DEEDS[verb][2])
    yield from _pay_with(t, verb, tuple(chosen))


def _pay_with(t: Table, verb: str, numbers: tuple[int, ...]) -> Run[None]:
    """Do with certain objects what a cost says; the spell or ability remembers what paid for it."""
    done, effect, _ = DEEDS[verb]
    _paid(t, done, numbers)
    yield from t.do(Term(effect, (numbers,)))


@word("cost", "sacrifice {n:number} {what:filter}", rule="701.21a", op="sacrifice as a cost",
      **_of_choice("battlefield", "sacrifice"))  # fmt: skip
def sacrifice_as_a_cost(t: Table, player: str, n: Any, what: Any) -> Run[None]:
    """Sacrifice permanents of the player's choice (701.21a)."""
    yield from _spend(t, player, n, what, "battlefield", "sacrifice")


def _can_sacrifice_it(frame: Frame, player: str, what: Any) -> Illegal | None:
    refusals = (_no_sacrifice(frame.state, player, number) for number in frame.objects(what))
    return next((refusal for refusal in refusals if refusal is not None), None)


@word("cost", "sacrifice {what:objects}", rule="701.21a", can=_can_sacrifice_it, op="sacrifice it as a cost",
      uses=_certain, leaves=True)  # fmt: skip
def sacrifice_it_as_a_cost(t: Table, player: str, what: Any) -> Run[None]:
    """Sacrifice a certain permanent, mostly the one with the ability (701.21a)."""
    yield from _pay_with(t, "sacrifice", t.frame.objects(what))


@word("cost", "discard {n:number} {what:filter}", rule="701.9a", op="discard as a cost",
      **_of_choice("hand", "discard"))  # fmt: skip
def discard_as_a_cost(t: Table, player: str, n: Any, what: Any) -> Run[None]:
    """Discard cards of the player's choice (701.9a)."""
    yield from _spend(t, player, n, what, "hand", "discard")


@word("cost", "exile {n:number} {what:filter} from your hand", rule="701.13a", op="exile from hand as a cost",
      **_of_choice("hand", "exile"))  # fmt: skip
def exile_from_hand(t: Table, player: str, n: Any, what: Any) -> Run[None]:
    """Exile cards from the player's hand (701.13a)."""
    yield from _spend(t, player, n, what, "hand", "exile")


@word("cost", "exile {n:number} {what:filter} from your graveyard",
      "exile {n:amount} {what:filter} from your graveyard", rule="701.13a", op="exile from graveyard as a cost",
      **_of_choice("graveyard", "exile"))  # fmt: skip
def exile_from_graveyard(t: Table, player: str, n: Any, what: Any) -> Run[None]:
    """Exile cards from the player's graveyard (701.13a)."""
    yield from _spend(t, player, n, what, "graveyard", "exile")


def _can_move_it(frame: Frame, player: str, what: Any) -> Illegal | None:
    here = all(number in frame.state.objects for number in frame.objects(what))
    return None if here else _short(frame, "it is not there")


@word("cost", "exile {what:objects}", rule="701.13a", can=_can_move_it,
      op="exile it as a cost", uses=_certain, leaves=True)  # fmt: skip
def exile_it_as_a_cost(t: Table, player: str, what: Any) -> Run[None]:
    """Exile a certain object, mostly the card with the ability (701.13a)."""
    yield from _pay_with(t, "exile", t.frame.objects(what))


@word("cost", "tap {n:number} untapped {what:filter}", rule="701.26a", op="tap others as a cost",
      **_of_choice("battlefield", "tap"))  # fmt: skip
def tap_others(t: Table, player: str, n: Any, what: Any) -> Run[None]:
    """Tap untapped permanents of the player's choice; new creatures may serve (302.6 speaks of {T} only)."""
    untapped = _fitting(t.frame, player, what, "battlefield", "tap")
    for number in (yield from _choose(t, player, n, untapped, "tap", "pay cost")):
        t.change(number, tapped=True)
        yield from t.did(Event("tapped", player, (number,), rule="701.26a"))


@word("cost", "return {n:number} {what:filter} to (its|their) owner 's hand",
      "return {n:number} {what:filter} to their owners ' hands", rule="118.3", op="return others as a cost",
      **_of_choice("battlefield", "return"))  # fmt: skip
def return_others(t: Table, player: str, n: Any, what: Any) -> Run[None]:
    """Return permanents of the player's choice to their owners' hands."""
    yield from _spend(t, player, n, what, "battlefield", "return")


@word("cost", "return {what:objects} to its owner 's hand", rule="118.3", can=_can_move_it, op="return as a cost",
      uses=_certain, leaves=True)  # fmt: skip
def return_as_a_cost(t: Table, player: str, what: Any) -> Run[None]:
    """Return a certain permanent to its owner's hand."""
    yield from _pay_with(t, "return", t.frame.objects(what))


_NO_COUNTERS = ("a", "an", "the", "no", "any", "all", "more", "those", "that", "another", "additional", "such", "its")


@GRAMMAR.lexer("counter kind")
def _counter_kind(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read the name of a kind of counter: a word or size before "counter", or a keyword of two words (122.1b)."""
    for end in (place + 1, place + 2):
        if end < len(words) and words[end].lower() in ("counter", "counters"):
            name = " ".join(words[place:end]).lower()
            two_words_fit = name in WORDS and WORDS[name].sort == "keyword"
            sized = re.fullmatch(r"[+-]\d+/[+-]\d+", name)
            named = end == place + 1 and name.isalpha() and name not in _NO_COUNTERS
            return [(name, end)] if two_words_fit or sized or named else []
    return []


def _can_remove(frame: Frame, player: str, n: Any, kind: str, what: Any) -> Illegal | None:
    for number in frame.objects(what):
        if number not in frame.state.objects or frame.state.objects[number].count(kind) < frame.count(n, player):
            return _short(frame, f"there are too few {kind} counters")
    return None


@word("cost", "remove {n:number} {kind:counter kind} counter[s] from {what:objects}", rule="118.3", can=_can_remove,
      op="remove counters as a cost")  # fmt: skip
def remove_as_a_cost(t: Table, player: str, n: Any, kind: str, what: Any) -> Run[None]:
    """Remove counters from a certain permanent."""
    for number in t.frame.objects(what):
        yield from t.do(Term("remove counters", (t.count(n, player), kind, (number,))))


def _can_loyalty(frame: Frame, player: str, n: int) -> Illegal | None:
    thing = frame.state.objects.get(frame.this)
    if thing is None or thing.count("loyalty") + min(n, 0) < 0:
        return Illegal("606.6", _short(frame, "there are too few loyalty counters").message)
    return None


def _can_discard_it(frame: Frame, player: str, what: Any) -> Illegal | None:
    here = all(number in frame.state.zone("hand", player) for number in frame.objects(what))
    return None if here else _short(frame, "it is not in the hand")


@word("cost", "discard {what:objects}", rule="701.9a", can=_can_discard_it, op="discard it as a cost",
      uses=_certain, leaves=True)  # fmt: skip
def discard_it_as_a_cost(t: Table, player: str, what: Any) -> Run[None]:
    """Discard a certain card, mostly the one with the ability (701.9a)."""
    yield from _pay_with(t, "discard", t.frame.objects(what))


def _can_unattach(frame: Frame, player: str, what: Any) -> Illegal | None:
    attached = all(frame.state.get(number).attached_to is not None for number in frame.objects(what))
    return None if attached and frame.objects(what) else _short(frame, "it is attached to nothing")


@word("cost", "unattach {what:objects}", rule="701.3d", can=_can_unattach, op="unattach as a cost")
def unattach_as_a_cost(t: Table, player: str, what: Any) -> Run[None]:
    """Take an Equipment off what it is attached to (701.3d)."""
    yield from t.do(Term("unattach", (t.frame.objects(what),)))


def _crew_members(frame: Frame, player: str) -> list[int]:
    state = frame.state
    return [n for n in state.permanents(player)
            if n != frame.this and state.look(n).is_a("creature") and not state.objects[n].tapped]  # fmt: skip


def _can_crew(frame: Frame, player: str, n: int) -> Illegal | None:
    power = sum(max(0, frame.look(number).power or 0) for number in _crew_members(frame, player))
    return None if power >= n else _short(frame, "there is too little power to crew it")


@word("cost", op="crew as a cost", rule="702.122a", can=_can_crew)
def crew_as_a_cost(t: Table, player: str, n: int) -> Run[None]:
    """Tap other untapped creatures with enough power together (702.122a)."""
    power = 0
    while power < n:
        options = _crew_members(t.frame, player)
        number = yield from t.ask(player, "pay cost", options, rule="702.122a", prompt="tap to crew")
        power += max(0, t.state.look(number).power or 0)
        t.change(number, tapped=True)
        yield from t.did(Event("tapped", player, (number,), rule="701.26a"))


@GRAMMAR.lexer("energy", say=lambda n: "{E}" * n)
def _energy(words: tuple[str, ...], place: int) -> list[tuple[Any, int]]:
    """Read energy symbols that stand together (107.14)."""
    end = place
    while end < len(words) and words[end].upper() == "{E}":
        end += 1
    return [(end - place, end)] if end > place else []


def _can_energy(frame: Frame, player: str, n: int) -> Illegal | None:
    short = frame.state.players[player].count("energy") < n
    return _short(frame, f"{player} has too few energy counters") if short else None


@word("cost", "pay {n:energy}", "{n:energy}", rule="107.14", can=_can_energy, op="pay energy")
def pay_energy(t: Table, player: str, n: int) -> Run[None]:
    """Remove energy counters from the player (107.14)."""
    yield from t.do(Term("player loses counters", ((player,), n, "energy")))


@word("cost", op="costs less", rule="601.2f")
def costs_less(t: Table, player: str, symbols: tuple[str, ...], times: Any = 1) -> Run[None]:
    """Pay nothing: the ability costs less, as `permissions.cost_change` counts (601.2f)."""
    return
    yield


@word("cost", "{n:signed}", rule="606.4", can=_can_loyalty, op="loyalty")
def loyalty(t: Table, player: str, n: int) -> Run[None]:
    """Put loyalty counters on the planeswalker itself or remove them (606.4)."""
    if n > 0:
        yield from t.do(Term("put counters", (n, "loyalty", (t.frame.this,), None, False)))
    elif n < 0:
        yield from t.do(Term("remove counters", (-n, "loyalty", (t.frame.this,))))
