"""Positions (batch, length): does each example of a batch turn by its own row of them?"""

import re
from dataclasses import replace

import torch

from ..calling.parameters import source_of
from ..sandbox.guard import Failed, run
from .maker import as_tuple
from .way import SHAPES
from .words import MISTAKES

ONE = MISTAKES["positions-of-one-example"]
FLAT = r"\b{}\s*(\.(flatten\(\)|(view|reshape)\(\s*-1\s*\)|squeeze\(0\))|\[0\])"


def of_one_example(rotator, width):
    """The `Finding` where positions of a batch stop, or go by the first row; None where not, or where none are taken.

    What is stopped counts only where ids, by their name a row for each example, are flattened.
    """
    way, layout = rotator.asked or (None, None)
    if not way or way.found.takes != "positions" or not way.found.positions or layout.axes[:1] != ("batch",):
        return None
    own = replace(way, found=replace(way.found, required=True))
    x, rows = torch.randn(2, 3, 5, width), torch.stack((torch.arange(5), torch.arange(5) + 4))
    count = own.found.pair + 1
    said = f"{way.said}, x of a batch of 2 and {own.found.positions} of shape (2, 5)"

    def turned(x, rows, shape):
        call = own.rotate(layout, shape, lambda p, batch: rows.clone())
        return as_tuple(run(said, call, *[x] * count, torch.arange(5)))[0]

    def tried(x, rows):
        outs, stopped = [], None
        for shape in SHAPES if own.maker else SHAPES[:1]:
            try:
                outs.append(turned(x, rows, shape))
            except (Failed, NotImplementedError) as problem:
                stopped = stopped or problem
        return [out for out in outs if out.shape == x.shape], stopped

    try:
        each = [rotator.form.call(rotator.rotate, [x[n : n + 1]] * count, rows[n]) for n in (0, 1)]
        right = torch.cat([as_tuple(out)[0] for out in each])
    except Exception:
        return None
    both, stopped = tried(x, rows)
    if both:
        wrong = not any(torch.allclose(out, right, atol=1e-4) for out in both)
        return ONE.found(f"{said} is turned by other positions than its own") if wrong else None
    source = source_of(getattr(way.function, "forward", way.function))
    flat = "ids" in own.found.positions and re.search(FLAT.format(own.found.positions), source)
    one = any(torch.allclose(out, right[1:], atol=1e-4) for out in tried(x[1:], rows[1:])[0])
    return ONE.found(stopped.finding.evidence) if flat and one and isinstance(stopped, Failed) else None
