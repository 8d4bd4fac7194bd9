"""Times and other real positions: what lies between whole ones, and what names and comments say of them."""

import contextlib
import re
from dataclasses import replace

import numpy as np

from .calling.parameters import source_of
from .sandbox.guard import Failed, watch
from .sandbox.values import to_array
from .saying.catalogue import words_beside
from .saying.words import show
from .table.words import found

WORDS = words_beside(__file__, "in_context.md")
REMARK = r'''(?s)""".*?"""|\'{3}.*?\'{3}|#[^\n]*'''
UNIT = r"(?i)\bt(ime\w*)?\b[^\n]{0,40}?(\[0(\.0)?, ?1(\.0)?\]|between 0 and 1)"
DRAWN = r"\bt\w* = torch\.(rand\(|randn\([^\n]*\.sigmoid|sigmoid\()"
SCALES = r"\b1e3\b|\b1_?000(\.0)?\b|num_\w*steps|(?i:scal|factor)"
FLAG = r"\b(flip_sin_to_cos|cos(?:ine)?_first)(?:: bool)? ?= ?(True|False)"
NUMBER = r"(?<![\w.])\d+\.?\d*(?:e-?\d+)?"


def with_findings(diagnosis, findings):
    """``diagnosis`` with these findings in place of its own."""
    findings = tuple(findings)
    conventions = [finding.id for finding in findings if finding.kind == "convention"]
    return replace(diagnosis, findings=findings, convention=", ".join(conventions) or None)


def _between(diagnosis, reading, file):
    """Waves that whole positions hide: periods in one row from a shortest to a longest, both written in the file."""
    told = {finding.id for finding in diagnosis.findings if finding.kind == "mistake"}
    if reading.kind != "table" or "at" not in reading.call.made or not told & {"other-frequencies", "unlisted"}:
        return None
    with contextlib.suppress(Failed, NotImplementedError, ValueError):
        value = watch("", reading.call.give, {"max_len": 3, "d_model": 16, "step": 1e-6}).value
        halves = to_array("", value)[0].reshape(3, 2, 8)
        sines = halves[1, 0 if abs(halves[0, 0]).max() < 1e-3 else 1]  # of one step: rates, and no whole turns
        periods = 2e-6 * np.pi / np.arcsin(sines)
        steps, written = np.diff(np.log(periods)), {float(n) for n in re.findall(NUMBER, file.source)}
        ends = [any(abs(p * n - 1) < 2e-3 or abs(p / n - 1) < 2e-3 for n in written - {0}) for p in periods[[0, -1]]]
        if np.ptp(steps) < 2e-3 and all(ends):
            said = f"the periods go from {show(periods[0])} to {show(periods[-1])}, each so many times the one before"
            return with_findings(replace(diagnosis, picture=None), [found("wavelengths", f"at d_model = 16 {said}")])
    return None


def _flag(diagnosis, reading, file):
    """A flag that puts one wave first, and the other wave comes first."""
    target = file.names.get(re.match(r"\w*", reading.call.text)[0])
    flags = {*re.findall(FLAG, reading.call.text)} or {*re.findall(FLAG, source_of(target))}
    first = re.search("cosine first|cosines, then|(sines, then)", " ".join(f.title for f in diagnosis.findings))
    if diagnosis.verdict.id == "convention" and first and len(flags) == 1:
        (name, value), sines = *flags, bool(first[1])
        if sines == (value == "True"):
            seen = f"with {name}={value} the {'sines' if sines else 'cosines'} come first"
            return with_findings(diagnosis, [WORDS["flag-exchanged"].found(seen), *diagnosis.findings])


def _unit(diagnosis, reading, file):
    """Times between 0 and 1, by the file's own words or lines, that nothing multiplies."""
    code, usual = re.sub(REMARK, "", file.source), (diagnosis.convention or "").split(", ")[0]
    unit = re.search(UNIT, file.source)
    if usual not in ("halves", "tensor2tensor") or re.search(SCALES, code) or "at" not in reading.call.made:
        return None
    if re.search(DRAWN, code) or unit:
        said = "from time 0 to 1 pair 0 turns 1 radian, and three pairs of four turn less than 0.1"
        meant = not re.search(DRAWN, code) and not re.search(r"(?i)#.*\bscal(e|ing)\b.*\bt(ime\w*)?\b", file.source)
        told = WORDS["unit-times"].found(said, **({"kind": "note"} if meant else {}))
        return replace(diagnosis, findings=(told, *diagnosis.findings))


OF_TIMES = _between, _flag, _unit
