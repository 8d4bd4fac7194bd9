"""Far out: where a table ends, and what comes then; how exact the angles still are."""

import numpy as np

from ..saying.mistake import Mistake
from .places import decode, fits

CLAMPED = Mistake(
    "clamped",
    "Beyond its table every position gets the last row.",
    "Positions are cut to the table's length: all tokens beyond it look alike, and nothing is said.",
    "make the table longer when it is needed, or raise an error that says how long it is",
)
ZEROS = Mistake(
    "zeros-beyond",
    "Beyond its table everything becomes 0.",
    "Where cosine and sine are both 0, query and key vanish.",
    "make the table longer when it is needed, or raise an error that says how long it is",
)
UNTURNED = Mistake(
    "unturned-beyond",
    "Beyond its table nothing is turned.",
    "Far tokens come back as they were, as if each stood at position 0.",
    "make the table longer when it is needed, or raise an error that says how long it is",
)
WRAPPED = Mistake(
    "wrapped",
    "Beyond its table it begins again.",
    "Positions are taken modulo the table's length: a far token looks like an early one.",
    "make the table longer when it is needed, or raise an error that says how long it is",
)
ANOTHER_FAR = Mistake(
    "far-positions",
    "Far positions are turned by other angles.",
    "The first positions are right; further out the angles are others.",
    "compute angle = pos * frequency in float32 or float64 for every position",
)


def about_far(model, seen, which):
    """Findings of the first window that is wrong."""
    probes = [probe for probe in seen.responses("far").values()]
    wrong = [probe for probe in probes if not fits(model, probe, which)]
    if not wrong:
        return []
    rows = [row for probe in wrong for row in _wrong_rows(model, probe, which)]
    probe, row = rows[0]
    pos = int(probe.positions[row])
    for explain in (_zero, _unturned, _clamped, _wrapped):
        if entry_and_said := explain(model, rows, which):
            entry, said = entry_and_said
            return [entry.found(f"position {pos} is the first that was seen to differ: {said}")]
    difference = np.abs(probe.out[which][0, 0, row] - model.apply(probe.x[which], probe.positions)[0, 0, row]).max()
    return [ANOTHER_FAR.found(f"position {pos} is the first that was seen to differ, by up to {difference:.3g}")]


def first_wrong(model, seen, which):
    """The first far position that is wrong; infinity when none is."""
    probes = seen.responses("far").values()
    return min(
        (probe.positions[row] for probe in probes for _, row in _wrong_rows(model, probe, which)), default=np.inf
    )


def _wrong_rows(model, probe, which):
    x, out = probe.x[which][0, 0], probe.out[which][0, 0]
    bad = (np.abs(out - model.apply(x, probe.positions)) > model.allowed(x, probe.positions)).any(axis=-1)
    return [(probe, row) for row in np.flatnonzero(bad)]


def _all_are(rows, which, built):
    """Is every row what ``built(x)`` gives?"""
    pairs = ((probe.x[which][0, 0, row], probe.out[which][0, 0, row]) for probe, row in rows)
    return all(np.abs(out - built(x)).max() < 1e-5 for x, out in pairs)


def _zero(model, rows, which):
    """Cosines and sines of 0, in the columns that turn at all."""
    gone = model.without(np.abs(model.rate) > 0)
    if _all_are(rows, which, lambda x: gone.apply(x[None], [0])[0]):
        return ZEROS, "its row is all 0" if (model.rate != 0).all() else "what turns is 0"
    return None


def _unturned(model, rows, which):
    if _all_are(rows, which, lambda x: model.apply(x[None], [0])[0]):
        return UNTURNED, "its row comes back as it was"
    return None


def _places(model, probe, row, which, candidates):
    one = type(probe)(
        probe.call, probe.positions[row : row + 1], (probe.x[which][:1, :1, row : row + 1],),
        (probe.out[which][:1, :1, row : row + 1],),
    )  # fmt: skip
    return int(decode(model, one, 0, candidates).ravel()[0])


def _clamped(model, rows, which):
    probe, row = rows[0]
    last = _places(model, probe, row, which, np.arange(probe.positions[row]))
    if last < 0:
        return None
    others = [rows[-1], rows[len(rows) // 2]]
    if all(_places(model, p, r, which, np.array([last])) == last for p, r in others) and len(rows) > 1:
        return CLAMPED, f"it is turned as position {last}, and so is every one beyond"
    return None


def _wrapped(model, rows, which):
    probe, row = rows[0]
    pos = int(probe.positions[row])
    place = _places(model, probe, row, which, np.arange(pos))
    if place < 0:
        return None
    for length in [n for n in range(pos - place, 1, -1) if (pos - place) % n == 0 and n > place]:
        if all(
            _places(model, p, r, which, np.array([p.positions[r] % length])) >= 0
            for p, r in (rows[-1], rows[len(rows) // 2])
        ):
            return WRAPPED, f"it is turned as position {place}: positions are taken modulo {length}"
    return None
