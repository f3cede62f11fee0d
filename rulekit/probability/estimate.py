"""A simulated number with its error, and what statistics needs to give one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Self

from rulekit.rules import BadData

LEVEL = 0.95
SMALLEST_EXPECTED = 8.0


class Estimate(float):
    """Hold a simulated number, its interval and the number of trials; use it as a float.

    Attributes:
        low: Lower end of the interval.
        high: Upper end of the interval.
        trials: Number of trials behind it.
        level: Chance that such an interval holds the true number, 0.95.
        share: Whether it is a probability, shown in percent.
    """

    low: float
    high: float
    trials: int
    level: float
    share: bool

    def __new__(
        cls, value: float, low: float, high: float, trials: int, share: bool = True, level: float = LEVEL
    ) -> Self:
        """Hold a number with the ends of its interval.

        Args:
            value: The estimate itself.
            low: Lower end, at most the value.
            high: Upper end, at least the value.
            trials: Number of trials, at least 1.
            share: Whether it is a probability, shown in percent.
            level: Chance that such an interval holds the true number, between 0 and 1.
        """
        self = super().__new__(cls, value)
        self.low, self.high, self.trials, self.share, self.level = low, high, trials, share, level
        return self

    @classmethod
    def of_hits(cls, hits: int, trials: int, level: float = LEVEL) -> Estimate:
        """Estimate a probability from how often it happened.

        Args:
            hits: In how many trials it happened, at most `trials`.
            trials: Number of trials, at least 1.
            level: Chance that the interval holds the true probability.

        Returns:
            The share of hits with its Wilson interval.
        """
        low, high = wilson(hits, trials, level)
        return cls(hits / trials, low, high, trials, True, level)

    @staticmethod
    def trials_for(error: float, p: float = 0.5, level: float = LEVEL) -> int:
        """Return how many trials give a probability to within an error.

        Args:
            error: Half the width of the interval wanted, above 0, 0.001 for a tenth of a percentage point.
            p: The probability expected, 0 to 1; 0.5 needs the most trials.
            level: Chance that the interval holds the true probability.

        Returns:
            z^2 p (1 - p) / error^2, rounded up.

        Raises:
            BadData: If the error is not above 0 or p is not a probability.
        """
        if not error > 0 or not 0 <= p <= 1:
            raise BadData(f"an error is above 0 and p lies between 0 and 1, not {error} and {p}.", key="trials_for")
        return max(1, math.ceil(deviations(level) ** 2 * p * (1 - p) / error**2 - 1e-9))

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    def holds(self, value: float) -> bool:
        """Tell whether the interval holds a number."""
        return self.low <= value <= self.high

    def short(self) -> str:
        """Return the number and its error as text, without the number of trials."""
        factor, unit = (100, " %") if self.share else (1, "")
        if self.share and float(self) in (0.0, 1.0):
            edge = ("at most", self.high) if float(self) == 0.0 else ("at least", self.low)
            return f"{100 * self:.0f} % ({edge[0]} {100 * edge[1]:.3g} %)"
        digits = _digits(factor * self.error)
        return f"{factor * self:,.{digits}f}{unit} ± {factor * self.error:,.{digits}f}"

    def __str__(self) -> str:
        return f"{self.short()} ({self.trials:,} trials)"

    __repr__ = __str__

    def __format__(self, how: str) -> str:
        return str(self) if not how else super().__format__(how)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Estimate, (float(self), self.low, self.high, self.trials, self.share, self.level))


@dataclass(frozen=True)
class Comparison:
    """Say how far two distributions are apart.

    Attributes:
        statistic: Pearson's chi-square, 0 where both are exact.
        freedom: Its degrees of freedom.
        p_value: Chance of a statistic at least as large if both are the same; 1.0 or 0.0 where both are exact.
        largest: The largest difference between the probabilities of one outcome.
        cells: Number of groups of outcomes that were compared.
    """

    statistic: float
    freedom: int
    p_value: float
    largest: float
    cells: int

    def __str__(self) -> str:
        if not self.freedom:
            return f"largest difference {100 * self.largest:.3g} points, p = {self.p_value:.3g}"
        return (
            f"chi-square {self.statistic:.1f} with {self.freedom} degrees of freedom, p = {self.p_value:.3g}; "
            f"largest difference {100 * self.largest:.2g} points"
        )


def deviations(level: float) -> float:
    """Return how many standard deviations hold the middle `level` of a normal distribution.

    Raises:
        BadData: If the level is not between 0 and 1.
    """
    if not 0 < level < 1:
        raise BadData(f"a level lies between 0 and 1, not {level}.", key="level", instead="0.95 is usual")
    return NormalDist().inv_cdf((1 + level) / 2)


def wilson(hits: float, trials: float, level: float = LEVEL) -> tuple[float, float]:
    """Return Wilson's interval for a probability (E. B. Wilson, 1927).

    Args:
        hits: How often it happened.
        trials: How often it was tried, above 0.
        level: Chance that such an interval holds the true probability.

    Returns:
        Lower and upper end, both from 0 to 1.
    """
    z = deviations(level)
    share = hits / trials
    spread = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    middle, scale = share + z * z / (2 * trials), 1 + z * z / trials
    low = 0.0 if hits == 0 else max(0.0, (middle - spread) / scale)
    high = 1.0 if hits == trials else min(1.0, (middle + spread) / scale)
    return low, high


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the chance that chi-square exceeds a value: the upper incomplete gamma function Q(freedom/2, statistic/2).

    Args:
        statistic: The value, at least 0.
        freedom: Degrees of freedom, at least 1.

    Returns:
        A probability, by a series below the mean and Lentz's continued fraction above it.
    """
    a, x = freedom / 2, statistic / 2
    if x <= 0:
        return 1.0
    if math.isinf(x):
        return 0.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > abs(total) * 1e-15:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - front * total)
    return min(1.0, front * _lentz(a, x))


def _lentz(a: float, x: float) -> float:
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for i in range(1, 10_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        h *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return h


def pearson(observed: Iterable[float], expected: Iterable[float], largest: float) -> Comparison:
    """Compare how often outcomes happened with how often they should, outcomes expected under 8 times taken together.

    Args:
        observed: Number of times each outcome happened.
        expected: Number of times it should have happened; the sums are equal.
        largest: The largest difference between probabilities, to be shown with the result.

    Returns:
        Pearson's test; p is 0 if something happened that cannot happen.
    """
    pairs = sorted(zip(expected, observed, strict=True), reverse=True)
    if any(seen and not due for due, seen in pairs):
        return Comparison(math.inf, max(1, len(pairs) - 1), 0.0, largest, len(pairs))
    groups = _grouped([(due, seen) for due, seen in pairs if due])
    statistic = math.fsum((seen - due) ** 2 / due for due, seen in groups)
    freedom = len(groups) - 1
    p_value = chi_square_tail(statistic, freedom) if freedom else 1.0
    return Comparison(statistic, freedom, p_value, largest, len(groups))


def two_samples(first: Sequence[int], second: Sequence[int], largest: float) -> Comparison:
    """Compare two tallies of the same outcomes by the chi-square test of homogeneity.

    Args:
        first: How often each outcome happened in one run.
        second: The same of another run.
        largest: The largest difference between the shares, to be shown with the result.

    Returns:
        The test; outcomes that happened fewer than 16 times in all are taken together.
    """
    n, m = sum(first), sum(second)
    rows = _grouped(
        [(float(a + b), a) for a, b in sorted(zip(first, second, strict=True), key=sum, reverse=True) if a + b], 16.0
    )
    statistic = 0.0
    for both, one in rows:
        due = both * n / (n + m)
        other = both - due
        statistic += (one - due) ** 2 / due + (one - due) ** 2 / other
    freedom = len(rows) - 1
    p_value = chi_square_tail(statistic, freedom) if freedom else 1.0
    return Comparison(statistic, freedom, p_value, largest, len(rows))


def _grouped(pairs: list[tuple[float, float]], least: float = SMALLEST_EXPECTED) -> list[tuple[float, float]]:
    groups = [pair for pair in pairs if pair[0] >= least]
    rest = [pair for pair in pairs if pair[0] < least]
    if rest:
        due, seen = math.fsum(pair[0] for pair in rest), math.fsum(pair[1] for pair in rest)
        if groups and due < least:
            last = groups.pop()
            due, seen = due + last[0], seen + last[1]
        groups.append((due, seen))
    return groups


def _digits(error: float) -> int:
    if not error > 0 or math.isinf(error):
        return 2
    return min(12, max(0, -math.floor(math.log10(error))))
