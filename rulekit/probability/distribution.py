"""How likely each outcome is: exact, or counted in a simulation; with text, HTML, pandas and plot."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rulekit.probability import tables
from rulekit.probability.condition import Condition, read_condition
from rulekit.probability.estimate import Comparison, Estimate, pearson, two_samples, wilson
from rulekit.probability.weighted import MISSING, Number, Span, Weighted
from rulekit.rules import BadData

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

MOST_ROWS = 40
FOUR_DIGITS = 1_000


class Distribution(Weighted):
    """Give each outcome, a point on named integer axes, its probability.

    Attributes:
        axes: The axes, one for each dimension of the weights.
        weights: Array, one axis each: float64 probabilities, Python integers over `denominator`, or int64 trials.
        denominator: What the integers are divided by; None for the other two.
        trials: Number of trials behind a simulated distribution; None for an exact one.
        seed: Seed of the simulation; None for an exact one.
        title: The question it answers, shown above tables and charts.
        beyond: What it means if an outcome lies outside the axes, "later than turn 12".
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        weights = self.weights.copy()
        return (Distribution, (self.axes, weights, self.denominator, self.trials, self.seed, self.title, self.beyond))

    @classmethod
    def of(cls, outcomes: Mapping[Any, int | float | Fraction], names: str | Sequence[str] = "value") -> Distribution:
        """Make a distribution from outcomes and their weights.

        Args:
            outcomes: For each outcome, an integer or a tuple of integers, its weight; they are divided by their sum.
                With integers and fractions as weights the result is a distribution of exact fractions.
            names: Name of the axis, or of each axis.

        Raises:
            BadData: If there is no outcome, a weight is negative, or outcomes and names do not fit.
        """
        names = (names,) if isinstance(names, str) else tuple(names)
        points = [key if isinstance(key, tuple) else (key,) for key in outcomes]
        weights = list(outcomes.values())
        total = sum(weights)
        if not points or any(w < 0 for w in weights) or not total or any(len(p) != len(names) for p in points):
            raise BadData(f"outcomes need weights of at least 0, not all 0, and {len(names)} integers each.", key="of")
        starts = [min(column) for column in zip(*points, strict=True)]
        sizes = [max(column) - start + 1 for column, start in zip(zip(*points, strict=True), starts, strict=True)]
        axes = [Span(*each) for each in zip(names, starts, sizes, strict=True)]
        places = [tuple(v - s for v, s in zip(point, starts, strict=True)) for point in points]
        if any(isinstance(weight, float) for weight in weights):
            filled = np.zeros(sizes)
            for place, weight in zip(places, weights, strict=True):
                filled[place] += weight / total
            return cls(axes, filled)
        scale = math.lcm(*(Fraction(weight).denominator for weight in weights))
        counts = np.zeros(sizes, object)
        for place, weight in zip(places, weights, strict=True):
            counts[place] += int(weight * scale)
        return cls(axes, counts, int(total * scale))

    @classmethod
    def first_time(cls, by: Sequence[Number], start: int = 1, name: str = "turn", title: str = "") -> Distribution:
        """Make the distribution of the first time from the chance that it has happened by each time.

        Args:
            by: The chance by time `start`, `start + 1`, ...; never falling. Estimates must share their trials.
            start: The first time.
            name: Name of the axis.
            title: The question.

        Returns:
            The differences; what has not happened by the last time is missing from it.
        """
        axis = Span(name, start, len(by))
        late = f"later than {name} {start + len(by) - 1}"
        if by and all(isinstance(p, Estimate) for p in by):
            trials = by[0].trials  # type: ignore[union-attr]
            hits = [round(float(p) * trials) for p in by]
            return cls([axis], np.diff(np.array([0, *hits], np.int64)), trials=trials, title=title, beyond=late)
        if by and all(isinstance(p, Fraction | int) for p in by):
            scale = math.lcm(*(Fraction(p).denominator for p in by))
            whole = np.array([0, *(int(p * scale) for p in by)], object)
            return cls([axis], whole[1:] - whole[:-1], scale, title=title, beyond=late)
        steps = np.diff(np.array([0.0, *(float(p) for p in by)]))
        return cls([axis], np.where(steps < MISSING, np.maximum(steps, 0.0), steps), title=title, beyond=late)

    @classmethod
    def mix(cls, parts: Iterable[tuple[float | Fraction, Distribution]], title: str = "") -> Distribution:
        """Mix exact distributions on the same axes by weights.

        Args:
            parts: Pairs of a weight, at least 0, and a distribution; weights are divided by their sum.
            title: The question.

        Raises:
            BadData: If there is nothing to mix, or a part is simulated, or the names of the axes differ.
        """
        pairs = [(weight, part) for weight, part in parts if weight]
        if not pairs or any(part.trials is not None for _, part in pairs) or any(weight < 0 for weight, _ in pairs):
            raise BadData("a mixture needs exact distributions with weights above 0.", key="mix")
        first = pairs[0][1]
        if any(part.names != first.names for _, part in pairs):
            raise BadData(
                f"only distributions of the same counts can be mixed, here {', '.join(first.names)}.", key="mix"
            )
        spans = [_span([part.axes[i] for _, part in pairs]) for i in range(len(first.axes))]
        total = sum(Fraction(weight) for weight, _ in pairs)
        shares = [Fraction(weight) / total for weight, _ in pairs]
        whole = all(part.denominator is not None and not isinstance(weight, float) for weight, part in pairs)
        below = [share.denominator * (part.denominator or 1) for share, (_, part) in zip(shares, pairs, strict=True)]
        scale = math.lcm(*below) if whole else None
        filled: NDArray[Any] = np.zeros([axis.size for axis in spans], object if whole else np.float64)
        for share, (_, part) in zip(shares, pairs, strict=True):
            if scale is not None and part.denominator is not None:
                filled[_place(part.axes, spans)] += part.weights * int(share * scale / part.denominator)
            else:
                filled[_place(part.axes, spans)] += part.probabilities * float(share)
        return cls(spans, filled, scale, title=title or first.title, beyond=first.beyond)

    # questions

    def p(self, condition: str | Condition) -> Number:
        """Return the probability of a condition such as "land >= 3 and creature = 0".

        Returns:
            A float; a Fraction if the weights are integers over a denominator; an Estimate if it was simulated.

        Raises:
            BadData: If the condition cannot be read.
            Unknown: If it compares something that is not an axis.
        """
        return self._mass(self._where(condition))

    def given(self, condition: str | Condition) -> Distribution:
        """Return the distribution of those outcomes in which a condition holds.

        Raises:
            BadData: If the condition has no probability at all.
        """
        read = read_condition(condition, self.names)
        kept = np.where(self._where(read), self.weights, 0)
        total = kept.sum()
        if not total:
            raise BadData(f"'{read}' has probability 0, so nothing can be said of what is then true.", key="given")
        title = f"{self.title}, given {read}" if self.title else f"given {read}"
        if self.trials is not None:
            return Distribution(self.axes, kept, None, int(total), self.seed, title)
        if self.denominator is not None:
            return Distribution(self.axes, kept, int(total), title=title)
        return Distribution(self.axes, kept / total, title=title)

    def map(self, function: Callable[..., Any], names: str | Sequence[str] = "value") -> Distribution:
        """Return the distribution of a function of the outcome.

        Args:
            function: Takes the counts in the order of the axes; gives an integer, a bool, or a tuple of integers.
            names: Name of the new axis, or of each.
        """
        names = (names,) if isinstance(names, str) else tuple(names)
        sums: dict[tuple[int, ...], Any] = {}
        for point, weight in self.points():
            found = function(*point)
            key = tuple(int(v) for v in found) if isinstance(found, tuple) else (int(found),)
            sums[key] = sums.get(key, 0) + weight
        if not sums:
            raise BadData("there is no outcome to apply a function to.", key="map")
        starts = [min(column) for column in zip(*sums, strict=True)]
        sizes = [max(column) - start + 1 for column, start in zip(zip(*sums, strict=True), starts, strict=True)]
        filled = np.zeros(sizes, self.weights.dtype)
        for key, weight in sums.items():
            filled[tuple(v - s for v, s in zip(key, starts, strict=True))] = weight
        return self._with([Span(*each) for each in zip(names, starts, sizes, strict=True)], filled)

    def together(self, other: Distribution) -> Distribution:
        """Return the joint distribution of this and another exact one that is independent of it.

        An axis of the other whose name is taken here is called "other NAME", and that of a third "other other NAME".
        """
        self._exact_only(other, "together")
        outer = np.multiply.outer(*self._like(other))
        below = self.denominator * other.denominator if self.denominator and other.denominator else None
        axes = list(self.axes)
        for axis in other.axes:
            name, taken = axis.name, {each.name for each in axes}
            while name in taken:
                name = f"other {name}"
            axes.append(Span(name, axis.start, axis.size))
        return Distribution(axes, outer, below, title=self.title)

    def convolve(self, other: Distribution) -> Distribution:
        """Return the distribution of the sum of this count and an independent one, each with one axis, both exact."""
        self._exact_only(other, "convolve")
        mine, theirs = self.axis(), other.axis()
        axis = Span(mine.name, mine.start + theirs.start, mine.size + theirs.size - 1)
        below = self.denominator * other.denominator if self.denominator and other.denominator else None
        return Distribution([axis], np.convolve(*self._like(other)), below, title=self.title)

    def compare(self, other: Distribution) -> Comparison:
        """Say how well this distribution agrees with another of the same counts.

        Returns:
            A chi-square test where one of the two, or both, were simulated; the largest difference in any case.

        Raises:
            BadData: If the two do not count the same.
        """
        if self.names != other.names:
            raise BadData(f"a distribution of {self.names} is not comparable with one of {other.names}.", key="compare")
        if self.trials is None and other.trials is not None:
            return other.compare(self)
        spans = [_span(pair) for pair in zip(self.axes, other.axes, strict=True)]
        mine, theirs = self._spread(spans), other._spread(spans)
        largest = float(np.abs(mine._shares_and_rest() - theirs._shares_and_rest()).max())
        if self.trials is None:
            return Comparison(0.0, 0, float(largest < 1e-9), largest, mine.weights.size)
        if other.trials is None:
            return pearson(mine._counts_and_rest(), (theirs._shares_and_rest() * self.trials).tolist(), largest)
        return two_samples(mine._counts_and_rest(), theirs._counts_and_rest(), largest)

    def as_floats(self) -> Distribution:
        """Return the same with float64 probabilities; a simulated distribution stays what it is."""
        if self.denominator is None:
            return self
        return Distribution(self.axes, self.probabilities, title=self.title, beyond=self.beyond)

    def titled(self, title: str) -> Distribution:
        """Return the same under another title."""
        return Distribution(self.axes, self.weights, self.denominator, self.trials, self.seed, title, self.beyond)

    # shown

    def outcomes(self) -> dict[Any, Number]:
        """Return each outcome that has a probability, an integer or a tuple of integers, with it."""
        single = len(self.axes) == 1
        return {(point[0] if single else point): self.number(weight) for point, weight in self.points()}

    def to_pandas(self) -> pandas.DataFrame:
        """Return a frame with one row for each outcome that has a probability.

        Returns:
            A column for each count, "probability", and for a simulated distribution "low" and "high" (95 %), "times"
            (in how many trials it came out) and "trials" (of how many).
        """
        import pandas

        places = np.nonzero(self.weights)
        columns: dict[str, Any] = {axis.name: place + axis.start for axis, place in zip(self.axes, places, strict=True)}
        columns["probability"] = np.minimum(self.probabilities[places], 1.0)  # float64 may sum up to a little more
        if self.trials is not None:
            ends = [wilson(int(hits), self.trials) for hits in self.weights[places]]
            columns["low"], columns["high"] = ([pair[i] for pair in ends] for i in (0, 1))
            columns |= {"times": self.weights[places], "trials": self.trials}
        return pandas.DataFrame(columns)

    frame = to_pandas

    def __str__(self) -> str:
        head, rows, bars, note = self._table()
        above = f"{self.title}\n" if self.title else ""
        return f"{above}{tables.text_table(head, rows, bars)}\n{note}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, rows, bars, note = self._table()
        return tables.html_table(f"{self.title or ', '.join(self.names)} ({note})", head, rows, bars)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from rulekit.widgets import view

        return view.forms(self, str(self), self._repr_html_())

    def plot(self, ax: Axes | None = None, view: str = "", label: str = "") -> Axes:
        """Draw one count as bars (exact) or points with intervals (simulated), two counts as a heat map.

        Args:
            ax: Axes to draw on; new ones without.
            view: "" for each value, "at least", "at most", or "survival" for the chance of more than each value.
            label: Name in the legend, for several distributions on the same axes.

        Returns:
            The axes drawn on; new ones show themselves in a notebook, with the numbers as a table.
        """
        from rulekit.widgets import charts

        return charts.plot_distribution(self, ax, view, label)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        mine = (self.axes, self.denominator is None, self.trials)
        if mine != (other.axes, other.denominator is None, other.trials):
            return False
        scaled, scale = self.weights * (other.denominator or 1), self.denominator or 1
        return bool((scaled == other.weights * scale).all())

    def __hash__(self) -> int:
        return hash((self.axes, self.denominator is None, self.trials, tuple(self.probabilities.ravel()[:64].tolist())))

    # inside

    def _exact_only(self, other: Distribution, what: str) -> None:
        if self.trials is not None or other.trials is not None:
            raise BadData(f"{what} needs two exact distributions; simulate both together instead.", key=what)

    def _like(self, other: Distribution) -> tuple[NDArray[Any], NDArray[Any]]:
        if self.denominator is not None and other.denominator is not None:
            return self.weights, other.weights
        return self.probabilities, other.probabilities

    def _spread(self, axes: Sequence[Span]) -> Distribution:
        filled = np.zeros([axis.size for axis in axes], self.weights.dtype)
        filled[_place(self.axes, axes)] = self.weights
        return self._with(axes, filled)

    def _shares_and_rest(self) -> NDArray[np.float64]:
        return np.append(self.probabilities.ravel(), float(self.missing))

    def _counts_and_rest(self) -> list[int]:
        counts: list[int] = self.weights.ravel().tolist()
        return [*counts, (self.trials or 0) - sum(counts)]

    def _table(self) -> tuple[list[str], list[list[str]], list[float], str]:
        points = sorted(self.points())
        left = float(self.missing)
        cut = 0
        if len(points) > MOST_ROWS:
            points = sorted(sorted(points, key=lambda each: (-each[1], each[0]))[:MOST_ROWS])
            cut = int(np.count_nonzero(self.weights)) - MOST_ROWS
        numbers = [self.number(weight) for _, weight in points]
        rows = [[*(str(v) for v in point), shown(n)] for (point, _), n in zip(points, numbers, strict=True)]
        top = max((float(n) for n in numbers), default=1.0) or 1.0
        bars = [float(n) / top for n in numbers]
        note = "exact" if self.trials is None else f"simulated, {self.trials:,} trials, 95 % intervals"
        if left > MISSING:
            note += f"; {tables.percent(left)} {self.beyond}"
        if cut:
            rest = 1 - left - math.fsum(float(n) for n in numbers)
            others = tables.percent(max(rest, 0.0))
            note += f"; the {MOST_ROWS} likeliest of {cut + MOST_ROWS:,} outcomes, the others have {others}"
        return [*self.names, "probability"], rows, bars, note


def average(number: Number) -> str:
    """Return a mean as text: four digits, an estimate with its error."""
    if isinstance(number, Estimate):
        return number.short()
    return f"{float(number):.4g}" if abs(float(number)) < FOUR_DIGITS else f"{float(number):,.0f}"


def shown(number: Number) -> str:
    """Return a probability as text: percent, an estimate with its error."""
    return number.short() if isinstance(number, Estimate) else tables.percent(float(number))


def _span(axes: Iterable[Span]) -> Span:
    every = list(axes)
    start = min(axis.start for axis in every)
    return Span(every[0].name, start, max(axis.start + axis.size for axis in every) - start)


def _place(axes: Iterable[Span], spans: Iterable[Span]) -> tuple[slice, ...]:
    starts = [(axis.start - span.start, axis.size) for axis, span in zip(axes, spans, strict=True)]
    return tuple(slice(start, start + size) for start, size in starts)
