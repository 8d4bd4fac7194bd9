"""A layer under test: made in any size, and given random x. What a call means is fixed when a subject is made."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch

from ..calling.holders import has_no_forward, misspelt_forward, never_set_up
from ..calling.layers import inner_of
from ..sandbox.guard import Failed, raises, watch
from ..sandbox.traces import Traces
from ..side_effects import watched
from .outputs import Response, as_array, read
from .words import found

D_MODEL, MAX_LEN = 8, 8


@dataclass(frozen=True)
class Made:
    """A layer, in eval mode, with the sizes that it was made for."""

    layer: torch.nn.Module
    d_model: int
    max_len: int
    traces: Traces

    def __call__(self, x):
        return self.layer(x)

    @property
    def is_module(self):
        """False of an object of a plain class, which `FunctionLayer` calls."""
        return isinstance(inner_of(self.layer), torch.nn.Module)


@dataclass(frozen=True)
class Subject:
    """Makes layers with ``make_layer(d_model, max_len)`` and asks them. NotImplementedError is a failure as any other,
    but in `attempt`, where it passes: nobody has begun to write this layer."""

    make_layer: Callable
    batch_first: bool = True
    fresh: bool = False  # a new layer for each call, as this one remembers

    def attempt(self):
        made = self._made(watch, D_MODEL, MAX_LEN, 0)
        try:
            watch("the first call", made.layer, self.x(made, 2, 3))
        except Failed as failed:
            if failed.finding.id == "too-slow":
                raise  # once is enough to wait; any other shape may do better

    def make(self, d_model=D_MODEL, max_len=MAX_LEN, seed=0):
        """A new layer; `Failed` when there is none."""
        return self._made(_watch, d_model, max_len, seed)

    def _made(self, watch, d_model, max_len, seed):
        call = f"making the layer with d_model={d_model}"  # an odd one is asked about its width alone
        call += f", max_len={max_len}" * (d_model % 2 == 0)
        ran = watch(call, self.make_layer, d_model, max_len, seed=seed)
        layer = ran.value
        if not isinstance(layer, torch.nn.Module):
            raise Failed(found("no-module", f"{call} got {type(layer).__name__}, expected an nn.Module"))
        if bare := never_set_up(layer):
            raise Failed(found("no-super", f"{bare} has no place for parameters, buffers and parts"))
        if has_no_forward(layer):
            fix = {"fix": f"rename {meant} to forward"} if (meant := misspelt_forward(layer)) else {}
            own = [name for name, thing in vars(type(layer)).items() if callable(thing)]
            own = [name for name in own if name == "__init__" or not hasattr(torch.nn.Module, name)]
            raise Failed(found("no-forward", f"{type(layer).__name__} has the methods {', '.join(own)}", **fix))
        if any(tensor.is_meta for tensor in (*layer.parameters(), *layer.buffers())):
            raise Failed(found("no-table, on meta", f"{call} made tensors without numbers"))
        return Made(layer.eval(), d_model, max_len, ran.traces)

    def x(self, made, batch, length, seed=0):
        """Random x in the layer's layout and on its device; zeros for the seed None."""
        generator = torch.Generator().manual_seed(seed or 0)
        x = torch.randn(batch, length, made.d_model, generator=generator, device="cpu", dtype=torch.float32)
        x = torch.zeros_like(x) if seed is None else x
        x = x if self.batch_first else x.transpose(0, 1).contiguous()
        tensors = [*made.layer.parameters(), *made.layer.buffers()]
        return x.to(tensors[0].device) if tensors else x

    def ask(self, made, batch, length, seed=0, random=0):
        """The `Response` to random x; ``random`` seeds what the layer itself draws."""
        made = self.make(made.d_model, made.max_len) if self.fresh else made
        x = self.x(made, batch, length, seed)
        changed, shape = watched(x), tuple(x.shape)
        call, array = f"layer(x), x of shape {shape},", as_array(x, self.batch_first)
        try:
            ran = _watch(call, made.layer, x, seed=random)
            out, parts, dtype = read(call, ran.value, shape, self.batch_first)
        except Failed as failed:
            if failed.finding.id == "too-slow":
                raise  # once is enough to wait
            return Response(call, array, finding=failed.finding, changed_x=changed())
        return Response(call, array, out, None, changed(), parts, dtype, ran.traces)


@dataclass(frozen=True)
class ThroughDropout(Subject):
    """A layer whose dropout is awake in eval: many calls, and of each cell what is not dropped, times ``kept``."""

    kept: float = 1.0

    def ask(self, made, batch, length, seed=0, random=0):
        ask = super().ask
        responses = [ask(made, batch, length, seed, n) for n in range(24)]
        if len(shapes := {getattr(response.out, "shape", None) for response in responses}) > 1 or None in shapes:
            return next(response for response in responses if not response.fits)
        outs = np.stack([response.out for response in responses])
        largest = np.abs(outs).argmax(axis=0)[None]  # of zeros and one number
        return replace(responses[0], out=np.take_along_axis(outs, largest, axis=0)[0] * self.kept)


def _watch(call, function, *arguments, seed):
    try:
        return watch(call, function, *arguments, seed=seed)
    except NotImplementedError as error:
        raise Failed(raises(call, error)) from None
