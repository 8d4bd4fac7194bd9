"""space_and_time.py: against 50 digits, against the table at whole positions, and by what a shift does on each axis."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracle import exact_rows

from pe_lib import fourier_features, shift_matrix, sinusoidal_at, sinusoidal_grid, sinusoidal_vectorized

widths, pair_counts, bases = st.integers(1, 33), st.integers(1, 12), st.floats(1, 1e6)
places = st.floats(-1000, 1000)
sizes = st.integers(1, 6)


@pytest.mark.parametrize("d_model, base", [(512, 10000), (134, 10000), (64, 100), (7, 10000), (1, 10000), (6, 1)])
def test_any_position_agrees_with_50_digits(d_model, base):
    """Near 10,000 an angle is off by up to 9e-13; of all widths to 512, 134 has the worst frequency."""
    positions = [0.1, -2.5, 1e-9, 9_999.9, -9_999.3, 10_000, *np.random.default_rng(0).uniform(8192, 10_000, 10)]
    found = sinusoidal_at(positions, d_model, base)
    assert found.dtype == np.float64 and np.abs(found - exact_rows(positions, d_model, base)).max() < 2e-12


@given(widths, bases, st.integers(1, 50))
def test_whole_positions_give_the_rows_of_the_table(d_model, base, max_len):
    assert np.array_equal(sinusoidal_at(range(max_len), d_model, base), sinusoidal_vectorized(max_len, d_model, base))


@given(places, st.floats(-50, 50), pair_counts, bases)
def test_a_shift_by_any_number_is_one_rotation(pos, n, pairs, base):
    row, shifted = sinusoidal_at([pos, pos + n], 2 * pairs, base)
    assert np.allclose(shifted, row @ shift_matrix(n, 2 * pairs, base), rtol=0, atol=2e-12)


@given(places, widths, bases)
def test_before_the_first_row_the_sines_turn_round(pos, d_model, base):
    ahead, behind = sinusoidal_at([pos, -pos], d_model, base)
    assert np.array_equal(behind[0::2], -ahead[0::2]) and np.array_equal(behind[1::2], ahead[1::2])


@pytest.mark.parametrize("d_model", [1, 4, 5])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3), (2, 1, 3, 1)])
def test_positions_keep_their_shape(shape, d_model):
    positions = np.random.default_rng(0).uniform(-9, 9, shape)
    before = positions.copy()
    found = sinusoidal_at(positions, d_model)
    assert found.shape == (*shape, d_model) and np.array_equal(positions, before)
    for index in np.ndindex(shape):
        assert np.array_equal(found[index], sinusoidal_at(positions[index], d_model))


THREE = [0, 1, 2]
KINDS = [THREE, (0.0, 1, Fraction(2)), range(3), *(np.array(THREE, dtype=d) for d in (np.uint8, np.float16, object))]
KINDS += [[np.float32(0), np.int64(1), 2], np.ma.array(THREE, mask=False), torch.arange(3), torch.arange(3.0)]


@pytest.mark.parametrize("positions", KINDS)
def test_numbers_may_be_of_any_real_kind(positions):
    assert np.array_equal(sinusoidal_at(positions, 6), sinusoidal_vectorized(3, 6))


@given(sizes, sizes, st.integers(2, 20), bases)
def test_a_patch_has_its_row_s_encoding_and_then_its_column_s(height, width, d_model, base):
    grid = sinusoidal_grid(height, width, d_model, base)
    assert grid.shape == (height, width, d_model) and grid.dtype == np.float64
    of_row = (d_model + 1) // 2
    rows, columns = sinusoidal_vectorized(height, of_row, base), sinusoidal_vectorized(width, d_model - of_row, base)
    for r in range(height):
        for c in range(width):
            assert np.array_equal(grid[r, c], [*rows[r], *columns[c]])


@given(pair_counts, bases, st.integers(-3, 3), st.integers(-3, 3))
def test_a_step_on_each_axis_is_a_rotation_of_its_own_columns(pairs, base, down, right):
    grid, half = sinusoidal_grid(7, 8, 4 * pairs, base), 2 * pairs
    step = np.zeros((4 * pairs, 4 * pairs))
    step[:half, :half], step[half:, half:] = shift_matrix(down, half, base), shift_matrix(right, half, base)
    assert np.allclose(grid[3, 4] @ step, grid[3 + down, 4 + right], rtol=0, atol=1e-12)


def test_no_two_patches_are_the_same():
    for d_model in (2, 3, 64):
        patches = sinusoidal_grid(5, 6, d_model).reshape(30, d_model)
        assert len(np.unique(patches.round(6), axis=0)) == 30


vectors = st.integers(1, 3).flatmap(
    lambda dims: st.tuples(
        *[st.lists(st.lists(st.floats(-40, 40), min_size=dims, max_size=dims), min_size=1, max_size=4)] * 2
    )
)


@given(vectors)
def test_features_agree_with_50_digits(points_and_frequencies):
    points, frequencies = points_and_frequencies
    found = fourier_features(points, frequencies)
    with mpmath.workdps(50):
        turns = [[mpmath.fdot(p, f) * 2 * mpmath.pi for f in frequencies] for p in points]
        exact = [[f(turn) for f in (mpmath.sin, mpmath.cos) for turn in row] for row in turns]
    assert found.shape == (len(points), 2 * len(frequencies)) and found.dtype == np.float64
    assert np.abs(found - np.array(exact, dtype=float)).max() < 2e-11  # 4,800 turns, of which the last bits are rounded


@given(vectors, st.floats(-3, 3))
def test_a_move_along_one_axis_turns_each_pair_by_its_frequency_there(points_and_frequencies, n):
    points, frequencies = (np.array(v) for v in points_and_frequencies)
    m = len(frequencies)
    for axis in range(points.shape[1]):
        moved = points + n * np.eye(points.shape[1])[axis]
        z, z_moved = ((f[:, m:] + 1j * f[:, :m]) for f in (fourier_features(p, frequencies) for p in (points, moved)))
        assert np.allclose(z_moved, z * np.exp(2j * np.pi * n * frequencies[:, axis]), rtol=0, atol=1e-10)


def test_a_frequency_counts_turns_and_whole_turns_are_exactly_where_they_began():
    found = fourier_features([[0], [0.25], [0.5], [1], [1_000_000]], [[1], [3]])
    assert np.allclose(found[:3], [[0, 0, 1, 1], [1, -1, 0, 0], [0, 0, -1, -1]], rtol=0, atol=1e-15)
    assert found[3:].tolist() == [[0, 0, 1, 1]] * 2
    assert fourier_features(np.empty((0, 2)), [[1, 2]]).shape == (0, 2), "no points give no features"
