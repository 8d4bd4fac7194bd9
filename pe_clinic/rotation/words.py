"""What is said of a rotation: the words of each mistake, by its id."""

from dataclasses import replace

from ..saying.catalogue import words_beside
from ..saying.result import Diagnosis

MISTAKES = words_beside(__file__)


def instead(diagnosis, id, evidence, *others, **changes):
    """``diagnosis`` with one mistake before, or in place of, all others."""
    findings = (MISTAKES.found(id, evidence), *others)
    return replace(diagnosis, ok=False, convention=None, findings=findings, **changes)


def wrong(id, evidence, **changes):
    """The `Diagnosis` of one mistake, or of a design that ``changes`` name in its convention."""
    return Diagnosis(False, (MISTAKES.found(id, evidence),), kind="rotation", **changes)
