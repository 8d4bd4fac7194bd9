"""ALiBi: right in any style, each mistake with its own name, nothing wrong called right."""

import numpy as np
import pytest
import torch
from zoo_biases import GROUPS, HALF, RIGHT, TEXT, WRONG, plain, slopes, symmetric, with_slopes, wrong_bias

from pe_clinic import diagnose_alibi
from pe_lib import alibi_bias


def ids(diagnosis):
    return [finding.id for finding in diagnosis.findings]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", RIGHT)
def test_right_biases_are_right(name):
    bias, convention = RIGHT[name]
    diagnosis = diagnose_alibi(bias)
    assert diagnosis.ok, diagnosis
    assert diagnosis.convention == convention
    assert ids(diagnosis) == ([HALF[name]] if name in HALF else []) and all(
        f.kind == "note" for f in diagnosis.findings
    )


def test_the_course_s_own_bias_is_right():
    assert diagnose_alibi(alibi_bias).ok


@pytest.mark.parametrize("mistake, n", [(mistake, n) for mistake, makers in WRONG.items() for n in range(len(makers))])
def test_each_mistake_is_named_and_no_other(mistake, n):
    diagnosis = diagnose_alibi(WRONG[mistake][n])
    assert not diagnosis.ok and ids(diagnosis) == [mistake], diagnosis
    finding = diagnosis.findings[0]
    assert finding.title and any(character.isdigit() for character in finding.evidence) and finding.fix


@pytest.mark.parametrize("name", RIGHT)
def test_right_means_the_attention_of_the_paper(name):
    """The oracle: causal softmax of random scores plus the bias, against the slopes and distances of the paper."""
    heads, length = 12, 7
    scores = torch.randn(heads, length, length, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    hidden = torch.ones(length, length, dtype=torch.bool).triu(1)

    def attention(bias):
        return (scores + torch.as_tensor(bias).double()).masked_fill(hidden, -torch.inf).softmax(-1)

    if name == "length first":
        heads, length = length, heads
    given = RIGHT[name][0](heads, length)
    given = given.permute(2, 0, 1) if name == "heads last" else given
    rule = [2 ** (-8 * h / 12) for h in range(1, 13)] if TEXT in (RIGHT[name][1] or "") else slopes(12).tolist()
    paper = [[[-m * (i - j) for j in range(7)] for i in range(7)] for m in rule]
    assert torch.allclose(attention(given), attention(paper), atol=1e-2 if name in HALF else 1e-6)


def test_two_mistakes_are_both_named():
    both = diagnose_alibi(lambda heads, length: -with_slopes(plain)(heads, length) / 8)
    assert not both.ok and set(ids(both)) == {"plain-slopes", "bias-sign", "bias-scaled"}


ALL = [mistake for group in GROUPS for mistake in group]
SAME_NUMBERS = "slopes of no rule, times a number, are slopes of no rule"
TOO_FAR = "e to the power of far costs is 0 in any dtype: only near keys are read"
UNNAMED = {  # with the reason
    ("one-slope", "bias-scaled"): SAME_NUMBERS,
    ("other-slopes", "bias-scaled"): SAME_NUMBERS,
    ("half-distance", "zero-beyond-window"): "bfloat16 rounds distances from 257 on, and the window ends before",
    ("half-distance", "clipped-distance"): "bfloat16 rounds distances from 257 on, and the window ends before",
    ("half-distance", "exponential-bias"): TOO_FAR,
    ("exponential-bias", "zero-beyond-window"): TOO_FAR,
    ("exponential-bias", "clipped-distance"): TOO_FAR,
}


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.parametrize("one", ALL)
def test_a_mistake_of_the_pairs_is_named(one):
    assert ids(diagnose_alibi(wrong_bias(one))) == [one]


@pytest.mark.long
@pytest.mark.parametrize("one", ALL)
def test_both_mistakes_of_a_pair_are_named(one):
    """Of every pair that can be made, but for those that are listed with the reason."""
    missed = set()
    for two in ALL[ALL.index(one) + 1 :]:
        if not any({one, two} <= {*group} for group in GROUPS):
            diagnosis = diagnose_alibi(wrong_bias(one, two))
            assert not diagnosis.ok, (one, two)
            missed |= set() if {one, two} <= {*ids(diagnosis)} else {(one, two)}
    assert missed == {pair for pair in UNNAMED if pair[0] == one}


def test_another_rule_for_the_slopes_is_right_only_where_it_is_expected():
    bias = with_slopes(plain)
    assert diagnose_alibi(bias, expect=TEXT).ok and not diagnose_alibi(symmetric, expect=TEXT).ok
    assert "paper's text" in diagnose_alibi(bias).verdict.line


@pytest.mark.slow
def test_random_changes_are_never_called_right():
    """One number of the slopes, of one cell that a query sees, or of one key's whole column is changed."""
    rng = np.random.default_rng(0)

    def changed(kind, amount, where):
        def bias(heads, length):
            b = np.array(symmetric(heads, length), dtype=np.float64)
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


BAD = {
    "nothing": (lambda heads, length: None, "none"),
    "raises": (lambda heads, length: 1 / 0, "raises"),
    "NaN": (lambda heads, length: symmetric(heads, length) * float("nan"), "not-finite"),
    "shape": (lambda heads, length: symmetric(heads, length)[0], "bias-shape"),
    "text": (lambda heads, length: "bias", "bias-shape"),
    "no function": (torch.zeros(8, 5, 5), "no-function"),
}


@pytest.mark.parametrize("name", BAD)
def test_code_that_gives_no_bias(name):
    bias, id = BAD[name]
    diagnosis = diagnose_alibi(bias)
    assert not diagnosis.ok and ids(diagnosis) == [id]


def test_code_that_is_not_written_yet_says_so():
    def stub(heads, length):
        raise NotImplementedError

    with pytest.raises(NotImplementedError):
        diagnose_alibi(stub)


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
