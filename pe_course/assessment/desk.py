"""A learner's place at one sitting, in a terminal or a notebook: what is said, begun, saved and explained."""

import datetime
import random
from dataclasses import dataclass
from pathlib import Path

from .. import learner_file
from .bank import COUNT, FORMS
from .keeping import FILE, Entry, append, new_learner, read_own, replace
from .sitting import NAMES, due, explained, form_for, sittings

PAGE = "pe_test_explained.html"
COMMAND = "python -m pe_course test"


@dataclass(frozen=True)
class Desk:
    """The sitting's ``name``, the learner's file, and today. The file alone remembers: it is read anew at each step."""

    name: str
    path: Path
    today: datetime.date

    def done(self):
        """The learner's sittings so far: {name: `Sitting`}."""
        entries, _ = read_own(self.path)
        return sittings([entry for entry in entries if entry.learner == entries[0].learner])

    def sitting(self):
        return self.done().get(self.name)

    def begin(self):
        """The sitting, begun now if it has not been: its form is drawn, and written down before it is seen."""
        entries, _ = read_own(self.path)
        done = self.done()
        if self.name not in done:
            learner = entries[0].learner if entries else new_learner()
            form = form_for(self.name, done, lambda: random.SystemRandom().choice(FORMS))
            append(self.path, Entry(learner, self.name, form, self.today))
        return self.sitting()

    def answer(self, answer):
        """The sitting, with this answer saved."""
        entries, _ = read_own(self.path)
        append(self.path, Entry(entries[0].learner, self.name, answer.item[0], self.today, answer))
        return self.sitting()

    def explain(self):
        """Write the page that explains every option; returns its path, or None while it would be too early."""
        from .page import page

        shown = explained(self.done())
        if not shown:
            return None
        path = self.path.with_name(PAGE)
        replace(path, page(shown))
        return path

    def greeting(self):
        """What to know before the first question, as lines."""
        done = self.done()
        sitting = done.get(self.name)
        if sitting and sitting.over:
            return [f"This sitting is over: all {COUNT} questions are answered, in {self.path}."]
        lines = [
            f"{COUNT} questions, about 12 minutes. Choose one of four answers, and say how sure you are.",
            "You may stop at any time and go on later. No lesson waits for it, and nothing is graded.",
            f"Saved after each answer, in {self.path} alone: your answers, the day, and a random number.",
            "What is right is said after the second sitting, so that both find you as you are.",
        ]
        if sitting:
            lines.append(f"Begun on {sitting.began}: {len(sitting.answers)} of {COUNT} are answered.")
        if self.name != "before" and "before" not in done:
            lines.append("No first sitting was found there: nothing can be compared with this one. Is it elsewhere?")
            lines.append("Then name the file: --file PATH in a terminal, file=… in a notebook.")
        if self.name == "later" and (day := due(done)) and self.today < day:
            lines.append(f"It says most from {day} on, 14 days after the second. Today is early, and possible.")
        if self.name == "later" and "after" in done and not due(done):
            lines.append(f"The second sitting is not over yet: {COMMAND} after goes on with it.")
        return lines

    def farewell(self):
        """What is said behind the last question, as lines."""
        done, lines = self.done(), [f"Thank you. Your answers are in {self.path}."]
        if self.name == "before":
            lines.append(f"The other form comes at the end of lesson 06 or 10: there, or by {COMMAND} after.")
        if shown := explained(done):
            lines.append("Right: " + ", ".join(f"{s.score} of {len(s.answers)} {s.name}" for s in shown) + ".")
            lines.append("One or two questions more or fewer say little about one person; the options say more.")
        if self.name == "after":
            lines.append(f"What has stayed, a third sitting tells, from {due(done)} on: {COMMAND} later.")
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
