"""Look at a function of (max_len, d_model): call it at sizes that tell, and keep what came."""

from dataclasses import dataclass, replace

import numpy as np

from pe_lib.vectorized import sinusoidal_vectorized

from ..sandbox.guard import Failed, raises
from ..sandbox.traces import traces_findings
from ..saying.catalogue import Finding

SHORT = ((5, 8), (7, 6), (9, 16))  # (max_len, d_model): never equal, three pairs or more, all widths different
ODD = (6, 7)
LONG = ((2080, 4), (510, 4))  # float16 tells positions apart up to 2048; the second in case the first is refused
LONG_SECONDS = 3.0


@dataclass(frozen=True)
class Table:
    """A table as it was returned: float64 ``values`` (rows, columns), and how coarsely its dtype rounds."""

    call: str
    max_len: int
    d_model: int
    values: np.ndarray
    rounding: float  # half a unit in the last place, relative: 6e-8 for float32, 2**-8 for bfloat16
    transposed: bool = False
    shape: tuple[int, ...] = ()  # as it came, with axes of 1

    def allowed(self, values=None):
        """By how much an honest table in this dtype may differ, cell by cell: its rounding, and angles in float32."""
        values = self.values if values is None else values
        pos = np.arange(len(values))[:, None]
        return 1e-5 + 2e-7 * pos + self.rounding * np.minimum(np.abs(values), 1)

    @property
    def agrees(self):
        """Is it the paper's table, within the rounding of its dtype?"""
        if self.transposed or self.values.shape != (self.max_len, self.d_model):
            return False
        paper = sinusoidal_vectorized(self.max_len, self.d_model)
        return bool((np.abs(self.values - paper) <= self.allowed(paper)).all())

    @property
    def turned(self):
        """The same, with rows and columns exchanged."""
        return replace(self, values=self.values.T, max_len=self.d_model, d_model=self.max_len, transposed=False)


@dataclass(frozen=True)
class NoTable:
    """What came instead of a table at one size. ``excused``: no time, or a refusal, says nothing of the numbers."""

    finding: Finding | None = None  # None: nobody asked
    stopped: bool = False  # by an error, and not by a result that is no table
    excused: bool = False


NOT_ASKED = NoTable(excused=True)


@dataclass(frozen=True)
class Tables:
    """What a function gave when it was called with several sizes."""

    short: tuple[Table, ...]
    odd: Table | NoTable
    long: Table | NoTable
    repeated: bool = True
    notes: tuple[Finding, ...] = ()

    @property
    def all(self):
        return [table for table in (*self.short, self.odd, self.long) if isinstance(table, Table)]

    @property
    def far(self):
        """The long table, or None."""
        return self.long if isinstance(self.long, Table) else None

    @property
    def worst(self):
        """The first table that is wrong, the small ones first."""
        return next((table for table in self.all if not table.agrees), self.short[0])

    @property
    def numbers_right(self):
        """The paper's own numbers at every size where there is a table, odd widths left out."""
        long = isinstance(self.long, Table) or self.long.excused
        return self.repeated and long and all(table.agrees for table in self.all if table is not self.odd)

    @property
    def right(self):
        """The paper's own table at every size, within the rounding of its dtype."""
        return self.numbers_right and isinstance(self.odd, Table) and self.odd.agrees

    def rounded(self, rounding):
        """The same tables, taken as rounded so coarsely."""

        def coarse(table):
            return replace(table, rounding=rounding) if isinstance(table, Table) else table

        return replace(self, short=tuple(map(coarse, self.short)), odd=coarse(self.odd), long=coarse(self.long))


def look(ask, far=LONG):
    """The `Tables` of all sizes; `Failed` when the even widths give none. NotImplementedError leaves the first call."""
    first, traces = ask(*SHORT[0], seed=1)
    short = [first]
    for size in SHORT[1:]:
        table = attempt(ask, *size, seed=1)
        if isinstance(table, NoTable):
            raise Failed(table.finding)
        short.append(table)
    odd, long = attempt(ask, *ODD), NOT_ASKED
    if isinstance(odd, Table) and not odd.agrees:  # at one length an odd width may fit by chance
        other = attempt(ask, ODD[0] - 1, ODD[1])
        odd = other if isinstance(other, NoTable) and other.stopped else odd
    for size in far:
        long = attempt(ask, *size, seconds=LONG_SECONDS)
        if isinstance(long, Table):
            break
    again, traces_again = ask(*SHORT[0], seed=2)
    repeated = np.array_equal(first.values, again.values)
    return Tables(tuple(short), odd, long, repeated, tuple(traces_findings(traces, traces_again)))


def attempt(ask, *sizes, **how):
    """What ``ask`` reads, a `Table`, or a `NoTable`. NotImplementedError is a refusal here: another size worked."""
    try:
        return ask(*sizes, **how)[0]
    except Failed as failed:
        slow = failed.finding.id == "too-slow"
        return NoTable(failed.finding, stopped=failed.finding.id == "raises", excused=slow)
    except NotImplementedError as error:
        finding = raises(f"the call with the sizes {', '.join(map(str, sizes))}", error)
        return NoTable(finding, stopped=True, excused=True)
