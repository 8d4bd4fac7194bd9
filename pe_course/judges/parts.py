"""A part of what is asked for, or what is made of one of its axes; and where wrong cells stand among right ones."""

import itertools

import numpy as np

from .comparing import TOLERANCE, distinct, near

MADE = {  # of an axis
    "added up": np.sum,
    "averaged": np.mean,
    "reduced to the largest": np.max,
    "reduced to the place of the largest": np.argmax,
}


def part_or_sum(_, arrays):
    """The first or last along an axis alone, or a sum over one."""
    if len({want.ndim for _, want in arrays}) != 1 or distinct(got for got, _ in arrays) < 3:
        return None
    for axis in range(arrays[0][1].ndim):
        for says, place in (("first", 0), ("last", -1)):
            if all(_is(got, np.take(want, place, axis), axis) for got, want in arrays):
                return f"Only the {says} {_axis(arrays[0][1], axis)} of what is asked for comes back."
        for says, make in MADE.items():
            if all(_is(got, make(want, axis=axis), axis) for got, want in arrays):
                return f"Along axis {axis} the right numbers are {says}; that axis has to stay."
    if all(want.ndim == 2 and got.ndim == 1 and near(got, np.diagonal(want)) for got, want in arrays):
        return "Only the diagonal of what is asked for comes back."
    return None


def axes_in_another_order(_, arrays):
    if not 2 < arrays[0][1].ndim < 6:
        return None
    for order in itertools.permutations(range(arrays[0][1].ndim)):
        if all(got.ndim == want.ndim == len(order) and near(got, want.transpose(order)) for got, want in arrays):
            moved = [n for n, axis in enumerate(order) if n != axis]
            if len(moved) == 2:
                return f"The numbers are right, but axes {moved[0]} and {moved[1]} have changed places."
            return f"The numbers are right, but the axes stand in another order: {order}." if moved else None
    return None


def right_elsewhere(_, arrays):
    """Where the wrong cells stand, when all others are right."""
    if any(want.ndim not in (1, 2) for _, want in arrays):
        return None
    with np.errstate(invalid="ignore"):
        off = [~(np.abs(got - want) <= TOLERANCE) for got, want in arrays]
    if any(cells.all() for cells in off if cells.size):
        return None
    for says, covers in PLACES:
        if all(_within(cells, covers(cells)) for cells in off):
            return f"{says} wrong; the others are right."
    return None


def _axis(want, axis):
    return ("row", "column")[axis] if want.ndim == 2 else f"along axis {axis}"


def _is(got, made, axis):
    return near(got, made) or near(got, np.expand_dims(made, axis))


def _within(cells, place):
    """Do wrong cells stand in ``place`` alone, and does it not take in everything?"""
    return place is not None and not (cells & ~place).any() and not place.all()


def _line(number, axis):
    def place(cells):
        if axis >= cells.ndim:
            return None
        inside = np.zeros(cells.shape, dtype=bool)
        np.moveaxis(inside, axis, 0)[number] = True
        return inside

    return place


def _half(cells, which):
    if cells.ndim != 2 or cells.shape[1] % 2 or cells.shape[1] < 4:
        return None
    return np.broadcast_to(np.arange(cells.shape[1]) // (cells.shape[1] // 2) == which, cells.shape)


def _triangle(compare):
    return lambda cells: compare(*np.indices(cells.shape)) if cells.ndim == 2 and len(set(cells.shape)) == 1 else None


PLACES = (
    ("Only row 0 is", lambda cells: _line(0, 0)(cells) if cells.ndim == 2 else None),
    ("Only the last row is", lambda cells: _line(-1, 0)(cells) if cells.ndim == 2 else None),
    ("Only column 0 is", _line(0, 1)),
    ("Only the last column is", _line(-1, 1)),
    ("Only column 1 is", lambda cells: _line(1, 1)(cells) if cells.ndim == 2 and cells.shape[1] > 1 else None),
    ("Only the first half of the columns is", lambda cells: _half(cells, 0)),
    ("Only the second half of the columns is", lambda cells: _half(cells, 1)),
    ("Only the first number is", lambda cells: _line(0, 0)(cells) if cells.ndim == 1 else None),
    ("Only the last number is", lambda cells: _line(-1, 0)(cells) if cells.ndim == 1 else None),
    ("Only the diagonal is", _triangle(lambda row, column: row == column)),
    ("Only cells above the diagonal are", _triangle(lambda row, column: row < column)),
    ("Only cells below the diagonal are", _triangle(lambda row, column: row > column)),
)
