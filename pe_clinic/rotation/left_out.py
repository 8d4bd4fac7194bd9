"""What a rotation does without the positions that its code says may be left out."""

import re
from dataclasses import replace
from itertools import product

import torch

from ..calling.parameters import source_of
from ..sandbox.guard import Failed, run
from .forms import named_parameters
from .layouts import FEWER, FOUR
from .maker import as_tuple

NONE = r"\bif {0} is None\b|\b{0} is not None else|\b{0} or "  # so is what is left out made up for
REFUSED = "ValueError|AssertionError|NotImplementedError|TypeError"


def stops_without(rotator, width):
    """How every call without positions stops of code that makes its own where there are none; "" where one runs."""
    way = rotator.asked[0]
    name = way and not way.maker and not way.found.required and way.found.positions
    called = way and getattr(way.function, "forward", way.function)
    if not name or not re.search(NONE.format(name), source_of(called)) or not _is_none(called, name):
        return ""
    without, stops = replace(way, found=replace(way.found, positions=None, takes=None)), []
    layouts = rotator.asked[1], *FOUR, *FEWER[0]
    for layout, length in product(layouts, (5, 64)):  # a square and a cube may be wanted
        tensors = [layout.split(torch.ones(2, 3, length, width))[0] for _ in way.found.vectors]
        said = f"{way.said} without {name}, x of shape {layout.words},"
        try:
            out = run(said, without.call, layout, (), lambda p, batch: p, tensors, torch.arange(length))
        except NotImplementedError:
            return ""
        except Failed as failed:
            stops.append(failed.finding.evidence)
        else:
            if getattr(as_tuple(out)[0], "shape", None) == tensors[0].shape:
                return ""
    return "" if not stops or re.search(REFUSED, stops[0]) else stops[0]


def _is_none(function, name):
    return any(p.name == name and p.default is None for p in named_parameters(function))
