"""The positions that rows get by mistake: each is built, and named where it is what was seen."""

import numpy as np

from .places import each
from .words import MISTAKES

HEADS = MISTAKES["heads-for-sequence"]
BATCH = MISTAKES["batch-for-sequence"]
VIEW = MISTAKES["view-for-transpose"]
DIVIDED = MISTAKES["divided-by-length"]
IGNORED = MISTAKES["positions-ignored"]
FROM_FIRST = MISTAKES["from-first-row"]
SORTED = MISTAKES["positions-sorted"]
FROM_ONE_START = MISTAKES["first-position-only"]
FLIPPED = MISTAKES["positions-reversed-order"]
SINGLE = MISTAKES["single-row-zero"]
KEPT = MISTAKES["kept-by-length"]


def by_head(positions, batch, heads):
    return np.broadcast_to(np.arange(heads)[:, None], (batch, heads, len(positions))), None


def by_batch(positions, batch, heads):
    return np.broadcast_to(np.arange(batch)[:, None, None], (batch, heads, len(positions))), None


def _flat(length, heads):
    return np.arange(heads * length).reshape(heads, length)


def viewed(positions, batch, heads):
    """x.view(batch, length, heads, d), turned along axis 1, and viewed back."""
    places = positions[_flat(len(positions), heads) // heads]
    return np.broadcast_to(places, (batch, heads, len(positions))), None


def viewed_back(positions, batch, heads):
    """x.transpose(1, 2), turned along axis 1, and viewed back."""
    row, head = np.divmod(_flat(len(positions), heads), heads)
    return np.broadcast_to(positions[row], (batch, *row.shape)), head * len(positions) + row


def viewed_there(positions, batch, heads):
    """x.view(batch, length, heads, d), turned along axis 1, and transposed back."""
    head, row = np.indices((heads, len(positions)))
    return np.broadcast_to(positions[row], (batch, *row.shape)), row * heads + head


# From a mistake to the positions that its rows get. The first positions were read at length 12.
AXES = (
    *((HEADS, by_head), (BATCH, by_batch), (VIEW, viewed), (VIEW, viewed_back), (VIEW, viewed_there)),
    *((DIVIDED, each(lambda p, n=n: p * (12 - n) / max(len(p) - n, 1))) for n in (0, 1)),
)
COUNTED = (IGNORED, each(lambda p: np.arange(len(p))))
MAPS = (
    *((FROM_FIRST, each(lambda p: p - p[0])), (FROM_FIRST, each(lambda p: p - p.min())), COUNTED),
    *((FROM_ONE_START, each(lambda p: p[0] + np.arange(len(p)))), (SORTED, each(np.sort)), (FLIPPED, each(np.flip))),
)
