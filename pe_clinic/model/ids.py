"""What position ids do: nothing, shift invariance (relative) or not (absolute), for each place and each row."""

from dataclasses import dataclass

import torch

from ..saying.mistake import Mistake
from .calls import _far
from .subject import LENGTH, differs

FIRST_ONLY = Mistake(
    "ids-of-first-place", "Only the first position id counts.", "Positions are counted on from the first id; ids with gaps are lost.",
    "index by position_ids, place by place")  # fmt: skip
ONE_ROW = Mistake(
    "ids-of-one-row", "All rows get the position ids of one row.", "Left padding and packing give every row ids of its own.",
    "keep the batch axis: position_ids (batch, length)", "unslothai/unsloth/pull/3803")  # fmt: skip
IGNORED = Mistake(
    "ids-ignored", "Position ids are taken and not used.", "The model has positions, and the ids that a caller gives change nothing.",
    "compute the rows, or the angles, from position_ids")  # fmt: skip

DEFAULT = Mistake(
    "ids-by-default", "Without position ids, the model counts in another way than 0, 1, 2, …", "Its own ids skip, repeat or begin elsewhere.",
    "position_ids = arange(length) when none are given")  # fmt: skip


@dataclass(frozen=True)
class Ids:
    """Differences in standard deviations. ``first``: with which id the model itself begins. ``given``: such ids against none.
    ``shifted``: all ids + ``by``.
    ``stride``: every second id. ``last``: another id for the last place. ``rows``: rows with ids of their own, alone and together.
    """

    first: int = 0
    given: float | None = None
    by: int = 0
    shifted: float | None = None
    stride: float | None = None
    last: float | None = None
    rows: float | None = None

    @property
    def used(self):
        return any(map(differs, (self.shifted, self.stride, self.last)))


def look_at_ids(subject):
    if not subject.takes("positions"):
        return Ids()
    limit = subject.limit or 2048
    length = min(LENGTH, max(4, limit // 3))
    ids, plain = subject.text(length), torch.arange(length).expand(2, length)
    mask = {"mask": torch.ones_like(ids)} if subject.takes("mask") else {}

    def run(positions, rows=slice(None)):
        return subject.run(ids[rows], positions=positions[rows], **{name: each[rows] for name, each in mask.items()})

    own_ids = subject.run(ids, **mask)
    first = next((n for n in range(5) if not differs(subject.apart(own_ids, run(plain + n)))), 0)
    base, plain = run(plain + first), plain + first
    by = min(100, limit - length - 4)
    last = plain.clone()
    last[:, -1] += 3
    own = torch.stack([plain[0] + 3, plain[1] * 2 - first])
    together = run(own)
    rows = [subject.apart(together.logits[n : n + 1], run(own, slice(n, n + 1))) for n in (0, 1)] if hasattr(together, "logits") else []
    return Ids(
        first=first,
        given=subject.apart(base, own_ids),
        by=by,
        shifted=subject.apart(base, run(plain + by)),
        stride=subject.apart(base, run(plain * 2 - first)),
        last=subject.apart(base, run(last)),
        rows=max((each for each in rows if each is not None), default=None),
    )


def explain_ids(seen, has_positions):
    """``has_positions``: other evidence says that the model rotates by positions, or adds them."""
    if seen.stride is None:
        return []
    if not seen.used:
        return [IGNORED.found("ids + 100, every second id and another last id change nothing")] if has_positions else []
    findings = []
    if differs(seen.given):
        findings.append(DEFAULT.found(_far(seen.given, "ids 0, 1, 2, … and none")))
    if not differs(seen.last):
        findings.append(FIRST_ONLY.found("another id for the last place changes nothing"))
    if differs(seen.rows):
        findings.append(ONE_ROW.found(_far(seen.rows, "rows with ids of their own, together and alone")))
    return findings


