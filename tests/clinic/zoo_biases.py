"""ALiBi as people write it: right ones in several styles, and one for each mistake."""

import math

import numpy as np
import torch


def slopes(heads):
    def power(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**k for k in range(n)]

    if math.log2(heads).is_integer():
        return torch.tensor(power(heads))
    near = 2 ** math.floor(math.log2(heads))
    return torch.tensor(power(near) + power(2 * near)[0::2][: heads - near])


def distances(length):
    pos = torch.arange(length)
    return pos[:, None] - pos[None, :]


def symmetric(heads, length):
    return -slopes(heads)[:, None, None] * distances(length).abs()


def one_sided(heads, length):
    return -slopes(heads).view(-1, 1, 1) * distances(length).clamp(min=0)


def masked(heads, length):
    bias = (slopes(heads)[:, None, None] * -distances(length)).float()
    return bias.masked_fill(distances(length) < 0, float("-inf"))[None]


def by_key(heads, length):
    """Bloom: one row for all queries."""
    return slopes(heads)[:, None, None] * torch.arange(length)[None, None]


def from_the_end(heads, length):
    """MPT: one row, counted back from the last key."""
    return (slopes(heads)[:, None, None] * torch.arange(1 - length, 1)[None, None])[None]


def plus_one(heads, length):
    return -slopes(heads)[:, None, None] * (distances(length) + 1)


def in_numpy(heads, length):
    pos = np.arange(length)
    return -slopes(heads).numpy()[:, None, None] * np.abs(pos[None] - pos[:, None])


def loops(heads, length):
    """Lists of lists."""
    if length > 300:
        return symmetric(heads, length)
    values = slopes(heads).tolist()
    return [[[-m * abs(i - j) for j in range(length)] for i in range(length)] for m in values]


def length_first(seq_len, num_heads):
    return symmetric(num_heads, seq_len)


RIGHT = {
    "symmetric": (symmetric, None),
    "one-sided": (one_sided, None),
    "masked": (masked, None),
    "by key": (by_key, "row-shifted"),
    "from the end": (from_the_end, "row-shifted"),
    "plus one": (plus_one, "row-shifted"),
    "numpy": (in_numpy, None),
    "loops": (loops, None),
    "float64": (lambda heads, length: symmetric(heads, length).double(), None),
    "length first": (length_first, None),
}


def with_slopes(make):
    return lambda heads, length: -torch.as_tensor(make(heads))[:, None, None] * distances(length).abs()


def with_distances(grow):
    return lambda heads, length: -slopes(heads)[:, None, None] * grow(distances(length).clamp(min=0).float())


def plain(heads):
    return 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)


def by_length(heads, length):
    return one_sided(heads, length) / length


def bfloat16(heads, length):
    return -slopes(heads)[:, None, None] * distances(length).clamp(min=0).bfloat16().float()


WRONG = {
    "bias-sign": [lambda heads, length: -symmetric(heads, length), lambda heads, length: -one_sided(heads, length)],
    "falls-with-key-position": [
        lambda heads, length: -by_key(heads, length),
        lambda heads, length: -by_key(heads, length).expand(-1, length, -1),
    ],
    "plain-slopes": [with_slopes(plain)],
    "slopes-from-one": [with_slopes(lambda heads: 2.0 ** (-8 * torch.arange(heads) / heads))],
    "one-slope": [with_slopes(lambda heads: torch.full((heads,), 0.5)), with_slopes(lambda heads: torch.ones(heads))],
    "halving-slopes": [with_slopes(lambda heads: 0.5 ** torch.arange(1, heads + 1))],
    "squared-distance": [with_distances(lambda d: d**2)],
    "half-distance": [
        bfloat16,
        lambda heads, length: -slopes(heads)[:, None, None] * distances(length).clamp(min=0).half(),
    ],
    "bias-scaled": [
        lambda heads, length: symmetric(heads, length) / 8,
        lambda heads, length: 2 * by_key(heads, length),
    ],
    "exponential-bias": [
        lambda heads, length: torch.exp(symmetric(heads, length)),
        lambda heads, length: 2 ** one_sided(heads, length),
    ],
    "divided-by-length-of-text": [by_length, lambda heads, length: symmetric(heads, length) / max(length - 1, 1)],
    "zero-beyond-window": [
        with_distances(lambda d: d * (d < 64)),
        with_distances(lambda d: torch.where(d >= 512, 0.0, d)),
    ],
    "clipped-distance": [with_distances(lambda d: d.clamp(max=128))],
    "transposed-bias": [lambda heads, length: one_sided(heads, length).transpose(1, 2)],
    "distance-off-by-one": [with_distances(lambda d: (d - 1).clamp(min=0))],
    "other-slopes": [with_slopes(lambda heads: torch.linspace(1, 0.1, heads))],
    "no-bias": [lambda heads, length: torch.zeros(heads, length, length)],
}
