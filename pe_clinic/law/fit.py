"""Which base and which factor give measured rates? One straight line through their logarithms for each exponent."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from .formula import LN, PAPER_BASE, short

IN_DOUBT = 3.0  # a rate is known up to whole turns: what is faster may be another


@dataclass(frozen=True)
class Rates:
    """Measured rates in radians per position, known up to whole turns, each with its error in the same unit."""

    values: np.ndarray
    error: np.ndarray
    unsigned: np.ndarray | bool = False  # which are known up to their sign only, as a cosine's is

    def clear(self):
        """Where the number can be trusted."""
        return (self.values > 1e-9) & (self.values < IN_DOUBT) & (self.error < 0.05 * self.values)

    def may_be(self, built, rounding):
        """Do ``built`` rates agree, within what was lost in the measurement, and by a rounding of their own?"""
        turned = np.angle(np.exp(1j * built))
        turned = np.where(self.unsigned, np.abs(turned), turned)
        return same_turns(self.values, turned, 3e-3 + 4 * self.error + rounding * np.abs(built))


def power_laws(rates: Rates, exponents, near=3e-4, free_base=True) -> Iterator[tuple[float, float]]:
    """(base, factor) that may give the rates with these exponents, the likely ones first; each has to be tried.

    Fast rates may be whole turns off. So the line goes through all clear ones, through the slower half, and through
    the slowest two.
    """
    clear, seen = np.flatnonzero(rates.clear()), set()
    order = clear[np.argsort(exponents[clear], kind="stable")]
    distinct = np.unique(exponents[order])
    for start in {0, len(distinct) // 2, max(len(distinct) - 2, 0)}:
        chosen = order[exponents[order] >= distinct[start]] if len(distinct) else order
        for pair in _lines(rates, exponents, chosen, near, free_base):
            if pair not in seen:
                seen.add(pair)
                yield pair


def _lines(rates, exponents, chosen, near, free_base):
    """From the chosen rates: the factor alone, the base alone, both; rounded to few digits where that is as near."""
    if not len(chosen):
        return
    logs, weight = np.log(rates.values[chosen]), 1 / (1e-7 + rates.error[chosen] / rates.values[chosen])
    slopes = -exponents[chosen]
    alone = np.exp(np.average(logs - slopes * LN, weights=weight**2))
    yield from ((PAPER_BASE, factor) for factor in (_near_one(alone, near), float(alone)))
    if not free_base or np.ptp(slopes) == 0:
        return
    one_base = (weight**2 * slopes * logs).sum() / (weight**2 * slopes**2).sum()
    weighted = np.stack([slopes, np.ones_like(slopes)], axis=1) * weight[:, None]
    slope, start = np.linalg.lstsq(weighted, logs * weight, rcond=None)[0]
    if max(abs(one_base), abs(slope), abs(start)) > 200:
        return
    for ln_base, ln_factor in ((one_base, 0.0), (slope, start)):
        base, factor = np.exp(ln_base), np.exp(ln_factor)
        yield from product((short(base, near), float(base)), (_near_one(factor, near), float(factor)))


def _near_one(factor, near):
    if abs(factor - 1) < near:
        return 1.0
    inverse = round(1 / factor, 2)
    rounded = 1 / inverse if inverse and abs(factor * inverse - 1) < near else short(factor, near)
    return float(rounded)


def same_turns(measured, built, allowed):
    """Do rates that are known up to whole turns agree with ``built``?"""
    return bool((np.abs(np.angle(np.exp(1j * (measured - built)))) <= allowed).all())
