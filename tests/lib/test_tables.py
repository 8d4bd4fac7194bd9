"""What the four ways to the table share: the loop is the specification, and 50 digits hold all of them."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracle import default_dtype, exact_rows, exact_table

from pe_lib import sinusoidal_loop, sinusoidal_rotation, sinusoidal_stack_flatten, sinusoidal_vectorized

LANDMARKS = [0, 1, 511, 1_000, 1_001, 4_095, 65_535, 100_000, 131_071, 524_288, 999_999, 1_000_000]
FAR = LANDMARKS + np.random.default_rng(0).integers(0, 1_000_001, 300).tolist()

in_float64 = pytest.mark.parametrize("build", [sinusoidal_loop, sinusoidal_vectorized])
in_float32 = pytest.mark.parametrize("build, within", [(sinusoidal_stack_flatten, 6e-8), (sinusoidal_rotation, 2e-7)])


@in_float64
@pytest.mark.parametrize(
    "max_len, d_model, base", [(1, 1, 10000), (5, 1, 10000), (40, 8, 10000), (25, 7, 10000), (30, 6, 10), (9, 3, 0.5)]
)
def test_every_cell_agrees_with_50_digits(build, max_len, d_model, base):
    table = build(max_len, d_model, base)
    assert table.dtype == np.float64 and table.shape == (max_len, d_model)
    assert np.abs(table - exact_table(max_len, d_model, base)).max() < 3e-14


@in_float32
@pytest.mark.parametrize("d_model, base", [(6, 10000), (5, 10000), (1, 10000), (4, 500000)])
def test_float32_is_as_near_to_50_digits_up_to_position_1000000(build, within, d_model, base):
    table = build(1_000_001, d_model, base)[FAR].double().numpy()
    assert np.abs(table - exact_rows(FAR, d_model, base)).max() <= within


WITHIN = [(sinusoidal_vectorized, 1e-12), (sinusoidal_stack_flatten, 3.1e-8), (sinusoidal_rotation, 2e-7)]


@pytest.mark.parametrize("build, within", WITHIN)
@given(st.integers(1, 150), st.integers(1, 33), st.floats(0.1, 1e6))
def test_it_is_the_table_of_the_loop_and_row_0_sine_and_cosine_of_nothing(build, within, max_len, d_model, base):
    table = np.asarray(build(max_len, d_model, base))
    assert table.shape == (max_len, d_model) and table.flags.c_contiguous
    assert np.abs(table - sinusoidal_loop(max_len, d_model, base)).max() < within
    assert table[0].tolist() == ([0.0, 1.0] * d_model)[:d_model]


@in_float32
@pytest.mark.parametrize("default", [torch.float64, torch.float16])
@pytest.mark.parametrize("mode", [torch.no_grad, torch.enable_grad, torch.inference_mode])
@pytest.mark.parametrize("d_model", [4, 5])
def test_it_is_a_contiguous_float32_tensor_on_the_cpu_whatever_the_defaults(build, within, default, mode, d_model):
    with default_dtype(default), torch.device("meta"), mode():
        table = build(7, d_model)
    assert table.dtype == torch.float32 and table.device.type == "cpu"
    assert table.is_contiguous() and not table.requires_grad
    assert torch.equal(table, build(7, d_model))


@pytest.mark.parametrize("build", [sinusoidal_loop, *(build for build, _ in WITHIN)])
def test_each_call_makes_a_table_of_its_own(build):
    build(3, 4)[:] = 7
    assert build(3, 4)[0].tolist() == [0, 1, 0, 1]
