"""Find ALiBi's bias in anyone's file: functions, methods and modules, whole biases and slopes alone."""

import inspect
import re

import torch

from ..calling.inputs import NONE, OF_ROLE
from ..calling.lines import Call, Value, attribute, constant, variable
from ..calling.names import role_of
from ..calling.picking import Reading
from ..sandbox.guard import Failed, run
from ..sandbox.values import as_numbers
from .look import HEADS_NAMES

LENGTHS = "i j l n size q_len k_len qlen klen query_len key_len query_length key_length q_length k_length seq length"
SCORES = "scores qk qk_dots dots attn attention_scores attn_scores logits sim similarity x qk_sim att"
METHODS = r"bias|alibi|slope|mask"
FIRST = {"heads": 3, "length": 5}  # of the first look


def _ones(text, make):
    return Value(text, lambda s: make(s["length"]), frozenset({"mask"}))


# A mask (batch, length) of tokens, or (queries, keys) of what each may see.
MASKS = (
    _ones("torch.ones(1, length)", lambda n: torch.ones(1, n)),
    _ones("torch.ones(length, length).tril()", lambda n: torch.ones(n, n).tril()),
)
GIVEN = {
    **OF_ROLE,
    "heads": variable("heads"),
    "max_len": variable("length"),
    "d_model": Value("8 * heads", lambda s: 8 * s["heads"]),
    "scores": Value(
        "torch.zeros(1, heads, length, length)", lambda s: torch.zeros(1, s["heads"], s["length"], s["length"])
    ),
    "dtype": Value("torch.float32", lambda s: torch.float32),
    "device": constant("cpu"),
}


def is_bias(thing, name):
    """Does its name say that it gives ALiBi's bias, or its slopes?"""
    return callable(thing) and bool(re.search("alibi|slope", name.lower()))


def reading_of(file, path):
    """The first `Reading` that gives a bias or slopes; None where none does."""
    for call in _calls(file, path):
        try:
            value = run("a first look", lambda call=call: _as_bias(call, FIRST))
        except (Failed, NotImplementedError):
            continue
        if value is not None:
            return Reading("alibi", call)
    return None


def bias_of(reading):
    """``bias(heads, length)``, with the heads first, of what a `Reading` calls."""

    def bias(heads, length):
        value = _as_bias(reading.call, {"heads": heads, "length": length})
        return reading.call.give({"heads": heads, "length": length}) if value is None else value

    return bias


def _as_bias(call, setting):
    """What it gives as (heads, length, length) or (heads, 1, length), made of slopes where it gives these; or None."""
    heads, length = setting["heads"], setting["length"]
    value = call.give(setting)
    value = value[0] if isinstance(value, tuple) and len(value) == 1 else value
    shape = tuple(getattr(value, "shape", ())) or ((len(value),) if isinstance(value, list) else ())
    if sorted(set(shape)) in ([heads], [1, heads]) and shape.count(heads) == 1 and "length" not in call.text:
        return _from_slopes(value, length)
    if shape == (length, length, heads) and length != heads:
        return torch.as_tensor(value).permute(2, 0, 1)
    return value if shape[-3:] in ((heads, length, length), (heads, 1, length)) else None


def _calls(file, path):
    thing, owner, _ = file.resolve(path)
    target = file.named(path)
    if isinstance(thing, type):
        for made in _ways(target, thing):
            for method in _methods(thing):
                called = made if method in ("forward", "__call__") else attribute(made, method)
                yield from _ways(called, getattr(thing, method), skip=1)
    elif owner and next(iter(inspect.signature(thing).parameters), None) == "self":
        for made in _ways(file.named(owner), file.resolve(owner)[0]):
            yield from _ways(attribute(made, path.rpartition(".")[2]), thing, skip=1)
    else:
        yield from _ways(target, thing, alone="slope" in path.lower())


def _methods(cls):
    own = [name for name in vars(cls) if callable(getattr(cls, name)) and re.search(METHODS, name.lower())]
    first = [name for name in ("forward", "__call__") if name in vars(cls)]
    return [*first, *own]


def _ways(target, function, skip=0, alone=False):
    """Calls with what the names of the parameters ask for; none where a required one says nothing."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return
    parameters = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    required = [p for p in parameters if p.default is p.empty]
    for mask in (*MASKS, NONE) if any(_role(p) == "mask" for p in parameters) else MASKS[:1]:
        given = {**GIVEN, "mask": mask}
        arguments = []
        for p in parameters:
            role = "heads" if alone and required == [p] else _role(p)
            if p in required and role not in given:
                return
            if p in required or role in ("heads", "max_len"):
                arguments.append((p.name, given[role]))
        yield Call(target, tuple(arguments))


def _role(parameter):
    name = parameter.name.lower()
    if name in HEADS_NAMES.split() or role_of(name) == "heads":
        return "heads"
    return "max_len" if name in LENGTHS.split() else "scores" if name in SCORES.split() else role_of(name)


def _from_slopes(slopes, length):
    """The bias that slopes of any shape give; negative ones are factors of the distance as they stand."""
    slopes = torch.as_tensor(as_numbers(slopes)).flatten()
    distance = torch.arange(length)[:, None] - torch.arange(length)
    return -slopes.abs()[:, None, None] * distance.abs()
