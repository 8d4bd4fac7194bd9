"""One axis of a table for two: which columns belong to it, and what they are as a table of their own."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..law.powers import ROUND
from .alterations import parts
from .explain import Seen, findings_of
from .hypothesis import FROM_ONE
from .look import NOT_ASKED, Table, Tables
from .words import found


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
    """One axis: its columns in all grids, each a table for the positions along it."""

    name: str
    tables: Tables

    @cached_property
    def seen(self):
        return Seen(self.tables)

    @property
    def conventions(self):
        """From the ids of what pictures do on purpose to their names."""
        h = self.seen.match and self.seen.match.hypothesis
        names = {"halves": "halves", "tensor2tensor": "tensor2tensor", "starts-at-one": "from 1"}
        names |= {"turned": "normalised to 2π"} if h and h.law.turn is ROUND and h.place is FROM_ONE else {}
        return {id: names[id] for id, _ in parts(h) if id in names} if h else {}

    @property
    def mistakes(self):
        """What is wrong along this axis, in findings."""
        findings = () if self.tables.right else findings_of(self.seen)
        return [self._of_an_axis(finding) for finding in findings if finding.id not in self.conventions]

    def _of_an_axis(self, finding):
        match = self.seen.match
        if finding.id == "wrong-base" and match and np.isclose(match.hypothesis.law.base, 100, rtol=1e-4):
            return found("wrong-base, of the whole width", finding.evidence, id=finding.id, title=finding.title)
        return found("grid-unlisted", finding.evidence) if finding.id == "unlisted" else finding


def axes_in(grids, far, split, names):
    """The two `Axis` of ``names``, such as ("row", "column"), in grids whose columns ``split`` parts."""
    for n, name in enumerate(names):
        short = tuple(_table(grid, split, n, name) for grid in grids)
        yield Axis(name, Tables(short, short[0], _table(far, split, n, name) if far else NOT_ASKED))


def _table(grid, split, n, name):
    part = grid.values[..., split.columns(grid.values.shape[-1])[n]]
    values = part[:, 0] if name == "row" else part[0]
    return Table(f"{grid.call}, the columns of the {name}", *values.shape, values, grid.rounding)
