"""The questions that a page can answer by itself: what their judges hold, as data for html/scripts/questions.js.

A judge that compares a value is such data; one that calls a function or runs lines needs Python, and a page says so.
"""

import json
import re

from pe_course.exercises import EXERCISES
from pe_course.judges import Value
from pe_course.judges.comparing import numbers
from pe_course.recalling.asking import questions_of, reply_to

NOTE = '<p class="note">The check needs a running notebook.</p>'
NEEDS_CODE = '<p class="note">The check runs code: it needs <a href="#run">a place to run</a>.</p>'
# What can be typed into a page, by the type that Python would give it.
KINDS = {"str": str, "int": int, "float": float, "bool": bool, "list": list, "tuple": tuple}


def html_of_check(source: str) -> str:
    """What stands below a cell such as `check("03.2", answer)`."""
    (exercise_id,) = re.match(r'check\("([\d.]+)"', source).groups()
    question = of_exercise(exercise_id)
    return embedded(NOTE, text=question) if question else NEEDS_CODE


def html_of_recall(source: str, output: str) -> str:
    """The same for `recall("03", ..., ...)`; ``output`` is what is stored below it, and stays where no script runs."""
    (lesson,) = re.match(r'recall\("(\d\d)"', source).groups()
    return embedded(output, letters=of_recall(lesson))


def of_exercise(exercise_id: str) -> dict | None:
    """What the judge of an exercise holds; None where it holds more than values and words."""
    exercise = EXERCISES[exercise_id]
    judge = exercise.judge
    if not isinstance(judge, Value):
        return None
    return {
        "name": f"Exercise {exercise_id}",
        "right": plain(judge.right),
        "tolerance": judge.tolerance,
        "replies": [[plain(wrong), says] for wrong, says in judge.known.mistakes],
        "reasons": [{"says": r.says, "kinds": kinds(r), "size": r.size} for r in judge.reasons],
        "because": exercise.because,
    }


def kinds(reason) -> list[str]:
    return [name for name, kind in KINDS.items() if issubclass(kind, reason.kinds)]


def plain(value: object) -> object:
    """A text as it is, and numbers as their shape and cells."""
    if isinstance(value, str):
        return value
    cells = numbers(value)
    return {"shape": list(cells.shape), "cells": cells.ravel().tolist()}


def of_recall(lesson: str) -> list[dict]:
    """The replies to each letter of the questions that open a lesson."""
    return [
        {
            "name": f"Question {number}",
            "replies": {option.letter: reply(question, option, number) for option in question.options},
        }
        for number, question in enumerate(questions_of(lesson), start=1)
    ]


def reply(question, option, number: int) -> dict[str, str]:
    said = reply_to(question, option.letter, f"Question {number}")
    return {"status": said.status, "head": said.head, "body": said.body}


def embedded(without: str, **data: object) -> str:
    """``without`` is read where no script runs. "</" would end the element."""
    text = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    return f'<div class="question">{without}<script type="application/json">{text}</script></div>'
