"""Is it the design that was expected? Compares `.convention` with the words that name the intended design."""

import re
from dataclasses import replace

from .mistake import Mistake
from .result import Diagnosis

# Words that change no score: they are compared only where the expectation names one of them.
HARMLESS = {"half-split", "interleaved", "reversed", "shifted", "permuted", "other coordinates", "row-shifted"}
# Said of the paper's own design.
THE_PAPERS = {"base 10000", "interleaved", "slopes by the authors' code"}
NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"

NOT_EXPECTED = Mistake("not-expected", "Another design was expected.", kind="unexpected")


def expected(diagnosis: Diagnosis, expect: str | None) -> Diagnosis:
    """``diagnosis`` judged by the design that ``expect`` names: "base 500000", or "half-split, partial 16 of 64".

    None changes nothing. Otherwise ``ok`` is True for exactly that design, and any other design is not what was
    expected; a mistake stays a mistake. The order of the words and their case do not count. TypeError for no text.
    """
    if expect is None:
        return diagnosis
    if not isinstance(expect, str):
        raise TypeError(f"expect must be a text such as 'base 500000', but got {expect!r} ({type(expect).__name__})")
    if not diagnosis.verdict.good:
        return diagnosis
    findings = tuple(replace(f, kind="note") if f.kind == "convention" else f for f in diagnosis.findings)
    if _same(_words(expect), _words(diagnosis.convention or "")):
        return replace(diagnosis, ok=not diagnosis.usage, findings=findings)
    is_ = diagnosis.convention or f"the paper's own {diagnosis.kind}"
    surprise = NOT_EXPECTED.found(f"expected: {expect}; found: {is_}", title=f"It is {is_}, and not {expect}.")
    return replace(diagnosis, ok=False, findings=(surprise, *findings))


def _words(text):
    """The parts of a convention; numbers written alike: 5e5 and 500000.0 as 500000."""
    text = re.sub(r"(?<=\d)[_,](?=\d{3}\b)", "", text.lower())
    text = re.sub(NUMBER, lambda number: f"{float(number[0]):.6g}", text)
    return {" ".join(part.split()) for part in text.split(",")} - {"", "paper", "the paper's own"}


def _same(expect, seen):
    if not expect & HARMLESS:
        expect, seen = expect - HARMLESS, seen - HARMLESS
    return expect - THE_PAPERS == seen - THE_PAPERS
