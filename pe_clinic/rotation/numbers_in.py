"""The numbers that a piece of code holds: two causes of one rotation are told apart by what the code says."""

import functools
import types

MOST = 1000  # things that are looked into
LIBRARIES = ("torch", "numpy", "builtins", "functools")
OWN = "pe_clinic"  # wraps the code that is looked at, and its own numbers say nothing


def numbers_in(thing):
    """Numbers in the code of a function or an object, in its defaults and closures, and in what these call."""
    numbers, waiting, met = set(), [thing], {}
    while waiting and len(met) < MOST:
        thing = waiting.pop()
        thing = thing.func if isinstance(thing, functools.partial) else thing
        if isinstance(thing, (int, float)):
            numbers |= set() if isinstance(thing, bool) else {float(thing)}
        elif id(thing) not in met:
            met[id(thing)] = thing
            module = getattr(thing, "__module__", None) or ""
            if not module.startswith(LIBRARIES):
                waiting += _parts(thing, module.startswith(OWN))
    return frozenset(numbers)


def _parts(thing, wrapper):
    if isinstance(thing, types.MethodType):
        return thing.__func__, thing.__self__
    if isinstance(thing, types.FunctionType):
        cells = [cell.cell_contents for cell in thing.__closure__ or () if cell != types.CellType()]
        if wrapper:
            return cells
        named = [thing.__globals__[name] for name in thing.__code__.co_names if name in thing.__globals__]
        defaults = [*(thing.__defaults__ or ()), *(thing.__kwdefaults__ or {}).values()]
        return [thing.__code__, *defaults, *cells, *filter(_followed, named)]
    if isinstance(thing, types.CodeType):
        return thing.co_consts
    if isinstance(thing, (tuple, list)):
        return thing[:20]
    if isinstance(thing, dict):
        return list(thing.values())[:20]
    if isinstance(thing, type):
        return [] if wrapper else list(filter(_followed, vars(thing).values()))
    kept = list(filter(_followed, getattr(thing, "__dict__", {}).values()))
    return [type(thing), *kept] if type(thing).__module__ != "builtins" else []


def _followed(thing):
    """Numbers, code and objects of the file; no modules, which hold everything."""
    return not isinstance(thing, (types.ModuleType, str)) and not type(thing).__module__.startswith(("torch", "numpy"))


def other_widths(usual, *things):
    """Of code that is written for one width: the even numbers in it, and what they are half of; and a small one."""
    numbers = [width for n in numbers_in(things) for width in (n, 2 * n)]
    told = sorted({int(width) for width in numbers if width in range(8, 257, 2) and width != usual})[:4]
    return dict.fromkeys((*told, usual // 2))
