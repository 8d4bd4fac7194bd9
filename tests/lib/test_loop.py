"""loop.py is the specification of all others, so it is held by 50 digits and by numbers worked out by hand."""

import numpy as np
import pytest
from oracle import exact_table

from pe_lib import sinusoidal_loop


def test_width_4_is_what_lesson_02_computes_by_hand():
    expected = [
        [0.0, 1.0, 0.0, 1.0],
        [0.8415, 0.5403, 0.0100, 1.0000],
        [0.9093, -0.4161, 0.0200, 0.9998],
    ]
    assert np.array_equal(sinusoidal_loop(3, 4).round(4), expected)


def test_the_third_column_is_not_the_doubled_exponent_of_source_c():
    assert sinusoidal_loop(2, 4)[1, 2] == pytest.approx(0.009999833334)  # sin(1 / 100), not sin(1 / 10000)


@pytest.mark.parametrize(
    "max_len, d_model, base", [(1, 1, 10000), (40, 8, 10000), (25, 7, 10000), (30, 6, 10), (9, 3, 0.5)]
)
def test_every_cell_agrees_with_50_digits(max_len, d_model, base):
    table = sinusoidal_loop(max_len, d_model, base)
    assert table.dtype == np.float64 and table.shape == (max_len, d_model)
    assert np.abs(table - exact_table(max_len, d_model, base)).max() < 3e-14


def test_an_odd_width_ends_with_a_sine_of_its_own_frequency():
    table = sinusoidal_loop(2, 5)  # not five of the six columns of width 6: d_model stands in the exponent
    assert table[1].round(4).tolist() == [0.8415, 0.5403, 0.0251, 0.9997, 0.0006]


def test_each_call_makes_a_table_of_its_own():
    table = sinusoidal_loop(3, 4)
    table[:] = 7
    assert sinusoidal_loop(3, 4)[0].tolist() == [0, 1, 0, 1]
