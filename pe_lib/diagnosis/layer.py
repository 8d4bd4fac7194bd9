"""Does this layer add the sinusoidal table to its input? Compared at sizes that no known mistake survives."""

import torch

from ..vectorized import sinusoidal_vectorized
from .result import Diagnosis, Finding
from .run import Failed, run
from .table import TOLERANCE

D_MODEL, MAX_LEN = 6, 9
SIZES = ((2, 3), (1, 4), (2, 9), (3, 1), (4, 4))  # (batch, length): batch and length differ, length 1, length max_len


def diagnose_layer(make_layer, batch_first=True):
    """Compare the layer ``make_layer(d_model, max_len)`` with x + the paper's table; returns a `Diagnosis`.

    ``batch_first=True`` feeds it x of shape (batch, sequence, d_model), else (sequence, batch, d_model).
    """
    try:
        layer = run(f"making the layer with d_model={D_MODEL}, max_len={MAX_LEN}", make_layer, D_MODEL, MAX_LEN)
        if not isinstance(layer, torch.nn.Module):
            raise Failed(
                Finding("no-module", "This is not a layer.", f"got {type(layer).__name__}, expected an nn.Module")
            )
        layer.eval()
        for batch, length in SIZES:
            compare(layer, batch, length, batch_first)
        check_registered(layer)
    except Failed as failed:
        return Diagnosis(ok=False, findings=(failed.finding,))
    return Diagnosis(ok=True)


def compare(layer, batch, length, batch_first):
    """Raise `Failed` unless the layer gives x + table for one random x, and leaves x as it was."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(batch, length, D_MODEL, generator=generator)
    table = torch.from_numpy(sinusoidal_vectorized(length, D_MODEL)).float().unsqueeze(0)
    if not batch_first:
        x, table = x.transpose(0, 1), table.transpose(0, 1)
    before, shape = x.clone(), tuple(x.shape)
    call = f"layer(x) with x of shape {shape}"
    out = run(call, layer, x)
    if not isinstance(out, torch.Tensor):
        raise Failed(
            Finding("none", "The layer returns no tensor.", f"{call} gave {type(out).__name__}", fix="return the sum")
        )
    if tuple(out.shape) != shape:
        evidence = f"{call} gave the shape {tuple(out.shape)}"
        raise Failed(
            Finding("shape", "The output has another shape than x.", evidence, fix="cut the table to x's length")
        )
    if not torch.equal(x, before):
        raise Failed(Finding("in-place", "The layer changes the caller's x.", call, fix="write x = x + …, not x += …"))
    if not torch.allclose(out.double(), (x + table).double(), atol=TOLERANCE):
        evidence = f"{call} is off by up to {(out - x - table).abs().max():.4f}"
        raise Failed(Finding("differs", "The output is not x + encoding.", evidence))


def check_registered(layer):
    """Raise `Failed` for a table that is trained, or that ``.to()`` leaves behind."""
    if any(parameter.requires_grad for parameter in layer.parameters()):
        raise Failed(Finding("trainable", "The table would be trained.", fix="register_buffer instead of nn.Parameter"))
    if not [*layer.buffers(), *layer.parameters()] and any(
        isinstance(v, torch.Tensor) for m in layer.modules() for v in vars(m).values()
    ):
        evidence = "the layer has no buffer"
        fix = 'self.register_buffer("pe", table) instead of self.pe = table'
        raise Failed(Finding("unregistered", "The table would stay behind when the layer moves.", evidence, fix=fix))
