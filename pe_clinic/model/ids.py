"""What position ids do: nothing, the same when all are shifted (relative) or not (absolute); for each place and row."""

from dataclasses import dataclass

import torch

from .subject import LENGTH, Measured, Seen, differs, largest


@dataclass(frozen=True)
class Ids:
    """Changes in standard deviations. ``first``: the id with which the model begins; ``given``: such ids, and none.

    ``shifted``: all ids + 100, or as many as fit. ``stride``: every second id. ``last``: another id for the last place.
    ``rows``: rows with ids of their own, alone and together. All are None for a model that takes no ids.
    """

    first: int = 0
    given: float | None = None
    shifted: float | None = None
    stride: float | None = None
    last: float | None = None
    rows: float | None = None

    @property
    def used(self):
        return any(map(differs, (self.shifted, self.stride, self.last)))

    def measured(self, has_positions):
        """`Measured` changes. ``has_positions``: other evidence says that ids should matter."""
        if self.stride is None or not self.used:
            ignored = self.stride is not None and has_positions
            return (
                [Measured("ids-ignored", float("inf"), "all ids shifted, every second id, another last id: no change")]
                if ignored
                else []
            )
        first_only = None if differs(self.last) else float("inf")
        return [
            Measured("ids-by-default", self.given, f"ids {self.first}, {self.first + 1}, … and none"),
            Measured("ids-of-first-place", first_only, "another id for the last place: no change"),
            Measured("ids-of-one-row", self.rows, "rows with ids of their own, together and alone"),
        ]


def look_at_ids(subject):
    if not subject.takes("positions"):
        return Ids()
    limit = subject.limit or 2048
    length = min(LENGTH, max(3, limit // 3))
    ids, plain = subject.text(length), torch.arange(length).expand(2, length)

    def run(positions, rows=slice(None)):
        return subject.run(ids[rows], positions=positions[rows], **subject.ones(ids[rows]))

    own = subject.run(ids, **subject.ones(ids))
    first = next((n for n in range(5) if not differs(subject.apart(own, run(plain + n)))), 0)
    base, last, rows = run(plain + first), plain + first, torch.stack([plain[0] + 3, plain[1] * 2]) + first
    last[:, -1] += 3
    together = run(rows)
    alone = [
        subject.apart(together.logits[n : n + 1], run(rows, slice(n, n + 1)))
        for n in (0, 1)
        if isinstance(together, Seen)
    ]
    return Ids(
        first=first,
        given=subject.apart(base, own),
        shifted=subject.apart(base, run(plain + first + min(100, limit - length - first))),
        stride=subject.apart(base, run(plain * 2 + first)),
        last=subject.apart(base, run(last)),
        rows=largest(*alone),
    )
