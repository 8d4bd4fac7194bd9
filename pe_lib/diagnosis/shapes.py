"""At which shapes of x a layer works, and what that tells. ``responses`` go from (batch, length) to a `Response`."""

import numpy as np

from .catalogue import found
from .evidence import show
from .run import Failed
from .subject import D_MODEL, MAX_LEN

SHAPES = ((2, 3), (1, 4), (2, 8), (3, 3), (3, 1), (9, 2))  # max_len is 8
TOLERANCE = 1e-4


def by_crashes(responses, works):
    """Two mistakes are known by the shapes at which they work."""
    grown = responses[3, 1].out
    if not works[2, 3] and works[2, 8] and not works[1, 4] and grown is not None and grown.shape[1] == MAX_LEN:
        return "no-slice"
    if not works[2, 3] and not works[2, 8] and works[3, 3] and works[1, 4]:
        return "slice-by-batch"
    return None


def wrong_cut(subject, responses, a):
    """What looks like no cut may be one of the columns, or one to the width of x, which is max_len here.

    ``a`` is the coefficient of x. None when the table is not cut at all.
    """
    added = responses[3, 1].out - a * responses[3, 1].x
    if np.ptp(added, axis=-1).max() < TOLERANCE:
        tokens = f"in the first all columns get {show(added[0, 0, 0])}, in the next {show(added[0, 1, 0])}"
        return found("slice-of-columns", f"for length 1 the output has {MAX_LEN} tokens: {tokens}")
    half = MAX_LEN // 2
    try:
        narrow = subject.ask(subject.make(d_model=half), 2, half, d_model=half)
    except Failed:  # it has no such width
        return None
    if not narrow.fits:
        return None
    lengths = f"with d_model = {D_MODEL} it works at length {D_MODEL}, with d_model = {half} at length {half}"
    return found("slice-by-width", f"max_len = {MAX_LEN}: {lengths}")


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


def only_encoding(responses):
    """The cut table itself, (1, length, d_model), whatever the batch."""
    outs = [(shape, response.out) for shape, response in responses.items()]
    if all(out is not None and out.shape == (1, length, D_MODEL) for (_, length), out in outs):
        return found(
            "only-encoding", f"for x of batch 2 and length 3 the output has the shape {outs[0][1].shape}, without x"
        )
    return None


def batch_axis_in_part(responses):
    """A table (length, 1, d_model) meets the batch only where batch and length are equal."""
    square = responses[3, 3]
    if not square.fits:
        return None
    rest = square.out - square.x
    if np.abs(rest - rest[:, :1]).max() > TOLERANCE or np.abs(rest - rest[:1]).max() <= TOLERANCE:
        return None
    return found(
        "batch-axis", f"at batch 3 and length 3 each sample has one row for all its tokens; {crashes(responses)}"
    )


def unusable(responses):
    first = next(iter(responses.values()))
    if first.finding and not any(response.fits for response in responses.values()):
        return first.finding
    if all(response.out is not None and response.out.shape[:2] == (n, b) for (b, n), response in responses.items()):
        return found("other-shape", f"{first.call} gave {first.out.shape}: batch and sequence have changed places")
    if first.out is not None and not any(response.fits for response in responses.values()):
        return found("other-shape", f"{first.call} gave the shape {first.out.shape}")
    return found("some-shapes", crashes(responses))
