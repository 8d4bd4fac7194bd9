"""What may be imported from where, with which arguments, and at what cost."""

import inspect
import subprocess
import sys

import pytest

import pe_lib


@pytest.mark.parametrize(
    "name, signature",
    [
        ("TokenEmbedding", "(vocab_size, d_model)"),
        ("sinusoidal_loop", "(max_len, d_model, base=10000.0)"),
        ("sinusoidal_vectorized", "(max_len, d_model, base=10000.0)"),
        ("sinusoidal_stack_flatten", "(max_len, d_model, base=10000.0)"),
        ("sinusoidal_rotation", "(max_len, d_model, base=10000.0)"),
        ("shift_matrix", "(n, d_model, base=10000.0)"),
        ("PositionalEncoding", "(embed_size, max_len=512, dropout=0.0, batch_first=True)"),
        ("SinusoidalTable", "(d_model, max_sequence_length)"),
        ("diagnose_table", "(function)"),
        ("diagnose_layer", "(make_layer, batch_first=True)"),
        ("frequencies", "(d_model, base=10000.0)"),
        ("wavelengths", "(d_model, base=10000.0)"),
        ("angles", "(max_len, d_model, base=10000.0)"),
    ],
)
def test_the_fixed_interface_keeps_its_arguments(name, signature):
    assert str(inspect.signature(getattr(pe_lib, name))) == signature
    assert name in pe_lib.__all__


def test_every_public_name_exists_once_and_in_order():
    assert pe_lib.__all__ == sorted(set(pe_lib.__all__))
    assert all(hasattr(pe_lib, name) for name in pe_lib.__all__)


@pytest.mark.parametrize("module", ["pe_lib", "pe_lib.check"])
def test_importing_draws_nothing_in(module):
    code = f"import sys, {module}; print([m for m in ('matplotlib', 'ipywidgets', 'IPython') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"


def test_importing_changes_no_random_numbers():
    code = "import torch; torch.manual_seed(0); import pe_lib.check; print(torch.initial_seed(), torch.rand(1).item())"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.split()[0] == "0" and shown.split()[1].startswith("0.496256")
