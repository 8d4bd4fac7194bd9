"""Tables in the shape that the text of a rotation names: rows for each text of a batch, or half as many columns."""

import re
from dataclasses import replace

import numpy as np
import torch

from ..calling.declared import AXIS_OF
from ..calling.parameters import source_of
from ..sandbox.guard import first_look
from ..times import REMARK
from .maker import as_tuple, like
from .seen import isfailed
from .words import MISTAKES

SHAPE = r"(?i)\b(?:{})\b[^\n]*?[\[(] *(\w+(?: *, *[^\[\](),\n]+)+) *[\])]"
HALF = r"// *2\b|/ *2\b|\bhalf"
APART = (range(2, 7), range(6, 11))  # the positions of two texts


def tables_said(rotator, way, layout, width):
    """The `Finding` where the tables that the text names do not go through: of a batch, or half as wide; else None."""
    if not way.maker or way.found.required:
        return None
    code = source_of(getattr(way.function, "forward", way.function))
    shapes = re.findall(SHAPE.format("|".join(way.found.tables)), "\n".join(re.findall(REMARK, code)))
    told = {tuple(axis.strip() for axis in shape.split(",")) for shape in shapes}
    if len(told) != 1 or layout.axes[:1] != ("batch",):
        return None
    axes = told.pop()
    of_texts = len(axes) == 3 and [AXIS_OF.get(axis.lower()) for axis in axes[:2]] == ["batch", "length"]
    half = bool(re.search(HALF, axes[-1]))
    if not of_texts and not half:
        return None

    def as_named(table, x):
        table = table[..., : width // 2] if half and table.shape[-1] == width else table
        return table.expand(layout.size(x, "batch"), *table.shape[-2:]) if of_texts and table.ndim < 4 else table

    def made(positions, x):
        tables = way.maker.at(positions, x)
        return like(tables, [as_named(table, x) for table in as_tuple(tables)])

    asked = replace(way, maker=replace(way.maker, at=made), lays_out=of_texts or way.lays_out, bent=None)
    x = [torch.randn(2, 3, 5, width, generator=torch.Generator().manual_seed(n)) for n in range(rotator.count)]
    usual, *outs = (each.attempt(x, range(5)) for each in (rotator, *asked.rotators(layout)))
    if isfailed(usual):
        return None
    if any(not isfailed(out) and _alike(out, usual) for out in outs):
        return _of_each_text(rotator, asked, layout, x) if of_texts else None
    seen = next((out.evidence for out in outs if isfailed(out)), f"{way.said} turns x otherwise")
    return MISTAKES["tables-said"].found(f"{seen}; the text says tables of shape ({', '.join(axes)})")


def _of_each_text(rotator, asked, layout, x):
    """The `Finding` where two texts of a batch, each with rows of its own, are not turned as alone; else None."""

    def made(positions, given):
        every = [as_tuple(asked.maker.at(torch.tensor(at), given[:1])) for at in APART]
        return like(asked.maker.at(positions, given), [torch.cat(parts) for parts in zip(*every, strict=True)])

    apart = replace(asked, maker=replace(asked.maker, at=made))
    both = first_look(lambda: as_tuple(apart.rotate(layout, (), lambda p, b: p)(*_copies(x), torch.arange(5))))
    alone = [rotator.attempt([part[n : n + 1] for part in x], at) for n, at in enumerate(APART)]
    if not both or any(map(isfailed, alone)):
        return None
    for name, out, *each in zip("qk", both, *(one.out for one in alone), strict=False):
        if getattr(out, "shape", None) == x[0].shape and abs(out.detach().numpy() - np.concatenate(each)).max() > 1e-3:
            said = f"{asked.said}: {'x' if rotator.count == 1 else name} of two texts is not turned by the rows of each"
            return MISTAKES.found("positions-of-one-example", said)
    return None


def _copies(tensors):
    return [tensor.clone() for tensor in tensors]


def _alike(one, other):
    pairs = zip(one.out, other.out, strict=True)
    return all(a.shape == b.shape and abs(a - b).max() < 1e-4 for a, b in pairs)
