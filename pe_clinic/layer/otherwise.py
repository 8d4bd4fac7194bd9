"""What is no table added to x: RoPE, weights, a class token before the rows, a pair, rows for distances."""

from dataclasses import replace
from itertools import product

import numpy as np

from pe_lib.space_and_time import sinusoidal_at

from .combining import TOLERANCE
from .features import of_drawn_features, of_features, of_places
from .words import found

DISTANCES = (
    ("distances", lambda n: np.arange(1 - n, n)),
    ("distances", lambda n: np.arange(n - 1, -n, -1)),
    ("distances-alike", lambda n: np.abs(np.arange(1 - n, n))),
    ("distances-back", lambda n: np.arange(n)[::-1]),
)


def of_rows_before(seen):
    """A learned table with rows for one or two tokens that are put before those of x, or behind them."""
    grown = [(r, *more) for r in seen.responses.values() if r.out is not None and (more := _more_rows(r))]
    if not seen.learned or not grown or any(r.fits for r in seen.responses.values()):
        return []
    response, place, added = max(grown, key=lambda one: len(one[2]))
    more = response.out.shape[1] - response.x.shape[1]
    said = f"{seen.learned.evidence}; {response.call} gave {more} row{'s' * (more > 1)} more, {place} the rest"
    if len(added) > 2 and np.ptp(added, axis=0).max() < TOLERANCE:
        return [found("rows-alike", f"{said}, and what it adds to those differs in nothing")]
    return [replace(seen.learned, evidence=said)]


def _more_rows(response):
    """Where rows stand beside x + the same rows for every sample, and these; None where it is not so."""
    more = response.out.shape[1] - response.x.shape[1] if response.out.ndim == 3 else 0
    if more not in (1, 2) or response.out.shape[2] != response.x.shape[2] or len(response.x) < 2:
        return None
    for place, rest in (("before", response.out[:, more:]), ("behind", response.out[:, :-more])):
        added = rest - response.x
        if np.abs(added - added[:1]).max() < TOLERANCE:
            return place, added[0]
    return None


def of_a_pair(seen):
    """x comes back, or a multiple of it, as one of several things."""
    parts = max(response.parts for response in seen.responses.values())
    if seen.how.pattern != "never-added" or parts < 2:
        return []
    return [found("beside", f"it returns {parts} things; the one of the shape of x is {seen.how.a:.3g}·x")]


def of_turning(seen):
    """Every row keeps its length, and rows are turned differently."""
    fitting = [response for response in seen.responses.values() if response.fits]
    moved = [response for response in fitting if np.abs(response.out - response.x).max() > 1e-3]
    if not moved or len(fitting) < len(seen.responses):
        return []
    before, after = (
        np.concatenate([np.linalg.norm(getattr(r, side), axis=-1).ravel() for r in fitting]) for side in ("x", "out")
    )
    if not np.allclose(before, after, rtol=1e-4):
        return []
    said = f"for {moved[0].call} and others all {len(before)} rows keep their lengths and are turned"
    return [found("turns-x", said)]


def of_weights(seen):
    """The output is no a·x + something, and parameters that are no table have a part in it."""
    weights = seen.trained or seen.weights
    told = {"other-addition", *(["other-shape"] if any(".bias" in name for name in weights) else [])}  # of a network
    mixes = any(finding.id in told for finding in seen.about_sum)
    if seen.unused:
        return [found("made-unused", f"from what comes out no gradient reaches {', '.join(seen.unused[:4])}")]
    return [found("weights", f"in it: {', '.join(weights[:4])}")] if mixes and weights else []


def of_all_rows(seen):
    """All rows of a learned table, once or for each sample, whatever else x is."""
    outs = [response.out for response in seen.responses.values()]
    if not seen.learned or any(out is None for out in outs):
        return []
    each = [rows for out in outs for rows in (out if out.ndim == 3 else [out])]
    same = all(rows.shape == each[0].shape and np.array_equal(rows, each[0]) for rows in each)
    said = f"{seen.learned.evidence}; all its rows come, whatever the length of x"
    return [replace(seen.learned, evidence=said)] if same else []


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


OTHERWISE = (
    *(of_distances, of_learned_distances, of_all_rows, of_turning, of_rows_before),
    *(of_weights, of_features, of_drawn_features, of_places),
)
