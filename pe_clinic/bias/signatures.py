"""Find ALiBi's bias in anyone's file: functions and modules, whole biases and slopes alone."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass

import torch

from ..calling.names import role_of
from ..sandbox.values import as_numbers
from .look import HEADS_NAMES

LENGTHS = "i j l n size q_len k_len qlen klen query_len key_len query_length key_length q_length k_length seq"
SCORES = "scores qk qk_dots dots attn attention_scores attn_scores logits sim similarity x"


@dataclass(frozen=True)
class Reading:
    """``bias(heads, length)``, and in words how it is called."""

    call: str
    bias: Callable


def is_bias(thing, name):
    """Do its name and its parameters say that it gives ALiBi's bias, or its slopes?"""
    if not re.search("alibi|slope", name.lower()):
        return False
    return callable(thing) and reading_of(thing, name) is not None


def reading_of(thing, name):
    """The `Reading` of a function of heads and a length, of a class, or of what gives slopes; None of all else."""
    if isinstance(thing, type):
        return _of_class(thing, name) if issubclass(thing, torch.nn.Module) else None
    texts = _texts(thing, alone="heads" if "slope" in name.lower() else None)
    if texts is None or "heads" not in texts.values():
        return None
    call = f"{name}({_shown(texts)})"

    def given(heads, length):
        return _tried(lambda values: thing(**values), texts, heads, length)

    if {"length", "mask", "scores"} & {*texts.values()}:
        return Reading(call, given)
    return Reading(f"{call}, as slopes", lambda heads, length: _from_slopes(given(heads, length), length))


def _of_class(cls, name):
    made, asked = _texts(cls), _texts(cls.forward, skip=1)
    if made is None or asked is None or "heads" not in made.values():
        return None

    def bias(heads, length):
        module = cls(**_values(made, heads, length)).eval()
        return _tried(lambda values: module(**values), asked, heads, length)

    return Reading(f"{name}({_shown(made)})({_shown(asked)})", bias)


def _texts(function, alone=None, skip=0):
    """From parameters to what they get: a word of `_values`. None where a required one says nothing."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[skip:]
    except (TypeError, ValueError):
        return None
    parameters = [p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    required = [p for p in parameters if p.default is p.empty]
    texts = {}
    for p in parameters:
        role = alone if alone and required == [p] else _role(p.name.lower())
        if p.default is p.empty and role is None:
            return None
        if p.default is p.empty or role in ("heads", "length"):
            texts[p.name] = role
    return {name: role for name, role in texts.items() if role}


def _role(name):
    if name in HEADS_NAMES.split() or role_of(name) == "heads":
        return "heads"
    if name in LENGTHS.split() or role_of(name) == "max_len":
        return "length"
    if name in SCORES.split():
        return "scores"
    return role_of(name) if role_of(name) in ("mask", "dtype", "device", "batch") else None


# A mask (batch, length) of tokens, or (queries, keys) of what each may see.
MASKS = (lambda length: torch.ones(1, length), lambda length: torch.ones(length, length).tril())


def _values(texts, heads, length, mask=MASKS[0]):
    given = {"heads": heads, "length": length, "dtype": torch.float32, "device": "cpu", "batch": 1}
    tensors = {"mask": lambda: mask(length), "scores": lambda: torch.zeros(1, heads, length, length)}
    return {name: tensors[role]() if role in tensors else given[role] for name, role in texts.items()}


def _tried(call, texts, heads, length):
    """What the call gives, with the mask of another shape where the first gives no bias; the heads first."""
    for mask in MASKS if "mask" in texts.values() else MASKS[:1]:
        value = call(_values(texts, heads, length, mask))
        shape = tuple(getattr(value, "shape", ()))
        if shape == (length, length, heads) and length != heads:
            return value.permute(2, 0, 1)
        if shape[-3:] in ((heads, length, length), (heads, 1, length)):
            break
    return value


def _shown(texts):
    words = {"mask": "ones(1, length)", "scores": "zeros(1, heads, length, length)"}
    return ", ".join(f"{name}={words.get(role, role)}" for name, role in texts.items())


def _from_slopes(slopes, length):
    """The bias that slopes of any shape give; negative ones are factors of the distance as they stand."""
    slopes = torch.as_tensor(as_numbers(slopes)).flatten()
    distance = torch.arange(length)[:, None] - torch.arange(length)
    return -slopes.abs()[:, None, None] * distance.abs()
