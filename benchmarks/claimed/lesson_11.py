"""Lesson 11: patches of an image, and the frequencies of a curve."""

from functools import cache

import numpy as np
import torch

from pe_course.toy import Toy, accuracy, fit, train
from pe_lib import fourier_features, sinusoidal_grid, sinusoidal_vectorized

from .claim import Claim

SHAPES = [(6, 6), (8, 6), (6, 8)]  # height × width; trained on the first
TABLES = {
    "one number": lambda h, w: sinusoidal_vectorized(h * w, 32).reshape(h, w, 32),
    "two numbers": lambda h, w: sinusoidal_grid(h, w, 32),
}


def above(width):
    return lambda ids: torch.cat([ids[:, :width], ids[:, :-width]], dim=1)


def added(table):
    rows = torch.from_numpy(table).float().flatten(0, 1)
    return lambda x: x + rows


@cache
def shares(name, seed):
    """The share of right answers at each of `SHAPES`."""
    toy = Toy(added(TABLES[name](6, 6)), heads=4, seed=seed)
    train(toy, above(6), steps=400, lengths=(36, 36), seed=seed)
    found = []
    for height, width in SHAPES:
        toy.encoding = added(TABLES[name](height, width))
        found.append(accuracy(toy, above(width), length=height * width, first=width, batches=4))
    return found


def curve(x):
    return np.sin(2 * np.pi * 2 * x) + 0.5 * np.sin(2 * np.pi * 10 * x)


@cache
def curve_errors(typical, seed):
    """(at the noisy points, between them), each the root of the mean square."""
    random = np.random.default_rng(seed)
    x, size = np.sort(random.uniform(size=96)), typical * random.standard_normal((16, 1))
    values = curve(x) + 0.1 * random.standard_normal(96)

    def features(x):
        return torch.from_numpy(fourier_features(x[:, None], size)).float()

    network = fit(lambda _: (features(x), torch.from_numpy(values).float()), seed=seed)
    between = np.linspace(x[0], x[-1], 201)
    pairs = ((x, values), (between, curve(between)))
    return [np.sqrt(np.square(network(features(at)).detach().numpy() - right).mean()) for at, right in pairs]


def misses(typical, seed):
    return [bool(error > 0.2) for error in curve_errors(typical, seed)]


CLAIMS = (
    Claim("Both learn the trained shape.", lambda seed: min(shares(name, seed)[0] for name in TABLES) > 0.95),
    Claim("and most patches are right. In the *wider* one", lambda seed: shares("one number", seed)[1] > 0.6),
    Claim(
        "The toy with one number looks at another patch and is no better than a guess.",
        lambda seed: shares("one number", seed)[2] < 0.15,
    ),
    Claim(
        "and most patches are right in all three.",
        lambda seed: min(shares("two numbers", seed)) > 0.6,
    ),
    Claim("| one number | 0.78 to 0.80 | 0.10 |", lambda seed: shares("one number", seed)[1], (0.77, 0.81)),
    Claim("| two numbers | 0.81 to 0.86 | 0.82 to 0.85 |", lambda seed: shares("two numbers", seed)[2], (0.81, 0.86)),
    Claim(
        "**Too slow (0.3)**: the fast wave is missing, at the points and between them.",
        lambda seed: misses(0.3, seed) == [True, True],
    ),
    Claim(
        "**Right (4)**: the fit is close to the curve, also between the points.",
        lambda seed: misses(4, seed) == [False, False],
    ),
    Claim(
        "**Too fast (64)**: the fit meets the points, noise included. Between them it is far off.",
        lambda seed: misses(64, seed) == [False, True],
    ),
)
