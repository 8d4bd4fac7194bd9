"""Tables in the shape that the text of a rotation names: rows for each text of a batch, or half as many columns."""

import re
from dataclasses import replace

import torch

from ..calling.declared import AXIS_OF
from ..calling.parameters import source_of
from ..times import REMARK
from .maker import as_tuple, like
from .seen import isfailed
from .words import MISTAKES

SHAPE = r"(?i)\b(?:{})\b[^\n]*?[\[(] *(\w+(?: *, *[^\[\](),\n]+)+) *[\])]"
HALF = r"// *2\b|/ *2\b|\bhalf"


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
    if isfailed(usual) or any(not isfailed(out) and _alike(out, usual) for out in outs):
        return None
    seen = next((out.evidence for out in outs if isfailed(out)), f"{way.said} turns x otherwise")
    return MISTAKES["tables-said"].found(f"{seen}; the text says tables of shape ({', '.join(axes)})")


def _alike(one, other):
    pairs = zip(one.out, other.out, strict=True)
    return all(a.shape == b.shape and abs(a - b).max() < 1e-4 for a, b in pairs)
