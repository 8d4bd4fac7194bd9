"""Is it the design that was expected? A right or known design is compared with the words of a convention."""

import functools
import inspect
import re
from dataclasses import replace

LAYOUTS = {"half-split", "reversed", "shifted", "permuted", "other coordinates", "row-shifted"}


def parts_of(convention):
    """The designs that a convention names; the paper's own has none.

    >>> sorted(parts_of("Half-split, base 500,000")), parts_of("the paper's own")
    (['base 500000', 'half-split'], set())
    """
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", convention or "").lower()
    return {" ".join(part.split()) for part in text.split(",")} - {"", "paper", "the paper's own"}


def as_expected(diagnosis, expect):
    """``diagnosis``, whose ``ok`` says whether the design is the one that ``expect`` names; as it is for None.

    A layout of columns or a direction (half-split, reversed) has to agree only where it is expected by name.
    """
    if expect is None or diagnosis.verdict.id not in ("right", "convention"):
        return diagnosis
    if not isinstance(expect, str):
        raise TypeError(f"expect must be the words of a convention, such as 'base 500000', but got {expect!r}")
    wanted, found = parts_of(expect), parts_of(diagnosis.convention)
    same = wanted == found or wanted == found - LAYOUTS
    return replace(diagnosis, ok=same, expected=expect)


def takes_expect(diagnose):
    """Give a function that returns a `Diagnosis` the parameter ``expect=None``; see `as_expected`."""
    signature = inspect.signature(diagnose)
    expect = inspect.Parameter("expect", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)

    @functools.wraps(diagnose)
    def diagnosed(*arguments, **named):
        bound = diagnosed.__signature__.bind(*arguments, **named)
        expect = bound.arguments.pop("expect", None)
        return as_expected(diagnose(*bound.args, **bound.kwargs), expect)

    diagnosed.__signature__ = signature.replace(parameters=[*signature.parameters.values(), expect])
    return diagnosed
