"""Does a hypothesis give a table? Up to one factor, and to what rounding may do."""

import numpy as np

from .hypothesis import THOUSAND


def fits(hypothesis, table, least=0.5):
    """The factor with which ``hypothesis`` gives ``table``, or None; ``least`` is the share of cells that must tell."""
    angles = hypothesis.angles(table.max_len, table.values.shape[1])
    built = hypothesis.but(scale=1.0).finish(angles)
    tolerance = tolerance_of(table.values, hypothesis.layout.arranged(angles), table.rounding)
    first = 1 if hypothesis.zero_row else 0
    scale, worst = _compare(built[first:], table.values[first:], tolerance[first:], least)
    return _snap(scale) if worst <= 1 else None


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


def _compare(built, values, tolerance, least):
    """The best factor, and the worst difference in units of what is tolerated."""
    trusted = np.isfinite(tolerance)
    built = np.where(trusted, built, 0)
    weight = (tolerance.min() / tolerance) ** 2  # noisy cells must not bend the factor of the exact ones
    scale = float((weight * built * values).sum() / max((weight * built**2).sum(), 1e-30))
    if trusted.mean() < least or abs(scale) < 1e-3:
        return scale, np.inf
    return scale, np.where(trusted, np.abs(values - scale * built) / (tolerance * max(abs(scale), 1)), 0).max()
