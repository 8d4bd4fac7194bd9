"""Rows for all distances, from -max_len or so to max_len: the half from distance 0 on is a table of its own."""

from dataclasses import replace

import numpy as np

from ..sandbox.values import as_numbers
from .words import found


def _half(function, step):
    """A function of (max_len, d_model): the rows from distance 0 on, or back from it; else ValueError."""

    def rows(max_len, d_model):
        both = np.squeeze(as_numbers(function(max_len, d_model)))
        if both.ndim != 2 or abs(len(both) - 2 * max_len) != 1:
            raise ValueError(f"{len(both)} rows are not those of all distances")
        return both[len(both) // 2 :: step][:max_len]

    return rows


def of_distances(function, diagnose):
    """The `Diagnosis` of rows for all distances, in whatever order these stand; None of all else."""
    halves = _half(function, 1), _half(function, -1)
    try:
        ahead, back = (half(7, 8) for half in halves)
    except Exception:
        return None
    flipped = np.where(np.abs(ahead[0]) < 1e-5, -ahead, ahead)  # at distance 0 a sine is 0
    if not np.allclose(back, flipped, atol=1e-5) and not np.allclose(back, ahead, atol=1e-5):
        return None
    both = [diagnose(half) for half in halves]
    one = min(both, key=lambda told: (not told.verdict.good, told.verdict.rank, len(told.findings)))
    if not one.verdict.good:
        return one
    alike = np.allclose(back, ahead, atol=1e-5)
    seen = found("all-distances-alike" if alike else "all-distances", "for max_len = 7 it gives 13 rows, or 15")
    known = None if alike else ", ".join(filter(None, ("all distances", one.convention)))
    return replace(one, ok=False, convention=known, findings=(seen, *one.findings), picture=None)
