"""Tables without a formula, or without positions: frequencies drawn by chance, and one row for all."""

import numpy as np

from ..saying.words import row, show
from .hypothesis import FROM_ZERO, Hypothesis
from .layouts import LAYOUTS
from .odd import odd_findings
from .search import rates_under
from .unlisted import reordered
from .words import found


def waves_in(table):
    """(layout, rates) for each usual order of columns in which all columns are waves that begin at position 0."""
    for layout in (layout for layout in LAYOUTS if not layout.rare):
        _, _, rates = rates_under(layout, FROM_ZERO, table)
        if rates and np.isfinite(rates.error).all():
            yield layout, rates


def by_chance(seen):
    """Waves in halves whose frequencies two calls draw anew."""
    short = seen.tables.short
    if not seen.tables.repeated and all(any(layout.halves for layout, _ in waves_in(table)) for table in short):
        return [found("random-frequencies", f"two calls of {short[0].call} differ, and every column is a wave")]


def one_row(seen):
    """Waves of 2π a position, or no position at all: either way all rows are one."""
    tables = [table.values for table in seen.tables.short]
    if all(np.ptp(values) > 1e-3 and np.ptp(values, axis=0).max() < 1e-4 for values in tables):
        return [found("one-row", f"in {seen.tables.short[0].call} every row is {row(tables[0][0])}")]


def other_frequencies(seen):
    """Waves whose frequencies follow no law, up to whole turns."""
    table = max(seen.tables.short, key=lambda table: table.values.shape[1])
    T, d = table.max_len, table.values.shape[1]
    if any(map(reordered, seen.tables.short)):
        return None
    paper = np.abs(np.angle(np.exp(1j * Hypothesis().rates(T, d))))
    for layout, rates in waves_in(table):
        wrong = np.flatnonzero(np.abs(np.abs(rates.values) - paper) > 3e-3 + 4 * rates.error)
        if len(wrong) > (0 if table.values.any(axis=0).all() else d / 2):  # an empty column may be the one mistake
            told = [j for j in wrong if not rates.unsigned[j]][:3] or wrong[:3]
            turns = [f"column {layout.places(d)[j]} turns {show(rates.values[j] % (2 * np.pi))}" for j in told]
            rights = ", ".join(show(paper[j]) for j in told)
            said = f"in {table.call} {layout.name}: {', '.join(turns)} radians per position, up to whole turns"
            return [found("other-frequencies", f"{said}; the paper says {rights}"), *odd_findings(seen.read.odd, None)]
    return None
