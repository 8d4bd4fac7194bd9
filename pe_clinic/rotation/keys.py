"""Queries against keys: both must be turned alike."""

import numpy as np

from .entry import Entry, thread
from .model import compare_near

LATER = "Every score is that of another distance: a key's neighbour is looked at in its place."
KEY_STILL = Entry(
    "key-not-turned",
    "The key is not turned.",
    "A score then depends on the query's position alone, not on the distance.",
    "turn q and k, by the same function",
    thread("kvcache-ai/sglang#66"),
)
QUERY_STILL = Entry(
    "query-not-turned",
    "The query is not turned.",
    "A score then depends on the key's position alone, not on the distance.",
    "turn q and k, by the same function",
)
KEY_TWICE = Entry(
    "key-turned-twice",
    "The key is turned twice.",
    "A score then depends on pos(q) − 2·pos(k), which is no distance. Often k was turned before it went "
    "into the cache, and once more after it.",
    "turn each key once: before it goes into the cache, or when it is read",
)
QUERY_TWICE = Entry(
    "query-turned-twice",
    "The query is turned twice.",
    "A score then depends on 2·pos(q) − pos(k), which is no distance.",
    "turn each query once",
)
KEY_LATER = Entry(
    "key-later",
    "The key is turned as if it stood elsewhere than the query.",
    LATER,
    "give q and k the same positions",
)
KEY_BACK = Entry(
    "key-turned-back",
    "The key is turned the other way.",
    "A score then depends on the sum of the two positions, not on their difference.",
    "turn q and k by the same function; the transpose in q·kᵀ makes the difference",
)
UNLIKE = Entry(
    "keys-unlike",
    "Queries and keys are turned differently.",
    "Only when both are turned alike does the score depend on the distance.",
    "turn q and k by the same function",
)


def about_keys(seen, query, key):
    """Findings about the two; those of the first positions are said once where both have them."""
    one, two = seen.near
    if one.matrices.shape == two.matrices.shape and np.abs(one.matrices - two.matrices).max() < 4e-5:
        return list(query.findings)
    named = _named(seen, query, key)
    good = query if query.model is not None else key
    apart = {"zero-frequencies", *(() if good is query else ("turned-twice",))}  # what the named mistake says already
    own = [finding for finding in good.findings if finding.id not in apart]
    if named:
        return [named, *own]
    evidence = (
        f"at position 1 the matrices of q and k differ by up to {np.abs(one.matrices[1] - two.matrices[1]).max():.3g}"
    )
    rest = {f.id: f for f in (*query.findings, *key.findings) if f.id != "no-rotation"}
    return [UNLIKE.found(evidence), *rest.values()]


def _named(seen, query, key):
    one, two = (near.matrices for near in seen.near)
    near_query, near_key = seen.near
    if key.model is not None and query.model is not None:
        n = len(one)
        eye = np.eye(one.shape[1])
        if np.abs(two - eye).max() < 1e-5:
            return KEY_STILL.found(f"k comes back as it was at positions 0 to {n - 1}; q is turned")
        if np.abs(one - eye).max() < 1e-5:
            return QUERY_STILL.found(f"q comes back as it was at positions 0 to {n - 1}; k is turned")
    if query.model is not None:
        for entry, positions, said in _ways(len(two)):
            if compare_near(query.model, near_key, positions, 5e-5):
                return entry.found(f"at position 1 {said}")
    if key.model is not None and compare_near(key.model, near_query, 2 * np.arange(len(one)), 5e-5):
        return QUERY_TWICE.found("at position 1 q has the angles of position 2, k those of position 1")
    return None


def _ways(n):
    pos = np.arange(n)
    yield KEY_TWICE, 2 * pos, "q has the angles of position 1, k those of position 2; at position 2, k those of 4"
    yield KEY_BACK, -pos, "q has the angles of position 1, k those of position −1"
    for shift in (1, -1, 2, -2, *range(3, 17), *range(-16, -2)):
        yield KEY_LATER, pos + shift, f"q has the angles of position 1, k those of position {1 + shift}"
