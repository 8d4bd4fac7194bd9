"""Code that takes x in one row of numbers, q and k in one tensor, or lists, or gives x with other axes."""

import functools
import re
from dataclasses import replace
from math import prod

import torch

from ..calling.parameters import source_of
from .asking import Rotator
from .forms import Form
from .layouts import FOUR, HEADS_LAST, Layout, in_layout
from .maker import as_tuple
from .plain import is_plain, of_plain
from .way import POSITIONS, STARTS

OF_HEAD = r"head|hd|d_?k"
MORE = ", without the axes of 1 that its result has before those of x"
COLUMNS = ", the last two axes exchanged"
OTHERWISE = (
    (MORE, lambda x: x, lambda out, x: out.reshape(x.shape) if out.shape[-x.ndim :] == x.shape else out),
    (COLUMNS, lambda x: x.mT, lambda out, x: out.mT),
)
# x, and how many of its axes are joined: of all samples; where the code asks for no batch, of one, or of one token.
ALL = ((HEADS_LAST, 1), (HEADS_LAST, 3), (FOUR[0], 3))
ONE = ((Layout(("length", "heads")), 1), (Layout(("length", "heads")), 2), (Layout(("heads", "length")), 2))
TOKEN = ((Layout(("heads",)), 1),)


def flat_rotators(found):
    """Of each way that asks for the number of heads: its rotators for x in one row."""
    for way in found:
        roles = dict(way.found.sizes)
        if "heads" not in roles.values() or any("kv" in name for name in roles):
            continue
        told = "max_len" in roles.values() or way.found.takes == "positions"
        forms = ALL if "batch" in roles.values() else (ALL[0], *ONE, *TOKEN)
        for layout, count in forms if told else (form for form in forms if form[1] == 1):
            yield _joined(way, count).rotators(layout)


def _joined(way, count):
    """``way`` with the last ``count`` axes of x before its width joined to it."""
    wide = [name for name, role in way.found.sizes if role == "d_model"]
    heads = next(name for name, role in way.found.sizes if role == "heads")
    code = source_of(way.function)
    whole = [n for n in wide if not re.search(OF_HEAD, n) and (wide[1:] or re.search(rf"\b{n} *//? *{heads}\b", code))]

    def turn(**named):
        shape = named[way.found.vectors[0]].shape
        row = (*shape[: -1 - count], prod(shape[-1 - count :]))
        given = {n: named[n].reshape(row) for n in way.found.vectors} | {n: named[n] * named[heads] for n in whole}
        out = way.function(**{**named, **given})
        parts = tuple(o.reshape(shape) if getattr(o, "shape", 0) == row else o for o in as_tuple(out))
        return parts if isinstance(out, (tuple, list)) else parts[0]

    turn.of_plain, turn.__wrapped__ = is_plain(way.function), way.function
    said = f"{way.said}, {'all numbers' if count > 1 else 'all heads'} in one row"
    return replace(way, said=said, function=turn)


def second_head(function, q):
    """Of a kernel that turns all heads of one place in a row, of which the keys have fewer: q gets two, k one."""

    @functools.wraps(function)
    def turn(**given):
        x, both = given[q], torch.cat((given[q], given[q]))
        wide = {n: 2 * v for n, v in given.items() if type(v) is int and v == len(x) and not re.search("kv|head", n)}
        out = function(**{**given, **wide, q: both})
        x.copy_(both[len(x) :])
        return out and (out[0][len(x) :], *out[1:])

    return turn


def together(way):
    """For code that turns q and k in one tensor (batch, length, 3, heads, head_dim): a `Rotator` of q and k."""
    place = STARTS[0] if way.form.takes == "start" else POSITIONS[0]

    def whole(qkv, positions):
        return way.call(HEADS_LAST, (), place, [qkv], positions)

    def turn(tensors, positions):
        out = whole(torch.stack((*tensors, torch.zeros_like(tensors[0])), 2), positions)
        return out[:2] if isinstance(out, (tuple, list)) else (out[:, :, 0], out[:, :, 1])

    said = f"{way.said}, q and k in one tensor"
    named = whole if "qkv" in "".join(way.found.vectors) else None
    return Rotator(in_layout(turn, HEADS_LAST, True), Form(True, way.form.takes), said, whole=named)


def of_lists(way):
    return replace(way, said=f"{way.said}, lists in place of tensors", function=of_plain(way.function, True))


def otherwise(way):
    """For code of one x, its result without axes of 1 before those of x; and with the width before the length."""
    for said, turned, back in OTHERWISE:

        def turn(turned=turned, back=back, **named):
            named |= {name: turned(named[name]) for name in way.found.vectors}
            return back(way.function(**named), named[way.found.vectors[0]])

        turn.of_plain = is_plain(way.function)
        yield replace(way, said=f"{way.said}{said}", function=turn)
