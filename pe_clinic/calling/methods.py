"""The calls of an object that was made, of itself or of its methods; and an object for a method of its class."""

import contextlib
import inspect
import re

from ..sandbox.guard import Failed
from .inputs import given, namespace, value_in
from .lines import Call, Value, attribute, constant
from .parameters import arguments_of, required_of, source_of
from .picking import is_misspelt
from .rows import row_by_row

METHODS = ("__call__", "forward", "call", "encode", "get_encoding", "get_table", "build", "make", "generate")
NAMELESS = ("x", None, "d_model")  # as vectors, or word_vecs, may tell


def method_calls(file, call, value):
    """Calls of an object that was made: of itself, or of its methods."""
    own = [name for name in vars(type(value)) if not name.startswith("__")]
    of_positions = any("pos" in name.lower() for name in own)
    for name in dict.fromkeys([*METHODS, *own]):
        method = getattr(value, name, None) if name in METHODS else getattr(type(value), name, None)
        if not inspect.ismethod(method) and not inspect.isfunction(inspect.unwrap(method)):
            continue
        target = call if name == "__call__" else attribute(call, name)
        bound_to = getattr(value, name)
        if of_positions and any("voc" in a.name for a in required_of(bound_to)):
            continue  # the table of the tokens
        sized = any(a.role == "d_model" and not a.required for a in arguments_of(bound_to))  # a default would fix it
        ways = [*given(bound_to, False, file)] if sized else []
        yield from (Call(target, way) for way in [*ways, *given(bound_to, True, file)] or [()])
        if [a.whole for a in required_of(bound_to)] == [True]:  # a number: the position of one row
            yield from row_by_row(target, bound_to, alone=True)


def of_one(value, roles):
    """The names of what takes one argument of these ``roles`` alone: __call__, forward, then its own public methods."""
    own = [n for n, f in vars(type(value)).items() if n[0] != "_" and inspect.isfunction(f) and "**" not in signed(f)]
    names = [n for n in dict.fromkeys((*METHODS[:2], *own)) if hasattr(value, n)]
    return [n for n in names if len(told := required_of(getattr(value, n))) == 1 and told[0].role in roles]


def signed(function):
    return str(inspect.signature(function))


def refuse_a_name(file, calls):
    """`Failed` of the first call that stops at a name that is nowhere, a missing GPU, or a number for a tensor."""
    for call in calls:
        with contextlib.suppress(NotImplementedError):
            try:
                file.tried(call)
            except Failed as failed:
                made = [value.made for _, value in getattr(call, "arguments", ())]
                if is_misspelt(failed) or (made and all(made) and "must be Tensor, not " in failed.finding.evidence):
                    raise


def of_a_made_self(path, function):
    """The method, with an object for self that has what its code asks of it.

    It gives what it stored there last, where it gives nothing back.
    """
    source = source_of(function)
    stored = re.findall(r"(?m)^\s*self\.(\w+)\s*=[^=]", source)
    asked = dict.fromkeys(re.findall(r"\bself\.((?:\w+\.)*\w+)\b(?!\()", source))
    numbers = dict(re.findall(r"\bassert self\.(\w+) == (\d+)", source))

    def value(name, *more):
        return constant(int(numbers[name])) if name in numbers else value_in(name, *more)

    made = namespace([name for name in asked if name.partition(".")[0] not in stored], value=value)

    def give(setting):
        one = made.give(setting)

        def method(*given, **named):
            out = function(one, *given, **named)
            return getattr(one, stored[-1], None) if out is None and stored else out

        return method

    remark = f"its {stored[-1]}" if stored and "return " not in source else ""
    return Value(f"functools.partial({path}, {made.text})", give, made.made, remark)
