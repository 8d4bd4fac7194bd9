"""From a signature to the calls that hand over the two sizes; each is data, and can be made and written down."""

import inspect
import re
from dataclasses import dataclass
from itertools import permutations

from ..sandbox.guard import Failed, attempt, run
from ..sandbox.mistakes import found
from .file import LAYER_SIZES
from .inputs import OF_ROLE, SIZE
from .lines import SIZES, Call, Value, constant, expression
from .parameters import arguments_of, has_signature

# Where one of several unknown names gets the missing size, one of these does.
LETTERS = ("n", "l", "t", "s", "size", "grid_size")
HEIGHTS = "height h rows n_rows num_rows grid_h grid_height grid_size_h size_h h_size nh ny h_max max_h"
WIDTHS = "width w cols columns n_cols num_cols grid_w grid_width grid_size_w size_w w_size nw nx w_max max_w"
SHAPE = expression("(max_len, d_model)")
COUNTS = r"(n|num|c|enc|dec|in|input)_(?!shape)"  # n_mels, c_in, input_size of a class: as many as x has columns
SHARES = r"drop|keep_?(prob|rate)"  # of what goes, or of what stays: a dropout
FRAMES = "frames num_frames n_frames f t grid_t nt temporal depth t_size temporal_size grid_size_t grid_depth"


@dataclass(frozen=True)
class Binding:
    """``arguments`` as a `Call` takes them; ``unknown`` are required parameters that nobody knows."""

    arguments: tuple[tuple[str | None, Value], ...]
    unknown: tuple[str, ...] = ()

    @property
    def sizes(self):
        """Those that it gives."""
        told = {size for size in SIZES for _, value in self.arguments if re.match(rf"\(?(\w+, )?{size}\b", value.text)}
        return told | {"max_len" for _, value in self.arguments if "at" in value.made}


def roles(function):
    """From the roles that the parameters' names tell to the parameters, and the required ones whose names tell none."""
    arguments = arguments_of(function)
    known = {argument.role: argument.parameter for argument in arguments if argument.role}
    return known, [argument.name for argument in arguments if argument.required and not argument.role]


def axes_of(function):
    """The names of the parameters that take a height, a width and d_model, or frames before these; else None."""
    arguments = {a.name: a for a in arguments_of(function)}
    of_sides = (FRAMES, HEIGHTS, WIDTHS)
    frames, height, width = (next((n for n in arguments if n.lower() in names.split()), None) for names in of_sides)
    if not (height and width):
        return None
    for sides in ((frames, height, width), (height, width)):
        known = {"grid", *OF_ROLE} - {"d_model"}
        rest = [argument for name, argument in arguments.items() if name not in sides and argument.role not in known]
        others = [a.name for a in rest if a.required]
        others = others or [a.name for a in rest if a.role == "d_model"]
        if all(sides) and len(others) == 1:
            return (*sides, others[0])
    return None


def bindings(function, order=SIZES, values=None, extra=()):
    """The ways to call ``function`` with the two sizes, the likeliest first; ``order`` decides where names do not.

    ``values`` are for other roles, and ``extra`` the roles that get theirs even where there is a default.
    """
    arguments, values = arguments_of(function), {**OF_ROLE, **(values or {})}
    if not arguments:
        return [Binding(tuple((None, SIZE[size]) for size in order) if _takes_any(function) else ())]
    named = {argument.role for argument in arguments}
    if "shape" in named and not named & {*SIZES}:  # both in one
        values["shape"], order, extra = SHAPE, (), (*extra, "shape")
    missing = [size for size in order if size not in named]
    free = [a for a in arguments if a.takes_a_size and a.role not in (*values, "out") and not a.takes_a_module]
    letters = [a for a in free if a.name.lower() in LETTERS]
    needed = [a for a in free if a.required] or (free if len(missing) == 2 else letters)
    if len(missing) == 1:
        needed.sort(key=lambda argument: argument.name.lower() not in LETTERS)
    ways = list(permutations(needed, len(missing))) or list(permutations(needed, 1)) or [()]
    of_class = isinstance(function, type)
    taken = (dict(zip(way, missing, strict=False)) for way in ways[:6])
    return [_binding(arguments, size_of, order, values, extra, of_class) for size_of in taken]


def _takes_any(function):
    """Any numbers, by its signature? A container of torch, such as a subclass of nn.Sequential, takes parts."""
    if f"{getattr(getattr(function, '__init__', None), '__module__', '')}".startswith("torch."):
        return False
    known = has_signature(function)
    return not known or any(p.kind is p.VAR_POSITIONAL for p in inspect.signature(function).parameters.values())


def _binding(arguments, size_of, order, values, extra, of_class):
    bound, unknown = [], []
    for argument in arguments:
        role = size_of.get(argument, argument.role)
        if role in values and (argument.required or argument.wants_a_gpu or role in order or role in extra):
            bound.append(argument.with_value(values[role]))
        elif argument.required and re.match(COUNTS, argument.name) and of_class:
            bound.append(argument.with_value(SIZE["d_model"]))
        elif argument.required:
            unknown.append(argument.name)
    return Binding(tuple(bound), tuple(unknown))


def in_order(function, order, **extra):
    """A function of the two sizes in ``order``, such as ("max_len", "d_model"), that calls ``function`` rightly.

    Names decide when they tell; otherwise the sizes are handed over by position. ``extra`` are values for other
    roles, such as dropout=0.0; a role that ``function`` does not have is left out.
    """
    binding = bindings(function, order, {role: constant(value) for role, value in extra.items()}, extra)[0]
    if binding.unknown:
        names = ", ".join(a.name for a in arguments_of(function) if a.required)
        raise Failed(found("arguments", f"it needs {names}; here it is called with {' and '.join(order)}"))
    call = Call(Value("function", lambda setting: function), binding.arguments)
    return lambda *sizes: call.give(dict(zip(order, sizes, strict=True)))


def left_out(call, setting):
    """(what a ``call`` calls, its arguments that are left to their defaults); (None, []) of what is no plain call."""
    called = attempt(run, call.text, call.target.give, setting) if isinstance(call, Call) else None
    given = {name for name, _ in getattr(call, "arguments", ())}
    return called, [a for a in arguments_of(called) if not a.required and a.name not in given]


def with_dropout(reading):
    """What makes the layer of a ``reading`` from the two sizes, and from a dropout where its class has one to give."""
    call = reading.call
    made, others = left_out(call, LAYER_SIZES)
    drops = [a for a in others if a.role == "dropout" and re.search(SHARES, a.name)]
    default = drops[0].parameter.default if len(drops) == 1 else None
    if not isinstance(made, type) or type(default) not in (int, float) or default == 0:
        return reading.layer  # what is off by default is looked at no further

    def layer(d_model, max_len, dropout=None):
        name, sizes = drops[0].name, {"max_len": max_len, "d_model": d_model}
        share = dropout if dropout is None or "keep" not in name else 1 - dropout
        asked = () if share is None else ((name, constant(share)),)
        return Call(call.target, (*call.arguments, *asked)).give(sizes)

    return layer
