"""A mask beside x: what hides nothing moves nothing, and each text is turned as it is alone."""

import re

import torch

from .forms import named_parameters
from .seen import alike
from .words import MISTAKES

MASK = r"(attention|attn|padding|pad|key_padding|token)_mask|mask"
OF_PADDING = r"(?i)\b(True|1s?|ones?)\b\W+((for|is|are|means?|where|at|on|marks?)\W+)?(the )?padd"
DTYPES = (torch.long, torch.bool, torch.float32)


def of_masks(rotator, way, layout, width):
    """The `Finding` where a mask that hides nothing moves tokens, or that of one text those of another; else None."""
    every = [p for p in named_parameters(way.function) if p.default is None and re.fullmatch(MASK, p.name)]
    if way.maker or way.found.required or layout.axes[:1] != ("batch",) or len(every) != 1:
        return None
    x, name, without = torch.randn(3, 2, 5, width), every[0].name, way.without_positions()

    def turned(mask, x):
        return without.given(**{name: mask}).rotator(layout).turned(x)

    shown = (0,) if "pad" in name and re.search(OF_PADDING, way.remarks) else (1, 0)
    usual = without.rotator(layout).turned(x)
    for dtype in DTYPES if usual else ():
        outs = [turned(torch.full((3, 5), n, dtype=dtype), x) for n in shown]
        if not all(outs):
            continue
        if not any(alike(out, usual) for out in outs):
            said = f"with {name} of shape (3, 5), all of it {' or '.join(map(str, shown))}, x"
            return MISTAKES.found("mask-miscounted", f"{way.said}: {said} is turned otherwise than without")
        mask = torch.ones(3, 5, dtype=dtype)
        mask[0, :2] = mask[1, 3:] = 0
        both, alone = turned(mask, x), [turned(mask[n : n + 1], x[n : n + 1]) for n in range(3)]
        if both and all(alone) and not alike(both, map(torch.cat, zip(*alone, strict=True))):
            said = f"{way.said}: with {name} of three texts, one of them padded, x is turned otherwise than alone"
            return MISTAKES.found("mask-miscounted", said)
        break
    return None
