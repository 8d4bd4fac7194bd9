"""Tables that are made for places of several axes, or for the sides of a grid: what they are along each axis alone."""

import re
from dataclasses import replace
from functools import partial
from itertools import product

import torch

from ..calling.lines import Value, constant
from ..calling.names import role_in_rotations
from ..calling.parameters import source_of
from ..sandbox.guard import first_look
from .appliers import applies
from .asking import Rotator
from .axes import AXES, order_of_grid
from .fitting import other_order
from .forms import Form, named_parameters, parameters_of
from .layouts import FEWER, FOUR, UNPACKED
from .maker import Maker, are_tables, as_tuple, by_length, rows
from .sides import INDEX, PLACES, SHAPE, SIDE, along_side, asked_for_a_grid, code_of, flat, of_shape, sides_of, video
from .squares import EDGE, of_patches, takes_root
from .standard import applied
from .way import Way

GRIDS = {2: (3, 5), 3: (2, 3, 5)}
OF_AXES = r"(?i)section|m_?rope|\b[23]-?d\b|height|width|grid|axes"  # words of designs with several
FIVE = torch.arange(5)
SQUARE = r"per_side|image_size"


def of_tables(workshop, path):
    """For each function of the file that applies them, or none, the rotators of every axis, the others at 0."""
    x = torch.zeros(1, 1, 5, workshop.head_dim)
    halved = replace(workshop, head_dim=workshop.head_dim // 2)  # as what is made for the columns of one axis
    for ats, laid, _ in (*_asked(workshop, path), *_asked(halved, path)):
        made = [first_look(at, FIVE, x) for at in ats]
        if any(value is not None and are_tables(as_tuple(value)) for value in made):  # an axis may turn nothing
            found = []
            for ways in _applied(workshop, path, ats, laid, made[0]):
                found += [axes for axes in ways if all(each.runs(workshop.head_dim) for each in axes)][:1]
            yield from found
            if found:
                return


def of_grid(workshop, path):
    """The `Finding` where the tables of a grid do not stand row by row, frame by frame, or places follow its size."""
    x = torch.zeros(1, 1, 30, workshop.head_dim)
    for ats, _, grid in _asked(workshop, path):
        size, one = GRIDS[len(ats)], (1,) * len(ats)
        lines = [(*one[:n], long, *one[n + 1 :]) for n, long in enumerate(size)]
        asked = size, one, (6, *one[1:]), *lines
        if grid and (made := first_look(lambda g=grid, asked=asked: [flat(g(*s, like=x), s) for s in asked])):
            return order_of_grid(size, *made)
    return None


def _asked(workshop, path):
    """(from positions along each axis to tables, how places are laid out, tables of a grid or None), way by way."""
    thing = workshop.file.resolve(path)[0]
    make = asked_for_a_grid(workshop, path) if isinstance(thing, type) else thing
    names, code = [p.name for p in named_parameters(make)], code_of(make)
    roles = {name: role_in_rotations(name) for name in names}
    of_x = [n for n in names if re.search(rf"\b{n}\.(device|d?type|shape|size)\b", code)]
    told = sides_of([n for n in names if n not in of_x or "ind" in n]), sides_of(names)
    frames, *axes = next((sides for sides in told if all(sides[1:])), (None,))
    alone = not names[1:] and roles.get("".join(names), "") is None  # such as XYZ
    one = next((n for n in names if roles[n] in ("positions", "ids", "shape") or re.search(PLACES, n) or alone), None)
    is_shape = roles.get(one) == "shape" or re.search(SHAPE, f"{one}")
    axes = [frames, *axes] if axes and frames else axes
    x = [n for n in names if ((roles[n] == "x" and n != one) or (axes and n in of_x[:1])) and n not in axes]
    indices = [n for n in names if re.search(INDEX, n.lower())]
    tell, beside, several = of_shape(one, names, is_shape and not axes, code)
    call = workshop.filled(Value(path, lambda setting: make), make, {*axes, *x, *indices, *tell(GRIDS[3])})

    def asked(like, **given):
        more = tuple((name, constant(value)) for name, value in {**dict.fromkeys(x, like), **given}.items())
        return replace(call, arguments=(*call.arguments, *more)).give(workshop.setting)

    for many, t in product((m for m in (axes if frames not in axes else [], indices) if len(m) in GRIDS), (None, ...)):
        at = lambda n, p, v, many=many, t=t: asked(v, **{m: (m == n) * p[t] for m in many})  # noqa: E731
        yield [partial(at, n) for n in many], AXES[2], None
    if axes or is_shape:
        count = len(axes) or 2 + bool(beside or re.search(rf"{UNPACKED.format(one)}|^\w*thw", f"{one}\n{code}"))
        yield from _of_sides(asked, axes, tell, count, several, names)
        return
    if one and re.search(SQUARE, source_of(type(make))):
        yield of_patches(make, lambda v, places: asked(v, **{one: places}))
    if takes_root(make) and (long := next((n for n in names if roles[n] == "max_len"), None)):
        yield [lambda p, v, s=s: rows(asked(v, **{long: EDGE**2}), s * p) for s in (EDGE, 1)], AXES[2], None
    for count, laid in product((2, 3), AXES):
        units = torch.eye(count, dtype=torch.int64).split(1, 1)
        places = laid(FIVE.expand(count, 5))
        if one and not _each_by_itself(workshop, roles[one], lambda p: asked(p.float(), **{one: p}), places):
            yield [lambda p, v, u=u, laid=laid: asked(v, **{one: laid(u * p)}) for u in units], laid, None
        elif x == names[:1] and count == 3 and all(p.default is not p.empty for p in named_parameters(make)[1:]):
            yield [by_length(lambda n, v, u=u: make(video(n, u, make))) for u in units], laid, None


def _each_by_itself(workshop, role, tables, places):
    """Does every number among the ``places`` get rows of its own, as a position does, and no word tell of axes?"""
    if role != "positions" or re.search(OF_AXES, workshop.file.source):
        return False
    single, many = (first_look(lambda p=p: as_tuple(tables(p))[0].numel()) for p in (FIVE, places))
    return bool(single) and many == places.numel() // 5 * single


def _of_sides(asked, axes, tell, count, several, names):
    """As `_asked`, of what takes whole numbers for the sides, or numbered frames and whole numbers."""
    whole, numbered = (lambda n: n), (lambda n: torch.arange(n)[None])
    for frames in (whole, numbered, torch.arange) if axes and count == 3 else (whole,):

        def grid(*sides, like, frames=frames):
            first, *rest = sides
            given = {axes[0]: frames(first), **dict(zip(axes[1:], rest, strict=True))} if axes else tell(sides)
            return asked(like, **given)

        sides = [[SIDE if n == m else 1 for m in range(count)] for n in range(count)]
        ats = [lambda p, v, side=side, grid=grid: along_side(grid(*side, like=v), p) for side in sides]
        two = torch.arange(2), torch.zeros(1, 1, 2, 64)
        still = lambda at=ats[0], two=two: all(torch.equal(*part.squeeze()) for part in as_tuple(at(*two)))  # noqa: E731
        alike = several and count == 3 and first_look(still)  # all frames of a picture get the same rows
        ats, grid = (ats[1:], partial(grid, 1)) if alike else (ats, grid)
        told = count == 2 or axes == sorted(axes, key=names.index)  # frames, rows, columns: so do the places stand
        yield ats, AXES[2], grid if told else None


def _applied(workshop, path, ats, laid, made):
    """For each function of the file that applies tables, and for none, the ways to do so: a rotator for each axis."""
    said = f"the tables of {path}"
    own = {n: f for n, f in workshop.file.names.items() if n != path and applies(f)}
    for name, function in own.items():
        found = replace(parameters_of(function), required=False)
        if found.positions:  # the number of their axes is what it reads, beside its tables
            function = partial(function, **{found.positions: laid(torch.zeros(len(ats), 5, dtype=torch.int64))})
        ways = [Way(f"{name} with {said}", function, found, Maker(path, at)) for at in ats]
        layouts = (*FOUR, *FEWER[0])
        yield (axes for layout in layouts for axes in zip(*(way.rotators(layout) for way in ways), strict=True))
    if not own:
        flip = other_order(as_tuple(made), ("cos", "sin"), workshop.file.resolve(path)[0])
        ats = [lambda p, v, at=at: as_tuple(at(p, v))[::-1] for at in ats] if flip else ats
        form, said = Form(False, "positions"), f"{said}, applied as they are laid out"
        yield [[Rotator(applied(Maker(path, at), False), form, said) for at in ats]]
