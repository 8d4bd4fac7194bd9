"""What code does beside its task, asked in one way of layers, rotations and biases: to tensors, gradients, dtypes."""

from collections.abc import Callable, Sequence

import torch

from .law.half import HALVES
from .sandbox.guard import run

ROUNDING = {half.name: half.rounding for half in HALVES}  # half a unit in the last place, relative


def rounding_of(tensor: object) -> float:
    """How coarsely the dtype of ``tensor`` rounds, relative; 0 for what is no half precision."""
    return ROUNDING.get(str(getattr(tensor, "dtype", "")).removeprefix("torch."), 0.0)


def watched(tensor: torch.Tensor) -> Callable[[], bool]:
    """A function that tells, later, whether somebody wrote into ``tensor``."""
    before = tensor.clone()
    return lambda: not torch.equal(tensor, before)


def gradients(function: Callable, tensors: Sequence[torch.Tensor], weigh: Callable = torch.ones_like) -> tuple:
    """The gradients of ``(weigh(out) * out).sum()``, where out is what ``function()`` gives, or its first part.

    One for each of ``tensors``, None where none arrives. `Failed` when the backward pass stops.
    """

    def backward():
        with torch.enable_grad():
            out = function()
            out = out if isinstance(out, torch.Tensor) else out[0]
            if not out.requires_grad:
                return (None,) * len(tensors)
            return torch.autograd.grad((out * weigh(out)).sum(), tensors, allow_unused=True)

    return run("the backward pass", backward)
