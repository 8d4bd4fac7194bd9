"""Lesson 07, Does it matter?"""

import torch

from ..judges import Function, Otherwise, Value, close
from ..judges.returned import called_once
from .exercise import random_tensor

X = random_tensor(0, 3, 4, 6).mul(8).round()  # whole numbers: no rounding, so torch.equal works too
ROWS = random_tensor(1, 4, 6).mul(8).round()
LAYERS = (
    lambda x: x + ROWS,  # one row for each token
    lambda x: x + ROWS[: len(x), None],  # one row for each sample
    lambda x: x.sum(0, keepdim=True) + 0 * x,  # the same for all samples
    lambda x: x * torch.tensor([1.0, 2.0, 2.0])[:, None, None],
    lambda x: torch.cat([x[:2], x[2:] + x[:1]]),  # only the third sample looks at another
    lambda x: x * torch.tensor([1.0, 1.0, 2.0])[:, None, None],  # the first two may change places, no others
    lambda x: 0 * x + torch.arange(len(x))[:, None, None],  # it numbers the samples, whatever they are
    lambda x: x - X,  # nothing is left of X itself, in any order
    lambda x: x[:1].max() + 0 * x,  # all differences have one sign
    lambda x: x + 0.01 * torch.arange(len(x))[:, None, None],  # a faint trace of the sample's place
    lambda x: torch.stack([sample.roll(n, -1) for n, sample in enumerate(x)]),  # sums of rows cannot tell
    lambda x: x,
)


def _swap(x):
    return x[[1, 0, *range(2, len(x))]]


def _doubled(x):
    return x[[1, 1, *range(2, len(x))]]


def _swap_tokens(x):
    return _swap(x.transpose(0, 1)).transpose(0, 1)


def _x_itself(tried):
    """x is swapped, and with it what the learner takes for the x of before."""
    if tried.changed:
        return "x itself is changed, and x as it was is gone: a second name is no copy; x[order] makes a new tensor."
    return None


def _compared(part):
    return lambda layer, x: close(layer(_swap(x))[part], _swap(layer(x))[part])


JUDGES = {
    "07.1": Value("b", reasons=[Otherwise("One letter is asked for: a, b, c or d.")]),
    "07.2": Function(
        lambda layer, x: close(layer(_swap(x)), _swap(layer(x))),
        [*((layer, X) for layer in LAYERS), (LAYERS[-4], X[[1, 0, 2]]), (LAYERS[-1], X[:2])],
        first=[_x_itself],
        reasons=[called_once],
    ),
}
