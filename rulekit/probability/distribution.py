"""How likely each outcome is: exact, or counted in a simulation; with text, HTML, pandas and plot."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from rulekit.probability import tables
from rulekit.probability.condition import Condition, read_condition
from rulekit.probability.estimate import LEVEL, Comparison, Estimate, deviations, pearson, two_samples, wilson
from rulekit.rules import BadData, Unknown

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

Number: TypeAlias = float | Fraction | Estimate
MISSING = 1e-12
MOST_ROWS = 40


class Truncated(UserWarning):
    """Warn that a number leaves out some probability, and say how much."""


@dataclass(frozen=True)
class Span:
    """Name the integers along one axis: `start`, `start + 1`, ... , `size` of them."""

    name: str
    start: int
    size: int

    @property
    def values(self) -> range:
        """The integers along the axis."""
        return range(self.start, self.start + self.size)


class Distribution:
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

    __slots__ = ("axes", "beyond", "denominator", "seed", "title", "trials", "weights")
    axes: tuple[Span, ...]
    weights: NDArray[Any]
    denominator: int | None
    trials: int | None
    seed: int | None
    title: str
    beyond: str

    def __init__(
        self,
        axes: Iterable[Span],
        weights: NDArray[Any],
        denominator: int | None = None,
        trials: int | None = None,
        seed: int | None = None,
        title: str = "",
        beyond: str = "outside",
    ) -> None:
        """Hold weights; see the attributes. The array is kept and made read-only."""
        axes = tuple(axes)
        if tuple(axis.size for axis in axes) != weights.shape:
            raise BadData(f"weights of shape {weights.shape} do not fit axes of sizes {[axis.size for axis in axes]}.")
        if len({axis.name for axis in axes}) < len(axes):
            raise BadData(f"two axes have the same name: {', '.join(axis.name for axis in axes)}.")
        weights.flags.writeable = False
        fields = (axes, weights, denominator, trials, seed, title, beyond)
        for name, value in zip(
            ("axes", "weights", "denominator", "trials", "seed", "title", "beyond"), fields, strict=True
        ):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Distribution does not change; its {name} cannot be set.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a Distribution does not change; its {name} cannot be deleted.")

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

    # what it is

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the axes."""
        return tuple(axis.name for axis in self.axes)

    @property
    def kind(self) -> str:
        """The word "exact" or "simulated"."""
        return "exact" if self.trials is None else "simulated"

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The probabilities, or for a simulated distribution the shares; float64, of the shape of the weights."""
        if self.trials is not None:
            return self.weights / self.trials
        if self.denominator is None:
            return self.weights
        below = self.denominator
        return np.array([w / below for w in self.weights.ravel()], np.float64).reshape(self.weights.shape)

    @property
    def missing(self) -> Number:
        """The probability of outcomes outside the axes."""
        if self.trials is not None:
            return Estimate.of_hits(self.trials - int(self.weights.sum()), self.trials)
        if self.denominator is not None:
            return 1 - Fraction(int(self.weights.sum()), self.denominator)
        left = 1.0 - math.fsum(self.weights.ravel())
        return left if left > MISSING else 0.0

    def axis(self, name: str | None = None) -> Span:
        """Return an axis by its name; without a name the only one.

        Raises:
            Unknown: If there is no such axis, or no name is given and there are several.
        """
        for axis in self.axes:
            if axis.name == name or (name is None and len(self.axes) == 1):
                return axis
        if name is None:
            raise BadData(f"say which of {', '.join(self.names)} is meant.", key="name", instead=self.names)
        raise Unknown("count", name, self.names, f"here; there are {', '.join(self.names)}")

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

    def marginal(self, *names: str) -> Distribution:
        """Return the joint distribution of some of the counts, in the order asked."""
        wanted = [self.axes.index(self.axis(name)) for name in names]
        others = tuple(i for i in range(len(self.axes)) if i not in wanted)
        summed = np.asarray(self.weights.sum(axis=others) if others else self.weights)
        kept = sorted(wanted)
        turned = np.array(summed.transpose([kept.index(i) for i in wanted]))
        return self._with([self.axes[i] for i in wanted], turned)

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

        An axis of the other whose name is taken here is called "other NAME".
        """
        self._exact_only(other, "together")
        outer = np.multiply.outer(*self._like(other))
        below = self.denominator * other.denominator if self.denominator and other.denominator else None
        named = [Span(f"other {a.name}" if a.name in self.names else a.name, a.start, a.size) for a in other.axes]
        return Distribution((*self.axes, *named), outer, below, title=self.title)

    def convolve(self, other: Distribution) -> Distribution:
        """Return the distribution of the sum of this count and an independent one, each with one axis, both exact."""
        self._exact_only(other, "convolve")
        mine, theirs = self.axis(), other.axis()
        axis = Span(mine.name, mine.start + theirs.start, mine.size + theirs.size - 1)
        below = self.denominator * other.denominator if self.denominator and other.denominator else None
        return Distribution([axis], np.convolve(*self._like(other)), below, title=self.title)

    @overload
    def cdf(self, value: int, name: str | None = None) -> Number: ...
    @overload
    def cdf(self, value: None = None, name: str | None = None) -> dict[int, Number]: ...
    def cdf(self, value: int | None = None, name: str | None = None) -> Number | dict[int, Number]:
        """Return the probability of at most a value, or of at most each value of the axis."""
        return self._beside(lambda values, v: values <= v, value, name)

    @overload
    def at_least(self, value: int, name: str | None = None) -> Number: ...
    @overload
    def at_least(self, value: None = None, name: str | None = None) -> dict[int, Number]: ...
    def at_least(self, value: int | None = None, name: str | None = None) -> Number | dict[int, Number]:
        """Return the probability of at least a value, or of at least each value of the axis."""
        return self._beside(lambda values, v: values >= v, value, name)

    def mean(self, name: str | None = None) -> Number:
        """Return the mean of a count; warns with Truncated when outcomes lie outside the axes."""
        values, weights = self._moments(name, "mean")
        total = weights.sum()
        middle = (values * weights).sum()
        if self.denominator is not None:
            return Fraction(int(middle), int(total))
        average = float(middle / total)
        if self.trials is None:
            return average
        spread = math.sqrt(float((weights * (values - average) ** 2).sum() / total))
        half = deviations(LEVEL) * spread / math.sqrt(total)
        return Estimate(average, average - half, average + half, int(total), share=False)

    def sd(self, name: str | None = None) -> float | Estimate:
        """Return the standard deviation of a count; warns with Truncated when outcomes lie outside the axes."""
        values, weights = self._moments(name, "standard deviation")
        shares = (
            np.array([float(Fraction(w) / int(weights.sum())) for w in weights])
            if self.denominator
            else weights / weights.sum()
        )
        away = values.astype(float) - float((values * shares).sum())
        variance = float((shares * away**2).sum())
        if self.trials is None:
            return math.sqrt(variance)
        fourth, n = float((shares * away**4).sum()), float(weights.sum())
        half = deviations(LEVEL) * math.sqrt(max(0.0, fourth - variance**2) / (4 * variance * n)) if variance else 0.0
        return Estimate(
            math.sqrt(variance), math.sqrt(variance) - half, math.sqrt(variance) + half, int(n), share=False
        )

    def quantile(self, q: float, name: str | None = None) -> int | Estimate:
        """Return the smallest value that is not exceeded with probability q; q = 0.5 is the median.

        Args:
            q: A probability above 0 and at most 1.
            name: Which count; not needed where there is one.

        Raises:
            BadData: If q is no probability, or the quantile lies outside the axes.
        """
        if not 0 < q <= 1:
            raise BadData(f"a quantile is asked for a q above 0 and at most 1, not {q}.", key="quantile")
        single = self.marginal(self.axis(name).name)
        below = np.cumsum(single.probabilities)
        if self.trials is None:
            return self._reaching(below, q, name)
        half = deviations(LEVEL) * math.sqrt(q * (1 - q) / self.trials)
        low, high = (self._reaching(below, min(max(end, MISSING), below[-1]), name) for end in (q - half, q + half))
        return Estimate(self._reaching(below, q, name), low, high, self.trials, share=False)

    def median(self, name: str | None = None) -> int | Estimate:
        """Return the smallest value that is not exceeded in at least half of all cases."""
        return self.quantile(0.5, name)

    def interval(self, level: float = LEVEL) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return lower and upper ends for each probability; both are the probability itself where it is exact.

        Args:
            level: Chance that an interval holds the true probability (Wilson's interval).

        Returns:
            Two float64 arrays of the shape of the weights.
        """
        if self.trials is None:
            return self.probabilities, self.probabilities
        ends = [wilson(int(hits), self.trials, level) for hits in self.weights.ravel()]
        low, high = np.array(ends).reshape(-1, 2).T
        return low.reshape(self.weights.shape), high.reshape(self.weights.shape)

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
            A column for each count, "probability", and for a simulated distribution "low", "high" and "trials".
        """
        import pandas

        places = np.nonzero(self.weights)
        columns: dict[str, Any] = {axis.name: place + axis.start for axis, place in zip(self.axes, places, strict=True)}
        columns["probability"] = self.probabilities[places]
        if self.trials is not None:
            ends = [wilson(int(hits), self.trials) for hits in self.weights[places]]
            columns["low"], columns["high"] = ([pair[i] for pair in ends] for i in (0, 1))
            columns["trials"] = self.weights[places]
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
        mine = (self.axes, self.denominator, self.trials)
        return mine == (other.axes, other.denominator, other.trials) and bool((self.weights == other.weights).all())

    def __hash__(self) -> int:
        return hash((self.axes, self.denominator, self.trials, tuple(self.weights.ravel()[:64].tolist())))

    # inside

    def _with(self, axes: Iterable[Span], weights: NDArray[Any]) -> Distribution:
        return Distribution(axes, weights, self.denominator, self.trials, self.seed, self.title, self.beyond)

    def _where(self, condition: str | Condition) -> NDArray[np.bool_]:
        read = read_condition(condition, self.names)
        grid = np.ix_(*(np.arange(axis.start, axis.start + axis.size) for axis in self.axes))
        found = read.holds(dict(zip(self.names, grid, strict=True)))
        return np.broadcast_to(found, self.weights.shape)

    def number(self, mass: Any) -> Number:
        """Return a weight as a probability: a float, a Fraction or an Estimate."""
        if self.trials is not None:
            return Estimate.of_hits(int(mass), self.trials)
        return float(mass) if self.denominator is None else Fraction(int(mass), self.denominator)

    def _mass(self, where: NDArray[np.bool_]) -> Number:
        kept = self.weights[where]
        if self.trials is None and self.denominator is None:
            return min(1.0, math.fsum(kept))
        return self.number(kept.sum() if kept.size else 0)

    def points(self) -> Iterable[tuple[tuple[int, ...], Any]]:
        """Give each outcome that has a probability, as a tuple, with its weight."""
        starts = [axis.start for axis in self.axes]
        for place in zip(*(i.tolist() for i in np.nonzero(self.weights)), strict=True):
            yield tuple(i + s for i, s in zip(place, starts, strict=True)), self.weights[place]

    def _beside(self, test: Callable[..., Any], value: int | None, name: str | None) -> Number | dict[int, Number]:
        single = self.marginal(self.axis(name).name)
        axis = single.axes[0]
        values = np.array(axis.values)
        if value is not None:
            return single._mass(test(values, value))
        return {v: single._mass(test(values, v)) for v in axis.values}

    def _moments(self, name: str | None, what: str) -> tuple[NDArray[Any], NDArray[Any]]:
        single = self.marginal(self.axis(name).name)
        left = self.missing
        if not single.weights.sum():
            raise BadData(f"no outcome lies on the axis of {single.names[0]}, so there is no {what}.", key=what)
        if float(left) > MISSING:
            text = f"the {what} leaves out {tables.percent(float(left))} of the probability ({self.beyond})."
            warnings.warn(text, Truncated, stacklevel=3)
        kind = object if self.denominator is not None else np.float64
        return np.array(single.axes[0].values, kind), np.asarray(single.weights, kind)

    def _reaching(self, below: NDArray[np.float64], q: float, name: str | None) -> int:
        place = int(np.searchsorted(below, q - MISSING))
        if place >= len(below):
            raise BadData(
                f"the quantile {q:g} is {self.beyond}: only {tables.percent(float(below[-1]))} lies within.", key="q"
            )
        return self.axis(name).start + place

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
