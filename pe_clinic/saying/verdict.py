"""The six verdicts, each with a first line that stays true whatever follows it; one of them by what was expected."""

import re
from dataclasses import dataclass, replace

from .catalogue import Mistake

RANKS = ("right", "table-right", "convention", "wrong", "not-run")  # the best first
# Words that change no score: they are compared only where the expectation names one of them.
HARMLESS = {"half-split", "interleaved", "reversed", "shifted", "permuted", "other coordinates", "row-shifted"}
# Said of the paper's own design.
THE_PAPERS = {"base 10000", "interleaved", "slopes by the authors' code"}
OPENERS = ["The", "A", "An", "It", "Its", "This", "Some", "Every", "Two", "There", "At", "In", "Under", "Positions"]
NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"

NOT_EXPECTED = Mistake("not-expected", "Another design was expected.", kind="unexpected")


@dataclass(frozen=True)
class Verdict:
    """``id`` for programs, ``line`` for people, ``status`` for a shell."""

    id: str
    line: str
    status: int

    @property
    def rank(self):
        return RANKS.index(self.id)

    @property
    def main_right(self):
        """Right in the main thing: at most a side matter is wrong."""
        return self.id in RANKS[:2]

    @property
    def good(self):
        """Right in the main thing, or a known design."""
        return self.id in RANKS[:3]

    def __str__(self):
        return self.line


def verdict_on(diagnosis):
    """The `Verdict` that holds for a `Diagnosis`, by its ``ok``, its findings, and what was expected."""
    kinds = {finding.kind for finding in diagnosis.findings} - {"note"}
    convention, kind = diagnosis.convention, diagnosis.kind
    if diagnosis.ok:
        return Verdict("right", f"Right. Convention: {convention}." if convention else "Right.", 0)
    if surprise := [finding for finding in diagnosis.findings if finding.kind == "unexpected"]:
        return Verdict("unexpected", f"Not what was expected: {_clauses(surprise)}.", 1)
    if kinds == {"not-run"}:
        first = [finding for finding in diagnosis.findings if finding.kind == "not-run"][:1]
        first = [replace(f, title=f.evidence or f.title) if f.id == "raises" else f for f in first]
        line = f"Could not run: {_clauses(first)}"
        return Verdict("not-run", line if line.endswith("?") else f"{line}.", 2)
    if kinds == {"convention"}:
        line = f"A convention, not a mistake: {convention}. It is right for code that expects it, and "
        line += f"not the paper's own {kind}."
        return Verdict("convention", line, 0)
    if diagnosis.usage and not kinds:
        are = "are" if kind == "positions" else "is"
        clauses = _clauses(diagnosis.usage).replace(f"the {kind} ", "it ")
        return Verdict("table-right", f"The {kind} {are} right; {clauses}.", 0)
    wrong = sum(finding.kind in ("mistake", "not-run") for finding in diagnosis.findings)
    return Verdict("wrong", f"Not right yet: {wrong} things to mend." if wrong > 1 else "Not right yet.", 1)


def _clauses(findings):
    """The titles as one clause: "it is sequence-first, and it refuses odd widths"."""
    titles = dict.fromkeys(finding.title.removesuffix(".") for finding in findings)
    return ", and ".join(_small(title).replace(". ", "; ") for title in titles)


def _small(title):
    """The first letter small, unless it belongs to a name."""
    opens_a_sentence = title.split(" ")[0] in OPENERS
    return title[:1].lower() + title[1:] if opens_a_sentence else title


def expected(diagnosis, expect):
    """``diagnosis`` judged by the design that ``expect`` names: "base 500000", or "half-split, partial 16 of 64".

    ``ok`` is True for exactly that design, and any other design is not what was expected; a mistake stays a mistake.
    The order of the words and their case do not count. TypeError for no text.
    """
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
