"""Rotations with a parameter for each axis, such as h_idx and w_idx: along each axis alone."""

import re
from dataclasses import replace
from functools import partial

import torch

from .forms import parameters_of
from .layouts import FEWER, FOUR
from .plain import method_of
from .way import Way

INDEX = r"^(t|f|h|w|x|y|z|rows?|cols?|columns?|height|width|times?|temporal|frames?|depth)_?{0}$|^{0}_?(t|h|w|x|y|z)$"
INDEX = INDEX.format(r"(idx|ids?|pos|positions?|ind(ex|ices)|coords?|places?)")


def of_indices(workshop, path):
    """For each layout of x the rotators of every axis, the others at 0."""
    thing = workshop.file.resolve(path)[0]
    made = workshop.made(path)[1] if isinstance(thing, type) else thing
    function = made if isinstance(made, torch.nn.Module) or made is thing else method_of(made, workshop.file.names)
    found = parameters_of(function)
    axes = [name for name in found.names if name not in found.vectors and re.search(INDEX, name.lower())]
    if len(axes) not in (2, 3) or {*found.unknown} - {*axes}:
        return
    sizes = tuple((name, role) for name, role in found.sizes if name not in axes)
    found = replace(found, positions="positions", takes="positions", required=True, unknown=(), sizes=sizes)

    def along(axis, positions, **given):
        return function(**given, **{name: positions * (name == axis) for name in axes})

    each = [Way(f"{path}({', '.join(found.names)})", partial(along, axis), found) for axis in axes]
    for layout in (*FOUR, *FEWER[0]):
        yield from zip(*(way.rotators(layout) for way in each), strict=True)
