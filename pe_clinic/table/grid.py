"""What a table for several axes is: some columns tell the row, others the column, each as a table of its own."""

from dataclasses import replace
from itertools import product

import numpy as np

from ..calling.calling import axes_of
from ..sandbox.values import to_array
from ..saying.result import Diagnosis, say
from ..saying.words import listed
from .grid_axis import NAMES, SPLITS, Split, axes_changed, axes_in
from .grid_look import grids_of
from .words import found

NO_AXIS = "in {} no part of the columns belongs to one axis alone"
WHOLE = Split((), lambda j, d, n: 0 * j)  # every column belongs to the first axis


def diagnose_grid(function) -> Diagnosis | None:
    """The `Diagnosis` of ``function`` when it gives tables for several axes; None when it does not.

    `Failed` leaves it only when it takes the sizes of a grid.
    """
    for asked in grids_of(function):
        for n, split in product(range(len(asked.short[0])), SPLITS):
            grids = [readings[n] for readings in asked.short]
            told = {split.axes(grid) for grid in grids}
            if len(told) == 1 and (names := told.pop()):
                return _conclude(split, names, grids, asked.far[min(n, len(asked.far) - 1)] if asked.far else None)
        grids = [readings[0] for readings in asked.short]
        if {axes_changed(grid.values, grid.rounding) for grid in grids} == {frozenset(["frame"])}:
            return _of_frames(grids, asked.far[0] if asked.far else None)
        finding = _one_axis(grids) or _reshaped(grids[0], asked)
        if finding or asked.even or axes_of(function):
            return say([finding or found("grid-unlisted", NO_AXIS.format(grids[0].call))])
    return None


def _of_frames(grids, far):
    """The `Diagnosis` of a table that tells the frames of a film, and nothing within a picture."""
    (axis,) = axes_in(grids, far, WHOLE, ("frame",))
    if axis.mistakes:
        return say(axis.mistakes)
    convention = ", ".join(["of frames", *axis.conventions.values()])
    seen = found("grid-frames", f"in {grids[0].call} all columns tell the frame")
    return replace(say([seen]), convention=convention)


def of_places(function):
    """The `Diagnosis` of sines and cosines of places that are symmetric about 0, an axis each; None of all else."""
    values = np.squeeze(to_array("", function(5, 8))[0])
    values = np.moveaxis(values, -1, 0) if values.shape[:2] == (5, 8) else values
    if values.shape[1:] != (5, 8):
        return None
    squares, turned = values.reshape(len(values), -1) ** 2, values[:, ::-1, ::-1]
    bare = sum(np.abs(squares + one - 1).max(axis=1).min() > 1e-4 for one in squares)  # the places themselves
    alone = np.minimum(*(np.ptp(values, axis=n).max(axis=1) for n in (1, 2))).max()
    mirrored = np.minimum(*(np.abs(values + sign * turned).max(axis=(1, 2)) for sign in (1, -1))).max()
    if max(alone, mirrored) < 1e-4 and np.ptp(values) > 0.5 and bare <= 3 < len(values) - bare:
        said = f"of a grid of 5 rows and 8 columns it gave {len(values)} features, each of the row or of the column"
        return replace(say([found("grid-features", said)]), convention="Fourier features of a grid")


def _one_axis(grids):
    """The finding for what has the shape of a grid, though an axis is not told, or a number in one line."""
    grid = grids[0]
    if all(grid.in_one_line for grid in grids):
        last = grid.values[..., 0].size - 1
        return found("one-line", f"{grid.call} gave the paper's table for positions 0 to {last}")
    told = frozenset().union(*(axes_changed(grid.values, grid.rounding) for grid in grids))
    left = " or the ".join(name for name in NAMES[grid.values.ndim - 1] if name not in told)
    return (
        found("one-axis", f"in {grid.call} no number changes with the {left}") if left and np.ptp(grid.values) else None
    )


def _reshaped(grid, asked):
    """The finding for what is a grid as long as all sides are as long."""
    even = next((even for even in asked.even for split in SPLITS if split.axes(even)), None)
    return even and found("grid-reshaped", f"{even.call} is a table for its axes, {grid.call} is none")


def _conclude(split, names, grids, far):
    """From grids that tell all axes to the `Diagnosis`: each axis is a table, and is looked at as one."""
    axes = [*axes_in(grids, far, split, names)]
    first = grids[0]
    mistakes = [_turned(first)] if first.turned else []
    mistakes += _of_all(axes)
    if far and split.axes(far) != names:
        mistakes.append(found("grid-unlisted", f"{far.call} is no such grid, {first.call} is one"))
    notes = [found("class-row", f"{first.call}: {first.before} more than there are patches")] if first.before else []
    if mistakes:
        return say([*mistakes, *notes])
    order = ", then ".join([f"{names[0]} first", *names[1:-1]])
    convention = ", ".join(["grid", order, *split.words, *axes[0].conventions.values()])
    number = {2: "two", 3: "three"}[len(names)]
    title = f"A table for {number} axes: {convention}."
    seen = found("grid", _evidence(split, axes, first), title=title)
    return replace(say([seen, *notes]), convention=convention)


def _turned(grid):
    if len(grid.order) == 2:
        return found("grid-transposed", f"{grid.call} counts its patches column by column")
    names = NAMES[len(grid.order)]
    seen = f"{grid.call} has its rows in the order {', '.join(names[n] for n in grid.order)}, the last one fastest"
    return found("grid-transposed", f"{seen}; asked for are {', '.join(names)}", title="The axes have changed places.")


def _of_all(axes):
    """The mistakes of all axes, said once where they are the same."""
    one = axes[0]
    if all([f.id for f in axis.mistakes] == [f.id for f in one.mistakes] for axis in axes):
        if not one.mistakes and any(axis.conventions != one.conventions for axis in axes):
            ways = (f"the {axis.name}: {', '.join(axis.conventions.values()) or 'the paper'}" for axis in axes)
            return [found("grid-unlisted", f"the axes follow several conventions; {'; '.join(ways)}")]
        wide = f"each axis, a table of {one.tables.short[0].d_model} columns"
        return [replace(f, evidence=f"{wide}: {f.evidence}") for f in one.mistakes]
    return [replace(f, evidence=f"the {axis.name}: {f.evidence}") for axis in axes for f in axis.mistakes]


def _evidence(split, axes, grid):
    columns = [listed(part.tolist()) for part in split.columns(grid.values.shape[-1], len(axes))]
    told = (f"columns {numbers} tell the {axis.name}" for numbers, axis in zip(columns, axes, strict=True))
    one = axes[0]
    agrees = ["base 10000"] if "tensor2tensor" in one.conventions else ["the frequencies"]
    agrees += [] if {"starts-at-one", "position-offset", "turned"} & {*one.conventions} else ["where positions begin"]
    return f"in {grid.call} {', '.join(told)}; the rest agrees: {', '.join([*agrees, 'the signs'])}"
