"""Lesson 06, Broadcasting."""

import torch

from ..diagnosis import diagnose_layer
from ..judges import function, value
from .exercise import Exercise


def _random(seed, *shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


EXERCISES = {
    "06.1": Exercise(
        1,
        value(
            (32, 100, 512),
            replies=[
                (
                    (32, 1, 512),
                    "An axis of size 1 is stretched to meet the other, in x too: x is the one that grows here.",
                ),
                ((1, 100, 512), "The batch axis of pe has size 1; it is stretched to meet the 32."),
                (
                    "error",
                    "Sizes 1 and 100 do not clash: an axis of size 1 is stretched. That is what makes this dangerous.",
                ),
            ],
        ),
        "One token went in, a hundred came out, and nothing complained.",
    ),
    "06.2": Exercise(
        2,
        function(
            lambda x, pe: x + pe[:, : x.shape[1]],
            [(_random(0, b, n, 6), _random(1, 1, 8, 6)) for b, n in ((2, 3), (3, 1), (2, 8), (5, 5))],
            mistakes=[
                (
                    lambda x, pe: x + pe[:, x.shape[1] - 1],
                    "One single row is added to every token: a slice needs its colon.",
                ),
                (lambda x, pe: x + pe.transpose(0, 1)[: x.shape[0]], "Each sample gets one row of the table."),
                (lambda x, pe: pe[:, : x.shape[1]] + 0 * x, "The encoding alone comes back; x is lost."),
                (lambda x, pe: x * pe[:, : x.shape[1]], "x is multiplied by the encoding; it should be added."),
            ],
        ),
        "Right at every length up to max_len, length 1 and batch = length included.",
    ),
    "06.3": Exercise(
        4, diagnose_layer, "A layer of your own, right at every shape that we know to break published ones."
    ),
}
