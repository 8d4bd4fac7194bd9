"""Is this the sinusoidal table, and if not, what is it? Ask for tables, look, explain, say."""

import inspect
from collections.abc import Callable

import numpy as np

from pe_lib.vectorized import sinusoidal_vectorized

from ..calling.calling import in_order
from ..law.half import HALVES
from ..sandbox.guard import Failed, watch
from ..sandbox.values import to_array
from ..saying.heatmap import draw
from ..saying.result import Diagnosis, say
from .distances import of_distances
from .explain import explain
from .grid import diagnose_grid, of_places
from .look import Table, look
from .odd import odd_findings
from .words import found

SIZES = ("max_len", "d_model")
AS_ASKED = [(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in SIZES]
PERHAPS_A_GRID = ("shape", "not-finite", "raises", "arguments", "unlisted", "permuted", "other-frequencies")


@np.errstate(all="ignore")
def diagnose_table(function: Callable, expect: str | None = None) -> Diagnosis:
    """Name what is wrong with the table that ``function(max_len, d_model)`` returns; a `Diagnosis`.

    The function may return an array, a tensor or nested lists, of shape (max_len, d_model) or (1, max_len, d_model).
    A table for two axes, as pictures have it, may come from function(side, d_model), function(patches, d_model) or
    function(height, width, d_model), as (patches, d_model), (height, width, d_model) or (d_model, height, width).
    Of frames, height and width it may come as (frames, height, width, d_model), or in one axis.
    A right table of shape (max_len, 1, d_model), or one that refuses odd widths, is not ``ok``; ``usage`` says so.
    ``expect`` names the intended design in the words of ``.convention``, such as "halves": then ``ok`` is True for it
    alone.

    >>> from pe_lib import sinusoidal_vectorized
    >>> diagnose_table(sinusoidal_vectorized)
    Right.
    >>> diagnose_table(lambda max_len, d_model: sinusoidal_vectorized(max_len, d_model, base=1000)).findings[0].title
    'The base is not 10000.'
    """
    return _diagnose(function).expecting(expect)


def _diagnose(function):
    if not callable(function):
        return say([found("no-function", f"it is a {type(function).__name__}")])
    try:
        tables = look(_asker(_of_sizes(function)))
    except Failed as failed:
        sized = _of_sizes(function) if failed.finding.id == "shape" else None
        diagnosis = (sized and (of_distances(sized, _diagnose) or of_places(sized))) or say([failed.finding])
    else:
        diagnosis = conclude(tables)
    if not any(finding.id in PERHAPS_A_GRID for finding in diagnosis.findings):
        return diagnosis
    try:
        return diagnose_grid(function) or diagnosis
    except Failed as failed:
        return say([failed.finding])


def _of_sizes(function):
    """``function`` itself where it takes max_len and d_model by these names; else their names have to be read."""
    try:
        named = [(p.name, p.kind) for p in inspect.signature(function).parameters.values()] == AS_ASKED
    except Exception:  # some built-in functions have none, and an object may raise when it is looked at
        named = False
    return function if named else in_order(function, SIZES)


def _asker(function):
    """A way to `look` at ``function(max_len, d_model)``: from two sizes to a `Table` and what the call left behind."""

    def ask(max_len, d_model, **how):
        call = f"function(max_len={max_len}, d_model={d_model})"
        ran = watch(call, function, max_len, d_model, **how)
        return Table(call, max_len, d_model, *_read(call, ran.value, max_len, d_model)), ran.traces

    return ask


def _read(call, value, max_len, d_model):
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
    said = f"{call} gave the shape {array.shape}, expected ({max_len}, {d_model}){hint}"
    if (rows, columns) == (max_len, d_model // 2) and np.allclose(array, np.outer(np.arange(rows), array[1])):
        raise Failed(found("shape, of angles", said))
    if array.shape == (d_model, d_model) and np.allclose(array @ array.T, np.eye(d_model), atol=1e-4):
        raise Failed(found("shape, of a matrix", said))
    raise Failed(found("shape", said))


def _hint(array, max_len, d_model):
    if array.size == max_len * d_model:
        return "; the number of cells is right"
    if array.ndim == 2 and array.shape[1] == d_model:
        return f"; {array.shape[0]} rows for {max_len} positions"
    return ""


def conclude(tables) -> Diagnosis:
    """From tables to the `Diagnosis`; the verdict does not depend on whether the mistake can be named."""
    table = tables.short[0]
    lone = len(table.shape) == 3 and table.shape[1] == 1 != table.shape[0]
    beside = [found("lone-axis", f"{table.call} gave the shape {table.shape}")] if lone else []
    beside += [found("half-table", f"{table.call} gave {half}") for half in HALVES if half.rounding == table.rounding]
    beside += tables.notes
    if tables.right:
        return say(beside, ok=not lone)
    findings = odd_findings(tables.odd) if tables.numbers_right else explain(tables)
    return say([*findings, *beside], picture=picture_of(tables))


def picture_of(tables):
    """Where the first wrong table differs, or None when there is nothing to draw."""
    table = tables.worst
    if table is tables.long or table.agrees or table.values.shape != (table.max_len, table.d_model):
        return None
    return draw(table.values, sinusoidal_vectorized(table.max_len, table.d_model), table.call)
