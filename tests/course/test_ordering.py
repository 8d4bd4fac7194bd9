"""exercises/ordering.py: an order counts by what it does when it is run, and the task shows the lines that are run."""

import random

import course
import pytest
from course import exercises_of

from pe_course.exercises import EXERCISES
from pe_course.exercises.ordering import Ordering

ORDERINGS = {number: exercise.judge for number, exercise in EXERCISES.items() if isinstance(exercise.judge, Ordering)}
TASKS = {ex.number: ex for lesson in course.LESSONS for ex in exercises_of(lesson)}


@pytest.mark.parametrize("number", ORDERINGS)
def test_the_task_shows_the_lines_under_their_letters_shuffled_and_any_answer_gets_a_reply(number):
    judge = ORDERINGS[number]
    lines = [f"{letter}  {line}" for letter, line in zip(judge.letters, judge.lines, strict=True)]
    assert "\n".join(["```", *lines, "```"]) in TASKS[number].task.source
    assert not judge(judge.letters).ok
    for seed in range(30):
        order = random.Random(seed).sample(judge.letters, len(judge.letters))
        assert judge(order).ok in (True, False)
