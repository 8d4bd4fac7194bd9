"""What a table does at an odd width, once it is known what it does at even ones."""

from .catalogue import found
from .evidence import facts, row
from .hypothesis import Hypothesis
from .search import fits
from .values import Table


def odd_findings(odd, hypothesis):
    """Findings about ``odd``, a `Table` of odd width or the finding that came instead of one."""
    if not isinstance(odd, Table):
        return [found("odd-crash", odd.evidence)] if odd.id in ("raises", "refused") else [odd]
    columns = odd.values.shape[1]
    if columns != odd.d_model:
        return [found("odd-width", f"{odd.call} gave {columns} columns")]
    if hypothesis is None or fits(hypothesis, odd) is not None:
        return []
    if hypothesis.exponent.startswith("tensor2tensor") and not odd.values[:, -1].any():
        return []  # tensor2tensor itself pads an odd width with zeros
    return [found("odd-differs", _how(odd, hypothesis))]


def _how(odd, hypothesis):
    if not odd.values[:, -1].any():
        return f"in {odd.call} the last column is all zero"
    if hypothesis == Hypothesis():
        return f"in {odd.call} {facts(odd)[0]}"
    return f"{odd.call} does not follow the same rule; its row 1 is {row(odd.values[1], odd.d_model)}"
