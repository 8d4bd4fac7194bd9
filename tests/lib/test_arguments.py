"""Every bad size, base and dropout is refused by every function that takes one, in words that help."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from oracle import BAD_BASES, BAD_DROPOUTS, BAD_SIZES, refuses

from pe_lib import (
    PositionalEncoding,
    SinusoidalTable,
    TokenEmbedding,
    angles,
    frequencies,
    half_split_order,
    shift_matrix,
    sinusoidal_at,
    sinusoidal_grid,
    sinusoidal_loop,
    sinusoidal_rotation,
    sinusoidal_stack_flatten,
    sinusoidal_vectorized,
    wavelengths,
)
from pe_lib.arguments import check_base, check_dropout, check_size
from pe_lib.longer_texts import LearnedPositions, alibi_bias, alibi_slopes

BUILDERS = [sinusoidal_loop, sinusoidal_vectorized, sinusoidal_stack_flatten, sinusoidal_rotation]

TAKE_A_SIZE = [
    ("rows", lambda bad: check_size("rows", bad)),
    ("d_model", frequencies),
    ("d_model", wavelengths),
    *(("d_model", partial(table, 4)) for table in (angles, *BUILDERS)),
    *(("max_len", partial(table, d_model=4)) for table in (angles, *BUILDERS)),
    ("d_model", lambda bad: shift_matrix(3, bad)),
    ("d_model", lambda bad: sinusoidal_at(2.5, bad)),
    ("height", lambda bad: sinusoidal_grid(bad, 4, 4)),
    ("width", lambda bad: sinusoidal_grid(4, bad, 4)),
    ("d_model", lambda bad: sinusoidal_grid(4, 4, bad)),
    ("d_model", lambda bad: SinusoidalTable(bad, 4)),
    ("max_sequence_length", lambda bad: SinusoidalTable(4, bad)),
    ("embed_size", PositionalEncoding),
    ("max_len", lambda bad: PositionalEncoding(4, max_len=bad)),
    ("vocab_size", lambda bad: TokenEmbedding(bad, 4)),
    ("d_model", lambda bad: TokenEmbedding(4, bad)),
    ("head_dim", half_split_order),
    ("heads", alibi_slopes),
    ("heads", lambda bad: alibi_bias(bad, 4)),
    ("length", lambda bad: alibi_bias(4, bad)),
    ("max_len", lambda bad: LearnedPositions(bad, 4)),
    ("d_model", lambda bad: LearnedPositions(4, bad)),
]
TAKE_A_BASE = [
    check_base,
    partial(frequencies, 4),
    partial(wavelengths, 4),
    *(partial(table, 4, 4) for table in (angles, *BUILDERS)),
    lambda bad: shift_matrix(3, 4, bad),
    lambda bad: sinusoidal_at(2.5, 4, bad),
    lambda bad: sinusoidal_grid(4, 4, 4, bad),
]


BAD = [(0, ValueError), ("3", TypeError), (True, TypeError)]  # for each; check_size and check_base get all


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


@pytest.mark.parametrize("bad, exception", BAD)
@pytest.mark.parametrize("name, function", TAKE_A_SIZE)
def test_whoever_takes_a_size_has_it_checked_under_its_name(name, function, bad, exception):
    with refuses(exception, f"{name} must be", f"got {bad!r}"):
        function(bad)


@pytest.mark.parametrize("bad, exception, given, works", BAD_BASES, ids=labels(BAD_BASES))
def test_a_bad_base_is_refused_by_name(bad, exception, given, works):
    with refuses(exception, "base must be a", given, works):
        check_base(bad)


@pytest.mark.parametrize("bad, exception", BAD)
@pytest.mark.parametrize("function", TAKE_A_BASE)
def test_whoever_takes_a_base_has_it_checked(function, bad, exception):
    with refuses(exception, "base must be a", f"got {bad!r}"):
        function(bad)


@pytest.mark.parametrize("bad, exception, given, works", BAD_DROPOUTS, ids=labels(BAD_DROPOUTS))
@pytest.mark.parametrize("function", [check_dropout, lambda bad: PositionalEncoding(4, dropout=bad)])
def test_a_bad_dropout_is_refused_by_name(function, bad, exception, given, works):
    with refuses(exception, "dropout must be", given, works):
        function(bad)


@pytest.mark.parametrize("bad", [1, 0, None, "True", np.True_])
def test_a_layout_that_is_no_bool_is_refused_by_name(bad):
    with refuses(TypeError, "batch_first must be True or False", f"got {bad!r} ({type(bad).__name__})"):
        PositionalEncoding(4, batch_first=bad)


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
