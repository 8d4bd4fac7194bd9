"""Is this the sinusoidal table, and if not, what is it?"""

from dataclasses import replace

import numpy as np

from ..vectorized import sinusoidal_vectorized
from .calling import in_order
from .catalogue import CONVENTIONS, found
from .explain import explain
from .picture import draw
from .result import Diagnosis, Finding
from .run import Failed, raises, watch
from .tables import Table, Tables, agrees, read
from .traces import traces_findings

SHORT = ((5, 8), (7, 6), (9, 16))  # (max_len, d_model): never equal, three pairs or more, all widths different
ODD = (6, 7)
LONG = ((2080, 4), (510, 4))  # float16 tells positions apart up to 2048; the second in case the first is refused
LONG_SECONDS = 3.0


@np.errstate(all="ignore")
def diagnose_table(function):
    """Name what is wrong with the table that ``function(max_len, d_model)`` returns; a `Diagnosis`.

    The function may return an array, a tensor or nested lists, of shape (max_len, d_model) or (1, max_len, d_model).
    """
    if not callable(function):
        return Diagnosis(False, (found("no-function", f"it is a {type(function).__name__}"),))
    try:
        tables = look(asker(in_order(function, ("max_len", "d_model"))))
    except Failed as failed:
        return Diagnosis(False, (failed.finding,))
    return conclude(tables)


def conclude(tables):
    """From tables to the `Diagnosis`; the verdict does not depend on whether the mistake can be named."""
    if is_right(tables):
        return Diagnosis(True, tables.notes)
    findings = explain(tables)
    return Diagnosis(False, (*findings, *tables.notes), convention_in(findings), picture_of(tables))


def convention_in(findings):
    return next((finding.id for finding in findings if finding.id in CONVENTIONS), None)


def asker(function):
    """A way to `look` at ``function(max_len, d_model)``: from two sizes to a `Table` and what the call left behind."""

    def ask(max_len, d_model, **how):
        call = f"function(max_len={max_len}, d_model={d_model})"
        ran = watch(call, function, max_len, d_model, **how)
        return read(call, ran.value, max_len, d_model), ran.traces

    return ask


def look(ask):
    """The `Tables` of all sizes; `Failed` when the even widths give none."""
    first, traces = ask(*SHORT[0], seed=1)  # NotImplementedError leaves here: not attempted
    short = [first]
    for size in SHORT[1:]:
        table = _attempt(ask, *size, seed=1)
        if isinstance(table, Finding):
            raise Failed(table)
        short.append(table)
    odd = _attempt(ask, *ODD)
    for size in LONG:
        long = _attempt(ask, *size, seconds=LONG_SECONDS)
        if isinstance(long, Table):
            break
    again, traces_again = ask(*SHORT[0], seed=2)
    repeated = np.array_equal(first.values, again.values)
    return Tables(tuple(short), odd, long, repeated, tuple(traces_findings(traces, traces_again)))


def _attempt(ask, max_len, d_model, **how):
    """A `Table`, or the finding that came instead. NotImplementedError is a refusal here: another size worked."""
    try:
        return ask(max_len, d_model, **how)[0]
    except Failed as failed:
        return failed.finding
    except NotImplementedError as error:
        return replace(raises(f"the call with max_len={max_len}, d_model={d_model}", error), id="refused")


def is_right(tables):
    """The paper's own table at every size, within the rounding of its dtype."""
    return (
        tables.repeated
        and isinstance(tables.odd, Table)
        and (isinstance(tables.long, Table) or tables.long.id in ("too-slow", "refused"))
        and all(map(agrees, tables.all))
    )


def picture_of(tables):
    """Where the first wrong table differs, or None when there is nothing to draw."""
    table = tables.worst
    if table is tables.long or table.values.shape != (table.max_len, table.d_model):
        return None
    return draw(table.values, sinusoidal_vectorized(table.max_len, table.d_model), table.call)
