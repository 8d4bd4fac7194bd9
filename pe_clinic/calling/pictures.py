"""Readings of a torch module whose forward takes a picture, its mask, or both in one, or cuts it into patches."""

import contextlib
import math
import re
from itertools import product
from types import SimpleNamespace

import torch
from torch import nn

from ..sandbox.guard import Failed, attempt, run
from .arrays import SQUARE, maps, picture_masks, pictures, side
from .beside import PIXELS, kind_of
from .calling import HEIGHTS, WIDTHS
from .file import SIZES
from .inputs import settings
from .lines import Call, Value, constant, halved, then
from .parameters import arguments_of, bound, required_of, source_of
from .picking import Reading, is_a_sum, takes_a_grid

OF_PICTURES = {"x": pictures, "picture": pictures, "mask": picture_masks}
PARTS = (nn.Conv2d, nn.Linear, nn.Embedding)  # of others the rows cannot be told from what they make of them


def of_pictures(file, call, module):
    """The readings of a forward of one picture, channels first or last, or of its sides: a table of max_len rows."""
    required = required_of(module.forward)
    options = [_given(a, module.forward, file.library) for a in required]
    others = [a.role for a in required[1:] if not _side_of(a)]
    if not required or (others != ["mask"] and others):
        return []
    found, ways = {}, [_told_apart(made, bare) for bare in (False, True) for made in (call, halved(call))]
    for made, values in product(ways, product(*options)):
        of_one = Call(made, bound(required, values))
        for more in ("more", "two"):  # of one size alone, and of places in one line, no wider ones
            looks = (file.tried(of_one, **how) for how in ({}, {"fill": 1}, {more: 1}))
            if values not in found and attempt(lambda looks=looks: run("a look at a picture", _same_sum, *looks)):
                found[values] = Reading("table", of_one)
    return [*found.values()]


def _told_apart(call, bare):
    """The module that ``call`` makes, in eval, with its rows told apart; ``bare``: without what weights make of x."""
    return then(call, lambda m: m.eval().apply(_without_weights if bare and not _other_weights(m) else apart))


def _side_of(argument):
    """The side of a picture that a forward is told; None for what is no side."""
    name = argument.name.lower()
    return next((side(n) for n, names in enumerate((HEIGHTS, WIDTHS)) if name in names.split()), None)


def holds_pictures(argument, function):
    """Are its pictures, or their mask, asked of it, as of DETR's NestedTensor?"""
    return bool(re.search(rf"\b{re.escape(argument.name)}\.(tensors|mask)\b", source_of(function)))


def _given(argument, function, lib):
    if holds_pictures(argument, function):
        both = {"tensors": pictures(lib)[0], "mask": picture_masks(lib)[0]}
        return [settings("SimpleNamespace", SimpleNamespace, both)]
    if of_side := _side_of(argument):
        return [of_side]
    return [SQUARE] if argument.role == "sides" else OF_PICTURES.get(argument.role, lambda lib: [])(lib)


def _same_sum(zero, one, wide):
    """Is one and the same thing added to pictures of zeros and of ones, and to two pictures that are wider?"""
    side, width = SIZES[0].values()
    shapes = sorted((side, side, width)), [width, side**2]
    if sorted(zero.squeeze().shape) not in shapes or wide.ndim != zero.ndim or len(zero.unique()) < 3:
        return False  # of the wrong mask every place is 0: sines of 0 and cosines of 1
    steady = any(bool(((one - zero - step).abs() < 1e-5).all()) for step in (0, 1))
    corner = wide[tuple(slice(n) for n in zero.shape)]
    alike = len(zero) > 1 or len(wide) < 2 or torch.equal(*wide[:2])
    return steady and wide.numel() > zero.numel() and corner.shape == zero.shape and alike


def of_boxes(file, call, module):
    """The readings of a forward of x alone, with frames, rows and columns."""
    x = required_of(module.forward)
    calls = [Call(call, bound(x, [box])) for box in maps(file.library)[2:]] if [a.role for a in x] == ["x"] else ()
    wide = lambda one: [file.tried(one, fill=n, d_model=48) for n in (0, 1, 0)]  # noqa: E731
    sums = (one for one in calls if attempt(lambda one=one: is_a_sum(*wide(one))))
    return [Reading("table", one) for one in sums if takes_a_grid(file, one)]


def of_patches(file, call, module):
    """The reading as a table for max_len patches: of a picture of zeros, without what weights add."""
    required, patch = required_of(module.forward), _patch(call, module)
    has_positions = isinstance(call, Call) and "pos" in source_of(type(module)).lower()
    if not has_positions or not patch or _other_weights(module) or {a.role for a in required[1:]} - {"mask"}:
        return
    size = next((a.parameter for a in arguments_of(type(module)) if kind_of(a.name) == "side"), None)
    for in_line in (False, True):  # as many patches as are asked for, in one line, where the number is a parameter

        def give(setting, bare=True, in_line=in_line):
            side = math.isqrt(setting["max_len"] - 1) + 1
            sides = (1, setting["max_len"]) if in_line else (side, side)
            pixels = [side * patch for side in sides]
            more = {size.name: constant(tuple(pixels) if type(size.default) is tuple else pixels[0])} if size else {}
            made = Call(call.target, tuple((dict(call.arguments) | more).items())).give(setting).eval()
            made = made.apply(_without_weights) if bare else made
            if "module" in setting:
                return made
            masks = [torch.ones(1, *sides, dtype=torch.bool) for _ in required[1:]]
            first = next(part for part in made.modules() if isinstance(part, PARTS[:2]))
            channels = first.in_channels if isinstance(first, nn.Conv2d) else first.in_features // patch**2
            out = made(torch.zeros(1, channels, *pixels), *masks)
            rows = out[:, out.shape[1] - math.prod(sides) :][:, : setting["max_len"]]
            if bare and not rows.std(1).any() and give(setting, bare=False).std(1).max() > 1e-5:
                raise TypeError("weights behind the sum hide the rows")
            return rows

        one = Value(f"{call.text}(picture)", give)
        with contextlib.suppress(Failed, NotImplementedError, AttributeError):
            if file.tried(one).shape == (1, *SIZES[0].values()):
                yield Reading("table", one)
                return


def _patch(call, module):
    """The side of a patch: of a convolution that cuts, or as it is asked for; None where there is none."""
    cut = [c.stride[0] for c in module.modules() if isinstance(c, nn.Conv2d) and c.stride == c.kernel_size]
    given = [PIXELS] if re.search(r"patch\w*=2", call.text) else []
    asked = [a.parameter.default for a in arguments_of(type(module)) if a.role == "patch"]
    return next((n for n in (*cut, *given, *asked) if type(n) is int), None)


def _other_weights(module):
    """Has it parts with weights beside projections and rows, whose work cannot be left out?"""
    weighed = [part for part in module.modules() if list(part.parameters(recurse=False))]
    return any(type(part).__module__.startswith("torch.") and not isinstance(part, PARTS) for part in weighed)


def _without_weights(part):
    """Projections give 0; rows that are one number throughout get chance numbers."""
    for held in part.parameters(recurse=False) if isinstance(part, PARTS[:2]) else ():
        nn.init.zeros_(held)
    apart(part)


def apart(part):
    """Rows that begin as zeros, or as one number, get chance numbers."""
    for held in () if isinstance(part, PARTS[:2]) else part.parameters(recurse=False):
        if held.requires_grad and held.numel() > held.shape[-1] and (held == held.flatten()[0]).all():
            nn.init.normal_(held)
