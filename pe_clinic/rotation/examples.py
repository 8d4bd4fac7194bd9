"""Positions (batch, length): does each example of a batch turn by its own row of them?"""

import re
from dataclasses import replace

import torch

from ..calling.parameters import source_of
from ..sandbox.guard import Failed, first_look, run
from .maker import as_tuple
from .way import SHAPES
from .words import MISTAKES

ONE = MISTAKES["positions-of-one-example"]
FLAT = r"\b{}\s*(\.(flatten\(\)|(view|reshape)\(\s*-1\s*\)|squeeze\(0\))|\[0\])"
ROWS = torch.stack((torch.arange(5), torch.arange(5) + 4))


def of_one_example(rotator, width):
    """The `Finding` where positions of a batch stop, or go by the first row; None where not, or where none are taken.

    What is stopped counts only where ids, by their name a row for each example, are flattened.
    """
    way, layout = rotator.asked or (None, None)
    if not way or way.found.takes != "positions" or layout.axes[:1] != ("batch",):
        return None
    own, x = replace(way, found=replace(way.found, required=True)), torch.randn(2, 3, 5, width)
    tensors = lambda n: [x[n].clone() for _ in way.found.vectors]  # noqa: E731

    def turned(shape, n):
        call = own.rotate(layout, shape, lambda p, batch: ROWS[n].clone())
        out = as_tuple(run(said, call, *tensors(n), torch.arange(5)))[0]
        return out if out.shape == x[n].shape else None

    said = f"{way.said}, x of a batch of 2 and {way.found.positions} of shape (2, 5)"
    each = [slice(n, n + 1) for n in (0, 1)]
    right = [
        first_look(lambda n=n: as_tuple(rotator.form.call(rotator.rotate, tensors(n), ROWS[n][0]))[0]) for n in each
    ]
    if any(part is None for part in right):
        return None
    shapes = SHAPES if way.maker else SHAPES[:1]
    both = [out for shape in shapes if (out := first_look(turned, shape, slice(2))) is not None]
    if both:
        wrong = not any(torch.allclose(out, torch.cat(right), atol=1e-4) for out in both)
        return ONE.found(f"{said} is turned by other positions than its own") if wrong else None
    source = source_of(getattr(way.function, "forward", way.function))
    fits = [out for shape in shapes if (out := first_look(turned, shape, each[1])) is not None]
    flat = "ids" in way.found.positions and re.search(FLAT.format(way.found.positions), source)
    if flat and any(torch.allclose(out, right[1], atol=1e-4) for out in fits):
        try:
            turned((), slice(2))
        except Failed as stopped:
            return ONE.found(stopped.finding.evidence)
    return None
