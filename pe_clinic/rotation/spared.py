"""What a right rotation need not be given: positions, a start beside whole tables, columns that do not turn."""

import re
from dataclasses import replace
from itertools import product

import torch

from ..calling.parameters import source_of
from ..sandbox.guard import Failed, first_look, run
from .layouts import FEWER, FOUR
from .made_rows import turned
from .maker import as_tuple
from .way import SHAPES, STARTS
from .words import MISTAKES

PASSES = r"(?i)partial|_pass|_rest|nope|rot(ary)?_?(n?dims?|size)|first \w+ (dims|dimensions|columns|features|channels)"


def left_out(rotator, way, layout, width):
    """The `Finding` where the code makes its own positions when none are given, and stops or turns nothing; or None."""
    name, called = way.found.positions, getattr(way.function, "forward", way.function)
    if way.maker or way.found.required or not name or not re.search(rf"\b{name} is (not )?None\b", source_of(called)):
        return None
    without, stops = replace(way, found=replace(way.found, positions=None, takes=None)), []
    for at, length in product((layout, *FOUR, *FEWER[0]), (5, 64)):  # a square and a cube may be wanted
        given = torch.ones(2, 3, length, width)
        said = f"{way.said} without {name}, x of shape {at.words},"
        try:
            out = run(said, without.rotate(at, (), lambda p, b: p), *[given.clone() for _ in way.found.vectors])
        except (Failed, NotImplementedError) as stop:
            stops.append(stop.finding.evidence if isinstance(stop, Failed) else "ValueError")
            continue
        out = as_tuple(out)[0]
        if getattr(out, "shape", None) == given.shape:
            alike = torch.allclose(out, out[:, :, :1], atol=1e-5)
            return MISTAKES.found("rows-alike-without", f"{said} turns all rows alike") if alike else None
    told = stops and not re.search("(Value|Assertion|Type)Error", stops[0])  # which are raised on purpose
    return MISTAKES.found("stops-without-positions", stops[0]) if told else None


def from_its_start(rotator, way, layout, width):
    """The `Finding` where code that may take whole tables and a start does not turn by the rows from there; or None."""
    if not way.maker or way.found.required or way.found.takes != "start":
        return None
    x, places = torch.randn(1, 3, 5, width), torch.arange(4, 9)
    own = replace(way, found=replace(way.found, required=True))
    outs = [turned(own.rotate(layout, shape, STARTS[0]), own, x, places) for shape in SHAPES]
    outs = [out for out in outs if out is not None and out.shape == x.shape]
    right = turned(rotator.rotate, way, x, places)
    if outs and not any(torch.allclose(out, right, atol=1e-4) for out in outs):
        return MISTAKES.found("start-unheard", f"{way.said}, with whole tables and {way.found.positions}=4")
    return None


def rest_lost(rotator, way, layout, width):
    """The `Finding` where a part of a wider head turns, and the rest does not come back as it was; or None."""
    if not re.search(PASSES, source_of(type(way.function)) + source_of(way.function)):
        return None
    x, at = torch.randn(rotator.count, 2, 3, 5, 2 * width), [torch.arange(5)] * bool(rotator.form.takes)
    wide, *halves = [_turned(rotator, part, *at) for part in (x, *x.chunk(2, -1))]
    for out, first, last, given in zip(wide, *halves, x, strict=False):
        for n, one in enumerate((first, last)):  # the part that turns
            whole = [*given.chunk(2, -1)]
            whole[n] = one
            alone = out.numel() == one.numel() and torch.allclose(_sorted(out), _sorted(one), atol=1e-4)
            others = out.shape == given.shape and torch.allclose(out.chunk(2, -1)[n], one, atol=1e-4)
            if alone or (others and not torch.allclose(out, torch.cat(whole, -1), atol=1e-4)):
                said = "these alone come back" if alone else "the others are not those of x"
                return MISTAKES.found("rest-lost", f"{way.said}, of x {2 * width} wide {width} columns turn; {said}")
    return None


def _turned(rotator, tensors, *at):
    return first_look(lambda: as_tuple(rotator.rotate(*tensors.clone(), *at))) or ()


def _sorted(x):
    return x.flatten().sort()[0]
