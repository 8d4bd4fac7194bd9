"""The rows of a maker's tables: as many as positions, and after a longer text no more."""

import re
from dataclasses import replace
from itertools import product

import torch

from ..sandbox.guard import first_look
from .beside_queries import holds_cached
from .layouts import FEWER, FOUR
from .maker import as_tuple
from .seen import alike, isfailed
from .standard import ALONE
from .way import SHAPES
from .words import MISTAKES
from .workshop import LONG

ROWS = torch.stack((torch.arange(5) + 2, torch.arange(5) + 6))  # none begins at 0
LENGTH = 67  # twice an odd number above all widths: no table is as long by chance


def every_turned(way, layout, x, rows, *at):
    """What comes of x, or of q and k, at ``rows``, in every shape of the tables that runs."""
    shapes = SHAPES[: 6 if way.maker else 1]
    outs = [turned(way.rotator(layout, shape, lambda p, b: rows.clone()), x, *at) for shape in shapes]
    return [out for out in outs if out]


def turned(rotator, x, *at):
    """What comes of x, or of q and k, at positions of any shape; None where it stops."""
    given = [x.clone() for _ in range(rotator.count)]
    out = first_look(lambda: as_tuple(rotator.rotate(*given, *at))[: rotator.count])
    return out if out and all(map(torch.is_tensor, out)) else None


def fitting(outs, x):
    return [out for out in outs if all(part.shape == x.shape for part in out)]


def from_its_start(rotator, way, layout, width):
    """The `Finding` where code that may take whole tables and a start does not turn by the rows from there; or None."""
    if not way.maker or way.found.required or way.found.takes != "start" or holds_cached(way):
        return None
    x, at = torch.randn(1, 3, 5, width), torch.arange(4, 9)
    outs = fitting(every_turned(way.with_whole_tables(), layout, x, torch.tensor(4), at), x)
    if not outs or any(alike(out, rotator.turned(x, at=at)) for out in outs):
        return None
    return MISTAKES.found("start-unheard", f"{way.said}, with whole tables and {way.found.positions}=4")


def of_a_longer_text(rotator, way, layout, width):
    """The `Finding` where a short text gets all the rows of a longer one before it, and they do not fit; else None."""
    shorter, x = _of_maker(way, "shorter"), torch.randn(1, 3, 5, width)
    whole = first_look(lambda: shorter(5, x)) if shorter else None
    own = replace(way, maker=replace(way.maker, at=lambda p, x: whole)) if way.maker and whole is not None else None
    if whole is None or (own and fitting(every_turned(own, layout, x, ROWS), x)):
        return None
    return MISTAKES.found("rows-of-longer", f"{way.said}: for 5 tokens, after a longer text, it gives more than 5 rows")


def of_short_tables(rotator, way, layout, width):
    """The `Finding` where x that is longer than the tables comes back, and no error does; else None."""
    maker = way.maker
    if not maker or ALONE in maker.name or way.found.required or way.found.positions:
        return None
    short = replace(maker, at=lambda p, x: maker.at(p[:5], x))
    x = torch.randn(1, 2, 7, width, generator=torch.Generator().manual_seed(3))
    five, seven = rotator.turned(x[:, :, :5]), rotator.by(way=replace(way, maker=short)).turned(x)
    if five and seven and torch.allclose(seven[0][:, :, :5], five[0], atol=1e-5):
        return MISTAKES.found("longer-than-tables", f"{way.said}: tables of 5 rows turn 7 tokens")
    return None


def of_two_rows(rotator, way, layout, width):
    """The `Finding` where tables hold two rows for each position, and half of the columns; else None."""
    make, x = _of_maker(way, "make"), torch.zeros(1, 1, LENGTH, width)
    made = first_look(lambda: as_tuple(make(LENGTH, x))) if make else None
    again = all(part.shape[-2:] == (2 * LENGTH, width // 2) and torch.equal(*part.chunk(2, -2)) for part in made or ())
    if made and again:
        said = f"for {LENGTH} positions the tables have {2 * LENGTH} rows of {width // 2}"
        return MISTAKES.found("rows-twice", f"{way.said}: {said}")


def of_the_whole(tried, made_for, width, length=12):
    """The `Finding` where x of as many tokens as there are rows alone goes through; else None.

    ``tried`` are the rotators that stop, and ``made_for(length)`` gives the ways of the same code with as many rows.
    """
    said = f"{tried[0].attempt([torch.ones(1, 1, 5, width)] * tried[0].count, range(5))}" if tried else ""
    if not re.search(rf"size of tensor [ab] \({LONG}\)", said):
        return None
    for layout, way in product((*FOUR, *FEWER[0]), made_for(length)):
        for rotator in way.rotators(layout):
            if not isfailed(rotator.attempt([torch.randn(2, 3, length, width)] * rotator.count, range(length))):
                seen = f"made for {length} positions it takes x of {length} tokens; made for {LONG} it stops at 5"
                return MISTAKES.found("tables-whole", seen)
    return None


def _of_maker(way, name):
    """What the way to a maker's tables keeps under ``name``: of tables for a length; else None."""
    maker = way.maker or getattr(way.function, "maker", None)
    return getattr(maker and maker.way, name, None)
