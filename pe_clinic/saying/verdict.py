"""The six verdicts, each with a first line that stays true whatever follows it."""

from dataclasses import dataclass

RANKS = ("right", "table-right", "convention", "wrong", "not-run")  # the best first


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
    return ", and ".join(_small(finding.title.removesuffix(".")).replace(". ", "; ") for finding in findings)


def _small(title):
    """The first letter small, unless it belongs to a name."""
    opens_a_sentence = title.split(" ")[0] in ("The", "A", "An", "It", "Its", "This", "Some", "Every", "Two", "There")
    return title[:1].lower() + title[1:] if opens_a_sentence else title
