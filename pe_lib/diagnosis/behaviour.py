"""What a layer does beside the sum: to the caller's x, to later calls, to the gradient, on the move, past its end."""

import re

import numpy as np
import torch

from .catalogue import found
from .evidence import row, show
from .run import Failed, run
from .subject import D_MODEL, MAX_LEN

# What torch says when nobody has compared the length with max_len.
OBSCURE = r"size of tensor|must match|expanded size|index out of range|out of bounds|invalid for input of size"


def past_the_end(subject, expected, a):
    """Longer than max_len; ``expected`` are the MAX_LEN + 1 rows that a layer with room enough adds, or None."""
    response = subject.ask(subject.make(), 2, MAX_LEN + 1)
    if response.out is None:
        if not re.search(OBSCURE, response.finding.evidence):
            return []
        said = f"max_len = {MAX_LEN}: a sequence of {MAX_LEN + 1} stops with an error that does not name max_len"
        return [found("overflow", said, kind="note")]
    if not response.fits:
        return [
            found(
                "overflow",
                f"max_len = {MAX_LEN}: for {response.call} the output has only {response.out.shape[1]} tokens",
            )
        ]
    if expected is None:
        return []
    added = response.out[0] - a * response.x[0]
    if np.allclose(added, expected, atol=1e-3):
        return []  # it makes as many rows as are needed
    last = added[-1]
    near = [pos for pos in range(MAX_LEN) if np.allclose(expected[pos], last, atol=1e-3)]
    what = f"the row of position {near[0]} again" if near else row(last)
    return [found("overflow", f"max_len = {MAX_LEN}: at length {MAX_LEN + 1} the last token gets {what}")]


def remembers(subject):
    """Does a call with other sizes change what the same x gives?"""
    layer = subject.make()
    first = subject.ask(layer, 2, 3)
    for batch, length in ((2, 3), (1, 5), (3, 1)):
        response = subject.ask(layer, batch, length, seed=1)
        if first.fits and not response.fits and subject.ask(subject.make(), batch, length, seed=1).fits:
            return [found("remembers", f"{response.call} works in a new layer, and not after a call of length 3")]
    again = subject.ask(layer, 2, 3)
    if not first.fits or (again.fits and np.allclose(first.out, again.out, atol=1e-4)):
        return []
    if not again.fits:
        return [found("remembers", f"{first.call} works at first and not after calls of other lengths")]
    return [
        found(
            "remembers",
            "the same x gives outputs that differ by up to "
            f"{show(np.abs(first.out - again.out).max())}, with other calls in between",
        )
    ]


def gradient(subject, a):
    """The gradient of the sum of all outputs is the coefficient of x, in every cell."""
    layer = subject.make()
    x = subject.x(layer, 2, 3, D_MODEL).requires_grad_()

    def backward():
        with torch.enable_grad():
            out = layer(x)
            out = out if isinstance(out, torch.Tensor) else out[0]
            if out.requires_grad:
                out.sum().backward()
        return x.grad

    try:
        grad = run("the backward pass", backward)
    except Failed as failed:
        return [found("gradient", failed.finding.evidence)]
    if grad is None:
        return [found("gradient", "the output has no gradient with respect to x")]
    if not np.allclose(grad.cpu().double().numpy(), a, atol=1e-3 * max(1, abs(a))):
        return [
            found(
                "gradient",
                f"the gradient of the sum lies between {show(grad.min().item())} "
                f"and {show(grad.max().item())}; {show(a)} is wanted",
            )
        ]
    return []


def trainable(layer):
    """Parameters that an optimizer would change."""
    names = [f"{name} {tuple(p.shape)}" for name, p in layer.named_parameters() if p.requires_grad]
    return [found("trainable", f"asks for a gradient: {', '.join(names)}")] if names else []
