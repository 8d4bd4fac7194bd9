"""What shows how a layer combines x with its table: the findings of a `Combination`."""

import numpy as np

from pe_lib.vectorized import sinusoidal_vectorized

from ..saying.words import row, show
from .combining import TOLERANCE
from .picks import cells
from .subject import D_MODEL, MAX_LEN
from .words import found

ZEROS = "Zeros come back, whatever the position."
COLUMNS = f"at length {MAX_LEN} token n gets column n of the table"


def of_combination(how, responses, narrow):
    """The findings; none where row n meets token n, and x is not multiplied by it."""
    if how.pattern == "unknown":
        return (_unknown(how, responses),)
    shown = {
        "never-added": lambda: f"out = {show(how.a)}·x, and nothing else",
        "batch-axis": lambda: _by_sample(how, responses),
        "slice-by-width": lambda: _by_width(narrow),
        "rows-from-the-end": lambda: _from_the_end(how.pick),
        "slice-by-batch": lambda: crashes(responses, "axes 0 and 1 of x"),
        "slice-of-columns": lambda: _columns(how.rest(responses[3, 1])),
    }
    findings = (found("multiplied", _product(how, responses)),) if how.product else ()
    findings += (found("transposed", COLUMNS),) if how.pick.transposed else ()
    if how.entry == "missing-colon":
        return (*findings, _one_row(how.rest(responses[2, 3])[0, 0], responses))
    said = shown.get(how.entry, lambda: crashes(responses))
    zeros = {"title": ZEROS} if how.entry == "never-added" and not how.a else {}
    return (*findings, found(how.entry, said(), **zeros)) if how.entry else findings


def _from_the_end(pick):
    first = cells(pick, (1, 3, D_MODEL), MAX_LEN)[0, 0, 0] // D_MODEL
    return f"max_len = {MAX_LEN}: the first of 3 tokens gets row {first}"


def _product(how, responses):
    first = next(r for r in responses.values() if r.out is not None and r.out.ndim == 3 and r.out.shape[1] > 1)
    return f"out / x is the same for two different x; for the second token it is {row(how.rest(first)[0, 1])}"


def _by_sample(how, responses):
    first, alone = responses[2, 3], responses[1, 4]
    if first.fits:
        rest = how.rest(first)
        return (
            f"the first token of sample 1 gets {row(rest[1, 0])}; that is what its second token gets too, and sample 0 "
            f"gets {row(rest[0, 0])}"
        )
    if alone.out is not None and len(alone.out) > 1:
        return f"one sample of length 4 becomes {len(alone.out)}, each with one row for its tokens"
    return f"at batch 3 and length 3 each sample has one row for all its tokens; {crashes(responses)}"


def _by_width(narrow):
    half = narrow.x.shape[-1] if narrow else D_MODEL
    lengths = f"with d_model = {D_MODEL} it works at length {D_MODEL}, with d_model = {half} at length {half}"
    return f"max_len = {MAX_LEN}: {lengths}"


def _columns(added):
    tokens = f"in the first all columns get {show(added[0, 0, 0])}, in the next {show(added[0, 1, 0])}"
    return f"for length 1 the output has {added.shape[1]} tokens: {tokens}"


def _one_row(added, responses):
    paper = sinusoidal_vectorized(MAX_LEN + 1, D_MODEL)
    for count in (3, MAX_LEN):
        if np.allclose(paper[:count].mean(axis=0), added, atol=1e-3):
            return found("mean-row", f"at length 3 every token gets the mean of rows 0 to {count - 1}")
    if _is_mean(added, responses):
        return found("mean-row", f"at length 3 every token gets {row(added)}: three rows of length 1, divided by 3")
    near = [n for n in range(len(paper)) if np.allclose(paper[n], added, atol=1e-3)]
    what = f"the paper's row {near[0]}" if near else f"the row {row(added)}"
    end = "" if responses[2, 8].fits else f"; length {MAX_LEN}, the whole table, stops it"
    return found("missing-colon", f"at length 3 every token gets {what}{end}")


def _is_mean(added, responses):
    """Of a mean over the length the next row can be told; in a row the squares of each pair give 1."""
    longer = responses[1, 4]
    if not longer.fits or (added**2).sum() > 0.99 * D_MODEL / 2:
        return False
    return bool(abs(((4 * (longer.out[0, 0] - longer.x[0, 0]) - 3 * added) ** 2).sum() - D_MODEL / 2) < 1e-2)


def _unknown(how, responses):
    """What is left to say where no pick explains the responses."""
    first, every = responses[2, 3], responses.values()
    fits = any(response.fits for response in every)
    if how.said:
        return found("other-addition", how.said)
    if first.fits and np.abs((rest := how.rest(first)) - rest[:1]).max() > TOLERANCE:
        return found(
            "other-addition",
            "what is added differs between samples: the first token gets "
            f"{row(rest[0, 0])} in sample 0 and {row(rest[1, 0])} in sample 1",
        )
    if first.finding and not fits:
        if grown := next((r for r in every if r.out is not None and r.out.ndim > r.x.ndim), None):
            return found("other-shape", f"{grown.call} gave the shape {grown.out.shape}; {first.finding.evidence}")
        empty = [r.finding for r in every if r.finding and r.finding.id in ("none", "no-table")]
        return (empty or [first.finding])[0]  # what is returned where nothing stops it says more than an error
    if all(response.out is not None and response.out.shape[:2] == (n, b) for (b, n), response in responses.items()):
        return found("other-shape", f"{first.call} gave {first.out.shape}: batch and sequence have changed places")
    outs = [response.out for response in every if response.out is not None]
    if outs and not fits and all(map(_is_one_row, outs)):
        said = f"layer(x), of the shape {outs[0].shape}, holds {row(outs[0].ravel()[:D_MODEL])}, and no other row"
        if not any(map(np.any, outs)):
            return found("never-added", said, title=ZEROS)
        return found("missing-colon", said, title="One row comes back, whatever the length.")
    if first.out is not None and not fits:
        return found("other-shape", f"{first.call} gave the shape {first.out.shape}")
    return found("some-shapes", crashes(responses))


def _is_one_row(out):
    return out.shape[-1:] == (D_MODEL,) and not np.ptp(out.reshape(-1, D_MODEL), axis=0).any()


def crashes(responses, axes="(batch, length)"):
    """At which sizes of the first two ``axes`` of x it gives what."""
    good = [f"({b}, {n})" for (b, n), response in responses.items() if response.fits]
    grown = [
        f"({b}, {n}) gives {response.out.shape[:2]}"
        for (b, n), response in responses.items()
        if response.out is not None and not response.fits
    ]
    bad = [f"({b}, {n})" for (b, n), response in responses.items() if response.out is None]
    parts = (("gives the right shape at", good), ("stops at", bad), ("gives another shape:", grown))
    shown = "; ".join(f"{what} {', '.join(shapes)}" for what, shapes in parts if shapes)
    return f"of {axes} with max_len {MAX_LEN}, it {shown}"
