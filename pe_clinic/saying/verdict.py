"""The five verdicts, each with a first line that stays true whatever follows it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Verdict:
    """``id`` for programs, ``line`` for people, ``status`` for a shell."""

    id: str
    line: str
    status: int

    def __str__(self):
        return self.line


RIGHT = Verdict("right", "Right.", 0)
CONVENTION = Verdict(
    "convention", "A convention, not a mistake: right for code that expects it, and not the paper's own table.", 1
)


def verdict_on(ok, findings, usage):
    """The `Verdict` that holds for these findings; see `Diagnosis` for the three."""
    kinds = {finding.kind for finding in findings} - {"note"}
    if ok and not usage:
        return RIGHT
    surprise = [finding for finding in findings if finding.kind == "unexpected"]
    if surprise:
        return Verdict("unexpected", f"Not what was expected: {_clauses(surprise)}.", 1)
    if kinds == {"not-run"}:
        return Verdict(
            "not-run",
            f"Could not run: {_clauses([finding for finding in findings if finding.kind == 'not-run'][:1])}.",
            2,
        )
    if kinds == {"convention"}:
        return CONVENTION
    if usage and not kinds:
        return Verdict("table-right", f"The table is right; {_clauses(usage)}.", 0)
    wrong = sum(finding.kind in ("mistake", "not-run") for finding in findings)
    return Verdict("wrong", f"Not right yet: {wrong} things to mend." if wrong > 1 else "Not right yet.", 1)


def _clauses(findings):
    """The titles as one clause: "it is sequence-first, and it refuses odd widths"."""
    return ", and ".join(_small(finding.title.removesuffix(".")).replace(". ", "; ") for finding in findings)


def _small(title):
    """The first letter small, unless it belongs to a name."""
    opens_a_sentence = title.split(" ")[0] in ("The", "A", "An", "It", "Its", "This", "Some", "Every", "Two", "There")
    return title[:1].lower() + title[1:] if opens_a_sentence else title
