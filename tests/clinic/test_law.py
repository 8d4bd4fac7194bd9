"""The law of frequencies: what was built by mpmath, with any base and any exponent of the catalogue, is offered."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pe_clinic.law.fit import Rates
from pe_clinic.law.formula import EXPONENTS, PAPER
from pe_clinic.law.law import law_of
from pe_clinic.law.powers import TURNS, laws_of

T, D = 9, 16


def built(base, exponents, factor=1.0):
    return np.array([float(mpmath.mpf(factor) * mpmath.power(base, -mpmath.mpf(float(e)))) for e in exponents])


def offered(rates, rare=False):
    """Does any law that is offered give these very rates?"""
    measured = Rates(np.angle(np.exp(1j * rates)), np.full(D, 1e-8))
    laws = laws_of(measured, np.arange(D), (T, D), rare)
    return any(np.allclose(law.rates(np.arange(D), (T, D)), rates, rtol=1e-5) for law in laws)


@pytest.mark.parametrize("exponent", EXPONENTS, ids=lambda exponent: exponent.name)
def test_every_exponent_is_offered(exponent):
    assert offered(built(10000, exponent.formula(np.arange(D), D, T), exponent.times(D)), exponent.rare)


@settings(max_examples=60, deadline=None)
@given(base=st.floats(2, 1e7), factor=st.floats(0.01, 3))
def test_any_base_and_any_factor_are_offered(base, factor):
    exponents = PAPER.formula(np.arange(D), D, T)
    assert offered(built(base, exponents))
    assert offered(built(base, exponents, factor), rare=True)


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn.name)
def test_every_named_factor_is_offered_by_its_name(turn):
    rates = built(10000, PAPER.formula(np.arange(D), D, T), turn.factor(T))
    measured = Rates(np.angle(np.exp(1j * rates)), np.full(D, 1e-8))
    laws = [law for law in laws_of(measured, np.arange(D), (T, D), rare=True) if law.exponent is PAPER]
    assert turn in [law.turn for law in laws if law.base == 10000 and not law.inverted]


def test_rates_of_chance_are_given_no_law():
    rates = np.random.default_rng(0).uniform(0.1, 3, 32)
    assert law_of(rates) is None
    assert list(laws_of(Rates(rates[:D], np.full(D, 1e-8)), np.arange(D), (T, D), rare=True)) == []


@pytest.mark.parametrize("base, inverted", [(10000.0, False), (500000.0, False), (10000.0, True), (1000.0, True)])
def test_the_law_of_pairs_gives_their_rates(base, inverted):
    pairs = np.arange(32) / 32
    law = law_of(built(base, -pairs if inverted else pairs))
    assert np.allclose(law.rates, built(base, -pairs if inverted else pairs), rtol=1e-6)
    assert ["not-inverted"] * inverted == [finding.id for finding in law.mistakes]
