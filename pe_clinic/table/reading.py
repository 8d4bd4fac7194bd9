"""From whatever a function returned to the numbers of a table (max_len, d_model)."""

from ..sandbox.guard import Failed
from ..sandbox.values import to_array
from .words import found


def read(call, value, max_len, d_model):
    """``value`` as (values, rounding, transposed, shape), without axes of 1 and turned upright; or `Failed`."""
    array, rounding = to_array(call, value)
    shape = array.shape
    if array.ndim == 3 and array.shape[0] == 1:
        array = array[0]
    elif array.ndim == 3 and array.shape[1] == 1:
        array = array[:, 0]
    rows, columns = array.shape if array.ndim == 2 else (None, None)
    near = (d_model - 1, d_model, d_model + 1) if d_model % 2 else (d_model,)  # odd widths have a check of their own
    if rows == max_len and columns in near:
        return array, rounding, False, shape
    if columns == max_len and rows in near:
        return array.T, rounding, True, shape
    hint = _hint(array, max_len, d_model)
    raise Failed(found("shape", f"{call} gave the shape {array.shape}, expected ({max_len}, {d_model}){hint}"))


def _hint(array, max_len, d_model):
    if array.size == max_len * d_model:
        return "; the number of cells is right"
    if array.ndim == 2 and array.shape[1] == d_model:
        return f"; {array.shape[0]} rows for {max_len} positions"
    return ""
