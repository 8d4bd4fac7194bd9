"""What each exercise asks for: its points, how an answer is judged, and the sentence that rewards a right one.

One module for each lesson. The tasks themselves, hints and solutions stand in the notebooks.
"""

from importlib import import_module

from .exercise import Exercise

LESSONS = [import_module(f".lesson_{number:02}", __name__) for number in range(11)]
EXERCISES = {name: exercise for lesson in LESSONS for name, exercise in lesson.EXERCISES.items()}  # by "02.1"

__all__ = ["EXERCISES", "Exercise"]
