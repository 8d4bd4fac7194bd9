"""From what was seen to findings: the first positions, q against k, the other calls, and what it does besides."""

from dataclasses import replace

import numpy as np

from ..law.naming import as_meant
from . import behaviour
from .far import about_early, about_far, about_growing, repeating, wrong_rows
from .first import explain_first
from .model import compare_near
from .no_rotation import decaying, unlisted
from .pairing import First, of_periods
from .probing import about_axes, about_positions, other_axes
from .rounding import rounded_model
from .words import MISTAKES

# What is seen only because of something else that was found.
EXPLAINS = {
    "heads-for-sequence": {"zero-frequencies", "positions-lost", "no-rotation"},
    "batch-for-sequence": {"zero-frequencies", "positions-lost", "no-rotation", "no-gradient"},
    "divided-by-length": {"linear", "multiplied-by-factor", "turned-twice", "no-gradient"},
    "xpos": {"not-finite"},  # far out what grows is more than a number can hold
    "key-of-query": {"no-gradient"},
    "not-repeatable": {"no-rotation", "no-gradient", "far-positions", "added-to-x", "dtype-of-x", "other-dtype"},
}


def explain(seen):
    """(findings, conventions) of a rotation that is not right: one is a mistake, a design, or a side matter."""
    calls = list(behaviour.about_calls(seen))
    findings = [] if seen.stays else [*calls]  # what the first calls show comes before what changes later ones
    firsts = [_first(seen, which) for which in range(len(seen.near))]
    findings += about_keys(seen, *firsts) if len(firsts) == 2 else firsts[0].findings
    for which, first in enumerate(firsts[:1] if findings else firsts):
        whose = "of the key: " if which else ""
        findings += [replace(f, evidence=whose + f.evidence) for f in _everywhere(seen, first, which)]
        findings += behaviour.about_gradient(first.model, seen, which)
    findings = [*findings, *behaviour.besides(seen), *calls] or [unlisted(seen.near[0])]
    meant = (of_periods(as_meant(finding, seen.numbers), seen.numbers) for finding in findings)
    return _once(meant, {"no-rotation"} if seen.stays else set()), firsts[0].conventions


def _first(seen, which):
    """What the first positions show, or the half precision that they show, or that they begin again."""
    first = explain_first(seen.near[which])
    if "xpos" in _ids(first.findings) and _everywhere(seen, first, which):
        return decaying(seen.near[which], odd=1)
    if first.model is not None and not _ids(first.findings) & {"unknown-frequencies", "no-rotation"}:
        return first
    rounded = rounded_model(seen.near[which], seen, which)
    return First(*rounded, first.conventions) if rounded else repeating(seen.near[which]) or first


def _everywhere(seen, first, which):
    model = first.model
    if model is None or "zero-frequencies" in _ids(first.findings):
        return other_axes(seen, which)
    axes = list(about_axes(model, seen, which))
    findings = axes or about_positions(model, seen, which)
    if _ids(findings) == {"no-rotation"}:
        findings = about_early(model, seen, which) or findings
    if axes:
        return findings
    if not findings or _ids(findings) <= {"single-row-zero", "kept-by-length"}:  # windows have lengths of their own
        findings += _far(model, seen, which)
    if _ids(findings) <= {"single-row-zero", "kept-by-length", "clamped", "zeros-beyond", "unturned-beyond", "wrapped"}:
        below = min((row.position for row in wrong_rows(model, seen, which)), default=float("inf"))
        findings += behaviour.about_half(model, seen, which, below)
    return findings


def _far(model, seen, which):
    findings = about_far(model, seen, which)
    if _ids(findings) == {"far-positions"} and (grown := about_growing(model, seen, which)):
        return grown
    if _ids(findings) == {"far-positions"} and (rounded := rounded_model(seen.near[which], seen, which)):
        return list(rounded[1])
    return findings


def _once(findings, kept):
    """Each id once; what was seen with one head only is not said where the heads explain it, but for ids ``kept``."""
    by_id = {}
    for finding in findings:
        by_id.setdefault(finding.id, finding)
    for cause, effects in EXPLAINS.items():
        if cause in by_id:
            by_id = {id: finding for id, finding in by_id.items() if id not in effects - kept}
    return tuple(by_id.values())


def _ids(findings):
    return {finding.id for finding in findings}


# (which, from the positions of the other to its own, the mistake's id); the first that fits is named.
WAYS = (
    *((which, (0, 0), f"{name}-not-turned") for which, name in ((1, "key"), (0, "query"))),
    *((which, (2, 0), f"{name}-turned-twice") for which, name in ((1, "key"), (0, "query"))),
    (1, (-1, 0), "key-turned-back"),
    *((1, (1, shift), "key-later") for shift in sorted({*range(-16, 17)} - {0}, key=lambda n: (abs(n), -n))),
)


def about_keys(seen, query, key):
    """Findings about the two; those of the first positions are said once where both have them."""
    one, two = (near.matrices for near in seen.near)
    if (out := seen.probes["first"].out[1]).any() and not out[-1].any():  # of zeros, beside a key of length 1
        return [MISTAKES.found("key-of-query", "for q = 0 the key comes back as 0, and k is not 0"), *query.findings]
    if all("xpos" in {f.id for f in first.findings} for first in (query, key)):
        q, k = ("shrink" if np.square(m[-1]).sum() < np.square(m[0]).sum() else "grow" for m in (one, two))
        alike = MISTAKES.found("decays-alike", f"with the position queries {q}, keys {k}")
        return [*([] if (q, k) == ("shrink", "grow") else [alike]), *query.findings]
    if np.abs(one - two).max() < 4e-5:
        return list(query.findings)
    factor = (one * two).sum() / max((one * one).sum(), 1e-9)
    if np.abs(two - factor * one).max() < 4e-5 and query.model is not None:
        return [MISTAKES.found("keys-scaled", f"k is turned like q, and multiplied by {factor:.4g}"), *query.findings]
    named = _named(seen.near, (query, key))
    good = query if query.model is not None else key
    said = {"zero-frequencies", *(() if good is query else ("turned-twice",))}  # what the named mistake says already
    if named:
        return [named, *(finding for finding in good.findings if finding.id not in said)]
    apart = np.abs(one - two).max(axis=(1, 2))
    n = next(n for n in (*range(1, len(one)), 0) if apart[n] >= 4e-5)
    evidence = f"at position {n} the matrices of q and k differ by up to {apart[n]:.3g}"
    rest = {f.id: f for f in (*query.findings, *key.findings) if f.id != "no-rotation"}
    return [MISTAKES.found("keys-unlike", evidence), *rest.values()]


def _named(nears, firsts):
    pos = np.arange(len(nears[0].matrices))
    for which, (times, shift), id in WAYS:
        model, near = firsts[1 - which].model, nears[which]
        if model is None:
            continue
        still = times == 0 and np.abs(near.matrices - np.eye(len(near.matrices[0]))).max() < 1e-5
        if still or (times and compare_near(model, near, times * pos + shift, 5e-5)):
            q, k = (times + shift, 1) if which == 0 else (1, times + shift)
            return MISTAKES.found(id, f"at position 1 q has the angles of position {q}, k those of position {k}")
    return None
