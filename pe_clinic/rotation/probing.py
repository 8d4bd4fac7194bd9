"""Compare every call with the rotation that the first positions showed, and say where it is another, and which."""

import numpy as np

from .no_rotation import UNLISTED
from .places import decode, each, fits
from .placing import AXES, COUNTED, KEPT, MAPS, SINGLE


def about_axes(model, seen, which):
    """Are batch, heads and length told apart?"""
    near = [probe for probe in seen.responses("sizes", "elsewhere", "length 21").values() if probe.positions[0] == 0]
    wrong = [probe for probe in near if not fits(model, probe, which)]
    for mistake, build in AXES if wrong else ():
        if all(fits(model, probe, which, build) for probe in near):
            return [mistake.found(_axes_evidence(near[0], which, build))]
    return [unlike(model, probe, which) for probe in wrong[:1]]


def _axes_evidence(probe, which, build):
    places, source = build(probe.positions, *probe.x[which].shape[:2])
    said = ", ".join(
        f"row 1 of head {head} in sample {sample} is turned as position {places[sample, head, 1]:.4g}"
        for sample, head in ((1, 0), (0, 1), (0, 2))
    )
    return f"{probe.call}: {said}{'; rows change places, too' if source is not None else ''}"


def about_positions(model, seen, which):
    """Positions given: used as they are, also for one row alone, and in a second call of the same length?"""
    probes = seen.responses("elsewhere", "unsorted")
    if not all(fits(model, probe, which) for probe in probes.values()):
        return [_mapped(model, probes, which, seen.takes)]
    single = seen.responses("single").get("single")
    if single is None or fits(model, single, which):
        return _kept(model, seen, which)
    if fits(model, single, which, each(lambda p: p * 0)):
        return [SINGLE.found(f"{single.call} gave a row turned as position 0")]
    return [unlike(model, single, which)]


def about_lengths(model, seen, which):
    """Calls of other lengths, where no positions are given."""
    probes = seen.responses("length", "shorter")
    return [unlike(model, probe, which) for probe in probes.values() if not fits(model, probe, which)][:1]


def _mapped(model, probes, which, takes):
    for mistake, build in MAPS if takes == "positions" else (COUNTED, *MAPS):
        if all(fits(model, probe, which, build) for probe in probes.values()):
            probe = list(probes.values())[-1]
            places = build(probe.positions, 1, 1)[0].ravel()
            shown = ", ".join(f"{p} as {q:.4g}" for p, q in list(zip(probe.positions, places, strict=True))[:4])
            return mistake.found(f"{probe.call} turned position {shown}, …")
    return unlike(model, next(probe for probe in probes.values() if not fits(model, probe, which)), which)


def _kept(model, seen, which):
    for name, before in (("single again", "single"), ("length again", "first"), ("shorter again", None)):
        probe, earlier = seen.responses().get(name), seen.responses().get(before)
        if probe is None or fits(model, probe, which):
            continue
        if earlier is not None and fits(model, probe, which, each(lambda p, old=earlier.positions: old)):
            was = ", ".join(map(str, earlier.positions[:3]))
            return [KEPT.found(f"{probe.call} gave the rows of an earlier call of that length, with positions {was}"
                              f"{', …' if len(earlier.positions) > 3 else ''}")]  # fmt: skip
        return [unlike(model, probe, which)]
    return []


def unlike(model, probe, which):
    """What is wrong with a call that no entry explains."""
    places = decode(model, probe, which)
    wrong = np.argwhere(places != np.broadcast_to(probe.positions, places.shape))
    if len(wrong):
        sample, head, row = wrong[0]
        said = f"row {row} of head {head} in sample {sample}, position {probe.positions[row]}, "
        place = places[tuple(wrong[0])]
        said += f"is turned as position {place}" if place >= 0 else "is turned as no position that was tried"
    else:
        out = probe.out[which]
        said = f"it gave {out.ravel()[0]:.4g}, …"
    return UNLISTED.found(
        f"{probe.call} gave something else than the first positions promise: {said}",
        title="It does not do everywhere what it does at the first positions.",
    )
