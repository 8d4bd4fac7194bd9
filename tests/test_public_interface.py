"""What may be imported from where, with which arguments, and at what cost."""

import inspect
import subprocess
import sys

import pytest

import pe_lib

BASE = {"base": 10000.0}
WANTED = inspect.Parameter.empty  # no default
TABLE = {"max_len": WANTED, "d_model": WANTED, **BASE}


@pytest.mark.parametrize(
    "name, parameters",
    [
        ("TokenEmbedding", {"vocab_size": WANTED, "d_model": WANTED}),
        ("sinusoidal_loop", TABLE),
        ("sinusoidal_vectorized", TABLE),
        ("sinusoidal_stack_flatten", TABLE),
        ("sinusoidal_rotation", TABLE),
        ("shift_matrix", {"n": WANTED, "d_model": WANTED, **BASE}),
        ("PositionalEncoding", {"embed_size": WANTED, "max_len": 512, "dropout": 0.0, "batch_first": True}),
        ("SinusoidalTable", {"d_model": WANTED, "max_sequence_length": WANTED}),
        ("diagnose_table", {"function": WANTED}),
        ("diagnose_layer", {"make_layer": WANTED, "batch_first": True}),
        ("frequencies", {"d_model": WANTED, **BASE}),
        ("wavelengths", {"d_model": WANTED, **BASE}),
        ("angles", TABLE),
    ],
)
def test_the_fixed_interface_keeps_its_arguments(name, parameters):
    """Names, order, defaults, by position or by name. Type hints may come and go."""
    found = inspect.signature(getattr(pe_lib, name)).parameters.values()
    assert [(p.name, p.default) for p in found] == list(parameters.items())
    assert {p.kind for p in found} == {inspect.Parameter.POSITIONAL_OR_KEYWORD}
    assert name in pe_lib.__all__


def test_every_public_name_exists_once_and_in_order():
    assert pe_lib.__all__ == sorted(set(pe_lib.__all__))
    assert all(hasattr(pe_lib, name) for name in pe_lib.__all__)


def test_importing_draws_nothing_in_and_changes_no_random_numbers():
    code = """
import sys, torch
torch.manual_seed(0)
import pe_lib.check
print([m for m in ("matplotlib", "ipywidgets", "IPython") if m in sys.modules], torch.rand(1).item())
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.startswith("[] 0.496256")
