"""What models do on purpose: other bases, part of the columns, slower pairs for longer texts; and their short names."""

from .mistakes import MISTAKES

LINEAR = MISTAKES["linear"]
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
