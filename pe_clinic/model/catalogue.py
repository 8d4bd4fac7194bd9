"""The words of what is said of models."""

from ..saying.catalogue import words_beside

MISTAKES = words_beside(__file__)
HIDES = {id: mistake.hides for id, mistake in MISTAKES.items()}
