"""What the code around a table explains: √d_model beside an embedding, rows after those for padding, axes in words."""

import re
from dataclasses import replace

from .calling.declared import says_batch_first, says_sequence_first
from .layer.catalogue import SEQUENCE_FIRST
from .saying.mistake import Mistake

PADDED = Mistake(
    "padding-offset",
    "Its positions begin at padding_idx + 1.",
    "fairseq, and models that were trained with it, count the tokens from padding_idx + 1: no token shares a row with "
    "the padding.",
    kind="convention",
)
SAID_OTHERWISE = Mistake(
    "said-sequence-first",
    "The layer wants x of shape (batch, length, width), and its text says sequence-first.",
    "Whoever believes the docstring, or the comment, hands over (length, batch, width): then all tokens of a sample "
    "get the same row.",
    "say (batch, length, width) there; or, for sequence-first x, add pe[:x.shape[0]] with pe of shape (max_len, 1, d)",
    kind="usage",
)
FROM_ONE = ("starts-at-one", "position-offset")


def in_context(diagnosis, reading, file):
    """``diagnosis`` of a `Reading`, without what its own call shows to be meant, with what the ``file`` says of x."""
    if diagnosis.verdict.id in ("right", "table-right") and file.layout is None:
        diagnosis = _beside_words(diagnosis, reading, file)
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


def _beside_words(diagnosis, reading, file):
    """A right ``diagnosis``, and what the file says of the axes of x."""
    if "zeros((max_len, 1, d_model))" in reading.call.text:  # NumPy's: of x in the other layout all rows were one
        seen = "of x of shape (1, length, d_model) every token gets the same row"
        if not says_batch_first(file, reading.call):
            return replace(diagnosis, usage=(SEQUENCE_FIRST.found(seen), *diagnosis.usage), ok=False)
        title = "It is sequence-first, and the code around it says batch-first."
        return replace(diagnosis, findings=(SEQUENCE_FIRST.found(seen, kind="mistake", title=title),), ok=False)
    plain = all(finding.id != "sequence-first" for finding in diagnosis.usage)
    if reading.kind != "layer" or not plain or not says_sequence_first(file, reading.call):
        return diagnosis
    said = SAID_OTHERWISE.found("the rows follow axis 1 of x, and the text says axis 0")
    return replace(diagnosis, usage=(*diagnosis.usage, said), ok=False)
