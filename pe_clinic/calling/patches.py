"""Readings of a torch module that cuts pictures into patches, as a vision transformer does: the rows that it adds."""

import math
import re

import torch
from torch import nn

from ..sandbox.guard import Failed
from .file import SIZES
from .lines import Call, Value, constant
from .parameters import arguments_of, source_of
from .picking import Reading

PARTS = (nn.Conv2d, nn.Linear, nn.Embedding)  # of others the rows cannot be told from what they make of them


def of_patches(file, call, module):
    """The reading as a table for max_len patches: of a picture of zeros, without what weights add."""
    weighed = [part for part in module.modules() if list(part.parameters(recurse=False))]
    others = [part for part in weighed if type(part).__module__.startswith("torch.") and not isinstance(part, PARTS)]
    cut = next((part for part in weighed if isinstance(part, nn.Conv2d) and part.stride == part.kernel_size), None)
    if others or not cut or not isinstance(call, Call) or "pos" not in source_of(type(module)).lower():
        return
    size = next((a for a in arguments_of(type(module)) if re.search("im(g|age)_?size", a.parameter.name)), None)

    def give(setting, bare=True):
        side = math.isqrt(setting["max_len"] - 1) + 1
        more = {size.parameter.name: constant(side * cut.stride[0])} if size else {}
        made = Call(call.target, tuple((dict(call.arguments) | more).items())).give(setting).eval()
        channels = next(part.in_channels for part in made.modules() if isinstance(part, nn.Conv2d))
        for part in made.modules() if bare else ():
            _without_weights(part)
        out = made(torch.zeros(1, channels, *2 * [side * cut.stride[0]]))
        rows = out[:, out.shape[1] - side**2 :][:, : setting["max_len"]]
        if bare and not rows.std(1).any() and give(setting, bare=False).std(1).max() > 1e-5:
            raise TypeError("weights behind the sum hide the rows")
        return rows

    one = Value(f"{call.text}(picture)", give)
    try:
        if file.tried(one).shape == (1, *SIZES[0].values()):
            yield Reading("table", one)
    except (Failed, NotImplementedError, AttributeError):
        return


def _without_weights(part):
    for held in part.parameters(recurse=False):
        if isinstance(part, PARTS[:2]):
            nn.init.zeros_(held)
        elif held.requires_grad and held.numel() > held.shape[-1] and (held == held.flatten()[0]).all():
            nn.init.normal_(held)  # rows that begin as zeros
