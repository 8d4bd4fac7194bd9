"""A forward that takes more than x, or an x with one more axis: what its arguments get."""

import re
from itertools import islice, product

import torch

from .arrays import positions
from .axes import of_each
from .inputs import NONE, alternatives
from .layers import NUMBERS, X, layer_of, with_forward
from .lines import expression
from .parameters import bound, source_of

TRIALS = 12
PICKS = r"\[(?::, *)?{0}(?:\]|, *:)|(?i:pos|emb)\w*\({0}\)"  # rows by an index, and not up to it
PADS = r"(?i)\b{}\b[^\n]*\b(true|1)\b[^\n]{{0,24}}\bpad"  # in words on a mask
OF_EACH = "torch.arange(x.shape[1], device=x.device).expand(x.shape[0], -1)"  # the positions of each sample of a batch


def with_more(file, call, required, source):
    """forward(x, something): what the second argument is called tells what it gets, or that rows are picked by it."""
    values = {None: [NONE, *NUMBERS]}
    for a in required[1:]:
        each = re.search(rf"\bfor (?:\w+, )?(\w+) in (?:enumerate\()?{a.name}\b", source)
        if a.role != "mask" and of_each(a.name, source_of(file.thing_in(call))):
            values |= {a.role: [expression(OF_EACH, torch=file.library)]}
        elif a.role == "mask":
            full = "zeros" if "pad" in a.name or re.search(PADS.format(a.name), source) else "ones"
            ways = product(("x.shape[:2]", "(*x.shape[:2], 1)"), ("bool", "long"))
            ways = [f"torch.{full}({shape}, dtype=torch.{kind})" for shape, kind in ways]
            values |= {"mask": [NONE, *(expression(way, torch=file.library) for way in ways)]}
        elif not a.role and each and re.search(rf"\w\[[^]\n]*\b{each[1]}\b", source):
            values |= {None: [expression(OF_EACH, torch=file.library)]}
        elif a.role in (None, "max_len") and re.search(PICKS.format(a.name), source):
            values |= {a.role: positions(file.library)}
    options = [values.get(a.role) or alternatives(a, True, file) for a in required[1:]]
    ways = islice(product(*options), TRIALS)
    return [with_forward(call, [X, *bound(required[1:], way)]) for way in ways]


def of_several(call):
    """Layers for x with one more axis, of several that stand at a position, behind the length or before it.

    All of them get one row, or a TypeError comes; before the length it has to be a sum, as queries have heads there.
    """
    return [_of_several(call, turn, axis) for turn, axis in ((False, 2), (False, 1), (True, 3), (True, 2))]


def _of_several(call, turn, axis):
    """With the new ``axis``; ``turn``: with the channels before the length."""
    turned = (lambda x: x.mT) if turn else lambda x: x

    def one_row(layer, given, out):
        steps = layer(given + 1) - out if turn or axis == 1 else given * 0
        return torch.equal(*out.unbind(axis)) and (steps.max() - steps.min()).abs() < 1e-4

    def forward(layer, x):
        given = turned(x).unsqueeze(axis).repeat_interleave(2, axis)
        out = layer(given)
        if out.shape != given.shape or not (layer.training or one_row(layer, given, out)):
            raise TypeError("what stands at one position gets several rows")
        return turned(out.select(axis, 0))

    mt = ".mT" if turn else ""
    return layer_of(call, forward, f"{call.text}(x{mt}.unsqueeze({axis})).select({axis}, 0){mt}")
