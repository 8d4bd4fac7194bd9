"""What a call of an answer takes from the course's packages, and how often its loops turn.

A copy of the answer is called: where the answer finds a function of ours, the copy finds one that notes each call, and
each loop of the copy counts its turns. The answer and its module stay as they are.
"""

import ast
import builtins
import functools
from types import CodeType, FunctionType, ModuleType

from pe_clinic.sandbox import of_a_library, run

from .written import tree_of

OURS = ("pe_lib", "pe_clinic", "pe_course")


class Recording:
    """``answer`` to be called as `copy`: ``taken`` lists (name, result) of our functions, ``turns`` those of loops."""

    def __init__(self, answer):
        self.taken: list[tuple[str, object]] = []
        self.turns = 0
        self._spaces: dict[int, dict] = {}
        self._found: set[tuple[int, str]] = set()
        self.copy = self._of(answer)

    def _of(self, value):
        """What stands for ``value`` in the copy."""
        if isinstance(value, functools.partial):
            given = map(self._of, value.args)
            return functools.partial(self._of(value.func), *given, **value.keywords)
        if isinstance(value, ModuleType) and _is_ours(value.__name__):
            return _Module(value, self._of)
        if isinstance(value, FunctionType) and _is_ours(str(value.__module__)):
            return self._noting(value)
        if isinstance(value, FunctionType) and not of_a_library(value.__code__.co_filename):
            return self._copied(value)
        return value

    def _noting(self, function):
        @functools.wraps(function)
        def noting(*arguments, **named):
            result = function(*arguments, **named)
            self.taken.append((function.__name__, result))
            return result

        return noting

    def _copied(self, function):
        code = None if function.__closure__ else _counting(function)
        copy = FunctionType(code or function.__code__, self._space(function), function.__name__, function.__defaults__,
                            function.__closure__)  # fmt: skip
        copy.__kwdefaults__ = function.__kwdefaults__
        return copy

    def _space(self, function):
        """The names that the copy of a function finds; one for all functions of a module. What it uses is replaced."""
        names = function.__globals__
        if id(names) not in self._spaces:
            found = {**vars(builtins), "__import__": lambda *path, **of: self._of(builtins.__import__(*path, **of))}
            self._spaces[id(names)] = {**names, "__builtins__": found, "__turn__": self._turn}
        space = self._spaces[id(names)]
        for name in sorted(_names_in(function.__code__) & names.keys()):
            if (id(names), name) not in self._found:
                self._found.add((id(names), name))
                space[name] = self._of(names[name])
        for name in function.__code__.co_names:
            if isinstance(names.get(name), type) and _is_ours(names[name].__module__):
                self.taken.append((names[name].__name__, None))
        return space

    def _turn(self):
        self.turns += 1
        return True


class _Module:
    """One of our modules, whose functions note their calls."""

    def __init__(self, module, of):
        self._module, self._of = module, of

    def __getattr__(self, name):
        return self._of(getattr(self._module, name))


class _Counting(ast.NodeTransformer):
    """Each turn of a loop, and each call of a function, is counted."""

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(_turn()))
        return node

    visit_For = visit_FunctionDef

    def visit_comprehension(self, node):
        self.generic_visit(node)
        node.ifs.insert(0, _turn())
        return node

    def visit_While(self, node):
        self.generic_visit(node)
        node.test = ast.BoolOp(ast.And(), [_turn(), node.test])
        return node

    def visit_Lambda(self, node):
        self.generic_visit(node)
        node.body = ast.BoolOp(ast.And(), [_turn(), node.body])
        return node


def _names_in(code):
    """The names that ``code`` uses, and the functions that are written in it."""
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    return {*code.co_names}.union(*map(_names_in, inner))


def _turn():
    return ast.Call(ast.Name("__turn__", ast.Load()), [], [])


def _counting(function):
    """The code of ``function`` with counters; None where its source cannot be read."""
    tree = None if hasattr(function, "__wrapped__") else tree_of(function)
    if tree is None:
        return None
    if isinstance(tree, ast.FunctionDef):
        tree.decorator_list, tree.returns = [], None
    tree.args.defaults = [ast.Constant(None) for _ in tree.args.defaults]
    body = _Counting().visit(tree)
    module = ast.Module([body if isinstance(body, ast.FunctionDef) else ast.Expr(body)], [])
    code = compile(ast.fix_missing_locations(module), function.__code__.co_filename, "exec")
    made = [part for part in code.co_consts if isinstance(part, CodeType)]
    return made[0] if len(made) == 1 else None


def _is_ours(module):
    return module.partition(".")[0] in OURS


def recorded(answer, *arguments) -> Recording:
    """The `Recording` of ``answer(*arguments)``; `Failed` when it raises."""
    recording = Recording(answer)
    run("the function", recording.copy, *arguments)
    return recording
