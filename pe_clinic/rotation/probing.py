"""Compare every call with the rotation that the first positions showed, and say where it is another, and which."""

import numpy as np

from .no_rotation import UNLISTED
from .places import AXES, BY_LENGTH, IGNORED, KEPT, MAPS, SINGLE, decode, fits, given


def about_axes(model, seen, which):
    """Batch, heads and length: (findings, are they told apart?)"""
    probes = [seen.probes[name] for name in ("sizes", "elsewhere", "length 21") if name in seen.responses()]
    near = [probe for probe in probes if _starts_at_zero(probe)]
    if all(fits(model, probe, which) for probe in near):
        return []
    for entry in AXES:
        if all(fits(model, probe, which, entry.build) for probe in near):
            return [entry.found(_axes_evidence(model, near[0], which, entry))]
    for entry in BY_LENGTH:
        if all(fits(model, probe, which, entry.build) for probe in near):
            return [entry.found("the same position is turned by another angle at lengths 5 and 12")]
    return [unlike(model, next(probe for probe in near if not fits(model, probe, which)), which)]


def _starts_at_zero(probe):
    return probe.positions[0] == 0


def _axes_evidence(model, probe, which, entry):
    batch, heads = probe.x[which].shape[:2]
    places, source = entry.build(probe.positions, batch, heads)
    rows = [f"row {row} of head {head} in sample {sample}" for sample, head, row in ((1, 0, 1), (0, 1, 1), (0, 2, 1))]
    values = [places[index] for index in ((1, 0, 1), (0, 1, 1), (0, 2, 1))]
    said = ", ".join(f"{row} is turned as position {value}" for row, value in zip(rows, values, strict=True))
    moved = "; rows change places, too" if source is not None else ""
    return (
        f"{probe.call} gave what is right with one head only: {said}{moved}"
        if entry.id.startswith("view")
        else (f"{probe.call}: {said}")
    )


def about_positions(model, seen, which):
    """Positions given: used as they are, also for one row alone, and in a second call of the same length?"""
    probes = seen.responses("elsewhere", "unsorted")
    if not all(fits(model, probe, which) for probe in probes.values()):
        return [_mapped(model, probes, which, seen.takes)]
    findings = []
    single = seen.responses("single").get("single")
    if single is not None and not fits(model, single, which):
        if fits(model, single, which, lambda positions, *shape: given(positions * 0, *shape)):
            findings.append(SINGLE.found(f"{single.call} gave a row turned as position 0"))
        else:
            findings.append(unlike(model, single, which))
    if not findings:
        findings += _kept(model, seen, which)
    return findings


def _mapped(model, probes, which, takes):
    for entry in MAPS if takes == "positions" else (IGNORED, *MAPS):
        if all(fits(model, probe, which, entry.build) for probe in probes.values()):
            probe = list(probes.values())[-1]
            places = entry.build(probe.positions, 1, 1)[0].ravel()
            shown = ", ".join(f"{p} as {q:.4g}" for p, q in list(zip(probe.positions, places, strict=True))[:4])
            return entry.found(f"{probe.call} turned position {shown}, …")
    return unlike(model, next(probe for probe in probes.values() if not fits(model, probe, which)), which)


def _kept(model, seen, which):
    for name, before in (("single again", "single"), ("length again", "first"), ("shorter again", None)):
        probe = seen.responses(name).get(name)
        if probe is None or fits(model, probe, which):
            continue
        earlier = seen.responses().get(before)
        if earlier is not None and fits(model, probe, which, lambda p, b, h, e=earlier: given(e.positions, b, h)):
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
