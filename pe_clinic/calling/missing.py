"""Names that code reads in a branch that did not run, and that nothing defines."""

import builtins
import inspect
import re
from dataclasses import replace

from ..sandbox.mistakes import MISTAKES
from .constants import globals_of
from .places import pointed

NOT_THERE = MISTAKES["name-not-there"]


def in_its_code(diagnosis, file, name, note):
    """``diagnosis`` with the lines that it is about; where it is good, with a name that is read and not defined."""
    diagnosis = pointed(diagnosis, file, name)
    missing = _reads(file, name)
    if note or not missing or not diagnosis.verdict.good:
        return diagnosis
    return replace(diagnosis, ok=False, usage=(*diagnosis.usage, NOT_THERE.found(f"{missing}: a NameError there")))


def beside(problem, file, name):
    """What may be added to a ``problem`` that is no error of the code: a name that it reads and nothing defines."""
    missing = "" if "Error" in problem or not name else _reads(file, name)
    return missing and f"; {missing}"


def _reads(file, name):
    """Which name the code of ``name`` reads that stands nowhere in the file; "" of none."""
    thing = file.names.get(name.split(".")[0])
    functions = vars(thing).values() if isinstance(thing, type) else [thing]
    functions = [inspect.unwrap(f) for f in functions if inspect.isfunction(f)]
    later = re.findall(r"\w+", " ".join(re.findall(r"(?m)^\s*global (.+)$", file.source)))
    known = {*dir(builtins), *file.names, *later}
    missing = [(n, f) for f in functions for n in globals_of(f.__code__) if n not in {*known, *f.__globals__}]
    said = "{1.__name__} reads {0}, which is no parameter and stands nowhere in the file"
    return said.format(*missing[0]) if missing else ""
