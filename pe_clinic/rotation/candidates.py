"""Which names of a file may make tables, and what the file defines although it could not be loaded as a whole."""

import ast
from dataclasses import replace

from ..calling.alone import run_alone
from ..sandbox.guard import Failed, run
from .objects import made_of_tables
from .plain import over_tensors

SURELY = ("rope", "rotary", "freq", "cos", "sin", "cis", "theta", "omega", "phase")  # such names make tables, or turn
HINTS = (*SURELY, "angle", "precompute", "cache", "emb", "table")


def hinted(name, words=HINTS):
    return any(word in name.lower() for word in words)


def candidates(file, but, only=None):
    """Names of the file that may make tables; ``only`` this one, whatever it is called."""
    for name, thing in list(file.names.items()):
        wanted = name == only or (only is None and name not in but and hinted(name))
        own = not getattr(thing, "__module__", "").startswith("torch")
        if wanted and own and callable(thing) and not made_of_tables(thing):
            yield name, thing


def whole(file):
    """The file with what was left out when it was taken alone; functions of NumPy's code take tensors."""
    return replace(file, names=over_tensors({**_left_out(file), **file.names}))


def _left_out(file):
    try:
        body = ast.parse(file.source).body
    except (SyntaxError, ValueError, RecursionError):
        return {}
    defined = [node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
    found = {}
    for name in (name for name in defined if name not in file.names and hinted(name, SURELY)):
        try:
            found[name] = run(name, run_alone, file.source, name, file.path or "<file>")[name]
        except (Failed, NotImplementedError):
            continue
    return found
