"""The numbers that a piece of code holds: two causes of one rotation are told apart by what the code says."""

import types

DEPTH = 4


def numbers_in(thing, depth=DEPTH):
    """Numbers in the code of a function or an object, in its defaults and closures, and in what these call."""
    if isinstance(thing, bool) or depth < 0:
        return frozenset()
    if isinstance(thing, (int, float)):
        return frozenset({float(thing)})
    return frozenset().union(*(numbers_in(part, depth - 1) for part in _parts(thing)))


def _parts(thing):
    if isinstance(thing, types.MethodType):
        return thing.__func__, thing.__self__
    if isinstance(thing, types.FunctionType):
        named = (thing.__globals__[name] for name in thing.__code__.co_names if name in thing.__globals__)
        cells = (cell.cell_contents for cell in thing.__closure__ or () if cell != types.CellType())
        return (thing.__code__, *(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values(),
                *cells, *filter(_worth, named))  # fmt: skip
    if isinstance(thing, types.CodeType):
        return thing.co_consts
    if isinstance(thing, type):
        own = (vars(cls) for cls in thing.__mro__ if cls.__module__ == thing.__module__)
        return tuple(part for names in own for part in names.values() if _worth(part))
    kept = getattr(thing, "__dict__", {})
    return (type(thing), *(part for part in kept.values() if _worth(part))) if _worth(type(thing)) else ()


def _worth(thing):
    """A number, or code of the file itself: not of a library."""
    if isinstance(thing, (int, float, types.FunctionType, types.MethodType)):
        return not (getattr(thing, "__module__", None) or "").startswith(("torch", "numpy"))
    return isinstance(thing, type) and not thing.__module__.startswith(("torch", "numpy", "builtins"))
