"""exercises/: right answers are accepted, wrong ones named, whatever their spelling.

What diagnose_table and diagnose_layer say of a mistake is for test_diagnosis*.py; here, that it reaches the learner.
"""

import inspect
import re
import sys
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from answers import Layer, Table, answer_of, ids, own, right
from oracle import exact_table
from torch import nn
from zoo_tables import wrong_table

import pe_lib
from pe_course import check
from pe_course.exercises import EXERCISES
from pe_lib import alibi_bias


def title(reply):
    return reply.body.split("\n")[0]


PAGES = {i: exercise.judge.known for i, exercise in EXERCISES.items() if hasattr(exercise.judge, "known")}
FIRST = {id(known): i for i, known in reversed(PAGES.items())}  # 03.1 and 03.3 have one page, which 04.3 goes on with


WRONG = [(i, *mistake) for i in FIRST.values() for mistake in replace(PAGES[i], then=None).mistakes]


@pytest.mark.slow
@pytest.mark.one_in(5)
@pytest.mark.parametrize("exercise_id, wrong, says", WRONG)
def test_no_wrong_answer_on_a_page_is_right_or_hidden_by_one_before_it(exercise_id, wrong, says):
    reply = check(exercise_id, wrong)
    assert (reply.status, title(reply)) == ("wrong", says)


def test_errors_on_pages_are_patterns_whose_groups_fill_the_words():
    for known in PAGES.values():
        for pattern, says in known.errors:
            assert says.format(*["…"] * re.compile(pattern).groups)


# The way to a right result


def by_a_helper(n, slope):
    return -slope * distances(n)


def distances(n):
    return torch.tensor([[float(abs(i - j)) for j in range(n)] for i in range(n)])


def in_two_steps(n, slope):
    for sign in (-1, -1):
        slope = sign * slope
    return -slope * (torch.arange(n) - torch.arange(n)[:, None]).abs()


def borrowed(n, slope):
    from pe_lib import alibi_bias as bias

    return bias(1, n)[0] / bias(1, 2)[0, 1, 0].abs() * slope


@pytest.mark.parametrize(
    "answer, said",
    [
        (by_a_helper, "The result is right, but a loop makes it"),
        (borrowed, "The result is right, but it is pe_lib's own: alibi_bias makes it."),
        (lambda n, slope: pe_lib.alibi_bias(1, n)[0] * 256 * slope, "The result is right, but it is pe_lib's own"),
        (partial(lambda bias, n, slope: bias(1, n)[0] * 256 * slope, alibi_bias), "The result is right, but it is"),
        (in_two_steps, EXERCISES["10.1"].because),
    ],
)
def test_a_loop_and_a_finished_function_are_seen_wherever_they_stand(answer, said):
    names = dict(vars(inspect.getmodule(by_a_helper)))
    assert check("10.1", answer).body.startswith(said)
    assert dict(vars(inspect.getmodule(by_a_helper))) == names, "the module of the answer is as it was"


def test_a_tracer_and_a_profiler_stay_as_they_are():
    def tracer(*_):
        return None

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(tracer), sys.setprofile(tracer)
    try:
        check("04.3", right("04.3")), check("08.3", right("08.3"))
        assert (sys.gettrace(), sys.getprofile()) == (tracer, tracer)
    finally:
        sys.settrace(before[0]), sys.setprofile(before[1])


ROTATION = "lambda n, w: [[math.cos(n * w), -math.sin(n * w)], [math.sin(n * w), math.cos(n * w)]]"


@pytest.mark.parametrize(
    "exercise_id, code, seen",
    [
        ("00.1", "23", "you answered 23"),
        (
            "02.1",
            "lambda n, w: [[1, n], [0.0, w]]",
            "f(1, 0.5) gave [[1, 1], [0, 0.5]], expected [[0.8776, -0.4794], [0.4794, 0.8776]]",
        ),
        ("02.1", f"lambda n, w: ({ROTATION})(n, w) if n > 0 else np.eye(2)", "f(-2, 1) gave [[1.0, 0.0], [0.0, 1.0]]"),
        ("05.2", "lambda even, odd: torch.stack([even, odd], dim=2)", "gave a tensor of shape (2, 3, 2)"),
        ("05.2", "lambda even, odd: torch.hstack([even, odd])", "they differ first at [0, 1]: 0, expected 5"),
    ],
)
def test_the_evidence_is_the_answer_or_the_first_example_that_differs(exercise_id, code, seen):
    """A large result is shown by its shape and its first difference."""
    code = code if "lambda" not in code else f"def f(*arguments):\n    return ({code})(*arguments)"
    assert seen in check(exercise_id, answer_of(code, exercise_id)).body.split("\n")[1]


# Tables and modules: what diagnose_table and diagnose_layer find reaches the learner


@pytest.mark.parametrize("mistake", ["doubled-column", "swapped", "transposed", "halves", "odd-crash"])
@pytest.mark.parametrize("exercise_id", ["03.1", "05.3"])
def test_a_wrong_table_is_named_and_explained(exercise_id, mistake):
    function = wrong_table(mistake)

    class Wrong(Table):
        def __init__(self, d_model, max_sequence_length):
            nn.Module.__init__(self)
            self.keep(torch.as_tensor(function(max_sequence_length, d_model)))

    reply = check(exercise_id, Wrong if exercise_id == "05.3" else function)
    assert reply.status == "wrong" and ids(reply)[0] == mistake
    finding = (*reply.diagnosis.findings, *reply.diagnosis.usage)[0]
    assert f"seen: {finding.evidence}" in reply.body and "  try: " in reply.body


def test_08_3_never_asks_for_an_odd_width():
    def halves(max_len, d_model):
        assert d_model % 2 == 0
        return np.hstack([(table := exact_table(max_len, d_model))[:, 0::2], table[:, 1::2]])

    assert ids(check("08.3", halves)) == ["halves"]


class Options(Layer):
    """The diagnosis sees no dropout among its parameters: only exercise 06.3 itself asks for it."""

    def __init__(self, d_model, max_len, **options):
        super().__init__(d_model, max_len)
        self.p = options.get("dropout", 0.0)


def mode_aware(self, x):
    return F.dropout(x + self.rows(x), self.p, self.training)


def unscaled(self, x):
    out = x + self.rows(x)
    return out * (torch.rand_like(out) >= self.p) if self.training else out


@pytest.mark.parametrize(
    "forward, said",
    [
        (mode_aware, EXERCISES["06.3"].because),
        (lambda self, x: x + self.rows(x), "The dropout that was asked for is not applied"),
        (lambda self, x: F.dropout(x + self.rows(x), self.p), "Dropout is active in use, in eval(), too."),
        (unscaled, "In training, with dropout=0.5, what is left should be twice the sum."),
    ],
)
def test_06_3_tries_the_dropout_itself(forward, said):
    assert title(check("06.3", own(Options, forward=forward))).startswith(said)


def test_a_layer_whose_dropout_has_no_default_gets_a_reply():
    class NeedsDropout(Layer):
        def __init__(self, d_model, max_len, dropout):
            super().__init__(d_model, max_len, dropout)

    assert check("06.3", NeedsDropout).status in ("right", "wrong")


def test_12_2_names_a_slip_in_the_formula_and_how_the_table_is_held_and_nothing_that_follows_from_the_slip():
    class Mended(nn.Module):
        def __init__(self, d_model, max_len):
            super().__init__()
            pos, j = torch.arange(max_len).unsqueeze(1), torch.arange(d_model)
            angles = pos / 10000**2 * (j // 2) / d_model  # brackets are missing: all rows look alike
            self.pe = torch.where(j % 2 == 0, angles.sin(), angles.cos())

        def forward(self, x):
            return x + self.pe[: x.shape[1]]

    reply = check("12.2", Mended)
    assert ids(reply) == ["known", "unregistered"] and "Brackets are missing" in title(reply)
