"""benchmarks/claims.py: intervals against known ones, sentences against the lessons, and sabotage that is noticed.

That the claims hold is for `make claims`: it takes minutes.
"""

import math
import sys

import numpy as np
import pytest
import torch
from course import ROOT

from pe_lib import shift_matrix

BENCHMARKS = ROOT / "benchmarks"


@pytest.fixture
def claims(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    import claims

    return claims


@pytest.fixture
def lesson(claims):
    """A lesson's module, its trained toys forgotten before and after."""
    opened = []

    def module(number):
        claims.claims_of(number)
        opened.append(sys.modules[f"claimed.lesson_{number}"])
        forget(opened[-1])
        return opened[-1]

    yield module
    for each in opened:
        forget(each)


def forget(module):
    for value in vars(module).values():
        if hasattr(value, "cache_clear"):
            value.cache_clear()


# Intervals


@pytest.mark.parametrize(
    "right, runs, low, high",  # tables of Clopper and Pearson's interval, 95 %
    [(10, 10, 0.692, 1.0), (9, 10, 0.555, 0.997), (0, 10, 0.0, 0.308), (5, 10, 0.187, 0.813), (1, 1, 0.025, 1.0)],
)
def test_the_interval_of_a_share_is_the_exact_one(claims, right, runs, low, high):
    found = claims.interval_of([True] * right + [np.bool_(False)] * (runs - right))
    assert found == pytest.approx((low, high), abs=6e-4)


def test_the_interval_of_a_mean_is_near_the_normal_one_and_the_same_each_time(claims):
    values = np.random.default_rng(0).normal(3.0, 2.0, 200)
    low, high = claims.interval_of(values.tolist())
    half = 1.96 * values.std() / math.sqrt(200)
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=0.03)
    assert (low, high) == claims.interval_of(values.tolist())


# Sentences


def test_every_sentence_stands_in_its_lesson_and_is_bound_once(claims):
    for number in claims.LESSONS:
        text, words = claims.text_of(number), [claim.words for claim in claims.claims_of(number)]
        assert [each for each in words if each not in text] == []
        assert len(set(words)) == len(words)


def test_a_sentence_that_was_changed_or_is_not_supported_is_told_and_the_others_are_not(claims, monkeypatch):
    from claimed.claim import Claim

    always = lambda seed: True  # noqa: E731
    made = [Claim("It holds.", always), Claim("It fails.", lambda seed: seed > 0), Claim("Gone.", always)]
    monkeypatch.setattr(claims, "claims_of", lambda number: made)
    monkeypatch.setattr(claims, "text_of", lambda number: "It holds. It fails.")
    lines = list(claims.table(["07"], seeds=10))
    assert [supported for supported, _ in lines] == [True, False, False]
    assert "NOT SUPPORTED" in lines[1][1] and "NOT IN THE LESSON" in lines[2][1]


# Sabotage


def supported(claims, module, words, seeds):
    claim = next(claim for claim in module.CLAIMS if claim.words.startswith(words))
    return claim.supported_by(claims.interval_of([claim.experiment(seed) for seed in range(seeds)]))


@pytest.mark.slow
def test_rows_in_the_right_place_are_noticed(claims, lesson, monkeypatch):
    """Lesson 07: one row for all tokens of a sequence teaches nothing about order. Rows of their own do."""
    module = lesson("07")
    monkeypatch.setattr(module, "STEPS", 150)
    words = "Both stay at 0.3."
    assert supported(claims, module, words, seeds=3)
    forget(module)
    monkeypatch.setitem(module.ENCODINGS, "batch axis", lambda seed: lambda x: x + module.ROWS[: x.shape[1]])
    assert not supported(claims, module, words, seeds=3)


@pytest.mark.slow
def test_a_shift_that_turns_the_other_way_is_noticed(claims, lesson, monkeypatch):
    module = lesson("08")
    words = "Pairs 0, 7, 10 and 13 keep"
    assert supported(claims, module, words, seeds=10)
    monkeypatch.setattr(module, "shift_matrix", lambda n, d_model: shift_matrix(-n, d_model))
    assert not supported(claims, module, words, seeds=10)


@pytest.mark.slow
def test_a_bias_with_a_sign_is_noticed(claims, lesson, monkeypatch):
    module = lesson("10")
    words = "If it cannot tell the sides"
    assert supported(claims, module, words, seeds=8)
    monkeypatch.setattr(module, "alibi_bias", lambda heads, length: torch.arange(length) * torch.ones(heads, length, 1))
    assert not supported(claims, module, words, seeds=8)
