"""Weights on named integer axes, and what can be said of one of the counts: mean, quantiles, at least, at most."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from rulekit.probability import tables
from rulekit.probability.condition import Condition, read_condition
from rulekit.probability.estimate import LEVEL, Estimate, deviations, wilson
from rulekit.rules import BadData, Unknown

Number: TypeAlias = float | Fraction | Estimate
MISSING = 1e-12


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


class Weighted:
    """Hold a weight for each point on named integer axes; the attributes are those of a `Distribution`."""

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

    def marginal(self, *names: str) -> Self:
        """Return the joint distribution of some of the counts, in the order asked."""
        wanted = [self.axes.index(self.axis(name)) for name in names]
        others = tuple(i for i in range(len(self.axes)) if i not in wanted)
        summed = np.asarray(self.weights.sum(axis=others) if others else self.weights)
        kept = sorted(wanted)
        turned = np.array(summed.transpose([kept.index(i) for i in wanted]))
        return self._with([self.axes[i] for i in wanted], turned)

    # one count

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
        squares = float((weights * (values - average) ** 2).sum())
        half = deviations(LEVEL) * math.sqrt(squares / (total - 1) / total) if total > 1 else math.inf
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

    # inside

    def _with(self, axes: Iterable[Span], weights: NDArray[Any]) -> Self:
        return type(self)(axes, weights, self.denominator, self.trials, self.seed, self.title, self.beyond)

    def _where(self, condition: str | Condition) -> NDArray[np.bool_]:
        read = read_condition(condition, self.names)
        grid = np.ix_(*(np.arange(axis.start, axis.start + axis.size) for axis in self.axes))
        found = read.holds(dict(zip(self.names, grid, strict=True)))
        return np.broadcast_to(found, self.weights.shape)

    def number(self, mass: Any) -> Number:
        """Return a weight as a probability: a float, a Fraction or an Estimate."""
        if self.trials is not None:
            return Estimate.of_hits(int(mass), self.trials)
        return min(1.0, float(mass)) if self.denominator is None else Fraction(int(mass), self.denominator)

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
