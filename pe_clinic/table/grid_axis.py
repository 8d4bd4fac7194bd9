"""One axis of a table for two: which columns belong to it, and what they are as a table of their own."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..law.powers import ROUND
from .alterations import name, parts
from .explain import far_findings
from .hypothesis import FROM_ONE
from .look import Table
from .search import fits, search
from .unlisted import facts
from .words import MISTAKES, found


@dataclass(frozen=True)
class Split:
    """``first(d)``: which of d columns belong to the first axis."""

    words: tuple[str, ...]
    first: Callable

    def columns(self, d):
        mine = self.first(np.arange(d), d)
        return np.flatnonzero(mine), np.flatnonzero(~mine)

    def axes(self, grid):
        """What the columns of each part change with: "row", "column", "neither", "both"."""
        axes = []
        for columns in self.columns(grid.values.shape[-1]):
            part = grid.values[..., columns]
            allowed = min(1e-5 + 2 * grid.rounding, 0.01 * np.ptp(part))  # slow columns change, if little
            across, down = np.ptp(part, axis=1).max() <= allowed, np.ptp(part, axis=0).max() <= allowed
            axes.append({(1, 1): "neither", (1, 0): "row", (0, 1): "column"}.get((across, down), "both"))
        return tuple(axes)


SPLITS = (
    Split((), lambda j, d: j < d // 2),
    Split(("quarters",), lambda j, d: j // (d // 4) % 2 == 0),  # both axes' sines, then both axes' cosines
    Split(("pairs in turn",), lambda j, d: j // 2 % 2 == 0),
    Split(("columns in turn",), lambda j, d: j % 2 == 0),
)


@dataclass(frozen=True)
class Axis:
    """One axis: its columns in all grids, each a table for the positions along it; ``far`` may be None."""

    name: str
    tables: tuple[Table, ...]
    far: Table | None

    @cached_property
    def match(self):
        return search(self.tables)

    @property
    def conventions(self):
        """From the ids of what pictures do on purpose to their names."""
        h = self.match and self.match.hypothesis
        names = {"halves": "halves", "tensor2tensor": "tensor2tensor", "starts-at-one": "from 1"}
        names |= {"turned": "normalised to 2π"} if h and h.law.turn is ROUND and h.place is FROM_ONE else {}
        return {id: names[id] for id, _ in parts(h) if id in names} if h else {}

    @property
    def mistakes(self):
        if self.match is None:
            return [found("grid-unlisted", "; ".join(facts(self.tables[0])))]
        named = [finding for finding in name(self.match, self.tables) if finding.id not in self.conventions]
        if np.isclose(self.match.hypothesis.law.base, 100, rtol=1e-4):
            why = MISTAKES["wrong-base, of the whole width"].explanation
            named = [replace(f, explanation=why) if f.id == "wrong-base" else f for f in named]
        if self.far and fits(self.match.hypothesis, self.far, least=0.0) is None:
            named += far_findings(self.match.hypothesis, self.far) or [
                found("grid-unlisted", f"{self.far.call} differ")
            ]
        return named


def axes_in(grids, far, split, names):
    """The two `Axis` of ``names``, such as ("row", "column"), in grids whose columns ``split`` parts."""
    return (
        Axis(
            axis,
            tuple(_table(grid, split, n, axis) for grid in grids),
            far and _table(far, split, n, axis),
        )
        for n, axis in enumerate(names)
    )


def _table(grid, split, n, axis):
    part = grid.values[..., split.columns(grid.values.shape[-1])[n]]
    values = part[:, 0] if axis == "row" else part[0]
    return Table(f"{grid.call}, the columns of the {axis}", *values.shape, values, grid.rounding)
