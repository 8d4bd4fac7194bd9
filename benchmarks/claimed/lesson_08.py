"""Lesson 08: what one head makes of the matrix of a shift. Seeds choose weights, places and offsets."""

import numpy as np

from pe_lib import shift_matrix, sinusoidal_vectorized

from .claim import Claim

PARTS = {"fastest": range(4), "slowest": range(28, 32), "spread": (0, 7, 10, 13)}


def rank_of_a_head(seed):
    random = np.random.default_rng(seed)
    W_query, W_key = random.normal(size=(64, 8)), random.normal(size=(64, 8))
    return np.linalg.matrix_rank(W_query @ W_key.T) == 8 and np.linalg.matrix_rank(shift_matrix(-2, 64)) == 64


def lead(part, max_len, seed):
    """The score of the token that is looked at, minus the largest of all others, divided by the number of pairs."""
    random = np.random.default_rng(seed)
    back, place = int(random.integers(1, 6)), max_len - int(random.integers(1, 6))
    columns = [column for k in PARTS[part] for column in (2 * k, 2 * k + 1)]
    rows = sinusoidal_vectorized(max_len, 64)[:, columns]
    scores = rows[place] @ shift_matrix(-back, 64)[np.ix_(columns, columns)] @ rows.T / len(PARTS[part])
    return scores[place - back] - np.delete(scores, place - back).max()


def weight_of_the_largest(seed):
    place = int(np.random.default_rng(seed).integers(5, 20))
    table = sinusoidal_vectorized(20, 32)
    scores = table[place] @ shift_matrix(-2, 32) @ table.T / np.sqrt(32)
    weights = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
    return weights[place - 2]


CLAIMS = [
    Claim("The token with the largest score gets only a part of the attention.", weight_of_the_largest, (0.05, 0.2)),
    Claim("8 and 64. One head cannot hold M(−2)", rank_of_a_head),
    Claim(
        "In a long text they come back almost to the same angles somewhere, and their lead shrinks.",
        lambda seed: 0 < lead("fastest", 2000, seed) < lead("fastest", 20, seed) / 2,
    ),
    Claim("The slow pairs alone have almost no lead", lambda seed: abs(lead("slowest", 2000, seed)) < 0.0025),
    Claim(
        "Pairs 0, 7, 10 and 13 keep a clear lead in the long text, too", lambda seed: lead("spread", 2000, seed) > 0.09
    ),
]
