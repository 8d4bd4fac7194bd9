"""stack_flatten.py: the same table as a float32 tensor, rounded once, up to position 1,000,000."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from oracle import default_dtype, exact_rows, exact_table

from pe_lib import SinusoidalTable, sinusoidal_loop, sinusoidal_stack_flatten, sinusoidal_vectorized

LANDMARKS = [0, 1, 511, 4_095, 65_535, 100_000, 131_071, 524_288, 999_999, 1_000_000]
FAR = LANDMARKS + np.random.default_rng(0).integers(0, 1_000_001, 300).tolist()


@given(st.integers(1, 40), st.integers(1, 33), st.floats(0.1, 1e6))
def test_it_is_the_table_of_the_loop_and_of_the_broadcast_product(max_len, d_model, base):
    table = sinusoidal_stack_flatten(max_len, d_model, base).numpy()
    assert table.shape == (max_len, d_model)
    assert np.abs(table - sinusoidal_loop(max_len, d_model, base)).max() < 3.1e-8
    assert np.abs(table - sinusoidal_vectorized(max_len, d_model, base)).max() < 3.1e-8


@pytest.mark.parametrize("d_model, base", [(6, 10000), (5, 10000), (1, 10000), (4, 500000)])
def test_float32_is_within_6e_8_of_50_digits_up_to_position_1000000(d_model, base):
    table = sinusoidal_stack_flatten(1_000_001, d_model, base)[FAR].double().numpy()
    assert np.abs(table - exact_rows(FAR, d_model, base)).max() <= 6e-8


@pytest.mark.parametrize("d_model", [33, 512])
def test_every_cell_is_within_half_a_unit_in_the_last_place(d_model):
    table = sinusoidal_stack_flatten(24, d_model).numpy()
    unit = np.spacing(np.abs(table))
    assert np.all(np.abs(table.astype(float) - exact_table(24, d_model)) <= unit / 2 + 1e-13)


@pytest.mark.parametrize("default", [torch.float64, torch.float16])
def test_it_is_a_contiguous_float32_tensor_on_the_cpu_whatever_the_defaults(default):
    with default_dtype(default), torch.device("meta"):
        table = sinusoidal_stack_flatten(4, 5)
    assert table.dtype == torch.float32 and table.device.type == "cpu"
    assert table.is_contiguous() and not table.requires_grad
    assert torch.equal(table, sinusoidal_stack_flatten(4, 5))


def test_the_module_takes_the_width_first_and_no_input():
    module = SinusoidalTable(6, 10)
    assert module().shape == (10, 6)
    assert torch.equal(module(), sinusoidal_stack_flatten(10, 6))


def test_the_module_trains_nothing_saves_nothing_and_follows_to():
    module = SinusoidalTable(d_model=6, max_sequence_length=10)
    assert list(module.parameters()) == [] and dict(module.state_dict()) == {}
    assert module.half()().dtype == torch.float16
    assert module.to("meta")().device.type == "meta"


def test_the_module_returns_a_copy():
    module = SinusoidalTable(6, 10)
    module().zero_()
    assert torch.equal(module(), sinusoidal_stack_flatten(10, 6))


def test_a_module_from_the_meta_device_never_returns_junk():
    for forget in (lambda module: module._apply(lambda t: torch.full_like(t, math.nan, device="cpu")), put_junk):
        with torch.device("meta"):
            module = SinusoidalTable(5, 10)
        assert module().device.type == "meta" and module().shape == (10, 5)
        forget(module)
        assert torch.equal(module(), sinusoidal_stack_flatten(10, 5))
        module.table.fill_(math.nan)
        module.reset_parameters()
        assert torch.equal(module(), sinusoidal_stack_flatten(10, 5))


def put_junk(module):
    module.table = torch.full((10, 5), math.nan)


@pytest.mark.parametrize("default", [torch.float64, torch.bfloat16])
def test_a_module_is_float32_and_exact_whatever_the_default_dtype(default):
    with default_dtype(default):
        table = SinusoidalTable(6, 300)()
    assert table.dtype == torch.float32
    assert torch.equal(table, sinusoidal_stack_flatten(300, 6))
