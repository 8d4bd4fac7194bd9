"""Time2Vec and its kin: learned lines and sines, of the numbers in x or of the positions."""

import re
from itertools import product

import torch

from .calling.file import LAYER_SIZES
from .calling.makers import makers
from .calling.parameters import source_of
from .layer.words import found
from .sandbox.guard import attempt, run
from .saying.result import say

NAMED = r"(?i)t(ime)?_?2_?v|(sine?|cos(ine)?|periodic)_?activation"
SHAPES = (2, 8, 8), (8, 8), (6, 1), (6, 3, 1), (6, 3), (6,)


def learned_times(file, name):
    """(Diagnosis, kind, the call) where a class of this name gives lines and sines that it learns; else None."""
    thing = file.names.get(name)
    named = isinstance(thing, type) and re.search(NAMED, f"{name} {source_of(thing)}")
    for call, shape in product(makers(file, name)[:4], SHAPES) if named else ():
        if of := attempt(run, "a look at learned waves", _waves, call, shape):
            shown = call.shown(**LAYER_SIZES)
            return say([found("time2vec", f"{shown} gives lines and sines of the {of}")]), "layer", shown
    return None


def _waves(call, shape):
    """Of what all columns are lines and sines, with weights that are trained; else ""."""
    layer = call.give(LAYER_SIZES).eval()
    given = torch.stack([layer(torch.full(shape, n / 2)) for n in range(1, 8)])
    for values, of in ((given, "numbers in x"), (given[0].movedim(-2, 0), "positions")) if given.requires_grad else ():
        inner, sums = values[1:-1], values[2:] + values[:-2]
        ratio = (inner * sums).sum(0) / (inner**2).sum(0)  # of a wave 2·cos of its step, of a line 2
        waves = ((ratio - 2).abs() > 1e-3) & (values.abs().amax(0) < 1.001)
        if len(values) > 4 and waves.any() and (sums - ratio * inner).abs().max() < 1e-4 * values.abs().max():
            return of
    return ""
