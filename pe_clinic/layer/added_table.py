"""The table that a layer adds, multiplies by, or returns, taken out of its outputs."""

from dataclasses import replace

import numpy as np

from pe_lib.vectorized import sinusoidal_vectorized

from ..sandbox.guard import Failed, attempt
from ..sandbox.traces import Traces
from ..side_effects import ROUNDING
from ..table.explain import explain
from ..table.look import LONG, NOT_ASKED, NoTable, Table, Tables, look
from ..table.odd import refusal
from .combining import coefficient
from .evidence import COLUMNS
from .picks import cells
from .subject import D_MODEL, MAX_LEN
from .words import found

NO_TABLE = ("never-added", "missing-colon")
MOST = 2**14  # tokens in one x


def tables_of(subject, how):
    """The layer's own `Tables`; a `NoTable` when it stops at another size, None when no table can be told apart."""
    if how.pattern == "unknown" or how.entry in NO_TABLE:
        return None
    square = rows_of(subject, how, D_MODEL)
    if square is not None and np.allclose(square, sinusoidal_vectorized(D_MODEL, D_MODEL).T, atol=1e-4):
        return NoTable(found("transposed", f"{COLUMNS}; a length that is not d_model stops it"))

    def ask(max_len, d_model, seed=0, seconds=None):
        return table_of(subject, how, max_len, d_model, seed), Traces()

    _, batch, length = how.pick.shows(*LONG[0])
    seen = length == LONG[0][0] or batch == LONG[0][0]
    try:
        return look(ask, far=LONG if seen and batch * length < MOST else ())
    except Failed as failed:
        return None if how.entry else NoTable(failed.finding)


def rows_of(subject, how, max_len=MAX_LEN + 1):
    """The first rows of the table of a layer with room for them; None when it gives none."""
    table = attempt(table_of, subject, how, max_len, D_MODEL)
    return table and table.values


def about(tables):
    """The findings about what `tables_of` gave."""
    if not isinstance(tables, Tables):
        return [tables.finding] if tables else []
    note = []
    if isinstance(tables.odd, NoTable):
        # A layer for even widths is what most people want, so this does not count against it; for a table it does.
        note = [refusal(tables.odd.finding, kind="note")]
        tables = replace(tables, odd=tables.short[0])
    if isinstance(tables.long, NoTable):
        tables = replace(tables, long=NOT_ASKED)  # what is longer than max_len is looked at elsewhere
    return note if tables.right else [*explain(tables), *note]


def table_of(subject, how, max_len, d_model, seed=0):
    """The table that a new layer adds, as a `Table`, of fewer rows where it never shows more; or `Failed`."""
    max_len, batch, length = how.pick.shows(max_len, d_model)
    made = subject.make(d_model, max_len, seed)
    one, two = (subject.ask(made, batch, length, seed=x) for x in (0, 1))
    alone = how.pattern == "encoding"
    for response in (one, two):
        if response.out is None or (response.rows is None if alone else not response.fits):
            shape = getattr(response.out, "shape", None)
            raise Failed(response.finding or found("other-shape", f"{response.call} gave the shape {shape}"))
    values = one.rows if alone else np.full((max_len, d_model), np.nan)
    if not alone:
        how = how if how.product else replace(how, a=coefficient(one, two))  # √d_model is another at each width
        values.ravel()[cells(how.pick, one.x.shape, max_len)] = how.rest(one, two)
        values = values[~np.isnan(values).any(axis=1)]
    call = f"the layer's table (max_len={max_len}, d_model={d_model})"
    # float32, and an x of a few units was subtracted; half precision only where nothing was.
    return Table(call, len(values), d_model, values, ROUNDING.get(one.dtype, 6e-7))
