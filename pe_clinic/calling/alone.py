"""One definition of a file, and what it uses, without the rest: for files that import what is missing, or train."""

import __future__

import ast
import contextlib
import linecache
import sys
import types


def uses(wanted):
    """The names that an expression or a dotted name needs from the file."""
    try:
        return [node.id for node in ast.walk(ast.parse(wanted, mode="eval")) if isinstance(node, ast.Name)]
    except SyntaxError:
        return []


def run_alone(source, wanted, filename):
    """The names that ``wanted`` needs, defined; None when the file does not define them."""
    body = ast.parse(source).body
    needed = _closure(body, set(uses(wanted)))
    if not needed or not any(set(_bound(n)) & set(uses(wanted)) for n in needed):
        return None
    module = types.ModuleType("diagnosed_alone")
    module.__file__ = filename
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    names = vars(module)
    sys.modules[module.__name__] = module  # dataclasses look their module up
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            _import(node, names, filename)
        elif node in needed:
            _execute([node], names, filename)
    return names


def _closure(body, names):
    """The statements that bind ``names``, and those that bind what these use."""
    chosen, todo = [], set(names)
    while todo:
        new = [node for node in body if node not in chosen and set(_bound(node)) & todo]
        chosen += new
        todo = {inner.id for node in new for inner in ast.walk(node) if isinstance(inner, ast.Name)} - names
        names |= todo
    return chosen


def _bound(node):
    """The names that a statement at the top of a file defines."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return []


def _import(node, names, filename):
    """Each import on its own: one that is missing matters only where it is used."""
    with contextlib.suppress(ImportError):
        _execute([node], names, filename)


def _execute(nodes, names, filename):
    # Annotations are left alone: they may speak of what is not there.
    flags = __future__.annotations.compiler_flag
    exec(compile(ast.Module(nodes, []), filename, "exec", flags, dont_inherit=True), names)
