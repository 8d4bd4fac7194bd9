"""By which position is each row turned: by its own, by that of a known mistake, or by another? Asked of every call."""

import numpy as np

from .model import paper_models
from .words import MISTAKES


def _viewed(p, heads):
    """(row, head) of each row where (length, heads) is read as (heads, length)."""
    return np.divmod(np.arange(heads * len(p)).reshape(heads, -1), heads)


def _back(p, heads):
    row, head = _viewed(p, heads)
    return head * len(p) + row


def _there(p, heads):
    return np.add.outer(np.arange(heads), heads * np.arange(len(p)))


# From a mistake's id to the positions that its rows get, and to the row from which each comes, where that is another.
AXES = (
    ("heads-for-sequence", lambda p, batch, heads: np.arange(heads)[:, None]),
    ("batch-for-sequence", lambda p, batch, heads: np.arange(batch)[:, None, None]),
    ("view-for-transpose", lambda p, batch, heads: p[_viewed(p, heads)[0]]),  # viewed, turned, and viewed back
    ("view-for-transpose", lambda p, batch, heads: p[_viewed(p, heads)[0]], _back),  # transposed and viewed back
    ("view-for-transpose", lambda p, batch, heads: p, _there),  # viewed and transposed back
    # The first positions were read at length 12.
    *(("divided-by-length", lambda p, *_, n=n: p * (12 - n) / max(len(p) - n, 1)) for n in (0, 1)),
)
COUNTED = ("positions-ignored", lambda p, *_: np.arange(len(p)))
MAPS = (
    ("from-first-row", lambda p, *_: p - p[0]),
    ("from-first-row", lambda p, *_: p - p.min()),
    COUNTED,
    ("first-position-only", lambda p, *_: p[0] + np.arange(len(p))),
    ("positions-sorted", lambda p, *_: np.sort(p)),
    ("positions-reversed-order", lambda p, *_: np.flip(p)),
)


def fits(model, response, which=0, places=lambda p, *_: p, source=None):
    """Do all rows have these places?"""
    x = response.x[which]
    batch, heads, length, d = x.shape
    at = np.broadcast_to(places(response.positions, batch, heads), x.shape[:3]).ravel()
    if source is not None:
        x = x.reshape(batch, heads * length, d)[:, source(response.positions, heads).ravel()]
    rows, out = x.reshape(-1, d), response.out[which].reshape(-1, d)
    return bool((np.abs(out - model.apply(rows, at)) <= model.allowed(rows, at)).all())


def turned_as(model, x, out, positions):
    """Would a row x (head_dim,) come ``out`` so at each of the positions? (n,) of booleans."""
    x = np.broadcast_to(x, (len(positions), len(x)))
    return (np.abs(model.apply(x, positions) - out) <= model.allowed(x, positions) + 1e-4).all(axis=1)


def about_axes(model, seen, which):
    """Are batch, heads and length told apart?"""
    near = [probe for probe in seen.responses("sizes", "elsewhere", "length 21").values() if probe.positions[0] == 0]
    wrong = [probe for probe in near if not fits(model, probe, which)]
    for id, *how in AXES if wrong else ():
        if all(fits(model, probe, which, *how) for probe in near):
            return [MISTAKES.found(id, _axes_evidence(near[0], which, *how))]
    return [unlike(model, probe, which) for probe in wrong[:1]]


def other_axes(seen, which):
    """Nothing turns by the rows, or nothing that is known. Does it by the heads, or by the batch?"""
    probe = seen.probes["sizes"]
    for *_, model in paper_models(seen.head_dim):
        if any(fits(model, probe, which, places) for _, places in AXES[:2]):
            return about_axes(model, seen, which)
    return []


def _axes_evidence(probe, which, places, source=None):
    shape = probe.x[which].shape[:3]
    places = np.broadcast_to(places(probe.positions, *shape[:2]), shape)
    said = ", ".join(
        f"row 1 of head {head} in sample {sample} is turned as position {places[sample, head, 1]:.4g}"
        for sample, head in ((1, 0), (0, 1), (0, 2))
    )
    return f"{probe.call}: {said}{'; rows change places, too' if source is not None else ''}"


def about_positions(model, seen, which):
    """Positions given: used as they are, also for one row alone, and in a second call of the same length?

    Where none are given: are other lengths turned alike?
    """
    if not seen.takes:
        others = seen.responses("length", "shorter").values()
        return [unlike(model, probe, which) for probe in others if not fits(model, probe, which)][:1]
    probes = seen.responses("elsewhere", "unsorted")
    if not all(fits(model, probe, which) for probe in probes.values()):
        return [_mapped(model, probes, which, seen.takes)]
    single = seen.responses("single").get("single")
    if single is None or fits(model, single, which):
        return _kept(model, seen, which)
    if fits(model, single, which, lambda p, *_: p * 0):
        return [MISTAKES.found("single-row-zero", f"{single.call} gave a row turned as position 0")]
    return [unlike(model, single, which)]


def _mapped(model, probes, which, takes):
    for id, build in MAPS if takes == "positions" else (COUNTED, *MAPS):
        if all(fits(model, probe, which, build) for probe in probes.values()):
            probe = list(probes.values())[-1]
            places = build(probe.positions)
            shown = ", ".join(f"{p} as {q:.4g}" for p, q in list(zip(probe.positions, places, strict=True))[:4])
            return MISTAKES.found(id, f"{probe.call} turned position {shown}, …")
    return unlike(model, next(probe for probe in probes.values() if not fits(model, probe, which)), which)


def _kept(model, seen, which):
    for name, before in (("single again", "single"), ("length again", "first"), ("shorter again", None)):
        probe, earlier = seen.responses().get(name), seen.responses().get(before)
        if probe is None or fits(model, probe, which):
            continue
        if earlier is not None and fits(model, probe, which, lambda *_, old=earlier.positions: old):
            was = ", ".join(map(str, earlier.positions[:3])) + ", …" * (len(earlier.positions) > 3)
            said = f"{probe.call} gave the rows of an earlier call of that length, with positions {was}"
            return [MISTAKES.found("kept-by-length", said)]
        return [unlike(model, probe, which)]
    return []


def unlike(model, probe, which):
    """What is wrong with a call that no entry explains."""
    x, out = probe.x[which], probe.out[which]
    said = f"it gave {out.ravel()[0]:.4g}, …"
    candidates = np.unique([*range(64), *probe.positions, *2 * probe.positions])
    for sample, head, row in np.ndindex(x.shape[:-1]):
        hits = candidates[turned_as(model, x[sample, head, row], out[sample, head, row], candidates)]
        if probe.positions[row] not in hits:
            said = f"row {row} of head {head} in sample {sample}, position {probe.positions[row]}, is turned as "
            still = "no position that was tried" if out[sample, head, row].any() else "no position: it is 0"
            said += f"position {hits[0]}" if len(hits) else still
            break
    said = f"{probe.call} gave something else than the first positions promise: {said}"
    return MISTAKES.found("no-rotation", said, title="It does not do everywhere what it does at the first positions.")
