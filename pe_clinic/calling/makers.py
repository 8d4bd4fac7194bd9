"""The calls that may give a table or a layer, the likeliest first: of a function, a class, a method, a part."""

import functools
import inspect
import re
from itertools import islice

from ..sandbox.state import loaded_torch
from ..sandbox.values import is_module
from .arrays import places, side
from .beside import IMAGES
from .calling import FRAMES, Binding, axes_of, bindings, roles
from .constants import beside_the_arguments, widths, with_numbers
from .inputs import NONE, OF_ROLE, SIZE, alternatives, given
from .lines import SIZES, Call, attribute, constant, expression, halved, with_argument
from .methods import of_a_made_self
from .own_settings import is_own
from .parameters import arguments_of, bound, is_method
from .rows import filled, filled_row, number_by_number, of_points, row_by_row

BY_PARTS = row_by_row, number_by_number, filled
ROOM = expression("max_len + 2")  # where rows are kept for padding


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
    if not isinstance(thing, type) and is_method(function):
        return _method(file, path, function, owner)
    return _calls(file, file.named(path), function, path)


def _calls(file, target, thing, path):
    """``target`` in every way that its parameters suggest; positions and tensors for functions only."""
    is_class = isinstance(thing, type)
    arguments = arguments_of(thing)
    values = {
        a.role: options[0]
        for a in arguments
        if a.role in ("config", "kind", "dtype") and (options := alternatives(a, False, file))
    }
    values |= {a.role: IMAGES for a in arguments if a.role == "side" and type(a.parameter.default) is tuple}
    values |= {a.role: of_own for a in arguments if a.takes_a_module and (of_own := _own_module(file, path))}
    extra = () if file.layout is None else ("batch_first",)
    values |= {"batch_first": constant(file.layout)} if extra else {}
    pad = next((a.parameter for a in arguments if a.role == "pad" and a.name in file.source), None)  # no parent's own
    keeps_some = pad is not None and pad.default is not None
    more_rows = [{"max_len": ROOM}] if keeps_some and is_class else []
    pads = (NONE, OF_ROLE["pad"]) if any(a.role == "pad" and a.required for a in arguments) else (OF_ROLE["pad"],)
    order = SIZES[::-1] if is_class else SIZES
    others = [{"pad": pad, **values, **more} for more in (*more_rows, {}) for pad in pads]
    extra += ("pad",) if more_rows else ()
    extra += _in_place_of_defaults(file, arguments, is_class)
    ways = [b for other in others for b in bindings(thing, order, other, extra)]
    fitting = [b for b in ways if not b.unknown]
    calls = [Call(target, b.arguments) for b in fitting]
    calls += with_numbers(file, path, thing, fitting) if path else []
    calls = [*_of_axes(file, target, thing, arguments), *calls]
    calls[:0] = [] if is_class else [*_of_frames(target, arguments), *of_points(file, path, target, thing)]
    may_take_x = file.library is loaded_torch() or "x" in roles(thing)[0] or len(roles(thing)[1]) == 1
    if may_take_x and path and not is_class:
        from .array_layers import as_layers

        calls += as_layers(target, thing, file)
    ways = given(thing, False, file)
    calls += [Call(target, way) for way in ways]
    calls += [] if is_class else [made for way in BY_PARTS for made in way(target, thing)]
    calls += [] if is_class or not path else _of_one_width(file, path, thing, ways)
    calls += [] if is_class or not path else filled_row(file, path, thing, widths(file, path, thing))
    calls += beside_the_arguments(file, path, thing, fitting) if path else []
    return list({call.text + call.remark: call for call in reversed(calls)}.values())[::-1]


def _of_axes(file, target, thing, arguments):
    """The call, in a list, of what takes a size for each axis."""
    if not (axes := axes_of(thing)):
        return []
    sizes = (*(side(n, len(axes) - 1) for n in range(len(axes) - 1)), SIZE["d_model"])
    more = {**OF_ROLE, "grid": places(file.library)[0]}
    others = [a for a in arguments if a.required and a.role in more and a.name not in axes]
    rest = [a.with_value(more[a.role]) for a in others]
    return [Call(target, (*zip(axes, sizes, strict=True), *rest))]


def _of_frames(target, arguments):
    """The call with one number for the frames and for a size that both rows and columns have."""
    required = [a for a in arguments if a.required]
    lengths = [a for a in required if a.name in FRAMES.split() or re.search(r"^(grid|spatial)_size$", a.name)]
    wide = [a for a in required if a.role == "d_model" and a not in lengths]
    if (len(lengths), len(wide), len(required)) != (2, 1, 3):
        return []
    return [Call(target, bound([*lengths, *wide], [SIZE["max_len"], SIZE["max_len"], SIZE["d_model"]]))]


def _in_place_of_defaults(file, arguments, is_class):
    """The roles with a default that would fix a size: of pictures and patches, and of the file's own settings."""
    picture = {a.role for a in arguments} & {"side", "patch"}
    sized = tuple(picture) if len(picture) == 2 and not is_class else ()  # the number of its patches is the length
    own = any(a.role == "config" and is_own(file, a.parameter.default) for a in arguments)
    return (*sized, "config") if own else sized


def _own_module(file, path):
    """Another module of the file, for one that takes it: the one that the file hands over, or one for positions."""
    classes = [n for n in re.findall(r"(?m)^class (\w+)", file.source) if n != path]
    own = [n for n in classes if hasattr(file.names.get(n), "forward")]
    given = [n for n in own if re.search(rf"\b{re.escape(path)}\((?:\w+=)?{n}\(", file.source)]
    named = given + [n for n in own if re.search("pos|enc|emb", n.lower())] or own
    return next((call for n in named for call in _calls(file, file.named(n), file.names[n], n)[:1]), None)


def _of_one_width(file, path, function, ways):
    """Calls of a function of positions whose width, or the half of it, is a number in its code."""
    at = [Binding(way) for way in ways if any("at" in value.made for _, value in way)]
    calls = with_numbers(file, path, function, at[:6])
    targets = [file.with_numbers(path, {n: "d_model"}) for n in widths(file, path, function)]
    return [
        *(one for call in calls for one in (call, halved(call))),
        *(one for t in targets for row in row_by_row(t, function, True) for one in (row, halved(row))),
    ]


def _method(file, path, function, owner):
    """A method needs an object: one of its class, or none, or something that has what it asks of self."""
    name = path.split(".")[-1]

    def of(target):
        without_self = functools.partial(function, None)
        return _calls(file, target, without_self, "")

    owners = islice(_calls(file, file.named(owner), file.resolve(owner)[0], owner), 6) if owner else ()
    bare = [with_argument(file.named(path), NONE), of_a_made_self(path, function)]
    return [call for target in (*(attribute(made, name) for made in owners), *bare) for call in of(target)]
