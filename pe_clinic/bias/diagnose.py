"""Is this ALiBi's bias, and if not, what is it?"""

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..sandbox.guard import Failed
from ..sandbox.mistakes import found
from ..saying.result import Diagnosis
from .explain import explain, notes
from .fitting import of_one_head, right_rule
from .hidden import masked_wrongly
from .look import look
from .words import MISTAKES, wrong

CALLED = "A bias is looked at by calling it with several numbers of heads and lengths; a finished one shows one only."


@np.errstate(all="ignore")
def diagnose_alibi(bias: Callable, expect: str | None = None) -> Diagnosis:
    """Name what is wrong with ALiBi's bias; a `Diagnosis`.

    bias  bias(heads, length), which returns what is added to the scores: (heads, length, length), (1, heads, length,
          length), (heads, 1, length) where one row serves all queries, or the same with the heads last; queries
          down, keys across

    expect  the intended design, in the words of ``.convention``: then ``ok`` is True for it alone

    ``ok``: under a causal mask softmax gives the paper's attention (Press et al., 2022). ``convention`` names what does
    no harm: "row-shifted" for a constant in each row, "heads last", and "slopes by the authors' code" or "slopes by
    the paper's text" (2^(−8h/n)), which differ for numbers of heads that are no power of two.

    >>> from pe_lib import alibi_bias
    >>> diagnose_alibi(alibi_bias)
    Right. Convention: slopes by the authors' code.
    >>> diagnose_alibi(lambda heads, length: -alibi_bias(heads, length)).findings[0].id
    'bias-sign'
    """
    if not callable(bias):
        return Diagnosis(False, (found("no-function", f"it is a {type(bias).__name__}", explanation=CALLED),))
    try:
        biases, stops = look(bias)
    except Failed as failed:
        return Diagnosis(False, (failed.finding,))
    diagnosis = conclude(biases)
    seen = stops[0].evidence if stops else ""
    one = seen.startswith("bias(1,")
    if getattr(bias, "handed_slopes", False) or (stops and not one):
        diagnosis = _of_any_slopes(diagnosis)
    if stops:
        refused = re.search("(Value|Assertion|NotImplemented)Error" + "|RuntimeError: (?!.* size)" * (not one), seen)
        said = MISTAKES.found("one-head-stop" if one else "heads-stop", seen)
        usage = replace(said, title=said.title.replace("stops for", "refuses"), kind="usage")
        diagnosis = with_more(diagnosis, [usage if refused else said])
    if diagnosis.verdict.main_right:
        diagnosis = with_more(diagnosis, getattr(bias, "beside", list)())
    return diagnosis.expecting(expect)


def _of_any_slopes(diagnosis):
    """``diagnosis``, and not whose the slopes are: they are handed over, or seen for powers of two alone."""
    words = [word for word in (diagnosis.convention or "").split(", ") if not word.startswith("slopes by")]
    findings = tuple(finding for finding in diagnosis.findings if finding.id != "plain-slopes")
    return replace(diagnosis, convention=", ".join(words) or None, findings=findings)


def with_more(diagnosis, findings):
    """``diagnosis`` and what else was found: a mistake, or a usage, of a bias that is right."""
    usage = tuple(finding for finding in findings if finding.kind == "usage")
    others = tuple(finding for finding in findings if finding.kind != "usage")
    ok = diagnosis.ok and not usage and all(finding.kind == "note" for finding in others)
    usage = (*diagnosis.usage, *usage)
    return replace(diagnosis, ok=ok, findings=(*diagnosis.findings, *others), usage=usage)


def conclude(biases):
    """From the biases of several sizes to the `Diagnosis`."""
    if masked := masked_wrongly(biases):
        return wrong(*masked)
    several, seen = of_one_head(biases)
    if rule := right_rule(several):
        words = [rule.convention]
        own = [np.ptp(b.values[:, np.arange(len(b.rows)), b.rows]) for b in biases]  # of the query's position
        words += ["row-shifted"] if max(own) > 1e-6 else []  # by one number throughout nothing is shifted
        words += ["heads last"] if biases[0].heads_last else []
        usage = (MISTAKES.found("one-head-alone", seen),) if seen else ()
        return Diagnosis(not seen, notes(biases, rule), ", ".join(words), kind="bias", usage=usage)
    findings = sorted(explain(biases), key=lambda finding: finding.kind != "mistake")
    designs = [finding.title.rstrip(".").lower() for finding in findings if finding.kind == "convention"]
    return Diagnosis(False, tuple(findings), ", ".join(designs) or None, kind="bias")
