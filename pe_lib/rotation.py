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
from .formula import angles, frequencies


def sinusoidal_rotation(max_len: int, d_model: int, base: float = 10000.0) -> torch.Tensor:
    """The sinusoidal table from about 2 · √max_len rows: every other row is one of these, turned.

    With B = √max_len rounded up, each position is a·B + b, and z(a·B + b) = z(b) · turn(a·B): the whole table is one
    outer product of B near rows and A ≤ B far turns.

    Returns a contiguous Tensor float32 of shape (max_len, d_model) on the CPU, within 2e-7 of the exact values up to
    position 1,000,000 for a base of at least 1. Building it takes the memory of one table; for an odd ``d_model``, of
    two. Raises TypeError or ValueError for a size that is no whole number of at least 1, or a ``base`` below 1e-6.
    >>> sinusoidal_rotation(2, 4)[1, :2]
    tensor([0.8415, 0.5403])
    """
    near_rows = math.isqrt(check_size("max_len", max_len) - 1) + 1  # B
    far_turns = math.ceil(max_len / near_rows)  # A
    theta = angles(near_rows, d_model, base)  # (B, pairs), float64
    near = _complex64(np.sin(theta), np.cos(theta))
    theta = near_rows * theta[:far_turns, np.newaxis]  # (A, 1, pairs)
    turns = _complex64(np.cos(theta), -np.sin(theta))

    z = np.empty((far_turns, *near.shape), np.complex64)  # z(b) · turn(a·B): torch multiplies faster, NumPy's memory
    torch.mul(*map(torch.from_numpy, (turns, near)), out=torch.from_numpy(z))  # comes in larger pages
    table = torch.from_numpy(z.view(np.float32).reshape(-1, 2 * near.shape[1]))  # a complex number: sine, then cosine
    return table[:max_len, :d_model].contiguous()  # an odd d_model drops the last cosine


def _complex64(real, imaginary):
    """Rounded: two factors and their product err by at most 1.6e-7. In complex128, block by block, it would be 3e-8,
    in 1.5 to 2 times the time."""
    z = np.empty(real.shape, np.complex64)
    z.real, z.imag = real, imaginary
    return z


def shift_matrix(n: float, d_model: int, base: float = 10000.0) -> np.ndarray:
    """The matrix M that moves every row n positions on: row(pos + n) = row(pos) @ M, whatever pos is.

    Returns an ndarray float64 of shape (d_model, d_model): zeros, but for one 2 × 2 rotation by n · frequency for each
    pair, [[cos, -sin], [sin, cos]]. ``n`` may be negative, or a fraction of a position; a cell is off by no more than
    4e-16 · (1 + |n|) for a base of at least 1.
    Raises ValueError for an odd ``d_model``, whose last sine has no cosine to turn with, and for an ``n`` beyond
    ±2**53, where float64 skips whole numbers; TypeError for one that is no number; else as `sinusoidal_rotation`.
    >>> shift_matrix(1, 2).round(2)
    array([[ 0.54, -0.84],
           [ 0.84,  0.54]])
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
