"""Sizes that no parameter takes: names at the top of the file, such as D_MODEL = 512, or numbers in the code."""

import dis
import inspect
import re
import types
from itertools import islice, product

from .alone import literals
from .lines import SIZES, Call, variable
from .names import role_of
from .parameters import arguments_of, has_signature, required_of, source_of

SIZES_DIFFER = r"size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\)|shapes \((\d+),\) \((\d+),\)"


def with_numbers(file, path, thing, bound):
    """Calls in which the sizes that no parameter takes are constants of the file, or numbers in the code."""
    wide = any("d_model" in binding.sizes for binding in bound)
    if _space(thing) is None or (wide and (any("max_len" in b.sizes for b in bound) or _takes_x(thing))):
        return []
    numbers = [name for name, value in _constants(thing).items() if value > 1]
    calls = _in_place_of(file, path, numbers, bound)
    if isinstance(thing, type) and not wide:  # the length may be anything
        wide = [n for n in numbers if role_of(n) == "d_model"]
        calls = calls or [Call(file.with_numbers(path, {n: "d_model"}), b.arguments) for b in bound for n in wide]
    return calls or _in_place_of(file, path, literals(file.source, path)[:4], bound)


def of_one_length(file, path, calls, error):
    """The first of ``calls`` with max_len in place of the number of rows, which an ``error`` of other lengths tells."""
    thing, sizes = file.resolve(path)[0], re.search(SIZES_DIFFER, error)
    if not sizes or not isinstance(thing, type) or not isinstance(calls[0], Call):
        return []
    rows = {int(size) for size in sizes.groups() if size} - {3}  # the error is that of three tokens
    names = [name for name, value in _constants(thing).items() if value in rows]
    names += [n for n in rows if re.search(rf"(?<![\w.]){n}(?![\w.])", source_of(thing))]
    return [Call(file.with_numbers(path, {name: "max_len"}), calls[0].arguments) for name in names[:1]]


def exchanged(file, path, calls):
    """The first of ``calls`` with its sizes the other way round, where one of two widths was taken for the length."""
    given, other = dict(getattr(calls[0], "arguments", ())), dict(zip(SIZES, map(variable, SIZES[::-1]), strict=True))
    told = [a for a in arguments_of(file.resolve(path)[0]) if a.name in given and given[a.name].text in SIZES]
    if len(told) != 2 or all(a.role for a in told):
        return []
    return [Call(calls[0].target, tuple((name, other.get(value.text, value)) for name, value in given.items()))]


def _takes_x(thing):
    """Is it a class whose forward wants something, from which a length can be told?"""
    forward = getattr(thing, "forward", None)
    return isinstance(thing, type) and (not has_signature(forward) or bool(required_of(forward)[1:]))


def beside_the_arguments(file, path, thing, bound):
    """Calls with both sizes, for code that reads constants in place of its parameters."""
    numbers = {name: role_of(name) for name in _constants(thing) if role_of(name) in SIZES}
    both = [binding for binding in bound if binding.sizes == {*SIZES}] if numbers else []
    return [Call(file.with_numbers(path, numbers), binding.arguments) for binding in both[:1]]


def widths(file, path, function):
    """The numbers that may be the width of a function's table: of a name that says so, or in its code."""
    named = [value for name, value in _constants(function).items() if role_of(name) == "d_model"]
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
    return getattr(thing.__init__ if isinstance(thing, type) else inspect.unwrap(thing), "__globals__", None)


def _constants(thing):
    """The whole numbers at the top of the file that its code reads, by name."""
    space = _space(thing) or {}
    return {name: space[name] for name in _read(thing, space) if type(space.get(name)) is int}


def _read(thing, space, depth=0):
    """The names that its code reads at the top of the file, and those that what it calls there reads."""
    parts = vars(thing).values() if isinstance(thing, type) else [inspect.unwrap(thing)]
    functions = [part for part in parts if hasattr(part, "__code__")]
    for name in [name for f in functions for name in globals_of(getattr(f, "__code__", None))]:
        yield name
        called = space.get(name)
        if isinstance(called, (types.FunctionType, type)) and depth < 3 and _space(called) is space:
            yield from _read(called, space, depth + 1)


def globals_of(code):
    if not isinstance(code, types.CodeType):
        return
    yield from (step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL")
    for inner in code.co_consts:
        yield from globals_of(inner)
