"""What is said of a layer, and of the table that it adds: the words of each mistake, by its id."""

from ..saying.catalogue import Words, words_beside
from ..table.words import MISTAKES as OF_TABLES

MISTAKES = Words(OF_TABLES | words_beside(__file__))
found = MISTAKES.found
