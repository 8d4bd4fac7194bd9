"""Which slopes, which growth, which factor give these very numbers? Each combination is built and compared."""

from dataclasses import dataclass
from itertools import product

import numpy as np

from .built import Built
from .mistakes import GROWTHS
from .slopes import SLOPES, paper_slopes


@dataclass(frozen=True)
class Fit:
    """cost = −factor · slope · growth(distance), with a factor for each size."""

    slopes: Built | None
    growth: Built | None
    factors: tuple[float, ...]


def built(bias, slopes, growth, factor=1.0, own_slopes=None):
    values = own_slopes if own_slopes is not None else (slopes.build if slopes else paper_slopes)(bias.heads)
    distance = np.maximum(bias.distance, 0)
    grown = growth.build(distance, bias.length) if growth else distance
    return -factor * values[:, None, None] * grown


def agrees(bias, built):
    wrong = np.abs(bias.cost - built) > bias.allowed() + 1e-6 * np.abs(built)
    return not (wrong & bias.seen).any()


def fit(biases):
    fits = []
    for growth, slopes in product((None, *GROWTHS), (None, *SLOPES)):
        factors = []
        for bias in biases:
            made = built(bias, slopes, growth)[:, bias.seen]
            total = (made**2).sum()
            factor = (made * bias.cost[:, bias.seen]).sum() / total if total else 0.0
            if not np.isfinite(factor) or not agrees(bias, built(bias, slopes, growth, factor)):
                break
            factors.append(float(factor))
        else:
            if min(map(abs, factors)) > 1e-9:
                fits.append(Fit(slopes, growth, tuple(factors)))
    lengths = np.array([bias.length for bias in biases])
    return min(fits, key=lambda fit: _oddity(np.abs(fit.factors), lengths), default=None)


def _oddity(factors, lengths):
    """The same slopes may be another rule's times numbers: no factor is better, then one that makes sense."""
    varies = [np.ptp(one) > 1e-3 * one.max() for one in (factors, factors * lengths, factors * (lengths - 1))]
    return np.abs(factors - 1).max() > 1e-4, all(varies)


def measured(biases):
    """(growth, the slopes of each bias) where the slopes follow no known rule; None when no growth fits."""
    for growth in (None, *GROWTHS):
        slopes = []
        for bias in biases:
            made = built(bias, None, growth, own_slopes=np.ones(bias.heads))[:, bias.seen]
            slopes.append((made * bias.cost[:, bias.seen]).sum(axis=1) / np.maximum((made**2).sum(axis=1), 1e-30))
        if all(agrees(b, built(b, None, growth, own_slopes=s)) for b, s in zip(biases, slopes, strict=True)):
            return growth, slopes
    return None
