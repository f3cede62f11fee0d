"""Steps as attempts: what a player tries at a moment of a game, in the game's words, and whether it is legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rulekit.engine.game import Game
from rulekit.engine.sentences import Teller, listed
from rulekit.engine.state import State
from rulekit.rules import Illegal, RulekitError
from rulekit.scenarios import naming
from rulekit.scenarios.form import COSTS, Step
from rulekit.scenarios.goal import Wrong
from rulekit.scenarios.run import Run

ACTIONS = ("activate", "cast", "attack", "block", "play", "suspend", "companion")
SECOND = {
    "sacrifice": "sacrificing", "discard": "discarding", "exile": "exiling", "tap": "tapping", "return": "returning",
}  # fmt: skip


@dataclass(frozen=True)
class Attempt:
    """Something that a player tries.

    Attributes:
        step: What is tried.
        game: The game as it stands then.
        legal: Whether the rules allow it.
    """

    step: Step
    game: Game
    legal: bool

    @property
    def words(self) -> str:
        """What is tried, by whom and when, as players say it."""
        return said(self.step, self.game)


def tried(step: Step, game: Game) -> Attempt | None:
    """Return an attempt with what the engine says to it; None where it makes no sense as things stand."""
    try:
        Run(game, (), ()).after(step)
    except Illegal:
        return Attempt(step, game, False)
    except (Wrong, RulekitError):
        return None
    return Attempt(step, game, True)


def attempts(run: Run) -> tuple[Attempt, ...]:
    """Return what is tried in a run that went well, in its order: what was done, and what was refused."""
    found = []
    for step, game in zip(run.do, run.moments, strict=False):
        if step.kind == "illegal":
            found.append(Attempt(step.value, game, False))
        elif step.kind in ACTIONS:
            found.append(Attempt(step, game, True))
    return tuple(found)


def others(attempt: Attempt) -> Iterator[Attempt]:
    """Yield the same attempt otherwise: with another last target, and at the beginning of combat."""
    yield from _at_other_targets(attempt)
    state = attempt.game.state
    if attempt.step.kind in ("cast", "activate") and state.turn.step == "precombat main" and not state.stack:
        try:
            later = Run(attempt.game, (), ()).after(Step("go to", "beginning of combat"))
        except (Wrong, RulekitError):
            return
        if later.state.priority == state.priority and (other := tried(attempt.step, later)) is not None:
            yield other


def _at_other_targets(attempt: Attempt) -> Iterator[Attempt]:
    """Yield the same attempt with another last target: each player for a player, else each permanent."""
    targets = attempt.step.beside.get("targets", ())
    if not targets:
        return
    state = attempt.game.state
    if targets[-1] in state.players:
        for player in state.players:
            if player not in targets:
                yield from _aimed(attempt, player)
        return
    mine = {naming.meant(state, each) for each in targets}
    for number in state.zones.get(("battlefield", ""), ()):
        label = state.objects[number].label
        if label and number not in mine and naming.fitting(state, label) == [number]:
            yield from _aimed(attempt, label)


def _aimed(attempt: Attempt, target: str) -> Iterator[Attempt]:
    step = attempt.step
    beside = {**step.beside, "targets": (*step.beside["targets"][:-1], target)}
    other = tried(replace(step, beside=beside), attempt.game)
    if other is not None:
        yield other


# ---------------------------------------------------------------- in the words of the game


def called(state: State, label: Any) -> str:
    """Return what players call what a scenario means by a label or a name."""
    if not isinstance(label, str) or label in state.players:
        return str(label)
    number = naming.meant(state, label)
    return Teller(state).name(number) if isinstance(number, int) else label


def said(step: Step, game: Game) -> str:
    """Return a step in the words of the game.

    Args:
        step: What is done or tried.
        game: The game as it stands then.

    Returns:
        "in Alice's end step, Alice activates equip of Bonesplitter, targeting Grizzly Bears".
    """
    state = game.state
    if step.kind in ("attack", "block"):
        return _declared(step, state)
    who = step.beside.get("by") or _acting(game)
    if step.kind == "choose":
        asked = game.decision.prompt.rstrip(".?") if game.decision is not None else "choose"
        answers = step.value if isinstance(step.value, tuple) else (step.value,)
        return f"asked to {asked}, {who} answers {listed([called(state, each) for each in answers])}"
    return f"{moment(state)}, {who} {_DEEDS[step.kind].format(_what(step, state))}{_choices(step, state)}"


_DEEDS = {
    "cast": "casts {}", "activate": "activates {}", "play": "plays {}", "suspend": "suspends {}",
    "companion": "puts the companion {} into their hand",
}  # fmt: skip


def _acting(game: Game) -> str:
    return game.state.priority or (game.decision.player if game.decision is not None else game.state.turn.active)


def moment(state: State) -> str:
    """Return when something is: "in Alice's end step with Opt on the stack"."""
    step = state.turn.step
    name = f"{step} phase" if step.endswith("main") else f"{step} step"
    stack = f" with {listed([Teller(state).name(each) for each in state.stack])} on the stack" if state.stack else ""
    return f"in {state.turn.active}'s {name}{stack}"


def _what(step: Step, state: State) -> str:
    name = called(state, step.value)
    place = step.beside.get("from")
    origin = f" from {'exile' if place == 'exile' else f'the {place}'}" if place else ""
    return f"{_ability(step, state)} of {name}{origin}" if step.kind == "activate" else f"{name}{origin}"


def _ability(step: Step, state: State) -> str:
    """Return how players call the ability that a step activates."""
    number = naming.meant(state, step.value)
    found = naming.abilities_called(state, number, step.beside.get("ability")) if isinstance(number, int) else []
    if not found:
        return str(step.beside.get("ability", "an ability"))
    abilities = state.look(number).abilities
    ability = abilities[found[0]]
    if not ability.keyword:
        said = (ability.printed or ability.text).replace("~", "this")
        return f'the ability "{said}"'
    short = ability.text.partition(" {")[0]  # its cost is told where it tells abilities apart
    return ability.text if sum(each.text.partition(" {")[0] == short for each in abilities) > 1 else short


def _choices(step: Step, state: State) -> str:
    """Return what is chosen while casting or activating, as the end of a sentence."""
    said = [words for key, value in step.beside.items() if (words := _choice(key, value, state))]
    if step.kind == "cast" and "gift" not in step.beside and _offers_gift(step, state):
        said.insert(0, "without promising the gift")
    return "".join(f", {words}" for words in said)


def _choice(key: str, value: Any, state: State) -> str:
    each = value if isinstance(value, tuple) else (value,)
    names = listed([called(state, one) for one in each])
    if key in COSTS:
        return f"{SECOND[key]} {names}"
    patterns = {
        "gift": "promising the gift to {}", "targets": "targeting {}", "modes": "choosing the mode {}",
        "x": "with X = {}", "divide": "dividing it {}", "paying": "paying {}", "mana": "spending {}",
    }  # fmt: skip
    return patterns[key].format(names) if key in patterns and value != () else ""


def _offers_gift(step: Step, state: State) -> bool:
    number = naming.meant(state, step.value)
    return isinstance(number, int) and any(each.keyword == "gift" for each in state.look(number).abilities)


def _declared(step: Step, state: State) -> str:
    """Return an attack or a block, creature by creature."""
    if not step.value:
        return f"nobody {step.kind}s"
    pairs = [(called(state, mine), called(state, theirs)) for mine, theirs in step.value.items()]
    number = naming.meant(state, next(iter(step.value)))
    who = state.look(number).controller if isinstance(number, int) else state.turn.active
    deeds = [f"{theirs} with {mine}" for mine, theirs in pairs]
    return f"on {state.turn.active}'s turn, {who} {step.kind}s {listed(deeds)}"
