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


def every_token_looks_at_itself(seed):
    """The own place loses 44 in the part of the rows, and wins 420 in the part of the tokens."""
    x, at = tokens(seed), np.arange(100)
    rows = TABLE[:100] @ matrix() @ TABLE.T
    words = x[:100] @ matrix() @ x.T
    sums = (TABLE + x)[:100] @ matrix() @ (TABLE + x).T
    elsewhere = words[:, :100][~np.eye(100, dtype=bool)]
    return (
        np.allclose(rows[at, at + 3], 256)
        and np.allclose(rows[at, at], 212, atol=0.5)
        and abs(words[at, at].mean() - 420) < 10
        and abs(elsewhere.mean()) < 5
        and (sums.argmax(axis=1) == at).all()
    )


def random_rows_fail(seed):
    rows = np.random.default_rng(seed).uniform(-1, 1, (300, 16))
    steps = np.linalg.norm(np.diff(rows, axis=0), axis=1)
    M = np.linalg.lstsq(rows[:-1], rows[1:], rcond=None)[0]
    return not np.allclose(steps, steps[0]) and not np.allclose(rows[:-1] @ M, rows[1:], atol=1e-6)


CLAIMS = [
    Claim("The rows do. The sums do not.", rows_do_and_sums_do_not),
    Claim(
        "So token with token is large at the token itself, and small elsewhere. It wins: every token looks at itself.",
        every_token_looks_at_itself,
    ),
    Claim("It fails R3, R4 and R5.", random_rows_fail),
]
