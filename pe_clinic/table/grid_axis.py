"""One axis of a table for several: which columns belong to it, and what they are as a table of their own."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .alterations import parts
from .explain import Seen, findings_of
from .hypothesis import FROM_ZERO
from .look import NOT_ASKED, Table, Tables
from .words import found

NAMES = {2: ("row", "column"), 3: ("frame", "row", "column")}


def axes_changed(values, rounding):
    """The names of the axes along which the numbers change by more than their dtype rounds."""
    names = NAMES[values.ndim - 1]
    allowed = min(1e-5 + 2 * rounding, 0.01 * np.ptp(values))  # slow columns change, if little
    return frozenset(name for n, name in enumerate(names) if np.ptp(values, axis=n).max() > allowed)


@dataclass(frozen=True)
class Split:
    """``owner(j, d, n)``: which of n axes the columns j of d belong to."""

    words: tuple[str, ...]
    owner: Callable

    def columns(self, d, n):
        owner = self.owner(np.arange(d), d, n)
        return [np.flatnonzero(owner == axis) for axis in range(n)]

    def told(self, grid):
        """The axes with which the columns of each part change."""
        parts = self.columns(grid.values.shape[-1], grid.values.ndim - 1)
        return [axes_changed(grid.values[..., columns], grid.rounding) for columns in parts]

    def axes(self, grid):
        """The name of the axis that each part tells; None where it is not one axis to each."""
        told = self.told(grid)
        apart = len(frozenset().union(*told)) == len(told) and all(len(axes) == 1 for axes in told)
        return tuple(name for axes in told for name in axes) if apart else None


SPLITS = (
    Split((), lambda j, d, n: j // (d // n)),
    Split(("quarters",), lambda j, d, n: j // (d // (2 * n)) % n),  # the sines of all axes, then all cosines
    Split(("pairs in turn",), lambda j, d, n: j // 2 % n),
    Split(("columns in turn",), lambda j, d, n: j % n),
    Split(("a quarter for the first",), lambda j, d, n: np.maximum(j - d // 4, -1) // (3 * d // 8) + 1),  # of three
    Split(("a quarter for the last",), lambda j, d, n: np.minimum(j // (3 * d // 8), 2)),  # Prithvi's
    Split(("half for the first",), lambda j, d, n: (j >= d // 2) * 1 + (j >= 3 * d // 4)),  # V-JEPA's
)


@dataclass(frozen=True)
class Axis:
    """One axis: its columns in all grids, each a table for the positions along it."""

    name: str
    tables: Tables
    share: int = 2  # how many axes share the columns

    @cached_property
    def seen(self):
        return Seen(self.tables)

    @property
    def conventions(self):
        """From the ids of what pictures do on purpose to their names."""
        h = self.seen.match and self.seen.match.hypothesis
        names = {"halves": "halves", "tensor2tensor": "tensor2tensor", "starts-at-one": "from 1"}
        whole, _, over = h.law.turn.name.partition("/") if h else ("", "", "")
        fractions = over == "max_len" or (over == "(max_len - 1)" and h.place is FROM_ZERO)
        names |= {"turned": f"normalised to {whole}"} if fractions else {}
        names |= {"position-offset": h.place.name} if "turned" in names and h.place.name == "from 0.5" else {}
        return {id: names[id] for id, _ in parts(h) if id in names} if h else {}

    @property
    def mistakes(self):
        """What is wrong along this axis, in findings."""
        findings = () if self.tables.right else findings_of(self.seen)
        return [self._of_an_axis(finding) for finding in findings if finding.id not in self.conventions]

    def _of_an_axis(self, finding):
        match, whole = self.seen.match, 10000 ** (1 / self.share)
        if finding.id == "wrong-base" and match and np.isclose(match.hypothesis.law.base, whole, rtol=1e-4):
            return found("wrong-base, of the whole width", finding.evidence, title=finding.title)
        return found("grid-unlisted", finding.evidence) if finding.id == "unlisted" else finding


def axes_in(grids, far, split, names):
    """The `Axis` of each of ``names``, such as ("row", "column"), in grids whose columns ``split`` parts."""
    for n, name in enumerate(names):
        short = tuple(_table(grid, split, n, name) for grid in grids)
        yield Axis(name, Tables(short, short[0], _table(far, split, n, name) if far else NOT_ASKED), len(names))


def _table(grid, split, n, name):
    sides = grid.values.ndim - 1
    part = grid.values[..., split.columns(grid.values.shape[-1], sides)[n]]
    values = part[tuple(slice(None) if axis == name else 0 for axis in NAMES[sides])]
    return Table(f"{grid.call}, the columns of the {name}", *values.shape, values, grid.rounding)
