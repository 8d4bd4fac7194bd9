"""What is said of a layer beside its sum: the words of each mistake, by its id."""

from ..saying.catalogue import words_beside

MISTAKES = words_beside(__file__)
