"""The formula of the sinusoidal positional encoding (lesson 02).

    table[pos, 2k]     = sin(pos * frequency_k)
    table[pos, 2k + 1] = cos(pos * frequency_k)        frequency_k = base ** (-2k / d_model)

pos is a position, k a pair of columns, j = 2k or 2k + 1 a column. Everything here is float64.
Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.5, https://arxiv.org/abs/1706.03762
"""

import numpy as np

from .arguments import check_base, check_size


def pair_count(d_model: int) -> int:
    """Number of pairs of columns in a row of width ``d_model``; an odd width has a last sine without its cosine."""
    return (check_size("d_model", d_model) + 1) // 2


def frequencies(d_model: int, base: float = 10000.0) -> np.ndarray:
    """Radians that each pair turns per position.

    Returns an ndarray float64 of shape (pairs,), from 1 towards 1 / base.
    Raises TypeError or ValueError for a ``d_model`` that is no whole number of at least 1, or a ``base`` below 1e-6.
    >>> frequencies(4)
    array([1.  , 0.01])
    """
    k = np.arange(pair_count(d_model))
    return check_base(base) ** (-2 * k / d_model)


def wavelengths(d_model: int, base: float = 10000.0) -> np.ndarray:
    """Positions that each pair needs for one full turn: ndarray float64 of shape (pairs,). Errors as `frequencies`.

    >>> wavelengths(4).round(1)
    array([  6.3, 628.3])
    """
    return 2 * np.pi / frequencies(d_model, base)


def angles(max_len: int, d_model: int, base: float = 10000.0) -> np.ndarray:
    """Angle in radians of every pair at every position 0 … max_len - 1: ndarray float64 of shape (max_len, pairs).

    float64 matters: a float32 angle near 100,000 radians is off by up to 0.004, and so are its sine and cosine.
    Errors as `frequencies`, and the same for ``max_len``.
    >>> angles(3, 4)[2]
    array([2.  , 0.02])
    """
    pos = np.arange(check_size("max_len", max_len))
    return pos[:, np.newaxis] * frequencies(d_model, base)
