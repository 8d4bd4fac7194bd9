"""Was a table computed in half precision? Repeat the computation with rounded numbers and compare."""

from dataclasses import dataclass, replace

import numpy as np

from ..law.formula import short
from ..law.half import HALVES, Way, ways
from .hypothesis import Hypothesis
from .search import candidates, cost

FAR = np.r_[0:40, 250:300, 500:510, 2040:2080]  # where bfloat16 and float16 stop telling positions apart


@dataclass(frozen=True)
class HalfPrecision:
    hypothesis: Hypothesis
    way: Way
    same_rows: tuple[int, int] | None  # two positions that got one and the same row

    def gives(self, table):
        """Is this table, of any width, computed in the same way?"""
        return _met(self.hypothesis, table, self.way)


def find_half_precision(tables, known):
    """The cheapest `HalfPrecision` that gives all ``tables``, the last one a long one; or None.

    ``known`` are hypotheses that already explain the short tables, if there are any.
    """
    # The largest number of a long table is a cosine of 1, and so the factor itself.
    largest = float(np.abs(tables[-1].values).max())
    for hypothesis in known or _shortlist(tables):
        scale = 1.0 if hypothesis.scale == 1 else float(np.copysign(largest, hypothesis.scale))
        h = replace(hypothesis, scale=scale)
        # Nothing rounded but the sine and cosine: where that is enough, the angles are not to blame.
        to_blame = [dtype for dtype in HALVES if not _all_met(h, tables, Way(dtype))]
        for way in (way for dtype in to_blame for way in ways(dtype)):
            if _all_met(h, tables, way):
                return HalfPrecision(h, way, _same_rows(tables[-1].values))
    return None


def _shortlist(tables):
    """Hypotheses worth a try, the cheapest first: at the first positions half precision is off by a few hundredths."""
    widest = max(tables[:-1], key=lambda table: table.values.shape[1])
    for rare in (False, True):
        coarse = candidates(widest, rare, coarse=True)
        tried = {replace(h, law=replace(h.law, base=short(h.law.base, 0.01, (1, 2, 3)))) for h in coarse}
        yield from filter(None, (_scaled(h, tables[0].values) for h in sorted(tried, key=cost)))


def _scaled(hypothesis, values):
    """The hypothesis with the factor by which the columns differ; None where half precision cannot move it so far."""
    built = hypothesis.build(*values.shape)
    size = np.sqrt((values**2).sum() / max((built**2).sum(), 1e-30))
    scale = 1.0 if abs(size - 1) < 0.03 else float(np.copysign(size, (built * values).sum()))
    small = np.abs(hypothesis.layout.arranged(hypothesis.angles(*values.shape))) < 8
    near = np.abs(scale * built - values)[small].max(initial=0) < 0.1 * abs(scale)
    return replace(hypothesis, scale=scale) if near else None


def _all_met(hypothesis, tables, way):
    return all(_met(hypothesis, table, way) for table in tables)


def _met(hypothesis, table, way):
    """Is every column of ``table`` met by some half-precision frequency near the exact one?"""
    rows = FAR[len(table.values) > FAR]
    rows = rows[1:] if hypothesis.zero_row else rows
    values = hypothesis.layout.in_turn(table.values)[rows] / hypothesis.scale
    positions = hypothesis.place.positions(table.max_len)[rows]
    held = way.dtype.holds(values, min(4 * table.rounding, 2.4e-6))  # sine and cosine were rounded too
    allowed = 2e-5 + 1e-6 * np.abs(positions) + held * 1.5 * way.dtype.rounding
    rates = hypothesis.rates(table.max_len, values.shape[1])
    for exact, column, sine, cosine in zip(rates, values.T, *hypothesis.layout.parts(len(rates)), strict=True):
        wave = lambda angles, a=sine, b=cosine: a * np.sin(angles) + b * np.cos(angles)  # noqa: E731
        if way.met(positions, exact, wave, column, allowed) is None:
            return False
    return True


def _same_rows(values):
    """Two neighbouring positions with one and the same row: only rounded positions do that."""
    same = np.flatnonzero((values[1:] == values[:-1]).all(axis=1))
    return (int(same[0]), int(same[0]) + 1) if len(same) else None


def half_dtype(tables):
    """The half-precision dtype that can hold every number of ``tables``, though they came in a wider one; or None."""
    for dtype in HALVES:
        if all(table.rounding < 1e-5 and dtype.holds(table.values, 4 * table.rounding) for table in tables):
            return dtype
    return None
