"""The two half-precision dtypes, in NumPy: a table of NumPy's is diagnosed without torch."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Half:
    """``rounded(array)``: a float64 array as this dtype would hold it; ``rounding``: half a unit in its last place."""

    name: str
    rounding: float
    rounded: Callable

    def holds(self, values, tolerance):
        """Are these numbers that this dtype can hold?"""
        return np.allclose(self.rounded(values), values, rtol=0, atol=tolerance)

    def __str__(self):
        return self.name


def _float16(array):
    with np.errstate(over="ignore"):
        return np.asarray(array, dtype=np.float32).astype(np.float16).astype(np.float64)


def _bfloat16(array):
    """The upper 16 bits of a float32, rounded to the nearest, and to even between two."""
    bits = np.array(array, dtype=np.float32).view(np.uint32)
    bits = (bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)
    return bits.view(np.float32).astype(np.float64)


HALVES = (Half("bfloat16", 2.0**-8, _bfloat16), Half("float16", 2.0**-11, _float16))
