"""Find ALiBi's bias in anyone's file: functions, methods and modules, whole biases and slopes alone."""

import inspect
import math
import re

import torch

from ..calling.inputs import NONE, asked_of_self
from ..calling.lines import Call, attribute
from ..calling.picking import Reading
from ..sandbox.guard import Failed, run
from ..sandbox.values import as_numbers
from .given import GIVEN, MASKS, asked_of, role, settings

METHODS = r"bias|alibi|slope|mask"
FIRST = {"heads": 3, "length": 5}  # of the first look


def is_bias(thing, name):
    """Does its name say that it gives ALiBi's bias, or its slopes?"""
    return callable(thing) and bool(re.search("alibi|slope", name.lower()))


def reading_of(file, path):
    """The first `Reading` that gives a bias or slopes, one of zeros last; None where none does."""
    zeros = None
    for call in _calls(file, path):
        try:
            value = run("a first look", lambda call=call: _as_bias(call, FIRST))
            tells = value is not None and as_numbers(value).any()
        except (Failed, NotImplementedError, ValueError):
            continue
        if tells:
            return Reading("alibi", call)
        zeros = zeros or (value is not None and Reading("alibi", call)) or None
    return zeros


def bias_of(reading):
    """``bias(heads, length)``, with the heads first, of what a `Reading` calls."""

    def bias(heads, length):
        value = _as_bias(reading.call, {"heads": heads, "length": length})
        return reading.call.give({"heads": heads, "length": length}) if value is None else value

    return bias


def _as_bias(call, setting):
    """What it gives as (heads, length, length) or (heads, 1, length), made of slopes where it gives these; or None.

    Queries and keys that come back as they were got no bias: it is 0.
    """
    heads, length = setting["heads"], setting["length"]
    value = call.give(setting)
    parts = value if isinstance(value, tuple) else (value,)
    if "vectors" in call.made and all(getattr(p, "shape", None) == (1, heads, length, 8) for p in parts):
        return torch.zeros(heads, length, length) if all(bool((p == 1).all()) for p in parts) else None
    value = value[0] if isinstance(value, tuple) and len(value) == 1 else value
    shape = tuple(getattr(value, "shape", ())) or ((len(value),) if isinstance(value, list) else ())
    if heads in shape and math.prod(shape) == heads and "length" not in call.text:
        return _from_slopes(value, length)
    if shape == (length, length, heads) and length != heads:
        return torch.as_tensor(value).permute(2, 0, 1)
    return value if shape[-3:] in ((heads, length, length), (heads, 1, length)) else None


def _from_slopes(slopes, length):
    """The bias that slopes of any shape give; negative ones are factors of the distance as they stand."""
    slopes = torch.as_tensor(as_numbers(slopes)).flatten()
    distance = torch.arange(length)[:, None] - torch.arange(length)
    return -slopes.abs()[:, None, None] * distance.abs()


def _calls(file, path):
    thing, owner, _ = file.resolve(path)
    target = file.named(path)
    if isinstance(thing, type):
        for made in _ways(file, target, thing):
            for method in _methods(thing):
                called = made if method in ("forward", "__call__") else attribute(made, method)
                yield from _ways(file, called, getattr(thing, method), skip=1)
    elif owner and next(iter(inspect.signature(thing).parameters), None) == "self":
        for made in _ways(file, file.named(owner), file.resolve(owner)[0]):
            yield from _ways(file, attribute(made, path.rpartition(".")[2]), thing, skip=1)
        itself = (None, settings(file.source, "self", asked_of_self(thing)))
        yield from _ways(file, target, thing, skip=1, first=(itself,))
    else:
        yield from _ways(file, target, thing, alone="slope" in path.lower())


def _methods(cls):
    """Its forward, and the methods of it and of its parents in the same file whose names tell something."""
    own = {name: None for base in cls.__mro__ if base.__module__ == cls.__module__ for name in vars(base)}
    told = [name for name in own if callable(getattr(cls, name)) and re.search(METHODS, name.lower())]
    return [*(name for name in ("forward", "__call__") if name in own), *told]


def _ways(file, target, function, skip=0, alone=False, first=()):
    """Calls with what the names of the parameters ask for; none where a required one says nothing."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return
    parameters = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    required = [p for p in parameters if p.default is p.empty]
    for mask in (*MASKS, NONE) if any(role(p.name) == "mask" for p in parameters) else MASKS[:1]:
        given = {**GIVEN, "mask": mask}
        arguments = []
        for p in parameters:
            told = "heads" if alone and required == [p] else role(p.name)
            if told == "config":
                given["config"] = settings(file.source, p.name, asked_of(file.source, p.name))
            if p in required and told not in given:
                return
            if p in required or told in ("heads", "max_len"):
                arguments.append((p.name, given[told]))
        yield Call(target, (*first, *arguments))
