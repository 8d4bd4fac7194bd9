"""Lesson 09: what RoPE's offsets, caches and layouts mean for attention. Seeds choose queries, keys and values."""

import math
from functools import cache

import torch

from pe_course.toy import Toy, accuracy, previous, train
from pe_lib import half_split_order, rope_half_split, rope_interleaved

from .claim import Claim

LENGTH, WIDTH = 10, 16


def drawn(seed, *shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def looks(q, k, v):
    """What the last query takes from all keys."""
    return (q @ k.T / math.sqrt(q.shape[-1])).softmax(dim=-1) @ v


def falls_and_rises(seed):
    q, k = drawn(seed, 2, 64)
    scores = rope_interleaved(k.expand(200, 64), -torch.arange(200)) @ q
    return bool((scores.diff() > 0).any() and (scores.diff() < 0).any())


@cache
def trained(seed):
    model = Toy(d_model=32, heads=4, layers=2, seed=seed, rotate=rope_interleaved, causal=True)
    train(model, previous, steps=300, seed=seed, lengths=(2, 16))
    return model


def other_direction(seed):
    model = trained(seed)
    right = accuracy(model, previous, 16, batches=4)
    for layer in model.layers:
        layer.attention.rotate = lambda x: rope_interleaved(x, [-n for n in range(x.shape[-2])])
    wrong = accuracy(model, previous, 16, batches=4)
    for layer in model.layers:
        layer.attention.rotate = rope_interleaved
    return right > 0.95 and wrong < 0.6


def other_output_elsewhere(seed):
    """Rotated values give another output 100 positions on; values left alone give the same."""
    q, k, v = drawn(seed, 3, LENGTH, WIDTH)

    def output(start, rotated):
        at = torch.arange(start, start + LENGTH)
        values = rope_interleaved(v, at) if rotated else v
        return looks(rope_interleaved(q, at)[-1:], rope_interleaved(k, at), values)

    same = [torch.allclose(output(0, rotated), output(100, rotated), atol=1e-6) for rotated in (True, False)]
    return same == [False, True]


def sees_no_order(seed):
    """Every key of the cache at position 0: the earlier tokens may change places."""
    q, k, v = drawn(seed, 3, LENGTH, WIDTH)
    order = [*torch.randperm(LENGTH - 1, generator=torch.Generator().manual_seed(seed)).tolist(), LENGTH - 1]
    return torch.allclose(looks(q[-1:], k, v), looks(q[-1:], k[order], v[order]))


def counted(seed, cached, place):
    q, k, v = drawn(seed, 3, 5, WIDTH)
    keys = torch.cat([rope_interleaved(k[:4], cached), rope_interleaved(k[4:], [place])])
    return looks(rope_interleaved(q[4:], [place]), keys, v)


def both_ways_work(seed):
    by_token, by_place, mixed = (
        counted(seed, range(start, start + 4), place) for start, place in ((0, 4), (2, 6), (2, 4))
    )
    return torch.allclose(by_token, by_place) and not torch.allclose(by_token, mixed)


def moves_exactly(seed):
    keys = drawn(seed, LENGTH, WIDTH)
    moved = rope_interleaved(rope_interleaved(keys, range(4, 4 + LENGTH)), [-4] * LENGTH)
    return torch.allclose(moved, rope_interleaved(keys))


def runs_with_the_other_layout(seed):
    x, (W_query, W_key) = drawn(seed, LENGTH, WIDTH), drawn(seed + 1000, 2, WIDTH, WIDTH)
    order = half_split_order(WIDTH)

    def scores(rope, columns):
        return rope(x @ W_query[:, columns]) @ rope(x @ W_key[:, columns]).T

    as_trained = scores(rope_interleaved, slice(None))
    same = [torch.allclose(scores(rope_half_split, columns), as_trained) for columns in (order, slice(None))]
    return same == [True, False]


CLAIMS = [
    Claim("So a larger distance does not always mean a lower score.", falls_and_rises),
    Claim("But a model that was trained with one direction cannot run with the other.", other_direction),
    Claim("so the output would depend on where the text stands.", other_output_elsewhere),
    Claim("The head sees which tokens come before, but not their order.", sees_no_order),
    Claim("RoPE needs only the right *offsets*, so both ways of counting work.", both_ways_work),
    Claim("The move is exact for the rotation.", moves_exactly),
    Claim("So a model that was trained with one layout runs with the other, if its *weights* are rearranged once",
          runs_with_the_other_layout),
]  # fmt: skip
