"""From findings to what is said: each into its place, mistakes first."""

from .result import Diagnosis

FIRST = ("mistake", "not-run", "convention", "note")


def say(findings, ok=False, picture=None):
    """The `Diagnosis`: findings of kind "usage" go into `usage`, and conventions give `convention` its names."""
    usage = tuple(finding for finding in findings if finding.kind == "usage")
    others = sorted((finding for finding in findings if finding.kind != "usage"), key=_place)
    conventions = [finding.id for finding in others if finding.kind == "convention"]
    return Diagnosis(ok, tuple(others), ", ".join(conventions) or None, picture, usage)


def _place(finding):
    return finding.kind in FIRST[2:], FIRST.index(finding.kind)
