"""Positions far away: shifted texts must give the same in a relative model, and other rows in an absolute one."""

from dataclasses import dataclass

import torch

from ..saying.mistake import Mistake
from .calls import _far

CLAMPED = Mistake(
    "positions-clamped", "From some position on, all positions are the same.", "They are clamped to the size of a table.",
    "compute further rows, or refuse positions that the table does not have", "rasbt/LLMs-from-scratch/issues/939")  # fmt: skip
WRAPPED = Mistake(
    "positions-wrapped", "Far positions come back as earlier ones.", "They are taken modulo the size of a table or a cache.",
    "compute further rows, or refuse positions that the table does not have")  # fmt: skip
NAN = Mistake(
    "positions-nan", "Far positions give NaN.", "A row of the table was never filled, or a number overflows in half precision.",
    "compute positions and angles in float32 and fill the whole table")  # fmt: skip
DRIFT = Mistake(
    "angles-rounded", "The further a text is shifted, the more it changes.", "Angles are rounded: positions or frequencies in half precision.",
    "compute positions times frequencies in float32, and round cosine and sine", "huggingface/diffusers/pull/13922")  # fmt: skip
NOT_RELATIVE = Mistake(
    "not-relative", "A shifted text changes, though no position is added to the tokens.", "Queries and keys are rotated by different positions, or one of the two only.",
    "rotate q and k by the same position_ids")  # fmt: skip
REL_TOLERANCE = 3e-3  # of the effect: float32 angles of thousands of radians miss by 2e-4 of a radian


@dataclass(frozen=True)
class Far:
    """``changes`` maps the first position of a shifted text to its difference from the text at 0, None where refused.

    ``same`` are two positions at which one token gives the same logits, and ``effect`` what another order of ids changes.
    """

    limit: int = 0
    changes: tuple = ()
    same: tuple | None = None
    nan: int | None = None
    effect: float = 0.0


def look_at_far(subject, ids_seen, absolute):
    if not ids_seen.used:
        return Far()
    limit = min(subject.limit or 4096, 1 << 17)
    return _single(subject, limit, ids_seen.first) if absolute else _shifted(subject, limit, ids_seen)


def _single(subject, limit, first):
    """One token at many positions: each has a row of its own."""
    places = sorted({p for p in (*range(0, 70), 99, 100, 127, 128, 255, 256, 511, 512, 1000, 1023, limit // 2, limit - 2, limit - 1) if first <= p < limit})
    ids = subject.text(1, rows=1).expand(len(places), 1).clone()
    seen = _run(subject, ids, torch.tensor(places)[:, None])
    if not hasattr(seen, "logits"):
        return Far(limit)
    rows = seen.logits[:, 0]
    bad = [p for p, row in zip(places, rows, strict=True) if not row.isfinite().all()]
    order = torch.cdist(rows, rows, p=float("inf")) / subject.scale + torch.eye(len(places)) * 1e9
    pairs = (order < 1e-6).nonzero().tolist()
    same = (places[pairs[0][0]], places[pairs[0][1]]) if pairs and not bad else None
    return Far(limit, same=same, nan=bad[0] if bad else None)


def _shifted(subject, limit, ids_seen):
    length = 8
    starts = {0, 1, 2, 3, 5, 9, 20, 50, 100, 200, 400, 700, 1000, 1500, 2500, 4000, 8100, limit - 2 * length}
    starts |= {edge - 3 for edge in (16, 32, 64, 128, 256, 512, 1024, 2048, 4096)}
    starts = sorted(each for each in starts if 0 <= each <= max(limit - 2 * length, 0))
    ids = subject.text(length, rows=1).expand(len(starts), length).clone()
    seen = _run(subject, ids, torch.tensor(starts)[:, None] + torch.arange(length))
    if not hasattr(seen, "logits"):
        return Far(limit)
    changes = tuple((start, subject.apart(seen.logits[:1], seen.logits[n : n + 1])) for n, start in enumerate(starts))
    bad = [start for n, start in enumerate(starts) if not seen.logits[n].isfinite().all()]
    return Far(limit, changes, nan=bad[0] if bad else None, effect=ids_seen.stride or 0.0)


def _run(subject, ids, positions):
    given = {"mask": torch.ones_like(ids)} if subject.takes("mask") else {}
    return subject.run(ids, positions=positions, **given)


def explain_far(seen, tolerance=4e-5):
    if seen.nan is not None:
        return [NAN.found(f"the first is at position {seen.nan}")]
    if seen.same:
        low, high = seen.same
        entry = CLAMPED if high - low == 1 or high == seen.limit - 1 and low == seen.limit - 2 else WRAPPED
        return [entry.found(f"positions {low} and {high} give one token the same logits")]
    allowed = max(tolerance, REL_TOLERANCE * seen.effect)
    wrong = [(start, change) for start, change in seen.changes if change > allowed]
    if not wrong:
        return []
    start, change = wrong[0]
    after = [each for each, _ in seen.changes if each > start]
    evidence = _far(change, f"the text at positions {start}, {start + 1}, … and at 0, 1, …")
    if start <= 9:
        return [NOT_RELATIVE.found(evidence)]
    if len(wrong) <= len(after):
        return [WRAPPED.found(evidence)]
    ends = [change for _, change in wrong[-2:]]
    steady = len(wrong) > 1 and abs(ends[0] - ends[1]) < 1e-3 * ends[0]
    return [(CLAMPED if steady else DRIFT).found(evidence)]
