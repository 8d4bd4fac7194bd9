"""Times and other real positions: what lies between whole ones, and what names and comments say of them."""

from dataclasses import replace

from .table.fine import of_real_positions

HIDDEN = {"other-frequencies", "unlisted", "one-row"}


def with_findings(diagnosis, findings):
    """``diagnosis`` with these findings in place of its own."""
    findings = tuple(findings)
    conventions = [finding.id for finding in findings if finding.kind == "convention"]
    return replace(diagnosis, findings=findings, convention=", ".join(conventions) or None)


def _between(diagnosis, reading, file):
    """Positions that are handed over may lie between whole ones, where no turn is lost."""
    told = {finding.id for finding in diagnosis.findings if finding.kind == "mistake"}
    if reading.kind == "table" and "at" in reading.call.made and told & HIDDEN:
        if seen := of_real_positions(reading.call, reading.table, file.source):
            return with_findings(replace(diagnosis, picture=None), seen)


OF_TIMES = (_between,)
