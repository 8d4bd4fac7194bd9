"""By which law do the pairs turn? Base, exponent, a factor, a scaling; each candidate is built and compared."""

from dataclasses import dataclass, replace

import numpy as np

from ..saying.catalogue import Finding
from .fit import Rates, same_turns
from .formula import PAPER_BASE, paper, rates, short, shown
from .mistakes import convention_of, found
from .naming import name_partial, name_power_law
from .powers import of_pairs
from .scaling import long_rope, stretched


@dataclass(frozen=True)
class Law:
    """The law of pairs: ``factor`` · ``base``^(∓2k / ``width``), and what was done to it.

    rates        the exact rate of each pair, in radians per position; 0 for a pair that does not turn
    partial      (turned columns, head_dim) where fewer columns turn
    size         what the law itself multiplies lengths by, as YaRN's does
    exact        False where the rates are as exact as the measurement only
    """

    rates: np.ndarray
    width: int
    base: float = PAPER_BASE
    factor: float = 1.0
    partial: tuple[int, int] | None = None
    reversed: bool = False
    findings: tuple[Finding, ...] = ()
    size: float = 1.0
    exact: bool = True

    @property
    def words(self) -> tuple[str, ...]:
        """The designs as `.convention` names them: "base 500000", "partial 16 of 64"."""
        return tuple(convention_of(finding) for finding in self.findings if finding.kind == "convention")

    @property
    def mistakes(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.kind == "mistake")


def law_of(measured, head_dim=None, size=1.0, loose=1.0) -> Law | None:
    """The `Law` of the measured rates of k pairs, radians per position, known up to whole turns; None when none fits.

    ``head_dim`` is 2k unless other columns never turn. Pairs at the end with rate 0 do not turn. ``size`` is by how
    much lengths grow: YaRN does that on purpose. ``loose`` widens what is tolerated.

    >>> law_of(500000.0 ** (-np.arange(32) / 32)).words
    ('base 500000',)
    """
    measured = np.asarray(measured, dtype=np.float64)
    turned = int((measured != 0).sum())
    head_dim = head_dim or 2 * len(measured)
    if not turned or not measured[:turned].all():
        return None
    padded = turned < len(measured)  # the table has a place for every pair, and the last ones are 0
    for direction in (1, -1):
        if law := _of_turned(direction * measured[:turned], head_dim, padded, size, loose):
            rest = np.zeros(len(measured) - turned)
            return replace(law, rates=np.concatenate([law.rates, rest]), reversed=direction < 0)
    return None


def _of_turned(measured, head_dim, padded, size, loose):
    """The law of pairs that all turn, the positive way, in a head that may have more columns."""
    r = 2 * len(measured)
    part = (r, head_dim) if r < head_dim else None
    known = Law(paper(r // 2), r, partial=part)
    if close(measured, known.rates, loose):
        return replace(known, findings=name_partial(known, padded))
    for find in (_brackets, _power_law, _stretched, _shared) if r > 2 else ():
        if law := find(known, measured, size, loose, padded):
            return law
    return None


def close(measured, built, loose=1.0):
    """Do measured rates, known up to whole turns, agree with built ones?"""
    return same_turns(measured, built, loose * (3e-7 + 4e-6 * np.abs(built)))


def _power_law(known, measured, size, loose, padded):
    """factor · base^(∓2k/r), from the rates whose turns are not in doubt."""
    exponents = np.arange(len(measured)) / len(measured)
    for base, factor, inverted in of_pairs(Rates(measured, 1e-7 + 1e-6 * np.abs(measured))):
        built = rates(exponents, base, factor, inverted)
        if close(measured, built, loose):
            law = replace(known, rates=built, base=base, factor=factor, exact=inverted)
            return _inverted(law, padded) if inverted else name_power_law(law, padded)
    return None


def _brackets(known, measured, size, loose, padded):
    """d / base^2k or 1 / (d · base^2k) in place of base^(−2k / d): from pair 1 on nearly nothing turns."""
    d = known.partial[1] if known.partial else known.width
    for factor in (float(d), 1 / d):
        base = short((factor / abs(measured[1])) ** 0.5, 3e-4)
        built = rates(2 * np.arange(len(measured)), base, factor)
        if same_turns(measured, built, 1e-9 + 4e-6 * np.abs(built)):
            said = f"pair 0 turns {built[0]:.4g} radians a step, pair 1 {built[1]:.3g}"
            said += "" if base == PAPER_BASE else f", of base {shown(base)}"
            brackets = found("exponent-brackets", said)
            return replace(known, rates=built, base=base, factor=factor, partial=None, findings=(brackets,))
    return None


def _shared(known, measured, size, loose, padded):
    """A right law of half as many frequencies, each of which serves two pairs: neighbours, or one of each half."""
    n = len(measured) // 2
    for one, spread in ((measured[::2], lambda w: np.repeat(w, 2)), (measured[:n], lambda w: np.tile(w, 2))):
        alike = n > 1 and 2 * n == len(measured) and close(measured, spread(one), loose)
        law = _of_turned(one, 2 * n, False, size, loose) if alike else None
        if law and not law.mistakes and all(finding.id != "frequencies-shared" for finding in law.findings):
            said = f"radians a step: {', '.join(f'{rate:.4g}' for rate in measured[:4])}, …"
            shared = found("frequencies-shared", said, title=f"{n} frequencies for {2 * n} pairs.")
            findings = (*name_partial(known, padded), *law.findings, shared)
            return replace(law, rates=spread(law.rates), width=known.width, partial=known.partial, findings=findings)
    return None


def _inverted(law, padded):
    said = f"pair 1 turns {law.rates[1]:.4g} radians a step, the last pair {law.rates[-1]:.4g}"
    said += f"; the paper's {paper(len(law.rates))[-1]:.3g}"
    return replace(law, findings=(*name_partial(law, padded), found("not-inverted", said)))


def _stretched(known, measured, size, loose, padded):
    scaling = stretched(measured, size) or long_rope(measured, size)
    if scaling is None or not close(measured, scaling.rates, 10 * loose):
        return None
    findings = (*name_partial(known, padded), *scaling.findings)
    return replace(known, rates=scaling.rates, base=scaling.base, size=scaling.size, exact=False, findings=findings)
