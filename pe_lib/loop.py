"""The encoding as two loops: the formula word for word (lesson 03). Slow, and the specification of all the others."""

import math

import numpy as np

from .arguments import check_base, check_size


def sinusoidal_loop(max_len: int, d_model: int, base: float = 10000.0) -> np.ndarray:
    """The sinusoidal table, one cell at a time.

    Returns an ndarray float64 of shape (max_len, d_model). An odd ``d_model`` ends with a sine that has no cosine.
    Raises TypeError or ValueError for a size that is no whole number of at least 1, or a ``base`` below 1e-6.
    Source: Vaswani et al. (2017), section 3.5.
    >>> sinusoidal_loop(2, 4)[1].round(2)
    array([0.84, 0.54, 0.01, 1.  ])
    """
    max_len, d_model, base = check_size("max_len", max_len), check_size("d_model", d_model), check_base(base)
    table = np.zeros((max_len, d_model))
    for pos in range(max_len):
        for j in range(d_model):
            k = j // 2  # columns 2k and 2k + 1 belong to pair k
            angle = pos / base ** (2 * k / d_model)
            table[pos, j] = math.sin(angle) if j % 2 == 0 else math.cos(angle)
    return table
