"""A scenario: one rules question as data, read strictly and played."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulekit.engine.game import Game
from rulekit.rules import BadData
from rulekit.scenarios import report
from rulekit.scenarios.form import Check, Given, Step
from rulekit.scenarios.nodes import LONGEST, Source, read_nodes
from rulekit.scenarios.reading import Reader
from rulekit.scenarios.recording import Recording, rules_of
from rulekit.scenarios.report import Result
from rulekit.scenarios.run import Run, begin
from rulekit.scenarios.writing import text_of

BANK = Path(__file__).parent / "bank"


@dataclass(frozen=True)
class Scenario:
    """One rules question: a position, what the players do, and what must then be true.

    Attributes:
        title: What it is called.
        rules: The numbers of the rules that decide the answer, the most important first.
        given: The position.
        do: The steps.
        expect: What must be true in the end.
        tags: Words to find it by.
        question: The question in words.
        answer: The answer in words.
        disputed: Why it is held to be wrong, "" if it is not.
        file: Where it stands.
        warnings: What is odd about it and no mistake.
    """

    title: str
    rules: tuple[str, ...] = ()
    given: Given = field(default_factory=Given)
    do: tuple[Step, ...] = ()
    expect: tuple[Check, ...] = ()
    tags: tuple[str, ...] = ()
    question: str = ""
    answer: str = ""
    disputed: str = ""
    file: str = ""
    warnings: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def read(cls, path: str | Path) -> Scenario:
        """Read a scenario file.

        Raises:
            BadData: Its mistakes, each with line, key, what stands there and what may stand there.
        """
        path = Path(path)
        if not path.is_file():
            raise BadData("this is a folder." if path.is_dir() else "there is no such file.", path)
        with path.open("rb") as file:
            data = file.read(4 * LONGEST + 1)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadData("this is no text in UTF-8.", path, data.count(b"\n", 0, error.start) + 1) from None
        return cls.read_text(text, str(path), strict=BANK in path.resolve().parents)

    @classmethod
    def read_text(cls, text: str, name: str = "scenario", strict: bool = False) -> Scenario:
        """Read a scenario from a text.

        Args:
            text: What would stand in the file.
            name: What the file is called in messages.
            strict: Whether the number of a rule that the index lacks and words of a card that are not understood are
                mistakes, as in the package's own bank.

        Raises:
            BadData: Its mistakes.
        """
        source = Source(text, name)
        root = read_nodes(source)
        source.check()
        reader = Reader(source)
        found = reader.top(root) if root is not None else {}
        if strict:
            for line, key, message, instead in reader.doubts:
                source.wrong(line, message, key, instead)
        source.check()
        warnings = tuple(f"{name}:{line}: {key}: {message}" for line, key, message, _ in reader.doubts)
        return cls(**found, file=name, warnings=warnings)

    @classmethod
    def from_game(cls, game: Game, title: str = "", question: str = "", answer: str = "") -> Scenario:
        """Write down a game that was played: its first position, what was done, and where it came to.

        Args:
            game: The game; all that was decided in it since its first position is written.
            title: What the scenario is called; made from the game if left out.
            question: The question in words.
            answer: The answer in words.

        Returns:
            A scenario that passes.

        Raises:
            BadData: The game holds something that the format has no words for.
        """
        recording, turn = Recording(game), game.state.turn
        name = title or f"A game up to turn {turn.number} of {turn.active}, {turn.step}"
        do, expect = recording.steps(), recording.checks()
        found = cls(name, rules_of(game), recording.given(), do, expect, ("recorded",), question, answer)
        again = cls.read_text(found.text, name)
        result = again.play()
        if result.counts_as_failed:
            instead = "Please report it: what was done and decided should lead to the same place again."
            told = f"{result.expected[0]}, found {result.found[0]}"
            raise BadData(f"played again from its steps, this game goes another way: {told}.", instead=instead)
        return again

    @property
    def text(self) -> str:
        """The scenario as the text of a file."""
        return text_of(self)

    def write(self, path: str | Path) -> None:
        """Write the scenario as a file that `rulekit check` reads."""
        Path(path).write_text(self.text, encoding="utf-8")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from rulekit.widgets import view

        return view.forms(self, view.scenario_text(self), view.scenario_html(self))

    def play(self, chance: int = 0) -> Result:
        """Carry out the steps, and compare what is expected with what is found.

        Args:
            chance: The seed by which chance answers, where anything is shuffled.

        Returns:
            What became of it; the same object that `rulekit check` prints.
        """
        run = Run(begin(self.given, chance), self.do, self.expect)
        run.play()
        status = report.PASSED if not run.differences else report.DISPUTED if self.disputed else report.FAILED
        log = report.log_lines(run.game.state)
        return Result(self.file, status, tuple(run.differences), log, self, run.game, self.disputed)
