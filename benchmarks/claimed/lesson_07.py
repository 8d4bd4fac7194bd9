"""Lesson 07: what training shows about an encoding, and what it does not."""

from functools import cache, lru_cache

import numpy as np
import torch
from torch.nn.functional import one_hot

from pe_course.toy import Toy, accuracy, most_common, reverse, train
from pe_lib import PositionalEncoding, sinusoidal_vectorized

from .claim import IN_SOME_RUNS, Claim

STEPS = 250
PAPER = sinusoidal_vectorized(12, 32)
TABLES = {
    "paper": lambda seed: PAPER,
    "doubled": lambda seed: sinusoidal_vectorized(12, 32, 1e8),
    "inverted": lambda seed: sinusoidal_vectorized(12, 32, 1e-4),
    "base 1000": lambda seed: sinusoidal_vectorized(12, 32, 1000.0),
    "shuffled": lambda seed: PAPER[np.random.default_rng(seed).permutation(12)],
    "random": lambda seed: np.random.default_rng(seed).uniform(-1, 1, (12, 32)),
}
ROWS = torch.from_numpy(sinusoidal_vectorized(64, 32)).float()
ENCODINGS = {
    "none": lambda seed: None,
    **{name: lambda seed, make=make: _adding(make(seed)) for name, make in TABLES.items()},
    "batch axis": lambda seed: lambda x: x + ROWS[:, None][: x.size(0)],
    "missing colon": lambda seed: lambda x: x + ROWS[None][:, x.shape[1]],
}


def _adding(table):
    return lambda x: x + torch.from_numpy(table).float()


@cache
def trained(name, task, steps, seed):
    """(model, losses) of a toy with the encoding called ``name``."""
    model = Toy(ENCODINGS[name](seed), seed=seed)
    return model, train(model, task, steps=steps, seed=seed)


def score(name, seed, task=reverse, steps=None):
    return accuracy(trained(name, task, steps or STEPS, seed)[0], task)


def steps_needed(name, seed):
    """Steps until the loss, averaged over 20, is below 0.1."""
    smooth = np.convolve(trained(name, reverse, STEPS, seed)[1], np.ones(20) / 20, "valid")
    return int(np.argmax(smooth < 0.1)) if (smooth < 0.1).any() else STEPS


@lru_cache(maxsize=1)
def best_without_order():
    ids = torch.randint(10, (4096, 12), generator=torch.Generator().manual_seed(0))
    others = one_hot(ids, 10).sum(dim=1, keepdim=True) - one_hot(ids, 10)
    return (others.max(dim=2).values / 11).mean().item()


def blind_is_at_the_bound(seed):
    return abs(score("none", seed, steps=300) - best_without_order()) < 0.02


def looks_at_the_other_end(seed):
    model = Toy(PositionalEncoding(32, max_len=12), heads=1, seed=seed)
    train(model, reverse, seed=seed)
    with torch.no_grad():
        model(torch.randint(10, (256, 12), generator=torch.Generator().manual_seed(seed)))
    looked_at = model.layers[0].attention.map.mean(dim=(0, 1)).argmax(dim=1)
    return (looked_at + torch.arange(12)).tolist() == [11] * 12


def sooner(seed):
    paper = steps_needed("paper", seed)
    return all(steps_needed(name, seed) < paper for name in ("inverted", "base 1000", "random"))


def no_encoding_is_better(seed):
    none, *others = (score(name, seed, most_common, 200) for name in ("none", "paper", "random"))
    return none > max(others)


@lru_cache(maxsize=2)
def after_four_layers(residual, seed):
    """Shares of right answers, and of tokens and positions that a linear probe reads after the last layer."""
    encoding = PositionalEncoding(32, max_len=12)
    model = Toy(encoding, layers=4, residual=residual, seed=seed)
    train(model, reverse, steps=STEPS, seed=seed)
    ids = torch.randint(10, (512, 12), generator=torch.Generator().manual_seed(seed))
    with torch.no_grad():
        vectors = model.layers(encoding(model.embedding(ids))).flatten(0, 1)
    labels = ids.flatten(), torch.arange(12).repeat(512)
    return accuracy(model, reverse), *(_probed(vectors, each) for each in labels)


def _probed(vectors, labels):
    inputs = torch.cat([vectors, torch.ones(len(vectors), 1)], dim=1).double()
    half = len(inputs) // 2
    W = torch.linalg.lstsq(inputs[:half], one_hot(labels).double()[:half], driver="gelsd").solution
    return ((inputs[half:] @ W).argmax(1) == labels[half:]).double().mean().item()


def kept_with_residual(seed):
    return all(got > least for got, least in zip(after_four_layers(True, seed), (0.95, 0.9, 0.7), strict=True))


def lost_without_residual(seed):
    return all(got < most for got, most in zip(after_four_layers(False, seed), (0.95, 0.9, 0.7), strict=True))


CLAIMS = [
    Claim("0.3. It is better than a guess.", lambda seed: score("none", seed, steps=300), (0.25, 0.35)),
    Claim("Its best answer is the digit that occurs most often among them.", blind_is_at_the_bound),
    Claim("Position 0 looks at 11, and position 5 looks at 6. The sum is always 11.", looks_at_the_other_end),
    Claim(
        "All but one. Even random vectors do it",
        lambda seed: min(score(name, seed) for name in TABLES if name != "shuffled") > 0.99,
    ),
    Claim("All three runs are above 0.5.", lambda seed: score("shuffled", seed) > 0.5),
    Claim(
        "With ten seeds, four shuffles reached 0.99 in 250 steps.",
        lambda seed: score("shuffled", seed) >= 0.99,
        (0.12, 0.74),
    ),
    Claim("some shuffles are hard", lambda seed: score("shuffled", seed) < 0.99, IN_SOME_RUNS),
    Claim(
        "Three wrong tables are sooner in every run: the inverted one, base 1000 and random vectors. So a loss does not"
        " *rank* right above wrong.",
        sooner,
    ),
    Claim(
        "Both stay at 0.3. All tokens of a sequence get the *same* row, so the toy learns nothing about order.",
        lambda seed: max(score(name, seed) for name in ("batch axis", "missing colon")),
        (0.25, 0.35),
    ),
    Claim("The toy without an encoding is the best in each run.", no_encoding_is_better),
    Claim(
        "After 600 steps both are above 0.9. The difference has become small.",
        lambda seed: min(score(name, seed, most_common, 600) for name in ("none", "paper")) > 0.9,
    ),
    Claim(
        "With the residual connection the toy reverses, and token and position are still there after the last layer.",
        kept_with_residual,
    ),
    Claim("Without it, the task is not learned in 250 steps, and both stay below their marks.", lost_without_residual),
]
