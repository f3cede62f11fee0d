"""A plan as controls say it: the calls that build it, which are carried out and shown as code alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rulekit.probability.plan import Plan

NONE = "nothing"


@dataclass(frozen=True)
class Call:
    """One call of a method of `Plan`.

    Attributes:
        method: The method.
        args: What stands in parentheses.
        keys: What stands there by name.
    """

    method: str
    args: tuple[Any, ...] = ()
    keys: tuple[tuple[str, Any], ...] = ()

    @property
    def code(self) -> str:
        """The call as code."""
        said = [*map(repr, self.args), *(f"{name}={value!r}" for name, value in self.keys)]
        return f".{self.method}({', '.join(said)})"


def calls(value: Callable[[str], Any]) -> Iterator[Call]:
    """Yield the calls that the controls of the odds lab stand for.

    Args:
        value: Gives the value of a control by its name.
    """
    if value("keep").strip():
        yield Call("opening_hand", (value("hand"),), (("keep", value("keep").strip()),))
    elif value("hand"):
        yield Call("draw", (value("hand"),))
    if value("draws"):
        yield Call("each_turn", (), (("draw", value("draws")),))
    if value("permanent") != NONE:
        since = (("from_turn", value("since")),) if value("since") > 1 else ()
        yield Call("permanent", (value("permanent"),), since)
    if value("text").strip():
        usual = {"chance": "1", "from_turn": 1, "every": 1}
        said = {"chance": value("chance").strip() or "1", "from_turn": value("first"), "every": value("every")}
        keys = tuple((name, each) for name, each in said.items() if each != usual[name])
        yield Call("each_turn", (value("text").strip(),), keys)
    if value("once").strip():
        yield Call("on_turn", (value("at"), value("once").strip()))


def plan_of(on_the_play: bool, steps: tuple[Call, ...]) -> Plan:
    """Return the plan that calls build."""
    plan = Plan(on_the_play=on_the_play)
    for step in steps:
        plan = getattr(plan, step.method)(*step.args, **dict(step.keys))
    return plan


def plan_code(on_the_play: bool, steps: tuple[Call, ...]) -> str:
    """Return the code that builds the same plan, a line for each call."""
    begun = "Plan(on_the_play=True)" if on_the_play else "Plan()"
    return "\n".join(["(", f"    {begun}", *(f"    {step.code}" for step in steps), ")"])
