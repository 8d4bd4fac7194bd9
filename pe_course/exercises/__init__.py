"""What each exercise asks for: its points, how an answer is judged, and the sentence that rewards a right one.

One module for each lesson holds the judges, one page the points and what is said to an answer. The tasks themselves,
hints and solutions stand in the notebooks.
"""

from importlib import import_module
from pkgutil import iter_modules

from .exercise import Exercise, exercises

LESSONS = [import_module(f".{name}", __name__) for _, name, _ in iter_modules(__path__) if name.startswith("lesson_")]
EXERCISES = {name: exercise for lesson in LESSONS for name, exercise in exercises(lesson).items()}  # by "02.1"
