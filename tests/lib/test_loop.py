"""loop.py is the specification of all others, so it is held by 50 digits and by numbers worked out by hand."""

import numpy as np

from pe_lib import sinusoidal_loop


def test_width_4_is_what_lesson_02_computes_by_hand_and_an_odd_one_ends_with_a_sine_of_its_own_frequency():
    by_hand = [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.0100, 1.0000], [0.9093, -0.4161, 0.0200, 0.9998]]
    assert np.array_equal(sinusoidal_loop(3, 4).round(4), by_hand)
    odd = sinusoidal_loop(2, 5)  # not five of the six columns of width 6: d_model stands in the exponent
    assert odd[1].round(4).tolist() == [0.8415, 0.5403, 0.0251, 0.9997, 0.0006]
