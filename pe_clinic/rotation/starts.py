"""Where a call begins: at the starts of a batch, one for each row; behind what a cache keeps."""

import inspect
import re
from dataclasses import replace
from functools import partial

import torch

from ..calling import past
from ..calling.declared import of_rows
from ..calling.parameters import source_of
from ..sandbox.guard import first_look
from .examples import of_one_example
from .maker import as_tuple
from .way import SHAPES
from .words import MISTAKES

MANY = r"(offset|start|position|len|length)s$"


def of_batches_and_caches(diagnosis, rotator, width):
    """``diagnosis``, or the mistake that rows of a batch, or a token beside a cache, show where it is good."""
    asked = (of_one_example, of_own_start, of_the_past) if diagnosis.verdict.good else ()
    one = next(filter(None, (of(rotator, width) for of in asked)), None)
    return replace(diagnosis, ok=False, convention=None, findings=(one,)) if one else diagnosis


def of_own_start(rotator, width):
    """The `Finding` where rows of a batch do not turn from their own starts on, which may be given; else None."""
    way, layout = rotator.asked or (None, None)
    if not way or way.found.takes != "start" or layout.axes[:1] != ("batch",):
        return None
    name, told = way.found.positions, of_rows(way.function, way.found.positions)
    if not (told or re.search(MANY, name) or _annotated(way.function, name)):
        return None
    stopped = False
    for batch, length in ((3, 1), (2, 5), (5, 5)):
        x, starts = torch.randn(batch, 3, length, width), 4 + 3 * torch.arange(batch)
        alone = [_turned(rotator.rotate, way, x[n : n + 1], int(starts[n])) for n in range(batch)]
        if any(part is None or part.shape != x[:1].shape for part in alone):
            return None
        shapes = SHAPES[: 6 if way.maker else 1]
        outs = [_turned(way.rotate(layout, shape, lambda p, b, starts=starts: starts), way, x) for shape in shapes]
        outs = [out for out in outs if out is not None]
        said = f"{way.said}, x of shape {tuple(x.shape)} and {name} of shape ({batch},), "
        if outs and not any(out.shape == x.shape and torch.allclose(out, torch.cat(alone), atol=1e-3) for out in outs):
            same = outs[0].shape == x.shape
            said += "turns rows otherwise than alone" if same else f"gave the shape {tuple(outs[0].shape)}"
            return MISTAKES["start-of-rows"].found(said)
        stopped = stopped or not outs
    return MISTAKES["start-of-rows"].found(f"{said}stops") if stopped and told else None


def of_the_past(rotator, width):
    """The `Finding` where one token beside what is kept is turned as the first; else None."""
    way, layout = rotator.asked or (None, None)
    name = way and not way.maker and not way.found.takes and past.parameter_of(way.function)
    if not name or len(layout.axes) < 3:
        return None

    def ask(x, **kept):
        own = replace(way, function=partial(way.function, **kept))
        return own.rotate(layout, (), lambda p, b: p)(*[x.clone() for _ in way.found.vectors])

    x = torch.randn(1, past.LENGTH, past.LENGTH + 1, width)
    if past.ignored(ask, name, x, x[:, :, -1:]):
        said = f"{way.said}: the last of {past.LENGTH + 1} tokens, alone with {name}, is turned as without"
        return past.IGNORED.found(said)


def _turned(rotate, way, x, *start):
    return first_look(lambda: as_tuple(rotate(*[x.clone() for _ in way.found.vectors], *start))[0])


def _annotated(function, name):
    """A whole number, or a tensor that is no scalar."""
    function = getattr(function, "forward", function)
    told = f"{inspect.signature(function).parameters[name].annotation}"
    scalar = re.search(r"(?i)scalar|\b(0|zero)-?d", source_of(function))
    return bool(not scalar and re.search(r"\bint\b", told) and re.search("Tensor|[Aa]rray", told))
