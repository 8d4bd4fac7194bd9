"""Find ALiBi's bias in anyone's file: functions, methods and modules, whole biases and slopes alone."""

import inspect
import math
import re
from types import SimpleNamespace

import torch

from ..calling.inputs import ITEM, NONE, OF_ROLE, asked_of_self
from ..calling.lines import Call, Value, attribute, constant, variable
from ..calling.names import role_of
from ..calling.picking import Reading
from ..sandbox.guard import Failed, run
from ..sandbox.values import as_numbers
from .look import HEADS_NAMES

NAMES = {
    "heads": HEADS_NAMES,
    "max_len": """i j l n size q_len k_len qlen klen query_len key_len query_length key_length q_length k_length
        seq length""",
    "scores": "scores qk qk_dots dots attn attention_scores attn_scores logits sim similarity x qk_sim att",
    "vectors": "q k query key queries keys xq xk query_states key_states",
    "head_dim": "head_dim d_head dim_head head_size d_k dk",
    "most": "alibi_bias_max bias_max max_bias",
}
ROLE_OF_NAME = {name: role for role, names in NAMES.items() for name in names.split()}
METHODS = r"bias|alibi|slope|mask"
FIRST = {"heads": 3, "length": 5}  # of the first look


def _tensor(text, make, made):
    """What ``make(heads, length)`` gives."""
    return Value(text, lambda s: make(s["heads"], s["length"]), frozenset({made}))


# A mask (batch, length) of tokens, or (queries, keys) of what each may see.
MASKS = (
    _tensor("torch.ones(1, length)", lambda h, n: torch.ones(1, n), "mask"),
    _tensor("torch.ones(length, length).tril()", lambda h, n: torch.ones(n, n).tril(), "mask"),
)
GIVEN = {
    **OF_ROLE,
    "heads": variable("heads"),
    "max_len": variable("length"),
    "d_model": Value("8 * heads", lambda s: 8 * s["heads"]),
    "head_dim": constant(8),
    "most": constant(8),
    "scores": _tensor("torch.zeros(1, heads, length, length)", lambda h, n: torch.zeros(1, h, n, n), "scores"),
    "vectors": _tensor("torch.ones(1, heads, length, 8)", lambda h, n: torch.ones(1, h, n, 8), "vectors"),
    "dtype": Value("torch.float32", lambda s: torch.float32),
    "device": constant("cpu"),
}


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
        itself = (None, _settings(file.source, "self", asked_of_self(thing)))
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
    for mask in (*MASKS, NONE) if any(_role(p.name) == "mask" for p in parameters) else MASKS[:1]:
        given = {**GIVEN, "mask": mask}
        arguments = []
        for p in parameters:
            role = "heads" if alone and required == [p] else _role(p.name)
            if role == "config":
                given["config"] = _settings(file.source, p.name, _asked(file.source, p.name))
            if p in required and role not in given:
                return
            if p in required or role in ("heads", "max_len"):
                arguments.append((p.name, given[role]))
        yield Call(target, (*first, *arguments))


def _role(name):
    return ROLE_OF_NAME.get(name.lower().strip("_")) or role_of(name)


def _asked(source, name):
    """What the file asks of ``name``: attributes, or items."""
    return dict.fromkeys(re.findall(rf"\b{name}\.(\w+)\b(?!\()", source) + re.findall(ITEM.format(name), source))


def _settings(source, name, asked):
    """What stands in for ``name``, a configuration or self, with what is asked of it."""
    values = {
        one: _settings(source, one, _asked(source, one)) if _role(one) == "config" else GIVEN.get(_role(one), NONE)
        for one in asked
        if one != name
    }
    kind = dict if re.search(ITEM.format(name), source) else SimpleNamespace
    text = ", ".join(f"{one}={value.text}" for one, value in values.items())
    return Value(f"{kind.__name__}({text})", lambda s: kind(**{one: v.give(s) for one, v in values.items()}))
