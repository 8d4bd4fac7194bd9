"""Tables without a formula, or without positions, or less their mean: chance, one row for all, normalised numbers."""

from dataclasses import replace
from itertools import combinations, product

import numpy as np

from ..law.formula import EXPONENTS
from ..law.powers import Power
from ..saying.words import row, show
from .alterations import name
from .hypothesis import FROM_ZERO, Hypothesis
from .layouts import LAYOUTS
from .odd import odd_findings
from .search import LOST, Match, rates_under
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
    high = all(np.abs(table.values).max() > 0.5 for table in short)  # small numbers may be taken for slow waves
    if high and not seen.tables.repeated and all(any(layout.halves for layout, _ in waves_in(t)) for t in short):
        return [found("random-frequencies", f"two calls of {short[0].call} differ, and every column is a wave")]


def one_row(seen):
    """Waves of 2π a position, or no position at all: either way all rows are one."""
    tables = [table.values for table in seen.tables.short]
    if all(np.ptp(values) > 1e-3 and np.ptp(values, axis=0).max() < 1e-4 for values in tables):
        return [found("one-row", f"in {seen.tables.short[0].call} every row is {row(tables[0][0])}")]


def by_rows(seen):
    """Sines in even rows, cosines in odd ones, with angles of a known law."""
    short = seen.tables.short
    for exponent, inverted in product(EXPONENTS[:4], (False, True)):
        h = Hypothesis(Power(exponent, inverted=inverted))
        if all(_is_by_rows(h.angles(*table.values.shape), table) for table in short):
            said = f"in {short[0].call} row 0 is all sine, row 1 all cosine, and so it goes on"
            return [found("waves-by-row", said), *name(Match(h, (1.0,) * len(short)), short)]


def _is_by_rows(angles, table):
    built = np.where(np.arange(len(angles))[:, None] % 2, np.cos(angles), np.sin(angles))
    clear = angles < LOST
    return clear.mean() > 0.3 and (np.abs(table.values - built) < 1e-4 + 4e-7 * angles + table.rounding)[clear].all()


def drawn_alike(rows, width):
    """The finding that of ``rows``, drawn by chance, all are one, or two of the ``width`` the same; else None."""
    if rows.size and not np.ptp(rows, axis=0).any():
        fix = "give the table a row for each position, (1, max_len, d_model), and add as many rows as there are tokens"
        return found("one-row", f"its rows are drawn by chance, and each is {row(rows[0])}", fix=fix)
    for m, n in combinations(range(len(rows)) if rows.shape[1] == width else (), 2):
        if np.abs(rows[m] - rows[n]).max() < 1e-6:
            return found("shared-row", f"its rows are drawn by chance, and those of positions {m} and {n} are the same")
    return None


def normalised(seen):
    """What is known of the tables as they were before their mean was taken away; in row 0 sines are 0, cosines 1."""

    def undone(table):
        values = getattr(table, "values", None)
        if values is None:
            return table
        return replace(table, values=(values - values[0].min()) / (np.ptp(values[0]) or 1))

    short, tables = seen.tables.short, seen.tables
    if not all(abs(t.values.mean()) < 1e-5 and np.ptp(t.values[0]) > 1e-2 for t in short):
        return None
    plain = replace(tables, **{size: undone(getattr(tables, size)) for size in ("odd", "long")})
    before = type(seen)(replace(plain, short=tuple(map(undone, short))))
    if not (before.says_something and before.far_out):
        return None
    first = short[0].values[0]
    changed = f"{show(np.ptp(first))} times what it was, then {show(first.min())} is added"
    said = f"in {short[0].call} every number is {changed}: the mean is 0"
    return [found("normalised", said), *before.findings(), *odd_findings(before.tables.odd, before.match.hypothesis)]


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
