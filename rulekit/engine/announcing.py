"""Announcing: modes, the gift, kickers, X, and how mana symbols will be paid, all before targets (601.2b)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.engine import targets
from rulekit.engine.abilities import Ability, Term, walk
from rulekit.engine.costs import symbols_of, unpayable
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.grammar import GRAMMAR
from rulekit.engine.mana import choose_form, payable
from rulekit.engine.permissions import cost_depends_on_target, pays_with_target, ways_to_pay
from rulekit.engine.seen import face_of
from rulekit.engine.state import Cast, State
from rulekit.rules import Illegal

MOST_X = 50  # what is offered for X where every mana cost can be paid


def announce(
    t: Table,
    player: str,
    abilities: tuple[Ability, ...],
    effects: tuple[Any, ...],
    costs: tuple[Term, ...],
    activated: Ability | None = None,
) -> Run[tuple[Term, ...]]:
    """Announce modes, the gift, kickers, X, and how mana symbols will be paid (601.2b).

    Args:
        t: The table, with the frame of what is cast or activated.
        player: Who casts or activates it.
        abilities: Those of a spell.
        effects: What it will do.
        costs: What it costs.
        activated: The ability, if it is one.

    Returns:
        All costs, those of kickers among them, with the mana cost that was announced.
    """
    frame, t.step = t.frame, "601.2b"
    item = frame.item
    yield from choose_modes(t, player, effects)
    gift = next((a for a in abilities if a.kind == "additional cost" and a.keyword == "gift"), None)
    if gift is not None and item is not None:
        yield from _promise(t, player, item, effects)
    for place, ability in enumerate(abilities):
        if ability.keyword == "kicker":
            yield from _kick(t, player, place, ability.value, (*costs, *_kicker_costs(frame, abilities)))
    costs = (*costs, *_kicker_costs(frame, abilities))
    if any("X" in cost.args[0] for cost in costs if cost.op == "mana") or any(term.op == "X" for term in walk(costs)):
        yield from _choose_x(t, player, costs, effects, activated)
    elif item is not None and (card := face_of(t.state.objects[item])) is not None and "X" in str(card.cost):
        prompt = f"X of {t.state.name(item)}, whose cost is not paid"
        yield from t.ask(player, "choose number", (0,), rule="107.3b", prompt=prompt)
    return (yield from _choose_symbols(t, player, costs, activated))


def _choose_symbols(t: Table, player: str, costs: tuple[Term, ...], activated: Ability | None) -> Run[tuple[Term, ...]]:
    """Let a player announce how symbols will be paid that leave a choice; return the costs without it (601.2b)."""
    symbols, frame = symbols_of(costs), t.frame
    if not any("/" in symbol for symbol in symbols):
        return costs
    others = tuple(cost for cost in costs if cost.op != "mana")

    def able(form: Sequence[str]) -> bool:
        total = (Term("mana", (tuple(form),)), *others)
        if activated is not None and cost_depends_on_target(t.state, activated):
            return pays_with_some_target(t.state, player, frame, total, activated)
        return payable(frame, player, ways_to_pay(t.state, player, frame, form, frame.x, activated), total)

    form = yield from choose_form(t, player, symbols, able, t.state.name(frame.item or frame.this))
    return (Term("mana", (form,)), *others)


def pays_with_some_target(state: State, player: str, frame: Frame, costs: tuple[Term, ...], ability: Ability) -> bool:
    """Return whether there is a target with which a player could pay costs of an ability."""
    return any(
        pays_with_target(state, player, frame, term, one, costs, ability)
        for term in targets.asked(frame, ability.effect)
        for one in targets.legal(frame, term, ability)
    )


def _kick(t: Table, player: str, place: int, kicker: tuple[Term, ...], costs: tuple[Term, ...]) -> Run[None]:
    """Let the caster pay a kicker if both costs together can be paid (601.2b, 702.33a)."""
    frame = t.frame
    total = (*costs, *kicker)
    able = unpayable(t, player, total) is None
    able = able and payable(frame, player, ways_to_pay(t.state, player, frame, symbols_of(total), frame.x), total)
    prompt = f"pay the kicker {GRAMMAR.say(kicker, 'costs')}?"
    if able and frame.cast is not None and (yield from t.may(player, prompt, "702.33a")):
        keep(t, paid=(*frame.cast.paid, ("kicked", place)))


def _kicker_costs(frame: Frame, abilities: tuple[Ability, ...]) -> tuple[Term, ...]:
    """Return the costs of the kickers that were announced."""
    paid = frame.cast.paid if frame.cast is not None else ()
    return tuple(cost for how, place in paid if how == "kicked" for cost in abilities[place].value)


def _told_mode(does: Any) -> str:
    """Return what a mode does, in words; the number before it says enough where there are none."""
    try:
        return GRAMMAR.say(does)
    except LookupError:
        return "mode"


def choose_modes(t: Table, player: str, effects: tuple[Any, ...]) -> Run[None]:
    """Choose the modes that a text asks for, one after another (601.2b, 700.2)."""
    for term in walk(effects):
        if term.op == "modes":
            low, high, choices = term.args
            chosen: list[int] = []
            while len(chosen) < t.count(high):
                options: list[Any] = [
                    i for i in range(len(choices))
                    if i not in chosen and targets.possible(t.frame, (choices[i],), None)
                ]  # fmt: skip
                if len(chosen) >= t.count(low):
                    options.append("done")
                if not options:
                    break
                words = [f"{i + 1}: {_told_mode(choices[i])}" if isinstance(i, int) else i for i in options]
                mode = yield from t.ask(player, "choose mode", options, rule="601.2b", prompt="mode", words=words)
                if mode == "done":
                    break
                chosen.append(mode)
            keep(t, modes=tuple(chosen))


def _promise(t: Table, player: str, item: int, effects: tuple[Any, ...]) -> Run[None]:
    """Let the caster promise the gift to an opponent (702.174a)."""
    named = t.state.name(item)

    def fits(choice: str) -> bool:
        promised = None if choice == "no" else choice
        before, t.frame.cast = t.frame.cast, Cast(player, promised=promised)
        able = targets.possible(t.frame, effects, None)
        t.frame.cast = before
        return able

    choices = ("no", *t.state.opponents(player))
    options = choices if t.explicit else [choice for choice in choices if fits(choice)]

    def why(answer: Any) -> Illegal:
        if answer is None:
            return Illegal("601.2c", f"{player} cannot cast {named}: there is no legal target.")
        return Illegal("702.174a", f"{player} cannot promise the gift of {named} to {answer}: it goes to an opponent.")

    chosen = yield from t.ask(
        player, "choose opponent", options, rule="702.174a", prompt=f"promise the gift of {named}?", why=why
    )
    if chosen != "no":
        keep(t, promised=chosen)
        yield from t.did(Event("gift promised", player, (item,), to=chosen, rule="601.2b"))


def _choose_x(
    t: Table, player: str, costs: tuple[Term, ...], effects: tuple[Any, ...], activated: Ability | None
) -> Run[None]:
    """Let the value of X be chosen among those that can be paid and leave enough targets (601.2b)."""
    symbols, frame = symbols_of(costs), t.frame
    owner = t.state.players[player]
    if owner.mana == "any":
        most = MOST_X
    else:
        most = next(
            x
            for x in range(200, -1, -1)
            if x == 0 or payable(frame, player, ways_to_pay(t.state, player, frame, symbols, x, activated), costs)
        )
    least = int(any(c.op == "X is not 0" for c in costs))
    options = [x for x in range(least, most + 1) if _refused_x(t, player, x, costs, effects) is None] or [least]
    named = t.state.name(t.frame.this)

    def why(x: int) -> Illegal | None:
        """Say which rule forbids an X that may not be chosen: a cost that cannot be paid, targets, or another."""
        refused = _refused_x(t, player, x, costs, effects) if least <= x <= most else None
        if refused is not None:
            return Illegal(refused.rule, f"{player} cannot choose {x} for X of {named}: {refused.message}")
        rule = "118.3" if owner.mana != "any" and x > most else "601.2b"
        return Illegal(rule, f"{player} cannot choose {x} for X of {named}.")

    x = yield from t.ask(player, "choose number", options, rule="601.2b", prompt=f"X of {named}", why=why)
    keep(t, x=x)


def _refused_x(t: Table, player: str, x: int, costs: tuple[Term, ...], effects: tuple[Any, ...]) -> Illegal | None:
    """Return why costs or targets that speak of X do not allow a value of it; None if they do."""
    spoken = [each for each in (*costs, *effects) if any(term.op == "X" for term in walk(each))]
    if not spoken:
        return None
    before, t.frame.cast = t.frame.cast, (t.frame.cast or Cast(player)).but(x=x)
    refused = unpayable(t, player, costs)
    if refused is None and not targets.possible(t.frame, effects, None):
        refused = Illegal("601.2c", "there are not enough legal targets.")
    t.frame.cast = before
    return refused


def keep(t: Table, **chosen: Any) -> None:
    """Keep a decision of the casting on the object and in the frame."""
    frame = t.frame
    if frame.cast is not None:
        frame.cast = frame.cast.but(**chosen)
        if frame.item is not None:
            t.change(frame.item, cast=frame.cast)
