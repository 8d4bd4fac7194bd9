"""One attention head with RoPE, on one text, as lesson 09 writes it; and weights that came without their layout.

Source of RoPE: Su et al. (2021), https://arxiv.org/abs/2104.09864
"""

import math

import torch

from pe_lib.rope import rope_half_split, rope_interleaved


def attend(q, k, v):
    """Causal attention: q (…, queries, d), k and v (…, keys, d) to (…, queries, d); the last query sees all keys."""
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    queries, keys = scores.shape[-2:]
    later = torch.ones(queries, keys).triu(1 + keys - queries).bool()
    return scores.masked_fill(later, -math.inf).softmax(dim=-1) @ v


def rope_attention(x, positions, W_query, W_key, W_value):
    """x (length, d), its ``positions`` (length,), and three matrices (d, d): the head's output, (length, d)."""
    q, k = rope_interleaved(x @ W_query, positions), rope_interleaved(x @ W_key, positions)
    return attend(q, k, x @ W_value)


def found_weights(seed=0):
    """Rows x (10, 8), W_query and W_key (8, 8), and the scores (10, 10) of a head with RoPE. Which layout was it?"""
    random = torch.Generator().manual_seed(seed)
    x, W_query, W_key = (torch.randn(rows, 8, generator=random, dtype=torch.float64) for rows in (10, 8, 8))
    return x, W_query, W_key, rope_half_split(x @ W_query) @ rope_half_split(x @ W_key).T
