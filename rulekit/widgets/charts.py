"""Charts in one style, readable in grey and in a dark theme, that carry their numbers as text and table."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from rulekit.probability import tables
from rulekit.rules import BadData
from rulekit.widgets.html import Html, el, html

if TYPE_CHECKING:
    from rulekit.probability.distribution import Distribution

# Okabe and Ito's colours, in an order in which neighbours differ in lightness too.
COLORS = ("#0072B2", "#E69F00", "#000000", "#56B4E9", "#D55E00", "#009E73", "#CC79A7")
MARKERS = "osD^vPX"
LINES = ("-", "--", "-.", ":", "-", "--", "-.")
PAPER = "#FAFAFA"
DARK = 1.5
"""Of red, green and blue together: a ground with less is dark."""
STYLE: Any = {
    "axes.axisbelow": True,
    "axes.facecolor": PAPER,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "figure.facecolor": PAPER,
    "font.size": 10,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "rulekit",
}
SIZE = (6.4, 3.6)
DOTS = 110
VIEWS = ("", "at least", "at most", "survival")
MOST_LABELS = 16
SMALLEST_SHOWN = 1e-6
MOST_TABLE_ROWS = 60


class ChartAxes(Axes):
    """Axes that show themselves in a notebook: a picture with a text for those who do not see it, and its numbers."""

    def __init__(self, *args: Any, **keys: Any) -> None:
        """Make axes without numbers; see matplotlib."""
        super().__init__(*args, **keys)
        self.series: list[tuple[str, list[str], list[list[str]], str]] = []

    def __repr__(self) -> str:
        parts = [self.get_title(loc="left") or "chart"]
        for label, head, rows, says in self.series:
            parts.append(f"{label}: {says}" if label else says)
            parts.append(tables.text_table(head, rows))
        return "\n".join(part for part in parts if part)

    __str__ = __repr__

    def _repr_html_(self) -> str:
        title = self.get_title(loc="left")
        numbers = "".join(tables.html_table(label or title, head, rows) for label, head, rows, _ in self.series)
        return (
            f'<figure style="margin:0">{self.image()}<figcaption>{html(self.says())}</figcaption>'
            f"<details><summary>The numbers</summary>{numbers}</details></figure>"
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from rulekit.widgets import view

        return view.forms(self, str(self), self._repr_html_())

    def says(self) -> str:
        """Return in words what the chart shows."""
        return " ".join(f"{label}: {says}" if label else says for label, _, _, says in self.series)

    def image(self) -> Html:
        """Return the chart as an image for a page, with a text for those who do not see it."""
        held = base64.b64encode(picture(self, "png")).decode()
        text = f"{self.get_title(loc='left')}. {self.says()}".replace("?. ", "? ")
        return el("img", alt=text, style="max-width:100%", src=f"data:image/png;base64,{held}")


def picture(ax: Axes, kind: str = "png") -> bytes:
    """Return the figure of some axes as a file.

    Args:
        ax: Any axes of the figure.
        kind: "png" or "svg"; the same figure gives the same bytes each time.

    Returns:
        What the file holds.
    """
    dated = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    held = io.BytesIO()
    figure = ax.get_figure()
    if not isinstance(figure, Figure):
        raise BadData("these axes belong to no figure of their own.", key="picture")
    with matplotlib.rc_context(STYLE):
        figure.savefig(held, format=kind, metadata=dated)
    return held.getvalue()


def new_axes() -> ChartAxes:
    """Return axes on a figure of their own, which no pyplot window holds; on the ground of a dark style if it is on."""
    dark = _is_dark(matplotlib.rcParams["axes.facecolor"])  # words are light then
    style = {key: value for key, value in STYLE.items() if not (dark and key.endswith("facecolor"))}
    with matplotlib.rc_context(style):
        ax = Figure(figsize=SIZE, dpi=DOTS, layout="constrained").add_subplot(axes_class=ChartAxes)
    if not isinstance(ax, ChartAxes):
        raise TypeError(f"matplotlib made {type(ax)} instead of ChartAxes.")
    return ax


def plot_distribution(shown: Distribution, ax: Axes | None = None, view: str = "", label: str = "") -> Axes:
    """Draw a distribution of one count as bars or points, of two as a heat map.

    Args:
        shown: What is drawn. Exact numbers become bars (the second series on the same axes a line), simulated ones
            points with 95 % intervals.
        ax: Axes to draw on; new ones without.
        view: "", "at least", "at most" or "survival" (the chance of more than each value).
        label: Name in the legend.

    Returns:
        The axes drawn on.

    Raises:
        BadData: If there are more than two counts, or the view is none of the four.
    """
    if view not in VIEWS:
        raise BadData(f"no view is called {view!r}.", key="view", instead=VIEWS)
    if len(shown.axes) > 2 or (len(shown.axes) == 2 and view):
        names = ", ".join(shown.names)
        raise BadData(f"a chart shows one count, or two without a view, not {names}; take a marginal.", key="plot")
    ax = new_axes() if ax is None else ax
    with matplotlib.rc_context(STYLE):
        if len(shown.axes) == 2:
            first, second = shown.axes
            heat(ax, shown.probabilities, (first.name, first.start), (second.name, second.start))
        else:
            _series(ax, shown, view, label)
        _entitle(ax, shown.title or _axis_title(shown, view))
    _note(ax, label or shown.kind, shown, view)
    return ax


def plot_comparison(
    several: Mapping[str, Distribution], ax: Axes | None = None, view: str = "", title: str = ""
) -> Axes:
    """Draw distributions of the same count beside each other.

    Args:
        several: A label and a distribution of one count each; up to seven.
        ax: Axes to draw on; new ones without.
        view: As for plot_distribution.
        title: The question; that of the first distribution without.

    Returns:
        The axes, with a legend.
    """
    if not 1 <= len(several) <= len(COLORS):
        raise BadData(f"a comparison shows 1 to {len(COLORS)} distributions, not {len(several)}.", key="plot")
    ax = new_axes() if ax is None else ax
    width = 0.8 / len(several)
    with matplotlib.rc_context(STYLE):
        for place, (label, each) in enumerate(several.items()):
            values, p, low, high = _numbers(each, view)
            shift = (place - (len(several) - 1) / 2) * width
            color = _color(ax, place)
            if each.kind == "exact":
                hatch = "" if place % 2 == 0 else "///"
                ax.bar(values + shift, p, width, color=color, hatch=hatch, edgecolor=PAPER, linewidth=0.4, label=label)
            else:
                _points(ax, values + shift, p, low, high, color, MARKERS[place], label)
        first = next(iter(several.values()))
        _label_axes(ax, first.axes[0].name, view)
        _entitle(ax, title or first.title or _axis_title(first, view))
        ax.legend()
    for label, each in several.items():
        _note(ax, label, each, view)
    return ax


def plot_curve(
    points: Mapping[str, Sequence[tuple[float, Any]]],
    x: str,
    title: str,
    y: str = "probability",
    ax: Axes | None = None,
) -> Axes:
    """Draw probabilities, or other numbers, against a number as lines: a sweep, or a chance turn by turn.

    Args:
        points: For each label pairs of a number and a float, Fraction or Estimate; up to seven labels.
        x: What the numbers are.
        title: The question.
        y: What is drawn; it is in percent if it is a "probability".
        ax: Axes to draw on; new ones without.

    Returns:
        The axes; estimates have their intervals.
    """
    ax, in_percent = new_axes() if ax is None else ax, y == "probability"
    with matplotlib.rc_context(STYLE):
        for place, (label, pairs) in enumerate(points.items()):
            at = np.array([pair[0] for pair in pairs], float)
            p = np.array([float(pair[1]) for pair in pairs])
            style = place % len(COLORS)
            if any(hasattr(pair[1], "trials") for pair in pairs):
                low = np.array([getattr(pair[1], "low", pair[1]) for pair in pairs], float)
                high = np.array([getattr(pair[1], "high", pair[1]) for pair in pairs], float)
                _points(ax, at, p, low, high, _color(ax, style), MARKERS[style], label)
            else:
                ax.plot(at, p, LINES[style], color=_color(ax, style), marker=MARKERS[style], markersize=4, label=label)
        ax.set_xlabel(x)
        ax.set_ylabel(y)
        if in_percent:
            ax.yaxis.set_major_formatter(PercentFormatter(1.0))
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.set_ylim(bottom=0, auto=True)  # what is drawn over it later may be higher
        if len(points) > 1:
            ax.legend()
        _entitle(ax, title)
    if isinstance(ax, ChartAxes):
        for label, pairs in points.items():
            best = max(pairs, key=lambda pair: float(pair[1]))
            cell = _cell if in_percent else tables.number
            highest = tables.percent(float(best[1])) if in_percent else cell(best[1])
            says = f"Highest at {x} {best[0]:g}: {highest}."
            ax.series.append((label, [x, y], [[f"{a:g}", cell(b)] for a, b in pairs], says))
    return ax


def plot_by_turn(by_turn: Mapping[int, Distribution], ax: Axes | None = None, title: str = "") -> Axes:
    """Draw a count turn by turn as a heat map, each turn a column whose probabilities add up to 1.

    Args:
        by_turn: For each turn, one after the other, the distribution of the count.
        ax: Axes to draw on; new ones without.
        title: The question.

    Returns:
        The axes.
    """
    ax = new_axes() if ax is None else ax
    turns = list(by_turn)
    start = min(each.axes[0].start for each in by_turn.values())
    end = max(each.axes[0].start + each.axes[0].size for each in by_turn.values())
    p = np.zeros((len(turns), end - start))
    for column, each in enumerate(by_turn.values()):
        place = each.axes[0].start - start
        p[column, place : place + each.axes[0].size] = each.probabilities
    name = by_turn[turns[0]].names[0]
    with matplotlib.rc_context(STYLE):
        heat(ax, p, ("turn", turns[0]), (name, start))
        _entitle(ax, title or f"{name} at the end of each turn")
    if isinstance(ax, ChartAxes):
        rows = [[str(turn), _cell(each.mean()) if each.kind != "exact" else f"{float(each.mean()):.2f}"]
                for turn, each in by_turn.items()]  # fmt: skip
        ax.series.append(
            ("", ["turn", f"mean {name}"], rows, f"Mean {name} at the end of turn {turns[-1]}: {rows[-1][1]}.")
        )
    return ax


def heat(ax: Axes, p: Any, across: tuple[str, int], upward: tuple[str, int]) -> None:
    """Draw a table of probabilities as a heat map, farther from the paper where likelier: it reads in grey too.

    Args:
        ax: Axes to draw on.
        p: Float array (across, upward), probabilities.
        across: Name and first value of the horizontal axis.
        upward: Name and first value of the vertical axis.
    """
    seen = [np.flatnonzero((p > SMALLEST_SHOWN).any(axis=1 - k)) for k in (0, 1)]
    first = [int(each[0]) if len(each) else 0 for each in seen]
    p = p[first[0] : seen[0][-1] + 1, first[1] : seen[1][-1] + 1] if len(seen[0]) else p
    starts = [start + skipped for (_, start), skipped in zip((across, upward), first, strict=True)]
    edges = [np.arange(size + 1) + start - 0.5 for size, start in zip(p.shape, starts, strict=True)]
    cmap = "cividis" if _is_dark(ax.get_facecolor()) else "cividis_r"
    mesh = ax.pcolormesh(edges[0], edges[1], np.ma.masked_equal(p.T, 0), cmap=cmap, vmin=0)
    figure = ax.get_figure()
    if figure is not None:
        figure.colorbar(mesh, ax=ax, format=PercentFormatter(1.0), label="probability")
    ax.grid(visible=False)
    ax.set_xlabel(across[0])
    ax.set_ylabel(upward[0])
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True))


def _series(ax: Axes, shown: Distribution, view: str, label: str) -> None:
    values, p, low, high = _numbers(shown, view)
    before = len([line for line in ax.containers if getattr(line, "rulekit", False)])
    color = _color(ax, before)
    name = label or shown.kind
    for text in list(ax.texts):  # numbers on bars would be hidden by what is drawn over them
        text.remove()
    if shown.kind != "exact":
        drawn: Any = _points(ax, values, p, low, high, _color(ax, max(before, 1)), MARKERS[before], name)
    elif before or view == "survival":
        (line,) = ax.plot(values, p, LINES[before], color=color, marker=MARKERS[before], markersize=4, label=name)
        drawn = matplotlib.container.Container([line])
        ax.add_container(drawn)
    else:
        drawn = ax.bar(values, p, 0.8, color=color, label=name)
        if len(values) <= MOST_LABELS:
            ax.bar_label(drawn, [tables.percent(v).replace(" %", "") for v in p], fontsize=7, padding=2)
    drawn.rulekit = True
    _label_axes(ax, shown.axes[0].name, view)
    if before or label:
        ax.legend()


def _is_dark(ground: Any) -> bool:
    """Return whether a colour is a dark ground, as that of somebody's dark style."""
    return sum(to_rgb(ground)) < DARK


def _color(ax: Axes, place: int) -> str:
    """Return the colour of a series; what is black on light paper is white on a dark ground."""
    color = COLORS[place % len(COLORS)]
    return "#FFFFFF" if color == "#000000" and _is_dark(ax.get_facecolor()) else color


def _points(ax: Axes, values: Any, p: Any, low: Any, high: Any, color: str, marker: str, label: str) -> Any:
    ends = np.vstack([np.maximum(p - low, 0), np.maximum(high - p, 0)])
    style: dict[str, Any] = {"fmt": marker, "color": color, "markersize": 4, "capsize": 3, "elinewidth": 1.2}
    return ax.errorbar(values, p, yerr=ends, label=label, **style)


def _numbers(shown: Distribution, view: str) -> tuple[Any, Any, Any, Any]:
    """Return values and what is drawn at each, from the first to the last that can be seen."""
    seen = np.flatnonzero(shown.probabilities > SMALLEST_SHOWN)
    inside = slice(seen[0], seen[-1] + 1) if len(seen) else slice(None)
    if view == "survival":
        inside = slice(0, inside.stop)
    values, p, low, high = _all_numbers(shown, view)
    return values[inside], p[inside], low[inside], high[inside]


def _all_numbers(shown: Distribution, view: str) -> tuple[Any, Any, Any, Any]:
    axis = shown.axes[0]
    values = np.array(axis.values)
    if not view:
        low, high = shown.interval()
        return values, shown.probabilities, low, high
    if view == "survival":
        found: list[Any] = [_and_missing(shown.p(f"{axis.name} > {v}"), shown) for v in axis.values]
    else:
        found = list((shown.at_least() if view == "at least" else shown.cdf()).values())
    p = np.array([float(each) for each in found])
    low = np.array([getattr(each, "low", each) for each in found], float)
    high = np.array([getattr(each, "high", each) for each in found], float)
    return values, p, low, high


def _and_missing(number: Any, shown: Distribution) -> Any:
    from rulekit.probability.estimate import Estimate

    if isinstance(number, Estimate):
        return Estimate.of_hits(round((float(number) + float(shown.missing)) * number.trials), number.trials)
    return float(number) + float(shown.missing)


def _label_axes(ax: Axes, name: str, view: str) -> None:
    words = {"": "probability", "at least": "at least this many", "at most": "at most this many", "survival": "not yet"}
    ax.set_xlabel(name)
    ax.set_ylabel(words[view] if view else "probability")
    ax.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=None))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_ylim(bottom=0, auto=True)  # what is drawn over it later may be higher


def _axis_title(shown: Distribution, view: str) -> str:
    return f"{' and '.join(shown.names)}{f', {view}' if view else ''}"


def _entitle(ax: Axes, title: str) -> None:
    if not ax.get_title(loc="left"):
        ax.set_title(title, loc="left")


def _note(ax: Axes, label: str, shown: Distribution, view: str) -> None:
    if not isinstance(ax, ChartAxes):
        return
    if len(shown.axes) == 1:
        values, p, low, high = _numbers(shown, view)
        rows = _rows(values, p, low, high, shown.kind == "exact")
        top = int(np.argmax(p))
        first, last = (f"{tables.percent(float(p[end]))} at {shown.names[0]} {values[end]}" for end in (0, -1))
        highest = f"Highest at {shown.names[0]} {values[top]}: {tables.percent(float(p[top]))}."
        says = f"From {first} to {last}." if view else highest
        ax.series.append((label, [shown.names[0], view or "probability"], rows, says))
        return
    likeliest = sorted(shown.outcomes().items(), key=lambda each: (-float(each[1]), each[0]))[:MOST_TABLE_ROWS]
    rows = [[*(str(v) for v in point), _cell(number)] for point, number in likeliest]
    says = "Most likely: " + ", ".join(f"{n} {v}" for n, v in zip(shown.names, likeliest[0][0], strict=True)) + "."
    ax.series.append((label, [*shown.names, "probability"], rows, says))


def _rows(values: Iterable[Any], p: Any, low: Any, high: Any, exact: bool) -> list[list[str]]:
    rows = []
    for value, each, least, most in zip(values, p, low, high, strict=True):
        ends = "" if exact else f" ({tables.percent(float(least))} to {tables.percent(float(most))})"
        rows.append([str(value), tables.percent(float(each)) + ends])
    return rows


def _cell(number: Any) -> str:
    short = getattr(number, "short", None)
    return str(short()) if short else tables.percent(float(number))
