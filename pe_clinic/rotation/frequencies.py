"""By which law do the pairs turn? Power laws: base, exponent, a factor; each candidate is built and compared."""

from dataclasses import dataclass, replace

import numpy as np

from ..saying.result import Finding
from . import designs, laws

BASE = 10000.0


@dataclass(frozen=True)
class Law:
    """The exact rates of all pairs, and what is said of them."""

    rates: np.ndarray
    findings: tuple[Finding, ...] = ()
    scale: float = 1.0  # what the law itself multiplies lengths by, as YaRN's
    exact: bool = True  # False where the rates are as exact as the measurement only


def paper(pairs):
    return BASE ** (-np.arange(pairs) / pairs)


def close(measured, built, loose=1.0):
    """Do measured rates, known up to whole turns, agree with built ones?"""
    difference = np.abs(np.angle(np.exp(1j * (measured - built))))
    return bool((difference <= loose * (3e-7 + 4e-6 * np.abs(built))).all())


def law_of(measured, r, d, size=1.0, loose=1.0):
    """The `Law` of measured rates of r / 2 pairs, in a head of d columns, or None.

    ``size`` is by how much lengths grow: YaRN does that on purpose.
    """
    pairs = r // 2
    part = () if r == d else (designs.PARTIAL.found(f"columns 0 to {r - 1} turn, columns {r} to {d - 1} never do",
                                                    title=f"Partial rotation: {r} of {d} columns."),)  # fmt: skip
    if close(measured, paper(pairs), loose):
        return Law(paper(pairs), part)
    for find in (_power_law, _inverted, _stretched):
        if law := find(measured, r, d, size, loose):
            over_d = any(finding.id == laws.PARTIAL_OVER_D.id for finding in law.findings)
            return replace(law, findings=law.findings if over_d else (*part, *law.findings))
    return None


def _power_law(measured, r, d, size, loose):
    """c · base^(−2k/r), read from the slow half, whose turns are not in doubt."""
    pairs = r // 2
    k = np.arange(pairs)
    slow = k >= pairs // 2 if pairs > 3 else k >= 0
    if (measured[slow] <= 0).any() or (measured[slow] > 3).any() or pairs < 2:
        return None
    weights = 1 / (1 + 1e-7 / measured[slow])
    slope, start = np.polyfit(k[slow], np.log(measured[slow]), 1, w=weights)
    base, factor = np.exp(-slope * pairs), np.exp(start)
    factor, base = _whole(factor), _whole(base)
    for c, b in ((factor, base), (1.0, base), (factor, BASE), (np.exp(start), np.exp(-slope * pairs))):
        rates = c * b ** (-k / pairs)
        if close(measured, rates, loose):
            return Law(rates, laws.name_power_law(c, b, r, d), exact=False)
    return None


def _whole(number):
    """The number, or one of few digits that is as near as the measurement."""
    for digits in (1, 2, 3, 4):
        near = float(f"{number:.{digits}g}")
        if abs(near - number) < 3e-4 * number:
            return near
    inverse = round(1 / number, 2)
    return 1 / inverse if inverse and abs(number * inverse - 1) < 3e-4 else number


def _inverted(measured, r, d, size, loose):
    pairs = r // 2
    for base in (BASE, 1000.0, 100000.0, 500000.0, 1000000.0):
        rates = base ** (np.arange(pairs) / pairs)
        if close(measured, rates, loose):
            evidence = f"pair 1 turns {rates[1]:.4g} radians a step, the last pair {rates[-1]:.4g}"
            evidence += f"; the paper's {1 / rates[-1]:.3g}"
            return Law(rates, (laws.INVERTED.found(evidence),))
    return None


def _stretched(measured, r, d, size, loose):
    if found := designs.stretched(measured, r, size):
        rates, findings, scale = found
        return Law(rates, findings, scale, False) if close(measured, rates, loose * 10) else None
    return None
