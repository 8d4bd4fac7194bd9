"""Lesson 11, Space and time."""

import numpy as np

from pe_lib.formula import frequencies
from pe_lib.space_and_time import sinusoidal_at, sinusoidal_grid  # noqa: F401 (the page uses both)

from ..judges import Function, family, pages


def _packed(lengths):
    return np.concatenate([np.arange(n) for n in lengths])


def _volume(depth, height, width, d_model, order=(0, 1, 2), at=lambda p, axis: p, join=-1):
    """The table of a volume; each axis at the positions ``at`` (0, 1, 2, …, axis)."""
    positions = np.indices((depth, height, width))
    return np.concatenate([sinusoidal_at(at(positions[axis], axis), d_model // 3) for axis in order], axis=join)


def _one_row(z, y, x, d, axis):
    """Each pair of one row of width d at the positions of its ``axis``, as in M-RoPE: all sines, then all cosines."""
    angles = np.moveaxis(np.indices((z, y, x)), 0, -1)[..., axis] * frequencies(d)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)


def _time(t, d, factor=1000, divisor=None, first="cosines"):
    angles = factor * np.asarray(t)[:, None] * 10000.0 ** (-np.arange(d // 2) / (divisor or d / 2))
    waves = [np.cos(angles), np.sin(angles)]
    return np.concatenate(waves if first == "cosines" else waves[::-1], axis=1)


def _halves(t, d, *columns):
    rows = sinusoidal_at(1000 * np.asarray(t), d)
    return np.concatenate([rows[:, first::2] for first in columns], axis=1)


def _lists(tried):
    rows = (
        list(each) for each in tried.results if isinstance(each, list) or getattr(each, "dtype", 0) == np.dtype("O")
    )
    if any(np.ndim(part) for row in rows for part in row):
        return "One list for each text; they have to be joined into one row of positions."
    return None


KNOWN = pages(__file__, globals())
TIMES = family(
    lambda factor: lambda t, d: _time(t, d, factor),
    "The times are multiplied by {:g}; 1000 is asked for.",
    (0.001, 100, 999, 10_000, 1_000_000),
)
JUDGES = {
    "11.1": Function(_packed, [([3, 2],), ([1, 4, 3],)], reasons=[_lists]),
    "11.2": Function(_volume, [(2, 3, 4, 12), (3, 1, 2, 18)]),
    "11.3": Function(
        _time,
        [(np.array([0.0, 0.25, 1.0]), 8), (np.array([0.75]), 6), (np.array([0.3337]), 8)],
        KNOWN["11.3"].plus(*TIMES),
    ),
}
