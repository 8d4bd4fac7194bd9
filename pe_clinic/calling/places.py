"""What of the user's own code a finding is about: its line, or a name that is read where nothing defines it."""

import ast
import builtins
import inspect
import re
from dataclasses import replace

from ..sandbox.mistakes import MISTAKES
from .alone import statements
from .constants import globals_of

CUTS = {
    *("batch-axis", "slice-by-batch", "no-slice", "one-row-more", "slice-by-width", "slice-of-columns"),
    *("missing-colon", "mean-row"),
    "multiplied",
}
HELD = {"unregistered": r"the attribute (\w+) is", "trainable": r"gradient: (\w+) \("}
NOT_THERE, NOT_LOADED, NO_FORWARD = MISTAKES["name-not-there"], MISTAKES["file-stops"], MISTAKES["without-forward"]
UNWRITTEN = "a call stops with NotImplementedError, and no other method or line of the file takes what it keeps"


def in_its_code(diagnosis, file, name):
    """``diagnosis`` with the lines that it is about; where it is good, with what the code needs and does not have."""
    diagnosis = pointed(diagnosis, file, name)
    if diagnosis.verdict.good and _without_forward(file, name):
        diagnosis = replace(diagnosis, ok=False, usage=(NO_FORWARD.found(UNWRITTEN), *diagnosis.usage))
    stops = re.search(r"NameError: name '\w+' is not defined[^:]*", file.note)  # in an annotation, or in other code
    missing = "" if file.note else _reads(file, name)
    if not (stops or missing) or not diagnosis.verdict.good:
        return diagnosis
    said = NOT_LOADED.found(stops[0]) if stops else NOT_THERE.found(f"{missing}: a NameError there")
    return replace(diagnosis, ok=False, usage=(*diagnosis.usage, said))


def _without_forward(file, name):
    """Whether ``name`` is a module with no method to call, and no line of the file makes one of it."""
    forward = getattr(file.names.get(name), "forward", None)
    made = re.search(rf"(?<!class )(?<!super\()\b{name}\b", file.source)
    if made or getattr(forward, "__name__", "") != "_forward_unimplemented":
        return False
    own = vars(file.names[name]).items()
    return not any(inspect.isfunction(value) for key, value in own if not key.startswith("_"))


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


def pointed(diagnosis, file, name):
    """``diagnosis``, with the place of each finding that one line alone can be about."""
    body = statements(file.source) or ()
    node = next((n for n in body if getattr(n, "name", None) == name.split(".")[0]), None)
    if node is None or not file.path.endswith(".py"):
        return diagnosis
    lines = file.source.splitlines()

    def placed(finding):
        found = {n.lineno for n in _about(finding, node)}
        if len(found) != 1:
            return finding
        (n,) = found
        return replace(finding, place=f"{file.path}:{n}: {lines[n - 1].strip()}")

    return replace(diagnosis, findings=tuple(map(placed, diagnosis.findings)))


def error_place(finding, path, source):
    """The line that an error names, "(line 3 of forward)", where the file has such a function there; else ""."""
    told = re.search(r"\(line (\d+) of ([\w<>]+)\)", finding.title + finding.evidence)
    if not told or not path.endswith(".py"):
        return ""
    n, name, lines = int(told[1]), told[2], source.splitlines()
    nodes = [node for top in statements(source) or () for node in ast.walk(top)]
    defined = [node for node in nodes if getattr(node, "name", None) == name and hasattr(node, "lineno")]
    inside = (nodes and name == "<module>") or any(node.lineno <= n <= node.end_lineno for node in defined)
    return f"{path}:{n}: {lines[n - 1].strip()}" if inside and n <= len(lines) else ""


def _about(finding, node):
    """The nodes of the definition that the finding may be about."""
    if finding.id == "in-place":
        written = (n for n in ast.walk(node) if isinstance(n, ast.AugAssign))
        return [n for n in written if not isinstance(n.value, ast.Constant)]
    if finding.id in CUTS:
        forward = next((n for n in ast.walk(node) if getattr(n, "name", "") == "forward"), None)
        return [n for n in ast.walk(forward) if _of_self(n)] if forward else []
    if finding.id in HELD and (held := re.search(HELD[finding.id], finding.evidence)):
        targets = [(n, t) for n in ast.walk(node) if isinstance(n, ast.Assign) for t in n.targets]
        return [n for n, t in targets if isinstance(t, ast.Attribute) and t.attr == held[1]]
    if finding.id in ("wrong-base", "small-base") and (
        base := re.search(r"base ([\d.]+(?:e\+?\d+)?)", finding.evidence)
    ):
        constants = [n for n in ast.walk(node) if isinstance(n, ast.Constant) and type(n.value) in (int, float)]
        return [n for n in constants if n.value == float(base[1].rstrip("."))]
    return []


def _of_self(node):
    """self.pe, or what is cut out of it."""
    of_self = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    return of_self and node.attr not in ("dropout", "drop", "training", "d_model", "scale")
