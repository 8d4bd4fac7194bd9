"""A learner's place at one sitting, in a terminal or a notebook: what is said, begun, saved and explained."""

import datetime
import random
import secrets
from dataclasses import dataclass
from pathlib import Path

from .. import learner_file
from .bank import NAMES, part_of
from .keeping import FILE, Entry, append, read_own, replace
from .sitting import due, explained, form_for, sittings

COMMAND = "python -m pe_course test"


def command(name):
    """What to type in a terminal for a sitting."""
    return f'{COMMAND} "{name}"' if " " in name else f"{COMMAND} {name}"


@dataclass(frozen=True)
class Desk:
    """The sitting's ``name``, the learner's file, and today. The file alone remembers: it is read anew at each step."""

    name: str
    path: Path
    today: datetime.date

    @property
    def part(self):
        return part_of(self.name)

    @property
    def page(self):
        """Where the page that explains this part is written."""
        return self.path.with_name(f"pe_test_part_{self.part.number}_explained.html")

    def done(self):
        """The learner's sittings so far: {name: `Sitting`}."""
        entries, _ = read_own(self.path)
        return sittings([entry for entry in entries if entry.learner == entries[0].learner])

    def sitting(self):
        return self.done().get(self.name)

    def begin(self):
        """The sitting, begun now if it has not been: its form is drawn, and written down before it is seen."""
        done = self.done()
        if self.name not in done:
            self._add(form_for(self.name, done, random.SystemRandom().choice))
        return self.sitting()

    def answer(self, answer):
        """The sitting, with this answer saved."""
        self._add(answer.item[0], answer)
        return self.sitting()

    def _add(self, form, answer=None):
        entries, _ = read_own(self.path)
        learner = entries[0].learner if entries else secrets.token_hex(8)
        append(self.path, Entry(learner, self.name, form, self.today, answer))

    def explain(self):
        """Write the page that explains every option; returns its path, or None while it would be too early."""
        from .markup import page

        shown = explained(self.done(), self.part)
        if not shown:
            return None
        replace(self.page, page(shown))
        return self.page

    def greeting(self):
        """What to know before the first question, as lines."""
        done, count = self.done(), self.part.count
        sitting = done.get(self.name)
        if sitting and sitting.over:
            return [f"This sitting is over: all {count} questions are answered, in {self.path}."]
        lines = [
            f"{count} questions on lessons {self.part.lessons}, about {self.part.minutes} minutes. "
            "Guessing is fine, nothing is graded, and you may stop and go on later.",
            f"Your answers, the day and a random number are saved in {self.path} alone.",
        ]
        if sitting:
            lines.append(f"Begun on {sitting.began}: {len(sitting.answers)} of {count} are answered.")
        return lines + self._warnings(done)

    def _warnings(self, done):
        first, second, *third = self.part.sittings
        lines = []
        if self.name != first and first not in done:
            lines.append("No first sitting was found there, so nothing can be compared with this one. Is it elsewhere?")
            lines.append("Then name the file: --file PATH in a terminal, file=… in a notebook.")
        if self.name in third and (day := due(done)) and self.today < day:
            lines.append(f"This sitting says most from {day} on, 14 days after the second. Today is possible, too.")
        if self.name in third and second in done and not due(done):
            lines.append(f"The second sitting is not over yet: {command(second)} goes on with it.")
        return lines

    def farewell(self):
        """What is said behind the last question, as lines."""
        done, lines = self.done(), [f"Thank you. Your answers are in {self.path}."]
        first, second, *third = self.part.sittings
        if self.name == first:
            last = self.part.lessons[-2:]
            lines.append(f"Other questions come at the end of lesson {last}. What is right is said after them.")
        if shown := explained(done, self.part):
            lines.append("Right: " + ", ".join(f"{s.score} of {len(s.answers)} {s.name}" for s in shown) + ".")
            lines.append("One or two questions more or fewer say little about one person. The reasons say more.")
        if self.name == second and third:
            lines.append(f"What has stayed? A third sitting tells, from {due(done)} on: {command(third[0])}.")
        return lines


def desk(name, file=None, today=None):
    """The `Desk` of one of `NAMES`, at ``file`` (a path, or a folder), or where the learner's file is by default."""
    if name not in NAMES:
        raise ValueError(f"sitting must be one of {', '.join(NAMES)}, but got {name!r}")
    path = Path(file) if file else learner_file.find(FILE)
    return Desk(name, path / FILE if path.is_dir() else path, today or datetime.date.today())


def trouble(error, path):
    """What to say, and to do, when the file cannot be read or written."""
    why = getattr(error, "strerror", None) or str(error)
    return (
        f"{path}: {why}. What was saved before is safe. Name a file in a folder of your own: "
        "--file PATH in a terminal, file=… in a notebook."
    )
