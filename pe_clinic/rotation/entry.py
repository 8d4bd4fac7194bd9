"""A mistake, a design or a note in one place: its id, what is said of it, and what builds what it gives."""

from collections.abc import Callable
from dataclasses import dataclass, field

from ..saying.mistake import Mistake


@dataclass(frozen=True)
class Entry(Mistake):
    """``build`` gives what the mistake gives: it is named only where that is what was seen."""

    build: Callable | None = field(default=None, compare=False)


def thread(name):
    """ "owner/repository#number" as a `Mistake` wants it; GitHub leads from an issue's address to a pull request's."""
    repository, number = name.split("#")
    return f"{repository}/issues/{number}"
