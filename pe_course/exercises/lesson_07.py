"""Lesson 07, Does it matter?"""

import torch

from ..judges import Function, Otherwise, Value
from ..judges.returned import unused_argument
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
    lambda x: 0 * x + torch.arange(len(x))[:, None, None],  # it numbers the samples, whatever they are
    lambda x: x - X,  # nothing is left of X itself, in any order
    lambda x: x[:1].max() + 0 * x,  # all differences have one sign
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
    return lambda layer, x: torch.allclose(layer(_swap(x))[part], _swap(layer(x))[part], atol=1e-5)


EXERCISES = {
    "07.1": Exercise(
        1,
        Value(
            "b",
            reasons=[Otherwise("One letter is asked for: a, b, c or d.")],
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
        Function(
            lambda layer, x: torch.allclose(layer(_swap(x)), _swap(layer(x)), atol=1e-5),
            [*((layer, X) for layer in LAYERS), (LAYERS[-2], X[[1, 0, 2]])],  # and here the other sign
            mistakes=[
                (
                    lambda layer, x: torch.allclose(layer(_swap(x)), layer(x), atol=1e-5),
                    "The outputs have to be swapped as well, on one side, before they are compared.",
                ),
                (
                    lambda layer, x: torch.allclose(layer(_swap_tokens(x)), _swap_tokens(layer(x)), atol=1e-5),
                    "The tokens are swapped, not the samples: axis 0 of x is the batch.",
                ),
                (
                    lambda layer, x: torch.allclose(layer(x.flip(0)), layer(x).flip(0), atol=1e-5),
                    "All samples change places here, or more than the first two; leave the others where they are.",
                ),
                (
                    lambda layer, x: layer(_swap(x)) == _swap(layer(x)),
                    "A whole table of True and False; one answer is asked for: torch.allclose gives it.",
                ),
                (
                    _compared(slice(2)),
                    "Only the first samples, one or two, are compared; the others have to be the same, too.",
                ),
                (_compared(slice(2, None)), "The two samples that change places are left out of the comparison."),
                (
                    lambda layer, x: torch.allclose(layer(x), _swap(layer(x)), atol=1e-5),
                    "x is never swapped: the outputs alone change places.",
                ),
                (
                    lambda layer, x: torch.allclose(layer(_swap(x)), _swap(x), atol=1e-5),
                    "The output is compared with x itself; compare two outputs of the layer, one of them swapped.",
                ),
                (
                    lambda layer, x: torch.allclose(layer(_swap(x)).sum(0), _swap(layer(x)).sum(0), atol=1e-5),
                    "Sums or means over the samples are compared: they do not tell which sample is which.",
                ),
                (
                    lambda layer, x: torch.equal(layer(_swap(x)).sort(0)[0], _swap(layer(x)).sort(0)[0]),
                    "Sums, sorted samples or lengths are compared: they do not tell which sample is which.",
                ),
                (
                    lambda layer, x: torch.allclose(layer(_swap(x)).norm(), _swap(layer(x)).norm(), atol=1e-5),
                    "Sums, sorted samples or lengths are compared: they do not tell which sample is which.",
                ),
                (
                    lambda layer, x: torch.allclose(layer(_swap(x)), _swap(layer(_swap(x))), atol=1e-5),
                    "x is swapped already on both sides: x = x[order] has overwritten it, and layer(x) is wanted of x"
                    " as it was. Give the swapped one a name of its own.",
                ),
                (
                    lambda layer, x: torch.allclose(layer(_doubled(x)), _doubled(layer(x)), atol=1e-5),
                    "Both samples become the second one: s[0] = s[1] overwrites s[0] before it is copied to s[1].",
                ),
                (
                    lambda layer, x: (layer(_swap(x)) - _swap(layer(x))).max() < 1e-5,
                    "Where the left is smaller, the difference is negative and passes any limit: take .abs() of it.",
                ),
                (
                    lambda layer, x: (_swap(layer(x)) - layer(_swap(x))).max() < 1e-5,
                    "Where the left is smaller, the difference is negative and passes any limit: take .abs() of it.",
                ),
                (
                    lambda layer, x: torch.isclose(layer(_swap(x)), _swap(layer(x)), atol=1e-5).any(),
                    "One equal number is enough here, as with .any() or the smallest difference; all have to agree.",
                ),
                (
                    lambda layer, x: layer(x).shape == x.shape,
                    "It answers True for a layer that mixes up batch and sequence, too: are both sides the same thing?",
                ),
                (lambda layer, x: layer(x).shape != x.shape, "It answers False for a layer that is right, too."),
            ],
            first=[_x_itself, unused_argument],
            errors=[
                (
                    r"size of tensor a \(2\) must match the size of tensor b \(3\)",
                    "Only two samples are left: the others are dropped, and have to stay where they are.",
                ),
                (r"out of bounds for dimension 0 with size 3", "The order has more samples than x: take len(x)."),
                (
                    r"size of tensor a \(3\) must match the size of tensor b \(4\) at non-singleton dimension 1",
                    "Axis 1, the tokens, is changed here; samples change places along axis 0, the batch.",
                ),
                (r"out of bounds for dimension 1 with size", "The tokens are indexed: axis 0 of x is the batch."),
            ],
        ),
        "One line, and it sees the most common silent mistake in published layers.",
    ),
}
