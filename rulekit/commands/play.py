"""Step through a scenario and decide in the terminal.

FILE is a scenario file, or the name of a question that ships with rulekit. Enter does what the scenario does next; the
number of an option decides otherwise. `help` lists what else can be typed, `quit` or the end of input ends.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

from rulekit.engine import sentences, telling
from rulekit.engine.events import Decision, Event
from rulekit.engine.game import Action, Game
from rulekit.rules import BadData, RulekitError, Unknown
from rulekit.scenarios import questions
from rulekit.scenarios.scenario import Scenario
from rulekit.widgets import view
from rulekit.widgets.frames import answer_words
from rulekit.widgets.html import printable

EXAMPLES = """\
  rulekit play my-scenario.yaml
  rulekit play mill/701.17b-library-runs-out
  printf 'next\\nnext\\nlog\\n' | rulekit play my-scenario.yaml
"""
STATUS: dict[int, str] = {}
HELP = """\
Enter or next   what the scenario does next
NUMBER          take this option
all             everybody passes until something happens
undo            take the last decision back
why N           the chain of causes of line N of the log, with what each rule says
position, log   the whole position, everything that has happened
answer          the answer of the scenario
save FILE       write this game as a scenario
quit            end"""
PASS = Action("pass")
MOST_PASSES = 40  # that one `all` stands for
BOLD, DIM = "1", "2"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the scenario."""
    parser.add_argument("file", metavar="FILE", help="a scenario file, or the name of a question of the bank")


def run(options: argparse.Namespace) -> int:
    """Show the question, then answer what is typed until it ends."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    session = Session(_scenario(options.file))
    session.open()
    while True:
        try:
            typed = input(f"{session.prompt} ")
        except EOFError:
            print()
            return 0
        if not sys.stdin.isatty():  # what is piped in reads like what was typed
            print(printable(typed))
        words = typed.split(maxsplit=1)
        if words[:1] in (["quit"], ["q"]):
            return 0
        try:
            session.do(*words)
        except (RulekitError, OSError) as refusal:
            print(printable(str(refusal)))


def _scenario(name: str) -> Scenario:
    if Path(name).exists() or name.endswith((".yaml", ".yml")):
        return Scenario.read(name)
    return questions.named(name)


class Session:
    """A scenario on the screen of a terminal.

    Attributes:
        game: The game as it stands.
        line: The games through which the scenario itself goes.
    """

    def __init__(self, scenario: Scenario) -> None:
        """Take a scenario, and carry out its steps to know what comes next."""
        self.scenario = scenario
        self.result = scenario.play()
        if self.result.game is None:
            raise BadData("this scenario cannot begin.", scenario.file)
        self.line = self.result.game.path()
        self.game = self.line[0]
        self._saved: set[Path] = set()

    @property
    def prompt(self) -> str:
        """What stands before what is typed: who decides."""
        asked = self.game.decision
        return printable(f"{asked.player}>" if asked is not None else ">")

    def open(self) -> None:
        """Print the question, the position and the first decision."""
        _say(
            _ink(printable(self.scenario.title), BOLD),
            _wrapped(self.scenario.question),
            "",
            view.state_text(self.game.state),
        )
        self._ask()
        _say("(Enter: next; help: what can be typed)")

    def do(self, word: str = "next", rest: str = "") -> None:
        """Do what was typed.

        Args:
            word: One of the words of `HELP`, or the number of an option.
            rest: What stands behind it.

        Raises:
            RulekitError: It cannot be done; nothing has changed.
        """
        deeds: dict[str, Callable[[str], None]] = {
            "next": self._next, "all": self._all, "undo": self._undo, "why": self._why, "position": self._position,
            "log": self._log, "answer": self._answer, "save": self._save, "help": lambda _: _say(HELP),
        }  # fmt: skip
        if word.isdecimal():
            self._go_on(self._after(self._option(int(word))))
        elif word in deeds:
            deeds[word](rest)
        else:
            raise Unknown("word", word, deeds, "here: help lists them")

    # ---------------------------------------------------------------- what goes on

    def _next(self, _: str) -> None:
        """Follow the scenario up to the next thing that happens or is decided."""
        if not any(self.game is known for known in self.line):
            _say("The scenario does not go this way. Decide by a number, or take decisions back with undo.")
            return
        place = next(place for place, known in enumerate(self.line) if known is self.game)
        if place == len(self.line) - 1:
            self._end()
            return
        on = place + 1
        while on < len(self.line) - 1 and self.line[on].given == PASS and not self._is_news(self.line[on]):
            on += 1
        self._go_on(self.line[on])

    def _all(self, _: str) -> None:
        """Let everybody pass until something happens or somebody must decide something else."""
        game = self.game
        for _time in range(MOST_PASSES):
            if game.decision is None or game.decision.kind != "priority" or self._is_news(game):
                break
            game = self._after(PASS, game)
        self._go_on(game)

    def _undo(self, _: str) -> None:
        if self.game.before is None:
            _say("This is the beginning.")
            return
        self.game = self.game.before
        self._position("")

    def _after(self, answer: object, game: Game | None = None) -> Game:
        """Return the game after an answer; that of the scenario where it is answered so there."""
        game = game or self.game
        same = (later for later in self.line if later.before is game and later.given == answer)
        return next(same, None) or game.decide(answer)

    def _go_on(self, game: Game) -> None:
        """Print what was answered and what has happened since, and go on from there."""
        before, self.game = self.game, game
        for later in game.path()[len(before.path()) :]:
            if later.before is not None and later.before.decision is not None:
                said, rule = answer_words(later.before.decision, later.given)
                _say(printable(f"> {said}" + (f" ({rule})" if rule else "")))
        news = self._lines(_length(before))
        if news:
            _say(*news, "", view.state_text(game.state))
        else:
            _say("", view.state_text(game.state).partition("\n")[0])
        self._ask()

    def _is_news(self, later: Game) -> bool:
        """Return whether something has happened up to a later game that the log tells."""
        return any(event.number >= _length(self.game) for event in telling.told(later.log))

    def _option(self, number: int) -> object:
        """Return the option that a number means."""
        asked = self.game.decision
        if asked is None:
            raise BadData("the game is over.", instead="undo leads back.")
        offers = view.offers(asked, self.game.state)
        if _are_numbers(asked):
            found = next((option for option, word in offers if word == str(number)), None)
        else:
            found = offers[number - 1][0] if 0 < number <= len(offers) else None
        if found is None:
            possible = _span(asked) if _are_numbers(asked) else f"1 to {len(offers)}" if len(offers) > 1 else "1"
            raise BadData(f"there is no option {number} here.", instead=f"Possible: {possible}.")
        return found

    # ---------------------------------------------------------------- what is shown

    def _ask(self) -> None:
        """Print the pending decision as a numbered list."""
        asked, state = self.game.decision, self.game.state
        _say("", _ink(_wrapped(view.decision_words(asked)), BOLD))
        if asked is None:
            return
        if _are_numbers(asked):
            _say(f"Type the number itself: {_span(asked)}.")
            return
        for place, (_, word) in enumerate(view.offers(asked, state), 1):
            _say(_hanging(f"{place:>3}  ", word))

    def _position(self, _: str) -> None:
        _say(view.state_text(self.game.state))
        self._ask()

    def _log(self, _: str) -> None:
        _say(*(self._lines(0) or ["Nothing has happened yet."]))

    def _lines(self, since: int) -> list[str]:
        """Return the log from an event on, with the number by which `why` finds a line."""
        teller = sentences.Teller(self.game.state)
        lines = []
        for group in telling.grouped(self.game.state, self.game.log):
            shown = [(place, event) for place, event in enumerate(group.events) if event.number >= since]
            lines += [f"     {printable(view.upper(group.head))}:"] if shown and group.head else []
            for place, event in shown:
                indent = "  " if group.within(place) else ""
                lines.append(_hanging(f"{event.number + 1:>4} {indent}{event.rule:<9}", teller.tell(event)))
        return lines

    def _why(self, number: str) -> None:
        log = self.game.log
        if not number.isdecimal() or not 0 < int(number) <= len(log):
            possible = f"The log has lines up to {len(log)}." if log else "Nothing has happened yet."
            raise BadData(f"the log has no line {number!r}.", key="why", instead=possible)
        teller = sentences.Teller(self.game.state)
        for depth, event in enumerate(self.game.why(int(number) - 1)):
            _say(_hanging("  " * depth, _because(teller, event)))

    def _answer(self, _: str) -> None:
        _say(_wrapped(self.scenario.answer or "The scenario has no answer in words."))
        for rule in self.scenario.rules:
            _say(_hanging(f"{rule:<9}", telling.paraphrase(rule) or "not in the index"))

    def _end(self) -> None:
        """Say how the scenario came out, at its end."""
        _say("The scenario ends here.")
        for each in self.result.differences:
            _say(printable(f"line {each.line}: expected {each.expected}; found {each.found}"))
        self._answer("")

    def _save(self, name: str) -> None:
        path = Path(name).expanduser() if name else None
        if path is None or (path.exists() and path.resolve() not in self._saved):
            told = f"{path} is there already." if path else "there is no name of a file."
            raise BadData(told, key="save", instead="save NEW-FILE.yaml")
        own = any(self.game is known for known in self.line)
        answer = self.scenario.answer if own else ""
        Scenario.from_game(self.game, self.scenario.title, self.scenario.question, answer).write(path)
        self._saved.add(path.resolve())
        _say(f"Written: {path}")


def _because(teller: sentences.Teller, event: Event) -> str:
    said = f"{view.upper(teller.tell(event))} ({event.rule})"
    rule = telling.paraphrase(event.rule)
    return f"{said}: {rule}" if rule else said


def _are_numbers(asked: Decision) -> bool:
    """Return whether the options are called by numbers, so that a place in a list would be mistaken for one."""
    return bool(asked.words) and all(word.isdecimal() for word in asked.words)


def _span(asked: Decision) -> str:
    numbers = [int(word) for word in asked.words]
    whole = numbers == list(range(numbers[0], numbers[0] + len(numbers))) and len(numbers) > 2
    return f"{numbers[0]} to {numbers[-1]}" if whole else " or ".join(asked.words)


def _length(game: Game) -> int:
    return game.state.log.length if game.state.log is not None else 0


def _width() -> int:
    return max(40, min(view.WIDTH, shutil.get_terminal_size((view.WIDTH, 24)).columns))


def _wrapped(text: str) -> str:
    return printable(textwrap.fill(text, _width()))


def _hanging(start: str, text: str) -> str:
    """Return a text behind a start; its further lines begin below its first word."""
    text = printable(text)
    return textwrap.fill(text, _width(), initial_indent=start, subsequent_indent=" " * len(start)) or start.rstrip()


def _ink(text: str, style: str) -> str:
    """Return a text in a style where there is a terminal that shows it and nobody has asked for none (NO_COLOR)."""
    shows = os.name == "posix" or "WT_SESSION" in os.environ
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not shows or not sys.stdout.isatty()
    return text if plain else f"\x1b[{style}m{text}\x1b[0m"


def _say(*lines: str) -> None:
    print(*lines, sep="\n")
