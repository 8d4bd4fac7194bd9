"""The formula of the angle, once for tables, grids and rotations: angle = position · factor · base^(−exponent).

`EXPONENTS` holds the paper's exponent, 2k/d, and what mistakes make of it. pos is a position, j a column, k = j // 2
its pair, d the width, T the number of rows.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

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
    """A number as people write it: 500000, 4, 2.5, 13460."""
    whole = round(number)
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


def _pair(j):
    return j - j % 2  # 2k for both columns of pair k


def _pairs_less_one(d):
    return max(2 * (d // 2) - 2, 1)


def _other(name, formula):
    return Exponent(name, formula, "other-exponent", rare=True)


def _brackets(name, times):
    return Exponent(name, lambda j, d, T: _pair(j), "exponent-brackets", rare=True, times=times)


def _whole(name, slope, mistake="truncated-exponent"):
    """A // made a whole number of the ``slope`` of the exponent of e."""
    return Exponent(f"{name}, of e", lambda j, d, T: _pair(j) * slope(d) / LN, mistake, rare=True)


PAPER = Exponent("2k/d_model", lambda j, d, T: _pair(j) / d, any_base=True)
EXPONENTS = (
    PAPER,
    Exponent("2j/d_model", lambda j, d, T: 2 * j / d, "doubled-column", any_base=True),
    Exponent("4k/d_model", lambda j, d, T: 2 * _pair(j) / d, "doubled-pair"),
    Exponent("j/d_model", lambda j, d, T: j / d, "own-odd-exponent", any_base=True),
    Exponent("0", lambda j, d, T: 0 * j, "no-exponent"),
    Exponent("k/(pairs - 1)", lambda j, d, T: _pair(j) / _pairs_less_one(d), any_base=True, tensor2tensor=True),
    Exponent("2k/(pairs - 1)", lambda j, d, T: 2 * _pair(j) / _pairs_less_one(d), "doubled-pair", tensor2tensor=True),
    # Not common, but seen: another divisor, pairs counted from elsewhere, wrong brackets, rounding up.
    _other("2k/(d_model - 1)", lambda j, d, T: _pair(j) / (d - 1)),
    _other("2k/(d_model + 1)", lambda j, d, T: _pair(j) / (d + 1)),
    _other("2k/max_len", lambda j, d, T: _pair(j) / T),
    _other("2k/512, whatever d_model is", lambda j, d, T: _pair(j) / 512),
    _other("2(k + 1)/d_model", lambda j, d, T: (_pair(j) + 2) / d),
    _other("2(k - 1)/d_model", lambda j, d, T: (_pair(j) - 2) / d),
    _other("(2k + 1)/d_model", lambda j, d, T: (_pair(j) + 1) / d),
    Exponent("2⌈j/2⌉/d_model", lambda j, d, T: (j + j % 2) / d, "own-odd-exponent", rare=True, any_base=True),
    Exponent("2(j mod d/2)/d", lambda j, d, T: 2 * (j % -(-d // 2)) / d, "tiled-frequencies", rare=True, any_base=True),
    _brackets("2k, and the result times d_model", lambda d: d),
    _brackets("2k, and the result divided by d_model", lambda d: 1 / d),
    # ln(10000) // d_model is 0 from d_model 10 on: there no exponent is left at all.
    _whole("-2k · (ln(10000) // d_model)", lambda d: LN // d, "no-exponent"),
    _whole("2k · (-ln(10000) // d_model)", lambda d: -(-LN // d)),
    _whole("2k · (-ln(10000) / d_model // 2)", lambda d: -(-LN / d // 2)),
    _whole("2k · (-ln(10000) / (2 · d_model) // 2)", lambda d: -(-LN / d / 2 // 2)),  # where an axis has half of it
    _whole("k · (-ln(10000) / (d_model / 2) // 2)", lambda d: -(-LN / d // 2) / 2),
)
