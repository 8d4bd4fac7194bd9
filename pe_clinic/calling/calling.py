"""From a signature to the call that gives it the two sizes: each argument is a line of Python, so that what is run is
what is shown, and what can be pasted.
"""

import inspect
from dataclasses import dataclass
from itertools import permutations

from ..sandbox.guard import Failed
from ..sandbox.mistakes import found
from .names import VALUES
from .parameters import SIZES, arguments_of

LETTERS = ("n", "l", "t", "s", "size")  # where one of several unknown names gets the missing size, one of these does
HEIGHTS = "height h rows n_rows num_rows grid_h grid_height nh ny"
WIDTHS = "width w cols columns n_cols num_cols grid_w grid_width nw nx"


@dataclass(frozen=True)
class Binding:
    """``text`` is what stands between the brackets; ``unknown`` are required parameters that nobody knows."""

    text: str
    unknown: tuple[str, ...] = ()
    sizes: tuple[str, ...] = SIZES


def roles(function):
    """From the roles that the parameters' names tell to the parameters, and the required ones whose names tell none."""
    arguments = arguments_of(function) or []
    known = {argument.role: argument.parameter for argument in arguments if argument.role}
    return known, [argument.parameter.name for argument in arguments if argument.required and not argument.role]


def axes_of(function):
    """The names of the parameters that take a height, a width and d_model; None where there are not these three."""
    arguments = {a.parameter.name: a for a in arguments_of(function) or []}
    height, width = (next((n for n in arguments if n.lower() in names.split()), None) for names in (HEIGHTS, WIDTHS))
    rest = [argument for name, argument in arguments.items() if name not in (height, width)]
    others = [a.parameter.name for a in rest if a.required] or [a.parameter.name for a in rest if a.role == "d_model"]
    return (height, width, others[0]) if height and width and len(others) == 1 else None


def bindings(function, order=SIZES, values=None, extra=()):
    """The ways to call ``function`` with the two sizes, the likeliest first; ``order`` decides where names do not.

    ``values`` are texts for other roles, and ``extra`` the roles that get theirs even where there is a default.
    """
    arguments, values = arguments_of(function), {**VALUES, **(values or {})}
    if not arguments:
        takes_any = arguments is None or _takes_any(function)
        return [Binding(", ".join(order)) if takes_any else Binding("", sizes=())]
    named = {argument.role for argument in arguments}
    missing = [size for size in order if size not in named]
    free = [a for a in arguments if a.takes_a_size and a.role not in (*values, "out")]
    letters = [a for a in free if a.parameter.name.lower() in LETTERS]
    needed = [a for a in free if a.required] or (free if len(missing) == 2 else letters)
    if len(missing) == 1:
        needed.sort(key=lambda argument: argument.parameter.name.lower() not in LETTERS)
    ways = list(permutations(needed, len(missing))) or list(permutations(needed, 1)) or [()]
    return [_binding(arguments, dict(zip(missing, way, strict=False)), order, values, extra) for way in ways[:6]]


def _takes_any(function):
    return any(p.kind is p.VAR_POSITIONAL for p in inspect.signature(function).parameters.values())


def _binding(arguments, taken, order, values, extra):
    size_of = {id(argument): size for size, argument in taken.items()}
    texts, unknown = [], []
    for argument in arguments:
        role = size_of.get(id(argument), argument.role)
        if role in values and (argument.required or role in order or role in extra):
            texts.append(argument.with_text(values[role]))
        elif argument.required:
            unknown.append(argument.parameter.name)
    sizes = tuple(size for size in SIZES if any(text.split("=")[-1] == size for text in texts))
    return Binding(", ".join(texts), tuple(unknown), sizes)


def in_order(function, order, **extra):
    """A function of the two sizes in ``order``, such as ("max_len", "d_model"), that calls ``function`` rightly.

    Names decide when they tell; otherwise the sizes are handed over by position. ``extra`` are values for other
    roles, such as dropout=0.0; a role that ``function`` does not have is left out.
    """
    binding = bindings(function, order, {role: repr(value) for role, value in extra.items()}, extra)[0]
    if binding.unknown:
        names = ", ".join(_required(function))
        raise Failed(found("arguments", f"it needs {names}; here it is called with {' and '.join(order)}"))
    code = compile(f"function({binding.text})", "the call", "eval")
    return lambda *sizes: eval(code, {"function": function, **dict(zip(order, sizes, strict=True))})


def _required(function):
    """The names of the parameters without a default, in their order."""
    return [a.parameter.name for a in arguments_of(function) if a.required]
