"""Designs that multiply the position on purpose: times between 0 and 1, numbered residues, waves of two lengths."""

from ..law.exponents import PAPER
from ..law.formula import PAPER_BASE, shown
from ..law.powers import OF_TIMES, THOUSAND


def is_time(h):
    """In halves, as all diffusion models have them, 1000 is the number of their steps; elsewhere it is a mistake."""
    return h.law.turn in (THOUSAND, *OF_TIMES) and h.layout.halves and not h.place.mistake


def is_index(h):
    """Halves of π times the position, as models of proteins number residues; their base is a greatest length."""
    return h.law.turn.name == "π" and h.layout.usual_halves and h.law.exponent is PAPER and not h.place.mistake


def own_base(h):
    """Does the base belong to a design of its own?"""
    return is_wavelengths(h) or is_index(h) or (is_time(h) and h.law.turn in OF_TIMES and h.law.base != PAPER_BASE)


def is_wavelengths(h):
    """Halves whose periods go from 1 to the base, both included: a shortest and a longest wave."""
    return h.layout.usual_halves and h.law.exponent.tensor2tensor and h.law.turn.name == "2π" and not h.place.mistake


def with_base(words, law):
    """``words``, and the base where it is not the paper's."""
    return words if law.base == PAPER_BASE else f"{words}, base {shown(law.base)}"
