"""What a table for two axes is: some columns tell the row, the others the column, each as a table of its own."""

from dataclasses import replace
from itertools import product

from ..calling.calling import axes_of
from ..saying.mistake import Mistake
from ..saying.result import Diagnosis
from ..saying.say import say
from ..saying.words import listed
from .alterations import TURNED
from .grid_axis import OTHER, SPLITS, axes_in
from .grid_look import grids_of
from .layouts import TENSOR2TENSOR
from .places import STARTS_AT_ONE

GRID = Mistake(
    "grid",
    "A table for two axes: some columns tell the row, the others the column.",
    "Each axis has its own columns, and in them a table of its own. DETR's come with the row first, MAE's with the "
    "column first; to a linear layer, order is arbitrary. A checkpoint expects the one that it was trained with.",
    "for a text, which has one axis, use a table (max_len, d_model)",
    "facebookresearch/mae/blob/main/util/pos_embed.py",
    kind="convention",
)
CLASS_ROW = Mistake(
    "class-row",
    "Zeros stand before the grid: the place of a token that is no patch.",
    "A class token has no position; MAE gives it a row of zeros.",
    kind="note",
)
ONE_AXIS = Mistake(
    "one-axis",
    "Only one of the two axes is told.",
    "The same positions were encoded twice, or the positions of one axis were not spread over the grid.",
    "encode the row's number in half of the columns, and the column's number in the other half",
)
TURNED_GRID = Mistake(
    "grid-transposed",
    "Height and width have changed places.",
    "NumPy's meshgrid counts its first axis across unless it is told indexing='ij'; PyTorch's counts it down unless it "
    "is told indexing='xy'. A square grid hides the difference.",
    "patch (r, c) stands in row r · width + c",
)
ONE_LINE = Mistake(
    "one-line",
    "The patches are numbered in one line.",
    "The number of a patch was encoded as if the picture were a text: the patch below is as far away as one that is "
    "a whole width to the right.",
    "encode the row's number in half of the columns, and the column's number in the other half",
)


def diagnose_grid(function) -> Diagnosis | None:
    """The `Diagnosis` of ``function`` when it gives tables for two axes; None when it does not.

    `Failed` leaves it only when the parameters are those of a grid.
    """
    for short, far in grids_of(function):
        for n, split in product(range(len(short[0])), SPLITS):
            grids = [readings[n] for readings in short]
            told = {split.axes(grid) for grid in grids}
            if told in ({("row", "column")}, {("column", "row")}):
                return _conclude(split, told.pop(), grids, far[min(n, len(far) - 1)] if far else None)
        grids = [readings[0] for readings in short]
        if finding := _one_axis(grids) or (_neither(grids[0]) if axes_of(function) else None):
            return say([finding])
    return None


def _one_axis(grids):
    """The finding for what has the shape of a grid, though only one axis is told, or a number in one line."""
    grid, told = grids[0], {SPLITS[0].axes(grid) for grid in grids}
    if all(grid.in_one_line for grid in grids):
        return ONE_LINE.found(f"{grid.call} gave the paper's table for positions 0 to {grid.values[..., 0].size - 1}")
    axes = set().union(*told)
    for axis, other in (("row", "column"), ("column", "row")):
        if axis in axes and axes <= {axis, "neither"}:
            return ONE_AXIS.found(f"in {grid.call} no number changes with the {other}")
    return None


def _neither(grid):
    return OTHER.found(f"in {grid.call} no half of the columns belongs to the row alone, and none to the column alone")


def _conclude(split, names, grids, far):
    """From grids that tell both axes to the `Diagnosis`: each axis is a table, and is looked at as one."""
    one, two = axes_in(grids, far, split, names)
    first = grids[0]
    mistakes = [TURNED_GRID.found(f"{first.call} counts its patches column by column")] if first.turned else []
    mistakes += _of_both(one, two)
    if far and split.axes(far) != names:
        mistakes.append(OTHER.found(f"{far.call} is no such grid, {first.call} is one"))
    notes = [CLASS_ROW.found(f"{first.call}: {first.before} more than there are patches")] if first.before else []
    if mistakes:
        return say([*mistakes, *notes])
    convention = ", ".join(["grid", f"{one.name} first", *split.words, *one.conventions.values()])
    seen = GRID.found(_evidence(split, one, two, first), title=f"A table for two axes: {convention}.")
    return replace(say([seen, *notes]), convention=convention)


def _of_both(one, two):
    """The mistakes of both axes, said once where they are the same."""
    mistakes = {axis.name: axis.mistakes for axis in (one, two)}
    if [f.id for f in mistakes[one.name]] == [f.id for f in mistakes[two.name]]:
        if not mistakes[one.name] and one.conventions != two.conventions:
            ways = (f"the {axis.name}: {', '.join(axis.conventions.values()) or 'the paper'}" for axis in (one, two))
            return [OTHER.found(f"the two axes follow two conventions; {'; '.join(ways)}")]
        wide = f"each axis, a table of {one.tables[0].d_model} columns"
        return [replace(f, evidence=f"{wide}: {f.evidence}") for f in mistakes[one.name]]
    return [replace(f, evidence=f"the {axis}: {f.evidence}") for axis, found in mistakes.items() for f in found]


def _evidence(split, one, two, grid):
    columns = [listed(part.tolist()) for part in split.columns(grid.values.shape[-1])]
    told = (f"columns {numbers} tell the {axis.name}" for numbers, axis in zip(columns, (one, two), strict=True))
    agrees = ["base 10000"] if TENSOR2TENSOR in one.conventions else ["the frequencies"]
    agrees += [] if {STARTS_AT_ONE, TURNED} & {*one.conventions} else ["where positions begin"]
    return f"in {grid.call} {', '.join(told)}; the rest agrees: {', '.join([*agrees, 'the signs'])}"
