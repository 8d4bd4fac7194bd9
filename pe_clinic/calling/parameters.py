"""What each parameter of a function or a class is for: told by its name, its default, and the names beside it."""

import enum
import inspect
import re
from dataclasses import dataclass, replace

from .lines import SIZES
from .names import SIZE_OF_WORD, role_of, words_of
from .patches import role_beside

NO_SIZE = (bool, str, float, enum.Enum)
TABLES = ("pe", "pos_encoding", "positional_encoding", "pos_embedding", "pos_table")  # of a table that is there already
WHOLE = r"(?m)^\s*{}\s*(\(int(eger)?[,)]|:\s*int(eger)?\s*([,.;]|- |$))"  # in a docstring
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
        """Not by its annotation, nor by its default: True is no length, and 10000 is a base."""
        kind, default = self.parameter.annotation, self.parameter.default
        is_other = self.name in TABLES or (isinstance(kind, type) and issubclass(kind, NO_SIZE))
        wrong_default = isinstance(default, NO_SIZE) or (type(default) is int and default == 10000)
        return not (is_other or self._annotated in ("bool", "str", "float") or self.is_array or wrong_default)

    @property
    def is_array(self):
        """By its annotation."""
        return self._annotated.split(".")[-1] in ("Tensor", "ndarray")

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


def has_signature(function):
    try:
        return bool(inspect.signature(function))
    except Exception:  # some built-in functions have none, and an object may raise when it is looked at
        return False


def required_of(function):
    """As `arguments_of`, of the parameters without a default."""
    return [a for a in arguments_of(function) if a.required]


def bound(arguments, values):
    """The arguments with their values, as a `Call` takes them."""
    return tuple(a.with_value(value) for a, value in zip(arguments, values, strict=True))


def arguments_of(function):
    """The `Argument` of every parameter; a size is given to one parameter only. [] when there is no signature."""
    if not has_signature(function):
        return []
    parameters, doc = inspect.signature(function).parameters.values(), str(function.__doc__)
    parameters = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    names = [parameter.name for parameter in parameters]
    told = [Argument(p, role_beside(p.name, names) or _role(function, p)) for p in parameters]
    told = _with_a_length(_with_a_width(_with_a_vocabulary(told)), not isinstance(function, type))
    named = {argument.role for argument in told if argument.takes_a_size}
    seen, arguments = set(), []
    for argument in told:
        again = argument.role in seen and not set(SIZES) <= named  # a second length may be the width
        if argument.role in SIZES and (again or not argument.takes_a_size):
            argument = Argument(argument.parameter, None)
        seen.add(argument.role)
        whole = argument._annotated == "int" or bool(re.search(WHOLE.format(argument.name), doc))
        arguments.append(replace(argument, whole=whole))
    return arguments


def _role(function, parameter):
    """What the name tells; what is "cuda" by default is a device, a number raised to a power the base."""
    role, name = role_of(parameter.name), re.escape(parameter.name)
    if Argument(parameter, role).wants_a_gpu:
        return "device"
    if role in SIZES and type(parameter.default) in (int, float) and parameter.default >= 100:
        power = rf"pow(?:er)?\(\s*(?:self\.)?{name}\s*,|\blog\(\s*(?:self\.)?{name}\s*\)|\b{name}\s*\*\*"
        return "base" if re.search(power, source_of(function)) else role
    return role


def source_of(function):
    try:
        return inspect.getsource(function)
    except Exception:  # a built-in function, or an object that raises when it is looked at
        return ""


def _with_a_vocabulary(told):
    """Of n_tokens and max_len, the number of tokens is that of all there are."""
    lengths = [a for a in told if a.role == "max_len" and a.takes_a_size]
    tokens = [a for a in lengths if {"token", "tokens", "ntoken", "ntokens"} & {*words_of(a.name)}]
    if len(lengths) < 2 or len(tokens) != 1 or any(a.role == "vocab" for a in told):
        return told
    return [Argument(a.parameter, "vocab") if a is tokens[0] else a for a in told]


def _with_a_width(told):
    """Of two lengths and no width, the embedding_length is the width; where nothing else is, out_dim, or C.

    Beside a max_height, the max_width is a side of a picture.
    """
    of_side = {side: [a for a in told if words_of(a.name)[-1:] == [side]] for side in ("height", "width")}
    if all(len(found) == 1 for found in of_side.values()):
        told = [Argument(a.parameter, None) if a in of_side["width"] else a for a in told]
    letters = [a for a in told if a.name in ("C", "c") and a.required]
    if len(letters) == 1 and not any(a.role == "d_model" for a in told):
        return [Argument(a.parameter, "d_model") if a in letters else a for a in told]
    out = [a for a in told if a.role == "inner" and "out" in words_of(a.name)]
    if len(out) == 1 and not any(a.role == "d_model" for a in told):
        return [Argument(a.parameter, "d_model") if a is out[0] else a for a in told]
    lengths = [a for a in told if a.role == "max_len" and a.takes_a_size]
    if any(a.role == "x" for a in told) and len(lengths) == 1 and words_of(lengths[0].name)[-1] == "size":
        wide = lengths if not any(a.role == "d_model" for a in told) else []  # x tells the length
        return [Argument(a.parameter, "d_model") if a in wide else a for a in told]
    wide = [a for a in lengths if {SIZE_OF_WORD.get(word) for word in words_of(a.name)} >= set(SIZES)]
    if len(lengths) < 2 or not wide or any(a.role == "d_model" for a in told):
        return told
    return [Argument(a.parameter, "d_model") if a is wide[0] else a for a in told]


def _with_a_length(told, is_function):
    """Of two widths and no length, n_channels or max_time_dim beside dim is the length: a number of something.

    A function of vocab_size and a width that makes a table takes the vocabulary for the positions.
    """
    words = [a for a in told if a.role == "vocab" and a.required]
    if is_function and len(words) == 1 and {a.role for a in told if a.required} == {"vocab", "d_model"}:
        return [Argument(a.parameter, "max_len") if a is words[0] else a for a in told]
    wide = [a for a in told if a.role == "d_model" and a.takes_a_size and a.required]
    counts = [a for a in wide if words_of(a.name)[:1] in (["n"], ["num"], ["max"])]
    if len(wide) != 2 or len(counts) != 1 or any(a.role == "max_len" for a in told):
        return told
    return [Argument(a.parameter, "max_len") if a is counts[0] else a for a in told]
