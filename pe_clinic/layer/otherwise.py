"""What is no table added to x: RoPE, weights, sines and cosines of x, a class token before the rows, a pair."""

from dataclasses import replace

import numpy as np

from .combining import TOLERANCE
from .distances import of_distances, of_learned_distances
from .words import found

RANDOM = "Random Fourier features: cosines and sines of products of x with a matrix that was drawn once."
APART = "It gives waves of its own to every number of x, and what these numbers are is not known."
OF_NUMBERS = "It encodes the numbers in x, whatever row they stand in (Tancik and others, 2020). Nothing is added to x."
FACTORS = tuple(2.0**k * unit for unit in (1, np.pi, 2 * np.pi) for k in range(16))


def of_features(seen):
    """Every column of the output is a number of the same row of x, or a sine or cosine of one."""
    response = seen.responses.get((2, 3))
    if response is None or response.out is None or response.out.shape[:2] != response.x.shape[:2]:
        return []
    apart = response.out.shape[:-1] == response.x.shape  # an axis for what is made of one number
    x, out = (array.reshape(-1, array.shape[-1]) for array in (response.x, response.out))
    x = x.reshape(-1, 1) if apart else x
    if out.shape[1] <= x.shape[1] or (out.shape[1] % x.shape[1] and not apart):
        return []
    waves = [j for j in range(out.shape[1]) if _which(out[:, j], x) is None]
    said = f"{response.call} gave {out.shape[1]} columns, {len(waves)} of them sines and cosines of x"
    if _are_waves(out[:, waves], x, [*FACTORS, *_steps(out.shape[1] // x.shape[1])]):
        return [found("fourier-features", said)]
    if _are_waves(out[:, waves], x, [1 / factor for factor in FACTORS]):
        return [found("octaves-divided", f"{said} divided by 1, 2, 4, …")]
    return []


def _steps(count):
    """Equal steps for as many columns: NeRF's, up to a power of two, and the Perceiver's."""
    few, even = max((count - 1) // 2, 1), count // 2
    return [*np.linspace(1, 2.0 ** (few - 1), few), *np.pi * np.linspace(1, 5, even)]


def _are_waves(columns, x, factors):
    """Is each column a sine or cosine of a number of x times a factor, and each of these angles there as both?"""
    angles = (x[:, :, None] * np.array(factors)).reshape(len(x), -1)
    sines, cosines = ([_which(column, wave(angles)) for column in columns.T] for wave in (np.sin, np.cos))
    neither = any(s is None and c is None for s, c in zip(sines, cosines, strict=True))
    return len(sines) > 0 and not neither and _angles_of(sines) == _angles_of(cosines)


def of_drawn_features(seen):
    """Every row of the output holds cosines and sines of the same angles, and differs with its row of x."""
    response = seen.responses.get((2, 3))
    if response is None or response.out is None or response.out.shape[:2] != response.x.shape[:2]:
        return []
    one, two = np.array_split(response.out, 2, axis=-1)
    if one.shape != two.shape or np.ptp(one) < 1e-3 or not np.allclose(one**2 + two**2, 1, atol=1e-4):
        return []
    said = f"{response.call} gave {one.shape[-1]} pairs of columns whose squares add up to 1 in every row"
    if response.out.shape[:-1] == response.x.shape:
        return [found("other-shape", said, title=APART, kind="not-run")]
    return [found("fourier-features", said, title=RANDOM, explanation=OF_NUMBERS)]


def _which(column, known):
    """The number of the column of ``known`` that it is, or None."""
    off = np.abs(known - column[:, None]).max(axis=0)
    return int(off.argmin()) if off.min() < 5e-3 else None


def _angles_of(numbers):
    """Each angle has to come once as a sine, and once as a cosine."""
    return sorted(n for n in numbers if n is not None)


def of_rows_before(seen):
    """A learned table with rows for one or two tokens that are put before those of x."""
    grown = [r for r in seen.responses.values() if r.out is not None and _more_rows(r)]
    if not seen.learned or not grown or any(r.fits for r in seen.responses.values()):
        return []
    said = f"{seen.learned.evidence}; {grown[0].call} gave {_more_rows(grown[0])} row more, before the rest"
    return [replace(seen.learned, evidence=said)]


def _more_rows(response):
    """How many rows stand before x + the same rows for every sample; 0 where it is not so."""
    more = response.out.shape[1] - response.x.shape[1] if response.out.ndim == 3 else 0
    if more not in (1, 2) or response.out.shape[2] != response.x.shape[2]:
        return 0
    added = response.out[:, more:] - response.x
    return more if np.abs(added - added[:1]).max() < TOLERANCE else 0


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


OTHERWISE = (
    *(of_distances, of_learned_distances, of_all_rows, of_turning, of_rows_before),
    *(of_weights, of_features, of_drawn_features),
)
