"""What is said of a table: the words of each mistake and each convention, by its id."""

from ..law.mistakes import MISTAKES as OF_LAWS
from ..saying.catalogue import Words, words_beside

MISTAKES = Words(OF_LAWS | words_beside(__file__))
found = MISTAKES.found
