"""Diagnose a rotation by its name in a file: of all ways to call it the one that does best."""

from dataclasses import replace

import torch

from ..calling.declared import axes_said
from ..sandbox.guard import Failed, run
from ..saying.result import Diagnosis
from ..saying.words import show
from .asking import Rotator
from .diagnose import diagnose_as
from .entry import Entry
from .of_arrays import over_tensors
from .orders import HEADS_LAST, LENGTH_FIRST, NO_HEADS, TOKENS, reordered, with_fewer
from .rotators import rotators
from .rows import FEWER_ROWS, together
from .tables import HEAD_DIM, as_tuple

AUTOCAST = Entry(
    "autocast-rotation",
    "Under torch.autocast its far positions fall together.",
    "autocast makes a matrix product of frequencies and positions in bfloat16, which has 8 binary digits: "
    "whole numbers above 256 are rounded.",
    "multiply without a matrix product, or compute the angles under torch.autocast(…, enabled=False)",
    "huggingface/diffusers/issues/13920",
    kind="note",
)
RANKS = ("right", "table-right", "convention", "wrong", "not-run")  # the best first
# Findings that say little: another way to call it may say more.
VAGUE = {
    *("no-rotation", "keys-unlike", "rotation-shape", "raises", "unknown-frequencies"),
    *("heads-for-sequence", "batch-for-sequence"),
}


def diagnose_by_name(file, path):
    """(Diagnosis, the call in words) of what ``path`` names, of all ways to call it the best; or None."""
    outcomes = []
    found = list(rotators(replace(file, names=over_tensors(file.names)), path))
    for rotator in _that_run(found, axes_said(file.resolve(path)[0])) or found[:1]:
        diagnosis = diagnose_as(rotator.rotate, rotator.form, HEAD_DIM)
        outcomes.append((diagnosis, rotator.said))
        if diagnosis.verdict.id in RANKS[:3]:
            break
    if not outcomes:
        return None
    best, call = min(outcomes, key=lambda outcome: _rank(outcome[0]))
    if best.ok and (seen := _under_autocast(rotator)):
        best = replace(best, findings=(*best.findings, AUTOCAST.found(seen)))
    return _advised(best, path), call


def _under_autocast(rotator):
    """What far positions become under autocast, where that is not what they are without; or None."""
    tensors, positions = [torch.ones(1, 1, 6, HEAD_DIM)] * (2 if rotator.form.pair else 1), torch.arange(1001, 1007)

    def both():
        with torch.autocast("cpu", torch.bfloat16):
            cast = rotator.form.call(rotator.rotate, tensors, positions)
        return as_tuple(rotator.form.call(rotator.rotate, tensors, positions))[0], as_tuple(cast)[0]

    try:
        plain, cast = run("a rotation under autocast", both)
        most = float((plain - cast).abs().max())
    except (Failed, NotImplementedError, TypeError, AttributeError):
        return None
    return (
        f"at positions 1001 to 1006 the result differs by up to {show(most)} under torch.autocast"
        if most > 0.1
        else None
    )


def _advised(diagnosis, name):
    """What could not be called gets a line that shows how it can be."""
    if diagnosis.verdict.id != "not-run" or any(finding.fix for finding in diagnosis.findings):
        return diagnosis
    fix = f"wrap it, def rotate(x, positions): …, so that it calls {name} and returns x of its shape, and give that"
    return replace(diagnosis, findings=tuple(replace(finding, fix=fix) for finding in diagnosis.findings))


def _rank(diagnosis: Diagnosis):
    ids = {finding.id for finding in diagnosis.findings}
    return RANKS.index(diagnosis.verdict.id), len(VAGUE & ids), len(ids)


def _that_run(found, axes):
    """The rotators that give something, in every order of x's axes; in the one that the code tells, where it does."""
    four = {("batch", "heads", "length"): found}
    for order in (HEADS_LAST, LENGTH_FIRST):
        four[order.axes] = [_as(one, order, reordered(one.rotate, one.form, order)) for one in found]
    run = {order: [one for one in rotators if runs(one)] for order, rotators in four.items()}
    told = run.get(axes) or [one for rotators in run.values() for one in rotators]
    if told and not any(one.form.places_first for one in told):
        return told  # with fewer axes, what is wrong with four would not be seen
    fewer = [_as(one, order, with_fewer(one.rotate, one.form, order)) for order in (NO_HEADS, TOKENS) for one in found]
    if running := [*(one for one in fewer if runs(one)), *told]:
        return running
    single = [one for one in found if not one.form.pair]
    rows = (_as(one, order, order(one.rotate, one.form)) for order in FEWER_ROWS for one in found)
    both = (Rotator(*together(one.rotate, one.form), f"{one.said}, q and k in one tensor") for one in single)
    return [one for one in (*rows, *both) if runs(one)]


def _as(rotator, order, called):
    return Rotator(*called, f"{rotator.said}, x of shape {order.words}")


def runs(rotator):
    """Does it give something of x's shape, where batch, heads and length differ?"""
    tensors = [torch.zeros(2, 3, 5, HEAD_DIM) for _ in range(2 if rotator.form.pair else 1)]
    try:
        out = run("a first look", rotator.form.call, rotator.rotate, tensors, torch.arange(5))
    except (Failed, NotImplementedError):
        return False
    return getattr(as_tuple(out)[0], "shape", None) == tensors[0].shape if as_tuple(out) else False
