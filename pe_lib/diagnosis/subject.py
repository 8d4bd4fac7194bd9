"""A layer under test: made in any size, given random x, its answers kept as arrays (batch, sequence, d_model)."""

import weakref
from dataclasses import dataclass, replace

import numpy as np
import torch

from .catalogue import found
from .result import Finding
from .run import Failed, raises, watch
from .state import Traces

D_MODEL, MAX_LEN = 8, 8


@dataclass(frozen=True)
class Response:
    """What the layer gave for one x; ``out`` is None when it gave no tensor, and ``finding`` says why."""

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


class Subject:
    """Makes layers with ``make(d_model, max_len)`` and asks them."""

    def __init__(self, make, batch_first):
        self.make_layer, self.batch_first = make, batch_first
        self.asked_dropout = None  # the p that the layer is made with, where its class takes one
        self.sizes = weakref.WeakKeyDictionary()
        self.awake = None  # 1 - p when eval() leaves dropout on: then `ask` looks at many calls
        self.attempted = False  # True after a first answer: from then on NotImplementedError is a refusal and no stub
        self.always_new = False  # True when a layer remembers: then `ask` makes a new one each time

    def make(self, d_model=D_MODEL, max_len=MAX_LEN, seed=0):
        """A new layer in eval mode; `Failed` when there is none."""
        return self.make_watched(d_model, max_len, seed)[0]

    def make_watched(self, d_model=D_MODEL, max_len=MAX_LEN, seed=0):
        """A new layer, and what making it left behind."""
        call = f"making the layer with d_model={d_model}, max_len={max_len}"
        ran = self._watch(call, self.make_layer, d_model, max_len, seed=seed)
        layer = ran.value
        if not isinstance(layer, torch.nn.Module):
            raise Failed(found("no-module", f"{call} got {type(layer).__name__}, expected an nn.Module"))
        if type(layer).forward is torch.nn.Module.forward:
            raise Failed(found("no-forward", f"{type(layer).__name__} has the methods {_methods(layer)}"))
        self.sizes[layer] = d_model, max_len
        return layer.eval(), ran.traces

    def _watch(self, call, function, *arguments, seed):
        try:
            return watch(call, function, *arguments, seed=seed)
        except NotImplementedError as error:
            if not self.attempted:
                raise
            raise Failed(raises(call, error)) from None

    def x(self, layer, batch, length, d_model, seed=0):
        """Random x in the layer's layout and on its device; zeros for the seed None."""
        generator = torch.Generator().manual_seed(seed or 0)
        x = torch.randn(batch, length, d_model, generator=generator, device="cpu", dtype=torch.float32)
        x = torch.zeros_like(x) if seed is None else x
        x = x if self.batch_first else x.transpose(0, 1).contiguous()
        tensors = [*layer.parameters(), *layer.buffers()]
        return x.to(tensors[0].device) if tensors else x

    def ask(self, layer, batch, length, d_model=D_MODEL, seed=0, random=0):
        """The `Response` to random x; ``random`` seeds what the layer itself draws."""
        if self.always_new:
            layer = self.make(*self.sizes[layer])
        if self.awake is None:
            return self._ask(layer, batch, length, d_model, seed, random)
        responses = [self._ask(layer, batch, length, d_model, seed, n) for n in range(24)]
        if not all(response.fits for response in responses):
            return next(response for response in responses if not response.fits)
        outs = np.stack([response.out for response in responses])
        largest = np.abs(outs).argmax(axis=0)[None]  # of zeros and one number
        return replace(responses[0], out=np.take_along_axis(outs, largest, axis=0)[0] * self.awake)

    def _ask(self, layer, batch, length, d_model, seed, random):
        x = self.x(layer, batch, length, d_model, seed)
        before = x.clone()
        shape = tuple(x.shape)
        call = f"layer(x), x of shape {shape},"
        array = self._array(before)
        try:
            ran = self._watch(call, layer, x, seed=random)
            value, parts = _tensor(ran.value, shape)
            if value is None:
                kind = "none" if ran.value is None else "no-table"
                title = "The layer returns no tensor."
                raise Failed(
                    found(
                        kind,
                        f"{call} gave {'None' if ran.value is None else type(ran.value).__name__}",
                        title=title,
                        fix="return the sum",
                    )
                )
            out = self._array(value)
            if not np.isfinite(out).all():
                raise Failed(found("not-finite", f"{call} gave cells that are NaN or infinite"))
        except Failed as failed:
            if failed.finding.id == "too-slow":
                raise  # once is enough to wait
            return Response(call, array, finding=failed.finding, changed_x=not torch.equal(x, before))
        changed, dtype = not torch.equal(x, before), str(value.dtype).removeprefix("torch.")
        return Response(call, array, out, None, changed, parts, dtype, ran.traces)

    def _array(self, tensor):
        tensor = tensor.detach().cpu()
        tensor = tensor if tensor.layout is torch.strided else tensor.to_dense()
        tensor = tensor if self.batch_first or tensor.ndim < 2 else tensor.transpose(0, 1)
        return np.array(tensor.double().numpy())


def _tensor(value, shape):
    """The tensor in what the layer returned, and how many things it returned."""
    if isinstance(value, torch.Tensor):
        return (None if value.is_meta or value.is_complex() else value), 1
    things = list(value.values()) if isinstance(value, dict) else value
    if isinstance(things, (tuple, list)):
        tensors = [thing for thing in things if isinstance(thing, torch.Tensor) and thing.is_floating_point()]
        of_shape = [tensor for tensor in tensors if tuple(tensor.shape) == shape]
        return next(iter(of_shape or tensors), None), max(len(things), 2)
    return None, 1


def _methods(layer):
    own = [name for name, thing in vars(type(layer)).items() if callable(thing) and not name.startswith("__")]
    return ", ".join(["__init__", *own])
