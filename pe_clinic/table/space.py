"""Which hypotheses are tried: common mistakes with each other, rarer ones, any base; and all their angles at once."""

import functools
from dataclasses import dataclass
from itertools import product

import numpy as np

from . import exponents
from .exponents import EXPONENTS, PAPER_BASE
from .hypothesis import NO_TURN, SIZES_AS_BASE, TURNS, Hypothesis

COMMON_EXPONENTS = tuple(exponent for exponent in EXPONENTS if not exponent.rare)
BASES = (PAPER_BASE, 1e3, 1e5, 1e2, 1e6, 10.0, 5e5)
BASE_GRID = np.exp(np.arange(0.1, 23, 0.1))


@dataclass(frozen=True)
class Tried:
    """Hypotheses, and for a table of some size their angles (N, T, d) in the paper's order of columns."""

    hypotheses: tuple[Hypothesis, ...]
    angles: np.ndarray
    sines: np.ndarray
    cosines: np.ndarray


@functools.lru_cache(maxsize=8)
def at_size(hypotheses, T, d):
    """The `Tried` of ``hypotheses()``, one of the functions below, for a table (T, d)."""
    every = hypotheses()
    angles = _angles(every, T, d)
    return Tried(every, angles, np.sin(angles), np.cos(angles))


def _angles(hypotheses, T, d):
    """What `Hypothesis.angles` gives, of all of them at once."""
    formulas = {h.exponent: h.exponent.formula(np.arange(d), d, T) for h in hypotheses}
    exponent = np.stack([formulas[h.exponent] if h.inverted else -formulas[h.exponent] for h in hypotheses])
    base = [float(h.size_as_base.value(T, d)) if h.size_as_base else h.base for h in hypotheses]
    rate = np.array([h.turn.factor(T) for h in hypotheses])[:, None] * np.array(base)[:, None] ** exponent
    place = np.arange(T) + np.array([h.start for h in hypotheses])[:, None]
    return place[:, :, None] * rate[:, None]


def common():
    """Every combination of the common mistakes with the usual bases."""
    return tuple(
        Hypothesis(exponent=exponent, base=base, inverted=inverted, start=start)
        for exponent, base, inverted, start in product(COMMON_EXPONENTS, BASES, (False, True), (0, 1))
        if exponent.mistake is not exponents.NONE or (base == PAPER_BASE and not inverted)
    )


def rarer():
    """Another divisor, another start, another unit of angle; a size as base."""
    others = (
        Hypothesis(exponent=exponent, start=start, turn=turn)
        for exponent, start, turn in product(EXPONENTS, (0, 1, 2, -1, 0.5), TURNS)
        if exponent.rare or turn is not NO_TURN or start not in (0, 1)
    )
    sizes = (
        Hypothesis(exponent=exponent, start=start, size_as_base=size)
        for exponent, start, size in product(COMMON_EXPONENTS, (0, 1), SIZES_AS_BASE)
    )
    return (*others, *sizes)


def plain():
    """The common exponents and starts alone, for rarer layouts."""
    return tuple(
        Hypothesis(exponent=exponent, start=start, inverted=inverted)
        for exponent, start, inverted in product(COMMON_EXPONENTS, (0, 1), (False, True))
    )


def any_base():
    """For each exponent that goes with any base, and each start, all bases of the grid."""
    every = (exponent for exponent in EXPONENTS if exponent.any_base)
    return tuple(
        Hypothesis(exponent=exponent, base=float(base), start=start)
        for exponent, start, base in product(every, (0, 1), BASE_GRID)
    )
