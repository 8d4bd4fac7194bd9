"""From what was seen to findings: the first positions, q against k, the other calls, and what it does besides."""

from dataclasses import replace

from ..law.mistakes import LINEAR, MULTIPLIED, TWICE
from ..law.naming import as_meant
from . import behaviour
from .decaying import XPOS
from .far import ANOTHER_FAR, CLAMPED, UNTURNED, WRAPPED, ZEROS, about_early, about_far, wrong_rows
from .first import ALIKE, ALL_ZERO, explain_first
from .growing import about_growing
from .keys import about_keys
from .model import paper_models
from .no_rotation import UNLISTED, unlisted
from .pairing import NO_FORMULA, First, of_periods
from .places import fits
from .placing import AXES, BATCH, DIVIDED, HEADS, KEPT, SINGLE
from .probing import about_axes, about_lengths, about_positions
from .repeating import repeating
from .rounding import rounded_model

# What is seen only because of something else that was found.
EXPLAINS = {
    HEADS.id: {ALL_ZERO.id, ALIKE.id, UNLISTED.id},
    BATCH.id: {ALL_ZERO.id, ALIKE.id, UNLISTED.id, behaviour.NO_GRADIENT.id},
    DIVIDED.id: {LINEAR.id, MULTIPLIED.id, TWICE.id, behaviour.NO_GRADIENT.id},
    XPOS.id: {"not-finite"},  # far out what grows is more than a number can hold
    "not-repeatable": {UNLISTED.id, behaviour.NO_GRADIENT.id},
}


def explain(seen):
    """(findings, conventions) of a rotation that is not right: one is a mistake, a design, or a side matter."""
    findings = list(behaviour.about_calls(seen))
    firsts = [_first(seen, which) for which in range(len(seen.near))]
    findings += about_keys(seen, *firsts) if len(firsts) == 2 else firsts[0].findings
    for which, first in enumerate(firsts[:1] if findings else firsts):
        whose = "of the key: " if which else ""
        findings += [replace(f, evidence=whose + f.evidence) for f in _everywhere(seen, first, which)]
        findings += behaviour.about_gradient(first.model, seen, which)
    findings += [*behaviour.about_arguments(seen), *behaviour.about_dtypes(seen), *behaviour.errors(seen)]
    if not findings:
        findings.append(unlisted(seen.near[0]))
    meant = (of_periods(as_meant(finding, seen.numbers), seen.numbers) for finding in findings)
    return _once(meant), firsts[0].conventions


def _first(seen, which):
    """What the first positions show, or the half precision that they show, or that they begin again."""
    first = explain_first(seen.near[which])
    if first.model is not None and not _ids(first.findings) & {NO_FORMULA.id, UNLISTED.id}:
        return first
    rounded = rounded_model(seen.near[which], seen, which)
    return First(*rounded, first.conventions) if rounded else repeating(seen.near[which]) or first


def _everywhere(seen, first, which):
    model = first.model
    if model is None or ALL_ZERO.id in _ids(first.findings):
        return _other_axes(seen, which)
    axes = list(about_axes(model, seen, which))
    findings = axes or (about_positions if seen.takes else about_lengths)(model, seen, which)
    if _ids(findings) == {UNLISTED.id}:
        findings = about_early(model, seen, which) or findings
    if axes:
        return findings
    if not findings or _ids(findings) <= {SINGLE.id, KEPT.id}:  # windows have lengths of their own
        findings += _far(model, seen, which)
    if _ids(findings) <= {SINGLE.id, KEPT.id, CLAMPED.id, ZEROS.id, UNTURNED.id, WRAPPED.id}:
        below = min((row.position for row in wrong_rows(model, seen, which)), default=float("inf"))
        findings += behaviour.about_half(model, seen, which, below)
    return findings


def _far(model, seen, which):
    findings = about_far(model, seen, which)
    if _ids(findings) == {ANOTHER_FAR.id} and (grown := about_growing(model, seen, which)):
        return grown
    if _ids(findings) == {ANOTHER_FAR.id} and (rounded := rounded_model(seen.near[which], seen, which)):
        return list(rounded[1])
    return findings


def _other_axes(seen, which):
    """Nothing turns by the rows, or nothing that is known. Does it by the heads, or by the batch?"""
    for *_, model in paper_models(seen.head_dim):
        if any(fits(model, seen.probes["sizes"], which, build) for _, build in AXES[:2]):
            return about_axes(model, seen, which)
    return []


def _once(findings):
    """Each id once; what was seen with one head only is not said where the heads explain it."""
    by_id = {}
    for finding in findings:
        by_id.setdefault(finding.id, finding)
    for cause, effects in EXPLAINS.items():
        if cause in by_id:
            by_id = {id: finding for id, finding in by_id.items() if id not in effects}
    return tuple(by_id.values())


def _ids(findings):
    return {finding.id for finding in findings}
