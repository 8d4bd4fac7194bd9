"""What the two factors of out = a·x + c·PE tell about a layer."""

import math
from dataclasses import replace

import numpy as np

from .catalogue import found
from .evidence import show
from .subject import D_MODEL
from .tables import Tables


def about_factors(how, findings, tables):
    """Findings in which a and c stand together; a finding "scaled" about c alone gives way to them."""
    if how.pattern in ("multiplied", "unknown", "missing-colon"):
        return findings
    scaled = [finding for finding in findings if finding.id == "scaled"]
    others = [finding for finding in findings if finding.id != "scaled"]
    a, c = how.a, _factor(tables) if scaled else 1.0
    if how.pattern == "never-added":
        return [found("sqrt-scale", _root(f"out = {a:.2f}·x")), *findings] if _is_root(a) else findings
    seen = f"out = {a:.2f}·x + {c:.2f}·PE at d_model = {D_MODEL}"
    if a == 0:
        return [replace(finding, evidence=seen) for finding in others if finding.id == "only-encoding"] or [
            found("only-encoding", seen),
            *findings,
        ]
    together = math.isclose(a, c, rel_tol=2e-3)  # the sum is multiplied, and not x or PE
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
    """The factor of the first table, from its size: sin² + cos² = 1 in each pair. A row of zeros does not count."""
    if not isinstance(tables, Tables):
        return 1.0
    values = tables.short[0].values
    rows = values[np.abs(values).max(axis=1) > 0]
    return float(np.sqrt((rows**2).sum() / (rows.size / 2)))
