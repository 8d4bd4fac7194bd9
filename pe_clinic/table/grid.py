"""What a table for two axes is: some columns tell the row, the others the column, each as a table of its own."""

from dataclasses import replace
from itertools import product

from ..calling.calling import axes_of
from ..saying.result import Diagnosis
from ..saying.say import say
from ..saying.words import listed
from .grid_axis import SPLITS, axes_in
from .grid_look import grids_of
from .words import found


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
        last = grid.values[..., 0].size - 1
        return found("one-line", f"{grid.call} gave the paper's table for positions 0 to {last}")
    axes = set().union(*told)
    for axis, other in (("row", "column"), ("column", "row")):
        if axis in axes and axes <= {axis, "neither"}:
            return found("one-axis", f"in {grid.call} no number changes with the {other}")
    return None


def _neither(grid):
    seen = f"in {grid.call} no half of the columns belongs to the row alone, and none to the column alone"
    return found("grid-unlisted", seen)


def _conclude(split, names, grids, far):
    """From grids that tell both axes to the `Diagnosis`: each axis is a table, and is looked at as one."""
    one, two = axes_in(grids, far, split, names)
    first = grids[0]
    mistakes = [found("grid-transposed", f"{first.call} counts its patches column by column")] if first.turned else []
    mistakes += _of_both(one, two)
    if far and split.axes(far) != names:
        mistakes.append(found("grid-unlisted", f"{far.call} is no such grid, {first.call} is one"))
    notes = [found("class-row", f"{first.call}: {first.before} more than there are patches")] if first.before else []
    if mistakes:
        return say([*mistakes, *notes])
    convention = ", ".join(["grid", f"{one.name} first", *split.words, *one.conventions.values()])
    seen = found("grid", _evidence(split, one, two, first), title=f"A table for two axes: {convention}.")
    return replace(say([seen, *notes]), convention=convention)


def _of_both(one, two):
    """The mistakes of both axes, said once where they are the same."""
    mistakes = {axis.name: axis.mistakes for axis in (one, two)}
    if [f.id for f in mistakes[one.name]] == [f.id for f in mistakes[two.name]]:
        if not mistakes[one.name] and one.conventions != two.conventions:
            ways = (f"the {axis.name}: {', '.join(axis.conventions.values()) or 'the paper'}" for axis in (one, two))
            return [found("grid-unlisted", f"the two axes follow two conventions; {'; '.join(ways)}")]
        wide = f"each axis, a table of {one.tables.short[0].d_model} columns"
        return [replace(f, evidence=f"{wide}: {f.evidence}") for f in mistakes[one.name]]
    return [replace(f, evidence=f"the {axis}: {f.evidence}") for axis, findings in mistakes.items() for f in findings]


def _evidence(split, one, two, grid):
    columns = [listed(part.tolist()) for part in split.columns(grid.values.shape[-1])]
    told = (f"columns {numbers} tell the {axis.name}" for numbers, axis in zip(columns, (one, two), strict=True))
    agrees = ["base 10000"] if "tensor2tensor" in one.conventions else ["the frequencies"]
    agrees += [] if {"starts-at-one", "turned"} & {*one.conventions} else ["where positions begin"]
    return f"in {grid.call} {', '.join(told)}; the rest agrees: {', '.join([*agrees, 'the signs'])}"
