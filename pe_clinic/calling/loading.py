"""Load anyone's Python file or notebook: run whole, or, when that stops, the definition alone with what it uses.

The code is run as it stands, guarded; whoever calls this keeps the world (`state.preserved`) until the looking ends.
"""

import importlib
import linecache
import os
import re
import sys
import tokenize
from dataclasses import dataclass

from ..sandbox.guard import Failed, guarded
from .alone import MODULES, module_names, run_alone
from .cells import code_cells, up_to

SECONDS = 60.0  # of the processor, for a file that computes while it is loaded
OWN_NONE = r"(?<!-> )\bNone\b"  # in code that has no other, a None was handed in here


class CouldNotRun(Exception):
    """There is nothing to look at: what was done, why it gave nothing, and what to mend, where that is known."""

    def __init__(self, why, fix=""):
        super().__init__(why)
        self.fix = fix


@dataclass(frozen=True)
class Loaded:
    names: dict
    source: str
    note: str = ""  # what was left out, and why


def load(path, wanted):
    """The names of the file at ``path``; ``wanted`` is the expression, or the dotted name, that is asked for."""
    notebook, cells = path.suffix == ".ipynb", _cells(path)
    if notebook:
        cells = up_to(cells, wanted)
    source = "\n".join(cells)
    os.environ["TORCHDYNAMO_DISABLE"] = "1"  # torch.compile would take minutes, and change no number
    try:
        names = _run_cells(path, cells) if notebook else _import(path)
        return Loaded(_as_written(names), source)
    except (Failed, NotImplementedError) as problem:
        return _alone(path, source, wanted, problem)


def text_of(path):
    """All code of a file or a notebook; `CouldNotRun` where it cannot be read."""
    return "\n".join(_cells(path))


def _cells(path):
    if not path.is_file():
        raise CouldNotRun(f"there is no file {path}")
    try:
        return code_cells(path) if path.suffix == ".ipynb" else [_text(path)]
    except Exception as error:  # a file may hold anything, and nbformat raises of many types
        raise CouldNotRun(f"{path.name} cannot be read: {type(error).__name__}") from None


def _alone(path, source, wanted, problem):
    """What the whole file could not give, the definition may."""
    why = said(problem)
    package = re.search(r"No module named '([\w.]+)'", why)
    root = package and package[1].split(".")[0]
    hint = f"; the module {root} is not found here" if root else ""
    try:
        names = guarded(f"running {wanted} alone", run_alone, source, wanted, str(path), seconds=SECONDS)
    except (Failed, NotImplementedError, SyntaxError):
        names = None
    if names is None:
        fix = f"install {root}, or write what is needed of it into a file of its own" if root else ""
        raise CouldNotRun(f"{why}{hint}", fix=fix) from None
    stands = "".join(f", with nn.Module in the place of {parent}" for parent in MODULES if package and parent in source)
    return Loaded(_as_written(names), source, f"{why}{hint}: the definition was taken alone{stands}")


def _as_written(names):
    """``names``, where functions that torch.jit.script compiled stand as they were written: it hides parameters."""
    compiled = [name for name, thing in names.items() if type(thing).__name__ == "ScriptFunction"]
    names.update({name: getattr(names[name], "_torchdynamo_inline", names[name]) for name in compiled})
    return names


def _import(path):
    """A file inside a package is imported as part of it, so that its relative imports work."""
    folder, name = path.resolve().parent, path.stem
    while (folder / "__init__.py").is_file():
        folder, name = folder.parent, f"{folder.name}.{name}"
    sys.path.insert(0, str(folder))
    if name != path.stem:
        return vars(guarded(f"loading {path.name}", importlib.import_module, name, seconds=SECONDS))
    return guarded(f"loading {path.name}", _execute, path, _text(path), seconds=SECONDS)


def _text(path):
    """As Python reads it: UTF-8, with or without a byte order mark, or what its first lines declare."""
    with tokenize.open(path) as file:
        return file.read()


def _execute(path, source, names=None):
    linecache.cache[str(path)] = (len(source), None, source.splitlines(True), str(path))
    names = module_names(f"diagnosed_{path.stem}", str(path), source) if names is None else names
    exec(compile(source, str(path), "exec", dont_inherit=True), names)
    return names


def _run_cells(path, cells):
    sys.path.insert(0, str(path.resolve().parent))
    names = module_names(f"diagnosed_{path.stem}", str(path), "")
    for n, cell in enumerate(cells, 1):
        place = path.with_name(f"{path.name} cell {n}")
        guarded(f"code cell {n} of {path.name}", _execute, place, cell, names, seconds=SECONDS)
    return names


def said(problem):
    if isinstance(problem, Failed):
        return problem.finding.evidence or problem.finding.title
    return f"it is not written yet: NotImplementedError {problem}".strip()
