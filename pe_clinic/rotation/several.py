"""Rotations by places of two or three axes, such as row and column: each axis by itself turns columns of its own."""

import contextlib
import re
from dataclasses import replace
from functools import partial
from itertools import product

import torch

from ..sandbox.guard import Failed
from .forms import parameters_of
from .layouts import FEWER, FOUR
from .of_axes import of_grid, of_tables
from .plain import method_of
from .promised import left_out
from .sides import INDEX, of_sides
from .squares import is_square, of_square
from .together import NUMBERS, together
from .way import Way
from .ways import ways
from .workshop import Unknown, Workshop

# From places (axes, length) and the batch to the shapes in which they are handed over.
LAID = (lambda p, b: p.T.expand(b, -1, -1), lambda p, b: p.T, lambda p, b: p[:, None].expand(-1, b, -1), lambda p, b: p,
        lambda p, b: p.expand(b, -1, -1))  # fmt: skip
SECTIONS = r"[\[(](\d+(?:, ?\d+){1,3}),?[\])]"  # the pairs of each axis, or its columns


def diagnose_places(file, path):
    """(Diagnosis, "rope", the call in words) of what turns x by places, or makes tables for a video; or None."""
    found, best, named = [], None, _widths(file.source)
    at_places = _of_places, _of_indices
    finds = (of_square, of_tables) if is_square(file, path) else (of_tables, *at_places, of_sides)
    for width, find in product(dict.fromkeys((*named, 64, 96, 128)), finds):
        for axes in _that_run(find, Workshop(file, width), path):
            one = axes[0]
            with contextlib.suppress(Failed, Unknown, NotImplementedError):
                told = together(axes, width, find is _of_places)
                if find not in at_places and told.verdict.good:
                    told = _with_grid(told, of_grid(Workshop(file, width), path) if find is of_tables else None)
                if find is _of_places and told.verdict.good and (stops := left_out(one, one.way, one.layout, width)):
                    told = replace(told, ok=False, convention=None, findings=(stops,))
                found.append((told, "rope", f"{one.said}, {NUMBERS[len(axes)]}"))
                if (find in at_places and "standard" not in one.said) or told.verdict.good:
                    return found[-1]
        best = min(found, key=lambda told: (told[0].verdict.rank, not _is_mixed(told[0])), default=None)
        if best and (width not in named or not _is_mixed(best[0])) and not _is_uneven(best):
            break  # numbers may be those of pairs, or of columns
    return best


def _is_mixed(diagnosis):
    return diagnosis.findings[:1] and diagnosis.findings[0].id == "axes-mixed"


def _is_uneven(told):
    """Of three axes, which share 64 columns unevenly: is nothing wrong but a base that may be meant for a third?"""
    return told[2].endswith(NUMBERS[3]) and {f.id for f in told[0].findings if f.kind != "note"} == {"small-base"}


def _that_run(find, workshop, path):
    with contextlib.suppress(Failed, Unknown, NotImplementedError):
        found = [axes for axes in find(workshop, path) if all(one.runs(workshop.head_dim) for one in axes)]
        heed = [axes for axes in found if all(one.runs(workshop.head_dim, apart=True) for one in axes)]
        yield from heed or found


def _widths(source):
    """Of a head: those that numbers in the code share out among axes."""
    sums = [sum(map(int, said.split(","))) for said in re.findall(SECTIONS, source)]
    told = [width for n in sums for width in (2 * n, n) if 16 <= width <= 256 and width % 2 == 0]
    return told[:4]


def _with_grid(diagnosis, found):
    """``diagnosis`` along the axes, with what was ``found`` of the whole grid."""
    if found and found.kind == "mistake":
        return replace(diagnosis, ok=False, convention=None, findings=(found,))
    told = ("beyond-cache", "linear" * bool(found))  # the size is ours
    rest = tuple(f for f in diagnosis.findings if f.id not in told)
    if not found:
        return replace(diagnosis, findings=rest)
    words = re.sub(r"linear scaling [\d.]+", "places by the grid's size", diagnosis.convention or "")
    return replace(diagnosis, ok=False, convention=words, findings=(found, *rest))


def _of_places(workshop, path):
    """For each way to hand over places the rotators of every axis, the others at 0."""
    for way in ways(workshop, path):
        if way.form.takes != "positions" or (way.maker and not way.found.required):  # it reads rows by places itself
            continue
        for count, layout, laid in product(NUMBERS, (*FOUR, *FEWER[0]), LAID):
            units = torch.eye(count, dtype=torch.int64).split(1, 1)
            places = [lambda p, b, unit=unit, laid=laid: laid(unit * p, b) for unit in units]
            yield [replace(way.rotator(layout, (), place), said=way.said) for place in places]


def _of_indices(workshop, path):
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
