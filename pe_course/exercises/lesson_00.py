"""Lesson 00, Start here."""

import math

import torch

from ..judges import Function, Named, Otherwise, Value, close
from ..judges.returned import called_once
from .exercise import random_tensor

X = random_tensor(0, 4, 3).mul(8).round()  # whole numbers: what is equal here is equal to the last bit
COARSE = (X.abs() + 4).mul(1 / 8)  # from 0.5 up: a relative tolerance is one here
ORDER, BACK, SWAP = torch.tensor([2, 0, 1, 3]), torch.tensor([1, 2, 0, 3]), torch.tensor([1, 0, 2, 3])


def roll_each(x):
    return torch.stack([row.roll(n) for n, row in enumerate(x)])


PLACE = torch.arange(4.0)[:, None]
FIRST_MAXIMUM = Named("giving every row the largest number of the first row", lambda x: x[:1].max() + 0 * x)
EXAMPLES = (
    (torch.relu, X, ORDER),
    (torch.relu, COARSE, ORDER),  # which it leaves as it is
    (Named("adding up all rows so far", lambda x: x.cumsum(0)), X, ORDER),
    (Named("turning the rows upside down", lambda x: x.flip(0)), X, ORDER),
    (Named("moving every row down by one, the last to the top", lambda x: x.roll(1, 0)), X, ORDER),
    (Named("giving every row the mean of all rows", lambda x: x.mean(0, keepdim=True) + 0 * x), X, ORDER),
    (torch.relu, X, SWAP),  # order twice is no change
    (FIRST_MAXIMUM, X, ORDER),  # all differences have one sign
    (FIRST_MAXIMUM, X[BACK], BACK),  # and here the other
    (Named("doubling, with a rounding error of its own in each row", lambda x: 2 * x + 3e-7 * PLACE), COARSE, ORDER),
    (Named("adding a hundredth of the row's number", lambda x: x + 0.01 * PLACE), X, ORDER),
    (Named("doubling, with a rounding error of its own in each row", lambda x: 2 * x + 3e-7 * PLACE), X / 1000, ORDER),
    (Named("doubling", lambda x: 2 * x), X, ORDER),  # applied twice, it is another function
    (Named("moving each row's numbers on by the row's number", roll_each), X, ORDER),  # sums of rows cannot tell
    (Named("adding 1 to the first two rows", lambda x: x + (PLACE < 2)), X, ORDER),  # [1, 0, 2, 3] cannot tell
    (Named("adding 1 to the second row", lambda x: x + (PLACE == 1)), X, ORDER),  # the first row cannot tell
    (Named("taking off fixed numbers", lambda x: x - X), X, ORDER),  # f(x) is 0, and any order of it the same
)

ORDERS = "These are the orders themselves; asked is how many they are: len(…) counts them."
JUDGES = {
    "00.1": Value(24, reasons=(Otherwise(ORDERS, (list, set, tuple), math.factorial(4)),)),
    "00.2": Function(lambda f, x, order: close(f(x[order]), f(x)[order]), EXAMPLES, reasons=[called_once]),
}
