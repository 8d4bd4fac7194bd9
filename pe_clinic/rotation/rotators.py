"""From a name in anyone's file to ways of calling the rotation behind it, with the tables that stand beside it."""

import inspect

import torch

from ..calling.inputs import NONE, asked_of_self, namespace
from ..calling.lines import with_argument
from ..calling.names import role_in_rotations
from ..sandbox.guard import Failed, run
from .asking import Rotator
from .forms import OF_X, Form, form_of, parameters_of, query_and_key, takes_tables
from .of_arrays import is_of_arrays, method_of
from .standard import applied, standard
from .tables import HEAD_DIM, SETTING, Unknown, as_tuple, has_makers, made, makers_in

LENGTH_AXES = (-2, -3)  # where the length stands in x: before the width, or before the heads
# Shapes in which tables (length, width) are handed over: as they are, and with axes of 1 for batch and heads.
SHAPES = (
    lambda t: t, lambda t: t[None], lambda t: t[None, None], lambda t: t[None, :, None], lambda t: t[:, None],
    lambda t: t[:, None, None],
)  # fmt: skip


def rotators(file, path):
    """Ways to call what ``path`` names: a function, a class, a method, or a maker of tables beside a rotation."""
    thing, owner, _ = file.resolve(path)
    if isinstance(thing, type):
        yield from _of_class(file, path)
        return
    for function in _functions(file, path, thing, owner):
        found = parameters_of(function)
        if found.tables and found.vectors and not found.unknown:
            yield from _with_tables(file, path, function, found)
        elif _makes(found):  # a maker of tables, for another function to apply
            yield from _appliers(file, path)
        else:
            yield from _as_it_is(f"{path}({', '.join(found.names)})", function, found)


def _makes(found):
    sized = found.vectors[:1] and role_in_rotations(found.vectors[0]) in ("d_model", "max_len")
    return bool(sized) and not found.pair and not found.tables


def _functions(file, path, thing, owner):
    """``thing``; of a method, the bound methods of an object of its class, of None, or of what it asks of self."""
    if not owner or next(iter(inspect.signature(thing).parameters), None) != "self":
        yield thing
        return
    try:
        yield getattr(made(file, owner)[1], path.rpartition(".")[2])
    except (Failed, Unknown, NotImplementedError):
        for value in (NONE, namespace(asked_of_self(thing))):
            yield with_argument(file.named(path), value).give(SETTING)


def _as_it_is(call, rotate, found):
    """``rotate`` as its form says; with the sizes of x, where it asks for them."""
    if not found.sizes and not found.unknown:
        yield Rotator(rotate, form_of(rotate), call)
        return
    if found.unknown:
        return
    for axis in LENGTH_AXES:
        yield Rotator(_sized_as_x(rotate, found, axis), Form(found.pair, found.takes), f"{call}, sizes as x has them")


def _sized_as_x(rotate, found, axis):
    def called(*given):
        arguments = dict(zip(found.vectors, given, strict=False))
        if found.takes:
            arguments[found.positions] = given[-1]
        return rotate(**arguments, **{name: OF_X[role](given[0], axis) for name, role in found.sizes})

    called.of_arrays = is_of_arrays(rotate)
    return called


def _appliers(file, maker):
    """Functions of the file that take tables, with those of the one ``maker`` that is asked for; or a right one."""
    own = [name for name, thing in file.names.items() if name != maker and _applies(thing)]
    for other in own:
        function = file.names[other]
        yield from _with_tables(file, other, function, parameters_of(function), only=maker)
    for made_by in () if own else makers_in(file, only=maker):
        said = f"the tables of {maker}, applied as they are laid out"
        yield Rotator(applied(made_by), Form(False, "positions"), said)


def _applies(thing):
    if isinstance(thing, type) or not callable(thing) or not takes_tables(thing):
        return False
    found = parameters_of(thing)
    return bool(found.tables and found.vectors) and not found.unknown


def _with_tables(file, path, function, found, only=None):
    """With the tables that the file makes; with the standard ones, where it makes none."""
    makers = list(makers_in(file, but={path}, only=only))
    usual = [] if only or has_makers(file, {path}) else standard(len(found.tables))
    for maker in makers or usual:
        source = f"the tables of {maker.name}" if makers else f"standard tables ({maker.name})"
        for shape in SHAPES:
            rotate = _handing_over(function, found, maker, shape)
            yield Rotator(rotate, Form(found.pair, "positions"), f"{path} with {source}")


def _handing_over(function, found, maker, shape):
    def rotate(*given):
        vectors, positions = given[:-1], given[-1]
        arguments = dict(zip(found.vectors, vectors, strict=True))
        if found.required and found.takes == "positions":
            # It picks the rows itself: the tables are handed over whole.
            tables = maker.up_to(int(positions.max()), vectors[0])
            arguments[found.positions] = positions[None]
        else:
            tables = maker.at(positions, vectors[0])
            arguments |= {found.positions: 0} if found.required else {}
        sizes = {name: OF_X[role](vectors[0], -2) for name, role in found.sizes}
        return function(**arguments, **sizes, **_tables(found.tables, tables, shape, vectors[0].dtype))

    rotate.of_arrays = is_of_arrays(function)
    return rotate


def _tables(wanted, tables, shape, dtype):
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


def _of_class(file, path):
    try:
        call, thing = made(file, path)
    except (Failed, Unknown):
        return
    called = call.shown(**SETTING)
    if hasattr(thing, "rotate_queries_or_keys"):
        method = thing.rotate_queries_or_keys
        yield from _as_it_is(f"{called}.rotate_queries_or_keys(x)", method, parameters_of(method))
    elif isinstance(thing, torch.nn.Module) and _gives_tables(thing):
        yield from _appliers(file, path)
    elif isinstance(thing, torch.nn.Module):
        found = parameters_of(thing)
        yield from _as_it_is(f"{called}({', '.join(found.names)})", thing, found)
    elif method := method_of(thing, file.names):
        found = parameters_of(method)
        yield from _as_it_is(f"{called}.{method.__name__}({', '.join(found.names)})", method, found)


def _gives_tables(module):
    """Does calling it give cosines and sines, for another function to apply?"""
    found = parameters_of(module)
    if not found.names or query_and_key(found.names):
        return not found.names
    try:
        form = form_of(module)
        x = torch.zeros(1, 2, 5, HEAD_DIM)
        given = torch.arange(5)[None] if found.names[1:2] == ("position_ids",) else torch.arange(5)
        lengths = [name for name in found.names[1:] if "len" in name.lower() and form.takes is None]
        more = {name: 5 for name in lengths[:1]}
        value = run("the first call", lambda: form.call(lambda *xs: module(*xs, **more), [x], given))
    except (Failed, NotImplementedError):
        return "len" in found.names[0].lower()
    value = as_tuple(value)
    tensors = all(isinstance(part, torch.Tensor) for part in value)
    return tensors and (len(value) == 2 or value[0].is_complex() or value[0].shape != x.shape)
