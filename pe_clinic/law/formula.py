"""The formula of the angle, once for tables, grids and rotations: angle = position · factor · base^(−exponent)."""

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
