"""Numbers and methods that tell where a token stands: alone, beside those before, it gets its own row."""

import inspect
import re
from dataclasses import replace
from functools import partial

import torch

from ..calling.names import role_in_rotations
from ..sandbox.guard import first_look
from .forms import named_parameters, parameters_of
from .maker import as_tuple
from .way import POSITIONS, STARTS, Way
from .words import MISTAKES

AT = 4  # where the token stands, of eight
PART = r"(?i)(q|k)(uery|ey)?s?_?(offset|start|past|pos)\w*"
WHOLE = r"\b{}\b[^\n]*\b(whole|total|full|entire|including)\b"


def of_numbers(rotator, way, layout, width):
    """The `Finding` where a number that may be given turns a token by another position; else None."""
    if way.maker or way.found.takes or "length" not in layout.axes:
        return None
    for name, role in _optional(way):
        part = re.fullmatch(PART, name)
        last = role == "max_len" and re.search(WHOLE.format(name), way.remarks)
        if role not in ("offset", "start") and not last:
            continue
        told = AT + 1 if last else AT
        turn = replace(way, function=partial(way.function, **{name: told})).rotate(layout, (), lambda p, b: p)
        for which in ["qk".index(part[1].lower())] if part and rotator.count == 2 else range(rotator.count):
            row = _row_of(rotator, turn, which, width)
            if row is not None and row != AT and (row or part):  # whole keys begin at 0 beside a number
                said = f"{way.said}, one token with {name}={told}: {'qk'[which] if way.found.pair else 'x'}"
                return MISTAKES.found("told-otherwise", f"{said} is turned as position {row}")
    return None


def of_methods(rotator, way, layout, width):
    """The `Finding` where another method of the object turns a token that stands beside the one it is told; or None."""
    made = getattr(way.function, "__self__", way.function)
    own = [name for name in vars(type(made)) if name[0] != "_" and name != getattr(way.function, "__name__", "forward")]
    for name in own if inspect.getmodule(type(made)) and not way.maker else ():
        method = getattr(made, name)
        found = parameters_of(method) if inspect.ismethod(method) else None
        alike = found and len(found.vectors) == rotator.count and not (found.tables or found.unknown)
        if not alike or not found.takes:
            continue
        other = Way(name, method, found)
        for place in STARTS if found.takes == "start" else (*STARTS[:1], *POSITIONS[:2]):
            turn = partial(_at_its_place, other.rotate(layout, (), place))
            rows = [_row_of(rotator, turn, which, width) for which in range(rotator.count)]
            near = (AT - 1, AT + 1, *[0] * _turns_alike(rotator, other.rotate(layout, (), place), width))
            wrong = [row for row in rows if row in near]  # an inverse, or a design of its own, is none of these
            if wrong:
                said = f"{way.said}.{name} of one token with {found.positions}={AT}"
                return MISTAKES.found("told-otherwise", f"{said} is turned as position {wrong[0]}")
            if None not in rows:
                break
    return None


def _row_of(rotator, turn, which, width):
    """Of a text of eight, as whose position is one token turned that ``turn`` gets; None where as none of them."""
    token = torch.randn(1, 3, 1, width, generator=torch.Generator().manual_seed(7))
    whole, alone = token.expand(-1, -1, 2 * AT, -1), token
    every = first_look(rotator.turn, [whole.clone() for _ in range(rotator.count)], torch.arange(2 * AT))
    out = first_look(lambda: as_tuple(turn(*[alone.clone() for _ in range(rotator.count)])))
    shapes = [getattr(part[which], "shape", None) if len(part or ()) > which else None for part in (every, out)]
    if shapes != [whole.shape, token.shape]:
        return None
    off = (every[which] - out[which]).abs().amax((0, 1, 3))
    return int(off.argmin()) if off.min() < 1e-4 else None


def _turns_alike(rotator, turn, width):
    """Does it turn a whole text as the method that was looked at?"""
    x, at = torch.randn(1, 3, 2 * AT, width, generator=torch.Generator().manual_seed(8)), torch.arange(2 * AT)
    every = first_look(rotator.turn, [x.clone() for _ in range(rotator.count)], at)
    out = first_look(lambda: as_tuple(turn(*[x.clone() for _ in range(rotator.count)], at)))
    same_shape = every and out and getattr(out[0], "shape", None) == every[0].shape
    return bool(same_shape) and torch.allclose(out[0], every[0], atol=1e-4)


def _at_its_place(turn, *x):
    return turn(*x, torch.tensor([AT]))


def _optional(way):
    """(name, role) of what may be left out, is nothing or 0 then, and is not handed over."""
    every = named_parameters(way.function)
    return [
        (p.name, role_in_rotations(p.name))
        for p in every
        if p.default is None or (type(p.default) is int and not p.default)
    ]
