"""The makers of tables that stand beside a rotation: cosines and sines, angles, or complex numbers e^(iθ)."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

import torch

from ..sandbox.guard import Failed, run
from .filling import HEAD_DIM, LENGTH, Unknown, fill, make

HINTS = ("rope", "rotary", "freq", "cos", "sin", "angle", "precompute", "cache", "cis", "emb")
BEYOND = "The tables were made for {} positions."
# x of this length, for makers that look at its shape: they read the length along one of these axes.
SHAPES_OF_X = (lambda n: (1, n, 1, HEAD_DIM), lambda n: (1, 1, n, HEAD_DIM), lambda n: (1, n, HEAD_DIM))


@dataclass(frozen=True)
class Maker:
    """``at(positions, x)`` gives what the maker gives for these positions: a tensor, or a tuple of tensors."""

    name: str
    at: Callable

    def up_to(self, last, x):
        """The whole tables, from position 0 to ``last`` at least."""
        return self.at(torch.arange(max(64, 1 << int(last + 1).bit_length())), x)


def makers_in(names, but=()):
    """Every `Maker` in ``names``; of one name alone, whatever it is called."""
    for name, thing in names.items():
        hinted = len(names) == 1 or any(hint in name.lower() for hint in HINTS)
        if name in but or not callable(thing) or not hinted:
            continue
        if not isinstance(thing, type) and getattr(thing, "__module__", "").startswith("torch"):
            continue
        try:
            yield from _makers(name, thing)
        except (Failed, Unknown, NotImplementedError):
            continue


def _makers(name, thing):
    ways = _ways_of_class(thing) if isinstance(thing, type) else [_way_of_function(thing)]
    for way in ways:
        try:
            value = run(name, way, torch.arange(5), torch.zeros(1, 1, 5, HEAD_DIM))
        except (Failed, NotImplementedError):
            continue
        if _is_table(as_tuple(value)):
            yield Maker(name, way)
            return


def as_tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _is_table(value):
    """One complex tensor, or two real ones of one shape; or one that holds cosines and sines, or angles."""
    if not all(isinstance(part, torch.Tensor) for part in value):
        return False
    if len(value) == 2:
        return value[0].shape == value[1].shape and value[0].ndim >= 2 and value[0].is_floating_point()
    return len(value) == 1 and value[0].ndim >= 2


def _way_of_function(function):
    kept = {}
    parameters = inspect.signature(function).parameters
    direct = next((p for p in parameters if p.lower() in ("positions", "position_ids", "pos", "t", "position")), None)
    arguments = fill(function, **({direct: None} if direct else {}))
    rows = next((p for p, value in arguments.items() if value == LENGTH and p != direct), None)

    def tables(positions, x):
        if direct:
            return function(**{**arguments, direct: positions})
        if rows is None:
            return _rows(function(**arguments), positions)
        length = max(64, 1 << int(positions.max() + 1).bit_length())
        if length not in kept:
            kept[length] = function(**{**arguments, rows: length})
        return _rows(kept[length], positions, length)

    return tables


def _ways_of_class(cls):
    if not issubclass(cls, torch.nn.Module):
        return
    module = make(cls)
    names = list(inspect.signature(module.forward).parameters)
    pos = next((n for n in names if "pos" in n.lower() or n == "t"), None)
    length = next((n for n in names if "len" in n.lower() or n in ("n", "T")), None)
    if not names:
        yield lambda positions, x: _rows(module(), positions)
    elif pos and pos != names[0]:
        yield lambda positions, x: module(x, **{pos: positions[None]})
    elif pos:
        yield lambda positions, x: module(positions)
    elif length:
        count = 0 if length == names[0] else 1  # x comes first
        yield lambda positions, x: _up_to(positions, lambda n: module(*[x][:count], **{length: n}))
    else:
        for shape in SHAPES_OF_X:
            yield lambda positions, x, shape=shape: _up_to(positions, lambda n: module(_long(shape, n, x)))


def _up_to(positions, make):
    """The rows of what ``make`` gives for as many positions as are needed."""
    rows = int(positions.max()) + 1
    return _rows(make(rows), positions, rows)


def _long(shape, rows, x):
    return torch.zeros(shape(rows), dtype=x.dtype)


def _rows(value, positions, rows=None):
    """The rows of the given positions, along the first axis of ``rows`` of them, or the longest of the first axes."""
    found = []
    for table in as_tuple(value):
        axis = max(range(table.ndim - 1), key=lambda n: (table.shape[n] == rows, table.shape[n]))
        if int(positions.max()) >= table.shape[axis]:
            raise IndexError(BEYOND.format(table.shape[axis]))
        found.append(table.index_select(axis, positions))
    return type(value)(found) if isinstance(value, (tuple, list)) else found[0]
