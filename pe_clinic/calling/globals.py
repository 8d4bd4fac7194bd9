"""Sizes that stand at the top of a file, D_MODEL = 512, in place of parameters: they are varied like parameters."""

import types
from itertools import islice, product

from .names import role_of
from .parameters import SIZES


def of_globals(path, thing, bound):
    """Calls in which the sizes that no parameter takes are given to numbers at the top of the file."""
    space = _space(thing)
    if space is None or any("d_model" in binding.sizes for binding in bound):
        return []
    numbers = [n for n in dict.fromkeys(_used(thing, space)) if type(space.get(n)) is int and space[n] > 1]
    texts = []
    for binding in [b for b in bound if "max_len" in b.sizes] or bound:
        missing = [size for size in SIZES if size not in binding.sizes]
        told = [[n for n in numbers if role_of(n) == size] or numbers for size in missing]
        for names in islice(product(*told), 6):
            if len(set(names)) == len(names):
                given = ", ".join(f"{name}={size}" for name, size in zip(names, missing, strict=True))
                texts.append(f"with_globals({path}, {given})({binding.text})")
    if isinstance(thing, type) and not texts:  # the length may be anything
        wide = [n for n in numbers if role_of(n) == "d_model"]
        texts += [f"with_globals({path}, {name}=d_model)({binding.text})" for binding in bound for name in wide]
    return texts


def _space(thing):
    function = thing.__init__ if isinstance(thing, type) else thing
    return getattr(function, "__globals__", None)


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
