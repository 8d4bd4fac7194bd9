"""Queries against keys: both must be turned alike."""

import numpy as np

from .decaying import of_both
from .model import compare_near
from .words import MISTAKES

LATER = MISTAKES["key-later"]
BACK = MISTAKES["key-turned-back"]
SCALED = MISTAKES["keys-scaled"]
UNLIKE = MISTAKES["keys-unlike"]


# (which, from the positions of the other to its own, the mistake); the first that fits is named.
WAYS = (
    *((which, (0, 0), MISTAKES[f"{name}-not-turned"]) for which, name in ((1, "key"), (0, "query"))),
    *((which, (2, 0), MISTAKES[f"{name}-turned-twice"]) for which, name in ((1, "key"), (0, "query"))),
    (1, (-1, 0), BACK),
    *((1, (1, shift), LATER) for shift in sorted({*range(-16, 17)} - {0}, key=lambda n: (abs(n), -n))),
)


def about_keys(seen, query, key):
    """Findings about the two; those of the first positions are said once where both have them."""
    one, two = (near.matrices for near in seen.near)
    if decay := of_both(seen.near, (query, key)):
        return decay
    if np.abs(one - two).max() < 4e-5:
        return list(query.findings)
    factor = (one * two).sum() / max((one * one).sum(), 1e-9)
    if np.abs(two - factor * one).max() < 4e-5 and query.model is not None:
        return [SCALED.found(f"k is turned like q, and multiplied by {factor:.4g}"), *query.findings]
    named = _named(seen.near, (query, key))
    good = query if query.model is not None else key
    said = {"zero-frequencies", *(() if good is query else ("turned-twice",))}  # what the named mistake says already
    if named:
        return [named, *(finding for finding in good.findings if finding.id not in said)]
    apart = np.abs(one - two).max(axis=(1, 2))
    n = next(n for n in (*range(1, len(one)), 0) if apart[n] >= 4e-5)
    evidence = f"at position {n} the matrices of q and k differ by up to {apart[n]:.3g}"
    rest = {f.id: f for f in (*query.findings, *key.findings) if f.id != "no-rotation"}
    return [UNLIKE.found(evidence), *rest.values()]


def _named(nears, firsts):
    pos = np.arange(len(nears[0].matrices))
    for which, (times, shift), mistake in WAYS:
        model, near = firsts[1 - which].model, nears[which]
        if model is None:
            continue
        still = times == 0 and np.abs(near.matrices - np.eye(len(near.matrices[0]))).max() < 1e-5
        if still or (times and compare_near(model, near, times * pos + shift, 5e-5)):
            q, k = (times + shift, 1) if which == 0 else (1, times + shift)
            return mistake.found(f"at position 1 q has the angles of position {q}, k those of position {k}")
    return None
