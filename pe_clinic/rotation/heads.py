"""Rotations that are made for a number of heads, where each head has angles of its own: every head by itself."""

import contextlib
from dataclasses import replace
from itertools import product

from ..calling.lines import constant
from ..calling.names import role_in_rotations
from ..sandbox.guard import Failed
from ..saying.result import Diagnosis
from .diagnose import diagnose_as
from .forms import named_parameters
from .layouts import FEWER, FOUR
from .maker import as_tuple
from .plain import is_plain
from .ways import ways
from .words import MISTAKES
from .workshop import Unknown, Workshop

HEADS = 3


class OfHeads(Workshop):
    """Gives every number of heads, whatever its default is."""

    def told(self, p):
        return constant(self.heads) if role_in_rotations(p.name) == "heads" else super().told(p)


def of_each_head(file, path, width, runs):
    """(Diagnosis, the call in words) of what runs for as many heads as it is made for alone; else None."""
    if "heads" not in {role_in_rotations(p.name) for p in named_parameters(file.resolve(path)[0])}:
        return None
    with contextlib.suppress(Failed, Unknown, NotImplementedError):
        found = list(ways(OfHeads(file, width, heads=HEADS), path))
        for layout, way in product((*FOUR, *FEWER[0]), found):
            if rotator := next((r for r in way.rotators(layout) if "heads" in layout.axes and runs(r, width)), None):
                each = [diagnose_as(_one(rotator, n), rotator.form, width) for n in range(HEADS)]
                return _together(each), f"{rotator.said}, of {HEADS} heads"
    return None


def _one(rotator, head):
    """The rotation of one head: its x stands in all of them."""
    form = rotator.form

    def rotate(*given):
        count = form.pair + 1
        every = [x.reshape(-1, 1, *x.shape[2:]).expand(-1, HEADS, -1, -1).contiguous() for x in given[:count]]
        out = as_tuple(rotator.rotate(*every, *given[count:]))
        turned = tuple(part[:, head].reshape(x.shape) for part, x in zip(out[:count], given, strict=False))
        return turned if form.pair else turned[0]

    rotate.of_plain = is_plain(rotator.rotate)
    return rotate


def _together(each):
    """The `Diagnosis` of the worst head; a convention where all are good, and not alike."""
    worst = max(each, key=lambda diagnosis: diagnosis.verdict.rank)
    words = [diagnosis.convention or "the paper's" for diagnosis in each]
    if not worst.verdict.good:
        head = each.index(worst)
        findings = tuple(replace(f, evidence=f"head {head} of {HEADS}: {f.evidence}") for f in worst.findings)
        return replace(worst, findings=findings)
    if len({*words}) == 1:
        return worst
    said = "; ".join(f"head {n} of {HEADS}: {word}" for n, word in enumerate(words))
    return Diagnosis(False, (MISTAKES["own-for-each-head"].found(said),), " / ".join(words), kind="rotation")
