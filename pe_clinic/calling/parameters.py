"""What each parameter of a function or a class is for: told by its name, its default, and the names beside it."""

import enum
import inspect
import re
from dataclasses import dataclass, replace

from .beside import is_called, role_beside, role_by_use, told_beside
from .lines import SIZES
from .names import role_of

NO_SIZE = (bool, str, float, enum.Enum, tuple, list)
TABLES = ("pe", "pos_encoding", "positional_encoding", "pos_embedding", "pos_table")  # of a table that is there already
WHOLE = r"(?m)^\s*{}\s*(\(int(eger)?[,)]|:\s*int(eger)?\s*([,.;]|- |$))"  # in a docstring
OBJECT = r"\b(?!Optional\b|Union\b|None|Any\b|Literal\b)[A-Z]\w+"  # of a class, in an annotation
PLAIN_SIZE = r"^d_model$|_dim$|_len(gth)?$"  # a size, though float or str is its annotation
MODULE = "module "  # begins the role of what is called inside
EMPTY = inspect.Parameter.empty


@dataclass(frozen=True, eq=False)
class Argument:
    parameter: inspect.Parameter
    role: str | None
    whole: bool = False  # one whole number, by its annotation or by the docstring

    @property
    def name(self):
        return self.parameter.name

    @property
    def required(self):
        return self.parameter.default is EMPTY

    @property
    def wants_a_gpu(self):
        default = self.parameter.default
        return type(default).__name__ in ("str", "device") and str(default).startswith("cuda")

    @property
    def takes_a_size(self):
        """Not by its annotation, nor by its default: True is no length, and 10000 is one by its name alone."""
        if self.required and re.search(PLAIN_SIZE, self.name):
            return not self.is_array
        kind, default = self.parameter.annotation, self.parameter.default
        other = self.name in TABLES or self.is_array or (isinstance(kind, type) and issubclass(kind, NO_SIZE))
        other = other or (default is None and bool(re.search(OBJECT, f"{kind}")))
        is_base = type(default) is int and default == 10000 and "len" not in self.name.lower()
        return not (other or is_base or self._annotated in ("bool", "str", "float") or isinstance(default, NO_SIZE))

    @property
    def is_array(self):
        return self._annotated.split(".")[-1] in ("Tensor", "ndarray")

    @property
    def takes_a_module(self):
        """By what its class does with it."""
        return (self.role or "").startswith(MODULE)

    @property
    def is_text(self):
        """By its annotation, or by its default."""
        return self._annotated == "str" or isinstance(self.parameter.default, str)

    @property
    def _annotated(self):
        kind = self.parameter.annotation
        return kind if isinstance(kind, str) else getattr(kind, "__name__", "")

    def written(self, text):
        """``name=text``, or ``text`` where the parameter has only a place."""
        return text if self.parameter.kind is inspect.Parameter.POSITIONAL_ONLY else f"{self.name}={text}"

    def with_value(self, value):
        """(name, value), as a `Call` takes it; the name is None where the parameter has only a place."""
        return (None if self.parameter.kind is inspect.Parameter.POSITIONAL_ONLY else self.name), value


def _signature(function):
    """Its parameters and its docstring; None where there are none."""
    try:
        return inspect.signature(function).parameters.values(), str(function.__doc__)
    except Exception:  # some built-in functions have none, and an object may raise when it is looked at
        return None


def has_signature(function):
    return _signature(function) is not None


def is_method(function):
    """Does it ask for an object of its class?"""
    return [a.name for a in arguments_of(function)][:1] == ["self"]


def required_of(function):
    """As `arguments_of`, of the parameters without a default."""
    return [a for a in arguments_of(function) if a.required]


def bound(arguments, values):
    """The arguments with their values, as a `Call` takes them."""
    return tuple(a.with_value(value) for a, value in zip(arguments, values, strict=True))


def arguments_of(function):
    """The `Argument` of every parameter; a size is given to one parameter only. [] when there is no signature."""
    parameters, doc = _signature(function) or ((), "")
    parameters = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    if not parameters:
        return []  # nothing else is asked of an object that may raise when it is looked at
    told = [Argument(p, role_beside(p.name, [q.name for q in parameters]) or _role(function, p)) for p in parameters]
    told = told_beside(told, not isinstance(function, type))
    named = {argument.role for argument in told if argument.takes_a_size}
    seen, arguments = set(), []
    for argument in told:
        again = argument.role in seen and not set(SIZES) <= named  # a second length may be the width
        if argument.role in SIZES and (again or not argument.takes_a_size):
            argument = Argument(argument.parameter, None)
        seen.add(argument.role)
        whole = argument._annotated == "int" or bool(re.search(WHOLE.format(argument.name), doc))
        whole = whole and not re.search(rf"\b{argument.name}(\[[:.N]|\.(device|dtype)\b)", source_of(function))
        arguments.append(replace(argument, whole=whole))
    return arguments


def _role(function, parameter):
    """What the name tells; what is "cuda" by default is a device, a number raised to a power the base."""
    role, name = role_of(parameter.name), re.escape(parameter.name)
    role = (role in (*SIZES, "layers", None) and role_by_use(name, source_of(function))) or role
    argument = Argument(parameter, role)
    if argument.wants_a_gpu:
        return "device"
    is_text = re.search(rf"""\b{name}\s*([=!]=|in\s*[\[({{])\s*['"]""", source_of(function))  # compared with texts
    if (role in (None, "library", *SIZES) and is_text) or (role == "library" and argument.is_text):
        return "kind"
    if isinstance(function, type) and parameter.default is EMPTY and is_called(name, source_of(function)):
        return f"{MODULE}{parameter.name}"
    if not role or (role in SIZES and type(parameter.default) in (int, float) and parameter.default >= 100):
        power = rf"pow(?:er)?\(\s*(?:self\.)?{name}\s*,|\blog\(\s*(?:self\.)?{name}\s*\)|\b{name}\s*\*\*"
        return "base" if re.search(power, source_of(function)) else role
    return "positions" if role == "max_len" and argument.is_array and re.search("^t$|time|step", name) else role


def source_of(function):
    try:
        return inspect.getsource(function)
    except Exception:  # a built-in function, or an object that raises when it is looked at
        return ""
