"""Lesson 00, Start here."""

import torch

from ..judges import function, value
from .exercise import Exercise, random_tensor

X = random_tensor(0, 4, 3).mul(8).round()  # whole numbers: no rounding, so torch.equal works too
ORDER = torch.tensor([2, 0, 1, 3])
# Equivariant; neither; neither, though the mean of its rows is invariant; invariant.
FUNCTIONS = (torch.relu, lambda x: x.cumsum(0), lambda x: x.flip(0), lambda x: x.mean(0, True) + 0 * x)

EXERCISES = {
    "00.1": Exercise(
        1,
        value(
            24,
            replies=[
                (4, "4 is the number of tokens. Each of them can come first; how many remain for the second place?"),
                (16, "4 · 4 counts two places, and lets a token stand in both."),
                (256, "4⁴ lets one token stand in several places. Here each is used once."),
                (10, "4 + 3 + 2 + 1 adds the choices; independent choices multiply."),
            ],
        ),
        "Attention without positions gives one and the same pooled vector for all 24.",
    ),
    "00.2": Exercise(
        2,
        function(
            lambda f, x, order: torch.allclose(f(x[order]), f(x)[order], atol=1e-5),
            [(f, X, ORDER) for f in FUNCTIONS],
            mistakes=[
                (
                    lambda f, x, order: torch.allclose(f(x[order]), f(x), atol=1e-5),
                    "True only for an invariant function: the right-hand side has to be f(x), shuffled like x.",
                ),
                (
                    lambda f, x, order: torch.allclose(f(x[order]).mean(0), f(x).mean(0), atol=1e-5),
                    "Averages are compared, or sums, or sorted rows: they are equal in any order. Compare row by row.",
                ),
                (
                    lambda f, x, order: f(x[order]) == f(x)[order],
                    "A whole table of True and False; one answer is asked for: torch.allclose gives it.",
                ),
                (lambda f, x, order: True, "It answers True for a function that does care about order, too."),
                (lambda f, x, order: False, "It answers False for a function that does not care about order, too."),
            ],
        ),
        "You can now test any function for it; attention without positions passes.",
    ),
}
