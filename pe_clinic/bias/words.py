"""What is said of a bias: the words of each mistake, by its id."""

from ..saying.catalogue import words_beside
from ..saying.result import Diagnosis

MISTAKES = words_beside(__file__)


def wrong(id, evidence, convention=None):
    """The `Diagnosis` of one mistake, or of one design, and what is seen of it."""
    return Diagnosis(False, (MISTAKES.found(id, evidence),), convention, kind="bias")
