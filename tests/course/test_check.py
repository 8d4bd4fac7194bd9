"""check.py and judges/: no answer breaks a check, and what the learner reads."""

import html
import math
import sys
from functools import reduce
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from answers import Layer, Table, ids, own, right
from oracle import refuses
from torch import nn
from zoo_tables import wrong_table

from pe_course import check
from pe_course.exercises import EXERCISES
from pe_course.exercises.lesson_00 import ORDER, X
from pe_course.exercises.lesson_01 import IDS, WEIGHT
from pe_course.exercises.lesson_05 import EVEN, ODD
from pe_course.judges import Value, same
from pe_course.judges.known import pages
from pe_course.reply import MARKS, Reply

MODULES = ("05.3", "06.3")
ODD_VALUES = Path(__file__).with_name("odd_values.py")
OPEN = "not attempted yet. Fill in the cell above, run it, then run this one."


def stops(*_):
    raise KeyError("pos")


FUNCTIONS = [i for i, exercise in EXERCISES.items() if hasattr(exercise.judge, "examples")]
CODE = [i for i in EXERCISES if callable(right(i))]


@pytest.mark.parametrize("exercise_id", CODE)
def test_code_that_raises_is_quoted_and_a_stub_is_not_attempted_yet(exercise_id):
    reply = check(exercise_id, stops)
    assert reply.status == "wrong" and ids(reply) == ["raises"]
    assert "raised KeyError: 'pos'" in reply.body and "Traceback" not in reply.body
    assert exercise_id != "02.1" or "stops(1, 0.5) raised" in reply.body
    assert repr(check(exercise_id, stub)) == f"○ Exercise {exercise_id}: {OPEN}"


@pytest.mark.parametrize("exercise_id", FUNCTIONS)
def test_a_function_that_returns_something_is_wanted(exercise_id):
    reply = check(exercise_id, 24)
    assert reply.status == "wrong" and reply.body.startswith("A function is wanted here.\n  seen: 24\n  try: ")
    reply = check(exercise_id, lambda *_: None)
    assert reply.status == "wrong" and reply.body == "The function returns nothing.\n  try: end it with a return"


ODDITIES = {name: [code for code, _ in known.entries] for name, known in pages(str(ODD_VALUES), {}).items()}
NAMES = {"math": math, "np": np, "reduce": reduce, "sys": sys, "torch": torch}


@pytest.mark.one_in(4)
@pytest.mark.slow
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("code", ODDITIES["a result"])
@pytest.mark.parametrize("exercise_id", ["00.1", "02.1", "03.1", "05.1", *MODULES])
def test_any_value_or_result_gets_a_reply(exercise_id, code):
    odd = eval(code, NAMES)
    answer = {"05.3": own(Table, forward=lambda self: odd), "06.3": own(forward=lambda self, x: odd)}
    answer |= {"00.1": odd, "05.1": odd}
    reply = check(exercise_id, answer.get(exercise_id, lambda *_: odd))
    if odd is ... and answer.get(exercise_id) is odd:
        assert reply.status == "open"
    else:
        assert reply.status == "wrong" and ids(reply) and reply.body
        assert "you answered" in reply.body or answer.get(exercise_id) is not odd


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("right", [24, (2, 3, 4), [0.0, 0.0, 0.0]], ids=repr)
@pytest.mark.parametrize("odd", [[1e308] * 3, SimpleNamespace(shape=3)], ids=["very large", "its shape is a number"])
def test_a_value_that_is_hard_to_compare_gets_a_reply_and_no_warning(right, odd):
    diagnosis = Value(right)(odd)
    assert not diagnosis.ok and "you answered" in diagnosis.details


def refuses_all(self, *_):
    raise RuntimeError("not to be looked at")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["__getattr__", "__iter__", "__array__", "__repr__", "__code__", "__signature__"])
@pytest.mark.parametrize("exercise_id", ["00.1", "05.1", "02.1", "02.2"])
def test_an_object_that_raises_when_it_is_looked_at_gets_a_reply(exercise_id, way):
    base, methods = list if way == "__iter__" else object, {way: refuses_all}
    if way in ("__code__", "__signature__"):
        methods = {way: property(refuses_all), "__call__": lambda self, *_: 7}
    reply = check(exercise_id, type("Odd", (base,), methods)())
    assert reply.status == "wrong" and reply.body


def test_a_generator_of_random_numbers_is_left_as_it_was():
    torch.manual_seed(0)
    check("06.3", Layer)
    assert torch.rand(1).item() == pytest.approx(0.4963, abs=1e-4)


def greedy(*arguments):
    """Write into every tensor that comes in."""
    for argument in arguments:
        if isinstance(argument, torch.Tensor):
            argument.zero_()
    return 0


@pytest.mark.slow
def test_the_examples_survive_a_function_that_writes_into_its_arguments():
    examples = (IDS, WEIGHT, EVEN, ODD, ORDER, X)
    before = [t.clone() for t in examples]
    for exercise_id in FUNCTIONS:
        assert check(exercise_id, greedy).status == "wrong"
        assert check(exercise_id, right(exercise_id)).status == "right"
    assert all(torch.equal(a, b) for a, b in zip(before, examples, strict=True))


def stub(*_):
    raise NotImplementedError


class Stub(nn.Module):
    def __init__(self, d_model, max_len):
        super().__init__()

    def forward(self, *_):
        raise NotImplementedError


class Misspelt(nn.Module):  # torch raises NotImplementedError for it
    def __init__(self, d_model, max_len):
        super().__init__()

    def foward(self, *_):
        return 0


def nothing_written():
    return own(nn.Module, __init__=lambda self, *_: nn.Module.__init__(self), forward=stub)


@pytest.mark.parametrize("exercise_id, name", [("05.3", "raises"), ("06.3", "no-forward")])
def test_a_module_with_a_stub_is_not_attempted_yet_and_with_a_misspelt_forward_was(exercise_id, name):
    assert check(exercise_id, Stub).status == check(exercise_id, nothing_written()).status == "open"
    reply = check(exercise_id, Misspelt)
    assert reply.status == "wrong" and ids(reply) == [name]


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize("code", ODDITIES["hard to hold"])
@pytest.mark.parametrize("exercise_id", ["00.1", "02.1", "10.3"])
def test_any_value_gets_a_reply_and_a_text_for_a_tutor(exercise_id, code):
    value = eval(code, NAMES)
    for answer in (value, lambda *_: value):
        reply = check(exercise_id, answer)
        assert reply.status == "wrong" and repr(reply) and reply._repr_html_() and reply.for_a_tutor()


def test_an_answer_that_replaces_comparisons_makes_no_wrong_answer_right(monkeypatch):
    for module, name in ((np, "allclose"), (np, "array_equal"), (torch, "allclose"), (torch, "equal")):
        monkeypatch.setattr(module, name, lambda *_, **__: True)
    always = np.allclose
    for exercise_id, wrong in (
        ("02.1", lambda n, w: np.eye(2)),
        ("03.1", lambda n, d: np.zeros((n, d))),
        ("06.2", lambda x, pe: x),
        ("06.3", own(forward=lambda self, x: x + self.rows(x))),
        ("00.2", lambda f, x, order: True),
    ):
        assert check(exercise_id, wrong).status == "wrong"
    assert np.allclose is always, "what a learner replaced stays theirs"


# nbgrader


@pytest.mark.parametrize("exercise_id", ["00.1", "02.1", "05.3", "08.3"])
def test_under_nbgrader_only_a_right_answer_passes_and_the_reply_is_the_message(exercise_id, monkeypatch):
    """Every solution and every fault is run so by test_notebooks.py."""
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert check(exercise_id, right(exercise_id)).status == "right"
    with refuses(AssertionError, f"○ Exercise {exercise_id}: {OPEN}"):
        check(exercise_id, ...)
    with refuses(AssertionError, f"✘ Exercise {exercise_id}: not yet.\n"):
        check(exercise_id, "wrong")


@pytest.mark.parametrize("unknown", ["7.1", "99.9", 2.1, None, ["02.1"]])
def test_an_unknown_exercise_is_refused_with_those_there_are(unknown):
    with refuses(ValueError, "exercise_id must be one of 00.1, 00.2, 01.1", "06.3", f"got {unknown!r}"):
        check(unknown, 3)


def tagged(*_):
    raise ValueError("<img src=x>")


@pytest.mark.parametrize("status", MARKS)
def test_a_reply_as_html_escapes_what_the_learner_wrote(status):
    """So does that to an error whose words are HTML."""
    reply = Reply(status, "<h1>", "a < b & c\n<script>alert(1)</script>")
    shown = reply._repr_html_()
    assert "<script>" not in shown and "<h1>" not in shown
    assert html.escape(reply.body) in shown and html.escape(reply.head) in shown
    assert all(part in shown for part in MARKS[status])
    assert shown.count("<div") == shown.count("</div>") == 1 and "<pre" not in Reply(status, "x")._repr_html_()
    for reply in (check("03.1", tagged), EXERCISES["03.1"].judge(tagged)):
        assert "<img" not in reply._repr_html_() and "&lt;img src=x&gt;" in reply._repr_html_()


def test_a_table_s_reply_as_html_has_the_findings_and_the_picture():
    reply = check("03.1", wrong_table("doubled-column"))
    (finding,) = reply.diagnosis.findings
    assert "<img alt='Heatmap of function(max_len=5, d_model=8)" in reply._repr_html_()
    assert all(html.escape(words) in reply._repr_html_() for words in (finding.title, finding.evidence, finding.fix))


@pytest.mark.parametrize("pair, said", pages(str(ODD_VALUES), {})["pairs"].entries)
def test_answers_are_compared_by_shape_and_value(pair, said):
    a, b = eval(pair, NAMES)
    assert same(a, b) is same(b, a) is (said == "the same")
