"""Every bad size, base and dropout is refused by every function that takes one, in words that help."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from oracle import BAD_BASES, BAD_SIZES, refuses

from pe_lib import (
    angles,
    frequencies,
    sinusoidal_loop,
    sinusoidal_rotation,
    sinusoidal_stack_flatten,
    sinusoidal_vectorized,
    wavelengths,
)
from pe_lib.arguments import check_base, check_dropout, check_size

BUILDERS = [sinusoidal_loop, sinusoidal_vectorized, sinusoidal_stack_flatten, sinusoidal_rotation]


def labels(cases):
    return [repr(case[0])[:12] for case in cases]


@pytest.mark.parametrize("bad, exception, given, works", BAD_SIZES, ids=labels(BAD_SIZES))
def test_a_bad_size_is_refused_by_name(bad, exception, given, works):
    with refuses(exception, "rows must be", given, works):
        check_size("rows", bad)


def test_a_size_that_no_float_tells_from_the_next_is_refused():
    assert check_size("rows", 2**53) == 2**53
    for bad, bits in [(2**53 + 1, 54), (10**400, 1329), (10**5000, 16610)]:
        with refuses(ValueError, "rows must be at most 2**53", f"got one of {bits} bits"):
            check_size("rows", bad)


@pytest.mark.parametrize("bad, exception, given, works", BAD_BASES, ids=labels(BAD_BASES))
def test_a_bad_base_is_refused_by_name(bad, exception, given, works):
    with refuses(exception, "base must be a", given, works):
        check_base(bad)


@pytest.mark.parametrize(
    "check, kind, good",
    [
        *((partial(check_size, "d_model"), int, good) for good in (1, 512, np.int64(7), np.uint8(200))),
        *((check_base, float, good) for good in (10000, 1, 0.5, np.float32(100), Fraction(1, 4), 1e308, 1e-6)),
        *((check_dropout, float, good) for good in (0, 0.0, 0.1, np.float32(0.5), 0.999999)),
    ],
)
def test_a_good_number_comes_back_as_python_s_own(check, kind, good):
    assert check(good) == good and type(check(good)) is kind


@pytest.mark.parametrize("base", [1e-6, 1e308])
@pytest.mark.parametrize("builder", [*BUILDERS, frequencies, wavelengths, angles])
def test_the_least_and_the_largest_base_give_finite_numbers(builder, base):
    sizes = (64,) if builder in (frequencies, wavelengths) else (9, 64)
    assert np.isfinite(np.asarray(builder(*sizes, base))).all()


@pytest.mark.parametrize("builder", BUILDERS)
def test_numpy_sizes_build_the_same_table_as_ints(builder):
    assert np.array_equal(builder(np.int64(6), np.uint8(5), np.float32(100)), builder(6, 5, 100))
