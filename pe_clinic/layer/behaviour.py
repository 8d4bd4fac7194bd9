"""What a layer does beside the sum: to the caller's x, to later calls, to the gradient, past its end, to the dtype."""

import re
from contextlib import nullcontext, suppress
from functools import partial

import numpy as np
import torch

from ..sandbox.guard import Failed, run
from ..saying.words import row, show
from ..side_effects import ROUNDING, gradients
from ..table.no_formula import drawn_alike
from .outputs import as_array
from .subject import MAX_LEN
from .words import found

# What torch says when nobody has compared the length with max_len.
OBSCURE = r"size of tensor|must match|expanded size|index out of range|out of bounds|invalid for input of size"

OWN_ERROR = r"AssertionError|(Value|Index|Runtime)Error: .*(?i:max_?len|max_?seq|exceed|too long)"


def past_the_end(response, expected, a):
    """``response`` to more than max_len tokens; ``expected`` are the rows that a layer with room enough adds."""
    said = f"max_len = {MAX_LEN}: "
    if response.out is None:
        if not re.search(OBSCURE, response.finding.evidence):
            return []
        said += f"a sequence of {MAX_LEN + 1} stops with an error that does not name max_len"
        return [found("overflow", said, kind="note")]
    if not response.fits:
        return [found("overflow", f"{said}for {response.call} the output has only {response.out.shape[1]} tokens")]
    added = response.out[0] - a * response.x[0]
    if np.allclose(added, expected, atol=1e-3):
        return []  # it makes as many rows as are needed
    near = [pos for pos in range(MAX_LEN) if np.allclose(expected[pos], added[-1], atol=1e-3)]
    what = f"the row of position {near[0]} again" if near else row(added[-1])
    return [found("overflow", f"{said}at length {MAX_LEN + 1} the last token gets {what}")]


def last_row_again(seen):
    """A learned row that serves two positions, or longer texts, too; none where it is stretched to their length."""
    whole, past = seen.responses[2, MAX_LEN], seen.past
    rows, added = (seen.how.rest(one)[0] if one and one.fits else np.zeros((0, 1)) for one in (whole, past))
    near = [n for n, row in enumerate(rows) if len(added) and np.allclose(row, added[-1], atol=1e-3)]
    kept = near and np.allclose(added[:-1], rows, atol=1e-3)
    said = "max_len = {}: at length {} the last token gets the row of position {} again"
    alike = drawn_alike(rows, rows.shape[1])
    again = [found("overflow", said.format(MAX_LEN, MAX_LEN + 1, near[0]))] if kept else []
    return again + ([alike] if alike else [])


def refused(response):
    """What the layer's own error says where x has max_len tokens; else ""."""
    said = response.finding.evidence if response.finding and response.x.shape[1] >= MAX_LEN else ""
    return said if re.search(OWN_ERROR, said) else ""


def of_a_refusal(seen):
    said = next(filter(None, map(refused, seen.responses.values())), "") if seen.rows is not None else ""
    return [found("last-refused", said)] if said else []


def remembers(subject):
    """Does a call with other sizes change what the same x gives? The evidence, or None."""
    made = subject.make()
    first = subject.ask(made, 2, 3)
    for batch, length in ((2, 3), (1, 5), (3, 1)):
        response = subject.ask(made, batch, length, seed=1)
        if first.fits and not response.fits and subject.ask(subject.make(), batch, length, seed=1).fits:
            return f"{response.call} works in a new layer, and not after a call of length 3"
    again = subject.ask(made, 2, 3)
    if not first.fits or (again.fits and np.allclose(first.out, again.out, atol=1e-4)):
        return None
    if not again.fits:
        return f"{first.call} works at first and not after calls of other lengths"
    most = show(np.abs(first.out - again.out).max())
    return f"the same x gives outputs that differ by up to {most}, with other calls in between"


def rounded(subject):
    """The finding that far positions fall together under autocast, or where x is in half precision; or None."""
    made = subject.make(max_len=300)

    def sums(cast, dtype):
        """Of new layers, the last with ``dtype`` and in ``cast``; all are made outside, as a model is."""
        one, two, other = (subject.make_layer(made.d_model, made.max_len).eval() for _ in range(3))
        x = subject.x(made, 1, 300, seed=None)
        first, again = (as_array(layer(x.clone()), subject.batch_first) for layer in (one, two))
        if not np.array_equal(first, again):
            return first, first  # rows that are drawn differ by themselves
        with cast:
            return first, as_array(other(x.to(dtype)), subject.batch_first)

    autocast = torch.autocast("cpu", torch.bfloat16)
    for cast, dtype, id in ((autocast, torch.float32, "autocast"), (nullcontext(), torch.bfloat16, "autocast, in x")):
        with suppress(TypeError, AttributeError, Failed, NotImplementedError):
            off = np.abs(np.subtract(*run("a call in half precision", partial(sums, cast, dtype)))).max(axis=(0, 2))
            if off.max() >= 0.05:
                where = "under torch.autocast" if id == "autocast" else "for an x in bfloat16"
                said = f"at position {off.argmax()} the sum differs by up to {show(off.max())} {where}"
                return found(id, said)
    return None


def gradient(subject, a):
    """What is wrong with the gradient of the sum of all outputs, which should be ``a`` in every cell of x; or None."""
    made = subject.make()
    x = subject.x(made, 2, 3).requires_grad_()
    try:
        (grad,) = gradients(lambda: made(x * 1), [x])  # a copy: torch lets nobody write into a leaf
    except Failed as failed:
        return failed.finding.evidence
    if grad is None:
        return "the output has no gradient with respect to x"
    grad = grad.cpu().double().numpy()
    if np.allclose(grad, a, atol=1e-3 * max(1, abs(a))):
        return None
    return f"the gradient of the sum lies between {show(grad.min())} and {show(grad.max())}; {show(a)} is wanted"


def of_dtype(seen):
    """x is float32; a layer that follows x gives float32."""
    others = sorted({r.dtype for r in seen.responses.values() if r.out is not None} - {"float32"})
    if not others:
        return []
    id = "dtype, in half" if others[0] in ROUNDING else "dtype"
    return [found(id, f"x is float32, the output {others[0]}")]
