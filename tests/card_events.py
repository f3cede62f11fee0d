"""How to make each kind of event happen at the table at which cards are tried, so that what waits for it triggers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Protocol

from rulekit.engine.abilities import Ability, Term
from rulekit.engine.actions import Action
from rulekit.engine.continuous import with_x
from rulekit.engine.game import Game
from rulekit.engine.granting import of_granter
from rulekit.engine.permissions import ways_to_cast
from rulekit.engine.phrases import replaced
from rulekit.engine.state import STEPS, Turn
from rulekit.engine.text import read_effect
from tests.card_table import ALICE, BOB

PLAYERS = (ALICE, BOB)
QUIET = ("untap", "cleanup", "first combat damage")
MOST_X = 6  # of an ability that is given with a number in the place of X
A_TOKEN = "you create a 1/1 white Soldier creature token"
MOST_THINGS = 30  # objects with which one kind of event is tried
Wish = Callable[[Game], Any]


class Tries(Protocol):
    """What carries games on, with checks, until a player has priority."""

    def told(self, game: Game, *terms: Term) -> Game:
        """Carry out an instruction from outside."""

    def tried(self, game: Game, action: Action, prefer: Wish | None = None) -> Game | None:
        """Begin an action if it is legal; None if it is not."""

    def passed(self, game: Game, step: str, active: str | None = None, prefer: Wish | None = None) -> Game:
        """Pass until a step has begun and the stack is empty."""

    def rest(self, game: Game, prefer: Wish | None = None) -> Game:
        """Pass until the stack is empty."""

    def there(self, game: Game) -> int | None:
        """Return the number of the card that is tried as a permanent."""

    def lies(self, game: Game, *zones: str) -> int | None:
        """Return the number of the card in one of some zones of its owner."""

    def first(self, game: Game) -> list[int]:
        """Return the permanents that matter most for what is tried."""

    def waited_for(self, game: Game, among: Sequence[int]) -> list[int]:
        """Return those of some cards that are such as what is tried waits for."""


# ---------------------------------------------------------------- where and what


def mine(game: Game, kind: str, player: str = ALICE) -> list[int]:
    """Return a player's permanents of a kind."""
    return [number for number in game.state.permanents(player) if game.state.look(number).is_a(kind)]


def bearers(game: Game, ability: Ability) -> list[tuple[int, int]]:
    """Return what has an ability, in any zone, with the place that it has there."""
    state = game.state
    same = {ability, *(of_granter(ability, number) for number in state.permanents(ALICE))}
    same |= {with_x(ability, x) for x in range(MOST_X)} if "X" in ability.text else set()
    zones = [(zone, owner) for zone, owner in state.zones if zone != "library"]
    numbers = sorted(number for zone in zones for number in state.zones[zone])
    found = [
        (n, place) for n in numbers for place, each in enumerate(state.look(n).abilities)
        if each in same or (each.kind == ability.kind and each.words == ability.words)  # "this" of what grants it
    ]  # fmt: skip
    return [each for each in found if state.look(each[0]).controller == ALICE]


def moment(game: Game, player: str, step: str) -> Game:
    """Return the game in a step of a later turn of a player, who has priority."""
    state = game.state
    turn = Turn(player, state.turn.number + 1, step, order=player)
    return Game(state.but(turn=turn, priority=player, passed=0), chance=game.chance)


def things(tries: Tries, game: Game) -> list[int]:
    """Return permanents with which something can happen: the card, what it is attached to, then the others."""
    state = game.state
    number = tries.there(game)
    host = state.objects[number].attached_to if number is not None else None
    first = [n for n in (number, host) if isinstance(n, int)] + tries.first(game)
    first += [n for n in state.battlefield if state.objects[n].kind == "token"]
    return list(dict.fromkeys((*first, *state.battlefield)))[:MOST_THINGS]


def own(game: Game) -> Any:
    """Aim at what one controls, or at oneself."""
    decision, state = game.decision, game.state
    if decision is None or decision.kind != "choose target":
        return None
    if ALICE in decision.options:
        return ALICE
    numbers = [option for option in decision.options if isinstance(option, int) and option in state.battlefield]
    return next((n for n in numbers if state.look(n).controller == ALICE), None)


# ---------------------------------------------------------------- combat


def everyone(game: Game) -> Any:
    """Attack with every creature, and block nothing."""
    decision = game.decision
    if decision is None or decision.kind not in ("attack", "block"):
        return None
    return "no" if decision.kind == "block" else next((o for o in decision.options if o in PLAYERS), None)


def everyone_blocks(game: Game) -> Any:
    """Attack with every creature, and block with every one that can."""
    decision = game.decision
    if decision is not None and decision.kind == "block":
        return next((option for option in decision.options if option != "no"), None)
    return everyone(game)


def alone(number: int, blocks: bool) -> Wish:
    """Attack with one creature only, and block it or not."""

    def wish(game: Game) -> Any:
        decision = game.decision
        if decision is not None and decision.kind == "attack" and decision.source != number:
            return "no"
        return (everyone_blocks if blocks else everyone)(game)

    return wish


def _combats(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Fight in every way that matters: everyone, blocked or not, one alone; and be attacked."""
    for number in things(tries, game)[:2]:
        for blocks in (False, True):
            start = _manned(tries, moment(game, ALICE, "precombat main"))
            yield tries.passed(start, "postcombat main", prefer=alone(number, blocks))
    for player in PLAYERS:
        start = _manned(tries, moment(game, player, "precombat main"))
        for wish in (everyone, everyone_blocks):
            yield tries.passed(start, "postcombat main", prefer=wish)


def _manned(tries: Tries, game: Game) -> Game:
    """Crew the Vehicles of the active player, and activate what may turn the card into a creature."""
    state, card = game.state, tries.there(game)
    for number in (n for n in state.permanents(state.turn.active) if not state.look(n).is_a("creature")):
        for place, ability in enumerate(state.look(number).abilities):
            turns = ability.kind == "activated" and any(term.op == "becomes" for term in ability.terms())
            if turns and (ability.keyword == "crew" or number == card):
                done = tries.tried(game, Action("activate", number, place))
                game = tries.rest(done) if done is not None else game
    return game


def _damages(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Deal damage from each of several things to players and creatures, and to each of several things."""
    found = things(tries, game)[:8]
    for number in found[:3]:
        for to in (BOB, *mine(game, "creature", BOB)[:2], ALICE):
            yield tries.told(game, Term("deal damage", (1, (to,), (number,))))
    source = mine(game, "creature", BOB)[:1]
    for number in found:
        if game.state.look(number).is_a("creature"):
            yield tries.told(game, Term("deal damage", (1, (number,), tuple(source))))
    yield from _combats(tries, game)


# ---------------------------------------------------------------- zones


def _entering(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Put cards onto the battlefield: one of each zone that is waited for, then of each zone in turn.

    So no zone has to wait for all of another, nor what is waited for until everything else has entered.
    """
    lying = [game.state.zone(zone, player) for zone in ("hand", "graveyard", "library") for player in PLAYERS]
    best = [number for pile in lying for number in tries.waited_for(game, pile)[:1]]
    for number in (*best, *(number for together in zip_longest(*lying) for number in together if number is not None)):
        card = game.state.objects[number].card
        if card is not None and not {"Instant", "Sorcery"} & set(card.types.types):
            yield tries.told(game, Term("put onto the battlefield", ((number,), "owner")))


def _nearest_leaving(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Let the card and what it is attached to leave."""
    return _leaving(tries, game, 2)


def _leaving(tries: Tries, game: Game, most: int = MOST_THINGS) -> Iterator[Game | None]:
    for number in things(tries, game)[:most]:
        for op in ("put into graveyard", "exile", "return to hand"):
            yield tries.told(game, Term(op, ((number,),)))


def _put_away(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Mill, discard, and move cards between the zones that are not the battlefield."""
    for player in PLAYERS:
        yield tries.told(game, Term("mill", ((player,), 6)))
    piles = [
        [(op, number) for number in game.state.zone(zone, player)[:MOST_THINGS]]
        for zone, op in (("hand", "discards"), ("library", "put into graveyard"), ("graveyard", "exile"),
                         ("graveyard", "return to hand"))
        for player in PLAYERS
    ]  # fmt: skip
    for together in zip_longest(*piles):
        for op, number in (each for each in together if each is not None):
            yield tries.told(game, Term(op, ((number,),)))


def _between(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Move the card itself between the zones that are not the battlefield."""
    for zone, op in (("graveyard", "return to hand"), ("hand", "discards"), ("graveyard", "exile")):
        number = tries.lies(game, zone)
        if number is not None:
            yield tries.told(game, Term(op, ((number,),)))


def _moved(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Move cards in one way after another, so that none has to wait for all of the others."""
    ways = (_to_library, _between, _nearest_leaving, _entering, _put_away, _leaving, _attached)
    for together in zip_longest(*(way(tries, game) for way in ways)):
        yield from (each for each in together if each is not None)


def _to_library(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Put the card on top of its owner's library, and mill it."""
    number = tries.there(game) or tries.lies(game, "hand", "graveyard")
    if number is not None:
        under = tries.told(game, Term("put on top", ((number,),)))
        yield tries.told(under, Term("mill", ((ALICE,), 1)))


# ---------------------------------------------------------------- what happens to permanents


def _each(op: str, first: str = "") -> Callable[[Tries, Game], Iterator[Game | None]]:
    """Return what carries out an instruction on each of several things, and another one on it before."""

    def happen(tries: Tries, game: Game) -> Iterator[Game | None]:
        for number in things(tries, game):
            before = tries.told(game, Term(first, ((number,),))) if first else game
            yield tries.told(before, Term(op, ((number,),)))

    return happen


def _attached(tries: Tries, game: Game) -> Iterator[Game | None]:
    number = tries.there(game)
    for each in [number] if number is not None else []:
        for host in (*mine(game, "creature"), *mine(game, "creature", BOB)[:2]):
            yield tries.told(game, Term("attach", ((each,), (host,))))
        yield tries.told(game, Term("unattach", ((each,),)))


def _targeted(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Aim the instants of both players at each of several things."""
    for player in PLAYERS:
        theirs = moment(game, player, "precombat main")
        for spell in theirs.state.zone("hand", player):
            card = theirs.state.objects[spell].card
            if card is not None and "Instant" in card.types.types:
                for number in things(tries, game)[:4]:
                    yield tries.tried(theirs, Action("cast", spell), lambda _, goal=number: goal)


def _last_counters(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Remove all counters of each kind from cards in exile, such as those that are suspended, and from things."""
    exiled = (number for player in PLAYERS for number in game.state.zone("exile", player))
    for number in (*exiled, *things(tries, game)):
        for kind, n in game.state.objects[number].counters:
            yield tries.told(game, Term("remove counters", (n, kind, (number,))))


def _lore(tries: Tries, game: Game) -> Iterator[Game | None]:
    number = tries.there(game)
    for n in range(1, 5) if number is not None else ():
        yield tries.told(game, Term("put counters", (n, "lore", (number,))))


# ---------------------------------------------------------------- what players do


def _by(*texts: str) -> Callable[[Tries, Game], Iterator[Game | None]]:
    """Return what lets each player do what a text says."""

    def happen(tries: Tries, game: Game) -> Iterator[Game | None]:
        for text in texts:
            for player in PLAYERS:
                for each in (game, moment(game, BOB, "precombat main")):
                    yield tries.told(each, *replaced(read_effect(text), Term("you"), (player,)))

    return happen


def _cast(tries: Tries, game: Game) -> Iterator[Game | None]:
    for player in PLAYERS:
        theirs = moment(game, player, "precombat main")
        for number in theirs.state.zone("graveyard", player):
            yield tries.tried(theirs, Action("cast", number, way="flashback"))
        for number in theirs.state.zone("hand", player):
            first = tries.tried(theirs, Action("cast", number))
            yield first
            if first is not None and player == ALICE:
                second = tries.rest(first)
                for other in second.state.zone("hand", player)[:3]:
                    yield tries.tried(second, Action("cast", other))
                for other in second.state.zone("exile", player):
                    for way, face, _ in ways_to_cast(second.state, player, other):
                        yield tries.tried(second, Action("cast", other, way=way, face=face))


def _transformed(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Transform each of several things, also with the card attached to it."""
    number = tries.there(game)
    yield from _each("transform")(tries, game)
    for host in mine(game, "creature") if number is not None else ():
        attached = tries.told(game, Term("attach", ((number,), (host,))))
        yield tries.told(attached, Term("transform", ((host,),)))


def _steps(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Begin each step of a turn of each player, and those that follow a fight in which something died."""
    number = tries.there(game)
    if number is not None:
        tapped = tries.told(moment(game, BOB, "end"), Term("tap", ((number,),)))
        yield tries.passed(tapped, "draw", ALICE)
    for player, other in ((ALICE, BOB), (BOB, ALICE)):
        for step in STEPS:
            if step not in QUIET and not step.startswith("declare") and step != "combat damage":
                before = STEPS[STEPS.index(step) - 1]
                begun = moment(game, other, "end") if step == "upkeep" else moment(game, player, _loud(before))
                yield tries.passed(begun, step, player)
    for player in PLAYERS:
        made = tries.told(
            moment(game, player, "postcombat main"), *replaced(read_effect(A_TOKEN), Term("you"), (ALICE,))
        )
        yield tries.passed(made, "end", player)
    fight = moment(game, ALICE, "precombat main")
    dead = tuple(number for player in PLAYERS for number in mine(fight, "creature", player)[1:3])
    yield tries.passed(tries.told(fight, Term("put into graveyard", (dead,))), "end", ALICE, everyone)


def _loud(step: str) -> str:
    """Return a step in which somebody has priority, this one or the one after combat."""
    return "end of combat" if step.startswith(("declare", "first", "combat damage")) else step


def unknown(tries: Tries, game: Game) -> Iterator[Game | None]:
    """Yield nothing: no way is known to make such an event happen."""
    return iter(())


HAPPEN: dict[str, Callable[[Tries, Game], Iterator[Game | None]]] = {
    "attacks": _combats,
    "blocks": _combats,
    "becomes blocked": _combats,
    "damage": _damages,
    "damage dealt": _damages,
    "moved": _moved,
    "counters": _lore,
    "counters removed": _last_counters,
    "attached": _attached,
    "unattached": _attached,
    "targeted": _targeted,
    "tapped": _each("tap"),
    "untapped": _each("untap", "tap"),
    "transformed": _transformed,
    "phased out": _each("phase out"),
    "phased in": _each("phase out"),
    "cast": _cast,
    "step": _steps,
    "milled": _by("you mill six cards"),
    "discarded": _by("you discard two cards", "you discard five cards"),
    "drew": _by("you draw a card", "you draw two cards"),
    "sacrificed": _each("sacrifices"),
    "token created": _by("you create a 1/1 white Soldier creature token"),
    "life gained": _by("you gain two life"),
    "life lost": _by("you lose two life"),
    "shuffled": _by("you shuffle"),
    "searched": _by("you search your library for a basic land card, reveal it, put it into your hand, then shuffle"),
    "scried": _by("you scry two"),
    "surveilled": _by("you surveil two"),
    "lost": _by("you lose the game"),
    "gift given": _cast,
}
