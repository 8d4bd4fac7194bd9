"""A table that nobody has a name for: what its numbers themselves say."""

from itertools import product

import numpy as np

from pe_lib.vectorized import sinusoidal_vectorized

from ..saying.words import listed, row, show
from .words import found

TOLERANCE = 1e-4
NOTHING = 1e-5  # what is less may be the rounding of a sum
WAVES = {"sine": np.sin, "cosine": np.cos}


def unlisted(table):
    """The finding for ``table``: the paper's numbers in another order, or else facts."""
    order = reordered(table)
    return found("permuted", order) if order else found("unlisted", "; ".join(facts(table)))


def facts(table):
    """Up to four sentences about a table (positions, columns) that no hypothesis explains."""
    values, paper = table.values, sinusoidal_vectorized(*table.values.shape)
    wrong = ~(np.abs(values - paper) <= table.allowed(paper))
    if not wrong.any():
        return ["the small tables agree with the paper's"]
    if np.ptp(values) == 0:
        return [f"every cell is {show(values.flat[0])}"]
    if _affine(values, paper):
        return [_affine(values, paper)]
    said = [*_by_row(values, paper), _where(wrong, values, paper)]
    said += [fact for j in np.flatnonzero(wrong.any(axis=0)) if (fact := _column(j, values, paper))][:2]
    zero = [pos for pos in range(1, len(values)) if not values[pos].any()]
    said += [f"row {zero[0]} is all zero"] if zero else []
    if np.abs(values).max() > 1.01:
        both = "; in row 0 sine and cosine were added in one cell" * bool((values[0] == 1).all() and values[1, 0] > 1)
        return [*said, f"the largest number is {show(np.abs(values).max())}, and no sine is above 1{both}"]
    return [*said, _pairs(values)]


def _by_row(values, paper):
    """What all rows have in common: a number each, or all their cells."""
    factors = (values * paper).sum(axis=1) / (paper**2).sum(axis=1)
    if np.allclose(factors[:, None] * paper, values, atol=TOLERANCE):
        shown = ", ".join(map(show, factors[:3]))
        return [f"of {len(values)} rows each is the paper's, times a factor of its own: {shown}, …"]
    return ["all rows from row 1 on are the same"] if len(values) > 2 and not np.ptp(values[1:], axis=0).any() else []


def _where(wrong, values, paper):
    pos, j = np.argwhere(wrong)[0]
    columns, rows = np.flatnonzero(wrong.any(axis=0)), np.flatnonzero(wrong.any(axis=1))
    here = "nearly 0" if 0 < abs(values[pos, j]) < NOTHING else f"{values[pos, j]:.4g}"
    cell = f"row {pos}, column {j} is {here}, the paper's is {paper[pos, j]:.4g}"
    if wrong.sum() == 1:
        return f"one cell differs: {cell}"
    if len(rows) == 1:
        return f"only row {rows[0]} differs; {cell}"
    if len(columns) == wrong.shape[1]:
        return f"every column differs; {cell}"
    if len(columns) == 1:
        return f"only column {columns[0]} differs; {cell}"
    return f"columns {listed(columns.tolist())} differ, the others agree; {cell}"


def _column(j, values, paper):
    """What column j is instead: a multiple, or another column."""
    column, right = values[:, j], paper[:, j]
    if np.abs(column).max() < NOTHING:
        return f"column {j} is {'nearly' if column.any() else 'all'} zero"
    angles = np.arange(len(column)) * 10000.0 ** -(j // 2 * 2 / values.shape[1])
    for one, two in product(WAVES, repeat=2) if angles[-1] > 0.3 else ():  # of small angles the sine is the angle
        if np.allclose(WAVES[one](WAVES[two](angles))[1:], column[1:], atol=TOLERANCE):
            return f"column {j} is the {one} of a {two}: one wave was written over the other"
    if column.max() > 1.01 and np.allclose(column, np.arange(len(column)) * column[1], rtol=TOLERANCE):
        return f"column {j} holds raw angles, with neither sine nor cosine"
    factor = column @ right / (right @ right) if right.any() else 0
    if np.allclose(column, factor * right, atol=TOLERANCE) and abs(factor) > TOLERANCE and abs(factor - 1) > 5e-3:
        return f"column {j} is {show(factor)} times the paper's"
    other = _index(column, paper.T)
    return None if other in (None, j) else f"column {j} is the paper's column {other}"


def _pairs(values):
    """Is sin² + cos² = 1 in every pair?"""
    d = values.shape[1] - values.shape[1] % 2
    sums = values[:, 0:d:2] ** 2 + values[:, 1:d:2] ** 2
    if np.allclose(sums, 1, atol=1e-3):
        return "the squares of columns 2k and 2k + 1 add up to 1 everywhere, so they are sine and cosine of one angle"
    between = f"between {show(sums.min())} and {show(sums.max())}"
    return f"the squares of columns 2k and 2k + 1 add up to {between}, where 1 is right"


def reordered(table):
    """The paper's columns or rows in another order, in words; or None."""
    values, paper = table.values, sinusoidal_vectorized(*table.values.shape)
    for name, mine, theirs in (("column", values.T, paper.T), ("row", values, paper)):
        order = [_index(one, theirs) for one in mine]
        if None not in order and len(set(order)) == len(order):
            return f"in {table.call} the {name}s are the paper's {name}s {', '.join(map(str, order))}, in this order"
    if np.allclose(np.sort(values, axis=None), np.sort(paper, axis=None), atol=TOLERANCE):
        return f"{table.call} holds the paper's numbers, in other cells; its row 1 is {row(values[1], 8)}"
    return None


def _affine(values, paper):
    """Every cell a · PE + b, in words; or None."""
    A = np.stack([paper.ravel(), np.ones(paper.size)], axis=1)
    (a, b), *_ = np.linalg.lstsq(A, values.ravel(), rcond=None)
    if not np.allclose(a * paper + b, values, atol=TOLERANCE) or abs(b) < TOLERANCE:
        return None
    return f"every cell is {show(a)} times the paper's, {'plus' if b > 0 else 'minus'} {show(abs(b))}"


def _index(one, many):
    near = np.flatnonzero(np.isclose(many, one, atol=TOLERANCE).all(axis=1))
    return int(near[0]) if len(near) else None
