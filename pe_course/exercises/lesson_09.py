"""Lesson 09, RoPE."""

from dataclasses import replace
from itertools import product

import numpy as np
import torch
from torch import cat

from pe_lib.rope import rope_half_split, rope_interleaved  # noqa: F401 (the page uses both)
from pe_lib.space_and_time import sinusoidal_at

from ..judges import Function, Otherwise, Value, Way, family, pages
from ..toy.one_head import attend, rope_attention
from .cached_step import WEIGHTS, Continued, X, at_token, goes_on, step
from .exercise import random_tensor
from .turned import UNITS, turn

Q, LONG = random_tensor(0, 5, 2), random_tensor(0, 10, 2)
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
        lambda factor: lambda x, positions, *weights: rope_attention(x, factor * positions, *weights),
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


NO_LAYOUT = 'One of two names is asked for, in quotes and nothing round it: "interleaved" or "half-split".'
VALUES = (str, int, float, list, tuple, set, dict, np.ndarray, torch.Tensor)

JUDGES = {
    "09.1": Function(
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
    "09.2": Function(
        rope_attention,
        [(X, places, *WEIGHTS) for places in PLACES],
        HEAD,
        also=Way(small=(X, PLACES[0], *WEIGHTS), not_own=frozenset({"rope_attention"})),
    ),
    "09.3": Continued(step, [at_token(n) for n in (0, 1, 4)], STEP, also=goes_on),
    "09.4": Value("half-split", reasons=[Otherwise(NO_LAYOUT, VALUES)]),
}
GIVEN = {"09.2": "q, k, v = x @ W_query, x @ W_key, x @ W_value"}
