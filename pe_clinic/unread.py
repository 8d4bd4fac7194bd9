"""Times, or positions, that code does not read: their number alone counts, or the words do."""

import re
from dataclasses import replace

import numpy as np

from .calling.parameters import arguments_of, source_of
from .sandbox.guard import attempt, first_look, run
from .sandbox.state import loaded_torch
from .sandbox.values import as_numbers
from .times import WORDS, with_findings

TIME = r"(?i)\w*(times?|time_?stamps?)(_seqs?|_ids)?"
GIVEN = r"\b(t|pos|\w*(?:time|step|position)\w*)=[\w.]*arange\("
TIMES = r"(?i)\b{}\b\s*(?:\([^)]*\))?\s*[:-](?!.*[([]\w+, *\w+, *\w+)[^\n]*\b(?:times|time ?stamps?)\b"


def _same(diagnosis, reading, file):
    """Times that a table is handed, and of which nothing but their number is read: twice as late, the rows are one."""
    named = re.search(GIVEN, reading.call.text) if diagnosis.verdict.good and reading.kind == "table" else None
    sizes = {"max_len": 4, "d_model": 8}
    rows = [attempt(_rows, reading.call, {**sizes, "step": n}) for n in (1, 2)] if named else [None]
    if all(one is not None for one in rows) and np.array_equal(*rows) and np.ptp(rows[0]):
        said = f"{named[1]} = 0, 2, 4, … gives the rows of 0, 1, 2, …"
        return replace(diagnosis, ok=False, convention=None, findings=(WORDS["times-unread"].found(said),), usage=())


def _rows(call, setting):
    return as_numbers(run(call.text, call.give, setting))


def _unread(diagnosis, reading, file):
    """Times, by the text, of which a right layer reads the number alone."""
    name = re.match(r"\w*", reading.call.text)[0]
    forward = getattr(file.names.get(name), "forward", None)
    x = next((a.parameter.name for a in arguments_of(forward)[1:] or ()), "") if forward else ""
    alone = x and reading.kind == "layer" and "only-encoding" in {f.id for f in diagnosis.usage}
    if alone and (re.fullmatch(TIME, x) or re.search(TIMES.format(x), source_of(file.names[name]))):
        told = WORDS["times-unread"].found(f"forward({x}) gives the same rows for any {x} of one length")
        return replace(diagnosis, ok=False, findings=(told,), usage=())


def _by_words(diagnosis, reading, file):
    """One row for every token, where each was one word: another word gets another row."""
    one_row = "missing-colon" in {f.id for f in diagnosis.findings}
    if not one_row or reading.kind != "layer" or "(ids" not in reading.call.text:
        return None
    from .calling.layers import without_tokens

    inner = without_tokens(reading.call).give({"max_len": 8, "d_model": 8}).inner
    rows = [first_look(inner, loaded_torch().full((1, 3), word)) for word in (2, 3)]
    if all(hasattr(one, "shape") for one in rows) and not loaded_torch().allclose(*rows):
        said = "without the words themselves, three tokens of id 2 and three of id 3 get different rows"
        return with_findings(diagnosis, [WORDS["rows-by-words"].found(said)])


UNREAD = _same, _unread, _by_words
