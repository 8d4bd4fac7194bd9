"""A stub's `raise NotImplementedError` that still stands beside code of the learner's own."""

import ast
import inspect
import textwrap

from pe_clinic import Finding


def leftover(answer, error, given=""):
    """The `Finding` when ``answer``, which raised ``error``, holds more than its stub; else None: it is not attempted.

    ``given`` is the code that the stub itself holds. Where no source can be read, the answer counts as a stub.
    """
    functions = (
        [part for part in vars(answer).values() if inspect.isfunction(part)] if inspect.isclass(answer) else [answer]
    )
    try:
        written = [line for function in functions for line in _written(function)]
    except (OSError, TypeError, SyntaxError, IndexError):
        return None
    if not written or written == _lines(ast.parse(textwrap.dedent(given)).body):
        return None
    place = error.__traceback__
    while place.tb_next:
        place = place.tb_next
    where = f"line {place.tb_lineno} of {place.tb_frame.f_code.co_name}"
    title = "The stub's raise NotImplementedError still stands there: nothing below that line is run."
    return Finding("leftover", title, where, fix="delete that line")


def _written(function):
    """The statements of a function, without its docstring and what any stub holds."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function)))).body
    return _lines(definition.body)


def _lines(body):
    return [text for text in map(ast.unparse, body) if not _is_stub(text)]


def _is_stub(text):
    return text.startswith(("raise NotImplementedError", "super().__init__(", "'", '"')) or text in ("...", "pass")
