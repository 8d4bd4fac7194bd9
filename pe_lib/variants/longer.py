"""RoPE for texts longer than those it was trained on: each function slows some of the clocks down.

Each takes radians per position, (pairs,), and a ``scale``, 4 for texts four times as long, and returns an ndarray
float64 (pairs,). Each raises TypeError or ValueError for a scale that is no finite number of at least 1, and ValueError
for frequencies that are not one finite number for each pair.
"""

import numpy as np

from ..arguments import check_scale, check_size, real


def interpolate(frequencies, scale):
    """Position interpolation: every pair turns ``scale`` times slower.

    Source: Chen et al. (2023), https://arxiv.org/abs/2306.15595
    """
    return _check_frequencies(frequencies) / check_scale(scale)


def ntk_aware(frequencies, scale):
    """The fastest pair keeps its pace, the slowest is ``scale`` times slower, and those between make even steps.

    The same as a base multiplied by scale ** (d / (d - 2)). Source: bloc97 (2023), cited in the paper of YaRN.
    """
    frequencies = _check_frequencies(frequencies)
    k = np.arange(len(frequencies))
    return frequencies * check_scale(scale) ** (-k / max(len(frequencies) - 1, 1))


def yarn(frequencies, scale, trained_len, slow=1, fast=32):
    """Pairs that turn at least ``fast`` times within ``trained_len`` keep their pace, those that turn at most ``slow``
    times are interpolated, and those between mix the two. (YaRN also multiplies the scores by (0.1 ln scale + 1)².)

    Source: Peng et al. (2023), section 3.2, https://arxiv.org/abs/2309.00071; 1 and 32 are its values for Llama.
    """
    frequencies = _check_frequencies(frequencies)
    low, high = real("slow", slow, example="1"), real("fast", fast, example="32")
    if not 0 <= low < high:
        raise ValueError(f"slow must be at least 0 and below fast, such as 1 and 32, but got {slow!r} and {fast!r}")
    turns = check_size("trained_len", trained_len) * frequencies / (2 * np.pi)
    kept = np.clip((turns - low) / (high - low), 0, 1)
    return kept * frequencies + (1 - kept) * interpolate(frequencies, scale)


def _check_frequencies(frequencies):
    try:
        checked = np.array(frequencies, dtype=float)
    except (TypeError, ValueError, RuntimeError):
        checked = np.array([])
    if checked.ndim != 1 or not checked.size or not np.isfinite(checked).all():
        what = f"shape {checked.shape}" if checked.ndim > 1 else repr(frequencies)
        raise ValueError(f"frequencies must be one finite number for each pair, shape (pairs,), but got {what}")
    return checked
