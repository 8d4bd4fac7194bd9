"""The tables that a rotation is handed: what makers in the file give, or, where there is none, the standard ones."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import torch

from ..calling.inputs import NONE, OF_ROLE, configurations
from ..calling.lines import SIZES, Call, Value, constant
from ..calling.names import role_in_rotations
from ..sandbox.guard import Failed, run
from .forms import named_parameters, takes_tables

HEAD_DIM, LENGTH = 64, 4096
SETTING = {"d_model": HEAD_DIM, "max_len": LENGTH}
HINTS = ("rope", "rotary", "freq", "cos", "sin", "angle", "precompute", "cache", "cis", "emb")
GIVEN = {**OF_ROLE, "device": NONE, "dtype": NONE, "table": NONE, "offset": constant(0), "start": constant(0)}
# x of this length, for makers that look at its shape: they read the length along one of these axes.
SHAPES_OF_X = (lambda n: (1, n, 1, HEAD_DIM), lambda n: (1, 1, n, HEAD_DIM), lambda n: (1, n, HEAD_DIM))


class Unknown(Exception):
    """A required parameter whose name says nothing."""


@dataclass(frozen=True)
class Maker:
    """``at(positions, x)`` gives what the maker gives for these positions: a tensor, or a tuple of tensors."""

    name: str
    at: Callable

    def up_to(self, last, x):
        """The whole tables, from position 0 to ``last`` at least."""
        return self.at(torch.arange(max(64, 1 << int(last + 1).bit_length())), x)


def filled(target, function, file, but=()):
    """The `Call` of ``target`` that gives its parameters the sizes that their names ask for; `Unknown` otherwise."""
    arguments = []
    for p in named_parameters(function):
        role = role_in_rotations(p.name)
        axis = type(p.default) is int and -5 < p.default < 5  # seq_dim=2 is no width
        if p.name in but or (p.default is not p.empty and (role not in SIZES or axis)):
            continue
        if role == "config":
            value = configurations(file.source, p.name)[0]
        elif role in GIVEN:
            value = GIVEN[role]
        else:
            raise Unknown(p.name)
        arguments.append((p.name, value))
    return Call(target, tuple(arguments))


def made(file, path):
    """(the call, the object) of a class, in eval mode; `Failed` or `Unknown` where there is none."""
    call = filled(file.named(path), file.resolve(path)[0], file)
    thing = run(call.shown(**SETTING), call.give, SETTING)
    return call, thing.eval() if isinstance(thing, torch.nn.Module) else thing


def candidates(file, but=(), only=None):
    """Names of the file that may make tables; ``only`` this one, whatever it is called."""
    for name, thing in list(file.names.items()):
        hinted = name == only or (only is None and any(hint in name.lower() for hint in HINTS))
        if name not in but and hinted and callable(thing) and not getattr(thing, "__module__", "").startswith("torch"):
            yield name, thing


def makers_in(file, but=(), only=None):
    """Every `Maker` of the file; of the one name ``only``, whatever it is called."""
    for name, thing in candidates(file, but, only):
        try:
            ways = _of_class(file, name) if isinstance(thing, type) else _ways(file.named(name), thing, file, name)
            for text, way in ways:
                if _gives_tables(name, way):
                    yield Maker(text, way)
                    break
        except (Failed, Unknown, NotImplementedError):
            continue


def has_makers(file, but):
    """Does the file make its own tables, whether or not it is known how to call what makes them?"""
    told = [thing for name, thing in candidates(file, but) if re.search("rope|rotary|freq|cos|sin|cis", name.lower())]
    return any(not takes_tables(thing) for thing in told)


def _gives_tables(name, way):
    try:
        return _is_table(as_tuple(run(name, way, torch.arange(5), torch.zeros(1, 1, 5, HEAD_DIM))))
    except (Failed, NotImplementedError):
        return False


def _of_class(file, name):
    """Ways to ask an object for its tables: forward, or a method that speaks of them, or is called get."""
    thing = made(file, name)[1]
    own = [n for cls in type(thing).__mro__ if not cls.__module__.startswith("torch") for n in vars(cls)]
    methods = [n for n in own if n in ("forward", "__call__") or n.strip("_").startswith(("get", *HINTS))]
    for method in dict.fromkeys(methods):
        if callable(bound := getattr(thing, method, None)) and not isinstance(bound, type):
            yield from _ways(Value(f"{name}.{method}", lambda s, b=bound: b), bound, file, name)
    for held in (n for n in (*vars(thing), *getattr(thing, "_buffers", ())) if any(h in n for h in HINTS)):
        yield name, lambda positions, x, held=held: _rows(getattr(thing, held), positions, LENGTH)


def _ways(target, function, file, name):
    """(name, at) for each way that the parameters suggest: by positions, by a length, by an x of that length."""
    roles = {p.name: role_in_rotations(p.name) for p in named_parameters(function)}
    direct = next((n for n, role in roles.items() if role == "positions"), None)
    x = next((n for n, role in roles.items() if role == "x" or n == "x"), None)
    rows = next((n for n, role in roles.items() if role == "max_len"), None)
    call = filled(target, function, file, {direct, x})

    def asked(setting, **given):
        arguments = {**dict(call.arguments), **{n: constant(value) for n, value in given.items() if n}}
        return Call(target, tuple(arguments.items())).give({**SETTING, **setting})

    if direct:
        for shape in (lambda p: p, lambda p: p[None]) if next(iter(roles)) == direct else (lambda p: p[None],):
            yield name, lambda p, v, shape=shape: asked({}, **{direct: shape(p), x: v} if x else {direct: shape(p)})
    if rows:
        yield name, _by_length(lambda n, v: asked({"max_len": n}, **({x: v} if x else {})))
    elif x:
        for shape in SHAPES_OF_X:
            yield name, _by_length(lambda n, v, shape=shape: asked({}, **{x: torch.zeros(shape(n), dtype=v.dtype)}))
    elif not direct:
        yield name, lambda positions, v: _rows(asked({}), positions)


def _by_length(make):
    """The rows of what ``make(length, x)`` gives for as many positions as are needed; the last few are kept."""
    kept = {}

    def at(positions, x):
        length = max(64, 1 << int(positions.max() + 1).bit_length())
        if (length, x.dtype) not in kept:
            kept[length, x.dtype] = make(length, x)
        return _rows(kept[length, x.dtype], positions, length)

    return at


def as_tuple(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _is_table(value):
    """One complex tensor, or two real ones of one shape; or one that holds cosines and sines, or angles."""
    if not all(isinstance(part, torch.Tensor) for part in value):
        return False
    if len(value) == 2:
        return value[0].shape == value[1].shape and value[0].ndim >= 2 and value[0].is_floating_point()
    return len(value) == 1 and value[0].ndim >= 2 and 5 in value[0].shape


def _rows(value, positions, rows=None):
    """The rows of the given positions, along the first axis of ``rows`` of them, or the longest of the first axes."""
    found = []
    for table in as_tuple(value):
        axis = max(range(table.ndim - 1), key=lambda n: (table.shape[n] == rows, table.shape[n]))
        if int(positions.max()) >= table.shape[axis]:
            raise IndexError(f"The tables were made for {table.shape[axis]} positions.")
        found.append(table.index_select(axis, positions))
    return type(value)(found) if isinstance(value, (tuple, list)) else found[0]
