"""What is said of code that gives no table or layer to look at, and of what it does beside its task."""

from pathlib import Path

from ..saying.catalogue import read

MISTAKES, _ = read(Path(__file__).with_name("mistakes.md"))


def found(id, evidence, **changes):
    """The `Finding` of ``id`` with ``evidence``; ``changes`` replace fixed words."""
    return MISTAKES[id].found(evidence, **changes)
