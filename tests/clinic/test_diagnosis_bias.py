"""ALiBi: right in any style, each mistake with its own name, nothing wrong called right."""

import numpy as np
import pytest
import torch
from test_zoo import ZOO, made, mistakes_of, with_both

from pe_clinic import diagnose_alibi
from pe_lib import alibi_bias

TEXT = "slopes by the paper's text"


def plain(heads, length):
    """With slopes by the paper's text, for any number of heads."""
    at = torch.arange(length)
    return -(2.0 ** (-8 * torch.arange(1, heads + 1) / heads))[:, None, None] * (at[:, None] - at).abs()


def test_the_course_s_own_bias_is_right():
    assert diagnose_alibi(alibi_bias).ok


RIGHT = [case for page, case in ZOO.values() if page == "biases" and case.expected == "right"]


@pytest.mark.parametrize("case", RIGHT, ids=lambda case: case.name)
def test_right_means_the_attention_of_the_paper(case, tmp_path):
    """The oracle: causal softmax of random scores plus the bias, against the slopes and distances of the paper."""
    heads, length = 12, 7
    scores = torch.randn(heads, length, length, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    hidden = torch.ones(length, length, dtype=torch.bool).triu(1)

    def attention(bias):
        return (scores + torch.as_tensor(bias).double()).masked_fill(hidden, -torch.inf).softmax(-1)

    sizes = (length, heads) if case.target == "length_first" else (heads, length)
    given = made(case, tmp_path)(*sizes)
    given = given.permute(2, 0, 1) if "heads last" in case.says[0] else given
    of_text = [2 ** (-8 * h / 12) for h in range(1, 13)]
    of_code = [2.0**-h for h in range(1, 9)] + [2 ** -(h - 0.5) for h in range(1, 5)]
    rule = of_text if TEXT in case.says[0] else of_code
    paper = [[[-m * (i - j) for j in range(7)] for i in range(7)] for m in rule]
    assert torch.allclose(attention(given), attention(paper), atol=1e-2 if len(case.says) > 1 else 1e-6)


# Mistakes of one group take the same place in the formula: only one of them can be made.
GROUPS = (
    ("slopes-from-one", "one-slope", "halving-slopes", "other-slopes"),
    ("squared-distance", "root-distance", "logarithm-of-distance", "distance-off-by-one", "half-distance"),
    ("bias-sign",),
    ("bias-scaled", "divided-by-length-of-text"),
    ("exponential-bias",),
    ("zero-beyond-window", "clipped-distance"),
)
ALL = [mistake for group in GROUPS for mistake in group]
SAME_NUMBERS = "slopes of no rule, times a number, are slopes of no rule"
TOO_FAR = "e to the power of far costs is 0 in any dtype: only near keys are read"
UNNAMED = {  # with the reason
    ("one-slope", "bias-scaled"): SAME_NUMBERS,
    ("other-slopes", "bias-scaled"): SAME_NUMBERS,
    ("halving-slopes", "bias-scaled"): "1, 1/2, 1/4, … are the slopes of a rule that begins elsewhere",
    ("half-distance", "zero-beyond-window"): "bfloat16 rounds distances from 257 on, and the window ends before",
    ("half-distance", "clipped-distance"): "bfloat16 rounds distances from 257 on, and the window ends before",
    ("half-distance", "exponential-bias"): TOO_FAR,
    ("exponential-bias", "zero-beyond-window"): TOO_FAR,
    ("exponential-bias", "clipped-distance"): TOO_FAR,
}


WRONG = mistakes_of("bias_pairs")


@pytest.mark.long
@pytest.mark.parametrize("one", ALL)
def test_both_mistakes_of_a_pair_are_named(one, tmp_path):
    """Of every pair that can be made, but for those that are listed with the reason."""
    missed = set()
    for two in ALL[ALL.index(one) + 1 :]:
        if not any({one, two} <= {*group} for group in GROUPS):
            diagnosis = diagnose_alibi(made(with_both(WRONG[one], WRONG[two]), tmp_path))
            assert not diagnosis.ok, (one, two)
            missed |= set() if {one, two} <= {finding.id for finding in diagnosis.findings} else {(one, two)}
    assert missed == {pair for pair in UNNAMED if pair[0] == one}


def test_another_rule_for_the_slopes_is_right_only_where_it_is_expected():
    assert diagnose_alibi(plain, expect=TEXT).ok and not diagnose_alibi(alibi_bias, expect=TEXT).ok
    assert "paper's text" in diagnose_alibi(plain).verdict.line


@pytest.mark.slow
def test_random_changes_are_never_called_right():
    """One number of the slopes, of one cell that a query sees, or of one key's whole column is changed."""
    rng = np.random.default_rng(0)

    def changed(kind, amount, where):
        def bias(heads, length):
            b = np.array(alibi_bias(heads, length), dtype=np.float64)
            if kind == 0:
                b[where % heads] *= 1 + amount
            elif kind == 1 and length > 2:
                b[where % heads, -1, where % (length - 1)] += amount
            elif length > 2:
                b[:, :, where % (length - 1)] += amount
            return b

        return bias

    missed = [
        (kind, amount)
        for kind in range(3)
        for amount in rng.uniform(1e-3, 1, 5) * rng.choice([-1, 1], 5)
        if diagnose_alibi(changed(kind, amount, int(rng.integers(100)))).ok
    ]
    assert missed == []


def test_a_bias_that_is_filled_number_by_number_is_not_asked_for_millions():
    lengths = []

    def bias(heads, length):
        lengths.append(length)
        filled = torch.zeros(heads, length, length)
        for head, query, key in np.ndindex(*filled.shape):
            filled[head, query, key] = (key - query) * 2.0 ** (-8 * (head + 1) / heads)
        return filled

    assert diagnose_alibi(bias).ok
    assert max(lengths) == 260
