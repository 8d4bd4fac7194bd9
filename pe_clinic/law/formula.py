"""The formula of the angle, once for tables, grids and rotations: angle = position · factor · base^(−exponent).

`EXPONENTS` holds the paper's exponent, 2k/d, and what the mistakes of mistakes.md make of it. pos is a position, j a
column, k = j // 2 its pair, d the width, T the number of rows.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from .mistakes import MISTAKES

PAPER_BASE = 10000.0
LN = float(np.log(PAPER_BASE))


def rates(exponents, base=PAPER_BASE, factor=1.0, inverted=False):
    """Radians per position for each of ``exponents``; ``inverted``: base^(+exponent)."""
    exponents = np.asarray(exponents, dtype=np.float64)
    return factor * float(base) ** (exponents if inverted else -exponents)


def paper(pairs):
    """The paper's rate of each pair: 10000^(−2k/d) with d = 2 · pairs."""
    return rates(np.arange(pairs) / pairs)


def angles(positions, rates, position_as=None, angle_as=None):
    """(positions, rates): each position times each rate; ``position_as`` and ``angle_as`` may round on the way."""
    positions = np.asarray(positions, dtype=np.float64)
    positions = position_as(positions) if position_as else positions
    result = positions[:, None] * rates
    return angle_as(result) if angle_as else result


def short(number, near=3e-4, digits=(1, 2, 3, 4)):
    """``number``, or one of few digits that is as near as ``near`` of it."""
    for count in digits:
        rounded = float(f"{number:.{count}g}")
        if abs(rounded - number) < near * abs(number):
            return rounded
    return float(number)


def shown(number):
    """A number as people write it: 500000, 4, 2.5, 13460; seven digits are measured."""
    whole = round(float(f"{number:.7g}"))
    return str(whole) if abs(number - whole) < 1e-4 * abs(number) and whole < 1e15 else f"{number:.4g}"


@dataclass(frozen=True)
class Exponent:
    """``formula(j, d, T)`` for an array of columns j. A ``rare`` one is tried only when no other fits."""

    name: str
    formula: Callable
    mistake: str = ""  # its id in mistakes.md
    rare: bool = False
    any_base: bool = False  # is it tried with every base, or with the usual ones only?
    tensor2tensor: bool = False  # k is divided by (pairs - 1), so that the last pair turns at exactly 1 / base
    times: Callable = lambda d: 1.0  # what all rates are multiplied by at width d


def exponent_of(effect):
    """The `Exponent` of ``- made: exponent NAME = FORMULA of j, k, d, T``, then perhaps ``; any_base`` and the like."""
    formula, *more = effect.formula.split("; ")
    of = replace(effect, formula=formula).function("j, k, d, T", LN=LN)
    marks = dict(mark.partition(" = ")[::2] for mark in more)
    marks = {name: replace(effect, formula=text).function("d") if text else True for name, text in marks.items()}
    return Exponent(effect.name, lambda j, d, T: of(j, j // 2, d, T), effect.id, effect.rare, **marks)


PAPER = Exponent("2k/d_model", lambda j, d, T: 2 * (j // 2) / d, any_base=True)
TENSOR2TENSOR = Exponent("k/(d/2 - 1)", lambda j, d, T: j // 2 / max(d // 2 - 1, 1), any_base=True, tensor2tensor=True)
EXPONENTS = (PAPER, TENSOR2TENSOR, *map(exponent_of, MISTAKES.effects("exponent")))
EXPONENTS = tuple(sorted(EXPONENTS, key=lambda exponent: (exponent.rare, exponent.tensor2tensor)))
