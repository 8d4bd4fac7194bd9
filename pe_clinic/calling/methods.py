"""Calls of an object that was made: of itself, and of the methods that may give a table."""

import inspect

from .inputs import given
from .lines import Call, attribute

METHODS = ("__call__", "forward", "call", "encode", "get_encoding", "get_table", "build", "make", "generate")


def method_calls(file, call, value):
    """Calls of an object that was made: of itself, or of its methods."""
    own = [name for name in vars(type(value)) if not name.startswith("__")]
    for name in dict.fromkeys([*METHODS, *own]):
        method = getattr(value, name, None) if name in METHODS else getattr(type(value), name, None)
        if not inspect.ismethod(method) and not inspect.isfunction(inspect.unwrap(method)):
            continue
        target = call if name == "__call__" else attribute(call, name)
        yield from (Call(target, way) for way in given(getattr(value, name), True, file) or [()])
