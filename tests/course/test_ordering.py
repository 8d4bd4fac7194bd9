"""exercises/ordering.py: an order counts by what it does when it is run, and the task shows the lines that are run."""

import random

import course
import pytest
from course import exercises_of

from pe_course import check
from pe_course.exercises import EXERCISES
from pe_course.exercises.ordering import Ordering

ORDERINGS = {number: exercise.judge for number, exercise in EXERCISES.items() if isinstance(exercise.judge, Ordering)}
TASKS = {ex.number: ex for lesson in course.LESSONS for ex in exercises_of(lesson)}

in_each = pytest.mark.parametrize("number", ORDERINGS)


@in_each
def test_the_task_shows_the_lines_under_their_letters(number):
    judge = ORDERINGS[number]
    lines = [f"{letter}  {line}" for letter, line in zip(judge.letters, judge.lines, strict=True)]
    assert "\n".join(["```", *lines, "```"]) in TASKS[number].task.source


@in_each
def test_the_lines_are_shuffled_and_any_answer_gets_a_reply(number):
    judge = ORDERINGS[number]
    assert not judge(judge.letters).ok
    for seed in range(30):
        order = random.Random(seed).sample(judge.letters, len(judge.letters))
        assert judge(order).ok in (True, False)


@pytest.mark.parametrize(
    "number, answer, said",
    [
        ("05.4", "EHD", "Every line is needed once; missing: A, B, C, F, G."),
        ("05.4", "EHDGCBAFF", "there more than once: F"),
        ("05.4", "EHDGCBAFX", "There is no line X"),
        ("05.4", 3, "The letters of the lines are wanted"),
        ("05.4", "EHDGCBFA", "Line A cannot stand there: it opens a block"),
        ("05.4", "EHGCBDAF", "super().__init__() has to run first"),
        ("05.4", "EHDCGBAF", "Line C uses theta, which has no value there"),
        ("05.4", "EADGCBHF", "Line F asks for .table before a line has made it"),
        ("08.4", "ECGBHFDA", "return ends the function"),
        ("08.4", "ECGHAFDB", "rows is doubled before M is made"),
    ],
)
def test_a_wrong_order_is_told_at_its_line(monkeypatch, number, answer, said):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    reply = check(number, answer)
    assert reply.status == "wrong" and said in reply.body
