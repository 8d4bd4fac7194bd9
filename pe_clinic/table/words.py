"""What is said of a table: the words of each mistake and each convention, by its id."""

from pathlib import Path

from ..law.mistakes import MISTAKES as OF_LAWS
from ..saying.catalogue import read

MISTAKES = {**OF_LAWS, **read(Path(__file__).with_name("mistakes.md"))[0]}


def found(name, evidence, **changes):
    """The `Finding` of the mistake or convention ``name``, with its evidence; ``changes`` replace fixed words."""
    return MISTAKES[name].found(evidence, **changes)
