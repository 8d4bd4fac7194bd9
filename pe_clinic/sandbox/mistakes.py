"""What is said of code that gives no table or layer to look at, and of what it does beside its task."""

from ..saying.catalogue import words_beside

MISTAKES = words_beside(__file__)
found = MISTAKES.found
