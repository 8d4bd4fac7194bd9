"""A mask beside x: what hides nothing moves nothing, and each text is turned as it is alone."""

import re
from dataclasses import replace
from functools import partial

import torch

from ..sandbox.guard import first_look
from .forms import named_parameters
from .maker import as_tuple
from .words import MISTAKES

MASK = r"(attention|attn|padding|pad|key_padding|token)_mask|mask"
OF_PADDING = r"(?i)\b(True|1s?|ones?)\b\W+((for|is|are|means?|where|at|on|marks?)\W+)?(the )?padd"
DTYPES = (torch.long, torch.bool, torch.float32)


def of_masks(rotator, way, layout, width):
    """The `Finding` where a mask that hides nothing moves tokens, or that of one text those of another; else None."""
    every = [p for p in named_parameters(way.function) if p.default is None and re.fullmatch(MASK, p.name)]
    if way.maker or way.found.required or layout.axes[:1] != ("batch",) or len(every) != 1:
        return None
    x, name = torch.randn(3, 2, 5, width, generator=torch.Generator().manual_seed(5)), every[0].name
    turned = partial(_turned, rotator, replace(way, found=replace(way.found, positions=None, takes=None)), layout)
    shown = (0,) if "pad" in name and re.search(OF_PADDING, way.remarks) else (1, 0)
    usual = turned({}, x)
    for dtype in DTYPES if usual is not None else ():
        outs = [turned({name: torch.full((3, 5), n, dtype=dtype)}, x) for n in shown]
        if any(out is None for out in outs):
            continue
        if not any(torch.allclose(out, usual, atol=1e-4) for out in outs):
            said = f"with {name} of shape (3, 5), all of it {' or '.join(map(str, shown))}, x"
            return MISTAKES.found("mask-miscounted", f"{way.said}: {said} is turned otherwise than without")
        mask = torch.ones(3, 5, dtype=dtype)
        mask[0, :2] = mask[1, 3:] = 0
        both, alone = turned({name: mask}, x), [turned({name: mask[n : n + 1]}, x[n : n + 1]) for n in range(3)]
        if (
            both is not None
            and all(out is not None for out in alone)
            and not torch.allclose(both, torch.cat(alone), atol=1e-4)
        ):
            said = f"{way.said}: with {name} of three texts, one of them padded, x is turned otherwise than alone"
            return MISTAKES.found("mask-miscounted", said)
        break
    return None


def _turned(rotator, way, layout, given, x):
    turn = replace(way, function=partial(way.function, **given)).rotate(layout, (), lambda p, b: p)
    out = first_look(lambda: as_tuple(turn(*[x.clone() for _ in range(rotator.count)]))[0])
    return out if getattr(out, "shape", None) == x.shape else None
