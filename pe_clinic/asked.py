"""What is asked of anyone's file, and what came of it."""

from dataclasses import dataclass, replace
from pathlib import Path

from .saying.result import Diagnosis


@dataclass(frozen=True)
class Question:
    """What is asked: the file, the name in it or how it is made, its kind, the layout of x, the design expected."""

    path: str
    name: str = ""
    make: str | None = None
    kind: str | None = None
    layout: bool | None = None
    expect: str | None = None

    @property
    def file(self):
        return Path(self.path)


@dataclass(frozen=True)
class Outcome:
    """What was looked at, by which call, and the diagnosis of it."""

    diagnosis: Diagnosis
    kind: str = ""
    call: str = ""
    note: str = ""
    name: str = ""

    def saying(self, **changes):
        """The same, with changes of its first finding."""
        finding, *others = self.diagnosis.findings
        return replace(self, diagnosis=replace(self.diagnosis, findings=(replace(finding, **changes), *others)))
