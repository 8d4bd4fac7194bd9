"""A hypothesis is a law and what else was done, precise enough to build the table that they would give.

The diagnosis names a mistake only when the table built from it agrees with the one that was looked at.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..law import formula
from ..law.formula import PAPER, PAPER_BASE
from ..law.powers import OF_TIMES, PAPERS, THOUSAND, Power
from . import layouts
from .layouts import Layout
from .words import MISTAKES


@dataclass(frozen=True)
class Place:
    """``positions(T)``: the positions of T rows, one apart. A ``rare`` one is tried only when no other fits."""

    name: str
    positions: Callable
    mistake: str = ""  # its id in mistakes.md
    rare: bool = False


def place_of(effect):
    """The `Place` of ``- made: positions NAME = FORMULA of T``."""
    return Place(effect.name, effect.function("T", np=np), effect.id, effect.rare)


FROM_ZERO = Place("from 0", np.arange)
PLACES = (FROM_ZERO, *map(place_of, MISTAKES.effects("positions")))


@dataclass(frozen=True)
class Hypothesis:
    """The paper's table, but for the fields that say otherwise."""

    law: Power = PAPERS
    layout: Layout = layouts.PAPER
    place: Place = FROM_ZERO
    zero_row: bool = False
    transposed: bool = False
    scale: float = 1.0

    @property
    def is_time(self):
        """In halves, as diffusion models have them, 1000 is the number of their steps; elsewhere it is a mistake."""
        return self.law.turn in (THOUSAND, *OF_TIMES) and self.layout.halves and not self.place.mistake

    @property
    def is_index(self):
        """Halves of π times the position, as models of proteins number residues; their base is a greatest length."""
        return self._usual_halves and self.law.turn.name == "π" and self.law.exponent is PAPER

    @property
    def is_wavelengths(self):
        """Halves whose periods go from 1 to the base, both included: a shortest and a longest wave."""
        return self._usual_halves and self.law.turn.name == "2π" and self.law.exponent.tensor2tensor

    @property
    def _usual_halves(self):
        return self.layout.usual_halves and not self.place.mistake

    @property
    def has_own_base(self):
        """Does the base belong to a design of its own?"""
        times = self.is_time and self.law.turn in OF_TIMES and self.law.base != PAPER_BASE
        return self.is_wavelengths or self.is_index or times

    def rates(self, max_len, d_model):
        """Radians per position of each column, in the paper's order of columns."""
        return self.law.rates(np.arange(d_model), (max_len, d_model))

    def angles(self, max_len, d_model):
        return formula.angles(self.place.positions(max_len), self.rates(max_len, d_model))

    def build(self, max_len, d_model):
        """The table (max_len, d_model) that these mistakes give, before any transposition."""
        table = self.layout.waves(self.angles(max_len, d_model))
        if self.zero_row:
            table[0] = 0
        return self.scale * self.layout.arranged(table)
