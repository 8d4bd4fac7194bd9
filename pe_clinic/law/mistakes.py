"""The words of laws: what is wrong with them, and what is meant on purpose."""

from ..saying.catalogue import words_beside

MISTAKES = words_beside(__file__)
found = MISTAKES.found
EXPONENT_HALVED, MULTIPLIED, SMALL_BASE, TWICE = (
    MISTAKES[name] for name in ("exponent-halved", "multiplied-by-factor", "small-base", "turned-twice")
)
