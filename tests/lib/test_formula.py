"""formula.py against 50 digits and against what the lesson says about its numbers."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import exact_frequencies

from pe_lib import angles, frequencies, wavelengths
from pe_lib.formula import pair_count


@pytest.mark.parametrize("d_model, pairs", [(1, 1), (2, 1), (3, 2), (4, 2), (7, 4), (512, 256)])
def test_a_pair_has_two_columns_and_an_odd_width_one_more_sine(d_model, pairs):
    assert pair_count(d_model) == pairs
    assert frequencies(d_model).shape == wavelengths(d_model).shape == (pairs,)
    assert angles(3, d_model).shape == (3, pairs)


@pytest.mark.parametrize("d_model, base", [(1, 10000), (5, 10000), (8, 500000), (512, 10000), (511, 0.5), (64, 1e-6)])
def test_frequencies_and_wavelengths_are_right_to_float64(d_model, base):
    exact = exact_frequencies(d_model, base)
    assert np.allclose(frequencies(d_model, base), np.array(exact, dtype=float), rtol=1e-14, atol=0)
    with mpmath.workdps(50):
        turns = np.array([2 * mpmath.pi / frequency for frequency in exact], dtype=float)
    assert np.allclose(wavelengths(d_model, base), turns, rtol=1e-14, atol=0)


@given(st.integers(3, 600), st.floats(1.5, 1e6))
def test_frequencies_fall_from_1_by_one_and_the_same_factor(d_model, base):
    turns = frequencies(d_model, base)
    assert turns[0] == 1
    assert np.all(np.diff(turns) < 0) and turns[-1] > 1 / base
    assert np.allclose(turns[1:] / turns[:-1], turns[1] / turns[0], rtol=1e-12)


def test_angles_are_float64_positions_times_frequencies_even_far_out_and_with_the_least_base():
    """In float32 an angle near 100,000 is off by what the docstring says."""
    theta = angles(100_001, 64)
    with mpmath.workdps(50):
        exact = np.array([100_000 * frequency for frequency in exact_frequencies(64)], dtype=float)
    assert np.allclose(theta[100_000], exact, rtol=1e-14, atol=0) and theta.dtype == np.float64
    assert not theta[0].any()
    assert 0.003 < np.abs(theta[90_000:].astype(np.float32) - theta[90_000:]).max() <= 0.004
    turns, exact = frequencies(512, 1e-6), exact_frequencies(512, 1e-6)
    assert max(abs(1_000_000 * a - 1_000_000 * b) for a, b in zip(map(float, turns), exact, strict=True)) < 1e-3
