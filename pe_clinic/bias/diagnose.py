"""Is this ALiBi's bias, and if not, what is it?"""

import numpy as np

from ..sandbox.guard import Failed
from ..sandbox.mistakes import found
from ..saying.expecting import takes_expect
from ..saying.result import Diagnosis
from .explain import explain
from .look import look

CALLED = "A bias is looked at by calling it with several numbers of heads and lengths; a finished one shows one only."


@takes_expect
@np.errstate(all="ignore")
def diagnose_alibi(bias):
    """Name what is wrong with ALiBi's bias; a `Diagnosis`.

    bias  bias(heads, length), which returns what is added to the scores: (heads, length, length), (1, heads, length,
          length), or (heads, 1, length) where one row serves all queries; queries down, keys across

    ``ok``: under a causal mask softmax gives the paper's attention (Press et al., 2022). A constant in each row does no
    harm; ``convention`` is then "row-shifted".
    """
    if not callable(bias):
        return Diagnosis(False, (found("no-function", f"it is a {type(bias).__name__}", explanation=CALLED),))
    try:
        biases = look(bias)
    except Failed as failed:
        return Diagnosis(False, (failed.finding,))
    findings = explain(biases)
    if not findings:
        return Diagnosis(True, (), "row-shifted" if _row_shifted(biases) else None)
    mistakes = [finding for finding in findings if finding.kind == "mistake"]
    designs = [finding.title.rstrip(".").lower() for finding in findings if finding.kind == "convention"]
    return Diagnosis(
        False, (*mistakes, *[f for f in findings if f not in mistakes]), ", ".join(designs) or None, kind="bias"
    )


def _row_shifted(biases):
    """Has the query's own position a bias that is not 0?"""
    return any(np.abs(b.values[:, np.arange(len(b.rows)), b.rows]).max() > 1e-6 for b in biases)
