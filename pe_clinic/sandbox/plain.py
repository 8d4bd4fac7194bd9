"""Values of which nobody else's code runs when their numbers are read."""

import numpy as np

from .state import loaded_torch

PLAIN = (bool, int, float, str, type(None), np.float64, np.float32, np.int64)
SMALL = 24  # what an answer holds at most, if it is written by hand


def plain(value):
    """Is it of a type of Python, NumPy or torch itself?"""
    if type(value) is np.ndarray:
        return value.dtype.kind != "O"
    return type(value) in PLAIN or ((torch := loaded_torch()) is not None and type(value) is torch.Tensor)


def written_by_hand(value, depth=3):
    """Is it plain, or a small list of what is? Of a large one it would take longer to know than to guard it."""
    if type(value) not in (list, tuple):
        return plain(value) if depth == 3 else type(value) in PLAIN
    return depth > 0 and len(value) <= SMALL and all(written_by_hand(part, depth - 1) for part in value)
