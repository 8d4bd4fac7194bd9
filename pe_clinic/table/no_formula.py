"""Tables without a formula, or without positions: frequencies drawn by chance, and one row for all."""

import numpy as np

from ..saying.words import row, show
from .hypothesis import FROM_ZERO, Hypothesis
from .layouts import LAYOUTS
from .search import rates_under
from .unlisted import reordered
from .words import found


def by_chance(seen):
    if not seen.tables.repeated and all(map(_is_of_waves, seen.tables.short)):
        first = seen.tables.short[0]
        seen = f"two calls of {first.call} differ, and row p holds p times the angles of row 1"
        return [found("random-frequencies", seen)]


def _is_of_waves(table):
    """All sines, then all cosines, or the other way round, of p times the angles of row 1; whatever these are."""
    half = table.d_model // 2
    if table.values.shape != (table.max_len, table.d_model):
        return False
    turned = table.values[:, :half] + 1j * table.values[:, half : 2 * half]
    first = turned[0]
    if not (np.allclose(first, 1j, atol=1e-4) or np.allclose(first, 1, atol=1e-4)):
        return False
    turned = turned if np.allclose(first, 1, atol=1e-4) else turned.imag + 1j * turned.real
    powers = turned[1] ** np.arange(table.max_len)[:, None]
    return bool(np.abs(turned - powers).max() < 5e-3) and np.ptp(turned) > 1e-3


def one_row(seen):
    """Waves of 2π a position, or no position at all: either way all rows are one."""
    tables = [table.values for table in seen.tables.short]
    if all(np.ptp(values) > 1e-3 and np.ptp(values, axis=0).max() < 1e-4 for values in tables):
        return [found("one-row", f"in {seen.tables.short[0].call} every row is {row(tables[0][0])}")]


def other_frequencies(tables):
    """The finding for waves in a usual order of columns whose frequencies follow no law; None for what is no wave."""
    table = max(tables, key=lambda table: table.values.shape[1])
    T, d = table.max_len, table.values.shape[1]
    if any(map(reordered, tables)):
        return None
    for layout in (layout for layout in LAYOUTS if not layout.rare):
        _, _, rates, _ = rates_under(layout, FROM_ZERO, table)
        paper = np.abs(np.angle(np.exp(1j * Hypothesis().rates(T, d))))
        wrong = np.flatnonzero(np.abs(np.abs(rates.values) - paper) > 3e-3 + 4 * rates.error)
        some_empty = not table.values.any(axis=0).all()
        if np.isfinite(rates.error).all() and len(wrong) > (d / 2 if some_empty else 0):
            told = [j for j in wrong if not rates.unsigned[j]][:3] or wrong[:3]
            turns = [f"column {layout.places(d)[j]} turns {show(rates.values[j] % (2 * np.pi))}" for j in told]
            rights = ", ".join(show(paper[j]) for j in told)
            said = f"in {table.call} {layout.name}: {', '.join(turns)} radians per position, up to whole turns"
            return found("other-frequencies", f"{said}; the paper says {rights}")
    return None
