"""The questions that reply in a page say what `check` says, to whatever is typed; computed without a browser."""

import json
import re

import html_questions
import numpy as np
import pytest
from course import LESSONS, exercises_of
from html_questions import of_exercise, of_recall
from html_scripts import joined
from programs import computed

from pe_course import check, recall
from pe_course.exercises import EXERCISES
from pe_course.judges import Value

ANSWERED = [number for number, exercise in EXERCISES.items() if isinstance(exercise.judge, Value)]
PROGRAM = joined("reading", "showing", "answers")
VALUES = [
    *(0, 1, 2, -2, 7, 24, 12345678, 0.5, -0.5, 2.0, 1e4, 1e300, 0.00001234, 1234567.0, 9.9996, -0.0, True, False, None),
    *("b", "B)", "(b)", "", "x", "e", "it's", 'say "b"', "long" * 30, "error", "ValueError", "both", "Half_Split"),
    *([], (), (4,), [4], [[4]], (4, 7), (7, 4, 16), (16, 7, 4), (-4, -7, -16), (4, -7, 16), (4, 7, 17), [4, 7, 16]),
    *([8, 14, 32], [0, 0, 0], [64, 200, 1024], [1.818, -0.832, 0.04, 2.0], [4, 8, 17], [[4, "b"]], ["b", 1], [1, 6]),
    *([[4, 7, 16]], (6, 4), [4, 6], (-6, -4), (32, 100, 511), [32, [100]], ["b"], [None], [True, False], ("b", "c")),
    *([[1, 2], [3, 4]], [(1, 2), (3, 4)], [[1, 2], 3], [[]], [[0, 1, 2, 3]] * 24, list(range(24)), [1000001] * 12),
    *(["a"] * 30, [0.909, -0.416, 0.02, -1], [0.909, -0.416, 0.02, 1.1], [1.0, 0.02, -0.416, 0.909], [[1e-9] * 20]),
    *([0.909, 0.416, 0.02, 1.0], [-0.909, 0.416, -0.02, -1.0]),
    *([0.02, 1.0, 0.909, -0.416], [0.909, -0.416, 0.02, 0.999]),
]
BARE = ["b", "B", "b)", "(b)", "error", "half-split", "half split", "interleaved", "x"]


def replies(number, typed):
    """What the page says to each."""
    question = json.dumps(of_exercise(number))
    return computed(PROGRAM, f"{json.dumps(typed)}.map((typed) => reply({question}, typed))")


def as_checked(number, value):
    said = check(number, value)
    return {"status": said.status, "head": said.head, "body": said.body}


def spelled(value):
    """A value as somebody would type it."""
    return re.sub(r"np\.float64\((.*?)\)", r"\1", repr(value.tolist() if isinstance(value, np.ndarray) else value))


@pytest.mark.slow
@pytest.mark.parametrize("number", ANSWERED)
def test_a_page_replies_as_check_does(number):
    """To the right answer, to every wrong one that is known, to their neighbours, and to what anybody may type.
    Text needs no quotes where text is asked for, or known as a wrong answer."""
    judge = EXERCISES[number].judge
    values = [judge.right, *(wrong for wrong, _ in judge.known.mistakes), *VALUES]
    numeric = np.asarray(judge.right).astype(float) if not isinstance(judge.right, str) else np.zeros(2)
    values += [(numeric + step).tolist() for step in (judge.tolerance / 2, 2 * judge.tolerance, 1)]
    found = replies(number, [*map(spelled, values), *BARE])
    for value, got in zip(values, found, strict=False):
        value = value.tolist() if isinstance(value, np.ndarray) else value
        assert got == as_checked(number, value), f"{number}, {spelled(value)}"
    for typed, got in zip(BARE, found[len(values) :], strict=True):
        expected = as_checked(number, typed)
        if isinstance(judge.right, str) or "Text in quotes" not in expected["body"]:
            assert got == expected, f"{number}, {typed}"
        else:
            assert got["status"] == "open"
    assert found[0]["status"] == "right"


READ = {
    **{"4, 7, 16": (4, 7, 16), " ( 4 ,7,16, ) ": (4, 7, 16), "shape = (4, 7, 16)": (4, 7, 16), "−3": -3, "1/2": 0.5},
    **{"[1/2, 3/4]": [0.5, 0.75], "(7)": 7, "7,": (7,)},
}


def test_what_is_typed_is_read_as_python_reads_it():
    for typed, got in zip(READ, replies("01.1", [*READ]), strict=True):
        assert got == as_checked("01.1", READ[typed]), typed


NO_VALUES = ["2 + 2", "(4, 7", "4 7", "[1,, 2]", "f(2)", "1/0", "{1, 2}", "len(x)", "'b", "torch.Size([4])"]
NOTHING = ["", "  ", "..."]


def test_what_is_more_than_a_value_is_not_taken_for_one():
    found = replies("01.1", NO_VALUES + NOTHING)
    assert [reply["status"] for reply in found] == ["open"] * len(NO_VALUES + NOTHING)
    told = ["code is run by a notebook" in reply["body"] for reply in found]
    assert told == [True] * len(NO_VALUES) + [False] * len(NOTHING)


def test_every_exercise_replies_or_says_that_it_needs_code():
    for exercise in (exercise for lesson in LESSONS for exercise in exercises_of(lesson)):
        html = html_questions.html_of_check(exercise.check.source)
        assert ("application/json" in html) == (exercise.number in ANSWERED)
        assert ('href="#run"' in html) == (exercise.number not in ANSWERED)
    assert len(ANSWERED) >= 11


@pytest.mark.parametrize("lesson", [lesson.number for lesson in LESSONS[1:]])
def test_every_letter_of_the_questions_from_memory_has_the_reply_of_recall(lesson):
    for place, question in enumerate(of_recall(lesson)):
        for letter, reply in question["replies"].items():
            said = recall(lesson, *([..., letter] if place else [letter, ...])).replies[place]
            assert reply == {"status": said.status, "head": said.head, "body": said.body}
        assert [reply["status"] for reply in question["replies"].values()].count("right") == 1


def test_what_is_embedded_cannot_end_its_element():
    assert "</script>" not in html_questions.embedded("", text="</script><b>").removesuffix("</script></div>")
