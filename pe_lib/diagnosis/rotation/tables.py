"""The makers of tables that stand beside a rotation: (cos, sin), or complex numbers e^(iθ), one row per position."""

import inspect

import torch

from ..running.guard import Failed, run
from .filling import HEAD_DIM, LENGTH, Unknown, fill, make

HINTS = ("rope", "rotary", "freq", "cos", "sin", "angle", "precompute", "cache", "cis", "emb")
BEYOND = "The tables were made for {} positions."


def table_makers(names, but=()):
    """(name, tables) of all makers in ``names``: tables(positions, x) gives cosines and sines, or complex numbers."""
    for name, thing in names.items():
        if name in but or not callable(thing) or not any(hint in name.lower() for hint in HINTS):
            continue
        if not isinstance(thing, type) and getattr(thing, "__module__", "").startswith("torch"):
            continue
        try:
            yield from _ways(name, thing)
        except (Failed, Unknown, NotImplementedError):
            continue


def _ways(name, thing):
    if isinstance(thing, type):
        if not issubclass(thing, torch.nn.Module):
            return
        module = make(thing)
        way = _module_way(module)
    else:
        way = _function_way(thing)
    if way is not None and is_table(run(name, way, torch.arange(5), torch.zeros(1, 1, 5, HEAD_DIM))):
        yield name, way


def _function_way(function):
    kept = {}
    parameters = inspect.signature(function).parameters
    direct = next((p for p in parameters if p.lower() in ("positions", "position_ids", "pos", "t", "position")), None)
    arguments = fill(function, **({direct: None} if direct else {}))
    rows = next((p for p, value in arguments.items() if value == LENGTH and p != direct), None)

    def tables(positions, x):
        if direct:
            return as_tuple(function(**{**arguments, direct: positions}))
        if rows is None:
            return _rows(as_tuple(function(**arguments)), positions)
        length = max(64, 1 << int(positions.max() + 1).bit_length())
        if length not in kept:
            kept[length] = as_tuple(function(**{**arguments, rows: length}))
        return _rows(kept[length], positions)

    return tables


def _module_way(module):
    names = list(inspect.signature(module.forward).parameters)
    if not names:
        return lambda positions, x: _rows(as_tuple(module()), positions)
    if len(names) > 1 and "pos" in names[1].lower():
        return lambda positions, x: as_tuple(module(x, positions[None]))
    if "pos" in names[0].lower() or names[0] == "t":
        return lambda positions, x: as_tuple(module(positions))
    if len(names) > 1 and "len" in names[1].lower():
        return lambda positions, x: _rows(as_tuple(module(x, int(positions.max()) + 1)), positions)
    if "len" in names[0].lower() or names[0] in ("n", "T"):
        return lambda positions, x: _rows(as_tuple(module(int(positions.max()) + 1)), positions)
    return None


def as_tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def is_table(value):
    """One complex tensor, or two real ones of one shape; or one whose last axis holds cosine and sine."""
    if not all(isinstance(part, torch.Tensor) for part in value):
        return False
    if len(value) == 2:
        return value[0].shape == value[1].shape and value[0].ndim >= 2 and value[0].is_floating_point()
    return len(value) == 1 and value[0].ndim >= 2


def _rows(tables, positions):
    """The rows of the given positions, along the longest of the first axes."""
    found = []
    for table in tables:
        axis = max(range(table.ndim - 1), key=lambda n: table.shape[n])
        if int(positions.max()) >= table.shape[axis]:
            raise IndexError(BEYOND.format(table.shape[axis]))
        found.append(table.index_select(axis, positions))
    return tuple(found)
