"""The positions that rows get by mistake: each is built, and named where it is what was seen."""

import numpy as np

from ..saying.mistake import Mistake
from .places import each

HEADS = Mistake(
    "heads-for-sequence",
    "The heads are taken for the sequence.",
    "Here x is (batch, heads, length, head_dim). The angle follows the axis of the heads: all rows of a head are "
    "turned alike: order is not seen at all.",
    "count positions along axis −2; for code that wants (batch, length, heads, head_dim): x.transpose(1, 2) before "
    "and after it",
    "facebookresearch/xformers/issues/841",
)
BATCH = Mistake(
    "batch-for-sequence",
    "The batch is taken for the sequence.",
    "Here x is (batch, heads, length, head_dim). The angle follows the axis of the batch.",
    "count positions along axis −2",
)
VIEW = Mistake(
    "view-for-transpose",
    "A view stands where a transpose is needed.",
    "view keeps the order of memory: (batch, heads, length, d) read as (batch, length, heads, d) mixes heads and rows. "
    "It is right with one head only.",
    "x.transpose(1, 2) swaps the two axes; view and reshape do not",
)
DIVIDED = Mistake(
    "divided-by-length",
    "Positions are divided by the length.",
    "The same two tokens, the same distance apart, get another score in a longer text.",
    "angle = pos * frequency; what is stretched for long texts is stretched by one factor",
)
IGNORED = Mistake(
    "positions-ignored",
    "The positions are ignored.",
    "It always counts 0, 1, 2, …. With a cache, each new token comes alone and is taken for position 0.",
    "take the rows of the tables at the given positions: cos[positions], sin[positions]",
)
FROM_FIRST = Mistake(
    "from-first-row",
    "Positions are counted from the first row.",
    "Within one call only differences count, so nothing is seen. But keys in a cache were turned by calls of their "
    "own, and each began at 0.",
    "use the positions as they are given",
)
SORTED = Mistake(
    "positions-sorted",
    "The rows get the positions in sorted order.",
    "Positions need not rise: a batch may be packed from several texts.",
    "cos[positions], one row for each",
)
FROM_ONE_START = Mistake(
    "first-position-only",
    "Only the first position is looked at.",
    "It counts on from there; packed texts and lists of positions are no such row.",
    "cos[positions], one row for each",
)
FLIPPED = Mistake(
    "positions-reversed-order", "The rows get the positions in reverse order.", "", "row n gets positions[n]"
)
SINGLE = Mistake(
    "single-row-zero",
    "One token alone is taken for position 0.",
    "In cached decoding every token comes alone: each gets the angle of the first.",
    "let the position decide, not the length of x",
    "Blaizzy/mlx-vlm/issues/1993",
)
KEPT = Mistake(
    "kept-by-length",
    "The tables are kept by the length alone.",
    "A second call of the same length gets the positions of the first.",
    "keep a table of all positions and take rows from it; or let the key of the cache hold the positions",
    "lucidrains/rotary-embedding-torch/issues/11",
)


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
