"""benchmarks/claims.py: intervals against known ones, sentences against the lessons, and sabotage that is noticed.

That the claims hold is for `make claims`: it takes minutes.
"""

import math
import sys

import mpmath
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


@pytest.mark.parametrize(
    "right, runs, low, high",  # tables of Clopper and Pearson's interval, 95 %
    [(10, 10, 0.692, 1.0), (9, 10, 0.555, 0.997), (0, 10, 0.0, 0.308), (5, 10, 0.187, 0.813), (1, 1, 0.025, 1.0)],
)
def test_the_interval_of_a_share_is_the_exact_one(claims, right, runs, low, high):
    found = claims.interval_of([True] * right + [np.bool_(False)] * (runs - right))
    assert found == pytest.approx((low, high), abs=6e-4)


@pytest.mark.parametrize("runs", [2, 3, 10, 40])
def test_the_interval_of_a_mean_is_student_s(claims, runs):
    values = np.random.default_rng(runs).normal(3, 2, runs)
    low, high = claims.interval_of(values.tolist())
    assert low + high == pytest.approx(2 * values.mean())
    t = (high - low) / 2 * math.sqrt(runs) / values.std(ddof=1)
    beyond = mpmath.betainc((runs - 1) / 2, 0.5, 0, (runs - 1) / (runs - 1 + t**2), regularized=True) / 2
    assert beyond == pytest.approx(0.025, rel=1e-3)


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


def supported(claims, module, words, seeds):
    claim = next(claim for claim in module.CLAIMS if claim.words.startswith(words))
    return claim.supported_by(claims.interval_of([claim.experiment(seed) for seed in range(seeds)]))


SABOTAGE = {  # sentence: (lesson, seeds, name, what takes its place)
    "Pairs 0, 7, 10 and 13 keep": ("08", 10, "shift_matrix", lambda n, d_model: shift_matrix(-n, d_model)),
    "A toy that cannot tell the sides": (
        "10", 8, "alibi_bias", lambda heads, length: torch.arange(length) * torch.ones(heads, length, 1)
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("words", SABOTAGE)
def test_a_library_that_was_spoiled_is_noticed(claims, monkeypatch, words):
    """A shift that turns the other way, and a bias with a sign."""
    number, seeds, name, spoiled = SABOTAGE[words]
    claims.claims_of(number)
    module = sys.modules[f"claimed.lesson_{number}"]
    assert supported(claims, module, words, seeds)
    monkeypatch.setattr(module, name, spoiled)
    assert not supported(claims, module, words, seeds)
