"""Does a layer answer: is what it gives as wide as x, for some x?"""

import math
import re

import torch

from ..sandbox.guard import attempt, first_look, run
from ..sandbox.values import is_tensor
from .file import LAYER_SIZES
from .layers import FunctionLayer
from .parameters import source_of

SHAPES = ((2, 3), (2, 8), (3, 3), (1, 4))  # (batch, length)
# What a text says of an x without a batch: (seq_len, d_model); and code that takes the first axis for the length.
OF_X = r"(?i)(?<![\w.])(?<!pos )(?<!positional )(?<!position )(x|(word|token|input)?_?emb(edding)?s?|inputs?|tokens)"
TWO_AXES = OF_X + r"\b[^\n([]{0,40}[[(]\s*(t|l|n|s|seq\w*|length|len|n_?tokens|time\w*)\s*,\s*\w+\s*[])]"
FOUR = r"(?:[\w*]+ *, *){3}\w+ *(?:[)\]]|= *\w+\.(?:shape|size))|heads|permute\(|(?i:4-?d\b|four)"  # axes
FIRST = r"\.size\((dim=)?0\)|\.shape\[0\]|\blen\("


def answers(call):
    """Does the layer give a tensor as wide as x, for some shape of x?"""

    def ask():
        layer = call.give(LAYER_SIZES).eval()
        if without_batch(getattr(layer, "inner", None) or layer):
            return False
        for batch, length in SHAPES:
            try:
                out = layer(torch.randn(batch, length, LAYER_SIZES["d_model"]))
            except Exception:
                continue
            parts = out.values() if isinstance(out, dict) else out if isinstance(out, (tuple, list)) else (out,)
            axes = {1, batch, length, 2 * length - 1, LAYER_SIZES["max_len"]}  # a row for each distance
            parts = parts if len(parts) < LAYER_SIZES["d_model"] else ()  # a list of columns is no answer
            if any(is_tensor(p) and p.is_floating_point() and _like_x(tuple(p.shape), axes) for p in parts):
                return True
        return False

    return bool(attempt(run, "a first look", ask))


def without_batch(layer):
    """Does the text of a layer, or of a method, say that x has two axes, (length, width)?"""
    function = getattr(layer, "forward", None) or (layer if hasattr(layer, "__func__") else type(layer).__call__)
    code = source_of(function)
    told = code + (getattr(function, "__self__", layer).__doc__ or "")
    return bool(re.search(TWO_AXES, told) and re.search(FIRST, code)) and not re.search("(?i)batch", told)


def encodes_numbers(call):
    """Does it give several numbers between -1 and 1 for each of x, the same ones in whatever row it stands?"""
    width = LAYER_SIZES["d_model"]

    def ask():
        out = waves_last(call.give(LAYER_SIZES).eval())(torch.linspace(2, 3, width).expand(2, 3, width).clone())
        out = out.flatten(2) if out.shape[:3] == (2, 3, width) else out
        waves = (out.abs() <= 1).all(dim=0).all(dim=0)
        if out.shape[:2] != (2, 3) or out.ndim != 3 or out.shape[2] % width or not bool((out == out[:1, :1]).all()):
            return False
        squares = out[0, 0][waves] ** 2
        pairs = ((squares[:, None] + squares - 1).abs() < 1e-3).any(dim=1)  # float32 rounds x · 2^14
        return len(pairs) >= 2 * width and bool(pairs.all()) and _are_octaves(_rates(call, width))

    return bool(attempt(run, "a first look", ask))


def waves_last(layer):
    """The ``layer`` as it is; where it stacks what it makes of x before the axes of x, with these first."""

    def forward(x):
        out = layer(x)
        return out.movedim(0, -1) if is_tensor(out) and out.shape[1:] == x.shape else out

    return FunctionLayer(forward, layer)


def _rates(call, width):
    """The rates at which the sines of a small number grow, in their order."""
    out = call.give(LAYER_SIZES).eval()(torch.full((1, 1, width), 1e-5)).flatten()
    return (out[out < 0.5] / 1e-5).unique()


def _are_octaves(rates):
    """1, 2, 4, …, once or times π or 2π, or divided; or equal steps, as the two that are known have them."""
    rates, count = rates[rates != 1] if len(rates) > 2 else rates, len(rates)
    doubled = bool((rates[1:] / rates[:-1] - 2).abs().max() < 1e-2) if count > 1 else False
    unit = rates[0].item() if rates[-1] > 1 else 1 / rates[-1].item()
    steps = (torch.linspace(1, 2.0 ** (len(rates) - 1), len(rates)), torch.pi * torch.linspace(1, 5, len(rates)))
    known = any(abs(unit - one) < 1e-2 for one in (1, 2, math.pi, 2 * math.pi))
    return (doubled and known) or any(torch.allclose(rates, step, rtol=1e-2) for step in steps)


def _like_x(shape, axes):
    """Two axes or three, the last one the width, the others known."""
    return len(shape) in (2, 3) and shape[-1] == LAYER_SIZES["d_model"] and set(shape[:-1]) <= axes


def speaks_of_four(layer):
    """Does the source of a layer speak of x with four axes?"""
    return bool(re.search(FOUR, source_of(type(layer))))


def counts_the_last_axis(call):
    """Are there as many rows as x has numbers on its last axis, and nothing of x: is x of ids, (batch, length)?"""
    layer, width = call.give(LAYER_SIZES).eval(), LAYER_SIZES["d_model"]
    rows = [first_look(layer, x) for x in (torch.ones(2, 3, width - 2), torch.zeros(2, 3, width - 2))]
    fits = all(getattr(one, "shape", ())[-2:] == (width - 2, width) for one in rows)
    return fits and torch.equal(*rows)


def may_have_four(call, layer):
    """May x have four axes, by the words of the layer, or for three do not show one too many?"""
    return speaks_of_four(layer) or not has_axes_too_many(call)


def has_axes_too_many(call):
    """Stand the rows that the layer gives for x of three axes behind two others, each of 1, of the batch or the length?

    Waves of every number of x have their axis last, and channels of a picture are as many as they are.
    One row for all positions is another mistake.
    """
    layer, width = call.give(LAYER_SIZES).eval(), LAYER_SIZES["d_model"]
    outs = [first_look(layer, torch.ones(batch, 5, width)) for batch in (1, 2)]
    outs = [out for out in outs if getattr(out, "ndim", 0) > 3 and out.shape[-2:] == (5, width)]
    outs = [out for out in outs if {*out.shape[:-2]} <= {1, 2, 5} and {*out.shape[:-2]} != {1}]
    return any(len(out.reshape(-1, width).unique(dim=0)) > 1 for out in outs)


def of_other_samples(file, call):
    """Does a call with the ids of two samples give rows for more?"""
    shape = attempt(lambda: file.tried(call, shape=(2, 3)).shape) or ()
    return len(shape) == 3 and shape[0] > 2
