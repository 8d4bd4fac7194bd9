"""Queries against keys: both must be turned alike."""

import numpy as np

from ..saying.mistake import Mistake
from .decaying import of_both
from .model import compare_near
from .words import MISTAKES

SAME = "turn q and k by the same function, each once, with the same positions"
LATER = MISTAKES["key-later"]
BACK = MISTAKES["key-turned-back"]
SCALED = MISTAKES["keys-scaled"]
UNLIKE = MISTAKES["keys-unlike"]


def _still(one, other):
    why = f"A score then depends on the {other}'s position alone, not on the distance."
    case = "kvcache-ai/sglang/issues/66" if one == "key" else ""
    return Mistake(f"{one}-not-turned", f"The {one} is not turned.", why, SAME, case)


def _twice(one, other):
    why = f"A score then depends on 2·pos({one}) − pos({other}), which is no distance."
    why += " Often k was turned before it went into the cache, and once more after it." if one == "key" else ""
    return Mistake(f"{one}-turned-twice", f"The {one} is turned twice.", why, SAME)


# (which, from the positions of the other to its own, the mistake); the first that fits is named.
WAYS = (
    *((which, (0, 0), _still(*names)) for which, names in ((1, ("key", "query")), (0, ("query", "key")))),
    *((which, (2, 0), _twice(*names)) for which, names in ((1, ("key", "query")), (0, ("query", "key")))),
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
