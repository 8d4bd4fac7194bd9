"""Which position does each row get? Every answer is built, and compared with what the rotation gave."""

from dataclasses import replace

import numpy as np

from .entry import Entry, thread


def _rows(positions, batch, heads):
    return np.broadcast_to(np.arange(len(positions)), (batch, heads, len(positions)))


def given(positions, batch, heads):
    return np.broadcast_to(positions, (batch, heads, len(positions))), None


def _by_head(positions, batch, heads):
    return np.broadcast_to(np.arange(heads)[:, None], (batch, heads, len(positions))), None


def _by_batch(positions, batch, heads):
    return np.broadcast_to(np.arange(batch)[:, None, None], (batch, heads, len(positions))), None


def _flat(length, heads):
    return np.arange(heads * length).reshape(heads, length)


def _viewed(positions, batch, heads):
    """x.view(batch, length, heads, d), turned along axis 1, and viewed back."""
    places = positions[_flat(len(positions), heads) // heads]
    return np.broadcast_to(places, (batch, heads, len(positions))), None


def _viewed_back(positions, batch, heads):
    """x.transpose(1, 2), turned along axis 1, and viewed back."""
    row, head = np.divmod(_flat(len(positions), heads), heads)
    return np.broadcast_to(positions[row], (batch, *row.shape)), head * len(positions) + row


def _viewed_there(positions, batch, heads):
    """x.view(batch, length, heads, d), turned along axis 1, and transposed back."""
    head, row = np.indices((heads, len(positions)))
    return np.broadcast_to(positions[row], (batch, *row.shape)), row * heads + head


HEADS = Entry(
    "heads-for-sequence",
    "The heads are taken for the sequence.",
    "Here x is (batch, heads, length, head_dim). The angle follows the axis of the heads: all rows of a head are "
    "turned alike: order is not seen at all.",
    "count positions along axis −2; for code that wants (batch, length, heads, head_dim): x.transpose(1, 2) before "
    "and after it",
    thread("facebookresearch/xformers#841"),
    build=_by_head,
)
BATCH = Entry(
    "batch-for-sequence",
    "The batch is taken for the sequence.",
    "Here x is (batch, heads, length, head_dim). The angle follows the axis of the batch.",
    "count positions along axis −2",
    build=_by_batch,
)
VIEW = Entry(
    "view-for-transpose",
    "A view stands where a transpose is needed.",
    "view keeps the order of memory: (batch, heads, length, d) read as (batch, length, heads, d) mixes heads and rows.",
    "x.transpose(1, 2) swaps the two axes; view and reshape do not",
    build=_viewed,
)
AXES = (HEADS, BATCH, VIEW, *(replace(VIEW, build=build) for build in (_viewed_back, _viewed_there)))

IGNORED = Entry(
    "positions-ignored",
    "The positions are ignored.",
    "It always counts 0, 1, 2, …. With a cache, each new token comes alone and is taken for position 0.",
    "take the rows of the tables at the given positions: cos[positions], sin[positions]",
    build=lambda positions, batch, heads: (_rows(positions, batch, heads), None),
)
FROM_FIRST = Entry(
    "from-first-row",
    "Positions are counted from the first row.",
    "Within one call only differences count, so nothing is seen. But keys in a cache were turned by calls of their "
    "own, and each began at 0.",
    "use the positions as they are given",
    build=lambda positions, batch, heads: given(positions - positions[0], batch, heads),
)
FROM_SMALLEST = replace(
    FROM_FIRST, build=lambda positions, batch, heads: given(positions - positions.min(), batch, heads)
)


def _divided(less):
    def build(positions, batch, heads):
        return given(positions * (12 - less) / max(len(positions) - less, 1), batch, heads)

    return build


DIVIDED = Entry(
    "divided-by-length",
    "Positions are divided by the length.",
    "The same two tokens, the same distance apart, get another score in a longer text.",
    "angle = pos * frequency; what is stretched for long texts is stretched by one factor",
    build=_divided(0),
)
BY_LENGTH = (DIVIDED, replace(DIVIDED, build=_divided(1)))
SORTED = Entry(
    "positions-sorted",
    "The rows get the positions in sorted order.",
    "Positions need not rise: a batch may be packed from several texts.",
    "cos[positions], one row for each",
    build=lambda positions, batch, heads: given(np.sort(positions), batch, heads),
)
FROM_ONE_START = Entry(
    "first-position-only",
    "Only the first position is looked at.",
    "It counts on from there; packed texts and lists of positions are no such row.",
    "cos[positions], one row for each",
    build=lambda positions, batch, heads: given(positions[0] + np.arange(len(positions)), batch, heads),
)
FLIPPED = Entry(
    "positions-reversed-order",
    "The rows get the positions in reverse order.",
    "",
    "row n gets positions[n]",
    build=lambda positions, batch, heads: given(positions[::-1], batch, heads),
)
MAPS = (FROM_FIRST, FROM_SMALLEST, IGNORED, FROM_ONE_START, SORTED, *BY_LENGTH, FLIPPED)

SINGLE = Entry(
    "single-row-zero",
    "One token alone is taken for position 0.",
    "In cached decoding every token comes alone: each gets the angle of the first.",
    "let the position decide, not the length of x",
    thread("Blaizzy/mlx-vlm#1993"),
)
KEPT = Entry(
    "kept-by-length",
    "The tables are kept by the length alone.",
    "A second call of the same length gets the positions of the first.",
    "keep a table of all positions and take rows from it; or let the key of the cache hold the positions",
    thread("lucidrains/rotary-embedding-torch#11"),
)


def effective(model, response, which=0, build=given):
    """What the rotation would give if each row got the position that ``build`` says, and what it may differ by."""
    x = response.x[which]
    batch, heads, length, d = x.shape
    places, source = build(response.positions, batch, heads)
    if source is not None:
        x = x.reshape(batch, heads * length, d)[:, source.ravel()].reshape(x.shape)
    rows, places = x.reshape(-1, d), places.ravel()
    return model.apply(rows, places).reshape(x.shape), model.allowed(rows, places).reshape(x.shape)


def fits(model, response, which=0, build=given, slack=0.0):
    """Do all rows have the positions that ``build`` says?"""
    built, allowed = effective(model, response, which, build)
    return bool((np.abs(response.out[which] - built) <= allowed + slack * (1 + np.abs(response.x[which]).max())).all())


def decode(model, response, which=0, candidates=None):
    """The position by which each row was turned: (batch, heads, length), −1 where none of the candidates fits."""
    x, out = response.x[which], response.out[which]
    if candidates is None:
        candidates = np.unique([*range(64), *response.positions, *(2 * response.positions)])
    d = x.shape[-1]
    found = np.full(x.shape[:-1], -1)
    for place in np.ndindex(found.shape):
        rows = np.broadcast_to(x[place], (len(candidates), d))
        wrong = np.abs(model.apply(rows, candidates) - out[place]) > model.allowed(rows, candidates) + 1e-4
        hits = np.flatnonzero(~wrong.any(axis=1))
        if len(hits):
            own = response.positions[place[-1]]
            found[place] = own if own in candidates[hits] else candidates[hits[0]]
    return found
