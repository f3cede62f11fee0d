"""The same question with one thing changed: found in what a scenario says and in what happened in it; no rule here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulekit.engine.abilities import Ability
from rulekit.engine.game import Game
from rulekit.engine.state import State
from rulekit.engine.text import abilities_of
from rulekit.rules import Illegal, Unknown
from rulekit.scenarios import naming
from rulekit.scenarios.attempts import called, said
from rulekit.scenarios.form import Step
from rulekit.scenarios.goal import Wrong
from rulekit.scenarios.run import Run, begin
from rulekit.scenarios.scenario import Scenario

BRUVAC = "Bruvac the Grandiloquent"
PEACE = "Rest in Peace"
MOVES = ("would mill", "would be put into")  # what is replaced where milled cards do not lie in the graveyard as usual
NEWCOMERS = ("Carol", "Dave", "Erin")
WITHOUT = ("resolve", "resolve all", "choose")  # steps that fall away with what they belonged to
LIBRARY = {"card": "Filler", "count": 20}  # what a player has of whom nothing else is said
ABILITIES = ("hexproof", "shroud", "protection from artifacts")


@dataclass(frozen=True)
class Outcome:
    """What became of a varied scenario.

    Attributes:
        game: The game as it ended.
        refused: What could not be done any more, each in words with its rule.
        stopped: What stopped the steps, "" if they went through.
    """

    game: Game
    refused: tuple[str, ...]
    stopped: str


class _Lenient(Run):
    """A run that goes on without the steps that are refused, and without those that belonged to them."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(begin(scenario.given), scenario.do, ())
        self.refused: list[str] = []

    def _do(self, step: Step) -> None:
        try:
            super()._do(step)
        except Illegal as refusal:
            self.refused.append(f"{said(step, self.game)}: not allowed. {refusal.message} ({refusal.rule})")
        except Unknown:
            if not self.refused:
                raise
            self.refused.append(f"nothing is called so any more: {step}")
        except Wrong:
            if step.kind not in WITHOUT or not self.game.state.priority:
                raise
            if step.kind == "choose":
                self.refused.append(f"nobody asks any more: {step}")


def outcome(scenario: Scenario) -> Outcome:
    """Return what becomes of a varied scenario: what is not allowed any more is left out, and told."""
    run = _Lenient(scenario)
    run.play()
    stopped = "; ".join(f"{each.expected}: {each.found}" for each in run.differences)
    return Outcome(run.game, tuple(run.refused), stopped)


def variations(scenario: Scenario, run: Run) -> dict[str, Scenario]:
    """Return scenarios that differ in one thing, by what differs in them; what they expect is unknown.

    Args:
        scenario: The scenario.
        run: A run of it.
    """
    about = _About(scenario, run)
    return {name: varied for family in FAMILIES for name, varied in family(about)}


Varied = Iterator[tuple[str, Scenario]]


class _About:
    """What there is in a scenario that can be changed."""

    def __init__(self, scenario: Scenario, run: Run) -> None:
        self.scenario = scenario
        self.players = scenario.given.players
        self.run = run
        self.state = begin(scenario.given).state
        self.log = run.game.log
        self.entries = {
            entry.get("as") or entry.get("card", ""): (player, entry)
            for player, zones in scenario.given.zones.items()
            for entry in _written(zones.get("battlefield", ()))
        }

    def happened(self, kind: str) -> bool:
        return any(event.kind == kind for event in self.log)

    def name(self, label: str) -> str:
        """Return what players call something, now or in the end."""
        name = called(self.state, label)
        return called(self.run.game.state, label) if name == label else name

    def first(self, *kinds: str, **beside: Any) -> int | None:
        """Return the place of the first step of some kinds, with what must stand beside it."""
        for place in range(len(self.run.moments)):
            step = self.tried(place)
            if step.kind in kinds and all(step.beside.get(key) for key in beside):
                return place
        return None

    def tried(self, place: int) -> Step:
        """Return the step at a place, or what was held to be illegal there."""
        step = self.scenario.do[place]
        return step.value if step.kind == "illegal" else step

    def attached(self, kind: str) -> tuple[str, str, int] | None:
        """Return the labels of what is of a kind and of what it is, or is to be, attached to, and from which step on.

        Args:
            kind: "Equipment" or "Aura".
        """
        for label, (_, entry) in self.entries.items():
            if entry.get("attached to") in self.entries and self.is_a(kind, self.state, label):
                return label, entry["attached to"], 0
        for place, game in enumerate(self.run.moments):
            tried = self.tried(place)
            if tried.kind == "activate" and tried.beside.get("targets"):
                state, target = game.state, tried.beside["targets"][-1]
                if target != tried.value and naming.find(state, target) and self.is_a(kind, state, tried.value):
                    return tried.value, target, place
        return self._became_attached(kind)

    def is_a(self, kind: str, state: State, label: str) -> bool:
        number = naming.find(state, label)
        return number is not None and kind in state.look(number).subtypes

    def _became_attached(self, kind: str) -> tuple[str, str, int] | None:
        state = self.run.game.state
        for event in self.log:
            if event.kind == "attached" and isinstance(event.to, int):
                thing, host = state.get(event.objects[0]).label, state.get(event.to).label
                if self.is_a(kind, state, thing) and naming.find(state, host) and thing != host:
                    return thing, host, len(self.scenario.do)
        return None

    def controller(self, label: str) -> str:
        """Return who controls something, in the beginning or else in the end."""
        for state in (self.state, self.run.game.state):
            number = naming.find(state, label)
            if number is not None:
                return state.look(number).controller
        return self.players[0]

    # ---------------------------------------------------------------- how things are changed

    def given(self, player: str, zone: str, entries: list[Any]) -> Scenario:
        """Return the scenario in which a player has this in a zone and nothing else."""
        given = self.scenario.given
        zones = {**given.zones, player: {**given.zones.get(player, {}), zone: entries}}
        return self.new(given=replace(given, zones=zones))

    def more(self, player: str, zone: str, *entries: Any) -> Scenario:
        """Return the scenario in which a player has more in a zone, at its end."""
        here = self.scenario.given.zones.get(player, {})
        default = [LIBRARY] if zone == "library" else []
        return self.given(player, zone, [*here.get(zone, default), *entries])

    def replacing(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """Return the permanents that replace milling, or where cards go, each with its controller."""
        pool = self.scenario.given.cards
        return tuple(
            (player, entry)
            for label, (player, entry) in self.entries.items()
            if any(_replaces_moves(ability) for ability in abilities_of(pool[entry["card"]]))
            and all(other.get("attached to") != label for _, other in self.entries.values())
        )

    def without(self, player: str, card: str) -> Scenario:
        """Return the scenario in which a player does not control a card."""
        there = self.scenario.given.zones[player]["battlefield"]
        others = [each for each, entry in zip(there, _written(there), strict=True) if entry.get("card") != card]
        return self.given(player, "battlefield", others)

    def step(self, place: int, *steps: Step) -> Scenario:
        """Return the scenario with more steps, before the step at a place."""
        do = self.scenario.do
        return self.new(do=(*do[:place], *steps, *do[place:]))

    def beside(self, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Scenario:
        """Return the scenario with something else beside its steps."""
        tried = map(self.tried, range(len(self.scenario.do)))
        return self.new(do=tuple(replace(step, beside=change(step.beside)) for step in tried))

    def new(self, **changes: Any) -> Scenario:
        """Return the scenario changed; what it expected, and what it held to be illegal, is not asked of it."""
        steps = changes.pop("do", self.scenario.do)
        plain = tuple(step.value if step.kind == "illegal" else step for step in steps if step.kind != "expect")
        return replace(self.scenario, do=plain, expect=(), **changes)


def _written(entries: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    for entry in entries:
        yield {"card": entry} if isinstance(entry, str) else entry


def _replaces_moves(ability: Ability) -> bool:
    """Return whether an ability replaces milling, or where cards go, and not only where its own card goes."""
    if ability.kind != "replacement" or ability.event is None:
        return False
    return ability.event.op in MOVES and all(term.op != "watch these" for term in ability.event.walk())


def _instruct(kind: str, label: str, **beside: Any) -> Step:
    return Step("instruct", {kind: label, **beside})


# ---------------------------------------------------------------- families


def _of_milling(about: _About) -> Varied:
    if not (about.happened("milled") or "mill" in about.scenario.tags):
        return
    bruvac = {"card": BRUVAC, "as": "another Bruvac"}
    for player in about.players:
        yield f"{player} controls one more {BRUVAC}", about.more(player, "battlefield", bruvac)
    replacing = about.replacing()
    for player, entry in replacing:
        yield f"{entry['card']} is not on the battlefield", about.without(player, entry["card"])
    if PEACE not in {entry["card"] for _, entry in replacing}:
        yield f"{PEACE} is on the battlefield", about.more(about.players[-1], "battlefield", {"card": PEACE})
    for milled in dict.fromkeys(event.player or "" for event in about.log if event.kind == "milled"):
        yield f"{milled}'s library is empty", about.given(milled, "library", [])


def _of_libraries(about: _About) -> Varied:
    milled = [event.player for event in about.log if event.kind == "milled"]
    for player in about.players:
        if "library" in about.scenario.given.zones.get(player, {}) or player in milled:
            yield f"one more card in {player}'s library", about.more(player, "library", {"card": "Filler"})


def _of_gifts(about: _About) -> Varied:
    place = about.first("cast", gift=True)
    if place is None:
        return
    step = about.tried(place)
    promised, caster = step.beside["gift"], about.run.moments[place].state.priority
    yield "the gift is not promised", about.beside(_unpromised)
    for other in about.players:
        if other not in (promised, caster):
            yield f"the gift is promised to {other}", about.beside(_promised_to(other))
    newcomer = next(name for name in NEWCOMERS if name not in about.players)
    given = replace(about.scenario.given, players=(*about.players, newcomer))
    yield f"{newcomer} plays too", about.new(given=given)
    joined = _About(about.new(given=given), about.run)
    yield f"{newcomer} plays too, and the gift is promised to {newcomer}", joined.beside(_promised_to(newcomer))
    yield f"{about.name(step.value)} is countered", about.step(place + 1, _instruct("counter spell", step.value))


def _unpromised(beside: Mapping[str, Any]) -> Mapping[str, Any]:
    return {key: value for key, value in beside.items() if key != "gift"}


def _promised_to(player: str) -> Callable[[Mapping[str, Any]], Mapping[str, Any]]:
    return lambda beside: {key: player if key == "gift" else value for key, value in beside.items()}


def _of_targets(about: _About) -> Varied:
    """Vary what is targeted by the first spell that has a target on the battlefield: it leaves, or is protected."""
    place = about.first("cast", targets=True)
    if place is None:
        return
    step, state = about.tried(place), about.run.moments[place].state
    for label in step.beside["targets"]:
        number = naming.find(state, label) if label not in state.players else None
        if number is not None and state.objects[number].zone == "battlefield":
            name = about.name(label)
            yield f"{name} is exiled in response", about.step(place + 1, _instruct("exile", label))
            yield f"{name} has hexproof", about.step(place, _instruct("add ability", label, ability="hexproof"))
            return


def _of_equipment(about: _About) -> Varied:
    pair = about.attached("Equipment")
    if pair is not None:
        yield from _of_pair(about, *pair)


def _of_auras(about: _About) -> Varied:
    """Vary what an Aura and its creature are, where there is no Equipment."""
    pair = about.attached("Aura") if about.attached("Equipment") is None else None
    if pair is not None:
        yield from _of_pair(about, *pair)


def _of_pair(about: _About, equipment: str, creature: str, place: int) -> Varied:
    """Vary what is attached to something, and what that is, from a step on."""
    name, host = about.name(equipment), about.name(creature)
    late = ", in the end," if place == len(about.scenario.do) else ""
    yield from _one_more(about, equipment, creature)
    for ability in ABILITIES:
        given = _instruct("add ability", creature, ability=ability)
        yield f"{host}{late} has {ability}", about.step(place, given)
    no_creature = _instruct("set types", creature, types=("Artifact",))
    yield f"{host}{late} is an artifact and no creature", about.step(place, no_creature)
    for label, what in ((creature, host), (equipment, name)):
        other = next(player for player in about.players if player != about.controller(label))
        taken = _instruct("gain control", label, player=other)
        yield f"{other}{late} controls {what}", about.step(place, taken)


def _one_more(about: _About, equipment: str, creature: str) -> Varied:
    """Vary how many Equipment of the kind are on a creature."""
    if equipment not in about.entries or creature not in about.entries:
        return
    player, entry = about.entries[equipment]
    more = {"card": entry["card"], "as": f"another {entry['card']}", "attached to": creature}
    yield f"another {entry['card']} is attached to {about.name(creature)}", about.more(player, "battlefield", more)


def _of_timing(about: _About) -> Varied:
    """Vary when the first ability is activated or spell cast: in combat, where it was in a main phase."""
    place = about.first("activate", "cast")
    if place is None:
        return
    state = about.run.moments[place].state
    if state.turn.step != "precombat main" or state.stack:
        return
    step = about.tried(place)
    deed = "activated" if step.kind == "activate" else "cast"
    later = Step("go to", "beginning of combat")
    yield f"{about.name(step.value)} is {deed} at the beginning of combat", about.step(place, later)


def _of_mana(about: _About) -> Varied:
    """Vary what the first player who acts can pay with: one mana less where an amount is given, and nothing."""
    place = about.first("activate", "cast")
    player = about.run.moments[place].state.priority if place is not None else None
    if player is None:
        return
    zones = about.scenario.given.zones
    symbols = re.findall(r"\{[^}]+\}", str(zones.get(player, {}).get("mana", "")))
    amounts = {"no mana": "{0}"}
    if symbols:
        less = f"{{{int(symbols[-1][1:-1]) - 1}}}" if symbols[-1][1:-1].isdigit() else ""
        amounts = {"one mana less": "".join([*symbols[:-1], less]) or "{0}"} | amounts
    for words, mana in amounts.items():
        said = {**zones.get(player, {}), "mana": mana}
        given = replace(about.scenario.given, zones={**zones, player: said})
        yield f"{player} has {words}", about.new(given=given)


FAMILIES = (_of_libraries, _of_gifts, _of_equipment, _of_milling, _of_targets, _of_timing, _of_mana, _of_auras)
