"""What a name in anyone's file is or makes: a module that it holds, or an object of a class, and by which call."""

import inspect
from functools import partial
from types import ModuleType

from .calling.loading import CouldNotRun
from .calling.makers import makers
from .calling.own_settings import CONFIGURATION
from .sandbox.guard import attempt, run
from .sandbox.values import is_module

SIZES = {"max_len": 64, "d_model": 64}


def held(thing):
    """The name of the first module that an object holds which is none itself; "" without one."""
    held = {} if isinstance(thing, (type, ModuleType)) or is_module(thing) else getattr(thing, "__dict__", {})
    return next((name for name, each in held.items() if is_module(each)), "")


def made_from(file, name, thing):
    """(what ``thing`` is or makes, the call in words): without arguments, from a configuration, or from sizes."""
    if not isinstance(thing, type) and not inspect.isfunction(thing):
        part = held(thing)
        return (getattr(thing, part), f"{name}.{part}") if part else (thing, name)
    others = [n for n, other in file.names.items() if isinstance(other, type) and CONFIGURATION.search(n)]
    by_sizes = attempt(makers, file, name) or [] if isinstance(thing, type) else []
    calls = {f"{name}()": thing} | {f"{name}({n}())": partial(lambda of: thing(of()), file.names[n]) for n in others}
    calls |= {call.shown(**SIZES): partial(call.give, SIZES) for call in by_sizes[:1]}
    for text, give in calls.items():
        made = attempt(run, text, give)
        if is_module(made) or (made is not None and not inspect.isfunction(thing)):
            return made, text
    if isinstance(thing, type):
        raise CouldNotRun(f"{name} wants what is not known; say with --make how it is called")
    return thing, name
