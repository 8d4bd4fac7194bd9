"""Why is this not the paper's table? The mistakes that give these very numbers, or else facts about them."""

from dataclasses import replace

import numpy as np

from ..vectorized import sinusoidal_vectorized
from .catalogue import found
from .evidence import facts, reordered
from .hypothesis import Hypothesis
from .naming import name
from .odd import odd_findings
from .precision import ROUNDING, find_half_precision, half_dtype
from .result import Finding
from .search import Match, fits, search
from .tables import Table, agrees


def explain(tables):
    """The findings: mistakes that together give these very numbers, or else facts about them."""
    short, worst, in_half = tables.short, tables.worst, None
    if not tables.repeated:
        return (found("not-repeatable", f"two calls of {short[0].call} differ"),)
    if all(map(agrees, short)):
        match = Match(Hypothesis(), (1.0,) * len(short))
    elif _argument_order(short):
        return _argument_order(short)
    else:
        match = search(short)
        if match is None and (in_half := half_dtype(short)):
            tables = _in_dtype(tables, in_half)
            match = search(tables.short)
    if match is None or not _holds_far_out(match, tables):
        half = _half_precision(match, tables)
        if half:
            return tuple(half + odd_findings(tables.odd, None))
    match = match or search(tables.short, rare=True)
    if match and not match.hypothesis.ids() and not in_half and not all(map(agrees, short)):
        match = None  # near the paper's table, and not it
    findings = name(match, short) if match else []
    if match and in_half:
        findings.append(found("rounded", f"every number is one that {in_half} can hold; otherwise the table fits"))
    if match and not _holds_far_out(match, tables):
        findings += _far_out(match, tables)
    findings += odd_findings(tables.odd, match.hypothesis if match else None)
    if match is None or not findings:
        findings = _unlisted(worst) + findings
    return tuple(findings)


def _unlisted(table):
    order = reordered(table)
    return [found("permuted", order) if order else found("unlisted", "; ".join(facts(table)))]


def _argument_order(short):
    """The table is right for the two sizes the other way round."""
    for table in short:
        if not table.transposed:
            return None
        paper = sinusoidal_vectorized(table.d_model, table.max_len)
        if not (np.abs(table.values.T - paper) <= table.allowed(paper)).all():
            return None
    table = short[0]
    evidence = f"{table.call} gave the paper's table for max_len = {table.d_model} and d_model = {table.max_len}"
    return (found("argument-order", evidence),)


def _in_dtype(tables, dtype):
    """The same tables, taken as rounded to ``dtype``."""

    def as_rounded(table):
        return replace(table, rounding=ROUNDING[dtype]) if isinstance(table, Table) else table

    short = tuple(map(as_rounded, tables.short))
    return replace(tables, short=short, odd=as_rounded(tables.odd), long=as_rounded(tables.long))


def _holds_far_out(match, tables):
    if not isinstance(tables.long, Table):
        return tables.long.id in ("too-slow", "refused")
    return fits(match.hypothesis, tables.long, least=0.0) is not None


def _half_precision(match, tables):
    if not isinstance(tables.long, Table):
        return []
    known = match.hypothesis if match else None
    half = find_half_precision([*tables.short, tables.long], known)
    if half is None:
        return []
    evidence = f"every angle is one that {half.dtype} gives"
    if half.same_rows:
        evidence += f"; positions {half.same_rows[0]} and {half.same_rows[1]} have one and the same row"
    scales = tuple([half.hypothesis.scale] * len(tables.short))
    others = name(Match(half.hypothesis, scales), tables.short)
    return [found("low-precision", evidence), *others]


def _far_out(match, tables):
    """What is wrong at far positions only."""
    if match is None:
        return []
    if isinstance(tables.long, Finding):
        return [found("long-positions", tables.long.evidence)]
    long = tables.long
    expected = match.hypothesis.build(long.max_len, long.d_model)
    wrong = np.abs(long.values - expected) > long.allowed(expected) + 1e-4
    if not wrong.any():
        return []
    pos, j = np.argwhere(wrong)[0]
    evidence = (
        f"in {long.call} row {pos} is the first that differs: column {j} is "
        f"{long.values[pos, j]:.4g}, {expected[pos, j]:.4g} is wanted"
    )
    return [found("long-positions", evidence)]
