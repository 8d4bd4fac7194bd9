"""What a call that raised comes from."""

import re
from dataclasses import replace

from .messages import GENERAL

RAISED = ("raises", "odd-crash")  # findings whose evidence quotes a call and what it raised


def explained(finding, errors=()):
    """The `Finding` of a call that raised, with its cause.

    Of ``errors`` (pattern, sentence) the first that fits becomes its title; what may happen in any exercise is said
    below the title. The groups of a pattern are put into its sentence.
    """
    if finding.id not in RAISED:
        return finding
    for pattern, says in errors:
        if match := re.search(pattern, finding.evidence):
            return replace(finding, title=says.format(*match.groups()), explanation="", fix="")
    if finding.id != "raises":
        return finding
    for pattern, says in GENERAL:
        if match := re.search(pattern, finding.evidence):
            return replace(finding, explanation=says.format(*match.groups()))
    return finding
