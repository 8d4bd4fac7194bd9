"""What a function gave for each of several sizes, as tables of float64 numbers."""

from dataclasses import dataclass

import numpy as np

from ..vectorized import sinusoidal_vectorized
from .catalogue import found
from .result import Finding
from .run import Failed
from .values import to_array


@dataclass(frozen=True)
class Table:
    """A table as it was returned: float64 ``values`` (rows, columns), and how coarsely its dtype rounds."""

    call: str
    max_len: int
    d_model: int
    values: np.ndarray
    rounding: float  # half a unit in the last place, relative: 6e-8 for float32, 2**-8 for bfloat16
    transposed: bool = False

    def allowed(self, values=None):
        """By how much an honest table in this dtype may differ, cell by cell: its rounding, and angles in float32."""
        values = self.values if values is None else values
        pos = np.arange(len(values))[:, None]
        return 1e-5 + 2e-7 * pos + self.rounding * np.minimum(np.abs(values), 1)


@dataclass(frozen=True)
class Tables:
    """What a function gave when it was called with several sizes; a finding where it gave no table."""

    short: tuple[Table, ...]
    odd: Table | Finding
    long: Table | Finding
    repeated: bool = True
    notes: tuple[Finding, ...] = ()

    @property
    def all(self):
        return [table for table in (*self.short, self.odd, self.long) if isinstance(table, Table)]

    @property
    def worst(self):
        """The first table that is wrong, the small ones first."""
        return next((table for table in self.all if not agrees(table)), self.short[0])


def agrees(table):
    """Is it the paper's table, within the rounding of its dtype?"""
    if table.transposed or table.values.shape != (table.max_len, table.d_model):
        return False
    paper = sinusoidal_vectorized(table.max_len, table.d_model)
    return bool((np.abs(table.values - paper) <= table.allowed(paper)).all())


def read(call, value, max_len, d_model):
    """``value`` as a `Table`, with a leading axis of 1 dropped and a transposed table turned back; or `Failed`."""
    array, rounding = to_array(call, value)
    if array.ndim == 3 and array.shape[0] == 1:
        array = array[0]
    rows, columns = array.shape if array.ndim == 2 else (None, None)
    near = (d_model - 1, d_model, d_model + 1) if d_model % 2 else (d_model,)  # odd widths have a check of their own
    if rows == max_len and columns in near:
        return Table(call, max_len, d_model, array, rounding)
    if columns == max_len and rows in near:
        return Table(call, max_len, d_model, array.T, rounding, transposed=True)
    raise Failed(
        found(
            "shape",
            f"{call} gave the shape {array.shape}, expected ({max_len}, {d_model}){_hint(array, max_len, d_model)}",
        )
    )


def _hint(array, max_len, d_model):
    if array.size == max_len * d_model:
        return "; the number of cells is right"
    if array.ndim == 2 and array.shape[1] == d_model:
        return f"; {array.shape[0]} rows for {max_len} positions"
    return ""
