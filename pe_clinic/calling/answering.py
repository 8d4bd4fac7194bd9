"""Does a layer answer: is what it gives as wide as x, for some x?"""

import torch

from ..sandbox.guard import Failed, run
from ..sandbox.values import is_tensor
from .file import LAYER_SIZES

SHAPES = ((2, 3), (2, 8), (3, 3), (1, 4))  # (batch, length)


def answers(call):
    """Does the layer give a tensor as wide as x, for some shape of x?"""

    def ask():
        layer = call.give(LAYER_SIZES).eval()
        for batch, length in SHAPES:
            try:
                out = layer(torch.randn(batch, length, LAYER_SIZES["d_model"]))
            except Exception:
                continue
            parts = out.values() if isinstance(out, dict) else out if isinstance(out, (tuple, list)) else (out,)
            axes = {1, batch, length, LAYER_SIZES["max_len"]}
            if any(is_tensor(p) and p.is_floating_point() and _like_x(tuple(p.shape), axes) for p in parts):
                return True
        return False

    try:
        return run("a first look", ask)
    except (Failed, NotImplementedError):
        return False


def _like_x(shape, axes):
    """Two axes or three, the last one the width, the others known."""
    return len(shape) in (2, 3) and shape[-1] == LAYER_SIZES["d_model"] and set(shape[:-1]) <= axes
