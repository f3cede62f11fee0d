"""The odds lab: a deck, a plan, a number that is counted; exact, simulated, compared, exported, and watched."""

from __future__ import annotations

import asyncio
import base64
import sys
import time
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import ipywidgets

from rulekit.cards.deck import Deck
from rulekit.cards.deck_source import open_source
from rulekit.rules import BadData, RulekitError, Unknown
from rulekit.widgets import charts, view
from rulekit.widgets.bars import Bars, rows_of
from rulekit.widgets.board import Board
from rulekit.widgets.html import Html, el, joined, printable
from rulekit.widgets.lab import Bench, Grid
from rulekit.widgets.odds_asked import FURTHEST, Asked, Exacts
from rulekit.widgets.odds_plan import NONE, STANDS_FOR, begun, calls
from rulekit.widgets.panel import FITTING, WIDE, alert, choice, shown, tick, whole
from rulekit.widgets.slider import Slider
from rulekit.widgets.turns import TURN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulekit.engine.game import Game
    from rulekit.probability.answer import Answer
    from rulekit.probability.distribution import Distribution
    from rulekit.probability.workers import Progress

DECK = "24 Island\n4 Ruin Crab\n32 Grizzly Bears"
PERMANENTS = (
    NONE,
    "Bruvac the Grandiloquent",
    "The Water Crystal",
    "Rest in Peace",
    "Leyline of the Void",
)
ASKING = (("count", "turns"), ("condition",), ("trials", "seed"))  # controls of a question, by the line they stand for
CODE = "line-height:1.3;margin:4px 0"
NO_ANSWER = "What stands in the controls has no answer; the lab says why as you change them."
OVERTAKEN = "You have changed the question since the simulation began, so what it found is not shown."
MOST_LISTED = 12
WORKING = "Working it out, then the bars are drawn anew ..."
SHOWN_OF_A_DECK = 40  # characters, in the line of code beside it
WATCHED = 100_000  # trials that are played to find one game
POLLED = 0.1  # seconds between two looks at a simulation


class OddsLab(Bench):
    """How likely it is, exactly and by simulation (`exact`, `simulate`, `compare`).

    The controls, which are also the arguments: `deck`, a list of any program; the plan: `play`, `hand`, `keep`,
    `draws`, `text`, `chance`, `first`, `every`, `once`, `at`, `permanent`, `since`; what is asked: `count`, `turns`,
    `condition`; `trials` and `seed` of a simulation.

    Attributes:
        asked: The question that the controls say.
        answer: The exact answer, None where there is none.
        simulated: The simulated answer to the same question, None before `simulate`.
        kept: The deck and the plan that are compared with, None before `keep`.
    """

    def __init__(self, **values: Any) -> None:
        """Make the lab.

        Args:
            values: What stands in the controls.
        """
        controls = {
            "deck": ipywidgets.Textarea(
                DECK, description="Deck list", rows=8, continuous_update=False, style=WIDE, layout={"width": "32em"}
            ),
            "play": tick("on the play"),
            "hand": whole("Opening hand", 7, 0, 32),
            "keep": _text("Hands kept, with mulligans, such as 2 to 5 lands", ""),
            "draws": whole("Draws each turn", 1, 0, 20),
            "text": _text("Each turn", "mill 3", "mill half their library"),
            "chance": _text("with a chance of", "1"),
            "first": whole("from turn", 1, 1, 50),
            "every": whole("every how many turns", 1, 1, 50),
            "once": _text("Once", "", "mill 10"),
            "at": whole("in turn", 1, 1, 50),
            "permanent": choice("An opponent controls", PERMANENTS),
            "since": whole("since turn", 1, 1, 50),
            "count": _text("Count", "land"),
            "turns": Slider("up to turn", 6, 1, FURTHEST),
            "condition": _text("Condition, such as land >= 4", ""),
            "trials": whole("Trials", 100_000, 1_000, 100_000_000),
            "seed": whole("Seed", 1, 0, 2**31 - 1),
        }
        self.answer: Answer | None = None
        self.simulated: Answer | None = None
        self.kept: Asked | None = None
        super().__init__(controls)
        self._job: asyncio.Task[None] | None = None
        self._now: Progress | None = None
        self._stopped = False
        self._upload = ipywidgets.FileUpload(accept="", multiple=False, description="Load a deck file", layout=FITTING)
        self._upload.observe(self.guarded(self._uploaded), "value")
        self._bars = Bars(self._pressed)
        self._exacts = Exacts()
        self._lines = {names: shown("") for names in (("deck",), ("play",), *STANDS_FOR, *ASKING)}
        self._code, self._read, self._said = shown(""), shown(""), shown("")
        self._progress, self._files = shown(""), shown("")
        self._place = ipywidgets.VBox()
        self._board: Board | None = None
        self.set(**values)

    # ---------------------------------------------------------------- the question

    @property
    def asked(self) -> Asked:
        """The question that the controls say."""
        steps = tuple(calls(self.value))
        return Asked(self.value("deck"), self.value("play"), steps, self.value("count").strip(), self.value("turns"))

    def several(self) -> dict[str, Distribution]:
        """Return the distributions that are shown beside each other, by name."""
        asked, found = self.asked, {}
        if self.answer is not None:
            found["exact"] = self.answer.distribution(asked.count, asked.turns)
        if self.simulated is not None:
            found["simulated"] = self.simulated.distribution(asked.count, asked.turns)
        if self.kept is not None:
            found["kept"] = self._kept_answer(self.kept).distribution(asked.count, asked.turns)
        return found

    def _kept_answer(self, kept: Asked) -> Answer:
        """Return the exact answer to what is asked, of the deck and the plan that were kept."""
        return self._exacts.answer(replace(kept, count=self.asked.count, turns=self.asked.turns))

    @staticmethod
    def title(several: Mapping[str, Distribution]) -> str:
        """Return the question to which distributions are answers, in words."""
        return next((found.title for found in several.values()), NO_ANSWER)

    def run(self) -> None:
        """Work out the exact answer to the question, and show it.

        Raises:
            RulekitError: Deck, plan or question cannot be; nothing is shown then.
        """
        self.answer = self.simulated = None
        asked = self.asked
        self._said.value = "" if self._exacts.has(asked) else el("p", WORKING, role="status")
        self._files.value = ""
        self._place.children = ()
        self._read.value = _deck_html(asked.deck)
        self._show_code()
        try:
            self.answer = self._exacts.answer(asked)
        except RulekitError:
            self._said.value = ""
            raise
        self._show()

    def _show_code(self) -> None:
        """Show the code that gives the same numbers, and beside each control its line of it."""
        self._code.value = el("pre", el("code", self.code), style=CODE)
        for names, line in self._lines.items():
            line.value = el("div", el("code", self.line(names[0])), class_="rk-code-line", style="margin-left:12px")

    def line(self, name: str) -> str:
        """Return the line of code that a control stands for, alone or with others; "" if it adds none.

        Raises:
            Unknown: No control is called so.
        """
        for names, means in STANDS_FOR.items():
            if name in names:
                call = means(self.value)
                return call.code if call is not None else ""
        asked, condition = self.asked, self.value("condition").strip()
        asks = f"deck, plan, count=[{asked.count!r}], turns={asked.turns}"
        lines = {
            "deck": f"Deck.read({_shortened(asked.text)!r})",
            "play": begun(asked.on_the_play),
            "count": f"exact({asks})",
            "condition": f"answer.p({condition!r}, {asked.turns})" if condition else "",
            "trials": f"simulate({asks}, trials={self.value('trials')}, seed={self.value('seed')})",
        }
        lines |= {"turns": lines["count"], "seed": lines["trials"]}
        if name not in lines:
            raise Unknown("control", name, self.controls)
        return lines[name]

    def _show(self) -> None:
        several = self.several()
        if several:
            self._bars.show(self.title(several), several)
        self._said.value = el("div", *(el("p", line) for line in self.sentences()), role="status", style=view.LINES)
        self._show_code()

    def sentences(self) -> tuple[str, ...]:
        """Return what is to be said beside the table: means, the condition, and how it was worked out."""
        from rulekit.probability.distribution import shown as percent

        asked, said = self.asked, []
        kept = self._kept_answer(self.kept) if self.kept is not None else None
        for name, answer in (("exact", self.answer), ("simulated", self.simulated), ("kept", kept)):
            if answer is None:
                continue
            mean: Any = answer.distribution(asked.count, asked.turns).mean()
            told = f"{float(mean):.4f}" if answer.source.is_exact else mean.short()
            said.append(f"{name}: mean {told}. {answer.method}")
            if self.value("condition").strip():
                p = self._chance(answer, self.value("condition").strip())
                said.append(f"{name}: {self.value('condition').strip()} at the end of turn {asked.turns}: {percent(p)}")
        return tuple(said)

    def _chance(self, answer: Answer, condition: str) -> Any:
        """Return the probability of a condition: from the distribution that is shown if it speaks of nothing else."""
        from rulekit.probability.answer import NothingKnown
        from rulekit.probability.condition import read_condition

        asked = self.asked
        if answer.source.is_exact and read_condition(condition, answer.names).names == (asked.count,):
            return answer.distribution(asked.count, asked.turns).p(condition)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NothingKnown)  # the lab says it in words
            return answer.p(condition, asked.turns)

    @property
    def code(self) -> str:
        """The code that gives the same numbers, as a cell of a notebook."""
        return self._code_of("{}")

    def _code_of(self, shown: str) -> str:
        """Return the code that gives the same numbers.

        Args:
            shown: How a value is shown: "{}" in a notebook, "print({})" in a file that is run.
        """
        asked, condition = self.asked, self.value("condition").strip()
        asks = f"deck, plan, count=[{asked.count!r}], turns={asked.turns}"
        names, lines = ["Deck", "Plan"], asked.code()
        if self.kept is not None:
            names.append("compare")
            pairs = "(deck, plan), (deck_kept, plan_kept)"
            lines += self.kept.code("_kept")
            labels = "labels=['exact', 'kept']"
            lines.append(shown.format(f"compare({pairs}, question={asked.count!r}, turn={asked.turns}, {labels})"))
        runs = [("answer", "exact", asks)] if self.kept is None or condition else []
        if self.kept is not None and condition:
            runs.append(("kept", "exact", asks.replace("deck, plan", "deck_kept, plan_kept", 1)))
        if self.simulated is not None:
            runs.append(("simulated", "simulate", f"{asks}, trials={self.value('trials')}, seed={self.value('seed')}"))
        for name, run, said in runs:
            names += [run] if run not in names else []
            lines += [f"{name} = {run}({said})", shown.format(f"{name}.distribution({asked.count!r}, {asked.turns})")]
            lines += [shown.format(f"{name}.p({condition!r}, {asked.turns})")] if condition else []
        lines = [f"from rulekit import {', '.join(names)}", "", *lines]
        return "\n".join(lines)

    # ---------------------------------------------------------------- what the person does

    def keep(self) -> None:
        """Keep deck and plan, so that what the controls say next is compared with them."""
        self.kept = self.asked
        self._show()

    def forget(self) -> None:
        """Compare with nothing."""
        self.kept = None
        self._show()

    def simulate(self) -> Answer:
        """Play the trials and show what came of them beside the exact answer."""
        self._stopped, self._now = False, None
        answer = self._trials(*self._simulated_question())
        self._finished(answer)
        return answer

    def stop(self) -> None:
        """Stop the simulation that is running; what it has done by then is shown."""
        self._stopped = True

    def watch_game(self, value: int) -> Game:
        """Show one of the simulated games that ended with a value on the board, and return it.

        Where nothing has been simulated yet, the first trials are, as many as leave nobody waiting.

        Raises:
            BadData: There is none.
        """
        from rulekit.probability.replay import replay

        asked = self.asked
        answer = self.simulated or self._trials(asked, min(self.value("trials"), WATCHED), self.value("seed"))
        trial = answer.example(f"{asked.count} = {value}", asked.turns)
        game = replay(answer, trial)
        title = f"Trial {trial:,}: {answer.said(asked.count)} is {value} at the end of turn {asked.turns}"
        self._board = Board(game, title=title)
        self._place.children = (self._board,)
        return game

    def export(self) -> None:
        """Offer the numbers as CSV, the chart as PNG and SVG, and the code."""
        self._files.value = el("p", "Files: ", *(_link(*file) for file in self.files()))

    def chart(self) -> charts.ChartAxes:
        """Return the chart of what is shown, all of it on the same axes."""
        ax = charts.new_axes()
        several = self.several()
        charts.plot_comparison(several, ax, title=self.title(several))
        return ax

    def files(self) -> tuple[tuple[str, str, bytes], ...]:
        """Return name, kind and content of each file that can be kept.

        Raises:
            BadData: There is no answer.
        """
        import pandas

        if self.answer is None:
            raise BadData(NO_ANSWER, key="files")
        several = self.several()
        frames = [each.to_pandas().assign(series=name) for name, each in several.items()]
        numbers = pandas.concat(frames, ignore_index=True).to_csv(index=False)
        ax = self.chart()
        return (
            ("odds.csv", "text/csv", numbers.encode()),
            ("odds.png", "image/png", charts.picture(ax, "png")),
            ("odds.svg", "image/svg+xml", charts.picture(ax, "svg")),
            ("odds.py", "text/x-python", (self._code_of("print({})") + "\n").encode()),
        )

    # ---------------------------------------------------------------- simulation

    def _simulated_question(self) -> tuple[Asked, int, int]:
        """Return what a simulation is asked now, with its number of trials and its seed."""
        return self.asked, self.value("trials"), self.value("seed")

    def _trials(self, asked: Asked, trials: int, seed: int) -> Answer:
        from rulekit.probability.simulate import simulate

        return simulate(
            asked.deck, asked.plan, [asked.count], asked.turns, trials=trials, seed=seed, progress=self._looked
        )

    def _looked(self, now: Progress) -> None:
        """Keep how far a simulation is; stop it as the keyboard's interrupt does."""
        self._now = now
        if self._stopped:
            raise KeyboardInterrupt

    def _finished(self, answer: Answer) -> None:
        with TURN:
            self.simulated = answer
            self._progress.value = ""
            self._show()

    def _start(self) -> None:
        """Simulate beside the notebook where that can be, so that the page goes on answering."""
        if self._job is not None and not self._job.done():
            raise BadData("a simulation is running already.", key="simulate", instead="Stop it first.")
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.simulate()
            return
        if sys.platform == "emscripten":  # no threads there
            self.simulate()
            return
        self._stopped, self._now = False, None
        self._job = loop.create_task(self._beside())

    async def _beside(self) -> None:
        asked, begun, told = self._simulated_question(), time.monotonic(), ""
        playing = asyncio.get_running_loop().run_in_executor(None, self._trials, *asked)
        try:
            while not playing.done():
                self._progress.value = _progress(self._now, time.monotonic() - begun)
                await asyncio.sleep(POLLED)
            answer = await playing
            with TURN:
                if asked == self._simulated_question():
                    self._finished(answer)
                else:
                    told = el("p", OVERTAKEN, role="status")
        except RulekitError as refusal:
            self.error.value = alert(str(refusal))
        except Exception as failure:  # noqa: BLE001 - anything at all must be seen
            self.error.value = alert(f"rulekit failed here: {type(failure).__name__}: {failure}")
        finally:
            self._progress.value = told

    def _pressed(self, value: int) -> None:
        self.guarded(lambda: self.watch_game(value))()

    def _uploaded(self) -> None:
        for file in self._upload.value:
            self.controls["deck"].value = open_source(bytes(file["content"])).text

    # ---------------------------------------------------------------- the three forms

    def _parts(self) -> tuple[Any, ...]:
        row = {"flex_flow": "row wrap"}
        deck = self.controls["deck"]
        rows = [self._with_line(names) for names in self._lines if names != ("deck",)]
        buttons = [
            self.button("Simulate", self._start, "rk-simulate"), self.button("Stop", self.stop, "rk-stop"),
            self.button("Keep to compare", self.keep, "rk-keep"), self.button("Compare no more", self.forget),
            self.button("Files and code", self.export, "rk-files"),
        ]  # fmt: skip
        return (
            ipywidgets.HBox([deck, ipywidgets.VBox([self._upload, self._read, self._lines["deck",]])], layout=row),
            *rows, self._code, self._bars,
            self._said, ipywidgets.HBox(buttons, layout=row), self._progress, self._files, self._place,
        )  # fmt: skip

    def _with_line(self, names: tuple[str, ...]) -> ipywidgets.HBox:
        """Return controls with the line of code beside them that they stand for."""
        controls = [self.controls[name] for name in names]
        return ipywidgets.HBox(
            [*controls, self._lines[names]], layout={"flex_flow": "row wrap", "align_items": "center"}
        )

    def grid(self) -> Grid:
        """Return the numbers as a table."""
        several = self.several()
        rows = tuple((str(value), *(text for _, text in parts)) for value, parts in rows_of(several))
        return Grid(self.title(several), (self.asked.count, *several), rows)

    def _still(self) -> Html:
        if self.answer is None:
            return el("p", NO_ANSWER)
        said = [el("p", line) for line in self.sentences()]
        return el(
            "div", _deck_html(self.asked.deck), el("pre", el("code", self.code), style=CODE), self.chart().image(),
            self.grid().html(), *said, style=view.LINES,
        )  # fmt: skip

    def _text(self) -> str:
        if self.answer is None:
            return NO_ANSWER
        return printable("\n\n".join([self.code, self.grid().text(), *self.sentences()]))


def _shortened(text: str) -> str:
    return text if len(text) <= SHOWN_OF_A_DECK else f"{text[:SHOWN_OF_A_DECK]}..."


def _text(words: str, value: str, hint: str = "") -> ipywidgets.Text:
    return ipywidgets.Text(
        value,
        placeholder=hint,
        description=printable(words),
        continuous_update=False,
        style=WIDE,
        layout={"width": "auto"},
    )


def _deck_html(deck: Deck) -> Html:
    """Return what was read of a deck list and what was not."""
    kinds = ", ".join(f"{number} {kind}" for kind, number in deck.counts().items())
    lines = [el("p", f"Read: {len(deck)} cards ({kinds})" + (f", {deck.form}." if deck.form else "."))]
    lines += _listed("not understood", [f"line {line}: {text} ({reason})" for line, text, reason in deck.unread])
    lines += _listed("not in the card data, counted without their text", list(deck.unknown))
    return el("div", *lines)


def _listed(words: str, items: list[str]) -> list[Html]:
    if not items:
        return []
    rest = [el("li", f"and {len(items) - MOST_LISTED} more")] if len(items) > MOST_LISTED else []
    seen = (el("li", each) for each in items[:MOST_LISTED])
    return [el("p", el("b", f"{len(items)} {words}:")), el("ul", *seen, *rest)]


def _progress(now: Progress | None, seconds: float) -> Html:
    if now is None:
        return el("p", f"simulating, {seconds:.0f} s")
    text = f"{now.done:,} of {now.trials:,} trials; mean {now.name} {now.estimate.short()}"
    return el("p", el("progress", text, value=now.done, max=now.trials, aria_label="trials played"), " ", text)


def _link(name: str, kind: str, data: bytes) -> Html:
    address = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    return joined([el("a", name, href=address, download=name, style="text-decoration:underline"), " "])
