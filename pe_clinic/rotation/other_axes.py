"""A parameter that names an axis of x, as unsqueeze_dim=1 does: with another value, x of another layout is turned."""

import re
from dataclasses import replace
from functools import partial

import torch

from ..calling.parameters import arguments_of
from ..sandbox.guard import Failed, first_look, run
from .layouts import FOUR
from .made_rows import every_turned
from .maker import as_tuple
from .two_heads import ALL_NUMBERS
from .way import POSITIONS
from .words import MISTAKES

OF_HEADS, OF_LENGTH = r"unsqueeze_(dim|axis)", r"(seq|sequence|time)(_len(gth)?)?_(dim|axis)"
PLACES = POSITIONS[1], POSITIONS[2], POSITIONS[0]
ON_PURPOSE = r"raised (Value|Assertion|NotImplemented)\w*Error"


def of_other_axes(rotator, way, layout, width):
    """The `Finding` where x of the layout which another value asks for is not turned as by default; else None."""
    if layout not in FOUR[:2] or way.form.takes == "start":
        return None
    for function, said, other in _functions(way, layout):
        x, at = torch.randn(1, 3, 5, width), torch.arange(5)
        usual, asked = (
            first_look(rotator.turn, [x.clone() for _ in range(rotator.count)], at),
            replace(way, function=function),
        )
        if "unsqueeze" not in said and any(_alike(out, usual) for out in every_turned(asked, other, x, at, at)):
            continue  # where the length stands, the caller may give the tables their axes
        said = f"{way.said} with {said}, x of shape {other.words},"
        seen = [_seen(said, asked.rotate(other, rotator.asked[2], place), x, at, usual) for place in PLACES]
        if usual and all(seen):
            return MISTAKES.found("axis-unread", seen[0])
    return None


def _seen(said, turn, x, at, usual):
    """What is wrong with x in the other layout; "" where nothing is, or where it is refused on purpose."""
    try:
        out = as_tuple(run(said, turn, *[x.clone() for _ in range(len(usual or ()))], at))[0]
    except Failed as stop:
        return "" if re.search(ON_PURPOSE, stop.finding.evidence) else stop.finding.evidence
    except NotImplementedError:
        return ""
    return "" if _alike(out, usual) else f"{said} is turned otherwise than in the usual layout"


def _alike(out, usual):
    return bool(usual) and out.shape == usual[0].shape and torch.allclose(out, usual[0], atol=1e-4)


def _functions(way, layout):
    """(the function with another value, the value in words, the layout that it asks for) of each such parameter."""
    other = FOUR[1] if layout == FOUR[0] else FOUR[0]
    for name, value in _other_values(way.function, layout, other):
        yield partial(way.function, **{name: value}), f"{name}={value}", other
    told = re.match(ALL_NUMBERS, f"{way.said}(")
    sizes = {name: int(n) for name, n in re.findall(r"(\w+)=(\d+)", told[1])} if told else {}
    of_class = isinstance(way.function, torch.nn.Module) and sizes
    for name, value in _other_values(type(way.function), layout, other) if of_class else ():
        made = first_look(lambda name=name, value=value: type(way.function)(**{**sizes, name: value}))
        if made is not None:
            yield made, f"{name}={value}", other


def _other_values(function, layout, other):
    for argument in arguments_of(
        getattr(function, "forward", function) if not isinstance(function, type) else function
    ):
        default, name = argument.parameter.default, argument.name
        axis = "heads" if re.fullmatch(OF_HEADS, name) else "length" if re.fullmatch(OF_LENGTH, name) else None
        if axis and type(default) is int and default % 4 == layout.axes.index(axis):
            yield name, other.axes.index(axis) - 4 * (default < 0)
