"""Load anyone's Python file or notebook: run whole, or, when that stops, the definition alone with what it uses.

The code is run as it stands, guarded; whoever calls this keeps the world (`state.preserved`) until the looking ends.
"""

import ast
import importlib
import json
import linecache
import re
import sys
import tokenize
import types
from dataclasses import dataclass

from ..sandbox.guard import Failed, guarded
from .alone import run_alone, uses

SECONDS = 60.0  # of the processor, for a file that computes while it is loaded


class CouldNotRun(Exception):
    """There is nothing to look at: what was done, why it gave nothing, and a line to paste that does, where known."""

    def __init__(self, why, paste="", fix=""):
        super().__init__(why)
        self.paste, self.fix = paste, fix


@dataclass(frozen=True)
class Loaded:
    names: dict
    source: str
    note: str = ""  # what was left out, and why


def load(path, wanted):
    """The names of the file at ``path``; ``wanted`` is the expression, or the dotted name, that is asked for."""
    if not path.is_file():
        raise CouldNotRun(f"there is no file {path}")
    notebook = path.suffix == ".ipynb"
    try:
        cells = _code_cells(path) if notebook else [_text(path)]
    except Exception as error:  # a file may hold anything, and nbformat raises of many types
        raise CouldNotRun(f"{path.name} cannot be read: {type(error).__name__}") from None
    if notebook:
        cells = _up_to(cells, wanted)
    source = "\n".join(cells)
    try:
        names = _run_cells(path, cells) if notebook else _import(path)
        return Loaded(names, source)
    except (Failed, NotImplementedError) as problem:
        return _alone(path, source, wanted, problem)


def _alone(path, source, wanted, problem):
    """What the whole file could not give, the definition may."""
    why = said(problem)
    package = re.search(r"No module named '([\w.]+)'", why)
    hint = f"; the package {package[1].split('.')[0]} is not installed here" if package else ""
    try:
        names = guarded(f"running {wanted} alone", run_alone, source, wanted, str(path), seconds=SECONDS)
    except (Failed, NotImplementedError, SyntaxError):
        names = None
    if names is None:
        fix = (
            f"install {package[1].split('.')[0]}, or copy the definition alone into a file of its own"
            if package
            else ""
        )
        raise CouldNotRun(f"{why}{hint}", fix=fix) from None
    return Loaded(names, source, f"{why}{hint}: the definition was taken alone")


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


def _execute(path, source, name=None, names=None):
    names = _module(path, name) if names is None else names
    linecache.cache[str(path)] = (len(source), None, source.splitlines(True), str(path))
    exec(compile(source, str(path), "exec", dont_inherit=True), names)
    return names


def _module(path, name=None):
    module = types.ModuleType(name or f"diagnosed_{path.stem}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    return vars(module)


def _code_cells(path):
    """The code cells, without lines for IPython."""
    try:
        import nbformat
    except ImportError:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    else:
        cells = nbformat.read(path, as_version=4).cells
    sources = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    return [_plain_python(source if isinstance(source, str) else "".join(source)) for source in sources]


def _plain_python(source):
    """Magics, shell lines and questions for help are left out; what stands below %%time is Python still."""
    if re.match(r"\s*%%(?!time|timeit|capture|prun)", source):
        return ""
    if _parses(source):
        return source  # % may begin the second line of an expression
    return re.sub(r"(?m)^(\s*)(?:[%!?].*|\w[\w.]*\?+\s*$|\w+\s*=\s*[%!].*)$", r"\1pass", source)


def _parses(source):
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def _up_to(cells, wanted):
    """The cells up to the last that defines the first name of ``wanted``."""
    last = [n for n, cell in enumerate(cells) if any(_defines(cell, name) for name in uses(wanted))]
    return cells[: last[-1] + 1] if last else cells


def _defines(cell, name):
    return re.search(rf"(?m)^\s*(?:async def|def|class)\s+{name}\b|^{name}\s*(?::[^=]+)?=", cell)


def _run_cells(path, cells):
    sys.path.insert(0, str(path.resolve().parent))
    names = _module(path)
    for n, cell in enumerate(cells, 1):
        place = path.with_name(f"{path.name} cell {n}")
        guarded(f"code cell {n} of {path.name}", _execute, place, cell, None, names, seconds=SECONDS)
    return names


def names_in(loaded):
    own = [
        name
        for name, thing in loaded.names.items()
        if callable(thing) and getattr(thing, "__module__", "") == loaded.names.get("__name__")
    ]
    return ", ".join(own) or "no functions or classes"


def said(problem):
    if isinstance(problem, Failed):
        return problem.finding.evidence or problem.finding.title
    return f"it is not written yet: NotImplementedError {problem}".strip()
