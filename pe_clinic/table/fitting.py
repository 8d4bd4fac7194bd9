"""Does a hypothesis give a table? Up to one factor, and to what rounding may do."""

import numpy as np

from .hypothesis import THOUSAND


def fits(hypothesis, table, least=0.5):
    """The factor with which ``hypothesis`` gives ``table``, or None; ``least`` is the share of cells that must tell."""
    angles = hypothesis.angles(table.max_len, table.values.shape[1])
    built = hypothesis.but(scale=1.0).finish(angles)
    tolerance = tolerance_of(table.values, hypothesis.layout.arranged(angles), table.rounding)
    scale, worst = compare(built[None], table.values, tolerance[None], hypothesis.zero_row, least)
    return _snap(float(scale[0])) if worst[0] <= 1 else None


def surely(hypothesis, table):
    """Angles times 1000 would hide changes of 1e-3 in what is tolerated: nothing but float32's own error passes."""
    if hypothesis.turn is not THOUSAND:
        return True
    T, d = table.max_len, table.values.shape[1]
    angles = hypothesis.angles(T, d)
    slowness = np.abs(np.log(hypothesis.column_frequencies(d, T) / 1000))  # exp of a rounded number of this size
    tolerance = 1e-5 + np.maximum(1e-7, 3e-7 * slowness) * np.abs(angles)
    tolerance = hypothesis.layout.arranged(tolerance) + 1.01 * table.rounding * np.abs(table.values)
    return bool((np.abs(table.values - hypothesis.finish(angles)) <= tolerance).all())


def _snap(scale):
    return 1.0 if abs(scale - 1) <= 1e-3 else scale


def tolerance_of(values, angles, rounding):
    """Naming is more generous than the verdict: float32 loses angles that grow by 10000^(2k/d)."""
    angles = np.abs(angles)
    tolerance = 1e-5 + 1e-6 * angles + 1.01 * rounding * np.abs(values)
    return np.where(1e-6 * angles < 0.02, tolerance, np.inf)  # lost in float32: says nothing


def compare(built, values, tolerance, zero_row, least=0.5):
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
