"""After "Could not run": a command that gives a diagnosis, tried before it is shown; or the code's own error."""

import ast
import difflib
import re
import shlex
import sys
import time
from contextlib import suppress
from dataclasses import replace

from ..sandbox.guard import Failed
from .alone import statements
from .file import opened
from .finding_names import TELLING, defined_in
from .loading import OWN_NONE, CouldNotRun, text_of
from .names import ATTENDS
from .places import error_place
from .wrapping import forward_stops, wrappers

SECONDS = 20.0  # for all names of the file together
NO_LINE = "had not finished after|is a container:"  # in other words it would not end, or be empty, too
LINE = r"\(line \d+ of "
OWN = rf"{LINE}(?!<module>)"
STANDARD = "the line to paste turns x by standard tables, and not by those of the file"
GUESS = "the line to paste holds a guess"
FITS = "the line to paste calls it as it wants to be called"


def command(question):
    """What is to be typed for a `Question`."""
    parts = [f"{question.path}:{question.name}" if question.name and not question.make else question.path]
    make = question.make or ""  # in double quotes, which a shell leaves alone within single ones
    parts += ["--make", make if '"' in make else make.replace("'", '"')] if make else []
    parts += ["--kind", question.kind] if question.kind else []
    parts += {True: ["--batch-first"], False: ["--sequence-first"], None: []}[question.layout]
    return shlex.join(["python", "-m", "pe_clinic", *parts])


def with_a_line(outcome, question, look):
    """``outcome``, which could not be run, with a command that can; ``look(question)`` tries it.

    Where nothing had to be guessed, and what comes is right or a design, its own outcome takes the place of
    ``outcome``. Where nothing runs, the code's own error is told.
    """
    lines, error = ([], "") if re.search(NO_LINE, outcome.diagnosis.findings[0].title) else _wrapped(question)
    tried = [(line, asked, _looked(asked, look)) for line, asked in lines]
    ran = [(line, asked, found) for line, asked, found in tried if found]
    forward = _forward_of(question)
    unfit = re.search(rf"(must match|broadcast).*{LINE}", outcome.diagnosis.findings[0].title)
    for line, _, found in ran:
        others = "10000 **" in line.text and (unfit or _has_none(question))  # its own tables do not fit, or stop
        part = others or _is_a_part(line.text, forward)
        if found.diagnosis.verdict.good and line.whole and not (line.guessed or part or question.make):
            return found
    if ran:
        line, asked, _ = min(ran, key=lambda one: not one[2].diagnosis.verdict.good)
        guess = f"{GUESS} for {', '.join(line.guessed)}: put what you mean in its place" if line.guessed else ""
        fix = guess or (STANDARD if "10000 **" in line.text else FITS)
        return outcome.saying(paste=command(asked), fix=fix)
    outcome = _with_its_error(outcome, question, error)
    end, title = time.monotonic() + SECONDS, outcome.diagnosis.findings[0].title
    own = re.search(LINE, title) and "CUDA" not in title  # without a GPU the parts can be looked at
    looked = ((other, _looked(other, look)) for other in _other_names(question) if time.monotonic() < end)
    looked = [(other, found) for other, found in looked if found and (found.diagnosis.verdict.good or not own)]
    for other, _ in sorted(looked, key=lambda one: not one[1].diagnosis.verdict.good)[:1]:
        fix = outcome.diagnosis.findings[0].fix or f"of this file {other.name} can be looked at"
        outcome = outcome.saying(paste=command(other), fix=fix)
    return outcome


def _has_none(question):
    """Does what makes the tables of the class stop by itself?"""
    with suppress(CouldNotRun, Failed, NotImplementedError):
        return forward_stops(opened(question, question.name), question.name)
    return False


def _body(question):
    """The statements at the top of the file; none of a file that cannot be read."""
    with suppress(CouldNotRun):
        return statements(text_of(question.file)) or []
    return []


def _forward_of(question):
    """The code of the forward of the class that was asked for; "" where there is none."""
    classes = [n for top in _body(question) for n in ast.walk(top) if isinstance(n, ast.ClassDef)]
    methods = [method for cls in classes if cls.name == question.name for method in cls.body]
    return "".join(ast.unparse(m) for m in methods if getattr(m, "name", "") == "forward")


def _is_a_part(line, forward):
    """A right part does not make the class right: a private method, or one that its forward calls, or that attends."""
    method = re.search(r"\bmade\.(?!forward\b)(\w+)\(", line)
    return method and (method[1][0] == "_" or f"self.{method[1]}(" in forward or re.search(ATTENDS, forward))


def _with_its_error(outcome, question, error):
    """With the ``error`` of all calls, where none was told yet, and with the line of the file that it names."""
    finding = outcome.diagnosis.findings[0]
    ours = "NoneType" in f"{error}" and not re.search(OWN_NONE, text_of(question.file))  # it was handed in here
    if error and not ours and not re.search(f"{OWN}|not known|gave (None|the shape)", finding.title + finding.evidence):
        finding = replace(finding, title=f"{finding.title.removesuffix('.')}: {error}.")
    with suppress(CouldNotRun):
        place = finding.place or error_place(finding, question.path, text_of(question.file))
        return outcome.saying(title=finding.title, place=place)
    return outcome


def _looked(question, look):
    """The outcome of ``question``; None where it could not be run either."""
    try:
        found = look(question)
    except (CouldNotRun, Failed, NotImplementedError):
        return None
    return None if found.diagnosis.verdict.id == "not-run" else found


def _wrapped(question):
    """([(line, question), …], error) about the same name in other words, as what its kind takes."""
    if question.kind in ("model", "positions"):
        return [], ""
    try:
        file = opened(question, question.name)
        if "torch" not in sys.modules:
            kind, standard = question.kind or "table", False
        else:
            from .. import kinds

            kind = question.kind or kinds.kind_of(file.resolve(question.name)[0], question.name, True) or "table"
            standard = kind == "rope" and not kinds.makes_own_tables(file, question.name)
        found, error = wrappers(file, question.name, kind, standard)
    except (CouldNotRun, Failed, NotImplementedError, KeyError, TypeError):
        return [], ""
    told = kind if kind in ("rope", "alibi") else None
    return [(line, replace(question, make=line.text, name="", kind=told, expect=None)) for line in found], error


def _other_names(question):
    """What else the file has: what is spelt alike first, then what speaks of positions; parts of a model by name."""
    names = defined_in(_body(question))
    parts = [name for name in names if name.startswith(f"{question.name}.")] if question.name else []
    near = difflib.get_close_matches(question.name, names, n=2, cutoff=0.6)
    telling = [name for name in names if re.search(TELLING, name.lower())]
    for name in list(dict.fromkeys([*parts, *near, *telling, *names]))[:8]:
        if name != question.name:
            yield replace(question, name=name, make=None, kind=None, expect=None)
