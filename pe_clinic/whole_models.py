"""Whole models in anyone's file: which one is meant, how it is made, and whether what was named is one."""

import inspect
import re
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import ModuleType

from torch import nn

from .calling.file import opened
from .calling.loading import CouldNotRun
from .calling.makers import makers
from .calling.pasting import command
from .model.diagnose import diagnose_model
from .sandbox.guard import Failed, attempt, run
from .sandbox.values import is_module

CONFIGURATION = re.compile("config|args|params", re.IGNORECASE)
SIZES = {"max_len": 64, "d_model": 64}


def last_in(file):
    """The name of the file's last module, or of its last class of modules."""
    names = [name for name, thing in file.names.items() if is_one(thing)]
    if not names:
        raise CouldNotRun(f"{file.path} has no torch module; name what makes one: {file.path}:NAME")
    return names[-1]


def _as_model(question):
    """(`Diagnosis`, the call in words) of what looks tokens up, computes with them, and runs as a model; else None."""
    text = question.make or question.name
    with suppress(CouldNotRun, Failed, NotImplementedError, KeyError, AttributeError):
        file = opened(question, text)
        thing = run(text, file.written(text).give, SIZES)
        model, call = made_from(file, text, thing) if is_one(thing) or held(thing) else (None, "")
        if is_module(model):
            parts = {isinstance(each, nn.Embedding) for each in model.modules() if each._parameters}
            found = diagnose_model(model) if len(parts) == 2 else None
            return (found, call) if found and found.verdict.id != "not-run" else None
    return None


def offered(outcome, question):
    """What is wrong with the whole model, else ``outcome``, which could not be run, with a command for it; or None."""
    found, call = _as_model(question) or (None, "")
    if found is None:
        return None
    if found.verdict.id == "wrong":
        return replace(outcome, diagnosis=found, kind="model", call=call)
    return outcome.saying(fix="look at the whole model", paste=command(replace(question, kind="model")))


def is_one(thing):
    """Is it a torch module, or a class of them?"""
    return is_module(thing) or (isinstance(thing, type) and issubclass(thing, nn.Module))


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
