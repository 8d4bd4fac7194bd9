"""A wrong answer as a text for any tutor, a person or a chat: what is needed to help, and the request not to solve it.

Task and hints are read from the lesson's file, and the code from the cells that were run. What is not at hand is left
out: the text then has a section less. The solution is never in it.
"""

import ast
import inspect
import json
import os
import re
from pathlib import Path

from .progress.lessons import LESSONS
from .progress.record import kernel

REQUEST = """\
I am stuck with an exercise of a course on positional encoding. Help me to find my mistake myself. Do not write the
solution, and do not correct my code. Ask me one question at a time, and wait for my answer. Begin with what I think
that my code does. Where I do not get on, give me the first hint below that I have not had."""


class Text(str):
    """Shown as it is, ready to be copied."""

    __slots__ = ()

    def __repr__(self):
        return str(self)


def text(exercise_id, answer, reply):
    """The text: request, task, code, what the check replied, hints."""
    task, hints = task_and_hints(exercise_id)
    code = learners_code(exercise_id, answer)
    sections = {
        "The exercise": task,
        "My code": f"```python\n{code}\n```",
        "What the course's check says": reply,
        "Hints, one at a time": "\n\n".join(f"### Hint {number}\n\n{hint}" for number, hint in enumerate(hints, 1)),
    }
    return Text("\n\n".join([REQUEST, *(f"## {title}\n\n{body}" for title, body in sections.items() if body)]))


def task_and_hints(exercise_id):
    """(task, [hint, …]) as they stand in the lesson; ("", []) where its file is not at hand."""
    slug = f"exercise-{exercise_id.replace('.', '-')}"
    try:
        cells = json.loads(_lesson(exercise_id[:2]).read_text(encoding="utf-8"))["cells"]
        sources = {cell.get("id"): "".join(cell["source"]) for cell in cells}
    except (OSError, ValueError, KeyError, TypeError):
        return "", []
    blocks = re.findall(r"<summary>Hint \d</summary>(.*?)</details>", sources.get(f"{slug}-help", ""), re.S)
    return sources.get(f"{slug}-text", "").lstrip("# "), [block.strip() for block in blocks]


def _lesson(number):
    """The file of a lesson: the one that is open, or the one of this name in the same folder."""
    opened = Path(os.environ.get("JPY_SESSION_NAME", ""))
    if opened.name.startswith(f"{number}_") and opened.is_file():
        return opened
    shell = kernel()
    return Path(shell.starting_dir if shell else "") / LESSONS[number][0]


def learners_code(exercise_id, answer):
    """The cells that made the answer, as they were run; outside a notebook what Python knows of it."""
    if cells := _cells_that_made(exercise_id):
        return "\n\n".join(cells)
    from pe_clinic.sandbox import Failed, run

    for read in (inspect.getsource, repr):
        try:
            return run("reading the answer", read, answer).strip()[:2000]
        except (Failed, NotImplementedError):  # no source, or an object that raises when it is looked at
            continue
    return f"something of type {type(answer).__name__}"


def _cells_that_made(exercise_id):
    """Of the cells up to the last check of this exercise, the last that gave each name in the answer its value."""
    shell = kernel()
    run = [(cell, _parsed(cell)) for cell in (shell.user_ns.get("In", []) if shell else [])]
    while run and not _checked(run[-1][1], exercise_id):
        run.pop()
    if not run:
        return []
    made = {name: place for place, (_, tree) in enumerate(run) for name in _made(tree)}
    places = {made[name] for name in _checked(run[-1][1], exercise_id) if name in made}
    return [run[place][0].strip() for place in sorted(places)]


def _parsed(cell):
    try:
        return ast.parse(cell)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _checked(tree, exercise_id):
    """The names in the answer, where a cell calls ``check("05.2", answer)``."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) == 2]
    answers = [call.args[1] for call in calls if getattr(call.args[0], "value", None) == exercise_id]
    return {node.id for answer in answers for node in ast.walk(answer) if isinstance(node, ast.Name)}


def _made(tree):
    """The names that a cell defines or assigns at its top level."""
    made = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assigned = (node for statement in tree.body for node in ast.walk(statement) if isinstance(statement, ast.Assign))
    return made | {node.id for node in assigned if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
