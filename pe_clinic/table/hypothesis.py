"""A hypothesis is a list of mistakes, precise enough to build the table that they would give.

The diagnosis names a mistake only when the table built from it agrees with the one that was looked at.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..law import exponents, formula
from ..law.exponents import Exponent
from ..law.formula import PAPER_BASE
from . import layouts, places
from .layouts import Layout
from .places import Place


@dataclass(frozen=True)
class Turn:
    """What pos is multiplied by before the frequency is applied, in a table of T rows."""

    name: str
    factor: Callable


NO_TURN = Turn("1", lambda T: 1.0)
THOUSAND = Turn("1000", lambda T: 1000.0)
ROUND = Turn("2π/max_len", lambda T: 2 * np.pi / T)
TURNS = (
    NO_TURN,
    Turn("2π", lambda T: 2 * np.pi),
    Turn("π", lambda T: np.pi),
    Turn("π/180 (degrees)", lambda T: np.pi / 180),
    Turn("180/π", lambda T: 180 / np.pi),
    Turn("2", lambda T: 2.0),
    Turn("1/2", lambda T: 0.5),
    Turn("1/max_len", lambda T: 1 / T),
    Turn("1/(max_len - 1)", lambda T: 1 / (T - 1)),
    ROUND,
    Turn("2π/(max_len - 1)", lambda T: 2 * np.pi / (T - 1)),
    THOUSAND,
)


@dataclass(frozen=True)
class SizeAsBase:
    """A size of the table (T, d) that was taken for the base."""

    name: str
    value: Callable


SIZES_AS_BASE = (SizeAsBase("max_len", lambda T, d: T), SizeAsBase("d_model", lambda T, d: d))


@dataclass(frozen=True)
class Hypothesis:
    """The paper's table, but for the fields that say otherwise."""

    exponent: Exponent = exponents.PAPER
    base: float = PAPER_BASE
    size_as_base: SizeAsBase | None = None
    inverted: bool = False
    layout: Layout = layouts.PAPER
    place: Place = places.FROM_ZERO
    turn: Turn = NO_TURN
    zero_row: bool = False
    transposed: bool = False
    scale: float = 1.0

    def column_frequencies(self, d_model, max_len):
        """Radians per position of each column, in the paper's order of columns."""
        exponent = self.exponent.formula(np.arange(d_model), d_model, max_len)
        base = float(self.size_as_base.value(max_len, d_model)) if self.size_as_base else self.base
        factor = self.turn.factor(max_len) * (self.exponent.times(d_model) if self.exponent.times else 1.0)
        return formula.rates(exponent, base, factor, self.inverted)

    def angles(self, max_len, d_model):
        return formula.angles(self.place.positions(max_len), self.column_frequencies(d_model, max_len))

    def build(self, max_len, d_model):
        """The table (max_len, d_model) that these mistakes give, before any transposition."""
        return self.finish(self.angles(max_len, d_model))

    def finish(self, angles):
        """From the angle of each cell, in the paper's order of columns, to the table."""
        table = self.layout.waves(angles)
        if self.zero_row:
            table[0] = 0
        return self.scale * self.layout.arranged(table)

    def but(self, **changes):
        return replace(self, **changes)
