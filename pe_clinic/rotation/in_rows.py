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

GRIDS = ((33, 35), (13, 14, 15))  # other sides, so that rows taken for columns are seen


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


def of_sides(workshop, path):
    """The rotators of every axis, of a way that is told the sides where it is made, or where it is called."""
    for sides in GRIDS:
        found = []
        with contextlib.suppress(Failed, Unknown):  # which may want three sides
            found = list(ways(OfSides(workshop.file, workshop.head_dim, sides=sides), path))
        for way, layout in product(found, (*FOUR, *FEWER[0])):
            found, beside = way.found, _told([n for n in way.found.names if n not in way.found.vectors], sides)
            if way.maker or {*found.unknown} - {*beside} or (found.required and found.positions not in beside):
                continue
            sizes = tuple((name, role) for name, role in found.sizes if name not in beside)
            found = replace(found, sizes=sizes, unknown=(), positions=None, takes=None, required=False)
            function = partial(way.function, **beside)
            turn = replace(way, function=function, found=found).rotate(layout, (), lambda p, batch: p)
            turn.of_plain, form = is_plain(way.function), Form(found.pair, "positions")
            said = f"{way.said}, of {' x '.join(map(str, sides))} places"
            yield [Rotator(among(turn, form, sides, axis), form, said) for axis in range(len(sides))]


def among(turn, form, sides, axis, more=0):
    """rotate(…, positions): the rows of x at the places along one axis, the others at 0, beside zeros."""

    def rotate(*given):
        at = more + given[-1] * math.prod(sides[axis + 1 :])
        if int(given[-1].max()) >= sides[axis]:
            raise IndexError(f"The grid has {sides[axis]} places along this axis.")
        count = math.prod(sides) + more
        whole = [x.new_zeros(*x.shape[:2], count, x.shape[-1]).index_copy(2, at, x) for x in given[:-1]]
        out = tuple(part[:, :, at] for part in as_tuple(turn(*whole)))
        return out if form.pair else out[0]

    rotate.of_plain = is_plain(turn)
    return rotate
