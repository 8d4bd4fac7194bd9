"""Half precision: positions must not be rounded to the dtype of the vectors, which shows far away."""

import contextlib
import copy
from dataclasses import replace

import torch

from .far import SPAN, rows_at

ROUGH = 0.02  # standard deviations: what half precision's mean error far away must exceed, and 4 times the near one


def in_half(f):
    """With weights in bfloat16, and buffers as they are: positions must not be rounded to the dtype of the vectors."""
    twin = copy.deepcopy(f.model)
    for weight in twin.parameters():
        weight.data = weight.data.bfloat16() if weight.is_floating_point() else weight.data
    half = replace(f, model=twin)
    # Where float32 buffers and weights in bfloat16 cannot be multiplied, autocast brings them together.
    return _roughened(f, half.run, autocast if half.attempt(f.ids) is None else contextlib.nullcontext)


def autocast():
    return torch.autocast("cpu", torch.bfloat16)


def under_autocast(f):
    return _roughened(f, f.run, autocast)


def _roughened(f, run, rounding):
    """The mean error that half precision makes of logits far away, where it is far larger than near; else nothing."""
    ids, near, far = f.text(f.fits(300), rows=1), ({}, slice(0, 64)), ({}, slice(257, None))
    if f.ids_used:
        ids, starts = f.text(SPAN, rows=1).expand(3, SPAN), torch.tensor([[0], [3], [7]]) + torch.arange(SPAN)
        first = 4000 if rows_at(f, [4020], SPAN) is not None else (f.limit or 0) - 3 * SPAN
        near, far = (({"positions": starts + n, **f.ones(ids)}, slice(None)) for n in (f.first, first))
    errors = []
    for given, cut in (near, far):
        exact = f.run(ids, **given)
        with rounding():
            rough = run(ids, **given)
        errors.append(((exact - rough).abs()[:, cut] / f.scale).mean(dim=(1, 2)))
    return [errors[1].min().item()] if errors[1].min() > max(ROUGH, 4 * errors[0].max()) else []
