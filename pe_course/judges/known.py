"""Wrong answers and what is said of each, read from the page of a lesson, such as `exercises/lesson_04.md`.

A page has a section for each exercise, which begins with its points and the reward of a right answer. Its heading may
name parameters: then each entry is the body of a function of them, else a value or a function itself. `raises` stands
before a pattern that is searched in a call and its error.

    ## 04.2 (n, d, base)

    - right, 2 points
      - No loop: the broadcast product makes all the pairs of position and frequency.
    - `angles(n, d, base).T`
      - The axes are swapped: positions go down, pairs across.
    - raises `matmul: Input operand`
      - @ sums over an axis; here every position meets every frequency: a column * a row.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from pe_clinic import Diagnosis, Finding

SECTION = re.compile(r"^## ([^(\n]+?)(?: \((.+)\))?\n\n((?:- .+\n|  - .+\n)+)", re.M)
ENTRY = re.compile(r"((?:^- .+\n)+)  - (.+)\n", re.M)
RIGHT = re.compile(r"^- right, (\d+) points?\n  - (.+)\n", re.M)
MARKED = re.compile(r"^- (raises )?`(.+)`$", re.M)
RAISED = ("raises", "odd-crash")  # findings whose evidence quotes a call and what it raised


@dataclass(frozen=True)
class Known:
    """A section of a page: its ``entries`` (text of a wrong answer, sentence) and ``errors`` (pattern, sentence).

    ``points`` and ``because`` are for a right answer. ``names`` is what the texts may use; they are compiled when the
    first wrong answer is looked for.
    """

    entries: tuple[tuple[str, str], ...] = ()
    errors: tuple[tuple[str, str], ...] = ()
    points: int = 0
    because: str = ""
    parameters: str = ""
    names: Mapping[str, object] = field(default_factory=dict, repr=False)
    make: Callable = lambda wrong: wrong  # what is made of a compiled entry
    more: tuple[tuple[object, str], ...] = ()
    then: "Known | None" = None

    @cached_property
    def mistakes(self) -> tuple[tuple[object, str], ...]:
        """(wrong answer, sentence) of each entry."""
        head = f"lambda {self.parameters}: " if self.parameters else ""
        made = ((self.make(eval(f"({head}{text})", dict(self.names))), says) for text, says in self.entries)
        return (*made, *self.more, *(self.then.mistakes if self.then else ()))

    def holding(self, *arguments) -> str | None:
        """The sentence of the first entry that holds for these arguments, on a page whose entries are conditions."""
        return next((says for holds, says in self.mistakes if holds(*arguments)), None)

    def plus(self, *more: tuple[object, str]) -> "Known":
        """The same with more pairs (wrong answer, sentence), which are looked for after the others."""
        return replace(self, more=(*self.more, *more))

    def followed_by(self, other: "Known") -> "Known":
        """The same with what ``other`` knows, which is looked for after it."""
        return replace(self, then=other, errors=(*self.errors, *other.errors))


NOTHING = Known()


def pages(file: str, names: Mapping[str, object]) -> dict[str, Known]:
    """The sections of the page that stands beside the module ``file``, by name; ``names`` are those of the module."""
    found = {}
    for section, parameters, lines in SECTION.findall(Path(file).with_suffix(".md").read_text(encoding="utf-8")):
        marked = [(mark, text, says) for texts, says in ENTRY.findall(lines) for mark, text in MARKED.findall(texts)]
        entries, errors = ([(text, says) for mark, text, says in marked if bool(mark) is of] for of in (False, True))
        points, because = (RIGHT.findall(lines) or [(0, "")])[0]
        found[section] = Known(tuple(entries), tuple(errors), int(points), because, parameters, names)
    return found


def family(make: Callable, says: str, values: Iterable) -> list[tuple[object, str]]:
    """One wrong answer ``make(value)`` for each of the ``values``, which ``says`` names as {}."""
    return [(make(value), says.format(value)) for value in values]


GENERAL = pages(__file__, {})["any exercise"].errors


def explained(finding: Finding, errors: Iterable[tuple[str, str]] = ()) -> Finding:
    """The `Finding` of a call that raised, with its cause.

    Of ``errors`` the first that fits becomes its title; what may happen in any exercise is said below the title. The
    groups of a pattern are put into its sentence.
    """
    if finding.id not in RAISED:
        return finding
    for pattern, says in errors:
        if match := re.search(pattern, finding.evidence):
            return replace(finding, title=says.format(*match.groups()), explanation="", fix="")
    if finding.id != "raises":
        return finding
    for pattern, says in GENERAL:
        if match := re.search(pattern, finding.evidence):
            return replace(finding, explanation=says.format(*match.groups()))
    return finding


def told(diagnosis: Diagnosis, errors: Iterable[tuple[str, str]]) -> Diagnosis:
    """The diagnosis with the causes of what was raised, each as `explained`."""
    parts = diagnosis.findings, diagnosis.usage
    findings, usage = (tuple(explained(finding, errors) for finding in part) for part in parts)
    return replace(diagnosis, findings=findings, usage=usage)
