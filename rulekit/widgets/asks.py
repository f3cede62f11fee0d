"""What can be predicted of a scenario, and how a position is varied: data of the scenario, no rule of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulekit.engine.game import Game
from rulekit.rules import BadData
from rulekit.scenarios import form
from rulekit.scenarios.expect import found_instead
from rulekit.scenarios.form import Check, Given, Step
from rulekit.scenarios.scenario import Scenario

MOST_ASKS = 3
MOST_COUNTED = 200
LEGAL = ("legal", "illegal")
YES_NO = ("yes", "no")
ZONES = ("battlefield", "hand", "graveyard", "exile", "library", "stack", "nowhere")
NUMBERS = ("power", "toughness", "mana value")
BRUVAC = "Bruvac the Grandiloquent"


@dataclass(frozen=True)
class Ask:
    """One thing that can be predicted.

    Attributes:
        words: The question.
        options: The answers to choose from; none where a number is asked.
        answer: What is true.
        check: What of the game it is about; None for whether a step is legal.
    """

    words: str
    options: tuple[str, ...]
    answer: str
    check: Check | None = None

    def found(self, game: Game) -> str:
        """Return what is true in a game; "?" where nothing there is called so."""
        if self.check is None:
            return "?"
        if isinstance(self.check.value, Mapping):
            return _of_pile(self.check, game)
        nothing = -1 if not self.options else None
        return _plain(found_instead(replace(self.check, value=nothing), game))


def asks(scenario: Scenario) -> tuple[Ask, ...]:
    """Return what can be predicted of a scenario: its refusals, then what it expects that is short enough to say."""
    found = [*_refusals(scenario.do), *(ask for check in scenario.expect if (ask := _of(check, scenario)) is not None)]
    return tuple(found[:MOST_ASKS])


def _refusals(steps: tuple[Step, ...]) -> Iterator[Ask]:
    for step in steps:
        if step.kind == "illegal":
            yield Ask(f"legal or illegal: {step.value}", LEGAL, "illegal")


def _of(check: Check, scenario: Scenario) -> Ask | None:
    """Return the question of a check, or None if it is no short one."""
    if check.of in scenario.given.players:
        return _of_player(check)
    if check.what == "next turn":
        return Ask("who takes the next turn?", scenario.given.players, str(check.value), check)
    kind = form.OF_OBJECT.get(check.what) if check.of not in ("", "turn") else None
    if check.what in NUMBERS:
        return Ask(f"{check.what} of {check.of}", (), str(check.value), check)
    if check.what == "zone":
        return Ask(f"zone of {check.of}", ZONES, str(check.value), check)
    if kind == "truth":
        return Ask(f"is {check.of} {check.what}?", YES_NO, _yes(check.value), check)
    if check.what in ("controller", "owner"):
        return Ask(f"{check.what} of {check.of}", scenario.given.players, str(check.value), check)
    return None


def _of_player(check: Check) -> Ask | None:
    whose = f"{check.of}'s {check.what}"
    kind = form.OF_PLAYER[check.what]
    if kind == "pile":
        if isinstance(check.value, int | list | tuple):
            number = check.value if isinstance(check.value, int) else _length(check.value)
            return Ask(_number(check, ""), (), str(number), replace(check, value=number))
        return _of_names(check)
    if kind == "truth":
        return Ask(f"has {check.of} {check.what}?", YES_NO, _yes(check.value), check)
    if kind in ("number", "count"):
        return Ask(whose, (), str(check.value), check)
    return None


def _number(check: Check, named: str) -> str:
    """Return the question of how many things, or things of a name, a player has in a zone."""
    if check.what == "battlefield":
        return f"number of {named or 'permanents'} that {check.of} controls"
    return f"number of {named or 'cards'} in {check.of}'s {check.what}"


def _of_names(check: Check) -> Ask | None:
    """Return the question of whether or how often a name is in a zone."""
    if "count" in check.value:
        return Ask(_number(check, check.value["of"]), (), str(check.value["count"]), check)
    for key, answer in (("has", "yes"), ("lacks", "no")):
        if len(check.value.get(key, ())) == 1 and len(check.value) == 1:
            name = check.value[key][0]
            on = check.what == "battlefield"
            words = f"does {check.of} control {name}?" if on else f"is {name} in {check.of}'s {check.what}?"
            return Ask(words, YES_NO, answer, check)
    return None


def _of_pile(check: Check, game: Game) -> str:
    """Return whether or how often a name is in a zone of a game."""
    if "count" in check.value:
        numbers = range(MOST_COUNTED)
        fitting = (n for n in numbers if found_instead(replace(check, value={**check.value, "count": n}), game) is None)
        return str(next(fitting, "?"))
    name = next(iter(check.value.values()))
    return _yes(found_instead(replace(check, value={"has": name}), game) is None)


def _length(names: Sequence[Any]) -> int:
    """Return how many objects a list of names stands for; "20 Filler" is twenty."""
    return sum(int(str(name).split(" ", 1)[0]) if str(name)[:1].isdigit() else 1 for name in names)


def _yes(value: object) -> str:
    return "yes" if value else "no"


def _plain(found: str | None) -> str:
    return {"true": "yes", "false": "no", None: "?"}.get(found, found or "?")


# ---------------------------------------------------------------- variations


def variations(scenario: Scenario) -> dict[str, Scenario]:
    """Return scenarios that differ in one thing, by what differs in them; what they expect is unknown."""
    found: dict[str, Scenario] = {}
    given = scenario.given
    for player, said in given.zones.items():
        if "library" in said:
            found[f"one more card in {player}'s library"] = _with(scenario, player, "library", ["Filler"])
    if "mill" in scenario.tags:
        for player in given.players:
            found[f"{player} controls one more {BRUVAC}"] = _with(
                scenario, player, "battlefield", [{"card": BRUVAC, "as": "another Bruvac"}]
            )
        found["Rest in Peace is on the battlefield"] = _with(
            scenario, given.players[-1], "battlefield", ["Rest in Peace"]
        )
    if any("gift" in step.beside for step in scenario.do):
        steps = tuple(replace(step, beside=_without(step.beside, "gift")) for step in scenario.do)
        found["the gift is not promised"] = _new(scenario, do=steps)
    return found


def _with(scenario: Scenario, player: str, zone: str, entries: list[Any]) -> Scenario:
    """Return a scenario in which a player has more in a zone, at its end."""
    given: Given = scenario.given
    said = dict(given.zones.get(player, {}))
    said[zone] = [*said.get(zone, []), *({"card": e} if isinstance(e, str) else e for e in entries)]
    return _new(scenario, given=replace(given, zones={**given.zones, player: said}))


def _new(scenario: Scenario, **changes: Any) -> Scenario:
    steps = changes.pop("do", scenario.do)
    plain = tuple(step for step in steps if step.kind not in ("expect", "illegal"))
    return replace(scenario, do=plain, expect=(), **changes)


def _without(beside: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in beside.items() if name != key}


def played(scenario: Scenario) -> tuple[Game, str]:
    """Return the game of a varied scenario as far as its steps go, and what stopped them ("" if nothing did)."""
    result = scenario.play()
    if result.game is None:
        raise BadData("this variation has no game.")
    return result.game, "; ".join(f"{each.expected}: {each.found}" for each in result.differences)
