"""Is this RoPE's rotation, and if not, what is it?"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from ..law.mistakes import convention_of
from ..sandbox.guard import Failed, first_look
from ..sandbox.mistakes import found
from ..saying.result import Diagnosis
from ..side_effects import ROUNDING
from . import behaviour
from .asking import Rotator
from .explain import explain
from .first import understood
from .forms import Form, form_of
from .layouts import HEADS_LAST, in_layout
from .look import look
from .plain import is_plain
from .probing import fits
from .uncast import finer
from .words import MISTAKES

CALLED = "A rotation is looked at by calling it with vectors and positions of its own."
ALIKE = 4e-5  # between what q and k get, read in float32
CHECKED = "head_dim must be an even whole number of at least 2, such as 64, but got"


def diagnose_rope(rotate: Callable, head_dim: int = 64, expect: str | None = None) -> Diagnosis:
    """Name what is wrong with a rotation of queries and keys; a `Diagnosis`.

    rotate    rotate(x, positions), rotate(x), rotate(q, k, positions) or rotate(q, k), with x, q and k of shape (batch,
              heads, length, head_dim) and positions int64 (length,); returns the turned x, or q and k
    head_dim  the width of a head that it can take
    expect    the intended design, in the words of ``.convention``: "base 500000". Then ``ok`` is True for it alone

    ``ok``: every score q·k is that of the paper's RoPE (base 10000), up to one fixed change of coordinates for q and k
    alike, which ``convention`` names; the exchange of cosines and sines is a mistake all the same.
    Raises TypeError or ValueError for a head_dim that is no even whole number.

    >>> from pe_lib import rope_half_split
    >>> diagnose_rope(rope_half_split)
    Right. Convention: half-split.
    >>> diagnose_rope(lambda x, positions: rope_half_split(x, 2 * positions)).findings[0].id
    'turned-twice'
    """
    if not isinstance(head_dim, (int, np.integer)) or isinstance(head_dim, bool):
        raise TypeError(f"{CHECKED} {head_dim!r} ({type(head_dim).__name__})")
    if head_dim < 2 or head_dim % 2:
        raise ValueError(f"{CHECKED} {head_dim!r}")
    if not callable(rotate) or isinstance(rotate, type):
        is_class = isinstance(rotate, type)
        what = f"the class {rotate.__name__}; give an object of it" if is_class else f"a {type(rotate).__name__}"
        return Diagnosis(False, (found("no-function", f"it is {what}", explanation=CALLED),))
    try:
        form = form_of(rotate)
    except Failed as failed:
        return Diagnosis(False, (failed.finding,))
    return diagnose_as(Rotator(rotate, form, plain=is_plain(rotate)), int(head_dim)).expecting(expect)


@np.errstate(all="ignore")
def diagnose_as(rotator, head_dim):
    """As `diagnose_rope`, of a `Rotator`."""
    try:
        seen = look(rotator, head_dim)
    except Failed as failed:
        return Diagnosis(False, (_if_heads_last(rotator, head_dim, failed.finding) or failed.finding,))
    if fine := first_look(finer, rotator, head_dim, seen):
        return replace(conclude(fine), ok=False, usage=tuple(behaviour.about_dtypes(seen)))
    return conclude(seen)


def conclude(seen):
    """From what was seen to the `Diagnosis`; the verdict does not depend on whether the mistake can be named."""
    notes = tuple({f.id: f for f in behaviour.refusals(seen) if f.kind == "note"}.values())
    right = right_first(seen)
    if right is not None:
        notes += tuple(behaviour.about_autocast(right.model, seen, 0))
        return Diagnosis(True, notes, ", ".join(right.conventions) or None, kind="rotation")
    findings, conventions = explain(seen)
    by_kind = {kind: tuple(f for f in findings if f.kind == kind) for kind in ("convention", "usage")}
    mistakes = tuple(f for f in findings if f.kind not in by_kind)
    words = [] if mistakes else [*conventions]
    words += map(convention_of, by_kind["convention"])
    told = {f.id for f in mistakes}  # an error that is a mistake is no end of a table
    notes = tuple(note for note in notes if note.id != "beyond-cache" or "raises" not in told)
    others = (*mistakes, *by_kind["convention"], *notes)
    return Diagnosis(False, others, ", ".join(words) or None, usage=by_kind["usage"], kind="rotation")


def right_first(seen):
    """The `First` of a right rotation, whose conventions are () for the paper's own; None when it is not right."""
    if not all(map(_turns, seen.near)) or not _alike(seen):
        return None
    firsts = [understood(near) for near in seen.near]
    if any(first is None or first.model is None or first.findings for first in firsts):
        return None
    if not seen.repeated or behaviour.besides(seen):
        return None
    for which, first in enumerate(firsts):
        everywhere = all(_fits(first.model, probe, which) for probe in seen.responses().values())
        if not everywhere or [*behaviour.about_gradient(first.model, seen, which)]:
            return None
    return firsts[0]


def _fits(model, probe, which):
    if probe.dtype in ROUNDING:
        return behaviour.within(model, probe, which, ROUNDING[probe.dtype])
    return fits(model, probe, which)


def _turns(near):
    """Nothing is added, and lengths and right angles stay as they are: what every rotation does."""
    products = near.matrices @ near.matrices.transpose(0, 2, 1)
    keeps = np.abs(near.added).max() < 1e-5 and np.abs(products - np.eye(products.shape[1])).max() < 1e-3
    return keeps and np.abs(near.matrices - near.matrices[0]).max() > 0.1  # by the position


def _alike(seen):
    matrices = [near.matrices for near in seen.near]
    return all(np.abs(other - matrices[0]).max() < ALIKE for other in matrices[1:])


def _if_heads_last(rotator, head_dim, finding):
    """The `Finding`, where the rotation is right for x (batch, length, heads, head_dim); else None."""
    if finding.id not in ("raises", "rotation-shape"):
        return None
    form = rotator.form
    turned = in_layout(partial(form.call, rotator.rotate), HEADS_LAST, form.pair)
    try:
        seen = look(Rotator(turned, Form(form.pair, form.takes), plain=rotator.plain), head_dim)
    except (Failed, NotImplementedError):
        return None
    if right_first(seen) is None and any(f.kind == "mistake" for f in explain(seen)[0]):
        return None
    said = f"{finding.evidence}; with x of shape {HEADS_LAST.words} it turns every row rightly"
    return MISTAKES.found("heads-for-sequence", said)
