"""A wrong table is never called right: ten thousand random changes, and all pairs of known mistakes."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from zoo_tables import MISTAKES, RARE, visible, wrong_table

from pe_clinic import diagnose_table
from pe_clinic.sandbox.traces import Traces
from pe_clinic.saying.catalogue import words_in
from pe_clinic.table import search, words
from pe_clinic.table.hypothesis import PLACES, place_of
from pe_clinic.table.look import LONG, ODD, SHORT, Table, look
from pe_lib import sinusoidal_vectorized

RIGHT = {size: sinusoidal_vectorized(*size) for size in (*SHORT, ODD, *LONG)}


def sign(t, rng):
    j = rng.integers(t.shape[1])
    t[:, j] *= -1


def one_cell(t, rng):
    pos, j = 1 + rng.integers(min(len(t), 5) - 1), rng.integers(t.shape[1])
    t[pos, j] += rng.choice([-1, 1]) * rng.uniform(1e-3, 1)


def column(t, rng):
    """One column becomes a copy of another."""
    a, b = rng.choice(t.shape[1], 2, replace=False)
    t[:, a] = t[:, b]


def frequency(t, rng):
    k = rng.integers(t.shape[1] // 2)
    w = 10000 ** (-2 * k / t.shape[1]) * (1 + rng.choice([-1, 1]) * rng.uniform(0.02, 0.9))
    pos = np.arange(len(t))
    t[:, 2 * k], t[:, 2 * k + 1] = np.sin(pos * w), np.cos(pos * w)


def permutation(t, rng):
    axis = rng.integers(2)
    order = rng.permutation(t.shape[axis])
    while (order == np.arange(len(order))).all():
        order = rng.permutation(len(order))
    t[:] = np.take(t, order, axis=axis)


def scale(t, rng):
    t *= 1 + rng.choice([-1, 1]) * rng.uniform(1e-3, 2)


def shift(t, rng):
    """Positions that begin elsewhere, whole or broken; or a number added to all cells."""
    if rng.random() < 0.5:
        t += rng.choice([-1, 1]) * rng.uniform(1e-3, 1)
    else:
        start = rng.choice([1, 2, -1, 0.5, rng.uniform(0.01, 50)])
        j = np.arange(t.shape[1])
        angle = (np.arange(len(t)) + start)[:, None] / 10000 ** ((j - j % 2) / t.shape[1])
        t[:] = np.where(j % 2, np.cos(angle), np.sin(angle))


def noise(t, rng):
    t += rng.uniform(-1e-3, 1e-3, t.shape)


def one_noise(t, rng):
    t[rng.integers(min(len(t), 5)), rng.integers(t.shape[1])] += rng.choice([-1e-3, 1e-3])


CHANGES = (sign, one_cell, column, frequency, permutation, scale, shift, noise, one_noise)


def changed(change, seed):
    """A right table with one change, the same kind at every size."""

    def function(max_len, d_model):
        table = RIGHT[max_len, d_model].copy()
        change(table, np.random.default_rng(seed))
        return table

    return function


def test_ten_thousand_random_changes_are_never_called_right():
    def asker(function):
        """As for any function, without the guards that these arrays do not need."""
        return lambda T, d, **how: (Table("function", T, d, function(T, d), 2.0**-53), Traces())

    assert look(asker(lambda T, d: RIGHT[T, d])).right
    missed = [
        (CHANGES[n % len(CHANGES)].__name__, n)
        for n in range(10_000)
        if look(asker(changed(CHANGES[n % len(CHANGES)], n))).right
    ]
    print(f"\n10000 random changes, {len(missed)} called right")
    assert missed == []


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_changed_table_gets_a_finding(change):
    for seed in range(6):
        diagnosis = diagnose_table(changed(change, seed))
        assert not diagnosis.ok
        assert diagnosis.findings and all(finding.evidence for finding in diagnosis.findings)
        assert "low-precision" not in [finding.id for finding in diagnosis.findings]


EVERY = [*MISTAKES, *RARE]
UNNAMED = {  # with the reason
    ("doubled-pair", "wrong-base"): "base 1000 and 4k/d are base 1e6: the evidence names both causes",
    ("tensor2tensor", "turned"): "these numbers are a design of their own, with waves of 1 to 10000 positions",
    ("one-wave", "tiled-frequencies"): "all sines, then all sines again: the halves of one wave are these numbers",
}


def named(one, two):
    """Are both named? And never is it called right."""
    diagnosis = diagnose_table(wrong_table(one, two))
    assert not diagnosis.ok, (one, two)
    return {one, two} <= {finding.id for finding in (*diagnosis.findings, *diagnosis.usage)}


@pytest.mark.parametrize("one", EVERY)
def test_both_mistakes_of_a_pair_are_named(one):
    """Of every pair that leaves both to be seen, but for those that are listed with the reason."""
    others = [two for two in EVERY[EVERY.index(one) + 1 :] if visible(one, two)]
    missed = {(one, two) for two in others if not named(one, two)}
    assert missed == {pair for pair in UNNAMED if pair[0] == one}


def test_a_new_mistake_takes_one_entry_and_goes_with_every_other(monkeypatch):
    """Positions that are counted backwards, by CONTRIBUTING's recipe: one entry of mistakes.md."""
    page = words_in("\n## backwards\nCounted backwards.\n- made: rare positions backwards = np.arange(T)[::-1]")
    monkeypatch.setitem(words.MISTAKES, "backwards", page["backwards"])
    monkeypatch.setattr(search, "PLACES", (*PLACES, *map(place_of, page.effects("positions"))))
    hidden = {"starts-at-one", "position-offset", "minus"}  # minus: the sine of the positions that are counted back
    missed = [one for one in EVERY if one not in hidden and visible(one, "backwards") and not named(one, "backwards")]
    assert missed == []


def test_a_variant_of_an_entry_has_what_it_leaves_out_from_the_entry():
    page = words_in("\n## one\nOne.\n- why: so\n- try: this\n- kind: note\n\n## one, twice\nTwo.\n- try: that")
    assert page["one, twice"] == replace(page["one"], id="one, twice", title="Two.", fix="that")


@pytest.mark.parametrize("mistake", [m for m in MISTAKES if m != "low-precision"])
def test_three_mistakes_at_once_are_never_called_right(mistake):
    for one, two in combinations([m for m in MISTAKES if m != mistake], 2):
        if visible(one, two) and visible(mistake, one) and visible(mistake, two) and (len(one) + len(two)) % 5 == 0:
            assert not diagnose_table(wrong_table(mistake, one, two)).ok
