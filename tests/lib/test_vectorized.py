"""vectorized.py: the loop's table, and the properties that make it an encoding of position."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracle import exact_rows

from pe_lib import sinusoidal_vectorized

lengths, widths, bases = st.integers(1, 40), st.integers(1, 33), st.floats(0.1, 1e6)


def test_float64_holds_far_out():
    table = sinusoidal_vectorized(100_001, 7)
    assert np.abs(table[[65_535, 99_999, 100_000]] - exact_rows([65_535, 99_999, 100_000], 7)).max() < 1e-10


@given(lengths, st.integers(1, 16), bases)
def test_sine_squared_and_cosine_squared_make_1_in_each_pair(max_len, pairs, base):
    table = sinusoidal_vectorized(max_len, 2 * pairs, base)
    assert np.allclose((table**2).reshape(max_len, pairs, 2).sum(2), 1, rtol=0, atol=1e-14)


@given(st.integers(1, 16), st.integers(0, 20))
def test_the_product_of_two_rows_knows_only_their_distance(pairs, distance):
    table = sinusoidal_vectorized(60, 2 * pairs)
    products = (table[distance:] * table[: 60 - distance]).sum(1)
    assert np.allclose(products, products[0], rtol=0, atol=1e-11)


@given(lengths, st.integers(0, 40), widths, bases)
def test_a_longer_table_only_appends_rows(max_len, more, d_model, base):
    longer = sinusoidal_vectorized(max_len + more, d_model, base)
    assert np.array_equal(longer[:max_len], sinusoidal_vectorized(max_len, d_model, base))


@given(st.integers(2, 33), st.floats(1.5, 1e6))
def test_no_two_rows_are_the_same(d_model, base):
    table = sinusoidal_vectorized(40, d_model, base)
    apart = np.abs(table[:, np.newaxis] - table).max(2) + np.eye(40)
    assert apart.min() > 1e-3
