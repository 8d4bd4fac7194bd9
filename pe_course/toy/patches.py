"""A task on patches of an image: each answers with the token below it (lesson 11)."""

import numpy as np
import torch
from torch.nn.functional import cross_entropy

from pe_lib.space_and_time import sinusoidal_grid
from pe_lib.vectorized import sinusoidal_vectorized

from .model import Toy
from .training import one_thread

D_MODEL = 32


def one_number(height, width):
    """Patches numbered in one line, row after row: float32 tensor (height · width, d_model)."""
    return torch.from_numpy(sinusoidal_vectorized(height * width, D_MODEL)).float()


def two_numbers(height, width):
    """Patches with a row and a column: float32 tensor (height · width, d_model)."""
    return torch.from_numpy(sinusoidal_grid(height, width, D_MODEL)).float().flatten(0, 1)


ENCODINGS = {"one number": one_number, "two numbers": two_numbers}


def below(ids):
    """The token one row further down, int64 (batch, height, width); the lowest row answers with itself."""
    return torch.cat([ids[:, 1:], ids[:, -1:]], dim=1)


def patch_accuracy(encoding, shapes, seed=0, steps=400, trained=(6, 6)):
    """Train a toy on ``trained`` (height, width) patches; the share of right answers, 0 to 1, at each of ``shapes``.

    ``encoding`` is "one number" or "two numbers". The lowest row does not count: nothing lies below it.
    Returns an ndarray (len(shapes),). Raises ValueError for another encoding.
    """
    if encoding not in ENCODINGS:
        raise ValueError(f"encoding must be one of {', '.join(ENCODINGS)}, but got {encoding!r}")
    random = torch.Generator().manual_seed(seed)
    table = {}
    model = Toy(lambda x: x + table["now"], d_model=D_MODEL, heads=4, seed=seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, fused=True)

    def answers(shape, batch):
        table["now"] = ENCODINGS[encoding](*shape)
        ids = torch.randint(model.classes, (batch, *shape), generator=random)
        return model(ids.flatten(1)), below(ids)

    with one_thread():
        for _ in range(steps):
            scores, right = answers(trained, 32)
            optimizer.zero_grad()
            cross_entropy(scores.flatten(0, 1), right.flatten()).backward()
            optimizer.step()
        with torch.no_grad():
            return np.array([_share(*answers(shape, 128), shape) for shape in shapes])


def _share(scores, right, shape):
    hits = scores.argmax(dim=2).unflatten(1, shape) == right
    return hits[:, :-1].float().mean().item()
