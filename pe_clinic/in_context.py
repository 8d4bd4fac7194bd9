"""What the code around a table explains: √d_model beside an embedding, rows that begin after those for padding."""

import re
from dataclasses import replace

from .saying.mistake import Mistake

PADDED = Mistake(
    "padding-offset",
    "Its positions begin at padding_idx + 1.",
    "fairseq, and models that were trained with it, count the tokens from padding_idx + 1: no token shares a row with "
    "the padding.",
    kind="convention",
)
FROM_ONE = ("starts-at-one", "position-offset")


def in_context(diagnosis, reading):
    """``diagnosis`` of a `Reading`, without what its own call shows to be meant."""
    if (
        reading.embeds_tokens and diagnosis.verdict.id == "table-right"
    ):  # where the embedding is, √d_model is the paper's
        usage = tuple(finding for finding in diagnosis.usage if finding.id != "sqrt-scale")
        diagnosis = replace(diagnosis, usage=usage, ok=not usage)
    if re.search(r"\bpad\w*=0", reading.call.text) and any(f.id in FROM_ONE for f in diagnosis.findings):
        findings = [PADDED.found(f.evidence) if f.id in FROM_ONE else f for f in diagnosis.findings]
        conventions = [f.id for f in findings if f.kind == "convention"]
        return replace(diagnosis, findings=tuple(findings), convention=", ".join(conventions))
    if reading.kind == "layer" and diagnosis.verdict.id in ("right", "table-right"):
        from .layer.registering import never_filled

        return replace(diagnosis, findings=(*diagnosis.findings, *never_filled(reading.layer)))
    return diagnosis
