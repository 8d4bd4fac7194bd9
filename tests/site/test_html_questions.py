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
from pe_course.judges.known import pages

ANSWERED = [number for number, exercise in EXERCISES.items() if isinstance(exercise.judge, Value)]
PROGRAM = joined("reading", "showing", "answers")
TYPED = {name: known.entries for name, known in pages(__file__.replace("test_html_questions", "typed"), {}).items()}
VALUES = [eval(text) for text, _ in TYPED["any value"]]
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


def test_what_is_typed_is_read_as_python_reads_it_and_what_is_more_than_a_value_is_not_taken_for_one():
    read, more, nothing = TYPED["read as Python reads it"], TYPED["more than a value"], ["", "  ", "..."]
    for (typed, value), got in zip(read, replies("01.1", [typed for typed, _ in read]), strict=True):
        assert got == as_checked("01.1", eval(value)), typed
    found = replies("01.1", [typed for typed, _ in more] + nothing)
    assert [reply["status"] for reply in found] == ["open"] * len(found)
    told = ["code is run by a notebook" in reply["body"] for reply in found]
    assert told == [True] * len(more) + [False] * len(nothing)


def test_every_exercise_replies_or_says_that_it_needs_code():
    for exercise in (exercise for lesson in LESSONS for exercise in exercises_of(lesson)):
        html = html_questions.html_of_check(exercise.check.source)
        assert ("application/json" in html) == (exercise.number in ANSWERED)
        assert ('href="#run"' in html) == (exercise.number not in ANSWERED)
    assert len(ANSWERED) >= 11
    assert "</script>" not in html_questions.embedded("", text="</script><b>").removesuffix("</script></div>")


@pytest.mark.parametrize("lesson", [lesson.number for lesson in LESSONS[1:]])
def test_every_letter_of_the_questions_from_memory_has_the_reply_of_recall(lesson):
    for place, question in enumerate(of_recall(lesson)):
        for letter, reply in question["replies"].items():
            said = recall(lesson, *([..., letter] if place else [letter, ...])).replies[place]
            assert reply == {"status": said.status, "head": said.head, "body": said.body}
        assert [reply["status"] for reply in question["replies"].values()].count("right") == 1
