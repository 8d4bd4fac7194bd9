"""Judge shuffled lines that a learner has put in order: by running them, so that every right order counts."""

import re
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pe_clinic import Diagnosis, Finding
from pe_clinic.sandbox import run

from ..judges import pages, wrong

FILE = "<lines in order>"
STOPS = pages(__file__, {})["an order"].errors  # (pattern in "Type: message", what it comes from)


@dataclass(frozen=True)
class Ordering:
    """The answer is the letters of ``lines`` (A is the first as they stand in the task), in the learner's order.

    ``defines``  the name of the function or class that the lines make
    ``names``    what they may use from outside
    ``trial``    what is made -> one call that runs every line
    ``judge``    what is made -> `Diagnosis`; asked when that call has come to its end
    ``slips``    (letter, other, what it means): for an order that runs and is wrong, with the letter before the other
    """

    lines: Sequence[str]
    defines: str
    names: Mapping[str, object]
    trial: Callable[[object], object]
    judge: Callable[[object], Diagnosis]
    slips: Sequence[tuple[str, str, str]] = ()

    @property
    def letters(self):
        return "".join(chr(ord("A") + n) for n in range(len(self.lines)))

    def __call__(self, answer):
        order = _letters(answer)
        if order is None:
            example = f'one string, such as "{self.letters[:3]}…", with each letter from A to {self.letters[-1]} once'
            return wrong("no-order", "The letters of the lines are wanted, in order.", fix=example)
        if problem := self._miscounted(order):
            return wrong("miscounted", problem, f"you answered {order}")
        made = run("the lines in this order", self._make, order)
        if isinstance(made, Finding):
            return Diagnosis(False, (made,))
        diagnosis = self.judge(made)
        slips = [says for first, second, says in self.slips if order.index(first) < order.index(second)]
        if diagnosis.ok or not slips:
            return diagnosis
        return wrong("order", slips[0], next((finding.evidence for finding in diagnosis.findings), ""))

    def _miscounted(self, order):
        if others := sorted(set(order) - set(self.letters)):
            return f"There is no line {others[0]}: the lines are A to {self.letters[-1]}."
        if missing := [letter for letter in self.letters if letter not in order]:
            return f"Every line is needed once; missing: {', '.join(missing)}."
        if twice := [letter for letter in self.letters if order.count(letter) > 1]:
            return f"Every line is needed once; there more than once: {', '.join(twice)}."
        return None

    def _no_block(self, order, place):
        """Why the line at this place is indented too far: its block was closed, or never opened."""
        lines = [self.lines[self.letters.index(letter)] for letter in order[: place + 1]]
        *above, own = (len(line) - len(line.lstrip()) for line in lines)
        if own not in above:
            return ": it is indented, and no line above it opens its block"
        last = max(n for n, indent in enumerate(above) if indent >= own)
        return f": it is indented, and line {order[last + 1]} has closed its block"

    def _make(self, order):
        """What the lines define, tried once; or the `Finding` that says at which line Python stops."""
        text = "\n".join(self.lines[self.letters.index(letter)] for letter in order) + "\n"
        space = {"__name__": "__main__", **self.names}
        try:
            exec(compile(text, FILE, "exec"), space)
            self.trial(space[self.defines])
        except SyntaxError as error:
            opener = re.search(r"expected an indented block after .* on line (\d+)", error.msg)
            place = min(int(opener[1]) if opener else error.lineno, len(order)) - 1
            line = order[place]
            why = ": it opens a block, so the next line must be indented below it" if opener else ""
            why = self._no_block(order, place) if "unexpected indent" in error.msg else why
            return Finding("order", f"Line {line} cannot stand there{why}.", f"Python stops reading: {error.msg}")
        except Exception as error:
            places = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == FILE]
            return _stopped(f"{type(error).__name__}: {error}", order[places[-1] - 1] if places else "")
        return space[self.defines]


def _letters(answer):
    """The letters of an answer, a string or a list of strings; None where they are something else."""
    parts = answer if isinstance(answer, (list, tuple)) else [answer]
    if not all(isinstance(part, str) for part in parts):
        return None
    letters = re.sub(r"[\s,;.>→-]", "", "".join(parts)).upper()
    return letters if letters.isalpha() else None


def _stopped(error, line):
    where = f"Python stops at line {line}" if line else "Python stops"
    for pattern, says in STOPS:
        if match := re.search(pattern, error):
            return Finding("order", says.format(*match.groups(), line=line), f"{where}: {error}")
    return Finding("order", f"{where}: {error}")
