"""What a layer gave for one x, as arrays (batch, sequence, d_model)."""

from dataclasses import dataclass

import numpy as np
import torch

from ..sandbox.guard import Failed
from ..sandbox.traces import Traces
from ..saying.catalogue import Finding
from .words import found


@dataclass(frozen=True)
class Response:
    """What came for ``x``; ``out`` is None when it was no tensor, and ``finding`` says why."""

    call: str
    x: np.ndarray
    out: np.ndarray | None = None
    finding: Finding | None = None
    changed_x: bool = False
    parts: int = 1  # more than 1: it returned several things, and ``out`` is the one of x's shape
    dtype: str = "float32"
    traces: Traces | None = None

    @property
    def fits(self):
        return self.out is not None and self.out.shape == self.x.shape

    @property
    def rows(self):
        """The output as a table (length, d_model) that is the same for all samples, or None when it is none."""
        _, length, d_model = self.x.shape
        if self.out is None:
            return None
        if self.fits and not np.ptp(self.out, axis=0).any():
            return self.out[0]
        shapes = ((length, d_model), (1, length, d_model), (length, 1, d_model))
        return self.out.reshape(length, d_model) if self.out.shape in shapes else None


def read(call, value, shape, batch_first):
    """``value``, what a layer returned for x of ``shape``, as (array, number of parts, dtype); or `Failed`."""
    tensor, parts = tensor_of(value, shape)
    if tensor is None:
        kind, what = ("none", "None") if value is None else ("no-table", type(value).__name__)
        raise Failed(found(kind, f"{call} gave {what}", title="The layer returns no tensor.", fix="return the sum"))
    array = as_array(tensor, batch_first)
    if not np.isfinite(array).all():
        raise Failed(found("not-finite", f"{call} gave cells that are NaN or infinite"))
    return array, parts, str(tensor.dtype).removeprefix("torch.")


def as_array(tensor, batch_first):
    tensor = tensor.detach().cpu()
    tensor = tensor if tensor.layout is torch.strided else tensor.to_dense()
    tensor = tensor if batch_first or tensor.ndim < 3 else tensor.transpose(0, 1)
    return np.array(tensor.double().numpy())


def tensor_of(value, shape):
    """The tensor in what the layer returned, and how many things it returned."""
    if isinstance(value, torch.Tensor):
        return (None if value.is_meta or value.is_complex() else value), 1
    things = list(value.values()) if isinstance(value, dict) else value
    if isinstance(things, (tuple, list)):
        tensors = [thing for thing in things if isinstance(thing, torch.Tensor) and thing.is_floating_point()]
        of_shape = [tensor for tensor in tensors if tuple(tensor.shape) == shape]
        return next(iter(of_shape or tensors), None), max(len(things), 2)
    return None, 1
