"""What a rotation that is right for one text does besides: in a batch, beside a cache, with all that it may be told."""

from dataclasses import replace

import torch

from .batches import of_one_example, of_own_start, of_the_past
from .beside_queries import behind_longer_keys, fewer_heads_of_k, of_one_tensor, values_turned
from .held import first_in_half, unless_kept
from .made_rows import from_its_start, of_a_longer_text, of_short_tables, of_two_rows
from .promised import base_unread, left_out, rest_lost
from .texts import of_masks, tables_said
from .told import of_methods, of_numbers
from .two_heads import of_equal_sizes, of_two_heads
from .words import MISTAKES

ASKED = (from_its_start, of_one_example, of_own_start, of_the_past, of_a_longer_text, of_two_rows, left_out, rest_lost)
ASKED += of_two_heads, of_equal_sizes, values_turned, tables_said, base_unread
ASKED += fewer_heads_of_k, of_numbers, of_methods, of_masks, behind_longer_keys, of_short_tables

STILL = {"zero-frequencies", "positions-lost", "first-unturned", "others-turned"}  # another way to call it may do more


def asked_further(diagnosis, rotator, width, again):
    """``diagnosis``, or the mistake that rows of a batch, or a token beside a cache, show where it is good.

    ``again()`` gives the ways of the same code once more, of new objects.
    """
    ids, way, layout = {f.id for f in diagnosis.findings}, rotator.way, rotator.layout
    if "added-to-x" in ids and _mixes(rotator, width):
        mixed = MISTAKES.found("samples-mixed", "x = 0 comes back as 0 alone, among others as something else")
        return replace(diagnosis, findings=(mixed,))
    told_a_start = way and way.found.takes == "start" and not (way.found.required or way.maker)
    if "zero-frequencies" in ids and told_a_start and way.without_positions().rotator(layout).runs(width, apart=True):
        said = f"{way.said}: with {way.found.positions} all rows are turned alike, without it each by its own angle"
        return replace(diagnosis, findings=(MISTAKES.found("start-for-all", said),))
    if "zero-frequencies" in ids and way and (seen := _stands(rotator, width)):
        return replace(diagnosis, findings=(seen, *(f for f in diagnosis.findings if f.id != "zero-frequencies")))
    if not diagnosis.verdict.good:
        return unless_kept(diagnosis, rotator, width)
    one = next(filter(None, (of(rotator, way, layout, width) for of in (ASKED if way else ()))), None)
    one = one or of_one_tensor(rotator, width) or first_in_half(rotator, again, width)
    if one and one.kind == "usage":
        return replace(diagnosis, ok=False, usage=(*diagnosis.usage, one))
    return replace(diagnosis, ok=False, convention=None, findings=(one,)) if one else diagnosis


def _stands(rotator, width):
    """The `Finding` where other heads, samples or positions turn than those that stand still; else None."""
    x = torch.randn(2, 3, 130, width, generator=torch.Generator().manual_seed(3))
    if not (out := rotator.turned(x)):
        return None
    off, said = (out[0] - x).abs().amax(-1), f"{rotator.way.said}, x of 2 samples, 3 heads and 130 tokens"
    for id, axis, one in (("heads-for-sequence", 1, "head"), ("batch-for-sequence", 0, "sample")):
        if off.select(axis, 0).max() < 1e-4 < off.select(axis, 1).min():
            return MISTAKES.found(id, f"{said}: {one} 0 comes back as it was, and {one} 1 does not", id="others-turned")
    late = off[..., 97:].max() > 1e-3
    return MISTAKES.found("first-unturned", f"{said}: positions 0 to 11 turn nothing, and 97 does") if late else None


def _mixes(rotator, width):
    """Do zeros, which come back as zeros alone, come back otherwise among other samples and heads, all keys 0?"""
    x = torch.ones(2, 2, 5, width)
    x[0, 0] = 0
    alone, among = (rotator.turned(one, 0 * one) for one in (x[:1, :1], x))
    return bool(alone and among) and not alone[0].any() and bool(among[0][0, 0].any())
