"""Good sizes, bases and shares of dropout: what comes back, and what is built of them. Bad ones: refusals.md."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from pe_lib import angles, frequencies, wavelengths
from pe_lib import sinusoidal_loop as loop
from pe_lib import sinusoidal_rotation as rotation
from pe_lib import sinusoidal_stack_flatten as stack_flatten
from pe_lib import sinusoidal_vectorized as vectorized
from pe_lib.arguments import check_base, check_dropout, check_size

BUILDERS = [loop, vectorized, stack_flatten, rotation]


@pytest.mark.parametrize(
    "check, kind, good",
    [
        *((partial(check_size, "d_model"), int, good) for good in (1, 512, 2**53, np.int64(7), np.uint8(200))),
        *((check_base, float, good) for good in (10000, 1, 0.5, np.float32(100), Fraction(1, 4), 1e308, 1e-6)),
        *((check_dropout, float, good) for good in (0, 0.0, 0.1, np.float32(0.5), 0.999999)),
    ],
)
def test_a_good_number_comes_back_as_python_s_own(check, kind, good):
    assert check(good) == good and type(check(good)) is kind


@pytest.mark.parametrize("builder", [*BUILDERS, frequencies, wavelengths, angles])
def test_the_least_and_the_largest_base_give_finite_numbers_and_numpy_s_numbers_the_same_as_ours(builder):
    sizes = (64,) if builder in (frequencies, wavelengths) else (9, 64)
    for base in (1e-6, 1e308):
        assert np.isfinite(np.asarray(builder(*sizes, base))).all()
    assert np.array_equal(builder(*map(np.uint8, sizes), np.float32(100)), builder(*sizes, 100))
