"""Lesson 11, Space and time."""

import numpy as np

from pe_lib.space_and_time import sinusoidal_at, sinusoidal_grid

from ..judges import Function
from .exercise import Exercise


def _packed(lengths):
    return np.concatenate([np.arange(n) for n in lengths])


def _volume(depth, height, width, d_model, order=(0, 1, 2), first=0):
    positions = np.indices((depth, height, width)) + first
    return np.concatenate([sinusoidal_at(positions[axis], d_model // 3) for axis in order], axis=-1)


AWAY = (  # other positions than 0, 1, 2, … of each axis: a function of (positions, axis)
    (lambda p, axis: p - p.max() / 2, "The positions are counted from the middle; the first one of each axis is 0."),
    (lambda p, axis: p - p.max() // 2, "The positions are counted from the middle; the first one of each axis is 0."),
    (lambda p, axis: p / max(p.max(), 1), "The positions are scaled to lie between 0 and 1; they are 0, 1, 2, …"),
    (lambda p, axis: p / (p.max() + 1), "The positions are divided by the size of their axis; they are 0, 1, 2, …"),
    (lambda p, axis: 2 * p, "The positions are doubled; they are 0, 1, 2, …"),
    (lambda p, axis: np.flip(p, axis), "The positions run backwards; the first one of each axis is 0."),
)


def _placed(away, depth, height, width, d_model):
    """The table with each axis at other positions."""
    positions = enumerate(np.indices((depth, height, width)))
    return np.concatenate([sinusoidal_at(away(p, axis), d_model // 3) for axis, p in positions], axis=-1)


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


EXERCISES = {
    "11.1": Exercise(
        2,
        Function(
            _packed,
            [([3, 2],), ([1, 4, 3],)],
            mistakes=[
                (
                    lambda lengths: np.arange(sum(lengths)),
                    "The second text goes on counting where the first ends; each text begins anew at 0.",
                ),
                (lambda lengths: _packed(lengths) + 1, "Each text begins at 1; the first position is 0."),
                (
                    lambda lengths: np.repeat(np.arange(len(lengths)), lengths),
                    "This is the number of the text that a token belongs to, not its position there.",
                ),
                (
                    lambda lengths: np.concatenate([np.arange(n)[::-1] for n in lengths]),
                    "Each text counts down; the first token is at 0.",
                ),
                (
                    lambda lengths: np.concatenate([np.arange(n + 1) for n in lengths]),
                    "One position too many for each text: n tokens stand at 0 to n - 1.",
                ),
                (
                    lambda lengths: np.concatenate([np.arange(max(lengths)) for _ in lengths]),
                    "Every text gets the positions of the longest one: that is padding, not packing.",
                ),
                (lambda lengths: np.arange(lengths[-1]), "These are the positions of the last text alone."),
                (lambda lengths: np.arange(lengths[0]), "These are the positions of the first text alone."),
                (
                    lambda lengths: np.repeat(lengths, lengths),
                    "This is the length of each token's text, not its position.",
                ),
                (
                    lambda lengths: np.concatenate([np.arange(n) / n for n in lengths]),
                    "Positions are divided by the text's length; they are whole numbers, 0, 1, 2, …",
                ),
                (
                    lambda lengths: _packed(lengths[:2]),
                    "Only the first two texts are there; there may be any number of them.",
                ),
                (
                    lambda lengths: _packed([n - 1 for n in lengths]),
                    "One position too few for each text: n tokens stand at 0 to n - 1, as np.arange(n) gives them.",
                ),
                (
                    lambda lengths: _packed(lengths[::-1]),
                    "The texts stand in the reverse order; the first length is that of the first text.",
                ),
                (
                    lambda lengths: np.arange(sum(lengths)) % lengths[0],
                    "Every text counts to the length of the first one; each has a length of its own.",
                ),
                (
                    lambda lengths: np.concatenate([np.arange(n) + (i > 0) for i, n in enumerate(lengths)]),
                    "From the second text on positions begin at 1; every text begins at 0.",
                ),
                (
                    lambda lengths: np.arange(sum(lengths)) % max(lengths),
                    "Every text counts to the longest length; each has a length of its own.",
                ),
                (
                    lambda lengths: np.cumsum(lengths),
                    "These are the places where the texts end, not positions of tokens.",
                ),
            ],
            reasons=[_lists],
        ),
        "A mask has to keep the texts apart; the positions alone do not.",
    ),
    "11.2": Exercise(
        3,
        Function(
            _volume,
            [(2, 3, 4, 12), (3, 1, 2, 18)],
            mistakes=[
                *(
                    (
                        lambda *sizes, order=order: _volume(*sizes, order=order),
                        "Two axes have changed places: the first third of the columns is the depth's, then the "
                        "height's, then the width's.",
                    )
                    for order in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
                ),
                (
                    lambda *sizes: _volume(*sizes[:3], 3 * sizes[3]),
                    "Each axis has all d_model columns; it gets a third of them.",
                ),
                (
                    lambda *sizes: np.concatenate(
                        [sinusoidal_at(p, sizes[3])[..., : sizes[3] // 3] for p in np.indices(sizes[:3])], axis=-1
                    ),
                    "Each third is cut from a row of d_model columns; its frequencies are other ones.",
                ),
                *(
                    (
                        lambda *sizes, axis=axis: np.concatenate(
                            [sinusoidal_at(p, sizes[3] // 3) for p in np.indices(sizes[:3])], axis=axis
                        ),
                        "The three encodings are joined along an axis of cells; it has to be the last axis.",
                    )
                    for axis in (0, 1, 2)
                ),
                (
                    lambda *sizes: np.concatenate(
                        [sinusoidal_at(p, sizes[3] // 2) for p in np.indices(sizes[:3])], axis=-1
                    ),
                    "Each axis has half of the columns, as for a picture; of three axes each gets a third.",
                ),
                (
                    lambda *sizes: np.stack([sinusoidal_at(p, sizes[3] // 3) for p in np.indices(sizes[:3])], axis=-1),
                    "The three encodings are stacked along a new axis; np.concatenate joins them along the last one.",
                ),
                *(
                    (
                        lambda *sizes, away=away: _placed(away, *sizes),
                        says,
                    )
                    for away, says in AWAY
                ),
                *(
                    (
                        lambda *sizes, axis=axis: np.concatenate(
                            [sinusoidal_at(np.indices(sizes[:3])[axis], sizes[3] // 3)] * 3, axis=-1
                        ),
                        f"All three thirds hold the {name}'s encoding; each axis has one third.",
                    )
                    for axis, name in enumerate(("depth", "height", "width"))
                ),
                (lambda *sizes: _volume(*sizes, first=1), "The positions begin at 1; the first one of each axis is 0."),
                (
                    lambda *sizes: sinusoidal_at(np.arange(np.prod(sizes[:3])), sizes[3]).reshape(sizes),
                    "The cells are numbered in one line; each has three positions of its own.",
                ),
                *(
                    (
                        lambda *sizes, axis=axis: _volume(*sizes) * (np.arange(sizes[3]) // (sizes[3] // 3) != axis),
                        f"The {name}'s third of the columns is still empty.",
                    )
                    for axis, name in enumerate(("depth", "height", "width"))
                ),
                (
                    lambda *sizes: np.stack([sinusoidal_grid(*sizes[1:])] * sizes[0]),
                    "The depth is missing: every layer has the table of height and width.",
                ),
                (
                    lambda *sizes: _volume(*sizes).reshape(-1, sizes[3]),
                    "The cells stand in one line; the table keeps the three axes: (depth, height, width, d_model).",
                ),
                (
                    lambda *sizes: sinusoidal_at(np.indices(sizes[:3]).sum(0), sizes[3]),
                    "The three positions are added before they are encoded: cells with the same sum get the same row.",
                ),
                (
                    lambda *sizes: sum(sinusoidal_at(p, sizes[3]) for p in np.indices(sizes[:3])),
                    "The three encodings are added, so that axes cannot be told apart; put them side by side.",
                ),
            ],
        ),
        "Axes are independent: each has its columns, and a shift along one of them turns those only.",
    ),
    "11.3": Exercise(
        3,
        Function(
            _time,
            [(np.array([0.0, 0.25, 1.0]), 8), (np.array([0.75]), 6), (np.array([0.3337]), 8)],
            mistakes=[
                (
                    lambda t, d: _time(np.round(1000 * np.asarray(t)) / 1000, d),
                    "1000 · t is rounded to a whole number; any number can be encoded, and 333.7 is not 334.",
                ),
                (
                    lambda t, d: _time(np.floor(1000 * np.asarray(t)) / 1000, d),
                    "1000 · t is cut to a whole number; any number can be encoded, and 333.7 is not 333.",
                ),
                (
                    lambda t, d: _time(t, d, first="sines"),
                    "Sines and cosines have changed places: all cosines stand first.",
                ),
                (
                    lambda t, d: _time(t, d, factor=1),
                    "The factor is missing: times lie between 0 and 1, and 1000 · t is to be encoded.",
                ),
                (
                    lambda t, d: _time(t, d, factor=1, first="sines"),
                    "Sines and cosines have changed places, and the factor 1000 is missing.",
                ),
                *(
                    (
                        lambda t, d, factor=factor: _time(t, d, factor=factor),
                        f"The times are multiplied by {factor:g}; 1000 is asked for.",
                    )
                    for factor in (0.001, 100, 999, 10_000, 1_000_000)
                ),
                (
                    lambda t, d: _time(t, d, factor=2000 * np.pi),
                    "A 2π too many: the frequencies are in radians already.",
                ),
                (
                    lambda t, d: _time(t, d, divisor=d / 2 - 1 or 1, first="sines"),
                    "These are DDPM's halves and divisor: here cosines stand first, and the divisor is d/2.",
                ),
                (lambda t, d: _time(t, d, divisor=d), "The divisor is d; it is d/2, or the 2 of -2k/d is missing."),
                (lambda t, d: _time(t, d, divisor=d / 4), "The exponent is doubled: the divisor is d/2."),
                (lambda t, d: _time(t, d, divisor=-d / 2), "The exponent has lost its minus: frequencies grow."),
                (lambda t, d: _halves(t, d, 1, 1), "The cosines stand in both halves; the second one takes the sines."),
                (lambda t, d: _halves(t, d, 0, 0), "The sines stand in both halves; the first one takes the cosines."),
                (
                    lambda t, d: np.concatenate(np.split(_time(t, d), 2, axis=1)),
                    "The halves are joined one below the other; side by side takes axis=1.",
                ),
                (
                    lambda t, d: 1000 * _time(t, d, factor=1),
                    "The table is multiplied by 1000; the time has to be, before the sines.",
                ),
                (
                    lambda t, d: _time(t, d, divisor=d / 2 - 1 or 1),
                    "The divisor is d/2 - 1, which is DDPM's; guided-diffusion divides by d/2.",
                ),
                (
                    lambda t, d: sinusoidal_at(1000 * np.asarray(t), d),
                    "Sines and cosines take turns; here all cosines stand first, then all sines.",
                ),
                (
                    lambda t, d: sinusoidal_at(np.asarray(t), d),
                    "Sines and cosines take turns, and the factor 1000 is missing.",
                ),
                (
                    lambda t, d: _time(np.trunc(t), d),
                    "The times are cut to whole numbers before they are encoded: 0.25 becomes 0.",
                ),
                (
                    lambda t, d: _time(np.round(t), d),
                    "The times are rounded to whole numbers before they are encoded: 0.25 becomes 0.",
                ),
                (
                    lambda t, d: _time(t, d)[:, [*range(d // 2), *range(d)[: d // 2 - 1 : -1]]],
                    "The cosines are right; the sines stand in the reverse order.",
                ),
                (
                    lambda t, d: np.concatenate([sinusoidal_at(1000 * np.asarray(t), d // 2)] * 2, axis=1),
                    "Both halves are a whole table of width d // 2; take one of width d, and part its columns.",
                ),
                (
                    lambda t, d: np.concatenate([sinusoidal_at(1000 * np.asarray(t), d)[n::2] for n in (1, 0)]),
                    "rows[1::2] takes every second row; for columns the colon of the rows comes first: rows[:, 1::2].",
                ),
                (
                    lambda t, d: np.split(sinusoidal_at(1000 * np.asarray(t), d), 2, axis=1)[1],
                    "This is half of a table; all d columns are asked for, in another order.",
                ),
                (
                    lambda t, d: np.concatenate(np.split(sinusoidal_at(1000 * np.asarray(t), d), 2, axis=1)[::-1], 1),
                    "The left and the right half have changed places; the cosines are every second column, 1::2.",
                ),
                (
                    lambda t, d: _time(t, 2 * d),
                    "Twice too many columns: the cosines take d / 2 of them, and the sines the others.",
                ),
            ],
        ),
        "One order of columns into the other: weights trained with this convention can read it.",
    ),
}
