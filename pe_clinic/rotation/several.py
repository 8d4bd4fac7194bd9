"""Rotations by places of two or three axes, such as row and column: each axis by itself turns columns of its own."""

import contextlib
import re
from dataclasses import replace
from functools import partial
from itertools import product

import torch

from ..law.mistakes import LINEAR
from ..sandbox.guard import Failed, run
from ..saying.result import Diagnosis
from .asking import Rotator
from .axis_columns import moved, of_columns, shares_a_pair
from .behaviour import BEYOND
from .by_name import runs
from .diagnose import diagnose_as
from .in_rows import of_sides
from .layouts import FEWER, FOUR
from .maker import as_tuple
from .of_axes import of_grid, of_tables
from .of_indices import of_indices
from .plain import is_plain
from .squares import is_square, of_square
from .ways import ways
from .words import MISTAKES
from .workshop import Unknown, Workshop

# From places (axes, length) and the batch to the shapes in which they are handed over.
LAID = (lambda p, b: p.T.expand(b, -1, -1), lambda p, b: p.T, lambda p, b: p[:, None].expand(-1, b, -1), lambda p, b: p,
        lambda p, b: p.expand(b, -1, -1))  # fmt: skip
NUMBERS = {2: "two axes", 3: "three axes"}
LEAST = 6  # so many times fewer columns than another axis no known design gives to one
SECTIONS = r"[\[(](\d+(?:, ?\d+){1,3}),?[\])]"  # the pairs of each axis, or its columns


def diagnose_places(file, path):
    """(Diagnosis, "rope", the call in words) of what turns x by places, or makes tables for a video; or None."""
    found, best, named = [], None, _widths(file.source)
    at_places = _of_places, of_indices
    finds = (of_square,) if is_square(file, path) else (of_tables, *at_places, of_sides)
    for width, find in product(dict.fromkeys((*named, 64, 96, 128)), finds):
        for axes in _that_run(find, Workshop(file, width), path):
            with contextlib.suppress(Failed, Unknown, NotImplementedError):
                told = _together(axes, width)
                if find not in at_places and told.verdict.good:
                    told = _with_grid(told, of_grid(Workshop(file, width), path) if find is of_tables else None)
                found.append((told, "rope", f"{axes[0].said}, {NUMBERS[len(axes)]}"))
                if (find in at_places and "standard" not in axes[0].said) or told.verdict.good:
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
        yield from (axes for axes in find(workshop, path) if all(runs(one, workshop.head_dim) for one in axes))


def _widths(source):
    """Of a head: those that numbers in the code share out among axes."""
    sums = [sum(map(int, said.split(","))) for said in re.findall(SECTIONS, source)]
    told = [width for n in sums for width in (2 * n, n) if 16 <= width <= 256 and width % 2 == 0]
    return told[:4]


def _with_grid(diagnosis, found):
    """``diagnosis`` along the axes, with what was ``found`` of the whole grid."""
    if found and found.kind == "mistake":
        return replace(diagnosis, ok=False, convention=None, findings=(found,))
    rest = tuple(f for f in diagnosis.findings if f.id not in (BEYOND.id, LINEAR.id * bool(found)))  # the size is ours
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
            yield [Rotator(way.rotate(layout, (), place), way.form, way.said) for place in places]


def _together(axes, width):
    """The `Diagnosis` of the worst axis; a mistake where two turn the same columns, one none, or one half of a pair."""
    columns = [run("axis by axis", moved, rotator, width) for rotator in axes]
    if not any(map(len, columns)):
        raise Unknown("x of another layout")
    count = sum(map(len, columns))
    least = max(*map(len, columns), width / 4) / LEAST
    if len(torch.cat(columns).unique()) < count or any(len(c) < least or len(c) % 2 for c in columns):
        said = "; ".join(f"axis {n} moves {len(c)} of {width} columns" for n, c in enumerate(columns))
        return Diagnosis(False, (MISTAKES["axes-mixed"].found(said),), kind="rotation")
    if mixed := next(filter(None, map(partial(shares_a_pair, width), axes, columns)), None):
        return Diagnosis(False, (MISTAKES["pairs-of-two-axes"].found(mixed),), kind="rotation")
    every = [diagnose_as(of_columns(r, c, width), r.form, len(c)) for r, c in zip(axes, columns, strict=True)]
    every = [replace(each, findings=tuple(replace(f, evidence=f"axis {n}: {f.evidence}") for f in each.findings))
             for n, each in enumerate(every)]  # fmt: skip
    twice = [f for each in every for f in each.findings if f.id == "frequencies-shared"]
    if 0 < len(twice) < len(axes):  # the pairs of another axis follow this one, too
        return Diagnosis(False, (MISTAKES["axes-mixed"].found(twice[0].evidence),), kind="rotation")
    if len(twice) == len(axes) and all(f"{e.convention}".startswith("half-split") for e in every):
        said = [re.search(r"axis \d: .*step: (\S+), \1,.*", f.evidence) for f in twice]  # by turns: for neighbours
        if all(said):
            mixed = MISTAKES["layouts-mixed-repeated"].found(f"{said[0][0]}: each frequency serves two pairs")
            return Diagnosis(False, (mixed,), kind="rotation")
    worst = max(every, key=lambda diagnosis: diagnosis.verdict.rank)
    if not worst.verdict.good and (shared := diagnose_as(_one_by_one(axes), axes[0].form, width)).verdict.good:
        every, worst = [shared], shared  # the pairs of one rotation are shared out, as by M-RoPE
    words = " / ".join(dict.fromkeys(each.convention or "the paper's" for each in every))
    words = [words, NUMBERS[len(axes)], f"{count} of {width} columns" * (count < width)]
    if worst.verdict.id == "table-right":  # its line would not say that there are several
        each = MISTAKES["axes-apart"].found(
            "; ".join(f"axis {n} turns {len(c)} columns" for n, c in enumerate(columns))
        )
        worst = replace(worst, ok=False, findings=(each, *worst.findings))
    return replace(worst, convention=", ".join(filter(None, words))) if worst.verdict.good else worst


def _one_by_one(axes):
    """The rotation by the same position on all axes, which turn columns of their own."""

    def rotate(*given):
        count = axes[0].form.pair + 1
        turned = given[:count]
        for axis in axes:
            turned = as_tuple(axis.rotate(*turned, *given[count:]))[:count]
        return turned if count == 2 else turned[0]

    rotate.of_plain = is_plain(axes[0].rotate)
    return rotate
