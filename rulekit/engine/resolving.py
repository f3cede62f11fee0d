"""Putting triggered abilities on the stack and resolving what is on it (603.3, 608)."""

from __future__ import annotations

from typing import Any

from rulekit.engine import targets
from rulekit.engine.abilities import Ability, Term, walk
from rulekit.engine.announcing import choose_modes
from rulekit.engine.casting import aura_target, divide, note_targets, tell_targets
from rulekit.engine.events import Event, Run, Table
from rulekit.engine.frame import Frame
from rulekit.engine.state import Cast, Object, State, Waiting

PERMANENTS = ("Artifact", "Creature", "Enchantment", "Land", "Planeswalker", "Battle")


# ---------------------------------------------------------------- triggers


def _trigger_frame(t: Table, waiting: Waiting) -> Frame:
    memory = waiting.memory
    cast = waiting.cast or Cast(memory.you)
    return Frame(t, memory.you, memory.this, event=memory.event, cast=cast, said=dict(memory.said))


def can_be_put(t: Table, waiting: Waiting) -> bool:
    """Return whether a trigger has the legal targets that it needs (603.3d)."""
    return targets.possible(_trigger_frame(t, waiting), waiting.ability.effect, waiting.ability)


def log_removed(t: Table, waiting: Waiting) -> None:
    """Log that a trigger without a legal target is removed (603.3d)."""
    this = (waiting.memory.this,) if waiting.memory.this else ()
    text = (("text", waiting.ability.words),)
    t.log(Event("trigger removed", waiting.memory.you, this, detail=text, rule="603.3d", cause=waiting.cause))


def put_trigger(t: Table, waiting: Waiting) -> Run[None]:
    """Put a triggered ability on the stack and choose its targets (603.3c, 603.3d)."""
    memory, ability = waiting.memory, waiting.ability
    cast = (waiting.cast or Cast(memory.you)).but(by=memory.you, targets=())
    item = t.create(
        Object(
            0, "ability", None, memory.you, memory.you, "stack", waiting.name, cast=cast, ability=ability, memory=memory
        )
    )
    frame = t.frame = _trigger_frame(t, waiting)
    frame.cast, frame.item = cast, item
    t.rule, t.cause = "603.3", waiting.cause
    yield from choose_modes(t, memory.you, ability.effect)
    yield from targets.choose(t, memory.you, ability.effect, ability)
    note_targets(t, item)
    yield from divide(t, memory.you, ability.effect)
    logged = t.log(Event("put on the stack", memory.you, (item,), rule="603.3", cause=waiting.cause))
    t.change(item, born=logged.number)
    yield from tell_targets(t, item, logged)


# ---------------------------------------------------------------- resolving


def effects_of(state: State, item: int) -> tuple[Any, ...]:
    """Return what a spell or ability on the stack will do, in order: a gift first (702.174j); of an Aura its target."""
    thing = state.objects[item]
    if thing.ability is not None:
        return thing.ability.effect
    enchant = _enchant(state, item)
    if enchant is not None:
        return (aura_target(enchant),)
    spells = [a for a in state.look(item).abilities if a.kind in ("spell", "unread")]
    spells.sort(key=lambda ability: ability.keyword != "gift")
    return tuple(
        term
        for ability in spells
        for term in (ability.effect if ability.kind == "spell" else (Term("unread", (ability.text,)),))
    )


def frame_of(t: Table, item: int) -> Frame:
    """Return the frame in which a spell or ability on the stack resolves."""
    thing = t.state.objects[item]
    memory = thing.memory
    if memory is not None:
        return Frame(t, memory.you if thing.controller == thing.owner else thing.controller, memory.this,
                     event=memory.event, cast=thing.cast, item=item, said=dict(memory.said))  # fmt: skip
    return Frame(t, t.state.look(item).controller, item, cast=thing.cast, item=item, said=_paid_with(thing.cast))


def _paid_with(cast: Cast | None) -> dict[str, Any]:
    """Return what was sacrificed, discarded, exiled or returned to pay for a spell, as its text speaks of it."""
    said: dict[str, Any] = {}
    for how, number in cast.paid if cast is not None else ():
        said[how] = (*said.get(how, ()), number)
    return said


def resolve_top(t: Table) -> Run[None]:
    """Resolve the top object of the stack (608)."""
    item = t.state.stack[0]
    thing = t.state.objects[item]
    frame = t.frame = frame_of(t, item)
    t.cause, t.rule = thing.born, "608.2"
    effects = effects_of(t.state, item)
    enchant = _enchant(t.state, item)
    if thing.ability is not None and thing.ability.kind == "triggered" and not frame.holds(thing.ability.condition):
        yield from _leave(t, item, "did not resolve", "603.4")
        return
    had, kept = targets.still_legal(frame, effects, thing.ability)
    if had and not kept:
        yield from _leave(t, item, "did not resolve", "608.3b" if enchant is not None else "608.2b")
    elif thing.ability is not None:
        yield from t.run(effects)
        yield from _resolved_ability(t, item, thing.ability)
    elif any(kind in t.state.look(item).types for kind in PERMANENTS):
        yield from _become_permanent(t, item, enchant)
    else:
        yield from _resolved_spell(t, item, effects)


def _enchant(state: State, item: int) -> Ability | None:
    if state.objects[item].ability is not None or not state.look(item).is_a("Aura"):
        return None
    return next((a for a in state.look(item).abilities if a.keyword == "enchant"), None)


def _leave(t: Table, item: int, kind: str, rule: str) -> Run[None]:
    """Let something leave the stack without resolving."""
    named = t.state.name(item)
    yield from t.did(Event(kind, t.frame.you, (item,), rule=rule, names=(named,)))
    yield from remove_from_stack(t, item, rule=rule)


def remove_from_stack(t: Table, item: int, to: str = "graveyard", rule: str = "608.2n") -> Run[None]:
    """Put a spell from the stack where it goes; abilities and copies cease to exist (608.2n, 707.10a).

    Args:
        t: The table.
        item: The spell or ability.
        to: The zone of a spell.
        rule: Why it leaves the stack.
    """
    if item not in t.state.objects:
        return
    thing = t.state.objects[item]
    if thing.kind != "card":
        t.cease(item)
        return
    yield from t.move((item,), to, rule=rule)


def _resolved_ability(t: Table, item: int, ability: Ability) -> Run[None]:
    named = t.state.name(item)
    you = t.frame.you
    if item in t.state.objects:
        t.cease(item)
    logged = yield from t.did(Event("resolved", you, (item,), rule="608.2p", names=(named,)))
    yield from _given(t, ability, logged)


def _given(t: Table, ability: Ability, resolved: Event) -> Run[None]:
    """Log the gift as given once the spell or ability that gives it has resolved (702.174c)."""
    cast = t.frame.cast
    if ability.keyword == "gift" and cast is not None and cast.promised is not None:
        left = (("left", True),) if cast.promised not in t.state.in_game else ()
        given = Event("gift given", t.frame.you, resolved.objects, to=cast.promised, rule="702.174c", detail=left)
        yield from t.did(given.but(names=resolved.names))


def _resolved_spell(t: Table, item: int, effects: tuple[Any, ...]) -> Run[None]:
    """Follow an instant's or sorcery's instructions, then put it where it goes (608.2c, 608.2n)."""
    named, you = t.state.name(item), t.frame.you
    gift = next((a for a in t.state.look(item).abilities if a.kind == "spell" and a.keyword == "gift"), None)
    adventure = _on_adventure(t.state, item)
    yield from t.run(effects)
    if item in t.state.objects and adventure:
        from rulekit.engine.instructions.spells import send_on_adventure

        yield from send_on_adventure(t, item)
    else:
        yield from remove_from_stack(t, item)
    t.rule = "608.2p"
    logged = yield from t.did(Event("resolved", you, (item,), rule="608.2p", names=(named,)))
    if gift is not None:
        yield from _given(t, gift, logged)


def _on_adventure(state: State, item: int) -> bool:
    thing = state.objects[item]
    return bool(
        thing.kind == "card" and thing.card and thing.card.layout == "adventure" and thing.cast and thing.cast.face
    )


def _become_permanent(t: Table, item: int, enchant: Ability | None) -> Run[None]:
    """Let a permanent spell enter, attached to its target if it is an Aura (608.3)."""
    named, you = t.state.name(item), t.frame.you
    entering: dict[str, Any] = {"under": you}
    if enchant is not None:
        chosen = t.frame.targets.get(0, ())
        entering["attached_to"] = chosen[0] if chosen else None
    thing = t.state.objects[item]
    if thing.card is not None and thing.card.layout == "modal_dfc" and thing.cast:
        entering["face"] = thing.cast.face
    del entering["under"]
    t.rule = "608.3f" if thing.kind == "copy" else "608.3a" if enchant is None else "608.3c"
    with t.at_once():
        yield from t.move((item,), "battlefield", under=you, entering=entering)
        yield from t.did(Event("resolved", you, (item,), names=(named,)))
    yield from t.follow()


def new_targets(t: Table, item: int, player: str, rule: str = "115.7d") -> Run[None]:
    """Let a player who wants to choose new targets for a spell or ability, where there are any; each may stay (115.7d).

    Args:
        t: The table.
        item: The spell or ability on the stack.
        player: Who may choose.
        rule: The rule that lets them: 707.10c for a copy.
    """
    thing = t.state.objects[item]
    if thing.cast is None or not thing.cast.targets:
        return
    frame = frame_of(t, item)
    terms = {term.args[0]: term for term in targets.asked(frame, effects_of(t.state, item))}
    old = {slot: chosen for slot, chosen in thing.cast.targets if slot in terms}
    others = (c for slot, chosen in old.items() for c in targets.legal(frame, terms[slot], thing.ability)
              if c not in chosen)  # fmt: skip
    prompt = f"choose new targets for {t.state.name(item)}?"
    if next(others, None) is None or not (yield from t.may(player, prompt, rule)):
        return
    changed = dict(thing.cast.targets)
    for slot, chosen in old.items():
        changed[slot] = yield from _retarget(t, frame, player, terms[slot], chosen, thing.ability, rule)
    if changed != dict(thing.cast.targets):
        t.change(item, cast=thing.cast.but(targets=tuple(sorted(changed.items()))))
        logged = yield from t.did(Event("target changed", player, (item,), rule=rule))
        if rule != "707.10c":  # what a copy is aimed at is told once it is there
            yield from tell_targets(t, item, logged, thing.cast)


def _retarget(
    t: Table, frame: Frame, player: str, term: Term, chosen: tuple[int | str, ...], ability: Ability | None, rule: str
) -> Run[tuple[int | str, ...]]:
    result: list[int | str] = []
    for place, one in enumerate(chosen):
        fixed = (*result, *chosen[place + 1 :])
        options = [one, *(c for c in targets.legal(frame, term, ability) if c != one and c not in fixed)]
        prompt = f"a target instead of {t.word_of(one)}"
        result.append((yield from t.ask(player, "choose target", options, rule=rule, prompt=prompt)))
    return tuple(result)


def counts_targets(terms: tuple[Any, ...]) -> int:
    """Return how many target words a text has."""
    return sum(term.op in targets.TARGETS for term in walk(terms))
