"""Whatever a function returned, as an array of float64 numbers, or a finding that says what came instead.

Plain values are read without a guard: nobody else's code runs when their numbers are read.
"""

import inspect
import sys
from contextlib import suppress

import numpy as np

from .guard import Failed, run
from .mistakes import found
from .state import loaded_torch

PLAIN = (bool, int, float, str, type(None), np.float64, np.float32, np.int64)
SMALL = 24  # what an answer holds at most, if it is written by hand


class NoNumbers(ValueError):
    """``id`` of a mistake, and what came instead of numbers."""

    def __init__(self, id, what):
        super().__init__(what)
        self.id = id


def plain(value):
    """Is it of a type of Python, NumPy or torch itself?"""
    if type(value) is np.ndarray:
        return value.dtype.kind != "O"
    return type(value) in PLAIN or ((torch := loaded_torch()) is not None and type(value) is torch.Tensor)


def written_by_hand(value, depth=3):
    """Is it plain, or a small list of what is? Of a large one it would take longer to know than to guard it."""
    if type(value) not in (list, tuple):
        return plain(value) if depth == 3 else type(value) in PLAIN
    return depth > 0 and len(value) <= SMALL and all(written_by_hand(part, depth - 1) for part in value)


def as_numbers(value):
    """``value`` (array, tensor, number, nested lists) as a float64 array; ValueError when it holds no real numbers."""
    try:
        return _numbers_in(value) if written_by_hand(value) else run("reading a value", _numbers_in, value)
    except (Failed, NotImplementedError, OverflowError, RuntimeError, TypeError, ValueError):
        raise ValueError(f"no numbers: {type(value).__name__}") from None


def to_array(call, value):
    """``value`` as a finite float64 array, and the rounding of the dtype it came in; `Failed` when it is no table.

    The value may be an object of the code under test, so that even looking at it is guarded.
    """
    if plain(value):
        return _table_of_numbers(call, value)
    return run(f"reading what {call} gave", _table_of_numbers, call, value)


def _table_of_numbers(call, value):
    try:
        _refuse_what_is_no_table(value)
        array = _numbers_in(value, whole=False)
        _refuse_what_is_not_finite(array)
    except NoNumbers as problem:
        raise Failed(found(problem.id, f"{call} gave {problem}")) from None
    return array, _rounding(getattr(value, "dtype", None))


def _refuse_what_is_no_table(value):
    kind = type(value).__name__
    if value is None:
        raise NoNumbers("none", "None")
    if inspect.iscoroutine(value):
        value.close()  # or Python warns that nobody awaited it
    if inspect.isgenerator(value) or inspect.isasyncgen(value) or inspect.iscoroutine(value):
        raise NoNumbers("generator", f"a {kind}")
    if is_tensor(value) and value.is_meta:
        raise NoNumbers("no-table", 'a tensor on the device "meta", which holds no numbers')
    if is_module(value):
        raise NoNumbers("no-table", f"a module ({kind}), not the table; call the module")
    if not hasattr(value, "__array__") and not isinstance(value, (list, tuple)) and not is_tensor(value):
        raise NoNumbers("no-table", kind)
    if isinstance(value, (list, tuple)):  # NumPy's own message about rows of different lengths explains little
        sized = [len(row) for row in value if isinstance(row, (list, tuple)) or getattr(row, "ndim", 0)]
        if len(sized) == len(value) and len(set(sized)) > 1:
            raise NoNumbers("ragged", "rows of different lengths")


def _refuse_what_is_not_finite(array):
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        kinds = "NaN" if np.isnan(array).any() else "infinite"
        place = ", ".join(map(str, bad[0].tolist()))
        raise NoNumbers("not-finite", f"{len(bad)} cells of {array.size} that are {kinds}; the first is [{place}]")


def _numbers_in(value, whole=True):
    """``value`` as a float64 array; `NoNumbers` for others than real ones, and unless ``whole`` for whole ones."""
    array = _array(value)
    kind, cells = array.dtype.kind, array.ravel() if array.dtype.kind == "O" else ()
    if kind == "c":
        raise NoNumbers("complex", "complex numbers")
    if kind in "iub" and array.size and not whole:
        shown = ", ".join(map(str, array.reshape(-1)[:6].tolist()))
        raise NoNumbers("integers", f"whole numbers ({array.dtype}): {shown}, …")
    # Of text, dates, None and masked cells NumPy would make numbers.
    text = any(cell is None or isinstance(cell, (str, bytes)) for cell in cells)
    masked = "numpy.ma" in sys.modules and np.ma.is_masked(value)  # who has masked cells has loaded it
    if not (text or kind in "USMmV" or masked):
        with suppress(TypeError, ValueError):
            return array.astype(np.float64)
    raise NoNumbers("no-table", f"{type(value).__name__}, which does not hold numbers only")


def is_tensor(value):
    torch = loaded_torch()
    return torch is not None and isinstance(value, torch.Tensor)


def is_module(value):
    torch = loaded_torch()
    return torch is not None and isinstance(value, torch.nn.Module)


def _array(value):
    """``value`` as a NumPy array, of whatever dtype."""
    if isinstance(value, (list, tuple)) and any(map(is_tensor, value)):
        value = [_array(row) if is_tensor(row) else row for row in value]
    if is_tensor(value):
        torch = loaded_torch()
        value = value.detach()
        value = value.to_dense() if value.layout is not torch.strided else value
        value = value.cpu().resolve_conj().resolve_neg()
        value = (value.double() if value.is_floating_point() else value).numpy()
    return np.asarray(value)


def _rounding(dtype):
    """Half a unit in the last place of a floating-point dtype, relative to the number; float64 for everything else."""
    torch = loaded_torch()
    if torch is not None and isinstance(dtype, torch.dtype) and dtype.is_floating_point:
        return torch.finfo(dtype).eps / 2
    if isinstance(dtype, np.dtype) and dtype.kind == "f":
        return float(np.finfo(dtype).eps) / 2
    return 2.0**-53
