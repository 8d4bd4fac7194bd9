"""Numbers and methods that tell where a token stands: alone, beside those before, it gets its own row."""

import inspect
import re

import torch

from ..calling.names import role_in_rotations
from .forms import named_parameters, parameters_of
from .seen import alike
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
        rows = _rows_of(rotator, way.given(**{name: told}).rotator(layout), width)
        for which in ["qk".index(part[1].lower())] if part and rotator.count == 2 else range(rotator.count):
            row = rows[which]
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
        same_kind = found and len(found.vectors) == rotator.count and not (found.tables or found.unknown)
        if not same_kind or not found.takes:
            continue
        for place in STARTS if found.takes == "start" else (*STARTS[:1], *POSITIONS[:2]):
            other = Way(name, method, found).rotator(layout, (), place)
            rows = _rows_of(rotator, other, width)
            near = (AT - 1, AT + 1, *[0] * _turns_alike(rotator, other, width))
            wrong = [row for row in rows if row in near]  # an inverse, or a design of its own, is none of these
            if wrong:
                said = f"{way.said}.{name} of one token with {found.positions}={AT}"
                return MISTAKES.found("told-otherwise", f"{said} is turned as position {wrong[0]}")
            if None not in rows:
                break
    return None


def _rows_of(rotator, other, width):
    """Of a text of eight, as whose position ``other`` turns one token, of q and of k; None for none of them."""
    token = torch.randn(1, 3, 1, width, generator=torch.Generator().manual_seed(7))
    every, alone = rotator.turned(token.expand(-1, -1, 2 * AT, -1)), other.turned(token, at=torch.tensor([AT]))
    if not every or not alone:
        return [None] * rotator.count
    off = [(whole - one).abs().amax((0, 1, 3)) for whole, one in zip(every, alone, strict=True)]
    return [int(one.argmin()) if one.min() < 1e-4 else None for one in off]


def _turns_alike(rotator, other, width):
    """Does it turn a whole text as the method that was looked at?"""
    x = torch.randn(1, 3, 2 * AT, width, generator=torch.Generator().manual_seed(8))
    every, out = rotator.turned(x), other.turned(x)
    return bool(every and out) and alike(every, out)


def _optional(way):
    """(name, role) of what may be left out, is nothing or 0 then, and is not handed over."""
    every = named_parameters(way.function)
    left = [p.name for p in every if type(p.default) in (int, type(None)) and not p.default]
    return [(name, role_in_rotations(name)) for name in left]
