"""The right numbers in another shape or order, or a shape that is wrong: what results show of it."""

import numpy as np

from .comparing import near


def transposed(_, arrays):
    if all(near(got.T, want) for got, want in arrays):
        return "The numbers are right, but the axes have changed places: rows stand where columns should."
    if all(got.ndim == want.ndim > 2 and near(np.swapaxes(got, -1, -2), want) for got, want in arrays):
        return "The numbers are right, but the last two axes have changed places."
    return None


def other_axes(_, arrays):
    if all(got.size == want.size and near(got.ravel(), want.ravel()) for got, want in arrays):
        more = [got.ndim - want.ndim for got, want in arrays]
        if min(more) > 0:
            return "The numbers are right, with an axis too many: an axis of size 1, or one that should be joined."
        if max(more) < 0:
            return "The numbers are right, with an axis too few: rows are laid end to end."
        return "The numbers are right and stand in another shape."
    return None


def wrong_size(_, arrays):
    """Which axis has another size."""
    got, want = next((got, want) for got, want in arrays if got.shape != want.shape)
    if got.ndim != want.ndim and want.ndim == 0:
        return "One number is asked for; this is an array."
    if got.ndim != want.ndim:
        return f"The result has {_axes(got.ndim)}, {_axes(want.ndim)} {'is' if want.ndim == 1 else 'are'} asked for."
    if got.ndim == 1:
        return f"{got.size} numbers come back, {want.size} are asked for."
    if sorted(got.shape) == sorted(want.shape):
        return f"The sizes of the result stand in another order: {got.shape}, not {want.shape}."
    axes = [n for n in range(got.ndim) if got.shape[n] != want.shape[n]]
    if len(axes) == 1:
        (n,) = axes
        return f"Axis {n} of the result has size {got.shape[n]}; {want.shape[n]} is asked for."
    return f"The result has the shape {got.shape}; {want.shape} is asked for."


def in_another_order(_, arrays):
    if any(want.ndim == 0 for _, want in arrays):
        return None
    for axis in range(min(want.ndim for _, want in arrays)):
        if all(near(np.flip(got, axis), want) for got, want in arrays):
            where = "" if arrays[0][1].ndim == 1 else f" along axis {axis}"
            return f"The right numbers, in the reverse order{where}."
    if all(near(np.sort(got, axis=None), np.sort(want, axis=None)) for got, want in arrays):
        return "The right numbers, in other places."
    return None


def _axes(n):
    return "1 axis" if n == 1 else f"{n or 'no'} axes"
