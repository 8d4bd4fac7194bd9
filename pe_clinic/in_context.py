"""What the code around a table explains: √d_model beside an embedding, rows after those for padding, axes in words."""

import re
from dataclasses import replace

from .as_told import as_told
from .axes_told import along_another_axis, turned_later
from .calling.axes import axis_said, meets_batch_first
from .calling.lines import BEFORE
from .calling.parameters import source_of
from .drawn import by_words, drawn_once
from .handed_over import of_the_sines, of_what_is_handed_over, of_what_is_off, unread_sizes
from .law.naming import as_base_100
from .sandbox.guard import attempt, run
from .sandbox.state import loaded_torch
from .times import OF_TIMES, WORDS, in_place_of
from .times import with_findings as _with

PROMISED = r"(?is)returns?\b(?:(?!\n\s*\n).)*?[(\[] *(batch\w*|bs|b) *,"
POSITIONS_OF_WORDS = r"(?i)\bself\.(\w*pos\w*|wpe) *= *[\w.]*Embedding\((num_embeddings=)?([a-z]+\.)*n?_?voc\w*"
FROM_ONE = ("starts-at-one", "position-offset")
# A comment about padding and a first row or zeros, or a row that is numbered by the padding and set to 0.
KEEPS_A_ROW = r"(?i)#(?=.*\bpad)(?=.*(\b0\b|zero|first|\brow))|\[(self\.)?pad\w*(,[^\]]*)?\]\s*=\s*0"


def in_context(diagnosis, reading, file):
    """``diagnosis`` of a `Reading`, without what its own call shows to be meant, with what the ``file`` says of it."""
    if diagnosis.verdict.good and (reading.made or reading.kind == "layer"):
        from .calling.past import beside_the_past

        diagnosis = beside_the_past(diagnosis, reading)
    if diagnosis.verdict.id == "convention" and reading.kind == "table":
        diagnosis = _held(diagnosis, reading, file)
    if diagnosis.verdict.id == "convention" and file.layout is None and _is_sequence_first(diagnosis):
        diagnosis = _axes(diagnosis, reading, file)
    if diagnosis.verdict.main_right:
        for add in (_without_factor, _held, _axes) if file.layout is None else (_without_factor, _held):
            diagnosis = add(diagnosis, reading, file)
    of_file = (as_told, along_another_axis, *OF_TIMES, of_what_is_handed_over, unread_sizes, _all_rows)
    of_file += drawn_once, by_words, _base_100, _one_sample, _exchanged
    of_file += _learned_scale, _before_a_network, _padding, of_the_sines, of_what_is_off
    return next(filter(None, (look(diagnosis, reading, file) for look in of_file)), diagnosis)


def _without_factor(diagnosis, reading, file):
    """Where the embedding is, √d_model is the paper's."""
    usage = tuple(f for f in diagnosis.usage if f.id != "sqrt-scale" or not reading.embeds_tokens)
    return replace(diagnosis, usage=usage, ok=not usage)


def _held(diagnosis, reading, file):
    """How a module holds its table."""
    if reading.kind != "layer" and not reading.made:
        return diagnosis
    from .layer.registering import never_filled, table_left_behind

    if reading.kind == "layer":
        return replace(diagnosis, findings=(*diagnosis.findings, *never_filled(reading.layer)))
    module = reading.made.give({"max_len": 8, "d_model": 8})
    stays = table_left_behind(module, source_of(type(module)))
    if not diagnosis.verdict.main_right:  # nothing of a convention is right but for this
        return replace(diagnosis, findings=(*(replace(f, kind="mistake") for f in stays), *diagnosis.findings))
    return replace(diagnosis, usage=(*diagnosis.usage, *stays), ok=diagnosis.ok and not stays)


def _is_sequence_first(diagnosis):
    return any(finding.id == "sequence-first" for finding in (*diagnosis.usage, *diagnosis.findings))


def _axes(diagnosis, reading, file):
    """A right ``diagnosis``, and what the file says of the axes of x."""
    said = None
    if reading.kind == "layer" and _is_sequence_first(diagnosis):
        later = turned_later(file, reading.call)
        seen = f"what comes of it is turned afterwards, to ({later})" if later else ""
        if seen := seen or meets_batch_first(file, reading.call):
            return diagnosis.mistaken(WORDS["batch-first-beside"].found(seen))
    elif reading.kind == "layer" and axis_said(file, reading.call) == "length":
        said = WORDS["said-sequence-first"].found("the rows follow axis 1 of x, and the text says axis 0")
    return replace(diagnosis, usage=(*diagnosis.usage, said), ok=False) if said else diagnosis


def _all_rows(diagnosis, reading, file):
    """A whole table is right for patches of one picture, a learned one where no text says that others are shorter."""
    whole, call = [f for f in diagnosis.findings if f.id == "no-slice"], reading.call.text
    longest = re.search(r"\b(max_\w+|con?te?xt\w*|block_size)=", call) and "learned" in f"{diagnosis.convention}"
    if whole and ("another shape" in whole[0].evidence if "(ids" in call else longest):
        return _with(diagnosis, (replace(f, kind="mistake") if f in whole else f for f in diagnosis.findings))
    source = source_of(file.thing_in(reading.call))
    of_patches = re.search(r"patch(es)?=max_len", call) or re.search(r"(?i)image patch", source)
    if whole and whole[0].kind == "mistake" and of_patches:
        others = _with(diagnosis, (f for f in diagnosis.findings if f not in whole))
        return replace(others, usage=(*diagnosis.usage, replace(whole[0], kind="usage")))


def _base_100(diagnosis, reading, file):
    """Base 100, where it is the one thing that is wrong, and is written in a file that holds no 10000."""
    wrong = [f for f in diagnosis.findings if f.kind == "mistake"]
    alone = diagnosis.convention in (None, "halves", "tensor2tensor") and [f.id for f in wrong] == ["wrong-base"]
    written = alone and re.search(r"\b100(\.0*)?\b", file.source) and not re.search(r"\b1(0_?000|e4)", file.source)
    if written and "base 100:" in wrong[0].evidence:
        meant = as_base_100(replace(wrong[0], evidence=wrong[0].evidence.partition(". Or ")[0]))
        known = ", ".join(filter(None, (diagnosis.convention, "base 100")))
        return replace(in_place_of(wrong[0], meant, diagnosis), convention=known)


def _one_sample(diagnosis, reading, file):
    """Rows that come once, where the text of forward promises them for each sample."""
    forward = getattr(file.thing_in(reading.call), "forward", None)
    if "only-encoding" in {f.id for f in diagnosis.usage} and re.search(PROMISED, str(forward.__doc__)):
        out = attempt(run, "", lambda: reading.layer(8, 8)(loaded_torch().zeros(2, 3, 8)))
        if getattr(out, "shape", ()) == (1, 3, 8):
            seen = WORDS["one-sample"].found("for x of shape (2, 3, 8) it gave the shape (1, 3, 8)")
            return replace(_with(diagnosis, (seen, *diagnosis.findings)), ok=False)


def _exchanged(diagnosis, reading, file):
    """The learned rows that grow with max_len are those of words; positions have as many as there are words."""
    of_words = re.search(POSITIONS_OF_WORDS, file.source)
    grown = [f.evidence for f in diagnosis.findings if f.id == "learned" and "for max_len" in f.evidence]
    if of_words and grown and not re.search("(?i)pos|wpe", grown[0]):
        return _with(diagnosis, [WORDS["sizes-exchanged"].found(f"{grown[0]}, and the code says {of_words[0]}")])


def _learned_scale(diagnosis, reading, file):
    """A factor of the table that is a single number in training."""
    scaled = [f for f in diagnosis.findings if f.id == "scaled"]
    made = attempt(run, "", reading.made.give if scaled and reading.made else dict, {"max_len": 8, "d_model": 8})
    numbers = [n for n, p in getattr(made, "named_parameters", tuple)() if p.numel() == 1 and p.requires_grad]
    if numbers:
        from .layer.words import found

        learned = found("learned-scale", f"trained: {', '.join(numbers)}; {scaled[0].evidence}")
        return replace(in_place_of(scaled[0], learned, diagnosis), convention="learned scale")


def _before_a_network(diagnosis, reading, file):
    if reading.call.remark == BEFORE:
        said = WORDS["network"].found("what comes out of it depends on trained weights")
        return replace(diagnosis, findings=(*diagnosis.findings, said))


def _padding(diagnosis, reading, file):
    """Rows that the code keeps for padding: positions that begin after it, and zeros in row 0."""
    meant = dict.fromkeys(FROM_ONE, "padding-offset") if re.search(r"\bpad\w*=0", reading.call.text) else {}
    if reading.kind == "table" and re.search(KEEPS_A_ROW, file.source):  # a layer gives row 0 to its first token
        meant["zero-first-row"] = "padding-row"
    if any(finding.id in meant for finding in diagnosis.findings):
        found = (WORDS[meant[f.id]].found(f.evidence) if f.id in meant else f for f in diagnosis.findings)
        return _with(diagnosis, found)
