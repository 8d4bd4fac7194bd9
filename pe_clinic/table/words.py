"""What is said of a table, and of code that gives none: the words of each mistake and each convention, by its id."""

from ..law.mistakes import MISTAKES as OF_LAWS
from ..sandbox.mistakes import MISTAKES as OF_CALLS
from ..saying.catalogue import Words, words_beside

MISTAKES = Words(OF_CALLS | OF_LAWS | words_beside(__file__))
found = MISTAKES.found
ANEW = "the rows begin anew every {} positions"
HELD = "every later row is that of position {}"
