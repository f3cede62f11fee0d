"""Replacement and prevention effects: what changes an event before it happens (614, 615, 616).

The words for them are in `would` and `replacements`; each event that they know, and what it carries, stands in `would`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rulekit.cards.card import Card
from rulekit.engine.abilities import WORDS, Ability, Term, abilities_in
from rulekit.engine.attaching import may_be_attached, protection
from rulekit.engine.events import Event, Move, Run, Table, arrival
from rulekit.engine.frame import Frame
from rulekit.engine.happening import looks
from rulekit.engine.layers import rules
from rulekit.engine.once import Once
from rulekit.engine.seen import face_of
from rulekit.engine.state import Cast, Object, State

PREVENT = (Term("prevent that damage", (None, ())),)
STUN = Ability("replacement", "one of its stun counters is removed instead", "122.1d",
               effect=(Term("remove a stun counter instead"),))  # fmt: skip
EXILED_AFTERWARDS = {  # how a spell was cast that is exiled as it leaves the stack
    way: Ability("replacement", way, rule, effect=(Term("it is exiled", ((),)),))
    for way, rule in (("flashback", "702.34a"), ("aftermath", "702.127a"))
}
ONE_BY_ONE = "one by one"  # equal cards may differ all the same
NEVER_ENTER = {"Instant": "304.4", "Sorcery": "307.4"}  # what stays where it is
TOKEN_FIELDS = ("tapped", "counters", "attached_to", "chosen", "facedown", "copies")  # how a token may enter
NEVER = {  # 614.17: what makes an event impossible, by its kind; the first argument says for whom
    "life gained": ("life total can't change", "can't gain life"),
    "searched": ("can't search libraries",),
    "drew": ("can't draw cards",),
}


@dataclass(frozen=True, slots=True)
class Applicable:
    """A replacement or prevention effect that applies to an event.

    Attributes:
        ability: The ability that it comes from, or that an effect has made.
        source: The object that it is on.
        place: Which of the abilities of its source, behind the timestamp of an effect that is none.
        you: The player whose effect it is.
        said: What its words refer to.
    """

    ability: Ability
    source: int
    place: tuple[int, int]
    you: str
    said: tuple[tuple[str, Any], ...] = ()

    @property
    def outcome(self) -> Term:
        """What it makes of the event."""
        return self.ability.effect[0]

    def fact(self, name: str, unsaid: Any = None) -> Any:
        """Return a fact of the word for what it does."""
        return WORDS[self.outcome.op].facts.get(name, unsaid)

    def alike(self) -> tuple[Any, ...]:
        """Return what makes it different from another effect in what it does."""
        ops = {term.op for part in self.ability.effect for term in part.walk()}
        return (self.ability.effect, self.you if "you" in ops else "", self.source if "this" in ops else 0)


# ---------------------------------------------------------------- one event


def replaced(t: Table, event: Event) -> Run[Event | None]:
    """Let replacement and prevention effects change an event before it happens.

    Args:
        t: The table.
        event: What would happen.

    Returns:
        The event as it will happen; None if it cannot happen (614.17), is prevented, or something else has happened
        in its place.
    """
    if _impossible(t.state, event):
        return None
    if event.kind == "drew" and (yield from _dredged(t, event)):
        return None
    if is_entering(event):
        return (yield from _as_it_enters(t, event))
    return (yield from _changed(t, event, lambda _: t.state))


def _impossible(state: State, event: Event) -> bool:
    return any(
        event.player in frame.players(term.args[0])
        for op in NEVER.get(event.kind, ())
        for term, frame in rules(state, op)
    )


def is_entering(event: Event) -> bool:
    """Return whether a permanent would enter the battlefield."""
    return event.kind == "moved" and event.to == "battlefield"


def _changed(t: Table, event: Event, view: Callable[[Event], State]) -> Run[Event | None]:
    """Apply effects to an event one after another until none is left that has not been applied (616.1, 614.5)."""
    used = set(t.applied)
    now: Event | None = event
    while now is not None:
        at = view(now)
        options = [each for each in _applicable(at, now) if (each.source, each.place, each.ability) not in used]
        if not options:
            break
        chosen = options[0] if len(options) == 1 else (yield from _choose(t, now, options, at))
        used.add((chosen.source, chosen.place, chosen.ability))
        among = tuple(dict.fromkeys(each.source for each in options))
        now = yield from _apply(t, chosen, now, frozenset(used), at, among)
    return now


def _choose(t: Table, event: Event, options: list[Applicable], at: State) -> Run[Applicable]:
    """Let the affected player, or who controls the affected object, choose which effect applies next (616.1)."""
    first = min(each.fact("first", 4) for each in options)
    options = [each for each in options if each.fact("first", 4) == first]
    differ = {each.alike() for each in options}
    if len(differ) == 1 or all(each.fact("entering") for each in options):
        return options[0]
    sources = tuple(dict.fromkeys(each.source for each in options))
    if len(sources) == 1:
        return options[0]
    chosen = yield from _chosen_for_all(t, event, sources, at)
    return next(each for each in options if each.source == chosen)


def _chosen_for_all(t: Table, event: Event, sources: tuple[int, ...], at: State) -> Run[int]:
    """Ask which effect applies first, once for all equal cards that move together unless they are to differ (616.1)."""
    thing = at.objects.get(event.objects[0]) if event.kind == "moved" and event.objects else None
    moved = (looks(thing), event.to, sources) if thing is not None else ()
    chosen = t.batch.chosen.get(moved) if moved else None
    if isinstance(chosen, int):
        return chosen
    several = chosen is None and thing is not None and t.batch.equal[looks(thing)] > 1
    options = (*sources, ONE_BY_ONE) if several else sources
    words = [*map(at.name, sources), ONE_BY_ONE][: len(options)]
    prompt = "which effect applies first"
    if thing is not None:
        prompt += f" to {'each ' if several else ''}{at.name(thing.number)}"
    answer = yield from t.ask(
        _affected(at, event), "order replacement effects", options, rule="616.1", prompt=prompt, words=words
    )
    if several:
        t.batch.chosen[moved] = answer
    return (yield from _chosen_for_all(t, event, sources, at)) if answer == ONE_BY_ONE else answer


def _affected(state: State, event: Event) -> str:
    """Return the player who chooses: the affected one, or the controller or owner of the affected object (616.1)."""
    if event.kind == "damage":
        return event.to if isinstance(event.to, str) else state.look(int(event.to or 0)).controller
    if event.objects:
        return state.look(event.objects[0]).controller
    return event.player or state.turn.active


def _apply(
    t: Table, each: Applicable, event: Event, used: frozenset[Any], at: State, among: tuple[int, ...]
) -> Run[Event | None]:
    """Apply one effect of those that could be applied; what happens in place of the event is caused by it."""
    said = dict(each.said) | _spoken_of(event, at)
    frame = Frame(t, each.you, each.source, event=event, cast=_cast_of(at, each, event), said=said)
    frame.said["would"] = each.ability.event
    outer = (t.frame, t.cause, t.applied, t.rule)
    t.frame, t.applied = frame, used
    asks = each.fact("asks")
    agreed = asks is None or (yield from asks(t, frame, event, *each.outcome.args))
    result: Event | None = event
    if agreed:
        told = t.cause = _log(t, each, event, at, frame.said.get("copied"), among).number
        result = yield from WORDS[each.outcome.op].body(t, frame, event, *each.outcome.args)
        result = result.but(cause=told) if result is not None else None
    t.frame, t.cause, t.applied, t.rule = outer
    return result


def _cast_of(at: State, each: Applicable, event: Event) -> Cast | None:
    """Return what a spell that becomes a permanent knows of its casting: X, whether it was kicked (107.3m, 400.7d)."""
    own = each.source in event.objects and is_entering(event)
    return at.objects[each.source].cast if own and event.moves[0].origin == "stack" else None


def _spoken_of(event: Event, at: State) -> dict[str, Any]:
    """Return what the words of an effect refer to."""
    said: dict[str, Any] = {"n": event.n}
    hit = (event.to,) if event.kind == "damage" and isinstance(event.to, int) else event.objects
    if hit:
        said["it"] = tuple(hit)
    player = event.to if event.kind == "damage" else event.player
    if isinstance(player, int):
        player = at.look(player).controller
    if player:
        said["player"] = (player,)
    return said


def _log(
    t: Table, each: Applicable, event: Event, at: State, copied: int | None = None, among: tuple[int, ...] = ()
) -> Event:
    rule = each.ability.rule or ("615.6" if each.fact("prevents") else "614.6")
    names = tuple(at.name(number) for number in event.objects)
    there = event.kind == "counters" and event.objects[0] in t.state.battlefield
    what = "counters put" if there else event.kind
    by = "" if each.ability is STUN else at.name(each.source)
    detail: list[tuple[str, Any]] = [("by", by), ("text", each.ability.words), ("what", what)]
    if event.kind == "counters":
        detail.insert(1, ("kind", event.get("kind")))
    if copied is not None:
        detail.insert(1, ("copied", at.name(copied)))
    if len(among) > 1:
        detail.append(("among", among))
    return t.log(Event("replaced", event.player, event.objects, event.n, each.source, event.to, combat=event.combat,
                       detail=tuple(detail), rule=rule, names=names, cause=event.cause))  # fmt: skip


# ---------------------------------------------------------------- which effects apply


@dataclass(frozen=True, slots=True)
class _Printed:
    """The kinds of events that what is printed on a card may replace: as a permanent, its own, and for others."""

    here: frozenset[str]
    own: frozenset[str]
    granted: frozenset[str]
    dredges: bool


def _replacements_in(value: object) -> Iterator[Ability]:
    return (each for each in abilities_in(value) if each.kind == "replacement")


def _kinds(ability: Ability) -> frozenset[str]:
    return frozenset(WORDS[ability.event.op].facts["kinds"]) if ability.event is not None else frozenset()


def is_own(ability: Ability) -> bool:
    """Return whether a replacement effect concerns the object that it is on, wherever that is (614.12, 400.6)."""
    return ability.event is not None and any(term.op == "this" for term in ability.event.walk())


def _what_is_printed(card: Card) -> _Printed:
    from rulekit.engine.text import abilities_of

    abilities = [ability for face in (card, *card.faces) for ability in abilities_of(face)]
    mine = [ability for ability in abilities if ability.kind == "replacement"]
    inner = [each for ability in abilities if ability.kind != "replacement" for each in _replacements_in(ability)]
    return _Printed(
        frozenset(kind for ability in mine for kind in _kinds(ability)),
        frozenset(kind for ability in mine if is_own(ability) for kind in _kinds(ability)),
        frozenset(kind for ability in inner for kind in _kinds(ability)),
        any(ability.keyword == "dredge" for ability in abilities),
    )


_printed = Once(_what_is_printed)


def _kinds_of(event: Event) -> frozenset[str]:
    return frozenset({event.kind, "enters"} if is_entering(event) else {event.kind})


def _applicable(at: State, event: Event) -> list[Applicable]:
    """Return the effects that apply to an event, those of permanents in the order in which they entered first."""
    found = [each for each in _candidates(at, event, _kinds_of(event)) if _applies(at, each, event)]
    found += _of_rules(at, event)
    if any(each.fact("prevents") for each in found) and rules(at, "damage can't be prevented"):
        found = [each for each in found if not each.fact("prevents")]
    return found


def _candidates(at: State, event: Event, kinds: frozenset[str]) -> Iterator[Applicable]:
    cards = [(number, face_of(at.objects[number])) for number in at.battlefield]
    granted = any(card is not None and kinds & _printed(card).granted for _, card in cards) or any(
        kinds & _kinds(each) for effect in at.effects for change in effect.changes
        if not isinstance(change, Ability) for each in _replacements_in(change)
    )  # fmt: skip
    for number, card in cards:
        if granted or (card is not None and kinds & _printed(card).here):
            yield from _of_object(at, number, event, kinds)
    for number in event.objects:
        thing = at.objects.get(number)
        card = face_of(thing) if thing is not None and thing.zone != "battlefield" else None
        if card is not None and (granted or kinds & _printed(card).own):
            yield from _of_object(at, number, event, kinds)
    for effect in at.effects:
        for place, change in enumerate(effect.changes):
            if isinstance(change, Ability) and change.kind == "replacement" and kinds & _kinds(change):
                yield Applicable(change, effect.source, (effect.timestamp, place), effect.you, effect.said)


def _of_object(at: State, number: int, event: Event, kinds: frozenset[str]) -> Iterator[Applicable]:
    seen = at.look(number)
    zone = at.objects[number].zone
    for place, ability in enumerate(seen.abilities):
        if ability.kind == "replacement" and kinds & _kinds(ability):
            own = number in event.objects and is_own(ability)
            entering_itself = number in event.objects and is_entering(event)
            if own or (zone in ability.zones and not entering_itself):
                yield Applicable(ability, number, (0, place), seen.controller)


def _applies(at: State, each: Applicable, event: Event) -> bool:
    term = each.ability.event
    said = dict(each.said) | _spoken_of(event, at)
    frame = Frame(at, each.you, each.source, event=event, cast=_cast_of(at, each, event), said=said)
    return (
        term is not None and bool(WORDS[term.op].body(frame, event, *term.args)) and frame.holds(each.ability.condition)
    )


def _of_rules(at: State, event: Event) -> list[Applicable]:
    """Return what the rules themselves replace or prevent: protection, stun counters, flashback."""
    if event.kind == "damage" and event.n > 0 and event.source and event.to is not None:
        shield = protection(at, event.to, event.source)
        if shield is not None:
            holder = event.to if isinstance(event.to, int) else event.source
            prevention = Ability("replacement", shield, "702.16e", effect=PREVENT)
            return [Applicable(prevention, holder, (0, -1), _affected(at, event))]
    elif event.kind == "untapped" and at.objects[event.objects[0]].count("stun"):
        return [Applicable(STUN, event.objects[0], (0, -1), _affected(at, event))]
    elif event.kind == "moved" and event.moves[0].origin == "stack" and event.to != "exile":
        thing = at.objects.get(event.objects[0])
        if thing is not None and thing.cast is not None and thing.cast.way in EXILED_AFTERWARDS:
            return [Applicable(EXILED_AFTERWARDS[thing.cast.way], thing.number, (0, -1), thing.owner)]
    return []


# ---------------------------------------------------------------- dredge


def _dredged(t: Table, event: Event) -> Run[bool]:
    """Ask whether a draw is replaced by dredging, and do it (702.52a); too small a library offers nothing (702.52b)."""
    state, player = t.state, str(event.player)
    size = state.size("library", player)
    numbers = [number for number in state.zone("graveyard", player) if 0 < _dredge(state, number) <= size]
    if not numbers:
        return False
    if len(numbers) == 1:
        prompt = f"dredge {state.name(numbers[0])} instead of drawing"
        chosen: Any = numbers[0] if (yield from t.may(player, prompt, "702.52a")) else "no"
    else:
        chosen = yield from t.ask(
            player, "choose card", (*numbers, "no"), rule="702.52a", prompt="which card to dredge"
        )
    if chosen == "no":
        return False
    yield from _dredge_it(t, event, chosen, player)
    return True


def _dredge(state: State, number: int) -> int:
    """Return the number of a card's dredge ability, 0 if it has none, or none any more."""
    card = state.objects[number].card
    if card is None or not _printed(card).dredges:
        return 0
    return max((int(ability.value[0]) for ability in state.look(number).with_keyword("dredge")), default=0)


def _dredge_it(t: Table, event: Event, card: int, player: str) -> Run[None]:
    ability = t.state.look(card).with_keyword("dredge")[0]
    outer = (t.frame, t.cause, t.applied, t.rule)
    t.frame, t.rule = Frame(t, player, card, event=event), "702.52a"
    t.cause = _log(t, Applicable(ability, card, (0, 0), player), event.but(objects=(card,)), t.state).number
    yield from t.do(Term("mill", (player, _dredge(t.state, card))))
    returned = yield from t.move((card,), "hand", rule="702.52a")
    yield from t.did(Event("returned", player, returned, rule="702.52a"))
    t.frame, t.cause, t.applied, t.rule = outer


# ---------------------------------------------------------------- entering the battlefield


def as_it_will_be(state: State, event: Event) -> State:
    """Return the State in which the object of an event is on the battlefield as it would enter (614.12)."""
    number = event.objects[0]
    old = state.objects[number]
    zones = {key: tuple(n for n in pile if n != number) if number in pile else pile
             for key, pile in state.zones.items()}  # fmt: skip
    zones["battlefield", ""] = (*zones.get(("battlefield", ""), ()), number)
    new = arrival(old, number, state.turn.number, event)
    return state.but(zones=zones, objects={**state.objects, number: new})


def _as_it_enters(t: Table, event: Event, token: Object | None = None) -> Run[Event | None]:
    """Change how a permanent enters: effects, counters (306.5b), and what it is attached to (301.5e, 303.4f)."""

    def view(now: Event) -> State:
        state = t.state if token is None else t.state.but(objects={**t.state.objects, token.number: token})
        return as_it_will_be(state, now) if is_entering(now) else state

    now = yield from _changed(t, event, view)
    if now is None or not is_entering(now):
        return now
    at = view(now)
    seen = at.look(now.objects[0])
    never = next((rule for kind, rule in NEVER_ENTER.items() if kind in seen.types), None)
    if never is not None:
        t.log(Event("stays", now.player, now.objects, rule=never, names=(seen.name,)))
        return None
    counters = list(now.get("counters") or ())
    if seen.is_a("planeswalker") and seen.loyalty and not any(kind == "loyalty" for kind, _ in counters):
        counters.append(("loyalty", seen.loyalty))
    if counters:
        now = yield from _with_counters(t, now, tuple(counters), at)
    return (yield from _put_on_host(t, now, view(now)))


def _with_counters(t: Table, event: Event, counters: tuple[tuple[str, int], ...], at: State) -> Run[Event]:
    """Let effects change how many counters a permanent enters with (122.6a)."""
    put = []
    controller = at.look(event.objects[0]).controller
    for kind, n in counters:
        putting = Event("counters", controller, event.objects, n, detail=(("kind", kind),))
        result = yield from _changed(t, putting, lambda _: at)
        if result is not None and result.n > 0:
            put.append((kind, result.n))
    return event.with_detail(counters=tuple(put))


def _put_on_host(t: Table, event: Event, at: State) -> Run[Event | None]:
    """Settle what a permanent enters attached to; an Aura that nobody has cast is put on something (303.4f, 303.4g)."""
    number = event.objects[0]
    host = event.get("attached_to")
    if host is not None:
        allowed = may_be_attached(at, number, host)
        if not allowed:
            refused = Event("not attached", at.look(number).controller, (number,), to=host, rule="301.5e")
            t.log(refused.but(names=(at.name(number),)))
        if allowed or not at.look(number).is_a("aura"):
            return event.with_detail(attached_to=host if allowed else None)
    if not at.look(number).is_a("aura"):
        return event
    hosts: list[int | str] = [n for n in at.battlefield if may_be_attached(at, number, n)]
    hosts += [name for name in at.in_game if may_be_attached(at, number, name)]
    if not hosts:
        return event.but(to="graveyard") if at.objects[number].zone == "stack" else None
    chosen = hosts[0]
    if len(hosts) > 1:
        prompt = f"what {at.name(number)} enchants"
        chosen = yield from t.ask(at.look(number).controller, "choose card", hosts, rule="303.4f", prompt=prompt)
    return event.with_detail(attached_to=chosen)


def token_enters(t: Table, token: Object) -> Run[Object | None]:
    """Let effects change how a token enters the battlefield (614.12).

    Args:
        t: The table.
        token: The token as the effect that creates it says, not yet on the battlefield.

    Returns:
        The token as it enters, for `Table.create`; None if it does not enter.
    """
    number = t.state.clock + 1
    outside = token.but(number=number, zone="outside")
    kept = {
        name: getattr(token, name) for name in ("tapped", "counters", "attached_to", "chosen", "facedown", "copies")
    }
    event = Event(
        "moved", token.owner, (number,), to="battlefield", detail=tuple(sorted(kept.items())), names=(token.label,),
        moves=(Move(number, None, token.owner, "outside", "battlefield", card=False),),
    )  # fmt: skip
    now = yield from _as_it_enters(t, event.with_detail(under=token.controller), outside)
    if now is None or not is_entering(now):
        return None
    return arrival(outside, number, t.state.turn.number, now)
