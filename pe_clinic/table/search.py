"""Find the fewest mistakes that give the tables that were looked at.

The rates of one table's columns are measured under each layout and each way to count positions. What laws those rates
allow is built, and compared with every table.
"""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..law.exponents import EXPONENTS, NONE, PAPER
from ..law.fit import INVERTED_BASES, power_laws
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
    lost = np.isinf(measured.error).mean()  # half precision loses fast waves
    if lost > (0.8 if coarse and not rare else 0):
        return
    plain = Hypothesis(layout=layout, place=place, zero_row=zero_row, transposed=table.transposed)
    columns = np.flatnonzero(used)
    for exponent in EXPONENTS:
        if rare or not exponent.rare:
            for h in _of_exponent(plain.but(exponent=exponent), measured, columns, (T, d), rare, near):
                if _roughly(h, measured, columns, (T, d), layout.sines(d)[used], 1 / 128 if coarse else 1e-6):
                    yield h


def _of_exponent(plain, measured, columns, size, rare, near):
    """Those that the measured rates allow with one exponent."""
    exponent, turns = plain.exponent, TURNS if rare else TURNS[:1]
    yield plain
    if exponent.mistake is not NONE:
        yield from (plain.but(base=base, inverted=True) for base in INVERTED_BASES[: 1 if exponent.rare else None])
    if rare and exponent is PAPER:
        yield from (plain.but(turn=turn, inverted=True) for turn in turns)
        yield from (plain.but(size_as_base=one, inverted=True) for one in SIZES_AS_BASE)
    power = exponent.formula(columns, size[1], size[0])
    for base, factor in power_laws(measured, power, near, free_base=exponent.mistake is not NONE):
        if exponent.any_base or base in USUAL_BASES or rare:
            for turn in turns:
                if abs(factor / turn.factor(size[0]) - 1) < max(2e-3, 2 * near):
                    yield from _of_base(plain.but(turn=turn), base, size, rare)


def _of_base(plain, base, size, rare):
    if plain.exponent.any_base or base in USUAL_BASES:
        yield plain.but(base=base)
    for one in SIZES_AS_BASE if rare else ():
        if abs(base / one.value(*size) - 1) < 2e-3:
            yield plain.but(size_as_base=one)


def _roughly(h, measured, columns, size, is_sine, rounding):
    """Do the rates agree up to whole turns, within what was lost in the measurement?"""
    T, d = size
    built = h.column_frequencies(d, T)[columns]
    allowed = 3e-3 + 4 * measured.error + rounding * np.abs(built)
    turned = np.angle(np.exp(1j * built))
    turned = np.where(is_sine, turned, np.abs(turned))
    return bool((np.abs(np.angle(np.exp(1j * (turned - measured.values)))) <= allowed).all())
