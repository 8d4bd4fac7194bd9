"""From a name in anyone's file to ways of calling the rotation behind it, with the tables that stand beside it."""

import inspect
from dataclasses import replace

import torch

from ..calling.declared import gives_waves
from ..calling.inputs import NONE, asked_of_self, namespace
from ..calling.lines import with_argument
from ..calling.parameters import source_of
from ..sandbox.guard import Failed
from .appliers import PLAIN, appliers, with_tables
from .candidates import gives_tables, makes_by_method, of_its_tables
from .configs import configured
from .factors import gives_frequencies
from .flat import second_head
from .forms import parameters_of
from .plain import method_of, method_with_tables, tensors_to, turning_method
from .recognise import gives_object, takes_sizes, unknown_tables
from .roles import is_turned
from .standard import applied, rescaled
from .tables import of_any_name
from .way import Way
from .workshop import Unknown


def ways(workshop, path):
    """Every `Way` of what ``path`` names: a function, a class, a method, or a maker of tables beside a rotation."""
    thing, owner, _ = workshop.file.resolve(path)
    if isinstance(thing, type) or (not owner and gives_object(workshop.file, thing)):
        yield from _of_class(workshop, path) if isinstance(thing, type) else _of_object(workshop, path)
        return
    for function in _functions(workshop, path, thing, owner):
        if maker := rescaled(function, workshop.head_dim):
            yield Way(f"standard frequencies through {path}, applied", applied(maker), PLAIN)
            continue
        found = parameters_of(function)
        try:
            makes = takes_sizes(found, path) and not is_turned(function, found.vectors[0])
            makes = makes or gives_frequencies(thing) or gives_waves(thing)
            applied_by = list(appliers(*_at_the_top(workshop, path, function))) if makes else []
        except Failed:
            if len(found.names) > 1 and not found.positions:
                raise
            applied_by = []
        if applied_by:  # a maker, for another to apply
            yield from applied_by
            continue
        function = configured(workshop, function)
        found = parameters_of(function)
        if found.tables and found.vectors and not found.unknown:
            yield from with_tables(workshop, path, function)
        elif not found.unknown:
            yield _as_it_is(path, function)
        elif tables := unknown_tables(found):
            for maker in of_any_name(workshop, tables, {path}):
                yield Way(f"{path} with {maker.name}", function, replace(found, tables=tables, unknown=()), maker)


def _at_the_top(workshop, path, function):
    """(the workshop, the name) of a maker: a method gets a name of its own in the file."""
    if "." not in path:
        return workshop, path
    name = path.rpartition(".")[2]
    file = replace(workshop.file, names={**workshop.file.names, name: function})
    return replace(workshop, file=file), name


def _as_it_is(said, function):
    found = parameters_of(function)
    said, sizes = f"{said}({', '.join(found.names)})", dict(found.sizes)
    if found.pair and any("kv" in name for name, role in sizes.items() if role == "d_model"):
        return Way(f"{said}, the second of two heads of q", second_head(function, found.vectors[0]), found)
    return Way(said, function, found)


def _functions(workshop, path, thing, owner):
    """``thing``; of a method, the bound methods of an object of its class, of None, or of what it asks of self."""
    names = workshop.file.names
    if owner and (made := of_its_tables(workshop.file.resolve(owner)[0], thing)):
        yield tensors_to(made, names)
        return
    if not owner or next(iter(inspect.signature(thing).parameters), None) != "self":
        yield tensors_to(thing, names) if owner else thing
        return
    try:
        yield tensors_to(getattr(workshop.made(owner)[1], path.rpartition(".")[2]), names)
    except (Failed, Unknown, NotImplementedError):
        for value in (NONE, namespace(asked_of_self(thing))):
            yield tensors_to(with_argument(workshop.file.named(path), value).give(workshop.setting), names)


def _of_class(workshop, path):
    """Of an object of the class; `Failed` says why there is none."""
    cls, _, left = workshop.file.resolve(path)
    method = cls.forward if issubclass(cls, torch.nn.Module) else method_of(cls, workshop.file.names)
    if method and not left and of_its_tables(cls, method):
        yield from ways(workshop, f"{path}.{method.__name__}")
        return
    yield from _of_object(workshop, path)


def _of_object(workshop, path):
    """Of what a class, or a function of sizes, makes."""
    try:
        call, thing = workshop.made(path)
    except Unknown:
        return
    said = call.shown(**workshop.setting)
    turns = turning_method(type(thing))
    if turns and parameters_of(getattr(thing, turns)).tables:
        yield from ways(workshop, f"{path}.{turns}")
    elif turns:
        yield _as_it_is(f"{said}.{turns}", getattr(thing, turns))
    elif isinstance(thing, torch.nn.Module) and gives_tables(thing, workshop.head_dim):
        yield from appliers(workshop, path)
    elif isinstance(thing, torch.nn.Module):
        yield _as_it_is(said, thing)
    elif (method := method_of(thing, workshop.file.names)) and makes_by_method(method, workshop.head_dim):
        yield from appliers(workshop, path)
    elif (turns := method_with_tables(thing, workshop.file.resolve(path)[2])) and f".{turns}(" not in source_of(method):
        yield from ways(workshop, f"{path}.{turns}")
    elif method:  # by itself, or by picking rows for the one above
        yield _as_it_is(f"{said}.{method.__name__}", method)
