"""Which axis of the table was cut, and to what: told by the shapes of x at which a layer works."""

import numpy as np

from ..saying.mistake import Mistake
from ..saying.words import show
from .subject import D_MODEL, MAX_LEN

SHAPES = ((2, 3), (1, 4), (2, 8), (3, 3), (3, 1), (9, 2))  # of (batch, length); max_len is 8
TOLERANCE = 1e-4

BATCH_AXIS = Mistake(
    "batch-axis",
    "Every token of a sample gets the same row: the batch is taken for the sequence.",
    "A sequence-first layer was given batch-first input, or was converted "
    "half-way: broadcasting lines the positions up with the batch.",
    "add pe[:, :x.shape[1]] with pe of shape (1, max_len, d_model); "
    "for a layer that is meant to be sequence-first, "
    "ask with batch_first=False (--sequence-first)",
    "tanjimin/C.Origami/issues/42",
)
SLICE_BY_BATCH = Mistake(
    "slice-by-batch",
    "The sequence axis of the table is cut to the batch size.",
    "The cut follows the wrong axis of x: x.size(0) is the length only if the sequence comes first. "
    "With a batch of one, row 0 goes to every token, in silence.",
    "cut to the length: pe[:, :x.shape[1]]",
)
NO_SLICE = Mistake(
    "no-slice",
    "The whole table is added, whatever the length.",
    "x + pe fits only when the length is max_len; at length 1 it grows to max_len in silence.",
    "cut the table to the length: pe[:, :x.shape[1]]",
    "sktime/sktime/pull/9550",
)
SLICE_BY_WIDTH = Mistake(
    "slice-by-width",
    "The sequence axis of the table is cut to the width of x.",
    "x.shape[2], which is also x.shape[-1], is d_model. It is the length only by chance.",
    "cut to the length: pe[:, :x.shape[1]]",
)
SLICE_OF_COLUMNS = Mistake(
    "slice-of-columns",
    "The columns of the table are cut, not its rows.",
    "A table of shape (max_len, d_model) has no batch axis: axis 0 holds its rows, axis 1 its columns.",
    "give it a batch axis, pe.unsqueeze(0), and then pe[:, :x.shape[1]]; or cut axis 0: pe[:x.shape[1]]",
)
OTHER_SHAPE = Mistake(
    "other-shape",
    "The output has another shape than x.",
    "",
    "return x + pe[:, :x.shape[1]], of x's shape",
)
SOME_SHAPES = Mistake(
    "some-shapes",
    "The layer is right at some shapes of x only.",
    "A size was taken from the wrong axis, or an axis of 1 was dropped.",
    "try the shapes that are named one by one",
)


def by_crashes(responses):
    """The mistake that is known by the shapes at which the layer works; None when those tell nothing."""
    works = {shape: response.fits for shape, response in responses.items()}
    if works[2, 3]:
        return None
    if works[2, 8] and not works[1, 4] and _grows(responses, MAX_LEN):
        return NO_SLICE
    if not works[2, 8] and works[3, 3] and works[1, 4]:
        return SLICE_BY_BATCH
    return None


def _grows(responses, length=None):
    """For one token, does the output have ``length`` tokens, or any number of them above 1?"""
    out = responses[3, 1].out
    tokens = out.shape[1] if out is not None and out.ndim == 3 and len(out) == 3 else 1
    return tokens > 1 and length in (None, tokens)


def wrong_cut(responses, narrow, a):
    """What looks like no cut may be one of the columns, or one to the width of x, which is max_len here.

    ``a`` is the coefficient of x, ``narrow`` the response of a layer of half the width. None: it is not cut at all.
    """
    columns = _columns_cut(responses, a)
    if columns or narrow is None or not narrow.fits:
        return columns
    half = narrow.x.shape[-1]
    lengths = f"with d_model = {D_MODEL} it works at length {D_MODEL}, with d_model = {half} at length {half}"
    return SLICE_BY_WIDTH.found(f"max_len = {MAX_LEN}: {lengths}")


def _columns_cut(responses, a=1.0):
    """One column is left at length 1: it is stretched over all columns, and the length over all rows."""
    if not _grows(responses):
        return None
    response = responses[3, 1]
    added = response.out - a * response.x
    if np.ptp(added, axis=-1).max() > TOLERANCE:
        return None
    tokens = f"in the first all columns get {show(added[0, 0, 0])}, in the next {show(added[0, 1, 0])}"
    return SLICE_OF_COLUMNS.found(f"for length 1 the output has {added.shape[1]} tokens: {tokens}")


def batch_axis_in_part(responses):
    """A table (length, 1, d_model) meets the batch where batch and length are equal; uncut, one sample grows."""
    square, alone = responses[3, 3], responses[1, 4]
    if alone.out is not None and alone.out.ndim == 3 and len(alone.out) > 1 and alone.out.shape[1:] == (4, D_MODEL):
        added = alone.out - alone.x
        if np.abs(added - added[:, :1]).max() < TOLERANCE < np.abs(added - added[:1]).max():
            return BATCH_AXIS.found(f"one sample of length 4 becomes {len(added)}, each with one row for its tokens")
    if not square.fits:
        return None
    rest = square.out - square.x
    if np.abs(rest - rest[:, :1]).max() > TOLERANCE or np.abs(rest - rest[:1]).max() <= TOLERANCE:
        return None
    return BATCH_AXIS.found(f"at batch 3 and length 3 each sample has one row for all its tokens; {crashes(responses)}")


def unusable(responses):
    """What is left to say of a layer that does not give x's shape at the first shape."""
    first, all_of_them = next(iter(responses.values())), responses.values()
    any_fits = any(response.fits for response in all_of_them)
    if (columns := _columns_cut(responses)) and first.finding:
        return columns
    if first.finding and not any_fits:
        empty = [r.finding for r in all_of_them if r.finding and r.finding.id in ("none", "no-table")]
        return (empty or [first.finding])[0]  # what is returned where nothing stops it says more than an error
    if all(response.out is not None and response.out.shape[:2] == (n, b) for (b, n), response in responses.items()):
        return OTHER_SHAPE.found(f"{first.call} gave {first.out.shape}: batch and sequence have changed places")
    if first.out is not None and not any_fits:
        return OTHER_SHAPE.found(f"{first.call} gave the shape {first.out.shape}")
    return SOME_SHAPES.found(crashes(responses))


def crashes(responses):
    good = [f"({b}, {n})" for (b, n), response in responses.items() if response.fits]
    grown = [
        f"({b}, {n}) gives {response.out.shape[:2]}"
        for (b, n), response in responses.items()
        if response.out is not None and not response.fits
    ]
    bad = [f"({b}, {n})" for (b, n), response in responses.items() if response.out is None]
    parts = (("gives the right shape at", good), ("stops at", bad), ("gives another shape:", grown))
    shown = "; ".join(f"{what} {', '.join(shapes)}" for what, shapes in parts if shapes)
    return f"of (batch, length) with max_len {MAX_LEN}, it {shown}"
