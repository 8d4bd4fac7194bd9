"""From whatever a function returned to a float64 array, or to a finding that says what it returned instead."""

import inspect
from dataclasses import dataclass

import numpy as np
import torch

from ..vectorized import sinusoidal_vectorized
from .catalogue import found
from .result import Finding
from .run import Failed, run


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


def to_array(call, value):
    """``value`` as a finite float64 array, and the rounding of the dtype it came in."""
    _refuse_what_is_no_table(call, value)
    rounding = _rounding(getattr(value, "dtype", None))
    array = run(f"reading what {call} gave", _convert, value) if not _is_ragged(value) else None
    if array is None:
        raise Failed(found("ragged", f"{call} gave rows of different lengths"))
    if np.iscomplexobj(array):
        raise Failed(found("complex", f"{call} gave complex numbers"))
    if array.dtype.kind in "iub" and array.size:
        shown = ", ".join(map(str, array.reshape(-1)[:6].tolist()))
        raise Failed(found("integers", f"{call} gave whole numbers ({array.dtype}): {shown}, …"))
    try:
        array = array.astype(np.float64)
    except (TypeError, ValueError):
        raise Failed(
            found("no-table", f"{call} gave {type(value).__name__}, which does not hold numbers only")
        ) from None
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        kinds = "NaN" if np.isnan(array).any() else "infinite"
        place = ", ".join(map(str, bad[0].tolist()))
        raise Failed(
            found(
                "not-finite", f"{call} gave {len(bad)} cells of {array.size} that are {kinds}; the first is [{place}]"
            )
        )
    return array, rounding


def _refuse_what_is_no_table(call, value):
    if value is None:
        raise Failed(found("none", f"{call} gave None"))
    if inspect.isgenerator(value) or inspect.isasyncgen(value) or inspect.iscoroutine(value):
        if inspect.iscoroutine(value):
            value.close()  # or Python warns that nobody awaited it
        raise Failed(found("generator", f"{call} gave a {type(value).__name__}"))
    if isinstance(value, torch.Tensor) and value.is_meta:
        raise Failed(found("no-table", f'{call} gave a tensor on the device "meta", which holds no numbers'))
    if isinstance(value, torch.nn.Module):
        raise Failed(
            found("no-table", f"{call} gave a module ({type(value).__name__}), not the table; call the module")
        )
    if not hasattr(value, "__array__") and not isinstance(value, (list, tuple, torch.Tensor)):
        raise Failed(found("no-table", f"{call} gave {type(value).__name__}"))


def _is_ragged(value):
    """Lists of rows of different lengths; NumPy's own message about them explains little."""
    if not isinstance(value, (list, tuple)):
        return False
    sized = [len(row) for row in value if isinstance(row, (list, tuple)) or getattr(row, "ndim", 0)]
    return len(sized) == len(value) and len(set(sized)) > 1


def _convert(value):
    if isinstance(value, (list, tuple)) and any(isinstance(row, torch.Tensor) for row in value):
        value = [row.tolist() if isinstance(row, torch.Tensor) else row for row in value]
    if isinstance(value, torch.Tensor):
        value = value.detach()
        value = value.to_dense() if value.layout is not torch.strided else value
        value = value.cpu().resolve_conj().resolve_neg()
        value = (value.double() if value.is_floating_point() else value).numpy()
    return np.asarray(value)


def _rounding(dtype):
    """Half a unit in the last place of a floating-point dtype, relative to the number; float64 for everything else."""
    if isinstance(dtype, torch.dtype) and dtype.is_floating_point:
        return torch.finfo(dtype).eps / 2
    if isinstance(dtype, np.dtype) and dtype.kind == "f":
        return float(np.finfo(dtype).eps) / 2
    return 2.0**-53
