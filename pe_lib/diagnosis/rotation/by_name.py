"""Diagnose a rotation by its name in a file: of all ways to call it the one that does best."""

import torch

from ..running.guard import Failed, run
from ..saying.result import Diagnosis
from .diagnose import diagnose_as
from .filling import HEAD_DIM
from .orders import HEADS_LAST, LENGTH_FIRST, reordered
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
    found = list(readings(names, name))
    for reading in [one for one in _in_every_order(found) if _runs(one)] or found[:1]:
        diagnosis = diagnose_as(reading.rotate, reading.form, HEAD_DIM)
        outcomes.append((diagnosis, reading.call))
        if diagnosis.verdict.id in RANKS[:2]:
            break
    return min(outcomes, key=lambda outcome: _rank(outcome[0])) if outcomes else None


def _rank(diagnosis: Diagnosis):
    ids = {finding.id for finding in diagnosis.findings}
    return RANKS.index(diagnosis.verdict.id), len(VAGUE & ids), len(ids)


def _in_every_order(found):
    yield from found
    for order in (HEADS_LAST, LENGTH_FIRST):
        for reading in found:
            call = f"{reading.call}, x of shape {order.words}"
            yield Reading(call, *reordered(reading.rotate, reading.form, order))


def _runs(reading):
    """Does it give something of x's shape, where batch, heads and length differ?"""
    tensors = [torch.zeros(2, 3, 5, HEAD_DIM) for _ in range(2 if reading.form.pair else 1)]
    try:
        out = run("a first look", reading.form.call, reading.rotate, tensors, torch.arange(5))
    except (Failed, NotImplementedError):
        return False
    return getattr(as_tuple(out)[0], "shape", None) == tensors[0].shape if as_tuple(out) else False
