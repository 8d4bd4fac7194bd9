"""stack_flatten.py: the same table as a float32 tensor, rounded once, up to position 1,000,000."""

import math

import numpy as np
import pytest
import torch
from oracle import exact_table

from pe_lib import SinusoidalTable, sinusoidal_stack_flatten


@pytest.mark.parametrize("d_model", [33, 512])
def test_every_cell_is_within_half_a_unit_in_the_last_place(d_model):
    table = sinusoidal_stack_flatten(24, d_model).numpy()
    unit = np.spacing(np.abs(table))
    assert np.all(np.abs(table.astype(float) - exact_table(24, d_model)) <= unit / 2 + 1e-13)


def test_the_module_takes_the_width_first_and_no_input_and_returns_a_copy():
    """It trains nothing, saves nothing, and follows `to`."""
    module = SinusoidalTable(d_model=6, max_sequence_length=10)
    module().zero_()
    assert torch.equal(module(), sinusoidal_stack_flatten(10, 6))
    assert list(module.parameters()) == [] and dict(module.state_dict()) == {}
    assert module.half()().dtype == torch.float16
    assert module.to("meta")().device.type == "meta"
    # The other ways to a module without numbers are those of the layer: test_layer.py.
    with torch.device("meta"):
        module = SinusoidalTable(5, 10)
    assert module().device.type == "meta" and module().shape == (10, 5)
    module.table = torch.full((10, 5), math.nan)
    assert torch.equal(module(), sinusoidal_stack_flatten(10, 5))
