"""RoPE for texts longer than those it was trained on: each function slows some of the clocks down.

Each takes radians per position, (pairs,), and a ``scale``, 4 for texts four times as long, and returns an ndarray
float64 (pairs,). Each raises TypeError or ValueError for a scale that is no finite number of at least 1, and for
frequencies that are not one number within ±2**53 for each pair.
"""

import numpy as np
from numpy.typing import ArrayLike

from ..arguments import check_numbers, check_scale, check_size, real


def interpolate(frequencies: ArrayLike, scale: float) -> np.ndarray:
    """Position interpolation: every pair turns ``scale`` times slower.

    Source: Chen et al. (2023), https://arxiv.org/abs/2306.15595
    >>> interpolate([1, 0.01], 4)
    array([0.25  , 0.0025])
    """
    return _check_frequencies(frequencies) / check_scale(scale)


def ntk_aware(frequencies: ArrayLike, scale: float) -> np.ndarray:
    """The fastest pair keeps its pace, the slowest is ``scale`` times slower, and those between make even steps.

    The same as a base multiplied by scale ** (d / (d - 2)). Source: bloc97 (2023), cited in the paper of YaRN.
    >>> ntk_aware([1, 0.01], 4)
    array([1.    , 0.0025])
    """
    frequencies = _check_frequencies(frequencies)
    k = np.arange(len(frequencies))
    return frequencies * check_scale(scale) ** (-k / max(len(frequencies) - 1, 1))


def yarn(
    frequencies: ArrayLike, scale: float, trained_len: int, slow: float = 1, fast: float = 32, ramp: str = "turns"
) -> np.ndarray:
    """Pairs that turn at least ``fast`` times within ``trained_len`` keep their pace, those that turn at most ``slow``
    times are interpolated, and those between mix the two. (YaRN also multiplies the scores by (0.1 ln scale + 1)².)

    ``ramp`` says how they mix: "turns", in proportion to their turns, as in the paper; or "pairs", in even steps from
    pair to pair between the whole numbers around both ends, as in the authors' code and in transformers. That one
    takes the frequencies to fall by one factor, and raises ValueError where they do not.

    Source: Peng et al. (2023), section 3.2, https://arxiv.org/abs/2309.00071; 1 and 32 are its values for Llama. The
    authors' code: https://github.com/jquesnelle/yarn
    >>> yarn([1, 0.01], 4, trained_len=512)
    array([1.    , 0.0025])
    """
    frequencies = _check_frequencies(frequencies)
    low, high = real("slow", slow, example="1"), real("fast", fast, example="32")
    if not 0 <= low < high:
        raise ValueError(f"slow must be at least 0 and below fast, such as 1 and 32, but got {slow!r} and {fast!r}")
    if not (isinstance(ramp, str) and ramp in RAMPS):
        raise ValueError(f"ramp must be one of {', '.join(map(repr, RAMPS))}, but got {ramp!r}")
    turns = check_size("trained_len", trained_len) * frequencies / (2 * np.pi)
    kept = RAMPS[ramp](turns, low, high)
    return kept * frequencies + (1 - kept) * interpolate(frequencies, scale)


def _by_turns(turns, slow, fast):
    return np.clip((turns - slow) / (fast - slow), 0, 1)


def _by_pairs(turns, slow, fast):
    steps = -np.diff(np.log(np.where(turns > 0, turns, np.nan)))
    if not (len(steps) and steps[0] > 0 and np.allclose(steps, steps[0], rtol=1e-4)):
        raise ValueError('ramp="pairs" needs two or more frequencies, each the one before divided by the same factor')
    with np.errstate(divide="ignore"):  # slow=0: at the end of all pairs
        ends = np.log(turns[0] / np.array([fast, slow])) / steps.mean()  # where a pair would turn fast and slow times
    first, last = max(np.floor(ends[0]), 0), min(np.ceil(ends[1]), 2 * len(turns) - 1)
    k = np.arange(len(turns))
    return 1 - np.clip((k - first) / ((last - first) or 0.001), 0, 1)


RAMPS = {"turns": _by_turns, "pairs": _by_pairs}


def _check_frequencies(frequencies):
    checked = check_numbers("frequencies", frequencies)
    if checked.ndim != 1 or not checked.size:
        raise ValueError(f"frequencies must be one for each pair, shape (pairs,), but got shape {checked.shape}")
    return checked
