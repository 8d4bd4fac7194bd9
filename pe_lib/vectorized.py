"""The encoding without loops: one broadcast product of positions and frequencies (lesson 04)."""

import numpy as np

from .formula import angles


def sinusoidal_vectorized(max_len: int, d_model: int, base: float = 10000.0) -> np.ndarray:
    """The sinusoidal table, all cells at once.

    Returns an ndarray float64 of shape (max_len, d_model). An odd ``d_model`` ends with a sine that has no cosine.
    Raises TypeError or ValueError for a size that is no whole number of at least 1, or a ``base`` below 1e-6.
    Source: Vaswani et al. (2017), section 3.5.
    >>> sinusoidal_vectorized(2, 4)[1].round(2)
    array([0.84, 0.54, 0.01, 1.  ])
    """
    theta = angles(max_len, d_model, base)  # (max_len, pairs)
    table = np.empty((max_len, d_model))
    table[:, 0::2] = np.sin(theta)
    table[:, 1::2] = np.cos(theta[:, : d_model // 2])  # the last pair of an odd d_model has no cosine
    return table
