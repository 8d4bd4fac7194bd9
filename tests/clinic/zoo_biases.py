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


def with_slopes(make):
    return lambda heads, length: -torch.as_tensor(make(heads))[:, None, None] * distances(length).abs()


def with_distances(grow):
    return lambda heads, length: -slopes(heads)[:, None, None] * grow(distances(length).clamp(min=0).float())


def plain(heads):
    return 2.0 ** (-8 * torch.arange(1, heads + 1) / heads)


TEXT, CODE = "slopes by the paper's text", "slopes by the authors' code"
RIGHT = {
    "symmetric": (symmetric, CODE),
    "one-sided": (one_sided, CODE),
    "masked": (masked, CODE),
    "by key": (by_key, f"{CODE}, row-shifted"),
    "from the end": (from_the_end, f"{CODE}, row-shifted"),
    "plus one": (plus_one, f"{CODE}, row-shifted"),
    "numpy": (in_numpy, CODE),
    "loops": (loops, CODE),
    "float64": (lambda heads, length: symmetric(heads, length).double(), CODE),
    "length first": (length_first, CODE),
    "the paper's text": (with_slopes(plain), TEXT),
    "the paper's text, by key": (
        lambda heads, length: plain(heads)[:, None, None] * torch.arange(length),
        f"{TEXT}, row-shifted",
    ),
    "heads last": (lambda heads, length: symmetric(heads, length).permute(1, 2, 0), f"{CODE}, heads last"),
    "without a mask": (lambda heads, length: -slopes(heads)[:, None, None] * distances(length), CODE),
    "in bfloat16": (lambda heads, length: symmetric(heads, length).bfloat16(), CODE),
    "in float16": (lambda heads, length: one_sided(heads, length).half(), CODE),
    "slopes in bfloat16": (with_slopes(lambda heads: slopes(heads).bfloat16().float()), CODE),
    "Falcon": (
        lambda heads, length: slopes(heads).bfloat16()[:, None, None] * torch.arange(length).bfloat16(),
        f"{CODE}, row-shifted",
    ),
}
HALF = {
    "in bfloat16": "half-bias",
    "in float16": "half-bias",
    "slopes in bfloat16": "half-slopes",
    "Falcon": "half-bias",
}


# Spellings beside those of `wrong_bias`, which makes each mistake alone, too.
WRONG = {
    "bias-sign": [lambda heads, length: -symmetric(heads, length), lambda heads, length: -one_sided(heads, length)],
    "falls-with-key-position": [
        lambda heads, length: -by_key(heads, length),
        lambda heads, length: -by_key(heads, length).expand(-1, length, -1),
    ],
    "one-slope": [with_slopes(lambda heads: torch.ones(heads))],
    "half-distance": [lambda heads, length: -slopes(heads)[:, None, None] * distances(length).clamp(min=0).half()],
    "bias-scaled": [lambda heads, length: 2 * by_key(heads, length)],
    "exponential-bias": [lambda heads, length: 2 ** one_sided(heads, length)],
    "divided-by-length-of-text": [lambda heads, length: symmetric(heads, length) / max(length - 1, 1)],
    "zero-beyond-window": [with_distances(lambda d: torch.where(d >= 512, 0.0, d))],
    "clipped-distance": [with_distances(lambda d: d.clamp(max=128))],
    "transposed-bias": [lambda heads, length: one_sided(heads, length).transpose(1, 2)],
    "no-bias": [lambda heads, length: torch.zeros(heads, length, length)],
}


# Mistakes of one group take the same place in the formula: only one of them can be made.
GROUPS = (
    ("slopes-from-one", "one-slope", "halving-slopes", "other-slopes"),
    ("squared-distance", "root-distance", "logarithm-of-distance", "distance-off-by-one", "half-distance"),
    ("bias-sign",),
    ("bias-scaled", "divided-by-length-of-text"),
    ("exponential-bias",),
    ("zero-beyond-window", "clipped-distance"),
)


def wrong_bias(*made):
    """A bias with all of the mistakes ``made``."""
    has = set(made).__contains__

    def bias(heads, length):
        d = distances(length).clamp(min=0).double()
        window = d >= 64
        m = slopes(heads).double()
        m = 2.0 ** (-8 * torch.arange(heads).double() / heads) if has("slopes-from-one") else m
        m = torch.full((heads,), 0.3).double() if has("one-slope") else m
        m = 0.5 ** torch.arange(1, heads + 1).double() if has("halving-slopes") else m
        m = torch.linspace(1, 0.1, heads).double() if has("other-slopes") else m
        d = d.clamp(max=64) if has("clipped-distance") else d
        d = d**2 if has("squared-distance") else d.sqrt() if has("root-distance") else d
        d = d.log1p() if has("logarithm-of-distance") else (d - 1).clamp(min=0) if has("distance-off-by-one") else d
        d = d.bfloat16().double() if has("half-distance") else d
        d = torch.where(window, 0.0, d) if has("zero-beyond-window") else d
        d = d / 8 if has("bias-scaled") else d / length if has("divided-by-length-of-text") else d
        out = -m[:, None, None] * (-d if has("bias-sign") else d)
        return out.exp() if has("exponential-bias") else out

    return bias
