"""exercises/: what their pages name, and what a check leaves as it is. Replies to whole answers: learners.md."""

import random
import re
import sys
from dataclasses import replace

import pytest
from answers import CASES, answer_of, ids, right
from course import LESSONS, exercises_of

import pe_lib
from pe_course import check
from pe_course.exercises import EXERCISES
from pe_course.exercises.ordering import Ordering


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


def test_the_module_of_an_answer_a_tracer_and_a_profiler_stay_as_they_are():
    names = dict(globals())
    check("10.1", lambda n, slope: pe_lib.alibi_bias(1, n)[0] * 256 * slope)
    assert globals() == names

    def tracer(*_):
        return None

    before = sys.gettrace(), sys.getprofile()
    sys.settrace(tracer), sys.setprofile(tracer)
    try:
        check("04.3", right("04.3")), check("08.3", right("08.3"))
        assert (sys.gettrace(), sys.getprofile()) == (tracer, tracer)
    finally:
        sys.settrace(before[0]), sys.setprofile(before[1])


def test_12_2_names_a_slip_in_the_formula_and_how_the_table_is_held_and_nothing_that_follows_from_the_slip():
    (code,) = (code for code, says in CASES["12.2"] if says == "would stay behind")  # brackets are missing, too
    reply = check("12.2", answer_of(code, "12.2"))
    assert ids(reply) == ["known", "unregistered"] and "Brackets are missing" in title(reply)


def test_the_evidence_of_a_general_reply_is_the_first_example_that_differs():
    reply = check("02.1", answer_of("def f(n, w):\n    return [[1, n], [0.0, w]]", "02.1"))
    seen = "f(1, 0.5) gave [[1, 1], [0, 0.5]], expected [[0.8776, -0.4794], [0.4794, 0.8776]]"
    assert title(reply).startswith("The results differ") and seen in reply.body


ORDERINGS = {number: exercise.judge for number, exercise in EXERCISES.items() if isinstance(exercise.judge, Ordering)}
TASKS = {ex.number: ex for lesson in LESSONS for ex in exercises_of(lesson)}


@pytest.mark.parametrize("number", ORDERINGS)
def test_the_task_shows_the_lines_under_their_letters_shuffled_and_any_answer_gets_a_reply(number):
    judge = ORDERINGS[number]
    lines = [f"{letter}  {line}" for letter, line in zip(judge.letters, judge.lines, strict=True)]
    assert "\n".join(["```", *lines, "```"]) in TASKS[number].task.source
    assert not judge(judge.letters).ok
    for seed in range(30):
        order = random.Random(seed).sample(judge.letters, len(judge.letters))
        assert judge(order).ok in (True, False)
