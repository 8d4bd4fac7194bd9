"""Find ALiBi's bias in anyone's file: functions, methods and modules, whole biases and slopes alone."""

import inspect
import re
from dataclasses import dataclass
from itertools import product

from ..calling.inputs import NONE, asked_of_self
from ..calling.lines import Call, attribute
from ..calling.loading import CouldNotRun
from ..calling.picking import Reading
from ..sandbox.guard import Failed, run
from ..sandbox.values import as_numbers
from .beside import beside
from .forms import as_bias, changes_scores, takes_heads
from .given import GIVEN, MASKS, asked_of, kept_by, role, settings

METHODS = r"bias|alibi|slope|mask|^(build|get|make|compute|create)$"
FIRST = {"heads": 4, "length": 5}  # of the first look
ALWAYS = "heads", "max_len", "queries", "buckets", "farthest"  # handed over, default or not


def is_bias(thing, name):
    """Does its name say that it gives ALiBi's bias, or its slopes?"""
    own = "".join(vars(thing)) if isinstance(thing, type) else ""  # of a model, of which only the bias is there
    told = re.search("alibi|slope|linear_?(attention_?)?bias", name.lower())
    return callable(thing) and bool(told or ("alibi" in own and not re.search("forward|__call__", own)))


@dataclass(frozen=True)
class Found:
    """The reading of a bias, the method that gives it where the class has a forward, and how that stopped."""

    reading: Reading
    part: str = ""
    stopped: str = ""

    @property
    def shown(self):
        return self.reading.call.shown(heads=8, length=6, causal=False, bidirectional=True)


def unknown_in(thing, name):
    """Which parameters nobody can fill; "" where all are known."""
    try:
        parameters = [p for p in inspect.signature(thing).parameters.values() if p.name != "self"]
    except (TypeError, ValueError):
        return ""
    required = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    unknown = [p.name for p in required if role(p.name) not in (*GIVEN, "config", "mask")]
    return f"{name} needs {', '.join(unknown)}, and what to give is not known" if unknown and len(required) > 1 else ""


def reading_of(calls):
    """What is `Found` first that gives a bias or slopes, one of zeros last; `CouldNotRun` where all stop, or None."""
    zeros, stopped = None, ""
    for call, part in calls:
        try:
            value = run(call.shown(heads=4, length=5), lambda call=call: as_bias(call, FIRST))
            tells = value is not None and as_numbers(value).any()
        except (Failed, NotImplementedError, ValueError) as stop:
            stopped = stopped or (not part and getattr(getattr(stop, "finding", None), "evidence", "")) or ""
            continue
        found = Found(Reading("alibi", call), part, stopped)
        if tells:
            return found
        zeros = zeros or (value is not None and found)
    if stopped and not zeros:
        raise CouldNotRun(stopped)
    return zeros or None


def bias_of(reading):
    """``bias(heads, length)``, with the heads first, of what a `Reading` calls."""

    def bias(heads, length):
        value = as_bias(reading.call, {"heads": heads, "length": length})
        return reading.call.give({"heads": heads, "length": length}) if value is None else value

    bias.one_head = not takes_heads(reading.call)
    bias.beside = lambda: beside(reading.call, as_bias)
    return bias


def calls_of(file, path, given=GIVEN):
    """(a call, the method that it calls beside a forward, or ""): of a function, a class, a method."""
    thing, owner, _ = file.resolve(path)
    target = file.named(path)
    if isinstance(thing, type):
        names = _methods(thing)
        for made in map(kept_by, ways(file, target, thing, given)):
            for method in names:
                plain = method in ("forward", "__call__")
                part = method if not plain and names[0] in ("forward", "__call__") else ""
                called = made if plain else attribute(made, method)
                skip = int(not isinstance(inspect.getattr_static(thing, method), staticmethod))
                yield from ((call, part) for call in ways(file, called, getattr(thing, method), given, skip))
        return
    calls = []
    if changes_scores(thing):
        numbers = [name for name, n in file.names.items() if type(n) is int and role(name) == "heads"]
        calls = [file.with_numbers(path, {name: "heads"}) for name in numbers]
    elif owner and next(iter(inspect.signature(thing).parameters), None) == "self":
        for made in map(kept_by, ways(file, file.named(owner), file.resolve(owner)[0], given)):
            calls += ways(file, attribute(made, path.rpartition(".")[2]), thing, given, skip=1)
        itself = (None, settings(file.source, "self", asked_of_self(thing)))
        calls += ways(file, target, thing, given, skip=1, first=(itself,))
    else:
        calls += ways(file, target, thing, given, alone="slope" in path.lower())
    yield from ((call, "") for call in calls)


def _methods(cls):
    """Its forward, and the methods of it and of its parents in the same file whose names tell something."""
    own = {name: None for base in cls.__mro__ if base.__module__ == cls.__module__ for name in vars(base)}
    told = [name for name in own if callable(getattr(cls, name)) and re.search(METHODS, name.lower())]
    return [*(name for name in ("forward", "__call__") if name in own), *told]


def ways(file, target, function, known=GIVEN, skip=0, alone=False, first=()):
    """Calls with what the names of the parameters ask for; none where a required one says nothing."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return
    parameters = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    required = [p for p in parameters if p.default is p.empty]
    told_too = ("offset",) if known is GIVEN else ("offset", "causal", "both")
    masks = (*MASKS, NONE) if any(role(p.name) == "mask" for p in parameters) else MASKS[:1]
    dtypes = [("dtype",)] * any(p.name == "dtype" and p.default is None for p in parameters)  # where none stops it
    for also, mask in product([(), *dtypes], masks):
        given = {**known, "mask": mask}
        arguments = []
        for p in parameters:
            told = "heads" if alone and required == [p] else role(p.name)
            if told == "config":
                given["config"] = settings(file.source, p.name, asked_of(file.source, p.name))
            if p in required and told not in given:
                return
            if (
                p in required
                or told in (*ALWAYS, *also)
                or (told in told_too and (told != "offset" or type(p.default) is int))
            ):
                arguments.append((p.name, given[told]))
        yield Call(target, (*first, *arguments))
