"""Find the fewest mistakes that give the tables that were looked at.

The rates of one table's columns are measured under each layout and each way to count positions. The laws that give
those rates are asked for, and what each of them builds is compared with every table.
"""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..law.formula import EXPONENTS
from ..law.powers import USUAL_BASES, laws_of
from .alterations import parts
from .hypothesis import PLACES, Hypothesis
from .layouts import LAYOUTS
from .measure import measure

COARSE = 0.02  # by how much half precision may move a cell at the first positions
LOST = 2e4  # radians: float32 has no such angle


@dataclass(frozen=True)
class Match:
    """A hypothesis that agrees with every table, and the factor of each table."""

    hypothesis: Hypothesis
    scales: tuple[float, ...]


def search(tables, far=None):
    """The cheapest `Match` for all ``tables``, or None: of the common mistakes, or else of the rare ones.

    Of those with as many mistakes, one that holds in the table ``far``, too.
    """
    if not all(table.values.any() for table in tables):
        return None
    widest = max(tables, key=lambda table: table.values.shape[1])

    def rank(match):
        mistakes, *others = cost(match.hypothesis)
        return mistakes, far is not None and fits(match.hypothesis, far, least=0.0) is None, *others

    for rare in (False, True):
        if matches := [match for h in candidates(widest, rare) if (match := verify(h, tables))]:
            return min(matches, key=rank)
    return None


def cost(hypothesis):
    """How many mistakes it takes; among equals the usual bases and the common exponents first."""
    law = hypothesis.law
    unusual = law.base not in USUAL_BASES
    return len(parts(hypothesis)), unusual, EXPONENTS.index(law.exponent), PLACES.index(hypothesis.place)


def verify(hypothesis, tables):
    """The `Match` of ``hypothesis`` when it gives every one of ``tables``, else None."""
    scales = []
    for table in tables:
        scale = fits(hypothesis, table, 0.3 if hypothesis.law.inverted else 0.5)  # fast angles are lost in float32
        if scale is None:
            return None
        scales.append(scale)
    return Match(replace(hypothesis, scale=scales[0]), tuple(scales))


def candidates(table, rare=False, coarse=False):
    """Hypotheses whose rates are those of ``table``; ``coarse`` allows for angles in half precision."""
    size = table.max_len, table.values.shape[1]
    for layout, place in product(LAYOUTS, PLACES):
        if not rare and (layout.rare or place.rare):
            continue
        plain, columns, rates = rates_under(layout, place, table, coarse)
        if not rates or np.isinf(rates.error).mean() > (0 if rare else 0.8 if coarse else 0.6):
            continue  # half precision loses fast waves, and float32 those of 10000^(+2k/d)
        near = 3e-4 if _noise(table, coarse) < 1e-4 else 5e-3
        for law in laws_of(rates, columns, size, rare, near, 1 / 128 if coarse else 1e-6):
            yield replace(plain, law=law)


def rates_under(layout, place, table, coarse=False):
    """(hypothesis, columns, rates): of the columns that hold waves, in the paper's order; None for too few rows."""
    zero_row = bool(len(table.values) > 1 and np.abs(table.values[0]).max() < 1e-6)
    values, positions = layout.in_turn(table.values)[zero_row:], place.positions(table.max_len)[zero_row:]
    plain = Hypothesis(layout=layout, place=place, zero_row=zero_row, transposed=table.transposed)
    sine, cosine = layout.parts(values.shape[1])
    columns = np.flatnonzero((sine != 0) | (cosine != 0))
    if len(values) < 3 or not len(columns):
        return plain, columns, None
    upright = values[:, columns] * (sine + cosine)[columns]
    return plain, columns, measure(upright, positions, sine[columns] != 0, _noise(table, coarse))


def _noise(table, coarse):
    """By how much a cell may be off."""
    return COARSE if coarse else 2e-5 + table.rounding


def fits(hypothesis, table, least=0.5):
    """The factor with which ``hypothesis`` gives ``table``, or None; ``least`` is the share of cells that must tell."""
    size = table.max_len, table.values.shape[1]
    first = int(hypothesis.zero_row)
    built = replace(hypothesis, scale=1.0).build(*size)[first:]
    values, tolerance = table.values[first:], tolerance_of(hypothesis, table)[first:]
    trusted = np.isfinite(tolerance)
    built = np.where(trusted, built, 0)
    weight = (tolerance.min() / tolerance) ** 2  # noisy cells must not bend the factor of the exact ones
    scale = float((weight * built * values).sum() / max((weight * built**2).sum(), 1e-30))
    if trusted.mean() < least or abs(scale) < 1e-3:
        return None
    off = np.abs(values - scale * built)[trusted] / tolerance[trusted]
    if off.max(initial=0) > max(abs(scale), 1):
        return None
    return 1.0 if abs(scale - 1) <= 1e-3 else scale


def tolerance_of(hypothesis, table):
    """Naming is more generous than the verdict: float32 rounds a frequency by its logarithm, and pos multiplies it."""
    size = table.max_len, table.values.shape[1]
    angles = np.abs(hypothesis.angles(*size))
    slowness = np.abs(np.log(hypothesis.rates(*size) / hypothesis.law.turn.factor(table.max_len)))
    tolerance = 1e-5 + np.maximum(2e-7, 3e-7 * slowness) * angles
    tolerance = np.where(angles < LOST, tolerance, np.inf)  # lost in float32: says nothing
    return hypothesis.layout.arranged(tolerance) + 1.01 * table.rounding * np.abs(table.values)
