"""What the two factors of out = a·x + c·PE tell about a layer."""

import math

import numpy as np

from ..saying.words import show
from ..table.look import Tables
from .subject import D_MODEL
from .words import found


def with_factors(how, findings, tables):
    """``findings`` about the table, and those in which a and c stand together; "scaled", about c, gives way to them."""
    if "batch-axis" in {finding.id for finding in findings}:  # which says already that a sample's rows are alike
        findings = [finding for finding in findings if finding.id != "one-row"]
    if how.pattern in ("multiplied", "unknown", "missing-colon"):
        return findings
    others = [finding for finding in findings if finding.id != "scaled"]
    a, c = how.a, _factor(tables) if len(others) < len(findings) else 1.0
    if how.pattern == "encoding":
        return [*findings, found("only-encoding", "the output is the table alone, whatever x is")]
    if how.pattern == "never-added":
        return [found("sqrt-scale", _root(f"out = {a:.2f}·x")), *findings] if _is_root(a) else findings
    seen = f"out = {a:.2f}·x + {c:.2f}·PE at d_model = {D_MODEL}"
    together = math.isclose(a, c, rel_tol=2e-3)  # the sum is multiplied, and not x or PE
    if math.isclose(a, D_MODEL**0.5, rel_tol=2e-3) and c == 1:
        return [*findings, found("sqrt-scale, of x", _root(seen))]
    if _is_root(a):
        return [found("sqrt-scale", _root(seen)), *(others if together else findings)]
    if (a == 1 and math.isclose(c, 2, rel_tol=2e-3)) or (math.isclose(a, 2, rel_tol=2e-3) and c == 1):
        return [found("added-twice", seen), *others]
    if a != 1:
        return [found("scaled-input", seen), *(others if together else findings)]
    return findings


def _is_root(factor):
    """Is it √d_model, its square or its inverse?"""
    return any(math.isclose(factor, D_MODEL**power, rel_tol=2e-3) for power in (0.5, 1, -0.5))


def _root(seen):
    return f"{seen}; √{D_MODEL} is {show(math.sqrt(D_MODEL))}"


def _factor(tables):
    """The factor of the first table: its largest number, as the cosine of a small angle is 1 whatever the exponent."""
    return float(np.abs(tables.short[0].values).max()) if isinstance(tables, Tables) else 1.0
