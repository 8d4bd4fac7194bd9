"""What the learner's code itself shows, beside what its results show: what is written there and cannot be meant, and a
stub's `raise NotImplementedError` that still stands beside code of the learner's own."""

import ast
import inspect
import textwrap
from dataclasses import replace

from pe_clinic import Finding

PURE = {  # what gives a new value, and leaves its argument as it was
    "abs", "astype", "cat", "clamp", "clip", "clone", "concat", "concatenate", "copy", "cos", "double", "exp",
    "expand", "flatten", "flip", "float", "hstack", "log", "long", "masked_fill", "matmul", "mean", "permute",
    "ravel", "repeat", "reshape", "roll", "rope_half_split", "rope_interleaved", "sin", "softmax", "sorted", "sqrt",
    "squeeze", "stack", "sum", "to", "transpose", "tril", "triu", "unsqueeze", "view", "vstack",
}  # fmt: skip


def remarked(diagnosis, answer):
    """The diagnosis of a wrong answer, its first finding with a remark on the code, where nothing explains it yet."""
    first, *others = (*diagnosis.findings,) or (None,)
    says = None if first is None or first.explanation else remark(answer)
    if not says or says == first.title:
        return diagnosis
    return replace(diagnosis, findings=(replace(first, explanation=says), *others))


def remark(answer):
    """What is written in the function ``answer`` and cannot be meant; None where nothing is, or no source is found."""
    tree = tree_of(answer)
    return next(filter(None, (notice(tree) for notice in NOTICES)), None) if tree else None


def tree_of(answer):
    """The syntax tree of a function; of a lambda, when it is the only one on its lines."""
    if not inspect.isfunction(answer):
        return None
    try:
        tree = _definition(answer)
    except (OSError, TypeError, SyntaxError, ValueError, IndexError):
        return None
    if isinstance(tree, ast.FunctionDef):
        return tree
    lambdas = [node for node in ast.walk(tree) if isinstance(node, ast.Lambda)]
    return lambdas[0] if len(lambdas) == 1 else None


def _definition(function):
    """The one statement whose source makes a function; OSError, TypeError and more where there is none."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body
    return tree


def _caret(tree):
    if any(isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, ast.BitXor) for node in ast.walk(tree)):
        return "In Python ^ is XOR, no power; use ** for powers."
    return None


def _same_object(tree):
    for node in ast.walk(tree):
        sides = (node.left, *node.comparators) if isinstance(node, ast.Compare) else (ast.Constant(None),)
        if not any(isinstance(side, ast.Constant) for side in sides) and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            return "`is` asks whether two names stand for one and the same object; two results never do."
    return None


def _not_kept(tree):
    """A statement that computes something, and drops it."""
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Expr) else None
        called = getattr(value.func, "attr", getattr(value.func, "id", "")) if isinstance(value, ast.Call) else ""
        kept = any(word.arg == "out" for word in getattr(value, "keywords", ()))
        if isinstance(value, ast.BinOp) or (called in PURE and not kept):
            return f"The line `{_short(value)}` computes something and keeps it nowhere: give the result a name."
    return None


def _return_in_a_loop(tree):
    for loop in _loops(tree):
        skips = any(isinstance(node, ast.Continue) for node in ast.walk(loop))
        if isinstance(loop.body[-1], ast.Return) and not skips:
            return "The return stands inside a loop, and so ends it in its first turn."
    return None


def _overwritten(tree):
    """An argument that the first line of a function sets anew, without a look at what it was."""
    line = tree.body[0] if isinstance(tree, ast.FunctionDef) else None
    if not isinstance(line, ast.Assign) or not isinstance(line.targets[0], ast.Name):
        return None
    name = line.targets[0].id
    read = {node.id for node in ast.walk(line.value) if isinstance(node, ast.Name)}
    if name in {argument.arg for argument in tree.args.args} - read:
        return f"The line `{_short(line)}` overwrites the argument {name} before it is used."
    return None


def _not_collected(tree):
    """A name that each turn of a loop sets anew, without a look at what it was, and that is returned after it."""
    for loop in _loops(tree):
        inside = [node for node in ast.walk(loop) if isinstance(node, ast.Name)]
        read = {node.id for node in inside if isinstance(node.ctx, ast.Load)}
        plain = [line for line in loop.body if isinstance(line, ast.Assign) and len(line.targets) == 1]
        set_anew = {line.targets[0].id for line in plain if isinstance(line.targets[0], ast.Name)} - read
        after = [line for line in getattr(tree, "body", []) if getattr(line, "lineno", 0) > loop.end_lineno]
        if len(after) == 1 and isinstance(after[0], ast.Return) and after[0].value:
            used = {node.id for node in ast.walk(after[0].value) if isinstance(node, ast.Name)} & set_anew
            if used:
                return f"Each turn of the loop sets {min(used)} anew: what is left after it is that of the last turn."
    return None


def _loops(tree):
    return [node for node in ast.walk(tree) if isinstance(node, (ast.For, ast.While))]


def _short(node):
    text = ast.unparse(node)
    return text if len(text) <= 50 else text[:49] + "…"


NOTICES = (_caret, _same_object, _overwritten, _return_in_a_loop, _not_kept, _not_collected)


def leftover(answer, error, given=""):
    """The `Finding` when ``answer``, which raised ``error``, holds more than its stub; else None: it is not attempted.

    ``given`` is the code that the stub itself holds. Where no source can be read, the answer counts as a stub.
    """
    functions = filter(inspect.isfunction, vars(answer).values()) if inspect.isclass(answer) else [answer]
    try:  # without docstrings and what any stub holds
        written = [line for function in functions for line in _lines(_definition(function).body)]
    except (OSError, TypeError, SyntaxError, IndexError, AttributeError):  # the last: a lambda within a statement
        return None
    if not written or written == _lines(ast.parse(textwrap.dedent(given)).body):
        return None
    place = error.__traceback__
    while place.tb_next:
        place = place.tb_next
    where = f"line {place.tb_lineno} of {place.tb_frame.f_code.co_name}"
    title = "The stub's raise NotImplementedError still stands there: nothing below that line is run."
    return Finding("leftover", title, where, fix="delete that line")


def _lines(body):
    stub = ("raise NotImplementedError", "super().__init__(", "'", '"')
    return [text for text in map(ast.unparse, body) if not text.startswith(stub) and text not in ("...", "pass")]
