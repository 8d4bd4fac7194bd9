"""What is handed over for each text of a batch, a mask or its own rows of tables: it is turned as it is alone."""

import re
from dataclasses import replace

import torch

from ..calling.declared import AXIS_OF
from ..times import REMARK
from .forms import named_parameters
from .maker import as_tuple, like
from .seen import alike, isfailed
from .words import MISTAKES

MASK = r"(attention|attn|padding|pad|key_padding|token)_mask|mask"
OF_PADDING = r"(?i)\b(True|1s?|ones?)\b\W+((for|is|are|means?|where|at|on|marks?)\W+)?(the )?padd"
DTYPES = (torch.long, torch.bool, torch.float32)
SHAPE = r"(?i)\b(?:{})\b[^\n]*?[\[(] *(\w+(?: *, *[^\[\](),\n]+)+) *[\])]"
HALF = r"// *2\b|/ *2\b|\bhalf"
APART = torch.arange(2, 7), torch.arange(6, 11)  # the positions of two texts


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


def tables_said(rotator, way, layout, width):
    """The `Finding` where the tables that the text names do not go through: of a batch, or half as wide; else None."""
    if not way.maker or way.found.required:
        return None
    remarks = "\n".join(re.findall(REMARK, way.code))
    shapes = re.findall(SHAPE.format("|".join(way.found.tables)), remarks)
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
    usual, others = rotator.turned(*x), [*asked.rotators(layout)]
    if not usual:
        return None
    if any((out := other.turned(*x)) and alike(out, usual) for other in others):
        return _of_each_text(rotator, asked, layout, x) if of_texts else None
    outs = (other.attempt(x, range(5)) for other in others)
    seen = next((out.evidence for out in outs if isfailed(out)), f"{way.said} turns x otherwise")
    return MISTAKES["tables-said"].found(f"{seen}; the text says tables of shape ({', '.join(axes)})")


def _of_each_text(rotator, asked, layout, x):
    """The `Finding` where two texts of a batch, each with rows of its own, are not turned as alone; else None."""

    def made(positions, given):
        every = [as_tuple(asked.maker.at(at, given[:1])) for at in APART]
        return like(asked.maker.at(positions, given), [torch.cat(parts) for parts in zip(*every, strict=True)])

    both = replace(asked, maker=replace(asked.maker, at=made)).rotator(layout).turned(*x)
    alone = rotator.one_by_one(*x, rows=APART)
    if not both or not alone:
        return None
    for name, out, right in zip("qk", both, alone, strict=False):
        if not alike([out], [right], 1e-3):
            said = f"{asked.said}: {'x' if rotator.count == 1 else name} of two texts is not turned by the rows of each"
            return MISTAKES.found("positions-of-one-example", said)
    return None
