"""Lesson 00, Start here."""

import math

import torch

from ..judges import Function, Otherwise, Value
from ..judges.returned import unused_argument
from .exercise import Exercise, random_tensor

X = random_tensor(0, 4, 3).mul(8).round()  # whole numbers: what is equal here is equal to the last bit
COARSE = (X.abs() + 4).mul(1 / 8)  # from 0.5 up: a relative tolerance is one here
ORDER, BACK, SWAP = torch.tensor([2, 0, 1, 3]), torch.tensor([1, 2, 0, 3]), torch.tensor([1, 0, 2, 3])


def running_sum(x):
    """adding up all rows so far"""
    return x.cumsum(0)


def upside_down(x):
    """turning the rows upside down"""
    return x.flip(0)


def moved_down(x):
    """moving every row down by one, the last to the top"""
    return x.roll(1, 0)


def mean_everywhere(x):
    """giving every row the mean of all rows"""
    return x.mean(0, keepdim=True) + 0 * x


def first_maximum(x):
    """giving every row the largest number of the first row"""
    return x[:1].max() + 0 * x


def rounded_doubling(x):
    """doubling, with a rounding error of its own in each row"""
    return 2 * x + 3e-7 * torch.arange(len(x))[:, None]


def doubling(x):
    """doubling"""
    return 2 * x


def second_row_up(x):
    """adding 1 to the second row"""
    return x + torch.tensor([0.0, 1.0, 0.0, 0.0])[:, None]


def less_these_numbers(x):
    """taking off fixed numbers"""
    return x - X


def faint_position(x):
    """adding a hundredth of the row's number"""
    return x + 0.01 * torch.arange(len(x))[:, None]


def _close(a, b, atol=1e-5):
    return torch.allclose(a, b, atol=atol)


ORDERS = "These are the orders themselves; asked is how many they are: len(…) counts them."
UNORDERED = (
    "Averages are compared, or sums, or sorted rows: they are equal in any order, and differences cancel in them."
    " Compare row by row."
)

EXERCISES = {
    "00.1": Exercise(
        1,
        Value(
            24,
            replies=[
                (4, "4 is the number of tokens. Each of them can come first; how many remain for the second place?"),
                (0, "A product with the factor 0 is 0, and range(4) begins at 0; the factors are 4, 3, 2 and 1."),
                (2, "2 are the orders of two tokens, such as dog and man; the sentence has four tokens."),
                (3, "3 tokens remain for the second place; the choices for all four places are multiplied."),
                (16, "4 · 4 counts two places, and lets a token stand in both; 2⁴ counts subsets, not orders."),
                (15, "15 is 2⁴ − 1, a number of subsets; here all four tokens are used, and orders are counted."),
                (81, "3⁴ gives each of four places three choices; the first has four, and each token is used once."),
                (25, "One too many: the order that the sentence came in is among 4 · 3 · 2 · 1 already."),
                (256, "4⁴ lets one token stand in several places. Here each is used once."),
                (64, "4³ counts three places, and lets one token stand in several; here each of four is used once."),
                (10, "4 + 3 + 2 + 1 adds the choices; independent choices multiply."),
                (6, "6 orders are those of three tokens. The sentence has four tokens: the first place has 4 choices."),
                (12, "4 · 3 fills the first two places; two tokens remain for the other two, and backwards counts."),
                (23, "All but one: the order that the sentence came in counts, too."),
                (120, "5 · 4 · 3 · 2 · 1 is for five tokens; the sentence has four."),
                (
                    1,
                    "1 is the number of pooled vectors that attention makes of them; how many orders are there?",
                ),
            ],
            reasons=(Otherwise(ORDERS, (list, set, tuple), math.factorial(4)),),
        ),
        "Attention without positions gives one and the same pooled vector for all 24.",
    ),
    "00.2": Exercise(
        2,
        Function(
            lambda f, x, order: _close(f(x[order]), f(x)[order]),
            [
                (torch.relu, X, ORDER),
                (torch.relu, COARSE, ORDER),  # which it leaves as it is
                (running_sum, X, ORDER),
                (upside_down, X, ORDER),
                (moved_down, X, ORDER),
                (mean_everywhere, X, ORDER),
                (torch.relu, X, SWAP),  # order twice is no change
                (first_maximum, X, ORDER),  # all differences have one sign
                (first_maximum, X[BACK], BACK),  # and here the other
                (rounded_doubling, COARSE, ORDER),
                (faint_position, X, ORDER),
                (doubling, X, ORDER),  # applied twice, it is another function
                (second_row_up, X, ORDER),  # the first row cannot tell
                (less_these_numbers, X, ORDER),  # f(x) is 0, and any order of it the same
            ],
            mistakes=[
                (
                    lambda f, x, order: _close(f(x[order]), f(x)),
                    "True only for an invariant function: the right-hand side has to be f(x), shuffled like x.",
                ),
                (
                    lambda f, x, order: _close(f(x)[order], f(x)),
                    "An output is compared with itself, shuffled: f never gets the shuffled input x[order].",
                ),
                (
                    lambda f, x, order: _close(f(x[order]), x[order]),
                    "One side is the shuffled input itself: f is not applied there.",
                ),
                (
                    lambda f, x, order: _close(f(x[order])[order], f(x)),
                    "The two sides are in different orders, as if order were applied twice on one of them; to shuffle"
                    " back takes torch.argsort(order).",
                ),
                (
                    lambda f, x, order: _close(f(x[order]), f(x[order])[order]),
                    "x is shuffled already on both sides: x = x[order] has overwritten it, and f(x) is wanted of x as"
                    " it was. Give the shuffled one a name of its own.",
                ),
                (
                    lambda f, x, order: _close(f(x[order])[0], f(x)[order][0]),
                    "Only the first row is compared; all rows have to agree.",
                ),
                (
                    lambda f, x, order: torch.equal(f(x[order]), f(x)[order]),
                    (
                        "Only numbers that agree to the last bit pass, and rounding is enough to refuse an equivariant"
                        " function: torch.allclose(a, b, atol=1e-5) leaves room for it."
                    ),
                ),
                (
                    lambda f, x, order: (f(x[order]) - f(x)[order]).max() < 1e-5,
                    "Where the left is smaller, the difference is negative and passes any limit: take .abs() of it.",
                ),
                (
                    lambda f, x, order: (f(x)[order] - f(x[order])).max() < 1e-5,
                    "Where the left is smaller, the difference is negative and passes any limit: take .abs() of it.",
                ),
                (
                    lambda f, x, order: (f(x[order]) == f(x)[order]).any(),
                    "One equal number is enough here, as with .any() or the smallest difference; all have to agree.",
                ),
                (
                    lambda f, x, order: _close(f(x[order]), f(x)[order], atol=0.1),
                    "The tolerance is too wide: a function that adds a hundredth of the row's number passes.",
                ),
                (
                    lambda f, x, order: _close(f(x[order]).mean(0), f(x).mean(0)),
                    UNORDERED,
                ),
                (
                    lambda f, x, order: torch.equal(f(x[order]).sum(0), f(x).sum(0)),
                    UNORDERED,
                ),
                (
                    lambda f, x, order: torch.equal(f(x[order]).sort(0)[0], f(x).sort(0)[0]),
                    UNORDERED,
                ),
                (
                    lambda f, x, order: f(x[order]) == f(x)[order],
                    "A whole table of True and False; one answer is asked for: torch.allclose gives it.",
                ),
                (
                    lambda f, x, order: f(x[order]).shape == x.shape,
                    "It answers True for a function that does care about order, too: are both sides the same thing?",
                ),
                (
                    lambda f, x, order: f(x[order]).shape != x.shape,
                    "It answers False for a function that does not care about order, too.",
                ),
            ],
            first=[unused_argument],
            errors=[
                (
                    r"IndexError: .*(out of bounds|too many indices)",
                    "order counts rows, and there are more rows than columns here: x[order] shuffles rows.",
                ),
            ],
        ),
        "You can now test any function for it; attention without positions passes.",
    ),
}
