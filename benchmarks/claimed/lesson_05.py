"""Lesson 05: a toy may begin with either layout, and keeps to the one that it was trained with."""

from functools import cache

import numpy as np
import torch

from pe_course.toy import Toy, accuracy, reverse, train
from pe_lib import sinusoidal_vectorized

from .claim import Claim

PAPER = sinusoidal_vectorized(12, 32)
LAYOUTS = {"interleaved": PAPER, "halves": np.hstack([PAPER[:, 0::2], PAPER[:, 1::2]])}


def adding(layout):
    rows = torch.from_numpy(LAYOUTS[layout]).float()
    return lambda x: x + rows


@cache
def score(trained_with, run_with, seed):
    model = Toy(adding(trained_with), seed=seed)
    train(model, reverse, steps=250, seed=seed)
    model.encoding = adding(run_with)
    return accuracy(model, reverse)


CLAIMS = [
    Claim(
        "W begins with random numbers and is learned, so it can learn any order.",
        lambda seed: min(score(layout, layout, seed) for layout in LAYOUTS) > 0.99,
    ),
    Claim(
        "But a model that was trained with one layout must run with the same one.",
        lambda seed: score("interleaved", "halves", seed) < 0.6,
    ),
]
