"""The live forms of what is no widget itself: a game to step through, a number to be asked, a deck to look into."""

from __future__ import annotations

import base64
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import ipywidgets

from rulekit.engine.text import read_card
from rulekit.widgets import view
from rulekit.widgets.bars import Bars
from rulekit.widgets.board import Board
from rulekit.widgets.html import Html, el, html, joined
from rulekit.widgets.panel import FITTING, WIDE, Panel, choice, shown, table, whole
from rulekit.widgets.slider import Slider

if TYPE_CHECKING:
    from rulekit.cards.card import Card
    from rulekit.cards.deck import Deck
    from rulekit.cards.pool import CardPool
    from rulekit.probability.answer import Answer
    from rulekit.probability.distribution import Distribution
    from rulekit.probability.plan import Plan
    from rulekit.widgets.charts import ChartAxes

MOST_SHOWN = 12  # cards that are found


def live(thing: Any) -> Any:
    """Return the widget of something that has none itself."""
    maker = next((MAKERS[kind.__name__] for kind in type(thing).__mro__ if kind.__name__ in MAKERS), None)
    if maker is None:
        raise TypeError(f"{type(thing).__name__} has no live form.")
    made = maker(thing)
    return made._live() if isinstance(made, Panel) else made


def _text(words: str, hint: str = "") -> ipywidgets.Text:
    return ipywidgets.Text(
        description=words,
        placeholder=hint,
        continuous_update=False,
        style=WIDE,
        layout={**FITTING, "min_width": "24em"},
    )


class _Asked(Panel):
    """Something that is asked by controls, and says what it finds."""

    def __init__(self, *controls: Any) -> None:
        super().__init__()
        self.controls = controls
        self.said = shown("")
        self.watch(self._tell, *controls)
        self.guarded(self._tell)()

    def _found(self) -> Html:
        """Return what is found."""
        raise NotImplementedError

    def _tell(self) -> None:
        self.said.value = el("div", self._found(), role="status", style=view.LINES)

    def _parts(self) -> tuple[Any, ...]:
        return (ipywidgets.HBox(self.controls, layout={"flex_flow": "row wrap"}), self.said)


# ---------------------------------------------------------------- numbers


class _Numbers(_Asked):
    """A distribution as bars; a bar that is pressed says its value, and a condition is answered."""

    def __init__(self, *controls: Any) -> None:
        self.condition = _text("Condition", "for example >= 4")
        self.bars = Bars(self.press, "ask for at least")
        super().__init__(*controls, self.condition)

    def distribution(self) -> Distribution:
        """Return the distribution that is shown."""
        raise NotImplementedError

    def _tell(self) -> None:
        found = self.distribution()
        if len(found.names) == 1:
            self.bars.show(found.title or found.names[0], {"probability": found})
        super()._tell()

    def press(self, value: int) -> None:
        """Ask for a value or more."""
        self.condition.value = f"{self.distribution().names[0]} >= {value}"

    def _found(self) -> Html:
        from rulekit.probability.distribution import shown as percent

        asked, found = self.condition.value.strip(), self.distribution()
        if asked[:1] in "<>=!" and asked:
            asked = f"{found.names[0]} {asked}"
        mean = el("p", f"mean {_mean(found)}") if len(found.names) == 1 else html("")
        return joined([mean, el("p", f"{asked}: {percent(found.p(asked))}") if asked else ""])

    def _parts(self) -> tuple[Any, ...]:
        whole_table = len(self.distribution().names) > 1
        return (shown(Html(self.distribution()._repr_html_())) if whole_table else self.bars, *super()._parts())


def _mean(found: Distribution) -> str:
    """Return the mean, and what it leaves out where the distribution is cut off."""
    from rulekit.probability.distribution import average

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        mean = average(found.mean())
    return "; ".join([mean, *(str(each.message) for each in told)])


class _Distribution(_Numbers):
    def __init__(self, found: Distribution) -> None:
        self.found = found
        super().__init__()

    def distribution(self) -> Distribution:
        return self.found


class _Answer(_Numbers):
    """An answer: which number, at the end of which turn."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.name = choice("Number", answer.names, answer.names[-1])  # the last one is one that was asked for
        self.turn = Slider("at the end of turn", answer.turns, 0, answer.turns)
        super().__init__(self.name, self.turn)

    def distribution(self) -> Distribution:
        return self.answer.distribution(self.name.value, self.turn.value)


def _chart(ax: ChartAxes) -> ipywidgets.HTML:
    """Return a chart with its numbers, and as files to keep."""
    from rulekit.widgets import charts

    files = [
        ("chart.png", "image/png", charts.picture(ax, "png")),
        ("chart.svg", "image/svg+xml", charts.picture(ax, "svg")),
    ]
    links = [
        el("a", f"Download {name}", download=name, style="text-decoration:underline;margin-right:1em",
           href=f"data:{kind};base64,{base64.b64encode(data).decode()}")
        for name, kind, data in files
    ]  # fmt: skip
    return shown(joined([Html(ax._repr_html_()), el("p", *links)]))


# ---------------------------------------------------------------- cards


def _card(card: Card) -> ipywidgets.HTML:
    """Return a card, and what was understood of each of its sentences."""
    rows: list[tuple[object, ...]] = [
        (each.text, "yes" if each.understood else f"no, from {each.unread!r} on")
        for face in card.faces or (card,)
        for each in read_card(face).sentences
    ]
    read = el("details", el("summary", "What is understood"), table("Its sentences", ("", "understood"), rows))
    return shown(joined([view.card_html(card), read if rows else ""]))


def _fits(card: Card | None, name: str, words: str) -> bool:
    told = f"{name} {card}" if card is not None else name
    return all(word in told.casefold() for word in words.casefold().split())


class _Deck(_Asked):
    """A deck: its cards, those that some words fit, and how many there are of what."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.by = choice("Counted by", ("type", "mana value", "color"))
        self.words = _text("Only cards with these words", "for example creature")
        super().__init__(self.by, self.words)

    def _found(self) -> Html:
        counts: list[tuple[object, ...]] = list(self.deck.counts(self.by.value).items())
        parts = [table(f"{len(self.deck)} cards by {self.by.value}", (self.by.value, "cards"), counts)]
        for section in self.deck.sections:
            rows = [row for name, copies in self.deck.section(section).items() if (row := self._row(name, copies))]
            copies = sum(int(str(row[1])) for row in rows)
            parts.append(table(f"{section}: {copies} cards", ("card", "copies", "types", "mana cost"), rows))
        unread = [el("li", f"line {line} not read: {text} ({why})") for line, text, why in self.deck.unread]
        return joined([*parts, el("ul", *unread) if unread else ""])

    def _row(self, name: str, copies: int) -> tuple[object, ...] | None:
        card = self.deck.cards.get(name)
        if not _fits(card, name, self.words.value):
            return None
        return (name, copies, card.types if card else "not in the card data", (card.cost if card else None) or "")


class _Pool(_Asked):
    """A pool of cards: those whose name some words fit."""

    def __init__(self, pool: CardPool) -> None:
        self.pool = pool
        self.words = _text("Part of a name", "for example sword of")
        super().__init__(self.words)

    def _found(self) -> Html:
        if not self.words.value.strip():
            return el("p", repr(self.pool))
        fitting = [name for name in self.pool if _fits(None, name, self.words.value)]
        seen = [el("li", view.card_html(self.pool.find(name))) for name in fitting[:MOST_SHOWN]]
        more = f", the first {MOST_SHOWN} of them" if len(fitting) > MOST_SHOWN else ""
        said = "1 card is" if len(fitting) == 1 else f"{len(fitting):,} cards are"
        return joined([el("p", f"{said} called so{more}."), el("ul", *seen)])


# ---------------------------------------------------------------- plans


class _Plan(_Asked):
    """A plan: all of it, and what of it is done in one turn."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.turn = whole("In turn", 1, 1, 99)
        super().__init__(self.turn)

    def _found(self) -> Html:
        turn = self.turn.value
        here = [str(each) for each in self.plan.permanents if each.in_turn(turn)]
        here += [str(each) for each in self.plan.steps if each.in_turn(turn, self.plan.on_the_play)]
        blocks = [each.split("\n") for each in re.split(r"\n(?=\S)", str(self.plan))]  # a line at the left heads one
        every = [joined([el("p", el("b", head)), _listed(line.strip() for line in lines)]) for head, *lines in blocks]
        return joined([*every, el("p", el("b", f"In turn {turn}:")), _listed(here or ["nothing is done"])])


def _listed(lines: Iterable[str]) -> Html:
    return el("ul", *(el("li", line) for line in lines))


MAKERS: Mapping[str, Callable[[Any], Any]] = {
    "Game": Board, "Scenario": Board, "Result": lambda result: Board(result) if result.game is not None else None,
    "Distribution": _Distribution, "Answer": _Answer, "ChartAxes": _chart,
    "Card": _card, "Deck": _Deck, "CardPool": _Pool, "Plan": _Plan,
}  # fmt: skip
"""The live form of each kind of thing, by the name of its class: what shows them is imported only when it is shown."""
