"""Pairs of columns turned by one law: in a known arrangement, or in an order of their own; a `Model` of either."""

import re
from dataclasses import dataclass

import numpy as np

from ..law.formula import paper
from ..law.half import HALVES
from ..law.law import law_of
from ..saying.catalogue import Finding
from .model import Model, compare_near
from .words import MISTAKES


@dataclass(frozen=True)
class First:
    """What the first positions show: a `Model` to compare the rest with, findings, and conventions that do no harm."""

    model: Model | None
    findings: tuple[Finding, ...] = ()
    conventions: tuple[str, ...] = ()


def named(id, evidence):
    """The `First` of a mistake that leaves no model."""
    return First(None, (MISTAKES.found(id, evidence),))


def explained(near, columns, structure, inward, outward, needs_law):
    """The `First` of pairs in this `Structure`, if they give the matrices that were seen; else None."""
    turned, d = structure.pair >= 0, len(columns.rate)
    known = structure.layout != "other"
    if known:  # what stands before the last column that turns is scaled along with it
        turned = np.arange(d) < 2 * len(structure.rates)
    if not turned.any():  # what turns is no pair
        return None
    factor = columns.size[turned].mean()
    if np.ptp(columns.size[turned]) > 1e-4 * factor:
        return None
    law = law_of(structure.rates, d, factor, 30.0 if inward is not None else 1.0)
    if law is None and (needs_law or (not known and not turned.all())):
        return None
    # So fast that the sign is in doubt: the law tells it.
    rate = structure.spread(law.rates if law else structure.rates) * (-1 if law and law.reversed else 1)
    findings = [MISTAKES.found(structure.mistake, _shape_evidence(columns))] if structure.mistake else []
    findings += law.findings if law else [_of_no_law(structure.rates)]
    if abs(factor / (law.size if law else 1.0) - 1) > 2e-5:
        everywhere = turned.all() or np.allclose(columns.size[~turned], factor, atol=1e-4)
        findings.append(rotation_scaled(factor, d, "every column" if everywhere else "every column that turns"))
    size = np.where(turned, factor, columns.size)
    size[np.abs(size - 1) < 1e-5] = 1.0
    start = _start(columns.phase, rate)
    phase = start * rate if start else columns.phase
    relative = 2e-7 if law and law.exact else 3e-6
    model = Model(structure.partner, rate, phase, size, inward, outward, relative=relative)
    if not compare_near(model, near):
        return None
    return First(model, tuple(findings), _conventions(model, start, structure))


def _conventions(model, start, structure):
    """The order of the columns, the direction, and where positions begin, where they are not the paper's."""
    shifted = ("shifted",) if start else ()
    out = np.zeros(1) if model.outward is None else model.outward
    permutes = (np.isclose(out, 0, atol=1e-5) | np.isclose(out, 1, atol=1e-5)).all()
    if model.inward is not None or start is None or not permutes:
        return "other coordinates", *shifted
    if model.outward is not None or structure.layout == "other":
        order = ("permuted",)
    else:
        order = ("half-split",) if structure.layout == "halves" and not structure.mistake else ()
    firsts = (model.rate != 0) & (np.arange(len(model.rate)) < model.partner)
    return *order, *(("reversed",) if (model.rate[firsts] > 0).all() else ()), *shifted


def _start(phase, rate):
    """The position that position 0 is taken for; 0.0 where it is 0, None where no one position fits all pairs."""
    on = np.abs(rate) > 0
    if np.abs(phase).max() < 1e-5:
        return 0.0
    order = np.argsort(np.abs(rate[on]))
    phases, rates = phase[on][order], rate[on][order]
    start = phases[0] / rates[0]
    for phi, w in zip(phases, rates, strict=True):
        start += np.angle(np.exp(1j * (phi - start * w))) / w
    start = round(start) if abs(start - round(start)) < 1e-3 else start
    return start if np.abs(np.angle(np.exp(1j * (phases - start * rates)))).max() < 1e-4 else None


def rotation_scaled(size, d, which="every column"):
    names = {"√d": d**0.5, "1/√d": d**-0.5, "d^(1/4)": d**0.25, "d^(−1/4)": d**-0.25}
    name = next((f", which is {n} for d = {d}" for n, value in names.items() if abs(size / value - 1) < 1e-4), "")
    return MISTAKES.found("rotation-scaled", f"at position 0 {which} is {size:.4g} times what it should be{name}")


def _shape_evidence(columns):
    """Column by column, at position 1, what the first pair does."""

    def said(j):
        other = f"turned with column {columns.partner[j]}, {columns.rate[j]:+.4g} radians a step"
        return f"column {j} is {other if columns.turned[j] else 'not turned'}"

    return "; ".join(map(said, (0, 1, len(columns.rate) // 2)))


def of_periods(finding, numbers):
    """The design in place of the mistake, where the code holds the period of each pair that is shown."""
    shown = finding.evidence if finding.id == "unknown-frequencies" else ""
    shown = [float(rate) for rate in re.findall(r"([\d.e-]+) \(", shown)]
    periods = {n for rate in shown for n in numbers if abs(rate * n / (2 * np.pi) - 1) < 1e-3}
    if len(shown) < 4 or len(periods) < len(shown):
        return finding
    own = ", ".join(f"{n:g}" for n in sorted(periods))
    return MISTAKES.found("own-periods", f"{finding.evidence}; in the code stand {own}")


def _of_no_law(rates):
    """The paper's rates may be rounded, to numbers of half precision."""
    exact = paper(len(rates))
    near = [half for half in HALVES if np.allclose(rates, exact, rtol=2 * half.rounding, atol=0)]  # of several steps
    some = np.flatnonzero(np.abs(rates / paper(len(rates)) - 1) > 1e-3)
    if not near and len(some) < len(rates) // 2:
        shown = ", ".join(f"{rates[k]:.4g} (pair {k}; {paper(len(rates))[k]:.4g} in the paper)" for k in some[:4])
        said = f"radians a step: {shown}; the other pairs agree"
        return MISTAKES.found("unknown-frequencies, some", said, link="")  # that of a buffer that was never filled
    return MISTAKES.found("half-frequencies" if near else "unknown-frequencies", _rates(rates))


def _rates(rates):
    expected = paper(len(rates))
    shown = [f"{rate:.4g} ({want:.4g} in the paper)" for rate, want in list(zip(rates, expected, strict=True))[:4]]
    return "radians a step, pair by pair: " + ", ".join(shown) + (", …" if len(rates) > 4 else "")
