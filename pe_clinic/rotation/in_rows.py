"""Rotations of all places of a grid, row by row, that are told its sides: asked along each axis."""

import contextlib
import math
import re
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from ..calling.lines import constant
from ..calling.names import role_in_rotations
from ..sandbox.guard import Failed
from .asking import Rotator
from .forms import Form
from .layouts import FEWER, FOUR
from .maker import as_tuple
from .plain import is_plain
from .sides import SHAPE, sides_of
from .ways import ways
from .workshop import Unknown, Workshop

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
        with contextlib.suppress(Failed, Unknown):  # which may want three sides
            found = list(ways(told, path))
        for way, layout, before in product(found, (*FOUR, *FEWER[0]), known or (0,)):
            given = _told([n for n in way.found.names if n not in way.found.vectors], sides)
            left = {*way.found.unknown, *([way.found.positions] if way.found.required else [])} - {*given}
            if way.maker or left or not (given or known or str(sides) in way.said):
                continue
            sizes = tuple((name, role) for name, role in way.found.sizes if name not in given)
            more = {"unknown": (), "positions": None, "takes": None, "required": False}
            own = replace(way, function=partial(way.function, **given), found=replace(way.found, sizes=sizes, **more))
            turn, said = own.rotate(layout, (), lambda p, batch: p), " x ".join(map(str, sides))
            turn.of_plain = is_plain(way.function)
            yield along_axes(turn, way.found.pair, sides, f"{way.said}, of {said} places", before)


def along_axes(turn, pair, sides, said, more=0):
    """A `Rotator` for each axis: rows of x at its places, the others at 0, in a grid behind ``more`` other rows."""
    form, count = Form(pair, "positions"), math.prod(sides) + more

    def rotate(axis, *given):
        at = more + given[-1] * math.prod(sides[axis + 1 :])
        if int(given[-1].max()) >= sides[axis]:
            raise IndexError(f"The grid has {sides[axis]} places along this axis.")
        every = [x.new_zeros(*x.shape[:2], count, x.shape[-1]).index_copy(2, at, x) for x in given[:-1]]
        out = tuple(part[:, :, at] for part in as_tuple(turn(*every)))
        return out if pair else out[0]

    each = [partial(rotate, axis) for axis in range(len(sides))]
    for one in each:
        one.of_plain = is_plain(turn)
    return [Rotator(one, form, said) for one in each]
