"""Times and other real positions: what lies between whole ones, and what names and comments say of them."""

import contextlib
import re
from dataclasses import replace

import numpy as np

from .calling.parameters import arguments_of, source_of
from .sandbox.guard import Failed, attempt, run, watch
from .sandbox.values import to_array
from .saying.catalogue import words_beside
from .saying.words import show
from .table.words import ANEW, HELD, found

WORDS = words_beside(__file__, "in_context.md")
REMARK = r'''(?s)""".*?"""|\'{3}.*?\'{3}|#[^\n]*'''
UNIT = r"(?i)\bt(ime\w*)?\b[^\n]{0,40}?(\[0(\.0)?, ?1(\.0)?\]|between 0 and 1)"
DRAWN = r"\bt\w* = torch\.(rand\(|randn\([^\n]*\.sigmoid|sigmoid\()"
SCALING = r"(?i)#.*\bscal(e|ing)\b.*\bt(ime\w*)?\b"
SCALES = r"\b1e3\b|\b1_?000(\.0)?\b|num_\w*steps|(?i:scal|factor)"
FLAG = r"\b(flip_sin_to_cos|cos(?:ine)?_first)(?:: bool)? ?= ?(True|False)"
PERIOD = r"(?i)\bperiod\w*(?:\s*:\s*\w+)?\s*=\s*{}\b"
NO_COMMA = r"\b\w+\[: ?None\]"
WHOLE = r"\brandint\(|\bLongTensor\b|\bint64\b|\btorch\.long\b"
TIME = r"(?i)\w*(times?|time_?stamps?)(_seqs?|_ids)?"
GIVEN = r"\b(t|pos|\w*(?:times?|steps?|stamps?|positions?)(?:_ids)?)=[\w.]*arange\("
TIMES = r"(?i)\b{}\b\s*(?:\([^)]*\))?\s*[:-](?!.*[([]\w+, *\w+, *\w+)[^\n]*\b(?:times|time ?stamps?)\b"
SPAN = r"(?i)\b(\w*(?:time|hour|day|minute|second|period)\w*)(?:\s*:\s*\w+)?\s*=\s*(\d+\.?\d*)\s*[,)]"
NUMBER = r"(?<![\w.])\d+\.?\d*(?:e-?\d+)?"


def with_findings(diagnosis, findings):
    """``diagnosis`` with these findings in place of its own."""
    findings = tuple(findings)
    conventions = [finding.id for finding in findings if finding.kind == "convention"]
    return replace(diagnosis, findings=findings, convention=", ".join(conventions) or None)


def in_place_of(old, new, diagnosis):
    """``diagnosis`` with the finding ``new`` in place of its ``old`` one."""
    return with_findings(diagnosis, (new if finding is old else finding for finding in diagnosis.findings))


def _between(diagnosis, reading, file):
    """Waves that whole positions hide: periods in one row from a shortest to a longest, both written in the file."""
    told = {finding.id for finding in diagnosis.findings}
    if reading.kind != "table" or "at" not in reading.call.made or "other-frequencies" not in told:
        return None
    with contextlib.suppress(Failed, NotImplementedError, ValueError):
        sizes = {"max_len": 3, "d_model": 16}
        near, far = (watch("", reading.call.give, {**sizes, "step": step}).value for step in (1e-6, 1e-3))
        halves, squares = (to_array("", value)[0].reshape(3, 2, 8) ** n for n, value in ((1, near), (2, far)))
        sines = halves[1, 0 if abs(halves[0, 0]).max() < 1e-3 else 1]  # rates, and no whole turns
        periods, written = 2e-6 * np.pi / np.arcsin(sines), {float(n) for n in re.findall(NUMBER, file.source)} - {0}
        ends = [any(min(abs(p * n - 1), abs(p / n - 1)) < 2e-3 for n in written) for p in periods[[0, -1]]]
        if all(ends) and np.ptp(np.diff(np.log(periods))) < 2e-3 and abs(squares.sum(1) - 1).max() < 1e-3:
            said = f"the periods go from {show(periods[0])} to {show(periods[-1])}, each so many times the one before"
            return with_findings(diagnosis, [found("wavelengths", f"at d_model = 16 {said}")])


def _flag(diagnosis, reading, file):
    """A flag that puts one wave first, and the other wave comes first."""
    target = file.thing_in(reading.call)
    flags = {*re.findall(FLAG, reading.call.text)} or {*re.findall(FLAG, source_of(target))}
    first = re.search("cosine first|cosines, then|(sines, then)", " ".join(f.title for f in diagnosis.findings))
    if diagnosis.verdict.id == "convention" and first and len(flags) == 1:
        (name, value), wave = *flags, "sines" if first[1] else "cosines"
        if (wave == "sines") == (value == "True"):
            seen = f"with {name}={value} the {wave} come first"
            return with_findings(diagnosis, [WORDS["flag-exchanged"].found(seen), *diagnosis.findings])


def _unit(diagnosis, reading, file):
    """Times between 0 and 1, by the file's own words or lines, that nothing multiplies."""
    code, usual = re.sub(REMARK, "", file.source), (diagnosis.convention or "").split(", ")[0]
    drawn, scaled = re.search(DRAWN, code), re.search(SCALING, file.source)
    if usual not in ("halves", "tensor2tensor") or re.search(SCALES, code) or "at" not in reading.call.made:
        return None
    if drawn or re.search(UNIT, file.source):
        said = "from time 0 to 1 pair 0 turns 1 radian, and three pairs of four turn less than 0.1"
        told = WORDS["unit-times"].found(said, kind="mistake" if drawn or scaled else "note")
        return replace(diagnosis, findings=(told, *diagnosis.findings))


def _far(diagnosis, reading, file):
    """Rows that begin anew after what the file calls a period; times that its code cuts to a greatest one."""
    far = next((f for f in diagnosis.findings if f.id == "long-positions"), None)
    anew = far and re.search(ANEW.format(r"(\d+)"), far.evidence)
    if anew and re.search(PERIOD.format(anew[1]), file.source):
        return in_place_of(far, WORDS["periodic"].found(anew[0]), diagnosis)
    is_time = "at" in reading.call.made and re.search(r"\b(t|\w*(time|step)\w*)=", reading.call.text)
    last = far and is_time and re.search(HELD.format(r"(\d+)"), far.evidence)
    if last and re.search(r"(?i)clamp|clip|\bmin(imum)?\(", source_of(file.thing_in(reading.call))):
        told = WORDS["bounded"].found(last[0], title=f"Times are cut to at most {last[1]}, as its code says.")
        other = in_place_of(far, told, diagnosis)
        return replace(other, ok={f.kind for f in other.findings} == {"note"} and not diagnosis.usage)


def _whole(diagnosis, reading, file):
    """The diagnosis of whole positions, where the file draws or declares such, and whole numbers come out."""
    if diagnosis.verdict.good and ".float()" in reading.call.text and re.search(WHOLE, file.source):
        from . import diagnose_table

        line = file.written(reading.call.text.replace(".float()", ""))
        other = diagnose_table(lambda max_len, d_model: line.give({"max_len": max_len, "d_model": d_model}))
        if "integers" in {f.id for f in other.findings}:
            return other
        seen = f"with whole times {other.findings[0].evidence}" if other.verdict.id == "wrong" else ""
        return with_findings(diagnosis, [WORDS["whole-times"].found(seen), *diagnosis.findings]) if seen else None


def _without_comma(diagnosis, reading, file):
    """Times that a slice without its comma leaves as they are: rows come for a column of times alone."""
    name = re.search(NO_COMMA, re.sub(REMARK, "", source_of(file.thing_in(reading.call))))
    if name and diagnosis.verdict.good and "at" in reading.call.made:
        return with_findings(diagnosis, [WORDS["no-comma"].found(f"the code says {name[0]}"), *diagnosis.findings])


def _unread(diagnosis, reading, file):
    """Times, by the text, of which a right layer reads the number alone; or by its name, a table."""
    told = re.search(GIVEN, reading.call.text) if diagnosis.verdict.good and reading.kind == "table" else None
    asked = [{"max_len": 4, "d_model": 8, "step": n} for n in (1, 2) if told]
    rows = [attempt(lambda one=one: to_array("", run("times", reading.call.give, one))[0]) for one in asked] or [0, 1]
    if rows[0] is not None and np.array_equal(*rows):
        seen = WORDS["times-unread"].found(f"{told[1]} = 0, 2, 4, … gives the rows of 0, 1, 2, …")
        return diagnosis.mistaken(seen)
    layer = file.thing_in(reading.call)
    forward = getattr(layer, "forward", None)
    x = next((a.parameter.name for a in arguments_of(forward)[1:] or ()), "") if forward else ""
    alone = x and reading.kind == "layer" and "only-encoding" in {f.id for f in diagnosis.usage}
    if alone and (re.fullmatch(TIME, x) or re.search(TIMES.format(x), source_of(layer))):
        told = WORDS["times-unread"].found(f"forward({x}) gives the same rows for any {x} of one length")
        return replace(diagnosis, ok=False, findings=(told,), usage=())


def _scaled(diagnosis, reading, file):
    """Times of which a span that the code names, such as max_hours=720, is one turn of the fastest pair."""
    wrong = [f for f in diagnosis.findings if f.kind == "mistake"]
    angle = re.match(r"every angle is (\d[\d.e-]*) times", wrong[0].evidence if len(wrong) == 1 else "")
    for name, span in re.findall(SPAN, file.source) if angle and "at" in reading.call.made else ():
        if abs(float(span) - 2 * np.pi / float(angle[1])) < 1e-3 * float(span):
            told = WORDS["scaled-times"].found(f"with {name}={span} {angle[0]} the angle of the time itself")
            return in_place_of(wrong[0], told, diagnosis)


OF_TIMES = _between, _flag, _unit, _far, _whole, _unread, _scaled, _without_comma
