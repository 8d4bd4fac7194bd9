"""Lesson 12, case 5: a rotation along the heads loses the positions, and a causal mask hides it in training."""

from functools import cache

import torch

from pe_course.toy import Toy, accuracy, previous, train
from pe_lib import rope_half_split

from .claim import Claim


def along_the_heads(x):
    return rope_half_split(x.transpose(1, 2)).transpose(1, 2)


@cache
def score(causal, seed):
    model = Toy(d_model=32, heads=4, layers=2, seed=seed, rotate=along_the_heads, causal=causal)
    train(model, previous, steps=300, seed=seed, lengths=(2, 16))
    return accuracy(model, previous, 16, batches=4)


def scores_stay(seed):
    q, k = torch.randn(2, 1, 4, 10, 16, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    turned = along_the_heads(q) @ along_the_heads(k).mT
    return torch.allclose(turned, q @ k.mT)


CLAIMS = [
    Claim("So their scores stay as if nothing had turned: the positions are gone.", scores_stay),
    Claim(
        "Training still works to some degree, probably because a causal mask tells some order (lesson 10).",
        lambda seed: score(True, seed) > score(False, seed) + 0.1,
    ),
]
