"""From a signature to the call that gives it the two sizes: each argument is a line of Python, so that what is run is
what is shown, and what can be pasted.
"""

import enum
import inspect
import re
from dataclasses import dataclass
from itertools import permutations

from .guard import Failed
from .mistakes import found
from .names import SIZE_OF_WORD, VALUES, role_of, words_of

SIZES = ("max_len", "d_model")
NO_SIZE = (bool, str, float, enum.Enum)
LETTERS = ("n", "l", "t", "s", "size")  # where one of several unknown names gets the missing size, one of these does
HEIGHTS = "height h rows n_rows num_rows grid_h grid_height nh ny"
WIDTHS = "width w cols columns n_cols num_cols grid_w grid_width nw nx"
EMPTY = inspect.Parameter.empty


@dataclass(frozen=True)
class Argument:
    parameter: inspect.Parameter
    role: str | None

    @property
    def required(self):
        return self.parameter.default is EMPTY

    @property
    def takes_a_size(self):
        """Not by its annotation, nor by its default: True is no length, and 10000 is a base."""
        kind, default = self.parameter.annotation, self.parameter.default
        named = kind if isinstance(kind, str) else getattr(kind, "__name__", "")
        is_other = isinstance(kind, type) and issubclass(kind, NO_SIZE)
        wrong_default = default is not EMPTY and (isinstance(default, NO_SIZE) or default == 10000)
        return not (is_other or named in ("bool", "str", "float") or self.is_array or wrong_default)

    @property
    def is_array(self):
        """By its annotation."""
        kind = self.parameter.annotation
        return (kind if isinstance(kind, str) else getattr(kind, "__name__", "")).split(".")[-1] in (
            "Tensor",
            "ndarray",
        )

    def with_text(self, text):
        only_by_place = self.parameter.kind is inspect.Parameter.POSITIONAL_ONLY
        return text if only_by_place else f"{self.parameter.name}={text}"


@dataclass(frozen=True)
class Binding:
    """``text`` is what stands between the brackets; ``unknown`` are required parameters that nobody knows."""

    text: str
    unknown: tuple[str, ...] = ()
    sizes: tuple[str, ...] = SIZES


def arguments_of(function):
    """The `Argument` of every parameter; a size is given to one parameter only. None when there is no signature."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except Exception:  # some built-in functions have none, and an object may raise when it is looked at
        return None
    parameters = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    told = [Argument(parameter, _role(function, parameter)) for parameter in parameters]
    told = _with_a_length(_with_a_width(told), not isinstance(function, type))
    named = {argument.role for argument in told if argument.takes_a_size}
    seen, arguments = set(), []
    for argument in told:
        again = argument.role in seen and not set(SIZES) <= named  # a second length may be the width
        if argument.role in SIZES and (again or not argument.takes_a_size):
            argument = Argument(argument.parameter, None)
        seen.add(argument.role)
        arguments.append(argument)
    return arguments


def _role(function, parameter):
    """What the name tells; a number that the code raises to a power, or takes the logarithm of, is the base."""
    role, name = role_of(parameter.name), re.escape(parameter.name)
    if role in SIZES and type(parameter.default) in (int, float) and parameter.default >= 100:
        power = rf"pow(?:er)?\(\s*(?:self\.)?{name}\s*,|\blog\(\s*(?:self\.)?{name}\s*\)|\b{name}\s*\*\*"
        return "base" if re.search(power, source_of(function)) else role
    return role


def source_of(function):
    try:
        return inspect.getsource(function)
    except Exception:  # a built-in function, or an object that raises when it is looked at
        return ""


def _with_a_width(told):
    """Of two lengths and no width, the embedding_length is the width."""
    lengths = [a for a in told if a.role == "max_len" and a.takes_a_size]
    wide = [a for a in lengths if {SIZE_OF_WORD.get(word) for word in words_of(a.parameter.name)} >= set(SIZES)]
    if len(lengths) < 2 or not wide or any(a.role == "d_model" for a in told):
        return told
    return [Argument(a.parameter, "d_model") if a is wide[0] else a for a in told]


def _with_a_length(told, is_function):
    """Of two widths and no length, n_channels beside dim is the length: the first that is a number of something.

    A function of vocab_size and a width that makes a table takes the vocabulary for the positions.
    """
    words = [a for a in told if a.role == "vocab" and a.required]
    if is_function and len(words) == 1 and {a.role for a in told if a.required} == {"vocab", "d_model"}:
        return [Argument(a.parameter, "max_len") if a is words[0] else a for a in told]
    wide = [a for a in told if a.role == "d_model" and a.takes_a_size and a.required]
    counts = [a for a in wide if words_of(a.parameter.name)[:1] in (["n"], ["num"])]
    if len(wide) != 2 or len(counts) != 1 or any(a.role == "max_len" for a in told):
        return told
    return [Argument(a.parameter, "max_len") if a is counts[0] else a for a in told]


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
