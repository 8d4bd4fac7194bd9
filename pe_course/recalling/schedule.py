"""When a question comes again: after a right answer in 1, 7 and 30 days, after a wrong one at once.

A right answer ahead of its day changes nothing: who was asked yesterday remembers, and that proves little.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from .questions import QUESTIONS

INTERVALS = (1, 7, 30)  # days after the first, second and third right answer; after the fourth it is learned


@dataclass(frozen=True)
class Card:
    """Where a question stands: ``box`` right answers in a row, each on its day, and when it is due (None: learned)."""

    box: int
    due: date | None

    def answered(self, status, day):
        if status == "wrong":
            return Card(0, day)
        if self.due is None or day < self.due:
            return self
        box = self.box + 1
        return Card(box, day + timedelta(days=INTERVALS[box - 1]) if box <= len(INTERVALS) else None)


def cards(entries):
    """{question id: Card} of all questions that were ever answered, from the entries of a record."""
    found = {}
    for entry in entries:
        if entry.id in QUESTIONS:
            day = entry.time.date()
            found[entry.id] = found.get(entry.id, Card(0, day)).answered(entry.status, day)
    return found


def due(entries, today=None):
    """The ids of the questions that are due, the longest waiting first."""
    today = today or date.today()
    waiting = {known: card.due for known, card in cards(entries).items() if card.due and card.due <= today}
    return sorted(waiting, key=lambda known: (waiting[known], known))


def next_day(entries):
    """The first day on which a question is due; None if there is none."""
    return min((card.due for card in cards(entries).values() if card.due), default=None)


def reminder(entries, today=None):
    """One line for the map, or ""."""
    count = len(due(entries, today))
    if not count:
        return ""
    waiting = f"{count} questions wait" if count > 1 else "1 question waits"
    return f"{waiting}: python -m pe_course review, or in a notebook from pe_course.recalling import review; review()"
