"""The names of a file, read from its text before anything of it is run: what may be meant, and what was misspelt."""

import ast
import difflib
import re

from .alone import statements
from .loading import CouldNotRun, load, text_of
from .names import ROTATES, is_table

DEFINITIONS = (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)
TELLING = r"pos|encod|sinus|(^|_)pe\b|rope|rotary|alibi|embed"
NOT_A_MODEL = r"pos|sinus|(^|_)pe\b|rope|rotary|alibi"  # an encoder may be a whole model

NUMBERS = r"(dim|size|scale|len|length|rate|dropout|drop|heads)$"  # what a part keeps beside its table


def the_name(path, asked):
    """``asked``, if the file may have it; the only candidate, where nothing was asked; else `CouldNotRun`."""
    source = text_of(path)
    if (body := statements(source)) is None:
        return asked or load(path, path.stem) or _refused(f"name a function or class: {path}:NAME")  # where it stops
    defined = [name for name in defined_in(body) if "." not in name]
    listed = ", ".join(dict.fromkeys(defined)) or "no functions or classes"
    if not defined and not asked:
        load(path, path.stem)  # a script: where it stops, that is what is told
    if not asked:
        telling = [name for name in dict.fromkeys(defined) if re.search(TELLING, name.lower())]
        candidates = defined if len(set(defined)) == 1 else _applier(body, telling) or _unused(body, telling)
        if len(candidates) == 1:
            return candidates[0]
        return _refused(f"name a function or class: {path}:NAME; the file has {listed}")
    nodes = list(ast.walk(ast.Module(body, [])))
    imported = [alias for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names]
    bound = {node.id for node in nodes if isinstance(node, ast.Name)} | {*defined}
    bound |= {(alias.asname or alias.name).split(".")[0] for alias in imported}
    first = asked.split(".")[0]
    if first in bound or "*" in bound:
        return asked
    near = difflib.get_close_matches(first, defined, n=1, cutoff=0.6)
    meant = f"; did you mean {near[0]}?" if near else ""
    return _refused(f"{path} has no {asked}{meant or f'; it has {listed}'}")


def _applier(body, telling):
    """Of a class that makes the tables of a rotation, and a function that applies them, the function; else []."""
    nodes = {node.name: node for node in body if isinstance(node, DEFINITIONS) and node.name in telling}
    made = [name for name, node in nodes.items() if isinstance(node, ast.ClassDef) and re.search(ROTATES, name.lower())]
    applies = [n for n, node in nodes.items() if n not in made and sum(map(is_table, _parameters(node))) in (1, 2)]
    return applies if len(nodes) == 2 and len(made) == len(applies) == 1 else []


def _unused(body, telling):
    """The one position encoding that no other candidate uses, where its parts are the other candidates; else all."""
    nodes = [node for node in body if isinstance(node, DEFINITIONS) and node.name in telling]
    used = {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name) and n.id != node.name}
    last = [name for name in telling if name not in used]
    return last if len(last) == 1 and re.search(NOT_A_MODEL, last[0].lower()) else telling


def _parameters(node):
    return [a.arg for a in node.args.args] if hasattr(node, "args") else []


def defined_in(body):
    """The functions and classes at the top of a file, and the methods and parts of the classes: C, C.method, C.part."""
    names = [node.name for node in body if isinstance(node, DEFINITIONS)]
    inner = [
        f"{cls.name}.{name}"
        for cls in body
        if isinstance(cls, ast.ClassDef)
        for name in [n for node in ast.walk(cls) if node is not cls for n in _held(node)]
        if re.search(rf"{TELLING}|table", name.lower()) and not re.search(NUMBERS, name.lower())
    ]
    return list(dict.fromkeys(names + inner))


def _held(node):
    """The name of a method, or of what is stored in self."""
    if isinstance(node, DEFINITIONS):
        return [] if node.name.startswith("__") else [node.name]
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "self.register_buffer" and node.args:
        return [node.args[0].value] if isinstance(getattr(node.args[0], "value", None), str) else []
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [t.attr for t in targets if isinstance(t, ast.Attribute) and ast.unparse(t.value) == "self"]


def _refused(why):
    raise CouldNotRun(why)
