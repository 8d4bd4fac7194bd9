"""What a layer does beside the sum: to the caller's x, to later calls, to the gradient, past its end, to the dtype."""

import re

import numpy as np
import torch

from ..sandbox.guard import Failed, run
from ..saying.mistake import Mistake
from ..saying.words import row, show
from .outputs import as_array
from .subject import MAX_LEN

IN_PLACE = Mistake(
    "in-place",
    "The layer changes the caller's x.",
    "x += … writes into the tensor that was handed in. Whoever uses it again, as a residual, has the encoding in it.",
    "x = x + …, which makes a new tensor",
    "NVIDIA-NeMo/Speech/pull/7440",
)
SEVERAL = Mistake(
    "tuple",
    "It returns several things.",
    "Speech recipes return the encoding beside the sum, for attention with relative positions.",
    "take the sum: x, _ = layer(x); or return the sum alone",
    kind="usage",
)
OVERFLOW = Mistake(
    "overflow",
    "A sequence longer than max_len is not refused by name.",
    "Slicing past the end of a table is legal, so the mistake shows later, or never.",
    "compare x.shape[1] with max_len first, and raise a ValueError that names both",
    "SamLynnEvans/Transformer/issues/14",
)
REMEMBERS = Mistake(
    "remembers",
    "A call changes what later calls give.",
    "Something is kept between calls: a position that is counted on, or a table that is written into.",
    "keep nothing in forward; make a new tensor for the sum",
)
GRADIENT = Mistake(
    "gradient",
    "The gradient does not reach x as it should.",
    "x.data, .detach() or no_grad() around the sum cuts the embedding off from training.",
    "return x + pe[:, :x.shape[1]]; a buffer needs no no_grad()",
)
DTYPE = Mistake(
    "dtype",
    "The output has another dtype than x.",
    "A float64 table, from NumPy, makes the sum float64; the next layer, in float32, may refuse it.",
    "cast the finished table to float32 when it is registered",
)
AUTOCAST = Mistake(
    "autocast",
    "Under torch.autocast its far positions fall together.",
    "autocast makes a matrix product of positions and frequencies in bfloat16, which has 8 binary digits: "
    "whole numbers above 256 are rounded.",
    "positions[:, None] * frequencies, which autocast leaves alone, or torch.autocast(…, enabled=False) around it",
    "huggingface/diffusers/issues/13920",
    kind="note",
)
HALF = ("bfloat16", "float16")

# What torch says when nobody has compared the length with max_len.
OBSCURE = r"size of tensor|must match|expanded size|index out of range|out of bounds|invalid for input of size"


def past_the_end(response, expected, a):
    """``response`` to more than max_len tokens; ``expected`` are the rows that a layer with room enough adds."""
    said = f"max_len = {MAX_LEN}: "
    if response.out is None:
        if not re.search(OBSCURE, response.finding.evidence):
            return []
        said += f"a sequence of {MAX_LEN + 1} stops with an error that does not name max_len"
        return [OVERFLOW.found(said, kind="note")]
    if not response.fits:
        return [OVERFLOW.found(f"{said}for {response.call} the output has only {response.out.shape[1]} tokens")]
    added = response.out[0] - a * response.x[0]
    if np.allclose(added, expected, atol=1e-3):
        return []  # it makes as many rows as are needed
    near = [pos for pos in range(MAX_LEN) if np.allclose(expected[pos], added[-1], atol=1e-3)]
    what = f"the row of position {near[0]} again" if near else row(added[-1])
    return [OVERFLOW.found(f"{said}at length {MAX_LEN + 1} the last token gets {what}")]


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


def under_autocast(subject):
    """What the layer adds at length 300 under autocast, where that is not what it adds without; or None."""
    made = subject.make(max_len=300)

    def both():
        x = subject.x(made, 1, 300, seed=None)
        with torch.autocast("cpu", torch.bfloat16):
            other = subject.make_layer(made.d_model, made.max_len).eval()(x)
        return as_array(made(x), subject.batch_first), as_array(other, subject.batch_first)

    try:
        plain, cast = run("a layer under autocast", both)
    except (Failed, NotImplementedError, AttributeError):
        return None
    if plain.shape != cast.shape or np.abs(plain - cast).max() < 0.05:
        return None
    row_ = int(np.abs(plain - cast).max(axis=(0, 2)).argmax())
    return f"at position {row_} the sum differs by up to {show(np.abs(plain - cast).max())} under torch.autocast"


def gradient(subject):
    """The gradient of the sum of all outputs in every cell of x: an array, None, or the finding that came instead."""
    made = subject.make()
    x = subject.x(made, 2, 3).requires_grad_()

    def backward():
        with torch.enable_grad():
            out = made(x)
            out = out if isinstance(out, torch.Tensor) else out[0]
            if out.requires_grad:
                out.sum().backward()
        return x.grad

    try:
        grad = run("the backward pass", backward)
    except Failed as failed:
        return failed.finding
    return None if grad is None else grad.cpu().double().numpy()


def of_gradient(grad, a):
    """It is ``a``, the coefficient of x, everywhere."""
    if grad is None:
        return [GRADIENT.found("the output has no gradient with respect to x")]
    if not isinstance(grad, np.ndarray):
        return [GRADIENT.found(grad.evidence)]
    if np.allclose(grad, a, atol=1e-3 * max(1, abs(a))):
        return []
    between = f"between {show(grad.min())} and {show(grad.max())}"
    return [GRADIENT.found(f"the gradient of the sum lies {between}; {show(a)} is wanted")]


def of_dtype(dtypes):
    """x is float32; a layer that follows x gives float32."""
    others = sorted(set(dtypes) - {"float32"})
    if not others:
        return []
    half = {"explanation": "The sum was cast to half precision.", "fix": "leave the dtype to x"}
    return [DTYPE.found(f"x is float32, the output {others[0]}", **(half if others[0] in HALF else {}))]
