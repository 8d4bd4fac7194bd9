"""Find the fewest mistakes that give the tables that were looked at.

The rates of one table's columns are measured under each layout and each way to count positions. What laws those rates
allow is built, and compared with every table.
"""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..law.exponents import EXPONENTS, NONE
from ..law.fit import INVERTED_BASES, power_laws
from ..law.formula import PAPER_BASE
from .fitting import fits, surely
from .hypothesis import SIZES_AS_BASE, TURNS, Hypothesis
from .layouts import LAYOUTS
from .measure import measure
from .naming import parts
from .places import PLACES

USUAL_BASES = (*INVERTED_BASES, 1e7)
COARSE = 0.02  # by how much half precision may move a cell at the first positions


@dataclass(frozen=True)
class Match:
    """A hypothesis that agrees with every table, and the factor of each table."""

    hypothesis: Hypothesis
    scales: tuple[float, ...]

    def but(self, **changes):
        """The same with another hypothesis."""
        return replace(self, hypothesis=self.hypothesis.but(**changes))


def search(tables):
    """The cheapest `Match` for all ``tables``, or None: of the common mistakes, or else of the rare ones."""
    if not all(table.values.any() for table in tables):
        return None
    widest = max(tables, key=lambda table: table.values.shape[1])
    for rare in (False, True):
        matches = [match for h in candidates(widest, rare) if (match := verify(h, tables))]
        if matches:
            return min(matches, key=lambda match: cost(match.hypothesis))
    return None


def cost(hypothesis):
    """How many mistakes it takes; among equals the usual bases and the common exponents first."""
    unusual = hypothesis.base not in USUAL_BASES
    return len(parts(hypothesis)), unusual, EXPONENTS.index(hypothesis.exponent), PLACES.index(hypothesis.place)


def verify(hypothesis, tables):
    """The `Match` of ``hypothesis`` when it gives every one of ``tables``, else None."""
    scales = []
    for table in tables:
        scale = fits(hypothesis, table)
        if scale is None or not surely(hypothesis, table):
            return None
        scales.append(scale)
    return Match(hypothesis.but(scale=scales[0]), tuple(scales))


def candidates(table, rare=False, coarse=False):
    """Hypotheses whose rates are those of ``table``; ``coarse`` allows for angles in half precision."""
    for layout, place in product(LAYOUTS, PLACES):
        if rare or not (layout.rare or place.rare):
            yield from _of_one_order(table, layout, place, rare, coarse)


def _of_one_order(table, layout, place, rare, coarse):
    """Those of one layout and one way to count positions."""
    T, d = table.max_len, table.values.shape[1]
    zero_row = bool(len(table.values) > 1 and np.abs(table.values[0]).max() < 1e-6)
    values, positions = layout.in_turn(table.values)[zero_row:], place.positions(T)[zero_row:]
    used = layout.waving(d)
    if len(values) < 3 or not used.any():
        return
    noise = COARSE if coarse else 2e-5 + table.rounding
    near = 3e-4 if noise < 1e-4 else 5e-3
    measured = measure(values[:, used] * layout.signs(d)[used], positions, layout.sines(d)[used], noise)
    if measured is None:
        return
    plain = Hypothesis(layout=layout, place=place, zero_row=zero_row, transposed=table.transposed)
    columns = np.flatnonzero(used)
    for exponent in EXPONENTS:
        if rare or not exponent.rare:
            for h in _of_exponent(plain.but(exponent=exponent), measured, columns, (T, d), rare, near):
                if _roughly(h, measured, columns, (T, d), layout.sines(d)[used]):
                    yield h


def _of_exponent(plain, measured, columns, size, rare, near):
    """Those that the measured rates allow with one exponent."""
    T, d = size
    exponent, power = plain.exponent, plain.exponent.formula(columns, d, T)
    yield plain
    if exponent.mistake is NONE or exponent.rare:
        tried = ((PAPER_BASE, factor) for _, factor in power_laws(measured, power, free_base=False))
    else:
        tried = power_laws(measured, power, near)
        yield from (plain.but(base=base, inverted=True) for base in INVERTED_BASES)
    for base, factor in tried:
        if not exponent.any_base and base not in USUAL_BASES:
            continue
        for turn in TURNS if rare else TURNS[:1]:
            if abs(factor / turn.factor(T) - 1) < 2e-3:
                h = plain.but(base=base, turn=turn)
                yield h
                yield from (
                    h.but(base=PAPER_BASE, size_as_base=size_as)
                    for size_as in SIZES_AS_BASE
                    if rare and abs(base / size_as.value(T, d) - 1) < 2e-3
                )


def _roughly(h, measured, columns, size, is_sine):
    """Do the rates agree up to whole turns, within what was lost in the measurement?"""
    T, d = size
    built = h.column_frequencies(d, T)[columns]
    allowed = 3e-3 + 4 * measured.error + 1e-6 * np.abs(built)
    turned = np.angle(np.exp(1j * built))
    turned = np.where(is_sine, turned, np.abs(turned))
    return bool((np.abs(np.angle(np.exp(1j * (turned - measured.values)))) <= allowed).all())
