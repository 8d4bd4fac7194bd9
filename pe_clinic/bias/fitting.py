"""Which slopes, growth and factor give these very numbers? Slopes are measured, then compared with rules.

The rules: which slope a head gets, the paper's first, and what is mistaken for it, the likeliest first.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..law.half import HALVES

HALF_SLOPES = "half-slopes"


def paper_slopes(heads):
    below = 1 << (heads.bit_length() - 1)
    exponents = [8 * n / below for n in range(1, below + 1)] + [4 * n / below for n in range(1, 2 * (heads - below), 2)]
    return 2.0 ** -np.array(exponents)


def _from_one(heads):
    """Of the heads up to a power of two each has the slope of the one before; the others are right."""
    below = 1 << (heads.bit_length() - 1)
    return np.concatenate([2.0 ** (-8 * np.arange(below) / below), paper_slopes(heads)[below:]])


@dataclass(frozen=True)
class Rule:
    """Slopes for a number of heads, what a bias with them is called where it is right, and the id of what is said."""

    build: Callable
    convention: str = ""
    id: str = ""
    rounded_to: str = ""


PAPERS = (
    Rule(paper_slopes, "slopes by the authors' code"),
    Rule(lambda heads: 2.0 ** (-8 * np.arange(1, heads + 1) / heads), "slopes by the paper's text", "plain-slopes"),
)
ROUNDED = tuple(
    Rule(lambda heads, r=rule, half=half: half.rounded(r.build(heads)), rule.convention, HALF_SLOPES, half.name)
    for rule in PAPERS
    for half in HALVES
)
RIGHT = (*PAPERS, *ROUNDED)
RULES = (
    *RIGHT,
    Rule(lambda heads: 2.0 ** (-8 * np.arange(heads) / heads), id="slopes-from-one"),
    Rule(lambda heads: 2.0 ** -np.arange(1.0, heads + 1), id="halving-slopes"),
    Rule(_from_one, id="slopes-from-one"),
    Rule(lambda heads: 2.0 ** (-8 * np.arange(2, heads + 2) / heads), id="slopes-late"),
)


@dataclass(frozen=True)
class Growth:
    """A mistake's id, and what it makes of distances."""

    id: str
    build: Callable


GROWTHS = (
    Growth("squared-distance", lambda d: d**2),
    Growth("distance-off-by-one", lambda d: np.maximum(d - 1, 0)),
    Growth("root-distance", np.sqrt),
    Growth("stepped-distance", lambda d: d // 3),  # of the period that is given
    Growth("logarithm-of-distance", np.log1p),
    *(Growth("half-distance", half.rounded) for half in HALVES),
)


@dataclass(frozen=True)
class Fit:
    """cost = −factor · rule's slope · growth(distance); of slopes of no rule, ``slopes`` are all that is known."""

    growth: Growth | None
    slopes: tuple[np.ndarray, ...]  # of each size, as measured
    rule: Rule | None = None
    factors: tuple[float, ...] = ()  # of each size

    def oddity(self, lengths):
        """The same slopes may be another rule's times numbers: no factor is better, then one that makes sense."""
        factors = np.abs(self.factors)
        varies = [np.ptp(one) > 1e-3 * one.max() for one in (factors, factors * lengths, factors * (lengths - 1))]
        return np.abs(factors - 1).max() > 1e-4, all(varies)


def costs(bias, slopes, growth=None):
    distance = np.maximum(bias.distance, 0)
    return -slopes[:, None, None] * (growth.build(distance) if growth else distance)


def agrees(bias, made):
    wrong = np.abs(bias.cost - made) > bias.allowed() + 1e-6 * np.abs(made)
    return not (wrong & bias.seen).any()


def right_rule(biases):
    """The `Rule` of a bias that is right; None of any other."""
    return next((r for r in RIGHT if all(agrees(b, costs(b, r.build(b.heads))) for b in biases)), None)


def of_one_head(biases):
    """(biases, what is seen): where one head alone has another slope, its biases with the paper's; else "" is seen."""
    slopes = [float(_measured(bias, None)[0]) for bias in biases if bias.heads == 1]
    if not slopes or np.ptp(slopes) > 1e-6 or slopes[0] <= 0 or np.isclose(slopes[0], paper_slopes(1)[0]):
        return biases, ""
    right = paper_slopes(1)[0]
    scaled = [replace(b, values=b.values * (right / slopes[0])) if b.heads == 1 else b for b in biases]
    return scaled, f"for 1 head the slope is {slopes[0]:.4g}, the paper's is {right:.4g}"


def fit(biases):
    """The `Fit` of the first growth with which slopes give every cost; None when there is none."""
    for growth in (None, *GROWTHS):
        slopes = tuple(_measured(bias, growth) for bias in biases)
        if all(agrees(bias, costs(bias, own, growth)) for bias, own in zip(biases, slopes, strict=True)):
            fits = [found for rule in RULES if (found := _by_rule(biases, growth, slopes, rule))]
            lengths = np.array([bias.length for bias in biases])
            best = min(fits, key=lambda found: found.oddity(lengths), default=None)
            senseless = best is None or (best.rule in RIGHT and best.oddity(lengths)[1])  # another number for each size
            return Fit(growth, slopes) if senseless else best
    return None


def _measured(bias, growth):
    ones = costs(bias, np.ones(bias.heads), growth)[:, bias.seen]
    return (ones * bias.cost[:, bias.seen]).sum(axis=1) / np.maximum((ones**2).sum(axis=1), 1e-30)


def _by_rule(biases, growth, slopes, rule):
    factors = []
    for bias, own in zip(biases, slopes, strict=True):
        made = rule.build(bias.heads)
        factors.append(float((own * made).sum() / (made**2).sum()))
        if abs(factors[-1]) < 1e-9 or not agrees(bias, costs(bias, factors[-1] * made, growth)):
            return None
    return Fit(growth, slopes, rule, tuple(factors))
