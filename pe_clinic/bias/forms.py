"""In which forms a bias comes: whole, as slopes, of one head, as a change of the scores; each as (heads, …, length)."""

import inspect
import math
import re

import torch

from ..calling.lines import Value
from ..calling.parameters import required_of, source_of
from ..sandbox.guard import Failed
from ..sandbox.mistakes import found
from ..sandbox.values import as_numbers
from .beside import beside, no_queries


def takes_heads(call):
    """Does the number of heads go into the call?"""
    return bool(re.search(r"\bheads\b(?!=)", f"{call.text} {call.remark}"))


def changes_scores(thing):
    """Is it a score_mod(score, batch, head, query, key) of flex attention?"""
    names = [a.name for a in required_of(thing)] if inspect.isfunction(thing) else ()
    return len(names) == 5 and names[0].startswith("score")


def as_bias(call, setting):
    """What it gives as (heads, length, length) or (heads, 1, length), made of slopes where it gives these; or None.

    Queries and keys that come back as they were got no bias: it is 0.
    """
    heads, length, queries = setting["heads"], setting["length"], setting.get("queries", setting["length"])
    value = _modified(call.give(setting), heads, queries, length)
    if value is None:
        raise Failed(found("none", f"{call.text} gave None: it is not written yet, or a return is missing"))
    parts = value if isinstance(value, tuple) else (value,)
    if "vectors" in call.made and all(getattr(p, "shape", None) == (1, heads, length, 8) for p in parts):
        return torch.zeros(heads, length, length) if all(bool((p == 1).all()) for p in parts) else None
    whole = [part for part in parts if tuple(getattr(part, "shape", ())) != (heads,)]  # beside its slopes
    value = whole[0] if len(whole) == 1 else value
    value = as_numbers(value) if isinstance(value, list) else value
    value = value[:, 0] if getattr(value, "shape", ())[:2] == (heads, 1) and value.ndim == 4 else value
    shape = tuple(getattr(value, "shape", ()))
    if (heads in shape or not shape) and math.prod(shape) == heads and "length" not in call.text:
        return _from_slopes(value, length)
    if shape == (queries, length, heads) and length != heads:
        return torch.as_tensor(value).permute(2, 0, 1)
    if shape[-2:] == (queries, length) and math.prod(shape[:-2]) == 1 and not takes_heads(call):
        return torch.as_tensor(value).reshape(1, queries, length).expand(heads, -1, -1)
    if no_queries(shape, heads, length):
        return torch.as_tensor(value).reshape(heads, 1, length)
    return value if shape[-3:] in ((heads, queries, length), (heads, 1, length)) else None


def bias_of(call):
    """``bias(heads, length)``, with the heads first, of what ``call`` gives."""

    def bias(heads, length):
        value = as_bias(call, {"heads": heads, "length": length})
        return call.give({"heads": heads, "length": length}) if value is None else value

    bias.one_head = not takes_heads(call) or "=0.25" in call.text  # the slope that is given
    bias.handed_slopes = "2 ** (-8 *" in call.text
    bias.beside = lambda: beside(call, as_bias)
    return bias


def of_line(bias, text):
    """As `bias_of`, of a function of heads and length that stands in a line."""
    line = bias_of(Value(text.partition(":")[2], lambda s: bias(s["heads"], s["length"])))
    line.handed_slopes = False  # what stands there is the user's own
    return line


def _modified(value, heads, queries, length):
    """The scores after a score_mod(score, batch, head, query, key) of flex attention; anything else as it is."""
    if not changes_scores(value):
        return value
    at = torch.arange(length)
    h, q = torch.arange(heads)[:, None, None], at[length - queries :, None]
    return value(torch.zeros(heads, queries, length), torch.tensor(0), h, q, at)


def _from_slopes(slopes, length):
    """The bias that slopes of any shape give; negative ones are factors of the distance as they stand."""
    slopes = torch.as_tensor(as_numbers(slopes)).flatten()
    distance = torch.arange(length)[:, None] - torch.arange(length)
    return -slopes.abs()[:, None, None] * distance.abs()


def gives_slopes(thing):
    """Is it a function of one number by the formula of ALiBi's authors?"""
    alone = inspect.isfunction(thing) and len(required_of(thing)) == 1
    return bool(alone and re.search(r"2\s*\*\*\s*\(?-\s*\(?(\w+\.)*log2\(\s*\w+\s*\)\s*-\s*3", source_of(thing)))


def is_bias(thing, name):
    """Does its name say that it gives ALiBi's bias, or its slopes?"""
    own = "".join(vars(thing)) if isinstance(thing, type) else ""  # of a model, of which only the bias is there
    told = re.search("alibi|slope|linear_?(attention_?)?bias", name.lower()) or gives_slopes(thing)
    if re.search("mask|bias", name.lower()) and not isinstance(thing, type):  # a mask that holds the bias, too
        told = told or re.search(r"alibi|\bslopes\b", source_of(thing).lower())
    return callable(thing) and bool(told or ("alibi" in own and not re.search("forward|__call__", own)))
