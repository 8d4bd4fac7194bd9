"""Load anyone's Python file, guarded like any other code under test."""

import importlib
import importlib.util
import sys

from .run import Failed, watch


class CouldNotRun(Exception):
    """There is nothing to look at; the message says why."""


def load(path):
    if not path.is_file():
        raise CouldNotRun(f"there is no file {path}")
    # A file inside a package is imported as part of it, so that its relative imports work.
    folder, name = path.resolve().parent, path.stem
    while (folder / "__init__.py").is_file():
        folder, name = folder.parent, f"{folder.name}.{name}"
    sys.path.insert(0, str(folder))
    try:
        return watch(f"loading {path.name}", _import, name, path, seconds=60).value
    except (Failed, NotImplementedError) as problem:
        raise CouldNotRun(said(problem)) from None
    finally:
        sys.path.remove(str(folder))


def _import(name, path):
    if "." in name:
        return importlib.import_module(name)
    spec = importlib.util.spec_from_file_location(f"diagnosed_{name}", path)
    if spec is None:
        raise ImportError(f"{path.name} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def names_in(module):
    own = [
        n
        for n, thing in vars(module).items()
        if callable(thing) and getattr(thing, "__module__", "") == module.__name__
    ]
    return ", ".join(own) or "no functions or classes"


def expression(source, module):
    try:
        code = compile(source, "--make", "eval")
    except SyntaxError as error:
        raise CouldNotRun(f"--make {source!r} is no expression: {error.msg}") from None
    return lambda d_model, max_len: eval(code, vars(module), {"d_model": d_model, "max_len": max_len})


def said(problem):
    if isinstance(problem, Failed):
        hint = "; --make can say how it is called" if problem.finding.id == "arguments" else ""
        return f"{problem.finding.evidence or problem.finding.title}{hint}"
    return f"it is not written yet: NotImplementedError {problem}".strip()
