"""The map of the course, with what is done, begun and open."""

import html
import os
from dataclasses import dataclass

from ..learner_file import shown
from ..recalling.schedule import reminder
from . import record
from .lessons import LESSONS

MARKS = {"done": "✔", "begun": "◐", "open": "○"}
NOTHING = (
    "Nothing is recorded here yet. Once a check has replied to an answer of yours, you see here\n"
    "what is done (✔), begun (◐) and open (○), and what comes next."
)


@dataclass(frozen=True)
class Row:
    """A lesson: how far it is, and how many of its exercises were ever right. ``link`` is "" where it has no file."""

    number: str
    title: str
    status: str  # "done", "begun" or "open"
    right: int
    exercises: int
    link: str


@dataclass(frozen=True)
class Map:
    """What a learner reads: a row for each lesson, and lines below it."""

    rows: tuple[Row, ...]
    lines: tuple[str, ...]

    def __repr__(self):
        width = max((len(row.title) for row in self.rows), default=0)
        rows = [
            f"{MARKS[row.status]} {row.status:5}  {row.number} {row.title:{width}}  {row.right} of {row.exercises}"
            for row in self.rows
        ]
        return "\n".join([*rows, *self.lines])

    def _repr_html_(self):
        if not self.rows:
            return None  # plain text is enough
        lines = "".join(f"<p style='margin: 0.3em 0'>{html.escape(line)}</p>" for line in self.lines)
        head = "<tr><th>how far</th><th style='text-align: left'>lesson</th><th>exercises right</th></tr>"
        return f"<table>{head}{''.join(map(_row_html, self.rows))}</table>{lines}"


def _row_html(row):
    name = html.escape(f"{row.number} {row.title}")
    name = f"<a href='{row.link}'>{name}</a>" if row.link else name
    cells = (f"{MARKS[row.status]} {row.status}", name, f"{row.right} of {row.exercises}")
    return "<tr>" + "".join(f"<td style='text-align: left'>{cell}</td>" for cell in cells) + "</tr>"


def map_here():
    """The `Map` of the record beside the notebook that is open."""
    here = record.folder()
    return map_of(here) if here else Map((), (NOTHING,))


def map_of(folder):
    """The `Map` that the record in a folder gives."""
    try:
        found = record.read(folder)
    except OSError as error:
        return Map((), (f"{record.FILE} cannot be read: {error.strerror}.",))
    notes = [_left_out(found.unread)] if found.unread else []
    file = folder / record.FILE
    if not os.access(file if file.exists() else folder, os.W_OK):
        what = record.FILE if file.exists() else "This folder"
        notes.append(f"{what} cannot be written to, so nothing new is recorded.")
    if not found.entries:
        return Map((), (NOTHING, *notes))
    from ..exercises import EXERCISES  # late: it needs torch

    exercises = {number: [known for known in EXERCISES if known[:2] == number] for number in LESSONS}
    rows = tuple(_row(number, exercises[number], found.entries, folder) for number in LESSONS)
    lines = [_next(rows, exercises, found.entries), reminder(found.entries)]
    return Map(rows, (*filter(None, lines), *notes))


def _left_out(unread):
    """One line about the lines that are no record: the first of them, and how many follow."""
    such = f" ({len(unread) - 1} more such lines)" if unread[1:] else ""
    number, text = unread[0]
    return f"Line {number} of {record.FILE} is no record of ours and was left out: {shown(text, 60)}{such}"


def _right(entries):
    return {entry.id for entry in entries if entry.status == "right"}


def _row(number, exercises, entries, folder):
    file, title = LESSONS[number]
    right = len(_right(entries) & set(exercises))
    begun = any(entry.id[:2] == number for entry in entries)
    status = "done" if right == len(exercises) else "begun" if begun else "open"
    return Row(number, title, status, right, len(exercises), file if (folder / file).is_file() else "")


def _next(rows, exercises, entries):
    """One line: on with the lesson of the last answer, then with those after it, then with what was left open."""
    last = max((place for place, row in enumerate(rows) if row.number == entries[-1].id[:2]), default=0)
    row = next((row for row in [*rows[last:], *rows[:last]] if row.status != "done"), None)
    if row is None:
        return "All exercises of the course are done."
    if row.status == "open":
        return f"Next: lesson {row.number} {row.title}."
    exercise = next(known for known in exercises[row.number] if known not in _right(entries))
    return f"Next: exercise {exercise}, in lesson {row.number} {row.title}."
