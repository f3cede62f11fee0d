"""Who may cast, play or activate what, from where, when, and for how much: what other effects say about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rulekit.cards.card import Card
from rulekit.engine.abilities import Ability, Term
from rulekit.engine.costs import symbols_of
from rulekit.engine.events import Table
from rulekit.engine.frame import Frame
from rulekit.engine.layers import rules
from rulekit.engine.mana import Bill, bills, payable, split_second
from rulekit.engine.state import State
from rulekit.engine.text import abilities_of
from rulekit.rules import Illegal

Way = tuple[str, int, tuple[Term, ...]]
FREE = "without paying its mana cost"
AFTERMATH = "aftermath"
ITS_COST = "its mana cost"  # the price of a flashback that is each half's own
ANY_TYPE = " with mana of any type"
FIRST_EQUIP = "{0} for the first equip"


def reachable(state: State, player: str) -> Iterator[int]:
    """Yield the cards that a player might be allowed to cast or play: hand, then what permissions name."""
    yield from state.zone("hand", player)
    for number in state.zone("graveyard", player):
        if any(a.kind == "alternative cost" and "graveyard" in a.zones for a in state.look(number).abilities):
            yield number
    seen: set[int] = set()
    for term, frame in _permissions(state, player):
        for number in frame.objects(term.args[0]):
            if number in state.objects and number not in seen:
                seen.add(number)
                yield number


def _permissions(state: State, player: str) -> list[tuple[Term, Frame]]:
    return [(term, frame) for term, frame in rules(state, "may play them") if frame.you == player]


def ways_to_cast(state: State, player: str, number: int) -> list[Way]:
    """Return how a player may cast or play a card from where it is, costs aside (601.2b, 118.9).

    Args:
        state: Where the card is.
        player: Who would cast it.
        number: The card.

    Returns:
        (way, face, costs) for each: the way is "" for the mana cost, else it names the permission or alternative.
    """
    thing = state.objects[number]
    if thing.card is None or thing.kind != "card":
        return []
    found: list[Way] = []
    if thing.zone == "hand" and thing.owner == player:
        found += _normal(state, number, "")
        if any(player in frame.players(term.args[0]) for term, frame in rules(state, "may cast from hand for free")):
            found += [(FREE, index, ()) for face, index, _ in _faces(state, number) if "Land" not in face.types.types]
        found += _alternatives(state, number, "hand")
    elif thing.zone == "graveyard" and thing.owner == player:
        found += _alternatives(state, number, "graveyard")
    for term, frame in _permissions(state, player):
        if number in frame.objects(term.args[0]) and thing.zone != "hand":
            faces = term.args[3] if len(term.args) > 3 else None
            way = f"permission of {state.name(frame.this)}" + (ANY_TYPE if term.args[1] else "")
            for _, face, costs in _normal(state, number, way):
                if faces is None or face in faces:
                    found.append((way, face, () if term.args[2] else costs))
    return found


def castable_faces(card: Card) -> tuple[int, ...]:
    """Return which faces or halves of a card can be cast or played, counted from 0 (709.3, 712.11, 715.3)."""
    both = card.layout not in ("transform", "normal")
    return tuple(range(len(card.faces))) if both and card.faces else (0,)


def _faces(state: State, number: int) -> Iterator[tuple[Card, int, tuple[Term, ...]]]:
    card = state.objects[number].card
    if card is None:
        return
    for index in castable_faces(card):
        face = card.faces[index] if card.faces else card
        if has_aftermath(face) and state.objects[number].zone != "graveyard":
            continue
        cost = (Term("mana", (face.cost.symbols,)),) if face.cost is not None else ()
        yield face, index, cost


def has_aftermath(half: Card) -> bool:
    """Return whether a half of a card is cast from the graveyard only (702.127a)."""
    return any(ability.keyword == AFTERMATH for ability in abilities_of(half))


def _normal(state: State, number: int, way: str) -> Iterator[Way]:
    """Yield a way for each face that has a mana cost or is a land; no mana cost cannot be paid (118.6)."""
    for face, index, cost in _faces(state, number):
        if cost or "Land" in face.types.types:
            yield way, index, cost


def _alternatives(state: State, number: int, zone: str) -> Iterator[Way]:
    """Yield the card's own alternative costs that work from where it is: flashback, "rather than pay"."""
    for ability in state.look(number).abilities:
        if ability.kind == "alternative cost" and zone in ability.zones:
            holds = Frame(state, state.objects[number].owner, number).holds(ability.condition)
            if ability.keyword == AFTERMATH:
                yield from (
                    (AFTERMATH, face, cost) for half, face, cost in _faces(state, number) if has_aftermath(half)
                )
            elif holds and ability.value == (ITS_COST,):
                for face, index, cost in _faces(state, number):
                    if face.types.types and face.types.types[-1] in ("Instant", "Sorcery"):
                        yield ability.keyword, index, cost
            elif holds:
                yield ability.keyword or ability.words.rstrip("."), 0, ability.cost


def alternative_of(ability: Ability) -> str:
    """Return the way in which an equip ability is activated for nothing."""
    return FIRST_EQUIP


def equip_for_nothing(state: State, player: str) -> bool:
    """Return whether a player may pay {0} for the next equip ability of this turn."""
    if state.turn.active != player:
        return False
    offered = any(frame.you == player for _, frame in rules(state, "first equip may cost nothing"))
    used = any(
        e.kind == "ability activated" and e.player == player and e.get("keyword") == "equip" for e in state.history()
    )
    return offered and not used


def lands_allowed(state: State, player: str) -> int:
    """Return how many lands a player may play this turn (305.2)."""
    return 1 + sum(
        int(term.args[1]) for term, frame in rules(state, "additional land") if player in frame.players(term.args[0])
    )


def forbidden_to_cast(state: State, player: str, number: int) -> Illegal | None:
    """Return the refusal by an effect that forbids casting (601.3, 702.61a), or None."""
    if split_second(state):
        named = state.name(number)
        return Illegal("702.61a", f"{player} cannot cast {named}: a spell with split second is on the stack.")
    for term, frame in rules(state, "can't cast"):
        if player in frame.players(term.args[0]) and frame.fits_cast(term.args[1], number):
            return Illegal("601.3", f"{player} cannot cast {state.name(number)}: an effect forbids it.")
    return None


def instant_speed_cast(state: State, player: str, number: int) -> bool:
    """Return whether an effect lets a player cast this as though it had flash."""
    return any(
        player in frame.players(term.args[0]) and frame.fits_cast(term.args[1], number)
        for term, frame in rules(state, "may cast as though it had flash")
    )


def instant_speed_equip(state: State, player: str) -> bool:
    """Return whether an effect lets a player activate equip abilities at instant speed."""
    return any(frame.you == player for _, frame in rules(state, "may activate equip at instant speed"))


def cost_change(state: State, player: str, frame: Frame, ability: Ability | None) -> int:
    """Return by how much generic mana is reduced (601.2f); negative if effects make it cost more."""
    if ability is not None:
        less = sum(_generic(c.args[0]) * frame.count(c.args[1]) for c in ability.cost if c.op == "costs less")
        return less + (_equip_change(state, player, frame) if ability.keyword == "equip" else 0)
    if frame.item is None:
        return 0
    change = 0
    for op, sign in (("spells cost less", 1), ("spells cost more", -1)):
        for term, owner in rules(state, op):
            who, what, symbols = term.args
            if player in owner.players(who) and owner.fits_cast(what, frame.item):
                change += sign * _generic(symbols)
    for own in abilities_on(state, frame.item):
        for term in own.effect:
            if term.op == "this spell costs less":
                change += _generic(term.args[0]) * frame.count(term.args[1])
    return change


def ways_to_pay(
    state: State, player: str, frame: Frame, symbols: Sequence[str], x: int = 0, ability: Ability | None = None
) -> list[Bill]:
    """Return the ways in which the total mana cost of a spell or ability can be paid (601.2f, 609.4b)."""
    any_type = frame.cast is not None and frame.cast.way.endswith(ANY_TYPE)
    return bills(symbols, x, cost_change(state, player, frame, ability), any_type)


def _equip_change(state: State, player: str, frame: Frame) -> int:
    change = sum(_generic(term.args[0]) for term, owner in rules(state, "equip costs less") if owner.you == player)
    chosen = {one for some in frame.targets.values() for one in some}
    for term, owner in rules(state, "equip that targets costs less"):
        if owner.you == player and chosen & set(owner.objects(term.args[0])):
            change += _generic(term.args[1])
    return change


def _generic(symbols: tuple[str, ...]) -> int:
    return sum(int(symbol) for symbol in symbols if symbol.isdigit())


def abilities_on(state: State, number: int) -> tuple[Ability, ...]:
    """Return the abilities of a spell or card that is being cast."""
    thing = state.objects[number]
    if thing.card is None:
        return ()
    return state.look(number).abilities or abilities_of(thing.card)


def cost_depends_on_target(state: State, ability: Ability) -> bool:
    """Return whether what is targeted changes what an ability costs."""
    return ability.keyword == "equip" and bool(rules(state, "equip that targets costs less"))


def affords_target(
    t: Table, player: str, ability: Ability, costs: tuple[Term, ...]
) -> Callable[[Term, int | str], bool] | None:
    """Return a test of whether costs could be paid with a target, or None where the target does not matter."""
    if not cost_depends_on_target(t.state, ability):
        return None

    def affords(term: Term, one: int | str) -> bool:
        kept, able = dict(t.frame.targets), pays_with_target(t.state, player, t.frame, term, one, costs, ability)
        t.frame.targets = kept
        return able

    return affords


def pays_with_target(
    state: State, player: str, frame: Frame, term: Term, one: int | str, costs: tuple[Term, ...], ability: Ability
) -> bool:
    """Return whether a player could pay costs of an ability with one thing as its target."""
    frame.targets = {term.args[0]: (one,)}
    ways = ways_to_pay(state, player, frame, symbols_of(costs), ability=ability)
    able = payable(frame, player, ways, costs)
    frame.targets = {}
    return able
