"""What turns the patches of a square picture: made for a small side, or told their number; asked along each axis."""

import math
import re
from dataclasses import replace

import numpy as np
import torch

from ..calling.parameters import source_of
from ..sandbox.guard import Failed, first_look, run
from .asking import Rotator
from .axes import AXES
from .candidates import whole
from .forms import Form, named_parameters
from .maker import as_tuple, rows
from .plain import is_plain, method_of
from .sides import along_axes, of_sides
from .words import MISTAKES
from .workshop import Unknown, Workshop

LAYS_A_GRID = r"meshgrid|broad_?cat|broadcast_to|\[:, None, :\]|\.expand\("
ROOT = r"isqrt\(|\bint\([^\n]*(sqrt\(|\*\* *\(?(0?\.5|1 */ *2))"  # the side, from the number of patches
SIDES = r"^(h|w|height|width|grid|side)$|(grid|side|patch)\w*_?(size|h|w|height|width)?$"  # parameters beside x
EDGE = 33  # no width is as odd, and its square is not much


def is_square(file, path):
    """Does a class hold a row for each patch of a square, whose side is the one length that it is made for?

    Or does the code that turns x find the side from the number of its rows?
    """
    thing = file.resolve(path)[0]
    if takes_root(thing):
        return True
    code = source_of(thing) + source_of(getattr(thing, "__init__", None))
    if not isinstance(thing, type) or not re.search(LAYS_A_GRID, code):
        return False
    return all(_patches(Workshop(file, 16, long=side), path) for side in (5, 7))


def takes_root(thing):
    return bool(re.search(ROOT, source_of(getattr(thing, "forward", thing))))


def of_square(workshop, path):
    """The rotators of rows and of columns; half of a head's width may be asked for."""
    if takes_root(workshop.file.resolve(path)[0]):
        yield from of_sides(workshop, path, ((EDGE, EDGE),), (0, 1))  # alone, and behind a class token
        return
    workshop = replace(workshop, file=whole(workshop.file), long=EDGE)
    for made_for in (workshop, replace(workshop, head_dim=workshop.head_dim // 2)):
        call, made = made_for.made(path)
        method = made if isinstance(made, torch.nn.Module) else method_of(made, made_for.file.names)
        every = [p.name for p in named_parameters(method or int) if p.default is p.empty]
        if every and (shape := _patches(made_for, path)) and all(re.search(SIDES, name) for name in every[1:]):
            turn = _in_shape(method, shape, dict.fromkeys(every[1:], EDGE))
            said = f"{call.shown(**made_for.setting)}, of {EDGE} x {EDGE} patches"
            rotator = Rotator(turn, Form(False, None), said, plain=is_plain(method))
            yield along_axes(rotator, (EDGE, EDGE), math.prod(shape) - EDGE * EDGE)


def of_patches(make, asked):
    """(from positions to tables axis by axis, how places are laid out, None) of a row for each patch in a square."""
    side = math.isqrt(max(map(len, getattr(make, "_buffers", {}).values()), default=0))
    line = lambda v: as_tuple(asked(v, torch.arange(side * side)[None]))  # noqa: E731
    at = lambda s: lambda p, v: rows(tuple(part[0, s] for part in line(v)), p)  # noqa: E731
    return [at(slice(None, None, side)), at(slice(side))], AXES[2], None


def _in_shape(method, shape, sides):
    """``method``, told the ``sides``, of x whose rows lie as a picture of this ``shape``."""

    def turn(x):
        return method(x.reshape(*x.shape[:2], *shape, x.shape[-1]), **sides).reshape(x.shape)

    return turn


def _patches(workshop, path):
    """The axes for patches of what an object of the class holds, in a line behind other rows, or a square; or None."""
    try:
        made, side = workshop.made(path)[1], workshop.long
        held = run(path, lambda: [*vars(made).values(), *getattr(made, "_buffers", {}).values()])
    except (Failed, Unknown, NotImplementedError):
        return None
    shapes = [tuple(part.shape)[:-1] for part in held if isinstance(part, (np.ndarray, torch.Tensor))]
    return next((s for s in shapes if s == (side, side) or (len(s) == 1 and 0 <= s[0] - side**2 < side)), None)


def added_to_picture(file, path):
    """The `Finding` of what gives numbers for a picture of zeros, (batch, channels, rows, columns) or channels last."""
    try:
        thing = file.resolve(path)[0]
        made = Workshop(file).made(path)[1] if isinstance(thing, type) else thing
    except (Failed, Unknown, NotImplementedError):
        return None
    for axis in (1, 3):
        x = torch.zeros(2, 5, 7).unsqueeze(axis).repeat_interleave(64, axis)
        out = first_look(lambda x=x: made(x))
        if torch.is_tensor(out) and out.shape == x.shape and out.any():
            rows = out.movedim(axis, -1)
            alike = torch.equal(rows[0, 1, 2], rows[0, 2, 1])
            said = f"for x = 0 of shape {tuple(x.shape)} it gives {rows[0, 1, 2, 0]:.4g} in column 0 at row 1, column 2"
            said += "; row 2, column 1 gets the same numbers: rows and columns are exchanged" * alike
            return MISTAKES.found("added-to-x", said)
    return None
