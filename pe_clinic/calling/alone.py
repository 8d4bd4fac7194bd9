"""One definition of a file, and what it uses, without the rest: for files that import what is missing, or train."""

import __future__

import ast
import linecache
import sys
import types

MODULES = ("LightningModule", "BaseModule")  # of Lightning, and of mmcv and mmengine
BLOCKS = (ast.With, ast.If, ast.Try, ast.ExceptHandler)


def statements(source):
    """The statements at the top of a file, and those in its blocks; None where Python cannot read it."""
    try:
        return list(_unfolded(ast.parse(source).body))
    except (SyntaxError, ValueError, RecursionError):
        return None


def _unfolded(nodes):
    """The statements, behind a with, an if or a try those in it; what is run as a script alone stays out."""
    for node in nodes:
        if isinstance(node, ast.stmt):
            yield node
        alone = isinstance(node, ast.If) and "__main__" in ast.unparse(node.test)
        if isinstance(node, BLOCKS) and not alone:
            yield from _unfolded(ast.iter_child_nodes(node))


def uses(wanted):
    """The names that an expression or a dotted name needs from the file."""
    try:
        return {node.id for node in ast.walk(ast.parse(wanted, mode="eval")) if isinstance(node, ast.Name)}
    except SyntaxError:
        return set()


def run_alone(source, wanted, filename, numbers=None):
    """The names that ``wanted`` needs, defined; None when the file does not define them.

    ``numbers`` take the place of what the file gives to these names, D_MODEL = 512, or of these whole numbers, 512.
    """
    tops = (top.body if isinstance(top, ast.With) else [top] for top in ast.parse(source).body)
    body = [_with_literals(node, numbers or {}) for top in tops for node in top]
    needed = _closure(body, uses(wanted))
    if not any(set(_bound(node)) & uses(wanted) for node in needed):
        return None
    names = module_names("diagnosed_alone", filename, source)
    missing = set()
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            try:
                _execute([node], names, filename)
            except ImportError:  # one that is missing matters only where it is used
                missing |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif node in needed and (given := set(_bound(node)) & set(numbers or {})):
            names.update({name: numbers[name] for name in given})
        elif node in needed:
            _execute([_on_torch(node, missing)], names, filename)
    return names


def _on_torch(node, missing):
    """The definition; nn.Module stands in for a parent of a missing package that is one, with training around it."""
    for n, base in enumerate(node.bases if isinstance(node, ast.ClassDef) else ()):
        root = ast.unparse(base).partition(".")[0]
        if root in missing and ast.unparse(base).rpartition(".")[2] in MODULES:
            node.bases[n] = ast.parse("__import__('torch').nn.Module", mode="eval").body
    return node


def literals(source, name):
    """The whole numbers from 16 in the definition of ``name``, those that stand there most often first."""
    body = [node for node in statements(source) if name in _bound(node)]
    found = [n.value for node in body for n in ast.walk(node) if isinstance(n, ast.Constant) and type(n.value) is int]
    return sorted({n for n in found if n >= 16 and n != 10000}, key=lambda n: -found.count(n))


def _with_literals(node, numbers):
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and type(inner.value) is int and inner.value in numbers:
            inner.value = numbers[inner.value]
    return node


def module_names(name, filename, source):
    """The names of a new module: dataclasses look their module up, and tracebacks quote its lines."""
    module = types.ModuleType(name)
    module.__file__ = filename
    sys.modules[name] = module
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    return vars(module)


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
    """The names that a statement at the top of a file defines; a block is taken whole, with its imports."""
    if isinstance(node, BLOCKS):
        inner = [one for one in _unfolded([node]) if one is not node]
        imported = [alias for one in inner if isinstance(one, (ast.Import, ast.ImportFrom)) for alias in one.names]
        return [name for one in inner for name in _bound(one)] + [(a.asname or a.name).split(".")[0] for a in imported]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return _filled(node) if isinstance(node, (ast.For, ast.While)) else []


def _filled(loop):
    """The names of which a loop writes items, row by row: pe[pos, i] = …, or rows.append(…)."""
    nodes = [*ast.walk(loop)]
    items = [node.value for node in nodes if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)]
    items += [node.value for node in nodes if isinstance(node, ast.Attribute) and node.attr in ("append", "extend")]
    return [inner.id for item in items for inner in ast.walk(item) if isinstance(inner, ast.Name)]


def _execute(nodes, names, filename):
    # Annotations are left alone: they may speak of what is not there.
    flags = __future__.annotations.compiler_flag
    exec(compile(ast.Module(nodes, []), filename, "exec", flags, dont_inherit=True), names)
