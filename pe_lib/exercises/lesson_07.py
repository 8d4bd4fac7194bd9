"""Lesson 07, Does it matter?"""

import torch

from ..judges import function, value
from .exercise import Exercise, random_tensor

X = random_tensor(0, 3, 4, 6).mul(8).round()  # whole numbers: no rounding, so torch.equal works too
ROWS = random_tensor(1, 4, 6).mul(8).round()
LAYERS = (
    lambda x: x + ROWS,  # one row for each token
    lambda x: x + ROWS[: len(x), None],  # one row for each sample
    lambda x: x.sum(0, keepdim=True) + 0 * x,  # the same for all samples
    lambda x: x * torch.tensor([1.0, 2.0, 2.0])[:, None, None],
    lambda x: torch.cat([x[:2], x[2:] + x[:1]]),  # only the third sample looks at another
    lambda x: x * torch.tensor([1.0, 1.0, 2.0])[:, None, None],  # the first two may change places, no others
)


def _swap(x):
    return x[[1, 0, *range(2, len(x))]]


def _swap_tokens(x):
    return _swap(x.transpose(0, 1)).transpose(0, 1)


EXERCISES = {
    "07.1": Exercise(
        1,
        value(
            "b",
            replies=[
                ("a", "Five other tables reached 1.0 above."),
                ("c", "Random vectors have no pairs at all, and reach 1.0."),
                ("d", "Something you do know: with one row for all positions it could not have been done."),
            ],
        ),
        "Tags that the model can tell apart are what this task needs; the score shows no more.",
    ),
    "07.2": Exercise(
        2,
        function(
            lambda layer, x: torch.allclose(layer(_swap(x)), _swap(layer(x)), atol=1e-5),
            [(layer, X) for layer in LAYERS],
            mistakes=[
                (
                    lambda layer, x: torch.allclose(layer(_swap(x)), layer(x), atol=1e-5),
                    "The outputs have to be swapped as well, before they are compared.",
                ),
                (
                    lambda layer, x: torch.allclose(layer(_swap_tokens(x)), _swap_tokens(layer(x)), atol=1e-5),
                    "The tokens are swapped, not the samples: axis 0 of x is the batch.",
                ),
                (
                    lambda layer, x: torch.allclose(layer(x.flip(0)), layer(x).flip(0), atol=1e-5),
                    "All samples change places here; swap the first two, and leave the others where they are.",
                ),
                (
                    lambda layer, x: layer(_swap(x)) == _swap(layer(x)),
                    "A whole table of True and False; one answer is asked for: torch.allclose gives it.",
                ),
                (lambda layer, x: True, "It answers True for a layer that mixes up batch and sequence, too."),
                (lambda layer, x: False, "It answers False for a layer that is right, too."),
            ],
        ),
        "One line, and it sees the most common silent mistake in published layers.",
    ),
}
