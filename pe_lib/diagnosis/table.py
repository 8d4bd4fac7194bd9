"""Is this the sinusoidal table? Compared with the reference at sizes that no known mistake survives."""

import numpy as np

from ..vectorized import sinusoidal_vectorized
from .numbers import as_numbers
from .result import Diagnosis, Finding
from .run import Failed, run

SIZES = ((5, 8), (7, 6), (6, 7))  # (max_len, d_model): never equal, more than one pair, one odd width
TOLERANCE = 1e-4  # an honest float32 table errs 1.8e-5 at 512 positions


def diagnose_table(function):
    """Compare ``function(max_len, d_model)`` with the paper's table; returns a `Diagnosis`.

    The function may return an array, a tensor or nested lists, of shape (max_len, d_model) or (1, max_len, d_model).
    """
    try:
        for max_len, d_model in SIZES:
            call = f"function(max_len={max_len}, d_model={d_model})"
            table = as_table(call, run(call, function, max_len, d_model), (max_len, d_model))
            compare(call, table, sinusoidal_vectorized(max_len, d_model))
    except Failed as failed:
        return Diagnosis(ok=False, findings=(failed.finding,))
    return Diagnosis(ok=True)


def as_table(call, value, shape):
    """``value`` as a float64 array of ``shape``, or `Failed`."""
    if value is None:
        finding = Finding("none", "The function returns nothing.", f"{call} gave None", fix="end it with a return")
        raise Failed(finding)
    try:
        array = as_numbers(value)
    except ValueError:
        raise Failed(
            Finding("no-array", "The result is not a table of numbers.", f"{call} gave {type(value).__name__}")
        ) from None
    if array.shape == (1, *shape):
        array = array[0]
    if array.shape != shape:
        evidence = f"{call} gave the shape {array.shape}, expected {shape}"
        raise Failed(Finding("shape", "The table has the wrong shape.", evidence))
    return array


def compare(call, table, expected):
    """Raise `Failed`, with the first cell that differs and the columns concerned, unless the tables agree."""
    wrong = ~(np.abs(table - expected) <= TOLERANCE)  # NaN counts as wrong
    if not wrong.any():
        return
    pos, j = np.argwhere(wrong)[0]
    columns = ", ".join(str(column) for column in np.flatnonzero(wrong.any(axis=0)))
    evidence = f"in {call}, row {pos}, column {j} is {table[pos, j]:.4f}; the paper says {expected[pos, j]:.4f}"
    where = f"Columns that differ: {columns}."
    raise Failed(Finding("differs", "The numbers are not the paper's.", evidence, where))
