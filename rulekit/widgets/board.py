"""The board: a game that a person steps through, decides in, branches and saves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from rulekit.engine import sentences
from rulekit.engine.actions import Action
from rulekit.engine.events import Decision
from rulekit.engine.game import Game
from rulekit.engine.state import State
from rulekit.rules import BadData, RulekitError, Unknown
from rulekit.widgets import sheet, view
from rulekit.widgets.frames import Frame, Store, answer_words, frame_data, latest_frames, log_data
from rulekit.widgets.html import Html, el, printable
from rulekit.widgets.picture import picture
from rulekit.widgets.turns import TURN

if TYPE_CHECKING:
    from rulekit.widgets.sheet import Sheet

PASS = Action("pass")
FIRST = "first line"
MOST_PASSES = 40  # that one press of "everybody passes" stands for


class Board(anywidget.AnyWidget):
    """A game on the screen, with all lines of play that were tried.

    Attributes:
        play: What the page shows: frames, log, cards, rules and the names of the lines of play.
        index: Which frame is seen, counted from 0; shared with the page.
        title: A question or a name above the board.
        said: The last error, and files to be kept.
    """

    _esm = Path(__file__).with_name("board.js")
    _css = Path(__file__).with_name("board.css")
    play = traitlets.Dict().tag(sync=True)
    index = traitlets.Int(0).tag(sync=True)
    title = traitlets.Unicode("").tag(sync=True)
    said = traitlets.Dict().tag(sync=True)

    def __init__(self, shown: Any, title: str = "", at: int = 0) -> None:
        """Show a game.

        Args:
            shown: A Game, a scenario (its steps are carried out) or its result.
            title: What stands above the board; the question of a scenario without.
            at: The frame that is seen first, counted from 0, from the end if negative.
        """
        game, self._question, self._answer = sheet.question_of(shown)
        self._lines = [game]
        self._names = [FIRST]
        self._line = 0
        self._store = Store()
        self._frames: dict[int, tuple[Game, list[Frame], list[dict[str, Any]]]] = {}
        super().__init__(title=printable(title or self._question))
        self.on_msg(self._told)
        self._show(at if at >= 0 else len(self.frames) + at)

    # ---------------------------------------------------------------- what is seen

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames of the line of play that is seen."""
        return tuple(frame for game in self._lines[self._line].path() for frame in self._of(game)[1])

    @property
    def frame(self) -> Frame:
        """The frame that is seen."""
        return self.frames[self.index]

    @property
    def game(self) -> Game:
        """The game as it is at the frame that is seen, or up to the decision to which that frame leads."""
        return self.frame.game

    @property
    def lines(self) -> tuple[str, ...]:
        """The names of the lines of play that were tried."""
        return tuple(self._names)

    @property
    def games(self) -> tuple[Game, ...]:
        """The game at the end of each line of play."""
        return tuple(self._lines)

    def show(self, game: Game, *others: Game, names: Sequence[str] = ()) -> None:
        """Show another game, from its beginning on.

        Args:
            game: The game.
            others: The same game as it goes on otherwise, each as a line of play of its own.
            names: What the lines of play are called, that of `game` first; after what differs in them if left out.
        """
        called = [*names, *("" for _ in (game, *others))]
        self._lines, self._names, self._line = [game], [called[0] or FIRST], 0
        self._store, self._frames, self.said = Store(), {}, {}
        for other, name in zip(others, called[1:], strict=False):
            self._lines_of(other, name)
        self._show(0)

    def _lines_of(self, other: Game, name: str = "") -> None:
        """Add a line of play where no line has it."""
        if not any(known is other for line in self._lines for known in line.path()):
            near = max(self._lines, key=lambda line: len({*map(id, line.path())} & {*map(id, other.path())}))
            self._names.append(name or self._name_of(other.path(), near))
            self._lines.append(other)

    def _of(self, game: Game) -> tuple[Game, list[Frame], list[dict[str, Any]]]:
        """Return the frames since the last answer of a game, and what the page is sent of them; made once."""
        known = self._frames.get(id(game))
        if known is None:
            shown = list(latest_frames(game))
            before: State | None = game.before.state if game.before is not None else None
            data = []
            for frame in shown:
                data.append(frame_data(frame, before, self._store))
                before = frame.state
            known = self._frames[id(game)] = (game, shown, data)
        return known

    def _show(self, index: int) -> None:
        """Send the page the line of play that is seen."""
        game = self._lines[self._line]
        path = game.path()
        data = [frame for each in path for frame in self._of(each)[2]]
        taken = [self._taken(before, after) for before, after in pairwise(path)]
        place = 0
        for each, given, option in zip(path, [-1, *taken], [*taken, -1], strict=True):
            for frame in self._of(each)[1]:
                data[place] = data[place] | {"taken": option if frame.pending else given}
                place += 1
        with self.hold_sync():
            self.play = {
                "frames": data, "log": log_data(game, self._store), "parts": list(self._store.parts),
                "faces": list(self._store.faces), "rules": dict(self._store.rules),
                "names": [printable(name) for name in self._names], "line": self._line,
            }  # fmt: skip
            self.index = min(index, len(data) - 1)

    def _taken(self, before: Game, after: Game) -> int:
        decision = before.decision
        offers = view.offers(decision, before.state) if decision is not None else ()
        given = [answer for answer, _ in offers]
        return given.index(after.given) if after.given in given else -1

    # ---------------------------------------------------------------- what the person does

    def decide(self, answer: Any) -> None:
        """Answer the decision that is asked at the frame that is seen; at an earlier frame that begins a new line.

        Where nothing is pending, because an answer is being carried out, that answer can be given otherwise.

        Args:
            answer: One of the options, or what an option is called.

        Raises:
            Illegal: The answer is against a rule; nothing has changed.
            Unknown: No option is called so.
            BadData: Nothing is asked at this frame.
        """
        asked = self.frame.asked
        if asked is None or asked.decision is None:
            raise BadData("nothing is asked at this step.", instead="Go to another one.")
        self._go_on(self._after(asked, _option(asked.decision, answer)))

    def pass_all(self) -> None:
        """Let every player pass until something happens, or somebody must decide something else."""
        game = self.frame.asked or self.game
        for _ in range(MOST_PASSES):
            if game.decision is None or game.decision.kind != "priority":
                break
            before = len(game.log)
            game = self._after(game, PASS)
            if len(game.log) > before:
                break
        self._go_on(game)

    def switch(self, line: int) -> None:
        """Show another line of play, at the last frame that both have in common.

        Args:
            line: Which, counted from 0.
        """
        if not 0 <= line < len(self._lines):
            raise Unknown("line of play", str(line), map(str, range(len(self._lines))))
        seen = {id(game) for game in self.game.path()}
        self._line = line
        common = [game for game in self._lines[line].path() if id(game) in seen]
        self._show(sum(len(self._of(game)[1]) for game in common) - 1)

    def go_to(self, kind: str) -> None:
        """See the first step at which something of a kind has just happened, or must be decided.

        Args:
            kind: Of an event, such as "gift promised", or of a decision, such as "order triggers".

        Raises:
            Unknown: Nothing of this kind happens in the line of play that is seen.
        """
        kinds = []
        for place, frame in enumerate(self.frames):
            decision = frame.game.decision if frame.rest else None
            here = {frame.event.kind if frame.event else "", decision.kind if decision else ""}
            if kind in here:
                self.index = place
                return
            kinds += sorted(here)
        raise Unknown("event or decision", kind, kinds, "in this line of play")

    def forward(self) -> None:
        """See the next frame."""
        self.index = min(self.index + 1, len(self.frames) - 1)

    def back(self) -> None:
        """See the frame before."""
        self.index = max(self.index - 1, 0)

    def why(self) -> tuple[str, ...]:
        """Return the chain of causes of what has just happened, each in words with its rule."""
        frame = self.frame
        if frame.event is None:
            return ()
        teller = sentences.Teller(self._lines[self._line].state)
        return tuple(f"{teller.tell(event)} ({event.rule})" for event in frame.game.why(frame.event))

    def scenario(self, title: str = "") -> str:
        """Return the line of play that is seen as the text of a scenario file."""
        from rulekit.scenarios.scenario import Scenario

        game = self._lines[self._line]
        return Scenario.from_game(game, title or "A game on the board", self._question, self._answer).text

    def sheet(self) -> Sheet:
        """Return the answer sheet: position, what was done, the log with its rules, the answer."""
        return sheet.Sheet(self._lines[self._line], self._question or self.title, self._answer)

    def _after(self, game: Game, answer: Any) -> Game:
        """Return the game after an answer; the one that the line of play has already, if it was answered so there."""
        known = (later for line in self._lines for later in line.path() if later.before is game)
        same = next((later for later in known if later.given == answer), None)
        return same if same is not None else game.decide(answer)

    def _go_on(self, after: Game) -> None:
        """Show a game; where the line of play goes on otherwise, a new one begins."""
        path = after.path()
        line = self._lines[self._line]
        on = [place for place, known in enumerate(self._lines) if any(game is after for game in known.path())]
        if not on and any(game is line for game in path):
            self._lines[self._line] = after
        elif self._line not in on:
            if not on:
                self._names.append(self._name_of(path, line))
                self._lines.append(after)
            self._line = on[0] if on else len(self._lines) - 1
        self._show(sum(len(self._of(game)[1]) for game in path) - 1)

    def _name_of(self, path: tuple[Game, ...], line: Game) -> str:
        """Return the name of a new line of play: where it leaves another, and by which answer."""
        old = {id(game) for game in line.path()}
        first = next(game for game in path if id(game) not in old)
        before = first.before
        step = sum(len(self._of(game)[1]) for game in path if id(game) in old)
        said = answer_words(before.decision, first.given)[0] if before is not None and before.decision else ""
        return f"line {len(self._lines) + 1}, from step {step}: {said}"

    def _told(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """Do what was pressed in the page; an error is shown there."""
        with TURN:
            try:
                self.index = min(int(message.get("frame", self.index)), len(self.frames) - 1)
                self.said = self._do(message)
            except RulekitError as refusal:
                self.said = {"error": printable(str(refusal))}
            except Exception as failure:  # noqa: BLE001 - JupyterLab would show nothing at all
                self.said = {"error": printable(f"rulekit failed here: {type(failure).__name__}: {failure}")}
        self.send({"answered": True})

    def _do(self, message: dict[str, Any]) -> dict[str, Any]:
        if message.get("do") == "decide":
            asked = self.frame.asked
            decision = asked.decision if asked is not None else None
            offers = view.offers(decision, asked.state) if asked is not None and decision is not None else ()
            self.decide(offers[int(message["option"])][0])
        elif message.get("do") == "pass all":
            self.pass_all()
        elif message.get("do") == "switch":
            self.switch(int(message["to"]))
        elif message.get("do") == "save":
            return {"files": [{"name": "scenario.yaml", "kind": "text/yaml", "text": self.scenario()}]}
        elif message.get("do") == "sheet":
            return {"files": self.sheet().files()}
        return {}

    # ---------------------------------------------------------------- the other two forms

    def _still(self) -> Html:
        """Return what a page without a kernel shows: how it began, what happened, how it stands."""
        game = self._lines[self._line]
        begun = game.path()[0].state
        title = [el("p", el("b", self.title))] if self.title else []
        if game.before is None:
            return el("div", *title, view.game_html(game), class_="rk-still")
        start = el("details", el("summary", "How it began"), view.board_table(picture(begun)))
        return el("div", *title, start, view.game_html(game), class_="rk-still")

    def __repr__(self) -> str:
        game = self._lines[self._line]
        begun = [] if game.before is None else [view.state_text(game.path()[0].state), ""]
        return "\n".join([*([self.title, ""] if self.title else []), *begun, view.game_text(game)])

    def _repr_mimebundle_(self, **keys: Any) -> Any:
        forms, about = super()._repr_mimebundle_(**keys) or ({}, {})
        return {**forms, "text/html": str(self._still()), "text/plain": repr(self)}, about


def _option(decision: Decision, answer: Any) -> Any:
    """Return the option that an answer means: itself, or what is called so."""
    if answer in decision.options:
        return answer
    words = decision.words or tuple(map(str, decision.options))
    if answer in words:
        return decision.options[words.index(answer)]
    raise Unknown("option", str(answer), words)
