"""What each exercise asks for: its points, how an answer is judged, and the sentence that rewards a right one.

One module for each lesson. The tasks themselves, hints and solutions stand in the notebooks.
"""

from . import (
    lesson_00,
    lesson_01,
    lesson_02,
    lesson_03,
    lesson_04,
    lesson_05,
    lesson_06,
    lesson_07,
    lesson_08,
    lesson_09,
    lesson_10,
)
from .exercise import Exercise

LESSONS = (
    lesson_00,
    lesson_01,
    lesson_02,
    lesson_03,
    lesson_04,
    lesson_05,
    lesson_06,
    lesson_07,
    lesson_08,
    lesson_09,
    lesson_10,
)
EXERCISES = {
    number: exercise for lesson in LESSONS for number, exercise in lesson.EXERCISES.items()
}  # "02.1" -> Exercise

__all__ = ["EXERCISES", "Exercise"]
