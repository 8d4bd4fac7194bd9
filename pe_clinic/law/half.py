"""Half precision, in NumPy: a table of NumPy's is diagnosed without torch. Was an angle computed in it?

A half-precision frequency is one of few numbers, so those near the exact one are tried, column by column; positions
and products are rounded or not. What is met in this way, at far positions too, was made in this way.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np

from . import formula

STEPS = np.arange(-10, 11)  # neighbours of the exact frequency among the half-precision numbers


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


@dataclass(frozen=True)
class Way:
    """Which numbers are rounded on the way to a wave, and to what."""

    dtype: Half
    frequency: bool = False
    position: bool = False
    angle: bool = False

    def angles(self, positions, rates):
        """(positions, rates); the rates come as they are."""
        return formula.angles(
            positions, rates, self.dtype.rounded if self.position else None, self.dtype.rounded if self.angle else None
        )

    def rates_near(self, rate):
        """What may stand for an exact rate: numbers of the dtype beside it, where frequencies are rounded."""
        if not self.frequency:
            return np.array([rate])
        return np.append(self.dtype.rounded(rate * (1 + STEPS * self.dtype.rounding)), rate)

    def met(self, positions, rate, wave, column, allowed, share=1.0):
        """The rate whose ``wave(angles)`` is this column, in ``share`` of its rows at least; None when none is."""
        tried = self.rates_near(rate)
        near = (np.abs(wave(self.angles(positions, tried)) - column[:, None]) <= allowed[:, None]).mean(axis=0)
        return float(tried[near.argmax()]) if near.max() >= share else None


def ways(dtype):
    """Every way that rounds an angle, the ones that round the most first."""
    return [Way(dtype, True, pos, angle) for pos, angle in product((True, False), repeat=2)]
