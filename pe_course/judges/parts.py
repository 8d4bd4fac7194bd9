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
    places = [_places(*cells.shape) for cells in off]
    for says in places[0]:
        if all(_within(cells, named.get(says)) for cells, named in zip(off, places, strict=True)):
            return f"{says} wrong; the others are right."
    return None


def _axis(want, axis):
    return ("row", "column")[axis] if want.ndim == 2 else f"along axis {axis}"


def _is(got, made, axis):
    return near(got, made) or near(got, np.expand_dims(made, axis))


def _within(cells, place):
    """Do wrong cells stand in ``place`` alone, and does it not take in everything?"""
    return place is not None and not (cells & ~place).any() and not place.all()


def _places(length, columns=None):
    """{words: the cells that they name, an array of booleans}, for one or two axes."""
    if columns is None:
        n = np.arange(length)
        return {"Only the first number is": n == 0, "Only the last number is": n == length - 1}
    row, column = np.indices((length, columns))
    found = {
        "Only row 0 is": row == 0,
        "Only the last row is": row == length - 1,
        "Only column 0 is": column == 0,
        "Only the last column is": column == columns - 1,
    }
    if columns > 1:
        found["Only column 1 is"] = column == 1
    if columns > 2 and columns % 2 == 0:
        found["Only the first half of the columns is"] = column < columns // 2
        found["Only the second half of the columns is"] = column >= columns // 2
    if length == columns:
        found["Only the diagonal is"] = row == column
        found["Only cells above the diagonal are"] = row < column
        found["Only cells below the diagonal are"] = row > column
    return found
