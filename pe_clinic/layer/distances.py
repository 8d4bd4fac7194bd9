"""Rows for distances, as attention with relative positions takes them: the paper's waves, or learned ones."""

from dataclasses import replace
from itertools import product

import numpy as np

from pe_lib.space_and_time import sinusoidal_at

from .combining import TOLERANCE
from .words import found

DISTANCES = (
    ("distances", lambda n: np.arange(1 - n, n)),
    ("distances", lambda n: np.arange(n - 1, -n, -1)),
    ("distances-alike", lambda n: np.abs(np.arange(1 - n, n))),
    ("distances-back", lambda n: np.arange(n)[::-1]),
)


def of_distances(seen):
    """The paper's rows for all distances, of both directions or back to 0 alone; a mistake where a sign is lost."""
    responses = [*seen.responses.values()]
    if any(r.out is None for r in responses):
        return []
    for (id, places), halves in product(DISTANCES, (False, True)):
        tables = [sinusoidal_at(places(r.x.shape[1]), r.x.shape[2]) for r in responses]
        tables = [np.concatenate((t[:, ::2], t[:, 1::2]), 1) if halves else t for t in tables]
        pairs = [(t, r.out.ravel()) for t, r in zip(tables, responses, strict=True)]  # repeated for each example
        if all(out.size % t.size == 0 and np.abs(np.resize(t, out.size) - out).max() < TOLERANCE for t, out in pairs):
            return [found(id, f"{responses[0].call} gave {len(tables[0])} rows, one for each distance")]
    return []


def of_learned_distances(seen):
    """Learned rows for the distances: of a shorter x the rows in the middle of those of a longer one."""
    outs = sorted((r.out[0] for r in seen.responses.values() if r.out is not None and r.out.ndim == 3), key=len)
    if not seen.learned or len(outs) < len(seen.responses) or len(outs[-1]) == len(outs[0]):
        return []
    middle = [outs[-1][(len(outs[-1]) - len(out)) // 2 :][: len(out)] for out in outs]
    counts = sorted(2 * r.x.shape[1] - 1 for r in seen.responses.values())
    same = all(np.allclose(one, out, atol=TOLERANCE) for one, out in zip(middle, outs, strict=True))
    said = f"{seen.learned.evidence}; of each x come 2 · length − 1 rows, those in the middle"
    return [replace(seen.learned, evidence=said)] if same and [*map(len, outs)] == counts else []
