"""Diagnose a rotation by its name in a file: of all ways to call it the one that does best."""

import re
from dataclasses import replace

from ..calling.declared import WIDTH_LAST
from ..calling.parameters import source_of
from ..law.mistakes import MISTAKES
from ..sandbox.guard import Failed
from ..saying.result import Diagnosis
from .axes import SAID as AXES
from .axes import SHARED
from .candidates import whole
from .diagnose import diagnose_as
from .first import WHOLE
from .fitting import judged
from .running import that_run
from .sizes import factor_of, takes_a_part
from .way import COLUMNS
from .words import MISTAKES as ROTATION

# Findings that say little: another way to call it may say more.
VAGUE = {
    *("no-rotation", "keys-unlike", "rotation-shape", "raises", "unknown-frequencies", "zero-frequencies"),
    *("heads-for-sequence", "batch-for-sequence", "positions-lost", "multiplied-by-table"),
}
OVER_HEAD = {"proportional", "partial-over-head-dim"}  # exponents over head_dim: seen where a part turns


def diagnose_by_name(file, path):
    """(Diagnosis, the call in words) of what ``path`` names, of all ways to call it the best; or None."""
    file = whole(file)
    best, factor = _best(file, path), factor_of(file, path)
    if best and factor and factor[1] != 1 and best[0].verdict.good:
        name, value = factor
        other = _best(file, path, 2 * value + 1)
        if other and (other[0].verdict.id, other[0].convention) == (best[0].verdict.id, best[0].convention):
            said = f"with {name}={value} and {name}={2 * value + 1} every pair turns alike"
            unused = (MISTAKES["factor-unused"].found(said),)
            return replace(best[0], ok=False, convention=None, findings=unused), best[1]
    if best and factor and factor[1] == 1 and best[0].verdict.main_right:
        other = _best(file, path, 2.0)  # by default it does nothing
        if other and WHOLE.id in {finding.id for finding in other[0].findings}:
            return other[0], f"{other[1]}, with {factor[0]}=2"
        best = _named_ntk(best, other, f"{factor[0]}=2", source_of(file.resolve(path)[0]))
    if best and best[0].verdict.main_right and takes_a_part(file.resolve(path)[0]):
        other = _best(file, path, part=True)
        if other and OVER_HEAD & {*f"{other[0].convention}".split(), *(f.id for f in other[0].findings)}:
            return other
    return best


def _named_ntk(best, other, said, source):
    """``best``; where the source speaks of NTK, and the ``other``, with a factor, is linear scaling, with that."""
    linear = re.search(r"linear scaling \S+", f"{other and other[0].convention}")
    if not linear or not re.search(r"(?i)ntk", source) or re.search(r"(?i)\blinear\b(?!\()", source):
        return best
    finding = MISTAKES["linear-not-ntk"].found(f"with {said} every pair is slowed alike: {linear[0]}")
    return replace(best[0], ok=False, usage=(*best[0].usage, finding)), best[1]


def _best(file, path, factor=None, part=False):
    outcomes = []
    try:
        tried, running, width = that_run(file, path, factor, part)
    except Failed as failed:
        return Diagnosis(False, (failed.finding,)), path
    source = source_of(file.resolve(path)[0])
    for rotator in running or tried[:1]:
        diagnosis = diagnose_as(rotator.rotate, rotator.form, width)
        vague = VAGUE & {finding.id for finding in diagnosis.findings}
        if COLUMNS in rotator.said and (vague or re.search(WIDTH_LAST, source)):
            rotator = tried[0]  # its axes stand otherwise
            diagnosis = diagnose_as(rotator.rotate, rotator.form, width)
        diagnosis = judged(diagnosis, rotator, width, source)
        if AXES in rotator.said and diagnosis.verdict.good:
            diagnosis = _of_axes(diagnosis, SHARED in rotator.said)
        outcomes.append((diagnosis, rotator.said))
        if diagnosis.verdict.good:
            break
    return min(outcomes, key=lambda outcome: _rank(outcome[0]), default=None)


def _of_axes(diagnosis, shared):
    """``diagnosis``, of one position on three axes, with what unlike positions showed."""
    if shared:
        return replace(diagnosis, convention=", ".join(filter(None, (diagnosis.convention, AXES))))
    said = "with another position on each axis some columns follow two axes, or an axis turns none"
    return replace(diagnosis, ok=False, convention=None, findings=(ROTATION["axes-mixed"].found(said),))


def _rank(diagnosis: Diagnosis):
    ids = {finding.id for finding in diagnosis.findings if finding.kind != "note"}
    return diagnosis.verdict.rank, len(VAGUE & ids), len(ids)
