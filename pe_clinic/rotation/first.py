"""Explain the matrices of the first positions: structure, law of the pairs, where they begin, how long they are."""

from dataclasses import replace

import numpy as np

from .columns import planes, read_columns
from .model import Model
from .no_rotation import decaying, is_orthogonal, not_turned
from .pairing import First, explained, named, rotation_scaled
from .structures import in_any_order, structure_of
from .words import MISTAKES


def explain_first(near):
    """The `First` of one `Near`."""
    if np.abs(near.added).max() > 1e-5:
        return _added(near)
    if _alike(near.matrices):
        return named("positions-lost", f"positions 0 to {len(near.matrices) - 1} give one matrix")
    apart = np.abs(np.diff(near.matrices, axis=0)).max(axis=(1, 2)) > 1e-5
    if not apart.all() and apart.any() and is_orthogonal(near.matrices[apart.argmax() + 1]):
        said = f"positions {apart.argmin()} and {apart.argmin() + 1} are turned alike, and others are not"
        return named("positions-whole", said)
    return understood(near) or decaying(near) or not_turned(near)


def understood(near):
    """The `First` that a rotation of pairs gives, or what is left of one; None where there is none."""
    start = near.matrices[0]
    if said := _exchanged(near.matrices):
        found = _explain(near, near.matrices @ start.T, start)
        exchanged = MISTAKES.found("cosines-for-sines", said)
        return found and replace(found, findings=(exchanged, *found.findings), conventions=())
    found = _explain(near, near.matrices, None)
    if found is None and is_orthogonal(start):
        # Only S(m, n) = A_m A_nᵀ reaches a score: what is done to every row alike, such as another order, is undone.
        found = _explain(near, near.matrices @ start.T, start)
    return found


def _exchanged(matrices):
    """What position 1 shows where each column is multiplied by its sine, and its partner by the cosine; else ""."""
    columns = read_columns(matrices)
    if columns is None or columns.rest > 0.1 or not columns.turned.any():
        return ""
    quarter = np.abs(np.abs(columns.phase[columns.turned]) - np.pi / 2).max() < 1e-3
    fast = np.abs(columns.rate) > 1e-3  # a slower one hardly shows its sign
    if not quarter or not fast.any() or (columns.rate * columns.phase)[fast].max() > 0:
        return ""
    j = np.flatnonzero(columns.turned)[0]
    partner = columns.partner[j]
    waves = f"{matrices[1, j, j]:.4g} times itself and {abs(matrices[1, partner, j]):.4g} times column {partner}"
    kept = "at position 0 no pair keeps anything of itself"
    return f"{kept}; at position 1 column {j} is {waves}; cos 1 is 0.5403, sin 1 is 0.8415"


def _alike(matrices):
    """One matrix for every position, and not that of position 0, which turns nothing."""
    turned = np.abs(matrices[0] - np.diag(matrices[0].diagonal())).max() > 1e-4
    return turned and np.abs(matrices - matrices[0]).max() < 1e-5 and is_orthogonal(matrices[0])


def _added(near):
    p, j = np.unravel_index(np.abs(near.added).argmax(), near.added.shape)
    evidence = f"for x = 0 it gives {near.added[p, j]:.4g} in column {j} at position {p}"
    still = np.abs(near.matrices - np.eye(near.matrices.shape[1])).max() < 1e-4
    evidence += "; x itself comes back as it was" if still else ""
    rest = () if still else explain_first(replace(near, added=near.added * 0)).findings
    return First(None, (MISTAKES.found("added-to-x", evidence), *rest))


def _explain(near, matrices, outward):
    d = matrices.shape[1]
    inward, columns = None, read_columns(matrices)
    if columns is None and outward is not None and (inward := planes(matrices)) is not None:
        columns = read_columns(inward.T @ matrices @ inward)
    if columns is None or columns.rest > 0.1:
        return None
    if not columns.turned.any():
        return _still(near, columns, d)
    structures = [one for one in (structure_of(columns), in_any_order(columns)) if one]
    for needs_law in (True, False):
        found = [explained(near, columns, one, inward, outward, needs_law) for one in structures]
        if found := [one for one in found if one]:
            return min(found, key=lambda one: bool(one.findings))  # another order of the pairs may explain it all
    return None


def _still(near, columns, d):
    model = Model(columns.partner, columns.rate, columns.phase, columns.size)
    said = f"x comes back as it was at positions 0 to {len(near.matrices) - 1}"
    findings = [MISTAKES.found("zero-frequencies", said)]
    if np.ptp(columns.size) < 1e-4 and abs(columns.size[0] - 1) > 1e-4:
        findings.append(rotation_scaled(columns.size[0], d))
    return First(model, tuple(findings))
