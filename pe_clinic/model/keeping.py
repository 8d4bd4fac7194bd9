"""Keep the caller's model and world as they were: a copy, hooks that are removed, random numbers put back."""

import contextlib
import copy
import logging

import torch
from torch import nn

from ..sandbox.state import preserved


@contextlib.contextmanager
def hooked(hooks):
    """Remove these hooks at the end."""
    hooks = list(hooks)
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


@contextlib.contextmanager
def quietly():
    """`preserved` from seed 0, and silent loggers."""
    threshold = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with preserved(0, traced=False):
            yield
    finally:
        logging.disable(threshold)


def copy_of(model):
    """A copy in evaluation mode and float32. Faint weights are made stronger: what they hide becomes visible.

    The laws of positions hold for all weights. Fresh ones of 0.02 let attention look almost evenly at everything, and
    zeros hide a layer altogether.
    """
    twin = copy.deepcopy(model).eval()
    if any(each.dtype in (torch.float16, torch.bfloat16) for each in twin.parameters()):
        twin.float()
    kept = {id(each.weight) for each in twin.modules() if isinstance(each, nn.Embedding)}
    with torch.no_grad():
        for weight in twin.parameters():
            if weight.dim() > 1 and weight.is_floating_point() and id(weight) not in kept:
                usual, std = (weight.numel() / len(weight)) ** -0.5, float(weight.std())
                if std == 0:
                    weight.normal_(0, usual)
                elif std < 0.5 * usual:
                    weight.mul_(usual / std)
    return twin
