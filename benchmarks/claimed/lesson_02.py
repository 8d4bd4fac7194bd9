"""Lesson 02: what attention makes of token + row, and a learned table before training. Seeds choose the tokens."""

from functools import cache

import numpy as np

from pe_lib import shift_matrix, sinusoidal_vectorized

from .claim import Claim

TABLE = sinusoidal_vectorized(103, 512)


@cache
def matrix():
    return shift_matrix(3, 512)


def tokens(seed):
    return np.random.default_rng(seed).normal(size=(103, 512))


def looking_on(x):
    """How many of the first 100 have their best score three places on."""
    return int(((x[:100] @ matrix() @ x.T).argmax(axis=1) == np.arange(100) + 3).sum())


def rows_do_and_sums_do_not(seed):
    return looking_on(TABLE) == 100 and looking_on(TABLE + tokens(seed)) < 10


def others_decide(seed):
    """The row part is 256 and 249, and the three other parts differ by about 50: by more than this lead."""
    x = tokens(seed)
    rows = TABLE[:100] @ matrix() @ TABLE.T
    others = (TABLE + x)[:100] @ matrix() @ (TABLE + x).T - rows
    at = np.arange(100)
    right, beside = rows[at, at + 3], rows[at, at + 2]
    return np.allclose(right, 256) and np.allclose(beside, 249, atol=0.5) and 45 < others.std() < 60


def random_rows_fail(seed):
    rows = np.random.default_rng(seed).uniform(-1, 1, (300, 16))
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    M = np.linalg.lstsq(rows[:-1], rows[1:], rcond=None)[0]
    return not np.allclose(steps, steps[0]) and not np.allclose(rows[:-1] @ M, rows[1:], atol=1e-6)


CLAIMS = [
    Claim("The rows do. The sums do not.", rows_do_and_sums_do_not),
    Claim(
        "Row with row gives 256 at the right place, and 249 one place beside it. The other three parts are random, and"
        " differ by about 50. So they decide.",
        others_decide,
    ),
    Claim("It fails R3, R4 and R5.", random_rows_fail),
]
