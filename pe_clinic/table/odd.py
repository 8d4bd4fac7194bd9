"""What a table does at an odd width, once it is known what it does at even ones."""

import re
from dataclasses import replace

import numpy as np

from ..saying.words import row
from .hypothesis import Hypothesis
from .look import Table
from .search import fits
from .unlisted import facts
from .words import found

PAPERS = Hypothesis()
OF_ODD_WIDTHS = ("odd-width", "odd-differs")


def odd_findings(odd, hypothesis=PAPERS, gives=None):
    """Findings about ``odd``, a `Table` of odd width or the `NoTable` that came instead; None: no hypothesis is known.

    ``gives(table)``: does ``hypothesis`` give it? The default builds it; what was computed in half precision does not.

    For a convention they are notes: the libraries that follow it treat odd widths in several ways, or not at all. Of a
    table that is right at even widths its caller has to know them.
    """
    convention = hypothesis is not None and hypothesis.layout.halves
    right = hypothesis == PAPERS and gives is None
    gives = gives or (lambda table: hypothesis is None or fits(hypothesis, table) is not None)
    if convention and _padded(odd, gives):
        others = f"the others are the table of width {odd.d_model - 1}"
        return [found("odd-padded", f"in {odd.call} the last column is all zero, {others}")]
    findings = _findings(odd, hypothesis, gives)
    if convention:
        return [replace(f, kind="note", fix="" if f.id == "odd-differs" else f.fix) for f in findings]
    mild = OF_ODD_WIDTHS if right else ()
    return [replace(finding, kind="usage") if finding.id in mild else finding for finding in findings]


def _padded(odd, gives):
    if not isinstance(odd, Table) or odd.values.shape[1] != odd.d_model or odd.values[:, -1].any():
        return False
    return gives(replace(odd, d_model=odd.d_model - 1, values=odd.values[:, :-1]))


def _findings(odd, hypothesis, gives):
    if not isinstance(odd, Table):
        if re.search(r"gave the shape \((\d+), \d+\), expected \(\1, \d+\)", odd.finding.evidence):
            return [found("odd-width", odd.finding.evidence)]
        return [refusal(odd.finding)] if odd.stopped else [odd.finding]
    columns = odd.values.shape[1]
    if columns != odd.d_model:
        return [found("odd-width", f"{odd.call} gave {columns} columns")]
    if gives(odd):
        return []
    if hypothesis and np.allclose(odd.values[:, :-1], hypothesis.build(*odd.values.shape)[:, :-1], atol=1e-3):
        if odd.values[:, -1].any():
            return [found("odd-differs, last", f"in {odd.call} only column {columns - 1} differs")]
    elif np.abs(odd.values[:, -1]).max() > 1e-6:  # what is less is rounding
        return [found("odd-differs", _how(odd, hypothesis))]
    return [found("odd-differs, zero", f"in {odd.call} the last column is all zero")]


def refusal(finding, **changes):
    """An odd width that is refused in so many words is a decision; any other error there is an accident."""
    if re.search(r"\b(odd|even|divisible|multiple)\b", finding.evidence):
        changes = {"explanation": "The code says so itself.", "fix": "", "link": "", **changes}
    elif not (room := _room(finding.evidence)):  # the slices of sines and cosines would say both widths
        changes = {"explanation": "", "fix": "", "link": "", **changes}
    elif room[0] > room[1]:
        return found("odd-crash, one short", finding.evidence, **changes)
    return found("odd-crash", finding.evidence, **changes)


def _room(error):
    """(columns to fill, columns given) in the words of NumPy and of PyTorch; None where the error says neither."""
    if sizes := re.search(r"from shape \(\d+,\s*(\d+)\) into shape \(\d+,\s*(\d+)\)", error):
        return int(sizes[2]), int(sizes[1])
    if sizes := re.search(r"expanded size of the tensor \((\d+)\) must match the existing size \((\d+)\)", error):
        return int(sizes[1]), int(sizes[2])
    return None


def _how(odd, hypothesis):
    if hypothesis == PAPERS:
        return f"in {odd.call} {facts(odd)[0]}"
    return f"{odd.call} does not follow the same rule; its row 1 is {row(odd.values[1], odd.d_model)}"
