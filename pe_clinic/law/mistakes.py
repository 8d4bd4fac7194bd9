"""The words of laws: what is wrong with them, and what models do on purpose, with its short name."""

from ..saying.catalogue import words_beside

MISTAKES = words_beside(__file__)
found = MISTAKES.found
EXPONENT_HALVED, LINEAR, MULTIPLIED, SMALL_BASE, TWICE = (
    MISTAKES[name] for name in ("exponent-halved", "linear", "multiplied-by-factor", "small-base", "turned-twice")
)
SHORT = {  # how a title becomes the words of a convention
    "base": (("The base is ", "base "),),
    "proportional": (("Proportional rotation: ", "proportional "), (" columns", "")),
    "partial": (("Partial rotation: ", "partial "), (" columns", "")),
    "by-length": (("It follows the length: ", ""),),
    "linear": (("Linear interpolation: scaling ", "linear scaling "),),
}


def convention_of(finding):
    """The short name, such as "base 500000" or "partial 32 of 64"."""
    title = finding.title.rstrip(".")
    for long, short in SHORT.get(finding.id, ()):
        title = title.replace(long, short)
    return title
