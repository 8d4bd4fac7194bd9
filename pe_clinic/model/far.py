"""Positions far away: a shifted text gives the same in a relative model; one token changes in an absolute one."""

import torch

from .layers import first_input
from .subject import TOLERANCE, Measured, Seen

SPAN = 8  # tokens in a shifted text
FLOAT32 = 3e-3  # of the effect of other ids: what float32 angles of thousands of radians may miss


def look_at_far(subject, ids, absolute):
    """At most one `Measured` change, named by how changes go on with the distance."""
    if not ids.used:
        return _in_a_text(subject) if absolute else []
    limit = min(subject.limit or 4096, 1 << 17)
    return _single(subject, limit, ids.first) if absolute else _shifted(subject, limit, ids.stride or 0.0)


def _single(subject, limit, first):
    edges = (99, 100, 127, 128, 199, 255, 256, 511, 512, 1000, 1023, 1024, limit // 2, limit - 2, limit - 1)
    places = sorted({place for place in (*range(70), *edges) if first <= place < limit})
    ids = subject.text(1, rows=1).expand(len(places), 1).clone()
    seen = subject.run(ids, positions=torch.tensor(places)[:, None], **subject.ones(ids))
    if not isinstance(seen, Seen):
        return []
    rows = seen.logits[:, 0]
    bad = [place for place, row in zip(places, rows, strict=True) if not row.isfinite().all()]
    if bad:
        return [Measured("positions-nan", float("inf"), f"one token at position {bad[0]}")]
    return _alike(rows, places)


def _alike(rows, places):
    """Two places with the same row (places, …): neighbours, or further apart."""
    alike = torch.cdist(rows, rows, p=torch.inf) < 1e-6 * rows.std()
    same = [(n, m) for n, m in alike.nonzero().tolist() if n < m]
    if not same:
        return []
    name = "clamped" if any(m == n + 1 for n, m in same) else "wrapped"
    where = f"positions {places[same[0][0]]} and {places[same[0][1]]} give one token the same"
    return [Measured(f"positions-{name}", torch.inf, where)]


def _in_a_text(subject):
    """One token repeated: each place has a row of its own before the first layer."""
    for length in (300, 90, 40):
        rows, _ = first_input(subject, subject.text(1, rows=1).expand(1, subject.fits(length)).contiguous())
        if rows is not None:
            return _alike(rows, range(len(rows)))
    return []


def _shifted(subject, limit, effect):
    edges = (700, 1000, 1021, 1500, 2045, 2500, 4000, 4093, 8100, limit - SPAN)
    starts = sorted({start for start in (*range(0, 520, SPAN - 2), 1, 2, *edges) if 0 <= start <= limit - SPAN})
    ids = subject.text(SPAN, rows=1).expand(len(starts), SPAN).clone()
    seen = subject.run(ids, positions=torch.tensor(starts)[:, None] + torch.arange(SPAN), **subject.ones(ids))
    if not isinstance(seen, Seen):
        return []
    rows = seen.logits.flatten(1)
    changes = torch.nan_to_num((rows - rows[:1]).abs().amax(dim=1) / subject.scale, nan=torch.inf)
    wrong = (changes > max(TOLERANCE, FLOAT32 * effect)).nonzero().flatten().tolist()
    if not wrong:
        return []
    begin, after, end = starts[wrong[0]], len(starts) - wrong[0], changes[wrong[2:] or wrong]
    if not rows.isfinite().all():
        name = "positions-nan"
    elif begin < SPAN - 1:
        name = "not-relative"
    elif len(wrong) < 0.9 * after:
        name = "positions-wrapped"
    else:
        name = "positions-clamped" if end.max() - end.min() < 1e-3 * end.max() else "angles-rounded"
    return [Measured(name, changes[wrong[0]].item(), f"the text at positions {begin}, {begin + 1}, … and at 0, 1, …")]
