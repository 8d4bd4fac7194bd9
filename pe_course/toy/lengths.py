"""The toy of lesson 10: trained on short texts, then measured on longer ones."""

import copy
from functools import partial

import numpy as np
import torch

from pe_lib.rope import rope_interleaved

from . import training
from .model import Toy
from .training import previous


def length_toy(seed, encoding=None, bias=None, **options):
    """A `Toy` with two layers of four heads, 32 wide, for the task `previous`.

    It gets copies of ``encoding`` and ``bias``, so that each toy trains its own rows; where they start at random,
    ``seed`` draws them. The caller's random state stays as it was.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        encoding, bias = copy.deepcopy((encoding, bias))
        for part in (encoding, bias):
            if hasattr(part, "reset_parameters"):
                part.reset_parameters()
    return Toy(encoding, d_model=32, heads=4, layers=2, seed=seed, bias=bias, **options)


def right_at(model, lengths=(16, 24, 32, 64), trained=16):
    """The share of right answers at each length, a list; on texts longer than ``trained``, from that position on."""
    shares = [training.accuracy(model, previous, n, first=trained if n > trained else 0, batches=8) for n in lengths]
    for layer in model.layers:
        layer.attention.map = None  # the last weights: large, and not needed here
    return shares


def rotating(models, frequencies):
    """The same trained ``models``, a list, whose pairs now rotate by ``frequencies``, (pairs,)."""
    for model in models:
        for layer in model.layers:
            layer.attention.rotate = partial(rope_interleaved, frequencies=frequencies)
    return models


@torch.no_grad()
def right_by_place(models, length=192, together=16):
    """The share of right answers over positions, mean of ``models``: an ndarray (length - together + 1,).

    Number i is the mean over the ``together`` positions from i on.
    """
    random = torch.Generator().manual_seed(1)
    texts = [torch.randint(10, (8, length), generator=random) for _ in range(8)]
    right = [(model(ids).argmax(2) == previous(ids)).double().mean(0) for model in models for ids in texts]
    return np.convolve(torch.stack(right).mean(0).numpy(), np.ones(together) / together, "valid")
