"""What the results of any function may show. A reason looks at what was `Tried` and speaks only of what is certain."""

import numpy as np

from . import amounts, as_if, parts, returned
from .comparing import near, same


def of_numbers(alike, differing=()):
    """One reason made of those that get the arrays, too, where every result holds numbers: of ``alike`` where all have
    the shapes that are expected, else of ``differing``. The first that speaks is heard."""

    def reason(tried):
        arrays = tried.arrays() or []
        as_expected = all(got.shape == want.shape for got, want in arrays)
        reasons = (alike if as_expected else differing) if arrays else ()
        return next(filter(None, (each(tried, arrays) for each in reasons)), None)

    return reason


def right_at_first(tried):
    n = tried.off
    if n and all(same(tried.results[m], tried.expected[m]) for m in range(n)):
        calls = "The first call is" if n == 1 else f"The first {n} calls are"
        return f"{calls} right, the next one is not: what differs between their arguments?"
    return None


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


ALIKE = (
    amounts.true_or_false,
    transposed,
    parts.axes_in_another_order,
    amounts.decimals_lost,
    amounts.same_whatever_comes,
    amounts.nothing_filled_in,
    amounts.not_finite,
    amounts.rescaled,
    in_another_order,
    as_if.one_step_on,
)
DIFFERING = (
    amounts.true_or_false,
    transposed,
    other_axes,
    parts.axes_in_another_order,
    amounts.same_whatever_comes,
    amounts.not_finite,
    parts.part_or_sum,
    wrong_size,
)
FIRST = of_numbers((amounts.half_precision,))
GENERAL = (
    returned.another_kind,
    returned.returns_several,
    returned.changes_its_argument,
    of_numbers(ALIKE, DIFFERING),
)
LAST = (of_numbers((parts.right_elsewhere,)), right_at_first)  # where nothing says what was computed: where it is wrong
