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
    # The same slopes may be another rule's times a number: the rule without one is the better reason.
    return min(fits, key=lambda fit: np.abs(np.abs(fit.factors) - 1).max() > 1e-4, default=None)
