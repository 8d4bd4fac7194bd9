"""Lesson 09, RoPE."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import torch
from torch import cat

from pe_clinic import Diagnosis, Finding
from pe_clinic.sandbox import Failed, run
from pe_lib.rope import rope_half_split, rope_interleaved  # noqa: F401 (the page uses both)
from pe_lib.space_and_time import sinusoidal_at

from ..judges import Function, Otherwise, Value, Way
from ..judges.known import family, pages
from ..toy.one_head import attend, rope_attention
from .exercise import Exercise, random_tensor
from .offsets import UNITS, turn

Q, LONG = random_tensor(0, 5, 2), random_tensor(0, 10, 2)
X = random_tensor(1, 6, 4)
WEIGHTS = tuple(random_tensor(2, 3, 4, 4))
PLACES = torch.arange(6), torch.tensor([4, 7, 8, 20, 21, 30])
rope = rope_interleaved


def added(x, positions):
    """x with rows of the table added, as in lesson 06."""
    return x + torch.from_numpy(sinusoidal_at(positions.numpy(), x.shape[1])).float()


def _attention(slip):
    """The wrong attention that a ``slip`` on the page is."""

    def wrong(x, positions, W_query, W_key, W_value):
        q, k, v = x @ W_query, x @ W_key, x @ W_value
        turned, keys = rope(q, positions), rope(k, positions)
        later = torch.ones(len(x), len(x)).triu(1).bool()
        scores = turned @ keys.T / x.shape[1] ** 0.5
        return slip(x, positions, W_query, W_key, W_value, q, k, v, turned, keys, scores, later)

    return wrong


def _cached(n):
    """What 09.3 is called with at its token n: the row, the cache of the tokens before, and the weights."""
    W_query, W_key, W_value = WEIGHTS
    before = X[:n]
    return X[n : n + 1], rope(before @ W_key), before @ W_value, W_query, W_key, W_value


def _step(slip):
    """The wrong cached step that a ``slip`` on the page is."""

    def wrong(x_new, keys, values, W_query, W_key, W_value):
        q, k, v = x_new @ W_query, x_new @ W_key, x_new @ W_value
        return slip(x_new, keys, values, W_query, W_key, W_value, len(keys), q, k, v)

    return wrong


def _at(place):
    """The step that places its token at ``place(rows in the cache)``."""
    return _step(
        lambda x, keys, values, A, B, C, n, q, k, v: attend(
            rope(q, [place(n)]), cat([keys, rope(k, [place(n)])]), cat([values, v])
        )
    )


def _times(factor):
    """The attention whose positions are multiplied by ``factor``."""
    return lambda x, p, *weights: rope_attention(x, factor * p, *weights)


def _handed(order):
    """The attention that hands on the rows named in ``order``, such as "qkv"."""

    def wrong(x, p, A, B, C, q, k, v, Q, K, S, later):
        return attend(*({"q": Q, "k": K, "v": v}[name] for name in order.split(", ")))

    return _attention(wrong)


NAMED = ("qkv", "qqv", "qvk", "kqv", "kkv")  # right, or on the page
ORDERS = [", ".join(order) for order in product("qkv", repeat=3) if "".join(order) not in NAMED]
KNOWN = pages(__file__, globals())
HEAD = replace(KNOWN["09.2"], make=_attention).plus(
    *family(_handed, "attend gets {}; it takes q, k, v: the query, the key, the value.", ORDERS),
    *family(
        _times,
        "The positions are multiplied by {:g}; they come as they should be used.",
        (0.5, 0.1, 0.01, 0.001, 2 * torch.pi),
    ),
)
STEP = replace(KNOWN["09.3"], make=_step).plus(
    *family(
        lambda place: _at(lambda n: place),
        "The new token always stands at position {}; its position is the number of rows.",
        (1, 2, 3, -1),
    )
)


@dataclass(frozen=True)
class Continued(Function):
    """Judge a step that returns (output, keys, values): its output by the `Function`, then the cache, by going on."""

    def _try(self, answer, examples):
        tried = super()._try(answer, examples)
        return replace(tried, results=tuple(map(_output, tried.results)))


def _output(returned):
    return returned[0] if isinstance(returned, (tuple, list)) and len(returned) == 3 else returned


def _goes_on(step):
    """The diagnosis of the cache that a step with right outputs returns: it is called with what it returned."""
    try:
        returned = run("step(x_new, keys, values, …)", step, *_cached(4))
        if not (isinstance(returned, (tuple, list)) and len(returned) == 3):
            title = "The output is right, but it is returned alone: the next call needs the longer cache."
            return _not_yet("alone", title, fix="return output, keys, values")
        keys, values = X[:0], X[:0]
        for n in range(len(X)):
            output, keys, values = run("the next step", step, X[n : n + 1], keys, values, *WEIGHTS)
            if not torch.allclose(output, _at(lambda n: n)(*_cached(n)), atol=1e-4):
                title = f"Called again with what it returned, the step is wrong from token {n} on."
                return _not_yet("cache", title, *_why_wrong(returned[1:]))
    except Failed as failed:
        return Diagnosis(ok=False, findings=(failed.finding,))
    return Diagnosis(ok=True)


def _why_wrong(returned):
    """What is wrong with the keys and values that the step returned at token 4: (evidence, fix)."""
    (_, old_keys, old_values, *_), (_, keys, values, *_) = _cached(4), _cached(5)
    unrotated = torch.cat([old_keys, X[4:5] @ WEIGHTS[1]])
    known = {
        "it returns the cache that it was given, without the new key and value": (old_keys, old_values),
        "it returns the new key and value alone": (keys[4:], values[4:]),
        "it returns values, keys: they have changed places": (values, keys),
        "the key that it returns is not rotated": (unrotated, values),
    }
    shape = [tuple(getattr(part, "shape", ())) for part in returned]
    seen = next((says for says, cache in known.items() if _same_cache(returned, cache)), f"the shapes are {shape}")
    return seen, "return output, keys, values: the same keys and values that attend got"


def _same_cache(one, other):
    return all(a.shape == b.shape and torch.allclose(a, b, atol=1e-4) for a, b in zip(one, other, strict=True))


def _not_yet(code, title, evidence="", fix=""):
    return Diagnosis(ok=False, findings=(Finding(code, title, evidence, fix=fix),))


NO_LAYOUT = 'One of two names is asked for, in quotes and nothing round it: "interleaved" or "half-split".'
VALUES = (str, int, float, list, tuple, set, dict, np.ndarray, torch.Tensor)

EXERCISES = {
    "09.1": Exercise(
        3,
        Function(
            lambda x, positions, frequency: rope(x, positions, frequencies=torch.tensor([frequency])),
            [(Q, torch.arange(5.0), 0.5), (Q, torch.tensor([7.0, 3.0, 0.0, 1.0, 5.0]), 0.3), UNITS],
            reasons=[turn],
            also=Way(
                small=(Q, torch.arange(5.0), 0.5),
                larger=[("the number of rows", (LONG, torch.arange(10.0), 0.5))],
                not_own=frozenset({"rope_interleaved", "rope_half_split", "shift_matrix"}),
                fix="compute with whole columns: x[:, 0] and x[:, 1]",
            ),
        ),
        "That is RoPE for one pair; the rest is doing it for all pairs at once.",
    ),
    "09.2": Exercise(
        3,
        Function(
            rope_attention,
            [(X, places, *WEIGHTS) for places in PLACES],
            HEAD,
            also=Way(small=(X, PLACES[0], *WEIGHTS), not_own=frozenset({"rope_attention"})),
        ),
        "The whole of RoPE in a model: two calls between the projections and the scores.",
        given="q, k, v = x @ W_query, x @ W_key, x @ W_value",
    ),
    "09.3": Exercise(
        4,
        Continued(_at(lambda n: n), [_cached(n) for n in (0, 1, 4)], STEP, also=_goes_on),
        "One row of work for each new token, and the result of the whole.",
    ),
    "09.4": Exercise(
        2,
        Value("half-split", KNOWN["09.4"], reasons=[Otherwise(NO_LAYOUT, VALUES)]),
        "The scores tell; the weights alone, being random to the eye, do not.",
    ),
}
