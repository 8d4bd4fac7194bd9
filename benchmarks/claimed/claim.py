"""A sentence of a lesson, an experiment, and the interval that decides between them."""

from collections.abc import Callable
from dataclasses import dataclass
from math import comb

import numpy as np

ERROR = 0.025  # on each side: intervals hold 95 %
IN_EVERY_RUN = (0.6, 1.0)  # of ten runs not one may fail: with nine right, the interval begins at 0.55
IN_SOME_RUNS = (0.05, 1.0)


@dataclass(frozen=True)
class Claim:
    """``words`` of a lesson, and an ``experiment(seed)`` that gives True or False, or a number.

    The claim is supported when the interval lies ``within`` two numbers, both included: the interval of the share of
    True, or of the mean of the numbers.
    """

    words: str
    experiment: Callable[[int], object]
    within: tuple[float, float] = IN_EVERY_RUN

    def supported_by(self, interval):
        return self.within[0] <= interval[0] and interval[1] <= self.within[1]


def interval_of(values):
    """(low, high) of 95 %: exact binomial for booleans, Student's t of the mean for numbers."""
    if all(isinstance(value, (bool, np.bool_)) for value in values):
        return binomial_interval(sum(map(bool, values)), len(values))
    return student_interval(np.array(values, dtype=float))


def binomial_interval(successes, runs):
    """Clopper and Pearson's: the shares under which this many successes, or a more extreme number, are no surprise."""

    def at_least(share):
        return sum(comb(runs, k) * share**k * (1 - share) ** (runs - k) for k in range(successes, runs + 1))

    def at_most(share):
        return sum(comb(runs, k) * share**k * (1 - share) ** (runs - k) for k in range(successes + 1))

    low = 0.0 if successes == 0 else _where(lambda share: at_least(share) > ERROR)
    high = 1.0 if successes == runs else _where(lambda share: at_most(share) < ERROR)
    return low, high


def _where(true_from):
    """The share from which on ``true_from`` is true, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if true_from(middle) else (middle, high)
    return high


def student_interval(values):
    """Of few numbers a bootstrap's interval is too narrow: of ten normal ones it holds the mean in 90 of 100 cases."""
    margin = student_quantile(len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return float(values.mean() - margin), float(values.mean() + margin)


def student_quantile(degrees):
    """What t exceeds with the probability `ERROR`: its density over tan(angle), summed from the right."""
    angles = np.linspace(0, np.pi / 2, 200_001)
    density = np.cos(angles) ** (degrees - 1)  # t = tan(angle) * sqrt(degrees)
    beyond = np.cumsum(density[::-1])[::-1] / density.sum() / 2
    return float(np.tan(angles[np.argmax(beyond < ERROR)]) * np.sqrt(degrees))
