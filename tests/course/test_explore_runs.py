"""The explorers of lessons 07 and 10: what they show was measured, and what they say of it is true."""

import json

import explorer_runs
import numpy as np
import pytest
from programs import computed

from pe_course.explore.widget import source
from pe_lib import frequencies

RUNS = computed(source("training"), "RUNS")
SCORES = computed(source("longer"), "SCORES")


def test_attention_at_every_step_is_shares():
    names = json.dumps([*RUNS])
    shares = computed(source("training"), f"{names}.map((name) => [0, 144, 300].map((at) => attentionAt(name, at)))")
    shares = np.array(shares)
    assert shares.shape == (len(RUNS), 3, 12, 12) and (shares >= 0).all()
    assert np.allclose(shares.sum(axis=3), 1, atol=12 / 126)  # each is rounded to one of 64


def test_with_a_table_the_toy_learns_to_reverse_and_without_it_does_not_and_it_says_so():
    assert RUNS["none"]["right"][-1] < 0.35 and RUNS["the paper's"]["right"][-1] > 0.95
    found = {name: computed(source("training"), f"found(attentionAt({json.dumps(name)}, 300))") for name in RUNS}
    assert found["the paper's"] >= 10 and found["none"] <= 4
    assert RUNS["doubled exponent"]["right"][-1] > 0.9, "a wrong exponent does not stop it: the question's answer"
    run = RUNS["the paper's"]
    said = computed(source("training"), 'seen({ encoding: "the paper\'s", step: 120 })')
    right = round(100 * run["right"][10])
    assert said.startswith(f"Step 120, the paper's: loss {run['loss'][10]:.2f}, {right} % right.")


@pytest.mark.slow
def test_runs_are_those_that_the_tool_makes():
    """Another processor may round otherwise: the losses agree at the beginning, and the end is as good."""
    again = explorer_runs.watched(explorer_runs.adding(10000.0))
    stored = RUNS["the paper's"]
    assert np.allclose(again["loss"][:8], stored["loss"][:8], atol=0.05) and again["right"][-1] > 0.95
    assert len(again["attention"]) == len(stored["attention"]) == len(stored["loss"])


@pytest.mark.parametrize("length", [8, 16, 17, 40, 64])
def test_the_pairs_that_break_are_those_with_new_angles(length):
    """A pair that went round in training has met every angle."""
    seen, now = 15 * frequencies(8), (length - 1) * frequencies(8)
    expected = [k for k in range(4) if seen[k] < 2 * np.pi and now[k] > seen[k]]
    assert computed(source("longer"), f"breaking({length})") == expected
    assert (expected == []) == (length <= 16)


def test_scores_are_read_between_the_lengths_and_what_holds_beyond_training_is_what_lesson_10_finds():
    lengths = computed(source("longer"), "LENGTHS")
    for name, scores in SCORES.items():
        *measured, between = computed(source("longer"), f"[...LENGTHS, 18].map((n) => scoreAt({json.dumps(name)}, n))")
        assert measured == pytest.approx(scores)
        assert between == pytest.approx(np.interp(18, lengths, scores), abs=1e-12)
    at_64 = {name: scores[-1] for name, scores in SCORES.items()}
    assert at_64["ALiBi"] > 0.9 and max(at_64["learned"], at_64["sinusoidal"]) < 0.6
    assert all(scores[2] > 0.9 for name, scores in SCORES.items() if name != "none")
