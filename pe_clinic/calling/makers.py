"""The calls that may give a table or a layer, the likeliest first: of a function, a class, a method, a part."""

import dis
import functools
import inspect
import types
from itertools import islice, product

from ..sandbox.state import loaded_torch
from ..sandbox.values import is_module
from .alone import literals
from .arrays import places, side
from .calling import axes_of, bindings
from .inputs import NONE, OF_ROLE, SIZE, alternatives, asked_of_self, given, namespace
from .lines import SIZES, Call, Value, attribute, constant, variable, with_argument
from .names import role_of
from .parameters import arguments_of
from .rows import filled, filled_row, row_by_row

ROOM = Value("max_len + 2", lambda s: s["max_len"] + 2)  # where rows are kept for padding


def makers(file, path):
    """Calls for the dotted name ``path``; a part of an instance is reached through its class."""
    thing, owner, rest = file.resolve(path)
    if rest:  # an attribute that only an instance has
        return [attribute(call, rest) for call in _calls(file, file.named(owner), thing, owner)]
    shape = getattr(thing, "shape", None)
    if shape is not None and not callable(thing) and len(shape) in (2, 3) and shape[-2] != shape[-1]:
        return [file.with_numbers(path, {int(shape[-2]): "max_len", int(shape[-1]): "d_model"})]
    if not callable(thing) or is_module(thing):
        raise TypeError(f"{path} is a {type(thing).__name__}; a function or a class is wanted")
    function = inspect.unwrap(thing) if inspect.isfunction(thing) else thing
    if not isinstance(thing, type) and next(iter(_parameters(function)), None) == "self":
        return _method(file, path, function, owner)
    return _calls(file, file.named(path), function, path)


def _parameters(function):
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return []


def _calls(file, target, thing, path):
    """``target`` in every way that its parameters suggest; positions and tensors for functions only."""
    is_class = isinstance(thing, type)
    arguments = arguments_of(thing) or []
    values = {
        a.role: options[0]
        for a in arguments
        if a.role in ("config", "kind", "dtype") and (options := alternatives(a, False, file))
    }
    extra = () if file.layout is None else ("batch_first",)
    values |= {"batch_first": constant(file.layout)} if extra else {}
    more_rows = [{"max_len": ROOM}] if any(a.role == "pad" for a in arguments) and is_class else []
    pads = (NONE, OF_ROLE["pad"]) if any(a.role == "pad" and a.required for a in arguments) else (OF_ROLE["pad"],)
    order = SIZES[::-1] if is_class else SIZES
    others = [{"pad": pad, **values, **more} for more in (*more_rows, {}) for pad in pads]
    extra += ("pad",) if more_rows else ()
    ways = [b for other in others for b in bindings(thing, order, other, extra)]
    bound = [b for b in ways if not b.unknown]
    calls = [Call(target, b.arguments) for b in bound]
    calls += _with_numbers(file, path, thing, bound) if path else []
    if axes := axes_of(thing):
        sizes = (*(side(n) for n in range(len(axes) - 1)), SIZE["d_model"])
        grid = [a.with_value(places(file.library)[0]) for a in arguments if a.role == "grid" and a.required]
        calls.insert(0, Call(target, (*zip(axes, sizes, strict=True), *grid)))
    if not is_class and path and file.library is loaded_torch():
        calls += _as_layers(target, thing, file)
    calls += [Call(target, way) for way in given(thing, False, file)]
    calls += [] if is_class else row_by_row(target, thing) + filled(target, thing)
    calls += [] if is_class or not path else filled_row(file, path, thing, _widths(file, path, thing))
    calls += _beside_the_arguments(file, path, thing, bound) if path else []
    return list({call.text + call.remark: call for call in reversed(calls)}.values())[::-1]


def _as_layers(target, function, file):
    """A function of x, and of sizes perhaps, is a layer's forward."""
    from .layers import of_function

    arguments = [a for a in arguments_of(function) or [] if a.required]
    takes_x = [a for a in arguments if a.role in ("x", "ids") or (not a.role and len(arguments) == 1)]
    if len(takes_x) != 1:
        return []
    options = [[variable("x")] if a is takes_x[0] else alternatives(a, False, file) for a in arguments]
    if not all(options):
        return []
    bound = tuple(a.with_value(values[0]) for a, values in zip(arguments, options, strict=True))
    return [of_function(Call(target, bound))]


def _method(file, path, function, owner):
    """A method needs an object: one of its class, or none, or something that has what it asks of self."""
    name = path.split(".")[-1]

    def of(target):
        without_self = functools.partial(function, None)
        return _calls(file, target, without_self, "")

    owners = islice(_calls(file, file.named(owner), file.resolve(owner)[0], owner), 6) if owner else ()
    bare = [with_argument(file.named(path), given) for given in (NONE, namespace(asked_of_self(function)))]
    return [call for target in (*(attribute(made, name) for made in owners), *bare) for call in of(target)]


def _with_numbers(file, path, thing, bound):
    """Calls in which sizes that no parameter takes stand at the top of the file, D_MODEL = 512, or are one number."""
    space = _space(thing)
    if space is None or any("d_model" in binding.sizes for binding in bound):
        return []
    numbers = [n for n in dict.fromkeys(_used(thing, space)) if type(space.get(n)) is int and space[n] > 1]
    calls = _in_place_of(file, path, numbers, bound)
    if isinstance(thing, type):  # the length may be anything
        wide = [n for n in numbers if role_of(n) == "d_model"]
        calls = calls or [Call(file.with_numbers(path, {n: "d_model"}), b.arguments) for b in bound for n in wide]
    return calls or _in_place_of(file, path, literals(file.source, path)[:4], bound)


def _beside_the_arguments(file, path, thing, bound):
    """Calls with both sizes, for code that reads names at the top of the file in place of its parameters."""
    space = _space(thing) or {}
    read = [name for name in dict.fromkeys(_globals_of(thing)) if type(space.get(name)) is int]
    numbers = {name: role_of(name) for name in read if role_of(name) in SIZES}
    both = [binding for binding in bound if binding.sizes == {*SIZES}] if numbers else []
    return [Call(file.with_numbers(path, numbers), binding.arguments) for binding in both[:1]]


def _globals_of(thing):
    """The names that its code looks up at the top of the file."""
    functions = vars(thing).values() if isinstance(thing, type) else [thing]
    codes = [function.__code__ for function in functions if hasattr(function, "__code__")]
    return [step.argval for code in codes for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"]


def _widths(file, path, function):
    """The numbers that may be the width of a function's table: of a name that says so, or in its code."""
    space = _space(function) or {}
    named = [space[n] for n in _used(function, space) if role_of(n) == "d_model" and type(space.get(n)) is int]
    return list(dict.fromkeys(named or literals(file.source, path)))[:2]


def _in_place_of(file, path, numbers, bound):
    """Calls with the sizes that no parameter takes in place of ``numbers``: names, or the numbers themselves."""
    calls = []
    for binding in [b for b in bound if "max_len" in b.sizes] or bound:
        missing = [size for size in SIZES if size not in binding.sizes]
        told = [[n for n in numbers if isinstance(n, str) and role_of(n) == size] or numbers for size in missing]
        for names in islice(product(*told), 12):
            if len(set(names)) == len(names):
                target = file.with_numbers(path, dict(zip(names, missing, strict=True)))
                calls.append(Call(target, binding.arguments))
    return calls


def _space(thing):
    return getattr(thing.__init__ if isinstance(thing, type) else thing, "__globals__", None)


def _used(thing, space, depth=0):
    """The names that its code asks for, and those of the file's functions that it calls."""
    functions = [f for f in vars(thing).values() if hasattr(f, "__code__")] if isinstance(thing, type) else [thing]
    for name in [name for f in functions for name in _names(f.__code__)]:
        yield name
        called = space.get(name)
        if isinstance(called, (types.FunctionType, type)) and depth < 3 and _space(called) is space:
            yield from _used(called, space, depth + 1)


def _names(code):
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from _names(inner)
