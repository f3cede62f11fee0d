"""A plan as controls say it: the calls that build it, which are carried out and shown as code alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rulekit.probability.plan import Plan

NONE = "nothing"
Value = Callable[[str], Any]


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


def _opening(value: Value) -> Call | None:
    if value("keep").strip():
        return Call("opening_hand", (value("hand"),), (("keep", value("keep").strip()),))
    return Call("draw", (value("hand"),)) if value("hand") else None


def _draws(value: Value) -> Call | None:
    return Call("each_turn", (), (("draw", value("draws")),)) if value("draws") else None


def _permanent(value: Value) -> Call | None:
    if value("permanent") == NONE:
        return None
    return Call("permanent", (value("permanent"),), (("from_turn", value("since")),) if value("since") > 1 else ())


def _each_turn(value: Value) -> Call | None:
    usual = {"chance": "1", "from_turn": 1, "every": 1}
    said = {"chance": value("chance").strip() or "1", "from_turn": value("first"), "every": value("every")}
    keys = tuple((name, each) for name, each in said.items() if each != usual[name])
    return Call("each_turn", (value("text").strip(),), keys) if value("text").strip() else None


def _once(value: Value) -> Call | None:
    return Call("on_turn", (value("at"), value("once").strip())) if value("once").strip() else None


STANDS_FOR: dict[tuple[str, ...], Callable[[Value], Call | None]] = {
    ("hand", "keep"): _opening,
    ("draws",): _draws,
    ("permanent", "since"): _permanent,
    ("text", "chance", "first", "every"): _each_turn,
    ("once", "at"): _once,
}
"""For the controls of a plan the call that they stand for together, in the order in which a plan is built."""


def calls(value: Value) -> Iterator[Call]:
    """Yield the calls that the controls of the odds lab stand for.

    Args:
        value: Gives the value of a control by its name.
    """
    for means in STANDS_FOR.values():
        call = means(value)
        if call is not None:
            yield call


def plan_of(on_the_play: bool, steps: tuple[Call, ...]) -> Plan:
    """Return the plan that calls build."""
    plan = Plan(on_the_play=on_the_play)
    for step in steps:
        plan = getattr(plan, step.method)(*step.args, **dict(step.keys))
    return plan


def begun(on_the_play: bool) -> str:
    """Return the code with which a plan begins."""
    return "Plan(on_the_play=True)" if on_the_play else "Plan()"


def plan_code(on_the_play: bool, steps: tuple[Call, ...]) -> str:
    """Return the code that builds the same plan, a line for each call."""
    return "\n".join(["(", f"    {begun(on_the_play)}", *(f"    {step.code}" for step in steps), ")"])
