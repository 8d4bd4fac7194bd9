"""Positions that are no row numbers: times, gaps, pixels, coordinates (lesson 11).

A position is a number, or several. The encoding decides which distances a model can see.
Everything here is float64.
"""

import numpy as np
from numpy.typing import ArrayLike

from . import formula
from .arguments import check_numbers, check_size


def sinusoidal_at(positions: ArrayLike, d_model: int, base: float = 10000.0) -> np.ndarray:
    """The row of the sinusoidal table at any position: between two rows, before the first, at a time in seconds.

    positions  numbers of any shape (…): an array, a list, a range, a tensor on the CPU, or one number

    Returns an ndarray float64 of shape (…, d_model); at whole positions the rows of `sinusoidal_vectorized`, bit by
    bit. Up to ±10,000 a value is off by no more than 2e-12 for a base of at least 1; farther out in proportion.
    Raises TypeError or ValueError for positions that are no finite numbers within ±2**53, where float64 begins to skip
    whole numbers, for a ``d_model`` that is no whole number of at least 1, or a ``base`` below 1e-6.
    Source: Vaswani et al. (2017), section 3.5, which asks of pos only that it is a number.
    >>> sinusoidal_at([0, 0.5], 2).round(2)
    array([[0.  , 1.  ],
           [0.48, 0.88]])
    """
    theta = check_numbers("positions", positions)[..., np.newaxis] * formula.frequencies(d_model, base)  # (…, pairs)
    rows = np.empty((*theta.shape[:-1], d_model))
    rows[..., 0::2] = np.sin(theta)
    rows[..., 1::2] = np.cos(theta[..., : d_model // 2])  # the last pair of an odd d_model has no cosine
    return rows


def sinusoidal_grid(height: int, width: int, d_model: int, base: float = 10000.0) -> np.ndarray:
    """A table for two axes, such as the patches of a picture: the first columns say which row, the others which column.

    Returns an ndarray float64 of shape (height, width, d_model). [r, c] is the encoding of r in d_model / 2 columns,
    then the encoding of c in as many; of an odd ``d_model`` the row has the one more. The numbering begins at 0.
    Raises TypeError or ValueError for a ``height`` or ``width`` that is no whole number of at least 1, a ``d_model``
    that is none of at least 2, or a ``base`` below 1e-6.
    >>> sinusoidal_grid(2, 3, 4)[1, 0].round(2)
    array([0.84, 0.54, 0.  , 1.  ])
    """
    height, width = check_size("height", height), check_size("width", width)
    if check_size("d_model", d_model) < 2:
        raise ValueError(f"d_model must be at least 2, a column for each axis, such as 512, but got {d_model}")
    of_column = d_model // 2
    grid = np.empty((height, width, d_model))
    grid[..., :-of_column] = sinusoidal_at(range(height), d_model - of_column, base)[:, np.newaxis]
    grid[..., -of_column:] = sinusoidal_at(range(width), of_column, base)
    return grid


def fourier_features(points: ArrayLike, frequencies: ArrayLike) -> np.ndarray:
    """Sine and cosine of chosen frequencies at points of any number of dimensions: coordinates for a neural field.

    points       (n, dims)
    frequencies  (m, dims), in turns per unit: [3, 0] repeats three times from x = 0 to x = 1, and ignores y

    Returns an ndarray float64 of shape (n, 2m): sin(2π · points · frequenciesᵀ), then all the cosines.
    Raises TypeError or ValueError for what is no table of finite numbers, or where the two disagree about dims.
    Source: Tancik et al., "Fourier Features Let Networks Learn High Frequency Functions" (2020),
    https://arxiv.org/abs/2006.10739 (which puts the cosines first).
    >>> fourier_features([[0.25]], [[1]]).round(2)
    array([[1., 0.]])
    """
    points, frequencies = check_numbers("points", points), check_numbers("frequencies", frequencies)
    if points.ndim != 2:
        raise ValueError(f"points must have the shape (n, dims), such as (100, 2), but got {points.shape}")
    if frequencies.ndim != 2 or not len(frequencies) or frequencies.shape[1] != points.shape[1]:
        raise ValueError(
            f"frequencies must have the shape (m, dims), here (m, {points.shape[1]}) with m of at least 1, "
            f"as points have the shape {points.shape}, but got {frequencies.shape}"
        )
    turns = check_numbers("points · frequenciesᵀ", points @ frequencies.T)  # (n, m)
    angles = 2 * np.pi * (turns - np.round(turns))  # whole turns change nothing, and float64 drops them without error
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
