"""The table that a layer adds, taken out of its outputs, and whether it is added at every shape."""

from dataclasses import replace

import numpy as np

from .addition import coefficient
from .catalogue import found
from .evidence import show
from .explain import explain
from .result import Finding
from .run import Failed
from .shapes import TOLERANCE
from .state import Traces
from .table import is_right, look
from .tables import Table, Tables


def tables_of(subject, how):
    """The layer's own `Tables`, the finding that came instead, or None when no table can be told apart."""
    if how.pattern not in ("position", "batch-axis", "multiplied", "no-slice", "slice-by-batch"):
        return None

    def ask(max_len, d_model, seed=0, seconds=None):
        if how.pattern == "slice-by-batch" and max_len > 16:  # x would have max_len² tokens
            raise Failed(Finding("refused", ""))
        return table_of(subject, how, max_len, d_model, seed), Traces()

    try:
        return look(ask)
    except Failed as failed:
        return failed.finding


def about_table(tables):
    """The findings about what `tables_of` gave."""
    if not isinstance(tables, Tables):
        return [tables] if tables else []
    if is_right(tables):
        return []
    note = []
    if isinstance(tables.odd, Finding):
        # A layer for even widths is what most people want, so this does not count against it; for a table it does.
        note = [found("odd-crash", tables.odd.evidence, kind="note")]
        tables = replace(tables, odd=tables.short[0])
    if isinstance(tables.long, Finding):
        tables = replace(tables, long=Finding("refused", ""))  # `past_the_end` looks at lengths
    return note if is_right(tables) else [*explain(tables), *note]


def every_shape(responses, how, table):
    """The sum must hold at every shape, not only at the one looked at first; ``table`` is (rows, d_model)."""
    for response in responses:
        if not response.fits:
            finding = response.finding or found("other-shape", f"{response.call} gave the shape {response.out.shape}")
            return [found("some-shapes", f"{finding.evidence}; other shapes work")]
        length = min(response.x.shape[1], len(table))
        off = np.abs((response.out - how.a * response.x)[:, :length] - table[:length])
        if off.max() > 10 * TOLERANCE:
            return [
                found(
                    "some-shapes",
                    f"for {response.call} the sum is off by up to "
                    f"{show(off.max())}{_first_token(response, how, table)}",
                )
            ]
    return []


def _first_token(response, how, table):
    added = response.out[0, 0] - how.a * response.x[0, 0]
    near = [pos for pos in range(1, len(table)) if np.allclose(table[pos], added, atol=1e-3)]
    return f": its first token gets the row of position {near[0]}" if near else ""


def table_of(subject, addition, max_len, d_model, seed=0):
    """The table that a new layer adds, as a `Table`; `Failed` when it cannot be had."""
    batch, length = {"batch-axis": (max_len, 2), "slice-by-batch": (max_len, max_len)}.get(
        addition.pattern, (2, max_len)
    )
    call = f"the layer's table (max_len={max_len}, d_model={d_model})"
    layer = subject.make(d_model, max_len, seed)
    one = subject.ask(layer, batch, length, d_model)
    two = subject.ask(layer, batch, length, d_model, seed=1)
    for response in (one, two):
        if not response.fits:
            raise Failed(
                response.finding or found("other-shape", f"{response.call} gave the shape {response.out.shape}")
            )
    if addition.pattern == "multiplied":
        values = (one.out * one.x + two.out * two.x).sum(0) / (one.x**2 + two.x**2).sum(0)
    else:
        rest = one.out - coefficient(one, two) * one.x
        values = rest[:, 0] if addition.pattern == "batch-axis" else rest[0]
    return Table(call, max_len, d_model, values, 6e-7)  # float32, and an x of a few units was subtracted
