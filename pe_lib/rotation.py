"""The encoding as rotations: a row turned by n positions is the row n further on (lesson 08).

Write each pair as one complex number. Moving on by n positions turns it by n · frequency:

    z(pos) = sin(pos · frequency) + i · cos(pos · frequency)
    z(pos + n) = z(pos) · turn(n)        turn(n) = cos(n · frequency) - i · sin(n · frequency)

Source: Vaswani et al. (2017), section 3.5: "for any fixed offset k, PE(pos+k) can be represented as a linear function
of PE(pos)".
"""

import math

import numpy as np
import torch

from .arguments import check_offset, check_size
from .formula import frequencies


def sinusoidal_rotation(max_len, d_model, base=10000.0):
    """The sinusoidal table from about 2 · √max_len rows: every other row is one of these, turned.

    With B = √max_len rounded up, each position is a·B + b, and z(a·B + b) = z(b) · turn(a·B): the whole table is one
    outer product of B near rows and B far turns.

    Returns a contiguous Tensor float32 of shape (max_len, d_model) on the CPU, within 2e-7 of the exact values up to
    position 1,000,000 for a base of at least 1. Raises TypeError or ValueError for a size that is no whole number of at
    least 1, or a ``base`` below 1e-6.
    """
    max_len = check_size("max_len", max_len)
    b_count = math.isqrt(max_len - 1) + 1
    a_count = -(-max_len // b_count)  # rounded up, so never more than b_count
    theta = np.arange(b_count)[:, np.newaxis] * frequencies(d_model, base)  # (B, pairs), radians, float64
    z = _sin_and_cos(np.concatenate([theta, b_count * theta[:a_count]]))  # (B + A, pairs): every b, then every a·B
    near, turns = z[:b_count], z[b_count:, np.newaxis] * -1j  # cos - i·sin = -i · (sin + i·cos)

    # complex64, because the product then goes straight into the table, not far above the cost of filling memory. Two
    # rounded factors and a rounded product err by at most 1.6e-7. Products in complex128, rounded into the table block
    # by block, err by 3e-8 and take 1.5 to 2 times as long. np.empty, because NumPy asks for large memory pages.
    grid = np.empty((a_count, *near.shape), np.complex64)  # (A, B, pairs)
    torch.mul(torch.from_numpy(turns), torch.from_numpy(near), out=torch.from_numpy(grid))

    table = grid.view(np.float32).reshape(a_count * b_count, -1)  # a complex number is its sine, then its cosine
    if d_model % 2:
        table = _without_last_column(table)
    return torch.from_numpy(table[:max_len])


def _sin_and_cos(theta):
    """sin + i·cos of float64 angles, rounded to complex64. A cosine is a sine a quarter turn on: one call for both."""
    waves = np.empty((*theta.shape, 2))
    waves[..., 0], waves[..., 1] = theta, theta + np.pi / 2
    torch.from_numpy(waves).sin_()
    return waves.astype(np.float32).view(np.complex64)[..., 0]


def _without_last_column(table):
    """The same rows, one column narrower, moved together within their own memory: no second table beside the first."""
    rows, columns = table.shape[0], table.shape[1] - 1
    narrow = table.reshape(-1)[: rows * columns].reshape(rows, columns)
    for start in range(0, rows, 1024):  # forwards: a row never lands on one that is still to be moved
        narrow[start : start + 1024] = table[start : start + 1024, :-1]
    return narrow


def shift_matrix(n, d_model, base=10000.0):
    """The matrix M that moves every row n positions on: row(pos + n) = row(pos) @ M, whatever pos is.

    Returns an ndarray float64 of shape (d_model, d_model): zeros, but for one 2 × 2 rotation by n · frequency for each
    pair, [[cos, -sin], [sin, cos]]. ``n`` may be negative, or a fraction of a position; a cell is off by no more than
    4e-16 · (1 + |n|) for a base of at least 1.
    Raises ValueError for an odd ``d_model``, whose last sine has no cosine to turn with, and for an ``n`` beyond
    ±2**53, where float64 skips whole numbers; TypeError for one that is no number; else as `sinusoidal_rotation`.
    """
    d_model = check_size("d_model", d_model)
    if d_model % 2:
        raise ValueError(f"d_model must be even to be made of pairs, such as 512, but got {d_model}")
    theta = check_offset(n) * frequencies(d_model, base)
    even = np.arange(0, d_model, 2)
    matrix = np.zeros((d_model, d_model))
    matrix[even, even] = matrix[even + 1, even + 1] = np.cos(theta)
    matrix[even + 1, even] = np.sin(theta)
    matrix[even, even + 1] = -np.sin(theta)
    return matrix
