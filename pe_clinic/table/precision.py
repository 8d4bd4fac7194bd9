"""Was the angle computed in half precision? Repeat the computation with rounded numbers and compare.

A half-precision frequency is one of few numbers, so those near the exact one are tried, column by column; positions
and products are rounded or not. A table that is met in this way, at far positions too, was made in this way.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

from ..saying.mistake import Mistake
from .half import HALVES, Half
from .hypothesis import Hypothesis
from .search import common, cost, of_any_base

LOW_PRECISION = Mistake(
    "low-precision",
    "The angle was computed in half precision.",
    "bfloat16 tells positions apart up to 256 and float16 up to 2048, "
    "and the rounding of a frequency is multiplied by pos.",
    "compute angles in float32 or float64 and cast the finished table",
    "EleutherAI/gpt-neox/issues/1003",
)
ROUNDED = Mistake(
    "rounded",
    "The numbers went through half precision.",
    "The angles are right, and the finished table was rounded before it was cast back.",
    "cast to half precision last, or not at all",
    "KellerJordan/modded-nanogpt/issues/39",
)
STEPS = np.arange(-10, 11)  # neighbours of the exact frequency among the half-precision numbers
FAR = np.r_[0:40, 250:300, 500:510, 2040:2080]  # where bfloat16 and float16 stop telling positions apart


@dataclass(frozen=True)
class Way:
    """Which numbers are rounded on the way to an angle, and to what."""

    dtype: Half
    pos: bool
    angle: bool
    frequency: bool = True


@dataclass(frozen=True)
class HalfPrecision:
    hypothesis: Hypothesis
    dtype: Half
    same_rows: tuple[int, int] | None  # two positions that got one and the same row


def find_half_precision(tables, known=()):
    """The cheapest `HalfPrecision` that gives all ``tables``, the last one a long one; or None.

    ``known`` are hypotheses that already explain the short tables, if there are any.
    """
    # The largest number of a long table is a cosine of 1, and so the factor itself.
    largest = float(np.abs(tables[-1].values).max())
    for hypothesis in known or _shortlist(tables[0]):
        h = hypothesis if hypothesis.scale == 1 else hypothesis.but(scale=float(np.copysign(largest, hypothesis.scale)))
        # Nothing rounded but the sine and cosine: where that is enough, the angles are not to blame.
        to_blame = [dtype for dtype in HALVES if not _all_met(h, tables, Way(dtype, False, False, frequency=False))]
        for dtype, round_pos, round_angle in product(to_blame, (True, False), (True, False)):
            if _all_met(h, tables, Way(dtype, round_pos, round_angle)):
                return HalfPrecision(h, dtype, _same_rows(tables[-1].values))
    return None


def _shortlist(table):
    """Hypotheses worth a try, the cheapest first: at the first positions half precision is off by a few hundredths."""
    near = sorted(common(table, coarse=True), key=cost)[:24]
    yield from sorted((h.but(scale=_scale(h, table.values)) for h in near), key=cost)[:12]
    for hypothesis in of_any_base(table):
        yield hypothesis.but(scale=_scale(hypothesis, table.values))


def _scale(hypothesis, values):
    """The factor by which the sizes of the columns differ; 1 when that is within the rounding of half precision."""
    built = hypothesis.build(*values.shape)
    size = np.sqrt((values**2).sum() / max((built**2).sum(), 1e-30))
    return 1.0 if abs(size - 1) < 0.03 else float(np.copysign(size, (built * values).sum()))


def _all_met(hypothesis, tables, way):
    return all(_met(hypothesis, table, way) for table in tables)


def _met(hypothesis, table, way):
    """Is every column of ``table`` met by some half-precision frequency near the exact one?"""
    rows = FAR[len(table.values) > FAR]
    values = hypothesis.layout.in_turn(table.values)[rows] / hypothesis.scale
    first = 1 if hypothesis.zero_row else 0
    pos = (rows + hypothesis.start).astype(float)
    pos = way.dtype.rounded(pos) if way.pos else pos
    held = way.dtype.holds(values, min(4 * table.rounding, 2.4e-6))  # sine and cosine were rounded too
    tolerance = 2e-5 + 1e-6 * np.abs(pos[:, None]) + held * 1.5 * way.dtype.rounding
    for j, exact in enumerate(hypothesis.column_frequencies(values.shape[1], table.max_len)):
        tried = np.append(_neighbours(exact, way.dtype), exact) if way.frequency else np.array([exact])
        angles = pos[:, None] * tried
        angles = way.dtype.rounded(angles) if way.angle else angles
        wave = (hypothesis.layout.odd if j % 2 else hypothesis.layout.even)(np.sin(angles), np.cos(angles))
        difference = np.abs(wave - values[:, j, None]) - tolerance
        if not (difference[first:].max(axis=0) <= 0).any():
            return False
    return True


def _neighbours(number, dtype):
    """Half-precision numbers near ``number``."""
    return dtype.rounded(number * (1 + STEPS * dtype.rounding))


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
