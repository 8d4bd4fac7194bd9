"""What is no rotation of pairs: xPos, a line that reads what another has overwritten, or nothing known."""

from dataclasses import replace
from itertools import product

import numpy as np

from ..law.half import HALVES
from .model import compare_near, paper_models
from .pairing import First, named
from .words import MISTAKES


def decaying(near, odd=2):
    """The `First` of xPos: x multiplied by scale^(pos / base), scale_k = (2k/d + 0.4) / 1.4 for pair k; or None.

    Counted from the middle of the text, as in torchscale; of an ``odd`` length 1 counts from the other one.
    """
    count, d = near.matrices.shape[:2]
    for pair, first, model in paper_models(d):
        scale = (2 * pair / d + 0.4) / 1.4
        power = np.log(np.maximum(np.linalg.norm(near.matrices[:, :, 0], axis=1), 1e-9)) / np.log(scale[0])
        slope = (power[-1] - power[0]) / (count - 1)
        if abs(slope) < 1e-6:
            return None
        base = round(1 / slope) or 1 / slope
        centred = abs(power[0]) > 1e-6

        def waves(p, model=model, scale=scale, base=base, centred=centred):
            at = p - centred * ((np.max(p, initial=0) + odd) // 2)
            return tuple(wave * scale ** (at[:, None] / base) for wave in model.columns(p))

        built = replace(model, cos_sin=waves)
        if compare_near(built, near, tolerance=1e-4):
            said = f"column 0 is multiplied by {scale[0]:.4g}^(pos / {base:.4g}), column {d - 1} by {scale[-1]:.4g}^…"
            title = f"xPos, lengths as scale^(pos / {base:.4g}).".replace("-", "−")
            conventions = ("half-split",) if first[1::2].any() else ()
            return First(built, (MISTAKES.found("xpos", said, title=title),), conventions)
    return None


def not_turned(near):
    """The `First` of what is no rotation of pairs."""
    if (near.matrices * (1 - np.eye(near.matrices.shape[1]))).any():
        return overwritten(near) or reshaped(near) or First(None, (unlisted(near),))
    factors = ", ".join(f"{factor:.4g}" for factor in near.matrices[1].diagonal()[:3])
    said = f"at position 1 the columns are {factors}, … times themselves, and no other column enters"
    return named("multiplied-by-table", said)


def unlisted(near):
    kept = all(map(is_orthogonal, near.matrices))
    if half := next((half.name for half in HALVES if half.holds(near.matrices, 1e-9)), ""):
        said = f"{facts(near)}; every number in it is one of {half}"
        return MISTAKES.found("half-tables", said, fix=MISTAKES["dtype-of-x"].fix)
    changes = {} if kept else {"title": "This is not a rotation: lengths change."}
    return MISTAKES.found("no-rotation", facts(near), **changes)


def overwritten(near):
    """The second line of the rotation reads what the first has just written into x."""
    positions, eye = np.arange(len(near.matrices)), np.eye(near.matrices.shape[1])
    for _, first, model in paper_models(len(eye)):
        right = model.matrices(positions)
        for early in (first, ~first):  # the columns that are written first
            written = np.where(early, right, eye)
            if np.abs(np.where(early, right, written @ np.where(early, eye, right)) - near.matrices).max() < 1e-4:
                j = int(np.flatnonzero(~early)[0])
                said = f"at position 1 column {j} is {near.matrices[1, j, j]:.4g} times itself; cos 1 is 0.5403"
                return named("overwritten", said)
    return None


def reshaped(near):
    """The angles of a table whose axes a reshape took for each other: those of other positions, and of other pairs."""
    count, half = len(near.matrices), near.matrices.shape[1] // 2
    row, pair = np.indices((count, half))
    ways = np.divmod(row * half + pair, count), np.divmod(pair * count + row, half)[::-1]
    for (_, first, model), (other, at) in product(paper_models(2 * half), ways):
        right, built, firsts = model.matrices(np.arange(count)), np.zeros_like(near.matrices), np.flatnonzero(first)
        for one, two in product((firsts, model.partner[firsts]), repeat=2):
            built[row, one[pair], two[pair]] = right[at, one[other], two[other]]
        if np.abs(built - near.matrices).max() < 1e-4:
            said = f"of {count} rows, row 1 turns pair 1 by the angle of pair {other[1, 1]} at position {at[1, 1]}"
            return named("table-reshaped", said)
    return None


def facts(near):
    """Numbers about matrices that no hypothesis gives."""
    start, one = near.matrices[0], near.matrices[1]
    d = len(start)
    said = []
    if np.abs(start - np.eye(d)).max() > 1e-4:
        i, j = np.unravel_index(np.abs(start - np.eye(d)).argmax(), start.shape)
        said.append(f"position 0 does not leave x as it is (column {j} of unit vector {i} is {start[i, j]:.4g})")
    lengths = np.linalg.norm(one, axis=1)
    if np.ptp(lengths) > 1e-4 or abs(lengths[0] - 1) > 1e-4:
        said.append(f"at position 1 unit vectors have lengths between {lengths.min():.4g} and {lengths.max():.4g}")
    elif not is_orthogonal(one):
        said.append("at position 1 right angles do not stay right angles")
    partners = np.abs(one - np.diag(np.diag(one))).argmax(axis=0)
    said.append(f"at position 1 column 0 is {one[0, 0]:.4g} times itself, ")
    return "; ".join(said) + f"{one[partners[0], 0]:+.4g} times column {partners[0]}"


def is_orthogonal(matrix):
    return np.abs(matrix @ matrix.T - np.eye(len(matrix))).max() < 1e-4
