"""Judge one step of attention with a cache: its output, and the cache that it returns, by going on with it."""

from dataclasses import dataclass, replace

import torch
from torch import cat

from pe_clinic import Diagnosis
from pe_clinic.sandbox import run
from pe_lib.rope import rope_interleaved as rope

from ..judges import Function, wrong
from ..toy.one_head import attend
from .exercise import random_tensor

X = random_tensor(1, 6, 4)
WEIGHTS = tuple(random_tensor(2, 3, 4, 4))
GOES_ON = "return output, keys, values: the same keys and values that attend got"


def at_token(n):
    """What a step is called with at token n: the row, the cache of the tokens before, and the weights."""
    W_query, W_key, W_value = WEIGHTS
    before = X[:n]
    return X[n : n + 1], rope(before @ W_key), before @ W_value, W_query, W_key, W_value


def step(x_new, keys, values, W_query, W_key, W_value):
    """The output of a right step."""
    place = [len(keys)]
    keys, values = cat([keys, rope(x_new @ W_key, place)]), cat([values, x_new @ W_value])
    return attend(rope(x_new @ W_query, place), keys, values)


@dataclass(frozen=True)
class Continued(Function):
    """Judge a step that returns (output, keys, values): its output by the `Function`, then the cache, by going on."""

    def _try(self, answer, examples):
        tried = super()._try(answer, examples)
        return replace(tried, results=tuple(map(_output, tried.results)))


def _output(returned):
    return returned[0] if isinstance(returned, (tuple, list)) and len(returned) == 3 else returned


def goes_on(answer):
    """The diagnosis of the cache that a step with right outputs returns: it is called with what it returned."""
    returned = run("step(x_new, keys, values, …)", answer, *at_token(4))
    if _output(returned) is returned:
        title = "The output is right, but it is returned alone: the next call needs the longer cache."
        return wrong("alone", title, fix="return output, keys, values")
    keys, values = X[:0], X[:0]
    for n in range(len(X)):
        output, keys, values = run("the next step", answer, X[n : n + 1], keys, values, *WEIGHTS)
        if not torch.allclose(output, step(*at_token(n)), atol=1e-4):
            title = f"Called again with what it returned, the step is wrong from token {n} on."
            return wrong("cache", title, _why_wrong(returned[1:]), fix=GOES_ON)
    return Diagnosis(ok=True)


def _why_wrong(returned):
    """What is wrong with the keys and values that the step returned at token 4: the evidence."""
    (_, old_keys, old_values, *_), (_, keys, values, *_) = at_token(4), at_token(5)
    unrotated = cat([old_keys, X[4:5] @ WEIGHTS[1]])
    known = {
        "it returns the cache that it was given, without the new key and value": (old_keys, old_values),
        "it returns the new key and value alone": (keys[4:], values[4:]),
        "it returns values, keys: they have changed places": (values, keys),
        "the key that it returns is not rotated": (unrotated, values),
    }
    shape = [tuple(getattr(part, "shape", ())) for part in returned]
    return next((says for says, cache in known.items() if _same_cache(returned, cache)), f"the shapes are {shape}")


def _same_cache(one, other):
    return all(a.shape == b.shape and torch.allclose(a, b, atol=1e-4) for a, b in zip(one, other, strict=True))
