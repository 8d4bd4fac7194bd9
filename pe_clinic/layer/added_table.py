"""The table that a layer adds, or returns, taken out of its outputs."""

from dataclasses import replace

import numpy as np

from pe_lib.vectorized import sinusoidal_vectorized

from ..sandbox.guard import Failed
from ..sandbox.state import Traces
from ..table.alterations import TRANSPOSED
from ..table.explain import explain
from ..table.look import LONG, NOT_ASKED, NoTable, Table, Tables, look
from ..table.odd import refusal
from .combining import coefficient
from .cuts import OTHER_SHAPE
from .subject import D_MODEL, MAX_LEN

HAS_TABLE = ("position", "encoding", "batch-axis", "batch-square", "multiplied", "no-slice", "slice-by-batch")
SQUARE = ("batch-square", "slice-by-batch")  # read where the batch is as large as the length


def tables_of(subject, how):
    """The layer's own `Tables`; a `NoTable` when it stops at another size, None when no table can be told apart."""
    if how.pattern not in HAS_TABLE:
        return None

    def ask(max_len, d_model, seed=0, seconds=None):
        return table_of(subject, how, max_len, d_model, seed), Traces()

    try:
        return look(ask, far=() if how.pattern in SQUARE else LONG)  # x would have max_len² tokens
    except Failed as failed:
        square = rows_of(subject, how, MAX_LEN)
        paper = sinusoidal_vectorized(MAX_LEN, D_MODEL)
        if square is None or not np.allclose(square, paper.T, atol=1e-4):
            return NoTable(failed.finding)
        seen = f"at length {MAX_LEN} token n gets column n of the table; a length that is not d_model stops it"
        return NoTable(TRANSPOSED.found(seen))


def rows_of(subject, how, max_len=MAX_LEN + 1):
    """The first rows of the table of a layer with room for them; None when it gives none."""
    try:
        return table_of(subject, how, max_len, D_MODEL).values
    except Failed:
        return None


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
    """The table that a new layer adds, as a `Table`; `Failed` when it cannot be had."""
    batch = max_len if how.pattern in ("batch-axis", *SQUARE) else 2
    length = 2 if how.pattern == "batch-axis" else max_len
    call = f"the layer's table (max_len={max_len}, d_model={d_model})"
    made = subject.make(d_model, max_len, seed)
    one, two = (subject.ask(made, batch, length, seed=x) for x in (0, 1))
    for response in (one, two):
        if response.out is None or (response.rows is None if how.pattern == "encoding" else not response.fits):
            shape = getattr(response.out, "shape", None)
            raise Failed(response.finding or OTHER_SHAPE.found(f"{response.call} gave the shape {shape}"))
    return Table(call, max_len, d_model, _rows(one, two, how), 6e-7)  # float32, and an x of a few units was subtracted


def _rows(one, two, how):
    if how.pattern == "encoding":
        return one.rows
    if how.pattern == "multiplied":
        return (one.out * one.x + two.out * two.x).sum(0) / (one.x**2 + two.x**2).sum(0)
    rest = one.out - coefficient(one, two) * one.x
    return rest[:, 0] if how.pattern in ("batch-axis", "batch-square") else rest[0]
