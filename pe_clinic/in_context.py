"""What the code around a table explains: √d_model beside an embedding, rows after those for padding, axes in words."""

import re
from dataclasses import replace

import numpy as np

from .calling.declared import meets_batch_first, moves_a_parameter, says_batch_first, says_sequence_first
from .calling.lines import BEFORE, SIZES
from .layer.catalogue import LEARNED, SEQUENCE_FIRST
from .law.naming import as_base_100
from .sandbox.guard import Failed, watch
from .sandbox.values import to_array
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
BESIDE = Mistake(
    "batch-first-beside",
    "The module beside it is batch-first.",
    "What is batch-first for the module is sequence-first for the layer: all tokens of a sample get the same row.",
    "make the layer batch-first, too: x + pe[:, :x.shape[1]] with pe of shape (1, max_len, d_model)",
    kind="usage",
)
MOVED = Mistake(
    "moved-parameter",
    "On another device its rows are no parameter.",
    "nn.Parameter(…).to(device) gives the parameter itself on its own device, and elsewhere a copy that no optimizer "
    "sees.",
    "nn.Parameter(…) alone; move the whole module",
    kind="note",
)
NETWORK = Mistake("network", "What is told is the table that goes into its network.", kind="note")
IGNORED = Mistake(
    "arguments-ignored",
    "Its sizes come from names at the top of the file, not from its arguments.",
    "In a notebook d_model is a name that every cell knows: a class that leaves out self. reads that one, whatever it "
    "was given.",
    "self.d_model, or the parameter, in place of d_model; the same for the length",
)
FROM_ONE = ("starts-at-one", "position-offset")


def in_context(diagnosis, reading, file):
    """``diagnosis`` of a `Reading`, without what its own call shows to be meant, with what the ``file`` says of x."""
    if reading.made and reading.kind == "table" and diagnosis.verdict.id in ("right", "table-right"):
        from .layer.registering import table_left_behind

        stays = table_left_behind(reading.made, reading.call)
        diagnosis = replace(diagnosis, usage=(*diagnosis.usage, *stays), ok=diagnosis.ok and not stays)
    if diagnosis.verdict.id in ("right", "table-right") and file.layout is None:
        diagnosis = _beside_words(diagnosis, reading, file)
    if diagnosis.verdict.id in ("right", "table-right", "convention") and (names := _read_at_the_top(reading)):
        ignored = IGNORED.found(f"with other arguments it gives the same; it reads {names}")
        return replace(diagnosis, findings=(ignored, *diagnosis.findings), ok=False)
    if (
        reading.embeds_tokens and diagnosis.verdict.id == "table-right"
    ):  # where the embedding is, √d_model is the paper's
        usage = tuple(finding for finding in diagnosis.usage if finding.id != "sqrt-scale")
        diagnosis = replace(diagnosis, usage=usage, ok=not usage)
    if "(ids" in reading.call.text and any(f.id == "no-slice" for f in diagnosis.findings):  # texts have all lengths
        findings = (replace(f, kind="mistake") if f.id == "no-slice" else f for f in diagnosis.findings)
        return replace(diagnosis, findings=tuple(findings))
    if [f.id for f in diagnosis.findings if f.kind != "note"] == ["not-repeatable"] and _is_drawn_once(reading):
        learned = LEARNED.found("its rows are drawn by chance when it is made, and stay the same from call to call")
        return replace(diagnosis, findings=(learned,), convention="learned", picture=None)
    if diagnosis.convention in ("halves", "tensor2tensor") and _means_100(diagnosis, file):
        findings = [
            as_base_100(replace(f, evidence=f.evidence.partition(". Or ")[0])) if f.id == "wrong-base" else f
            for f in diagnosis.findings
        ]
        return replace(diagnosis, findings=tuple(findings), convention=f"{diagnosis.convention}, base 100")
    if diagnosis.convention == "learned" and moves_a_parameter(file, reading.call):
        moved = MOVED.found("it keeps what .to or .cuda of a parameter gives")
        return replace(diagnosis, findings=(*diagnosis.findings, moved))
    if reading.call.remark == BEFORE:
        note = NETWORK.found("what comes out of it depends on trained weights")
        return replace(diagnosis, findings=(*diagnosis.findings, note))
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
    if reading.kind != "layer":
        return diagnosis
    said = None
    if any(finding.id == "sequence-first" for finding in diagnosis.usage):
        if meets_batch_first(file, reading.call):
            said = BESIDE.found("the file uses it beside a module with batch_first=True, and turns no axes")
    elif says_sequence_first(file, reading.call):
        said = SAID_OTHERWISE.found("the rows follow axis 1 of x, and the text says axis 0")
    return replace(diagnosis, usage=(*diagnosis.usage, said), ok=False) if said else diagnosis


def _read_at_the_top(reading):
    """The names at the top of the file that it reads in place of its arguments, in words."""
    given = [size for size in SIZES if re.search(rf"(?<![\w.]){size}\b(?!=)", reading.call.text)]
    return " and ".join(re.findall(rf"(\w+) = \{{(?:{'|'.join(given)})\}}", reading.call.remark)) if given else ""


def _is_drawn_once(reading):
    """Does an object give rows that its own making drew, one seed always the same, and another others throughout?"""
    if reading.kind != "table" or not re.search(r"\)[.(]", reading.call.text):
        return False
    try:
        one, same, other = (to_array("", watch("", reading.table, 20, 8, seed=seed).value)[0] for seed in (1, 1, 2))
    except (Failed, NotImplementedError):
        return False
    return bool((one == same).all()) and abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.4


def _means_100(diagnosis, file):
    """Is base 100 the one thing that is wrong, and written in a file that holds no 10000?"""
    wrong = [finding for finding in diagnosis.findings if finding.kind == "mistake"]
    told = [finding.id for finding in wrong] == ["wrong-base"] and "base 100:" in wrong[0].evidence
    return told and bool(re.search(r"\b100(\.0*)?\b", file.source)) and not re.search(r"\b1(0_?000|e4)", file.source)
