"""The questions as notes for Anki: a CSV file that begins with the lines that Anki 2.1.54 and later read as settings.

Anki knows a note again by its first field: a file that is imported later brings new replies and keeps the schedule.
"""

import csv

from ..assessment.markup import inline
from .questions import QUESTIONS

SETTINGS = """\
#separator:Comma
#html:true
#notetype:Basic
#deck:Positional encoding
#columns:Front,Back,Tags
#tags column:3
"""


def export(path):
    """Write the file; FileExistsError where there is one."""
    with open(path, "x", encoding="utf-8", newline="") as file:
        file.write(SETTINGS)
        csv.writer(file, lineterminator="\n").writerows(map(note, QUESTIONS.values()))


def note(question):
    """Front, back and tags of a question; on the back the right option stands first."""
    front = [inline(question.text), *(f"{option.letter}) {inline(option.text)}" for option in question.options)]
    options = sorted(question.options, key=lambda option: not option.right)
    back = [f"{'✔' if option.right else '✘'} {option.letter}) {inline(option.reply)}" for option in options]
    return "<br>".join(front), "<br>".join(back), f"positional-encoding lesson-{question.about}"
