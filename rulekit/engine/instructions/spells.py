"""Instructions about spells and abilities: counter, copy, retarget, permissions to cast (701.6, 707.10, 115.7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rulekit.engine.abilities import Term, word
from rulekit.engine.actions import Action
from rulekit.engine.casting import cast_for, tell_targets
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.keywords import keyword_abilities
from rulekit.engine.mana import LIFE, ON_RESOLUTION, bills, choose_form, pay_mana, payable
from rulekit.engine.offers import castable
from rulekit.engine.optional import in_words
from rulekit.engine.permissions import FREE, ITS_COST, castable_faces, forbidden_to_cast
from rulekit.engine.resolving import new_targets, remove_from_stack
from rulekit.engine.state import Object, State

YOU = Term("you")


@word("effect", "counter {what:objects}",
      ("counter {what:objects}. if (that spell|it) is countered this way, put it into its owner 's hand instead of into"
       " (that player 's|its owner 's|their) graveyard", {"to": "hand"}),
      ("counter {what:objects}; if (that spell|it) is countered this way, put it into its owner 's hand instead of into"
       " (that player 's|its owner 's|their) graveyard", {"to": "hand"}),
      ("counter {what:objects}. if (that spell|it) is countered this way, exile it instead of putting it into its owner"
       " 's graveyard", {"to": "exile"}),
      rule="701.6a")  # fmt: skip
def counter(t: Table, what: tuple[int, ...], to: str = "graveyard") -> Run[tuple[int, ...]]:
    """Remove spells and abilities from the stack without effect (701.6a)."""
    countered = []
    for item in what:
        if item in t.state.stack and not t.state.look(item).ruled("can't be countered"):
            yield from t.did(Event("countered", t.state.objects[item].controller, (item,)))
            countered.append(item)
            yield from remove_from_stack(t, item, to, rule="701.6a")
    t.frame.said["countered"] = tuple(countered)
    return tuple(countered)


@word("effect", op="counter unless paid", rule="118.12a")
def counter_unless_paid(t: Table, cost: tuple[Term, ...]) -> Run[None]:
    """Counter the spell or ability that targets this unless its controller pays (702.21a)."""
    event = t.frame.event
    item = event.source if event is not None else None
    if item is None or item not in t.state.objects:
        return
    player = t.state.objects[item].controller
    if not (yield from may_pay(t, player, cost, f"so that {t.state.name(item)} is not countered")):
        yield from counter(t, (item,))


def may_pay(t: Table, player: str, cost: tuple[Term, ...], what: str = "") -> Run[bool]:
    """Let a player pay a cost on resolution if they can and want to (118.12).

    Args:
        t: The table.
        player: Who may pay.
        cost: What may be paid.
        what: What for, in words that stand behind the cost.

    Returns:
        Whether it was paid.
    """
    from rulekit.engine.costs import pay, symbols_of, unpayable

    symbols, frame = symbols_of(cost), t.frame

    def pays(form: Sequence[str]) -> bool:
        return payable(frame, player, bills(form, frame.x), cost)

    able = unpayable(t, player, cost) is None and (not symbols or pays(symbols))
    prompt = f"pay {in_words(t, cost)}{f' {what}' if what else ''}?"
    if not able or not (yield from t.may(player, prompt, "118.12")):
        return False
    if symbols:
        rule = "107.4f" if any(LIFE in symbol for symbol in symbols) else "107.4e"
        form = yield from choose_form(t, player, symbols, pays, t.state.name(frame.this), rule)
        yield from pay_mana(t, player, bills(form, frame.x)[0], what, cost, ON_RESOLUTION)
    yield from pay(t, player, cost)
    return True


@word("effect", "copy {what:objects}", ("copy {what:objects}. you may choose new targets "
                                        "for the copy", {"retarget": True}),
      ("copy {what:objects}; you may choose new targets for the copy", {"retarget": True}),
      ("copy {what:objects}, except (the copy|it) (is not|isn't) legendary [if the spell is legendary]",
       {"legend": False}), rule="707.10")  # fmt: skip
def copy(t: Table, what: tuple[int, ...], retarget: bool = False, legend: bool = True) -> Run[tuple[int, ...]]:
    """Copy spells or abilities on the stack with all decisions made for them; the copy is not cast (707.10).

    Args:
        t: The table.
        what: Spells and abilities on the stack.
        retarget: Whether its controller may choose new targets (707.10c).
        legend: Whether a legendary spell's copy is legendary too.

    Returns:
        The copies.
    """
    made = []
    for item in what:
        if item not in t.state.stack:
            continue
        thing = t.state.objects[item]
        card = thing.copies or thing.card
        if card is not None and not legend:
            card = card.without_supertype("Legendary")
        kind = "ability" if thing.kind == "ability" else "copy"
        cast = thing.cast.but(by=t.frame.you) if thing.cast is not None else None
        memory = thing.memory.but(you=t.frame.you) if thing.memory is not None else None
        new = t.create(Object(
            0, kind, card, t.frame.you, t.frame.you, "stack", thing.label if kind == "ability" else "", cast=cast,
            ability=thing.ability, memory=memory, face=thing.face,
        ))  # fmt: skip
        logged = yield from t.did(Event("copied", t.frame.you, (new,), source=item))
        t.change(new, born=logged.number)
        made.append(new)
        if retarget:
            yield from new_targets(t, new, t.frame.you, "707.10c")
        yield from tell_targets(t, new, logged)
    return tuple(made)


@word("effect", "change the target of {what:objects}", "change the target[s] of {what:objects}", rule="115.7a",
      op="change the target")  # fmt: skip
def change_the_target(t: Table, what: tuple[int, ...]) -> Run[None]:
    """Change a spell's target to another legal one; if there is none it stays (115.7a)."""
    from rulekit.engine import targets
    from rulekit.engine.resolving import effects_of, frame_of

    for item in what:
        thing = t.state.objects.get(item)
        if thing is None or thing.cast is None:
            continue
        frame = frame_of(t, item)
        terms = {term.args[0]: term for term in targets.asked(frame, effects_of(t.state, item))}
        changed = dict(thing.cast.targets)
        for slot, chosen in thing.cast.targets:
            others = [c for c in targets.legal(frame, terms[slot], thing.ability) if c not in chosen]
            if chosen and others:
                prompt = f"the new target of {t.state.name(item)}"
                new = yield from t.ask(t.frame.you, "choose target", others, rule="115.7a", prompt=prompt)
                changed[slot] = (new, *chosen[1:])
        if changed != dict(thing.cast.targets):
            t.change(item, cast=thing.cast.but(targets=tuple(sorted(changed.items()))))
            logged = yield from t.did(Event("target changed", t.frame.you, (item,)))
            yield from tell_targets(t, item, logged, thing.cast)


@word("effect", "you may choose new targets for {what:objects}", "choose new targets for {what:objects}", rule="115.7d",
      op="choose new targets", refusable=True)  # fmt: skip
def choose_new_targets(t: Table, what: tuple[int, ...]) -> Run[None]:
    """Let a player choose new targets for a spell or copy; any may stay (115.7d)."""
    for item in what:
        if item in t.state.stack:
            yield from new_targets(t, item, t.frame.you)


@word("effect",
      ("(you may|may) (play|cast) {what:objects} this turn", {"until": "this turn"}),
      ("until end of turn , you may (play|cast) {what:objects}", {"until": "this turn"}),
      ("you may (play|cast) {what:objects} until end of turn", {"until": "this turn"}),
      ("you may (play|cast) {what:objects} for as long as it remains exiled", {"until": "while there"}),
      ("you may cast {what:objects} for as long as it remains exiled, and mana of any type can be spent to cast "
       "(it|that spell)",
       {"until": "while there", "any_type": True}),
      ("you may cast {what:objects} this turn without paying its mana cost", {"until": "this turn", "free": True}),
      rule="601.3b", op="permit")  # fmt: skip
def permit(
    t: Table, what: tuple[int, ...], until: str = "this turn", any_type: bool = False, free: bool = False
) -> Run[None]:
    """Allow a player to play or cast cards from where they are now, at the usual times (601.3b, 118.9).

    Args:
        t: The table.
        what: The cards; each of them where a replacement effect made several (701.17d).
        until: "this turn", or "while there": as long as they stay in that zone.
        any_type: Whether mana of any type can be spent (609.4b).
        free: Whether their mana costs need not be paid.
    """
    now = tuple(number for number in what if number in t.state.objects)
    if now:
        ends = ("this turn", t.state.turn.number) if until == "this turn" else ("while there", now)
        t.add_effect(None, None, (Term("may play them", (now, any_type, free)),), ends)
    return
    yield


def _castable_faces(state: State, player: str, number: int) -> list[int]:
    """Return the faces of a card that a player could cast now without paying a mana cost, timing aside."""
    thing = state.objects.get(number)
    if thing is None or thing.card is None or forbidden_to_cast(state, player, number) is not None:
        return []
    faces = castable_faces(thing.card)
    return [i for i in faces if castable(state, player, Action("cast", number, way=FREE, face=i), ())]


def _can_cast(frame: Frame, who: Any, what: Any) -> bool:
    state = frame.state
    return any(_castable_faces(state, name, number) for name in frame.players(who) for number in frame.objects(what))


@word("effect", "{who:players} cast[s] {what:objects} without paying its mana cost",
      ("cast {what:objects} without paying its mana cost", {"who": YOU}), rule="608.2g", op="cast without paying",
      possible=_can_cast)  # fmt: skip
def cast_without_paying(t: Table, who: tuple[str, ...], what: tuple[int, ...]) -> Run[tuple[int, ...]]:
    """Cast cards as part of carrying out an effect, additional costs apart for nothing (608.2g, 118.9).

    Returns:
        The spells on the stack.
    """
    outer, cause, rule = t.frame, t.cause, t.rule
    spells: list[int] = []
    for player in who:
        for number in what:
            faces = _castable_faces(t.state, player, number)
            if not faces:
                continue
            card = t.state.objects[number].card
            words = [card.faces[face].name if card is not None and card.faces else str(face) for face in faces]
            face = yield from t.ask(player, "choose mode", faces, rule="608.2g", prompt="cast which face?", words=words)
            action = Action("cast", number, way=FREE, face=face)
            spells.append((yield from cast_for(t, player, action, (), cause)))
            t.frame, t.cause, t.rule = outer, cause, rule
    t.frame.said["it"] = tuple(spells)
    return tuple(spells)


def send_on_adventure(t: Table, item: int) -> Run[None]:
    """Exile an Adventure spell that has resolved; its creature may be cast from there (715.3d)."""
    moved = yield from t.move((item,), "exile", rule="715.3d")
    now = tuple(number for number in moved if t.state.objects[number].zone == "exile")
    if now:
        t.add_effect(None, None, (Term("may play them", (now, False, False, (0,))),), ("while there", now))


@word("effect", "{who:players} reveal[s] (their|your) hand", ("reveal your hand", {"who": YOU}), rule="701.20a",
      op="reveal hand")  # fmt: skip
def reveal_hand(t: Table, who: tuple[str, ...]) -> Run[None]:
    """Show hands to all players (701.20a)."""
    for player in who:
        hand = t.state.zone("hand", player)
        t.frame.said["revealed"] = t.frame.said["hand"] = hand
        t.frame.said["those"] = hand
        yield from t.did(Event("revealed", player, hand, n=len(hand)))


@word("effect", "you choose {what:filter} from (it|that hand|among them|those cards)",
      "you choose {n:number} {what:filter} from (it|that hand|among them|those cards)", rule="608.2d",
      op="choose from revealed")  # fmt: skip
def choose_from_revealed(t: Table, what: Term, n: Any = 1) -> Run[tuple[int, ...]]:
    """Choose among the revealed cards."""
    chosen: list[int] = []
    for _ in range(t.count(n)):
        options = [c for c in t.frame.said.get("revealed", ()) if c not in chosen and c in t.state.objects]
        options = [c for c in options if t.frame.fits(what, c)]
        if options:
            chosen.append((yield from t.ask(t.frame.you, "choose card", options, rule="608.2d", prompt="choose")))
    t.frame.said["it"] = t.frame.said["chosen"] = tuple(chosen)
    return tuple(chosen)


@word("effect",
      "{what:objects} gain[s] flashback until end of turn, the flashback cost being its mana cost",
      "{what:objects} gain[s] flashback until end of turn. the flashback cost is equal to its mana cost",
      rule="702.34a", op="gains flashback")  # fmt: skip
def gains_flashback(t: Table, what: tuple[int, ...]) -> Run[None]:
    """Give cards flashback until end of turn at the price of their mana costs, each half at its own (702.34a)."""
    for number in what:
        cost = t.state.look(number).cost if number in t.state.objects else None
        if cost is not None:
            ability = keyword_abilities("flashback", (Term("mana", (cost.symbols,)),))[0]
            given = (replace(ability, value=(ITS_COST,)),)
            t.add_effect((number,), None, (Term("has", (given,)),), ("end of turn", t.state.turn.number))
    return
    yield
