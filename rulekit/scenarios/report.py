"""What became of a scenario: its status, what was expected, what was found, and the log that led there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulekit.engine.state import State
from rulekit.engine.telling import told_log

if TYPE_CHECKING:
    from rulekit.engine.game import Game
    from rulekit.scenarios.scenario import Scenario

PASSED, FAILED, DISPUTED, UNREADABLE = "passed", "failed", "disputed", "unreadable"
LAST_LINES = 12  # of the log, in what is printed


@dataclass(frozen=True)
class Difference:
    """One thing that is not as it should be.

    Attributes:
        line: The line of the scenario.
        expected: What should be.
        found: What is.
    """

    line: int
    expected: str
    found: str


@dataclass(frozen=True)
class Result:
    """What became of a scenario.

    Attributes:
        file: Its file.
        status: "passed", "failed", "disputed" (it failed, and is marked as wrong itself) or "unreadable".
        differences: What was not as expected.
        log: The log, a line for each event, with its rule.
        scenario: The scenario, None if it could not be read.
        game: The game as it ended, None if it could not begin.
        argument: Why the scenario is held to be wrong, if it is.
    """

    file: str
    status: str
    differences: tuple[Difference, ...] = ()
    log: tuple[str, ...] = ()
    scenario: Scenario | None = None
    game: Game | None = None
    argument: str = ""

    @property
    def expected(self) -> tuple[str, ...]:
        """What should have been, one text for each difference."""
        return tuple(each.expected for each in self.differences)

    @property
    def found(self) -> tuple[str, ...]:
        """What was there instead, one text for each difference."""
        return tuple(each.found for each in self.differences)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is odd about the scenario and no mistake, such as the number of a rule that the index lacks."""
        return self.scenario.warnings if self.scenario is not None else ()

    @property
    def counts_as_failed(self) -> bool:
        """Whether a check of this scenario has failed."""
        return self.status in (FAILED, UNREADABLE)

    def as_plain(self) -> dict[str, Any]:
        """Return it as plain values, for JSON."""
        return {
            "file": self.file, "status": self.status, "expected": list(self.expected), "found": list(self.found),
            "log": list(self.log), "warnings": list(self.warnings),
        }  # fmt: skip

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from rulekit.widgets import view

        return view.forms(self, view.result_text(self), view.result_html(self))

    def __str__(self) -> str:
        lines = [f"{self.file}: {self.status}", *(f"  warning: {warning}" for warning in self.warnings)]
        if self.status == PASSED:
            return "\n".join(lines)
        if self.argument:
            lines.append(f"  disputed: {self.argument}")
        if self.status == UNREADABLE:
            return "\n".join([*lines, *(_indented("  ", each.found, 2) for each in self.differences)])
        for each in self.differences:
            where = f"line {each.line}" if each.line else "the end"
            lines += [_indented(f"  {where}, expected: ", each.expected), _indented("  found: ", each.found)]
        if self.log:
            lines += ["  the log, the last lines:", *(f"    {line}" for line in self.log[-LAST_LINES:])]
        return "\n".join(lines)


def _indented(head: str, text: str, deep: int = 4) -> str:
    first, *rest = text.split("\n")
    return "\n".join([head + first, *(" " * deep + line for line in rest)])


def log_lines(state: State) -> tuple[str, ...]:
    """Return the log in words, each line with its rule."""
    return tuple(f"{rule:<9} {sentence}" for rule, sentence in told_log(state))
