"""From a name in anyone's file to ways of calling the rotation behind it, with the tables that stand beside it."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass

import torch

from ..sandbox.guard import Failed, run
from .filling import HEAD_DIM, Unknown, make
from .forms import STARTS, Form, form_of
from .of_arrays import is_of_arrays, method_of
from .parameters import SIZES, names_of, parameters_of, query_and_key, takes_tables
from .sized import LENGTH_AXES, with_sizes_of_x
from .tables import as_tuple, makers_in

# Shapes in which tables (length, width) are handed over: as they are, and with axes of 1 for batch and heads.
SHAPES = (
    lambda t: t, lambda t: t[None], lambda t: t[None, None], lambda t: t[None, :, None], lambda t: t[:, None],
    lambda t: t[:, None, None],
)  # fmt: skip


@dataclass(frozen=True)
class Reading:
    """A way to call what was found: ``call`` in words, ``rotate`` and its `Form`."""

    call: str
    rotate: Callable
    form: Form


def readings(names, name):
    """Ways to call ``names[name]``, which may be a function, a class, or a maker of tables beside a rotation."""
    thing = names[name]
    yield from _of_class(names, name, thing) if isinstance(thing, type) else _of_function(names, name, thing)


def _of_function(names, name, function):
    found = parameters_of(function)
    if found.tables and found.vectors:
        yield from _with_tables_of_the_file(names, name, function, found)
    elif found.vectors and found.vectors[0].lower() in SIZES:  # a maker of tables, for another function to apply
        yield from _appliers(names, name)
    else:
        yield from _as_it_is(f"{name}({', '.join(found.vectors)}, …)", function)


def _as_it_is(call, rotate):
    """One reading; none of what wants more than vectors and positions."""
    with contextlib.suppress(Failed):
        yield Reading(call, rotate, form_of(rotate))
        return
    for axis in LENGTH_AXES:
        sized = with_sizes_of_x(rotate, axis)
        with contextlib.suppress(Failed):
            if sized:
                yield Reading(f"{call}, sizes as x has them", sized, form_of(sized))


def _appliers(names, maker):
    """Functions of the file that take tables, with those of the one ``maker`` that is asked for."""
    for other, candidate in list(names.items()):
        if other == maker or isinstance(candidate, type) or not callable(candidate) or not takes_tables(candidate):
            continue
        found = parameters_of(candidate)
        if found.tables and found.vectors:
            yield from _with_tables_of_the_file({maker: names[maker]}, other, candidate, found)


def _with_tables_of_the_file(names, name, function, found):
    for maker in makers_in(names, but={name}):
        for shape in SHAPES:
            rotate = _with_tables(function, found, maker, shape)
            yield Reading(f"{name} with the tables of {maker.name}", rotate, Form(found.pair, "positions"))


def _with_tables(function, found, maker, shape):
    def rotate(*given):
        vectors, positions = given[:-1], given[-1]
        arguments = dict(zip(found.vectors, vectors, strict=True))
        if found.positions_required and found.positions.lower() not in STARTS:
            # It picks the rows itself: the tables are handed over whole.
            tables = maker.up_to(int(positions.max()), vectors[0])
            arguments[found.positions] = positions[None]
        else:
            tables = maker.at(positions, vectors[0])
        return function(**arguments, **_handed_over(found.tables, tables, shape, vectors[0].dtype))

    rotate.of_arrays = is_of_arrays(function)
    return rotate


def _handed_over(wanted, tables, shape, dtype):
    """From table parameters to tensors; cosines and sines in the dtype of x, which is how a model keeps them."""
    parts = [shape(part.to(dtype) if _are_waves(part) else part) for part in as_tuple(tables)]
    if len(wanted) == 1:
        return {wanted[0]: type(tables)(parts) if isinstance(tables, (tuple, list)) else parts[0]}
    if len(parts) == 1 and len(wanted) == 2 and not parts[0].is_complex():
        parts = parts[0].chunk(2, dim=-1)  # sines and cosines, side by side
    return dict(zip(wanted, parts, strict=True))


def _are_waves(table):
    """Cosines and sines, and not angles, whose rounding would count; nor complex numbers."""
    return not table.is_complex() and bool(table.abs().max() < 1.01)


def _of_class(names, name, cls):
    try:
        module = make(cls)
    except (Failed, Unknown):
        return
    if hasattr(module, "rotate_queries_or_keys"):
        yield from _as_it_is(f"{name}(…).rotate_queries_or_keys(x)", module.rotate_queries_or_keys)
    elif isinstance(module, torch.nn.Module) and _gives_tables(module):
        yield from _appliers(names, name)
    elif isinstance(module, torch.nn.Module):
        yield from _as_it_is(f"{name}(…)({', '.join(names_of(module.forward))})", module)
    elif method := method_of(module, names):
        yield from _as_it_is(f"{name}(…).{method.__name__}({', '.join(names_of(method))})", method)


def _gives_tables(module):
    """Does calling it give cosines and sines, for another function to apply?"""
    parameters = names_of(module.forward)
    if not parameters or query_and_key(parameters):
        return not parameters
    try:
        form = form_of(module)
        x = torch.zeros(1, 2, 5, HEAD_DIM)
        given = torch.arange(5)[None] if len(parameters) > 1 and parameters[1] == "position_ids" else torch.arange(5)
        lengths = [name for name in parameters[1:] if "len" in name.lower() and form.takes is None]
        more = {name: 5 for name in lengths[:1]}
        value = run("the first call", lambda: form.call(lambda *xs: module(*xs, **more), [x], given))
    except (Failed, NotImplementedError):
        return "len" in parameters[0].lower()
    value = as_tuple(value)
    tensors = all(isinstance(part, torch.Tensor) for part in value)
    return tensors and (len(value) == 2 or value[0].is_complex() or value[0].shape != x.shape)
