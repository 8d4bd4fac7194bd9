"""Diagnose a rotation by its name in a file: of all ways to call it the one that does best."""

from dataclasses import replace

import torch

from ..sandbox.guard import Failed, run
from ..saying.result import Diagnosis
from .declared import axes_said
from .diagnose import diagnose_as
from .filling import HEAD_DIM
from .of_arrays import over_tensors
from .orders import HEADS_LAST, LENGTH_FIRST, NO_HEADS, TOKENS, reordered, with_fewer
from .signatures import Reading, readings
from .tables import as_tuple

RANKS = ("right", "convention", "wrong", "not-run")
# Findings that say little: another way to call it may say more.
VAGUE = {
    *("no-rotation", "keys-unlike", "rotation-shape", "raises", "unknown-frequencies"),
    *("heads-for-sequence", "batch-for-sequence"),
}


def diagnose_by_name(names, name):
    """(Diagnosis, the call in words) of ``names[name]``, of all readings the best; None when there is none."""
    outcomes = []
    found = list(readings(over_tensors(names), name))
    for reading in _that_run(found, axes_said(names[name])) or found[:1]:
        diagnosis = diagnose_as(reading.rotate, reading.form, HEAD_DIM)
        outcomes.append((diagnosis, reading.call))
        if diagnosis.verdict.id in RANKS[:2]:
            break
    if not outcomes:
        return None
    best, call = min(outcomes, key=lambda outcome: _rank(outcome[0]))
    return _advised(best, name), call


def _advised(diagnosis, name):
    """What could not be called gets a line that shows how it can be."""
    if diagnosis.verdict.id != RANKS[3] or any(finding.fix for finding in diagnosis.findings):
        return diagnosis
    fix = f"wrap it, def rotate(x, positions): …, so that it calls {name} and returns x of its shape, and give that"
    return replace(diagnosis, findings=tuple(replace(finding, fix=fix) for finding in diagnosis.findings))


def _rank(diagnosis: Diagnosis):
    ids = {finding.id for finding in diagnosis.findings}
    return RANKS.index(diagnosis.verdict.id), len(VAGUE & ids), len(ids)


def _that_run(found, axes):
    """The readings that give something, in every order of x's axes; in the one that the code tells, where it does."""
    four = {("batch", "heads", "length"): found}
    for order in (HEADS_LAST, LENGTH_FIRST):
        four[order.axes] = [_as(one, order, reordered(one.rotate, one.form, order)) for one in found]
    run = {order: [one for one in readings if _runs(one)] for order, readings in four.items()}
    told = run.get(axes) or [one for readings in run.values() for one in readings]
    if told and not any(one.form.places_first for one in told):
        return told  # with fewer axes, what is wrong with four would not be seen
    fewer = (_as(one, order, with_fewer(one.rotate, one.form, order)) for order in (NO_HEADS, TOKENS) for one in found)
    return [*(one for one in fewer if _runs(one)), *told]


def _as(reading, order, called):
    return Reading(f"{reading.call}, x of shape {order.words}", *called)


def _runs(reading):
    """Does it give something of x's shape, where batch, heads and length differ?"""
    tensors = [torch.zeros(2, 3, 5, HEAD_DIM) for _ in range(2 if reading.form.pair else 1)]
    try:
        out = run("a first look", reading.form.call, reading.rotate, tensors, torch.arange(5))
    except (Failed, NotImplementedError):
        return False
    return getattr(as_tuple(out)[0], "shape", None) == tensors[0].shape if as_tuple(out) else False
