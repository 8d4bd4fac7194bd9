"""From whatever a function returned to a float64 array, or to a finding that says what came instead."""

import inspect

import numpy as np
import torch

from .catalogue import found
from .numbers import refuse_what_only_reads_like_numbers
from .run import Failed, run


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
        refuse_what_only_reads_like_numbers(value, array)
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
