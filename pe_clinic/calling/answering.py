"""Does a layer answer: is what it gives as wide as x, for some x?"""

import re

import torch

from ..sandbox.guard import attempt, first_look, run
from ..sandbox.values import is_tensor
from .file import LAYER_SIZES
from .layers import FunctionLayer, inner_of
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
        if without_batch(inner_of(layer)):
            return False
        for batch, length in SHAPES:
            try:
                out = layer(torch.randn(batch, length, LAYER_SIZES["d_model"]))
            except Exception:
                continue
            parts = out.values() if isinstance(out, dict) else out if isinstance(out, (tuple, list)) else (out,)
            axes = {1, batch, length, 2 * length - 1, LAYER_SIZES["max_len"]}  # a row for each distance
            shapes = [p.shape for p in parts if is_tensor(p) and p.is_floating_point() and p.ndim in (2, 3)]
            wide = [shape for shape in shapes if shape[-1] == LAYER_SIZES["d_model"] and {*shape[:-1]} <= axes]
            if wide and len(parts) < LAYER_SIZES["d_model"]:  # a list of columns is no answer
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
    """Does it give sines and cosines of the numbers in x, at rates that are known?"""
    from ..layer.features import waves_of

    def ask():
        x = torch.randn(2, 3, LAYER_SIZES["d_model"])
        out = waves_last(call.give(LAYER_SIZES).eval())(x)
        return waves_of(x.double().numpy(), out.detach().double().numpy())[0]

    return bool(attempt(run, "a first look", ask))


def waves_last(layer):
    """The ``layer`` as it is; where it stacks what it makes of x before the axes of x, with these first."""

    def forward(x):
        out = layer(x)
        return out.movedim(0, -1) if is_tensor(out) and out.shape[1:] == x.shape else out

    return FunctionLayer(forward, layer)


def counts_the_last_axis(call):
    """Are there as many rows as x has numbers on its last axis, and nothing of x: is x of ids, (batch, length)?"""
    layer, width = call.give(LAYER_SIZES).eval(), LAYER_SIZES["d_model"]
    rows = [first_look(layer, x) for x in (torch.ones(2, 3, width - 2), torch.zeros(2, 3, width - 2))]
    fits = all(getattr(one, "shape", ())[-2:] == (width - 2, width) for one in rows)
    return fits and torch.equal(*rows)


def may_have_four(call, layer):
    """May x have four axes, by the words of the layer, or for three do not show one too many?"""
    return bool(re.search(FOUR, source_of(type(layer)))) or not has_axes_too_many(call)


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
