"""The sides of a grid or of a video: which parameters ask for them, and its rows along one side alone."""

import contextlib
import inspect
import math
import re
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

import torch

from ..calling.lines import constant
from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from ..sandbox.guard import Failed
from .forms import Form, parameters_of
from .layouts import FEWER, FOUR
from .maker import as_tuple, like, rows
from .ways import ways
from .workshop import Unknown, Workshop

# Ends of names, in small letters.
SIDES = (r"(^|_)(h|y|height|rows?)(_len|_size|_patches)?$", r"(^|_)(w|x|width|cols?|columns?)(_len|_size|_patches)?$")
FRAMES = r"(^|_)(t|f|frames?|depth|frame_ind(ices|ex)|temporal_size)$"
INDEX = r"^(t|f|h|w|x|y|z|rows?|cols?|columns?|height|width|times?|temporal|frames?|depth)_?{0}$|^{0}_?(t|h|w|x|y|z)$"
INDEX = INDEX.format(r"(idx|ids?|pos|positions?|ind(ex|ices)|coords?|places?)")
CORNERS = "crops_coords"  # the first and the last place of what is seen
SHAPE = r"(^|_)t?hws?$|grid_?(size|shape)s?$"
SEVERAL = r"\b{0}\.(tolist|device|cpu|unbind)\b|, *\w+ in {0}\b"  # a grid in each row
PLACES = rf"_ids$|(?<!crops_)coord|^grid|{SHAPE}"
SIDE = 65  # of a grid; no width is as odd


def flat(tables, size):
    """The tables of a grid of this ``size``, side by side, a row for each place; channels may be the first axis."""
    parts = [torch.view_as_real(part) if part.is_complex() else part for part in as_tuple(tables)]
    count = len(size)
    lines = (part.flatten(-count).mT if sorted(part.shape[-count:]) == sorted(size) else part for part in parts)
    return torch.cat([part.reshape(math.prod(size), -1) for part in lines], 1).double()


def along_side(tables, positions):
    """The rows of a grid of one row, or of one column, or frame; channels may be the first axis."""
    parts = [part.squeeze() for part in as_tuple(tables)]
    return rows(like(tables, [part.mT if part.shape[-1] == SIDE else part for part in parts]), positions, SIDE)


def sides_of(names):
    """The name of a number of frames, of a height and of a width; None where there is none."""
    return [next((n for n in names if re.search(side, n.lower())), None) for side in (FRAMES, *SIDES)]


def of_shape(one, names, alone, code):
    """(what a shape ``one`` gets of sides; the name of the frames, if it is ``alone``; does it hold several shapes)."""
    several = re.search(SEVERAL.format(one), code)
    frames = next((n for n in names if alone and not several and n == sides_of(names)[0] != one), None)

    def told(sides):
        shape = torch.tensor([sides]) if several else sides[1:] if frames else sides
        corners = {n: ((0,) * len(shape), shape) for n in names if n == CORNERS}
        return {one: shape, **({frames: sides[0]} if frames else {}), **corners}

    return told, frames, several


def asked_for_a_grid(workshop, path):
    """An object of a class, made for long sides; of a module without a forward the method that takes a grid."""
    made = OfSides(workshop.file, workshop.head_dim, sides=(SIDE, SIDE)).made(path)[1]
    no_forward = getattr(type(made), "forward", None) is torch.nn.Module.forward
    own = [name for name, f in vars(type(made)).items() if no_forward and name[0] != "_" and inspect.isfunction(f)]
    told = [name for name in own if re.search(SHAPE, " ".join(parameters_of(getattr(made, name)).names[:1]))]
    return getattr(made, told[0]) if told else made


def code_of(make):
    return source_of(getattr(type(make), "forward", make))


def video(length, unit, make):
    """Zeros (batch, channels, frames, rows, columns) for ``make``: ``length`` patches where ``unit`` is 1, else one."""
    patch = torch.tensor(getattr(make, "patch_size", 1)).expand(3)
    return torch.zeros(1, 1, *(patch * (1 + unit[:, 0] * (length - 1))))


GRIDS = ((33, 35), (13, 14, 15))  # unlike sides, so that rows taken for columns are seen


@dataclass(frozen=True)
class OfSides(Workshop):
    """Tells every grid's shape, or the number of its rows and columns."""

    sides: tuple[int, ...] = ()

    def told(self, p):
        value = _told([p.name], self.sides).get(p.name) if p.default is p.empty else None
        return constant(value) if value else super().told(p)


def _told(names, sides):
    """The value of each parameter that asks for sides, by name."""
    shapes = {n: sides for n in names if re.search(SHAPE, n.lower()) or role_in_rotations(n) == "shape"}
    axes = zip(sides_of(names), (*(None,) * (3 - len(sides)), *sides), strict=True)
    return {name: side for name, side in axes if name and side} | shapes


def of_sides(workshop, path, grids=GRIDS, known=()):
    """The rotators of every axis, of a way that is told the sides where it is made, or where it is called.

    ``known``: the numbers of rows before those of the grid, for code that finds out the sides itself.
    """
    for sides in grids:
        found, told = [], OfSides(workshop.file, workshop.head_dim, sides=sides)
        with contextlib.suppress(Failed, Unknown):  # code may want three sides where two are told
            found = [w for w in ways(told, path) if not any(re.search(PLACES, n.lower()) for n in w.found.vectors)]
        for way, layout, before in product(found, (*FOUR, *FEWER[0]), known or (0,)):
            given = _told([n for n in way.found.names if n not in way.found.vectors], sides)
            left = {*way.found.unknown, *([way.found.positions] if way.found.required else [])} - {*given}
            if way.maker or left or not (given or known or all(str(side) in way.said for side in sides)):
                continue
            sizes = tuple((name, role) for name, role in way.found.sizes if name not in given)
            more = {"unknown": (), "positions": None, "takes": None, "required": False}
            own = replace(way, function=partial(way.function, **given), found=replace(way.found, sizes=sizes, **more))
            said = f"{way.said}, of {' x '.join(map(str, sides))} places"
            yield along_axes(replace(own.rotator(layout), said=said), sides, before)


def along_axes(rotator, sides, more=0):
    """A `Rotator` for each axis: rows of x at its places, the others at 0, in a grid behind ``more`` other rows."""

    def rotate(axis, *given):
        at = more + given[-1] * math.prod(sides[axis + 1 :])
        if int(given[-1].max()) >= sides[axis]:
            raise IndexError(f"The grid has {sides[axis]} places along this axis.")
        shape = *given[0].shape[:2], math.prod(sides) + more, given[0].shape[-1]
        out = rotator.rotate(*(x.new_zeros(shape).index_copy(2, at, x) for x in given[:-1]))
        out = tuple(part[:, :, at] for part in as_tuple(out))
        return out if rotator.form.pair else out[0]

    form = Form(rotator.form.pair, "positions")
    return [replace(rotator, rotate=partial(rotate, axis), form=form) for axis in range(len(sides))]
