"""Frequencies that follow the length of each call, beyond a limit: dynamic NTK, and all angles divided."""

from dataclasses import replace
from itertools import product

import numpy as np

from .places import fits
from .words import MISTAKES

LIMITS = (2048, 4096, 8192)
FACTORS = (1.0, 2.0)


def about_growing(model, seen, which):
    """The design that explains every far call that the first positions' model does not; else []."""
    wrong = [probe for probe in seen.responses("far").values() if not fits(model, probe, which)]
    limits = {*LIMITS, *(n for n in seen.numbers if n >= 16)}
    factors = {*FACTORS, *(n for n in seen.numbers if 1 < n <= 64)}
    for words, slower in SLOWER.items():
        for limit, factor in product(limits, factors if words.startswith("dynamic") else FACTORS[:1]):
            grown = [_slower(model, probe, slower, limit, factor) for probe in wrong]
            if len(wrong) > 1 and all(fits(one, probe, which) for one, probe in zip(grown, wrong, strict=True)):
                said = f"beyond {limit:g} positions, by the length of the call; factor {factor:g}"
                return [MISTAKES["by-length"].found(said, title=f"It follows the length: {words}.")]
    return []


def _slower(model, probe, slower, limit, factor):
    pace = np.abs(model.rate)
    pair = np.searchsorted(-np.unique(pace)[::-1], -pace)
    times = max(float(probe.positions[-1] + 1) / limit, 1.0)
    return replace(model, rate=model.rate * slower(times, factor, pair, len(pace)))


SLOWER = {
    "dynamic NTK scaling": lambda n, factor, pair, d: (factor * n - factor + 1) ** (-2.0 * pair / (d - 2)),
    "scaling by the length beyond a limit": lambda n, factor, pair, d: 1 / n,
}
