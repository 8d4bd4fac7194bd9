"""What a table does at an odd width, once it is known what it does at even ones."""

from dataclasses import replace

from .catalogue import found
from .evidence import facts, row
from .hypothesis import Hypothesis
from .search import fits
from .tables import Table


def odd_findings(odd, hypothesis):
    """Findings about ``odd``, a `Table` of odd width or the finding that came instead of one.

    For a convention they are notes: the libraries that follow it treat odd widths in several ways, or not at all.
    """
    findings = _findings(odd, hypothesis)
    convention = hypothesis is not None and hypothesis.halves
    return [replace(finding, kind="note") for finding in findings] if convention else findings


def _findings(odd, hypothesis):
    if not isinstance(odd, Table):
        return [found("odd-crash", odd.evidence)] if odd.id in ("raises", "refused") else [odd]
    columns = odd.values.shape[1]
    if columns != odd.d_model:
        return [found("odd-width", f"{odd.call} gave {columns} columns")]
    if hypothesis is None or fits(hypothesis, odd) is not None:
        return []
    return [found("odd-differs", _how(odd, hypothesis))]


def _how(odd, hypothesis):
    if not odd.values[:, -1].any():
        return f"in {odd.call} the last column is all zero"
    if hypothesis == Hypothesis():
        return f"in {odd.call} {facts(odd)[0]}"
    return f"{odd.call} does not follow the same rule; its row 1 is {row(odd.values[1], odd.d_model)}"
