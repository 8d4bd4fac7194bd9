"""Find the fewest mistakes that give the table that was looked at.

Many hypotheses are built at once for the first table; those that agree with it are tried on the second.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from .hypothesis import EXPONENTS, PAPER_BASE, TURNS, UNLISTED_EXPONENTS, Hypothesis, from_halves

LISTED_EXPONENTS = tuple(name for name in EXPONENTS if name not in UNLISTED_EXPONENTS)
BASES = (PAPER_BASE, 1e3, 1e5, 1e2, 1e6, 10.0, 5e5)
FITTED_EXPONENTS = ("paper", "doubled-column", "own-odd-exponent", "tensor2tensor")
BASE_GRID = np.exp(np.arange(0.1, 23, 0.1))
TOO_FAR = 3e4  # in units of what is tolerated: the nearest base of the grid is much nearer than that


@dataclass(frozen=True)
class Match:
    """A hypothesis that agrees with every table, and the factor of each table."""

    hypothesis: Hypothesis
    scales: tuple[float, ...]

    def at(self, n):
        """The hypothesis with the factor of table ``n``."""
        return self.hypothesis.but(scale=self.scales[n])


def search(tables, rare=False):
    """The cheapest `Match` for all ``tables``, or None: of the listed mistakes, or else of the ``rare`` ones."""
    first = tables[0]
    if all(table.values.any() for table in tables):
        for stage in (fitted, unlisted) if rare else (listed,):
            matches = [match for h in stage(first) if (match := verify(h, tables))]
            if matches:
                return min(matches, key=lambda match: cost(match.hypothesis))
    return None


def cost(hypothesis):
    """How many mistakes it takes, the common ones first among equals."""
    return len(hypothesis.ids()), list(EXPONENTS).index(hypothesis.exponent), hypothesis.start != 0


def verify(hypothesis, tables):
    """The `Match` of ``hypothesis`` when it gives every one of ``tables``, else None."""
    scales = []
    for table in tables:
        scale = fits(hypothesis, table)
        if scale is None:
            return None
        scales.append(scale)
    return Match(hypothesis.but(scale=scales[0]), tuple(scales))


def fits(hypothesis, table, least=0.5):
    """The factor with which ``hypothesis`` gives ``table``, or None; ``least`` is the share of cells that must tell."""
    angles = hypothesis.angles(table.max_len, table.values.shape[1])
    built = hypothesis.but(scale=1.0).finish(angles)
    tolerance = _tolerance(table.values, angles, table.rounding)
    scale, worst = _compare(built[None], table.values, tolerance[None], hypothesis.zero_row, least)
    return _snap(float(scale[0])) if worst[0] <= 1 else None


def _snap(scale):
    return 1.0 if abs(scale - 1) <= 1e-3 else scale


def _tolerance(values, angles, rounding):
    """Naming is more generous than the verdict: float32 loses angles that grow by 10000^(2k/d)."""
    angles = np.abs(angles)
    tolerance = 1e-5 + 1e-6 * angles + 1.01 * rounding * np.abs(values)
    return np.where(1e-6 * angles < 0.02, tolerance, np.inf)  # lost in float32: says nothing


def _compare(built, values, tolerance, zero_row, least=0.5):
    """For each of ``built`` (N, T, d): the best factor, and the worst difference in units of what is tolerated."""
    if zero_row:
        built, values, tolerance = built[:, 1:], values[1:], tolerance[:, 1:]
    trusted = np.isfinite(tolerance)
    built = np.where(trusted, built, 0)
    weight = (tolerance.min() / tolerance) ** 2  # noisy cells must not bend the factor of the exact ones
    scale = (weight * built * values).sum((1, 2)) / np.maximum((weight * built**2).sum((1, 2)), 1e-30)
    difference = np.abs(values - scale[:, None, None] * built)
    worst = np.where(trusted, difference / (tolerance * np.maximum(np.abs(scale), 1)[:, None, None]), 0).max((1, 2))
    worst[(trusted.mean((1, 2)) < least) | (np.abs(scale) < 1e-3)] = np.inf
    return scale, worst


def trial(table, settings, coarse=False):
    """For hypotheses that differ in their frequencies, in four layouts: (N, 4) differences, and a maker of hypotheses.

    ``settings`` are dicts with exponent, base, inverted, start and turn; ``coarse`` allows for half-precision angles.
    """
    T, d = table.values.shape
    common = {"transposed": table.transposed, "zero_row": T > 1 and np.abs(table.values[0]).max() < 1e-6}
    bare = [Hypothesis(**setting) for setting in settings]
    angles = np.stack([h.angles(T, d) for h in bare])
    sine, cosine, even = np.sin(angles), np.cos(angles), np.arange(d) % 2 == 0
    worst = []
    for swapped, halves in product((False, True), repeat=2):
        built = np.where(even != swapped, sine, cosine)
        values = from_halves(table.values) if halves else table.values
        tolerance = np.where(angles < 8, 0.1, np.inf) if coarse else _tolerance(values, angles, table.rounding)
        worst.append(_compare(built, values, tolerance, common["zero_row"], 0.25 if coarse else 0.5)[1])

    def make(n, layout):
        return bare[n].but(swapped=layout in (2, 3), halves=layout in (1, 3), **common)

    return np.stack(worst, axis=1), make


def listed(table, coarse=False):
    """Every combination of the listed mistakes with the usual bases that gives ``table``."""
    settings = [
        {"exponent": exponent, "base": base, "inverted": inverted, "start": start}
        for exponent, base, inverted, start in product(LISTED_EXPONENTS, BASES, (False, True), (0, 1))
        if exponent != "no-exponent" or (base == PAPER_BASE and not inverted)
    ]
    return _agreeing(table, settings, coarse)


def unlisted(table):
    """Mistakes that are rarer: another divisor, another start, another unit of angle."""
    settings = [
        {"exponent": exponent, "start": start, "turn": turn}
        for exponent, start, turn in product(EXPONENTS, (0, 1, 2, -1, 0.5), TURNS)
        if exponent in UNLISTED_EXPONENTS or turn or start not in (0, 1)
    ]
    return _agreeing(table, settings)


def _agreeing(table, settings, coarse=False):
    worst, make = trial(table, settings, coarse)
    return [make(n, layout) for n, layout in np.argwhere(worst <= 1)]


def fitted(table):
    """Any base: the best of a grid, refined until it agrees or cannot."""
    settings = [
        {"exponent": exponent, "base": base, "start": start}
        for exponent, start, base in product(FITTED_EXPONENTS, (0, 1), BASE_GRID)
    ]
    worst, make = trial(table, settings)
    best = worst.reshape(-1, len(BASE_GRID), 4).argmin(axis=1)
    for group, layout in np.ndindex(best.shape):
        n = group * len(BASE_GRID) + best[group, layout]
        if worst[n, layout] < TOO_FAR:
            yield from _refine(make(n, layout), table)


def _refine(hypothesis, table):
    """Narrow the logarithm of the base round the grid's best, by thirds."""

    def distance(log_base):
        h = hypothesis.but(base=float(np.exp(log_base)))
        built = h.finish(h.angles(*table.values.shape))
        scale = (built * table.values).sum() / max((built**2).sum(), 1e-30)
        return np.abs(table.values - scale * built).sum()

    middle = np.log(hypothesis.base)
    low, high = middle - 0.1, middle + 0.1
    for _ in range(45):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if distance(left) < distance(right) else (left, high)
    refined = hypothesis.but(base=float(np.exp((low + high) / 2)))
    return [refined] if fits(refined, table) is not None else []
