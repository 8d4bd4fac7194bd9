"""What the tests compare with: the table to 50 digits, a strict `raises`, and tensors as they may lie in memory."""

import functools
from contextlib import contextmanager

import mpmath
import numpy as np
import pytest
import torch


@functools.cache
def exact_frequencies(d_model, base=10000):
    """The frequencies of all pairs, correct to 50 digits."""
    with mpmath.workdps(50):
        return [mpmath.exp(-mpmath.log(mpmath.mpf(base)) * 2 * k / d_model) for k in range((d_model + 1) // 2)]


@functools.cache
def exact_row(position, d_model, base):
    turns = exact_frequencies(d_model, base)
    with mpmath.workdps(50):
        return [float(f(position * turn)) for turn in turns for f in (mpmath.sin, mpmath.cos)][:d_model]


def exact_rows(positions, d_model, base=10000):
    """Rows at any real positions, computed with 50 digits and rounded once to float64: ndarray (positions, d_model)."""
    return np.array([exact_row(float(position), d_model, base) for position in positions]).reshape(-1, d_model)


def exact_table(max_len, d_model, base=10000):
    return exact_rows(range(max_len), d_model, base)


def normal(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(dtype)


@contextmanager
def default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


VIEWS = pytest.mark.parametrize(  # of an x (2, 3, 4, 6)
    "view",
    [
        lambda x: x[:, :, ::2],
        lambda x: x.transpose(1, 2),
        lambda x: x.transpose(0, 3),
        lambda x: x[..., 1:5],
        lambda x: x[..., :-1:3],
        lambda x: x[..., :4],
        lambda x: x.flatten()[1:7].view(1, 6),
        lambda x: x.flatten()[:21].view(3, 7)[:, :6],
        lambda x: x[:1, :1].expand(5, 4, -1, -1),
        lambda x: x[:1, :1, :1, :1].expand(5, 4, 3, 2),
    ],
)


@contextmanager
def refuses(exception, *words):
    """Exactly this exception is raised, and its message holds all of ``words``."""
    with pytest.raises(exception) as caught:
        yield
    assert caught.type is exception
    for word in words:
        assert word in str(caught.value)
